"""Outlines and their convex parts, held against exact arithmetic, matplotlib and areas."""

from __future__ import annotations

import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from matplotlib.path import Path
from numpy.testing import assert_allclose

from footfall.errors import RequestError
from footfall.world.shapes.convex_parts import convex_parts, triangulate
from footfall.world.shapes.outline import MOST, area, check_simple, outline_distance
from footfall.world.shapes.polygon import Polygon
from tests.world.shapes.solids import star

Corner = tuple[int, int]
corner = st.tuples(st.integers(0, 6), st.integers(0, 6))


def side(a: Corner, b: Corner, c: Corner) -> int:
    return int(np.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])))


def on(a: Corner, b: Corner, c: Corner) -> bool:
    """Whether c lies on the edge from a to b, ends included."""
    between = all(min(a[k], b[k]) <= c[k] <= max(a[k], b[k]) for k in (0, 1))
    return side(a, b, c) == 0 and between


def is_simple(corners: list[Corner]) -> bool:
    """In whole numbers: no corner on an edge of others, no edges that cross."""
    n = len(corners)
    edges = [(i, (i + 1) % n) for i in range(n)]
    for i, j in edges:
        if any(on(corners[i], corners[j], corners[k]) for k in range(n) if k not in (i, j)):
            return False
        if corners[i] == corners[j]:
            return False
    for i, j in edges:
        for k, m in edges:
            if len({i, j, k, m}) == 4:
                a, b, c, d = (corners[v] for v in (i, j, k, m))
                if side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0:
                    return False
    return True


@settings(max_examples=500, deadline=None)
@given(st.lists(corner, min_size=3, max_size=8))
@example([(0, 0), (2, 2), (2, 0), (0, 2)])  # a bow
@example([(0, 0), (4, 0), (2, 0), (2, 2)])  # a spike
@example([(0, 0), (4, 0), (4, 4), (2, 0), (0, 4)])  # a corner on an edge
def test_simple_is_judged_as_by_whole_numbers(corners: list[Corner]) -> None:
    try:
        check_simple(np.array(corners, dtype=float) * 0.37 + 12.3)
        found = True
    except RequestError:
        found = False
    assert found == is_simple(corners)


@pytest.mark.parametrize(
    ("corners", "refused"),
    [
        ([[0, 0], [2, 2], [2, 0], [0, 2]], "the edges after corners 0 and 2 do"),
        ([[0, 0], [1, 0], [1, 0], [0, 1]], "corners 1 and 2 are one"),
        ([[0, 0], [1, 0], [0, 1], [0, 0]], "corners 3 and 0 are one"),
        ([[0, 0], [2, 0], [1, 0], [1, 1]], "corner 2 lies on the edge after corner 0"),
        ([[0, 0], [1, 0], [2, 0]], "lies on the edge"),
        (np.zeros((MOST + 1, 2)), f"must be 3 to {MOST}, not {MOST + 1}"),
    ],
)
def test_refusals_name_the_corners(corners: list[list[float]], refused: str) -> None:
    with pytest.raises(RequestError, match=refused):
        check_simple(np.array(corners, dtype=float))


def untangled(points: np.ndarray) -> np.ndarray:
    """A simple outline through random points: the way without crossings is shorter (2-opt)."""
    way = list(points)
    n = len(way)
    changed = True
    while changed:
        changed = False
        for i in range(n - 1):
            for j in range(i + 2, n):
                a, b, c, d = way[i], way[i + 1], way[j], way[(j + 1) % n]
                before = np.hypot(*(a - b)) + np.hypot(*(c - d))
                if np.hypot(*(a - c)) + np.hypot(*(b - d)) < before - 1e-12:
                    way[i + 1 : j + 1] = way[i + 1 : j + 1][::-1]
                    changed = True
    return np.array(way)


def comb(teeth: int) -> np.ndarray:
    """All corners but two at each tooth on three lines: flat corners and long slivers."""
    tops = [[k, y] for k in range(teeth) for y in ((9.0, 1.0) if k % 2 else (1.0, 9.0))]
    return np.array([*tops, [teeth, 1.0], *([k, 0.0] for k in range(teeth, -1, -1))], dtype=float)


