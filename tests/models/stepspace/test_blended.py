"""Blends: one step alone is itself, sums are sums, and what prints miss is shared with the body."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import cumulative_trapezoid
from scipy.spatial.transform import Rotation

from footfall.figure.contacts import SIDES
from footfall.geometry.easing import smoother
from footfall.models.stepspace.blended import HURRY, Blend, StepSide, blend_of, laid, unhurried
from footfall.models.stepspace.body_channels import ROOT, YAW
from footfall.models.stepspace.foot_channels import REST_COMING, REST_LEAVING
from footfall.models.stepspace.planned import PlannedSteps
from footfall.models.stepspace.selection import Selection
from footfall.models.stepspace.step_table import BEYOND, WINDOW, grid, sample_times
from footfall.world.foot_plan import FootPlacement, FootPlan
from tests.models.stepspace.judges import drawn_plan, made_of, moved, run_plan, turned
from tests.models.stepspace.spaces import running_space, small_space

OTHER = {"left": "right", "right": "left"}
Frame = Literal["low", "support"]


def alone(row: int, frame: Frame = "support") -> Selection:
    return Selection(np.array([row]), np.ones(1), frame, True)


def own_plan(
    side: StepSide, row: int, facing: float = 0.0, shift: tuple[float, ...] = (0.0, 0.0, 0.0)
) -> FootPlan:
    """The prints of one captured step, its support foot's at `shift`, facing as given."""
    table = side.table
    prints = [
        (turned(table.places[row, k], facing) + shift, float(table.headings[row, k]) + facing)
        for k in range(3)
    ]
    foot = table.foot
    return FootPlan(
        (
            FootPlacement(foot, *prints[0]),
            FootPlacement(OTHER[foot], *prints[2]),
            FootPlacement(foot, *prints[1]),
        )
    )


def planned_of(plan: FootPlan) -> PlannedSteps:
    return PlannedSteps.of(plan, np.array([p.heading for p in plan.placements], dtype=float))


@pytest.mark.parametrize("frame", ["low", "support"])
@pytest.mark.parametrize("foot", [0, 1])
def test_one_step_alone_is_itself(frame: Frame, foot: int) -> None:
    side = small_space().sides[foot]
    for row in range(0, len(side.table), 6):
        found = blend_of(side, alone(row, frame), float(side.axes[row]))
        assert_allclose(found.body, side.body[row], atol=1e-9)
        assert_allclose(found.velocity, side.velocity[row], atol=1e-9)
        assert_array_equal(found.feet, side.feet[row])
        assert_allclose(found.places, side.table.places[row, :2], atol=1e-9)
        assert_allclose(found.headings, side.table.headings[row], atol=1e-9)
        assert_allclose(found.durations, side.table.durations[row], atol=1e-12)
        assert not found.runs


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1000), st.floats(0.0, 1.0))
def test_blends_are_weighted_sums_in_the_support_foots_frame(seed: int, share: float) -> None:
    side = small_space().sides[seed % 2]
    a, b = np.random.default_rng(seed).choice(len(side.table), 2, replace=False).tolist()
    pair = Selection(np.array([a, b]), np.array([share, 1.0 - share]), "support", True)
    one, other, both = (blend_of(side, s) for s in (alone(a), alone(b), pair))
    for name in ("body", "velocity", "feet", "places", "headings", "durations", "flights"):
        expected = share * getattr(one, name) + (1.0 - share) * getattr(other, name)
        assert_allclose(getattr(both, name), expected, atol=1e-12)


