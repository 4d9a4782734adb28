"""How far edges are, and whether a sole can lie somewhere, compiled."""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.geometry.decisions_kernel import clearly_less, nearest_cell
from footfall.geometry.kernel_cache import kernel
from footfall.planning.kernel_types import GRID, INDICES, KINDS, NUMBERS
from footfall.planning.link_kernel import EAST, NORTH

RISER = 0.015  # m by which ground may rise from cell to cell beyond its slope: what rises more is an edge
FARTHEST = 1.0  # m: farther edges are not measured
UNEVEN = 0.025  # m that the middle of a sole may be over or under its ends
CREEPS = 0.02  # m that ground may rise under a sole beyond its slope
NOWHERE = -1e9
FOOTING = (*GRID, INDICES, NUMBERS, NUMBERS)  # cells, surfaces of each, their levels, how far edges are
_N, _I = nb.float64, nb.int64


@kernel(_I(INDICES, NUMBERS, _I, _N))
def _nearest(first, level, cell, here):  # type: ignore[no-untyped-def]
    """The surface of a cell whose level is nearest; -1 where it has none."""
    best, away = -1, np.inf
    for a in range(first[cell], first[cell + 1]):
        if clearly_less(abs(level[a] - here), away):
            best, away = a, abs(level[a] - here)
    return best


@kernel(_I(INDICES, NUMBERS, KINDS, INDICES, _I, _I, _I, _N, _N))
def _beside(first, level, bar, counts, i, j, k, here, rise):  # type: ignore[no-untyped-def]
    """The surface that goes on in a direction without an edge; -1 where there is one."""
    p, q = i + EAST[k], j + NORTH[k]
    if not (0 <= p < counts[0] and 0 <= q < counts[1]):
        return -1
    b = _nearest(first, level, p * counts[1] + q, here)
    return b if b >= 0 and bar[b] == 0 and not clearly_less(rise, abs(level[b] - here)) else -1


@kernel(nb.void(_I, _I, _N, _N, nb.float64[:, ::1]))
def _take(a, b, dx, dz, away):  # type: ignore[no-untyped-def]
    """A surface's nearest edge may be that of its neighbour, which lies (dx, dz) cells away."""
    x, z = away[b, 0] + dx, away[b, 1] + dz
    if x * x + z * z < away[a, 0] * away[a, 0] + away[a, 1] * away[a, 1]:
        away[a, 0], away[a, 1] = x, z


@kernel(nb.void(INDICES, NUMBERS, KINDS, INDICES, _N, _N, nb.float64[::1]))
def measure_edges(first, level, bar, counts, cell, slope, edge):  # type: ignore[no-untyped-def]
    """m from every surface to the nearest edge, by sweeps that hand nearest places on (Danielsson)."""
    columns, rows, count = counts[0], counts[1], level.size
    away, next_to = np.full((count, 2), np.inf), np.full((count, 4), -1, np.int64)
    rise = slope * cell + RISER
    for i in range(columns):
        for j in range(rows):
            for a in range(first[i * rows + j], first[i * rows + j + 1]):
                if bar[a]:
                    away[a, 0] = away[a, 1] = 0.0
                    continue
                for side in range(4):
                    k = 2 * side
                    next_to[a, side] = _beside(first, level, bar, counts, i, j, k, level[a], rise)
                    if next_to[a, side] < 0:
                        away[a, 0], away[a, 1] = 0.5 * EAST[k], 0.5 * NORTH[k]
    for back in range(2):
        for column in range(columns):
            i = columns - 1 - column if back else column
            side = 0 if back else 2  # the column that has been swept lies to the east, or to the west
            dx = 1.0 if back else -1.0
            begin, end = first[i * rows], first[(i + 1) * rows]
            for a in range(begin, end):
                if next_to[a, side] >= 0:
                    _take(a, next_to[a, side], dx, 0.0, away)
            for a in range(begin, end):
                if next_to[a, 3] >= 0:
                    _take(a, next_to[a, 3], 0.0, -1.0, away)
            for a in range(end - 1, begin - 1, -1):
                if next_to[a, 1] >= 0:
                    _take(a, next_to[a, 1], 0.0, 1.0, away)
    for a in range(count):
        if bar[a]:
            edge[a] = 0.0
        else:
            edge[a] = min(cell * np.sqrt(away[a, 0] * away[a, 0] + away[a, 1] * away[a, 1]), FARTHEST)


@kernel(_I(*FOOTING, _N, _N, _N))
def surface_under(grid, counts, first, level, edge, x, z, here):  # type: ignore[no-untyped-def]
    """The surface at a place whose level is nearest to `here`; -1 where there is none."""
    i, j = nearest_cell(x - grid[0], grid[2]), nearest_cell(z - grid[1], grid[2])
    if not (0 <= i < counts[0] and 0 <= j < counts[1]):
        return -1
    return _nearest(first, level, i * counts[1] + j, here)


@kernel(_N(nb.types.Tuple(FOOTING), NUMBERS, _N, _N, _N, _N, _N, _N, _N))
def lie(footing, discs, x, z, heading, here, room, slope, step):  # type: ignore[no-untyped-def]
    """The level at which a sole lies with its subtalar at a place; `NOWHERE` where it cannot.

    Its ground is that nearest to `here`, by a `step` at most; `room` is what it keeps from edges all round.
    """
    grid, counts, first, level, edge = footing
    own = surface_under(grid, counts, first, level, edge, x, z, here)
    if own < 0 or clearly_less(step, abs(level[own] - here)):
        return NOWHERE
    sine, cosine = np.sin(heading), np.cos(heading)
    ends, middle = 0.0, 0.0
    for k in range(discs.size):
        along = discs[k]
        a = surface_under(grid, counts, first, level, edge, x + along * sine, z + along * cosine, level[own])
        if a < 0 or clearly_less(edge[a], room):
            return NOWHERE
        if clearly_less(slope * abs(along) + CREEPS, abs(level[a] - level[own])):
            return NOWHERE
        if k == 0 or k == discs.size - 1:
            ends += 0.5 * level[a]
        elif 2 * k == discs.size - 1:
            middle = level[a]
    return NOWHERE if clearly_less(UNEVEN, abs(middle - ends)) else level[own]
