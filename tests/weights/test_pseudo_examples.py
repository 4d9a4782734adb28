"""Refinement on models whose real parameters are known in closed form: above all, a planar arm of two links.

The arm's examples are blended as joint angles and its parameters are its hand's place, so that blending is as
far from linear as in a leg.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.errors import RequestError
from footfall.weights import blends
from footfall.weights.cardinal_rbf import CardinalRBF
from footfall.weights.error_search import APART
from footfall.weights.pseudo_examples import Refinement, refine
from footfall.weights.scheme import WeightScheme
from footfall.weights.space import Space


def hand(angles: np.ndarray) -> np.ndarray:
    """Place of the hand of an arm with two links of 1 m."""
    shoulder, elbow = angles[..., 0], angles.sum(axis=-1)
    return np.stack([np.cos(shoulder) + np.cos(elbow), np.sin(shoulder) + np.sin(elbow)], axis=-1)


def poses(shoulder: tuple[float, float] = (0.2, 0.8), elbow: tuple[float, float] = (0.5, 1.1)) -> np.ndarray:
    """15 of 16 on a grid of angles, as the steps of [movements]."""
    grid = [(a, b) for a in np.linspace(*shoulder, 4) for b in np.linspace(*elbow, 4)]
    return np.array(grid)[:15]


def arm(angles: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    return lambda weights: hand(weights @ angles)


def even(points: np.ndarray, count: int = 10_000, seed: int = 77) -> np.ndarray:
    names = tuple(f"p{k}" for k in range(points.shape[1]))
    return Space(names, ("m",) * points.shape[1], points).sample(count, seed)


def worst(scheme: WeightScheme, measure: Callable[[np.ndarray], np.ndarray], places: np.ndarray) -> float:
    return float(np.abs(measure(scheme(places)) - places).max())


@pytest.fixture(scope="module")
def angles() -> np.ndarray:
    return poses()


@pytest.fixture(scope="module")
def refined(angles: np.ndarray) -> Refinement:
    return refine(hand(angles), arm(angles))


def test_the_error_falls_to_less_than_half(angles: np.ndarray, refined: Refinement) -> None:
    """As [movements] has it: from centimetres to under one with about ten pseudo-examples."""
    places, measure = even(hand(angles)), arm(angles)
    before = worst(CardinalRBF(hand(angles)), measure, places)
    after = worst(refined.scheme, measure, places)
    assert before > 0.02
    assert after < 0.01
    assert after < 0.5 * before


def test_what_it_tells_is_the_worst_there_is(angles: np.ndarray, refined: Refinement) -> None:
    """The told errors are found by sampling and climbing; 100,000 other places find nothing much larger."""
    places, measure = even(hand(angles), 100_000), arm(angles)
    assert worst(CardinalRBF(hand(angles)), measure, places) < 1.02 * refined.before
    assert worst(refined.scheme, measure, places) < 1.02 * refined.after
    assert refined.before == refined.errors[0]
    assert refined.after == refined.errors.min()


def test_exact_at_examples_and_pseudo_examples(angles: np.ndarray, refined: Refinement) -> None:
    measure = arm(angles)
    assert 1 <= len(refined.points) <= 10
    assert len(refined.points) == len(refined.weights) == len(refined.residuals)
    missed = np.abs(measure(refined.scheme(refined.points)) - refined.points).max(axis=1)
    assert missed.max() < 1e-8
    assert_allclose(missed, refined.residuals, rtol=0, atol=1e-9)
    assert_allclose(refined.scheme(refined.points), refined.weights, rtol=0, atol=1e-9)
    assert_allclose(refined.scheme(hand(angles)), np.eye(15), rtol=0, atol=1e-9)
    assert_allclose(refined.weights.sum(axis=1), 1.0, rtol=0, atol=1e-12)


def test_pseudo_examples_are_in_the_hull_and_apart(angles: np.ndarray, refined: Refinement) -> None:
    points = hand(angles)
    assert Space(("x", "y"), ("m", "m"), points).contains(refined.points).all()
    everything = np.vstack([points, refined.points])
    apart = np.linalg.norm(everything[:, None] - everything, axis=-1)
    np.fill_diagonal(apart, np.inf)
    usual = np.median(apart[:15, :15].min(axis=1))
    assert apart.min() >= APART * usual


def test_more_pseudo_examples_go_on_from_fewer(angles: np.ndarray) -> None:
    """Errors fall, if not at every addition, and a longer refinement begins as a shorter one does."""
    wide = poses((0.2, 1.2), (0.5, 1.7))
    long = refine(hand(wide), arm(wide), most=20, samples=1500)
    short = refine(hand(wide), arm(wide), most=6, samples=1500)
    assert_array_equal(long.errors[:7], short.errors)
    assert long.after <= short.after
    assert long.after < 0.4 * long.before
    halves = long.errors[1:11].mean(), long.errors[11:].mean()
    assert halves[1] < halves[0] < long.before


def test_the_threshold_ends_it(angles: np.ndarray) -> None:
    full = refine(hand(angles), arm(angles), samples=1000)
    limit = float(full.errors[: len(full.points)].min())  # what is undercut by the last kept addition only
    told = refine(hand(angles), arm(angles), samples=1000, threshold=0.999 * limit, most=50)
    assert len(told.points) == len(full.points)
    assert told.after <= 0.999 * limit
    assert len(told.errors) == len(told.points) + 1
    assert (told.errors[:-1] > 0.999 * limit).all()


@pytest.mark.parametrize("dims", [1, 2, 3])
def test_a_linear_model_needs_none(dims: int) -> None:
    points = np.random.default_rng(dims).uniform(-1, 1, (dims + 8, dims))
    found = refine(points, lambda weights: weights @ points, samples=500)
    assert len(found.points) == 0
    assert found.after < 1e-12
    assert len(found.errors) == 1


def test_errors_less_than_anyone_can_see_are_left() -> None:
    """Where the error is 1e-7, rounding would choose the place: none is added, whatever is asked for."""
    points = np.linspace(0.0, 1.0, 6)[:, None]

    def measure(weights: np.ndarray) -> np.ndarray:
        made = weights @ points
        return made + 1e-7 * np.sin(20.0 * made)

    found = refine(points, measure, most=5)
    assert 1e-9 < found.before < 1e-6
    assert found.points.shape == (0, 1)


def test_none_asked_for(angles: np.ndarray) -> None:
    found = refine(hand(angles), arm(angles), most=0, samples=500)
    assert found.points.shape == (0, 2)
    assert found.weights.shape == (0, 15)
    assert_array_equal(found.scheme(hand(angles)[:1]), CardinalRBF(hand(angles))(hand(angles)[:1]))


def test_one_parameter_is_solved_almost_everywhere() -> None:
    """A jump's length: the flight of its blended speed. In 1-D ten pseudo-examples leave next to nothing."""
    speeds = np.array([1.0, 1.6, 2.3, 3.0, 3.4])
    lengths = speeds**2 / 9.81
    found = refine(lengths[:, None], lambda weights: (weights @ speeds)[:, None] ** 2 / 9.81)
    assert found.after < 0.1 * found.before
    assert found.residuals.max() < 1e-9


