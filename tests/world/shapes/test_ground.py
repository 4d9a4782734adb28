"""Distances from shapes to the ground, held against closed forms, trimesh and every triangle one by one."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from numpy.testing import assert_allclose

from footfall.errors import RequestError
from footfall.geometry import quaternion as quat
from footfall.world.height_field import HeightField
from footfall.world.mesh import MeshTerrain
from footfall.world.plane import FlatTerrain, InclinedTerrain
from footfall.world.shapes.box import Box
from footfall.world.shapes.capsule import Capsule
from footfall.world.shapes.ground import distance_to_terrain, overlaps_terrain
from footfall.world.shapes.placed import Placed
from footfall.world.shapes.sphere import Sphere
from footfall.world.stairs import StraightStairs
from tests.world.shapes.solids import KINDS, farthest_along, random_placed, random_shape, surface_distance

UP = np.array([0.0, 1.0, 0.0])


def hills(cells: int, size: float = 8.0, seed: int = 0) -> HeightField:
    x = np.linspace(-1.5, 1.5, cells + 1)
    heights = 0.4 * np.sin(3 * x)[:, None] * np.cos(4 * x)[None]
    rough = np.random.default_rng(seed).uniform(0, size / cells, heights.shape)
    return HeightField(heights + rough, size / cells, (-size / 2, -size / 2))


def tangle(count: int, seed: int = 1) -> MeshTerrain:
    """Triangles of all sizes at all angles, over and through each other."""
    rng = np.random.default_rng(seed)
    size = np.exp(rng.uniform(np.log(0.01), np.log(1.0), (count, 1, 1)))
    corners = rng.uniform(-3, 3, (count, 1, 3)) + size * rng.normal(size=(count, 3, 3))
    return MeshTerrain(corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3))


def corners_of(terrain: MeshTerrain) -> np.ndarray:
    return terrain.vertices[terrain.triangles]


def distance_by_every_triangle(placed: Placed, corners: np.ndarray) -> float:
    """Each triangle as a body of its own: no tree, no spheres."""
    from footfall.world.shapes.gjk_kernel import separate, turn_matrix

    body, turned, still = placed.body, np.empty(9), np.eye(3).reshape(-1).copy()
    turn_matrix(body.places[0, 3:7], turned)
    disc, ball, reach = body.places[0, 7:]
    best = np.inf
    for triangle in corners - body.places[0, :3]:
        size = reach + float(np.linalg.norm(triangle, axis=-1).max())
        for start, end in zip(body.starts, body.starts[1:], strict=False):
            apart = separate(
                body.points, start, end, turned, np.ascontiguousarray(triangle), 0, 3, still,
                (disc, ball, 0.0, 0.0), (0.0, 0.0, 0.0), size, (0.0, np.inf), np.empty((5, 9)), np.empty(6),
            )  # fmt: skip
            best = min(best, apart)
    return best


@pytest.mark.parametrize("kind", KINDS)
def test_planes(kind: str) -> None:
    """The shape's lowest and highest points over the plane, from its own fields."""
    rng = np.random.default_rng(2)
    for _ in range(100):
        slope, level = rng.uniform(-1.4, 1.4), rng.normal()
        plane = InclinedTerrain(slope, level) if rng.random() < 0.7 else FlatTerrain(level)
        normal = plane.normal(np.array(0.0), np.array(0.0))
        placed = random_placed(kind, rng)
        foot = float(np.array([0.0, plane.height(np.array(0.0), np.array(0.0)), 0.0]) @ normal)
        low, high = -farthest_along(placed, -normal) - foot, farthest_along(placed, normal) - foot
        expected = 0.0 if low <= 0.0 <= high else min(abs(low), abs(high))
        assert_allclose(distance_to_terrain(placed, plane), expected, rtol=0, atol=1e-12)
        assert overlaps_terrain(placed, plane) == (expected == 0.0)
        assert overlaps_terrain(placed, plane, 0.5) == (expected <= 0.5)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ground", [FlatTerrain(2.0), HeightField(np.full((9, 9), 2.0), 1.0, (-4.0, -4.0))])
