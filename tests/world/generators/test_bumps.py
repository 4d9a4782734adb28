"""Hills: how many triangles they have, that their shape is the seed's, and how steep they are."""

from __future__ import annotations

import time

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.errors import RequestError
from footfall.world.generators.bumps import bump_heights
from footfall.world.generators.generate import generate
from footfall.world.generators.limits import StepLimits
from footfall.world.grid_mesh import grid_triangles, grid_vertices
from tests.world.generators.judge import SEEDS, judge_crossing, made


def steepest(terrain: object) -> float:
    corners = terrain.vertices[terrain.triangles]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return float(np.arctan2(np.hypot(normal[:, 0], normal[:, 2]), normal[:, 1]).max())


def test_ten_thousand_triangles_over_ten_by_twenty_metres() -> None:
    ground = made("bumps", 7)
    assert len(ground.terrain) == 10_000
    low, high = ground.terrain.bounds
    assert_allclose(low[[0, 2]], [-5.0, -2.0], atol=1e-12)
    assert_allclose(high[[0, 2]], [5.0, 18.0], atol=1e-12)
    assert ground.terrain.labels == ("grass",)


def test_hills_are_steep_but_not_too_steep() -> None:
    allowed = np.arctan(0.18 / 0.70)  # a step of any length any way keeps the rise
    found = np.array([steepest(made("bumps", seed).terrain) for seed in SEEDS])
    assert found.max() <= allowed
    assert np.median(found) > 0.92 * allowed
    assert found.min() > 0.6 * allowed
    relief = [np.ptp(made("bumps", seed).terrain.vertices[:, 1]) for seed in SEEDS]
    assert min(relief) > 0.25


@pytest.mark.parametrize("seed", range(10))
def test_any_step_any_way_keeps_the_rise(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, z = rng.uniform((-4.0, -1.0), (4.0, 17.0), (5000, 2)).T
    way = rng.uniform(0.0, 2.0 * np.pi, 5000)
    terrain = made("bumps", seed).terrain
    there = terrain.height(x + 0.7 * np.cos(way), z + 0.7 * np.sin(way))
    assert np.abs(there - terrain.height(x, z)).max() <= 0.18


@pytest.mark.parametrize("triangles", [6_400, 40_000, 250_000])
def test_triangles_are_the_resolution_not_the_shape(triangles: int) -> None:
    """Where grids share corners they are of one height; between them they differ as facets do."""
    for seed in range(3):
        usual, other = made("bumps", seed), generate("bumps", seed, triangles=triangles)
        assert abs(len(other.terrain) - triangles) < 0.02 * triangles
        assert steepest(other.terrain) <= np.arctan(0.18 / 0.70)
        judge_crossing(other)
        x, z = np.random.default_rng(0).uniform((-5, -2), (5, 18), (2000, 2)).T
        apart = np.abs(usual.terrain.height(x, z) - other.terrain.height(x, z))
        assert 0.0 < apart.max() < 0.006
    corner, finer = made("bumps", 0).terrain, generate("bumps", 0, triangles=40_000).terrain
    x, _, z = corner.vertices.T
    assert_allclose(finer.height(x, z), corner.vertices[:, 1], rtol=0, atol=1e-9)


def test_a_million_triangles_soon() -> None:
    start = time.process_time()
    ground = generate("bumps", 1, triangles=1_000_000)
    assert time.process_time() - start < 4.0  # 0.9 s where nothing else runs
    assert len(ground.terrain) == 1_000_000


def test_heights_for_a_height_field_are_those_of_the_mesh() -> None:
    limits = StepLimits(rise=0.15)
    heights, origin, cell = bump_heights(5, (50, 100), (10.0, 20.0), limits)
    assert heights.shape == (51, 101)
    terrain = generate("bumps", 5, limits=limits).terrain
    assert np.array_equal(grid_vertices(heights, origin, cell), terrain.vertices)
    assert np.array_equal(grid_triangles(50, 100), terrain.triangles)


def test_what_is_too_coarse_is_refused() -> None:
    with pytest.raises(RequestError, match="from 6400 to"):
        generate("bumps", triangles=6_000)
    with pytest.raises(RequestError, match="triangles"):
        generate("bumps", triangles=10**9)
    with pytest.raises(RequestError, match="triangles"):
        generate("bumps", triangles=1e5)
