"""Weights of the nearest points at one query, compiled: a small k-d tree that lies in one array.

The tree is implicit. Points are sorted so that the middle one of a range splits it along one axis, those
below it lie before it, those above after it; so a range of rows is a node and nothing else is stored.
"""

from __future__ import annotations

import numba as nb
import numpy as np
from jaxtyping import Float, Int

from footfall.geometry.kernel_cache import kernel

LEAF = 12  # points that are looked at one by one
AT_A_POINT = 1e-12  # metric
EQUAL = 1e-6  # see `nearest.EQUAL`
MOST = 16  # neighbours
_ROWS = nb.types.Array(nb.float64, 2, "C", readonly=True)
_NUMBERS = nb.types.Array(nb.float64, 1, "C", readonly=True)
_INDICES = nb.types.Array(nb.int64, 1, "C", readonly=True)


def tree_of(
    points: Float[np.ndarray, "n dims"],
) -> tuple[Float[np.ndarray, "n dims"], Int[np.ndarray, "n"], Int[np.ndarray, "n"]]:
    """Points in the tree's order, which of the given each is, and the axis that it splits its range along."""
    order, axes = np.arange(len(points)), np.zeros(len(points), dtype=np.int64)
    ranges = [(0, len(points))]
    while ranges:
        first, last = ranges.pop()
        if last - first <= LEAF:
            continue
        own = points[order[first:last]]
        axis = int(np.ptp(own, axis=0).argmax())
        order[first:last] = order[first:last][np.argsort(own[:, axis], kind="stable")]
        middle = (first + last) // 2
        axes[middle] = axis
        ranges += [(first, middle), (middle + 1, last)]
    return np.ascontiguousarray(points[order], dtype=float), order.astype(np.int64), axes


@kernel()
def _look(points, row, query, away, found, count, kept):  # type: ignore[no-untyped-def]
    """Puts a point among those kept, nearest first, where it is nearer than the last of them."""
    total = 0.0
    for c in range(query.size):
        d = points[row, c] - query[c]
        total += d * d
    if count == kept and total >= away[kept - 1]:
        return count
    k = count if count < kept else kept - 1
    while k > 0 and away[k - 1] > total:
        away[k], found[k] = away[k - 1], found[k - 1]
        k -= 1
    away[k], found[k] = total, row
    return min(count + 1, kept)


@kernel(nb.void(_ROWS, _INDICES, _INDICES, _ROWS, nb.int64, _NUMBERS, nb.float64[::1]))
def nearest_weights(points, order, axes, known, kept, query, weights):  # type: ignore[no-untyped-def]
    """Fills in the weights at a query: 1/d - 1/d_(k+1) of the `kept` - 1 nearest points' rows."""
    away, found = np.empty(MOST + 1), np.empty(MOST + 1, dtype=np.int64)
    firsts, lasts, gaps = (
        np.empty(64, dtype=np.int64),
        np.empty(64, dtype=np.int64),
        np.empty(64),
    )
    kept, count, depth = min(kept, MOST + 1), 0, 1
    firsts[0], lasts[0], gaps[0] = 0, points.shape[0], 0.0
    while depth > 0:
        depth -= 1
        first, last, gap = firsts[depth], lasts[depth], gaps[depth]
        if count == kept and gap >= away[kept - 1]:
            continue
        while last - first > LEAF:  # down to where the query is; the other half waits
            middle = (first + last) // 2
            count = _look(points, middle, query, away, found, count, kept)
            d = query[axes[middle]] - points[middle, axes[middle]]
            if d < 0.0:
                firsts[depth], lasts[depth] = middle + 1, last
                last = middle
            else:
                firsts[depth], lasts[depth] = first, middle
                first = middle + 1
            gaps[depth] = d * d
            depth += 1
        for row in range(first, last):
            count = _look(points, row, query, away, found, count, kept)
    for k in range(count):
        away[k] = max(np.sqrt(away[k]), AT_A_POINT)
    weights[:] = 0.0
    used = max(count - 1, 1)
    total = 0.0
    farthest = away[count - 1]
    for k in range(used):
        total += (farthest - away[k]) / (farthest * away[k])
    for k in range(used):
        share = 1.0 / used
        if away[0] <= AT_A_POINT:
            share = 1.0 if k == 0 else 0.0
        elif farthest - away[0] > EQUAL * farthest:
            share = (farthest - away[k]) / (farthest * away[k]) / total
        row = known[order[found[k]]]
        for e in range(weights.size):
            weights[e] += share * row[e]
