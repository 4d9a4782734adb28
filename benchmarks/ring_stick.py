"""Grounds to walk on, and a random stick that mostly pushes forward and steers from the border inwards."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from jaxtyping import Float

from footfall.world.generators.generate import generate
from footfall.world.generators.generated import Generated
from footfall.world.mesh import MeshTerrain

SEED = 7  # of the grounds
BUMPS, LONG = (12.5, 25.0), (14.0, 60.0)  # m across and along
POLYGONS = 10_000  # [rings] 5
KINDS = ("bumps", "stairs", "stones")
HELD = (0.3, 1.5)  # s for which the stick stays as it is
WANDER = 0.35  # rad, standard deviation of a new heading
SWERVE, SWERVES = 1.5, 0.1  # rad at most, and how often
LENGTHS = (0.45, 0.8)  # m of a step
MARGIN = 3.0  # m: nearer to the border the stick steers inwards
AHEAD = 15.0  # m along, at most, to where it steers then


@cache
def ground(kind: str) -> Generated:
    if kind == "bumps":
        return generate(kind, SEED, size=BUMPS, triangles=POLYGONS)
    return generate(kind, SEED, size=LONG)


def start(made: Generated) -> tuple[float, float]:
    """Where a foot can stand, about the middle."""
    places = np.array([footprint.position for footprint in made.crossing.placements])[:, [0, 2]]
    away = np.linalg.norm(places - np.mean(made.terrain.bounds, axis=0)[[0, 2]], axis=1)
    x, z = places[int(away.argmin())].tolist()
    return x, z


@dataclass(frozen=True)
class Wish:
    """What the stick says: a heading in the world, rad, and a step length, m."""

    heading: float
    step_length: float


class Stick:
    """Moved at random times; what it says depends on its seed and on where the figure is, nothing else."""

    def __init__(self, terrain: MeshTerrain, seed: int) -> None:
        low, high = terrain.bounds
        self._low, self._high = low[[0, 2]] + MARGIN, high[[0, 2]] - MARGIN
        self._rng = np.random.default_rng([SEED, seed])
        self._next = 0.0
        self._goal: Float[np.ndarray, "2"] | None = None

    def moved(self, time: float, place: Float[np.ndarray, "2"], heading: float) -> Wish | None:
        """The new wish of a figure at a place (x, z) that goes along a heading; None while it is held."""
        if time < self._next:
            return None
        self._next = time + self._rng.uniform(*HELD)
        wander, swerve = self._rng.normal(0.0, WANDER), self._rng.uniform(-SWERVE, SWERVE)
        turn = swerve if self._rng.uniform() < SWERVES else wander
        return Wish(self.inwards(place, heading + turn), self._rng.uniform(*LENGTHS))

    def inwards(self, place: Float[np.ndarray, "2"], heading: float) -> float:
        """The heading, or one from the border to some place within."""
        if ((place > self._low) & (place < self._high)).all():
            self._goal = None
            return heading
        if self._goal is None:
            near = np.array([np.inf, AHEAD])
            self._goal = self._rng.uniform(
                np.maximum(self._low, place - near), np.minimum(self._high, place + near)
            )
        away = self._goal - place
        return float(np.arctan2(away[0], away[1]))
