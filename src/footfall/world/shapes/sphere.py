"""Spheres."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

from footfall.world.shapes.core import Core
from footfall.world.shapes.fields import length
from footfall.world.shapes.meshing import checked_segments, quarter, turned
from footfall.world.shapes.shape import SEGMENTS, Mesh


@dataclass(frozen=True)
class Sphere:
    """A ball about the origin."""

    radius: float  # m

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", length(self.radius, "radius"))

    @cached_property
    def core(self) -> Core:
        return Core.of([np.zeros((1, 3))], ball=self.radius)

    def signed_distance(self, points: Float[np.ndarray, "*n 3"]) -> Float[np.ndarray, "*n"]:
        return np.linalg.norm(points, axis=-1) - self.radius

    def mesh(self, segments: int = SEGMENTS) -> Mesh:
        lower = quarter(self.radius, checked_segments(segments))
        return turned(np.concatenate([lower, (lower * np.array([1.0, -1.0]))[-2::-1]]), segments)
