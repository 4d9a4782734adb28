"""A cycle closed: what is left between its last frame and its first is spread over all of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.analysis.facing import root_headings
from footfall.figure import kinematics
from footfall.figure.skeleton import Skeleton
from footfall.figure.sole import Sole
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.locomotion.cycle import Cycle, floor_level
from footfall.models.locomotion.steady import SteadyWay, steady_way


@dataclass(frozen=True, eq=False)
class ClosedCycle:
    """A cycle against its steady way; the last frame is the first."""

    skeleton: Skeleton
    times: Float[np.ndarray, "frames"]  # s from the first
    way: SteadyWay
    rotations: Float[np.ndarray, "frames joints 4"]  # the root's as seen from the way's heading
    root: Float[np.ndarray, "frames 3"]  # in the way's frame, its height over the ground

    @property
    def seconds(self) -> float:
        return float(self.times[-1])

    def foot(self, side: str) -> Float[np.ndarray, "frames 6"]:
        """Ankle in the way's frame, then yaw, pitch and roll of the sole against it."""
        places, turns = kinematics.forward(
            self.skeleton.tree, self.skeleton.offsets, self.root, self.rotations
        )
        foot = self.skeleton.joint(f"{side}_foot")
        sole = Sole.of(self.skeleton, side)
        return np.concatenate([places[:, foot], sole_angles(turns[:, foot], sole)], axis=-1)


def sole_angles(turns: Float[np.ndarray, "n 4"], sole: Sole) -> Float[np.ndarray, "n 3"]:
    """Yaw of a foot, and the smallest turn (about x: pitch, heel up; about z: roll) that lays it level."""
    flat = quat.multiply(turns, quat.conjugate(sole.lying))
    tilt, yaw = quat.swing_twist(flat, ground.UP)
    heading = np.unwrap(2.0 * np.arctan2(yaw[:, 2], yaw[:, 0]))
    local = quat.log(quat.multiply(quat.multiply(quat.conjugate(yaw), tilt), yaw))
    return np.stack(
        [heading - 2 * np.pi * np.round(heading.mean() / (2 * np.pi)), local[:, 0], local[:, 2]], -1
    )


def closed(cycle: Cycle) -> ClosedCycle:
    """The cycle, its seam spread, told against its steady way."""
    motion = cycle.motion[cycle.first : cycle.last + 1]
    times = motion.times
    way = steady_way(motion.root, root_headings(motion), times)
    places, headings = way.at(times)
    rotations = np.array(quat.continuous(motion.rotations))
    back = ground.turn(-headings)
    rotations[:, 0] = quat.multiply(back, rotations[:, 0])
    root = quat.rotate(back, motion.root - places)
    root[:, 1] -= floor_level(cycle.motion)
    share = times / times[-1] - 0.5
    gap = quat.log(quat.multiply(quat.conjugate(rotations[0]), rotations[-1]))
    rotations = quat.multiply(rotations, quat.exp(-share[:, None, None] * gap))
    root = root - share[:, None] * (root[-1] - root[0])
    return ClosedCycle(motion.skeleton, times, way, quat.continuous(rotations), root)
