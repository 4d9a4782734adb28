"""Feet on prints: what stands does not move, soles are over the ground, no seam where feet leave and land."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from footfall.figure.contacts import SIDES, runs_of
from footfall.figure.sole import Sole
from footfall.models.stepspace.curves import Moments
from footfall.models.stepspace.feet import FootWay
from footfall.models.stepspace.foot_channels import SUPPORTING
from footfall.models.stepspace.joined import JoinedSteps
from footfall.models.stepspace.model import StepSpace
from footfall.models.stepspace.planned import PlannedSteps
from footfall.world.foot_plan import FootPlan
from footfall.world.plane import InclinedTerrain
from tests.models.stepspace.judges import drawn_plan, made_of, run_plan
from tests.models.stepspace.plain_feet import feet_on_prints
from tests.models.stepspace.spaces import running_space, small_space

FPS = 500.0
QUICKEST = 12.0  # m/s of an ankle
MOMENT = 1e-7  # s
SEEDS = st.integers(0, 300)


def starts_of(steps: JoinedSteps) -> np.ndarray:
    return np.concatenate([[0.0], np.cumsum(steps.times[:, -1])[:-1]])


def ways_at(
    space: StepSpace, planned: PlannedSteps, steps: JoinedSteps, times: np.ndarray
) -> dict[str, FootWay]:
    moments = Moments.of(times, starts_of(steps), steps.times)
    return feet_on_prints(space.stage.soles, planned, steps, moments)


@cache
def followed(seed: int, again: float = 0.0, uneven: float = 0.0) -> tuple[FootPlan, dict[str, FootWay]]:
    plan = drawn_plan(seed, again=again, uneven=uneven)
    _, planned, steps = made_of(small_space(), plan)
    times = np.arange(0.0, float(steps.times[:, -1].sum()), 1.0 / FPS)
    return plan, ways_at(small_space(), planned, steps, times)


def point(way: FootWay, local: np.ndarray) -> np.ndarray:
    turn = Rotation.from_quat(way.turn, scalar_first=True)
    return np.asarray(way.ankle + turn.apply(np.array(local)))


def sole_at(side: str) -> Sole:
    return Sole.of(small_space().skeleton, side)


@settings(max_examples=10, deadline=None)
@given(SEEDS, st.sampled_from([0.0, 0.3]), st.sampled_from([0.0, 0.12]))
def test_flat_feet_lie_in_their_prints(seed: int, again: float, uneven: float) -> None:
    plan, ways = followed(seed, again, uneven)
    for side, way in ways.items():
        sole, flat = sole_at(side), way.heel_down & way.toe_down
        prints = plan.of(side)
        away = np.linalg.norm(
            point(way, sole.subtalar)[flat][:, None] - np.array([p.position for p in prints]), axis=-1
        )
        assert away.min(axis=1).max() < 1e-9
        assert set(away.argmin(axis=1).tolist()) == set(range(len(prints)))  # each has its turn
        along = point(way, sole.ball)[flat] - point(way, sole.heel)[flat]
        asked = np.array([p.heading for p in prints], dtype=float)[away.argmin(axis=1)]
        assert_allclose(np.exp(1j * np.arctan2(along[:, 0], along[:, 2])), np.exp(1j * asked), atol=1e-9)
        assert_allclose(along[:, 1], 0.0, atol=1e-9)


@settings(max_examples=10, deadline=None)
@given(SEEDS, st.sampled_from([0.0, 0.3]))
def test_what_stands_does_not_move(seed: int, again: float) -> None:
    """The toe joint while only the toes are down, the heel while only the heel is: not by a micrometre."""
    _, ways = followed(seed, again)
    for side, way in ways.items():
        sole = sole_at(side)
        for down, other, local in (
            (way.toe_down, way.heel_down, sole.toe_joint),
            (way.heel_down, way.toe_down, sole.heel),
        ):
            for first, last in runs_of(down & ~other):
                places = point(way, local)[first:last]
                assert np.linalg.norm((places - places[0])[:, [0, 2]], axis=1).max() < 1e-6
        for first, last in runs_of(way.heel_down & way.toe_down):
            assert np.ptp(way.ankle[first:last], axis=0).max() < 1e-9


@settings(max_examples=10, deadline=None)
@given(SEEDS, st.sampled_from([0.0, 0.3]))
def test_no_part_of_a_sole_is_under_level_ground(seed: int, again: float) -> None:
    _, ways = followed(seed, again)
    for side, way in ways.items():
        sole = sole_at(side)
        for local in (sole.heel, sole.subtalar, sole.ball):
            assert point(way, local)[:, 1].min() > -1e-9
        # what is said to be down is down
        assert_allclose(point(way, sole.heel)[way.heel_down & ~way.toe_down, 1], 0.0, atol=0.012)
        lifted = way.share > 0.02
        assert not (way.heel_down | way.toe_down)[lifted].any()
        assert (way.heel_down | way.toe_down)[way.share == 0.0].all()


def test_swings_go_from_their_print_to_the_next() -> None:
    plan, ways = followed(3)
    for side, way in ways.items():
        prints = np.array([p.position for p in plan.of(side)])
        swings = runs_of(way.share > 0.0)
        assert len(swings) == len(prints) - 1
        for (first, last), here, there in zip(swings, prints[:-1], prints[1:], strict=True):
            assert (np.diff(way.share[first:last]) > 0.0).all()
            subtalar = point(way, sole_at(side).subtalar)
            assert np.linalg.norm(subtalar[first] - here) < 0.16
            assert np.linalg.norm(subtalar[last - 1] - there) < 0.1


def test_levels_are_those_of_the_nearer_print() -> None:
    plan, ways = followed(5, 0.0, 0.12)
    for side, way in ways.items():
        heights = [float(p.position[1]) for p in plan.of(side)]
        assert set(np.unique(way.level.round(9))) <= set(np.round(heights, 9))
        stands = way.share == 0.0
        order = np.abs(way.level[stands][:, None] - np.array(heights)).argmin(axis=1)
        assert (np.diff(order) >= 0).all()


def test_toes_lie_while_heels_are_up() -> None:
    _, ways = followed(2)
    for side, way in ways.items():
        assert way.toe is not None
        sole = sole_at(side)
        toes = way.toe_down & ~way.heel_down
        assert toes.sum() > 20
        turn = Rotation.from_quat(way.turn, scalar_first=True) * Rotation.from_quat(
            way.toe, scalar_first=True
        )
        tip = point(way, sole.toe_joint) + turn.apply(np.array(sole.tip))
        for first, last in runs_of(toes):
            assert np.ptp(tip[first:last], axis=0).max() < 0.01
            assert np.ptp(turn[first:last].as_rotvec(), axis=0).max() < 0.02 or last - first < 3
        assert_allclose(way.bound[way.share == 0.0], 1.0)
        assert way.bound.min() < 0.05  # in mid-swing they are free


def test_on_a_slope_feet_lie_in_it() -> None:
    space, slope = small_space(), np.radians(12.0)
    flat = drawn_plan(1)
    plan = FootPlan(
        tuple(
            type(p)(p.foot, p.position + np.array([0.0, np.tan(slope) * p.position[2], 0.0]), p.heading)
            for p in flat.placements
        )
    )
    _, planned, steps = made_of(space, plan, InclinedTerrain(slope))
    times = np.arange(0.0, float(steps.times[:, -1].sum()), 1.0 / FPS)
    normal = np.array([0.0, np.cos(slope), -np.sin(slope)])
    for side, way in ways_at(space, planned, steps, times).items():
        sole, flat_frames = sole_at(side), way.heel_down & way.toe_down
        for local in (sole.heel, sole.subtalar, sole.ball):
            assert_allclose(point(way, local)[flat_frames] @ normal, 0.0, atol=1e-6)
        stands = way.heel_down | way.toe_down
        assert min(float((point(way, p)[stands] @ normal).min()) for p in (sole.heel, sole.ball)) > -1e-6


def jumps(space: StepSpace, plan: FootPlan) -> np.ndarray:
    """How far ankles go in no time where feet leave or land, m."""
    _, planned, steps = made_of(space, plan)
    starts, rows = starts_of(steps), np.arange(len(planned))
    moments = []
    for which in range(2):
        moments.append(starts + steps.swing_times[rows, steps.events.swing[:, which]])
        moments.append(starts + steps.feet_times[rows, steps.events.support[:, which]])
    times = (np.concatenate(moments)[:, None] + MOMENT * np.array([-1.0, 1.0])).ravel()
    ways = ways_at(space, planned, steps, times)
    gone = [np.diff(w.ankle.reshape(-1, 2, 3), axis=1)[:, 0] for w in ways.values()]
    return np.asarray(np.linalg.norm(np.concatenate(gone), axis=1) - 2.0 * MOMENT * QUICKEST)


def test_feet_leave_and_land_without_a_seam() -> None:
    """But for few: what is left of a seam is under a millimetre or two; most have none at all."""
    found = [jumps(small_space(), drawn_plan(seed, again=0.3)) for seed in range(8)]
    assert np.median([one.max() for one in found]) < 1e-6
    assert max(one.max() for one in found) < 2.5e-3


@pytest.mark.parametrize("timed", [False, True])
def test_feet_that_are_all_but_flat_have_no_seam_either(timed: bool) -> None:
    assert max(jumps(small_space(), drawn_plan(k, timed=timed)).max() for k in range(8, 28)) < 1e-6


def test_what_a_heel_may_do_does_not_jump_where_steps_meet() -> None:
    """In the finished motion it is a pop: 6 mm of the ankle, 3 cm of the knee."""
    for seed in (3, 11):
        _, planned, steps = made_of(small_space(), drawn_plan(seed, steps=12))
        times = (starts_of(steps)[1:, None] + MOMENT * np.array([-1.0, 1.0])).ravel()
        for way in ways_at(small_space(), planned, steps, times).values():
            assert np.abs(np.diff(way.free.reshape(-1, 2), axis=1)).max() < 1e-3


def test_feet_go_from_a_run_to_a_walk_without_a_seam() -> None:
    assert jumps(running_space(), run_plan()).max() < 1e-3


@pytest.mark.parametrize("seed", range(4))
def test_feet_go_without_a_jerk(seed: int) -> None:
    """No jump from frame to frame, and no blow: feet leave as slowly as they stood."""
    _, ways = followed(seed)
    for way in ways.values():
        gone = np.diff(way.ankle, axis=0)
        assert np.linalg.norm(gone, axis=1).max() < QUICKEST / FPS
        assert np.linalg.norm(np.diff(gone, axis=0), axis=1).max() * FPS < 1.0  # m/s from frame to frame
        turns = Rotation.from_quat(way.turn, scalar_first=True)
        assert (turns[:-1].inv() * turns[1:]).magnitude().max() * FPS < 25.0  # rad/s


def test_prints_are_lain_in_by_feet_that_never_lay() -> None:
    """Examples on tiptoe: a support foot comes down once all the same."""
    plan = drawn_plan(2)
    _, planned, steps = made_of(small_space(), plan)
    tiptoe = np.array(steps.feet)
    tiptoe[..., SUPPORTING.start] += 0.25
    times = np.arange(0.0, float(steps.times[:, -1].sum()), 1.0 / FPS)
    for side, way in ways_at(small_space(), planned, replace(steps, feet=tiptoe), times).items():
        flat = point(way, sole_at(side).subtalar)[way.heel_down & way.toe_down]
        prints = np.array([p.position for p in plan.of(side)])
        away = np.linalg.norm(flat[:, None] - prints, axis=-1)
        assert set(away.argmin(axis=1).tolist()) == set(range(len(prints)))
        assert away.min(axis=1).max() < 1e-9


def test_feet_tilted_aside_are_not_in_the_ground() -> None:
    _, planned, steps = made_of(small_space(), drawn_plan(0))
    aside = np.array(steps.feet)
    aside[..., SUPPORTING.stop - 1] += 0.3
    times = np.arange(0.0, float(steps.times[:, -1].sum()), 1.0 / FPS)
    for side, way in ways_at(small_space(), planned, replace(steps, feet=aside), times).items():
        sole, stands = sole_at(side), way.share == 0.0
        for local in (sole.heel, sole.subtalar, sole.ball):
            assert point(way, local)[stands, 1].min() > -1e-9


def test_feet_of_a_run_are_in_the_air_together_and_land_where_planned() -> None:
    space, plan = running_space(), run_plan()
    made, planned, steps = made_of(space, plan)
    times = np.arange(0.0, float(steps.times[:, -1].sum()), 1.0 / FPS)
    moments = Moments.of(times, starts_of(steps), steps.times)
    ways = feet_on_prints(space.stage.soles, planned, steps, moments)
    runs = np.array([b.runs for b in made.blends])
    flying = np.logical_and.reduce([w.share > 0.0 for w in ways.values()])
    inner = np.flatnonzero(runs)[1:]  # between two running steps there is a flight
    assert runs[inner - 1].all()
    for k in inner:
        here = np.abs(times - starts_of(steps)[k]) < 0.3 * made.timing.durations[k, 0]
        assert flying[here].all()
    assert not flying[~runs[moments.step]].any()
    for side, way in ways.items():
        sole = Sole.of(space.skeleton, side)
        lowest = np.min([point(way, p)[:, 1] for p in (sole.heel, sole.subtalar, sole.ball)], axis=0)
        assert lowest[flying].min() > -1e-9
        assert np.median(lowest[flying]) > 0.03
        flat = way.heel_down & way.toe_down
        prints = np.array([p.position for p in plan.of(side)])
        away = np.linalg.norm(point(way, sole.subtalar)[flat][:, None] - prints, axis=-1)
        assert away.min(axis=1).max() < 1e-9
        assert set(away.argmin(axis=1).tolist()) == set(range(len(prints)))


def test_stands_are_lain_in() -> None:
    """Both feet lie before the first step, and the foot that has come last lies after it."""
    for seed in range(6):
        plan, ways = followed(seed)
        for side, way in ways.items():
            assert way.heel_down[0]
            assert way.toe_down[0]
            if side == plan.placements[-1].foot:
                assert way.heel_down[-1]
                assert way.toe_down[-1]
        first = ways[plan.placements[2].foot]
        assert first.free[0] == 0.0  # nor may its heel be raised for a long leg
        assert first.free.max() == 1.0
    assert set(ways) == set(SIDES)
