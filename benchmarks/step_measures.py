"""Random plans through a step space, judged from the saved file alone, and the rings of plain blending.

A file tells no contacts. A foot rests where its subtalar stays in place for some frames; a plan is met where
its footprints, in their order, lie on such rests.
"""

from __future__ import annotations

import re
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from jaxtyping import Float
from step_plans import KINDS, random_plans
from tests.captured import ROWS, captured

import footfall as ff
from footfall.adapt.foot_roll import print_under
from footfall.errors import RequestError
from footfall.figure import kinematics
from footfall.figure.contacts import SIDES, runs_of
from footfall.figure.motion import Motion
from footfall.figure.sole import Sole
from footfall.figure.soles import sole_places
from footfall.models.stepspace.body_channels import ROOT
from footfall.models.stepspace.build import build_step_space
from footfall.models.stepspace.model import FollowedPlan, StepSpace
from footfall.models.stepspace.selection import Selector
from footfall.world.foot_plan import FootPlan
from footfall.world.plane import FlatTerrain

SUBJECTS, FOLDERS = ("69", "16", "143", "83"), ("turn-side-back", "walk", "steps")
LEVEL = 0.03  # m by which prints of a level step lie higher or lower than its support's
STEPS = 24
MIXES: dict[str, tuple[str, ...] | None] = {
    "mixed": None,
    **{kind: (kind,) for kind in KINDS},
    "forward, backward, forward": ("forward", "backward", "forward"),
}
LOWEST = 0.05  # m: a step for which the pelvis comes down more is not reachable
# A foot that moves less, for so long, rests. A heel begins to rise as smoothly as it may: at 2e-5 m a frame
# its first frames would count as rest and shift the mean by as much; nine decimals tell them apart.
STILL, RESTS = 1e-6, 3  # m a frame, frames
REFUSED = re.compile(r"steps\[(\d+)\]")


@dataclass(frozen=True)
class PlanFigures:
    """One plan, followed."""

    mix: str
    number: int
    steps: int
    unreachable: int  # steps
    placement: float  # m, in the saved file
    slide: float  # m
    penetration: float  # m
    extension: float
    ratio: float
    lowered_mean: float  # m
    lowered_max: float  # m
    rings: float  # m, mean miss of plain rotational blending over the steps inside the hull
    refused: str = ""  # why, where a step was; what is judged is then the plan up to it


def capture_files() -> list[str]:
    """The four subjects' clips, subject 69's first: all are brought to its figure. The builder omits runs."""
    return [
        file
        for subject in SUBJECTS
        for folder in FOLDERS
        for file in sorted(ROWS)
        if file.endswith(".bvh") and file.startswith(f"{folder}/{subject}_")
    ]


def subject_of(file: str) -> int:
    return int(Path(file).name.split("_")[0])


@cache
def real_space() -> StepSpace:
    return build_step_space([captured(file) for file in capture_files()], candidates=False)


@cache
def actor_space() -> StepSpace:
    return build_step_space(ff.VirtualActor().perform("stepping"), candidates=False)


def level_steps(space: StepSpace) -> dict[str, Float[np.ndarray, "n 10"]]:
    """S_high of the steps on level ground, by swing foot."""
    level = np.abs(space.left.rises).max(axis=1) < LEVEL
    return {side: own.table.high[level] for side, own in zip(SIDES, space.sides, strict=True)}


def plans_of(space: StepSpace, count: int) -> Iterator[tuple[str, int, FootPlan]]:
    """So many plans: a share of each kind alone, and the rest mixed."""
    steps = level_steps(space)
    each = count // len(MIXES)
    for seed, (mix, kinds) in enumerate(MIXES.items()):
        own = count - each * (len(MIXES) - 1) if mix == "mixed" else each
        for number, plan in enumerate(random_plans(steps, own, steps=STEPS, seed=seed, kinds=kinds)):
            yield mix, number, plan


def plan_figures(space: StepSpace, mix: str, number: int, plan: FootPlan) -> PlanFigures:
    plan, refused = walkable(space, plan)
    made = space.follow(plan)
    told = ff.certificate(made, plan=plan, terrain=FlatTerrain(), reference=space.reference)
    assert made.lowered is not None
    return PlanFigures(
        mix=mix,
        number=number,
        steps=len(plan) - 2 + bool(refused),
        unreachable=int((lowered_by_step(made) > LOWEST).sum()) + bool(refused),
        placement=placement_error(through_file(made), plan),
        slide=known(told.slide_max_m),
        penetration=known(told.penetration_max_m),
        extension=known(told.leg_extension_max),
        ratio=known(told.acceleration_ratio),
        lowered_mean=float(made.lowered.mean()),
        lowered_max=float(made.lowered.max()),
        rings=float(np.mean(plain_misses(space, plan, space.selector("containing")) or [np.nan])),
        refused=refused,
    )


def known(value: float | None) -> float:
    return np.nan if value is None else value


