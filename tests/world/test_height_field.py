"""Height fields against the mesh of the same surface, and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.errors import RequestError
from footfall.world.height_field import HeightField


def random_field(seed: int, *, holes: int = 0) -> HeightField:
    rng = np.random.default_rng(seed)
    nx, nz = rng.integers(4, 40, 2)
    heights = rng.normal(0.0, rng.choice([0.01, 1.0, 100.0]), (nx + 1, nz + 1))
    heights[rng.integers(0, nx + 1, holes), rng.integers(0, nz + 1, holes)] = np.nan
    kinds = rng.integers(0, 4, (nx, nz))
    cell = float(rng.choice([0.02, 0.3, 7.0]))
    return HeightField(heights, cell, rng.uniform(-50, 50, 2), ("grass", "snow", "ice", "stairs"), kinds)


def places(field: HeightField, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Anywhere over it and beside it, and exactly on its corners."""
    size = field.cell * (np.array(field.heights.shape) - 1)
    rng = np.random.default_rng(seed)
    anywhere = rng.uniform(field.origin - 0.1 * size, field.origin + 1.1 * size, (count, 2))
    i, j = np.indices(field.heights.shape).reshape(2, -1)
    corners = np.stack([field.origin[0] + field.cell * i, field.origin[1] + field.cell * j], axis=-1)
    return tuple(np.concatenate([anywhere, corners]).T)  # type: ignore[return-value]


@pytest.mark.parametrize("holes", [0, 3])
@pytest.mark.parametrize("seed", range(12))
def test_agrees_with_the_mesh_of_the_same_surface(seed: int, holes: int) -> None:
    field = random_field(seed, holes=holes)
    mesh = field.mesh
    x, z = places(field, 4000, seed)
    level, other = field.height(x, z), mesh.height(x, z)
    there = np.isfinite(level)
    assert there.any()
    assert_array_equal(there, np.isfinite(other))
    assert_allclose(level[there], other[there], rtol=0, atol=1e-9)
    start = np.random.default_rng(seed).choice(level[there], len(x))
    low = field.height(x, z, start)
    assert (low[np.isfinite(low)] <= start[np.isfinite(low)]).all()
    assert_array_equal(field.label(x, z) == "", ~there)
    # away from edges, where two triangles could be meant
    u, v = ((x - field.origin[0]) / field.cell) % 1.0, ((z - field.origin[1]) / field.cell) % 1.0
    inside = there & (np.minimum.reduce([u, v, 1 - u, 1 - v, np.abs(u - v)]) > 1e-6)
    assert_allclose(field.normal(x, z)[inside], mesh.normal(x, z)[inside], rtol=0, atol=1e-9)
    assert_array_equal(field.label(x, z)[inside], mesh.label(x, z)[inside])


def test_corners_have_the_heights_that_were_given() -> None:
    heights = np.random.default_rng(1).normal(size=(7, 5))
    field = HeightField(heights, 0.5, (1.0, -2.0))
    i, j = np.indices(heights.shape)
    assert_allclose(field.height(1.0 + 0.5 * i, -2.0 + 0.5 * j), heights, rtol=0, atol=1e-15)


def test_a_plane_is_a_plane() -> None:
    i, j = np.indices((9, 9))
    field = HeightField(0.25 * i - 0.5 * j, 0.5)
    x, z = np.random.default_rng(2).uniform(0.0, 4.0, (2, 500))
    assert_allclose(field.height(x, z), 0.5 * x - z, rtol=0, atol=1e-14)
    wanted = np.array([-0.5, 1.0, 1.0]) / np.sqrt(2.25)
    assert_allclose(field.normal(x, z), np.broadcast_to(wanted, (500, 3)), rtol=0, atol=1e-14)


def test_the_mesh_looks_up_and_has_two_triangles_a_cell() -> None:
    field = random_field(4)
    corners = field.mesh.vertices[field.mesh.triangles]
    assert len(corners) == 2 * (field.heights.shape[0] - 1) * (field.heights.shape[1] - 1)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert (normal[:, 1] > 0.0).all()


@pytest.mark.parametrize("seed", range(20))
def test_on_the_rim_of_holes_the_mesh_is_right(seed: int) -> None:
    """At every corner, on every edge and every cut of a field that is a third holes."""
    rng = np.random.default_rng(seed)
    heights = rng.normal(size=(8, 7))
    heights[rng.uniform(size=heights.shape) < 0.3] = np.nan
    field = HeightField(heights, 0.5)
    x, z = (a.reshape(-1) for a in np.meshgrid(0.125 * np.arange(29), 0.125 * np.arange(25)))
    level, other = field.height(x, z), field.mesh.height(x, z)
    assert_array_equal(np.isfinite(level), np.isfinite(other))
    there = np.isfinite(level)
    assert_allclose(level[there], other[there], rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    ("heights", "options", "sentence"),
    [
        (np.zeros(3), {}, "shape"),
        (np.zeros((1, 5)), {}, "shape"),
        (np.full((3, 3), np.nan), {}, "numbers"),
        (np.full((3, 3), np.inf), {}, "within"),
        ([[1.0, 2.0], [3.0]], {}, "array of numbers"),
        ([[1.0, np.nan], [np.nan, 2.0]], {}, "three neighbouring"),
        (np.zeros((3, 3)), {"origin": (2e7, 0.0)}, "within"),
        (np.zeros((3, 3)), {"cell": "x"}, "positive"),
        (np.zeros((3, 3)), {"cell": 0.0}, "positive"),
        (np.zeros((3, 3)), {"cell": np.nan}, "positive"),
        (np.zeros((3, 3)), {"origin": (np.nan, 0.0)}, "origin"),
        (np.zeros((3, 3)), {"kinds": np.ones((2, 2), int)}, "labels"),
        (np.zeros((3, 3)), {"kinds": np.zeros((3, 3), int)}, "cells"),
    ],
)
def test_refused(heights: np.ndarray, options: dict, sentence: str) -> None:
    with pytest.raises(RequestError, match=sentence):
        HeightField(heights, **({"cell": 0.5} | options))
