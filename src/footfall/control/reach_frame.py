"""The frame of a figure that reaches: the ground under its hips, and its heading."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

Vector = Float[np.ndarray, "3"]


@dataclass(frozen=True, eq=False)
class Frame:
    """Where the figure is: the ground under its hips, and its heading."""

    origin: Vector
    heading: float

    def local(self, place: Vector) -> Vector:
        return self._turned(place - self.origin, -self.heading)

    def world(self, place: Vector) -> Vector:
        return self.origin + self._turned(place, self.heading)

    @staticmethod
    def _turned(v: Vector, angle: float) -> Vector:
        c, s = np.cos(angle), np.sin(angle)
        return np.array([c * v[0] + s * v[2], v[1], c * v[2] - s * v[0]])
