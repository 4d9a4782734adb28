"""[stepping] van Basten, Stüvel and Egges 2011: what the paper says of its steps, on finished motions.

Figures 5, 7, 9 and 10, on parts of the actor's session and on captures. Places of feet are found here from
local turns alone, by scipy, not by the library's kinematics. Table 1 is in test_stepping_selection.py.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import groupby
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from benchmarks.step_plans import random_plans
from jaxtyping import Float
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

import footfall as ff
from footfall.adapt.one_figure import CleanClip, on_one_figure
from footfall.align.smooth_time import cubics, time_at
from footfall.analysis.extract_plan import extract_plan
from footfall.analysis.plants import detect_plants
from footfall.analysis.steps import Step, detect_steps
from footfall.figure.contacts import SIDES
from footfall.figure.motion import Motion
from footfall.figure.resample import at_times
from footfall.models.stepspace.build import build_step_space
from footfall.models.stepspace.low_space import MIRRORED, TOGETHER, low_axis, low_places
from footfall.models.stepspace.model import SELECTOR, FollowedPlan, StepSpace
from footfall.models.stepspace.selection import PAPER_METRIC, Selection, StepQuery, blended_high, distances
from footfall.models.stepspace.selectors import SELECTORS
from footfall.world.foot_plan import FootPlacement, FootPlan
from tests.captured import captured
from tests.captures import needs_captures
from tests.models.stepspace.spaces import small_space

EXACT = 1e-9  # m
CAPTURES = (  # forward, backward, aside, across; three people
    "turn-side-back/69_01.bvh",
    "turn-side-back/69_36.bvh",
    "turn-side-back/69_57.bvh",
    "walk/16_16.bvh",
    "turn-side-back/16_19.bvh",
    "turn-side-back/143_40.bvh",
)
SPACES = ["actor", pytest.param("captures", marks=needs_captures)]
NUDGE = np.array([0.01, 0.008, -0.012, 0.009])  # m, off the corner that a captured step is
BACK_AND_FORTH = ("forward", "backward", "forward")


@cache
def captured_space() -> StepSpace:
    return build_step_space([captured(file) for file in CAPTURES])


def space_of(name: str) -> StepSpace:
    return small_space() if name == "actor" else captured_space()


@cache
def measures() -> ModuleType:
    """The benchmark's own, whose files import each other as scripts do."""
    sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
    return importlib.import_module("step_measures")


@cache
def plans(name: str, kinds: tuple[str, ...] | None = None, count: int = 4) -> tuple[FootPlan, ...]:
    high = space_of(name).left.high
    both = {"left": high, "right": high * MIRRORED}
    return tuple(random_plans(both, count, steps=12, seed=5, kinds=kinds))


def kinds_of(space: StepSpace) -> np.ndarray:
    return np.array([name.split()[1] for name in space.left.names])


def feet_of(motion: Motion, side: str) -> tuple[Float[np.ndarray, "frames 3"], Float[np.ndarray, "frames"]]:
    """Subtalar places and headings, by matrices multiplied along the chain from the root to the foot."""
    skeleton = motion.skeleton
    chain = [skeleton.joint(f"{side}_foot")]
    while skeleton.parents[chain[-1]] >= 0:
        chain.append(int(skeleton.parents[chain[-1]]))
    points = skeleton.foot_points(side)
    place, turn = np.array(motion.root), None
    for joint in reversed(chain):
        own = Rotation.from_quat(motion.rotations[:, joint], scalar_first=True)
        place = place if turn is None else place + turn.apply(np.array(skeleton.offsets[joint]))
        turn = own if turn is None else turn * own
    assert turn is not None
    along = turn.apply(points.ball - points.heel)
    return place + turn.apply(np.array(points.subtalar)), np.arctan2(along[:, 0], along[:, 2])