def test_seven_parameters() -> None:
    """A model of many parameters: the sample is thin there, so only a fall of the worst is asked."""
    rng = np.random.default_rng(3)
    inner = rng.uniform(-1, 1, (40, 7))
    bend = 0.15 * rng.normal(size=(7, 7, 7)) / 7

    def bent(x: np.ndarray) -> np.ndarray:
        return x + np.einsum("kij,qi,qj->qk", bend, x, x)

    points = bent(inner)
    found = refine(points, lambda weights: bent(weights @ inner), most=8, samples=1500)
    assert found.residuals.max() < 1e-7
    assert found.after <= found.before
    assert len(found.errors) == 9


def test_same_again_and_inputs_unmodified(angles: np.ndarray) -> None:
    points = hand(angles)
    own = points.copy()
    first = refine(own, arm(angles), most=4, samples=800)
    assert_array_equal(own, points)
    again = refine(own, arm(angles), most=4, samples=800)
    assert_array_equal(first.errors, again.errors)
    assert_array_equal(first.points, again.points)
    assert_array_equal(first.weights, again.weights)
    other = refine(own, arm(angles), most=4, samples=800, seed=1)
    assert_array_equal(first.points, other.points)  # climbs from other samples end on the same peaks
    for array in (first.points, first.weights, first.residuals, first.errors, first.skipped):
        assert not array.flags.writeable


def test_the_measure_is_asked_in_batches(angles: np.ndarray) -> None:
    sizes = list[int]()

    def counting(weights: np.ndarray) -> np.ndarray:
        assert weights.shape[1] == 15
        assert_allclose(weights.sum(axis=1), 1.0, rtol=0, atol=1e-9)
        sizes.append(len(weights))
        return hand(weights @ angles)

    refine(hand(angles), counting, most=3, samples=3000)
    assert max(sizes) <= blends.ROWS
    assert len(sizes) < sum(sizes) / 30


