"""How near lines are to what stands in the way, compiled. A body is a line with a radius: a stadium."""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.geometry.decisions_kernel import clearly_less, nearest_cell
from footfall.geometry.kernel_cache import kernel
from footfall.planning.kernel_types import GRID, INDICES, OUTLINES
from footfall.planning.outline_kernel import line_to_outline

ROOM = (*GRID, INDICES, INDICES, *OUTLINES)  # buckets, what is near each, outlines
COMFORT = 0.15  # m beyond what is needed: with less, ways are dearer
WARINESS = 0.35  # by so much, where there is none
_N = nb.float64


@kernel(_N(nb.types.Tuple(ROOM), _N, _N, _N, _N, _N, _N))
def line_room(room, px, pz, qx, qz, level, enough):  # type: ignore[no-untyped-def]
    """m from a line over the ground of a level to the nearest thing in the way; `enough` will do.

    The line must be shorter than a bucket's reach. Off the map there is no room.
    """
    grid, counts, first, near, bounds, starts, corners = room
    x, z = 0.5 * (px + qx), 0.5 * (pz + qz)
    i, j = nearest_cell(x - grid[0], grid[2]), nearest_cell(z - grid[1], grid[2])
    if not (0 <= i < counts[0] and 0 <= j < counts[1]):
        return 0.0
    west, east, south, north = min(px, qx), max(px, qx), min(pz, qz), max(pz, qz)
    least = enough
    for k in range(first[i * counts[1] + j], first[i * counts[1] + j + 1]):
        m = near[k]
        if (
            bounds[m, 0] - least < east
            and bounds[m, 2] + least > west
            and bounds[m, 1] - least < north
            and bounds[m, 3] + least > south
            and not clearly_less(level, bounds[m, 4])
            and clearly_less(level, bounds[m, 5])
        ):
            least = min(least, line_to_outline(corners, starts[m], starts[m + 1], px, pz, qx, qz))
            if least <= 0.0:
                return 0.0
    return least


@kernel(_N(nb.types.Tuple(ROOM), _N, _N, _N, _N, _N, _N))
def body_room(room, x, z, heading, half, level, enough):  # type: ignore[no-untyped-def]
    """m of room round the line across a trunk that faces a heading; `half` of it to either side."""
    dx, dz = half * np.cos(heading), -half * np.sin(heading)
    return line_room(room, x - dx, z - dz, x + dx, z + dz, level, enough)


@kernel(_N(_N))
def wariness(spare):  # type: ignore[no-untyped-def]
    """By how much dearer a way is with so much room beyond what is needed."""
    return 1.0 + WARINESS * max(1.0 - spare / COMFORT, 0.0)
