"""The ground of a plan map: each place has the colour of what is there."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.picture.plan_frame import PlanFrame
from footfall.picture.plan_ground import BLOCKED, HANGING, OBSTACLE, draw_ground
from footfall.picture.stage import TILES
from footfall.planning.walk_map import WalkMap
from footfall.world.plane import FlatTerrain
from footfall.world.shapes.box import Box
from footfall.world.shapes.cylinder import Cylinder
from footfall.world.shapes.placed import Placed
from tests.planning.worlds import blocks_terrain, house

SCALE = 60.0  # pixels a metre
NOWHERE = np.zeros((0, 3))
HERE = np.zeros((1, 3))
BOX = Placed.upright(Box(np.array([1.0, 2.0, 0.5])), np.array([1.0, 1.0, 0.5]), 0.4)


def frame(heading: float = 0.3, half: float = 2.5) -> PlanFrame:
    return PlanFrame(heading, np.array([-half, -half]), np.array([half, half]))


def seen(image: np.ndarray, shown: PlanFrame, x: float, z: float) -> np.ndarray:
    right, up = shown.picture(np.array([x, 0.0, z]))
    return image[int(SCALE * (shown.high[1] - up)), int(SCALE * (right - shown.low[0]))]


@pytest.mark.parametrize("heading", [0.0, 0.3, -2.0, 3.0])
def test_obstacles_are_dark_to_the_pixel(heading: float) -> None:
    """Judged by the shape's own distance, away from the rim by a pixel."""
    shown = frame(heading)
    round_ = Placed(Cylinder(0.4, 1.0), np.array([-1.0, 0.5, -1.0]))
    image = draw_ground(shown, SCALE, walked=HERE, placed=[BOX, round_])
    camera = shown.camera(SCALE)
    places = camera.places(np.zeros(image.shape[:2]))
    places[..., 1] = 0.5
    away = np.minimum(BOX.distance_to(places), round_.distance_to(places))
    assert_allclose(
        image[away < -1.0 / SCALE], np.broadcast_to(OBSTACLE, (int((away < -1.0 / SCALE).sum()), 3))
    )
    free = image[away > 1.0 / SCALE]
    nearest = np.minimum(*(np.abs(free - tile).max(axis=-1) for tile in TILES))
    assert np.mean(nearest < 1e-5) > 0.9  # all but the rims of tiles
    assert free.min() > 0.8


def test_what_hangs_over_the_head_is_faint() -> None:
    shown = frame()
    beam = Placed(Box(np.array([0.4, 0.2, 3.0])), np.array([0.1, 2.2, 0.1]))
    bare, under = (draw_ground(shown, SCALE, walked=HERE, placed=things) for things in ((), (beam,)))
    for z in (-1.1, 0.1, 1.1):
        assert_allclose(
            seen(under, shown, 0.1, z),
            (1 - HANGING) * seen(bare, shown, 0.1, z) + HANGING * OBSTACLE,
            rtol=1e-5,
        )
    low = Placed(beam.shape, np.array([0.1, 1.0, 0.1]))
    assert_allclose(seen(draw_ground(shown, SCALE, walked=HERE, placed=[low]), shown, 0.1, 0.1), OBSTACLE)