def lain_in(motion: FollowedPlan, plan: FootPlan, *, stands: bool = True) -> float:
    """How far the subtalar of a flat foot ever is from its print; every print must have its turn.

    A plan that neither starts in a stand nor ends in one need not show a foot flat where it first leaves and
    where it last lands.
    """
    assert motion.contacts is not None
    worst = 0.0
    for side in SIDES:
        places, headings = feet_of(motion, side)
        flat = np.flatnonzero(motion.contacts.flat(side))
        prints = plan.of(side)
        away = np.linalg.norm(places[flat, None] - np.array([p.position for p in prints]), axis=-1)
        nearest = away.argmin(axis=1)
        assert (np.diff(nearest) >= 0).all(), "prints are taken in their order"
        left_out = set(range(len(prints))) - set(nearest.tolist())
        assert left_out <= (set() if stands else {0, len(prints) - 1}), "each print is lain in"
        worst = max(worst, float(away.min(axis=1).max()))
        asked = np.array([p.heading for p in prints], dtype=float)[nearest]
        kept = np.isfinite(asked)  # where the plan says how
        assert_allclose(np.exp(1j * headings[flat])[kept], np.exp(1j * asked)[kept], atol=1e-7)
    return worst


@pytest.mark.parametrize("name", SPACES)
@pytest.mark.parametrize("selector", sorted(SELECTORS))
def test_foot_placement_is_exact_whatever_is_blended(name: str, selector: str) -> None:
    """Abstract: "exact control of foot placement", whichever examples are taken (1.2, 7)."""
    space = space_of(name)
    for plan in (*plans(name), *plans(name, BACK_AND_FORTH, 1)):
        motion = space.follow(plan, selector=selector)
        assert lain_in(motion, plan) < EXACT
        told = motion.certificate()
        assert told.placement_max_m is not None
        assert told.placement_max_m < EXACT


@pytest.mark.parametrize(
    ("name", "mean", "worst"),
    [("actor", 0.01, 0.08), pytest.param("captures", 0.02, 0.1, marks=needs_captures)],
)
def test_plain_rotational_blending_misses_by_centimetres(name: str, mean: float, worst: float) -> None:
    """Figure 7: the same weights and steps, orientations blended and nothing else done; ours is exact."""
    space = space_of(name)
    missed = [
        miss
        for plan in (*plans(name), *plans(name, BACK_AND_FORTH), *plans(name, ("cross",)))
        for miss in measures().plain_misses(space, plan, space.selector("containing"))
    ]
    assert len(missed) > 40
    assert np.mean(missed) > mean
    assert np.max(missed) > worst
    # the measure itself misses nothing: a captured step alone lands on its own print
    ends = np.stack([side.body[:, -1] for side in space.sides])
    for foot, side in enumerate(space.sides):
        landed = measures().landings(space, ends[foot], [foot] * len(ends[foot]))
        away = np.linalg.norm((landed - side.table.places[:, 1])[:, [0, 2]], axis=1)
        assert np.median(away) < 0.2 * np.mean(missed)


def twins(space: StepSpace) -> Iterator[tuple[StepQuery, StepQuery]]:
    """Cross steps, and the same places about a support foot that is turned: steps of another kind."""
    for row in np.flatnonzero(kinds_of(space) == "cross"):
        cross = np.array(space.left.high[row])
        cross[:4] += NUDGE
        # where the first placement lies beside the support foot, as in any step, nothing is to be turned
        if np.hypot(*cross[:2]) > TOGETHER and abs(low_axis(cross)) > np.radians(60.0):
            normal = np.array(cross)
            normal[:4] = low_places(cross)
            yield StepQuery(cross), StepQuery(normal)


