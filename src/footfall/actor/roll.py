"""Heels rise as early and as high as the leg needs it.

When the hips have passed far over a foot, its leg grows too long, or (uphill) its ankle cannot bend further:
people then lift the heel, before their hips sink.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Float

from footfall.actor.stance import Sole, Stance, Times

EASY = 0.982  # of a leg's length: how long it is when its foot leaves
STEEPEST = 1.12  # rad: more the toes do not bend
BENT = 0.55  # rad of dorsiflexion: from here on the heel rises
SOONER = 0.06  # s
MOST_EARLY = 0.50  # s
PITCHES = np.linspace(0.0, 1.0, 41)


def rolled(stance: Stance, sole: Sole, hip: Float[np.ndarray, "3"], leg: float) -> Stance:
    """The stance with its heel raised, where it leaves, until the leg is no longer than is easy.

    `hip` is where the leg begins at that moment. Only feet that leave over their toes are changed.
    """
    if not np.isfinite(stance.off) or stance.off_pitch >= 0.0:
        return stance
    pitches = stance.off_pitch + PITCHES * (-STEEPEST - stance.off_pitch)
    stretch = np.linalg.norm(hip - sole.ankle(stance, pitches), axis=-1) / leg
    easy = np.flatnonzero(stretch <= EASY)
    pitch = pitches[easy[0]] if len(easy) else pitches[int(np.argmin(stretch))]
    if len(easy) and easy[0] > 0:
        # between two samples, so that it changes smoothly with whatever led here
        high, low = stretch[easy[0] - 1], stretch[easy[0]]
        share = (high - EASY) / max(high - low, 1e-9)
        pitch = pitches[easy[0] - 1] + share * (pitches[easy[0]] - pitches[easy[0] - 1])
    return replace(stance, off_pitch=float(pitch))


def lifted(stance: Stance, times: Times, bend: Times) -> Stance:
    """The stance with its heel leaving the ground earlier, where the ankle would bend too far.

    `bend` is the ankle's dorsiflexion at `times` were the foot flat.
    """
    if not np.isfinite(stance.off) or stance.off_pitch >= 0.0:
        return stance
    inside = (times > stance.flat) & (times < stance.lift) & (bend > BENT)
    if not inside.any():
        return stance
    earliest = max(stance.flat if np.isfinite(stance.flat) else -np.inf, stance.lift - MOST_EARLY)
    return replace(stance, lift=float(max(times[inside][0] - SOONER, earliest + 0.02)))
