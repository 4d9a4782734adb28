"""The box tree against trimesh: rays, spheres and nearest points on five meshes, thousands of each."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from numpy.testing import assert_allclose, assert_array_equal

from footfall.errors import RequestError
from footfall.geometry.ground import UP
from footfall.world.box_tree import LEAF, BoxTree
from footfall.world.generators.generate import generate
from footfall.world.mesh import MeshTerrain
from tests.world.meshes import MESHES, hills, soup, terrain_of

COUNT = 4_000


@pytest.fixture(scope="module", params=MESHES)
def mesh(request: pytest.FixtureRequest) -> trimesh.Trimesh:
    return MESHES[request.param]()


def places_round(mesh: trimesh.Trimesh, count: int, seed: int, *, grow: float = 1.3) -> np.ndarray:
    low, high = mesh.bounds
    middle, half = 0.5 * (low + high), 0.5 * grow * (high - low) + 0.2
    return np.random.default_rng(seed).uniform(middle - half, middle + half, (count, 3))


def edge_distance(mesh: trimesh.Trimesh, points: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """How far points of faces are from the faces' edges."""
    corners = mesh.triangles[faces]
    away = np.full(len(points), np.inf)
    for k in range(3):
        a, b = corners[:, k], corners[:, (k + 1) % 3]
        along = np.clip(np.sum((points - a) * (b - a), -1) / np.sum((b - a) ** 2, -1), 0.0, 1.0)
        away = np.minimum(away, np.linalg.norm(points - a - along[:, None] * (b - a), axis=-1))
    return away