def test_standing_over_and_under(kind: str, ground: FlatTerrain | HeightField) -> None:
    """Standing touches; lifted, sunk under and wholly under are what they are: the surface is thin."""
    rng = np.random.default_rng(3)
    for _ in range(10):
        shape = random_shape(kind, rng, 0.1, 0.4)
        placed = Placed(shape, np.zeros(3), rng.normal(size=4))
        low, high = placed.along(UP)
        for lift in (0.0, 1e-6, 0.3):
            over = Placed(shape, (2.0 - low + lift) * UP, placed.orientation)
            under = Placed(shape, (2.0 - high - lift) * UP, placed.orientation)
            for there in (over, under):
                assert_allclose(distance_to_terrain(there, ground), lift, rtol=0, atol=2e-12)
                assert overlaps_terrain(there, ground) == (lift == 0.0)
                assert overlaps_terrain(there, ground, 0.301)
                assert not overlaps_terrain(there, ground, -1e-3)
        through = Placed(shape, (2.0 - 0.5 * (low + high)) * UP, placed.orientation)
        assert distance_to_terrain(through, ground) == 0.0


def places(rng: np.random.Generator, count: int, spread: float = 2.5) -> np.ndarray:
    """Most near the ground, some far over it, beside it and a long way off."""
    near = spread * rng.uniform(-1, 1, (count, 3))
    near[::5] *= 10.0
    near[::17] *= 1e4
    return near


@pytest.mark.parametrize("terrain", [hills(5).mesh, hills(14).mesh, tangle(60), tangle(3)])
@pytest.mark.parametrize("kind", KINDS)
def test_against_every_triangle(kind: str, terrain: MeshTerrain) -> None:
    rng = np.random.default_rng(4)
    for position in places(rng, 18):
        placed = Placed(random_shape(kind, rng, 0.05, 1.0), position, rng.normal(size=4))
        expected = distance_by_every_triangle(placed, corners_of(terrain))
        found = distance_to_terrain(placed, terrain)
        assert_allclose(found, expected, rtol=1e-12, atol=1e-8 if kind == "cylinder" else 1e-11)
        assert overlaps_terrain(placed, terrain) == (found == 0.0)
        assert overlaps_terrain(placed, terrain, 0.2) == (found <= 0.2)


@pytest.mark.parametrize("terrain", [hills(70), tangle(4000)])
def test_spheres_and_capsules_against_trimesh(terrain: HeightField | MeshTerrain) -> None:
    """A sphere by its middle; a capsule by points along its axis."""
    rng = np.random.default_rng(5)
    mesh = terrain.mesh if isinstance(terrain, HeightField) else terrain
    judge = trimesh.Trimesh(mesh.vertices, mesh.triangles, process=False)
    balls = [Placed(Sphere(rng.uniform(0.01, 0.5)), p) for p in places(rng, 50)]
    away = trimesh.proximity.closest_point(judge, np.array([b.position for b in balls]))[1]
    radii = np.array([b.shape.radius for b in balls])  # type: ignore[attr-defined]
    found = [distance_to_terrain(b, terrain) for b in balls]
    assert_allclose(found, np.maximum(away - radii, 0.0), rtol=1e-12, atol=1e-9)
    assert 5 < np.count_nonzero(found) < 50
    for _ in range(4):
        capsule = Placed(Capsule(0.02, 1.5), rng.uniform(-2, 2, 3) + UP, rng.normal(size=4))
        axis = capsule.to_world(np.linspace(-0.73, 0.73, 293)[:, None] * UP)
        expected = max(trimesh.proximity.closest_point(judge, axis)[1].min() - 0.02, 0.0)
        # between the points it may be nearer by no more than half their spacing
        assert expected - 0.0025 < distance_to_terrain(capsule, terrain) <= expected + 1e-9


