"""Tasks that lead somewhere: `go_to` and `carry_to`, and walks that other tasks need."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.acting.footing import Footing
from footfall.acting.report import TaskError
from footfall.acting.seat import rise
from footfall.acting.stage import Stage
from footfall.acting.way import plan_way
from footfall.geometry.ground import wrap
from footfall.planning.footsteps.in_front import stand_before
from footfall.planning.footsteps.scene_plan import stood_after
from footfall.world.shapes.placed import Placed

SETTLES = 0.15  # s after a walk
THERE = (0.02, np.radians(2.0))  # m, rad: who stands so near need not go
SOON = 0.6  # s before a walk ends, the gaze goes where hands will go

Place = Float[np.ndarray, "3"]


def go_to(stage: Stage, target: object, heading: float | None) -> float:
    """Walks to a place, or before a thing; how far from there it stands, m."""
    if isinstance(target, Placed):
        planner = stage.planner(np.asarray(target.position))
        found = stand_before(planner, target, stage.here)
        if found is None:
            raise TaskError("there is no place to stand in front of it")
        return walk(stage, Footing(found[0], found[1] if heading is None else heading))
    values = np.asarray(target, dtype=float)
    level = values[1] if len(values) == 3 else stage.here[1]
    place = np.array([values[0], level, values[-1]])
    return walk(stage, Footing(place, heading))


def walk(stage: Stage, footing: Footing, *, look: Place | None = None) -> float:
    """Walks there on footsteps that keep clear of everything; how far from there it stands, m.

    `look` is what it looks at towards the end.
    """
    turned = 0.0 if footing.facing is None else abs(float(wrap(footing.facing - stage.facing)))
    away = float(np.hypot(*(footing.place - stage.here)[[0, 2]]))
    if away < THERE[0] and turned < THERE[1]:
        return away
    if stage.sitting:
        rise(stage)
    way = plan_way(stage, footing)
    motion = way.walk.motion
    stage.walks.follow(motion)
    if look is not None:
        stage.until(lambda: stage.walks.left <= SOON, motion.seconds)
        stage.gaze.command(look_at=tuple(look))
    stage.until(lambda: stage.walks.standing, motion.seconds + 1.0)
    stage.run(SETTLES)
    stage.here, stage.facing = stood_after(way.planner, way.walk)
    return float(np.hypot(*(footing.place - stage.here)[[0, 2]]))
