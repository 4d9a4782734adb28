"""Regions of the ground plan."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

AT_ONCE = 1 << 22  # products of places and edges


@dataclass(frozen=True)
class Rectangle:
    """Between two corners, border included."""

    x: tuple[float, float]
    z: tuple[float, float]

    def __call__(self, x: Float[np.ndarray, "*n"], z: Float[np.ndarray, "*n"]) -> Bool[np.ndarray, "*n"]:
        x, z = np.asarray(x, float), np.asarray(z, float)
        return (self.x[0] <= x) & (x <= self.x[1]) & (self.z[0] <= z) & (z <= self.z[1])


@dataclass(frozen=True, eq=False)
class Bordered:
    """Inside a border of directed edges, which have the region on one and the same side; by winding number.

    The sides of an edge are told by the product that also decides whether a vertical ray meets a triangle on
    it, so that both give the same answer up to the last bit.
    """

    edges: Float[np.ndarray, "edges 2 2"]  # from, to; x, z

    def __call__(self, x: Float[np.ndarray, "*n"], z: Float[np.ndarray, "*n"]) -> Bool[np.ndarray, "*n"]:
        x, z = np.broadcast_arrays(np.asarray(x, float), np.asarray(z, float))
        flat = np.stack([x.ravel(), z.ravel()], axis=-1)
        parts = max(1, -(-len(flat) * len(self.edges) // AT_ONCE))
        inside = [self._winding(part) != 0 for part in np.array_split(flat, parts)]
        return np.concatenate(inside).reshape(x.shape)

    def _winding(self, places: Float[np.ndarray, "n 2"]) -> np.ndarray:
        u = self.edges[None, :, 0] - places[:, None]
        v = self.edges[None, :, 1] - places[:, None]
        side = u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]
        upward, downward = (u[..., 1] <= 0.0) & (v[..., 1] > 0.0), (u[..., 1] > 0.0) & (v[..., 1] <= 0.0)
        return np.sum(upward & (side > 0.0), axis=1) - np.sum(downward & (side < 0.0), axis=1)
