"""A linear program of four rows, compiled: least summed cost of convex weights that meet a place of S_low.

The simplex method. It starts from a tetrahedron that contains the place, so it needs no first phase, and
keeps the inverse of the four columns in use. The cheapest column enters; after STRAIGHT turns the first cheap
one does (Bland), which cannot go in circles.
"""

from __future__ import annotations

import numpy as np

from footfall.geometry.decisions_kernel import clearly_less
from footfall.geometry.kernel_cache import kernel

_POINTS = "Array(float64, 2, 'C', readonly=True)"
_ROW = "Array(float64, 1, 'C', readonly=True)"
CHEAPER = 1e-9  # a column that saves less stays out; what differs by less is as cheap, as soon at its end
FLAT = 1e-11  # a column that moves a weight less does not push it out
STRAIGHT, TURNS = 100, 2000


@kernel(f"boolean({_POINTS}, int32[::1], float64[:, ::1])")
def _invert(low, basis, inverse):  # type: ignore[no-untyped-def]
    """The inverse of the columns (x, y, z, 1) of four steps, by elimination; False where they are flat."""
    work = np.zeros((4, 8))
    for i in range(4):
        for j in range(3):
            work[j, i] = low[basis[i], j]
        work[3, i] = 1.0
        work[i, 4 + i] = 1.0
    for i in range(4):
        pivot = i
        for j in range(i + 1, 4):
            if clearly_less(abs(work[pivot, i]), abs(work[j, i])):
                pivot = j
        if abs(work[pivot, i]) < FLAT:
            return False
        for j in range(8):
            work[i, j], work[pivot, j] = work[pivot, j], work[i, j]
        work[i] /= work[i, i]
        for j in range(4):
            if j != i:
                work[j] -= work[j, i] * work[i]
    inverse[:] = work[:, 4:]
    return True


@kernel(f"int64({_POINTS}, {_ROW}, float64[:, ::1], {_ROW}, boolean)")
def _entering(low, cost, inverse, priced, first):  # type: ignore[no-untyped-def]
    """The step that saves most, or the first that saves; -1 where none does. `priced`: costs of the basis."""
    y = np.zeros(4)
    for i in range(4):
        for j in range(4):
            y[j] += priced[i] * inverse[i, j]
    best, entering = 0.0, -1
    for s in range(low.shape[0]):
        saving = cost[s] - y[0] * low[s, 0] - y[1] * low[s, 1] - y[2] * low[s, 2] - y[3]
        if clearly_less(saving, best, CHEAPER):
            best, entering = saving, s
            if first:
                break
    return entering


@kernel(f"int64({_POINTS}, {_ROW}, {_ROW}, int32[::1], float64[::1])")
def least_cost(low, cost, place, basis, weights):  # type: ignore[no-untyped-def]
    """Improves a basis of four steps until nothing is cheaper; says how many turns that took, or -1."""
    inverse, priced, column = np.zeros((4, 4)), np.zeros(4), np.zeros(4)
    if not _invert(low, basis, inverse):
        return -1
    for turn in range(TURNS):
        for i in range(4):
            priced[i] = cost[basis[i]]
            weights[i] = inverse[i, 3]
            for j in range(3):
                weights[i] += inverse[i, j] * place[j]
        entering = _entering(low, cost, inverse, priced, turn > STRAIGHT)
        if entering < 0:
            return turn
        leaving, least = -1, np.inf
        for i in range(4):
            column[i] = inverse[i, 3]
            for j in range(3):
                column[i] += inverse[i, j] * low[entering, j]
            if column[i] > FLAT:
                ratio = max(weights[i], 0.0) / column[i]
                if clearly_less(least, ratio, CHEAPER):
                    continue
                if clearly_less(ratio, least, CHEAPER) or basis[i] < basis[leaving]:
                    leaving, least = i, ratio
        if leaving < 0:
            return -1
        basis[leaving] = entering
        if not _invert(low, basis, inverse):
            return -1
    return -1
