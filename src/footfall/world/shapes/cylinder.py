"""Cylinders."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

from footfall.world.shapes.core import Core
from footfall.world.shapes.fields import length
from footfall.world.shapes.meshing import turned
from footfall.world.shapes.shape import SEGMENTS, Mesh


@dataclass(frozen=True)
class Cylinder:
    """Round about the y axis, from half its height under the origin to half its height over it."""

    radius: float  # m
    height: float  # m

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", length(self.radius, "radius"))
        object.__setattr__(self, "height", length(self.height, "height"))

    @cached_property
    def core(self) -> Core:
        ends = 0.5 * self.height * np.array([[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]])
        return Core.of([ends], disc=self.radius)

    def signed_distance(self, points: Float[np.ndarray, "*n 3"]) -> Float[np.ndarray, "*n"]:
        points = np.asarray(points, dtype=float)
        return upright_distance(np.hypot(points[..., 0], points[..., 2]) - self.radius, points, self.height)

    def mesh(self, segments: int = SEGMENTS) -> Mesh:
        half = 0.5 * self.height
        return turned(
            np.array([[0.0, -half], [self.radius, -half], [self.radius, half], [0.0, half]]), segments
        )


def upright_distance(
    beside: Float[np.ndarray, "*n"], points: Float[np.ndarray, "*n 3"], height: float
) -> Float[np.ndarray, "*n"]:
    """From a solid with upright sides, given the signed distances from its outline."""
    over = np.abs(points[..., 1]) - 0.5 * height
    outside = np.hypot(np.maximum(beside, 0.0), np.maximum(over, 0.0))
    return outside + np.minimum(np.maximum(beside, over), 0.0)
