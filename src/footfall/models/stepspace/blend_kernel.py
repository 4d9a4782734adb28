"""Weighted sums of some rows of a table, compiled: the blend of selected steps, without a copy of them."""

from __future__ import annotations

import numba as nb

_TABLE = "Array(float64, 3, 'C', readonly=True)"
_WEIGHTS = "Array(float64, 1, 'C', readonly=True)"
_ROWS = "Array(int64, 1, 'C', readonly=True)"


@nb.njit(f"void({_TABLE}, {_ROWS}, {_WEIGHTS}, float64[:, ::1])", cache=True, nogil=True)
def add_rows(table, rows, weights, out):  # type: ignore[no-untyped-def]
    """The weighted sum of steps' samples; rows must be those of the table."""
    out[:] = 0.0
    for row, weight in zip(rows, weights):  # noqa: B905
        for i in range(out.shape[0]):
            source, target = table[row, i], out[i]
            for k in range(target.size):
                target[k] += weight * source[k]
