"""Closed cycles: value and rate meet at the seam, by finite differences, and nothing else is changed."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from footfall.geometry import quaternion as quat
from footfall.models.walkedit.closing import NEAR, closed, closed_turns

SAMPLES = 257
PAST = np.linspace(0.0, 1.0, SAMPLES)
AWAY = (PAST >= NEAR) & (PAST <= 1.0 - NEAR)


def calm(rate_gap: float) -> np.ndarray:
    """From 0, at a rate of 1 that grows by `rate_gap`, without curvature at either end."""
    return PAST + rate_gap * (PAST**6 - 3.0 * PAST**5 + 2.5 * PAST**4)


def open_values(seed: int) -> np.ndarray:
    """Swings and drifts whose ends meet neither in value nor in rate."""
    rng = np.random.default_rng(seed)
    swing = sum(rng.normal(size=4) / k**2 * np.sin(2.0 * np.pi * k * PAST[:, None]) for k in (1, 2, 3))
    gaps = rng.normal(size=(2, 4))
    return swing + gaps[0] * PAST[:, None] + 0.5 * np.stack([calm(g) for g in gaps[1]], axis=-1)


def rates(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Per cycle, at the beginning and at the end, from inside: one-sided differences of the third order."""
    weights = np.array([-11.0, 18.0, -9.0, 2.0]) / 6.0 * (len(values) - 1)
    first = np.tensordot(weights, values[:4], axes=1)
    return first, -np.tensordot(weights, values[-1:-5:-1], axes=1)


@pytest.mark.parametrize("seed", range(5))
def test_ends_meet_in_value(seed: int) -> None:
    values = open_values(seed)
    assert np.abs(values[-1] - values[0]).min() > 1e-3
    out = closed(values)
    assert_array_equal(out[-1], out[0])
    # each end comes halfway, so that neither sample beside the seam jumps
    assert_allclose(out[0], 0.5 * (values[0] + values[-1]), atol=1e-12)
    assert np.abs(np.diff(out, axis=0)).max() < 1.6 * np.abs(np.diff(values, axis=0)).max() + 0.05


@pytest.mark.parametrize("seed", range(5))
def test_ends_meet_in_rate(seed: int) -> None:
    values = open_values(seed)
    before = np.subtract(*rates(values))
    after = np.subtract(*rates(closed(values)))
    # a rate over a few samples is a little different from that at the very end
    assert (np.abs(after) < 0.03 * np.abs(before) + 0.02).all()


@pytest.mark.parametrize("seed", range(5))
def test_away_from_the_seam_nothing_is_changed(seed: int) -> None:
    values = open_values(seed)
    assert_array_equal(closed(values)[AWAY], values[AWAY])
    assert AWAY.mean() > 0.69


def test_the_correction_has_no_corner_of_its_own() -> None:
    values = open_values(1)
    by = closed(values) - values
    by[-1] = by[-2] + (by[-2] - by[-3])  # the last sample is the first
    bends = np.diff(by, n=2, axis=0) * (SAMPLES - 1) ** 2
    gap = np.abs(values[-1] - values[0]).max() + np.abs(np.subtract(*rates(values))).max()
    assert np.abs(bends).max() < 6.0 * gap / NEAR**2


def test_a_gap_in_value_alone_needs_no_change_of_rate() -> None:
    out = closed(PAST[:, None])  # a ramp: its rate is 1 at both ends
    assert_allclose(np.ravel(rates(out)), 1.0, atol=0.02)


def test_the_values_given_are_left_alone() -> None:
    values = open_values(2)
    kept = values.copy()
    closed(values)
    assert_array_equal(values, kept)


@pytest.mark.parametrize("harmonic", [1, 2, 3])
def test_a_cycle_that_is_closed_stays_as_it_is(harmonic: int) -> None:
    values = np.sin(2.0 * np.pi * harmonic * PAST)[:, None]
    values[-1] = values[0]
    assert_allclose(closed(values), values, atol=1e-12)


@pytest.mark.parametrize("phase", [0.5, 1.0, 0.5 * np.pi])
@pytest.mark.parametrize("harmonic", [1, 2])
def test_a_closed_cycle_that_bends_at_its_seam_stays_as_it_is(harmonic: int, phase: float) -> None:
    values = np.sin(2.0 * np.pi * harmonic * PAST + phase)[:, None]
    values[-1] = values[0]
    assert_allclose(closed(values), values, atol=1e-3)


