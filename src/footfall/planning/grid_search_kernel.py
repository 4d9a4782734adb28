"""A* over linked surfaces, compiled: the cheapest way between two of them, proved so.

Going along a link costs its length in space times the mean of its ends' factors, which are 1 or more. The
octile distance (straight and diagonal moves over an open lattice) never exceeds that, and shrinks from one
surface to the next by no more than the move costs: no surface is looked at twice.
"""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.planning.kernel_types import INDICES, LINKS, NUMBERS, PASSAGE
from footfall.planning.link_kernel import EAST, NORTH

DIAGONAL = np.sqrt(2.0)
SHRINK = 1.0 - 1e-12  # so that rounding cannot make the distance ahead too long
WIDE = 4  # children of a place of the heap: they lie side by side, and it is half as deep as with two
_HEAP = (nb.float64[::1], nb.int32[::1])


@kernel(nb.void(*_HEAP, nb.int64, nb.float64, nb.int64))
def _raise_up(keys, items, at, key, item):  # type: ignore[no-untyped-def]
    """Puts an item where it belongs between a place of the heap and its top; before its equals."""
    while at > 0:
        parent = (at - 1) // WIDE
        if keys[parent] < key:
            break
        keys[at], items[at] = keys[parent], items[parent]
        at = parent
    keys[at], items[at] = key, item


@kernel(nb.void(*_HEAP, nb.int64, nb.float64, nb.int64))
def _sink(keys, items, size, key, item):  # type: ignore[no-untyped-def]
    """Puts an item that is hardly more than the least into the emptied top, and down where it belongs."""
    at, child = 0, 1
    while child < size:
        best, low = child, keys[child]
        for other in range(child + 1, min(child + WIDE, size)):
            if keys[other] < low:
                best, low = other, keys[other]
        if key <= low:
            break
        keys[at], items[at] = low, items[best]
        at, child = best, WIDE * best + 1
    keys[at], items[at] = key, item


@kernel(nb.void(*_HEAP, nb.int64))
def _fill_top(keys, items, size):  # type: ignore[no-untyped-def]
    """Moves the item at `size` into the emptied top: down along the lesser children, then up again."""
    key, item, at, child = keys[size], items[size], 0, 1
    while child < size:
        best, low = child, keys[child]
        for other in range(child + 1, min(child + WIDE, size)):
            if keys[other] < low:
                best, low = other, keys[other]
        keys[at], items[at] = low, items[best]
        at, child = best, WIDE * best + 1
    _raise_up(keys, items, at, key, item)


@kernel(
    nb.int64(
        INDICES,
        NUMBERS,
        LINKS,
        PASSAGE,
        NUMBERS,
        nb.int64,
        nb.float64,
        nb.float64,
        nb.int64,
        nb.int64,
        nb.float64[::1],
        nb.int32[::1],
    ),
)
def search(  # type: ignore[no-untyped-def]
    cells, level, links, passage, factor, rows, cell, radius, start, goal, cost, parent
):
    """Costs and parents of all surfaces looked at until the goal was; how many were.

    With no goal (-1) all that can be reached. What was not reached costs inf; costs of surfaces that were
    only seen are upper bounds, and their parents are negative: -2 - parent.
    """
    count = cells.size
    # a surface is put on the heap again when a cheaper way is found, by each neighbour at most once
    keys, items, done = np.empty(8 * count + 1), np.empty(8 * count + 1, np.int32), np.zeros(count, np.uint8)
    cost[:], parent[:] = np.inf, -1
    goal_i, goal_j, scale = 0, 0, 0.0
    if goal >= 0:
        goal_i, goal_j, scale = cells[goal] // rows, cells[goal] % rows, cell * SHRINK
    cost[start], keys[0], items[0] = 0.0, 0.0, start
    size, looked, hole = 1, 0, False  # the top is left empty for the first neighbour, which is often near it
    while True:
        if hole:
            size -= 1
            _fill_top(keys, items, size)
        if size == 0:
            break
        a, hole = items[0], True
        if done[a]:
            continue
        done[a] = 1
        parent[a] = -2 - parent[a] if a != start else -1
        looked += 1
        if a == goal:
            break
        here, i = cost[a], cells[a] // rows
        j = cells[a] - i * rows
        for k in range(8):
            b = links[a, k]
            if b < 0 or cost[b] <= here or passage[a, k] < radius:
                continue
            rise, plan = level[b] - level[a], DIAGONAL * cell if k & 1 else cell
            length = plan if rise == 0.0 else np.sqrt(plan * plan + rise * rise)
            there = here + length * 0.5 * (factor[a] + factor[b])
            if there >= cost[b] or done[b]:
                continue
            di, dj = abs(i + EAST[k] - goal_i), abs(j + NORTH[k] - goal_j)
            ahead = scale * (max(di, dj) + (DIAGONAL - 1.0) * min(di, dj))
            cost[b], parent[b] = there, -2 - a
            if hole:
                _sink(keys, items, size, there + ahead, b)
                hole = False
            else:
                _raise_up(keys, items, size, there + ahead, b)
                size += 1
    return looked
