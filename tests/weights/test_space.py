"""A space and its hull against linear and quadratic programs, and its sample against rejection."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import linprog, minimize
from scipy.stats import chisquare, ks_2samp, kstest

from footfall.errors import RequestError
from footfall.weights import hull as hull_module
from footfall.weights.hull import Hull
from footfall.weights.space import METRES_A_RADIAN, Space


def metric(points: np.ndarray) -> Space:
    """A space of lengths: its parameters are its metric."""
    dims = np.shape(points)[1]
    return Space(tuple(f"p{k}" for k in range(dims)), ("m",) * dims, points)


def tilted(flat: np.ndarray, dims: int, seed: int) -> np.ndarray:
    """Points of a subspace, somewhere in a space of more dimensions."""
    rng = np.random.default_rng(seed)
    axes = np.linalg.qr(rng.normal(size=(dims, dims)))[0][: flat.shape[1]]
    return flat @ axes + rng.normal(size=dims)


def sets() -> Iterator[object]:
    rng = np.random.default_rng(0)
    for dims in range(1, 9):
        yield pytest.param(rng.normal(size=(dims + 12, dims)), id=f"{dims}-D")
        yield pytest.param(np.round(rng.normal(size=(2 * dims + 20, dims))), id=f"lattice {dims}-D")
        yield pytest.param(rng.normal(size=(dims + 1, dims)), id=f"simplex {dims}-D")
        for rank in sorted({1, (dims + 1) // 2, dims - 1} - {0, dims}):
            yield pytest.param(tilted(rng.normal(size=(15, rank)), dims, rank), id=f"{rank}-D in {dims}-D")
        yield pytest.param(np.repeat(rng.normal(size=(1, dims)), 3, axis=0), id=f"one place in {dims}-D")
    yield pytest.param(rng.normal(size=(20, 3)) * [1, 1, 1e-3], id="thin")
    yield pytest.param(rng.normal(size=(20, 4)) * [1e3, 1, 1, 1e-3], id="uneven")


@pytest.fixture(params=sets())
def points(request: pytest.FixtureRequest) -> np.ndarray:
    return request.param


def beyond(points: np.ndarray, query: np.ndarray) -> float:
    """A linear program's judgement: the least largest component by which a blend of the points misses."""
    count, dims = points.shape
    cost = np.append(np.zeros(count), 1.0)
    rows = np.vstack([np.c_[points.T, -np.ones(dims)], np.c_[-points.T, -np.ones(dims)]])
    program = linprog(
        cost,
        A_ub=rows,
        b_ub=np.concatenate([query, -query]),
        A_eq=np.append(np.ones(count), 0.0)[None],
        b_eq=[1.0],
    )
    assert program.success
    return float(program.fun)


def test_contains_as_a_linear_program_says(points: np.ndarray) -> None:
    rng = np.random.default_rng(1)
    middle = points.mean(axis=0)
    inside = rng.dirichlet(np.full(len(points), 0.3), 12) @ points
    around = middle + rng.uniform(1, 6, (12, 1)) * (inside - middle)
    off = inside + 0.01 * rng.normal(size=inside.shape)
    queries = np.concatenate([inside, around, off])
    far = np.array([beyond(points, query) for query in queries])
    assert not ((far > 1e-8) & (far < 1e-6)).any()  # the program's own precision: no doubtful case
    assert (far > 1e-6).any()
    assert_array_equal(metric(points).contains(queries), far < 1e-7)


def test_every_blend_of_the_examples_is_inside(points: np.ndarray) -> None:
    rng = np.random.default_rng(2)
    space = metric(points)
    assert space.contains(points).all()
    assert space.contains(rng.dirichlet(np.full(len(points), 0.1), 300) @ points).all()
    pairs = rng.integers(0, len(points), (2, 100))
    assert space.contains(points[pairs].mean(axis=0)).all()


