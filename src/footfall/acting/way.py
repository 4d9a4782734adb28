"""A way on foot that the whole body can go: arms, legs and what hands carry keep clear too.

A foot planner looks after trunk and soles. Who stands close to a table takes a step back before he goes round
it, and comes up to it with a step: knees and arms need room that a trunk does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.acting.footing import Footing
from footfall.acting.report import TaskError
from footfall.acting.stage import Stage
from footfall.figure.motion import Motion
from footfall.geometry import ground
from footfall.geometry.decisions import clearly_less
from footfall.planning.footsteps.planned_walk import NoStepsError, PlannedWalk
from footfall.planning.footsteps.planner import FootPlanner
from footfall.planning.footsteps.reasons import why_not_there
from footfall.planning.footsteps.walker_body import BodySize
from footfall.world.body_room import body_room

USUAL = BodySize()
# with arms that swing, and with hands that carry something before the body: the widest is tried first
EMPTY = (BodySize(0.66, 0.44), BodySize(0.80, 0.60))
LADEN = (BodySize(0.80, 0.78), BodySize(0.70, 0.60))
CLEAR = 0.008  # m that a body keeps from everything
EVERY = 2  # frames of a walk that are looked at
ASIDE = (np.pi, 0.75 * np.pi, -0.75 * np.pi, 0.5 * np.pi, -0.5 * np.pi)  # rad from the facing: ways back
FAR = (0.30, 0.42, 0.55)  # m
ARMS = ("clavicle", "upper_arm", "forearm", "hand")

Place = Float[np.ndarray, "3"]


@dataclass(frozen=True, eq=False)
class Way:
    """A walk, who planned it, and the room that the body has."""

    walk: PlannedWalk
    planner: FootPlanner
    room: float


def plan_way(stage: Stage, footing: Footing) -> Way:
    """The first way that is clear; where none is, the clearest."""
    best: Way | None = None
    why = ""
    sizes = LADEN if stage.grab.held else EMPTY
    for body in (*sizes, USUAL):
        planner = stage.planner(footing.place, body=body)
        for plans in _plans(stage, planner, footing, straight=body is USUAL):
            try:
                walk = plans()
            except NoStepsError as error:
                why = str(error)
                continue
            way = Way(walk, planner, body_clearance(stage, walk.motion))
            if best is None or clearly_less(best.room, way.room):
                best = way
            if not clearly_less(best.room, CLEAR):
                return best
    if best is None:
        raise TaskError(why or "there is no way there")
    return best


def _plans(stage: Stage, planner: FootPlanner, footing: Footing, *, straight: bool):  # type: ignore[no-untyped-def]
    """Ways to plan it, one after another: at once, or by a step back first and a step up to it at last."""
    yield lambda: planner.plan(
        stage.here, footing.place, facing=stage.facing, heading=footing.facing, fps=stage.fps
    )
    if straight:
        return
    yield lambda: _by_steps(stage, planner, footing)


def _by_steps(stage: Stage, planner: FootPlanner, footing: Footing) -> PlannedWalk:
    narrow = stage.planner(footing.place, body=USUAL)
    first = Footing(stage.here, stage.facing)
    here = _free_near(stage, planner, first)
    there = None if footing.facing is None else _free_near(stage, planner, footing)
    if here is None or (footing.facing is not None and there is None):
        raise NoStepsError("there is no room to step back into")
    legs = []
    at = first
    if here is not first:
        legs.append(narrow.plan(at.place, here.place, facing=at.facing or 0.0, heading=here.facing))
        at = here
    last = footing if there is None or there is footing else there
    legs.append(planner.plan(at.place, last.place, facing=at.facing or 0.0, heading=last.facing))
    if last is not footing:
        legs.append(narrow.plan(last.place, footing.place, facing=last.facing or 0.0, heading=footing.facing))
    return narrow.joined(legs, fps=stage.fps)


def _free_near(stage: Stage, planner: FootPlanner, footing: Footing) -> Footing | None:
    """The place itself where there is room, else one a step away, facing the same way."""
    facing = footing.facing or 0.0
    if not why_not_there(planner, footing.place, facing):
        return footing
    for place in _aside(footing.place, facing):
        level = stage.terrain_level(place)
        if not np.isfinite(level) or planner.ground.lattice.cell_at(place[0], place[2]) < 0:
            continue
        there = np.array([place[0], level, place[2]])
        if not why_not_there(planner, there, facing):
            return Footing(there, facing)
    return None


def _aside(place: Place, facing: float) -> Iterator[Place]:
    for far in FAR:
        for turn in ASIDE:
            yield place + far * ground.direction_of(facing + turn)


def body_clearance(stage: Stage, motion: Motion) -> float:
    """The least room of the body on a walk, m; hands that carry stay as they are beside the chest."""
    rotations = np.array(motion.rotations[::EVERY])
    for side in stage.grab.held:
        for part in ARMS:
            role = f"{side}_{part}"
            if stage.skeleton.has(role):
                joint = stage.skeleton.joint(role)
                rotations[:, joint] = stage.pose.rotations[joint]
    posed = Motion(stage.skeleton, motion.root[::EVERY], rotations, motion.fps / EVERY)
    things = stage.things.solids(stage.time)
    return float(body_room(stage.capsules, posed.positions, posed.orientations, things).min())
