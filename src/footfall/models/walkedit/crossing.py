"""A walk over a given terrain along a path: footholds found, footprints in time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from footfall.errors import RequestError
from footfall.geometry.ground import UP
from footfall.models.walkedit.cycle import SIDES, WalkCycle
from footfall.models.walkedit.foot_tables import LANDING
from footfall.models.walkedit.foothold_search import Footholds, Search, find_footholds, ground_levels
from footfall.models.walkedit.footing import Footprint
from footfall.models.walkedit.phase import step_share
from footfall.models.walkedit.reach import highest_lift
from footfall.models.walkedit.soles import Sole
from footfall.models.walkedit.steps import Footprints
from footfall.models.walkedit.timing import QUICKEST, SLOWEST, natural_length, natural_seconds
from footfall.models.walkedit.varying import OverTime, Varying
from footfall.models.walkedit.way import Way
from footfall.models.walkedit.wishes import LIMITS, Value
from footfall.world.terrain import Ground

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
        value = getattr(self, name)
        return None if value is None else Varying(name, value, *LIMITS[name])


def cross(
    cycle: WalkCycle, terrain: Ground, way: Way, start: float | None, wishes: CrossingWishes
) -> Footprints:
    """Footprints from the way's beginning to its end."""
    if wishes.first is not None and wishes.first not in SIDES:
        raise RequestError(f"first must be 'left' or 'right', not {wishes.first!r}")
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
    return _in_time(cycle, search, found, wishes)


def _in_time(cycle: WalkCycle, search: Search, found: Footholds, wishes: CrossingWishes) -> Footprints:
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
    plan, ways = search.way.at(distance)
    beside = np.array(cycle.beside)[feet]
    all_places = np.stack(
        [
            plan[:, 0] + beside * np.cos(ways),
            np.concatenate([[places[0, 1]], places[:, 1], [places[-1, 1]] * 2]),
            plan[:, 1] - beside * np.sin(ways),
        ],
        axis=-1,
    )
    all_places[1:-2] = places
    for k in (0, -2, -1):
        x, y, z = all_places[k]
        level = float(search.terrain.height(np.array([x]), np.array([z]), np.array([y + CLOSE]))[0])
        if abs(level - y) < CLOSE:
            all_places[k, 1] = level
    all_normals = np.concatenate([[UP], normals, [UP, UP]])
    advance, rise = np.diff(distance), np.diff(all_places[:, 1])
    lift, speed = wishes.varying("lift"), wishes.varying("speed")
    seconds, strikes = 0.0, [0.0]
    lifts = [np.nan]
    for k in range(len(advance)):
        walked = float(max(distance[k] - distance[1], 0.0))
        whole = natural_seconds(cycle, float(advance[k]), float(rise[k]))
        if speed is not None:
            whole = float(np.hypot(advance[k], rise[k])) / speed.at(walked, np.nan)
        seconds += (
            float(np.clip(whole, QUICKEST, SLOWEST)) * 2.0 * step_share(int(feet[k + 1]), cycle.right_strike)
        )
        strikes.append(seconds)
        lifts.append(np.nan if lift is None else min(lift.at(walked, seconds), highest_lift(cycle)))
    return Footprints(
        first=SIDES[int(feet[0])],
        places=all_places,
        headings=ways + np.array(cycle.headings)[feet],
        normals=all_normals,
        ways=ways,
        strikes=np.array(strikes),
        lifts=np.array(lifts),
    )
