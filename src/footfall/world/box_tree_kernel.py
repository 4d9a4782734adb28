"""How rays, spheres and points go down through a box tree, compiled.

Nodes lie in breadth-first order: the children of node i are 8i + 1 to 8i + 8, and the leaves are the last
level. So a tree is its boxes. Boxes are in single precision, relative to the mesh's middle, and padded by more
than their arithmetic can be wrong: whatever a box lets pass is judged in double precision at the triangle.
"""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.world.box_lanes import boxes_on_ray, boxes_within, lowest_bit, triangles_on_ray
from footfall.world.triangle_kernel import closest_on_triangle

ROOM = 128  # on a stack: 7 siblings a level, for more levels than any memory holds
STEEP = 1e30  # the largest inverse of a direction
SLACK = 1.0 + 1e-5  # of squared distances in single precision

_TREE = (
    "Array(float32, 1, 'C', readonly=True), Array(int64, 1, 'C', readonly=True), "
    "Array(float64, 3, 'C', readonly=True), Array(float64, 1, 'C', readonly=True)"
)
_POINTS = "Array(float64, 2, 'C', readonly=True)"


@nb.njit(inline="always")
def _push(stack, keys, size, bottom, node, key):  # type: ignore[no-untyped-def]
    """Onto a stack whose entries over `bottom` are kept in order, the least key on top."""
    at = size
    while at > bottom and keys[at - 1] < key:
        stack[at], keys[at] = stack[at - 1], keys[at - 1]
        at -= 1
    stack[at], keys[at] = node, key


@nb.njit(inline="always")
def _inverse(along):  # type: ignore[no-untyped-def]
    """Of a part of a direction; finite, so that nothing times it is not a number."""
    return 1.0 / along if abs(along) * STEEP > 1.0 else STEEP


@nb.njit(inline="always")
def _narrow(enter, leave, low, high, at, inverse):  # type: ignore[no-untyped-def]
    """The part of a ray that is also between two planes."""
    a, b = (low - at) * inverse, (high - at) * inverse
    return max(enter, min(a, b)), min(leave, max(a, b))


@nb.njit(
    f"int64({_TREE}, {_POINTS}, {_POINTS}, float64[::1], int64[::1])",
    cache=True,
    nogil=True,
    error_model="numpy",
)
def meet_rays(rows, starts, blocks, frame, origins, directions, distance, face):  # type: ignore[no-untyped-def]
    """First meetings of rays (unit directions) with triangles; returns how many nodes were opened."""
    inner = rows.size // 48
    stack, keys, enter = np.empty(ROOM, np.int64), np.empty(ROOM, np.float32), np.empty(8, np.float32)
    away = np.empty(4)
    opened = 0
    for ray in range(origins.shape[0]):
        x, y, z = origins[ray, 0], origins[ray, 1], origins[ray, 2]
        dx, dy, dz = directions[ray, 0], directions[ray, 1], directions[ray, 2]
        best, found = np.inf, -1
        ix, iy, iz = _inverse(dx), _inverse(dy), _inverse(dz)
        start, leave = _narrow(0.0, np.inf, frame[3], frame[6], x, ix)
        start, leave = _narrow(start, leave, frame[4], frame[7], y, iy)
        start, leave = _narrow(start, leave, frame[5], frame[8], z, iz)
        if not start <= leave or not abs(dx) + abs(dy) + abs(dz) > 0.0:
            distance[ray], face[ray] = best, found
            continue
        # from where the ray enters, so that single precision is enough however far away it comes from
        sx, sy, sz = (
            np.float32(x + start * dx - frame[0]),
            np.float32(y + start * dy - frame[1]),
            np.float32(z + start * dz - frame[2]),
        )
        jx, jy, jz = np.float32(ix), np.float32(iy), np.float32(iz)
        # the axis that the ray follows most, and how it leans against it
        if abs(dy) >= abs(dx) and abs(dy) >= abs(dz):
            axes, at, lean = (1, 2, 0), (y, z, x), (iy, dz * iy, dx * iy)
        elif abs(dx) >= abs(dz):
            axes, at, lean = (0, 1, 2), (x, y, z), (ix, dy * ix, dz * ix)
        else:
            axes, at, lean = (2, 0, 1), (z, x, y), (iz, dx * iz, dy * iz)
        stack[0], keys[0], size = 0, np.float32(0.0), 1
        farthest = np.float32(np.inf)
        while size > 0:
            size -= 1
            if keys[size] > farthest:
                continue
            node = stack[size]
            if node < inner:
                opened += 1
                bits = boxes_on_ray(rows, node, sx, sy, sz, jx, jy, jz, farthest, enter)
                bottom = size
                while bits:
                    k = lowest_bit(bits)
                    bits &= bits - np.uint32(1)
                    _push(stack, keys, size, bottom, 8 * node + 1 + k, enter[k])
                    size += 1
                continue
            leaf = node - inner
            for block in range(starts[leaf], starts[leaf + 1]):
                bits = triangles_on_ray(blocks, block, axes, at, lean, best, away)
                while bits:
                    t = lowest_bit(bits)
                    bits &= bits - np.uint32(1)
                    if away[t] < best:
                        best, found = away[t], 4 * block + t
                        farthest = np.float32((best - start) * SLACK + 1e-6 * frame[9])
        distance[ray], face[ray] = best, found
    return opened


