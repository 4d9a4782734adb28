"""Steps joined: no corner in body or feet where two meet, stands as they are, else nothing is changed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.interpolate import CubicHermiteSpline

from footfall.figure.contacts import SIDES
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.stepspace.blended import LaidSteps, laid
from footfall.models.stepspace.body_channels import ROOT, YAW
from footfall.models.stepspace.curves import Moments, slopes_of
from footfall.models.stepspace.following import Following
from footfall.models.stepspace.foot_channels import COMING, LEAVING, SUPPORTING
from footfall.models.stepspace.joined import Events, edge_of, joined
from footfall.models.stepspace.standing import stand_on
from footfall.world.foot_plan import FootPlacement, FootPlan
from tests.models.stepspace.judges import drawn_plan, made_of, run_plan
from tests.models.stepspace.plain_feet import feet_on_prints
from tests.models.stepspace.spaces import running_space, small_space

MOMENT = 1e-6  # s
SEEDS = st.integers(0, 500)


def laid_of(made: Following) -> LaidSteps:
    return laid(made.planned, made.blends, made.timing.durations, made.timing.flights)


def starts_of(times: np.ndarray) -> np.ndarray:
    return np.concatenate([[0.0], np.cumsum(times[:, -1])[:-1]])


def around(starts: np.ndarray) -> np.ndarray:
    """Two moments before each and two after."""
    return (starts[:, None] + MOMENT * np.array([-2.0, -1.0, 1.0, 2.0])).ravel()


def corners(values: np.ndarray) -> tuple[float, float]:
    """The largest jump of a curve and of its rate, from four moments around each place."""
    a, b, c, d = np.moveaxis(values.reshape(-1, 4, values.shape[-1]), 1, 0)
    jump = c - b - ((b - a) + (d - c))
    return float(np.abs(jump).max()), float(np.abs((d - c) - (b - a)).max() / MOMENT)


@settings(max_examples=12, deadline=None)
@given(SEEDS, st.sampled_from([0.0, 0.3]), st.booleans())
def test_bodies_have_no_corner_where_steps_meet(seed: int, again: float, timed: bool) -> None:
    _, _, steps = made_of(small_space(), drawn_plan(seed, again=again, timed=timed))
    starts = starts_of(steps.times)
    moments = Moments.of(around(starts[1:]), starts, steps.times)
    jump, rate = corners(moments.at(steps.body, steps.body_slopes))
    assert jump < 1e-8
    assert rate < 0.02  # m/s, rad/s


@settings(max_examples=12, deadline=None)
@given(SEEDS, st.sampled_from([0.0, 0.3]), st.sampled_from([0.0, 0.1]))
def test_feet_have_no_corner_where_steps_meet(seed: int, again: float, uneven: float) -> None:
    space = small_space()
    _, planned, steps = made_of(space, drawn_plan(seed, again=again, uneven=uneven))
    starts = starts_of(steps.times)
    moments = Moments.of(around(starts[1:]), starts, steps.times)
    for way in feet_on_prints(space.stage.soles, planned, steps, moments).values():
        jump, rate = corners(way.ankle)
        assert jump < 1e-8
        assert rate < 0.02
        turn = quat.continuous(way.turn)
        jump, rate = corners(turn)
        assert jump < 1e-7
        assert rate < 0.05


def test_bodies_of_runs_have_no_corner_either() -> None:
    _, _, steps = made_of(running_space(), run_plan())
    starts = starts_of(steps.times)
    moments = Moments.of(around(starts[1:]), starts, steps.times)
    jump, rate = corners(moments.at(steps.body, steps.body_slopes))
    assert jump < 1e-8
    assert rate < 0.05


def test_slopes_are_those_of_the_curve() -> None:
    """Joining changes values and slopes alike: a spline with these slopes has no wiggles between."""
    made, _, steps = made_of(small_space(), drawn_plan(2))
    plain = laid_of(made)
    for k in range(len(steps.times)):
        change = CubicHermiteSpline(
            steps.times[k],
            steps.body[k] - plain.body[k],
            steps.body_slopes[k] - slopes_of(plain.body, plain.times)[k],
        )
        fine = np.linspace(0.0, steps.times[k, -1], 400)
        second = np.abs(np.diff(change(fine), n=2, axis=0)).max(axis=0) / (fine[1] ** 2)
        most = np.abs(steps.body[k] - plain.body[k]).max(axis=0)
        rate = np.abs(steps.body_slopes[k] - slopes_of(plain.body, plain.times)[k]).max(axis=0)
        # a quintic over 0.6 s bends no more than this for what it eases
        longest = min(0.6, float(steps.times[k, -1]))
        assert (
            second[YAW + 1 :] <= 12.0 * most[YAW + 1 :] / longest**2 + 20.0 * rate[YAW + 1 :] / longest + 1e-6
        ).all()


def test_steps_that_meet_already_are_left_alone() -> None:
    """One smooth curve cut into steps: joined, it is the same curve."""
    made, planned, _ = made_of(small_space(), drawn_plan(4, steps=4))
    plain = laid_of(made)
    starts = starts_of(plain.times)
    t = starts[:, None] + plain.times
    body = np.stack([np.sin(1.3 * t + 0.1 * c) for c in range(plain.body.shape[-1])], axis=-1)
    found = joined(planned, replace(plain, body=body), (None, None))
    assert_allclose(found.body, body, atol=2e-3)
    times = np.linspace(0.0, float(t[-1, -1]), 200)
    at = Moments.of(times, starts, found.times).at(found.body, found.body_slopes)
    assert_allclose(at[:, 5], np.sin(1.3 * times + 0.5), atol=2e-3)


def test_two_that_differ_meet_halfway() -> None:
    made, planned, _ = made_of(small_space(), drawn_plan(5, steps=3))
    plain = laid_of(made)
    found = joined(planned, plain, (None, None))
    for k in range(2):
        middle = 0.5 * (plain.body[k, -1] + plain.body[k + 1, 0])
        turned = 2.0 * np.pi * np.round((found.body[k, -1, YAW] - middle[YAW]) / (2.0 * np.pi))
        assert_allclose(found.body[k, -1, ROOT], middle[ROOT], atol=1e-12)
        assert_allclose(found.body[k, -1, YAW + 1 :], middle[YAW + 1 :], atol=1e-12)
        assert abs(found.body[k, -1, YAW] - middle[YAW] - turned) < 0.5
        assert_allclose(found.body[k, -1], found.body[k + 1, 0], atol=1e-12)
        assert_allclose(found.body_slopes[k, -1], found.body_slopes[k + 1, 0], atol=1e-12)
    # where nothing is met, nothing is given
    assert_allclose(found.body[0, 0], plain.body[0, 0], atol=1e-12)
    assert_allclose(found.body[-1, -1, YAW + 1 :], plain.body[-1, -1, YAW + 1 :], atol=1e-12)
    assert found.stands == (False, False)


@pytest.mark.parametrize("seed", range(3))
def test_a_stand_gives_nothing(seed: int) -> None:
    space = small_space()
    made, planned, steps = made_of(space, drawn_plan(seed))
    plain = laid_of(made)
    for last in (False, True):
        stand = stand_on(space.posture, edge_of(planned, plain, last=last), space.stage)
        step, sample = (-1, -1) if last else (0, 0)
        at = steps.body[step, sample]
        assert_allclose(at[ROOT], stand.body[ROOT], atol=1e-12)
        assert_allclose(at[YAW + 1 :], stand.body[YAW + 1 :], atol=1e-12)
        assert_allclose(np.exp(1j * at[YAW]), np.exp(1j * stand.body[YAW]), atol=1e-12)
        assert_allclose(steps.body_slopes[step, sample], 0.0, atol=1e-12)
    assert steps.stands == (True, True)


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_yaws_add_up_when_one_goes_round_and_round(way: float) -> None:
    """Twelve quarter turns on the spot: three times round, without a turn back."""
    facing, placements = 0.0, []
    for k in range(14):
        foot = SIDES[k % 2]
        if k > 1:
            facing += way * 0.25 * np.pi
        side = 0.1 if foot == "left" else -0.1
        place = np.array([side * np.cos(facing), 0.0, -side * np.sin(facing)])
        # headings as files have them, between half a turn left and right
        placements.append(FootPlacement(foot, place, float(ground.wrap(facing))))
    _, _, steps = made_of(small_space(), FootPlan(tuple(placements)))
    yaw = steps.body[..., YAW]
    assert_allclose(yaw[1:, 0], yaw[:-1, -1], atol=1e-12)
    assert way * (yaw[-1, -1] - yaw[0, 0]) == pytest.approx(12 * 0.25 * np.pi, abs=0.4)
    assert np.abs(np.diff(yaw, axis=1)).max() < 0.4


@pytest.mark.parametrize("seed", range(4))
def test_rolls_of_a_foot_meet_as_swing_and_as_support(seed: int) -> None:
    """Whatever a foot was in the step before: its roll and its rate go on."""
    _, planned, steps = made_of(small_space(), drawn_plan(seed, again=0.3))
    values, slopes = steps.feet + steps.give, steps.feet_slopes + steps.give_slopes
    for k in range(1, len(planned)):
        for foot in range(2):
            was = COMING if planned.feet[k - 1] == foot else SUPPORTING
            now = LEAVING if planned.feet[k] == foot else SUPPORTING
            assert_allclose(values[k - 1, -1, was], values[k, 0, now], atol=1e-12)
            assert_allclose(slopes[k - 1, -1, was], slopes[k, 0, now], atol=1e-9)
        if planned.feet[k] == planned.feet[k - 1]:  # it lies in the print between
            assert_allclose(values[k, 0, LEAVING], 0.0, atol=1e-12)


def test_events_of_walks_and_runs() -> None:
    walk = made_of(small_space(), drawn_plan(0))[2].events
    assert_array_equal(walk.swing, np.tile([6, 30], (7, 1)))
    assert_array_equal(walk.support, np.tile([0, 36], (7, 1)))
    assert_array_equal(walk.meets, walk.support)
    made, _, steps = made_of(running_space(), run_plan())
    runs = np.array([b.runs for b in made.blends])
    events = steps.events
    assert_array_equal(events.swing[runs], np.tile([0, 44], (runs.sum(), 1)))
    assert_array_equal(events.support[runs], np.tile([10, 34], (runs.sum(), 1)))
    assert_array_equal(events.swing[~runs], np.tile([10, 34], ((~runs).sum(), 1)))
    assert_array_equal(events.support[~runs], np.tile([4, 40], ((~runs).sum(), 1)))
    assert_array_equal(Events.of(laid_of(made)).meets, events.meets)


def test_support_feet_lie_when_they_are_flattest() -> None:
    _, _, steps = made_of(small_space(), drawn_plan(1))
    for k, when in enumerate(steps.lies):
        off, strike = steps.times[k, 6], steps.times[k, 30]
        assert off <= when <= strike
        roll = np.abs(np.interp(when, steps.times[k], steps.feet[k, :, SUPPORTING.start]))
        assert roll < np.radians(2.0)


def test_edges_tell_left_and_right_apart() -> None:
    for seed in range(4):
        made, planned, _ = made_of(small_space(), drawn_plan(seed))
        plain = laid_of(made)
        plan = made.plan
        first, last = (edge_of(planned, plain, last=end) for end in (False, True))
        for edge, placements in ((first, plan.placements[:2]), (last, plan.placements[::-1])):
            for k, side in enumerate(SIDES):
                own = next(p for p in placements if p.foot == side)
                assert_array_equal(edge.places[k], own.position)
                assert edge.headings[k] == own.heading
        assert_array_equal(first.body, plain.body[0, 0])
        assert_array_equal(last.body, plain.body[-1, -1])
        assert_array_equal(first.rolls, 0.0)
        assert last.rolls[int(planned.feet[-1])] == 0.0


@settings(max_examples=10, deadline=None)
@given(SEEDS)
def test_feet_never_jump(seed: int) -> None:
    """At a thousand moments a second, through every rise of a heel, toe-off and strike."""
    motion = small_space().follow(drawn_plan(seed), fps=1000.0)
    for side in SIDES:
        rate = np.diff(motion.of(f"{side}_foot"), axis=0) * 1000.0
        # a jump is there and gone again from one moment to the next
        there = np.linalg.norm(np.diff(rate, axis=0), axis=1)
        jumps = np.minimum(there[1:], there[:-1])
        assert jumps.max() < 0.5  # m/s: half a millimetre


@settings(max_examples=10, deadline=None)
@given(SEEDS)
def test_feet_leave_and_land_without_a_kink(seed: int) -> None:
    motion = small_space().follow(drawn_plan(seed), fps=1000.0)
    assert motion.contacts is not None
    found = []
    for side in SIDES:
        change = np.linalg.norm(np.diff(motion.of(f"{side}_foot"), n=2, axis=0), axis=1) * 1000.0
        edges = np.flatnonzero(np.diff(motion.contacts.stands(side).astype(int)))
        found += [float(change[max(k - 3, 0) : k + 3].max()) for k in edges]
    assert np.median(found) < 0.1  # m/s; captured rests begin with a quarter of a metre a second
    assert max(found) < 0.8
