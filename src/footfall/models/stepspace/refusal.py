"""The print that is named in place of one that is refused: one that was tried and can be stepped on.

Being captured is not enough: a print may lie higher than others, and the next step goes on from it. So the
steps around it are made with another print in its place. First the nearest that was captured; then some on
the ways to it, from it to beside the other foot, and to the middle of the foot's prints before and after.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.figure.contacts import SIDES
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import order_of
from footfall.models.stepspace.planned import PlannedSteps
from footfall.world.foot_plan import FootPlan
from footfall.world.terrain import Ground

AROUND = 8  # steps before and after, as far as they matter
SHARES = (0.25, 0.5, 0.75, 1.0)  # of a way along which prints are tried
BESIDE = 0.2  # m from the other foot
DIGITS = 2  # of metres, as prints are named: so they are tried
LOOK_DOWN = 0.4  # m over a print from where its ground is looked for

Place = Float[np.ndarray, "3"]


@dataclass(frozen=True, eq=False)
class Part:
    """The steps of a plan around one of them."""

    plan: FootPlan
    first: int  # step of the whole plan
    last: int  # one past the last
    step: int  # the one in question, counted from the first

    @classmethod
    def around(cls, plan: FootPlan, step: int) -> Part:
        steps = plan.steps()
        first, last = max(step - AROUND, 0), min(step + AROUND + 1, len(steps))
        starts = sorted((steps[first].origin, steps[first].support))
        numbers = [*starts, *(s.target for s in steps[first:last])]
        return cls(FootPlan(tuple(plan.placements[k] for k in numbers)), first, last, step - first)

    def with_print(self, place: Place) -> Part:
        """With another print for the step in question to go to."""
        placements = list(self.plan.placements)
        target = self.plan.steps()[self.step].target
        placements[target] = replace(placements[target], position=place)
        return replace(self, plan=FootPlan(tuple(placements)))


def refusal(
    plan: FootPlan,
    planned: PlannedSteps,
    why: str,
    places: Mapping[int, Iterator[Place]],
    refused_at: Callable[[Part], int | None],
) -> RequestError:
    """What to raise for a step; its print may be where it is because of those beside it.

    `places` are prints to try, of the step itself and then of others that may be at fault; `refused_at` says
    at which step of a part that is refused, None at none.
    """
    step = next(iter(places))
    found: tuple[int, Place] | None = None
    for other, tried in places.items():
        part = Part.around(plan, other)
        for place in tried:
            at = refused_at(part.with_print(place))
            if at is None:
                return RequestError(told_refusal(planned, other, why, place))
            if found is None and at + part.first not in (step, other):  # gone to, but not gone on from
                found = other, place
    if found is None:
        return RequestError(told_refusal(planned, step, why, None))
    return RequestError(told_refusal(planned, found[0], why, found[1], goes_on=False))


def told_refusal(
    planned: PlannedSteps, step: int, why: str, nearest: Place | None, *, goes_on: bool = True
) -> str:
    number, foot = int(planned.prints[step, 1]), SIDES[planned.feet[step]]
    possible = "none that can be was found near it"
    if nearest is not None:
        x, y, z = nearest
        possible = f"the nearest that can be is ({x:.{DIGITS}f}, {y:.{DIGITS}f}, {z:.{DIGITS}f})"
        possible += "" if goes_on else ", but not what follows"
    return f"steps[{number}]: the {foot} foot's print cannot be reached: {why}; {possible}"


def nearby(planned: PlannedSteps, step: int, nearest: Place, terrain: Ground | None) -> Iterator[Place]:
    """Prints to try for a step in place of its own: the nearest that was captured, then near ones first."""
    yield _named(nearest, terrain)
    origin, target, support = planned.prints[step]
    asked = planned.places[target]
    side = -1.0 if planned.feet[step] else 1.0
    away = np.array([side * BESIDE, 0.0, 0.0])
    ends = [(nearest, planned.places[support] + quat.rotate(ground.turn(planned.headings[support]), away))]
    going_on = np.flatnonzero(planned.prints[:, 0] == target)
    if len(going_on):
        after = planned.places[planned.prints[going_on[0], 1]]
        ends.append((nearest, 0.5 * (planned.places[origin] + after)))
    ends.append((asked, nearest))
    places = [start + share * (end - start) for start, end in ends for share in SHARES]
    # the last of them is the nearest captured one again
    for k in order_of(np.array([np.linalg.norm(place - asked) for place in places[:-1]])):
        yield _named(places[k], terrain)


def _named(place: Place, terrain: Ground | None) -> Place:
    """A place as it is told, on the ground."""
    x, y, z = np.round(place, DIGITS)
    if terrain is not None:
        height = float(terrain.height(np.array([x]), np.array([z]), np.array([y + LOOK_DOWN]))[0])
        y = np.round(height, DIGITS) if np.isfinite(height) else y
    return np.array([x, y, z]) + 0.0  # no -0.00
