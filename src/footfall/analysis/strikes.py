"""Strike frames of one gait cycle: when each foot has come down ([rings] 3.2).

Candidates are zero crossings of a foot's acceleration along its path, from braking to not braking: there
its speed is least. Of all pairs the slowest are taken that lie about half a cycle apart.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int

from footfall.analysis.contacts import FootSignals
from footfall.analysis.signals import box
from footfall.errors import RequestError
from footfall.figure.motion import Motion

SMOOTHING = 0.03  # s
HALF_CYCLE_WEIGHT = 4.0  # m/s for a pair that is a whole half cycle off


def strike_frames(motion: Motion) -> tuple[int, int]:
    """The left and the right foot's strike frame in a motion of one gait cycle."""
    if len(motion) < 6 or len(motion.skeleton.sides) < 2:
        raise RequestError("strike frames need one gait cycle of a figure with two legs")
    speeds = {side: _speed(motion, side) for side in ("left", "right")}
    best: tuple[float, int, int] | None = None
    for left in brake_ends(speeds["left"]):
        for right in brake_ends(speeds["right"]):
            apart = abs(int(right) - int(left)) / len(motion)
            off = abs(min(apart, 1.0 - apart) - 0.5) / 0.5
            cost = float(speeds["left"][left] + speeds["right"][right]) + HALF_CYCLE_WEIGHT * off
            if best is None or cost < best[0]:
                best = cost, int(left), int(right)
    if best is None:
        raise RequestError("no foot comes down in this motion: one full gait cycle is needed")
    return best[1], best[2]


def _speed(motion: Motion, side: str) -> Float[np.ndarray, "frames"]:
    return FootSignals.of(motion, side).slower(SMOOTHING)


def brake_ends(speed: Float[np.ndarray, "frames"]) -> Int[np.ndarray, "found"]:
    """Frames at which a foot stops braking: its acceleration along the path rises through zero."""
    braking = box(np.gradient(speed), 3)
    return np.flatnonzero((braking[:-1] < 0) & (braking[1:] >= 0)) + 1
