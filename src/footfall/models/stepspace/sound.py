"""Steps with faults are left out: a foot or an arm that flips for a few frames would poison every blend.

Captured joints turn with accelerations that are alike from step to step. One that is many times as hard as in
most steps, and harder than people are, is a fault of the capture.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from footfall.analysis.smoothness import RATE, role_accelerations
from footfall.figure.motion import Motion
from footfall.models.stepspace.captured import CapturedStep

TIMES = 7.0  # the median over all steps of a joint's largest acceleration
HARDEST = 300.0  # rad/s^2; less may be quick
AROUND = 0.05  # s before and after a step that are looked at


def sound_steps(
    steps: Sequence[CapturedStep],
) -> tuple[list[CapturedStep], list[tuple[CapturedStep, str]]]:
    """The steps without faults, and those left out with the role that is at fault."""
    if not steps:
        return [], []
    clips = {id(s.clip): s.clip for s in steps}
    known = {key: role_accelerations(clip) for key, clip in clips.items()}
    roles = sorted({role for found in known.values() for role in found})
    peaks = np.array([_peaks(s, known[id(s.clip)], roles) for s in steps])
    usual = np.median(peaks, axis=0)
    faulty = (peaks > TIMES * usual) & (peaks > HARDEST)
    kept = [s for s, bad in zip(steps, faulty, strict=True) if not bad.any()]
    left = [(s, roles[int(bad.argmax())]) for s, bad in zip(steps, faulty, strict=True) if bad.any()]
    return kept, left


def _peaks(
    step: CapturedStep, known: dict[str, Float[np.ndarray, "frames"]], roles: Sequence[str]
) -> list[float]:
    first = max(int((step.keytimes[0] - AROUND) * RATE) - 1, 0)
    last = int((step.keytimes[-1] + AROUND) * RATE) + 1
    return [float(known[role][first:last].max(initial=0.0)) if role in known else 0.0 for role in roles]


def sound_parts(clips: Sequence[Motion], left_out: Sequence[CapturedStep]) -> list[Motion]:
    """The clips without the steps that were left out; all of them where nothing else is left."""
    parts: list[Motion] = []
    for number, clip in enumerate(clips):
        bad = sorted(
            (s.keytimes[0] - AROUND, s.keytimes[-1] + AROUND) for s in left_out if s.number == number
        )
        begin = 0.0
        for first, last in [*bad, (clip.seconds, clip.seconds)]:
            frames = slice(int(np.ceil(begin * clip.fps)), int(max(first, 0.0) * clip.fps) + 1)
            if frames.stop - frames.start > 2:
                parts.append(clip[frames])
            begin = max(begin, last)
    return parts or list(clips)
