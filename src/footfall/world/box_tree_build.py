"""How a box tree is built, compiled: triangles sorted into leaves by medians, then boxes upwards."""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel


@kernel("void(float64[:, ::1], int64[::1], int64, int64, int64, int64)")
def _halve(centroids, order, axis, low, high, middle):  # type: ignore[no-untyped-def]
    """Moves what is smaller before `middle` and what is larger behind it (Hoare's selection)."""
    while low < high:
        a, b, c = (
            centroids[order[low], axis],
            centroids[order[(low + high) // 2], axis],
            centroids[order[high], axis],
        )
        pivot = max(min(a, b), min(max(a, b), c))
        i, j = low, high
        while i <= j:
            while centroids[order[i], axis] < pivot:
                i += 1
            while centroids[order[j], axis] > pivot:
                j -= 1
            if i <= j:
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if middle <= j:
            high = j
        elif middle >= i:
            low = i
        else:
            return


@kernel("Tuple((int64[::1], int64[::1]))(float64[:, ::1], int64)")
def sort_into_leaves(centroids, halvings):  # type: ignore[no-untyped-def]
    """Triangles in the order of the leaves, and where each leaf begins.

    Ranges are halved again and again at the median of their widest axis, the first half the larger.
    """
    order = np.arange(centroids.shape[0])
    starts = np.zeros(2, dtype=np.int64)
    starts[1] = centroids.shape[0]
    for _ in range(halvings):
        finer = np.empty(2 * starts.size - 1, dtype=np.int64)
        for node in range(starts.size - 1):
            first, last = starts[node], starts[node + 1]
            middle = (first + last + 1) // 2
            finer[2 * node], finer[2 * node + 1] = first, middle
            axis, widest = 0, -1.0
            for k in range(3):
                low = high = centroids[order[first], k]
                for i in range(first + 1, last):
                    value = centroids[order[i], k]
                    low, high = min(low, value), max(high, value)
                if high - low > widest:
                    axis, widest = k, high - low
            if middle < last:
                _halve(centroids, order, axis, first, last - 1, middle)
        finer[-1] = starts[-1]
        starts = finer
    return order, starts


@kernel("float64[:, ::1](int64[::1], float64[:, ::1], int64, int64)")
def boxes_over(offsets, corners, inner, wide):  # type: ignore[no-untyped-def]
    """Of each node the smallest box, low corner first; leaves from their triangles, others from children."""
    leaves = offsets.size - 1
    boxes = np.empty((inner + leaves, 6))
    boxes[:, :3], boxes[:, 3:] = np.inf, -np.inf
    for leaf in range(leaves):
        node = inner + leaf
        for t in range(offsets[leaf], offsets[leaf + 1]):
            for k in range(9):
                boxes[node, k % 3] = min(boxes[node, k % 3], corners[t, k])
                boxes[node, 3 + k % 3] = max(boxes[node, 3 + k % 3], corners[t, k])
    for node in range(inner + leaves - 1, 0, -1):
        parent = (node - 1) // wide
        for k in range(3):
            boxes[parent, k] = min(boxes[parent, k], boxes[node, k])
            boxes[parent, 3 + k] = max(boxes[parent, 3 + k], boxes[node, 3 + k])
    return boxes
