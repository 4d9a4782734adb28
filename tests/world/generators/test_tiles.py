"""Tiles to mesh: the walls that belong there, on hand-made plans and on random ones."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from footfall.world.generators.slabs import build_slabs
from footfall.world.generators.tiles import Tile, build_tiles, inclined, level
from footfall.world.mesh import MeshTerrain

SQUARES = np.array([[0, 0], [0, 1], [1, 1], [1, 0], [2, 0], [2, 1]], float)
LEFT, RIGHT = (0, 1, 2, 3), (3, 2, 5, 4)


def two(first: tuple[float, float, float], second: tuple[float, float, float]) -> MeshTerrain:
    return build_tiles(SQUARES, [Tile(LEFT, first, "a"), Tile(RIGHT, second, "b")], base=-1.0)[0]


def between(terrain: MeshTerrain) -> np.ndarray:
    """The triangles (n, 3, 3) over the shared edge at x = 1."""
    corners = terrain.vertices[terrain.triangles]
    return corners[(corners[..., 0] == 1.0).all(axis=1)]


def areas(corners: np.ndarray) -> np.ndarray:
    """Vectors as long as the triangles' areas."""
    return 0.5 * np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])


@pytest.mark.parametrize(("low", "high", "faces"), [(0.0, 0.5, -1.0), (0.5, 0.0, 1.0)])
def test_a_step_has_a_wall_that_faces_the_lower_side(low: float, high: float, faces: float) -> None:
    terrain = two(level(low), level(high))
    wall = between(terrain)
    assert len(wall) == 2
    assert_allclose(areas(wall).sum(axis=0), [0.5 * faces, 0.0, 0.0], atol=1e-15)
    # the higher tile's label
    middle = np.array([[1.0 + 0.5 * faces, 0.25, 0.4]])
    hit = terrain.project(middle, np.array([-faces, 0.0, 0.0]))
    assert_allclose(hit.point, [[1.0, 0.25, 0.4]], atol=1e-12)
    assert terrain.label_of(hit.face).tolist() == ["b" if high > low else "a"]


def test_tops_that_meet_have_no_wall_and_share_vertices() -> None:
    terrain = two(level(0.2), inclined(1.0, 0.2, 0.0, 0.3, 0.0))
    assert len(between(terrain)) == 0
    tops = {i for t in terrain.triangles for i in t if terrain.vertices[i, 1] >= 0.2}
    assert len(tops) == 6


def test_tops_that_meet_at_one_end_have_one_triangle() -> None:
    wall = between(two(level(0.0), inclined(1.0, 0.0, 0.0, 0.0, 0.4)))
    assert len(wall) == 1
    assert_allclose(areas(wall), [[-0.2, 0.0, 0.0]], atol=1e-15)


@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_tops_that_cross_have_two_triangles_tip_to_tip(sign: float) -> None:
    """One looks over this tile and one over the other; they touch where the tops do."""
    wall = between(two(level(0.0), inclined(1.0, -0.25 * sign, 0.0, 0.0, sign)))
    assert len(wall) == 2
    assert_allclose(sorted(areas(wall)[:, 0]), sorted([0.5 * 0.25**2 * sign, -0.5 * 0.75**2 * sign]))
    shared = [v for v in wall[0].tolist() if v in wall[1].tolist()]
    assert shared == [[1.0, 0.0, 0.25]]


def test_corners_on_straight_sides() -> None:
    """A long tile beside two short ones: its side has a corner where theirs end, and no triangle is flat."""
    plan = np.array([[0, 0], [0, 2], [1, 2], [1, 1], [1, 0], [2, 0], [2, 1], [2, 2]], float)
    tiles = [
        Tile((0, 1, 2, 3, 4), level(0.3), "a"),
        Tile((4, 3, 6, 5), level(0.0), "b"),
        Tile((3, 2, 7, 6), level(0.6), "b"),
    ]
    terrain, region = build_tiles(plan, tiles)
    corners = terrain.vertices[terrain.triangles]
    assert np.linalg.norm(areas(corners), axis=1).min() > 0.01
    x, z = np.random.default_rng(0).uniform(-0.5, 2.5, (2, 500))
    inside = (x > 0) & (x < 2) & (z > 0) & (z < 2)
    assert np.array_equal(region(x, z), inside)
    expected = np.where(x < 1, 0.3, np.where(z < 1, 0.0, 0.6))
    assert_allclose(terrain.height(x, z), np.where(inside, expected, -np.inf), atol=1e-12)


def test_what_is_no_partition_is_refused() -> None:
    with pytest.raises(ValueError, match="same side"):
        build_tiles(SQUARES, [Tile(LEFT, level(0.0), "a"), Tile(LEFT, level(1.0), "a")])
    bow = np.array([[0, 0], [2, 0], [0.2, 0.2], [0, 2]], float)
    arrow = np.array([[0, 0], [1, 0.1], [2, 0], [1, 0.05]], float)
    build_tiles(bow, [Tile((0, 1, 2, 3), level(0.0), "a")])  # a fan round its notch covers it
    with pytest.raises(ValueError, match="convex"):
        build_tiles(arrow, [Tile((0, 1, 1, 2), level(0.0), "a")])


numbers = st.floats(-0.5, 0.5, allow_nan=False)


@given(planes=st.lists(st.tuples(numbers, numbers, numbers), min_size=9, max_size=9), turned=st.booleans())
def test_any_planes_make_a_closed_solid(planes: list[tuple[float, float, float]], turned: bool) -> None:
    """Three by three squares with any tops: Gauss's three volumes are the prisms under the tops."""
    lines = np.arange(4.0)
    plan = np.stack(np.meshgrid(lines, lines, indexing="ij"), axis=-1).reshape(-1, 2)
    tiles, expected = [], 0.0
    for k, (a, b, c) in enumerate(planes):
        i, j = divmod(k, 3)
        corners = (4 * i + j, 4 * i + j + 1, 4 * i + j + 5, 4 * i + j + 4)
        tiles.append(Tile(corners[::-1] if turned else corners, (a, b, c), "a"))
        expected += a + b * (i + 0.5) + c * (j + 0.5) + 5.0
    terrain, _ = build_tiles(plan, tiles, base=-5.0)
    corners = terrain.vertices[terrain.triangles]
    middle = corners.mean(axis=1) + np.array([0.0, 5.0, 0.0])
    assert_allclose(np.sum(middle * areas(corners), axis=0), expected, rtol=1e-9)
    normal = areas(corners)[:, 1]
    assert normal.min() > -1e-12


def test_slabs_are_closed_solids() -> None:
    """By trimesh: watertight, wound outwards, as large as they should be; however their corners turn."""
    square = np.array([[0, 0], [1, 0], [1, 2], [0, 2]], float)
    polygons = np.stack([square, square[::-1] + 3.0])
    terrain = build_slabs(polygons, np.array([1.0, 4.0]), 0.05, "stairs")
    mesh = trimesh.Trimesh(terrain.vertices, terrain.triangles, process=False)
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    assert_allclose(mesh.volume, 2 * 2.0 * 0.05)
    assert mesh.body_count == 2
    assert_allclose(mesh.bounds, [[0, 0.95, 0], [4, 4, 5]])
