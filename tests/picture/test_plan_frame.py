"""What a plan map shows: all of a way, the right way round, and turned as walls are."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.geometry.ground import UP, direction_of, turn
from footfall.geometry.quaternion import rotate
from footfall.picture.camera import Camera
from footfall.picture.plan_frame import AROUND, BEYOND, FARTHEST, PlanFrame

NOTHING = np.zeros((0, 3))
ROOM = np.array([[x, y, z] for x in (-2.0, 2.0) for y in (0.0, 2.6) for z in (-1.0, 5.0)])
WAY = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.5, 0.0, 4.0]])
AREA = np.array([[x, 0.0, z] for x in (0.0, 3.0) for z in (0.0, 2.0)])


@pytest.mark.parametrize("heading", np.linspace(-3.0, 3.0, 7))
class TestHandedness:
    def test_as_in_the_map_of_a_strip(self, heading: float) -> None:
        """The very axes of the other camera, but for the degree by which it leans."""
        frame = PlanFrame(heading, np.zeros(2), np.ones(2))
        other = Camera.looking("map", heading)
        assert_allclose(frame.axes[0], other.right, atol=1e-12)
        assert frame.axes[1] @ other.up > np.cos(np.radians(1.001))

    def test_left_is_a_quarter_turn_to_the_left(self, heading: float) -> None:
        frame = PlanFrame(heading, np.zeros(2), np.ones(2))
        ahead, left = frame.picture(direction_of(np.array([0.7, 0.7 + 0.5 * np.pi])))
        assert_allclose(left, [-ahead[1], ahead[0]], atol=1e-12)

    def test_there_and_back(self, heading: float) -> None:
        frame = PlanFrame(heading, np.zeros(2), np.ones(2))
        places = np.random.default_rng(0).normal(size=(20, 2))
        assert_allclose(frame.picture(frame.world(places)), places, atol=1e-12)

    def test_pixels_are_where_the_picture_says(self, heading: float) -> None:
        frame = PlanFrame(heading, np.array([-1.0, 2.0]), np.array([2.5, 3.3]))
        camera = frame.camera(40.0)
        assert camera.size == (140, 52)
        inside = np.random.default_rng(1).uniform(frame.low, frame.high, (30, 2))
        pixels = camera.project(frame.world(inside) + np.random.default_rng(2).normal(size=(30, 1)) * UP)
        assert_allclose(pixels[:, 0], 40.0 * (inside[:, 0] - frame.low[0]), atol=1e-9)
        assert_allclose(pixels[:, 1], 40.0 * (frame.high[1] - inside[:, 1]), atol=1e-9)


class TestExtent:
    @pytest.mark.parametrize("turned", np.linspace(-3.1, 3.1, 9))
    def test_a_room_is_shown_straight_however_it_is_turned(self, turned: float) -> None:
        room, way = (rotate(turn(turned), points) for points in (ROOM, WAY))
        frame = PlanFrame.of(way, [room], NOTHING)
        assert_allclose(frame.size, [6.0 + 2 * BEYOND, 4.0 + 2 * BEYOND], rtol=0.012)
        start, end = frame.picture(way[[0, -1]])
        assert end[0] > start[0]

    @pytest.mark.parametrize("seed", range(8))
    def test_the_way_is_inside_with_room_round_it(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        way = np.cumsum(rng.normal(size=(12, 3)) * [1.0, 0.1, 1.0], axis=0)
        things = [rng.uniform(-6, 6, 3) + rng.uniform(-0.5, 0.5, (8, 3)) for _ in range(5)]
        frame = PlanFrame.of(way, things, NOTHING)
        places = frame.picture(way)
        assert (places >= frame.low + AROUND - 1e-9).all()
        assert (places <= frame.high - AROUND + 1e-9).all()
        assert frame.size[0] >= frame.size[1] or len(things)

    def test_what_is_far_away_is_left_out(self) -> None:
        far = ROOM + np.array([40.0, 0.0, 0.0])
        alone, with_far = PlanFrame.of(WAY, [], NOTHING), PlanFrame.of(WAY, [far], NOTHING)
        assert_allclose(with_far.low, alone.low)
        assert_allclose(with_far.high, alone.high)

    def test_of_what_is_long_the_near_part_is_shown(self) -> None:
        long = np.array([[x, 0.0, z] for x in (-50.0, 50.0) for z in (-0.1, 0.1)])
        frame = PlanFrame.of(WAY, [long], NOTHING)
        assert frame.size.max() <= 4.0 + 2 * (FARTHEST + BEYOND) + 1e-9

    def test_a_straight_way_alone_is_no_thin_line(self) -> None:
        frame = PlanFrame.of(np.array([[0.0, 0.0, 0.0], [-20.0, 0.0, -20.0]]), [], NOTHING)
        assert frame.size[1] == pytest.approx(0.2 * frame.size[0])
        assert frame.heading == pytest.approx(-0.75 * np.pi)

    def test_without_a_way(self) -> None:
        assert_allclose(PlanFrame.of(NOTHING, [ROOM], AREA).size, [6.0 + 2 * BEYOND, 4.0 + 2 * BEYOND])
        assert_allclose(PlanFrame.of(NOTHING, [], AREA).size, [3.0 + 2 * BEYOND, 2.0 + 2 * BEYOND])

    def test_one_place(self) -> None:
        frame = PlanFrame.of(np.array([[3.0, 1.0, 2.0]]), [], NOTHING)
        assert_allclose(frame.size, 2 * AROUND)
        assert_allclose(0.5 * (frame.low + frame.high), frame.picture(np.array([3.0, 1.0, 2.0])))
