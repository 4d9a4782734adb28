"""What every weight scheme keeps, whatever it is made of. A new scheme is one more line in `SCHEMES`."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.errors import RequestError
from footfall.weights.barycentric import Barycentric
from footfall.weights.cardinal_rbf import CardinalRBF
from footfall.weights.kriging import Kriging
from footfall.weights.nearest import Nearest
from footfall.weights.scheme import SchemeBuilder, WeightScheme

SCHEMES: dict[str, SchemeBuilder] = {
    "cardinal RBF": CardinalRBF,
    "kriging": Kriging,
    "nearest": Nearest,
    "barycentric": Barycentric,
}


def grid() -> np.ndarray:
    """The straight steps of [movements]: (stand, short, medium, long) squared without stand to stand."""
    lengths = (0.0, 0.35, 0.6, 0.8)
    return np.array([(a, b) for a in lengths for b in lengths if a or b])


SETS = {
    "line": lambda: np.array([[0.3], [0.55], [0.8], [1.3]]),
    "steps": grid,
    "scattered 3-D": lambda: np.random.default_rng(1).normal(size=(23, 3)),
    "flat in 3-D": lambda: np.c_[grid(), grid() @ [0.5, -0.2]],
    "general step": lambda: np.random.default_rng(2).uniform(-0.5, 0.5, (30, 7)),
}


@pytest.fixture(scope="module", params=SCHEMES)
def build(request: pytest.FixtureRequest) -> SchemeBuilder:
    return SCHEMES[request.param]


@pytest.fixture(scope="module", params=SETS)
def points(request: pytest.FixtureRequest) -> np.ndarray:
    return SETS[request.param]()


@pytest.fixture(scope="module")
def scheme(build: SchemeBuilder, points: np.ndarray) -> WeightScheme:
    return build(points, np.eye(len(points)))


@pytest.fixture(scope="module")
def queries(points: np.ndarray) -> np.ndarray:
    """Inside, around, and far outside."""
    rng = np.random.default_rng(0)
    middle, size = points.mean(axis=0), np.ptp(points, axis=0).max()
    blends = rng.dirichlet(np.full(len(points), 0.2), 200) @ points
    around = middle + size * rng.normal(size=(200, points.shape[1]))
    return np.concatenate([blends, around, middle + 100.0 * rng.normal(size=(50, points.shape[1]))])


def test_says_what_it_is(scheme: WeightScheme, points: np.ndarray) -> None:
    assert isinstance(scheme, WeightScheme)
    assert (scheme.examples, scheme.dims) == points.shape
    assert isinstance(scheme.convex, bool)
    assert isinstance(scheme.continuous, bool)


def test_any_batch(scheme: WeightScheme) -> None:
    for shape in ((), (0,), (1,), (7,), (2, 3), (5000,)):
        asked = np.random.default_rng(3).uniform(0, 1, (*shape, scheme.dims))
        assert scheme(asked).shape == (*shape, scheme.examples)


def test_rows_sum_to_one_everywhere(scheme: WeightScheme, queries: np.ndarray) -> None:
    assert_allclose(scheme(queries).sum(axis=1), 1.0, rtol=0, atol=1e-12)


def test_exact_at_the_examples(scheme: WeightScheme, points: np.ndarray) -> None:
    assert_allclose(scheme(points), np.eye(len(points)), rtol=0, atol=1e-9)


def test_exact_at_pseudo_examples(build: SchemeBuilder, points: np.ndarray) -> None:
    rng = np.random.default_rng(4)
    places = rng.dirichlet(np.ones(len(points)), 4) @ points
    rows = rng.dirichlet(np.ones(len(points)), 4)
    told = build(np.vstack([points, places]), np.vstack([np.eye(len(points)), rows]))
    assert told.examples == len(points)
    assert_allclose(told(places), rows, rtol=0, atol=1e-9)
    assert_allclose(told(points), np.eye(len(points)), rtol=0, atol=1e-9)
    assert_allclose(told(rng.normal(size=(50, told.dims))).sum(axis=1), 1.0, rtol=0, atol=1e-12)


def test_inputs_stay_as_they_are(build: SchemeBuilder, points: np.ndarray, queries: np.ndarray) -> None:
    own, known, asked = points.copy(), np.eye(len(points)), queries.copy()
    made = build(own, known)
    made(asked)
    assert_array_equal(own, points)
    assert_array_equal(known, np.eye(len(points)))
    assert_array_equal(asked, queries)
    before = made(queries)
    own += 1.0  # a scheme keeps what it was built from
    known *= 2.0
    assert_array_equal(made(queries), before)


def test_same_again(build: SchemeBuilder, points: np.ndarray, queries: np.ndarray) -> None:
    assert_array_equal(
        build(points, np.eye(len(points)))(queries), build(points, np.eye(len(points)))(queries)
    )


def test_a_batch_is_its_rows(scheme: WeightScheme, queries: np.ndarray) -> None:
    single = np.array([scheme(query) for query in queries])
    sizes = 1.0 + np.abs(single).max(axis=1, keepdims=True)
    assert (np.abs(scheme(queries) - single) <= 1e-13 * sizes).all()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e200])
def test_refuses_what_is_no_number(scheme: WeightScheme, bad: float) -> None:
    asked = np.zeros((3, scheme.dims))
    asked[1, -1] = bad
    with pytest.raises(RequestError, match="finite"):
        scheme(asked)


def test_refuses_another_length(scheme: WeightScheme) -> None:
    for asked in (np.zeros((2, scheme.dims + 1)), np.zeros(()), "walk"):
        with pytest.raises(RequestError, match=f"{scheme.dims} numbers"):
            scheme(asked)  # type: ignore[arg-type]


def test_refuses_points_that_are_no_numbers(build: SchemeBuilder, points: np.ndarray) -> None:
    broken = points.copy()
    broken[0, 0] = np.nan
    with pytest.raises(RequestError, match="finite"):
        build(broken, np.eye(len(points)))


def test_continuous_if_it_says_so(scheme: WeightScheme, queries: np.ndarray) -> None:
    """A step ten times smaller changes the weights at least about ten times less; a jump would not shrink."""
    if not scheme.continuous:
        pytest.skip("does not say so")
    rng = np.random.default_rng(5)
    towards = rng.normal(size=queries.shape)
    towards /= np.linalg.norm(towards, axis=1, keepdims=True)
    changes = [np.abs(scheme(queries + h * towards) - scheme(queries)).max() for h in (1e-3, 1e-4, 1e-5)]
    assert changes[1] < 0.2 * changes[0]
    assert changes[2] < 0.2 * changes[1]


def test_convex_if_it_says_so(scheme: WeightScheme, queries: np.ndarray) -> None:
    lowest = scheme(queries).min()
    if scheme.convex:
        assert lowest >= 0.0
    else:
        assert lowest < 0.0  # else it should say so
