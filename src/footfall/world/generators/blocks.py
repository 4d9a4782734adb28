"""Level blocks of random heights side by side, none higher over its neighbour than a step."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.world.generators.generated import Made
from footfall.world.generators.limits import CLEAR, StepLimits, stance_for
from footfall.world.generators.request import Size, checked_size
from footfall.world.generators.strip import AFTER, BEFORE, END, walk_levels
from footfall.world.generators.tiles import Tile, build_tiles, level
from footfall.world.terrain import GROUND

SIZE = (4.5, 12.0)  # m
LEAST = (2.2, 5.0)
BLOCK = 0.5  # m, about
UNEVEN = 0.12  # by which blocks are shorter or longer, of their size
RELIEF = 3.0  # largest rises by which blocks far from each other differ, about
LABEL = "stone"


def blocks(rng: np.random.Generator, limits: StepLimits, *, size: Size | None = None) -> Made:
    """A field of blocks between two landings; the middle column is the one that is walked."""
    width, length = checked_size("blocks", size, SIZE, LEAST)
    stance = stance_for(limits, "blocks", limits.room)
    breadth = stance.apart + limits.foot_width + 2.0 * CLEAR
    x = _lines(rng, width, max(BLOCK, breadth / (1.0 - UNEVEN)), odd=True)
    x -= 0.5 * (x[len(x) // 2 - 1] + x[len(x) // 2])  # the middle column is walked
    z = AFTER + _lines(rng, length - BEFORE - AFTER - END, max(BLOCK, limits.room / (1.0 - UNEVEN)))
    heights, end = _heights(rng, (len(x) - 1, len(z) - 1), limits.rise)
    plan, tiles = _tiles(x, z, heights, end)
    terrain, region = build_tiles(plan, tiles)
    edges = np.concatenate([[-BEFORE], z, [z[-1] + END]])
    levels = [0.0, *heights[len(x) // 2 - 1], end]
    return Made(terrain, walk_levels(edges, levels, limits, "blocks"), region)


def _lines(
    rng: np.random.Generator, length: float, block: float, *, odd: bool = False
) -> Float[np.ndarray, "lines"]:
    """Where blocks end, from 0 to about a length."""
    count = max(1, round(length / block))
    count += odd and count % 2 == 0
    return np.concatenate([[0.0], np.cumsum(block * rng.uniform(1.0 - UNEVEN, 1.0 + UNEVEN, count))])


def _heights(
    rng: np.random.Generator, shape: tuple[int, int], rise: float
) -> tuple[Float[np.ndarray, "nx nz"], float]:
    """Random heights of blocks and of the far landing; neighbours differ by a rise at most."""
    rise = 0.99 * rise
    row = np.arange(shape[1])
    before, after = row + 1.0, shape[1] - row + 0.0  # blocks away from the landings
    end = rise * rng.uniform(-1.0, 1.0) * min(RELIEF, shape[1] + 1)
    low = np.maximum(-rise * before, end - rise * after)
    high = np.minimum(rise * before, end + rise * after)
    wanted = np.clip(RELIEF * rise * rng.uniform(-1.0, 1.0, shape), low, high)
    return _gentle(wanted, rise), float(end)


def _gentle(heights: Float[np.ndarray, "nx nz"], rise: float) -> Float[np.ndarray, "nx nz"]:
    """The highest blocks that are nowhere higher than wanted, nor more than a rise over a neighbour."""
    heights = heights.copy()
    while True:
        before = heights.copy()
        for axis in (0, 1):
            line = np.moveaxis(heights, axis, 0)
            for k in range(1, len(line)):
                np.minimum(line[k], line[k - 1] + rise, out=line[k])
            for k in range(len(line) - 2, -1, -1):
                np.minimum(line[k], line[k + 1] + rise, out=line[k])
        if np.array_equal(before, heights):
            return heights


def _tiles(
    x: Float[np.ndarray, "nx+1"],
    z: Float[np.ndarray, "nz+1"],
    heights: Float[np.ndarray, "nx nz"],
    end: float,
) -> tuple[Float[np.ndarray, "vertices 2"], list[Tile]]:
    """The blocks and, before and behind them, the landings."""
    nx, nz = heights.shape
    grid = np.stack(np.broadcast_arrays(x[:, None], z), axis=-1).reshape(-1, 2)
    number = np.arange(len(grid)).reshape(nx + 1, nz + 1)
    near, far = -BEFORE, z[-1] + END
    plan = np.concatenate([grid, [[x[0], near], [x[-1], near], [x[0], far], [x[-1], far]]])
    n = len(grid)
    tiles = [
        Tile((n, n + 1, *number[::-1, 0].tolist()), level(0.0), GROUND),
        Tile((n + 2, n + 3, *number[::-1, -1].tolist()), level(end), GROUND),
    ]
    for i, j in np.ndindex(nx, nz):
        corners = (number[i, j], number[i, j + 1], number[i + 1, j + 1], number[i + 1, j])
        tiles.append(Tile(tuple(map(int, corners)), level(float(heights[i, j])), LABEL))
    return plan, tiles
