"""`StepSpace`: a foot plan in, a motion out that hits every footprint exactly ([stepping])."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from types import MappingProxyType

import numpy as np
from jaxtyping import Bool, Float

from footfall.analysis.reference import Reference
from footfall.analysis.steps import HIGH_NAMES
from footfall.errors import RequestError
from footfall.figure.contacts import SIDES
from footfall.figure.motion import checked_rate
from footfall.figure.skeleton import Skeleton
from footfall.ik.two_link import leg_of
from footfall.models.stepspace.blended import Blend, StepSide, blend_of, laid
from footfall.models.stepspace.body_channels import BodyChannels
from footfall.models.stepspace.candidates import BlendCandidates, LowSpace, build_candidates
from footfall.models.stepspace.clearing import cleared
from footfall.models.stepspace.gait import judged_gaits
from footfall.models.stepspace.headings import filled_headings
from footfall.models.stepspace.joined import JoinedSteps, edge_of, joined
from footfall.models.stepspace.lie import normals_under, print_turns
from footfall.models.stepspace.low_space import low_axis, low_of
from footfall.models.stepspace.performed import performed
from footfall.models.stepspace.planned import PlannedSteps
from footfall.models.stepspace.selection import MetricWeights, Selection, Selector, StepQuery
from footfall.models.stepspace.selectors import SELECTORS
from footfall.models.stepspace.selectors.fitted import Fitted
from footfall.models.stepspace.stage import Soles, Stage
from footfall.models.stepspace.standing import stand_on
from footfall.models.stepspace.step_table import StepTable
from footfall.models.stepspace.timing import Timing, timing_of
from footfall.models.synthesized import Synthesized
from footfall.weights.space import Space
from footfall.world.foot_plan import FootPlan
from footfall.world.terrain import Ground

FPS = 60.0
RATES = (10.0, 1000.0)  # Hz
SELECTOR = "fitted"
STANDS = 0.3  # s of a stand before the first step and after the last
MOST_STEPS = 10_000
MIRRORED = np.array(
    [-1.0, 1.0, -1.0, 1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0]
)  # S_high of the other foot's steps


@dataclass(frozen=True, eq=False, repr=False)
class FollowedPlan(Synthesized):
    """A foot plan as a motion."""

    begins: tuple[float, ...] = ()  # s, of each step
    selections: tuple[Selection, ...] = ()
    lowered: Float[np.ndarray, "frames"] | None = None  # m by which the pelvis came down for the legs


@dataclass(frozen=True, eq=False, repr=False)
class StepSpace:
    """Captured steps, and everything that turns a foot plan into motion.

    >>> steps = build_step_space(clips)
    >>> motion = steps.follow(FootPlan.load("stones.json"))
    >>> print(motion.certificate())
    """

    left: StepTable  # steps of the left foot, those of the right among them in a mirror
    posture: Float[np.ndarray, "channels"]  # of a stand
    reference: Reference
    candidates: BlendCandidates | None = None
    running: StepTable | None = None  # running steps of the left foot, where the clips hold any

    @property
    def skeleton(self) -> Skeleton:
        return self.left.skeleton

    @cached_property
    def channels(self) -> BodyChannels:
        """The same reference for both feet: a joint's and, in the mirror, its partner's."""
        return BodyChannels.of(self.left.with_more(self.left.mirrored()))

    @cached_property
    def sides(self) -> tuple[StepSide, StepSide]:
        """Steps of the left foot and of the right, row by row each other's mirror images."""
        return StepSide(self.left, self.channels), StepSide(self.left.mirrored(), self.channels)

    @cached_property
    def running_sides(self) -> tuple[StepSide, StepSide] | None:
        if self.running is None:
            return None
        return StepSide(self.running, self.channels), StepSide(self.running.mirrored(), self.channels)

    @cached_property
    def running_selector(self) -> Fitted | None:
        """Running steps are few: they are always fitted."""
        if self.running is None:
            return None
        return Fitted.make(self.running, LowSpace.of(low_of(self.running.high)))

    @cached_property
    def stage(self) -> Stage:
        legs = {side: leg_of(self.skeleton, side) for side in SIDES}
        return Stage(self.skeleton, legs, Soles.of(self.skeleton), self.channels)

    @cached_property
    def space(self) -> Mapping[str, Space]:
        """S_high of each swing foot's steps."""
        units = ("m",) * 4 + ("rad",) * 2 + ("s",) * 4
        return MappingProxyType(
            {
                side: Space(HIGH_NAMES, units, own.table.high)
                for side, own in zip(SIDES, self.sides, strict=True)
            }
        )

    @cached_property
    def low(self) -> LowSpace:
        return LowSpace.of(low_of(self.left.high))

    def selector(self, name: str = SELECTOR, metric: MetricWeights | None = None) -> Selector:
        """A way to choose the steps that are blended; for steps of the left foot."""
        if name not in SELECTORS:
            raise RequestError(f"no selector is called {name!r:.40}; there are {', '.join(SELECTORS)}")
        candidates = self.candidates
        if candidates is None and SELECTORS[name].needs_candidates:
            candidates = build_candidates(self.low, self.left.ways)
        return SELECTORS[name].make(self.left, self.low, candidates, metric)

    def follow(
        self,
        plan: FootPlan,
        *,
        fps: float = FPS,
        from_stand: bool = True,
        to_stand: bool = True,
        selector: str | Selector = SELECTOR,
        terrain: Ground | None = None,
    ) -> FollowedPlan:
        """The motion that steps on every footprint of a plan.

        Places are met exactly; headings as asked; swings and stances as asked within what steps can do. What
        is left open is as the captured steps have it. On a `terrain` feet lie as its slopes do and swings
        clear it; without, each print lies level on a block of its own.
        """
        rate = checked_rate(fps)
        if not RATES[0] <= rate <= RATES[1]:
            raise RequestError(f"fps must be between {RATES[0]:g} and {RATES[1]:g}, not {rate:g}")
        if not isinstance(plan, FootPlan):
            raise RequestError(f"a foot plan is needed, not {plan!r:.60}")
        if len(plan) > MOST_STEPS:
            raise RequestError(f"a plan has at most {MOST_STEPS} footprints, not {len(plan)}")
        chooser = self.selector(selector) if isinstance(selector, str) else selector
        plan.steps()
        planned = self.planned(plan, terrain)
        selections = self.selected(planned, chooser, from_stand=from_stand, to_stand=to_stand)
        blends = self.blended(planned, selections)
        timing = timing_of(
            planned,
            np.stack([b.durations for b in blends]),
            np.stack([b.flights for b in blends]),
            np.array([b.runs for b in blends]),
            from_stand=from_stand,
            to_stand=to_stand,
        )
        steps = self._joined(planned, blends, timing, (from_stand, to_stand))
        steps = cleared(self.stage, planned, steps, terrain)
        lead, tail = STANDS * from_stand, STANDS * to_stand
        seconds = steps.times[:, -1]
        count = int(np.floor((lead + seconds.sum() + tail) * rate + 1e-6)) + 1
        times = np.arange(count) / rate - lead
        motion, down = performed(self.stage, planned, steps, times, rate, terrain)
        return FollowedPlan(
            motion.skeleton,
            motion.root,
            motion.rotations,
            motion.fps,
            contacts=motion.contacts,
            ground=terrain,
            plan=plan,
            clamped=timing.clamped,
            reference=self.reference,
            made=(motion.root, motion.rotations),
            begins=tuple(float(t) for t in lead + np.concatenate([[0.0], np.cumsum(seconds)[:-1]])),
            selections=tuple(selections),
            lowered=down,
        )

    def planned(self, plan: FootPlan, terrain: Ground | None = None) -> PlannedSteps:
        """A plan's steps, with all headings, lying as the ground does."""
        headings = filled_headings(plan)
        if terrain is None:
            return PlannedSteps.of(plan, headings)
        places = np.array([p.position for p in plan.placements])
        feet = np.array([SIDES.index(p.foot) for p in plan.placements])
        normals = normals_under(self.stage.soles, feet, places, headings, terrain)
        return PlannedSteps.of(plan, headings, print_turns(headings, normals))

    def selected(
        self, planned: PlannedSteps, chooser: Selector, *, from_stand: bool, to_stand: bool
    ) -> list[Selection]:
        """The steps to blend for each step of a plan."""
        rows = planned.queries(from_stand=from_stand, to_stand=to_stand)
        rises = planned.beside()[0][:, :, 1]
        queries = [
            StepQuery(row * MIRRORED if foot else row, rise)
            for foot, row, rise in zip(planned.feet, rows, rises, strict=True)
        ]
        runs = self._runs(planned, queries, from_stand=from_stand, to_stand=to_stand)
        return [
            replace(self.running_selector.select(query), runs=True)
            if fast and self.running_selector is not None
            else chooser.select(query)
            for fast, query in zip(runs, queries, strict=True)
        ]

    def _runs(
        self, planned: PlannedSteps, queries: Sequence[StepQuery], *, from_stand: bool, to_stand: bool
    ) -> Bool[np.ndarray, "steps"]:
        """Which steps of a plan are run."""
        if self.running_selector is None:
            return np.zeros(len(queries), dtype=bool)
        walks, fast = (
            np.array([float(each.far(query).min()) for query in queries])
            for each in (self._walking_judge, self.running_selector)
        )
        alternates = np.concatenate([[True], planned.feet[1:] != planned.feet[:-1]])
        alternates[:-1] &= alternates[1:]
        alternates[[0, -1]] = False  # a run begins and ends with a step that is walked
        return judged_gaits(walks, fast, alternates, from_stand=from_stand, to_stand=to_stand)

    @cached_property
    def _walking_judge(self) -> Fitted:
        return Fitted.make(self.left, self.low)

    def blended(self, planned: PlannedSteps, selections: Sequence[Selection]) -> list[Blend]:
        queries = planned.queries(from_stand=False, to_stand=False)
        out = []
        for foot, query, selection in zip(planned.feet, queries, selections, strict=True):
            axis = float(low_axis(query)) if selection.frame == "low" else 0.0
            sides = self.running_sides if selection.runs else self.sides
            assert sides is not None
            out.append(blend_of(sides[foot], selection, axis))
        return out

    def _joined(
        self,
        planned: PlannedSteps,
        blends: Sequence[Blend],
        timing: Timing,
        stand: tuple[bool, bool],
    ) -> JoinedSteps:
        steps = laid(planned, blends, timing.durations, timing.flights)
        ends = [
            stand_on(self.posture, edge_of(planned, steps, last=bool(k)), self.stage) if stand[k] else None
            for k in range(2)
        ]
        return joined(planned, steps, (ends[0], ends[1]))

    def synthesize(self, foot: str = "left", *, fps: float = FPS, **parameters: float) -> FollowedPlan:
        """One step of S_high, the support foot at the origin facing +Z, neither from a stand nor to one."""
        from footfall.models.stepspace.single import single_step

        plan = single_step(self.space, foot, parameters)
        return self.follow(plan, fps=fps, from_stand=False, to_stand=False)

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the step space (.ffmodel): arrays and names only, so that reading one runs no code."""
        from footfall.models.stepspace.store import save_steps

        save_steps(self, path)

    def __repr__(self) -> str:
        return f"StepSpace({len(self.left)} steps a side; {len(self.skeleton)} joints)"
