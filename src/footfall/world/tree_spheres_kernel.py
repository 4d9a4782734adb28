"""How spheres and points go down through a box tree, compiled ([rings] 4.4).

Spheres come in batches about one neighbourhood, and go down in two steps: first together, level by level, by
their boundary sphere, then each by itself, depth first, from the nodes that were reached together.
"""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.stack_room import doubles, longs, singles
from footfall.world.box_lanes import boxes_within, lowest_bit
from footfall.world.tree_walk import (
    ANSWERS,
    POINTS,
    ROOM,
    SLACK,
    TREE,
    go_on,
    nodes_and_blocks,
    push_within,
    write_facing,
)
from footfall.world.triangle_kernel import closest_on_triangle

_POINT = "Array(float64, 1, 'C', readonly=True)"


@kernel()
def _put_nodes_near(rows, frame, cx, cy, cz, radius, spheres, nodes, finer):  # type: ignore[no-untyped-def]
    """The nodes into `nodes`, which like `finer` is room for ROOM of them; how many."""
    inner = rows.size // 48
    away = singles(8)
    x, y, z = np.float32(cx - frame[0]), np.float32(cy - frame[1]), np.float32(cz - frame[2])
    limit = np.float32(radius * radius * SLACK)
    nodes[0], many = 0, 1
    while 0 < many <= ROOM // 8 and nodes[0] < inner:
        count = 0
        for i in range(many):
            bits = boxes_within(rows, nodes[i], x, y, z, limit, away)
            while bits:
                finer[count] = 8 * nodes[i] + 1 + lowest_bit(bits)
                bits &= bits - np.uint32(1)
                count += 1
        if not go_on(many, count, spheres):
            break
        many = count
        for i in range(many):
            nodes[i] = finer[i]
    return many


@kernel(f"int64[::1]({TREE}, {_POINT}, float64, int64)")
def nodes_near(rows, blocks, frame, centre, radius, spheres):  # type: ignore[no-untyped-def]
    """[rings] 4.4, first step: level by level, the nodes that meet the boundary sphere of so many spheres."""
    nodes = np.empty(ROOM, dtype=np.int64)
    many = _put_nodes_near(rows, frame, centre[0], centre[1], centre[2], radius, spheres, nodes, longs(ROOM))
    return nodes[:many].copy()


@kernel(f"int64({TREE}, int64[::1], {POINTS}, float64[::1], boolean[::1])")
def touch_spheres(rows, blocks, frame, roots, centres, radii, touching):  # type: ignore[no-untyped-def]
    """[rings] 4.4, second step: which spheres meet a triangle under these nodes; returns opened nodes."""
    inner, each = nodes_and_blocks(rows, blocks)
    stack, keys, away = longs(ROOM), singles(ROOM), singles(8)
    opened = 0
    for sphere in range(centres.shape[0]):
        x, y, z, radius = centres[sphere, 0], centres[sphere, 1], centres[sphere, 2], radii[sphere]
        limit = radius * radius
        touches = False
        if not radius >= 0.0:
            touching[sphere] = False
            continue
        sx, sy, sz = np.float32(x - frame[0]), np.float32(y - frame[1]), np.float32(z - frame[2])
        reach = np.float32(limit * SLACK)
        for r in range(roots.size):
            stack[0], keys[0], size = roots[r], np.float32(0.0), 1
            while size > 0 and not touches:
                size -= 1
                node = stack[size]
                if node < inner:
                    opened += 1
                    size = push_within(stack, keys, size, rows, node, sx, sy, sz, reach, away)
                    continue
                leaf = node - inner
                for t in range(4 * each * leaf, 4 * each * (leaf + 1)):
                    if np.isnan(blocks[t // 4, 0, t % 4]):
                        break
                    px, py, pz = closest_on_triangle(blocks, t // 4, t % 4, x, y, z)
                    if (px - x) ** 2 + (py - y) ** 2 + (pz - z) ** 2 <= limit:
                        touches = True
                        break
            if touches:
                break
        touching[sphere] = touches
    return opened


@kernel(f"int64({TREE}, {POINTS}, float64[::1], boolean[::1])")
def touch_together(rows, blocks, frame, centres, radii, touching):  # type: ignore[no-untyped-def]
    """Both steps, with a boundary sphere about the middle of the spheres' box; returns opened nodes."""
    middle, nodes = doubles(3), longs(ROOM)
    for k in range(3):
        low, high = np.inf, -np.inf
        for i in range(centres.shape[0]):
            low, high = min(low, centres[i, k]), max(high, centres[i, k])
        middle[k] = 0.5 * (low + high)
    square, largest = 0.0, 0.0
    for i in range(centres.shape[0]):
        apart = 0.0
        for k in range(3):
            apart += (centres[i, k] - middle[k]) ** 2
        square, largest = max(square, apart), max(largest, radii[i])
    radius = np.sqrt(square) + largest
    many = _put_nodes_near(
        rows, frame, middle[0], middle[1], middle[2], radius, centres.shape[0], nodes, longs(ROOM)
    )
    return touch_spheres(rows, blocks, frame, nodes[:many], centres, radii, touching)


@kernel(f"int64({TREE}, {POINTS}, {ANSWERS})")
def find_closest(rows, blocks, frame, points, distance, closest, normals, face):  # type: ignore[no-untyped-def]
    """The nearest points of all triangles, how far they are, the normals there; returns opened nodes."""
    inner, each = nodes_and_blocks(rows, blocks)
    stack, keys, away = longs(ROOM), singles(ROOM), singles(8)
    opened = 0
    for p in range(points.shape[0]):
        x, y, z = points[p, 0], points[p, 1], points[p, 2]
        best, found = np.inf, -1
        qx = qy = qz = np.nan
        sx, sy, sz = np.float32(x - frame[0]), np.float32(y - frame[1]), np.float32(z - frame[2])
        reach = np.float32(np.inf)
        stack[0], keys[0], size = 0, np.float32(0.0), 1
        while size > 0:
            size -= 1
            if keys[size] > reach:
                continue
            node = stack[size]
            if node < inner:
                opened += 1
                size = push_within(stack, keys, size, rows, node, sx, sy, sz, reach, away)
                continue
            leaf = node - inner
            for t in range(4 * each * leaf, 4 * each * (leaf + 1)):
                if np.isnan(blocks[t // 4, 0, t % 4]):
                    break
                px, py, pz = closest_on_triangle(blocks, t // 4, t % 4, x, y, z)
                square = (px - x) ** 2 + (py - y) ** 2 + (pz - z) ** 2
                if square < best:
                    best, found, qx, qy, qz = square, t, px, py, pz
                    reach = np.float32(best * SLACK)
        closest[p, 0], closest[p, 1], closest[p, 2] = qx, qy, qz
        distance[p], face[p] = np.sqrt(best), np.int64(blocks[found // 4, 9, found % 4]) if found >= 0 else -1
        if found >= 0:
            write_facing(normals, p, blocks, found, x - qx, y - qy, z - qz)
        else:
            normals[p, :] = np.nan
    return opened
