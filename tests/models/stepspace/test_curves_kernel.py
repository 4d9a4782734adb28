"""Compiled curves: slopes are a parabola's, offsets the quintics of scipy; blends are sums written out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.interpolate import BPoly

from footfall.models.stepspace.blend_kernel import add_rows
from footfall.models.stepspace.curves_kernel import add_eased, give_way, put_slopes
from tests.models.stepspace.plain_easing import eased

STEPS, SAMPLES, CHANNELS = 4, 9, 5


def drawn(seed: int) -> tuple[np.ndarray, np.ndarray, np.random.Generator]:
    """Uneven times from 0, and values."""
    rng = np.random.default_rng(seed)
    gaps = rng.uniform(0.02, 0.3, (STEPS, SAMPLES - 1))
    times = np.concatenate([np.zeros((STEPS, 1)), np.cumsum(gaps, axis=1)], axis=1)
    return times, rng.normal(size=(STEPS, SAMPLES, CHANNELS)), rng


@pytest.mark.parametrize("seed", range(3))
def test_slopes_are_those_of_the_parabola_through_three(seed: int) -> None:
    times, values, _ = drawn(seed)
    slopes = np.full(values.shape, np.nan)
    put_slopes(values, times, slopes)
    for step, i, k in np.ndindex(*values.shape):
        first = min(max(i - 1, 0), SAMPLES - 3)
        near = slice(first, first + 3)
        parabola = np.polynomial.Polynomial.fit(times[step, near], values[step, near, k], 2)
        assert slopes[step, i, k] == pytest.approx(
            float(parabola.deriv()(times[step, i])), rel=1e-9, abs=1e-9
        )


@pytest.mark.parametrize("seed", range(3))
def test_steps_give_way_by_quintics(seed: int) -> None:
    """From what is missing of value and rate to nothing at all, with no acceleration left over."""
    times, values, rng = drawn(seed)
    slopes = rng.normal(size=values.shape)
    wanted = [rng.normal(size=(STEPS, CHANNELS)) for _ in range(4)]
    seconds = times[:, -1] * rng.uniform(0.3, 1.0, STEPS)
    made, rates = values.copy(), slopes.copy()
    give_way(times, seconds, *wanted, made, rates)
    for step, k in np.ndindex(STEPS, CHANNELS):
        total, rate = values[step, :, k].copy(), slopes[step, :, k].copy()
        for edge, value, speed, sign in ((0, 0, 1, 1.0), (-1, 2, 3, -1.0)):
            missing = wanted[value][step, k] - values[step, edge, k]
            missing_rate = sign * (wanted[speed][step, k] - slopes[step, edge, k])
            quintic = BPoly.from_derivatives([0.0, seconds[step]], [[missing, missing_rate, 0.0], [0.0] * 3])
            since = np.abs(times[step] - times[step, edge])
            on = since <= seconds[step]
            total += np.where(on, quintic(since), 0.0)
            rate += np.where(on, sign * quintic.derivative()(since), 0.0)
        assert_allclose(made[step, :, k], total, atol=1e-11)
        assert_allclose(rates[step, :, k], rate, atol=1e-10)


def test_what_is_as_wanted_is_left_alone() -> None:
    times, values, rng = drawn(5)
    slopes = rng.normal(size=values.shape)
    made, rates = values.copy(), slopes.copy()
    ends = [np.ascontiguousarray(a[:, i]) for i in (0, -1) for a in (values, slopes)]
    give_way(times, times[:, -1].copy(), *ends, made, rates)
    assert (made == values).all()
    assert (rates == slopes).all()


@pytest.mark.parametrize("rows", [[2], [3, 0], [1, 1, 0]])
def test_blends_are_sums(rows: list[int]) -> None:
    _, table, rng = drawn(7)
    weights = rng.dirichlet(np.ones(len(rows)))
    out = np.full((SAMPLES, CHANNELS), np.nan)
    add_rows(table, np.array(rows), weights, out)
    assert_allclose(out, sum(w * table[r] for r, w in zip(rows, weights, strict=True)), atol=1e-15)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([1.0, -1.0]))
def test_offsets_are_eased_out_as_the_plain_ones(seed: int, way: float) -> None:
    rng = np.random.default_rng(seed)
    times = np.sort(rng.uniform(0.0, 1.0, (3, 12)), axis=1)
    start, seconds = rng.uniform(0.2, 0.8, 3), rng.uniform(0.05, 0.5, 3)
    value, rate = rng.normal(size=(3, 2)), rng.normal(size=(3, 2))
    values, slopes = rng.normal(size=(2, 3, 12, 5))
    found, rates = values.copy(), slopes.copy()
    add_eased(times, start, way, seconds, value, rate, 2, found, rates)
    since = way * (times - start[:, None])
    offset, change = eased(np.maximum(since, 0.0), seconds, value, way * rate)
    inner = (since >= 0.0)[..., None]
    values[..., 2:4] += np.where(inner, offset, 0.0)
    slopes[..., 2:4] += np.where(inner, way * change, 0.0)
    assert_allclose(found, values, atol=1e-14)
    assert_allclose(rates, slopes, atol=1e-12)
