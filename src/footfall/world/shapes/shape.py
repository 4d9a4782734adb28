"""What every shape can be asked, in its own frame: centred on its middle, its axis along +Y."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from jaxtyping import Float, Int

from footfall.world.shapes.core import Core

SEGMENTS = 24  # of a circle in a mesh

Mesh = tuple[Float[np.ndarray, "vertices 3"], Int[np.ndarray, "triangles 3"]]


class Shape(Protocol):
    """A solid: a sphere, box, cylinder, capsule or polygon."""

    @property
    def core(self) -> Core:
        """What it is to the kernels."""
        ...

    def signed_distance(self, points: Float[np.ndarray, "*n 3"]) -> Float[np.ndarray, "*n"]:
        """Of points from the surface, exactly; negative inside."""
        ...

    def mesh(self, segments: int = SEGMENTS) -> Mesh:
        """A closed surface that looks outwards; `segments` of a circle where it is round."""
        ...
