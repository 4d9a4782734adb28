"""Which captured steps are blended for each step of a plan, walked or run, near or stretched."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float

from footfall.geometry.decisions import clearly_less
from footfall.models.stepspace.candidates import LowSpace
from footfall.models.stepspace.gait import SURELY, judged_gaits, without_lone_runs
from footfall.models.stepspace.low_space import MIRRORED, low_of
from footfall.models.stepspace.planned import PlannedSteps
from footfall.models.stepspace.reach import Reach
from footfall.models.stepspace.selection import Selection, Selector, StepQuery
from footfall.models.stepspace.selectors.fitted import Fitted
from footfall.models.stepspace.step_table import StepTable


@dataclass(frozen=True, eq=False)
class Choosing:
    """The tables that steps are chosen from; all are of the left foot, and the right foot's are mirrored."""

    walking: StepTable
    low: LowSpace
    running: StepTable | None
    leg: float  # m

    @cached_property
    def walked(self) -> Fitted:
        return Fitted.make(self.walking, self.low)

    @cached_property
    def run(self) -> Fitted | None:
        """Running steps are few: they are always fitted."""
        if self.running is None:
            return None
        return Fitted.make(self.running, LowSpace.of(low_of(self.running.high)))

    @cached_property
    def reach(self) -> Reach:
        """What was captured of where feet land."""
        tables = [self.walking] if self.running is None else [self.walking, self.running]
        farthest = max(float(np.linalg.norm(t.places[:, 1, [0, 2]], axis=1).max()) for t in tables)
        return Reach(low_of(self.walking.high), self.leg, farthest)

    def asked(
        self, planned: PlannedSteps, *, from_stand: bool, to_stand: bool
    ) -> Float[np.ndarray, "steps 12"]:
        """What is asked of each step, as one of the left foot: S_high, then the rises of both prints."""
        rows = planned.queries(from_stand=from_stand, to_stand=to_stand)
        rows = np.where(planned.feet[:, None] == 1, rows * MIRRORED, rows)
        return np.concatenate([rows, planned.beside()[0][:, :, 1]], axis=1)

    def queries(self, planned: PlannedSteps, *, from_stand: bool, to_stand: bool) -> list[StepQuery]:
        return [query_of(row) for row in self.asked(planned, from_stand=from_stand, to_stand=to_stand)]

    def distances(self, asked: Float[np.ndarray, "steps 12"]) -> Float[np.ndarray, "steps 2"]:
        """From the nearest walking step and from the nearest running one, in S_high."""
        if self.run is None:
            return np.tile([0.0, np.inf], (len(asked), 1))
        return np.stack([self.walked.nearest(asked), self.run.nearest(asked)], axis=1)

    def gaits(
        self,
        planned: PlannedSteps,
        distances: Float[np.ndarray, "steps 2"],
        *,
        from_stand: bool,
        to_stand: bool,
    ) -> Bool[np.ndarray, "steps"]:
        """Which steps of a plan are run."""
        if self.run is None:
            return np.zeros(len(distances), dtype=bool)
        alternates = np.concatenate([[True], planned.feet[1:] != planned.feet[:-1]])
        alternates[:-1] &= alternates[1:]
        # stands are walked out of and into; a plan without them may begin and end in the middle of a run
        alternates[0] &= not from_stand
        alternates[-1] &= not to_stand
        walked, run = distances.T
        runs = judged_gaits(walked, run, alternates, from_stand=from_stand, to_stand=to_stand)
        # at an open end the step beyond, which is not shown, may be run as well
        alone = clearly_less(SURELY, np.square(walked) - np.square(run))
        alone[1:-1] = False
        alone[0] &= not from_stand
        alone[-1] &= not to_stand
        return without_lone_runs(runs, alone)

    def chosen(self, query: StepQuery, chooser: Selector, *, runs: bool, stretch: float) -> Chosen:
        """The steps to blend for one step; too far outside what was captured it is the nearest alone."""
        if runs and self.run is not None:
            return Chosen(replace(self.run.select(query), runs=True))
        selection = chooser.select(query)
        if not selection.inside:
            low = query.low
            # no farther from what was captured than from the nearest step: mostly that settles it
            if np.square(self.reach.low - low).sum(axis=1).min() > stretch**2:
                far, _ = self.reach.outside(low)
                if clearly_less(stretch, far):
                    return Chosen(self.walked.alone(query), far)
        return Chosen(selection)


@dataclass(frozen=True, eq=False)
class Chosen:
    """Steps to blend, and how far outside what was captured the query lies, where that is too far."""

    selection: Selection
    outside: float = 0.0  # m


def query_of(row: Float[np.ndarray, "12"]) -> StepQuery:
    return StepQuery(row[:10], row[10:])
