"""Heels rise as early and as high as the leg needs it.

When the hips have passed far over a foot, its leg grows too long, or (uphill) its ankle cannot bend further:
people then lift the heel, before their hips sink.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Float

from footfall.actor.gait.stance import Sole, Stance, Times

EASY = 0.982  # of a leg's length: how long it is when its foot leaves
STEEPEST = 1.12  # rad: more the toes do not bend
BENT, MOST_BENT = 0.60, 0.78  # rad of dorsiflexion: where a foot leaves, and before that
SOONER = 0.03  # s
MOST_EARLY = 0.60  # s
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
    """The stance with its heel leaving the ground earlier and higher, where the ankle would bend too far.

    `bend` is the ankle's dorsiflexion at `times` were the foot flat; a raised heel takes from it what it is
    raised by.
    """
    if not np.isfinite(stance.off) or stance.off_pitch >= 0.0 or not len(times):
        return stance
    steepest = min(stance.off_pitch, max(BENT - float(bend[-1]), -STEEPEST))
    stance = replace(stance, off_pitch=steepest)
    earliest = (
        max(stance.flat, times[0]) if np.isfinite(stance.flat) else max(times[0], stance.lift - MOST_EARLY)
    )
    fastest = stance.off_rate
    for lift in np.arange(stance.lift, earliest, -SOONER):
        # a longer roll is a slower one: faster it would have to go back first
        rate = max(fastest, 2.4 * stance.off_pitch / (stance.off - float(lift)))
        stance = replace(stance, lift=float(lift), off_rate=rate)
        rolling = times > stance.flat
        if (bend + stance.pitch(times))[rolling].max(initial=-1.0) <= MOST_BENT:
            break
    return stance


def landed(stance: Stance, bend: float) -> Stance:
    """The stance with its heel higher where it lands on the ball and the ankle would bend too far.

    `bend` is the dorsiflexion at the strike were the foot flat.
    """
    if not np.isfinite(stance.strike) or stance.strike_pitch >= 0.0:
        return stance
    pitch = min(stance.strike_pitch, max(BENT - 0.12 - bend, -0.8 * STEEPEST))
    more = pitch / stance.strike_pitch
    if more <= 1.0:
        return stance
    longest = min(0.5 * (stance.lift - stance.strike), (stance.flat - stance.strike) * more)
    rolling_in = max(float(longest), stance.flat - stance.strike)
    rate = min(stance.strike_rate * more, -2.4 * pitch / rolling_in)
    return replace(stance, strike_pitch=pitch, strike_rate=rate, flat=stance.strike + rolling_in)
