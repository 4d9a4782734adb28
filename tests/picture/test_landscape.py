"""Terrain in pictures: what is shown of it, marks laid on it, and shadows where the lamp cannot see."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.picture.camera import Camera
from footfall.picture.landscape import AROUND, Landscape
from footfall.picture.stage import LIGHT, PAPER, SHADOW, Stage
from footfall.picture.strip import draw_row
from footfall.picture.tracks import Tracks
from footfall.world.generators.generate import generate
from footfall.world.height_field import HeightField
from footfall.world.mesh import MeshTerrain
from footfall.world.plane import FlatTerrain, InclinedTerrain
from footfall.world.stairs import StraightStairs
from tests.gaits import made
from tests.world.meshes import bridge, hills, terrain_of

HERE = np.array([[4.0, 0.0, 3.0], [6.0, 0.0, 5.0]])


def staged(land: Landscape, view: str = "three-quarter", width: int = 300) -> Stage:
    stage = Stage(Camera.looking(view, 0.0).framing(land.extent, width=width), None)
    stage.land(land)
    return stage


class TestWhatIsShown:
    def test_triangles_near_the_places_and_no_others(self) -> None:
        terrain = terrain_of(hills())
        land = Landscape.around(terrain, HERE)
        low, high = HERE.min(axis=0) - AROUND, HERE.max(axis=0) + AROUND
        plan = land.corners[..., [0, 2]]
        assert (plan.max(axis=1) >= low[[0, 2]]).all()
        assert (plan.min(axis=1) <= high[[0, 2]]).all()
        assert 200 < len(land.corners) < len(terrain)

    @pytest.mark.parametrize(
        "ground",
        [
            InclinedTerrain(0.2),
            StraightStairs(0.16, 0.4),
            HeightField(np.random.default_rng(0).normal(0, 0.1, (30, 30)), 0.3),
        ],
        ids=["plane", "stairs by formula", "height field"],
    )
    def test_other_grounds_become_triangles_too(self, ground: HeightField) -> None:
        here = HERE.copy()
        here[:, 1] = ground.height(here[:, 0], here[:, 2])
        land = Landscape.around(ground, here)
        middles = land.corners[np.abs(land.normals[:, 1]) > 0.9].mean(axis=1)
        inside = (np.abs(middles - HERE.mean(axis=0))[:, [0, 2]] < 1.5).all(axis=1)
        middles = middles[inside]
        level = ground.height(middles[:, 0], middles[:, 2])
        assert_allclose(middles[:, 1], level, rtol=0, atol=1e-3)
        assert_allclose(np.linalg.norm(land.normals, axis=-1), 1.0, atol=1e-12)
        assert (land.normals[:, 1] >= 0.0).all()

    def test_labels_have_their_colours(self) -> None:
        made_ = generate("stones", 3)
        land = Landscape.whole(made_.terrain)
        water = land.colours[np.array([made_.terrain.labels[k] == "water" for k in made_.terrain.kinds])]
        assert (water[:, 2] > water[:, 0]).all()

    def test_pixels_show_the_ground_that_lies_there(self) -> None:
        terrain = terrain_of(hills())
        stage = staged(Landscape.around(terrain, HERE), "map")
        seen = np.isfinite(stage.depth)
        places = stage.camera.places(stage.depth)[seen]
        level = terrain.height(places[:, 0], places[:, 2])
        assert seen.mean() > 0.5
        assert_allclose(places[:, 1], level, rtol=0, atol=1e-6)
        assert_allclose(stage.image[~seen], np.broadcast_to(PAPER, (int((~seen).sum()), 3)), atol=1e-6)


class TestMarks:
    def test_lie_on_the_ground_they_are_over(self) -> None:
        land = Landscape.around(terrain_of(hills()), HERE)
        points = np.random.default_rng(1).uniform([4, 0.5, 3], [6, 0.9, 5], (50, 3))
        laid = land.drape(points, over=0.0)
        assert_array_equal(laid[:, [0, 2]], points[:, [0, 2]])
        assert_allclose(laid[:, 1], land.ground.height(points[:, 0], points[:, 2]), atol=1e-12)

    def test_under_a_bridge_they_stay_under_it(self) -> None:
        land = Landscape.around(terrain_of(bridge()), np.zeros((1, 3)))
        assert_allclose(
            land.drape(np.array([[0.0, 0.1, 0.0], [0.0, 3.1, 0.0]]))[:, 1], [0.0, 3.0], atol=1e-12
        )

    def test_beyond_the_edge_they_stay_where_they_are(self) -> None:
        land = Landscape.around(terrain_of(hills()), HERE)
        assert_array_equal(land.drape(np.array([[-9.0, 0.3, 0.0]])), [[-9.0, 0.3, 0.0]])

    def test_paths_beyond_the_edge_run_on_at_the_floor(self) -> None:
        pad = MeshTerrain(
            np.array([[-1.0, 0, -1], [-1, 0, 1], [1, 0, 1], [1, 0, -1.0]]), [[0, 1, 2], [0, 2, 3]]
        )
        tracks = Tracks.of(made("walk", 60.0).motion, terrain=pad)
        for path in tracks.paths():
            assert np.abs(path.points[:, 1]).max() < 0.05


class TestShadows:
    def test_fall_away_from_the_lamp_and_nowhere_else(self) -> None:
        floor = MeshTerrain(
            np.array([[-3.0, 0.0, -3.0], [-3.0, 0.0, 3.0], [3.0, 0.0, 3.0], [3.0, 0.0, -3.0]]),
            [[0, 1, 2], [0, 2, 3]],
        )
        land = Landscape.whole(floor)
        bare, shaded = staged(land, "map"), staged(land, "map")
        half = 0.4
        plate = np.array([[-half, 1.0, -half], [-half, 1.0, half], [half, 1.0, half], [half, 1.0, -half]])
        shaded.shadows(plate[None], np.array([[0, 1, 2], [0, 2, 3]]))
        dark = shaded.image[..., 0] < 0.99 * bare.image[..., 0]
        places = bare.camera.places(bare.depth)
        above = places + LIGHT  # a metre up, towards the lamp
        under = (np.abs(above[..., 0]) < half) & (np.abs(above[..., 2]) < half)
        assert (dark == under).mean() > 0.999
        assert_allclose(shaded.image[dark], SHADOW * bare.image[dark], rtol=1e-5)

    def test_do_not_go_through_the_ground(self) -> None:
        """Under the deck of a bridge nothing is darker for a plate above it."""
        land = Landscape.around(terrain_of(bridge()), np.zeros((1, 3)))
        bare, shaded = staged(land, "side"), staged(land, "side")
        plate = np.array([[-0.5, 4.0, -0.5], [-0.5, 4.0, 0.5], [0.5, 4.0, 0.5], [0.5, 4.0, -0.5]])
        shaded.shadows(plate[None], np.array([[0, 1, 2], [0, 2, 3]]))
        dark = shaded.image[..., 0] < bare.image[..., 0]
        low = bare.camera.places(bare.depth)[..., 1] < 2.9
        assert not (dark & low).any()


class TestTracks:
    def test_prints_follow_a_slope(self) -> None:
        tracks = Tracks.of(made("ramp", 60.0).motion, terrain=InclinedTerrain(0.12))
        for print_ in tracks.prints:
            assert_allclose(print_.outline[:, 1], np.tan(0.12) * print_.outline[:, 2], atol=1e-9)

    def test_a_flat_terrain_is_the_floor(self) -> None:
        tracks = Tracks.of(made("walk", 60.0).motion, terrain=FlatTerrain(-0.05))
        assert tracks.floor == -0.05
        assert tracks.land is None
        assert {p.level for p in tracks.prints} == {-0.05}

    def test_figures_stay_on_their_ground_and_hide_each_other_less(self) -> None:
        motion = made("walk", 60.0).motion
        floor = MeshTerrain(
            np.array([[-9.0, 0.0, -9.0], [-9.0, 0.0, 20.0], [9.0, 0.0, 20.0], [9.0, 0.0, -9.0]]),
            [[0, 1, 2], [0, 2, 3]],
        )
        row = draw_row(motion, "side", figures=40, width=600, tracks=Tracks.of(motion, terrain=floor))
        assert 2 < len(row.places) < 40
        roots = np.array([motion.root[round(t * motion.fps)] for t in row.seconds])
        assert_allclose(
            np.diff(row.places) / np.diff(roots[:, 2]), np.diff(row.places)[0] / np.diff(roots[:, 2])[0]
        )
