"""Where to stand so that hands reach something: places round it, the most convenient first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.acting.stage import Stage
from footfall.geometry import ground
from footfall.geometry.decisions import clearly_less, order_of
from footfall.geometry.ground import wrap
from footfall.planning.footsteps.planner import FootPlanner
from footfall.planning.footsteps.reasons import why_not_there

DIRECTIONS = 24
# where what is reached for is beside one who stands, m: ahead, and to the side of the hand that reaches
AHEAD = (0.42, 0.48, 0.36, 0.54, 0.60, 0.30)
ASIDE = {1: (0.16, 0.06, 0.28), 2: (0.0,)}  # of one hand, of both
UNHANDY = 6.0  # m that one would go for each metre by which it is less handy
TURNING = 0.25  # m that one would go for each radian one need not turn
HANDY = (0.22, 0.70, 0.10, 0.45)  # m: ahead from and to, across the middle, and out to the side of the hand
MOST = 40  # places that are looked at closely

Place = Float[np.ndarray, "3"]


@dataclass(frozen=True, eq=False)
class Footing:
    """A place to stand at, and how to face there if it matters."""

    place: Place
    facing: float | None


def is_handy(stage: Stage, target: Place, sides: tuple[str, ...]) -> bool:
    """Whether something lies before one where he is, so that he need not go."""
    away = target - stage.here
    ahead = ground.direction_of(stage.facing)
    far, left = float(away @ ahead), float(away @ np.array([ahead[2], 0.0, -ahead[0]]))
    out = left if sides[0] == "left" else -left
    low = np.array([HANDY[0], -HANDY[2]])
    high = np.array([HANDY[1], HANDY[2] if len(sides) == 2 else HANDY[3]])
    found = np.array([far, out])
    return not (clearly_less(found, low) | clearly_less(high, found)).any()


def footings(stage: Stage, planner: FootPlanner, target: Place, sides: tuple[str, ...]) -> Iterator[Footing]:
    """Places from which `target` is before one who faces it, the most convenient first."""
    found: list[Footing] = []
    costs: list[float] = []
    to_side = {"left": 1.0, "right": -1.0}[sides[0]] if len(sides) == 1 else 0.0
    for angle in np.linspace(0.0, 2.0 * np.pi, DIRECTIONS, endpoint=False):
        ahead = ground.direction_of(float(angle))
        left = np.array([ahead[2], 0.0, -ahead[0]])
        for i, far in enumerate(AHEAD):
            for k, aside in enumerate(ASIDE[len(sides)]):
                place = target - far * ahead - to_side * aside * left
                way = float(np.hypot(*(place - stage.here)[[0, 2]]))
                turn = abs(float(wrap(angle - stage.facing)))
                handy = abs(far - AHEAD[0]) + abs(aside - ASIDE[len(sides)][0])
                cost = way + UNHANDY * handy + TURNING * turn + 1e-5 * (i + k)
                level = stage.terrain_level(np.array([place[0], stage.here[1], place[2]]))
                if np.isfinite(level):
                    own = np.array([place[0], level, place[2]])
                    costs.append(cost)
                    found.append(Footing(own, float(wrap(angle))))
    tried = 0
    for footing in (found[k] for k in order_of(np.array(costs))):
        if planner.ground.lattice.cell_at(footing.place[0], footing.place[2]) < 0:
            continue
        if why_not_there(planner, footing.place, footing.facing):
            continue
        tried += 1
        yield footing
        if tried >= MOST:
            return