def test_nearest_is_optimal(points: np.ndarray) -> None:
    """What convexity demands: all points lie beyond the plane through the nearest, square to the way."""
    rng = np.random.default_rng(3)
    space, size = metric(points), np.abs(points - points[0]).max() + 1.0
    for scale in (0.5, 2.0, 1e3):
        queries = points.mean(axis=0) + scale * rng.normal(size=(10, points.shape[1]))
        found = space.nearest(queries)
        assert space.contains(found).all()
        gap = found - queries
        length = np.linalg.norm(gap, axis=1, keepdims=True)
        out = length[:, 0] > 0
        assert_array_equal(out, ~space.contains(queries))
        ahead = np.einsum("qnd,qd->qn", points - found[:, None], gap / np.maximum(length, 1e-300))
        # the farther the query, the more a slant of that plane moves the nearest point
        assert (ahead[out] * np.maximum(length[out], 1.0) > -1e-10 * size).all()


def test_nearest_as_a_quadratic_program_says() -> None:
    rng = np.random.default_rng(4)
    for dims in (1, 2, 3, 5):
        points = rng.normal(size=(dims + 4, dims))
        for query in 2.0 * rng.normal(size=(5, dims)):
            start = np.full(len(points), 1 / len(points))
            judge = minimize(
                lambda shares, query=query, points=points: np.square(shares @ points - query).sum(),
                start,
                jac=lambda shares, query=query, points=points: 2.0 * points @ (shares @ points - query),
                bounds=[(0, 1)] * len(points),
                constraints={"type": "eq", "fun": lambda shares: shares.sum() - 1.0},
                method="SLSQP",
                options={"ftol": 1e-15, "maxiter": 500},
            )
            assert_allclose(metric(points).nearest(query), judge.x @ points, rtol=0, atol=1e-6)


def test_nearest_on_a_square_is_clipping() -> None:
    square = metric(np.array([[0.0, 0], [1, 0], [0, 1], [1, 1], [0.5, 0.5]]))
    queries = np.random.default_rng(5).uniform(-3, 4, (500, 2))
    assert_allclose(square.nearest(queries), np.clip(queries, 0, 1), rtol=0, atol=1e-12)
    far = queries * 1e6
    assert_allclose(square.nearest(far), np.clip(far, 0, 1), rtol=0, atol=1e-9)
    inside = np.clip(queries, 0, 1)
    assert_array_equal(square.nearest(inside), inside)  # untouched, to the last bit


def test_nearest_is_in_the_metric() -> None:
    """A corner cut off by a slope: which point is nearest depends on what a radian is worth."""
    triangle = np.array([[0.0, 0], [1, 0], [0, 1]])
    own = Space(("length", "turn"), ("m", "rad"), triangle)
    assert_array_equal(own.scales, [1.0, METRES_A_RADIAN])
    # in the metric the far side runs from (1, 0) to (0, .5): its normal is (1, 2)
    expected = np.array([1.0, 0.5]) - np.array([1.0, 2.0]) * (1.0 + 2 * 0.5 - 1.0) / 5.0
    assert_allclose(own.nearest(np.array([1.0, 1.0])), expected / [1.0, METRES_A_RADIAN], rtol=0, atol=1e-12)


def test_the_tolerance_is_a_distance() -> None:
    """At a sharp tip the planes of both sides run on far beyond the hull; inside is near the hull itself."""
    tip = metric(np.array([[0.0, 0.0], [-1.0, 1e-3], [-1.0, -1e-3]]))
    assert tip.contains(np.array([0.9e-9, 0.0]))
    assert not tip.contains(np.array([2e-8, 0.0]))  # within 2e-11 of both planes
    flat = metric(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]))
    assert_array_equal(flat.contains(np.array([[0.5, 0.5, 0.9e-9], [0.5, 0.5, 1.1e-9]])), [True, False])


def test_shapes_and_emptiness() -> None:
    space = metric(np.random.default_rng(6).normal(size=(10, 3)))
    for shape in [(), (0,), (4,), (2, 3)]:
        queries = np.zeros((*shape, 3))
        assert space.contains(queries).shape == shape
        assert space.nearest(queries).shape == queries.shape
        assert space.to_metric(queries).shape == queries.shape
    assert space.sample(0, 1).shape == (0, 3)


