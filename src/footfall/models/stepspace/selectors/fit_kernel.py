"""Convex weights whose blend comes nearest to nothing, compiled: a small quadratic program by active sets.

Rows of `away` are what steps differ from a query by. Sought are the weights w >= 0, in sum 1, with the least
|w away|^2 / 2 + ridge |w|^2 / 2 + dear w. The ridge makes it one answer, and a continuous one. One step after
the other enters, the one that promises most; those that the new balance would make negative leave.
"""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel

_TABLE = "Array(float64, 2, 'C', readonly=True)"
_ROW = "Array(float64, 1, 'C', readonly=True)"
BETTER = 1e-11  # a step that promises less stays out
MOST, TURNS = 64, 1000  # steps in use; turns until it is left as it is


@kernel(f"void({_TABLE}, {_ROW}, {_ROW}, int64, int64, float64[:, ::1])")
def put_away(rows, asked, roots, first_angle, last_angle, away):  # type: ignore[no-untyped-def]
    """Weighted differences of rows from what is asked; what is not (NaN) makes none."""
    for k in range(asked.size):
        if np.isnan(asked[k]):
            away[:, k] = 0.0
            continue
        for n in range(rows.shape[0]):
            off = rows[n, k] - asked[k]
            if first_angle <= k < last_angle:
                off = (off + np.pi) % (2.0 * np.pi) - np.pi
            away[n, k] = off * roots[k]


@kernel("boolean(float64[:, ::1], float64[::1], int64)")
def _solve(matrix, right, size):  # type: ignore[no-untyped-def]
    """Gaussian elimination in place; False where there is no answer."""
    for i in range(size):
        pivot = i
        for j in range(i + 1, size):
            if abs(matrix[j, i]) > abs(matrix[pivot, i]):
                pivot = j
        if abs(matrix[pivot, i]) < 1e-14:
            return False
        right[i], right[pivot] = right[pivot], right[i]
        for j in range(i, size):
            matrix[i, j], matrix[pivot, j] = matrix[pivot, j], matrix[i, j]
        for j in range(i + 1, size):
            share = matrix[j, i] / matrix[i, i]
            for k in range(i, size):
                matrix[j, k] -= share * matrix[i, k]
            right[j] -= share * right[i]
    for i in range(size - 1, -1, -1):
        for j in range(i + 1, size):
            right[i] -= matrix[i, j] * right[j]
        right[i] /= matrix[i, i]
    return True


@kernel(f"boolean({_TABLE}, float64, {_ROW}, int64[::1], int64, float64[:, ::1], float64[::1])")
def _balance(away, ridge, dear, used, count, matrix, found):  # type: ignore[no-untyped-def]
    """The best weights of the steps in use, in sum 1, of whatever sign."""
    for i in range(count):
        for j in range(i + 1):
            dot = 0.0
            for k in range(away.shape[1]):
                dot += away[used[i], k] * away[used[j], k]
            matrix[i, j] = matrix[j, i] = dot
        matrix[i, i] += ridge
        matrix[i, count] = matrix[count, i] = 1.0
        found[i] = -dear[used[i]]
    matrix[count, count] = 0.0
    found[count] = 1.0
    return _solve(matrix, found, count + 1)


@kernel(f"int64({_TABLE}, float64, {_ROW}, int64[::1], float64[::1], int64)")
def _entering(away, ridge, dear, used, weights, count):  # type: ignore[no-untyped-def]
    """The step whose weight would lower the sum most if it grew; -1 where none would."""
    blend, slopes = np.zeros(away.shape[1]), dear.copy()
    for i in range(count):
        slopes[used[i]] += ridge * weights[i]
        for k in range(away.shape[1]):
            blend[k] += weights[i] * away[used[i], k]
    for s in range(away.shape[0]):
        for k in range(away.shape[1]):
            slopes[s] += away[s, k] * blend[k]
    level = 0.0
    for i in range(count):
        level += weights[i] * slopes[used[i]]
    entering = slopes.argmin()
    if slopes[entering] >= level - BETTER:
        return -1
    for i in range(count):
        if used[i] == entering:  # rounding: it is in use and in balance
            return -1
    return entering


@kernel("int64(int64[::1], float64[::1], float64[::1], int64)")
def _move(used, weights, wanted, count):  # type: ignore[no-untyped-def]
    """Moves the weights as far towards the wanted ones as none turns negative; drops those that reach 0."""
    share = 1.0
    for i in range(count):
        if wanted[i] <= 0.0:
            share = min(share, weights[i] / (weights[i] - wanted[i]))
    kept = 0
    for i in range(count):
        moved = weights[i] + share * (wanted[i] - weights[i])
        if wanted[i] > 0.0 or moved > 1e-15:
            used[kept], weights[kept] = used[i], moved
            kept += 1
    return kept


@kernel(f"int64({_TABLE}, float64, {_ROW}, int64[::1], float64[::1])")
def fit(away, ridge, dear, used, weights):  # type: ignore[no-untyped-def]
    """Writes the steps in use and their weights (room for MOST), and gives their number."""
    matrix, wanted = np.empty((MOST + 1, MOST + 1)), np.empty(MOST + 1)
    start, least = 0, np.inf
    for s in range(away.shape[0]):
        cost = dear[s]
        for k in range(away.shape[1]):
            cost += 0.5 * away[s, k] ** 2
        if cost < least:
            start, least = s, cost
    used[0], weights[0], count = start, 1.0, 1
    for _ in range(TURNS):
        entering = _entering(away, ridge, dear, used, weights, count)
        if entering < 0 or count == MOST:
            break
        used[count], weights[count] = entering, 0.0
        count += 1
        while True:
            before = count
            if not _balance(away, ridge, dear, used, count, matrix, wanted):
                return count
            count = _move(used, weights, wanted, count)
            if count == before:
                break
    return count
