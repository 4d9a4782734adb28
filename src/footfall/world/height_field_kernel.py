"""The ground under places of a height field, compiled: one cell, one of its two triangles."""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel

_GRID = "Array(float64, 2, 'C', readonly=True)"
_ASKED = "float64[:, ::1]"
RIM = 1e-9  # of a cell: what is nearer to its edge lies on it
_ANSWERS = "float64[::1], float64[:, ::1], int64[::1]"


@kernel("UniTuple(float64, 3)(Array(float64, 2, 'C', readonly=True), int64, int64, float64, float64)")
def _in_cell(heights, i, j, u, v):  # type: ignore[no-untyped-def]
    """Height and rises along x and z at shares u and v of a cell; on its cut, of whatever is there."""
    a, c = heights[i, j], heights[i + 1, j + 1]
    if u > v or (u == v and not np.isnan(heights[i + 1, j])):
        b = heights[i + 1, j]
        east, north = b - a, c - b
    else:
        d = heights[i, j + 1]
        east, north = c - d, d - a
    return a + u * east + v * north, east, north


@kernel("Tuple((int64, float64))(float64, int64)")
def _cell_of(along, count):  # type: ignore[no-untyped-def]
    """The cell of a place in cells, and its share of it; what is all but on an edge is on it."""
    cell = min(int(along), count - 1)
    share = along - cell
    if share > 1.0 - RIM:
        return (cell + 1, 0.0) if cell < count - 1 else (cell, 1.0)
    return cell, share if share > RIM else 0.0


@kernel(f"void({_GRID}, float64, float64, float64, {_ASKED}, {_ANSWERS})")
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
        i, u = _cell_of((x[p] - x0) / cell, nx)
        j, v = _cell_of((z[p] - z0) / cell, nz)
        if abs(u - v) < RIM:
            v = u
        found, east, north = _in_cell(heights, i, j, u, v)
        # on the rim of a hole the ground is a neighbouring cell's
        for back in range(1, 4):
            k, m = back % 2, back // 2
            if np.isnan(found) and (k == 0 or (u == 0.0 and i > 0)) and (m == 0 or (v == 0.0 and j > 0)):
                found, east, north = _in_cell(heights, i - k, j - m, u + k, v + m)
        if not found <= start[p]:  # or a hole
            continue
        level[p], cells[p] = found, i * nz + j
        length = np.sqrt(east * east + cell * cell + north * north)
        normals[p, 0], normals[p, 1], normals[p, 2] = -east / length, cell / length, -north / length
