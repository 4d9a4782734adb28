"""The cutting of polygons with several corners that point inwards, compiled."""

from __future__ import annotations

import numpy as np

from footfall.geometry.decisions_kernel import first_least
from footfall.geometry.kernel_cache import kernel


@kernel("int64(float64[::1], float64[::1], int64[:, ::1], int64)")
def _cut_ears(x, y, ears, room):  # type: ignore[no-untyped-def]
    """Fills `ears` with a counterclockwise polygon's triangles; how many corners were looked at."""
    left = x.size
    before, after = np.empty(left, dtype=np.int64), np.empty(left, dtype=np.int64)
    for i in range(left):
        before[i], after[i] = (i - 1) % left, (i + 1) % left
    i, tries, steps, found = 0, 0, 0, 0
    while left > 3 and tries < left and steps < room:
        a, b, c = before[i], i, after[i]
        steps += 1
        ear = (x[b] - x[a]) * (y[c] - y[b]) - (y[b] - y[a]) * (x[c] - x[b]) > 0.0
        p = after[c]
        while ear and p != a:
            steps += 1
            inside = (
                (x[b] - x[a]) * (y[p] - y[a]) - (y[b] - y[a]) * (x[p] - x[a]) >= 0.0
                and (x[c] - x[b]) * (y[p] - y[b]) - (y[c] - y[b]) * (x[p] - x[b]) >= 0.0
                and (x[a] - x[c]) * (y[p] - y[c]) - (y[a] - y[c]) * (x[p] - x[c]) >= 0.0
            )
            # where two corners lie in one place (a hole and the cut that leads to it), they do not block
            same = (
                (x[p] == x[a] and y[p] == y[a])
                or (x[p] == x[b] and y[p] == y[b])
                or (x[p] == x[c] and y[p] == y[c])
            )
            ear = not inside or same
            p = after[p]
        if ear:
            ears[found, 0], ears[found, 1], ears[found, 2] = a, b, c
            found += 1
            after[a], before[c] = c, a
            left -= 1
            tries = 0
        else:
            tries += 1
        i = c
    b = after[i]
    while found < len(ears):
        ears[found, 0], ears[found, 1], ears[found, 2] = i, b, after[b]
        found += 1
        b = after[b]
    return steps


@kernel(
    "void(Array(float64, 2, 'C', readonly=True), Array(int64, 1, 'C', readonly=True), int64[:, ::1], "
    "int64[:, ::1], int64)"
)
def cut_polygons(vertices, corners, polygons, triangles, room):  # type: ignore[no-untyped-def]
    """Cuts polygons (start and number of corners, first triangle); when `room` is used up, into fans."""
    for k in range(len(polygons)):
        start, size, first = polygons[k, 0], polygons[k, 1], polygons[k, 2]
        places = np.empty((size, 3))
        for i in range(size):
            places[i] = vertices[corners[start + i]] - vertices[corners[start]]
        normal = np.zeros(3)
        for i in range(size):
            p, q = places[i], places[(i + 1) % size]
            for axis in range(3):
                u, v = (axis + 1) % 3, (axis + 2) % 3
                normal[axis] += p[u] * q[v] - p[v] * q[u]
        largest = max(np.abs(normal).max(), 1e-300)
        faced = first_least(-np.abs(normal) / largest)  # faces at 45 degrees face two ways alike
        right, up = (faced + 1) % 3, (faced + 2) % 3
        if normal[faced] < 0.0:
            right, up = up, right
        ears = np.empty((size - 2, 3), dtype=np.int64)
        room -= _cut_ears(places[:, right].copy(), places[:, up].copy(), ears, room)
        for i in range(size - 2):
            for corner in range(3):
                triangles[first + i, corner] = corners[start + ears[i, corner]]
