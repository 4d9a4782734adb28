"""Tetrahedra of steps around a place, compiled: found by the sides of their faces alone.

A face is three of the near steps. Of a tetrahedron a < b < c < d around a place p the four faces, each asked
on which side of it p lies, answer +, -, +, - or -, +, -, + (for abc, abd, acd, bcd); and no other tetrahedron
answers so. The same four numbers are p's barycentric coordinates, up to their sum.
"""

from __future__ import annotations

import numpy as np

from footfall.geometry.decisions_kernel import clearly_less
from footfall.geometry.kernel_cache import kernel

_POINTS = "Array(float64, 2, 'C', readonly=True)"
_ROW = "Array(float64, 1, 'C', readonly=True)"
_SMALL = "Array(int8, 1, 'C', readonly=True)"
_STEPS = "Array(int32, 1, 'C', readonly=True)"
_QUADS = "Array(int32, 2, 'C', readonly=True)"
ON = 1e-9  # m; as near to a face is on it
THIN = 0.01  # m: of a tetrahedron that is less high, rounding of a place may be more than a margin


@kernel()
def _across(low, a, b, c):  # type: ignore[no-untyped-def]
    """A vector across a face, as long as twice its area."""
    ux, uy, uz = low[b, 0] - low[a, 0], low[b, 1] - low[a, 1], low[b, 2] - low[a, 2]
    vx, vy, vz = low[c, 0] - low[a, 0], low[c, 1] - low[a, 1], low[c, 2] - low[a, 2]
    return uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx


@kernel()
def _thin(low, a, b, c, d, volume):  # type: ignore[no-untyped-def]
    """Whether a tetrahedron is hardly high over one of its faces."""
    largest = 0.0
    for p, q, r in ((a, b, c), (a, b, d), (a, c, d), (b, c, d)):
        nx, ny, nz = _across(low, p, q, r)
        largest = max(largest, nx * nx + ny * ny + nz * nz)
    return clearly_less(abs(volume) / np.sqrt(largest), THIN)


@kernel(f"float64({_POINTS}, int64, int64, int64, float64, float64, float64)")
def side_of(low, a, b, c, x, y, z):  # type: ignore[no-untyped-def]
    """Distance of a place from the plane of a face, positive on one side, times twice the face's area."""
    nx, ny, nz = _across(low, a, b, c)
    size = np.sqrt(nx * nx + ny * ny + nz * nz)
    found = nx * (x - low[a, 0]) + ny * (y - low[a, 1]) + nz * (z - low[a, 2])
    return 0.0 if abs(found) <= ON * size else found


@kernel(f"int8({_POINTS}, int64, int64, int64, {_POINTS})")
def _side_of_all(low, a, b, c, places):  # type: ignore[no-untyped-def]
    """1 or -1 where all places lie on one side of a face or on it, else 0."""
    over = under = False
    for i in range(places.shape[0]):
        side = side_of(low, a, b, c, places[i, 0], places[i, 1], places[i, 2])
        over |= side > 0.0
        under |= side < 0.0
    return np.int8(0) if over == under else np.int8(1) if over else np.int8(-1)


@kernel(f"boolean({_SMALL}, int64, int64, int64, int64)")
def mixes(way, a, b, c, d):  # type: ignore[no-untyped-def]
    """Whether forward (1) and backward (-1) steps are both there."""
    forward = way[a] > 0 or way[b] > 0 or way[c] > 0 or way[d] > 0
    backward = way[a] < 0 or way[b] < 0 or way[c] < 0 or way[d] < 0
    return forward and backward


@kernel(f"int64({_SMALL}, {_STEPS}, int8[:, :, ::1], int32[:, ::1], int64)")
def _write(way, near, sides, found, room):  # type: ignore[no-untyped-def]
    """Writes the tetrahedra whose faces alternate, as far as there is room; says how many there are."""
    k, count = near.size, 0
    for a in range(k - 3):
        for b in range(a + 1, k - 2):
            for c in range(b + 1, k - 1):
                side = sides[a, b, c]
                if side == 0:
                    continue
                for d in range(c + 1, k):
                    if sides[a, b, d] != -side or sides[a, c, d] != side or sides[b, c, d] != -side:
                        continue
                    if mixes(way, near[a], near[b], near[c], near[d]):
                        continue
                    if count < room:
                        found[count, 0], found[count, 1] = near[a], near[b]
                        found[count, 2], found[count, 3] = near[c], near[d]
                    count += 1
    return count


@kernel(f"int32[:, ::1]({_POINTS}, {_SMALL}, {_STEPS}, {_POINTS})")
def enclosing(low, way, near, places):  # type: ignore[no-untyped-def]
    """All tetrahedra of the near steps that contain all the places and do not mix ways."""
    k = near.size
    sides = np.zeros((k, k, k), dtype=np.int8)
    for a in range(k):
        for b in range(a + 1, k):
            for c in range(b + 1, k):
                sides[a, b, c] = _side_of_all(low, near[a], near[b], near[c], places)
    found = np.empty((1024, 4), dtype=np.int32)
    count = _write(way, near, sides, found, found.shape[0])
    if count > found.shape[0]:
        found = np.empty((count, 4), dtype=np.int32)
        _write(way, near, sides, found, count)
    return found[:count].copy()


@kernel(f"int64({_POINTS}, {_QUADS}, {_ROW}, float64[::1])")
def locate(low, corners, place, shares):  # type: ignore[no-untyped-def]
    """The first tetrahedron that contains a place, with its barycentric coordinates; -1 where none does.

    A place on a face, an edge or a corner is in all that meet there, however it rounds. Rounding is a large
    share of a thin one: it has what is in no other, and of several that in which the place is deepest.
    """
    best, chosen = -np.inf, -1
    x, y, z = place[0], place[1], place[2]
    for t in range(corners.shape[0]):
        a, b, c, d = corners[t, 0], corners[t, 1], corners[t, 2], corners[t, 3]
        volume = side_of(low, a, b, c, low[d, 0], low[d, 1], low[d, 2])
        if volume == 0.0:
            continue
        wd = side_of(low, a, b, c, x, y, z) / volume
        if clearly_less(wd, 0.0):
            continue
        wc = -side_of(low, a, b, d, x, y, z) / volume
        if clearly_less(wc, 0.0):
            continue
        wb = side_of(low, a, c, d, x, y, z) / volume
        wa = 1.0 - wb - wc - wd
        least = min(wa, wb)
        if clearly_less(least, 0.0):
            continue
        solid = not _thin(low, a, b, c, d, volume)
        least = min(least, min(wc, wd))
        if solid or clearly_less(best, least):
            best, chosen = least, t
            shares[0], shares[1], shares[2], shares[3] = wa, wb, wc, wd
        if solid:
            return chosen
    return chosen
