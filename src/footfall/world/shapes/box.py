"""Boxes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from jaxtyping import Float

from footfall.world.shapes.core import Core
from footfall.world.shapes.fields import FieldError, length, place
from footfall.world.shapes.meshing import checked_segments, prism
from footfall.world.shapes.shape import SEGMENTS, Mesh

SIGNS = np.array(list(product((-0.5, 0.5), repeat=3)))


@dataclass(frozen=True, eq=False)
class Box:
    """With its faces across the axes."""

    size: Float[np.ndarray, "3"]  # m, from face to face along x, y and z

    def __post_init__(self) -> None:
        size = place(self.size, "size", 3)
        try:
            for side in size:
                length(side, "size")
        except FieldError as error:
            raise FieldError("size", f"{error.problem} along one axis") from None
        object.__setattr__(self, "size", size)

    @cached_property
    def core(self) -> Core:
        return Core.of([SIGNS * self.size])

    def signed_distance(self, points: Float[np.ndarray, "*n 3"]) -> Float[np.ndarray, "*n"]:
        beyond = np.abs(points) - 0.5 * self.size
        outside = np.linalg.norm(np.maximum(beyond, 0.0), axis=-1)
        return outside + np.minimum(beyond.max(axis=-1), 0.0)

    def mesh(self, segments: int = SEGMENTS) -> Mesh:
        checked_segments(segments)
        x, z = 0.5 * self.size[0], 0.5 * self.size[2]
        corners = np.array([[-x, z], [x, z], [x, -z], [-x, -z]])
        return prism(corners, np.array([[0, 1, 2], [0, 2, 3]]), float(self.size[1]))
