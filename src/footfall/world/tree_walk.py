"""What all walks down a box tree share; compiled into each of them.

A tree is its inner nodes' rows, its leaves' blocks (see `box_lanes`), and its frame. The children of node i
are 8i + 1 to 8i + 8; nodes from the number of rows on are leaves.
"""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.world.box_lanes import boxes_within, lowest_bit

ROOM = 256  # on a stack: 7 siblings a level, for more levels than any memory holds, and where it began
SLACK = 1.0 + 1e-5  # of squared distances in single precision
TREE = (
    "Array(float32, 1, 'C', readonly=True), Array(float64, 3, 'C', readonly=True), "
    "Array(float64, 1, 'C', readonly=True)"
)


@nb.njit(inline="always")
def nodes_and_blocks(rows, blocks):  # type: ignore[no-untyped-def]
    """How many inner nodes there are, and how many blocks in each of the leaves after them."""
    inner = rows.size // 48
    return inner, blocks.shape[0] // (7 * inner + 1)


@nb.njit(inline="always")
def push(stack, keys, size, bottom, node, key):  # type: ignore[no-untyped-def]
    """Onto a stack whose entries over `bottom` are kept in order, the least key on top."""
    at = size
    while at > bottom and keys[at - 1] < key:
        stack[at], keys[at] = stack[at - 1], keys[at - 1]
        at -= 1
    stack[at], keys[at] = node, key


@nb.njit(inline="always")
def push_within(stack, keys, size, rows, node, x, y, z, limit, away):  # type: ignore[no-untyped-def]
    """The children within the root of `limit` of a point onto the stack, the nearest on top; its new size."""
    bits = boxes_within(rows, node, x, y, z, limit, away)
    bottom = size
    while bits:
        k = lowest_bit(bits)
        bits &= bits - np.uint32(1)
        push(stack, keys, size, bottom, 8 * node + 1 + k, away[k])
        size += 1
    return size
