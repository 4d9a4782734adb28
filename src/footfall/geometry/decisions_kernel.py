"""`decisions` for compiled code: the same margins and slack, one number at a time."""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.geometry.decisions import MARGIN, SLACK


@nb.njit(inline="always")
def clearly_less(a, b, margin=MARGIN):  # type: ignore[no-untyped-def]
    """Whether `a` is below `b` by more than the margin."""
    return a + margin * max(abs(a), 1.0) < b


@nb.njit(inline="always")
def first_least(costs, margin=MARGIN):  # type: ignore[no-untyped-def]
    """The lowest index whose cost is within the margin of the least."""
    least = costs.min()
    bound = least + margin * max(abs(least), 1.0)
    k = 0
    while k < costs.size - 1 and not costs[k] <= bound:
        k += 1
    return k


@nb.njit(inline="always")
def shortest_turn(angle):  # type: ignore[no-untyped-def]
    """The same angle in (-pi, pi]; half a turn, within the margin, is a turn to the left."""
    return angle - 2.0 * np.pi * np.ceil((angle - np.pi - MARGIN) / (2.0 * np.pi))


@nb.njit(inline="always")
def rounded(value, step=MARGIN):  # type: ignore[no-untyped-def]
    """The nearest multiple of a step: a key to sort by, equal for numbers that tie by construction."""
    return np.floor(value / step + 0.5) * step


@nb.njit(inline="always")
def cell_of(position, size):  # type: ignore[no-untyped-def]
    """The number of the cell in which a position lies: `floor` with slack."""
    return np.int64(np.floor(position / size + SLACK))


@nb.njit(inline="always")
def nearest_cell(position, size):  # type: ignore[no-untyped-def]
    """The number of the cell whose middle is nearest: `rint` with slack."""
    return np.int64(np.floor(position / size + (0.5 + SLACK)))
