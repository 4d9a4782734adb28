"""How rays, spheres and points go down through a box tree, compiled.

Nodes lie in breadth-first order: the children of node i are 8i + 1 to 8i + 8, and the leaves are the last
level. So a tree is its boxes. Boxes are in single precision, relative to the mesh's middle, and padded by
more than their arithmetic can be wrong: whatever a box lets pass is judged in double precision at the
triangle.

Both kinds of questions come in batches about one neighbourhood, and go down in two steps ([rings] 4.4): first
together, level by level, then each by itself, depth first, from the nodes that were reached together.
"""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.world.box_lanes import boxes_on_ray, boxes_within, lowest_bit, triangles_on_ray
from footfall.world.tree_walk import ROOM, SLACK, TREE, nodes_and_blocks, push, push_within
from footfall.world.triangle_kernel import closest_on_triangle

STEEP = 1e30  # the largest inverse of a direction
ENTERED = 2  # children of a node that a small sphere meets

_FACES = "Array(int64, 1, 'C', readonly=True)"
_POINTS = "Array(float64, 2, 'C', readonly=True)"
_POINT = "Array(float64, 1, 'C', readonly=True)"
_ANSWERS = "float64[::1], float64[:, ::1], float64[:, ::1], int64[::1]"


@nb.njit(inline="always")
def _inverse(along):  # type: ignore[no-untyped-def]
    """Of a part of a direction; finite, so that nothing times it is not a number."""
    return 1.0 / along if abs(along) * STEEP > 1.0 else STEEP


@nb.njit(inline="always")
def _narrow(enter, leave, low, high, at, inverse):  # type: ignore[no-untyped-def]
    """The part of a ray that is also between two planes."""
    a, b = (low - at) * inverse, (high - at) * inverse
    return max(enter, min(a, b)), min(leave, max(a, b))


@nb.njit(inline="always")
def _normal(blocks, place):  # type: ignore[no-untyped-def]
    """Of a triangle, unit, as its corners turn."""
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
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    length = np.sqrt(nx * nx + ny * ny + nz * nz)
    return nx / length, ny / length, nz / length


@nb.njit(inline="always")
def _write_facing(normals, i, blocks, place, x, y, z):  # type: ignore[no-untyped-def]
    """The normal of a triangle on the side that looks along (x, y, z)."""
    nx, ny, nz = _normal(blocks, place)
    side = -1.0 if nx * x + ny * y + nz * z < 0.0 else 1.0
    normals[i, 0], normals[i, 1], normals[i, 2] = side * nx, side * ny, side * nz


@nb.njit(inline="always")
def _go_on(nodes, finer, questions):  # type: ignore[no-untyped-def]
    """Whether the first step should go a level deeper, from so many nodes to so many.

    The paper goes down while (L - d + 1) N - 1 >= (L - d) N: a level costs the first step one node and saves
    each of N spheres one. With one node a level that holds to the leaves. But a boundary sphere meets more
    and more nodes of a fine mesh, and every sphere has to begin at all of them; so nodes are counted: from n
    to m of them the first step opens n, and each sphere, which would have opened n and ENTERED below, m.
    """
    return nodes + questions * finer <= questions * (nodes + ENTERED)