class TestRays:
    def test_agree_with_trimesh(self, mesh: trimesh.Trimesh) -> None:
        origins = places_round(mesh, COUNT, 1)
        # half of them aimed at the surface, so that not all pass by a thin one
        aims = np.concatenate(
            [mesh.triangles_center[np.arange(COUNT // 2) % len(mesh.faces)], origins[COUNT // 2 :]]
        )
        rng = np.random.default_rng(2)
        directions = np.where(
            np.arange(COUNT)[:, None] < COUNT // 2, aims - origins, rng.normal(size=(COUNT, 3))
        )
        directions += 1e-3 * rng.normal(size=directions.shape)
        found = terrain_of(mesh).project(origins, directions)
        judge = trimesh.ray.ray_triangle.RayMeshIntersector(mesh)
        places, rays, _ = judge.intersects_location(origins, directions, multiple_hits=True)
        unit = directions / np.linalg.norm(directions, axis=-1, keepdims=True)
        away = np.sum((places - origins[rays]) * unit[rays], axis=-1)
        wanted = np.full(COUNT, np.inf)
        np.minimum.at(wanted, rays, np.where(away >= 0.0, away, np.inf))
        # the judge says nothing certain about rays within its tolerance of an edge
        doubtful = np.zeros(COUNT, dtype=bool)
        hit = found.hit
        doubtful[hit] = edge_distance(mesh, found.point[hit], found.face[hit]) < 1e-6
        clear = ~doubtful
        assert clear.mean() > 0.99
        assert hit.mean() > 0.25
        assert_array_equal(hit[clear], np.isfinite(wanted)[clear])
        both = clear & hit
        assert_allclose(found.distance[both], wanted[both], rtol=0, atol=1e-6)
        assert_allclose(
            found.point[both], (origins + found.distance[:, None] * unit)[both], rtol=0, atol=1e-6
        )

    def test_normals_look_at_the_ray_and_points_lie_on_their_faces(self, mesh: trimesh.Trimesh) -> None:
        origins = places_round(mesh, 2000, 3)
        found = terrain_of(mesh).project(origins, mesh.centroid - origins)
        hit = found.hit
        own = mesh.triangles[found.face[hit]]
        normal = np.cross(own[:, 1] - own[:, 0], own[:, 2] - own[:, 0])
        normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
        assert_allclose(np.abs(np.sum(normal * found.normal[hit], -1)), 1.0, rtol=0, atol=1e-9)
        assert (np.sum(found.normal[hit] * (mesh.centroid - origins)[hit], -1) <= 0.0).all()
        scale = np.abs(mesh.bounds).max()
        off = np.sum((found.point[hit] - own[:, 0]) * normal, axis=-1)
        assert_allclose(off, 0.0, rtol=0, atol=1e-13 * scale + 1e-12)

    def test_a_longer_direction_is_the_same_ray(self) -> None:
        terrain, origins = terrain_of(hills()), places_round(hills(), 500, 4)
        one, other = (
            terrain.project(origins, [0.3, -1.0, 0.2]),
            terrain.project(origins, [30.0, -100.0, 20.0]),
        )
        assert_allclose(one.distance, other.distance, rtol=1e-12)

    def test_one_direction_for_all_is_the_same_as_one_for_each(self, mesh: trimesh.Trimesh) -> None:
        terrain, low = terrain_of(mesh), mesh.bounds[0]
        rng = np.random.default_rng(5)
        for direction in ([0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.3, -0.8, 0.4], [0.0, 0.0, -1.0]):
            for spread in (0.05, 0.5, 50.0):
                middle = rng.uniform(low, mesh.bounds[1])
                origins = middle - 0.7 * np.array(direction) + spread * rng.uniform(-1, 1, (125, 3))
                together = terrain.project(origins, direction)
                apart = terrain.project(origins, np.tile(direction, (125, 1)))
                assert_array_equal(together.distance, apart.distance)
                assert_array_equal(together.face, apart.face)

    @pytest.mark.parametrize("seed", range(3))
    def test_none_slips_through_an_edge_or_a_corner(self, seed: int) -> None:
        """Rays aimed exactly at corners and at points of edges of a closed surface from inside."""
        ball = trimesh.creation.icosphere(subdivisions=3)
        terrain = terrain_of(ball)
        rng = np.random.default_rng(seed)
        ends = ball.vertices[ball.edges_unique]
        share = rng.uniform(size=(len(ends), 1))
        aims = np.concatenate(
            [ball.vertices, share * ends[:, 0] + (1 - share) * ends[:, 1], ends.mean(axis=1)]
        )
        origins = np.broadcast_to(rng.uniform(-0.3, 0.3, 3), aims.shape)
        found = terrain.project(origins, aims - origins)
        assert found.hit.all()
        assert_allclose(found.point, aims, rtol=0, atol=1e-9)

    def test_straight_down_onto_the_corners_of_a_grid(self) -> None:
        mesh = hills(30, 30, 0.1)
        found = terrain_of(mesh).project(mesh.vertices + 3.0 * UP)
        assert found.hit.all()
        assert_allclose(found.point, mesh.vertices, rtol=0, atol=1e-12)

    def test_from_a_million_metres_away(self) -> None:
        mesh = hills()
        origins = mesh.triangles_center[:500] + 1e6 * np.array([0.1, 1.0, -0.2])
        found = terrain_of(mesh).project(origins, [-0.1, -1.0, 0.2])
        assert found.hit.all()
        assert_allclose(found.point, mesh.triangles_center[:500], rtol=0, atol=1e-6)

    def test_what_is_no_ray_meets_nothing(self) -> None:
        terrain = terrain_of(hills())
        for origin, direction in [
            ([np.nan, 1.0, 1.0], [0.0, -1.0, 0.0]),
            ([1.0, 1.0, 1.0], [0.0, 0.0, 0.0]),
            ([1.0, 1.0, 1.0], [np.nan, -1.0, 0.0]),
            ([np.inf, 1.0, 1.0], [0.0, -1.0, 0.0]),
            ([1.0, 1.0, 1.0], [0.0, 1.0, 0.0]),
        ]:
            found = terrain.project(np.array([origin]), np.array([direction]))
            assert not found.hit[0]
            assert np.isposinf(found.distance[0])
            assert np.isnan(found.point).all()
            assert np.isnan(found.normal).all()
            together = terrain.project(np.array([origin] * 5), np.array(direction))
            assert not together.hit.any()

    def test_a_ray_in_the_plane_of_a_triangle_does_not_meet_it_from_beside(self) -> None:
        """Seen edge on, the products that decide are noise: whatever their signs say, nothing is there."""
        rng = np.random.default_rng(6)
        far = np.array([[-9.0, -9, -9], [9, -9, -9], [0, -9, 9]])  # widens the leaf's box
        wrong = 0
        for _ in range(300):
            corners = rng.normal(size=(3, 3)).round(1)
            if np.linalg.norm(np.cross(corners[1] - corners[0], corners[2] - corners[0])) < 0.1:
                continue
            terrain = MeshTerrain(np.concatenate([corners, far]), [[0, 1, 2], [3, 4, 5]])
            u, v = rng.uniform(1.5, 4.0, (2, 100, 1)) * rng.choice([-1, 1], (2, 100, 1))
            origins = corners[0] + u * (corners[1] - corners[0]) + v * (corners[2] - corners[0])
            along = rng.normal(size=(100, 1)) * (corners[1] - corners[0])
            along = along + rng.normal(size=(100, 1)) * (corners[2] - corners[0])
            found = terrain.project(origins, along)
            near = trimesh.triangles.closest_point(
                np.broadcast_to(corners, (100, 3, 3)), np.nan_to_num(found.point)
            )
            off = np.linalg.norm(near - found.point, axis=-1)
            wrong += int(((found.face == 0) & (off > 1e-6)).sum())
        assert wrong == 0

    def test_rays_that_lean_by_a_rounding_meet_no_walls_from_beside(self) -> None:
        terrain = generate("rubble", 7).terrain
        rng = np.random.default_rng(7)
        aims = terrain.vertices[rng.integers(0, len(terrain.vertices), 20_000)]
        lean = rng.choice([-1, 1], (20_000, 3)) * 10 ** rng.uniform(-17.0, -15.0, (20_000, 3))
        found = terrain.project(aims + 3.0 * UP, -UP + lean)
        on = terrain.closest(found.point[found.hit])
        assert_allclose(on.distance, 0.0, atol=1e-9)

    def test_a_point_on_the_surface_is_on_it_for_who_looks_down(self) -> None:
        terrain = terrain_of(hills())
        x, z = np.random.default_rng(8).uniform([0.1, 0.1], [11.9, 7.9], (20_000, 2)).T
        level = terrain.height(x, z)
        again = terrain.height(x, z, level)
        assert_allclose(again, level, rtol=0, atol=1e-12)
        assert (again <= level).all()
        assert np.isneginf(terrain.height(x, z, level - 1e-6)).all()


class TestSpheresAndNearest:
    def test_nearest_points_agree_with_trimesh(self, mesh: trimesh.Trimesh) -> None:
        points = places_round(mesh, COUNT, 6)
        found = terrain_of(mesh).closest(points)
        places, distance, _ = trimesh.proximity.closest_point(mesh, points)
        scale = np.abs(mesh.bounds).max()
        # the judge takes one of several faces that are within 1e-7 or so of being the nearest
        assert (found.distance <= distance + 1e-9 + 1e-13 * scale).all()
        assert_allclose(found.distance, distance, rtol=0, atol=1e-6)
        corners = mesh.triangles[found.face]
        assert_allclose(
            trimesh.triangles.closest_point(corners, found.point),
            found.point,
            rtol=0,
            atol=1e-10 + 1e-13 * scale,
        )
        # two faces may be equally near: then the points may differ
        same = np.linalg.norm(found.point - places, axis=-1) < 1e-7
        assert same.mean() > 0.99
        assert_allclose(np.linalg.norm(points - found.point, axis=-1), found.distance, rtol=0, atol=1e-12)
        assert (np.sum(found.normal * (points - found.point), -1) >= -1e-12).all()

    def test_spheres_agree_with_trimesh(self, mesh: trimesh.Trimesh) -> None:
        points = places_round(mesh, COUNT, 7)
        radii = np.random.default_rng(8).choice([0.02, 0.2, 1.0], COUNT)
        distance = trimesh.proximity.closest_point(mesh, points)[1]
        found = terrain_of(mesh).touching(points, radii)
        clear = np.abs(distance - radii) > 1e-9
        assert clear.mean() > 0.999
        assert 0.02 < found.mean() < 0.98
        assert_array_equal(found[clear], (distance < radii)[clear])

    def test_any_boundary_sphere_gives_the_same_answers(self, mesh: trimesh.Trimesh) -> None:
        """The first step is a matter of speed alone."""
        terrain, rng = terrain_of(mesh), np.random.default_rng(9)
        for spread in (0.01, 0.3, 2.0):
            middle = mesh.triangles_center[rng.integers(len(mesh.faces))]
            centres = middle + spread * rng.uniform(-1.0, 1.0, (125, 3))
            wanted = [bool(terrain.touching(c, 0.2)) for c in centres]
            assert_array_equal(terrain.touching(centres, 0.2), wanted)
            for spheres in (1, 5, 100_000):
                near = terrain.tree.near(middle, np.sqrt(3.0) * spread + 0.2, spheres=spheres)
                assert_array_equal(near.touching(centres, 0.2), wanted)

    def test_a_sphere_of_no_size_touches_what_it_lies_on(self) -> None:
        terrain, mesh = terrain_of(hills()), hills()
        assert terrain.touching(mesh.vertices, 0.0).all()
        assert not terrain.touching(mesh.vertices + 1e-6 * UP, 0.0)[:40].any()

    @pytest.mark.parametrize("radius", [np.nan, -1.0])
    def test_a_radius_that_is_none_touches_nothing(self, radius: float) -> None:
        assert not terrain_of(hills()).touching(hills().vertices, radius).any()

    def test_from_so_far_away_that_rounding_eats_the_triangle(self) -> None:
        for terrain in (MeshTerrain([[0, 0, 0], [1, 1, 0], [0, 0, 1.0]], [[0, 1, 2]]), terrain_of(hills())):
            far = 1e17 * np.array([[1, -1, 1], [0, 1, 0], [-1, 0, 1.0]])
            found = terrain.closest(far)
            assert (found.face >= 0).all()
            assert_allclose(found.distance, np.linalg.norm(far, axis=-1), rtol=1e-9)
            assert not terrain.touching(far, 1.0).any()

    @pytest.mark.parametrize("shape", [(3, 2), (2,), (), (4, 3, 4)])
    def test_what_has_not_three_coordinates_is_refused(self, shape: tuple[int, ...]) -> None:
        terrain, asked = terrain_of(hills()), np.zeros(shape)
        for ask in (
            lambda: terrain.touching(asked, 0.1),
            lambda: terrain.project(asked),
            lambda: terrain.project(np.zeros((4, 3)), asked),
            lambda: terrain.closest(asked),
            lambda: terrain.near(asked, 1.0),
        ):
            with pytest.raises(RequestError):
                ask()

    def test_a_point_that_is_none_has_nothing_near_it(self) -> None:
        found = terrain_of(hills()).closest(np.array([[np.nan, 0.0, 0.0], [1.0, 1.0, 1.0]]))
        assert found.face[0] == -1
        assert np.isnan(found.point[0]).all()
        assert found.face[1] >= 0


class TestBuilding:
    @pytest.mark.parametrize("count", [1, 2, 7, 8, 9, 63, 64, 65, 511, 513, 700])
    def test_every_triangle_is_in_one_leaf_inside_its_boxes(self, count: int) -> None:
        corners = np.array(soup(count).triangles)
        tree = BoxTree.over(corners)
        faces = tree.blocks[:, 9].reshape(-1)
        own = faces[~np.isnan(faces)].astype(int)
        assert_array_equal(np.sort(own), np.arange(count))
        assert len(tree) == count
        placed = tree.blocks[:, :9].transpose(0, 2, 1).reshape(-1, 3, 3)[~np.isnan(faces)]
        assert_array_equal(placed, corners[own])
        rows = tree.rows.reshape(-1, 2, 3, 8).astype(float)
        inner, leaves = len(rows), 8**tree.depth
        each, rest = divmod(len(tree.blocks), leaves)
        assert rest == 0
        assert 4 * (each - 1) < LEAF
        for leaf in range(leaves):
            inside = tree.blocks[each * leaf : each * (leaf + 1), :9].reshape(-1, 3, 3, 4)
            node = inner + leaf
            while node > 0:
                parent, k = (node - 1) // 8, (node - 1) % 8
                low, high = rows[parent, :, :, k] + tree.frame[:3]
                assert (low <= np.nanmin(inside, axis=(0, 1, 3))).all()
                assert (high >= np.nanmax(inside, axis=(0, 1, 3))).all()
                node = parent

    def test_many_triangles_in_one_place(self) -> None:
        corners = np.tile(np.array([[[0.0, 0, 0], [1, 0, 0], [0, 0, 1]]]), (5000, 1, 1))
        terrain = MeshTerrain(corners.reshape(-1, 3), np.arange(15000).reshape(-1, 3))
        assert terrain.height(0.2, 0.2) == 0.0
        assert terrain.touching([0.2, 0.1, 0.2], 0.11)

    def test_the_same_triangles_give_the_same_tree(self) -> None:
        one, other = (BoxTree.over(np.array(soup().triangles)) for _ in range(2))
        for name in ("rows", "blocks", "frame"):
            assert getattr(one, name).tobytes() == getattr(other, name).tobytes()
