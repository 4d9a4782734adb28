"""Real steps left out of a step space and asked for again: how far the joints are from the real ones.

A step is left out alone, or its whole clip with it; the rest is asked for a step with the same footprints,
headings and durations, which the product's own code lays on them. Both are looked at in the support print's
frame, at equal phases, and weighed by how long each sample lasts.
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
FPS = 120.0  # Hz at which a step is made, before it is looked at where the real one was sampled
BONE = 1e-6  # m; a joint on its parent is not counted twice
PARTS = {"legs": ("thigh",), "arms": ("clavicle", "upper_arm")}
TRUNK = "trunk"
KINDS = ("forward", "backward", "side", "cross")
PLAIN, IN_LOW, IN_HIGH = "plain rotational blend", "nearest in S_low + IK", "nearest in S_high + IK"
BETTER = {IN_LOW: 0.25, IN_HIGH: 0.10}  # bars of the default, with the whole clip left out


@dataclass(frozen=True, eq=False)
class NearestLow(OverSteps):
    """The one step that is nearest in S_low, laid on S_low's axis."""

    name: ClassVar[str] = IN_LOW

    def select(self, query: StepQuery) -> Selection:
        nearest = int(np.linalg.norm(self.space.low - query.low, axis=1).argmin())
        inside = self.space.locate(query.low) >= 0
        return Selection(np.array([nearest]), np.ones(1), "low", inside=inside, other=True)


@dataclass(frozen=True, eq=False)
class NearestHigh(OverSteps):
    """The one step that is nearest in S_high, laid on the support foot's heading."""

    name: ClassVar[str] = IN_HIGH

    def select(self, query: StepQuery) -> Selection:
        return replace(self.alone(query), inside=self.space.locate(query.low) >= 0)


@dataclass(frozen=True, eq=False)
class AmongOthers:
    """A selector over some of a table's steps, which names them as the whole table does."""

    chosen: Selector
    rows: Int[np.ndarray, "m"]

    @property
    def name(self) -> str:
        return self.chosen.name

    def select(self, query: StepQuery) -> Selection:
        found = self.chosen.select(query)
        return replace(found, steps=self.rows[found.steps])


Maker = Callable[[StepTable, LowSpace, BlendCandidates], Selector]
METHODS: dict[str, Maker] = {
    IN_LOW: NearestLow.make,
    IN_HIGH: NearestHigh.make,
    PLAIN: SELECTORS["containing"].make,
    **{name: kind.make for name, kind in SELECTORS.items()},
}


@dataclass(frozen=True, eq=False)
class Unlike:
    """Of every method and step left out: joint distances in metres, and what is known of the steps."""

    left_out: str  # "step" or "clip"
    methods: tuple[str, ...]
    parts: dict[str, Float[np.ndarray, "methods steps"]]  # "all" and each part of the body
    foot: Float[np.ndarray, "steps"]  # m, by which the plain blend's foot misses its print
    inside: Bool[np.ndarray, "steps"]  # the hull of the other steps
    kinds: tuple[str, ...]
    subjects: Int[np.ndarray, "steps"]

    def groups(self) -> Iterator[tuple[str, Bool[np.ndarray, "steps"]]]:
        """Which steps to take the mean over, by a name."""
        kinds = np.array(self.kinds)
        yield "all", np.ones(len(kinds), dtype=bool)
        yield "inside", self.inside
        yield "outside", ~self.inside
        yield from ((kind, kinds == kind) for kind in KINDS)
        yield from ((f"subject {who}", self.subjects == who) for who in PEOPLE)

    def mean(self, method: str, group: str = "all", part: str = "all") -> float:
        chosen = dict(self.groups())[group]
        own = self.parts[part][self.methods.index(method), chosen]
        return float(own.mean()) if len(own) else np.nan

    def better(self, than: str, group: str = "all", method: str = SELECTOR) -> float:
        """The share by which one method's distance is under another's."""
        return 1.0 - self.mean(method, group) / self.mean(than, group)


