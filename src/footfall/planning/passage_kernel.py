"""How near obstacles are to surfaces and links, compiled."""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.planning.kernel_types import GRID, INDICES, LINKS, NUMBERS, OUTLINES
from footfall.planning.link_kernel import EAST, NORTH
from footfall.planning.outline_kernel import line_to_outline, point_to_outline

SURE = 1e-6  # m by which single precision may be too large


@kernel(
    nb.void(
        *GRID, INDICES, NUMBERS, LINKS, *OUTLINES, INDICES, nb.float64, nb.float64[::1], nb.float32[:, ::1]
    )
)
def keep_clear(  # type: ignore[no-untyped-def]
    grid, counts, first, level, links, bounds, starts, corners, window, reach, clearance, passage
):
    """Lowers clearances and passages in a window of cells to what outlines leave.

    An outline is for the surfaces whose levels it was cut for. A link is as wide as both its ends see it.
    """
    rows, cell = counts[1], grid[2]
    for m in range(bounds.shape[0]):
        begin = max(window[0], np.int64(np.ceil((bounds[m, 0] - reach - grid[0]) / cell)))
        end = min(window[1], np.int64(np.floor((bounds[m, 2] + reach - grid[0]) / cell)) + 1)
        south = max(window[2], np.int64(np.ceil((bounds[m, 1] - reach - grid[1]) / cell)))
        north = min(window[3], np.int64(np.floor((bounds[m, 3] + reach - grid[1]) / cell)) + 1)
        for i in range(begin, end):
            for j in range(south, north):
                x, z, away = grid[0] + cell * i, grid[1] + cell * j, -1.0
                for a in range(first[i * rows + j], first[i * rows + j + 1]):
                    if not bounds[m, 4] <= level[a] <= bounds[m, 5]:
                        continue
                    if away < 0.0:
                        away = point_to_outline(corners, starts[m], starts[m + 1], x, z)
                    if away >= reach:
                        break
                    clearance[a] = min(clearance[a], away)
                    for k in range(8):
                        b = links[a, k]
                        if b < 0 or away - 1.5 * cell >= max(passage[a, k], passage[b, (k + 4) % 8]):
                            continue
                        wide = line_to_outline(
                            corners, starts[m], starts[m + 1], x, z, x + cell * EAST[k], z + cell * NORTH[k]
                        )
                        wide, back = max(wide - SURE, 0.0), (k + 4) % 8
                        passage[a, k], passage[b, back] = (
                            min(passage[a, k], wide),
                            min(passage[b, back], wide),
                        )
