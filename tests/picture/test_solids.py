"""Obstacles as bodies: tall ones cut off along the ground that is walked, seen through where figures are."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.geometry.ground import UP
from footfall.picture.camera import Camera
from footfall.picture.marks import Mark
from footfall.picture.solids import CUT, LID, NEARBY, SIDE, TALL, Solids
from footfall.picture.stage import GLASS, LIGHT, SHADOW, Stage
from footfall.world.shapes.box import Box
from footfall.world.shapes.capsule import Capsule
from footfall.world.shapes.placed import Placed
from footfall.world.shapes.sphere import Sphere

WALKED = np.stack([np.zeros(9), np.zeros(9), np.linspace(-2.0, 2.0, 9)], axis=1)
WALL = Placed(Box(np.array([0.2, 2.6, 4.0])), np.array([0.8, 1.3, 0.0]))
RED = (0.9, 0.1, 0.1)


def heights(solids: Solids) -> tuple[float, float]:
    levels = solids.corners[..., 1]
    return float(levels.min()), float(levels.max())


class TestCut:
    @pytest.mark.parametrize("level", [0.0, -2.5, 7.0])
    def test_a_wall_is_cut_off_low_wherever_the_ground_is(self, level: float) -> None:
        wall = Placed(WALL.shape, WALL.position + level * UP)
        solids = Solids.of([wall], WALKED + level * UP)
        assert_allclose(heights(solids), (level, level + CUT), atol=1e-9)
        lids = (solids.colours == LID).all(axis=1)
        assert_allclose(solids.normals[lids], np.broadcast_to(UP, (lids.sum(), 3)), atol=1e-9)
        a, b, c = np.moveaxis(solids.corners[lids], 1, 0)
        assert np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2 == pytest.approx(0.2 * 4.0)

    @pytest.mark.parametrize(
        ("thing", "why"),
        [
            (Placed(Box(np.array([1.0, TALL, 1.0])), np.array([1.0, 0.5 * TALL, 0.0])), "a counter"),
            (Placed(Box(np.array([3.0, 0.2, 0.2])), np.array([0.0, 2.0, 0.0])), "a beam overhead"),
            (Placed(Sphere(0.1), np.array([0.5, 1.5, 0.0])), "a ball on a shelf"),
        ],
    )
    def test_what_stays_whole(self, thing: Placed, why: str) -> None:
        solids = Solids.of([thing], WALKED)
        vertices, _ = thing.mesh(48)
        assert_allclose(heights(solids), (vertices[:, 1].min(), vertices[:, 1].max()), atol=1e-12)
        assert (solids.colours == SIDE).all(), why

    def test_beside_stairs_the_cut_climbs_with_them(self) -> None:
        """Walked places on an even slope: the lid is as high over it everywhere."""
        slope = WALKED + 0.4 * WALKED[:, 2:] * UP
        long = Placed(Box(np.array([0.2, 8.0, 4.0])), np.array([0.8, 0.0, 0.0]))
        solids = Solids.of([long], slope)
        lids = solids.corners[(solids.colours == LID).all(axis=1)].reshape(-1, 3)
        over = lids[:, 1] - 0.4 * lids[:, 2]
        assert np.ptp(lids[:, 1]) > 1.4
        assert over.min() > 0.8 * CUT
        assert over.max() < 1.6 * CUT

    @pytest.mark.parametrize("seed", range(5))
    def test_the_cut_is_nowhere_under_the_ground_that_is_walked_nearby(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        walked = rng.uniform([-0.9, -0.3, -2.0], [0.5, 0.3, 2.0], (20, 3))
        solids = Solids.of([Placed(Box(np.array([0.2, 8.0, 4.0])), np.array([0.8, 0.0, 0.0]))], walked)
        lids = solids.corners[(solids.colours == LID).all(axis=1)].reshape(-1, 3)
        normal = np.cross(lids[1] - lids[0], lids[2] - lids[0])
        near = walked[walked[:, 0] > 0.7 - NEARBY]
        level = lids[0, 1] - ((near - lids[0])[:, [0, 2]] @ normal[[0, 2]]) / normal[1]
        assert (level - near[:, 1]).min() == pytest.approx(CUT, abs=1e-6)

    def test_normals_look_outwards(self) -> None:
        shapes = [WALL, Placed(Capsule(0.3, 2.2), np.array([-1.0, 1.1, 0.5])), Placed(Sphere(0.4), UP)]
        for one in shapes:
            solids = Solids.of([one], WALKED)
            middles = solids.corners.mean(axis=1)
            side = (solids.colours == SIDE).all(axis=1)
            inside = one.distance_to(middles - 0.02 * solids.normals)
            outside = one.distance_to(middles + 0.02 * solids.normals)
            assert (outside > inside)[side].all()

    def test_nothing(self) -> None:
        solids = Solids.of([], WALKED)
        assert len(solids) == 0
        assert solids.near(-np.ones(3), np.ones(3)).shape == (0, 3)

    def test_near_points_are_of_what_is_near_and_no_farther(self) -> None:
        far = Placed(WALL.shape, np.array([30.0, 1.3, 0.0]))
        low, high = np.array([-1.0, 0.0, -1.0]), np.array([1.0, 2.0, 1.0])
        points = Solids.of([WALL, far], WALKED).near(low, high)
        assert len(points)
        assert_array_equal(points, Solids.of([WALL], WALKED).near(low, high))
        assert (points >= low).all()
        assert points[:, [0, 2]].max() <= 1.0


def stage(view: str) -> Stage:
    extent = np.array([[x, y, z] for x in (-1.5, 1.5) for y in (0.0, 1.0) for z in (-1.5, 1.5)])
    return Stage(Camera.looking(view, 0.0).framing(extent, width=300), 0.0)


class TestSeenThrough:
    @pytest.mark.parametrize("view", ["three-quarter", "side", "front", "top", "map"])
    def test_marks_shine_through_and_the_ground_does_not(self, view: str) -> None:
        solids = Solids.of([Placed(Box(np.array([1.0, 0.8, 1.0])), 0.4 * UP)], WALKED)
        line = np.array([[0.0, 0.0, -1.4], [0.0, 0.0, 1.4]])
        bare, marked, solid, both = (stage(view) for _ in range(4))
        marked.marks([Mark(line, RED, 5.0)])
        with solid.behind(solids):
            pass
        with both.behind(solids):
            both.marks([Mark(line, RED, 5.0)])
        mark = (marked.image != bare.image).any(axis=-1)
        cover = solid.depth < bare.depth
        assert (mark & cover).any()
        assert (mark & ~cover).any()
        assert_array_equal(both.image[~cover], marked.image[~cover])
        assert_array_equal(both.image[cover & ~mark], solid.image[cover & ~mark])
        glass = marked.image + np.float32(GLASS) * (solid.image - marked.image)
        assert_allclose(both.image[cover & mark], glass[cover & mark], rtol=1e-5)

    def test_what_stands_in_front_is_not_touched(self) -> None:
        """A plate nearer to the camera than the wall."""
        wall = Solids.of([Placed(Box(np.array([0.1, 0.8, 2.0])), np.array([0.6, 0.4, 0.0]))], WALKED)
        plate = np.array([[-0.6, 0.1, -0.5], [-0.6, 0.1, 0.5], [-0.6, 0.7, 0.5], [-0.6, 0.7, -0.5]])
        triangles, colours = np.array([[0, 1, 2], [0, 2, 3]]), np.tile(RED, (4, 1))
        normals = np.tile([-1.0, 0.0, 0.0], (4, 1))
        alone, both = stage("side"), stage("side")
        alone.body(plate, normals, colours, triangles)
        with both.behind(wall):
            both.body(plate, normals, colours, triangles)
        drawn = (alone.image != stage("side").image).any(axis=-1)
        assert drawn.sum() > 500
        assert_array_equal(both.image[drawn], alone.image[drawn])

    def test_shadows_fall_away_from_the_lamp(self) -> None:
        slab = Placed(Box(np.array([1.0, 0.02, 1.0])), 0.5 * UP)
        bare, shaded = stage("map"), stage("map")
        shaded.solid_shadows(Solids.of([slab], WALKED))
        dark = shaded.image[..., 0] < 0.99 * bare.image[..., 0]
        lamp = bare.camera.places(bare.depth) + 0.5 * LIGHT
        under = (np.abs(lamp[..., [0, 2]]) < 0.5).all(axis=-1)
        assert (dark == under).mean() > 0.985
        assert_allclose(shaded.image[dark], SHADOW * bare.image[dark], rtol=1e-5)


def test_a_cover_paints_what_lies_under_it() -> None:
    on, bare = stage("top"), stage("top").image
    corners = np.array([[[-0.5, 3.0, -0.5], [-0.5, -3.0, 0.5], [0.5, 0.0, 0.5]]])
    on.cover(corners, np.array(RED), 0.25)
    changed = (on.image != bare).any(axis=-1)
    x, y = on.camera.project(corners[0])[:, :2].T
    assert changed.sum() == pytest.approx(0.5 * abs(x @ (np.roll(y, -1) - np.roll(y, 1))), rel=0.02)
    assert_allclose(on.image[changed], 0.75 * bare[changed] + 0.25 * np.array(RED), rtol=1e-5)
