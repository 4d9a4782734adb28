"""The triangles of a grid of heights: how every grid is cut, so that all agree on its surface."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int


def grid_triangles(nx: int, nz: int) -> Int[np.ndarray, "2*nx*nz 3"]:
    """Two triangles for each of `nx` by `nz` cells, counter-clockwise seen from above.

    Vertex (i, j), i along x and j along z, is number i * (nz + 1) + j: the order of `heights.ravel()`. Cell
    (i, j) with the corners a = (i, j), b = (i + 1, j), c = (i + 1, j + 1), d = (i, j + 1) is cut along a-c
    into (a, c, b) and (a, d, c), which are numbers 2 * (i * nz + j) and the next.
    """
    a = (np.arange(nx)[:, None] * (nz + 1) + np.arange(nz)).reshape(-1)
    b, c, d = a + nz + 1, a + nz + 2, a + 1
    return np.stack([a, c, b, a, d, c], axis=-1).reshape(-1, 3)


def grid_vertices(
    heights: Float[np.ndarray, "nx+1 nz+1"], origin: tuple[float, float], cell: tuple[float, float]
) -> Float[np.ndarray, "vertices 3"]:
    """The vertices that `grid_triangles` numbers: (0, 0) at `origin` (x, z), neighbours a `cell` apart."""
    x = origin[0] + cell[0] * np.arange(heights.shape[0])
    z = origin[1] + cell[1] * np.arange(heights.shape[1])
    return np.stack(np.broadcast_arrays(x[:, None], heights, z), axis=-1).reshape(-1, 3)
