"""How rays go down through a box tree, compiled.

Boxes are in single precision, relative to the mesh's middle, and padded by more than their arithmetic can be
wrong: whatever a box lets pass is judged in double precision at the triangle. Rays of one direction go down
in two steps, as spheres do ([rings] 4.4): first together, as a beam, then each by itself.
"""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.stack_room import doubles, longs, singles
from footfall.world.box_lanes import boxes_on_ray, lowest_bit, triangles_on_ray
from footfall.world.tree_walk import (
    ANSWERS,
    POINTS,
    ROOM,
    SLACK,
    TREE,
    go_on,
    nodes_and_blocks,
    push,
    turned_area,
    write_facing,
)

STEEP = 1e30  # the largest inverse of a direction
EDGE_ON = 1e-12  # sine of the angle under which a triangle is seen edge on, and not met
NEAR = 1e-9  # of the way: how far from a triangle's box a meeting may be told by rounding


@kernel()
def _inverse(along):  # type: ignore[no-untyped-def]
    """Of a part of a direction; finite, so that nothing times it is not a number."""
    return 1.0 / along if abs(along) * STEEP > 1.0 else STEEP


@kernel()
def _narrow(enter, leave, low, high, at, inverse):  # type: ignore[no-untyped-def]
    """The part of a ray that is also between two planes."""
    a, b = (low - at) * inverse, (high - at) * inverse
    return max(enter, min(a, b)), min(leave, max(a, b))


@kernel()
def _is_met(blocks, place, x, y, z, dx, dy, dz, away, pad):  # type: ignore[no-untyped-def]
    """Whether a meeting is more than rounding: of a triangle seen edge on all three products are noise."""
    nx, ny, nz = turned_area(blocks, place)
    facing = nx * dx + ny * dy + nz * dz
    if not facing * facing > EDGE_ON * EDGE_ON * (nx * nx + ny * ny + nz * nz):
        return False
    b, t = place // 4, place % 4
    for k in range(3):
        at = (x + away * dx) if k == 0 else ((y + away * dy) if k == 1 else (z + away * dz))
        p, q, r = blocks[b, k, t], blocks[b, 3 + k, t], blocks[b, 6 + k, t]
        if at < min(p, min(q, r)) - pad or at > max(p, max(q, r)) + pad:
            return False
    return True


@kernel(f"int64({TREE}, {POINTS}, {POINTS}, int64[::1])")
def nodes_on_beam(rows, blocks, frame, origins, directions, nodes):  # type: ignore[no-untyped-def]
    """The first step of parallel rays: the nodes that meet a beam round all of them; how many.

    `nodes` is room for ROOM of them.
    """
    inner, count = rows.size // 48, origins.shape[0]
    nodes[0], many, finer = 0, 1, longs(ROOM)
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
        return many
    start = (np.float32(x), np.float32(y), np.float32(z))
    inverse = (np.float32(_inverse(dx)), np.float32(_inverse(dy)), np.float32(_inverse(dz)))
    wide, enter = np.float32(fat + 2e-5 * size), singles(8)
    while 0 < many <= ROOM // 8 and nodes[0] < inner:
        found = 0
        for i in range(many):
            bits = boxes_on_ray(rows, nodes[i], start, inverse, wide, np.float32(np.inf), enter)
            while bits:
                finer[found] = 8 * nodes[i] + 1 + lowest_bit(bits)
                bits &= bits - np.uint32(1)
                found += 1
        if not go_on(many, found, count):
            break
        many = found
        for i in range(many):
            nodes[i] = finer[i]
    return many


@kernel(f"int64({TREE}, {POINTS}, {POINTS}, {ANSWERS})")
def meet_rays(  # type: ignore[no-untyped-def]
    rows, blocks, frame, origins, directions, distance, points, normals, face
):
    """First meetings of rays with triangles: how far, where, the normal on the ray's side, and which.

    Directions have any length; there is one for each ray or one for all. Returns how many nodes were opened.
    """
    inner, each = nodes_and_blocks(rows, blocks)
    stack, keys, enter, away = longs(ROOM), singles(ROOM), singles(8), doubles(4)
    opened, pad = 0, 1e-6 * frame[9]
    common = directions.shape[0] == 1
    roots, many = longs(ROOM), 1
    roots[0] = 0
    if common and origins.shape[0] > 1:
        many = nodes_on_beam(rows, blocks, frame, origins, directions, roots)
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
            size = many
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
                    if away[t] < best and _is_met(
                        blocks, 4 * block + t, x, y, z, dx, dy, dz, away[t], NEAR * (frame[9] + away[t])
                    ):
                        best, found = away[t], 4 * block + t
                        farthest = np.float32((best - start) * SLACK + pad)
        distance[ray], face[ray] = best, np.int64(blocks[found // 4, 9, found % 4]) if found >= 0 else -1
        if found >= 0:
            points[ray, 0], points[ray, 1], points[ray, 2] = x + best * dx, y + best * dy, z + best * dz
            write_facing(normals, ray, blocks, found, -dx, -dy, -dz)
        else:
            points[ray, :] = np.nan
            normals[ray, :] = np.nan
    return opened
