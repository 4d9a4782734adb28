"""A ring's loops expanded for walking: tangents about the joints' means, anchors, headings, seconds.

What is plain here is compiled in `pose_kernel` and `strike_kernel`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.figure.contacts import SIDES
from footfall.figure.kinematics import attached, forward
from footfall.figure.skeleton import Skeleton
from footfall.figure.sole import Sole
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.ring.aligned import AlignedLoop, mid_sole

STILL = 1e-7  # rad: a joint that turns by less does not move

Weights = Float[np.ndarray, "*n loops"]


@dataclass(frozen=True, eq=False)
class Strikes:
    """Strikes in the frame of the half they end, and the next half's frame against it."""

    point: Float[np.ndarray, "*n 3"]  # the middle of the sole that comes down
    along: Float[np.ndarray, "*n 3"]  # from its heel to its toe
    turn: Float[np.ndarray, "*n"]  # rad
    origin: Float[np.ndarray, "*n 3"]

    @property
    def step_length(self) -> Float[np.ndarray, "*n"]:
        return np.hypot(self.point[..., 0], self.point[..., 2])


@dataclass(frozen=True, eq=False)
class RingTables:
    """Aligned loops of one skeleton, ready to be blended with any weights."""

    skeleton: Skeleton
    names: tuple[str, ...]
    mean: Float[np.ndarray, "joints 4"]
    tangents: Float[np.ndarray, "loops frames joints 3"]  # about the mean; the root's of its tilt
    seconds: Float[np.ndarray, "loops frames"]
    headings: Float[np.ndarray, "loops 2 half+1"]
    anchors: Float[np.ndarray, "loops 2 half+1 3"]
    contacts: Bool[np.ndarray, "loops frames 4"]

    @classmethod
    def of(
        cls, skeleton: Skeleton, loops: Sequence[AlignedLoop], mean: Float[np.ndarray, "joints 4"]
    ) -> RingTables:
        turns = np.stack([loop.rotations for loop in loops])
        return cls(
            skeleton,
            tuple(loop.name for loop in loops),
            mean,
            quat.log(_near(quat.multiply(quat.conjugate(mean), turns))),
            np.stack([loop.seconds for loop in loops]),
            np.stack([loop.headings for loop in loops]),
            np.stack([loop.anchors for loop in loops]),
            np.stack([loop.contacts for loop in loops]),
        )

    @property
    def frames(self) -> int:
        return self.tangents.shape[1]

    @property
    def half(self) -> int:
        return self.frames // 2

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def moving(self) -> Int[np.ndarray, "moving"]:
        """Joints that any loop moves; the root is always one."""
        moves = np.abs(self.tangents).max(axis=(0, 1, 3)) > STILL
        moves[0] = True
        return np.flatnonzero(moves)

    def joints(self, weights: Weights, frame: int) -> Float[np.ndarray, "*n joints 4"]:
        """[rings] 3, y(t, w): the joints' rotations at a frame; the root's is its tilt."""
        blended = np.einsum("...s,sjc->...jc", weights, self.tangents[:, frame % self.frames])
        return quat.multiply(self.mean, quat.exp(blended))

    def strikes(self, half: int, weights: Weights) -> Strikes:
        """Where the swinging foot comes down at the end of a half cycle for rows of weights ([rings] 4.1)."""
        weights = np.asarray(weights, dtype=float)
        support, swing = SIDES[half], SIDES[1 - half]
        rotations = self.joints(weights, (half + 1) * self.half)
        heading = weights @ self.headings[:, half, -1]
        rotations[..., 0, :] = quat.multiply(ground.turn(heading), rotations[..., 0, :])
        joints, turns = forward(
            self.skeleton.tree, self.skeleton.offsets, np.zeros((*heading.shape, 3)), rotations
        )

        def at(side: str, point: Float[np.ndarray, "3"]) -> Float[np.ndarray, "*n 3"]:
            return attached(joints, turns, [self.skeleton.joint(f"{side}_foot")], point[None])[..., 0, :]

        anchor = weights @ self.anchors[:, half, -1]
        # weights may be negative: what lifts its toe in a loop must not sink it here
        anchor[..., 1] = np.maximum(anchor[..., 1], weights @ self.anchors[:, half, 0, 1])
        root = anchor - at(support, Sole.of(self.skeleton, support).toe_joint)
        points = self.skeleton.foot_points(swing)
        turn = heading - weights @ self.headings[:, 1 - half, 0]
        begun = quat.rotate(ground.turn(turn), weights @ self.anchors[:, 1 - half, 0])
        return Strikes(
            root + at(swing, mid_sole(self.skeleton, swing)),
            at(swing, points.toe) - at(swing, points.heel),
            turn,
            root + at(swing, Sole.of(self.skeleton, swing).toe_joint) - begun,
        )

    def own_strikes(self, half: int) -> Float[np.ndarray, "loops 3"]:
        """Strike points of the loops themselves."""
        return self.strikes(half, np.eye(len(self))).point


def _near(turns: Float[np.ndarray, "*n 4"]) -> Float[np.ndarray, "*n 4"]:
    return np.where(turns[..., :1] < 0.0, -turns, turns)
