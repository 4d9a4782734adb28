"""Joint error on captured steps that are left out of a step space and requested again.

A step is left out alone, or its whole clip with it. The rest is requested for a step with the same
footprints, headings and durations. Real and synthesized step are compared in the support foot's frame, at
equal phases, weighted by how long each sample lasts.

A step space cannot be rebuilt for every step, so rows of its table are left out instead. This file is the one
of the benchmark that needs the inside of a step space.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from jaxtyping import Bool, Float, Int
from step_measures import LEVEL, capture_files, landings, subject_of
from step_selection import only_candidates_of

from footfall.figure import kinematics
from footfall.figure.contacts import SIDES
from footfall.figure.resample import at_times
from footfall.figure.skeleton import Skeleton
from footfall.geometry.decisions import first_least
from footfall.models.stepspace.blended import Blend, laid
from footfall.models.stepspace.body_channels import ROOT
from footfall.models.stepspace.candidates import NEAREST, BlendCandidates, LowSpace
from footfall.models.stepspace.joined import joined
from footfall.models.stepspace.low_space import low_of
from footfall.models.stepspace.model import SELECTOR, StepSpace
from footfall.models.stepspace.performed import performed
from footfall.models.stepspace.selection import Selection, Selector, StepQuery
from footfall.models.stepspace.selectors import SELECTORS
from footfall.models.stepspace.selectors.over_steps import OverSteps
from footfall.models.stepspace.step_table import ORIGIN, SUPPORT, TARGET, StepTable, sample_times
from footfall.world.foot_plan import FootPlacement, FootPlan

PEOPLE = (69, 16)
FPS = 120.0  # Hz at which a step is synthesized before it is sampled at the times of the real one
BONE = 1e-6  # m; a joint at the position of its parent is not counted
PARTS = {"legs": ("thigh",), "arms": ("clavicle", "upper_arm")}
TRUNK = "trunk"
KINDS = ("forward", "backward", "side", "cross")
PLAIN, IN_LOW, IN_HIGH = "plain rotational blend", "nearest in S_low + IK", "nearest in S_high + IK"
BETTER = {IN_LOW: 0.25, IN_HIGH: 0.10}  # bars: by this share the default is nearer, whole clip left out


@dataclass(frozen=True, eq=False)
class NearestLow(OverSteps):
    """Selects the one step that is nearest in S_low, in the frame of S_low."""

    name: ClassVar[str] = IN_LOW

    def select(self, query: StepQuery) -> Selection:
        nearest = int(first_least(np.linalg.norm(self.space.low - query.low, axis=1)))
        inside = self.space.locate(query.low) >= 0
        return Selection(np.array([nearest]), np.ones(1), "low", inside=inside, other=True)


@dataclass(frozen=True, eq=False)
class NearestHigh(OverSteps):
    """Selects the one step that is nearest in S_high, in the frame of the support foot."""

    name: ClassVar[str] = IN_HIGH

    def select(self, query: StepQuery) -> Selection:
        return replace(self.alone(query), inside=self.space.locate(query.low) >= 0)


@dataclass(frozen=True, eq=False)
class AmongOthers:
    """A selector over some rows of a table; its selections state rows of the whole table."""

    selector: Selector
    rows: Int[np.ndarray, "m"]

    @property
    def name(self) -> str:
        return self.selector.name

    def select(self, query: StepQuery) -> Selection:
        found = self.selector.select(query)
        return replace(found, steps=self.rows[found.steps])


Maker = Callable[[StepTable, LowSpace, BlendCandidates], Selector]
METHODS: dict[str, Maker] = {
    IN_LOW: NearestLow.make,
    IN_HIGH: NearestHigh.make,
    PLAIN: SELECTORS["containing"].make,
    **{name: kind.make for name, kind in SELECTORS.items()},
}


def over_all_steps(space: StepSpace, kind: type[OverSteps]) -> Selector:
    """A selector over all steps of a step space."""
    return kind.make(space.left, space.low)


@dataclass(frozen=True, eq=False)
class LeftOutErrors:
    """Joint errors of every method on every step left out.

    Attributes:
        left_out: "step" or "clip".
        methods: Names, in the order of the rows of `parts`.
        parts: Mean joint distance by body part ("all", "legs", "arms", "trunk"), in metres.
        foot: Distance of the plain blend's foot from its footprint, in metres.
        inside: Whether the request lies in the hull of the other steps.
        kinds: How each step goes, of `KINDS`.
        subjects: CMU subject of each step.
    """

    left_out: str
    methods: tuple[str, ...]
    parts: dict[str, Float[np.ndarray, "methods steps"]]
    foot: Float[np.ndarray, "steps"]
    inside: Bool[np.ndarray, "steps"]
    kinds: tuple[str, ...]
    subjects: Int[np.ndarray, "steps"]

    def groups(self) -> Iterator[tuple[str, Bool[np.ndarray, "steps"]]]:
        """Groups of steps, by name."""
        kinds = np.array(self.kinds)
        yield "all", np.ones(len(kinds), dtype=bool)
        yield "inside", self.inside
        yield "outside", ~self.inside
        yield from ((kind, kinds == kind) for kind in KINDS)
        yield from ((f"subject {who}", self.subjects == who) for who in PEOPLE)

    def mean(self, method: str, group: str = "all", part: str = "all") -> float:
        """Mean joint distance in metres; NaN where the group is empty."""
        chosen = dict(self.groups())[group]
        own = self.parts[part][self.methods.index(method), chosen]
        return float(own.mean()) if len(own) else np.nan

    def better(self, than: str, group: str = "all", method: str = SELECTOR) -> float:
        """The share by which one method's error is below another's."""
        return 1.0 - self.mean(method, group) / self.mean(than, group)


def left_out_errors(space: StepSpace, *, clips: bool, every: int = 1) -> LeftOutErrors:
    """Joint errors on the level steps of `PEOPLE`.

    Args:
        space: A step space with all captured steps.
        clips: Leave the whole clip out; else the step alone.
        every: Only every so many-th step is requested.
    """
    table = space.left
    people = np.array([subject_of(file) for file in capture_files()])[table.clips]
    level = np.abs(table.rises).max(axis=1) < LEVEL
    asked = np.flatnonzero(np.isin(people, PEOPLE) & level)[::every]
    parts = body_parts(space.skeleton)
    found = np.empty((len(METHODS), len(asked), len(parts)))
    foot, inside = np.empty(len(asked)), np.empty(len(asked), dtype=bool)
    for q, (row, selectors) in enumerate(selectors_without(table, asked, clips=clips)):
        for m, (name, selector) in enumerate(selectors.items()):
            blend, positions, within = made_again(space, row, selector, solved=name != PLAIN)
            far = distances(space, row, positions)
            found[m, q] = [far[joints].mean() for joints in parts.values()]
            if name == PLAIN:
                landed = landings(space, blend.body[-1:], [0])[0]
                foot[q] = float(np.hypot(*(landed - table.places[row, TARGET])[[0, 2]]))
                inside[q] = within
    return LeftOutErrors(
        "clip" if clips else "step",
        tuple(METHODS),
        {part: found[..., k] for k, part in enumerate(parts)},
        foot,
        inside,
        tuple(table.names[row].split()[1] for row in asked),
        people[asked],
    )


def selectors_without(
    table: StepTable, asked: Int[np.ndarray, "q"], *, clips: bool
) -> Iterator[tuple[int, dict[str, AmongOthers]]]:
    """Each requested step, and every method over the steps that remain.

    A mirror image has the number of its clip, so it is left out with it.
    """
    group, rest, low = -1, table, LowSpace.of(low_of(table.high))
    rows = np.arange(len(table))
    for row in asked.tolist():
        mine = int(table.clips[row]) if clips else row
        if mine != group:
            group = mine
            rows = np.flatnonzero(table.clips != mine if clips else np.arange(len(table)) != row)
            rest = table.taken(rows)
            low = LowSpace.of(low_of(rest.high))
        listed = only_candidates_of(low, rest.ways, low.locate(low_of(table.high[row])), NEAREST)
        yield row, {name: AmongOthers(make(rest, low, listed), rows) for name, make in METHODS.items()}


def own_plan(table: StepTable, row: int) -> FootPlan:
    """The footprints and times of one captured step, the support foot at the origin."""

    def print_at(which: int, swing: float | None = None) -> FootPlacement:
        stance = float(table.stances[row, which])
        foot = SIDES[which == SUPPORT]
        return FootPlacement(foot, table.places[row, which], float(table.headings[row, which]), swing, stance)

    return FootPlan((print_at(ORIGIN), print_at(SUPPORT), print_at(TARGET, float(table.durations[row, 1]))))


def made_again(
    space: StepSpace, row: int, selector: Selector, *, solved: bool
) -> tuple[Blend, Float[np.ndarray, "samples joints 3"], bool]:
    """One captured step, synthesized on its own footprints.

    Args:
        space: The step space.
        row: The captured step.
        selector: Selects the steps to blend.
        solved: Whether feet are put on their footprints; else the blend alone is returned.

    Returns:
        The blend, world positions of the joints at the samples of the captured step, and whether the request
        lies in the hull.
    """
    plan = own_plan(space.left, row)
    planned = space.planned(plan)
    selections = space.selected(planned, selector, from_stand=False, to_stand=False)
    blend = space.blended(planned, selections)[0]
    inside = selections[0].inside
    if not solved:
        return blend, joints_of(space, blend.body[:, ROOT], space.channels.rotations(blend.body)), inside
    steps = laid(planned, [blend], space.left.durations[row : row + 1])
    frames = np.arange(int(np.ceil(steps.seconds[0] * FPS)) + 1) / FPS
    motion, _ = performed(space.stage, planned, joined(planned, steps, (None, None)), frames, FPS)
    return blend, at_times(motion, steps.times[0]).positions, inside


def joints_of(
    space: StepSpace, root: Float[np.ndarray, "samples 3"], rotations: Float[np.ndarray, "samples joints 4"]
) -> Float[np.ndarray, "samples joints 3"]:
    """World positions of the joints."""
    return kinematics.forward(space.skeleton.tree, space.skeleton.offsets, root, rotations)[0]


def distances(
    space: StepSpace, row: int, positions: Float[np.ndarray, "samples joints 3"]
) -> Float[np.ndarray, "joints"]:
    """Distance of each joint from the captured step's, mean over the duration of the step, in metres."""
    table = space.left
    real = joints_of(space, table.root[row], table.rotations[row])
    lasts = durations_of_samples(table.durations[row])
    return lasts @ np.linalg.norm(positions - real, axis=-1) / lasts.sum()


def durations_of_samples(durations: Float[np.ndarray, "3"]) -> Float[np.ndarray, "samples"]:
    """The time that each sample of a step stands for, in seconds."""
    gaps = np.diff(sample_times(durations[None])[0])
    return 0.5 * (np.append(gaps, 0.0) + np.insert(gaps, 0, 0.0))


def counted(skeleton: Skeleton) -> list[int]:
    """The root and every joint with a bone."""
    return [j for j in range(len(skeleton)) if j == 0 or skeleton.bone_lengths[j] > BONE]


def body_parts(skeleton: Skeleton) -> dict[str, list[int]]:
    """Counted joints of the whole body ("all"), the legs, the arms and the trunk."""
    tops = {
        skeleton.joint(f"{side}_{name}"): part
        for part, names in PARTS.items()
        for side in SIDES
        for name in names
        if skeleton.has(f"{side}_{name}")
    }
    part_of: list[str] = []
    for joint in range(len(skeleton)):
        parent = int(skeleton.parents[joint])
        part_of.append(tops.get(joint, part_of[parent] if parent >= 0 else TRUNK))
    kept = counted(skeleton)
    return {"all": kept} | {part: [j for j in kept if part_of[j] == part] for part in (*PARTS, TRUNK)}
