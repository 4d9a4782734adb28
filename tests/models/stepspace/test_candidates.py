"""Tetrahedra of S_low and B(T), beside plain NumPy, scipy's point location and scipy's rotations."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial import Delaunay
from scipy.spatial.transform import Rotation

from footfall.errors import RequestError
from footfall.models.stepspace.candidates import (
    BlendCandidates,
    LowSpace,
    build_candidates,
    candidates_of,
    upper_distances,
)
from footfall.models.stepspace.candidates_kernel import enclosing


def points(count: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(0.0, [0.3, 0.4, 0.5], (count, 3))


def plain_candidates(
    low: np.ndarray, own: np.ndarray, way: np.ndarray, nearest: int, radius: float
) -> set[tuple[int, ...]]:
    """B(T) as the paper says it, by barycentric coordinates of T's four corners in every tetrahedron."""
    away = np.linalg.norm(low - low[own].mean(axis=0), axis=1)
    near = sorted(i for i in np.argsort(away)[:nearest] if away[i] <= radius)
    quads = np.array(list(combinations(near, 4)), dtype=int).reshape(-1, 4)
    columns = np.concatenate([low[quads].swapaxes(1, 2), np.ones((len(quads), 1, 4))], axis=1)
    shares = np.linalg.solve(columns, np.vstack([low[own].T, np.ones(4)]))
    mixed = (way[quads] == 1).any(axis=1) & (way[quads] == -1).any(axis=1)
    fits = (shares > -1e-9).all(axis=(1, 2)) & ~mixed
    return {tuple(own.tolist()), *(tuple(quad) for quad in quads[fits].tolist())}


@pytest.mark.parametrize(("seed", "radius"), [(3, 0.8), (1, 0.8), (2, 9.0)])
def test_candidates_are_the_plain_ones(seed: int, radius: float) -> None:
    space = LowSpace.of(points(40, seed))
    way = np.random.default_rng(seed).integers(-1, 2, 40)
    candidates = build_candidates(space, way, nearest=14, radius=radius)
    assert len(candidates) == len(space.corners)
    alternatives = 0
    for t, own in enumerate(space.corners):
        listed = [tuple(quad) for quad in candidates.of(t).tolist()]
        assert len(set(listed)) == len(listed)
        assert listed[0] == tuple(own)
        assert set(listed) == plain_candidates(space.low, own, way, 14, radius)
        alternatives += len(listed) - 1
    assert alternatives > 30  # or the comparison says nothing


def test_every_candidate_contains_every_place_of_its_tetrahedron() -> None:
    space = LowSpace.of(points(120, 3))
    candidates = build_candidates(space, np.zeros(120, dtype=int))
    rng = np.random.default_rng(4)
    for t in rng.choice(len(candidates), 60, replace=False):
        place = rng.dirichlet(np.ones(4)) @ space.low[space.corners[t]]
        shares = space.barycentric(candidates.of(t), place)
        assert shares.min() > -1e-7
        assert_allclose(np.einsum("mk,mkd->md", shares, space.low[candidates.of(t)]) - place, 0.0, atol=1e-9)


def test_no_corner_of_an_alternative_lies_beyond_the_radius() -> None:
    space = LowSpace.of(points(80, 13))
    counts = []
    for radius in (0.5, 0.8):
        candidates = build_candidates(space, np.zeros(80), nearest=80, radius=radius, most=10**6)
        for t, own in enumerate(space.corners):
            away = space.low[candidates.of(t)[1:]] - space.low[own].mean(axis=0)
            assert np.linalg.norm(away, axis=2).max(initial=0.0) <= radius
        counts.append(len(candidates.quads))
    assert len(space.corners) < counts[0] < counts[1]


def test_thousands_around_one_place_are_all_found() -> None:
    low, place = points(26, 14), points(26, 14).mean(axis=0)
    near, way = np.arange(26, dtype=np.int32), np.zeros(26, dtype=np.int8)
    found = enclosing(low, way, near, place[None])
    quads = np.array(list(combinations(range(26), 4)))
    columns = np.concatenate([low[quads].swapaxes(1, 2), np.ones((len(quads), 1, 4))], axis=1)
    inside = (np.linalg.solve(columns, np.append(place, 1.0)[:, None]) >= 0.0).all(axis=(1, 2))
    assert inside.sum() > 1024
    assert_array_equal(found, quads[inside])


def test_long_lists_keep_the_nearest_and_itself() -> None:
    space = LowSpace.of(points(80, 5))
    way = np.zeros(80, dtype=int)
    whole = build_candidates(space, way, most=10**6)
    short = build_candidates(space, way, most=5)
    lengths = np.diff(whole.offsets)
    assert lengths.max() > 5
    assert_array_equal(np.diff(short.offsets), np.minimum(lengths, 5))
    t = int(lengths.argmax())
    centre = space.low[space.corners[t]].mean(axis=0)
    sums = np.linalg.norm(space.low[whole.of(t)] - centre, axis=2).sum(axis=1)
    kept = np.linalg.norm(space.low[short.of(t)] - centre, axis=2).sum(axis=1)
    assert_array_equal(short.of(t)[0], space.corners[t])
    assert_allclose(np.sort(kept[1:]), np.sort(sums[1:])[:4])
    assert short.quads.dtype == np.int16