@pytest.mark.parametrize("by", [0.4, -1.3])
def test_on_another_axis_all_of_a_step_is_turned(by: float) -> None:
    """Steps laid on S_low's axis: root, its velocity, places and yaw go round with it, joints do not."""
    side = small_space().sides[0]
    row = 8
    plain, found = (blend_of(side, alone(row, "low"), float(side.axes[row]) + turn) for turn in (0.0, by))
    world = Rotation.from_rotvec([0.0, by, 0.0])
    assert_allclose(found.body[:, ROOT], world.apply(plain.body[:, ROOT]), atol=1e-9)
    assert_allclose(found.velocity, world.apply(plain.velocity), atol=1e-9)
    assert_allclose(found.places, world.apply(plain.places), atol=1e-9)
    assert_allclose(found.body[:, YAW], plain.body[:, YAW] + by, atol=1e-9)
    assert_allclose(found.headings, plain.headings + by, atol=1e-9)
    assert_array_equal(found.body[:, YAW + 1 :], plain.body[:, YAW + 1 :])


def test_axes_of_the_right_foot_are_the_left_ones_mirrored() -> None:
    left, right = small_space().sides
    assert_allclose(right.axes, -left.axes, atol=1e-9)
    for side in (left, right):
        first = side.table.places[:, 0][:, [0, 2]]
        apart = np.linalg.norm(first, axis=1) > 0.12
        way = 1.0 if side.table.foot == "left" else -1.0
        # along the axis lies the swing foot's first print, out to its own side
        along = np.stack([np.cos(side.axes), -np.sin(side.axes)], axis=1) * way
        assert_allclose(np.sum(first * along, axis=1)[apart], np.linalg.norm(first, axis=1)[apart], rtol=1e-9)


@pytest.mark.parametrize("foot", [0, 1])
def test_on_its_own_prints_in_its_own_time_a_step_is_itself(foot: int) -> None:
    """The root goes as fast as it did; what the sum of its rates misses is millimetres."""
    side = small_space().sides[foot]
    for row in range(0, len(side.table), 5):
        plan = own_plan(side, row)
        blend = blend_of(side, alone(row))
        found = laid(planned_of(plan), [blend], blend.durations[None])
        assert_allclose(found.times[0], sample_times(side.table.durations[row]), atol=1e-12)
        assert found.seconds[0] == pytest.approx(side.table.durations[row].sum())
        assert_allclose(found.body[0, :, ROOT], side.root[row], atol=5e-3)
        assert_allclose(found.body[0, [0, -1]][:, ROOT], side.root[row, [0, -1]], atol=1e-9)
        assert_allclose(found.body[0, :, YAW:], side.body[row, :, YAW:], atol=1e-9)
        assert_array_equal(found.feet[0], side.feet[row])


def test_what_prints_miss_is_shared_with_the_body() -> None:
    side = small_space().sides[0]
    row, away, turn = 4, np.array([0.03, 0.01, -0.05]), 0.2
    blend = blend_of(side, alone(row))
    plan = own_plan(side, row)
    target = plan.placements[2]
    assert target.heading is not None
    other = replace(target, position=target.position + away, heading=target.heading + turn)
    before = laid(planned_of(plan), [blend], blend.durations[None]).body[0]
    after = laid(planned_of(FootPlan((*plan.placements[:2], other))), [blend], blend.durations[None]).body[0]
    change = after - before
    assert_allclose(change[0], 0.0, atol=1e-12)
    assert_allclose(change[-1, ROOT], 0.5 * away, atol=1e-12)
    assert change[-1, YAW] == pytest.approx(0.5 * turn)
    assert (np.diff(change[:, YAW]) >= -1e-12).all()  # eased in over the swing
    assert_allclose(change[:, YAW + 1 :], 0.0, atol=1e-12)
    # while the foot still stands where it was, nothing has changed
    assert_allclose(change[:7], 0.0, atol=1e-12)
    assert_allclose(change[-7:, ROOT], np.broadcast_to(0.5 * away, (7, 3)), atol=1e-12)


