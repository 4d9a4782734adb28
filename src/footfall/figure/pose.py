"""A pose: where the root is and how every joint is turned; one or a batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from footfall.figure import kinematics
from footfall.figure.frozen import frozen_array
from footfall.figure.skeleton import Skeleton

if TYPE_CHECKING:
    from jaxtyping import Float


@dataclass(frozen=True, eq=False)
class Pose:
    """Root position in the world and joint rotations in their parents' frames; leading axes are a batch."""

    root: Float[np.ndarray, "*batch 3"]
    rotations: Float[np.ndarray, "*batch joints 4"]
    translations: Float[np.ndarray, "*batch joints 3"] | None = None

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "root", frozen_array(self.root, "root", shape=(3,)))
        put(self, "rotations", frozen_array(self.rotations, "rotations", shape=(None, 4)))
        if self.translations is not None:
            put(self, "translations", frozen_array(self.translations, "translations", shape=(None, 3)))

    @classmethod
    def at_rest(cls, skeleton: Skeleton, root: Float[np.ndarray, "3"] | None = None) -> Pose:
        """The rest pose, by default standing with its soles on the floor where it has feet."""
        if root is None:
            root = np.array([0.0, standing_height(skeleton), 0.0])
        return cls(root, skeleton.rest)

    @classmethod
    def sound(cls, root: Float[np.ndarray, "3"], rotations: Float[np.ndarray, "joints 4"]) -> Pose:
        """Of numbers that are known to be sound: nothing is checked again, a frame has no time for it."""
        pose = object.__new__(cls)
        put = object.__setattr__
        put(pose, "root", root)
        put(pose, "rotations", rotations)
        put(pose, "translations", None)
        return pose

    def forward(
        self, skeleton: Skeleton
    ) -> tuple[Float[np.ndarray, "*batch joints 3"], Float[np.ndarray, "*batch joints 4"]]:
        """World positions and orientations of all joints."""
        return kinematics.forward(
            skeleton.tree, skeleton.offsets, self.root, self.rotations, self.translations
        )


def standing_height(skeleton: Skeleton) -> float:
    """Height of the root at which the rest pose stands on the floor: on its soles, else its lowest joint."""
    rest, turns = skeleton.rest_positions, skeleton.rest_orientations
    soles = [
        kinematics.attached(
            rest, turns, [skeleton.joint(f"{side}_foot")], skeleton.foot_points(side).subtalar
        )
        for side in skeleton.sides
    ]
    lowest = np.concatenate([*soles, rest, skeleton.rest_ends]) if not soles else np.concatenate(soles)
    return -float(lowest[:, 1].min())