class TestWalkMap:
    def test_light_grows_with_clearance(self) -> None:
        walls = [Placed(Box(np.array([0.2, 2.0, 6.0])), np.array([x, 1.0, 0.0])) for x in (-1.5, 1.5)]
        walk_map = WalkMap.of(FlatTerrain(), walls, area=((-4, -4), (4, 4)))
        shown = frame(0.0)
        image = draw_ground(shown, SCALE, walked=HERE, walk_map=walk_map, placed=walls)
        plain = draw_ground(shown, SCALE, walked=HERE, placed=walls)
        light = [
            float((seen(image, shown, x, 0.2) / seen(plain, shown, x, 0.2)).mean())
            for x in (1.3, 1.2, 1.0, 0.3)
        ]
        assert light == sorted(light)
        assert light[0] < 0.88
        assert light[-1] == pytest.approx(1.0, abs=1e-5)

    def test_what_cannot_be_walked_is_grey(self) -> None:
        """A floor with a hole of 1 x 1 m, and nothing beyond its edges."""
        floor = blocks_terrain(
            [
                ((4.0, 0.2, 1.5), (0.0, -0.1, 1.25)),
                ((4.0, 0.2, 1.5), (0.0, -0.1, -1.25)),
                ((1.5, 0.2, 1.0), (1.25, -0.1, 0.0)),
                ((1.5, 0.2, 1.0), (-1.25, -0.1, 0.0)),
            ]
        )
        walk_map = WalkMap.of(floor)
        shown = frame()
        for image in (
            draw_ground(shown, SCALE, walked=HERE, walk_map=walk_map, terrain=floor),
            draw_ground(shown, SCALE, walked=HERE, walk_map=walk_map),
            draw_ground(shown, SCALE, walked=HERE, terrain=floor),
        ):
            for place in ((0.0, 0.0), (0.3, -0.3), (2.3, 0.0), (0.0, -2.3)):
                assert_allclose(seen(image, shown, *place), BLOCKED)
            for place in ((1.2, 0.1), (0.1, 1.2), (-1.4, -1.4)):
                assert seen(image, shown, *place).mean() > BLOCKED.mean() + 0.05

    def test_higher_surfaces_are_lighter(self) -> None:
        steps = [((2.0, 0.2 * (k + 1), 1.0), (0.0, 0.1 * (k + 1), k - 1.5)) for k in range(4)]
        ground = blocks_terrain(steps)
        shown = frame(0.0)
        walked = np.array([[0.0, 0.2 * (k + 1), k - 1.5] for k in range(4)])
        for options in ({"walk_map": WalkMap.of(ground)}, {"terrain": ground}):
            image = draw_ground(shown, SCALE, walked=walked, **options)
            # of one colour of the chequer
            levels = [float(seen(image, shown, 0.25, z).mean()) for z in (-1.75, -0.75, 0.25, 1.25)]
            assert levels == sorted(levels)
            assert levels[-1] > levels[0] + 0.03

    def test_walls_that_are_part_of_the_ground(self) -> None:
        ground, shown = house(), frame(0.0, 3.5)
        walk_map = WalkMap.of(ground)
        image = draw_ground(shown, SCALE, walked=HERE, walk_map=walk_map, terrain=ground)
        assert_allclose(seen(image, shown, 0.33, -1.0), OBSTACLE)
        assert_allclose(seen(image, shown, -2.0, 3.0), OBSTACLE)
        bare = draw_ground(shown, SCALE, walked=HERE, walk_map=walk_map)
        assert_allclose(seen(bare, shown, 0.33, -1.0), BLOCKED)
        for each in (image, bare):
            assert seen(each, shown, 0.33, 1.5).mean() > 0.64  # the door


def test_steps_have_lines() -> None:
    """Over an edge of 0.2 m, not over one of 1 cm, nor anywhere on the level."""
    shown = frame(0.0)
    found = []
    for rise in (0.01, 0.2):
        ground = blocks_terrain(
            [((4.0, 1.0, 2.0), (0.0, -0.5, -1.0)), ((4.0, 1.0 + rise, 2.0), (0.0, 0.5 * rise - 0.5, 1.0))]
        )
        image = draw_ground(shown, SCALE, walked=HERE, terrain=ground)
        across = np.array([seen(image, shown, 0.1, z).mean() for z in np.arange(-0.4, 0.4, 0.005)])
        found.append(across.min() / np.median(across))
    assert found[0] > 0.9
    assert found[1] < 0.85


def test_the_same_every_time() -> None:
    first, second = (draw_ground(frame(), SCALE, walked=NOWHERE, placed=[BOX]) for _ in range(2))
    np.testing.assert_array_equal(first, second)
