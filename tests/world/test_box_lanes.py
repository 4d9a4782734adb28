"""The vector instructions against NumPy, number by number."""

from __future__ import annotations

import numba as nb
import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from footfall.world.box_lanes import boxes_on_ray, boxes_within, lowest_bit, triangles_on_ray

F = np.float32
COUNT = 400


@nb.njit
def _on_ray(rows, row, start, inverse, fat, farthest, enter):  # type: ignore[no-untyped-def]
    return boxes_on_ray(rows, row, start, inverse, fat, farthest, enter)


@nb.njit
def _within(rows, row, x, y, z, limit, away):  # type: ignore[no-untyped-def]
    return boxes_within(rows, row, x, y, z, limit, away)


@nb.njit
def _triangles(blocks, block, axes, at, lean, best, away):  # type: ignore[no-untyped-def]
    return triangles_on_ray(blocks, block, axes, at, lean, best, away)


@nb.njit
def _lowest(bits):  # type: ignore[no-untyped-def]
    return lowest_bit(nb.uint32(bits))


def random_rows(rng: np.random.Generator) -> np.ndarray:
    low = rng.uniform(-2.0, 2.0, (COUNT, 3, 8))
    return np.concatenate([low, low + rng.uniform(0.0, 3.0, low.shape)], axis=1).astype(F)


def bits(mask: np.ndarray) -> int:
    return int(sum(1 << k for k, met in enumerate(mask) if met))


def test_boxes_on_a_ray() -> None:
    rng = np.random.default_rng(0)
    rows = random_rows(rng)
    met = 0
    for row in range(COUNT):
        start, inverse = rng.uniform(-2, 2, 3).astype(F), (1.0 / rng.normal(size=3)).astype(F)
        farthest, fat = F(rng.choice([np.inf, 1.5])), F(rng.choice([0.0, 0.2]))
        a = (rows[row, :3] - fat - start[:, None]) * inverse[:, None]
        b = (rows[row, 3:] + fat - start[:, None]) * inverse[:, None]
        first = np.maximum(np.minimum(a, b).max(axis=0), F(0.0))
        last = np.minimum(np.maximum(a, b).min(axis=0), farthest)
        enter = np.empty(8, F)
        found = _on_ray(rows.reshape(-1), row, tuple(start), tuple(inverse), fat, farthest, enter)
        assert found == bits(first <= last)
        assert_array_equal(enter, first)
        met += int(found).bit_count()
    assert COUNT / 2 < met < 6 * COUNT  # of eight each


def test_boxes_within_a_distance() -> None:
    rng = np.random.default_rng(1)
    rows = random_rows(rng)
    for row in range(COUNT):
        point, limit = rng.uniform(-2, 2, 3).astype(F), F(rng.uniform(0.0, 4.0))
        gap = np.maximum(np.maximum(rows[row, :3] - point[:, None], point[:, None] - rows[row, 3:]), F(0.0))
        away = np.empty(8, F)
        found = _within(rows.reshape(-1), row, *point, limit, away)
        assert_allclose(away, (gap**2).sum(axis=0), rtol=1e-6)
        assert found == bits(away <= limit)


def test_triangles_on_a_ray() -> None:
    """Against barycentric coordinates from a linear system."""
    rng = np.random.default_rng(2)
    corners = rng.normal(size=(COUNT, 4, 3, 3))
    corners[::7, 3] = np.nan  # no triangle
    blocks = np.zeros((COUNT, 10, 4))
    blocks[:, :9] = corners.reshape(COUNT, 4, 9).transpose(0, 2, 1)
    hits = 0
    for block in range(COUNT):
        origin = rng.normal(size=3)
        direction = corners[block, 0].mean(axis=0) - origin
        direction /= np.linalg.norm(direction)
        axis = int(np.argmax(np.abs(direction)))
        axes = (axis, (axis + 1) % 3, (axis + 2) % 3)
        lean = (
            1.0 / direction[axis],
            direction[axes[1]] / direction[axis],
            direction[axes[2]] / direction[axis],
        )
        best, away = float(rng.choice([np.inf, 1.0])), np.empty(4)
        found = _triangles(blocks, block, axes, tuple(origin[list(axes)]), lean, best, away)
        wanted = 0
        for k, (a, b, c) in enumerate(corners[block]):
            if np.isnan(a).any():
                continue
            u, v, t = np.linalg.solve(np.stack([b - a, c - a, -direction], axis=1), origin - a)
            if min(u, v, 1.0 - u - v) >= 0.0 and 0.0 <= t < best:
                wanted |= 1 << k
                assert_allclose(away[k], t, rtol=1e-9)
                hits += 1
        assert found == wanted
    assert hits > COUNT / 4


def test_a_triangle_seen_edge_on_is_not_met() -> None:
    corners = np.array([[0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]] * 4)
    away = np.empty(4)
    blocks = np.ascontiguousarray(np.concatenate([corners.T, np.zeros((1, 4))])[None])
    assert _triangles(blocks, 0, (1, 2, 0), (5.0, 0.2, 0.0), (-1.0, 0.0, 0.0), np.inf, away) == 0


def test_the_lowest_bit() -> None:
    for value in range(1, 256):
        assert _lowest(value) == (value & -value).bit_length() - 1
