"""Generic time without corners: exact at keytimes, always forwards, with rates that do not jump."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.interpolate import CubicHermiteSpline, PchipInterpolator
from scipy.optimize import brentq

from footfall.align.generic_time import generic_time, time_of
from footfall.align.smooth_time import cubics, generic_at, time_at

STRETCH = st.floats(0.005, 3.0)
STRETCHES = st.lists(STRETCH, min_size=1, max_size=6)
SHARES = np.linspace(0.0, 1.0, 101)


def keytimes_of(stretches: list[float], start: float = 0.0) -> np.ndarray:
    return start + np.concatenate([[0.0], np.cumsum(stretches)])


def moments(stretches: list[float]) -> np.ndarray:
    return np.unique((np.arange(len(stretches))[:, None] + SHARES).ravel())


@cache
def step() -> np.ndarray:
    """A step's: a short double support, a long swing, a double support."""
    return np.array([0.0, 0.05, 0.5, 0.63])


@given(STRETCHES, st.floats(-5.0, 5.0))
def test_keytimes_are_met(stretches: list[float], start: float) -> None:
    keys = keytimes_of(stretches, start)
    clock = cubics(keys)
    whole = np.arange(len(keys), dtype=float)
    assert_array_equal(time_at(whole, clock)[:-1], keys[:-1])  # bit for bit
    assert_allclose(time_at(whole, clock), keys, rtol=0, atol=1e-14)
    assert_array_equal(generic_at(keys, clock)[:-1], whole[:-1])
    assert_allclose(generic_at(keys, clock), whole, rtol=0, atol=1e-12)


@given(STRETCHES)
def test_time_goes_forwards_never_slower_than_a_quarter(stretches: list[float]) -> None:
    """The monotone cubic's rate in a stretch is never under a quarter of the least it has at its ends."""
    clock = cubics(keytimes_of(stretches))
    assert (np.diff(time_at(moments(stretches), clock)) > 0.0).all()
    for constant, start, c2, c3 in clock:
        del constant
        end = start + 2 * c2 + 3 * c3
        rate = start + SHARES * (2 * c2 + SHARES * 3 * c3)
        assert rate.min() >= 0.25 * min(start, end) - 1e-12


@given(st.lists(STRETCH, min_size=2, max_size=6))
def test_rates_do_not_jump_at_keytimes(stretches: list[float]) -> None:
    """One-sided difference quotients agree; eq. 3 of the paper has a corner wherever stretches differ."""
    keys = keytimes_of(stretches)
    clock, straight = cubics(keys), keys
    inner = np.arange(1.0, len(keys) - 1)
    h = 1e-6
    before = (time_at(inner, clock) - time_at(inner - h, clock)) / h
    after = (time_at(inner + h, clock) - time_at(inner, clock)) / h
    length = np.diff(keys)
    curved = 8.0 * h * np.maximum(length[:-1], length[1:])  # what bending makes of the quotients
    assert (np.abs(after - before) <= curved + 1e-8).all()
    corner = np.abs(time_of(inner + h, straight) + time_of(inner - h, straight) - 2 * keys[1:-1]) / h
    assert_allclose(corner, np.abs(length[1:] - length[:-1]), atol=1e-7)


@given(STRETCHES, st.floats(-2.0, 2.0), st.lists(st.floats(0.0, 1.0), min_size=1, max_size=20))
def test_each_undoes_the_other(stretches: list[float], start: float, shares: list[float]) -> None:
    keys = keytimes_of(stretches, start)
    clock = cubics(keys)
    times = keys[0] + np.array(shares) * (keys[-1] - keys[0])
    assert_allclose(time_at(generic_at(times, clock), clock), times, rtol=0, atol=1e-12)
    generic = np.array(shares) * len(stretches)
    rate = clock[:, 1].min() / 4
    assert_allclose(generic_at(time_at(generic, clock), clock), generic, rtol=0, atol=1e-12 + 1e-14 / rate)


def test_the_inverse_is_the_root_that_scipy_finds() -> None:
    clock = cubics(step())
    spline = CubicHermiteSpline(np.arange(4.0), step(), clock_rates(step()))
    for t in np.linspace(0.001, 0.629, 50):
        root = brentq(lambda g, t=t: spline(g) - t, 0.0, 3.0, xtol=1e-14)
        assert float(generic_at(t, clock)) == pytest.approx(root, abs=1e-11)


def clock_rates(keys: np.ndarray) -> np.ndarray:
    """At the ends the stretch's own, inside the harmonic mean of both."""
    length = np.diff(keys)
    inside = [2.0 / (1.0 / a + 1.0 / b) for a, b in pairwise(length)]
    return np.array([length[0], *inside, length[-1]])


