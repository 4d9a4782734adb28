"""The camera: which way things go in a picture, and that a picture holds what it should."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.errors import RequestError
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.picture.camera import VIEWS, Camera

HEADINGS = [0.0, 0.4, np.pi / 2, -2.5, np.pi]
FORWARD, LEFT, UP = ground.FORWARD, ground.LEFT, ground.UP


def cloud(seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(50, 3)) * [1.0, 0.5, 2.0] + [3.0, 1.0, -4.0]


def shown(camera: Camera, direction: np.ndarray) -> np.ndarray:
    """A world direction in the picture: right, up, away."""
    start, end = camera.project(np.stack([np.zeros(3), direction]))
    return (end - start) * [1.0, -1.0, 1.0]


class TestDirections:
    def test_walking_forward_goes_to_the_right_in_the_side_view(self) -> None:
        camera = Camera.looking("side", heading=0.0)
        assert_allclose(shown(camera, FORWARD), [1.0, 0.0, 0.0], rtol=0, atol=1e-12)
        assert shown(camera, LEFT)[2] > 0.9  # the camera stands at the right: the left is farther

    def test_the_left_is_on_the_right_of_the_front_view(self) -> None:
        camera = Camera.looking("front", heading=0.0)
        assert_allclose(shown(camera, LEFT), [1.0, 0.0, 0.0], rtol=0, atol=1e-12)
        assert shown(camera, FORWARD)[2] < -0.9  # it comes towards the camera

    def test_the_left_is_on_the_left_from_behind(self) -> None:
        camera = Camera.looking("back", heading=0.0)
        assert_allclose(shown(camera, LEFT), [-1.0, 0.0, 0.0], rtol=0, atol=1e-12)

    def test_from_above(self) -> None:
        """Forward to the right, and so the left upwards."""
        camera = Camera.looking("top", heading=0.0)
        assert_allclose(shown(camera, FORWARD), [1.0, 0.0, 0.0], rtol=0, atol=1e-12)
        assert shown(camera, LEFT)[1] > 0.99
        assert shown(camera, UP)[2] < -0.99

    def test_three_quarter_sees_front_and_right_side(self) -> None:
        camera = Camera.looking("three-quarter", heading=0.0)
        assert shown(camera, FORWARD)[2] < -0.3
        assert shown(camera, -LEFT)[2] < -0.3

    @pytest.mark.parametrize("view", VIEWS)
    @pytest.mark.parametrize("heading", HEADINGS)
    def test_axes_are_a_right_handed_frame(self, view: str, heading: float) -> None:
        camera = Camera.looking(view, heading)
        axes = np.stack([camera.right, camera.up, -camera.forward])
        assert_allclose(axes @ axes.T, np.eye(3), rtol=0, atol=1e-12)
        assert np.linalg.det(axes) == pytest.approx(1.0)
        assert shown(camera, UP)[1] > 0
        assert camera.right[1] == pytest.approx(0.0)

    @pytest.mark.parametrize("view", VIEWS)
    @pytest.mark.parametrize("heading", HEADINGS)
    def test_the_view_turns_with_the_figure(self, view: str, heading: float) -> None:
        turned = quat.rotate(ground.turn(heading), cloud())
        assert_allclose(
            Camera.looking(view, heading).project(turned),
            Camera.looking(view, 0.0).project(cloud()),
            rtol=0,
            atol=1e-12,
        )

    def test_unknown_views_are_refused(self) -> None:
        with pytest.raises(RequestError, match="view 'below' is unknown; use front, side"):
            Camera.looking("below", 0.0)


@pytest.mark.parametrize("view", VIEWS)
class TestFraming:
    def test_everything_is_inside_with_its_margin(self, view: str) -> None:
        camera = Camera.looking(view, 0.3).framing(cloud(), scale=100.0, margin=0.15)
        pixels = camera.project(cloud())[:, :2]
        low, high = pixels.min(axis=0), pixels.max(axis=0)
        assert_allclose(low, 15.0, rtol=0, atol=1.0)
        assert_allclose(np.array(camera.size) - high, 15.0, rtol=0, atol=1.0)

    def test_lengths_across_the_view_keep_the_scale(self, view: str) -> None:
        camera = Camera.looking(view, 0.3).framing(cloud(), scale=80.0)
        assert np.linalg.norm(shown(camera, camera.right)[:2]) == pytest.approx(80.0)
        assert np.linalg.norm(shown(camera, camera.up)[:2]) == pytest.approx(80.0)

    def test_width_is_as_asked(self, view: str) -> None:
        camera = Camera.looking(view, 0.3).framing(cloud(), width=640)
        assert abs(camera.size[0] - 640) <= 1

    def test_enlarging_multiplies_pixels(self, view: str) -> None:
        camera = Camera.looking(view, 0.3).framing(cloud(), scale=50.0)
        larger = camera.enlarged(3)
        assert larger.size == (3 * camera.size[0], 3 * camera.size[1])
        assert_allclose(larger.project(cloud()), camera.project(cloud()) * [3, 3, 1], rtol=0, atol=1e-9)

    def test_depth_is_the_distance_along_the_view(self, view: str) -> None:
        camera = Camera.looking(view, 0.3).framing(cloud(), scale=50.0)
        moved = camera.project(cloud() + 0.7 * camera.forward)
        assert_allclose(moved - camera.project(cloud()), np.tile([0, 0, 0.7], (50, 1)), rtol=0, atol=1e-9)

    def test_pixels_on_the_floor_are_seen_where_they_are(self, view: str) -> None:
        camera = Camera.looking(view, 0.3).framing(cloud(), scale=20.0)
        width, height = camera.size
        depth = np.tile(camera.depths_of_level(0.25)[:, None], (1, width))
        points = camera.places(depth)
        assert points.shape == (height, width, 3)
        assert_allclose(points[..., 1], 0.25, rtol=0, atol=1e-9)
        seen = camera.project(points)
        y, x = np.mgrid[:height, :width] + 0.5
        assert_allclose(seen, np.stack([x, y, depth], axis=-1), rtol=0, atol=1e-9)

    def test_extremes_frame_the_same_picture(self, view: str) -> None:
        camera = Camera.looking(view, 0.3)
        whole, two = (camera.framing(points, width=640) for points in (cloud(), camera.extremes(cloud())))
        assert whole.size == two.size
        assert_allclose(two.centre, whole.centre, rtol=0, atol=1e-9)
        assert two.scale == pytest.approx(whole.scale)

    def test_rounding_of_a_width_adds_no_column(self, view: str) -> None:
        """Whatever the width in metres, the picture has the pixels that were asked for."""
        camera = Camera.looking(view, 0.3)
        for seed in range(200):
            points = np.random.default_rng(seed).normal(size=(5, 3))
            assert camera.framing(points, width=641).size[0] == 641