def test_metric_there_and_back() -> None:
    space = Space(("a", "b", "c", "d"), ("m", "rad", "s", "1"), np.ones((2, 4)))
    assert_array_equal(space.to_metric(np.ones(4)), [1.0, 0.5, 1.0, 1.0])
    queries = np.random.default_rng(7).normal(size=(5, 4))
    assert_allclose(space.from_metric(space.to_metric(queries)), queries, rtol=1e-15)
    other = Space(("a", "b"), ("m", "s"), np.ones((2, 2)), scales=(2.0, 0.1))
    assert_array_equal(other.to_metric(np.ones(2)), [2.0, 0.1])


def test_bounds() -> None:
    low, high = metric(np.array([[1.0, 5.0], [2.0, 3.0], [-1.0, 4.0]])).bounds
    assert_array_equal(low, [-1.0, 3.0])
    assert_array_equal(high, [2.0, 5.0])


def test_sample_is_inside_and_the_same_again(points: np.ndarray) -> None:
    space = metric(points)
    found = space.sample(200, 5)
    assert found.shape == (200, points.shape[1])
    assert space.contains(found).all()
    assert_array_equal(found, metric(points).sample(200, 5))
    if np.ptp(points, axis=0).max() > 0:
        assert not np.array_equal(found, space.sample(200, 6))


def test_sample_is_as_even_as_rejection() -> None:
    """In 2-D: a chi-square test over the cells of a fine grid, with the cells' shares from rejection."""
    points = np.random.default_rng(8).normal(size=(12, 2))
    space = metric(points)
    low, high = space.bounds
    boxed = np.random.default_rng(9).uniform(low, high, (800_000, 2))
    kept = boxed[space.contains(boxed)]
    edges = [np.linspace(low[k], high[k], 9) for k in range(2)]
    shares = np.histogramdd(kept, edges)[0].ravel() / len(kept)
    counts = np.histogramdd(space.sample(40_000, 1), edges)[0].ravel()
    full = shares > 1e-3
    assert counts[shares == 0].sum() == 0
    observed = np.append(counts[full], counts[~full].sum())
    expected = np.append(shares[full], shares[~full].sum()) * 40_000
    assert chisquare(observed, expected).pvalue > 1e-3


def test_sample_of_a_cube_is_uniform_along_every_axis() -> None:
    for dims in (1, 3, 6):
        corners = np.stack(np.meshgrid(*[[0.0, 1.0]] * dims), axis=-1).reshape(-1, dims)
        found = metric(corners).sample(20_000, 2)
        assert min(kstest(found[:, k], "uniform").pvalue for k in range(dims)) > 1e-3
        assert_allclose(np.cov(found.T), np.eye(dims) / 12, atol=3e-3)


def test_sample_in_a_subspace_is_the_subspace_s_own() -> None:
    flat = np.random.default_rng(10).normal(size=(12, 2))
    axes = np.linalg.qr(np.random.default_rng(11).normal(size=(4, 4)))[0][:2]
    found = metric(flat @ axes + [1.0, 2, 3, 4]).sample(20_000, 3)
    local = (found - [1.0, 2, 3, 4]) @ axes.T
    assert_allclose(local @ axes + [1.0, 2, 3, 4], found, atol=1e-12)
    plain = metric(flat).sample(20_000, 4)
    assert min(ks_2samp(local[:, k], plain[:, k]).pvalue for k in range(2)) > 1e-3


def test_without_facets_the_answers_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    points = np.random.default_rng(12).normal(size=(14, 3))
    queries = 1.2 * np.random.default_rng(13).normal(size=(200, 3))
    plain = metric(points)
    expected, sampled = plain.contains(queries), plain.sample(4000, 1)
    monkeypatch.setitem(hull_module.FACET_LIMITS, 3, 5)
    without = metric(points)
    assert without.hull.facets is None
    assert_array_equal(without.contains(queries), expected)
    walked = without.sample(3000, 1)
    assert plain.contains(walked).all()
    assert_array_equal(walked, without.sample(3000, 1))
    # a walk's places hang together, so the comparison is a coarse one: means to a tenth of the spread
    spread = sampled.std(axis=0)
    assert (np.abs(walked.mean(axis=0) - sampled.mean(axis=0)) < 0.1 * spread).all()
    assert_allclose(walked.std(axis=0), spread, rtol=0.12)


