"""Swings that go round the other leg: judged on frames, legs taken for rods of many balls."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from footfall.adapt.swing_clearance import bumps
from footfall.figure.contacts import SIDES
from footfall.figure.motion import Motion
from footfall.models.stepspace import apart, apart_limbs_kernel
from footfall.models.stepspace.joined import JoinedSteps
from footfall.models.stepspace.performed import performed
from footfall.models.stepspace.planned import PlannedSteps
from footfall.world.foot_plan import FootPlacement, FootPlan
from footfall.world.plane import FlatTerrain
from tests.models.stepspace.judges import (
    drawn_plan,
    feet_of,
    made_of,
    missed,
    raised,
    reflected,
    run_plan,
    sole_of,
)
from tests.models.stepspace.plain_frames import plainly_performed
from tests.models.stepspace.spaces import running_space, small_space

FPS = 120.0
BALLS = np.linspace(0.0, 1.0, 40)
THROUGH = [(-0.25, 0.0), (-0.25, 0.4), (-0.25, -0.4), (0.25, 0.0), (0.25, -0.4)]  # m ahead, rad
LEG = ("thigh", "shank", "foot", "toe")
PLACES = st.lists(st.floats(-0.3, 0.3), min_size=30, max_size=30)


def crossing(ahead: float, turn: float = 0.0, foot: str = "left") -> FootPlan:
    """A step across, before the other foot or behind it, and a step out of it."""
    made = [("left", 0.12, 0.0, 0.0), ("right", -0.12, 0.0, 0.0), ("left", -0.33, ahead, turn)]
    made.append(("right", -0.57, 0.0, 0.0))
    plan = FootPlan(tuple(FootPlacement(s, np.array([x, 0.0, z]), h) for s, x, z, h in made))
    return plan if foot == "left" else reflected(plan)


def frames(planned: PlannedSteps, steps: JoinedSteps) -> tuple[Motion, np.ndarray]:
    times = np.arange(-0.3, float(steps.times[:, -1].sum()) + 0.3, 1.0 / FPS)
    return performed(small_space().stage, planned, steps, times, FPS)


def with_and_without(plan: FootPlan) -> tuple[tuple[Motion, np.ndarray], tuple[Motion, np.ndarray]]:
    _, planned, steps = made_of(small_space(), plan)
    assert steps.aside is not None
    return frames(planned, steps), frames(planned, replace(steps, aside=None))


def balls(motion: Motion, side: str) -> tuple[np.ndarray, np.ndarray]:
    """Middles of balls along foot and shank at all frames, and their radii; toes are left out."""
    thick = motion.skeleton.leg_length() * np.array(apart.THICK)
    ankle, turn = feet_of(motion, side)
    points = motion.skeleton.foot_points(side)
    heel, ball, up = points.heel, points.ball, -points.subtalar / np.linalg.norm(points.subtalar)
    heel = heel + thick[0] * (up + (ball - heel) / np.linalg.norm(ball - heel))
    ends = [ankle + turn.apply(p) for p in (heel, ball + thick[1] * up)]
    rods = [(*ends, *thick[:2]), (ankle, motion.of(f"{side}_shank"), *thick[3:])]
    middles = [a[:, None] + BALLS[:, None] * (b - a)[:, None] for a, b, _, _ in rods]
    radii = [r + BALLS * (s - r) for _, _, r, s in rods]
    return np.concatenate(middles, axis=1), np.concatenate(radii)


def deep(motion: Motion, inner: float = 0.0) -> float:
    """How deep legs are in each other while one swings; without so much of a swing at its ends."""
    (left, a), (right, b) = (balls(motion, side) for side in SIDES)
    away = np.linalg.norm(left[:, :, None] - right[:, None], axis=-1)
    depth = (a[:, None] + b - away).max(axis=(1, 2))
    worst = -np.inf
    assert motion.contacts is not None
    for side in SIDES:
        air = np.flatnonzero(~motion.contacts.stands(side))
        for swing in np.split(air, np.flatnonzero(np.diff(air) > 1) + 1):
            skip = int(inner * len(swing))
            worst = max(worst, float(depth[swing[skip : len(swing) - skip]].max(initial=-np.inf)))
    return worst


@pytest.mark.parametrize(("ahead", "turn"), THROUGH)
def test_legs_do_not_go_through_each_other(ahead: float, turn: float) -> None:
    (made, _), (plain, _) = with_and_without(crossing(ahead, turn))
    assert deep(plain) > 0.012
    assert deep(made) < 0.025
    assert deep(made) < max(deep(plain) - 0.01, 0.01)


@pytest.mark.parametrize("ahead", [-0.15, 0.15])
def test_nor_where_prints_are_nearer_than_legs_are_thick(ahead: float) -> None:
    """What legs are in each other there they must be: but not in the middle of a swing."""
    (made, _), (plain, _) = with_and_without(crossing(ahead))
    assert deep(plain, 0.25) > 0.08
    assert deep(made, 0.25) < 0.5 * deep(plain, 0.25)


@pytest.mark.parametrize(("ahead", "turn"), THROUGH)
def test_only_the_leg_that_swings_is_elsewhere(ahead: float, turn: float) -> None:
    plan = crossing(ahead, turn)
    (made, down), (plain, plain_down) = with_and_without(plan)
    assert_allclose(down, plain_down, atol=1e-3)
    assert made.contacts is not None
    assert plain.contacts is not None
    assert_array_equal(made.contacts.heel, plain.contacts.heel)
    assert_array_equal(made.contacts.toe, plain.contacts.toe)
    own = np.zeros((len(made.root), len(made.skeleton)), dtype=bool)
    for side in SIDES:
        air = ~made.contacts.stands(side)
        own[np.ix_(air, [made.skeleton.joint(f"{side}_{part}") for part in LEG])] = True
    same = np.abs(down - plain_down) < 1e-12
    change = np.abs(made.rotations - plain.rotations).max(axis=-1)
    assert change[same][~own[same]].max() < 1e-9
    assert change[own].max() > 0.01
    assert missed(made, plan) < 1e-9


@pytest.mark.parametrize(("ahead", "turn"), THROUGH)
def test_feet_go_aside_smoothly_and_not_far(ahead: float, turn: float) -> None:
    (made, _), (plain, _) = with_and_without(crossing(ahead, turn))
    for side in SIDES:
        aside = feet_of(made, side)[0] - feet_of(plain, side)[0]
        assert np.linalg.norm(aside, axis=-1).max() < 0.2
        assert (np.linalg.norm(np.diff(aside, n=2, axis=0), axis=-1) * FPS**2).max() < 60.0


def test_what_is_clear_is_left_alone() -> None:
    space = small_space()
    for seed in range(4):
        assert made_of(space, drawn_plan(seed))[2].aside is None


@pytest.mark.parametrize("ahead", [-0.2, 0.2])
def test_in_a_mirror(ahead: float) -> None:
    _, _, one = made_of(small_space(), crossing(ahead, 0.2))
    _, _, other = made_of(small_space(), crossing(ahead, 0.2, "right"))
    assert one.aside is not None
    assert other.aside is not None
    assert_allclose(other.aside, one.aside * [-1.0, 1.0, 1.0], atol=1e-6)


@pytest.mark.parametrize(("ahead", "turn"), THROUGH)
def test_compiled_frames_are_the_plain_ones(ahead: float, turn: float) -> None:
    _, planned, steps = made_of(small_space(), crossing(ahead, turn))
    args = small_space().stage, planned, steps, np.arange(-0.3, 2.0, 1.0 / 60.0), 60.0
    one, other = performed(*args), plainly_performed(*args)
    assert_allclose(one[0].rotations, other[0].rotations, atol=1e-9)
    assert_allclose(one[1], other[1], atol=1e-9)


def test_an_edit_gives_what_a_fresh_plan_gives() -> None:
    space, plan = small_space(), crossing(0.25, -0.4)
    other = crossing(-0.25, 0.2)
    live = space.live(plan)
    live.change(other)
    fresh = space.live(other).motion
    assert_allclose(live.motion.rotations, fresh.rotations, atol=1e-9)


@pytest.mark.parametrize("ahead", [-0.25, 0.25])
def test_a_swing_that_goes_aside_clears_the_ground_there(ahead: float) -> None:
    space = small_space()
    made = space.follow(crossing(ahead), fps=FPS, terrain=FlatTerrain())
    assert min(p[:, 1].min() for side in SIDES for p in sole_of(made, side).values()) > -1e-3
    assert deep(made) < 0.018


def test_down_a_step() -> None:
    """A step across onto a lower block goes round the other leg as well, and clears the edge there."""
    space, plan = small_space(), raised(raised(crossing(-0.25), 2, -0.1), 3, -0.1)
    _, planned, steps = made_of(space, plan)
    assert steps.lifts is not None
    assert np.isfinite(steps.lifts[0]).all()
    (made, _), (plain, _) = (frames(planned, s) for s in (steps, replace(steps, aside=None)))
    assert deep(plain) > 0.05
    assert deep(made) < 0.025
    assert missed(made, plan) < 1e-9


def test_a_run_is_looked_at_while_a_foot_stands() -> None:
    _, _, steps = made_of(running_space(), run_plan())
    assert steps.aside is None or np.isfinite(steps.aside).all()


def depth_of_balls(legs: np.ndarray, thick: np.ndarray, count: int = 120) -> tuple[float, float]:
    """How deep two legs of many balls are in each other, and how much deeper the balls between may be."""
    shares, between = np.linspace(0.0, 1.0, count + 1)[:, None], 0.0
    many = []
    for leg in legs:
        rods = [(leg[i], leg[j], thick[i], thick[j]) for i, j in apart_limbs_kernel.RODS]
        middles = np.concatenate([a + shares * (b - a) for a, b, _, _ in rods])
        radii = np.concatenate([r + shares[:, 0] * (s - r) for _, _, r, s in rods])
        between += max(np.linalg.norm(b - a) + abs(s - r) for a, b, r, s in rods) / (2 * count)
        many.append((middles, radii))
    (a, r), (b, s) = many
    return float((r[:, None] + s - np.linalg.norm(a[:, None] - b, axis=-1)).max()), between


@pytest.mark.cpu
@settings(max_examples=100, deadline=None)
@given(PLACES, st.sampled_from(["any", "alike", "shifted", "reversed", "shrunk", "folded"]))
@example([0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.2, 0.0, 0.0, 0.0, 0.3, 0.0, 0.3, 0.0, 0.0] * 2, "alike")
def test_rods_as_many_balls(places: list[float], kind: str) -> None:
    """Depth of legs is that of the deepest pair of balls, also where rods are parallel, alike or points."""
    points = np.array(places).reshape(2, 5, 3)
    if kind == "folded":
        points[0] = points[0, 0]
    elif kind != "any":
        points[1] = {
            "alike": points[0],
            "shifted": points[0] + 0.1 * points[1, 0],
            "reversed": points[0, [1, 0, 2, 4, 3]],
            "shrunk": points[0, 0] + 0.4 * (points[0] - points[0, 0]),
        }[kind]
    thick = np.array(apart.THICK)
    found, between = depth_of_balls(points, thick)
    depth = apart_limbs_kernel.deepest(points[0], points[1], thick)
    assert found - 1e-12 <= depth <= found + between
    assert apart_limbs_kernel.deepest(points[1], points[0], thick) == pytest.approx(depth, abs=1e-12)


def test_identical_legs_are_in_each_other_by_twice_their_widest_ball() -> None:
    thick = np.array(apart.THICK)
    leg = np.random.default_rng(3).uniform(-0.3, 0.3, (5, 3))
    assert apart_limbs_kernel.deepest(leg, leg, thick) == pytest.approx(2.0 * thick.max(), abs=1e-12)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.0, 0.18), st.floats(0.05, 0.3))
def test_a_swing_goes_no_farther_than_its_leg_reaches(seed: int, far: float, wide: float) -> None:
    rng = np.random.default_rng(seed)
    share = np.linspace(0.0, 1.0, apart.LOOKS)
    room = np.clip(0.18 - 0.3 * rng.uniform() * np.abs(share - rng.uniform()), 0.0, 0.18)
    needed = np.minimum(far * np.clip(1.0 - np.abs(share - rng.uniform(0.2, 0.8)) / wide, 0.0, 1.0), room)
    aside = apart._gone_aside(needed, room, 0.5)
    fine = np.linspace(0.0, 1.0, 401)
    given_way = bumps(fine) @ aside
    assert (bumps(share) @ aside <= room + 1e-6)[room < room.max()].all()
    assert abs(given_way[[0, -1]]).max() == 0.0
    assert abs(np.diff(given_way)[[0, -1]]).max() < 2e-4
    if wide > 0.2 and room.min() == room.max():
        assert (bumps(share) @ aside >= needed - 0.01).all()


def test_the_leg_that_is_asked_for_nothing_stays() -> None:
    nothing = np.zeros(apart.LOOKS)
    assert not apart._gone_aside(nothing, nothing + 0.18, 0.5).any()
