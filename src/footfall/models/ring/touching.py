"""When heels and toes of a loop touch: from how near they are to where they lie at their strike.

What is seen to stand in a captured clip rolls and creeps; what is pinned stands for too short a while. A ring
lays soles down at strikes and holds toe joints still, so a part of a foot touches as long as it is where the
strike has it.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float

FLAT = 0.012  # m that a heel may have risen from where it lies, seen from its toe joint
THERE = 0.02  # m from its place: a part that comes down touches
CREEPS = 0.015  # m that a toe joint may go while it stands; a ring holds it still


RISES = 0.015  # m over where it lies: a toe joint leaves


def leaving(levels: Float[np.ndarray, "frames"]) -> int:
    """The frame from which on a toe joint that stands in the first one has risen for good."""
    down = levels <= np.minimum.accumulate(levels) + RISES
    return int(np.flatnonzero(down)[-1]) + 1


def lying(
    heel: Float[np.ndarray, "frames 3"], toe: Float[np.ndarray, "frames 3"], strikes: tuple[int, ...]
) -> Bool[np.ndarray, "frames 2"]:
    """Whether heel and toe joint touch, frame by frame, given the frames at which the foot has come down."""
    found = np.zeros((len(heel), 2), dtype=bool)
    for strike in strikes:
        ahead, back = slice(strike, None), slice(strike, None, -1)
        rolled = np.linalg.norm((heel - toe) - (heel - toe)[strike], axis=-1) < FLAT
        stays = np.linalg.norm(toe - toe[strike], axis=-1) < CREEPS
        came = [np.linalg.norm(part - part[strike], axis=-1) < THERE for part in (heel, toe)]
        found[ahead, 0] |= _from_the_first(rolled[ahead] & stays[ahead])
        found[ahead, 1] |= _from_the_first(stays[ahead])
        for k in (0, 1):
            found[back, k] |= _from_the_first(came[k][back])
    return found


def _from_the_first(holds: Bool[np.ndarray, "frames"]) -> Bool[np.ndarray, "frames"]:
    """True until it is false for the first time."""
    return np.logical_and.accumulate(holds)