@pytest.mark.parametrize("kind", ["box", "star"])
def test_flat_faces_against_surfaces(kind: str) -> None:
    rng = np.random.default_rng(6)
    apart = 0
    terrain = tangle(40)
    for _ in range(25):
        placed = Placed(random_shape(kind, rng, 0.1, 0.6), rng.uniform(-4, 4, 3), rng.normal(size=4))
        found = distance_to_terrain(placed, terrain)
        if found > 0.0:
            apart += 1
            vertices, triangles = placed.mesh()
            expected = surface_distance(vertices[triangles], corners_of(terrain))
            assert_allclose(found, expected, rtol=0, atol=1e-9)
    assert apart > 10


def test_a_ball_under_a_bridge() -> None:
    """Ground over ground: the nearest is what counts, from either side."""
    deck = np.array([[-2.0, 2.0, -2.0], [2.0, 2.0, -2.0], [2.0, 2.0, 2.0], [-2.0, 2.0, 2.0]])
    corners = np.concatenate([deck, deck - 2.0 * UP])
    terrain = MeshTerrain(corners, np.array([[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]]))
    for height, expected in ((3.0, 0.5), (1.4, 0.1), (0.7, 0.2), (-1.0, 0.5), (2.3, 0.0)):
        assert_allclose(distance_to_terrain(Placed(Sphere(0.5), height * UP), terrain), expected, atol=1e-12)


def test_the_walk_looks_at_few_triangles() -> None:
    """A hundred times the triangles, and less than twenty times the work; also for what is long and thin."""
    from footfall.world.shapes.ground_kernel import nearest_triangle

    rng = np.random.default_rng(7)
    shapes = [Sphere(0.1), Box(np.array([0.5, 0.5, 0.5])), Capsule(0.05, 1.8)]
    work = {}
    for cells in (40, 400):
        tree = hills(cells).mesh.tree
        counts, total = np.empty(2, dtype=np.int64), 0
        for i in range(60):
            placed = Placed(shapes[i % 3], rng.uniform(-2.5, 2.5, 3) + 2 * UP, rng.normal(size=4))
            arrays = (*tree.arrays, *placed.body.arrays)
            nearest_triangle(*arrays, 0.0, np.inf, counts)
            total += int(counts.sum())
        work[cells] = total / 60
    assert work[400] < 20 * work[40]
    assert work[400] < 1000  # of 320,000 triangles


def test_rigid_motion_of_shape_and_ground() -> None:
    rng = np.random.default_rng(8)
    terrain = tangle(100)
    for kind in KINDS:
        placed = Placed(random_shape(kind, rng, 0.1, 0.5), rng.uniform(-3, 3, 3), rng.normal(size=4))
        turned, shift = quat.normalize(rng.normal(size=4)), 100.0 * rng.normal(size=3)
        moved = MeshTerrain(shift + quat.rotate(turned, terrain.vertices), terrain.triangles)
        there = Placed(
            placed.shape,
            shift + quat.rotate(turned, placed.position),
            quat.multiply(turned, placed.orientation),
        )
        expected = distance_to_terrain(placed, terrain)
        assert_allclose(
            distance_to_terrain(there, moved), expected, rtol=0, atol=1e-7 if kind == "cylinder" else 1e-9
        )


def test_ground_without_a_surface_is_refused() -> None:
    with pytest.raises(RequestError, match="planes, meshes and height fields, not to a StraightStairs"):
        distance_to_terrain(Placed(Sphere(1.0), np.zeros(3)), StraightStairs(0.1, 0.3))  # type: ignore[arg-type]
    with pytest.raises(RequestError, match="margin"):
        overlaps_terrain(Placed(Sphere(1.0), np.zeros(3)), FlatTerrain(), np.nan)
