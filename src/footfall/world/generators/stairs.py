"""Straight stairs with irregular risers and treads: a flight up, a landing, a flight down."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.world.generators.generated import Made
from footfall.world.generators.limits import StepLimits, stance_for
from footfall.world.generators.request import Size, checked_size
from footfall.world.generators.strip import AFTER, BEFORE, END, walk_levels
from footfall.world.generators.tiles import Tile, build_tiles, level
from footfall.world.terrain import GROUND

SIZE = (2.4, 12.0)  # m
LEAST = (2.2, 7.0)
LOWEST = 0.4  # of the largest rise: the lowest riser
LABEL = "stairs"


def stairs(rng: np.random.Generator, limits: StepLimits, *, size: Size | None = None) -> Made:
    """As many treads as fit into the length, half of them up and half of them down, about."""
    width, length = checked_size("stairs", size, SIZE, LEAST)
    stride = stance_for(limits, "stairs", limits.room).stride
    landing = rng.uniform(1.2, 1.8)
    free = length - BEFORE - AFTER - landing - END
    up = _treads(rng, limits.room, stride, rng.uniform(0.4, 0.6) * free)
    down = _treads(rng, limits.room, stride, free - up.sum())
    pieces = np.concatenate([[BEFORE + AFTER], up, [landing], down, [END]])
    edges = np.cumsum(np.concatenate([[-BEFORE], pieces]))
    risers = limits.rise * rng.uniform(LOWEST, 1.0, len(pieces) - 1)
    risers[len(up) + 1 :] *= -1.0
    levels = np.concatenate([[0.0], np.cumsum(risers)])
    flight = np.ones(len(pieces), bool)
    flight[[0, len(up) + 1, -1]] = False
    plan = np.stack([np.tile([-0.5 * width, 0.5 * width], len(edges)), np.repeat(edges, 2)], axis=-1)
    tiles = [
        Tile((2 * k, 2 * k + 2, 2 * k + 3, 2 * k + 1), level(height), LABEL if flight[k] else GROUND)
        for k, height in enumerate(levels)
    ]
    terrain, region = build_tiles(plan, tiles)
    return Made(terrain, walk_levels(edges, levels.tolist(), limits, "stairs"), region)


def _treads(
    rng: np.random.Generator, shallowest: float, deepest: float, length: float
) -> Float[np.ndarray, "treads"]:
    """Random treads that together are not longer than a length; at least one."""
    count = int(length / shallowest)
    treads = rng.uniform(shallowest, deepest, max(count, 1))
    return treads[: max(1, int(np.sum(np.cumsum(treads) <= length)))]