class Slopeless:
    """A scheme that cannot tell its derivative."""

    convex, continuous = False, True

    def __init__(self, points: np.ndarray, weights: np.ndarray):
        self.inner = CardinalRBF(points, weights)
        self.examples, self.dims = self.inner.examples, self.inner.dims

    def __call__(self, queries: np.ndarray) -> np.ndarray:
        return self.inner(queries)


def test_any_scheme_will_do(angles: np.ndarray) -> None:
    """Without a derivative of its own the scheme is differenced; the outcome is the same but for rounding."""
    own = refine(hand(angles), arm(angles), most=3, samples=800)
    other = refine(hand(angles), arm(angles), build=Slopeless, most=3, samples=800)
    assert isinstance(other.scheme, Slopeless)
    assert_allclose(other.errors, own.errors, rtol=1e-3)
    assert other.residuals.max() < 1e-8


def test_another_volume(angles: np.ndarray) -> None:
    """Errors are looked for where the given space is, in its metric."""
    points = hand(angles)
    middle = points.mean(axis=0)
    small = middle + 0.3 * (points - middle)
    space = Space(("x", "y"), ("cm", "cm"), 100 * small, scales=(0.01, 0.01))
    found = refine(points, arm(angles), space=space, most=4)
    assert len(found.points) > 0
    assert space.contains(space.from_metric(found.points)).all()
    places = space.to_metric(space.sample(5000, 9))
    assert worst(found.scheme, arm(angles), places) < 1.02 * found.after
    assert found.after < 0.9 * found.before


def test_places_that_cannot_be_bettered_are_skipped() -> None:
    """A hand that never reaches beyond a wall: no weights give what is asked behind it."""
    angles = poses()
    points = hand(angles)
    wall = float(np.quantile(points[:, 0], 0.6))

    def walled(weights: np.ndarray) -> np.ndarray:
        place = hand(weights @ angles)
        return np.c_[np.minimum(place[:, 0], wall), place[:, 1]]

    found = refine(points, walled, most=6, samples=1500)
    assert len(found.skipped) > 0
    assert (found.skipped[:, 0] > wall).all()
    assert (found.points[:, 0] <= wall + 1e-9).all()
    assert found.residuals.max(initial=0.0) < 1e-7
    assert_allclose(found.after, found.before, rtol=1e-6)
    assert found.after > 0.9 * (points[:, 0].max() - wall)  # and it is told


def test_blends_that_cannot_be_measured_are_endless_errors(angles: np.ndarray) -> None:
    points = hand(angles)
    hole = points.mean(axis=0)

    def holed(weights: np.ndarray) -> np.ndarray:
        place = hand(weights @ angles)
        place[np.linalg.norm(place - hole, axis=1) < 0.03] = np.nan
        return place

    found = refine(points, holed, most=5, samples=1500)
    assert np.isinf(found.after)
    assert np.isfinite(found.weights).all()
    assert found.residuals.max(initial=0.0) < 1e-7


def test_an_addition_that_makes_it_worse_is_not_kept(angles: np.ndarray) -> None:
    """A builder that forgets everything from its fourth pseudo-example on: told, but not in the scheme."""

    def forgetful(points: np.ndarray, weights: np.ndarray) -> CardinalRBF:
        return CardinalRBF(points, weights) if len(points) <= 18 else CardinalRBF(points[:15], weights[:15])

    found = refine(hand(angles), arm(angles), build=forgetful, most=6, samples=1000)
    assert len(found.errors) > 4
    assert_allclose(found.errors[4:], found.before, rtol=1e-6)
    assert len(found.points) == 3
    assert found.after == found.errors[3] == found.errors.min()
    assert len(found.scheme.points) == 18  # type: ignore[attr-defined]


def test_progress_is_told(angles: np.ndarray) -> None:
    told = list[tuple[str, float]]()
    refine(hand(angles), arm(angles), most=4, samples=500, progress=lambda *words: told.append(words))
    assert [share for _, share in told] == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert told[1][0].startswith("1 pseudo-example")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"samples": 0}, "samples"),
        ({"most": -1}, "most"),
        ({"threshold": -1.0}, "threshold"),
        ({"threshold": np.nan}, "threshold"),
        ({"measure": lambda weights: np.zeros((len(weights), 3))}, "2 parameters a row"),
        ({"points": np.zeros((3, 2))}, "at least 4 examples"),
        ({"points": np.full((5, 2), np.nan)}, "finite"),
        ({"points": np.zeros(5)}, "points"),
    ],
)
def test_refusals(angles: np.ndarray, arguments: dict[str, object], sentence: str) -> None:
    usual: dict[str, object] = {"points": hand(angles), "measure": arm(angles)}
    with pytest.raises(RequestError, match=sentence):
        refine(**{**usual, **arguments})  # type: ignore[arg-type]
