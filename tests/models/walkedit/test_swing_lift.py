"""Swings: least bending by SciPy's optimizer, lifts measured on finished motions, walls cleared closely."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.interpolate import BPoly
from scipy.optimize import linprog, minimize, nnls

import footfall as ff
from footfall.adapt.swing_clearance import BUMPS, MARGIN, bumps, least_bending
from footfall.figure.soles import sole_places
from footfall.models.walkedit.cycle import SIDES
from footfall.models.walkedit.landing import landings
from footfall.models.walkedit.model import EditedWalk
from footfall.models.walkedit.perform import perform
from footfall.models.walkedit.phase import Clock
from footfall.models.walkedit.reach import shortest_tread
from footfall.models.walkedit.steps import Footprints
from footfall.models.walkedit.swing_lift import LAGS, Swings, swing_lifts
from footfall.world.terrain import Ground
from tests.models.walkedit.test_footing import Land, shape_of
from tests.models.walkedit.walks import ACTOR, as_asked, as_captured, cycle_of, edit_of, every_walk, swings_of

DENSE = 960.0  # Hz
LEVEL = Land(lambda x, z: 0.0 * x)
UNDER = 0.0005  # m under the ground that nobody lifts a foot for


# the least x with rows @ x >= least


def by_scipy(rows: np.ndarray, least: np.ndarray) -> np.ndarray:
    """Least distance as non-negative least squares (Lawson and Hanson): exact, with no search along lines."""
    system = np.vstack([rows.T, least])
    unit = np.eye(len(system))[-1]
    away = system @ nnls(system, unit)[0] - unit
    return -away[:-1] / away[-1]


def demands(seed: int, count: int = 14, size: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Some that can be met: by construction there is an x that does."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(count, size))
    return rows, rows @ rng.normal(size=size) - rng.uniform(0.0, 0.5, count)


@pytest.mark.parametrize("seed", range(20))
def test_least_bending_is_what_an_optimizer_finds(seed: int) -> None:
    rows, least = demands(seed)
    found = least_bending(rows, least)
    assert found is not None
    assert (rows @ found >= least - 1e-9).all()
    assert_allclose(found, by_scipy(rows, least), atol=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_least_bending_is_held_by_what_it_touches(seed: int) -> None:
    """Karush, Kuhn and Tucker: a sum of the demands that are met exactly, none of them pulling back."""
    rows, least = demands(seed, count=30, size=BUMPS)
    found = least_bending(rows, least)
    assert found is not None
    touched = rows @ found - least < 1e-8
    pulls = np.linalg.lstsq(rows[touched].T, found, rcond=None)
    assert_allclose(rows[touched].T @ pulls[0], found, atol=1e-8)
    assert 0 < touched.sum() <= BUMPS
    assert pulls[0].min() > -1e-8


@given(seed=st.integers(0, 10_000), count=st.integers(2, 12))
@settings(max_examples=60, deadline=None)
def test_what_cannot_be_met_is_none(seed: int, count: int) -> None:
    """As a linear program says: with few unknowns and many demands either comes often."""
    rng = np.random.default_rng(seed)
    rows, least = rng.normal(size=(count, 3)), rng.normal(size=count) + 0.3
    possible = linprog(np.zeros(3), A_ub=-rows, b_ub=-least, bounds=(None, None)).status == 0
    found = least_bending(rows, least)
    assert (found is not None) == possible
    if found is not None:
        assert (rows @ found >= least - 1e-7).all()


def test_demands_against_each_other_cannot_be_met() -> None:
    row = np.array([[1.0, 2.0, -1.0]])
    assert least_bending(np.concatenate([row, -row]), np.array([0.1, -0.05])) is None
    exact = least_bending(np.concatenate([row, -row]), np.array([0.1, -0.1]))
    assert exact is not None
    assert_allclose(exact, 0.1 * row[0] / 6.0, atol=1e-9)


def test_where_nothing_is_demanded_nothing_is_done() -> None:
    rows, _ = demands(1)
    found = least_bending(rows, np.full(len(rows), -0.2))
    assert found is not None
    assert_allclose(found, 0.0, atol=1e-12)


# bumps


def test_bumps_are_bernsteins_and_vanish_with_their_rates_at_both_ends() -> None:
    share = np.linspace(0.0, 1.0, 501)
    found = bumps(share)
    for k in range(BUMPS):
        one = np.zeros(BUMPS + 4)
        one[k + 2] = 1.0
        curve = BPoly(one[:, None], [0.0, 1.0])
        assert_allclose(found[:, k], curve(share), atol=1e-12)
        assert_allclose(curve.derivative()([0.0, 1.0]), 0.0, atol=1e-12)
    assert found.min() >= 0.0
    assert not found[[0, -1]].any()
    assert np.abs(np.diff(found, axis=0))[[0, -1]].max() * 500.0 < 0.3
    assert np.linalg.matrix_rank(found) == BUMPS
    # beyond a swing there is none
    assert not bumps(np.array([-0.5, 1.5])).any()


# swings


def swung(name: str, prints: Footprints, land: Ground, fps: float = DENSE) -> tuple[ff.Motion, Swings]:
    cycle = cycle_of(name)
    clock = Clock.of(cycle, prints)
    swings = swing_lifts(cycle, prints, land, clock)
    return perform(cycle, replace(prints, lags=swings.lags), clock, fps, swings.lifts), swings


def over(land: Ground, points: np.ndarray) -> np.ndarray:
    """How far points are over the ground that is seen from a little above them."""
    x, y, z = np.moveaxis(points, -1, 0)
    return y - land.height(x, z, y + 0.5)


def mid_swings(walk: ff.Motion, land: Ground) -> np.ndarray:
    """The clearance of the lowest sole point halfway in time between two stances, each swing."""
    out = []
    for side in SIDES:
        clearance = over(land, sole_places(walk, side)).min(axis=-1)
        for last, first in swings_of(walk, side):
            middle = [
                (last + first) // 2,
                (last + first + 1) // 2,
            ]  # which of two frames, contacts do not tell
            out.append(clearance[middle])
    return np.array(out)


def deepest(walk: ff.Motion, land: Ground) -> float:
    """How deep any place of a sole is in the ground: along it every centimetre or so."""
    worst = 0.0
    share = np.linspace(0.0, 1.0, 16)[1:-1, None]
    for side in SIDES:
        soles = sole_places(walk, side)
        heel, _, ball, tip = (soles[:, i : i + 1] for i in range(4))
        points = np.concatenate([soles, heel + share * (ball - heel), ball + share * (tip - ball)], axis=1)
        worst = max(worst, float(-over(land, points).min()))
    return worst


@every_walk
@pytest.mark.parametrize(
    "asked",
    [
        {"lift": 0.02},
        {"lift": 0.12},
        {"lift": 0.25},
        {"lift": 0.15, "step_length": 0.45},
        {"lift": 0.1, "slope": 0.3},
        {"lift": 0.1, "slope": -0.3, "step_length": 0.6},
        {"lift": 0.08, "curve": 0.6},
        {"lift": 0.2, "speed": 0.7},
        {"lift": 0.15, "stairs": (0.1, 0.45)},
    ],
    ids=str,
)
def test_a_lift_is_given_as_it_is_asked(name: str, asked: dict[str, Any]) -> None:
    walk: EditedWalk = edit_of(name).synthesize(steps=4, fps=DENSE, **asked)
    assert walk.clamped == ()
    assert walk.ground is not None
    found = mid_swings(walk, walk.ground)
    assert len(found) >= 4
    assert np.abs(found - asked["lift"]).min(axis=-1).max() < 0.001


@every_walk
def test_a_lift_may_grow_as_one_goes(name: str) -> None:
    edit = edit_of(name)
    walk = edit.synthesize(steps=6, fps=DENSE, lift=lambda d: 0.03 + 0.03 * d)
    assert walk.ground is not None
    assert walk.plan is not None
    places = np.array([p.position[2] for p in walk.plan.placements])
    # each swing is asked for when its step begins, where the other foot has just been set
    wanted = 0.03 + 0.03 * places[1:-1]
    found = np.sort(mid_swings(walk, walk.ground).mean(axis=-1))
    assert_allclose(found[-len(wanted) :], wanted, atol=0.002)


@every_walk
def test_where_nothing_is_asked_on_level_ground_nothing_is_changed(name: str) -> None:
    cycle = cycle_of(name)
    for prints in (
        as_captured(cycle).prints,
        as_asked(cycle, step_length=0.6).prints,
        as_asked(cycle, speed=0.9).prints,
    ):
        swings = swing_lifts(cycle, prints, LEVEL, Clock.of(cycle, prints))
        assert not swings.lifts.any()
        assert not swings.lags.any()


@every_walk
def test_what_is_told_as_given_is_what_is_measured(name: str) -> None:
    cycle = cycle_of(name)
    for asked in ({}, {"lift": 0.1}, {"slope": 0.2}):
        course = as_asked(cycle, steps=4, **asked)
        walk, swings = swung(name, course.prints, course.ground)
        told = swings.given[~np.isnan(swings.given)]
        for pair in mid_swings(walk, course.ground):
            assert np.abs(pair[:, None] - told).min() < 0.001


@every_walk
def test_a_raised_swing_is_bent_no_more_than_it_must_be(name: str) -> None:
    """Of all bumps that give this lift the sum with the least mean square of its second rate, by SciPy."""
    cycle = cycle_of(name)
    plain, asked = (as_asked(cycle, lift=lift).prints for lift in (None, 0.2))
    clock = Clock.of(cycle, asked)
    natural, swings = (swing_lifts(cycle, p, LEVEL, clock) for p in (plain, asked))
    k = 4
    side = asked.side(k)
    foot = cycle.feet[side]
    # mid-swing in time is mid-swing in phase: this walk is steady
    curves = [BPoly(np.eye(BUMPS + 4)[i + 2][:, None], [0.0, 1.0]).derivative(2) for i in range(BUMPS)]
    fine = np.linspace(0.0, 1.0, 2001)
    rates = np.stack([c(fine) for c in curves], axis=-1)
    shape = bumps(np.array([0.5]))[0]
    raised = float(shape @ swings.lifts[k])
    assert raised == pytest.approx(0.2 - natural.given[k], abs=2e-3)
    assert foot.off < 1.0
    best = minimize(
        lambda x: np.mean((rates @ x) ** 2),
        swings.lifts[k],
        constraints={"type": "eq", "fun": lambda x: shape @ x - raised},
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-12},
    )
    bent = float(np.mean((rates @ swings.lifts[k]) ** 2))
    assert bent == pytest.approx(best.fun, rel=0.02)


@every_walk
def test_lifting_changes_no_stance(name: str) -> None:
    plain, lifted = (edit_of(name).synthesize(steps=4, lift=lift, fps=240.0) for lift in (None, 0.25))
    assert plain.contacts is not None
    for side in SIDES:
        stands = plain.contacts.stands(side)
        one, other = (sole_places(walk, side) for walk in (plain, lifted))
        assert_allclose(other[stands], one[stands], atol=1e-9)
        # and nothing but its height: where it is on the ground plan it would have been
        assert_allclose(other[..., [0, 2]], one[..., [0, 2]], atol=0.02)


# what lies between two prints


def wall_between(name: str, wide: float, high: float, share: float) -> tuple[Footprints, Land]:
    """Across the way, somewhere between the toes of one print and the heel of the next."""
    prints = as_asked(cycle_of(name), steps=6).prints
    shapes = [shape_of(name, prints.side(k)) for k in (4, 5)]
    first = prints.places[4, 2] + shapes[0].along[-1] + 0.02
    last = prints.places[5, 2] + shapes[1].along[0] - 0.02 - wide
    assert last > first
    at = first + share * (last - first)
    return prints, Land(lambda x, z: np.where((z > at) & (z < at + wide), high, 0.0) + 0.0 * x)


WALLS = [
    (0.03, 0.1, 0.0),
    (0.03, 0.25, 0.35),
    (0.03, 0.25, 1.0),
    (0.05, 0.2, 0.1),
    (0.05, 0.3, 0.6),
    (0.1, 0.15, 0.9),
    (0.2, 0.25, 0.5),
    (0.3, 0.1, 0.5),
]


@every_walk
@pytest.mark.parametrize(("wide", "high", "share"), WALLS)
def test_a_wall_between_two_prints_is_cleared(name: str, wide: float, high: float, share: float) -> None:
    prints, wall = wall_between(name, wide, high, share)
    assert deepest(swung(name, prints, LEVEL)[0], wall) > 0.01  # the captured swing does not clear it
    walk, swings = swung(name, prints, wall)
    assert deepest(walk, wall) < UNDER
    # both feet cross it, once each; no other swing is changed
    raised = np.flatnonzero(np.abs(swings.lifts).sum(axis=-1) > 0.0)
    assert_array_equal(raised, [5, 6])
    # cleared, not flown over: somewhere the sole is only the margin and a little more above it
    top = min(
        float(over(wall, sole_places(walk, side))[on].min())
        for side in SIDES
        for on in [wall.height(*np.moveaxis(sole_places(walk, side), -1, 0)[[0, 2]]) > 0.0]
        if on.any()
    )
    assert top < MARGIN + 0.06


@every_walk
@pytest.mark.parametrize("wide", [0.02, 0.015, 0.01])
def test_a_thin_wall_is_cleared(name: str, wide: float) -> None:
    for share in np.linspace(0.0, 1.0, 25)[[0, 3, 8, 17, 19]]:
        prints, wall = wall_between(name, wide, 0.15, share)
        assert deepest(swung(name, prints, wall)[0], wall) < UNDER


@every_walk
def test_what_the_ground_asks_for_outranks_the_lift_and_is_said(name: str) -> None:
    prints, wall = wall_between(name, 0.3, 0.25, 0.5)
    low = replace(prints, lifts=np.full(len(prints), 0.03))
    walk, swings = swung(name, low, wall)
    assert deepest(walk, wall) < UNDER
    higher = swings.given - 0.03 > 0.001
    assert higher[5] or higher[6]
    others = np.setdiff1d(np.arange(2, len(prints)), [5, 6])
    assert_allclose(swings.given[others], 0.03, atol=1e-6)


@every_walk
@pytest.mark.parametrize("stairs", [(0.2, 0.25), (0.15, 0.35), (-0.2, 0.25), (-0.15, 0.35)], ids=str)
def test_on_stairs_no_edge_is_met(name: str, stairs: tuple[float, float]) -> None:
    course = as_asked(cycle_of(name), stairs=stairs, steps=6)
    prints = replace(course.prints, landings=landings(course.prints))
    walk, swings = swung(name, prints, course.ground)
    assert deepest(walk, course.ground) < 0.002
    # a foot goes up before on, and on before down
    lags = swings.lags[2:] * np.sign(stairs[0])
    assert set(np.round(lags, 6)) <= set(LAGS) - {0.0}


@every_walk
@pytest.mark.parametrize("riser", [0.15, -0.15])
def test_on_the_shortest_treads_no_edge_is_met_either(name: str, riser: float) -> None:
    tread = shortest_tread(cycle_of(name), riser) + 0.001
    walk = edit_of(name).synthesize(stairs=(riser, tread), steps=4)
    assert walk.ground is not None
    assert deepest(walk, walk.ground) < 0.002


def test_swings_of_a_steady_walk_are_alike() -> None:
    course = as_asked(cycle_of(ACTOR), stairs=(0.17, 0.29), steps=12)
    clock = Clock.of(cycle_of(ACTOR), course.prints)
    swings = swing_lifts(cycle_of(ACTOR), course.prints, course.ground, clock)
    assert_allclose(swings.lifts[4:-2:2], np.tile(swings.lifts[4], (len(swings.lifts[4:-2:2]), 1)), atol=1e-6)
    assert_allclose(swings.lags[4:-2:2], swings.lags[4], atol=1e-12)


@every_walk
def test_two_runs_are_the_same(name: str) -> None:
    prints, wall = wall_between(name, 0.1, 0.2, 0.3)
    clock = Clock.of(cycle_of(name), prints)
    one, other = (swing_lifts(cycle_of(name), prints, wall, clock) for _ in range(2))
    assert_array_equal(one.lifts, other.lifts)
    assert_array_equal(one.lags, other.lags)
    assert_array_equal(one.given, other.given)