@pytest.mark.parametrize("name", SPACES)
def test_a_cross_step_and_a_normal_step_can_be_identical_in_s_low(name: str) -> None:
    """Figure 5: S_low cannot tell them apart, and neither can the containing tetrahedron; S_high can."""
    space = space_of(name)
    high, cross = space.left.high, kinds_of(space) == "cross"
    containing, default = space.selector("containing"), space.selector(SELECTOR)
    met = 0
    for pair in twins(space):
        assert_allclose(pair[0].low, pair[1].low, atol=1e-12)
        nearest = [int(distances(high, query, PAPER_METRIC).argmin()) for query in pair]
        assert nearest[0] != nearest[1]
        one, other = (containing.select(query) for query in pair)
        if not one.inside:
            continue
        met += 1
        assert shared(one, other) > 1.0 - 1e-9
        ours = [default.select(query) for query in pair]
        assert shared(*ours) < 0.5
        far = [
            [blend_apart(space, q, c) for q, c in zip(pair, two, strict=True)] for two in (ours, (one, other))
        ]
        assert max(far[0]) < 0.2
        assert max(far[1]) > 3.0 * max(far[0])
        if name == "actor":  # whose cross steps are of one kind: turned, they are no longer any
            crossing = [float(c.weights[cross[c.steps]].sum()) for c in ours]
            assert crossing[0] > 0.95
            assert crossing[1] < 0.5
    assert met >= 3


def shared(one: Selection, other: Selection) -> float:
    """The share of weight that two selections give to the same steps."""
    weights = dict(zip(other.steps.tolist(), other.weights.tolist(), strict=True))
    return sum(min(w, weights.get(k, 0.0)) for k, w in zip(one.steps.tolist(), one.weights, strict=True))


def blend_apart(space: StepSpace, query: StepQuery, chosen: Selection) -> float:
    """How far the blended placements are from those asked for, as the support foot sees them, m."""
    blend = blended_high(space.left.high, chosen.steps, chosen.weights, chosen.frame)
    return float(np.linalg.norm((blend - query.high)[:4]))


def back_and_forth() -> FootPlan:
    """Figure 10: four steps forward, four backward, four forward, each four to a stand; no headings."""
    ways = [0.0, 0.0, 0.35, 0.75, 1.1, 1.1, 0.75, 0.4, 0.05, 0.05, 0.4, 0.8, 1.15, 1.15]
    feet = [SIDES[k % 2] for k in range(len(ways))]
    return FootPlan(
        tuple(
            FootPlacement(foot, np.array([0.09 if foot == "left" else -0.09, 0.0, z]))
            for foot, z in zip(feet, ways, strict=True)
        )
    )


@pytest.mark.parametrize("name", SPACES)
def test_forward_backward_forward_comes_out(name: str) -> None:
    """Figure 10: twelve steps that change their way twice; 9.0 s in the paper."""
    space, plan = space_of(name), back_and_forth()
    motion = space.follow(plan)
    assert lain_in(motion, plan) < EXACT
    begins = [*motion.begins, (len(motion) - 1) / motion.fps]
    frames = np.rint(np.array(begins) * motion.fps).astype(int)
    gone = np.diff(motion.of("hips")[frames, 2])
    far = np.sign(gone[np.abs(gone) > 0.15])  # m: what is less is a change of way
    assert [way for way, _ in groupby(far.tolist())] == [1.0, -1.0, 1.0]
    assert len(far) >= 8
    headings = [feet_of(motion, side)[1] for side in SIDES]
    assert max(np.abs(h).max() for h in headings) < 0.6  # the character never turns round
    toe_out = [np.median(headings[0]), -np.median(headings[1])]  # some people's feet point inward
    assert_allclose(toe_out, space.toe_out, atol=0.05)
    assert 6.0 < len(motion) / motion.fps < 12.0
    told = motion.certificate()
    assert told.acceleration_ratio is not None
    assert told.acceleration_ratio < 2.0
    assert told.slide_max_m is not None
    assert told.slide_max_m < 1e-6


@pytest.mark.parametrize("name", SPACES)
def test_steps_last_as_long_as_the_examples_do(name: str) -> None:
    """Section 6: 0.59 s on average; here as long as what was blended, swing and stances."""
    space = space_of(name)
    for plan in plans(name):
        motion = space.follow(plan)
        own = space.left.durations.sum(axis=1)
        blended = [float(s.weights @ own[s.steps]) for s in motion.selections]
        lasted = np.diff(motion.begins)
        assert abs(lasted.mean() / np.mean(blended[:-1]) - 1.0) < 0.1
        assert own.min() < lasted.min()
        assert lasted.max() < own.max() + 0.3  # the first comes out of a stand


