"""Plans that begin and end in the middle of a run: run from the first frame to the last, prints exact."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import footfall as ff
from footfall.figure.contacts import SIDES, runs_of
from footfall.models.stepspace.following import Following
from footfall.models.stepspace.model import FollowedPlan, StepSpace
from footfall.models.stepspace.performed import performed
from footfall.world.foot_plan import FootPlan
from tests.captures import captures, needs_captures
from tests.models.stepspace.judges import moved, reflected, run_plan, sole_of
from tests.models.stepspace.plain_frames import plainly_performed
from tests.models.stepspace.spaces import running_space

RUNS = ("16_35", "16_36", "16_45", "16_46", "35_17", "35_24", "09_06")
WALKS = ("16_16", "16_21", "16_47")
MORE = 1.25  # times as fast, as steps differ from each other; what pops is many times as fast
OPEN = {"from_stand": False, "to_stand": False}


def middle(first: int = 6, prints: int = 9, stride: float = 1.1) -> FootPlan:
    """Prints out of the middle of a run."""
    return FootPlan(run_plan(24, stride).placements[first : first + prints])


def assert_is_a_run(made: FollowedPlan, plan: FootPlan, fps: float) -> None:
    """Judged by scipy's feet alone: every stand exact and still, one foot at a time, the ends on a foot."""
    assert made.contacts is not None
    assert all(s.runs for s in made.selections)
    stands = {side: made.contacts.stands(side) for side in SIDES}
    assert not (stands["left"] & stands["right"]).any()
    steps = plan.steps()
    supports = [(plan.placements[s.support].foot, s.support) for s in steps]
    found = sorted((first, last, side) for side in SIDES for first, last in runs_of(stands[side]))
    assert [side for _, _, side in found] == [foot for foot, _ in supports]
    assert found[0][0] == 0  # it begins as the first support foot lands and ends as the last one leaves
    assert found[-1][1] == len(made)
    for (first, last, side), (_, number) in zip(found, supports, strict=True):
        flat = np.flatnonzero(made.contacts.flat(side)[first:last]) + first
        assert len(flat)
        away = sole_of(made, side)["subtalar"][flat] - plan.placements[number].position
        assert np.abs(away).max() < 1e-9
    flights = [b[0] - a[1] for a, b in pairwise(found)]
    assert all(frames >= 1 for frames in flights) or fps < 60.0


@settings(max_examples=10, deadline=None)
@given(st.integers(4, 9), st.integers(4, 9), st.floats(1.0, 1.2), st.sampled_from([60.0, 100.0, 120.0]))
def test_the_middle_of_a_run_is_a_run(first: int, prints: int, stride: float, fps: float) -> None:
    plan = middle(first, prints, stride)
    made = running_space().follow(plan, fps=fps, **OPEN)
    assert_is_a_run(made, plan, fps)
    judged = made.certificate()
    assert judged.placement_max_m is not None
    assert judged.placement_max_m < 1e-9
    assert judged.slide_max_m < 1e-9
    assert judged.acceleration_ratio is not None
    assert judged.acceleration_ratio < 2.0
    assert made.begins[0] == 0.0
    assert np.all(np.diff(made.begins) > 0.0)


def test_nothing_pops_at_either_end() -> None:
    """Joints go hardly faster in the first and the last frames than they ever do in the middle."""
    made = running_space().follow(middle(prints=12), fps=120.0, **OPEN)
    speed = np.linalg.norm(np.diff(made.positions, axis=0), axis=-1) * 120.0
    change = np.linalg.norm(np.diff(made.positions, 2, axis=0), axis=-1) * 120.0**2
    for values in (speed, change):
        assert (values[:8].max(axis=0) <= MORE * values[8:-8].max(axis=0) + 1e-6).all()
        assert (values[-8:].max(axis=0) <= MORE * values[8:-8].max(axis=0) + 1e-6).all()


def test_inner_steps_are_those_of_a_longer_run() -> None:
    """What is cut off an end hardly changes the steps that are far from it."""
    space = running_space()
    long, short = (space.follow(middle(6, n), fps=120.0, **OPEN) for n in (12, 8))
    frames = int(0.7 * len(short))
    away = np.linalg.norm(long.positions[:frames] - short.positions[:frames], axis=-1)
    assert away.max() < 0.02


def test_a_mirrored_or_moved_plan_gives_the_mirrored_or_moved_run() -> None:
    space, plan = running_space(), middle()
    own = space.follow(plan, **OPEN)
    shift = np.array([3.0, 0.4, -2.0])
    there = space.follow(moved(plan, 0.0, shift), **OPEN)
    assert_allclose(there.positions, own.positions + shift, atol=1e-6)
    seen = space.follow(reflected(plan), **OPEN)
    assert len(seen) == len(own)
    assert_allclose(seen.root, own.root * [-1.0, 1.0, 1.0], atol=1e-6)


@pytest.mark.parametrize(("from_stand", "to_stand"), [(True, False), (False, True)])
def test_one_end_may_be_open(from_stand: bool, to_stand: bool) -> None:
    whole = run_plan(20).placements
    plan = FootPlan(whole[:14] if from_stand else whole[7:])
    made = running_space().follow(plan, from_stand=from_stand, to_stand=to_stand)
    runs = [s.runs for s in made.selections]
    assert runs[0] is not from_stand
    assert runs[-1] is not to_stand
    assert made.certificate().placement_max_m < 1e-9  # type: ignore[operator]
    assert made.contacts is not None
    both = made.contacts.stands("left") & made.contacts.stands("right")
    assert both[0] == from_stand
    assert both[-1] == to_stand