def walkable(space: StepSpace, plan: FootPlan) -> tuple[FootPlan, str]:
    """The plan, or what precedes the step at which it is refused, and why that is."""
    try:
        space.follow(plan)
    except RequestError as error:
        named = REFUSED.search(str(error))
        if named is None or int(named[1]) < 3:
            raise
        return FootPlan(plan.placements[: int(named[1])]), str(error)
    return plan, ""


def lowered_by_step(made: FollowedPlan) -> Float[np.ndarray, "steps"]:
    """How far the pelvis comes down in each step; a stand belongs to the step beside it."""
    assert made.lowered is not None
    begins = np.array(made.begins)
    step = np.searchsorted(begins, np.arange(len(made)) / made.fps + 1e-9, side="right") - 1
    most = np.zeros(len(begins))
    np.maximum.at(most, np.maximum(step, 0), made.lowered)
    return most


def through_file(made: Motion) -> dict[str, Float[np.ndarray, "frames 3"]]:
    """Subtalar paths as a saved BVH gives them to whoever knows the foot points."""
    feet = {side: made.skeleton.foot_points(side) for side in SIDES}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made.bvh"
        ff.save_motion(made, path)
        again = ff.load_motion(path)
    again = Motion(again.skeleton.with_feet(**feet), again.root, again.rotations, again.fps)
    return {side: sole_places(again, side)[:, 1] for side in SIDES}


def through_pybvh(made: Motion) -> dict[str, Float[np.ndarray, "frames 3"]]:
    """The same by another reader; the foot's turn is the product of its parents' matrices."""
    import pybvh

    skeleton = made.skeleton
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder) / "made.bvh"
        ff.save_motion(made, path)
        file = pybvh.read_bvh_file(str(path))
        places, turns = file.joint_positions(), file.to_rotmat()[1]
    order = [list(file.joint_names).index(name) for name in skeleton.names]
    found = {}
    for side in SIDES:
        foot = joint = skeleton.joint(f"{side}_foot")
        away = np.tile(skeleton.foot_points(side).subtalar, (len(places), 1))
        while joint >= 0:
            away = np.einsum("fij,fj->fi", turns[:, order[joint]], away)
            joint = int(skeleton.parents[joint])
        found[side] = places[:, order[foot]] + away
    return found


def placement_error(subtalar: dict[str, Float[np.ndarray, "frames 3"]], plan: FootPlan) -> float:
    """The largest distance of a planned footprint from where its foot rested in its turn."""
    return max(
        in_turn(np.array([p.position for p in plan.of(side)]), rests_of(path))
        for side, path in subtalar.items()
    )


def rests_of(path: Float[np.ndarray, "frames 3"]) -> Float[np.ndarray, "rests 3"]:
    """Mean places of the spells in which a point hardly moves."""
    still = np.linalg.norm(np.diff(path, axis=0), axis=1) < STILL
    spells = [path[first : last + 1] for first, last in runs_of(still) if last + 1 - first >= RESTS]
    return np.array([spell.mean(axis=0) for spell in spells]).reshape(-1, 3)


def in_turn(prints: Float[np.ndarray, "n 3"], rests: Float[np.ndarray, "m 3"]) -> float:
    """The worst distance when each print is given a rest, in their order, as well as can be; else infinite.

    A foot may rest twice in one print, so there may be more rests than prints.
    """
    away = np.linalg.norm(prints[:, None] - rests[None], axis=-1)
    worst = np.zeros(len(rests) + 1)  # of the prints so far, with the first so many rests
    for row in away:
        found = np.minimum.accumulate(np.maximum(worst[:-1], row))
        worst = np.concatenate([[np.inf], found])
    return float(worst[-1])


def plain_misses(space: StepSpace, plan: FootPlan, chooser: Selector) -> list[float]:
    """How far from its print each swing foot lands when orientations are blended and nothing else is done.

    The red rings of [stepping] figure 7, for the steps inside the hull; each seen from its support print.
    """
    planned = space.planned(plan)
    selections = space.selected(planned, chooser, from_stand=True, to_stand=True)
    blends = space.blended(planned, selections)
    targets = planned.beside()[0][:, 1]
    landed = landings(space, np.stack([b.body[-1] for b in blends]), planned.feet.tolist())
    away = np.linalg.norm((landed - targets)[:, [0, 2]], axis=1)
    walked = [selection.inside and not selection.runs for selection in selections]
    return [float(d) for d, counts in zip(away, walked, strict=True) if counts]


def landings(
    space: StepSpace, body: Float[np.ndarray, "steps channels"], feet: Sequence[int]
) -> Float[np.ndarray, "steps 3"]:
    """The prints of swing feet, as the body alone has them."""
    skeleton, rotations = space.skeleton, space.channels.rotations(body)
    places, turns = kinematics.forward(skeleton.tree, skeleton.offsets, body[:, ROOT], rotations)
    found = np.empty((len(body), 3))
    for k, foot in enumerate(feet):
        joint, sole = skeleton.joint(f"{SIDES[foot]}_foot"), Sole.of(skeleton, SIDES[foot])
        found[k] = print_under(places[k, joint], turns[k, joint], sole)[0]
    return found
