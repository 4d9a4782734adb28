"""Ordinary kriging ([rings] eq. 3 to 5) against scipy's interpolator of the same kernel, and its axioms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.interpolate import RBFInterpolator
from scipy.spatial.distance import cdist
from scipy.spatial.transform import Rotation

from footfall.errors import RequestError
from footfall.weights.kriging import MOST_POINTS, Kriging


def scattered(count: int = 15, dims: int = 3, seed: int = 0) -> np.ndarray:
    """Strike points of a reduced set: some decimetres apart."""
    return np.random.default_rng(seed).uniform(-0.6, 0.6, (count, dims))


@pytest.mark.parametrize(("count", "dims"), [(15, 3), (60, 4), (5, 1), (2, 2)])
def test_interpolates_as_scipy_does(count: int, dims: int) -> None:
    points, rng = scattered(count, dims), np.random.default_rng(1)
    values, queries = rng.normal(size=(count, 6)), rng.uniform(-2, 2, (200, dims))
    judge = RBFInterpolator(points, values, kernel="linear", degree=0)
    assert_allclose(Kriging(points)(queries) @ values, judge(queries), rtol=0, atol=1e-9)


def test_the_inverse_is_that_of_the_bordered_matrix() -> None:
    points = scattered(40, 4)
    bordered = np.block([[cdist(points, points), np.ones((40, 1))], [np.ones((1, 40)), np.zeros((1, 1))]])
    assert_allclose(Kriging(points).inverse @ bordered, np.eye(41), rtol=0, atol=1e-11)


def test_a_kernel_needs_only_points_and_inverse() -> None:
    scheme, query = Kriging(scattered()), np.array([0.2, -0.1, 0.9])
    rho = cdist(query[None], scheme.points)[0]
    assert_allclose((scheme.inverse @ [*rho, 1.0])[:-1], scheme(query), rtol=0, atol=1e-12)  # eq. 4


def test_a_change_is_the_difference_of_two_rows() -> None:
    scheme, rng = Kriging(scattered()), np.random.default_rng(2)
    start, end = rng.uniform(-1, 1, (2, 30, 3))
    change = scheme.change(start, end)
    rho = cdist(end, scheme.points) - cdist(start, scheme.points)
    by_hand = (scheme.inverse @ np.c_[rho, np.zeros(30)].T)[:-1].T  # eq. 5 with beta = 1
    assert_allclose(change, by_hand, rtol=0, atol=1e-12)
    assert_allclose(change, scheme(end) - scheme(start), rtol=0, atol=1e-12)
    assert_allclose(change.sum(axis=1), 0.0, rtol=0, atol=1e-13)
    assert scheme.change(start[0], end).shape == (30, 15)


def test_one_point_has_all_the_weight() -> None:
    scheme = Kriging(np.array([[0.3, 0.4]]))
    assert_allclose(scheme(np.random.default_rng(0).normal(size=(9, 2))), np.ones((9, 1)), rtol=0, atol=1e-15)
    assert_allclose(scheme.change([0.0, 0.0], [5.0, 1.0]), [0.0], rtol=0, atol=1e-15)


def test_two_points_share_along_their_line_and_not_beyond() -> None:
    scheme = Kriging(np.array([[1.0], [3.0]]))
    assert_allclose(
        scheme([[1.5], [2.0], [0.0], [10.0]]), [[0.75, 0.25], [0.5, 0.5], [1, 0], [0, 1]], atol=1e-14
    )


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**31),
    scale=st.floats(0.01, 100.0),
    shift=st.lists(st.floats(-50, 50), min_size=3, max_size=3),
)
def test_moving_turning_and_scaling_everything_changes_nothing(
    seed: int, scale: float, shift: list[float]
) -> None:
    points, rng = scattered(12, 3, seed), np.random.default_rng(seed)
    queries, turn = rng.uniform(-1, 1, (20, 3)), Rotation.random(random_state=seed)
    moved, asked = (scale * turn.apply(p) + shift for p in (points, queries))
    assert_allclose(Kriging(moved)(asked), Kriging(points)(queries), rtol=0, atol=1e-7)


def test_order_of_points_is_the_order_of_weights() -> None:
    points, query = scattered(), np.array([0.1, 0.2, 0.3])
    order = np.random.default_rng(3).permutation(15)
    assert_allclose(Kriging(points[order])(query), Kriging(points)(query)[order], rtol=0, atol=1e-12)


def test_points_along_a_path_stay_exact() -> None:
    """Neighbouring frames are millimetres apart on a curve a metre wide."""
    t = np.linspace(0, 2 * np.pi, 120, endpoint=False)
    curve = np.c_[np.cos(t), np.sin(t), 0.1 * np.cos(2 * t), 0.001 * t]
    curve = np.concatenate([curve, curve[:20] + np.array([0, 0, 0, 0.001])])
    assert_allclose(Kriging(curve)(curve), np.eye(140), rtol=0, atol=1e-9)


def test_refuses_points_that_coincide() -> None:
    points = scattered()
    points[9] = points[4] + 1e-8
    with pytest.raises(RequestError, match=r"points 4 and 9 .* coincide"):
        Kriging(points)


@pytest.mark.parametrize(
    ("points", "weights", "words"),
    [
        (np.zeros((0, 3)), None, "rows of parameters"),
        (np.zeros(3), None, "rows of parameters"),
        (np.zeros((3, 0)), None, "rows of parameters"),
        (np.full((2, 2), np.nan), None, "finite"),
        (np.array([[0.0], [1e12]]), None, "at most"),
        (np.array([[0.0], [1.0]]), np.eye(3), "rows of weights"),
        (np.array([[0.0], [1.0]]), np.array([[1.0, 0.0], [0.5, 0.4]]), "sums to 0.9"),
        (np.arange(MOST_POINTS + 1.0)[:, None], None, "at most"),
        ("here", None, "numbers"),
    ],
)
def test_refuses_what_cannot_be_built(points: object, weights: object, words: str) -> None:
    with pytest.raises(RequestError, match=words):
        Kriging(points, weights)  # type: ignore[arg-type]


def test_refuses_changes_that_do_not_pair_up() -> None:
    scheme = Kriging(scattered())
    with pytest.raises(RequestError, match="pair up"):
        scheme.change(np.zeros((2, 3)), np.zeros((4, 3)))
    with pytest.raises(RequestError, match="finite"):
        scheme.change([0.0, 0.0, np.nan], [0.0, 0.0, 0.0])
