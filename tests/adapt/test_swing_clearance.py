"""Swings over what lies in their way: edges told from slopes, lifts that clear, and none where none is due.

Least bending and bumps are tested in test_swing_lift.py.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.interpolate import BPoly

from footfall.adapt.swing_clearance import (
    BUMPS,
    MARGIN,
    MOMENTS,
    THIN,
    along_sole,
    bumps,
    edges_in,
    held_between,
    least_lifts,
    moments,
    smooth_ends,
)

SHARE = np.arange(1, MOMENTS) / MOMENTS
SEEDS = st.integers(0, 10_000)


def straight(height: float | np.ndarray, far: float = 0.7) -> np.ndarray:
    """One place of a sole that goes along z: (1, moments, 1, 3)."""
    points = np.zeros((1, len(SHARE), 1, 3))
    points[0, :, 0, 1] = height
    points[0, :, 0, 2] = far * SHARE
    return points


def test_moments_are_within_a_swing_and_bending_is_measured() -> None:
    share, shapes, easy = moments()
    assert_array_equal(share, SHARE)
    assert_array_equal(shapes, bumps(SHARE))
    # the square of what is left of lifts is the integral of the squared second derivative
    rng = np.random.default_rng(0)
    found = rng.normal(size=BUMPS)
    lifts = easy @ found
    coefficients = np.concatenate([np.zeros(2), lifts, np.zeros(2)])
    bend = BPoly(coefficients[:, None], [0.0, 1.0]).derivative(2)
    fine = np.linspace(0.0, 1.0, 4001)
    assert np.trapezoid(bend(fine) ** 2, fine) == pytest.approx(found @ found, rel=0.05)


@pytest.mark.parametrize("slope", [-0.5, 0.0, 0.3])
def test_slopes_are_no_edges_and_steps_are(slope: float) -> None:
    points = straight(0.1)
    z = points[..., 2]
    assert not edges_in(points, slope * z).any()
    step = slope * z + np.where(z > 0.31, 0.05, 0.0)
    found = edges_in(points, step)[0, :, 0]
    between = np.flatnonzero((z[0, :-1, 0] <= 0.31) & (z[0, 1:, 0] > 0.31))
    assert between[0] in np.flatnonzero(found)
    assert np.abs(np.flatnonzero(found) - between[0]).max() <= 1


@pytest.mark.parametrize("at", [0.2, 0.31, 0.5])
def test_where_a_slope_begins_there_is_no_edge(at: float) -> None:
    points = straight(0.1)
    z = points[..., 2]
    assert not edges_in(points, np.maximum(0.6 * (z - at), 0.0)).any()


def test_places_of_a_sole_lie_on_it() -> None:
    heel, subtalar, ball, tip = np.random.default_rng(1).normal(size=(4, 3))
    found = along_sole(np.stack([heel, subtalar, ball, tip])[None])[0]
    assert_array_equal(found[:4], [heel, subtalar, ball, tip])
    assert_allclose(found[4:7], [heel + s * (ball - heel) for s in (0.25, 0.5, 0.75)])
    assert_allclose(found[7], 0.5 * (ball + tip))


@pytest.mark.parametrize("ours", [True, False])
@pytest.mark.parametrize("at", np.linspace(0.2, 0.5, 7).tolist())
def test_an_edge_between_two_moments_counts_on_both_sides(ours: bool, at: float) -> None:
    """The higher ground against the lower place, wherever the edge falls."""
    points = straight(0.2 - 0.1 * SHARE)

    def beneath(x: np.ndarray, z: np.ndarray) -> np.ndarray:
        return np.where(z > at, 0.1, 0.0) + 0.0 * x

    under = beneath(points[..., 0], points[..., 2])
    over = held_between(points, under, beneath, ours=ours)[0]
    plain = (points[..., 1] - under)[0, :, 0]
    assert (over <= plain + 1e-12).all()
    before = int(np.flatnonzero(points[0, :, 0, 2] <= at)[-1])
    lower = points[0, before + 1, 0, 1]
    assert over[before] == pytest.approx(lower - 0.1)  # as if it were over the edge already
    assert_allclose(over[before + 3 :], plain[before + 3 :])


def test_a_thin_wall_between_two_moments_is_seen_on_unknown_ground() -> None:
    points = straight(0.1)
    gap = points[0, 1, 0, 2] - points[0, 0, 0, 2]
    at = float(points[0, 20, 0, 2]) + 0.5 * gap

    def beneath(x: np.ndarray, z: np.ndarray) -> np.ndarray:
        return np.where(np.abs(z - at) < 0.2 * gap, 0.3, 0.0) + 0.0 * x

    under = beneath(points[..., 0], points[..., 2])
    assert not under.any()
    over = held_between(points, under, beneath, ours=False)[0]
    assert over[20] == pytest.approx(-0.2 - THIN)
    assert over[21] == pytest.approx(-0.2 - THIN)
    assert over[10] == pytest.approx(0.1)


def test_what_is_clear_is_left_alone() -> None:
    over = np.full(MOMENTS - 1, 0.02)
    lifts, middle, bend = least_lifts(np.append(over, 0.02), over, np.nan, 0.5)
    assert not lifts.any()
    assert middle == 0.02
    assert bend == 0.0
    near = np.full(MOMENTS - 1, 0.001)  # people do come as near
    assert not least_lifts(np.append(near, 0.001), near, np.nan, 0.5)[0].any()


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_lifts_clear_what_is_in_the_way(seed: int) -> None:
    rng = np.random.default_rng(seed)
    deep = rng.uniform(0.005, 0.15) * np.exp(-(((SHARE - rng.uniform(0.25, 0.75)) / 0.1) ** 2))
    over = 0.06 * np.sin(np.pi * SHARE) - deep
    lifts, middle, bend = least_lifts(np.append(over, over[len(over) // 2]), over, np.nan, 0.5)
    after = over + bumps(SHARE) @ lifts
    useful = (SHARE > 0.04) & (SHARE < 0.96)
    assert after[useful].min() > -0.0006
    assert middle == pytest.approx(over[len(over) // 2] + bumps(np.array([0.5]))[0] @ lifts)
    assert np.isfinite(bend)
    if over.min() > 0.0:
        assert np.abs(lifts).max() < 0.5


@pytest.mark.parametrize("deep", [0.02, 0.001])
def test_over_an_edge_the_whole_margin_is_kept(deep: float) -> None:
    over = np.full(MOMENTS - 1, 0.05)
    sure = np.where(np.abs(SHARE - 0.5) < 0.03, -deep, over)
    lifts, _, _ = least_lifts(np.append(over, 0.05), sure, np.nan, 0.5)
    after = sure + bumps(SHARE) @ lifts
    assert after[np.abs(SHARE - 0.5) < 0.03].min() > MARGIN - 1e-6


@pytest.mark.parametrize("asked", [0.03, 0.08, 0.15])
def test_what_is_asked_at_mid_swing_is_given(asked: float) -> None:
    over = 0.05 * np.sin(np.pi * SHARE)
    lifts, middle, _ = least_lifts(np.append(over, 0.05), over, asked, 0.5)
    assert middle == pytest.approx(asked, abs=1e-6)
    assert 0.05 + bumps(np.array([0.5]))[0] @ lifts == pytest.approx(asked, abs=1e-6)


def test_margins_grow_from_nothing_at_both_ends() -> None:
    found = smooth_ends(np.linspace(0.0, 1.0, 101))
    assert found[0] == found[-1] == 0.0
    assert found[50] == 1.0
    assert_allclose(found, found[::-1], atol=1e-12)
    assert (np.diff(found[:51]) >= 0.0).all()
