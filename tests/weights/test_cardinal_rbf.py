"""Cardinal RBF against a derivation of its own, its axioms, and finite differences."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.interpolate import BSpline
from scipy.spatial.distance import pdist
from scipy.spatial.transform import Rotation

from footfall.errors import RequestError
from footfall.weights.cardinal_rbf import CardinalRBF, bump, bump_slope_over

KNOTS = [-2, -1, 0, 1, 2]


def scattered(count: int, dims: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-1, 1, (count, dims))


def judged(points: np.ndarray, weights: np.ndarray, queries: np.ndarray) -> np.ndarray:
    """The same scheme from scipy's splines and normal equations, one loop a point."""
    spline = BSpline.basis_element(KNOTS, extrapolate=False)
    design = np.c_[np.ones(len(points)), points]
    plane = np.linalg.solve(design.T @ design, design.T @ weights)

    def kernel(places: np.ndarray) -> np.ndarray:
        columns = []
        for k, point in enumerate(points):
            before = [j for j in range(max(k, weights.shape[1])) if j != k]
            nearest = min(np.linalg.norm(point - points[j]) for j in before)
            columns.append(np.nan_to_num(spline(np.linalg.norm(places - point, axis=1) / nearest)))
        return np.array(columns).T

    corrections = np.linalg.solve(kernel(points), weights - design @ plane)
    return np.c_[np.ones(len(queries)), queries] @ plane + kernel(queries) @ corrections


def test_the_bump_is_the_cubic_b_spline() -> None:
    spline = BSpline.basis_element(KNOTS, extrapolate=False)
    u = np.linspace(0, 3, 1201)
    assert_allclose(bump(u), np.nan_to_num(spline(u)), rtol=0, atol=1e-15)
    slope = np.nan_to_num(spline.derivative()(u))
    assert_allclose(bump_slope_over(u) * u, slope, rtol=0, atol=1e-14)
    assert bump_slope_over(np.zeros(1)) == -2.0  # the second derivative at the middle


@pytest.mark.parametrize(("count", "dims"), [(4, 1), (15, 2), (23, 3), (30, 7)])
def test_agrees_with_another_derivation(count: int, dims: int) -> None:
    points = scattered(count + 5, dims)
    weights = np.vstack([np.eye(count), np.random.default_rng(1).dirichlet(np.ones(count), 5)])
    queries = 1.5 * scattered(300, dims, 2)
    assert_allclose(
        CardinalRBF(points, weights)(queries), judged(points, weights, queries), rtol=0, atol=1e-9
    )


def test_each_bump_ends_at_twice_the_nearest_distance() -> None:
    points = np.array([[0.0, 0], [1, 0], [0, 3], [5, 5], [5.5, 5]])
    assert_allclose(CardinalRBF(points).radii, [2, 2, 6, 1, 1])


def test_a_pseudo_example_narrows_no_other_bump() -> None:
    points = np.array([[0.0, 0], [1, 0], [0, 3], [5, 5], [5.5, 5], [0.25, 0], [0.25, 0.1]])
    rows = np.vstack([np.eye(5), np.full((2, 5), 0.2)])
    assert_allclose(CardinalRBF(points, rows).radii, [2, 2, 6, 1, 1, 0.5, 0.2])


def test_far_outside_is_the_hyperplane_alone() -> None:
    scheme = CardinalRBF(scattered(15, 2))
    far = np.array([[50.0, -30.0], [0, 9]])
    assert_allclose(scheme(far), np.c_[np.ones(2), far] @ scheme.linear, rtol=0, atol=1e-12)


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 7), st.integers(0, 10), st.integers(0, 2**32 - 1))
def test_exact_unit_sum_and_linear_precision(dims: int, more: int, seed: int) -> None:
    """Blended linearly, the examples' parameters give back what was asked: planes do, bumps cancel."""
    points = scattered(dims + 2 + more, dims, seed)
    assume(pdist(points).min() > 1e-4)
    scheme = CardinalRBF(points)
    assert_allclose(scheme(points), np.eye(len(points)), rtol=0, atol=1e-9)
    queries = 2 * scattered(40, dims, seed + 1)
    assert_allclose(scheme(queries).sum(axis=1), 1.0, rtol=0, atol=1e-12)
    scale = 1.0 + np.abs(scheme.linear).max() + np.abs(scheme.radial).max()
    assert np.abs(scheme(queries) @ points - queries).max() < 1e-12 * scale


def test_moving_turning_and_scaling_the_space_changes_nothing() -> None:
    points, queries = scattered(20, 3), scattered(50, 3, 1)
    turn = Rotation.from_rotvec([0.3, -1.0, 0.7]).as_matrix()
    plain = CardinalRBF(points)(queries)

    def moved(places: np.ndarray) -> np.ndarray:
        return 7.0 * places @ turn + [3.0, -20.0, 1.0]

    assert_allclose(CardinalRBF(moved(points))(moved(queries)), plain, rtol=0, atol=1e-11)


def test_the_order_of_examples_does_not_matter() -> None:
    points, queries = scattered(20, 3), scattered(50, 3, 1)
    order = np.random.default_rng(3).permutation(20)
    shuffled = CardinalRBF(points[order])(queries)
    assert_allclose(shuffled, CardinalRBF(points)(queries)[:, order], rtol=0, atol=1e-12)


