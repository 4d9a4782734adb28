"""Why there is no foot plan, in a sentence, and the nearest place that can be reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float

from footfall.geometry.decisions import clearly_less, order_of
from footfall.planning.footsteps import body_layout as layout
from footfall.planning.footsteps.moves import HEADINGS, UNIT
from footfall.planning.footsteps.route_search import Outlook
from footfall.planning.standing import told

if TYPE_CHECKING:
    from footfall.planning.footsteps.planned_walk import Request
    from footfall.planning.footsteps.planner import FootPlanner

TRIES = 300  # places that are looked at closely

Place = Float[np.ndarray, "3"]


@dataclass(frozen=True)
class BlockedEnd:
    """An end of a walk where the body cannot stand, and why, in a sentence."""

    is_start: bool
    why: str


def reason(
    planner: FootPlanner, asked: Request, problems: list[str], reached: Place | None
) -> tuple[str, Place | None]:
    """`problems` are of plans that were found and could not be walked, `reached` how far feet came."""
    blocked = blocked_end(planner, asked)
    near = None if blocked is not None and blocked.is_start else nearest_reached(planner, asked)
    if blocked is not None:
        return f"{blocked.why}{_nearest(near, asked.goal)}", near
    size = f"a body {planner.body.width:.2f} m wide and {planner.body.depth:.2f} m deep"
    between = f"from {told(asked.start)} to {told(asked.goal)}"
    if near is not None and np.hypot(*(near - asked.goal)[[0, 2]]) > 2.0 * planner.ground.lattice.cell:
        return f"no way leads {between} for {size}, not even sideways{_nearest(near, asked.goal)}", near
    if problems:
        return f"steps lead {between}, but {problems[-1]}", near
    far = "" if reached is None else f", feet come as far as {told(reached)}"
    return f"there is room {between} for {size}, but no footing that leads there{far}", reached


def _nearest(place: Place | None, goal: Place) -> str:
    if place is None:
        return ""
    away = float(np.hypot(*(place - goal)[[0, 2]]))
    return f"; the nearest place that can be reached is {told(place)}, {away:.2f} m from it"


def blocked_end(planner: FootPlanner, asked: Request) -> BlockedEnd | None:
    """The start, or else the goal, where the body cannot stand there."""
    for is_start, place, facing in ((True, asked.start, asked.facing), (False, asked.goal, asked.heading)):
        problem = why_not_there(planner, place, facing)
        if problem:
            return BlockedEnd(is_start, f"the {'start' if is_start else 'goal'} {told(place)} {problem}")
    return None


def why_not_there(planner: FootPlanner, place: Place, facing: float | None) -> str:
    """Why a body cannot stand at a place, facing so, or anyhow; nothing where it can."""
    ways = UNIT * np.arange(HEADINGS) if facing is None else np.array([facing])
    found = []
    for way in ways:
        found.append(_standing(planner, place, float(way)))
        if not found[-1]:
            return ""
    words = max(dict.fromkeys(found), key=found.count)
    return words if facing is None else f"{words} when it faces {np.degrees(facing):.0f} degrees"


def _standing(planner: FootPlanner, place: Place, facing: float) -> str:
    from footfall.planning.footsteps.check_kernel import sole_has_room
    from footfall.planning.footsteps.footing_kernel import NOWHERE, lie
    from footfall.planning.footsteps.room_kernel import body_room

    ground, walker = planner.ground, planner.walker
    body = walker.numbers(0.0, planner.limits)
    room = ground.room.arrays
    free = body_room(room, place[0], place[2], facing, walker.size.half, place[1], body[layout.RADIUS])
    if clearly_less(free, body[layout.RADIUS]):
        return "has no room for the body, which would touch something there"
    for side, (x, y, z, _) in zip((1.0, -1.0), planner.on_ground(walker.stand(place, facing)), strict=True):
        toes = facing + side * walker.toe_out
        if not sole_has_room(room, body, x, z, toes, y):
            return "has no room for both feet"
        own = body[[layout.EDGE, layout.SLOPE, layout.STEP]]
        if lie(ground.footing.arrays, walker.sole.discs, x, z, toes, y, *own) == NOWHERE:
            return "has no ground on which both feet can lie"
    return ""


def nearest_reached(planner: FootPlanner, asked: Request) -> Place | None:
    """The place that is nearest to the goal of all that the trunk can get to from the start."""
    ground = planner.ground
    first = ground.surface(asked.start)
    if first < 0:
        return None
    body = planner.walker.numbers(0.0, planner.limits)
    places = ground.places(Outlook.towards(ground, body, first, None).reached)
    order = order_of(np.linalg.norm(places - asked.goal, axis=1))
    for place in places[order[:TRIES]]:  # of a cell it is only known that there is room somewhere in it
        if not why_not_there(planner, place, None):
            return np.array(place)
    return None
