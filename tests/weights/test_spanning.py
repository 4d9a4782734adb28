"""Spanning sets: what they cover, what they leave out, and that the order of the points does not matter."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.spatial import ConvexHull
from scipy.spatial.distance import cdist, pdist

from footfall.errors import RequestError
from footfall.weights.space import Space
from footfall.weights.spanning import spanning_set


def scattered(count: int = 150, dims: int = 3, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, dims))


def places(points: np.ndarray, chosen: np.ndarray) -> set[tuple[float, ...]]:
    return set(map(tuple, points[chosen]))


@pytest.mark.parametrize("dims", [1, 2, 3, 7])
def test_a_spacing_covers_everything_and_drops_duplicates(dims: int) -> None:
    points = scattered(dims=dims)
    points = np.concatenate([points, points[:40] + 1e-3])
    chosen = spanning_set(points, spacing=0.4)
    assert len(set(chosen.tolist())) == len(chosen)
    assert cdist(points, points[chosen]).min(axis=1).max() <= 0.4
    assert pdist(points[chosen]).min() > 0.4
    assert len(chosen) < len(points)


def test_the_extreme_points_come_first_when_they_fit() -> None:
    points = scattered(200, 2)
    extremes = ConvexHull(points).vertices
    chosen = spanning_set(points, count=len(extremes) + 5)
    assert set(chosen[: len(extremes)].tolist()) == set(extremes.tolist())
    names = ("a", "b")
    kept = Space(names, ("m", "m"), points[chosen])
    assert kept.contains(points).all()  # nothing lies beyond the set


def test_too_many_extreme_points_are_thinned_farthest_first() -> None:
    angles = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    circle = np.c_[2 * np.cos(angles), np.sin(angles)]
    chosen = spanning_set(circle, count=4)
    assert {0, 32} == set(chosen[:2].tolist())  # the pair that is farthest apart
    assert chosen[2] in (16, 48)
    assert len(chosen) == 4


@pytest.mark.parametrize("count", [2, 9, 40, 150])
def test_farthest_first_is_within_twice_the_best(count: int) -> None:
    """Gonzalez: the chosen are as far apart as the rest is from them: no set of as many is twice as good."""
    points = scattered(150, 5)  # nearly all of them extreme: chosen farthest first at once
    chosen = spanning_set(points, count=count)
    assert len(chosen) == count
    covered = [cdist(points, points[chosen[:k]]).min(axis=1).max() for k in range(1, count + 1)]
    assert (np.diff(covered) <= 1e-12).all()
    if count < len(ConvexHull(points).vertices):
        assert pdist(points[chosen]).min() >= covered[-1] - 1e-12


@pytest.mark.parametrize(("count", "spacing"), [(8, None), (30, None), (None, 0.5), (60, 0.3)])
@pytest.mark.parametrize("dims", [1, 2, 4])
def test_the_order_of_the_points_does_not_matter(count: int | None, spacing: float | None, dims: int) -> None:
    points = scattered(dims=dims)
    order = np.random.default_rng(1).permutation(len(points))
    plain, shuffled = spanning_set(points, count, spacing), spanning_set(points[order], count, spacing)
    assert_array_equal(points[plain], points[order][shuffled])
    assert_array_equal(plain, spanning_set(points, count, spacing))


def test_a_grid_full_of_ties_is_chosen_alike_in_any_order() -> None:
    grid = np.array([(a, b) for a in range(5) for b in range(5)], dtype=float)
    order = np.random.default_rng(2).permutation(25)
    for count in (3, 4, 9, 25):
        chosen = spanning_set(grid, count)
        assert places(grid, chosen) == places(grid[order], spanning_set(grid[order], count))
    assert places(grid, spanning_set(grid, 4)) == {(0, 0), (0, 4), (4, 0), (4, 4)}


def test_kept_points_are_always_in() -> None:
    points = scattered()
    chosen = spanning_set(points, count=10, keep=[7, 3, 7])
    assert_array_equal(chosen[:2], [7, 3])
    assert len(chosen) == 10
    twins = np.concatenate([points, points[:1]])
    assert {0, 150} <= set(spanning_set(twins, spacing=0.5, keep=(0, 150)).tolist())  # though they coincide


def test_all_alike_is_one() -> None:
    assert_array_equal(spanning_set(np.ones((5, 2)), spacing=0.0), [0])
    assert_array_equal(spanning_set(np.ones((5, 2)), count=3), [0])  # duplicates never count
    assert_array_equal(spanning_set(np.ones((1, 3)), count=1), [0])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({}, "a count of points, a spacing in metres, or both"),
        ({"count": 0}, r"from 1 \(those kept\) to 150"),
        ({"count": 151}, r"to 150 \(all points\), not 151"),
        ({"count": 2, "keep": (1, 2, 3)}, r"from 3 \(those kept\)"),
        ({"count": 5, "keep": (150,)}, "point 150 cannot be kept: points are 0 to 149"),
        ({"count": 5, "keep": (-1,)}, "point -1 cannot be kept"),
        ({"spacing": -1.0}, "0 or more metres"),
        ({"spacing": np.nan}, "0 or more metres"),
    ],
)
def test_refusals(arguments: dict[str, object], sentence: str) -> None:
    with pytest.raises(RequestError, match=sentence):
        spanning_set(scattered(), **arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("points", [np.zeros((0, 2)), np.zeros((3, 0)), np.full((3, 2), np.nan), np.zeros(4)])
def test_refuses_what_is_no_points(points: np.ndarray) -> None:
    with pytest.raises(RequestError, match=r"points|parameters"):
        spanning_set(points, count=1)
