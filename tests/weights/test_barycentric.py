"""Barycentric weights against SciPy's Delaunay and what makes them barycentric."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import linprog
from scipy.spatial import Delaunay

from footfall.errors import RequestError
from footfall.weights.barycentric import Barycentric


@pytest.fixture(scope="module")
def points() -> np.ndarray:
    return np.random.default_rng(7).normal(size=(19, 3))


@pytest.fixture(scope="module")
def inside(points: np.ndarray) -> np.ndarray:
    return np.random.default_rng(8).dirichlet(np.full(19, 0.3), 300) @ points


def test_weights_give_the_query_back(points: np.ndarray, inside: np.ndarray) -> None:
    """Linear precision: the defining property."""
    assert_allclose(Barycentric(points)(inside) @ points, inside, rtol=0, atol=1e-10)


def test_no_more_than_the_corners_of_one_simplex(points: np.ndarray, inside: np.ndarray) -> None:
    scheme = Barycentric(points)
    known = {frozenset(row) for row in scheme.simplices.tolist()}
    for row in scheme(inside):
        assert any(set(np.flatnonzero(row > 1e-12)) <= corners for corners in known)


def test_as_scipy_has_them(points: np.ndarray, inside: np.ndarray) -> None:
    """In the metric in which points spread alike along their principal axes."""
    scheme = Barycentric(points)
    centre, axes, spread = scheme.hull.frame
    local, asked = (points - centre) @ axes.T / spread, (inside - centre) @ axes.T / spread
    judge = Delaunay(local)
    for query, own in zip(asked, scheme(inside), strict=True):
        found = int(judge.find_simplex(query))
        slopes = judge.transform[found]
        shares = slopes[:3] @ (query - slopes[3])
        theirs = np.zeros(19)
        theirs[judge.simplices[found]] = [*shares, 1.0 - shares.sum()]
        assert_allclose(own, theirs, rtol=0, atol=1e-8)


def test_outside_it_is_as_at_the_nearest_point_of_the_hull(points: np.ndarray) -> None:
    scheme, rng = Barycentric(points), np.random.default_rng(9)
    for query in 4.0 * rng.normal(size=(40, 3)):
        given = scheme(query) @ points
        # the plane through the nearest point across the way to it has all points on its far side
        away = query - given
        if np.linalg.norm(away) > 1e-9:
            assert (points @ away <= given @ away + 1e-9 * (1.0 + np.linalg.norm(away))).all()
        else:
            assert linprog(np.zeros(19), A_eq=np.vstack([points.T, np.ones(19)]), b_eq=[*query, 1.0]).success


def test_what_is_flat_is_met_in_its_plane() -> None:
    flat = np.array([(x, y, 0.5 * x - y) for x in (0.0, 1.0, 2.0) for y in (0.0, 1.0)])
    scheme = Barycentric(flat)
    assert scheme.simplices.shape[1] == 3
    assert_allclose(scheme(flat[0] + [0.3, 0.2, -0.05]) @ flat, [0.3, 0.2, -0.05], atol=1e-12)


def test_one_point_is_always_meant() -> None:
    assert_allclose(Barycentric(np.array([[1.0, 2.0]]))(np.array([[0.0, 0.0], [5.0, 5.0]])), 1.0)


@pytest.mark.parametrize(
    ("points", "known"), [(np.zeros((0, 2)), None), (np.zeros(3), None), (np.eye(3), np.eye(2))]
)
def test_refuses_what_does_not_fit(points: np.ndarray, known: np.ndarray | None) -> None:
    with pytest.raises(RequestError):
        Barycentric(points, known)
