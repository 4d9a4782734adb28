"""Rubble: broken slabs of several sizes, tilted and heaped at random."""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.world.generators.generated import Made
from footfall.world.generators.limits import StepLimits
from footfall.world.generators.request import Size, checked_size
from footfall.world.generators.row_grid import RowGrid, draw_grid
from footfall.world.generators.row_walk import walk_rows
from footfall.world.generators.slopes import random_slopes
from footfall.world.generators.tiles import Tile, build_tiles, inclined, level
from footfall.world.terrain import GROUND

SIZE = (4.0, 11.0)  # m
LEAST = (2.2, 6.0)
PIECES = (
    0.4,
    0.25,
    0.175,
    0.175,
)  # how often a slab is whole, in quarters, in halves along, in halves across
RELIEF = 1.5  # largest rises by which the walked slabs are higher or lower than the landings, at most
HEAPED = 1.3  # times the largest rise: how much the slabs beside the way differ from it, at most
TILTED = 1.3  # times the steepest slope: how much they lean, at most
LABEL = "rubble"
WHOLE, QUARTERS, ALONG, ACROSS = range(4)
CUTS: dict[int, list[tuple[int, ...]]] = {  # places in `RowGrid.ring`, 8 is the cell's centre
    WHOLE: [(0, 1, 2, 3, 4, 5, 6, 7)],
    QUARTERS: [(0, 1, 8, 7), (1, 2, 3, 8), (8, 3, 4, 5), (7, 8, 5, 6)],
    ALONG: [(0, 1, 2, 3, 7), (7, 3, 4, 5, 6)],
    ACROSS: [(0, 1, 5, 6, 7), (1, 2, 3, 4, 5)],
}


def rubble(rng: np.random.Generator, limits: StepLimits, *, size: Size | None = None) -> Made:
    """A way of whole slabs for one foot each, through worse ground."""
    width, length = checked_size("rubble", size, SIZE, LEAST)
    walk = walk_rows(rng, limits, "rubble", length=length, gap=0.0)
    grid = draw_grid(rng, walk, width)
    shape = grid.along.shape[0], grid.across.shape[1]
    broken = rng.choice(len(PIECES), shape, p=PIECES)
    broken[:, grid.walked] = WHOLE
    plan, loops, cells = _pieces(grid, broken)
    heights = _heights(rng, len(walk.rows), limits.rise)
    walked = cells[:, 1] == grid.walked
    middle = np.array([plan[list(loop)].mean(axis=0) for loop in loops])
    middle[walked] = walk.rows[:, :2]  # a slab is as high as the foot on it
    lift = np.where(walked, 0.0, HEAPED * limits.rise * rng.uniform(-1.0, 1.0, len(loops)))
    y = heights[cells[:, 0]] + lift
    slopes = random_slopes(rng, (len(loops),), limits.slope * np.where(walked, 0.95, TILTED))
    used = _used_across(broken)[[0, -1]]
    tiles = [Tile(grid.landing(far, used[int(far)]), level(0.0), GROUND) for far in (False, True)]
    for loop, (x, z), height, slope in zip(loops, middle, y, slopes, strict=True):
        tiles.append(Tile(loop, inclined(x, height, z, *slope), LABEL))
    terrain, region = build_tiles(plan, tiles)
    return Made(terrain, walk.crossing(heights), region)


def _heights(rng: np.random.Generator, rows: int, rise: float) -> Float[np.ndarray, "rows"]:
    """Of the walked slabs: a random walk that begins and ends near the landings and keeps the rise."""
    rise = 0.99 * rise
    heights = [0.0]
    for row in range(rows):
        home = rise * (rows - row)  # from where one can still get down to the far landing
        far = min(RELIEF * rise, home)
        low, high = max(heights[-1] - rise, -far), min(heights[-1] + rise, far)
        heights.append(rng.uniform(low, high))
    return np.array(heights[1:])


def _used_across(broken: Int[np.ndarray, "rows columns"]) -> Bool[np.ndarray, "rows+1 columns"]:
    """Which sides across the way have a corner in the middle, because a slab on either side is cut there."""
    cut = np.isin(broken, (QUARTERS, ALONG))
    none = np.zeros_like(cut[:1])
    return np.concatenate([cut, none]) | np.concatenate([none, cut])


def _used_along(broken: Int[np.ndarray, "rows columns"]) -> Bool[np.ndarray, "rows columns+1"]:
    cut = np.isin(broken, (QUARTERS, ACROSS))
    none = np.zeros_like(cut[:, :1])
    return np.concatenate([cut, none], axis=1) | np.concatenate([none, cut], axis=1)


def _pieces(
    grid: RowGrid, broken: Int[np.ndarray, "rows columns"]
) -> tuple[Float[np.ndarray, "vertices 2"], list[tuple[int, ...]], Int[np.ndarray, "pieces 2"]]:
    """The plan with a vertex in the middle of every cell, the pieces' corners, and the cell each is of."""
    across, along = _used_across(broken), _used_along(broken)
    ring = grid.plan[grid.corner]
    centres = 0.25 * (ring[:-1, :-1] + ring[1:, :-1] + ring[1:, 1:] + ring[:-1, 1:])
    plan = np.concatenate([grid.plan, centres.reshape(-1, 2)])
    loops, cells = [], []
    for (i, j), how in np.ndenumerate(broken):
        used = [True, along[i, j], True, across[i + 1, j], True, along[i, j + 1], True, across[i, j]]
        centre = len(grid.plan) + i * broken.shape[1] + j
        parts = _cut(grid.ring(i, j), used, int(how), centre)
        loops += parts
        cells += [(i, j)] * len(parts)
    return plan, loops, np.array(cells)


def _cut(ring: list[int], used: list[bool], how: int, centre: int) -> list[tuple[int, ...]]:
    """A cell's pieces, from its corners and middles as `RowGrid.ring` gives them."""
    vertex, kept = [*ring, centre], [*used, True]
    return [tuple(vertex[k] for k in part if kept[k]) for part in CUTS[how]]
