"""Stepping stones: irregular, a little tilted, in water."""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.world.generators.footprints import foot_corners
from footfall.world.generators.generated import Made
from footfall.world.generators.limits import CLEAR, StepLimits
from footfall.world.generators.region import Bordered
from footfall.world.generators.request import Size, checked_size
from footfall.world.generators.row_grid import RowGrid, draw_grid
from footfall.world.generators.row_walk import walk_rows
from footfall.world.generators.slopes import random_slopes
from footfall.world.generators.stone_outlines import foothold_outlines, stone_outlines
from footfall.world.generators.tiles import Tile, build_tiles, inclined, level
from footfall.world.mesh import MeshTerrain

SIZE = (3.6, 11.0)  # m
LEAST = (2.2, 6.0)
GAP = 0.03  # m of water at least between stones that are stepped on one after the other
BED = -0.5  # m, its height
UNEVEN = 0.1  # m by which stones are higher or lower than the landings at most
TILT = 0.1  # rad at most
COMMON = 0.7  # of the places beside the way have a stone too
STONE, WATER, SHORE = "stone", "water", "grass"


def stones(rng: np.random.Generator, limits: StepLimits, *, size: Size | None = None) -> Made:
    """A way of stones for one foot each, among others."""
    width, length = checked_size("stones", size, SIZE, LEAST)
    walk = walk_rows(rng, limits, "stones", length=length, gap=GAP)
    grid = draw_grid(rng, walk, width)
    shape = grid.along.shape[0], grid.across.shape[1]
    rings = np.array([[grid.ring(i, j) for j in range(shape[1])] for i in range(shape[0])])
    corners, feet = grid.plan[rings], walk.rows
    outlines = stone_outlines(rng, corners)
    outlines[:, grid.walked] = foothold_outlines(
        rng, corners[:, grid.walked], foot_corners(feet[:, :2], feet[:, 2], limits, CLEAR)
    )
    there = rng.uniform(size=shape) < COMMON
    there[:, grid.walked] = True
    heights = min(UNEVEN, 0.49 * limits.rise) * rng.uniform(-1.0, 1.0, shape)
    slopes = random_slopes(rng, shape, min(TILT, limits.slope))
    at = outlines.mean(axis=2)
    at[:, grid.walked] = feet[:, :2]  # a stone is as high as the foot on it
    terrain, region = _build(
        grid, rings, outlines, there, np.concatenate([at, heights[..., None], slopes], -1)
    )
    return Made(terrain, walk.crossing(heights[:, grid.walked]), region)


def _build(
    grid: RowGrid,
    rings: Int[np.ndarray, "rows columns 8"],
    outlines: Float[np.ndarray, "rows columns 8 2"],
    there: Bool[np.ndarray, "rows columns"],
    tops: Float[np.ndarray, "rows columns 5"],
) -> tuple[MeshTerrain, Bordered]:
    """Landings, stones where they are `there`, and water; `tops` are places x, z, heights and slopes."""
    every = np.ones(rings.shape[1], bool)
    tiles = [Tile(grid.landing(far, every), level(0.0), SHORE) for far in (False, True)]
    inner = len(grid.plan) + np.arange(rings.size).reshape(rings.shape)
    tiles += [Tile(tuple(ring), level(BED), WATER) for ring in rings[~there].tolist()]
    for ring, edge, (x, z, y, *slope) in zip(
        rings[there].tolist(), inner[there].tolist(), tops[there].tolist(), strict=True
    ):
        tiles.append(Tile(tuple(edge), inclined(x, y, z, *slope), STONE))
        for k in range(8):
            after = (k + 1) % 8
            tiles.append(Tile((ring[k], ring[after], edge[after], edge[k]), level(BED), WATER))
    return build_tiles(np.concatenate([grid.plan, outlines.reshape(-1, 2)]), tiles)
