"""What all walks down a box tree share; compiled into each of them.

A tree is its inner nodes' rows, its leaves' blocks (see `box_lanes`), and its frame. The children of node i
are 8i + 1 to 8i + 8; nodes from the number of rows on are leaves.
"""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.world.box_lanes import boxes_within, lowest_bit

ROOM = 256  # on a stack: 7 siblings a level, for more levels than any memory holds, and where it began
SLACK = 1.0 + 1e-5  # of squared distances in single precision
TREE = (
    "Array(float32, 1, 'C', readonly=True), Array(float64, 3, 'C', readonly=True), "
    "Array(float64, 1, 'C', readonly=True)"
)
POINTS = "Array(float64, 2, 'C', readonly=True)"
ANSWERS = "float64[::1], float64[:, ::1], float64[:, ::1], int64[::1]"
ENTERED = 2  # children of a node that a small sphere meets


@kernel()
def nodes_and_blocks(rows, blocks):  # type: ignore[no-untyped-def]
    """How many inner nodes there are, and how many blocks in each of the leaves after them."""
    inner = rows.size // 48
    return inner, blocks.shape[0] // (7 * inner + 1)


@kernel()
def push(stack, keys, size, bottom, node, key):  # type: ignore[no-untyped-def]
    """Onto a stack whose entries over `bottom` are kept in order, the least key on top."""
    at = size
    while at > bottom and keys[at - 1] < key:
        stack[at], keys[at] = stack[at - 1], keys[at - 1]
        at -= 1
    stack[at], keys[at] = node, key


@kernel()
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


@kernel()
def go_on(nodes, finer, questions):  # type: ignore[no-untyped-def]
    """Whether the first step should go a level deeper, from so many nodes to so many.

    The paper goes down while (L - d + 1) N - 1 >= (L - d) N: a level costs the first step one node and saves
    each of N spheres one. With one node a level that holds to the leaves. But a boundary sphere meets more
    and more nodes of a fine mesh, and every sphere has to begin at all of them; so nodes are counted: from n
    to m of them the first step opens n, and each sphere, which would have opened n and ENTERED below, m.
    """
    return nodes + questions * finer <= questions * (nodes + ENTERED)


@kernel()
def turned_area(blocks, place):  # type: ignore[no-untyped-def]
    """The normal of a triangle as its corners turn, as long as twice its area."""
    b, t = place // 4, place % 4
    ux, uy, uz = (
        blocks[b, 3, t] - blocks[b, 0, t],
        blocks[b, 4, t] - blocks[b, 1, t],
        blocks[b, 5, t] - blocks[b, 2, t],
    )
    vx, vy, vz = (
        blocks[b, 6, t] - blocks[b, 0, t],
        blocks[b, 7, t] - blocks[b, 1, t],
        blocks[b, 8, t] - blocks[b, 2, t],
    )
    return uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx


@kernel()
def write_facing(normals, i, blocks, place, x, y, z):  # type: ignore[no-untyped-def]
    """The normal of a triangle on the side that looks along (x, y, z)."""
    nx, ny, nz = turned_area(blocks, place)
    unit = 1.0 / np.sqrt(nx * nx + ny * ny + nz * nz)
    if nx * x + ny * y + nz * z < 0.0:
        unit = -unit
    normals[i, 0], normals[i, 1], normals[i, 2] = unit * nx, unit * ny, unit * nz
