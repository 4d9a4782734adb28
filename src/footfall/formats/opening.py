"""Artificial opening frames: a T-pose or rest pose that a converter put before the captured motion."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from jaxtyping import Float

MOST = 3  # opening frames that may be artificial
WINDOW = 40  # frames after them that show how fast the figure really moves
LEAST_JUMP = 0.05  # of the leg's length, mean over the joints
RATIO = 5.0  # times the real change from one frame to the next
USUAL = 90  # percentile of the changes after them: a dropout of a few frames must not hide the jump


def artificial_frames(positions: Float[np.ndarray, "frames joints 3"], leg: float) -> int:
    """How many opening frames to drop: those before a jump that nothing after it comes near."""
    if len(positions) < MOST + 3:
        return 0
    jumps = np.linalg.norm(np.diff(positions[: MOST + WINDOW], axis=0), axis=-1).mean(axis=-1)
    for last in reversed(range(MOST)):
        usual = np.percentile(jumps[last + 1 :], USUAL)
        if jumps[last] > max(LEAST_JUMP * leg, RATIO * usual):
            return last + 1
    return 0
