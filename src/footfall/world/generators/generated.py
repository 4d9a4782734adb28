"""Generated ground, with the walk that proves that it can be crossed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float

from footfall.geometry.ground import UP
from footfall.world.foot_plan import FootPlan
from footfall.world.generators.limits import StepLimits
from footfall.world.mesh import MeshTerrain

Walkable = Callable[[Float[np.ndarray, "*n"], Float[np.ndarray, "*n"]], Bool[np.ndarray, "*n"]]
OVERHEAD = 1.0  # m over a foot from where it looks for its ground: there may be ground over ground
ROUNDING = 1e-9  # m or rad


@dataclass(frozen=True)
class Made:
    """What a generator makes."""

    terrain: MeshTerrain
    crossing: FootPlan
    walkable: Walkable


@dataclass(frozen=True)
class Extremes:
    """The hardest of a walk, measured on its ground."""

    steps: int
    highest: float  # m
    longest: float  # m
    steepest: float  # rad

    def within(self, limits: StepLimits) -> bool:
        return (
            self.highest <= limits.rise + ROUNDING
            and self.longest <= limits.length + ROUNDING
            and self.steepest <= limits.slope + ROUNDING
        )


@dataclass(frozen=True, eq=False)
class Generated:
    """Terrain of a kind and a seed.

    `crossing` leads from the origin, where the first two placements stand side by side, to the far end, and
    keeps the limits. `walkable(x, z)` tells where there is ground under every place.
    """

    terrain: MeshTerrain
    kind: str
    seed: int
    limits: StepLimits
    crossing: FootPlan
    walkable: Walkable

    @cached_property
    def extremes(self) -> Extremes:
        places = np.stack([p.position for p in self.crossing.placements])
        moves = np.diff(places[1:], axis=0)
        normal = self.terrain.normal(places[:, 0], places[:, 2], places[:, 1] + OVERHEAD)
        steepest = np.arctan2(np.hypot(normal[:, 0], normal[:, 2]), normal[:, 1]).max()
        longest = np.hypot(moves[:, 0], moves[:, 2]).max()
        return Extremes(len(moves), float(np.abs(moves[:, 1]).max()), float(longest), float(steepest))

    def raised(self, level: float) -> Generated:
        """The same ground so much higher."""
        ground = self.terrain
        terrain = MeshTerrain(ground.vertices + level * UP, ground.triangles, ground.labels, ground.kinds)
        placements = tuple(replace(p, position=p.position + level * UP) for p in self.crossing.placements)
        return replace(self, terrain=terrain, crossing=FootPlan(placements))

    def says(self) -> str:
        """Whether it can be crossed, and what that takes, in one sentence."""
        found = self.extremes
        verdict = "crossable" if found.within(self.limits) else "not crossable"
        return (
            f"{verdict}: {found.steps} steps, highest {found.highest:.2f} m, longest {found.longest:.2f} m, "
            f"steepest {np.degrees(found.steepest):.0f} degrees"
        )
