"""A foot plan on its way to a motion: its steps chosen, blended, timed; then joined and made into frames.

Everything up to the joining is made step by step, so that a change of one footprint leaves the others alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Bool, Float

from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.geometry.decisions import first_greatest
from footfall.models.stepspace.apart import unhindered
from footfall.models.stepspace.blended import Blend, blend_of, laid
from footfall.models.stepspace.choosing import Chosen, query_of
from footfall.models.stepspace.joined import JoinedSteps, edge_of, joined
from footfall.models.stepspace.low_space import low_axis
from footfall.models.stepspace.performed import performed
from footfall.models.stepspace.planned import PlannedSteps
from footfall.models.stepspace.print_blocks import PrintBlocks
from footfall.models.stepspace.reach import nearest_inside, refuse_start, unreachable
from footfall.models.stepspace.refusal import Part, nearby, refusal
from footfall.models.stepspace.remarks import lowered, off_the_ground, on_each_other, outside, unlain
from footfall.models.stepspace.selection import Selection, StepQuery
from footfall.models.stepspace.standing import stand_on
from footfall.models.stepspace.timing import STANDS, Timing, timing_of
from footfall.models.stepspace.wishes import Wishes
from footfall.models.synthesized import numbers_lain_in
from footfall.world.foot_plan import FootPlan
from footfall.world.terrain import Ground

if TYPE_CHECKING:
    from footfall.models.stepspace.model import StepSpace

HAIR = 1e-9  # m, rad, s: what nobody asks for
TOO_LOW = 0.2  # m that the pelvis may come down before a step is refused
SURELY_LOW = 0.19  # m, the same for prints that are named: they are tried with some of the steps only,
TRIED = 60.0  # and at so many Hz


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
        refuse_start(space.choosing.reach, planned)
        far = unreachable(space.choosing.reach, planned)
        if far is not None:
            # it may be the print that is stepped from that lies amiss
            beside = np.flatnonzero(planned.prints[: far[0], 1] == planned.prints[far[0], 2])
            raise refused(space, plan, wishes, planned, far[1], asked, [far[0], *beside.tolist()])
        same = before.same(planned, asked) if before is not None else np.zeros(len(asked), dtype=bool)
        queries = {int(k): query_of(asked[k]) for k in np.flatnonzero(~same)}
        distances = np.empty((len(asked), 2)) if before is None else np.array(before.distances)
        distances[~same] = space.choosing.distances(asked[~same])
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
        # headings that are found for the whole plan change by a hair with any print
        alike = (np.abs(asked - self.asked) <= HAIR) | (np.isnan(asked) & np.isnan(self.asked))
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
        return planned, unhindered(space.stage, planned, made, self.ground)

    @cached_property
    def ground(self) -> Ground | None:
        """What feet must clear: the terrain, else the blocks that uneven prints lie on."""
        if self.wishes.terrain is not None:
            return self.wishes.terrain
        return PrintBlocks.of(self.space.stage, self.planned)

    def frames(
        self, planned: PlannedSteps, steps: JoinedSteps, times: Float[np.ndarray, "frames"]
    ) -> tuple[Motion, Float[np.ndarray, "frames"]]:
        """Frames at times from the start of the first of these steps, and how far the pelvis came down."""
        return performed(self.space.stage, planned, steps, times, self.wishes.fps, self.ground)

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
        most = self.lowest(down)
        if most.max(initial=0.0) > TOO_LOW:
            k = int(first_greatest(most))
            why = f"the pelvis would have to come down by {most[k]:.2f} m, {TOO_LOW:.2f} m are possible"
            # what makes a step so wide may be the print before or the next
            steps = [j for j in (k, k - 1, k + 1) if 0 <= j < len(most)]
            raise refused(self.space, self.plan, self.wishes, self.planned, why, self.asked, steps)
        return (
            *outside(self.planned, [one.outside for one in self.chosen]),
            *off_the_ground(self.planned, self.wishes.terrain),
            *on_each_other(self.planned),
            *self.timing.clamped,
            *lowered(self.planned, most),
        )

    def lowest(self, down: Float[np.ndarray, "frames"]) -> Float[np.ndarray, "steps"]:
        """m by which the pelvis comes down at most in each step."""
        times = np.arange(len(down)) / self.wishes.fps
        step = np.clip(np.searchsorted(self.starts, times, side="right") - 1, 0, None)
        most = np.zeros(len(self.planned))
        np.maximum.at(most, step, down)
        return most

    @property
    def times(self) -> Float[np.ndarray, "frames"]:
        """s of all frames, from the start of the first step."""
        seconds = self.lead + float(self.timing.durations.sum()) + self.tail
        return np.arange(int(np.floor(seconds * self.wishes.fps + 1e-6)) + 1) / self.wishes.fps - self.lead

    def lain_in(self, motion: Motion) -> tuple[FootPlan, tuple[str, ...]]:
        """The footprints in which feet lie in a motion of all the steps, and words for those they do not.

        Out of a stand and into one they lie in all of them.
        """
        if self.wishes.from_stand and self.wishes.to_stand:
            return self.plan, ()
        left = [int(self.planned.prints[0, 0])] if self.lead < 0.0 else []
        numbers = numbers_lain_in(self.plan, motion, left)
        return FootPlan(tuple(self.plan.placements[k] for k in numbers)), tuple(unlain(self.plan, numbers))

    def snapped(self) -> Following:
        """With every step as long as a whole number of frames: then what follows a change need not move."""
        durations, fps = np.array(self.timing.durations), self.wishes.fps
        if self.lead < 0.0:  # what is left out of the first step, too
            durations[0, 0] = max(np.round(durations[0, 0] * fps), 1.0) / fps
        seconds = durations.sum(axis=1)
        durations[:, 1] += np.round(seconds * fps) / fps - seconds
        return replace(self, timing=replace(self.timing, durations=durations))


def refused(
    space: StepSpace,
    plan: FootPlan,
    wishes: Wishes,
    planned: PlannedSteps,
    why: str,
    asked: Float[np.ndarray, "steps 12"],
    steps: Sequence[int],
) -> RequestError:
    """The first of these steps cannot be made: with a print near by that was tried, of it or the others."""
    places = {}
    for k in steps:
        nearest = nearest_inside(space.choosing.reach, planned, k, asked[k, :10])
        places[k] = nearby(planned, k, nearest, wishes.terrain)

    def refused_at(part: Part) -> int | None:
        stands = wishes.from_stand and part.first == 0, wishes.to_stand and part.last == len(planned)
        rate = min(wishes.fps, TRIED)
        own = replace(wishes, fps=rate, from_stand=stands[0], to_stand=stands[1])
        far = unreachable(space.choosing.reach, space.planned(part.plan, wishes.terrain))
        if far is not None:
            return far[0]
        made = Following.of(space, part.plan, own)
        low = made.lowest(made.frames(*made.joined(), made.times)[1])
        return int(first_greatest(low)) if low.max() > SURELY_LOW else None

    return refusal(plan, planned, why, places, refused_at)


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