@pytest.mark.parametrize(("turn", "shift"), [(0.9, (3.0, 0.2, -1.0)), (-2.8, (0.0, 0.0, 50.0))])
def test_steps_go_where_their_prints_go(turn: float, shift: tuple[float, ...]) -> None:
    space = small_space()
    plan = drawn_plan(3)
    made, there = (made_of(space, p)[0] for p in (plan, moved(plan, turn, np.array(shift))))
    here, away = (laid(m.planned, m.blends, m.timing.durations, m.timing.flights) for m in (made, there))
    assert_allclose(here.times, away.times, atol=1e-12)
    assert_allclose(
        turned(here.body[..., ROOT].reshape(-1, 3), turn) + shift,
        away.body[..., ROOT].reshape(-1, 3),
        atol=1e-9,
    )
    assert_allclose(np.exp(1j * (here.body[..., YAW] + turn)), np.exp(1j * away.body[..., YAW]), atol=1e-9)
    assert_allclose(here.body[..., YAW + 1 :], away.body[..., YAW + 1 :], atol=1e-9)
    assert_allclose(here.feet, away.feet, atol=1e-9)


def test_what_takes_longer_goes_slower() -> None:
    side = small_space().sides[0]
    row = 4
    blend = blend_of(side, alone(row))
    plan = planned_of(own_plan(side, row))
    plain, slow = (laid(plan, [blend], pace * blend.durations[None]) for pace in (1.0, 2.0))
    assert_allclose(slow.times, 2.0 * plain.times)
    # the same way in twice the time
    assert_allclose(slow.body[..., ROOT], plain.body[..., ROOT], atol=1e-9)
    # a longer swing alone: still from end to end
    swing = blend.durations * [1.0, 1.5, 1.0]
    longer = laid(plan, [blend], swing[None])
    assert_allclose(longer.body[0, [0, -1]][:, ROOT], plain.body[0, [0, -1]][:, ROOT], atol=1e-9)


def test_walks_beside_runs_have_as_many_samples() -> None:
    space = running_space()
    made, _, _ = made_of(space, run_plan())
    runs = np.array([b.runs for b in made.blends])
    assert runs.any()
    assert not runs.all()
    found = laid(made.planned, made.blends, made.timing.durations, made.timing.flights)
    assert_array_equal(found.runs, runs)
    assert found.feet.shape[1] == found.feet_times.shape[1] == WINDOW + 2 * BEYOND
    assert np.diff(found.feet_times, axis=1).min() > 0.0
    assert np.diff(found.swing_times, axis=1).min() > 0.0
    # swing feet of runs leave before their step and land after it, by what the timing says
    for which, sample in ((0, 0), (1, -1)):
        edge = found.swing_times[runs, sample] - (0.0 if which == 0 else found.seconds[runs])
        assert_allclose(np.abs(edge), made.timing.flights[runs, which], atol=1e-12)
    assert_array_equal(found.feet_times[:, BEYOND:-BEYOND], found.times)
    assert isinstance(made.blends[0], Blend)
    assert {SIDES[f] for f in made.planned.feet} == set(SIDES)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.floats(0.03, 0.8), min_size=3, max_size=3),
    st.lists(st.floats(0.01, 1.0), min_size=3, max_size=3),
)
def test_bodies_take_as_long_as_feet_and_do_not_hurry(own: list[float], asked: list[float]) -> None:
    blend, durations = np.array([own]), np.array([asked])
    given = unhurried(blend, durations)
    assert given.sum() == pytest.approx(durations.sum(), rel=1e-12)
    assert (given > 0.0).all()
    pace = min(1.0, durations.sum() / blend.sum())
    assert (given >= HURRY * pace * blend - 1e-12).all()
    slow = durations >= HURRY * pace * blend
    if slow.all():  # nothing hurries: nothing is changed
        assert_allclose(given, durations, atol=1e-15)


