"""Who is near whom, compiled: places sorted into square cells, which are searched ring by ring."""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel

CROWDED = 2.0  # places in a cell, in the mean
MOST_CELLS = 1024  # on a side
PLACES = "Array(float64, 2, 'C', readonly=True)"
CELLS = "Tuple((int64[::1], int64[::1], float64, float64, float64, int64, int64))"


@kernel(f"{CELLS}({PLACES}, boolean[::1])")
def sort_into_cells(places, present):  # type: ignore[no-untyped-def]
    """Where each cell's places begin, the places in the order of cells, and the grid: corner, cell, counts.

    The cells are as large as holds a few places each. One that is far from all others makes them larger, and
    the search slower, but never wrong.
    """
    low_x = low_z = np.inf
    high_x = high_z = -np.inf
    count = 0
    for i in range(len(places)):
        if present[i]:
            low_x, high_x = min(low_x, places[i, 0]), max(high_x, places[i, 0])
            low_z, high_z = min(low_z, places[i, 1]), max(high_z, places[i, 1])
            count += 1
    if count == 0:
        return np.zeros(2, np.int64), np.zeros(0, np.int64), 0.0, 0.0, 1.0, 1, 1
    wide, deep = high_x - low_x, high_z - low_z
    cell = np.sqrt(CROWDED * wide * deep / count)
    # a queue has no area: then as many cells as places along it
    cell = max(cell, max(wide, deep) * max(CROWDED / count, 1.0 / MOST_CELLS), 1e-6)
    nx, nz = int(wide / cell) + 1, int(deep / cell) + 1
    starts, order, cells = (
        np.zeros(nx * nz + 1, np.int64),
        np.empty(count, np.int64),
        np.empty(count, np.int64),
    )
    at = 0
    for i in range(len(places)):
        if present[i]:
            cells[at] = int((places[i, 0] - low_x) / cell) * nz + int((places[i, 1] - low_z) / cell)
            starts[cells[at] + 1] += 1
            at += 1
    for c in range(nx * nz):
        starts[c + 1] += starts[c]
    filled = starts[:-1].copy()
    at = 0
    for i in range(len(places)):
        if present[i]:
            order[filled[cells[at]]] = i
            filled[cells[at]] += 1
            at += 1
    return starts, order, low_x, low_z, cell, nx, nz


@kernel(f"int64({PLACES}, {CELLS}, int64, float64, float64[::1], int64[::1])")
def nearest_few(places, grid, me, within, squares, found):  # type: ignore[no-untyped-def]
    """The nearest places to one of them, at most as many as `found` has room for; returns how many.

    They come nearest first, equally near ones by their number; `squares` receives their squared distances.
    """
    starts, order, low_x, low_z, cell, nx, nz = grid
    x, z = places[me, 0], places[me, 1]
    ci, cj = int((x - low_x) / cell), int((z - low_z) / cell)
    # how far it is at least to the edge of its own cell
    inset = min(x - low_x - ci * cell, z - low_z - cj * cell)
    inset = max(min(inset, (ci + 1) * cell + low_x - x, (cj + 1) * cell + low_z - z), 0.0)
    room, count = len(found), 0
    farthest = within * within
    ring = 0
    while ring <= max(nx, nz) and room > 0:
        if ring > 0 and ((ring - 1) * cell + inset) ** 2 > farthest:
            break
        for i in range(max(ci - ring, 0), min(ci + ring, nx - 1) + 1):
            step = 1 if abs(i - ci) == ring or ring == 0 else 2 * ring
            for j in range(cj - ring, cj + ring + 1, step):
                if j < 0 or j >= nz:
                    continue
                for k in range(starts[i * nz + j], starts[i * nz + j + 1]):
                    you = order[k]
                    square = (places[you, 0] - x) ** 2 + (places[you, 1] - z) ** 2
                    if you == me or square > farthest:
                        continue
                    at = count if count < room else room - 1
                    if count == room and square == squares[at] and you > found[at]:
                        continue
                    while at > 0 and (
                        squares[at - 1] > square or (squares[at - 1] == square and found[at - 1] > you)
                    ):
                        squares[at], found[at] = squares[at - 1], found[at - 1]
                        at -= 1
                    squares[at], found[at] = square, you
                    count = min(count + 1, room)
                    if count == room:
                        farthest = squares[room - 1]
        ring += 1
    return count
