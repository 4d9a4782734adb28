"""What frames are made with: the figure, its legs, its soles, and how its body is told."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from footfall.figure.contacts import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.figure.sole import Sole
from footfall.geometry import quaternion as quat
from footfall.ik.two_link import Limb
from footfall.models.stepspace.body_channels import BodyChannels


@dataclass(frozen=True, eq=False)
class Soles:
    """Both soles as arrays, left and right, so that a frame can pick its own."""

    heel: Float[np.ndarray, "2 3"]
    subtalar: Float[np.ndarray, "2 3"]
    ball: Float[np.ndarray, "2 3"]
    toe_joint: Float[np.ndarray, "2 3"]
    lying: Float[np.ndarray, "2 4"]
    toe_rest: Float[np.ndarray, "2 4"] | None

    @classmethod
    def of(cls, skeleton: Skeleton) -> Soles:
        soles = [Sole.of(skeleton, side) for side in SIDES]
        toes = all(sole.has_toe for sole in soles)
        rest = [skeleton.rest[skeleton.joint(f"{side}_toe")] for side in SIDES] if toes else None
        return cls(
            heel=np.stack([s.heel for s in soles]),
            subtalar=np.stack([s.subtalar for s in soles]),
            ball=np.stack([s.ball for s in soles]),
            toe_joint=np.stack([s.toe_joint for s in soles]),
            lying=np.stack([s.lying for s in soles]),
            toe_rest=None if rest is None else np.stack(rest),
        )

    def pivot(self, feet: Int[np.ndarray, "n"], roll: Float[np.ndarray, "n 3"]) -> Float[np.ndarray, "n 3"]:
        """The point that stands: the toe joint while the heel is up, else the heel."""
        return np.where(roll[:, :1] > 0.0, self.toe_joint[feet], self.heel[feet])

    def about(
        self, feet: Int[np.ndarray, "n"], pivot: Float[np.ndarray, "n 3"], turn: Float[np.ndarray, "n 4"]
    ) -> Float[np.ndarray, "n 3"]:
        """The ankle beside its print when the foot turns about a point that stands."""
        return quat.rotate(self.lying[feet], pivot - self.subtalar[feet]) - quat.rotate(turn, pivot)

    def buried(
        self, feet: Int[np.ndarray, "n"], ankle: Float[np.ndarray, "n 3"], turn: Float[np.ndarray, "n 4"]
    ) -> Float[np.ndarray, "n"]:
        """How deep heel, subtalar or ball are under the level 0."""
        points = np.stack([self.heel[feet], self.subtalar[feet], self.ball[feet]], axis=1)
        height = ankle[:, None, 1] + quat.rotate(turn[:, None], points)[..., 1]
        return np.maximum(-height.min(axis=-1), 0.0)


@dataclass(frozen=True, eq=False)
class Stage:
    """A figure on stage."""

    skeleton: Skeleton
    legs: dict[str, Limb]
    soles: Soles
    channels: BodyChannels
