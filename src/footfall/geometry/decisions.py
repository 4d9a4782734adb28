"""Decisions between numbers that do not depend on rounding: margins, ties broken by index, cells with slack.

The last digits of a sum differ between CPUs, BLAS builds and thread counts. Many candidates tie exactly
(mirror images, the same steps in another order, points on a grid line), and there the last digits would
decide. So numbers that are nearly equal count as equal, and the first of equals is taken. A margin does not
help where two numbers differ by just the margin; that happens by chance only, ties happen by construction.

`decisions_kernel` has the same for compiled code. Costs are finite, or inf for what is impossible.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from jaxtyping import Bool, Float, Int

# In the unit of what is compared (m, s, rad, a cost); relative where numbers exceed 1. It is a thousand times
# a change of 1e-9 in the inputs, and less than anyone can see.
MARGIN = 1e-6
HUGE = 1e300  # what is endless has a margin too
# Of a cell. Round coordinates lie on edges of cells: with the slack both 0.1 - 1e-12 and 0.1 belong to the
# cell that begins at 0.1.
SLACK = 1e-5
LARGEST = 0.99  # of the largest component of an axis: components of this size count as the largest
# m, rad, s or a share: numbers are rounded to multiples of this, about 1e-9, before they are stored. What
# BLAS, LAPACK and libm compute differs by 1e-12 between CPUs; nothing that moves is told apart by less than
# 1e-6. A power of two, so that rounding itself is exact on every machine.
PRECISION = 2.0**-30
DECIMALS = 9  # of numbers that are stored as text


def clearly_less(
    a: float | Float[np.ndarray, "*n"], b: float | Float[np.ndarray, "*n"], margin: float = MARGIN
) -> Bool[np.ndarray, "*n"]:
    """Whether `a` is below `b` by more than the margin."""
    a = np.asarray(a, dtype=float)
    return np.asarray(a + margin * np.clip(np.abs(a), 1.0, HUGE) < b)


def first_least(
    costs: Float[np.ndarray, "*n"], margin: float = MARGIN, axis: int | None = None
) -> Int[np.ndarray, "*m"]:
    """The lowest index whose cost is within the margin of the least, as `argmin` would give it."""
    costs = np.asarray(costs, dtype=float)
    least = costs.min(axis=axis, keepdims=True)
    return np.asarray(np.argmax(costs <= least + margin * np.clip(np.abs(least), 1.0, HUGE), axis=axis))


def first_greatest(
    values: Float[np.ndarray, "*n"], margin: float = MARGIN, axis: int | None = None
) -> Int[np.ndarray, "*m"]:
    """The lowest index whose value is within the margin of the greatest."""
    return first_least(-np.asarray(values, dtype=float), margin, axis)


def order_of(costs: Float[np.ndarray, "n"], margin: float = MARGIN) -> Int[np.ndarray, "n"]:
    """Indices from the least cost to the greatest; what is within the margin keeps the order of indices."""
    costs = np.asarray(costs, dtype=float)
    order = np.argsort(costs, kind="stable")
    ascending = costs[order]
    group = np.zeros(len(order), dtype=np.int64)
    group[1:] = np.cumsum(clearly_less(ascending[:-1], ascending[1:], margin))
    return order[np.lexsort((order, group))]


def tie_break(columns: Int[np.ndarray, "*n"], rows: Int[np.ndarray, "*n"]) -> Float[np.ndarray, "*n"]:
    """Numbers in [0, 1) as if drawn, always the same for a cell: a small share of them ends ties of costs."""
    bits = np.atleast_1d(columns).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    bits ^= np.atleast_1d(rows).astype(np.uint64) + np.uint64(0xD1B54A32D192ED03)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):  # splitmix64
        bits = (bits ^ (bits >> np.uint64(shift))) * np.uint64(factor)
    return ((bits >> np.uint64(11)) * 2.0**-53).reshape(np.shape(columns))


def signed_by_largest(axes: Float[np.ndarray, "n dims"]) -> Float[np.ndarray, "n dims"]:
    """Rows with their signs chosen: of each the first of its largest components is positive.

    The sign of an eigenvector means nothing and depends on the LAPACK build. Components of one size, as
    symmetric data have them, count as equal: so within 1 % of the largest is largest.
    """
    axes = np.asarray(axes, dtype=float)
    if axes.size == 0:
        return axes
    sizes = np.abs(axes)
    first = np.argmax(sizes >= LARGEST * sizes.max(axis=1, keepdims=True), axis=1)
    return axes * np.where(np.take_along_axis(axes, first[:, None], axis=1) < 0.0, -1.0, 1.0)


def shortest_turn(angle: float | Float[np.ndarray, "*n"]) -> Float[np.ndarray, "*n"]:
    """The same angle in (-pi, pi], rad. Half a turn, within the margin, is a turn to the left."""
    angle = np.asarray(angle, dtype=float)
    return angle - 2.0 * np.pi * np.ceil((angle - np.pi - MARGIN) / (2.0 * np.pi))


def cell_of(position: float | Float[np.ndarray, "*n"], size: float) -> Int[np.ndarray, "*n"]:
    """The number of the cell, of a size, in which a position lies: `floor` with slack."""
    return np.floor(np.asarray(position) / size + SLACK).astype(np.int64)


def cells_up_to(position: float | Float[np.ndarray, "*n"], size: float) -> Int[np.ndarray, "*n"]:
    """How many cells it takes from 0 to a position: `ceil` with slack."""
    return -cell_of(-np.asarray(position, dtype=float), size)


def nearest_cell(position: float | Float[np.ndarray, "*n"], size: float) -> Int[np.ndarray, "*n"]:
    """The number of the cell whose middle, a multiple of the size, is nearest: `rint` with slack."""
    return np.floor(np.asarray(position) / size + (0.5 + SLACK)).astype(np.int64)


def rounded(values: float | Float[np.ndarray, "*n"], step: float = PRECISION) -> Float[np.ndarray, "*n"]:
    """The nearest multiples of a step, a power of two; single precision stays single precision."""
    # adding zero makes of -0.0, which has other bytes, 0.0
    return np.asarray(np.rint(np.asarray(values) / step) * step + 0.0)
