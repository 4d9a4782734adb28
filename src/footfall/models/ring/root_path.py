"""The root in velocity space: how it turns and moves from each frame to the next ([rings] 3.1).

Blended there, and integrated afterwards, a path has no jump where a cycle begins again, wherever that is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.analysis.facing import root_headings
from footfall.blend.quaternion_sum import quaternion_sum
from footfall.figure.motion import Motion
from footfall.geometry import ground
from footfall.geometry import quaternion as quat


@dataclass(frozen=True, eq=False)
class RootPath:
    """The last frame of a motion goes on as the one before it does."""

    tilt: Float[np.ndarray, "frames 4"]  # the root's rotation without the heading
    turning: Float[np.ndarray, "frames"]  # rad a frame
    moving: Float[np.ndarray, "frames 3"]  # m a frame, in the frame of the heading

    @classmethod
    def of(cls, motion: Motion) -> RootPath:
        headings = root_headings(motion)
        tilt = quat.multiply(ground.turn(-headings), motion.rotations[:, 0])
        return cls(quat.continuous(tilt), steps(headings), local_steps(motion.root, headings))

    def blended(self, rows: Float[np.ndarray, "blends frames"]) -> RootPath:
        """Rows of weights over the frames make a path of as many frames."""
        return RootPath(quaternion_sum(rows, self.tilt[None]), rows @ self.turning, rows @ self.moving)

    def integrated(
        self, frame: int, heading: float, place: Float[np.ndarray, "3"]
    ) -> tuple[Float[np.ndarray, "frames+1"], Float[np.ndarray, "frames+1 3"]]:
        """Headings and places, one more than there are frames, from where the root is at one frame."""
        headings = np.concatenate([[0.0], np.cumsum(self.turning)])
        headings += heading - headings[frame]
        ways = quat.rotate(ground.turn(headings[:-1]), self.moving)
        places = np.concatenate([np.zeros((1, 3)), np.cumsum(ways, axis=0)])
        return headings, places + (place - places[frame])


def steps(values: Float[np.ndarray, "frames *rest"]) -> Float[np.ndarray, "frames *rest"]:
    """From each frame to the next; the last has the step before it."""
    ways = np.diff(values, axis=0)
    return np.concatenate([ways, ways[-1:]])


def local_steps(
    places: Float[np.ndarray, "frames *points 3"], headings: Float[np.ndarray, "frames"]
) -> Float[np.ndarray, "frames *points 3"]:
    """Steps of points in the frame of a heading, each by the heading it starts with."""
    facing = ground.turn(-headings).reshape(len(headings), *[1] * (places.ndim - 2), 4)
    return quat.rotate(facing, steps(places))