def test_many_dimensions_and_a_qhull_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    from scipy import spatial

    wide = metric(np.random.default_rng(14).normal(size=(12, 10)))
    assert wide.contains(wide.points).all()
    assert not wide.contains(wide.points * 3).any()
    assert wide.contains(wide.sample(8, 0)).all()

    def fails(_: np.ndarray) -> None:
        raise spatial.QhullError("no")

    monkeypatch.setattr(spatial, "ConvexHull", fails)
    hull = Hull(np.random.default_rng(15).normal(size=(10, 2)))
    assert hull.facets is None
    assert hull.contains(hull.points).all()


def test_sixty_points_in_seven_dimensions_are_quick() -> None:
    from time import perf_counter

    points = np.random.default_rng(16).normal(size=(60, 7))
    start = perf_counter()
    found = metric(points).sample(4000, 0)
    assert perf_counter() - start < 2.0
    assert found.shape == (4000, 7)


def test_parameters_by_name() -> None:
    space = Space(("length", "turn"), ("m", "rad"), np.ones((2, 2)))
    vector = space.vector(turn=0.3, length=1)
    assert_array_equal(vector, [1.0, 0.3])
    assert space.named(vector) == {"length": 1.0, "turn": 0.3}


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"length": 1.0, "turn": 0.0, "hight": 1.0}, r"unknown: hight; they are length \[m\], turn \[rad\]"),
        ({"length": 1.0}, r"missing: turn; they are length \[m\], turn \[rad\]"),
        ({}, r"missing: length, turn"),
        ({"length": np.nan, "turn": 0.0}, r"length must be a finite number, not nan"),
        ({"length": 1.0, "turn": "left"}, r"turn must be a finite number, not 'left'"),
        ({"length": 1.0, "turn": None}, r"turn must be a finite number"),
        ({"length": 10**400, "turn": 0.0}, r"length must be a finite number, not 1000000"),
    ],
)
def test_names_that_are_refused(given: dict[str, float], sentence: str) -> None:
    with pytest.raises(RequestError, match=sentence):
        Space(("length", "turn"), ("m", "rad"), np.ones((2, 2))).vector(**given)


def test_other_refusals() -> None:
    space = Space(("length", "turn"), ("m", "rad"), np.ones((2, 2)))
    for call, sentence in [
        (lambda: space.named(np.ones(3)), r"not 2 parameters: length \[m\], turn \[rad\]"),
        (lambda: space.named(np.array([1.0, np.inf])), "turn must be a finite number"),
        (lambda: space.contains(np.ones(3)), "2 numbers"),
        (lambda: space.nearest(np.array([np.nan, 0.0])), "finite"),
        (lambda: space.sample(-1), "0 or more"),
        (lambda: Space(("a", "a"), ("m", "m"), np.ones((2, 2))), "different names"),
        (lambda: Space(("a",), ("m", "m"), np.ones((2, 1))), "a unit each"),
        (lambda: Space((), (), np.ones((2, 0))), "names"),
        (lambda: Space(("a",), ("m",), np.ones((2, 2))), "trailing axes"),
        (lambda: Space(("a",), ("m",), np.ones((0, 1))), "rows of parameters"),
        (lambda: Space(("a",), ("m",), [[np.nan]]), "finite"),
        (lambda: Space(("a",), ("m",), [[0.0], [1e200]]).sample(1), "finite"),
        (lambda: space.nearest(np.array([1e200, 0.0])), "finite"),
        (lambda: Space(("a",), ("m",), [[1.0]], scales=(0.0,)), "1 positive numbers"),
        (lambda: Space(("a",), ("m",), [[1.0]], scales=(1.0, 2.0)), "1 positive numbers"),
    ]:
        with pytest.raises(RequestError, match=sentence):
            call()


def test_a_space_is_frozen() -> None:
    own = np.ones((2, 2))
    space = metric(own)
    own[:] = 5.0
    assert_array_equal(space.points, np.ones((2, 2)))
    with pytest.raises(ValueError, match="read-only"):
        space.points[0] = 2.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        space.names = ()  # type: ignore[misc]
