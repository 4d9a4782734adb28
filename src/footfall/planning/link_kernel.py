"""Which surfaces one can walk between, and how far each is from where one no longer can, compiled.

The eight directions go round from +x by way of +z; the odd ones are diagonal, and direction k + 4 leads back.
"""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.geometry.decisions_kernel import clearly_less
from footfall.geometry.kernel_cache import kernel
from footfall.planning.kernel_types import GRID, INDICES, KINDS, LINKS, NUMBERS, ROWS

EAST = (1, 1, 0, -1, -1, -1, 0, 1)  # columns
NORTH = (0, 1, 1, 1, 0, -1, -1, -1)  # rows
PARTS = 4  # of a link, each with the neighbour that tells most about it
WALL = 3  # why a surface cannot be walked on, where it is a wall
_OUT = nb.types.Array(nb.types.int32, 2, "C")


@kernel(nb.boolean(INDICES, NUMBERS, KINDS, INDICES, nb.int64, nb.int64, nb.float64, nb.float64))
def _has_wall(first, level, bar, counts, i, j, here, step):  # type: ignore[no-untyped-def]
    """Whether a cell has ground a step away at most with a wall on it."""
    if not (0 <= i < counts[0] and 0 <= j < counts[1]):
        return False
    for b in range(first[i * counts[1] + j], first[i * counts[1] + j + 1]):
        if bar[b] == WALL and not clearly_less(step, abs(level[b] - here)):
            return True
    return False


@kernel(nb.void(INDICES, NUMBERS, KINDS, INDICES, nb.float64, _OUT, nb.types.Array(nb.uint8, 2, "C")))
def link_surfaces(first, level, bar, counts, step, links, edge):  # type: ignore[no-untyped-def]
    """Links of every surface; a diagonal one only where both ways round its corner are open.

    `edge` tells where one can walk no farther: where there is nothing to link to. Walls have a place of their
    own, told apart.
    """
    columns, rows = counts[0], counts[1]
    links[:], edge[:], walls = -1, 0, (bar == WALL).any()
    for i in range(columns):
        for j in range(rows):
            for a in range(first[i * rows + j], first[i * rows + j + 1]):
                if bar[a]:
                    continue
                for k in range(8):
                    p, q = i + EAST[k], j + NORTH[k]
                    if 0 <= p < columns and 0 <= q < rows:
                        for b in range(first[p * rows + q], first[p * rows + q + 1]):
                            if bar[b] == 0 and not clearly_less(step, abs(level[b] - level[a])):
                                links[a, k] = b
                    edge[a, k] = links[a, k] < 0 and not (
                        walls and _has_wall(first, level, bar, counts, p, q, level[a], step)
                    )
    for a in range(links.shape[0]):
        for k in range(1, 8, 2):
            b, p, q = links[a, k], links[a, k - 1], links[a, (k + 1) % 8]
            if b < 0:
                continue
            if p < 0 or q < 0 or links[p, (k + 1) % 8] != b or links[q, k - 1] != b:
                links[a, k] = -1
        # an edge round a corner is told by the straight neighbour there, if there is one
        for k in range(1, 8, 2):
            if links[a, k - 1] < 0 or links[a, (k + 1) % 8] < 0:
                edge[a, k] = 0


@kernel(nb.float64(nb.int64, nb.int64))
def _to_square(dx, dz):  # type: ignore[no-untyped-def]
    """From the middle of a cell to another cell, in cells."""
    x, z = max(abs(dx) - 0.5, 0.0), max(abs(dz) - 0.5, 0.0)
    return np.sqrt(x * x + z * z)


