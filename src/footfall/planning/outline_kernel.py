"""Outlines of what stands in the way, compiled: cut from solids, and how far points and lines are from them.

An outline is a convex polygon in x and z, its corners in turn; one of two corners is a line, of one a point.
"""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.planning.kernel_types import INDEX_ROWS, ROWS

_N, _I = nb.types.float64, nb.types.int64

FLAT = 1e-12  # of the largest coordinate: a corner no farther from the line of its neighbours is none


@kernel(_N(_N, _N, _N, _N, _N, _N))
def _point_to_line(x, z, ax, az, bx, bz):  # type: ignore[no-untyped-def]
    """The squared distance of a point from a piece of a line."""
    ux, uz, px, pz = bx - ax, bz - az, x - ax, z - az
    square, share = ux * ux + uz * uz, 0.0
    if square > 0.0:
        share = min(max((px * ux + pz * uz) / square, 0.0), 1.0)
    px, pz = px - share * ux, pz - share * uz
    return px * px + pz * pz


@kernel(_N(_N, _N, _N, _N, _N, _N))
def _side(ax, az, bx, bz, x, z):  # type: ignore[no-untyped-def]
    """Positive where a point lies on the inner side of an edge from a to b."""
    return (bx - ax) * (z - az) - (bz - az) * (x - ax)


@kernel(_N(ROWS, _I, _I, _N, _N))
def point_to_outline(corners, first, last, x, z):  # type: ignore[no-untyped-def]
    """How far a point is from an outline; 0 inside."""
    square, inside = np.inf, last - first > 2
    ax, az = corners[last - 1, 0], corners[last - 1, 1]
    for k in range(first, last):
        bx, bz = corners[k, 0], corners[k, 1]
        inside = inside and _side(ax, az, bx, bz, x, z) >= 0.0
        square = min(square, _point_to_line(x, z, ax, az, bx, bz))
        ax, az = bx, bz
    return 0.0 if inside else np.sqrt(square)


@kernel(_N(ROWS, _I, _I, _N, _N, _N, _N))
def line_to_outline(corners, first, last, px, pz, qx, qz):  # type: ignore[no-untyped-def]
    """How far the line from p to q stays from an outline; 0 where it meets it."""
    square, inside = np.inf, last - first > 2
    ax, az = corners[last - 1, 0], corners[last - 1, 1]
    for k in range(first, last):
        bx, bz = corners[k, 0], corners[k, 1]
        p, q = _side(ax, az, bx, bz, px, pz), _side(ax, az, bx, bz, qx, qz)
        inside = inside and p >= 0.0
        if (p > 0.0) != (q > 0.0):
            a, b = _side(px, pz, qx, qz, ax, az), _side(px, pz, qx, qz, bx, bz)
            if (a > 0.0) != (b > 0.0):
                return 0.0
        square = min(square, _point_to_line(px, pz, ax, az, bx, bz))
        square = min(square, _point_to_line(qx, qz, ax, az, bx, bz))
        square = min(square, _point_to_line(bx, bz, px, pz, qx, qz))
        ax, az = bx, bz
    return 0.0 if inside else np.sqrt(square)


@kernel(_I(_N[:, ::1], _I, _N[:, ::1]))
def _hull(points, count, hull):  # type: ignore[no-untyped-def]
    """The convex hull of points in the plane, into `hull`; how many corners (Andrew's monotone chain)."""
    order = np.argsort(points[:count, 0])
    for i in range(1, count):  # what is at one x, by z
        k, moved = i, order[i]
        while k > 0 and (
            points[order[k - 1], 0] == points[moved, 0] and points[order[k - 1], 1] > points[moved, 1]
        ):
            order[k] = order[k - 1]
            k -= 1
        order[k] = moved
    size = 0
    for turn in range(2):
        least = size + 1 if turn == 0 else size
        for i in range(count):
            x, z = points[order[i if turn == 0 else count - 1 - i]]
            while size > least and (
                _side(hull[size - 2, 0], hull[size - 2, 1], hull[size - 1, 0], hull[size - 1, 1], x, z) <= 0.0
            ):
                size -= 1
            if size > 0 and hull[size - 1, 0] == x and hull[size - 1, 1] == z:
                continue
            hull[size, 0], hull[size, 1] = x, z
            size += 1
    if size > 1 and hull[0, 0] == hull[size - 1, 0] and hull[0, 1] == hull[size - 1, 1]:
        size -= 1
    return size


@kernel(_I(_N[:, ::1], _I, _N))
def _without_flat_corners(hull, size, room):  # type: ignore[no-untyped-def]
    """Drops corners that lie between their neighbours, but for so much room; how many are left.

    Diagonals of a face are cut where its edges' line is: rounding alone says on which side of it.
    """
    k, kept = 0, 0
    while size > 1 and kept < size:
        before, after = (k + size - 1) % size, (k + 1) % size
        square = _point_to_line(
            hull[k, 0], hull[k, 1], hull[before, 0], hull[before, 1], hull[after, 0], hull[after, 1]
        )
        if square > room * room:
            k, kept = after, kept + 1
            continue
        for i in range(k, size - 1):
            hull[i, 0], hull[i, 1] = hull[i + 1, 0], hull[i + 1, 1]
        size, kept = size - 1, 0
        k %= size
    return size


@kernel(_N[:, ::1](ROWS, INDEX_ROWS, _N, _N))
def slice_outline(corners, edges, low, high):  # type: ignore[no-untyped-def]
    """The outline, seen from above, of the part of a polytope between two heights; empty where none is.

    No three corners lie on one line.
    """
    points = np.empty((corners.shape[0] + 2 * edges.shape[0], 2))
    count = 0
    for k in range(corners.shape[0]):
        if low <= corners[k, 1] <= high:
            points[count, 0], points[count, 1] = corners[k, 0], corners[k, 2]
            count += 1
    for e in range(edges.shape[0]):
        a, b = edges[e, 0], edges[e, 1]
        for side in range(2):
            level = low if side == 0 else high
            below, above = corners[a, 1] - level, corners[b, 1] - level
            if (below < 0.0 < above) or (above < 0.0 < below):
                share = below / (below - above)
                points[count, 0] = corners[a, 0] + share * (corners[b, 0] - corners[a, 0])
                points[count, 1] = corners[a, 2] + share * (corners[b, 2] - corners[a, 2])
                count += 1
    if count == 0:
        return np.empty((0, 2))
    hull, largest = np.empty((2 * count + 2, 2)), 0.0
    for k in range(count):
        largest = max(largest, abs(points[k, 0]), abs(points[k, 1]))
    size = _hull(points, count, hull)
    return hull[: _without_flat_corners(hull, size, FLAT * largest)].copy()
