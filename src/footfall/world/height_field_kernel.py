"""The ground under places of a height field, compiled: one cell, one of its two triangles."""

from __future__ import annotations

import numba as nb
import numpy as np

_GRID = "Array(float64, 2, 'C', readonly=True)"
_ASKED = "float64[:, ::1]"
_ANSWERS = "float64[::1], float64[:, ::1], int64[::1]"


@nb.njit(
    f"void({_GRID}, float64, float64, float64, {_ASKED}, {_ANSWERS})",
    cache=True,
    nogil=True,
)
def look_down(heights, x0, z0, cell, asked, level, normals, cells):  # type: ignore[no-untyped-def]
    """Heights, normals and cells under places; -inf, nan and -1 where there is no ground under the start.

    `asked` are x, z and the start of each place.
    """
    nx, nz = heights.shape[0] - 1, heights.shape[1] - 1
    x, z, start = asked[0], asked[1], asked[2]
    for p in range(x.size):
        level[p], cells[p] = -np.inf, -1
        normals[p, 0] = normals[p, 1] = normals[p, 2] = np.nan
        if not (x0 <= x[p] <= x0 + nx * cell and z0 <= z[p] <= z0 + nz * cell):
            continue
        along, across = (x[p] - x0) / cell, (z[p] - z0) / cell
        i, j = min(int(along), nx - 1), min(int(across), nz - 1)
        u, v = along - i, across - j
        a, c = heights[i, j], heights[i + 1, j + 1]
        # the cell is cut from its first corner to the opposite one
        if u >= v:
            b = heights[i + 1, j]
            east, north = b - a, c - b
        else:
            d = heights[i, j + 1]
            east, north = c - d, d - a
        found = a + u * east + v * north
        if not found <= start[p]:  # or a hole
            continue
        level[p], cells[p] = found, i * nz + j
        length = np.sqrt(east * east + cell * cell + north * north)
        normals[p, 0], normals[p, 1], normals[p, 2] = -east / length, cell / length, -north / length
