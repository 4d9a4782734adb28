"""The ground as everything else sees it, and the simplest one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from jaxtyping import Float


class Terrain(Protocol):
    """Ground heights by place; arrays of any shape."""

    def height(self, x: Float[np.ndarray, "*n"], z: Float[np.ndarray, "*n"]) -> Float[np.ndarray, "*n"]: ...


@dataclass(frozen=True)
class FlatTerrain:
    """A level floor."""

    level: float = 0.0

    def height(self, x: Float[np.ndarray, "*n"], z: Float[np.ndarray, "*n"]) -> Float[np.ndarray, "*n"]:
        return np.full(np.broadcast_shapes(np.shape(x), np.shape(z)), self.level)


@dataclass(frozen=True)
class InclinedTerrain:
    """A plane through the origin that rises along +Z."""

    slope: float  # rad

    def height(self, x: Float[np.ndarray, "*n"], z: Float[np.ndarray, "*n"]) -> Float[np.ndarray, "*n"]:
        return np.tan(self.slope) * np.asarray(z) + 0.0 * np.asarray(x)