def unlike(space: StepSpace, *, clips: bool, every: int = 1) -> Unlike:
    """Level steps of the two subjects left out, of each so many one."""
    table = space.left
    people = np.array([subject_of(file) for file in capture_files()])[table.clips]
    level = np.abs(table.rises).max(axis=1) < LEVEL
    asked = np.flatnonzero(np.isin(people, PEOPLE) & level)[::every]
    parts = body_parts(space.skeleton)
    found = np.empty((len(METHODS), len(asked), 1 + len(parts)))
    foot, inside = np.empty(len(asked)), np.empty(len(asked), dtype=bool)
    for q, (row, choosers) in enumerate(choosers_without(table, asked, clips=clips)):
        for m, (name, chooser) in enumerate(choosers.items()):
            blend, positions, within = made_again(space, row, chooser, solved=name != PLAIN)
            far = distances(space, row, positions)
            found[m, q] = [
                far[joints].mean() for joints in ({"all": counted(space.skeleton)} | parts).values()
            ]
            if name == PLAIN:
                landed = landings(space, blend.body[-1:], [0])[0]
                foot[q] = float(np.hypot(*(landed - table.places[row, TARGET])[[0, 2]]))
                inside[q] = within
    return Unlike(
        "clip" if clips else "step",
        tuple(METHODS),
        {part: found[..., k] for k, part in enumerate(["all", *parts])},
        foot,
        inside,
        tuple(table.names[row].split()[1] for row in asked),
        people[asked],
    )


def choosers_without(
    table: StepTable, asked: Int[np.ndarray, "q"], *, clips: bool
) -> Iterator[tuple[int, dict[str, AmongOthers]]]:
    """Each step that is asked for, and every method over the others.

    Mirror images have their clip's number, so they go with it.
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
    """The plan of one captured step: its three prints and its times. Its support print is the origin."""

    def print_at(which: int, swing: float | None = None) -> FootPlacement:
        stance = float(table.stances[row, which])
        foot = SIDES[which == SUPPORT]
        return FootPlacement(foot, table.places[row, which], float(table.headings[row, which]), swing, stance)

    return FootPlan((print_at(ORIGIN), print_at(SUPPORT), print_at(TARGET, float(table.durations[row, 1]))))


def made_again(
    space: StepSpace, row: int, chooser: Selector, *, solved: bool
) -> tuple[Blend, Float[np.ndarray, "samples joints 3"], bool]:
    """The blend for a step's own plan, its joints at the step's samples, and whether it is in the hull.

    Not `solved` it is the blend alone, with no feet on prints.
    """
    plan = own_plan(space.left, row)
    planned = space.planned(plan)
    selections = space.selected(planned, chooser, from_stand=False, to_stand=False)
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
    return kinematics.forward(space.skeleton.tree, space.skeleton.offsets, root, rotations)[0]


def distances(
    space: StepSpace, row: int, positions: Float[np.ndarray, "samples joints 3"]
) -> Float[np.ndarray, "joints"]:
    """Mean distance of each joint from the real step's, over the time the step takes."""
    table = space.left
    real = joints_of(space, table.root[row], table.rotations[row])
    lasts = durations_of_samples(table.durations[row])
    return lasts @ np.linalg.norm(positions - real, axis=-1) / lasts.sum()


def durations_of_samples(durations: Float[np.ndarray, "3"]) -> Float[np.ndarray, "samples"]:
    """How much of a step's time each sample stands for."""
    gaps = np.diff(sample_times(durations[None])[0])
    return 0.5 * (np.append(gaps, 0.0) + np.insert(gaps, 0, 0.0))


def counted(skeleton: Skeleton) -> list[int]:
    """The root and every joint with a bone."""
    return [j for j in range(len(skeleton)) if j == 0 or skeleton.bone_lengths[j] > BONE]


def body_parts(skeleton: Skeleton) -> dict[str, list[int]]:
    """Counted joints of the legs, of the arms, and of what remains."""
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
    return {part: [j for j in kept if part_of[j] == part] for part in (*PARTS, TRUNK)}
