"""Terrain by name and seed: `generate("rubble", 7)`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature

import numpy as np

from footfall.errors import RequestError
from footfall.world.generators.blocks import blocks
from footfall.world.generators.bumps import bumps
from footfall.world.generators.flat import flat
from footfall.world.generators.generated import Generated, Made
from footfall.world.generators.limits import StepLimits
from footfall.world.generators.ramps import ramps
from footfall.world.generators.request import Size, checked_whole
from footfall.world.generators.rubble import rubble
from footfall.world.generators.spiral import spiral
from footfall.world.generators.stairs import stairs
from footfall.world.generators.stones import stones

KINDS: Mapping[str, Callable[..., Made]] = {
    "flat": flat,
    "bumps": bumps,
    "ramps": ramps,
    "stairs": stairs,
    "spiral": spiral,
    "blocks": blocks,
    "stones": stones,
    "rubble": rubble,
}
USUAL = StepLimits()
LARGEST_SEED = 2**63 - 1


def generate(
    kind: str,
    seed: int = 0,
    *,
    limits: StepLimits = USUAL,
    size: Size | None = None,
    triangles: int | None = None,
    turns: float | None = None,
) -> Generated:
    """Terrain that a walker of these limits can cross, the same for the same seed.

    `size` is the width across and the length along the walk in metres, about, of all but spirals; `triangles`
    how finely bumps are cut; `turns` how often a spiral goes round, on open treads, instead of a quarter.
    """
    if not isinstance(kind, str) or kind not in KINDS:
        raise RequestError(f"there is no terrain {kind!r:.60}: choose from {', '.join(KINDS)}")
    seed = checked_whole("the seed", seed, 0, LARGEST_SEED)
    given = {"size": size, "triangles": triangles, "turns": turns}
    wishes = {name: value for name, value in given.items() if value is not None}
    known = [name for name in given if name in signature(KINDS[kind]).parameters]
    for name in wishes:
        if name not in known:
            raise RequestError(f"{kind} has no {name}: it takes {', '.join(known)}")
    ground = KINDS[kind](np.random.default_rng(seed), limits, **wishes)
    return Generated(ground.terrain, kind, seed, limits, ground.crossing, ground.walkable)