def spun(angles: np.ndarray) -> np.ndarray:
    """Two joints that turn by vectors (samples, 2, 3), about a pose of their own."""
    rest = quat.normalize(np.array([[0.9, 0.1, -0.3, 0.2], [0.2, 0.8, 0.1, -0.5]]))
    return quat.multiply(rest, quat.exp(angles))


def open_turns(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    swing = rng.normal(size=(2, 3)) * 0.5 * np.sin(2.0 * np.pi * PAST)[:, None, None]
    drift = rng.normal(size=(2, 2, 3)) * 0.2
    return spun(swing + drift[0] * PAST[:, None, None] + drift[1] * calm(1.0)[:, None, None])


def as_scipy(turns: np.ndarray) -> Rotation:
    return Rotation.from_quat(turns.reshape(-1, 4)[:, [1, 2, 3, 0]])


def apart(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Angles, whatever the signs of the quaternions."""
    return (as_scipy(one).inv() * as_scipy(other)).magnitude().reshape(one.shape[:-1])


def spins(turns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rates of turning in the bone's frame, over the first and the last interval, per cycle."""
    pairs = [(turns[0], turns[1]), (turns[-2], turns[-1])]
    first, last = ((as_scipy(a).inv() * as_scipy(b)).as_rotvec() * (len(turns) - 1) for a, b in pairs)
    return first, last


@pytest.mark.parametrize("seed", range(5))
def test_turns_meet_in_value(seed: int) -> None:
    turns = open_turns(seed)
    assert apart(turns[0], turns[-1]).min() > 0.02
    out = closed_turns(turns)
    assert_allclose(np.linalg.norm(out, axis=-1), 1.0, atol=1e-12)
    assert_array_equal(out[-1], out[0])
    # neighbours stay neighbours all round, also as numbers
    assert np.abs(np.diff(out, axis=0)).max() < 0.05
    # each end comes halfway
    assert_allclose(apart(out[0], turns[0]), 0.5 * apart(turns[0], turns[-1]), atol=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_turns_about_one_axis_meet_in_rate(seed: int) -> None:
    rng = np.random.default_rng(seed)
    axes = rng.normal(size=(2, 3))
    angle = 0.5 * np.sin(2.0 * np.pi * PAST) + 0.3 * PAST + rng.normal() * 0.2 * calm(1.0)
    turns = spun(axes * angle[:, None, None])
    was, now = (np.abs(np.subtract(*spins(t))).max() for t in (turns, closed_turns(turns)))
    assert now < 0.05 * was + 0.06


@pytest.mark.parametrize("seed", range(5))
def test_turns_meet_in_rate(seed: int) -> None:
    turns = open_turns(seed)
    was, now = (np.abs(np.subtract(*spins(t))).max() for t in (turns, closed_turns(turns)))
    assert now < 0.12 * was + 0.06


@pytest.mark.parametrize("seed", range(5))
def test_away_from_the_seam_no_turn_is_changed(seed: int) -> None:
    turns = open_turns(seed)
    assert apart(closed_turns(turns)[AWAY], turns[AWAY]).max() < 1e-7


def test_signs_of_quaternions_do_not_matter() -> None:
    turns = open_turns(3)
    signs = np.random.default_rng(0).choice([-1.0, 1.0], size=(SAMPLES, 2, 1))
    one, other = closed_turns(turns), closed_turns(turns * signs)
    assert apart(one, other).max() < 1e-7
    assert np.sum(other[1:] * other[:-1], axis=-1).min() > 0.99


@pytest.mark.parametrize("harmonic", [1, 2])
def test_turns_that_are_closed_stay_as_they_are(harmonic: int) -> None:
    angles = (
        np.array([[0.5, -0.2, 0.1], [0.1, 0.3, -0.4]]) * np.sin(2.0 * np.pi * harmonic * PAST)[:, None, None]
    )
    turns = spun(angles)
    turns[-1] = turns[0]
    assert apart(closed_turns(turns), turns).max() < 1e-7


def test_closed_turns_that_bend_at_their_seam_stay_as_they_are() -> None:
    angles = np.array([[0.5, -0.2, 0.1], [0.1, 0.3, -0.4]]) * np.cos(4.0 * np.pi * PAST)[:, None, None]
    turns = spun(angles)
    turns[-1] = turns[0]
    assert apart(closed_turns(turns), turns).max() < 1e-3