def spiral(turns: int) -> np.ndarray:
    angles = np.linspace(0, 2 * np.pi * turns, 20 * turns)
    along = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return np.concatenate([(5 + angles)[:, None] * along, ((3 + angles)[:, None] * along)[::-1]])


def outlines() -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    random = [untangled(rng.uniform(-1, 1, (n, 2))) for n in (3, 4, 5, 8, 13, 20, 30, 40)]
    return [*random, *(r[::-1] for r in random), star(), star(30, 0.1), comb(9), spiral(3), spiral(3)[::-1]]


@pytest.mark.parametrize("corners", outlines())
def test_convex_parts_make_up_the_outline(corners: np.ndarray) -> None:
    """Each convex, of the right area together, and what matplotlib finds inside is in one of them."""
    check_simple(corners)
    turning = corners if area(corners) > 0 else corners[::-1]
    triangles = triangulate(turning)
    assert triangles.shape == (len(corners) - 2, 3)
    assert set(triangles.ravel()) == set(range(len(corners)))
    areas = np.array([area(turning[t]) for t in triangles])
    assert areas.min() > 0.0
    assert_allclose(areas.sum(), area(turning), rtol=1e-12)

    parts = convex_parts(turning, triangles)
    assert_allclose(sum(area(turning[p]) for p in parts), area(turning), rtol=1e-12)
    for part in parts:
        ring = turning[part]
        edges = np.roll(ring, -1, axis=0) - ring
        after = np.roll(edges, -1, axis=0)
        assert (edges[:, 1] * after[:, 0] - edges[:, 0] * after[:, 1] >= 0.0).all()
    reflex = sum(area(turning[[i - 1, i, (i + 1) % len(turning)]]) < 0 for i in range(len(turning)))
    assert len(parts) <= 2 * reflex + 1  # no more than twice the corners that turn back (Hertel, Mehlhorn)

    points = np.random.default_rng(1).uniform(corners.min(axis=0), corners.max(axis=0), (2000, 2))
    inside = Path(np.vstack([corners, corners[:1]]), closed=True).contains_points(points)
    held = np.zeros(len(points), dtype=bool)
    for part in parts:
        held |= Path(np.vstack([turning[part], turning[part[:1]]]), closed=True).contains_points(points)
    away = outline_distance(corners, *points.T)
    clear = np.abs(away) > 1e-9
    assert clear.mean() > 0.99
    assert (held == inside)[clear].all()
    assert ((away < 0) == inside)[clear].all()


def test_a_convex_outline_is_one_part() -> None:
    angles = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    corners = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    assert len(Polygon(corners, 1.0).core.spheres) == 1
    assert len(Polygon([[0, 0], [0, 1], [0, 2], [2, 2], [2, 0]], 1.0).core.spheres) == 1  # one is flat
    assert len(Polygon([[0, 0], [0, 2], [1, 2], [1, 1], [2, 1], [2, 0]], 1.0).core.spheres) == 2  # an L


def test_areas_by_exact_sums() -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        corners = rng.integers(-50, 50, (7, 2)) / 8
        exact = sum(
            Fraction(float(a[1])) * Fraction(float(b[0])) - Fraction(float(a[0])) * Fraction(float(b[1]))
            for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)
        )
        assert area(corners) == float(exact / 2)


def test_the_largest_outlines_are_quick() -> None:
    """A file may hold any outline: the worst ones within the limit take no second."""
    rng = np.random.default_rng(3)
    angles = np.linspace(0, 2 * np.pi, MOST, endpoint=False)
    spiky = rng.uniform(0.1, 1.0, (MOST, 1)) * np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    began = time.perf_counter()
    for corners in (spiky, comb(MOST // 3 - 2), spiral(MOST // 40)):
        assert len(Polygon(corners, 1.0).core.spheres) > 10
    assert time.perf_counter() - began < 2.0
