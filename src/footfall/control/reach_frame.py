"""The frame of a figure that reaches: the ground under its hips, and its heading."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, sin, sqrt

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
        c, s, (x, y, z) = cos(angle), sin(angle), v.tolist()
        return np.array([c * x + s * z, y, c * z - s * x])


def length_of(v: Vector) -> float:
    """Of one vector, quickly."""
    x, y, z = v.tolist()
    return sqrt(x * x + y * y + z * z)
