"""The nearest points by inverse distance: the formula, its tree, and what it promises where points change."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.errors import RequestError
from footfall.weights.nearest import NEIGHBOURS, Nearest
from footfall.weights.nearest_kernel import tree_of


def plain(points: np.ndarray, known: np.ndarray, query: np.ndarray, k: int = NEIGHBOURS) -> np.ndarray:
    """The formula as it is written, over all distances sorted."""
    away = np.linalg.norm(points - query, axis=1)
    order = np.argsort(away, kind="stable")
    k = min(k, len(points) - 1)
    near, beyond = order[:k], away[order[k]]
    counts = 1.0 / away[near] - 1.0 / beyond
    return (counts / counts.sum()) @ known[near]


def cloud(count: int, dims: int = 3, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(count, dims)), rng.dirichlet(np.ones(7), count)


@pytest.mark.parametrize("count", [2, 4, 5, 6, 13, 200, 1500])
@pytest.mark.parametrize("dims", [1, 3, 7])
def test_kernel_and_scheme_are_the_formula(count: int, dims: int) -> None:
    points, known = cloud(count, dims)
    scheme = Nearest(points, known)
    kernel, tables = scheme.compiled
    rng = np.random.default_rng(1)
    queries = np.concatenate([rng.normal(size=(200, dims)), 30.0 * rng.normal(size=(20, dims))])
    for query in queries:
        row = np.full(7, np.nan)
        kernel(*tables, query, row)
        wanted = plain(points, known, query)
        assert np.isfinite(wanted).all()
        assert_allclose(row, wanted, rtol=0, atol=1e-10)
        assert_allclose(scheme(query), wanted, rtol=0, atol=1e-10)


def test_kernel_is_exact_at_points() -> None:
    points, known = cloud(300)
    kernel, tables = Nearest(points, known).compiled
    for point, row in zip(points, known, strict=True):
        found = np.full(7, np.nan)
        kernel(*tables, point, found)
        assert_array_equal(found, row)


def test_the_tree_is_one() -> None:
    """Every point is in it once, and a node parts its range."""
    points, _ = cloud(500)
    placed, order, axes = tree_of(points)
    assert_array_equal(np.sort(order), np.arange(500))
    assert_array_equal(placed, points[order])
    middle = 250
    assert (placed[:middle, axes[middle]] <= placed[middle, axes[middle]]).all()
    assert (placed[middle + 1 :, axes[middle]] >= placed[middle, axes[middle]]).all()


def test_a_neighbour_that_leaves_has_no_weight_left() -> None:
    """Across the place where the fourth and the fifth change places, nothing jumps."""
    points = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [3.0, 0.2], [-3.0, 0.2], [0.0, 9.0]])
    scheme = Nearest(points, np.eye(6))
    before, after = scheme(np.array([[1e-9, 0.1], [-1e-9, 0.1]]))
    assert_allclose(before, after, atol=1e-8)
    assert before[3] < 1e-8
    assert after[4] < 1e-8
    assert scheme(np.array([0.4, 0.1]))[3] > 1e-3


def test_one_point_has_all() -> None:
    scheme = Nearest(np.zeros((1, 3)), np.array([[0.25, 0.75]]))
    assert_array_equal(scheme(np.ones((4, 3))), np.tile([0.25, 0.75], (4, 1)))
    kernel, tables = scheme.compiled
    row = np.full(2, np.nan)
    kernel(*tables, np.ones(3), row)
    assert_array_equal(row, [0.25, 0.75])


def test_as_far_from_all_it_is_even() -> None:
    corners = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
    row = Nearest(corners, np.eye(8))(np.zeros(3))
    assert_allclose(np.sort(row)[-4:], 0.25)


def test_negative_rows_are_told() -> None:
    known = np.array([[1.0, 0.0], [0.0, 1.0], [1.2, -0.2]])
    assert not Nearest(np.array([[0.0], [1.0], [-0.2]]), known).convex
    assert Nearest(np.array([[0.0], [1.0]]), np.eye(2)).convex


@pytest.mark.parametrize("bad", [0, -1, 2.5, True, "four"])
def test_refuses_neighbours_that_are_none(bad: object) -> None:
    with pytest.raises(RequestError, match="neighbours"):
        Nearest(np.zeros((3, 2)), np.eye(3), neighbours=bad)  # type: ignore[arg-type]


def test_refuses_rows_that_do_not_fit() -> None:
    with pytest.raises(RequestError):
        Nearest(np.zeros((3, 2)), np.eye(2))