@kernel(
    nb.void(
        INDICES,
        LINKS,
        nb.types.Array(nb.uint8, 2, "C", readonly=True),
        INDICES,
        nb.float64,
        nb.float64,
        nb.float64[::1],
    )
)
def measure_borders(cells, links, edge, counts, cell, reach, border):  # type: ignore[no-untyped-def]
    """How far each surface is from the nearest cell one cannot walk to, `reach` at most.

    Each such cell tells all surfaces round it that are linked with its neighbour: those of another storey
    are not.
    """
    rows, most = counts[1], reach / cell
    told = np.full(cells.size, -1, dtype=np.int64)
    room = np.empty(cells.size, dtype=np.int64)
    border[:] = reach
    for a in range(cells.size):
        i, j = cells[a] // rows, cells[a] % rows
        for k in range(8):
            if not edge[a, k]:
                continue
            p, q, mark = i + EAST[k], j + NORTH[k], 8 * a + k
            room[0], size, told[a] = a, 1, mark
            while size:
                size -= 1
                b = room[size]
                away = _to_square(cells[b] // rows - p, cells[b] % rows - q)
                if away >= most:
                    continue
                border[b] = min(border[b], cell * away)
                for d in range(0, 8, 2):
                    c = links[b, d]
                    if c >= 0 and told[c] != mark:
                        told[c] = mark
                        room[size] = c
                        size += 1


@kernel(nb.void(*GRID, INDICES, INDICES, NUMBERS, INDICES, ROWS, nb.float64, nb.float64, nb.float64[::1]))
def measure_walls(grid, counts, first, cells, level, walls, sides, reach, storey, border):  # type: ignore[no-untyped-def]
    """Lowers the distances from the border of surfaces round walls; `walls` are the surfaces they stand on.

    `sides` are how far they go from their cell's middle: low x, z, high x, z. Surfaces whose level differs by
    more than `storey` are of another.
    """
    rows, cell = counts[1], grid[2]
    most = np.int64(reach / cell) + 1
    for w in range(walls.size):
        i, j = cells[walls[w]] // rows, cells[walls[w]] % rows
        for p in range(max(i - most, 0), min(i + most + 1, counts[0])):
            x = cell * (p - i)
            x = max(sides[w, 0] - x, max(x - sides[w, 2], 0.0))
            for q in range(max(j - most, 0), min(j + most + 1, rows)):
                z = cell * (q - j)
                z = max(sides[w, 1] - z, max(z - sides[w, 3], 0.0))
                away = np.sqrt(x * x + z * z)
                for b in range(first[p * rows + q], first[p * rows + q + 1]):
                    if not clearly_less(storey, abs(level[b] - level[walls[w]])):
                        border[b] = min(border[b], away)


@kernel(nb.float64(*GRID, INDICES, LINKS, NUMBERS, nb.int64, *[nb.float64] * 4))
def border_beside(grid, counts, cells, links, border, node, px, pz, qx, qz):  # type: ignore[no-untyped-def]
    """How far a line near a surface is from the border, at least: as its neighbours know, each for its part.

    A place is as far from the border as any neighbour, less its distance from that neighbour.
    """
    rows, least = counts[1], np.inf
    for part in range(PARTS):
        s, t = part / PARTS, (part + 1) / PARTS
        ax, az = px + s * (qx - px), pz + s * (qz - pz)
        bx, bz = px + t * (qx - px), pz + t * (qz - pz)
        best = -np.inf
        for k in range(9):
            other = node if k == 8 else links[node, k]
            if other < 0:
                continue
            x = grid[0] + grid[2] * (cells[other] // rows)
            z = grid[1] + grid[2] * (cells[other] % rows)
            far = max((ax - x) ** 2 + (az - z) ** 2, (bx - x) ** 2 + (bz - z) ** 2)
            best = max(best, border[other] - np.sqrt(far))
        least = min(least, best)
    return least


@kernel(nb.void(*GRID, INDICES, LINKS, NUMBERS, nb.float64, nb.float32[:, ::1]))
def measure_links(grid, counts, cells, links, border, reach, passage):  # type: ignore[no-untyped-def]
    """The widest radius with which each link keeps clear of the border."""
    rows, cell = counts[1], grid[2]
    for a in range(cells.size):
        x, z = grid[0] + cell * (cells[a] // rows), grid[1] + cell * (cells[a] % rows)
        for k in range(8):
            b = links[a, k]
            if b < 0:
                passage[a, k] = 0.0
            elif k < 4 and border[a] == reach and border[b] == reach:  # nothing is near
                far = 0.5 * cell * np.sqrt(1.0 + k % 2)
                passage[a, k] = passage[b, k + 4] = reach - far
            elif k < 4:
                mx, mz = x + 0.5 * cell * EAST[k], z + 0.5 * cell * NORTH[k]
                one = border_beside(grid, counts, cells, links, border, a, x, z, mx, mz)
                two = border_beside(
                    grid, counts, cells, links, border, b, x + cell * EAST[k], z + cell * NORTH[k], mx, mz
                )
                passage[a, k] = passage[b, k + 4] = max(min(one, two), 0.0)


@kernel(nb.void(LINKS, NUMBERS, nb.float64[::1], nb.float64[::1]))
def spread_levels(links, level, low, high):  # type: ignore[no-untyped-def]
    """The lowest and highest of each surface and its neighbours."""
    for a in range(level.size):
        low[a] = high[a] = level[a]
        for k in range(8):
            b = links[a, k]
            if b >= 0:
                low[a], high[a] = min(low[a], level[b]), max(high[a], level[b])
