"""Curves through uneven samples: slopes and cubics as scipy has them, offsets that are gone in time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.interpolate import BPoly, CubicHermiteSpline, KroghInterpolator

from footfall.models.stepspace.curves import Moments, slopes_of
from tests.models.stepspace.plain_easing import eased

SEEDS = st.integers(0, 2**32 - 1)


def uneven(seed: int, steps: int = 3, samples: int = 9) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.cumsum(rng.uniform(0.005, 0.3, (steps, samples)), axis=1)


def from_zero(times: np.ndarray) -> np.ndarray:
    return times - times[:, :1]


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_slopes_are_those_of_parabolas_through_three_neighbours(seed: int) -> None:
    times = uneven(seed)
    values = np.random.default_rng(seed).normal(size=(*times.shape, 4))
    found = slopes_of(values, times)
    last = times.shape[1] - 1
    for step in range(len(times)):
        for k in range(last + 1):
            three = np.clip(k, 1, last - 1) + np.array([-1, 0, 1])
            parabola = KroghInterpolator(times[step, three], values[step, three])
            assert_allclose(found[step, k], parabola.derivative(times[step, k]), rtol=1e-6, atol=1e-6)


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_parabolas_are_followed_exactly(seed: int) -> None:
    """Slopes and cubics together: what is a parabola stays one, between samples too."""
    rng = np.random.default_rng(seed)
    own = from_zero(uneven(seed))
    a, b, c = rng.normal(size=(3, 5))

    def curve(t: np.ndarray) -> np.ndarray:
        return a + t[..., None] * (b + t[..., None] * c)

    starts = np.concatenate([[0.0], np.cumsum(own[:, -1])[:-1]])
    values = curve(starts[:, None] + own)
    times = rng.uniform(0.0, starts[-1] + own[-1, -1], 40)
    moments = Moments.of(times, starts, own)
    assert_allclose(moments.at(values, slopes_of(values, own)), curve(times), atol=1e-9)


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_cubics_are_hermites(seed: int) -> None:
    rng = np.random.default_rng(seed)
    own = from_zero(uneven(seed))
    values, slopes = rng.normal(size=(2, *own.shape, 3))
    step = rng.integers(0, len(own), 30)
    since = rng.uniform(0.0, 1.0, 30) * own[step, -1]
    first = np.zeros(30, dtype=int)
    moments = Moments.within(step, since, own, first, first + own.shape[1] - 1)
    for frame, s in enumerate(step):
        expected = CubicHermiteSpline(own[s], values[s], slopes[s])(since[frame])
        assert_allclose(moments.at(values, slopes)[frame], expected, atol=1e-9)


def test_moments_lie_in_their_steps() -> None:
    own = from_zero(uneven(4))
    starts = np.concatenate([[0.0], np.cumsum(own[:, -1])[:-1]])
    end = starts[-1] + own[-1, -1]
    times = np.concatenate([[-0.5], starts, [0.5 * end, end, end + 1.0]])
    found = Moments.of(times, starts, own)
    assert found.step.tolist()[:4] == [0, 0, 1, 2]
    assert found.step.tolist()[-2:] == [2, 2]
    assert_allclose(starts[found.step] + found.since, times, atol=1e-12)
    # held before and after
    values = np.random.default_rng(0).normal(size=(*own.shape, 2))
    values[1:, 0] = values[:-1, -1]
    at = found.at(values, slopes_of(values, own))
    assert_allclose(at[0], values[0, 0])
    assert_allclose(at[[-2, -1]], np.stack([values[-1, -1]] * 2))
    # a step's first moment is its own, not the end of the one before
    assert_array_equal(found.sample[1:4], 0)
    assert_allclose(found.share[1:4], 0.0, atol=1e-9)
    assert found.share.min() >= 0.0
    assert found.share.max() <= 1.0


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.integers(0, 3), st.integers(4, 8))
def test_moments_are_held_between_samples(seed: int, first: int, last: int) -> None:
    own = from_zero(uneven(seed))
    since = np.linspace(-1.0, float(own.max()) + 1.0, 21)
    step = np.ones(21, dtype=int)
    values = np.random.default_rng(seed).normal(size=(*own.shape, 2))
    found = Moments.within(step, since, own, np.full(21, first), np.full(21, last))
    at = found.at(values, slopes_of(values, own))
    for held, sample in ((since <= own[1, first], first), (since >= own[1, last], last)):
        assert held.any()
        assert_allclose(at[held], np.broadcast_to(values[1, sample], at[held].shape), atol=1e-12)
    assert_array_equal(found.since, since)


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.floats(0.05, 1.0))
def test_offsets_are_the_quintics_that_are_gone_in_time(seed: int, seconds: float) -> None:
    """Value and rate given, no acceleration at either end: six conditions, one quintic."""
    rng = np.random.default_rng(seed)
    value, rate = rng.normal(size=(2, 1, 3))
    since = np.linspace(0.0, 1.5 * seconds, 31)[None]
    offset, rates = eased(since, np.array([seconds]), value, rate)
    inside = since[0] <= seconds * (1.0 - 1e-12)
    for k in range(3):
        curve = BPoly.from_derivatives([0.0, seconds], [[value[0, k], rate[0, k], 0.0], [0.0, 0.0, 0.0]])
        assert_allclose(offset[0, inside, k], curve(since[0, inside]), atol=1e-9)
        assert_allclose(rates[0, inside, k], curve.derivative()(since[0, inside]), atol=1e-8)
    assert_allclose(offset[0, ~inside], 0.0, atol=1e-12)
    assert_allclose(rates[0, ~inside], 0.0, atol=1e-12)


def test_an_offset_that_is_eased_is_joined_without_a_corner() -> None:
    h = 1e-6
    seconds, value, rate = np.array([0.4]), np.array([[0.3]]), np.array([[-2.0]])
    since = np.array([[0.0, h, 0.2 - h, 0.2, 0.2 + h, 0.4 - h, 0.4]])
    offset, rates = eased(since, seconds, value, rate)
    o, r = offset[0, :, 0], rates[0, :, 0]
    assert (o[1] - o[0]) / h == pytest.approx(-2.0, abs=1e-4)
    assert (o[4] - o[2]) / (2.0 * h) == pytest.approx(r[3], abs=1e-6)
    assert (o[6] - o[5]) / h == pytest.approx(0.0, abs=1e-4)
    assert o[0] == 0.3
    assert r[0] == -2.0
