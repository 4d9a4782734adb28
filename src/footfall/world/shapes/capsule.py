"""Capsules: cylinders with round ends."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

from footfall.world.shapes.core import Core
from footfall.world.shapes.fields import FieldError, length
from footfall.world.shapes.meshing import checked_segments, quarter, turned
from footfall.world.shapes.shape import SEGMENTS, Mesh


@dataclass(frozen=True)
class Capsule:
    """All within `radius` of a line along the y axis. `length` is of the whole, both round ends included."""

    radius: float  # m
    length: float  # m, at least twice the radius

    def __post_init__(self) -> None:
        radius, whole = length(self.radius, "radius"), length(self.length, "length")
        if whole < 2.0 * radius:
            raise FieldError("length", f"must be at least twice the radius, {2.0 * radius:g}, not {whole:g}")
        object.__setattr__(self, "radius", radius)
        object.__setattr__(self, "length", whole)

    @property
    def straight(self) -> float:
        """The length between the middles of the round ends."""
        return self.length - 2.0 * self.radius

    @cached_property
    def core(self) -> Core:
        ends = 0.5 * self.straight * np.array([[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]])
        return Core.of([ends if self.straight > 0.0 else ends[:1]], ball=self.radius)

    def signed_distance(self, points: Float[np.ndarray, "*n 3"]) -> Float[np.ndarray, "*n"]:
        points = np.asarray(points, dtype=float)
        beyond = np.maximum(np.abs(points[..., 1]) - 0.5 * self.straight, 0.0)
        return np.hypot(np.hypot(points[..., 0], points[..., 2]), beyond) - self.radius

    def mesh(self, segments: int = SEGMENTS) -> Mesh:
        lower = quarter(self.radius, checked_segments(segments)) - np.array([0.0, 0.5 * self.straight])
        # without a straight part the two rings at the middle are one
        upper = lower if self.straight > 0.0 else lower[:-1]
        return turned(np.concatenate([lower, (upper * np.array([1.0, -1.0]))[::-1]]), segments)
