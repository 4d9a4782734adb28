"""A motion that is played: its poses at any time between its frames, once or round and round."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool

from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import SLACK, nearest_cell
from footfall.geometry.easing import smooth
from footfall.geometry.ground import GroundFrame

SEAM = 1.0  # s over which the end of a motion that goes round fades into its beginning


@dataclass(eq=False)
class Playing:
    """A motion and where in it one is, s."""

    motion: Motion
    time: float = 0.0
    round: bool = False

    def __post_init__(self) -> None:
        if self.round:
            self.motion = closed(self.motion)

    @property
    def ended(self) -> bool:
        return not self.round and self.time >= self.motion.seconds

    @property
    def left(self) -> float:
        """s until it ends."""
        return np.inf if self.round else max(self.motion.seconds - self.time, 0.0)

    def advance(self, dt: float) -> None:
        self.time += dt
        if self.round:
            self.time %= self.motion.seconds

    @property
    def pose(self) -> Pose:
        frame = min(max(self.time * self.motion.fps, 0.0), len(self.motion) - 1.0)
        first = min(int(frame), len(self.motion) - 2)
        share = frame - first
        one, two = self.motion.rotations[first], self.motion.rotations[first + 1]
        root = (1.0 - share) * self.motion.root[first] + share * self.motion.root[first + 1]
        return Pose(root, quat.slerp(one, two, share))

    @property
    def contacts(self) -> Bool[np.ndarray, "4"]:
        """Left heel, right heel, left toe, right toe; all of them where nothing is known."""
        known = self.motion.contacts
        if known is None:
            return np.ones(4, dtype=bool)
        # at twice the motion's rate every other frame lies just between two of it
        k = min(int(self.time * self.motion.fps + (0.5 + SLACK)), len(self.motion) - 1)
        return np.concatenate([known.heel[k], known.toe[k]])


def frame_under(skeleton: Skeleton, pose: Pose) -> GroundFrame:
    """On the ground under a pose's root, as the root faces."""
    turned = quat.multiply(pose.rotations[0], quat.conjugate(skeleton.rest_orientations[0]))
    return GroundFrame.under(pose.root, turned)


def carried(pose: Pose, frame: GroundFrame, into: GroundFrame) -> Pose:
    """A pose moved as a whole, from one ground frame into another."""
    rotations = np.array(pose.rotations)
    rotations[0] = into.turn_to_world(frame.turn_to_local(rotations[0]))
    return Pose(into.to_world(frame.to_local(pose.root)), rotations)


def closed(motion: Motion) -> Motion:
    """A motion that ends as it begins: its last second fades into what comes before its beginning.

    What stands on one spot is kept there; it is shorter by what faded.
    """
    count = min(int(nearest_cell(SEAM * motion.fps, 1.0)), (len(motion) - 1) // 2)
    if count < 2:
        raise RequestError(f"a motion of {motion.seconds:.2f} s is too short to go round")
    share = smooth(np.arange(count + 1) / count)[:, None]
    head, tail = slice(0, count + 1), slice(len(motion) - 1 - count, len(motion))
    root, rotations = np.array(motion.root), np.array(motion.rotations)
    root[tail] += share * (root[head] - root[tail])
    rotations[tail] = quat.slerp(rotations[tail], rotations[head], share)
    kept = slice(count, len(motion))
    contacts = None if motion.contacts is None else motion.contacts.frames(kept)
    return Motion(motion.skeleton, root[kept], rotations[kept], motion.fps, contacts=contacts)
