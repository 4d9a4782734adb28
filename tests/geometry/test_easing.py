"""Easing curves: values and rates at both ends, monotone between, clamped outside."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.interpolate import BPoly, CubicHermiteSpline

from footfall.geometry.easing import ease_out, hermite, smooth, smoother

patient = settings(deadline=None, max_examples=200)
T = np.linspace(0.0, 1.0, 201)
number = st.floats(-10.0, 10.0)


@pytest.mark.parametrize(("ease", "flat"), [(smooth, 1), (smoother, 2)])
def test_is_the_polynomial_of_lowest_degree_with_flat_ends(ease: object, flat: int) -> None:
    """SciPy's Hermite polynomial through 0 and 1 with `flat` derivatives of zero at both ends."""
    zeros = [0.0] * flat
    reference = BPoly.from_derivatives([0.0, 1.0], [[0.0, *zeros], [1.0, *zeros]])
    assert_allclose(ease(T), reference(T), rtol=0.0, atol=1e-14)  # type: ignore[operator]


@pytest.mark.parametrize("ease", [smooth, smoother])
def test_rises_symmetrically_and_never_falls(ease: object) -> None:
    values = ease(T)  # type: ignore[operator]
    assert (values[0], values[100], values[-1]) == (0.0, 0.5, 1.0)
    assert (np.diff(values) > 0).all()
    assert_allclose(values + values[::-1], 1.0, rtol=0.0, atol=1e-14)


@pytest.mark.parametrize(("ease", "before", "after"), [(smooth, 0, 1), (smoother, 0, 1), (ease_out, 1, 0)])
def test_is_held_outside(ease: object, before: float, after: float) -> None:
    times = np.array([-1e9, -0.1, 0.0, 1.0, 1.1, 1e9])
    assert_array_equal(ease(times), [before] * 3 + [after] * 3)  # type: ignore[operator]


def test_ease_out_is_what_smooth_leaves() -> None:
    assert_array_equal(ease_out(T), 1.0 - smooth(T))


@patient
@given(number, number, number, number)
def test_hermite_is_scipys(start: float, end: float, start_rate: float, end_rate: float) -> None:
    reference = CubicHermiteSpline([0.0, 1.0], [start, end], [start_rate, end_rate])
    assert_allclose(hermite(T, start, end, start_rate, end_rate), reference(T), rtol=0.0, atol=1e-13)


def test_smooth_is_the_hermite_cubic_at_rest() -> None:
    assert_allclose(hermite(T, 0.0, 1.0, 0.0, 0.0), smooth(T), rtol=0.0, atol=1e-15)


@pytest.mark.parametrize("ease", [smooth, smoother, ease_out])
def test_keeps_shapes_and_inputs(ease: object) -> None:
    times = np.linspace(-1, 2, 6).reshape(2, 3)
    before = times.copy()
    assert ease(times).shape == (2, 3)  # type: ignore[operator]
    assert_array_equal(times, before)
    assert float(ease(0.5)) == 0.5  # type: ignore[operator]