@pytest.mark.parametrize("name", SPACES)
def test_the_same_plan_gives_the_same_bytes(name: str, tmp_path: Path) -> None:
    """Again, from a file, and from a space that has kept nothing of the first time."""
    space, plan = space_of(name), plans(name)[0]
    (tmp_path / "plan.json").write_bytes(plan.encode())
    fresh = StepSpace(space.left, space.posture, space.reference, space.candidates)
    made = [space.follow(plan), space.follow(plan), fresh.follow(plan)]
    files = []
    for k, motion in enumerate(made):
        ff.save_motion(motion, tmp_path / f"{k}.bvh")
        files.append((tmp_path / f"{k}.bvh").read_bytes())
        assert motion.rotations.tobytes() == made[0].rotations.tobytes()
        assert motion.root.tobytes() == made[0].root.tobytes()
    assert files[0] == files[1] == files[2]
    ff.save_motion(space.follow(FootPlan.load(tmp_path / "plan.json")), tmp_path / "read.bvh")
    read = ff.load_motion(tmp_path / "read.bvh")
    for joint, called in enumerate(space.skeleton.names):
        own = read.positions[:, read.skeleton.names.index(called)]
        assert_allclose(own, made[0].positions[:, joint], atol=1e-7)


@cache
def clean_captures() -> tuple[CleanClip, ...]:
    return tuple(on_one_figure([captured(file) for file in CAPTURES]))


def steps_of(motion: Motion) -> list[Step]:
    assert motion.contacts is not None
    return list(detect_steps(motion, detect_plants(motion, motion.contacts)))


def joints_in(motion: Motion, step: Step) -> Float[np.ndarray, "phases joints 3"]:
    times = time_at(np.linspace(0.0, 3.0, 31), cubics(np.array(step.keytimes) / motion.fps))
    return at_times(motion, times).positions


def apart(real: Motion, made: Motion) -> tuple[float, int]:
    """Mean distance of all joints in the world at equal phases of the same steps, and how many were met."""
    far, ours = [], steps_of(made)
    for step in steps_of(real):
        for other in ours:
            ends = [(step.origin, other.origin), (step.target, other.target)]
            if all(a.foot == b.foot and np.linalg.norm(a.position - b.position) < 0.03 for a, b in ends):
                far.append(np.linalg.norm(joints_in(real, step) - joints_in(made, other), axis=-1).mean())
                break
    return float(np.mean(far)), len(far)


@needs_captures
@pytest.mark.parametrize(
    ("file", "known", "unknown"),
    [
        ("turn-side-back/69_36.bvh", 0.03, 0.09),
        ("turn-side-back/69_57.bvh", 0.03, 0.08),
        ("turn-side-back/16_19.bvh", 0.04, 0.09),
    ],
)
def test_a_plan_from_a_capture_gives_the_capture_back(file: str, known: float, unknown: float) -> None:
    """Figure 9: a plan extracted from recorded motion. With the clip among the examples, and without it."""
    space, number = captured_space(), CAPTURES.index(file)
    clip = clean_captures()[number]
    real = replace(clip.motion, contacts=clip.seen)
    plan = extract_plan(real)
    others = np.flatnonzero(space.left.clips != number)
    without = StepSpace(space.left.taken(others), space.posture, space.reference)
    far = []
    for own in (space, without):
        made = own.follow(plan, fps=120.0, from_stand=False, to_stand=False)
        assert lain_in(made, plan, stands=False) < EXACT
        mean, met = apart(real, made)
        assert met >= 0.9 * len(steps_of(real)) - 1
        far.append(mean)
    assert far[0] < known
    assert far[0] < far[1] < unknown
