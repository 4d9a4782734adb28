"""A foot plan on its way to a motion: its steps chosen, blended, timed; then joined and made into frames.

Everything up to the joining is made step by step, so that a change of one footprint leaves the others alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Bool, Float

from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.models.stepspace.blended import Blend, blend_of, laid
from footfall.models.stepspace.choosing import Chosen, query_of
from footfall.models.stepspace.clearing import cleared
from footfall.models.stepspace.joined import JoinedSteps, edge_of, joined
from footfall.models.stepspace.low_space import low_axis
from footfall.models.stepspace.performed import performed
from footfall.models.stepspace.planned import PlannedSteps
from footfall.models.stepspace.print_blocks import PrintBlocks
from footfall.models.stepspace.reach import nearest_inside, refuse_unreachable, told_refusal
from footfall.models.stepspace.selection import Selection, Selector, StepQuery
from footfall.models.stepspace.standing import stand_on
from footfall.models.stepspace.timing import STANDS, Timing, timing_of
from footfall.world.foot_plan import FootPlan
from footfall.world.terrain import Ground

if TYPE_CHECKING:
    from footfall.models.stepspace.model import StepSpace

LOOK_DOWN = 0.4  # m over a print from where its ground is looked for
ON_THE_GROUND = 0.02  # m that a print may be over or under it before that is said
LOW, TOO_LOW = 0.05, 0.2  # m that the pelvis may come down before it is said, and before a step is refused


@dataclass(frozen=True, eq=False)
class Wishes:
    """How a plan is to be followed."""

    fps: float
    from_stand: bool
    to_stand: bool
    chooser: Selector
    terrain: Ground | None
    stretch: float  # m


@dataclass(frozen=True, eq=False)
class Following:
    """All steps of a plan, chosen, blended and timed."""

    space: StepSpace
    wishes: Wishes
    plan: FootPlan
    planned: PlannedSteps
    asked: Float[np.ndarray, "steps 12"]
    distances: Float[np.ndarray, "steps 2"]  # from the nearest walking step and the nearest running one
    chosen: tuple[Chosen, ...]
    blends: tuple[Blend, ...]
    timing: Timing

    @classmethod
    def of(
        cls, space: StepSpace, plan: FootPlan, wishes: Wishes, before: Following | None = None
    ) -> Following:
        """A plan's steps; those that are as they were `before` are taken from there."""
        planned = space.planned(plan, wishes.terrain)
        stands = {"from_stand": wishes.from_stand, "to_stand": wishes.to_stand}
        asked = space.choosing.asked(planned, **stands)
        refuse_unreachable(space.choosing.reach, planned, asked[:, :10])
        same = before.same(planned, asked) if before is not None else np.zeros(len(asked), dtype=bool)
        queries = {int(k): query_of(asked[k]) for k in np.flatnonzero(~same)}
        distances = np.empty((len(asked), 2)) if before is None else np.array(before.distances)
        for k, query in queries.items():
            distances[k] = space.choosing.distances(query)
        runs = space.choosing.gaits(planned, distances, **stands)
        chosen: list[Chosen] = []
        blends: list[Blend] = []
        for k, fast in enumerate(runs):
            if before is not None and same[k] and before.chosen[k].selection.runs == fast:
                chosen.append(before.chosen[k])
                blends.append(before.blends[k])
                continue
            query = queries.get(k) or query_of(asked[k])
            one = space.choosing.chosen(query, wishes.chooser, runs=bool(fast), stretch=wishes.stretch)
            chosen.append(one)
            blends.append(blended(space, planned, k, query, one.selection))
        timing = timing_of(
            planned,
            np.stack([b.durations for b in blends]),
            np.stack([b.flights for b in blends]),
            runs,
            **stands,
        )
        parts = asked, distances, tuple(chosen), tuple(blends)
        return cls(space, wishes, plan, planned, *parts, timing)

    def same(self, planned: PlannedSteps, asked: Float[np.ndarray, "steps 12"]) -> Bool[np.ndarray, "steps"]:
        """Of which steps the same was asked before."""
        if len(asked) != len(self.asked):
            return np.zeros(len(asked), dtype=bool)
        alike = (asked == self.asked) | (np.isnan(asked) & np.isnan(self.asked))
        return alike.all(axis=1) & (planned.feet == self.planned.feet)

    def joined(self, first: int = 0, last: int | None = None) -> tuple[PlannedSteps, JoinedSteps]:
        """Some of the steps, joined; stands only where the plan begins and ends."""
        count = len(self.planned)
        last = count if last is None else last
        part = slice(first, last)
        planned = self.planned.part(part)
        steps = laid(planned, self.blends[part], self.timing.durations[part], self.timing.flights[part])
        wanted = self.wishes.from_stand and first == 0, self.wishes.to_stand and last == count
        space = self.space
        ends = [
            stand_on(space.posture, edge_of(planned, steps, last=bool(k)), space.stage) if wanted[k] else None
            for k in range(2)
        ]
        made = joined(planned, steps, (ends[0], ends[1]))
        return planned, cleared(space.stage, planned, made, self.ground(planned))

    def ground(self, planned: PlannedSteps) -> Ground | None:
        """What feet must clear: the terrain, else the blocks that uneven prints lie on."""
        if self.wishes.terrain is not None:
            return self.wishes.terrain
        return PrintBlocks.of(self.space.stage, planned)

    def frames(
        self, planned: PlannedSteps, steps: JoinedSteps, times: Float[np.ndarray, "frames"]
    ) -> tuple[Motion, Float[np.ndarray, "frames"]]:
        """Frames at times from the start of the first of these steps, and how far the pelvis came down."""
        ground = self.ground(planned)
        return performed(self.space.stage, planned, steps, times, self.wishes.fps, ground)

    @property
    def lead(self) -> float:
        """s of the stand before the first step; less than 0 where the motion begins after the step does.

        Nothing is known of the step before: in the middle of a run it begins as the support foot lands,
        """
        if self.wishes.from_stand:
            return STANDS
        return -float(self.timing.durations[0, 0]) if self.chosen[0].selection.runs else 0.0

    @property
    def tail(self) -> float:
        """and ends as the support foot leaves."""
        if self.wishes.to_stand:
            return STANDS
        return -float(self.timing.durations[-1, 2]) if self.chosen[-1].selection.runs else 0.0

    @property
    def starts(self) -> Float[np.ndarray, "steps"]:
        """s at which each step begins."""
        seconds = self.timing.durations.sum(axis=1)
        return self.lead + np.concatenate([[0.0], np.cumsum(seconds)[:-1]])

    def said(self, down: Float[np.ndarray, "frames"]) -> tuple[str, ...]:
        """What could not be as asked; refused where the pelvis would come down so far that it is no step."""
        words = [
            f"steps[{self.planned.prints[k, 1]}]: {one.outside:.2f} m outside what was captured, the nearest "
            f"step is bent to it"
            for k, one in enumerate(self.chosen)
            if one.outside > 0.0
        ]
        words += self._off_the_ground()
        times = np.arange(len(down)) / self.wishes.fps
        step = np.clip(np.searchsorted(self.starts, times, side="right") - 1, 0, None)
        most = np.zeros(len(self.planned))
        np.maximum.at(most, step, down)
        low = [
            f"steps[{self.planned.prints[k, 1]}]: the pelvis comes down by {100.0 * most[k]:.0f} cm"
            for k in np.flatnonzero(most > LOW)
        ]
        if most.max(initial=0.0) > TOO_LOW:
            k = int(most.argmax())
            nearest = nearest_inside(self.space.choosing.reach, self.planned, k, self.asked[k, :10])
            why = f"the pelvis would have to come down by {most[k]:.2f} m, {TOO_LOW:.2f} m are possible"
            raise RequestError(told_refusal(self.planned, k, why, nearest))
        return (*words, *self.timing.clamped, *low)

    def _off_the_ground(self) -> list[str]:
        """Prints that do not lie on the terrain; they are met where they are."""
        if self.wishes.terrain is None:
            return []
        x, y, z = self.planned.places.T
        over = y - self.wishes.terrain.height(x, z, y + LOOK_DOWN)
        said = []
        for k in np.flatnonzero(~(np.abs(over) <= ON_THE_GROUND)):
            where = f"{abs(over[k]):.2f} m {'over' if over[k] > 0 else 'under'} the ground"
            said.append(f"steps[{k}]: the print is {'over no ground' if np.isinf(over[k]) else where}")
        return said

    def snapped(self) -> Following:
        """With every step as long as a whole number of frames: then what follows a change need not move."""
        durations, fps = np.array(self.timing.durations), self.wishes.fps
        if self.lead < 0.0:  # what is left out of the first step, too
            durations[0, 0] = max(np.round(durations[0, 0] * fps), 1.0) / fps
        seconds = durations.sum(axis=1)
        durations[:, 1] += np.round(seconds * fps) / fps - seconds
        return replace(self, timing=replace(self.timing, durations=durations))


def blended(
    space: StepSpace, planned: PlannedSteps, step: int, query: StepQuery, selection: Selection
) -> Blend:
    """One step of a plan, blended."""
    foot = int(planned.feet[step])
    sides = space.running_sides if selection.runs else space.sides
    assert sides is not None
    axis = 0.0
    if selection.frame == "low":
        axis = float(low_axis(query.high)) * (-1.0 if foot else 1.0)
    return blend_of(sides[foot], selection, axis)