@nb.njit(f"int64[::1]({TREE}, {_POINTS}, {_POINTS})", cache=True, nogil=True)
def nodes_on_beam(rows, blocks, frame, origins, directions):  # type: ignore[no-untyped-def]
    """The first step of parallel rays: the nodes that meet a beam round all of them."""
    inner, count = rows.size // 48, origins.shape[0]
    nodes = np.zeros(1, dtype=np.int64)
    dx, dy, dz = directions[0, 0], directions[0, 1], directions[0, 2]
    length = np.sqrt(dx * dx + dy * dy + dz * dz)
    dx, dy, dz = dx / length, dy / length, dz / length
    x, y, z = origins[:, 0].mean(), origins[:, 1].mean(), origins[:, 2].mean()
    back, square = 0.0, 0.0
    for ray in range(count):
        ox, oy, oz = origins[ray, 0] - x, origins[ray, 1] - y, origins[ray, 2] - z
        ahead = ox * dx + oy * dy + oz * dz
        back = min(back, ahead)
        square = max(square, (ox - ahead * dx) ** 2 + (oy - ahead * dy) ** 2 + (oz - ahead * dz) ** 2)
    fat, size = np.sqrt(square), frame[9]
    x, y, z = x + back * dx - frame[0], y + back * dy - frame[1], z + back * dz - frame[2]
    # beams as wide as the mesh, or from far away, where single precision would not do, begin at the root
    if not (fat < 0.1 * size and abs(x) + abs(y) + abs(z) < 8.0 * size):
        return nodes
    start = (np.float32(x), np.float32(y), np.float32(z))
    inverse = (np.float32(_inverse(dx)), np.float32(_inverse(dy)), np.float32(_inverse(dz)))
    wide, enter = np.float32(fat + 2e-5 * size), np.empty(8, np.float32)
    while nodes.size > 0 and nodes[0] < inner:
        finer = np.empty(8 * nodes.size, dtype=np.int64)
        found = 0
        for i in range(nodes.size):
            bits = boxes_on_ray(rows, nodes[i], start, inverse, wide, np.float32(np.inf), enter)
            while bits:
                finer[found] = 8 * nodes[i] + 1 + lowest_bit(bits)
                bits &= bits - np.uint32(1)
                found += 1
        if not _go_on(nodes.size, found, count):
            break
        nodes = finer[:found].copy()
    return nodes


@nb.njit(
    f"int64({TREE}, {_FACES}, {_POINTS}, {_POINTS}, {_ANSWERS})",
    cache=True,
    nogil=True,
    error_model="numpy",
)
def meet_rays(  # type: ignore[no-untyped-def]
    rows, blocks, frame, faces, origins, directions, distance, points, normals, face
):
    """First meetings of rays with triangles: how far, where, the normal on the ray's side, and which.

    Directions have any length; there is one for each ray or one for all. Returns how many nodes were opened.
    """
    inner, each = nodes_and_blocks(rows, blocks)
    stack, keys, enter = np.empty(ROOM, np.int64), np.empty(ROOM, np.float32), np.empty(8, np.float32)
    away = np.empty(4)
    opened, pad = 0, 1e-6 * frame[9]
    common = directions.shape[0] == 1
    roots = np.zeros(1, dtype=np.int64)
    if common and origins.shape[0] > 1:
        roots = nodes_on_beam(rows, blocks, frame, origins, directions)
    for ray in range(origins.shape[0]):
        x, y, z = origins[ray, 0], origins[ray, 1], origins[ray, 2]
        own = 0 if common else ray
        dx, dy, dz = directions[own, 0], directions[own, 1], directions[own, 2]
        length = np.sqrt(dx * dx + dy * dy + dz * dz)
        dx, dy, dz = dx / length, dy / length, dz / length
        best, found = np.inf, -1
        ix, iy, iz = _inverse(dx), _inverse(dy), _inverse(dz)
        start, leave = _narrow(0.0, np.inf, frame[3] - pad, frame[6] + pad, x, ix)
        start, leave = _narrow(start, leave, frame[4] - pad, frame[7] + pad, y, iy)
        start, leave = _narrow(start, leave, frame[5] - pad, frame[8] + pad, z, iz)
        size = 0
        if start <= leave and np.isfinite(dx + dy + dz + x + y + z):
            size = roots.size
            for i in range(size):
                stack[i], keys[i] = roots[i], np.float32(0.0)
        # from where the ray enters, so that single precision is enough however far away it comes from
        entry = (
            np.float32(x + start * dx - frame[0]),
            np.float32(y + start * dy - frame[1]),
            np.float32(z + start * dz - frame[2]),
        )
        inverse = (np.float32(ix), np.float32(iy), np.float32(iz))
        # the axis that the ray follows most, and how it leans against it
        if abs(dy) >= abs(dx) and abs(dy) >= abs(dz):
            axes, at, lean = (1, 2, 0), (y, z, x), (iy, dz * iy, dx * iy)
        elif abs(dx) >= abs(dz):
            axes, at, lean = (0, 1, 2), (x, y, z), (ix, dy * ix, dz * ix)
        else:
            axes, at, lean = (2, 0, 1), (z, x, y), (iz, dx * iz, dy * iz)
        farthest = np.float32(np.inf)
        while size > 0:
            size -= 1
            if keys[size] > farthest:
                continue
            node = stack[size]
            if node < inner:
                opened += 1
                bits = boxes_on_ray(rows, node, entry, inverse, np.float32(0.0), farthest, enter)
                bottom = size
                while bits:
                    k = lowest_bit(bits)
                    bits &= bits - np.uint32(1)
                    push(stack, keys, size, bottom, 8 * node + 1 + k, enter[k])
                    size += 1
                continue
            leaf = node - inner
            for block in range(each * leaf, each * leaf + each):
                bits = triangles_on_ray(blocks, block, axes, at, lean, best, away)
                while bits:
                    t = lowest_bit(bits)
                    bits &= bits - np.uint32(1)
                    if away[t] < best:
                        best, found = away[t], 4 * block + t
                        farthest = np.float32((best - start) * SLACK + pad)
        distance[ray], face[ray] = best, faces[found] if found >= 0 else -1
        if found >= 0:
            points[ray, 0], points[ray, 1], points[ray, 2] = x + best * dx, y + best * dy, z + best * dz
            _write_facing(normals, ray, blocks, found, -dx, -dy, -dz)
        else:
            points[ray, :] = np.nan
            normals[ray, :] = np.nan
    return opened


