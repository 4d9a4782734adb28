"""Ground-plane frames: where something stands on the floor and which way it faces.

Y is up. Heading is the angle about +Y from +Z towards +X: positive turns are to the left of a character
that faces +Z with its left at +X.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from footfall.geometry import quaternion as quat

if TYPE_CHECKING:
    from jaxtyping import Float

UP = np.array([0.0, 1.0, 0.0])
FORWARD = np.array([0.0, 0.0, 1.0])
LEFT = np.array([1.0, 0.0, 0.0])


def wrap(angle: Float[np.ndarray, "*batch"] | float) -> Float[np.ndarray, "*batch"]:
    """The same angle in [-pi, pi)."""
    return (np.asarray(angle) + np.pi) % (2 * np.pi) - np.pi


def heading_of(direction: Float[np.ndarray, "*batch 3"]) -> Float[np.ndarray, "*batch"]:
    """Heading of a direction's horizontal part."""
    return np.arctan2(direction[..., 0], direction[..., 2])


def direction_of(heading: Float[np.ndarray, "*batch"] | float) -> Float[np.ndarray, "*batch 3"]:
    heading = np.asarray(heading, dtype=float)
    return np.stack([np.sin(heading), np.zeros_like(heading), np.cos(heading)], axis=-1)


def turn(heading: Float[np.ndarray, "*batch"] | float) -> Float[np.ndarray, "*batch 4"]:
    """The rotation about +Y by a heading."""
    half = 0.5 * np.asarray(heading, dtype=float)
    zero = np.zeros_like(half)
    return np.stack([np.cos(half), zero, np.sin(half), zero], axis=-1)


@dataclass(frozen=True, eq=False)
class GroundFrame:
    """A place on the ground and a heading; it moves points and rotations between itself and the world."""

    position: Float[np.ndarray, "*batch 3"]
    heading: Float[np.ndarray, "*batch"]

    @classmethod
    def under(
        cls, position: Float[np.ndarray, "*batch 3"], orientation: Float[np.ndarray, "*batch 4"]
    ) -> GroundFrame:
        """The frame below a body at `position` whose +Z axis, turned by `orientation`, looks forward."""
        floor = np.asarray(position, dtype=float) * np.array([1.0, 0.0, 1.0])
        return cls(floor, heading_of(quat.rotate(np.asarray(orientation), FORWARD)))

    def to_world(self, points: Float[np.ndarray, "*batch 3"]) -> Float[np.ndarray, "*batch 3"]:
        return self.position + quat.rotate(turn(self.heading), points)

    def to_local(self, points: Float[np.ndarray, "*batch 3"]) -> Float[np.ndarray, "*batch 3"]:
        return quat.rotate(turn(-np.asarray(self.heading)), points - self.position)

    def turn_to_world(self, rotations: Float[np.ndarray, "*batch 4"]) -> Float[np.ndarray, "*batch 4"]:
        return quat.multiply(turn(self.heading), rotations)

    def turn_to_local(self, rotations: Float[np.ndarray, "*batch 4"]) -> Float[np.ndarray, "*batch 4"]:
        return quat.multiply(turn(-np.asarray(self.heading)), rotations)

    def after(self, earlier: GroundFrame) -> GroundFrame:
        """This frame, given relative to `earlier`, in the world."""
        return GroundFrame(earlier.to_world(self.position), wrap(earlier.heading + self.heading))

    def inverse(self) -> GroundFrame:
        return GroundFrame(self.to_local(np.zeros(3)), wrap(-np.asarray(self.heading)))
