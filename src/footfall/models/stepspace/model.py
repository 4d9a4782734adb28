"""`StepSpace`: a foot plan in, a motion out that hits every footprint exactly ([stepping])."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from types import MappingProxyType

import numpy as np
from jaxtyping import Float

from footfall.analysis.reference import Reference
from footfall.analysis.steps import HIGH_NAMES
from footfall.errors import RequestError
from footfall.figure.contacts import SIDES
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.ik.two_link import leg_of
from footfall.models.stepspace.blended import Blend, StepSide
from footfall.models.stepspace.body_channels import YAW, BodyChannels
from footfall.models.stepspace.candidates import BlendCandidates, LowSpace, build_candidates
from footfall.models.stepspace.choosing import Choosing, query_of
from footfall.models.stepspace.following import Following, blended
from footfall.models.stepspace.headings import filled_headings
from footfall.models.stepspace.lie import normals_under, print_turns
from footfall.models.stepspace.live import LivePlan
from footfall.models.stepspace.low_space import low_of
from footfall.models.stepspace.planned import PlannedSteps
from footfall.models.stepspace.reach import area_of
from footfall.models.stepspace.selection import MetricWeights, Selection, Selector
from footfall.models.stepspace.selectors import SELECTORS
from footfall.models.stepspace.stage import Soles, Stage
from footfall.models.stepspace.step_table import StepTable
from footfall.models.stepspace.wishes import Wishes
from footfall.models.synthesized import Synthesized
from footfall.validation import one_of
from footfall.weights.space import Space
from footfall.world.foot_plan import FootPlan
from footfall.world.terrain import Ground

FPS = 60.0
SELECTOR = "fitted"
STRETCH = 0.25  # m
TOE_OUT = (-0.1, 0.4)  # rad
MOST_STEPS = 10_000


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
        return BodyChannels.of(self.left.with_more(self.right))

    @cached_property
    def right(self) -> StepTable:
        """The same steps of the right foot, row by row the left's mirror images."""
        return self.left.mirrored()

    @cached_property
    def sides(self) -> tuple[StepSide, StepSide]:
        return StepSide(self.left, self.channels), StepSide(self.right, self.channels)

    @cached_property
    def running_sides(self) -> tuple[StepSide, StepSide] | None:
        if self.running is None:
            return None
        return StepSide(self.running, self.channels), StepSide(self.running.mirrored(), self.channels)

    @cached_property
    def toe_out(self) -> float:
        """How far feet are turned outwards from where the body faces in walking ahead, rad."""
        ahead = self.left.ways == 1
        yaws = self.sides[0].body[ahead if ahead.any() else slice(None), :, YAW]
        # told from the support foot, which is the right one: it points to the right of the body
        return float(np.clip(np.median(yaws), *TOE_OUT))

    @cached_property
    def choosing(self) -> Choosing:
        return Choosing(self.left, self.low, self.running, self.skeleton.leg_length())

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
        """The tetrahedra of S_low: those that candidates were searched for, where they were."""
        low = low_of(self.left.high)
        if self.candidates is None:
            return LowSpace.of(low)
        return LowSpace(low, self.candidates.quads[self.candidates.offsets[:-1]])

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
        stretch: float = STRETCH,
    ) -> FollowedPlan:
        """The motion that steps on every footprint of a plan.

        Places are met exactly; headings as asked; swings and stances as asked within what steps can do. What
        is left open is as the captured steps have it. On a `terrain` feet lie as its slopes do and swings
        clear it; without, each print lies level on a block of its own. Landings up to `stretch` metres
        outside what was captured are met by stretching the nearest steps; farther ones by bending the one
        nearest step, which is said. What no leg reaches is refused, naming the nearest print that can be.
        """
        wishes = self.wishes(fps, from_stand, to_stand, selector, terrain, stretch)
        made = Following.of(self, checked_plan(plan), wishes)
        return self.followed(made, *made.frames(*made.joined(), made.times))

    def live(
        self,
        plan: FootPlan,
        *,
        fps: float = FPS,
        from_stand: bool = True,
        to_stand: bool = True,
        selector: str | Selector = SELECTOR,
        terrain: Ground | None = None,
        stretch: float = STRETCH,
    ) -> LivePlan:
        """A plan to edit: one footprint is moved, and only the steps around it are made again."""
        wishes = self.wishes(fps, from_stand, to_stand, selector, terrain, stretch)
        return LivePlan(self, checked_plan(plan), wishes)

    def followed(self, made: Following, motion: Motion, down: Float[np.ndarray, "frames"]) -> FollowedPlan:
        """What was made, as a motion that knows what it promises."""
        lain, unlain = made.lain_in(motion)
        return FollowedPlan(
            motion.skeleton,
            motion.root,
            motion.rotations,
            motion.fps,
            contacts=motion.contacts,
            ground=made.wishes.terrain,
            plan=lain,
            clamped=(*made.said(down), *unlain),
            reference=self.reference,
            made=(motion.root, motion.rotations),
            begins=tuple(max(float(t), 0.0) for t in made.starts),
            selections=tuple(one.selection for one in made.chosen),
            lowered=down,
        )

    def wishes(
        self,
        fps: float,
        from_stand: bool,
        to_stand: bool,
        selector: str | Selector,
        terrain: Ground | None,
        stretch: float,
    ) -> Wishes:
        """How a plan is to be followed, checked."""
        chooser = self.selector(selector) if isinstance(selector, str) else selector
        return Wishes.checked(fps, from_stand, to_stand, chooser, terrain, stretch)

    def reachable_area(self, plan: FootPlan, foot: str) -> Float[np.ndarray, "corners 3"]:
        """The corners of the area in which `foot` may land next, after the last print of a plan."""
        one_of(foot, SIDES, "foot")
        if not isinstance(plan, FootPlan):
            raise RequestError(f"a foot plan is needed, not {plan!r:.60}")
        last = next((p for p in reversed(plan.placements) if p.foot == foot), None)
        if last is None:
            raise RequestError(f"the plan does not say where the {foot} foot stands")
        planned = self.planned(FootPlan((*plan.placements, last)))
        query = self.choosing.queries(planned, from_stand=False, to_stand=False)[-1]
        return area_of(self.choosing.reach, planned, len(planned) - 1, query.high)

    def planned(self, plan: FootPlan, terrain: Ground | None = None) -> PlannedSteps:
        """A plan's steps, with all headings, lying as the ground does."""
        headings = filled_headings(plan, (self.toe_out, -self.toe_out))
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
        asked = self.choosing.asked(planned, from_stand=from_stand, to_stand=to_stand)
        queries, far = [query_of(row) for row in asked], self.choosing.distances(asked)
        runs = self.choosing.gaits(planned, far, from_stand=from_stand, to_stand=to_stand)
        return [
            self.choosing.chosen(query, chooser, runs=bool(fast), stretch=np.inf).selection
            for query, fast in zip(queries, runs, strict=True)
        ]

    def blended(self, planned: PlannedSteps, selections: Sequence[Selection]) -> list[Blend]:
        """The blends of selected steps."""
        queries = self.choosing.queries(planned, from_stand=False, to_stand=False)
        return [
            blended(self, planned, k, query, selection)
            for k, (query, selection) in enumerate(zip(queries, selections, strict=True))
        ]

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


def checked_plan(plan: object) -> FootPlan:
    """A plan with steps that are not too many."""
    if not isinstance(plan, FootPlan):
        raise RequestError(f"a foot plan is needed, not {plan!r:.60}")
    if len(plan) > MOST_STEPS:
        raise RequestError(f"a plan has at most {MOST_STEPS} footprints, not {len(plan)}")
    plan.steps()
    return plan