def test_short_rests_do_not_throw_the_body() -> None:
    """Stances of hardly more than the other foot's swing are asked for: feet are as asked, hips as smooth."""
    plan = FootPlan(
        tuple(
            replace(p, stance=0.05 + 0.5) if 1 < k < 6 else p for k, p in enumerate(drawn_plan(4).placements)
        )
    )
    motion = small_space().follow(plan, fps=240.0)
    push = np.linalg.norm(np.diff(motion.root, n=2, axis=0), axis=1) * 240.0**2
    assert push.max() < 45.0  # m/s^2; it was 250


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 300), st.booleans())
def test_bodies_are_laid_as_by_plain_sums(seed: int, timed: bool) -> None:
    """The root's way by a trapezoid rule, turned by scipy's rotations."""
    made, planned, _ = made_of(small_space(), drawn_plan(seed, timed=timed))
    found = laid(planned, made.blends, made.timing.durations, made.timing.flights)
    share = smoother(np.clip(grid() - 1.0, 0.0, 1.0))[:, None]
    places, turns = planned.beside()
    for k, blend in enumerate(made.blends):
        times, support = found.times[k], planned.prints[k, 2]
        pace = np.gradient(sample_times(blend.durations)) / np.gradient(times)
        gone = cumulative_trapezoid(pace[:, None] * blend.velocity, times, axis=0, initial=0.0)
        way = blend.body[:, ROOT]
        way = way[0] + gone + smoother(times / times[-1])[:, None] * (way[-1] - way[0] - gone[-1])
        missed = places[k] - blend.places
        way = way + 0.5 * ((1.0 - share) * missed[0] + share * missed[1])
        facing = planned.headings[support]
        way = planned.places[support] + Rotation.from_rotvec([0.0, facing, 0.0]).apply(way)
        assert_allclose(found.body[k][:, ROOT], way, atol=1e-12)
        off = np.append(turns[k], 0.0) - blend.headings
        off = (off + np.pi) % (2.0 * np.pi) - np.pi
        yaw = (
            blend.body[:, YAW] + facing + 0.5 * ((1.0 - share[:, 0]) * off[0] + share[:, 0] * off[1] + off[2])
        )
        assert_allclose(found.body[k][:, YAW], yaw, atol=1e-12)
        assert_array_equal(found.body[k][:, YAW + 1 :], blend.body[:, YAW + 1 :])


@pytest.mark.parametrize("off", [0.5, -1.2])
def test_swings_go_their_way_wherever_feet_point(off: float) -> None:
    """The same prints with feet turned on them: in the world the rests of the swing are as they were."""
    side = small_space().sides[0]
    seen = 0
    for row in range(0, len(side.table), 5):
        if np.linalg.norm((side.table.places[row, 1] - side.table.places[row, 0])[[0, 2]]) < 0.3:
            continue  # on the spot there is no way
        seen += 1
        plan = own_plan(side, row)
        aside = [replace(plan.placements[k], heading=plan.placements[k].heading + off) for k in (0, 2)]
        other = FootPlan((aside[0], plan.placements[1], aside[1]))
        blend = blend_of(side, alone(row))
        one, two = (
            (p, laid(planned_of(p), [blend], blend.durations[None], blend.flights[None]))
            for p in (plan, other)
        )
        for number, rest in ((0, REST_LEAVING), (2, REST_COMING)):
            world = [
                turned(steps.feet[0][:, rest], float(p.placements[number].heading or 0.0))
                for p, steps in (one, two)
            ]
            assert_allclose(world[0], world[1], atol=1e-12)
    assert seen > 3


def test_feet_that_point_aside_swing_along_the_line() -> None:
    prints = [
        ("left", 0.0),
        ("right", 0.0),
        *((SIDES[k % 2], 0.5 * k + 0.3) for k in range(6)),
        ("left", 2.8),
    ]
    plan = FootPlan(
        tuple(FootPlacement(s, np.array([0.09 if s == "left" else -0.09, 0.0, z]), 0.6) for s, z in prints)
    )
    motion = small_space().follow(plan)
    for side in SIDES:
        ankle = motion.of(f"{side}_foot")[:, 0]
        assert np.ptp(ankle) < 0.16  # m; turned with the feet it was twice that