@given(STRETCHES)
def test_it_is_the_hermite_spline_of_harmonic_rates(stretches: list[float]) -> None:
    keys = keytimes_of(stretches)
    spline = CubicHermiteSpline(np.arange(float(len(keys))), keys, clock_rates(keys))
    at = moments(stretches)
    assert_allclose(time_at(at, cubics(keys)), spline(at), rtol=0, atol=1e-13)


@given(st.lists(STRETCH, min_size=3, max_size=6))
def test_inside_it_is_scipys_monotone_cubic(stretches: list[float]) -> None:
    """Not in the first and the last stretch: SciPy guesses its rates at the ends from three points."""
    keys = keytimes_of(stretches)
    judge = PchipInterpolator(np.arange(float(len(keys))), keys)
    at = moments(stretches)
    inside = (at >= 1.0) & (at <= len(stretches) - 1.0)
    assert_allclose(time_at(at, cubics(keys))[inside], judge(at[inside]), rtol=0, atol=1e-12)


@given(STRETCHES)
def test_it_is_scipys_everywhere_where_its_guess_is_ours(stretches: list[float]) -> None:
    """With two equal stretches at each end, the three points lie on a line."""
    keys = keytimes_of([stretches[0], *stretches, stretches[-1]])
    judge = PchipInterpolator(np.arange(float(len(keys))), keys)
    at = np.linspace(0.0, len(keys) - 1.0, 200)
    assert_allclose(time_at(at, cubics(keys)), judge(at), rtol=0, atol=1e-12)


@given(STRETCH, st.integers(1, 6), st.floats(-2.0, 2.0))
def test_equal_stretches_run_straight(stretch: float, count: int, start: float) -> None:
    keys = keytimes_of([stretch] * count, start)
    at = np.linspace(0.0, count, 77)
    clock = cubics(keys)
    assert_allclose(time_at(at, clock), start + at * stretch, rtol=0, atol=1e-13)
    assert_allclose(time_at(at, clock), time_of(at, keys), rtol=0, atol=1e-13)
    assert_allclose(generic_at(start + at * stretch, clock), at, rtol=0, atol=1e-11)


@given(STRETCHES, st.floats(0.2, 5.0), st.floats(-3.0, 3.0))
def test_slower_and_later_keeps_the_phase(stretches: list[float], slower: float, later: float) -> None:
    keys = keytimes_of(stretches)
    times = np.linspace(keys[0], keys[-1], 50)
    moved = generic_at(slower * times + later, cubics(slower * keys + later))
    assert_allclose(moved, generic_at(times, cubics(keys)), rtol=0, atol=1e-10)


@given(STRETCHES)
def test_backwards_it_is_the_mirror_image(stretches: list[float]) -> None:
    keys = keytimes_of(stretches)
    at = moments(stretches)
    back = time_at(len(stretches) - at, cubics(keys[-1] - keys[::-1]))
    assert_allclose(back, keys[-1] - time_at(at, cubics(keys)), rtol=0, atol=1e-12)


def test_outside_time_is_held() -> None:
    clock = cubics(step())
    assert_allclose(generic_at(np.array([-3.0, 0.63, 9.0]), clock), [0.0, 3.0, 3.0], rtol=0, atol=1e-15)
    assert_allclose(time_at(np.array([-1.0, 3.0, 7.0]), clock), [0.0, 0.63, 0.63], rtol=0, atol=1e-15)


def test_all_examples_at_once_are_each_alone() -> None:
    rng = np.random.default_rng(0)
    keys = np.cumsum(rng.uniform(0.01, 1.0, (5, 4)), axis=1)
    at = rng.uniform(0.0, 3.0, (7, 2))
    clocks = cubics(keys)
    assert clocks.shape == (5, 3, 4)
    together = time_at(at, clocks)
    assert together.shape == (5, 7, 2)
    for k, row in enumerate(keys):
        assert_array_equal(cubics(row), clocks[k])
        assert_array_equal(time_at(at, clocks[k]), together[k])


def test_one_number_and_none_are_answered() -> None:
    clock = cubics(step())
    assert float(generic_at(0.05, clock)) == pytest.approx(1.0, abs=1e-12)
    assert generic_at(np.zeros(0), clock).shape == (0,)
    assert time_at(np.zeros((0, 2)), clock).shape == (0, 2)


def test_between_keytimes_it_stays_near_the_papers_straight_time() -> None:
    """By less than a stretch: the phase never runs ahead by more than its neighbours differ."""
    times = np.linspace(0.0, step()[-1], 200)
    smooth, straight = generic_at(times, cubics(step())), generic_time(times, step())
    assert (smooth.astype(int)[1:-1] == straight.astype(int)[1:-1]).all()
    assert 0.05 < np.abs(smooth - straight).max() < 0.5
