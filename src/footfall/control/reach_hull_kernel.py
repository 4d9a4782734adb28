"""The place of a hull that is nearest to another, compiled: in every frame a hand asks for it."""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.world.triangle_kernel import closest_on_triangle

TRIANGLES = nb.types.Array(nb.float64, 3, "C", readonly=True)
ROWS = nb.types.Array(nb.float64, 2, "C", readonly=True)


@kernel(nb.types.UniTuple(nb.float64, 3)(TRIANGLES, ROWS, nb.float64, nb.float64, nb.float64))
def nearest_in_hull(triangles, planes, x, y, z):  # type: ignore[no-untyped-def]
    """`triangles` are the facets as one block (see `closest_on_triangle`), `planes` their normals, outwards,
    and offsets. A place inside is its own.
    """
    outside = False
    for f in range(planes.shape[0]):
        p = planes[f]
        if p[0] * x + p[1] * y + p[2] * z + p[3] > 0.0:
            outside = True
            break
    if not outside:
        return x, y, z
    best, bx, by, bz = np.inf, x, y, z
    for f in range(planes.shape[0]):
        p = planes[f]
        if p[0] * x + p[1] * y + p[2] * z + p[3] <= 0.0:
            continue  # it looks the other way
        a, b, c = closest_on_triangle(triangles, 0, f, x, y, z)
        away = (a - x) ** 2 + (b - y) ** 2 + (c - z) ** 2
        if away < best:
            best, bx, by, bz = away, a, b, c
    return bx, by, bz