@nb.njit(f"int64[::1]({_TREE}, float64[::1], float64, int64, int64)", cache=True, nogil=True)
def nodes_near(rows, starts, blocks, frame, centre, radius, depth, most):  # type: ignore[no-untyped-def]
    """[rings] 4.4, first step: level by level to `depth`, the nodes that meet the boundary sphere.

    Ends earlier where a level has more than `most` such nodes.
    """
    inner = rows.size // 48
    away = np.empty(8, np.float32)
    x, y, z = (
        np.float32(centre[0] - frame[0]),
        np.float32(centre[1] - frame[1]),
        np.float32(centre[2] - frame[2]),
    )
    limit = np.float32(radius * radius * SLACK)
    nodes = np.zeros(1, dtype=np.int64)
    for _ in range(depth):
        finer = np.empty(8 * nodes.size, dtype=np.int64)
        count = 0
        for i in range(nodes.size):
            bits = boxes_within(rows, nodes[i], x, y, z, limit, away)
            while bits:
                finer[count] = 8 * nodes[i] + 1 + lowest_bit(bits)
                bits &= bits - np.uint32(1)
                count += 1
        if count > most:
            break
        nodes = finer[:count].copy()
    return nodes


@nb.njit(f"int64({_TREE}, int64[::1], {_POINTS}, float64[::1], boolean[::1])", cache=True, nogil=True)
def touch_spheres(rows, starts, blocks, frame, roots, centres, radii, touching):  # type: ignore[no-untyped-def]
    """[rings] 4.4, second step: which spheres meet a triangle under these nodes; returns opened nodes."""
    inner = rows.size // 48
    stack, keys, away = np.empty(ROOM, np.int64), np.empty(ROOM, np.float32), np.empty(8, np.float32)
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
                    bits = boxes_within(rows, node, sx, sy, sz, reach, away)
                    bottom = size
                    while bits:
                        k = lowest_bit(bits)
                        bits &= bits - np.uint32(1)
                        _push(stack, keys, size, bottom, 8 * node + 1 + k, away[k])
                        size += 1
                    continue
                leaf = node - inner
                for t in range(4 * starts[leaf], 4 * starts[leaf + 1]):
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


@nb.njit(f"int64({_TREE}, {_POINTS}, float64[:, ::1], int64[::1])", cache=True, nogil=True)
def find_closest(rows, starts, blocks, frame, points, closest, face):  # type: ignore[no-untyped-def]
    """The nearest points of all triangles; returns how many nodes were opened."""
    inner = rows.size // 48
    stack, keys, away = np.empty(ROOM, np.int64), np.empty(ROOM, np.float32), np.empty(8, np.float32)
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
                bits = boxes_within(rows, node, sx, sy, sz, reach, away)
                bottom = size
                while bits:
                    k = lowest_bit(bits)
                    bits &= bits - np.uint32(1)
                    _push(stack, keys, size, bottom, 8 * node + 1 + k, away[k])
                    size += 1
                continue
            leaf = node - inner
            for t in range(4 * starts[leaf], 4 * starts[leaf + 1]):
                if np.isnan(blocks[t // 4, 0, t % 4]):
                    break
                px, py, pz = closest_on_triangle(blocks, t // 4, t % 4, x, y, z)
                square = (px - x) ** 2 + (py - y) ** 2 + (pz - z) ** 2
                if square < best:
                    best, found, qx, qy, qz = square, t, px, py, pz
                    reach = np.float32(best * SLACK)
        closest[p, 0], closest[p, 1], closest[p, 2] = qx, qy, qz
        face[p] = found
    return opened