def test_level_where_no_example_differs() -> None:
    """Points on a plane in 3-D: off that plane the hyperplanes neither rise nor fall."""
    flat = scattered(15, 2)
    frame = Rotation.from_rotvec([0.5, 0.2, -0.3]).as_matrix()
    points = np.c_[flat, np.zeros(15)] @ frame.T + [1.0, 2.0, 3.0]
    scheme = CardinalRBF(points)
    assert_allclose(frame[:, 2] @ scheme.linear[1:], 0.0, atol=1e-12)
    assert_allclose(scheme(points), np.eye(15), rtol=0, atol=1e-9)
    asked = scattered(30, 2, 4)
    inside = np.c_[asked, np.zeros(30)] @ frame.T + [1.0, 2.0, 3.0]
    assert_allclose(scheme(inside), CardinalRBF(flat)(asked), rtol=0, atol=1e-11)


@pytest.mark.parametrize("dims", [1, 2, 3, 7])
def test_jacobian_by_finite_differences(dims: int) -> None:
    points = scattered(dims + 14, dims)
    weights = np.vstack([np.eye(dims + 10), np.full((4, dims + 10), 1 / (dims + 10))])
    scheme = CardinalRBF(points, weights)
    queries = np.concatenate([1.3 * scattered(60, dims, 5), points, points + 1e-9])
    jacobian = scheme.jacobian(queries)
    assert jacobian.shape == (len(queries), dims + 10, dims)
    h = 1e-4 * scheme.radii.min()  # small against the narrowest bump
    steps = h * np.eye(dims)
    change = scheme(queries[:, None] + steps) - scheme(queries[:, None] - steps)
    size = np.abs(jacobian).max()
    assert_allclose(jacobian, (change / (2 * h)).swapaxes(1, 2), rtol=0, atol=1e-7 * size)
    assert_allclose(jacobian.sum(axis=1), 0.0, atol=1e-11 * size)
    assert_allclose(scheme.jacobian(queries[0]), jacobian[0], rtol=0, atol=1e-12 * size)


def test_an_uneven_crowd_of_points_is_still_exact() -> None:
    """Distances from 1e-5 to 1e2 in one set: refinement of the solution keeps the weights exact."""
    rng = np.random.default_rng(6)
    points = np.concatenate([rng.normal(size=(8, 2)) * size for size in (1e-4, 1e-2, 1.0, 100.0)])
    assert_allclose(CardinalRBF(points)(points), np.eye(32), rtol=0, atol=1e-9)


def test_known_rows_a_hair_off_one_are_put_right() -> None:
    points = scattered(7, 2)
    rows = np.vstack([np.eye(6), np.full((1, 6), 1 / 6) + 1e-11])
    scheme = CardinalRBF(points, rows)
    assert_allclose(scheme(points).sum(axis=1), 1.0, rtol=0, atol=1e-15)
    assert_allclose(scheme(points), rows, rtol=0, atol=1e-10)


def test_nothing_can_be_written_to() -> None:
    own = scattered(6, 2)
    scheme = CardinalRBF(own)
    for name in ("points", "weights", "radii", "linear", "radial"):
        array = getattr(scheme, name)
        assert not array.flags.writeable
        assert array.flags.c_contiguous
        assert array.dtype == np.float64
    with pytest.raises(dataclasses.FrozenInstanceError):
        scheme.points = own  # type: ignore[misc]


@pytest.mark.parametrize(
    ("points", "weights", "sentence"),
    [
        (scattered(3, 2), None, r"over 2 parameters need at least 4 examples, but there are 3"),
        (scattered(2, 1), None, r"over 1 parameter need at least 3 examples, but there are 2"),
        (scattered(9, 2)[[0, 1, 2, 3, 4, 1]] + 1e-8, None, r"points 1 and 5 .*coincide"),
        (np.full((5, 2), np.nan), None, "finite"),
        (1e200 * scattered(5, 2), None, "finite numbers of at most 1e"),
        (scattered(6, 2), 2 * np.eye(6), r"row 0 .* sums to 2, not to 1"),
        (scattered(6, 2), np.eye(5), "6 points need as many rows"),
        (scattered(4, 2), np.full((4, 5), 0.2), "5 examples need a point each, but there are 4"),
        (scattered(6, 2), np.full((6, 6), np.inf), "finite"),
        (np.zeros(5), None, "rows of parameters"),
        (np.zeros((5, 0)), None, "rows of parameters"),
        (np.zeros((0, 2)), None, "at least 4 examples, but there are 0"),
        ("steps", None, "numbers"),
    ],
)
def test_refusals(points: np.ndarray, weights: np.ndarray | None, sentence: str) -> None:
    with pytest.raises(RequestError, match=sentence):
        CardinalRBF(points, weights)  # type: ignore[arg-type]


def star(arm: float, dims: int = 37) -> np.ndarray:
    """A middle point with two others along each axis; one axis is longer."""
    axes = np.eye(dims)
    axes[0] *= arm
    return np.vstack([np.zeros(dims), axes, -axes])


def sign(points: np.ndarray) -> float:
    apart = np.linalg.norm(points[:, None] - points, axis=-1)
    np.fill_diagonal(apart, np.inf)
    nearest = apart.min(axis=1)
    np.fill_diagonal(apart, 0.0)
    return float(np.linalg.slogdet(bump(apart / nearest))[0])


def test_a_singular_system_is_explained() -> None:
    """Between a star whose bumps have a positive determinant and one with a negative, one has none."""
    low, high = 1.0, 1.9
    assert sign(star(low)) != sign(star(high))
    for _ in range(80):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if sign(star(middle)) == sign(star(low)) else (low, middle)
    with pytest.raises(RequestError, match="cannot be told apart"):
        CardinalRBF(star(low))
    CardinalRBF(star(1.0))  # near it, all is well
