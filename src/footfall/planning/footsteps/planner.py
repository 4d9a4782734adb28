"""Foot plans from here to there: searched, evened, walked by the step space, and looked at again.

What a plan promises is measured on the motion itself: every print is met, and the trunk that walks touches
nothing. A walking trunk sways, so room is asked for with a margin; with another one other ways are found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.geometry.decisions import clearly_less, first_least
from footfall.models.stepspace.following import Following
from footfall.models.stepspace.model import SELECTOR, STRETCH, StepSpace
from footfall.planning.footsteps.evening import Evening
from footfall.planning.footsteps.grounds import StepGround
from footfall.planning.footsteps.moves import Moves, moves_of
from footfall.planning.footsteps.planned_walk import NoStepsError, Place, PlannedWalk, Request
from footfall.planning.footsteps.reasons import blocked_end, reason
from footfall.planning.footsteps.repair import moved_clear
from footfall.planning.footsteps.route_search import (
    PATIENTLY,
    QUICKLY,
    Footprints,
    Outlook,
    Searched,
    search_prints,
)
from footfall.planning.footsteps.walked import trunk_room
from footfall.planning.footsteps.walker_body import BodySize, Prints, WalkerBody
from footfall.planning.lattice import area_of, checked_area
from footfall.planning.limits import WalkLimits
from footfall.planning.standing import checked_place, told
from footfall.planning.walk_map import Obstacles, placed_at
from footfall.world.foot_plan import FEET, FootPlacement, FootPlan
from footfall.world.terrain import Terrain, checked_terrain, is_number

MARGINS = (0.015, 0.03, 0.022, 0.045, 0.008, 0.0)  # m round the trunk, in the order they are tried
SMOOTH = 2.0  # times as hard as in what was captured a walk may accelerate; else others are tried
CLEAR = 0.001  # m that a trunk keeps from everything as it walks
BARELY = 0.0005  # m: less than plans are made with, so that one that is saved and read is walked again
REPAIRS = 6  # times that a plan is walked and mended
CLIMBING = 1.0  # by so much more of its time a swing takes that leads a metre up or down
TIMED = 60.0  # Hz at which it is asked how long swings take
USUAL, USUAL_LIMITS = BodySize(), WalkLimits()


class FootPlanner:
    """Plans footsteps in one world for the figure of one step space.

    >>> planner = FootPlanner(default_step_space(), open_terrain("stairs:7"), obstacles)
    >>> walk = planner.plan((0, 0), (3, 4), heading=1.5)
    >>> walk.plan, walk.motion

    `area` is two corners ((low x, low z), (high x, high z)). Without it all of the terrain is looked at; of
    one that is endless, what holds the obstacles and the places `around`, and 2 m more.
    """

    def __init__(
        self,
        steps: StepSpace,
        terrain: Terrain,
        obstacles: Obstacles = (),
        *,
        body: BodySize = USUAL,
        limits: WalkLimits = USUAL_LIMITS,
        area: Sequence[Sequence[float]] | None = None,
        around: Iterable[Float[np.ndarray, "k"]] = (),
        time: float = 0.0,
    ) -> None:
        if not isinstance(steps, StepSpace):
            raise RequestError(f"steps are planned for a StepSpace, not for {steps!r:.40}")
        if not isinstance(body, BodySize) or not isinstance(limits, WalkLimits):
            raise RequestError("body must be a BodySize and limits WalkLimits")
        terrain, placed = checked_terrain(terrain), placed_at(obstacles, time)
        bounds = area_of(terrain, placed, around) if area is None else checked_area(area)
        self.steps, self.body, self.limits = steps, body, limits
        self.ground = StepGround.of(terrain, placed, bounds, limits)

    @cached_property
    def walker(self) -> WalkerBody:
        return WalkerBody.of(self.steps, self.body, self.limits)

    @cached_property
    def moves(self) -> Moves:
        return moves_of(self.steps)

    def plan(
        self,
        start: object,
        goal: object,
        *,
        facing: float = 0.0,
        heading: float | None = None,
        fps: float = 60.0,
    ) -> PlannedWalk:
        """From a stand at `start`, facing so, to one at `goal`, with a `heading` there where one is given.

        Places are of the trunk's middle over the ground: x and z, or x, y and z where there are storeys.
        """
        asked = Request(
            self._stand_place(start, "start"),
            self._stand_place(goal, "goal"),
            _checked_angle(facing, "facing"),
            None if heading is None else _checked_angle(heading, "heading"),
        )
        problems: list[str] = []
        reached: list[Place] = []
        best: PlannedWalk | None = None
        for walk in self._walks(asked, fps, problems, reached):
            if best is None or clearly_less(walk.ratio, best.ratio):
                best = walk
            if best.ratio < SMOOTH:
                break
        if best is None:
            away = np.array([np.linalg.norm(place - asked.goal) for place in reached])
            nearest = reached[int(first_least(away))] if reached else None
            raise NoStepsError(*reason(self, asked, problems, nearest))
        return best

    def walked(self, plan: FootPlan, *, fps: float = 60.0) -> PlannedWalk:
        """Any plan, walked in this world; refused where the trunk would touch something."""
        motion = self.steps.follow(plan, fps=fps, terrain=self.ground.terrain)
        room = trunk_room(motion, self.ground, self.body)
        if room.least < BARELY:
            raise NoStepsError(f"a body that walks so would touch something at {told(room.where)}")
        return PlannedWalk(plan, motion, room)

    def joined(self, walks: Sequence[PlannedWalk], *, fps: float = 60.0) -> PlannedWalk:
        """Walks one after another as one, without a stop at the places between them.

        Who goes on sways otherwise than who comes to stand: what of the whole has too little room is mended
        as it is in a single walk. Prints at the places between stay.

        Args:
            walks: Walks of this planner, each from where the last one ends.
            fps: Frames per second of the motion.

        Returns:
            The whole as one plan and one motion.

        Raises:
            NoStepsError: The trunk would touch something, however prints are moved.
        """
        problems: list[str] = []
        evening = Evening(self.ground, self.walker, self.walker.numbers(0.0, self.limits))
        legs = [self._prints_of(walk.plan) for walk in walks]
        whole = self._walked(legs, evening, fps, problems)
        if whole is None:
            raise NoStepsError(f"each walk is possible alone, but of them as one {problems[-1]}")
        return whole

    def on_ground(self, prints: Prints) -> Prints:
        """Feet at the level of the ground under each, near the place they stand about."""
        out = np.array(prints)
        levels = self.ground.terrain.height(out[:, 0], out[:, 2], out[:, 1] + self.limits.step)
        out[:, 1] = np.where(np.isfinite(levels), levels, out[:, 1])
        return out

    def _stand_place(self, values: object, what: str) -> Place:
        place, lattice = checked_place(values, what), self.ground.lattice
        if lattice.cell_at(place[0], place[-1]) < 0:
            raise NoStepsError(
                f"the {what} {told(place)} lies outside the map, which goes from {told(lattice.low)} to "
                f"{told(lattice.high)} in x and z"
            )
        level = place[1] + self.limits.step if len(place) == 3 else np.inf
        found = float(self.ground.terrain.height(place[0], place[-1], level))
        if not np.isfinite(found):
            raise NoStepsError(f"the {what} {told(place)} has no ground under it")
        return np.array([place[0], found, place[-1]])

    def _walks(
        self, asked: Request, fps: float, problems: list[str], reached: list[Place]
    ) -> Iterator[PlannedWalk]:
        """One after another that can be walked; what is found quickly first."""
        margins = list(MARGINS)
        for most in (QUICKLY, PATIENTLY):
            if most == PATIENTLY and blocked_end(self, asked) is not None:
                return  # no search gets there, however long it takes
            for margin in tuple(margins):
                body = self.walker.numbers(margin, self.limits)
                searched = self._searched(body, asked, most)
                if not searched.gave_up:
                    margins.remove(margin)
                if searched.nearest is not None:
                    reached.append(searched.nearest)
                if searched.prints is None:
                    continue
                evening = Evening(self.ground, self.walker, body)
                for prints in (evening(searched.prints), searched.prints):
                    walk = self._walked([prints], evening, fps, problems)
                    if walk is not None:
                        yield walk

    def _searched(self, body: Float[np.ndarray, "numbers"], asked: Request, most: int) -> Searched:
        ground, walker = self.ground, self.walker
        first, last = ground.surface(asked.start), ground.surface(asked.goal)
        if first < 0 or last < 0:
            return Searched(None)
        outlook = Outlook.towards(ground, body, last, asked.heading, first)
        start, goal = self.on_ground(walker.stand(asked.start, asked.facing)), asked.goal
        if asked.heading is not None:
            goal = self.on_ground(walker.stand(asked.goal, asked.heading))
        return search_prints(ground, walker, body, self.moves, outlook, start, goal, most)

    def _walked(
        self, legs: Sequence[Footprints], evening: Evening, fps: float, problems: list[str]
    ) -> PlannedWalk | None:
        """Legs one after another as one motion, where it can be walked and the trunk touches nothing.

        Where it does touch something, its prints are moved away from that, a few times.
        """
        moved: Sequence[Footprints] | None = legs
        where = ""
        for attempt in range(REPAIRS):
            if moved is None:
                break
            try:
                plan = self._timed(joined([self._placed(leg) for leg in moved]))
                motion = self.steps.follow(plan, fps=fps, terrain=self.ground.terrain)
            except RequestError as error:
                problems.append(str(error))
                return None
            room = trunk_room(motion, self.ground, self.body)
            if room.least >= CLEAR:
                return PlannedWalk(plan, motion, room)
            where = told(room.where)
            moved = moved_clear(moved, motion, room, evening, gain=1.0 + attempt)
        problems.append(f"a body that walks there would touch something at {where}")
        return None

    def _placed(self, prints: Footprints) -> FootPlan:
        """As a plan, on the very ground."""
        places = np.array(prints.places)
        places[:, 1] = self.ground.terrain.height(places[:, 0], places[:, 2], places[:, 1] + 0.1)
        out = (1.0 - 2.0 * prints.feet) * self.walker.toe_out
        return FootPlan(
            tuple(
                FootPlacement(FEET[foot], place, float(facing + toes))
                for foot, place, facing, toes in zip(prints.feet, places, prints.facings, out, strict=True)
            )
        )

    def _prints_of(self, plan: FootPlan) -> Footprints:
        """Of a plan that was made here; the other way round."""
        feet = np.array([FEET.index(one.foot) for one in plan.placements])
        headings = np.array([one.heading for one in plan.placements], dtype=float)
        places = np.array([one.position for one in plan.placements])
        return Footprints(feet, places, headings - (1.0 - 2.0 * feet) * self.walker.toe_out)

    def _timed(self, plan: FootPlan) -> FootPlan:
        """With the swings that the step space would choose, and more time to climb."""
        wishes = self.steps.wishes(TIMED, True, True, SELECTOR, self.ground.terrain, STRETCH)
        timing = Following.of(self.steps, plan, wishes).timing.durations
        placements = list(plan.placements)
        for step, seconds in zip(plan.steps(), timing, strict=True):
            climbs = abs(placements[step.target].position[1] - placements[step.origin].position[1])
            swing = float(seconds[1]) * (1.0 + CLIMBING * min(climbs, 0.5))
            placements[step.target] = replace(placements[step.target], swing=round(swing, 3))
        return FootPlan(tuple(placements))


def joined(plans: Sequence[FootPlan]) -> FootPlan:
    """One plan after another, each from where the last one's feet stand."""
    placements = list(plans[0].placements)
    for plan in plans[1:]:
        placements += plan.placements[2:]
    return FootPlan(tuple(placements))


def _checked_angle(value: object, what: str) -> float:
    if not is_number(value) or not np.isfinite(value):  # type: ignore[call-overload]
        raise RequestError(f"{what} must be a finite number of radians, not {value!r:.40}")
    return float(value)  # type: ignore[arg-type]
