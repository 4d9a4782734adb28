"""S_low: judged by turning places with quaternions, and by what a step's own turning must not change."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from footfall.errors import RequestError
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.stepspace.low_space import TOGETHER, low_axis, low_of, low_places

length = st.floats(-1.0, 1.0)
SINGULAR = -0.5 * (3.0 - np.sqrt(5.0)) * TOGETHER  # x where the moved placement is the support foot's own


def row(x1: float, z1: float, x2: float = 0.3, z2: float = 0.5) -> np.ndarray:
    return np.array([x1, z1, x2, z2, 0.1, -0.2, 0.6, 0.6, 0.4, 0.7])


def turned_by_quaternion(high: np.ndarray, angle: float) -> np.ndarray:
    """Both placements turned about the support foot, by the geometry's own quaternions."""
    places = [[high[0], 0.0, high[1]], [high[2], 0.0, high[3]]]
    first, second = quat.rotate(ground.turn(angle), np.array(places))
    return np.array([first[0], first[2], second[0], second[2], *high[4:]])


@given(length, length, length, length)
def test_the_axis_takes_places_back(x1: float, z1: float, x2: float, z2: float) -> None:
    high = row(x1, z1, x2, z2)
    low = low_of(high)
    back = quat.rotate(ground.turn(low_axis(high)), np.array([low[1], 0.0, low[2]]))
    assert_allclose(back, [x2, 0.0, z2], atol=1e-12)
    if np.hypot(x1, z1) >= TOGETHER:
        first = quat.rotate(ground.turn(low_axis(high)), np.array([low[0], 0.0, 0.0]))
        assert_allclose(first, [x1, 0.0, z1], atol=1e-12)
        assert low[0] > 0.0


@given(st.floats(TOGETHER * 1.001, 1.0), st.floats(-np.pi, np.pi), length, length, st.floats(-np.pi, np.pi))
def test_the_support_foots_heading_is_forgotten(
    far: float, toward: float, x2: float, z2: float, angle: float
) -> None:
    high = row(far * np.cos(toward), far * np.sin(toward), x2, z2)
    assert_allclose(low_of(turned_by_quaternion(high, angle)), low_of(high), atol=1e-12)


def test_a_forward_step_by_hand() -> None:
    """From beside the support foot to before it: x1 its width, x2 the same, z2 the length."""
    assert_allclose(low_of(row(0.2, 0.0, 0.2, 0.7)), [0.2, 0.2, 0.7])
    # from behind: the axis points back, and the foot lands on the other side of it
    behind = row(0.0, -0.5, 0.0, 0.5)
    assert_allclose(low_of(behind), [0.5, -0.5, 0.0], atol=1e-15)
    assert low_axis(behind) == pytest.approx(np.pi / 2)


def test_feet_together_take_the_support_foots_own_axis() -> None:
    assert low_axis(row(0.0, 0.0)) == 0.0
    assert_allclose(low_of(row(0.0, 0.0)), [0.0, 0.3, 0.5])


@given(st.floats(-0.2, 0.2), st.floats(-0.2, 0.2), st.floats(-np.pi, np.pi))
def test_the_axis_is_continuous_but_for_one_place(x1: float, z1: float, toward: float) -> None:
    """Twice around any place, as near as one likes; the bound grows only towards the one place."""
    gap = np.hypot(x1 - SINGULAR, z1)
    step = 1e-7 * np.array([np.cos(toward), np.sin(toward)])
    if gap < 1e-5:
        return
    change = low_of(row(x1 + step[0], z1 + step[1])) - low_of(row(x1, z1))
    assert np.abs(change).max() < 1e-7 * (4.0 + 3.0 / gap)


def test_real_feet_hardly_leave_the_axis() -> None:
    angles = np.linspace(-np.pi, np.pi, 721)
    for far, most in ((0.0701, 0.009), (0.05, 0.0255), (0.0383, 0.0383)):
        around = np.array([row(far * np.cos(a), far * np.sin(a)) for a in angles])
        assert np.abs(low_places(around)[:, 1]).max() < most


def test_one_row_is_as_many_rows() -> None:
    rows = np.random.default_rng(0).normal(0.0, 0.3, (2, 5, 10))
    assert low_of(rows).shape == (2, 5, 3)
    for i, j in np.ndindex(2, 5):
        assert_allclose(low_of(rows[i, j]), low_of(rows)[i, j])
        assert low_axis(rows[i, j]) == low_axis(rows)[i, j]


def test_only_places_are_needed() -> None:
    high = row(0.2, -0.3)
    high[4:] = np.nan
    assert np.isfinite(low_of(high)).all()
    for k in range(4):
        bad = row(0.2, -0.3)
        bad[k] = np.nan
        with pytest.raises(RequestError, match="x1, z1, x2, z2"):
            low_of(bad)
    with pytest.raises(RequestError, match="ten numbers"):
        low_of(np.zeros(9))