def test_compiled_frames_are_the_plain_ones() -> None:
    space, plan = running_space(), middle()
    made = Following.of(space, plan, space.wishes(60.0, False, False, "fitted", None, 0.25))
    planned, steps = made.joined()
    one, other = (
        way(space.stage, planned, steps, made.times, 60.0, None) for way in (performed, plainly_performed)
    )
    assert_allclose(one[0].root, other[0].root, atol=1e-9)
    assert_allclose(one[0].rotations, other[0].rotations, atol=1e-9)


def test_asked_swings_are_given_and_what_is_cut_off_is_said() -> None:
    plan = middle(prints=6)
    times = [{"swing": 0.5, "stance": 0.2} if k >= 2 else {"stance": 0.2} for k in range(len(plan))]
    asked = FootPlan(tuple(replace(p, **t) for p, t in zip(plan.placements, times, strict=True)))
    made = running_space().follow(asked, fps=240.0, **OPEN)
    assert not any("swing" in words for words in made.clamped)
    assert "steps[0]: a stance of 0.20 s was asked, none is given" in made.clamped
    assert f"steps[{len(plan) - 1}]: a stance of 0.20 s was asked, none is given" in made.clamped
    assert made.contacts is not None
    first, last = runs_of(made.contacts.stands(plan.placements[1].foot))[0]
    given = [w for w in made.clamped if w.startswith("steps[1]: a stance")]
    seconds = float(given[0].split(",")[1].split()[0]) if given else 0.2
    assert (last - first) / 240.0 == pytest.approx(seconds, abs=0.025)


def test_prints_that_are_not_lain_in_are_said_and_not_judged() -> None:
    space, plan = running_space(), middle(prints=7)
    made = space.follow(plan, **OPEN)
    assert made.plan is not None
    assert [id(p) for p in made.plan.placements] == [id(p) for p in plan.placements[1:-1]]
    assert "steps[0]: the motion begins after the foot lay in it" in made.clamped
    assert "steps[6]: the motion ends before the foot lies in it" in made.clamped
    assert not any("foot l" in words for words in space.follow(run_plan()).clamped)


def test_a_walk_that_ends_before_its_last_print_says_so() -> None:
    """Whether a foot lies is judged from the contacts: what is said and what is promised share all prints."""
    plan = FootPlan(run_plan(7, 0.5).placements)
    for stands in (OPEN, {"from_stand": True, "to_stand": False}, {"from_stand": False, "to_stand": True}):
        made = running_space().follow(plan, **stands)
        assert made.plan is not None
        said = {int(w[6]) for w in made.clamped if "the motion" in w}
        kept = {k for k, p in enumerate(plan.placements) if any(p is q for q in made.plan.placements)}
        assert said | kept == set(range(len(plan)))
        assert not said & kept
        assert not (stands["to_stand"] and len(plan) - 1 in said)
        for k in kept:
            side, place = plan.placements[k].foot, plan.placements[k].position
            assert made.contacts is not None
            flat = sole_of(made, side)["subtalar"][made.contacts.flat(side)]
            assert np.linalg.norm(flat - place, axis=1).min() < 1e-9


def test_a_live_run_may_be_open() -> None:
    space, plan = running_space(), middle(prints=12)
    live = space.live(plan, **OPEN)
    before = live.motion
    assert all(s.runs for s in before.selections)
    there = plan.placements[2].position + np.array([0.02, 0.0, 0.03])
    live.move(2, position=there)
    after = live.motion
    assert after.certificate().placement_max_m < 1e-9  # type: ignore[operator]
    anew = space.live(live.plan, **OPEN).motion
    assert len(after) == len(anew)
    assert_allclose(after.positions, anew.positions, atol=1e-6)
    tail = len(after) // 3  # what is far from the change are the same frames
    assert_allclose(after.positions[-tail:], before.positions[-tail:], atol=1e-6)


def captured_space() -> StepSpace:
    paths = [*(f"walk/{name}.bvh" for name in WALKS), *(f"run/{name}.bvh" for name in RUNS[:4])]
    return ff.build_step_space([ff.load_motion(captures(path)) for path in paths], candidates=False)


@needs_captures
def test_captured_runs_are_run_again_from_end_to_end() -> None:
    space = captured_space()
    for name in RUNS:
        plan = ff.extract_plan(ff.load_motion(captures(f"run/{name}.bvh")))
        made = space.follow(plan, **OPEN)
        assert_is_a_run(made, plan, 60.0)
        judged = made.certificate()
        assert judged.placement_max_m is not None
        assert judged.placement_max_m < 1e-9
        assert judged.slide_max_m < 1e-9
        assert judged.acceleration_ratio is not None
        assert judged.acceleration_ratio < 1.5
        assert made.lowered is not None
        assert made.lowered.max() < 0.05


def test_a_stance_of_a_walked_step_is_given_beside_a_run() -> None:
    """Walked, run, walked again: a rest that is asked for where nobody runs is as long as asked."""
    plan = run_plan()
    runs = [s.runs for s in running_space().follow(plan).selections]
    assert any(runs)
    assert not runs[0]
    # the first print that is come to and left by steps that are walked
    walked = [
        (a.target, b.target)
        for k, a in enumerate(plan.steps())
        for j, b in enumerate(plan.steps())
        if b.origin == a.target and not any(runs[k : j + 1])
    ]
    number = walked[-1][0]
    asked = FootPlan(
        tuple(replace(p, stance=1.1) if k == number else p for k, p in enumerate(plan.placements))
    )
    made = running_space().follow(asked)
    assert [s.runs for s in made.selections] == runs
    assert not any(w.startswith(f"steps[{number}]: a stance") for w in made.clamped)
