"""How a body goes down through a box tree to its nearest triangle, compiled (see `tree_spheres_kernel`)."""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.world.shapes.bodies_kernel import BODIES, turned
from footfall.world.shapes.core import TOUCH
from footfall.world.shapes.gjk_kernel import separate, turn_matrix
from footfall.world.tree_walk import ROOM, SLACK, TREE, nodes_and_blocks, push_within
from footfall.world.triangle_kernel import closest_on_triangle


@kernel()
def _box_corners(rows, node, mx, my, mz, corners):  # type: ignore[no-untyped-def]
    """The corners of a node's box, which lies in its parent's row, relative to a place."""
    row, k = 48 * ((node - 1) // 8), (node - 1) % 8
    for c in range(8):
        corners[c, 0] = rows[row + k + (24 if c & 1 else 0)] - mx
        corners[c, 1] = rows[row + 8 + k + (24 if c & 2 else 0)] - my
        corners[c, 2] = rows[row + 16 + k + (24 if c & 4 else 0)] - mz


@kernel()
def _triangle_corners(blocks, t, mx, my, mz, corners):  # type: ignore[no-untyped-def]
    """The corners of a triangle relative to a place; returns how far the farthest is."""
    square = 0.0
    for c in range(3):
        x, y, z = (
            blocks[t // 4, 3 * c, t % 4] - mx,
            blocks[t // 4, 3 * c + 1, t % 4] - my,
            blocks[t // 4, 3 * c + 2, t % 4] - mz,
        )
        corners[c, 0], corners[c, 1], corners[c, 2] = x, y, z
        square = max(square, x * x + y * y + z * z)
    return np.sqrt(square)


@kernel(f"float64({TREE}, {BODIES}, float64, float64, int64[::1])")
def nearest_triangle(  # type: ignore[no-untyped-def]
    rows, blocks, frame, points, firsts, spheres, pieces, places, enough, most, counts
):
    """The distance from a body to any triangle; under `enough` or over `most` only on the right side.

    A box is entered if it is near enough to the sphere round a piece, and then to the piece itself: a long
    thin body has much room in its sphere. `counts` receives the opened nodes and the judged triangles.
    """
    inner, each = nodes_and_blocks(rows, blocks)
    stack, keys, squares = np.empty(ROOM, np.int64), np.empty(ROOM, np.float32), np.empty(8, np.float32)
    simplex, found, corners = np.empty((5, 9)), np.empty(6), np.empty((8, 3))
    turn, still = np.empty(9), np.zeros(9)
    turn_matrix(places[0, 3:7], turn)
    still[0] = still[4] = still[8] = 1.0
    mx, my, mz, reach = places[0, 0], places[0, 1], places[0, 2], places[0, 9]
    radii, here = (places[0, 7], places[0, 8], 0.0, 0.0), (0.0, 0.0, 0.0)
    best = most
    counts[:] = 0
    for piece in range(pieces[0], pieces[1]):
        first, last, radius = firsts[piece], firsts[piece + 1], spheres[piece, 3]
        x, y, z = turned(turn, spheres[piece, 0], spheres[piece, 1], spheres[piece, 2])
        x, y, z = x + mx, y + my, z + mz
        sx, sy, sz = np.float32(x - frame[0]), np.float32(y - frame[1]), np.float32(z - frame[2])
        stack[0], keys[0], size = 0, np.float32(0.0), 1
        while size > 0:
            size -= 1
            node, limit = stack[size], np.float32((best + radius) ** 2 * SLACK)
            if keys[size] > limit:
                continue
            if node > 0 and best < np.inf:
                _box_corners(rows, node, mx - frame[0], my - frame[1], mz - frame[2], corners)
                apart = separate(
                    points, first, last, turn, corners, 0, 8, still,
                    radii, here, reach + frame[9], (best, best), simplex, found,
                )  # fmt: skip
                if apart > best:
                    continue
            counts[0] += 1
            if node < inner:
                size = push_within(stack, keys, size, rows, node, sx, sy, sz, limit, squares)
                continue
            leaf = node - inner
            for t in range(4 * each * leaf, 4 * each * (leaf + 1)):
                if np.isnan(blocks[t // 4, 0, t % 4]):
                    break
                px, py, pz = closest_on_triangle(blocks, t // 4, t % 4, x, y, z)
                away = np.sqrt((px - x) ** 2 + (py - y) ** 2 + (pz - z) ** 2)
                if away - radius > best + TOUCH * (away + radius):
                    continue
                counts[1] += 1
                far = _triangle_corners(blocks, t, mx, my, mz, corners)
                apart = separate(
                    points, first, last, turn, corners, 0, 3, still,
                    radii, here, reach + far, (enough, best), simplex, found,
                )  # fmt: skip
                best = min(best, apart)
                if best <= enough:
                    return best
    return best