@nb.njit(f"int64[::1]({TREE}, {_POINT}, float64, int64)", cache=True, nogil=True)
def nodes_near(rows, blocks, frame, centre, radius, spheres):  # type: ignore[no-untyped-def]
    """[rings] 4.4, first step: level by level, the nodes that meet the boundary sphere of so many spheres."""
    inner = rows.size // 48
    away = np.empty(8, np.float32)
    x, y, z = (
        np.float32(centre[0] - frame[0]),
        np.float32(centre[1] - frame[1]),
        np.float32(centre[2] - frame[2]),
    )
    limit = np.float32(radius * radius * SLACK)
    nodes = np.zeros(1, dtype=np.int64)
    while nodes.size > 0 and nodes[0] < inner:
        finer = np.empty(8 * nodes.size, dtype=np.int64)
        count = 0
        for i in range(nodes.size):
            bits = boxes_within(rows, nodes[i], x, y, z, limit, away)
            while bits:
                finer[count] = 8 * nodes[i] + 1 + lowest_bit(bits)
                bits &= bits - np.uint32(1)
                count += 1
        if not _go_on(nodes.size, count, spheres):
            break
        nodes = finer[:count].copy()
    return nodes


@nb.njit(f"int64({TREE}, int64[::1], {_POINTS}, float64[::1], boolean[::1])", cache=True, nogil=True)
def touch_spheres(rows, blocks, frame, roots, centres, radii, touching):  # type: ignore[no-untyped-def]
    """[rings] 4.4, second step: which spheres meet a triangle under these nodes; returns opened nodes."""
    inner, each = nodes_and_blocks(rows, blocks)
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


@nb.njit(f"int64({TREE}, {_POINTS}, float64[::1], boolean[::1])", cache=True, nogil=True)
def touch_together(rows, blocks, frame, centres, radii, touching):  # type: ignore[no-untyped-def]
    """Both steps, with a boundary sphere about the middle of the spheres' box; returns opened nodes."""
    middle = np.empty(3)
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
    nodes = nodes_near(rows, blocks, frame, middle, np.sqrt(square) + largest, centres.shape[0])
    return touch_spheres(rows, blocks, frame, nodes, centres, radii, touching)


@nb.njit(
    f"int64({TREE}, {_FACES}, {_POINTS}, {_ANSWERS})",
    cache=True,
    nogil=True,
    error_model="numpy",
)
def find_closest(rows, blocks, frame, faces, points, distance, closest, normals, face):  # type: ignore[no-untyped-def]
    """The nearest points of all triangles, how far they are, the normals there; returns opened nodes."""
    inner, each = nodes_and_blocks(rows, blocks)
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
        distance[p], face[p] = np.sqrt(best), faces[found] if found >= 0 else -1
        if found >= 0:
            _write_facing(normals, p, blocks, found, x - qx, y - qy, z - qz)
        else:
            normals[p, :] = np.nan
    return opened
