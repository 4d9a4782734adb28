"""`decisions` for compiled code: the same margins and slack, one number at a time."""

from __future__ import annotations

import numpy as np

from footfall.geometry.decisions import HUGE, MARGIN, SLACK
from footfall.geometry.kernel_cache import kernel


@kernel()
def clearly_less(a, b, margin=MARGIN):  # type: ignore[no-untyped-def]
    """Whether `a` is below `b` by more than the margin."""
    return a + margin * min(max(abs(a), 1.0), HUGE) < b


@kernel()
def first_least(costs, margin=MARGIN):  # type: ignore[no-untyped-def]
    """The lowest index whose cost is within the margin of the least."""
    least = costs.min()
    bound = least + margin * min(max(abs(least), 1.0), HUGE)
    k = 0
    while k < costs.size - 1 and not costs[k] <= bound:
        k += 1
    return k


@kernel()
def shortest_turn(angle):  # type: ignore[no-untyped-def]
    """The same angle in (-pi, pi]; half a turn, within the margin, is a turn to the left."""
    return angle - 2.0 * np.pi * np.ceil((angle - np.pi - MARGIN) / (2.0 * np.pi))


@kernel()
def rounded(value, step=MARGIN):  # type: ignore[no-untyped-def]
    """The nearest multiple of a step: a key to sort by, equal for numbers that tie by construction."""
    return np.floor(value / step + 0.5) * step


@kernel()
def cell_of(position, size):  # type: ignore[no-untyped-def]
    """The number of the cell in which a position lies: `floor` with slack."""
    return np.int64(np.floor(position / size + SLACK))


@kernel()
def nearest_cell(position, size):  # type: ignore[no-untyped-def]
    """The number of the cell whose middle is nearest: `rint` with slack."""
    return np.int64(np.floor(position / size + (0.5 + SLACK)))
