"""Whether a body can go straight from one place to another, compiled; and the levels on its way.

Exact as to obstacles: every piece of the line is measured against every outline near it. The storey is that
of the surfaces the line is followed over, link by link.
"""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.geometry.decisions_kernel import clearly_less
from footfall.geometry.kernel_cache import kernel
from footfall.planning.kernel_types import GRID, INDICES, LINKS, NODES, NUMBERS, OUTLINES, ROWS
from footfall.planning.link_kernel import border_beside
from footfall.planning.outline_kernel import line_to_outline

TOUCHED = 1e-9  # of a line
GRAZE = 1e-7  # m that a line may be too near to an outline: it may be planned at just the radius
SURE = 1e-6  # m: borders are known to a part of a cell, and links to single precision
PATIENCE = 12  # places out of sight after which no farther one is looked for
# grid, counts; cells, links, levels and borders of surfaces; bounds, starts and corners of outlines
MAP = nb.types.Tuple((*GRID, INDICES, LINKS, NUMBERS, NUMBERS, *OUTLINES))
_N, _I = nb.float64, nb.int64


@kernel(nb.boolean(MAP, _I, _N, _N, _N, _N, _N))
def _is_clear(world, node, px, pz, qx, qz, radius):  # type: ignore[no-untyped-def]
    """Whether a piece of a line within a surface's cell keeps clear of borders and obstacles."""
    grid, counts, cells, links, level, border, bounds, starts, corners = world
    if (
        border[node] - 0.71 * grid[2] < radius
        and border_beside(grid, counts, cells, links, border, node, px, pz, qx, qz) < radius - SURE
    ):
        return False
    west, east, south, north = min(px, qx), max(px, qx), min(pz, qz), max(pz, qz)
    for m in range(bounds.shape[0]):
        if (
            bounds[m, 0] - radius < east
            and bounds[m, 2] + radius > west
            and bounds[m, 1] - radius < north
            and bounds[m, 3] + radius > south
            and bounds[m, 4] <= level[node] <= bounds[m, 5]
            and clearly_less(
                line_to_outline(corners, starts[m], starts[m + 1], px, pz, qx, qz), radius, GRAZE
            )
        ):
            return False
    return True


@kernel(_I(MAP, _I, _N, _N, _N, _N, _N))
def follow_line(world, node, ax, az, bx, bz, radius):  # type: ignore[no-untyped-def]
    """The surface at the end of a straight line for a body of a radius; -1 where it cannot go there.

    The line begins in the cell of `node`. With a negative radius only the links count.
    """
    grid, cells, links = world[0], world[2], world[3]
    cell, rows = grid[2], world[1][1]
    ux, uz = (bx - ax) / cell, (bz - az) / cell
    i, j = cells[node] // rows, cells[node] % rows
    x, z = (ax - grid[0]) / cell, (az - grid[1]) / cell
    reached = 0.0
    while True:
        # when the line leaves the cell through a side across x, and across z
        across_x = (i + (0.5 if ux > 0.0 else -0.5) - x) / ux if ux != 0.0 else np.inf
        across_z = (j + (0.5 if uz > 0.0 else -0.5) - z) / uz if uz != 0.0 else np.inf
        leaves = min(max(min(across_x, across_z), reached), 1.0)
        px, pz = ax + reached * (bx - ax), az + reached * (bz - az)
        qx, qz = ax + leaves * (bx - ax), az + leaves * (bz - az)
        # a corner that is only touched belongs to the next cell
        touched = leaves - reached < TOUCHED and leaves < 1.0
        if not touched and radius >= 0.0 and not _is_clear(world, node, px, pz, qx, qz, radius):
            return -1
        if leaves >= 1.0:
            return node
        if not clearly_less(across_z, across_x):
            direction = 0 if ux > 0.0 else 4
            i += 1 if ux > 0.0 else -1
        else:
            direction = 2 if uz > 0.0 else 6
            j += 1 if uz > 0.0 else -1
        node = links[node, direction]
        if node < 0:
            return -1
        reached = leaves


@kernel(_I(MAP, _I, ROWS, _N))
def follow_lines(world, node, points, radius):  # type: ignore[no-untyped-def]
    """The same for one line after another through points."""
    for k in range(points.shape[0] - 1):
        node = follow_line(
            world,
            node,
            points[k, 0],
            points[k, 1],
            points[k + 1, 0],
            points[k + 1, 1],
            radius,
        )
        if node < 0:
            return -1
    return node


@kernel(nb.boolean(LINKS, _I, _I))
def _is_next_to(links, a, b):  # type: ignore[no-untyped-def]
    """Whether a line that ends at a has come to b: on a border of cells it may have ended in either."""
    for k in range(8):
        if links[a, k] == b:
            return True
    return a == b


@kernel(_I(MAP, NODES, ROWS, NUMBERS, _N, _N[::1], nb.int32[::1]))
def pull_tight(world, nodes, places, wide, most, kept, chosen):  # type: ignore[no-untyped-def]
    """From place to place by the farthest one in sight; how many remain, which, and how wide each leg is.

    `wide` tells the room of each leg of the way given. A leg that leaves some out keeps the room that these
    had, up to `most`.
    """
    last, count = places.shape[0] - 1, 1
    chosen[0] = 0
    while chosen[count - 1] < last:
        here = chosen[count - 1]
        best, room = here + 1, wide[here]
        least, failed = wide[here], 0
        for there in range(here + 2, last + 1):
            least = min(least, wide[there - 1])
            seen = follow_line(
                world,
                nodes[here],
                places[here, 0],
                places[here, 1],
                places[there, 0],
                places[there, 1],
                min(least, most),
            )
            if seen >= 0 and _is_next_to(world[3], seen, nodes[there]):
                best, room, failed = there, least, 0
            else:
                failed += 1
                if failed > PATIENCE:
                    break
        chosen[count], kept[count - 1] = best, min(room, most)
        count += 1
    return count


@kernel(nb.void(MAP, _I, ROWS, _N[::1]))
def levels_along(world, node, points, levels):  # type: ignore[no-untyped-def]
    """The ground's level at points of a way: between the four surfaces about each, where they are linked."""
    grid, cells, links, level = world[0], world[2], world[3], world[4]
    rows, cell = world[1][1], grid[2]
    for k in range(points.shape[0]):
        if k > 0:
            there = follow_line(
                world,
                node,
                points[k - 1, 0],
                points[k - 1, 1],
                points[k, 0],
                points[k, 1],
                -1.0,
            )
            node = there if there >= 0 else node
        u = (points[k, 0] - grid[0]) / cell - cells[node] // rows
        v = (points[k, 1] - grid[1]) / cell - cells[node] % rows
        beside = links[node, 0 if u > 0.0 else 4]
        ahead = links[node, 2 if v > 0.0 else 6]
        corner = links[node, (1 if v > 0.0 else 7) if u > 0.0 else (3 if v > 0.0 else 5)]
        u, v, own = min(abs(u), 0.5), min(abs(v), 0.5), level[node]
        east = level[beside] if beside >= 0 else own
        north = level[ahead] if ahead >= 0 else own
        far = level[corner] if corner >= 0 else east + north - own
        if corner < 0:
            far = min(max(far, min(east, north)), max(east, north))
        levels[k] = (1.0 - u) * ((1.0 - v) * own + v * north) + u * ((1.0 - v) * east + v * far)
