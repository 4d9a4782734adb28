"""Polygons with a height: prisms over any simple outline."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

from footfall.world.shapes.convex_parts import convex_parts, triangulate
from footfall.world.shapes.core import Core
from footfall.world.shapes.cylinder import upright_distance
from footfall.world.shapes.fields import length, place
from footfall.world.shapes.meshing import checked_segments, prism
from footfall.world.shapes.outline import area, check_simple, outline_distance
from footfall.world.shapes.shape import SEGMENTS, Mesh


@dataclass(frozen=True, eq=False)
class Polygon:
    """Upright over an outline in x and z, from half its height under the origin to half its height over it.

    The outline may be concave and turn either way, but must not touch or cross itself. Its corners need not
    lie about the origin.
    """

    corners: Float[np.ndarray, "corners 2"]  # m, x and z
    height: float  # m

    def __post_init__(self) -> None:
        corners = place(self.corners, "corners", None, 2)
        check_simple(corners)
        object.__setattr__(self, "corners", corners)
        object.__setattr__(self, "height", length(self.height, "height"))

    @cached_property
    def _turning(self) -> Float[np.ndarray, "corners 2"]:
        """The corners in the order from +Z towards +X."""
        return self.corners if area(self.corners) > 0.0 else self.corners[::-1]

    @cached_property
    def _triangles(self) -> np.ndarray:
        return triangulate(self._turning)

    @cached_property
    def core(self) -> Core:
        half = 0.5 * self.height
        return Core.of(
            [
                np.array([[x, y, z] for y in (-half, half) for x, z in self._turning[part]])
                for part in convex_parts(self._turning, self._triangles)
            ]
        )

    def signed_distance(self, points: Float[np.ndarray, "*n 3"]) -> Float[np.ndarray, "*n"]:
        points = np.asarray(points, dtype=float)
        beside = outline_distance(self.corners, points[..., 0], points[..., 2])
        return upright_distance(beside, points, self.height)

    def mesh(self, segments: int = SEGMENTS) -> Mesh:
        checked_segments(segments)
        return prism(self._turning, self._triangles, self.height)
