"""A shape somewhere in the world."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from jaxtyping import Float

from footfall.geometry import quaternion as quat
from footfall.geometry.ground import turn
from footfall.world.shapes.bodies import Bodies
from footfall.world.shapes.fields import FieldError, number, numbers, place
from footfall.world.shapes.shape import SEGMENTS, Mesh, Shape
from footfall.world.terrain import as_points

SHORTEST = 1e-6  # of a quaternion that still tells a direction


@dataclass(frozen=True, eq=False)
class Placed:
    """A shape whose own frame is at `position`, turned by `orientation`."""

    shape: Shape
    position: Float[np.ndarray, "3"]
    orientation: Float[np.ndarray, "4"] = field(default_factory=quat.identity)  # made unit

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", place(self.position, "position", 3))
        object.__setattr__(self, "orientation", unit(self.orientation))

    @classmethod
    def upright(cls, shape: Shape, position: Float[np.ndarray, "3"], heading: float = 0.0) -> Placed:
        return cls(shape, position, turn(number(heading, "heading")))

    @cached_property
    def body(self) -> Bodies:
        """What it is to the kernels."""
        return Bodies.of([(self.shape.core, self.position, self.orientation)])

    def to_own(self, points: Float[np.ndarray, "*n 3"]) -> Float[np.ndarray, "*n 3"]:
        """Points of the world in the shape's own frame."""
        return quat.rotate(quat.conjugate(self.orientation), as_points(points, "points") - self.position)

    def to_world(self, points: Float[np.ndarray, "*n 3"]) -> Float[np.ndarray, "*n 3"]:
        return self.position + quat.rotate(self.orientation, as_points(points, "points"))

    def distance_to(self, points: Float[np.ndarray, "*n 3"]) -> Float[np.ndarray, "*n"]:
        """Of points from the surface, exactly; negative inside."""
        return self.shape.signed_distance(self.to_own(points))

    def along(self, direction: Float[np.ndarray, "3"]) -> tuple[float, float]:
        """The shape's shadow on a line through the origin with this unit direction: from where to where."""
        low, high = self.shape.core.along(quat.rotate(quat.conjugate(self.orientation), direction))
        here = float(self.position @ direction)
        return here + low, here + high

    def mesh(self, segments: int = SEGMENTS) -> Mesh:
        """A closed surface that looks outwards; `segments` of a circle where the shape is round."""
        vertices, triangles = self.shape.mesh(segments)
        return self.to_world(vertices), triangles


def unit(orientation: Float[np.ndarray, "4"]) -> Float[np.ndarray, "4"]:
    """A unit quaternion, read-only; one that is unit already is left as it is, bit for bit."""
    turned = numbers(orientation, "orientation", 4)
    size = float(np.linalg.norm(turned))
    if not size > SHORTEST:
        raise FieldError("orientation", "must be a quaternion that is not zero")
    if abs(size - 1.0) < 1e-15:
        return turned
    turned = turned / size
    turned.flags.writeable = False
    return turned
