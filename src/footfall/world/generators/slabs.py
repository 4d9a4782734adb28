"""Level slabs that hang in the air: treads without risers."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.world.mesh import MeshTerrain


def build_slabs(
    polygons: Float[np.ndarray, "slabs corners 2"],
    heights: Float[np.ndarray, "slabs"],
    thickness: float,
    label: str,
) -> MeshTerrain:
    """One slab a convex polygon, its top at a height, closed all round."""
    slabs, corners = polygons.shape[:2]
    x, z = polygons[..., 0], polygons[..., 1]
    area = np.sum(z * np.roll(x, -1, axis=1) - x * np.roll(z, -1, axis=1), axis=1)
    polygons = np.where(area[:, None, None] < 0.0, polygons[:, ::-1], polygons)
    y = heights[:, None] - np.array([0.0, thickness])
    vertices = np.empty((slabs, 2, corners, 3))
    vertices[..., ::2], vertices[..., 1] = polygons[:, None], y[..., None]
    triangles = _faces(corners) + 2 * corners * np.arange(slabs)[:, None, None]
    return MeshTerrain(vertices.reshape(-1, 3), triangles.reshape(-1, 3), (label,))


def _faces(corners: int) -> np.ndarray:
    """Of one slab, whose top's corners are numbered before those of its underside."""
    k = np.arange(corners)
    after, under, under_after = (k + 1) % corners, k + corners, (k + 1) % corners + corners
    top = np.stack([np.zeros(corners - 2, int), k[1:-1], k[2:]], axis=-1)
    sides = [np.stack(side, axis=-1) for side in ((under, under_after, after), (under, after, k))]
    return np.concatenate([top, top[:, ::-1] + corners, *sides])
