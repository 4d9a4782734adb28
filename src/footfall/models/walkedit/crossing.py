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
from footfall.models.walkedit.soles import Sole
from footfall.models.walkedit.steps import Footprints
from footfall.models.walkedit.timing import natural_length, natural_seconds
from footfall.models.walkedit.varying import OverTime, Varying
from footfall.models.walkedit.way import Way
from footfall.models.walkedit.wishes import LIMITS, MOST_STEPS, Value, granted_lift, granted_seconds
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
) -> tuple[Footprints, tuple[str, ...]]:
    """Footprints from the way's beginning to its end, and what they are not as asked."""
    if wishes.steps is not None and not 1 <= wishes.steps <= MOST_STEPS:
        raise RequestError(f"steps must be between 1 and {MOST_STEPS}, not {wishes.steps}")
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


def _in_time(
    cycle: WalkCycle, search: Search, found: Footholds, wishes: CrossingWishes
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
    return prints, tuple(said.values())
