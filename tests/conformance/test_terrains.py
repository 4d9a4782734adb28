"""What every terrain keeps, whatever it is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.world.height_field import HeightField
from footfall.world.mesh import join
from footfall.world.plane import FlatTerrain, InclinedTerrain
from footfall.world.sliced_touch import SlicedTouch
from footfall.world.terrain import Terrain
from tests.world.meshes import ball, bridge, hills, terrain_of


@dataclass(frozen=True)
class Case:
    """A terrain and the part of the world it is asked about."""

    make: Callable[[], Terrain]
    low: tuple[float, float, float]
    high: tuple[float, float, float]


def field() -> HeightField:
    mesh = hills(40, 30, 0.25)
    kinds = np.arange(40 * 30).reshape(40, 30) % 3
    heights = np.array(mesh.vertices[:, 1]).reshape(41, 31)
    heights[20, 11] = np.nan
    return HeightField(heights, 0.25, (-2.0, 1.0), ("grass", "snow", "ice"), kinds)


CASES = {
    "flat": Case(lambda: FlatTerrain(0.3), (-5, -1, -5), (5, 2, 5)),
    "inclined": Case(lambda: InclinedTerrain(0.25, -0.1, "ice"), (-5, -2, -5), (5, 2, 5)),
    "height field": Case(field, (-2.5, -1, 0.5), (8.5, 2, 9.0)),
    "hills": Case(lambda: terrain_of(hills()), (-0.5, -1, -0.5), (12.5, 2, 8.5)),
    "bridge": Case(lambda: terrain_of(bridge()), (-6.5, -0.5, -3.5), (6.5, 4, 3.5)),
    "joined": Case(lambda: join([terrain_of(hills()), terrain_of(ball())]), (-2, -2, -2), (13, 2, 9)),
}
SHAPES = [(), (3,), (0,), (4, 5)]


@pytest.fixture(scope="module", params=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    return CASES[request.param]


@pytest.fixture(scope="module")
def terrain(case: Case) -> Terrain:
    return case.make()


@pytest.fixture(scope="module")
def points(case: Case) -> np.ndarray:
    return np.random.default_rng(0).uniform(case.low, case.high, (3000, 3))


def test_height_is_where_a_ray_straight_down_ends(terrain: Terrain, points: np.ndarray) -> None:
    x, y, z = points.T
    found = terrain.project(points)
    level = terrain.height(x, z, y)
    assert_array_equal(np.isfinite(level), found.hit)
    assert found.hit.any()
    assert_allclose(level[found.hit], found.point[found.hit, 1], rtol=0, atol=1e-9)
    assert (level <= y).all()
    assert_allclose(found.point[found.hit][:, [0, 2]], points[found.hit][:, [0, 2]], rtol=0, atol=1e-12)


def test_without_a_start_the_highest_ground_is_told(terrain: Terrain, case: Case, points: np.ndarray) -> None:
    x, _, z = points.T
    highest = terrain.height(x, z)
    assert_allclose(highest, terrain.height(x, z, 1e3), rtol=0, atol=1e-12)
    for start in np.linspace(case.low[1], case.high[1], 7):
        assert (terrain.height(x, z, start) <= highest + 1e-12).all()


def test_ground_at_the_start_is_seen(terrain: Terrain, points: np.ndarray) -> None:
    x, _, z = points.T
    level = terrain.height(x, z)
    there = np.isfinite(level)
    again = terrain.height(x[there], z[there], level[there])
    assert_allclose(again, level[there], rtol=0, atol=1e-12)
    assert np.isfinite(terrain.normal(x[there], z[there], level[there])).all()
    assert (terrain.label(x[there], z[there], level[there]) != "").all()


def test_normals_are_unit_look_up_and_are_the_gradient(terrain: Terrain, points: np.ndarray) -> None:
    x, _, z = points.T
    normal, there = terrain.normal(x, z), np.isfinite(terrain.height(x, z))
    assert np.isnan(normal[~there]).all()
    assert_allclose(np.linalg.norm(normal[there], axis=-1), 1.0, rtol=0, atol=1e-12)
    assert (normal[there][:, 1] >= 0.0).all()
    h = 1e-6
    with np.errstate(invalid="ignore"):
        east = (terrain.height(x + h, z) - terrain.height(x - h, z)) / (2 * h)
        north = (terrain.height(x, z + h) - terrain.height(x, z - h)) / (2 * h)
    gradient = np.stack([-normal[:, 0] / normal[:, 1], -normal[:, 2] / normal[:, 1]], axis=-1)
    agree = np.abs(np.stack([east, north], -1) - gradient).max(axis=-1) < 1e-4 * (
        1.0 + np.abs(gradient).max(axis=-1)
    )
    assert agree[there].mean() > 0.999  # all but those beside an edge


def test_labels_are_known_words(terrain: Terrain, points: np.ndarray) -> None:
    x, _, z = points.T
    label, there = terrain.label(x, z), np.isfinite(terrain.height(x, z))
    assert (label[~there] == "").all()
    assert set(label[there]) <= {"ground", "grass", "snow", "ice"}
    assert set(label[there])


def test_rays_end_on_the_surface_and_not_behind_it(terrain: Terrain, points: np.ndarray) -> None:
    directions = np.random.default_rng(1).normal(size=points.shape)
    found = terrain.project(points, directions)
    unit = directions / np.linalg.norm(directions, axis=-1, keepdims=True)
    hit = found.hit
    assert_allclose(found.point[hit], (points + found.distance[:, None] * unit)[hit], rtol=0, atol=1e-9)
    assert_allclose(terrain.closest(found.point[hit]).distance, 0.0, rtol=0, atol=1e-9)
    nearest = terrain.closest(points).distance
    assert (nearest <= found.distance + 1e-9).all()
    # from halfway the same place is seen: nothing lies before it
    halfway = terrain.project(points[hit] + 0.5 * (found.point - points)[hit], directions[hit])
    assert_allclose(halfway.distance, 0.5 * found.distance[hit], rtol=0, atol=1e-9)
    assert (np.sum(found.normal[hit] * unit[hit], axis=-1) <= 1e-12).all()
    assert_array_equal(np.isposinf(found.distance), ~hit)
    assert (found.face[~hit] == -1).all()


def test_a_ray_from_behind_the_hit_goes_on(terrain: Terrain, points: np.ndarray) -> None:
    """A ray that starts a little after its hit finds another one or none, never the same again."""
    directions = np.random.default_rng(2).normal(size=points.shape)
    first = terrain.project(points, directions)
    hit = first.hit
    unit = (directions / np.linalg.norm(directions, axis=-1, keepdims=True))[hit]
    second = terrain.project(first.point[hit] + 1e-7 * unit, unit)
    assert (second.distance > 0.0).all()
    flatly = np.abs(np.sum(first.normal[hit] * unit, axis=-1)) < 1e-2
    assert ((second.face != first.face[hit]) | flatly).all()


def test_the_nearest_point_is_nearer_than_any_other_known_one(terrain: Terrain, points: np.ndarray) -> None:
    found = terrain.closest(points)
    assert_allclose(np.linalg.norm(points - found.point, axis=-1), found.distance, rtol=0, atol=1e-9)
    below = terrain.project(points)
    assert (found.distance <= below.distance + 1e-9).all()
    # distances change no faster than one walks
    steps = np.linalg.norm(np.diff(points, axis=0), axis=-1)
    assert (np.abs(np.diff(found.distance)) <= steps + 1e-9).all()
    assert_allclose(terrain.closest(found.point).distance, 0.0, rtol=0, atol=1e-9)


@pytest.mark.parametrize("radius", [0.05, 0.2, 1.0])
def test_a_sphere_touches_where_the_nearest_point_is_inside_it(
    terrain: Terrain, points: np.ndarray, radius: float
) -> None:
    away = terrain.closest(points).distance
    clear = np.abs(away - radius) > 1e-9
    assert_array_equal(terrain.touching(points, radius)[clear], (away < radius)[clear])


def test_a_neighbourhood_and_slices_answer_alike(terrain: Terrain, points: np.ndarray) -> None:
    centres = points[0] + np.random.default_rng(3).uniform(-0.6, 0.6, (125, 3))
    wanted = terrain.touching(centres, 0.2)
    assert_array_equal(terrain.near(points[0], 1.3).touching(centres, 0.2), wanted)
    assert_array_equal(SlicedTouch(terrain, centres, 0.2, 15).finish(), wanted)


@pytest.mark.parametrize("shape", SHAPES)
def test_answers_have_the_shape_of_the_questions(
    terrain: Terrain, case: Case, shape: tuple[int, ...]
) -> None:
    asked = np.random.default_rng(4).uniform(case.low, case.high, (*shape, 3))
    flat = asked.reshape(-1, 3)
    x, y, z = np.moveaxis(asked, -1, 0)
    assert terrain.height(x, z).shape == shape
    assert terrain.height(x, z, y).shape == shape
    assert terrain.normal(x, z).shape == (*shape, 3)
    assert terrain.label(x, z).shape == shape
    assert terrain.touching(asked, 0.3).shape == shape
    for found, plain in (
        (terrain.project(asked), terrain.project(flat)),
        (terrain.closest(asked), terrain.closest(flat)),
    ):
        assert found.distance.shape == found.face.shape == shape
        assert found.point.shape == found.normal.shape == (*shape, 3)
        assert_array_equal(found.distance.reshape(-1), plain.distance)
        assert_array_equal(found.point.reshape(-1, 3), plain.point)


def test_many_radii_and_many_starts(terrain: Terrain, points: np.ndarray) -> None:
    radii = np.linspace(0.01, 1.0, 20)
    both = terrain.touching(points[:50, None], radii)
    for k, radius in enumerate(radii):
        assert_array_equal(both[:, k], terrain.touching(points[:50], radius))
    x, _, z = points[:50].T
    starts = np.linspace(-1.0, 2.0, 9)
    levels = terrain.height(x[:, None], z[:, None], starts)
    for k, start in enumerate(starts):
        assert_array_equal(levels[:, k], terrain.height(x, z, start))


def test_what_is_no_number_has_no_ground(terrain: Terrain) -> None:
    assert np.isneginf(terrain.height(np.nan, 0.0))
    assert np.isneginf(terrain.height(0.0, np.nan))
    assert np.isnan(terrain.normal(np.nan, 0.0)).all()
    assert terrain.label(np.nan, np.nan) == ""
    assert not terrain.touching(np.full(3, np.nan), 1.0)
    assert not terrain.project(np.full(3, np.nan)).hit


def test_one_bad_sphere_spoils_no_other(terrain: Terrain, points: np.ndarray) -> None:
    centres, radii = points[:50].copy(), np.full(50, 0.5)
    centres[3], centres[7, 1], radii[11] = np.nan, np.inf, np.nan
    found = terrain.touching(centres, radii)
    bad = [3, 7, 11]
    assert not found[bad].any()
    kept = np.setdiff1d(np.arange(50), bad)
    assert_array_equal(found[kept], terrain.touching(points[kept], 0.5))
    assert_array_equal(SlicedTouch(terrain, centres, radii, 4).finish(), found)


def test_questions_are_left_as_they_are(terrain: Terrain, points: np.ndarray) -> None:
    asked = points[:50].copy()
    x, y, z = (np.ascontiguousarray(c) for c in asked.T)
    for array in (asked, x, y, z):
        array.flags.writeable = False
    terrain.height(x, z, y)
    terrain.project(asked, asked)
    terrain.closest(asked)
    terrain.touching(asked, np.broadcast_to(0.2, 50))
    assert_array_equal(asked, points[:50])


def test_the_same_terrain_answers_the_same(case: Case, points: np.ndarray) -> None:
    one, other = case.make(), case.make()
    a, b = one.project(points), other.project(points)
    assert a.distance.tobytes() == b.distance.tobytes()
    assert a.face.tobytes() == b.face.tobytes()
    assert one.closest(points).point.tobytes() == other.closest(points).point.tobytes()
