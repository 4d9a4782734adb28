"""A walk over a given terrain along a path: footholds found, footprints in time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from footfall.errors import RequestError
from footfall.figure.sole import Sole
from footfall.geometry.decisions import clearly_less
from footfall.models.walkedit.cycle import SIDES, WalkCycle
from footfall.models.walkedit.foot_tables import LANDING
from footfall.models.walkedit.foothold_search import Footholds, Search, find_footholds, ground_levels
from footfall.models.walkedit.footing import Footprint
from footfall.models.walkedit.phase import step_share
from footfall.models.walkedit.steps import Footprints
from footfall.models.walkedit.timing import natural_length, natural_seconds
from footfall.models.walkedit.varying import OverTime, Varying
from footfall.models.walkedit.way import Way
from footfall.models.walkedit.wishes import Value, checked_steps, granted_lift, granted_seconds, varying
from footfall.validation import one_of
from footfall.world.terrain import Ground

UNLIKE = 0.1  # of what was asked: steps that are so much longer or shorter are said to be
CLOSE = 0.35  # m: ground that lies so near in height goes on, where the walk is no longer seen


@dataclass(frozen=True)
class CrossingWishes:
    """What may be asked of a walk whose ground is given; None is as captured."""

    step_length: Value | None = None
    lift: Value | None = None
    speed: Value | None = None
    steps: int | None = None
    first: str | None = None

    def varying(self, name: str) -> Varying | None:
        return varying(name, getattr(self, name))


def cross(
    cycle: WalkCycle, terrain: Ground, way: Way, start: float | None, wishes: CrossingWishes
) -> tuple[Footprints, tuple[str, ...]]:
    """Footprints from the way's beginning to its end, and what they are not as asked."""
    checked_steps(1 if wishes.steps is None else wishes.steps)
    if not callable(getattr(terrain, "height", None)):
        raise RequestError(f"a terrain must tell its height at places, which {terrain!r} cannot")
    if wishes.first is not None:
        one_of(wishes.first, SIDES, "first")
    if isinstance(wishes.step_length, OverTime) or isinstance(wishes.speed, OverTime):
        raise RequestError("on a terrain step_length and speed can change with distance, not with time")
    shapes = tuple(
        Footprint.of(Sole.of(cycle.skeleton, side), cycle.feet[side].turn[LANDING]) for side in SIDES
    )
    levels = ground_levels(terrain, way, start)
    search = Search(cycle, terrain, way, shapes, levels)  # type: ignore[arg-type]
    length, speed = wishes.varying("step_length"), wishes.varying("speed")

    def wanted(distance: float) -> float:
        if length is not None:
            return length.at(distance, np.nan)
        return cycle.step_length if speed is None else natural_length(cycle, speed.at(distance, np.nan))

    found = find_footholds(search, wanted, None if wishes.first is None else SIDES.index(wishes.first))
    return _in_time(cycle, search, found, wishes, wanted)


def _led_on(
    search: Search,
    distance: Float[np.ndarray, "prints"],
    feet: Int[np.ndarray, "prints"],
    places: Float[np.ndarray, "shown 3"],
    normals: Float[np.ndarray, "shown 3"],
) -> tuple[Float[np.ndarray, "prints 3"], Float[np.ndarray, "prints 3"]]:
    """Prints with one before them and two after: where these bear a foot, else on their neighbour's plane."""
    unseen = [0, -2, -1]
    found = search.footing(distance[unseen], np.zeros(3), feet[unseen])
    out, out_normals = [], []
    for k, near in enumerate((0, -1, -1)):
        place, normal = found.places[k], found.normals[k]
        if not found.firm[k] or clearly_less(CLOSE, abs(place[1] - places[near, 1])):
            normal = normals[near]
            apart = place - places[near]
            level = places[near, 1] - (normal[0] * apart[0] + normal[2] * apart[2]) / normal[1]
            place = np.array([place[0], level, place[2]])
        out.append(place)
        out_normals.append(normal)
    return (
        np.concatenate([out[:1], places, out[1:]]),
        np.concatenate([out_normals[:1], normals, out_normals[1:]]),
    )


def _in_time(
    cycle: WalkCycle,
    search: Search,
    found: Footholds,
    wishes: CrossingWishes,
    wanted: Callable[[float], float],
) -> tuple[Footprints, tuple[str, ...]]:
    shown = len(found.distance) if wishes.steps is None else min(len(found.distance), wishes.steps + 2)
    if shown < 3:
        raise RequestError(f"the path is too short for a step: {search.way.length:.2f} m")
    distance, feet = found.distance[:shown], found.feet[:shown]
    stride = max(float(np.median(np.diff(distance))), 0.1)
    places, normals = found.footing.places[:shown], found.footing.normals[:shown]
    # one print before what is seen, two after: on what ground there is
    before, after = distance[0] - stride, distance[-1] + stride * np.arange(1, 3)
    distance = np.concatenate([[before], distance, after])
    feet = np.concatenate([[1 - feet[0]], feet, [1 - feet[-1], feet[-1]]])
    ways = search.way.at(distance)[1]
    all_places, all_normals = _led_on(search, distance, feet, places, normals)
    advance, rise = np.diff(distance), np.diff(all_places[:, 1])
    lift, speed = wishes.varying("lift"), wishes.varying("speed")
    seconds, strikes, lifts, said = 0.0, [0.0], [np.nan], dict[str, str]()
    for k, foot in enumerate(feet[1:]):
        walked = float(max(distance[k] - distance[1], 0.0))
        along = float(np.hypot(advance[k], rise[k]))
        if speed is None:
            whole = natural_seconds(cycle, float(advance[k]), float(rise[k]))
        else:
            whole = along / speed.at(walked, np.nan)
        kept = granted_seconds(whole, along, None if speed is None else along / whole, said)
        seconds += kept * 2.0 * step_share(int(foot), cycle.right_strike)
        strikes.append(seconds)
        lifts.append(granted_lift(cycle, None if lift is None else lift.at(walked, seconds), said))
    prints = Footprints(
        first=SIDES[int(feet[0])],
        places=all_places,
        headings=ways + np.array(cycle.headings)[feet],
        normals=all_normals,
        ways=ways,
        strikes=np.array(strikes),
        lifts=np.array(lifts),
    )
    if wishes.step_length is not None:
        given, asked = float(np.mean(advance[1:-2])), float(np.mean([wanted(d) for d in distance[1:-3]]))
        if clearly_less(UNLIKE * asked, abs(given - asked)):
            said["step_length"] = (
                f"step_length {asked:.3f} m: {given:.3f} m on average, as the ground has room"
            )
    return prints, tuple(said.values())
