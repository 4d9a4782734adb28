"""Phase, time and steps: whole numbers at strikes, and inverses of each other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import brentq

from footfall.models.walkedit.phase import Clock, step_share, steps_at, strike_phases
from footfall.models.walkedit.timing import QUICKEST, SLOWEST
from tests.models.walkedit.walks import as_captured, cycle_of, every_walk

uneven = pytest.mark.parametrize("right_strike", [0.3, 0.42, 0.4925, 0.5, 0.58, 0.7])


@uneven
def test_strikes_are_where_the_feet_strike(right_strike: float) -> None:
    assert_allclose(
        strike_phases(np.arange(-3, 4), right_strike),
        [-2 + right_strike, -1, -1 + right_strike, 0, right_strike, 1, 1 + right_strike],
        atol=1e-15,
    )


@uneven
def test_steps_are_whole_numbers_at_strikes(right_strike: float) -> None:
    numbers = np.arange(-4, 30)
    assert_allclose(steps_at(strike_phases(numbers, right_strike), right_strike), numbers, atol=1e-12)


@uneven
def test_steps_only_grow_and_do_so_smoothly(right_strike: float) -> None:
    phase = np.linspace(-1.0, 3.0, 40_001)
    steps = steps_at(phase, right_strike)
    rate = np.diff(steps) / np.diff(phase)
    assert rate.min() > 0.0
    # no corner anywhere, nor where a foot strikes: rates of neighbouring thousandths are alike
    assert np.abs(np.diff(rate)).max() < 2e-3 * max(rate.max(), 1.0)
    # two steps a cycle, whichever cycle
    assert_allclose(steps_at(phase + 3.0, right_strike), steps + 6.0, atol=1e-11)


def test_even_steps_are_twice_the_phase() -> None:
    phase = np.linspace(-2.0, 2.0, 101)
    assert_allclose(steps_at(phase, 0.5), 2.0 * phase, atol=1e-14)


@uneven
def test_steps_share_a_cycle(right_strike: float) -> None:
    left, right = (step_share(foot, right_strike) for foot in (0, 1))
    # the right foot's step is from the left foot's strike, at 0, to its own
    assert_allclose([left, right], np.diff([right_strike, 1.0, 1.0 + right_strike]), atol=1e-15)
    assert left + right == pytest.approx(1.0)


def clock_of(seconds: list[float] | np.ndarray, right_strike: float = 0.5, first: int = 0) -> Clock:
    times = np.concatenate([[0.0], np.cumsum(seconds)])
    return Clock(times, strike_phases(np.arange(len(times)) + first, right_strike))


@given(
    seconds=st.lists(st.floats(0.3, 0.9), min_size=3, max_size=15),
    right_strike=st.floats(0.4, 0.6),
    first=st.integers(0, 1),
)
@settings(max_examples=80, deadline=None)
def test_a_clock_runs_through_its_strikes_and_never_back(
    seconds: list[float], right_strike: float, first: int
) -> None:
    clock = clock_of(seconds, right_strike, first)
    assert_allclose(clock.phase(clock.times), clock.strikes, atol=1e-12)
    assert_allclose(clock.time(clock.strikes[1:-1]), clock.times[1:-1], atol=1e-9)
    time = np.linspace(0.0, clock.times[-1], 2001)
    phase = clock.phase(time)
    assert (np.diff(phase) > 0.0).all()
    # between two strikes it is between their phases
    assert (phase >= clock.strikes[np.searchsorted(clock.times, time, side="right") - 1] - 1e-12).all()
    # in its first and last step a clock may all but stand still: there times are only as sure as phases are
    inside = (time > clock.times[1]) & (time < clock.times[-2])
    assert_allclose(clock.time(phase[inside]), time[inside], atol=1e-9)
    assert_allclose(clock.time(phase), time, atol=1e-4)


def test_a_clock_has_no_corner_at_a_strike() -> None:
    clock = clock_of([0.5, 0.6, 0.4, 0.8, 0.5, 0.5])
    small = 1e-5
    at = clock.times[1:-1]
    before = (clock.phase(at) - clock.phase(at - small)) / small
    after = (clock.phase(at + small) - clock.phase(at)) / small
    assert_allclose(before, after, rtol=1e-3)


def test_a_steady_clock_is_a_straight_line() -> None:
    clock = clock_of(np.full(8, 0.55))
    time = np.linspace(0.0, 4.4, 300)
    assert_allclose(clock.phase(time), time / 1.1, atol=1e-12)
    assert_allclose(clock.time(time / 1.1), time, atol=1e-12)


@every_walk
def test_the_clock_of_a_captured_walk_keeps_its_time(name: str) -> None:
    cycle = cycle_of(name)
    prints = as_captured(cycle).prints
    clock = Clock.of(cycle, prints)
    assert_array_equal(clock.times, prints.strikes)
    # the first print is the right foot's: a cycle later than it, its next
    assert_allclose(np.diff(clock.times[::2]), cycle.seconds, atol=1e-12)
    assert_allclose(steps_at(clock.strikes, cycle.right_strike), np.arange(len(prints)) + 1, atol=1e-12)


def as_found_by_scipy(clock: Clock, phase: float) -> float:
    return float(brentq(lambda t: float(clock.phase(t)) - phase, 0.0, clock.times[-1], xtol=1e-13))


@pytest.mark.parametrize("seed", range(6))
def test_time_is_what_a_root_finder_has(seed: int) -> None:
    rng = np.random.default_rng(seed)
    clock = clock_of(rng.uniform(0.35, 1.0, 9), rng.uniform(0.4, 0.6))
    phases = rng.uniform(clock.strikes[0], clock.strikes[-1], 40)
    assert_allclose(clock.time(phases), [as_found_by_scipy(clock, p) for p in phases], atol=1e-9)


def most_uneven(seed: int) -> Clock:
    """A step takes from QUICKEST to SLOWEST, and the next may take anything else."""
    rng = np.random.default_rng(seed)
    return clock_of(np.exp(rng.uniform(np.log(QUICKEST), np.log(SLOWEST), 9)))


def astray(clock: Clock, first: float, last: float) -> float:
    """How far phases are from those of their times, at worst."""
    phases = np.linspace(first, last, 200)
    with np.errstate(all="ignore"):
        away = np.abs(clock.phase(clock.time(phases)) - phases)
    return float(np.where(np.isfinite(away), away, np.inf).max())


def test_time_inverts_phase_however_uneven_steps_are() -> None:
    for seed in range(200):
        clock = most_uneven(seed)
        assert astray(clock, clock.strikes[0], clock.strikes[-1]) < 1e-9