def test_forward_and_backward_are_not_mixed_but_aside_goes_with_both() -> None:
    space = LowSpace.of(points(60, 6))
    way = np.resize([1, -1, 0], 60)
    candidates = build_candidates(space, way)
    ways = [way[candidates.of(t)[1:]] for t in range(len(candidates))]
    others = np.concatenate(ways)
    assert not ((others == 1).any(axis=1) & (others == -1).any(axis=1)).any()
    assert ((others == 1).any(axis=1) & (others == 0).any(axis=1)).any()
    mixed = (way[space.corners] == 1).any(axis=1) & (way[space.corners] == -1).any(axis=1)
    assert mixed.any()  # T itself stays, mixed or not
    assert_array_equal(np.array([candidates.of(t)[0] for t in range(len(candidates))]), space.corners)


@pytest.mark.parametrize("seed", range(3))
def test_places_are_located_as_scipy_does(seed: int) -> None:
    rng = np.random.default_rng(seed)
    low = points(30, seed)
    space, judge = LowSpace.of(low), Delaunay(low)
    places = rng.normal(0.0, 0.4, (100, 3))
    for place, simplex in zip(places, judge.find_simplex(places), strict=True):
        found, weights = space.containing(place)
        assert (found >= 0) == (simplex >= 0)
        assert space.locate(place) == found
        if found >= 0:
            assert_array_equal(space.corners[found], np.sort(judge.simplices[simplex]))
            assert weights.min() >= 0.0
            assert_allclose(weights @ low[space.corners[found]], place, atol=1e-9)
            assert_allclose(space.barycentric(space.corners[found], place), weights, atol=1e-6)


def test_corners_faces_and_edges_belong_to_the_space() -> None:
    low = points(50, 7)
    space = LowSpace.of(low)
    rng = np.random.default_rng(8)
    for t in range(0, len(space.corners), 7):
        corners = low[space.corners[t]]
        for shares in ([1.0, 0, 0, 0], [0.5, 0.5, 0, 0], [*rng.dirichlet(np.ones(3)), 0.0]):
            place = np.array(shares) @ corners
            found, weights = space.containing(place)
            assert found >= 0
            assert_allclose(weights @ low[space.corners[found]], place, atol=1e-8)


def test_steps_at_one_place_share_a_corner() -> None:
    base = points(30, 9)
    low = np.concatenate([base, base, base + 1e-9])
    space = LowSpace.of(low)
    assert space.corners.max() < 30
    assert_array_equal(space.corners, LowSpace.of(base).corners)
    # the twins still are candidates
    assert (candidates_of(space, np.zeros(90), 0, nearest=30, radius=9.0) >= 30).any()


def test_the_same_steps_give_the_same_space() -> None:
    low = points(60, 10)
    one, two = LowSpace.of(low), LowSpace.of(low.copy())
    assert_array_equal(one.corners, two.corners)
    assert_array_equal(np.sort(one.corners, axis=1), one.corners)
    assert not one.corners.flags.writeable
    # kept as arrays, the space is the same
    again = LowSpace(one.low, one.corners)
    assert again.locate(low.mean(axis=0)) == one.locate(low.mean(axis=0))


def test_upper_bodies_differ_by_their_squared_angles() -> None:
    turns = Rotation.random(4 * 3 * 2, random_state=0)
    upper = turns.as_quat(scalar_first=True).reshape(4, 3, 2, 4)
    apart = upper_distances(upper * np.array([1, -1, 1, -1])[:, None, None, None])  # signs mean nothing
    for a, b in combinations(range(4), 2):
        one, two = (Rotation.from_quat(upper[i].reshape(-1, 4), scalar_first=True) for i in (a, b))
        assert apart[a, b] == pytest.approx(np.square((two.inv() * one).magnitude()).sum())
    assert_array_equal(apart, apart.T)
    assert_array_equal(np.diag(apart), 0.0)
    candidates = BlendCandidates(np.array([0, 1]), np.array([[0, 1, 2, 3]]), apart)
    # eq. 1: all pairs, both ways
    assert candidates.upper_error(candidates.of(0))[0] == pytest.approx(apart.sum())
    assert BlendCandidates(np.array([0, 1]), np.array([[0, 1, 2, 3]])).upper_error(candidates.of(0))[0] == 0.0


def test_progress_is_told_up_to_the_end() -> None:
    told: list[tuple[str, float]] = []
    space = LowSpace.of(points(60, 11))
    build_candidates(space, np.zeros(60), nearest=8, progress=lambda what, share: told.append((what, share)))
    shares = [share for _, share in told]
    assert len(shares) == -(-len(space.corners) // 64)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_what_makes_no_space_is_refused() -> None:
    flat = points(20, 12) * [1.0, 1.0, 0.0]
    for low in (flat, points(4, 0)[:3], np.zeros((10, 3))):
        with pytest.raises(RequestError, match="span no volume"):
            LowSpace.of(low)
    with pytest.raises(RequestError, match="finite"):
        LowSpace.of(np.full((9, 3), np.nan))
    with pytest.raises(RequestError, match="not among the 10"):
        LowSpace(points(10), np.array([[0, 1, 2, 10]]))
    space = LowSpace.of(points(10))
    with pytest.raises(RequestError, match="a way each"):
        build_candidates(space, np.zeros(9))
    for wrong in ({"nearest": 3}, {"radius": 0.0}, {"radius": np.nan}, {"most": 0}):
        with pytest.raises(RequestError, match="at least 4 nearest"):
            build_candidates(space, np.zeros(10), **wrong)  # type: ignore[arg-type]
    for offsets, quads in (([0, 0, 1], [[0, 1, 2, 3]]), ([0, 2], [[0, 1, 2, 3]]), ([0, 1], [[0, 1, 2, -3]])):
        with pytest.raises(RequestError):
            BlendCandidates(np.array(offsets), np.array(quads))
