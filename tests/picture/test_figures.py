"""Which figures are shown, where they stand, and where the floor and the front are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.actor.humanoid import humanoid
from footfall.actor.range_of_motion import range_of_motion
from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.figure.pose import Pose
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.picture.camera import Camera
from footfall.picture.figures import Cast, floor_of, heading_of, shown_frames, spread

GAP = 0.62


@pytest.fixture(scope="module")
def motion() -> Motion:
    return range_of_motion(humanoid(), fps=5.0)


def turned(motion: Motion, heading: float) -> Motion:
    rotations = np.array(motion.rotations)
    rotations[:, 0] = quat.multiply(ground.turn(heading), rotations[:, 0])
    return replace(motion, root=quat.rotate(ground.turn(heading), motion.root), rotations=rotations)


def along(places: list[float]) -> tuple[np.ndarray, np.ndarray, Camera]:
    """Roots at these places along the picture, and where they come to stand when spread."""
    camera = Camera.looking("side", 0.0)
    roots = np.array(places)[:, None] * camera.right + [0.0, 0.9, 0.0]
    return roots, roots + spread(np.zeros((len(places), 1, 3)), roots, camera, GAP), camera


class TestSpread:
    @pytest.mark.parametrize("seed", range(10))
    def test_keeps_the_gap(self, seed: int) -> None:
        places = np.cumsum(np.random.default_rng(seed).normal(scale=0.6, size=12)).tolist()
        _, stands, camera = along(places)
        assert np.diff(stands @ camera.right).min() >= GAP - 1e-12

    @pytest.mark.parametrize("places", [[0.0, 0.7, 1.4, 9.0], [3.0], [-2.0, GAP - 2.0]])
    def test_figures_that_are_apart_stay_where_they_are(self, places: list[float]) -> None:
        roots, stands, _ = along(places)
        assert_allclose(stands, roots, rtol=0, atol=1e-12)

    def test_figures_in_one_place_stand_exactly_the_gap_apart(self) -> None:
        _, stands, camera = along([1.0] * 5)
        assert_allclose(np.diff(stands @ camera.right), GAP, rtol=1e-12)

    def test_moves_along_the_picture_only(self) -> None:
        roots, stands, camera = along([0.0, 0.1, -1.0])
        assert_allclose((stands - roots) @ camera.up, 0.0, rtol=0, atol=1e-12)
        assert_allclose((stands - roots) @ camera.forward, 0.0, rtol=0, atol=1e-12)


class TestShownFrames:
    @pytest.mark.parametrize("count", [1, 2, 3, 9, 61, 500])
    def test_first_and_last_are_among_them(self, count: int, motion: Motion) -> None:
        frames = shown_frames(motion, count)
        assert len(frames) == min(count, len(motion))
        assert frames[0] == 0
        assert count == 1 or frames[-1] == len(motion) - 1
        assert (np.diff(frames) > 0).all()
        assert np.ptp(np.diff(frames)) <= 1 if count > 2 else True

    def test_none_is_refused(self, motion: Motion) -> None:
        with pytest.raises(RequestError, match="at least one figure"):
            shown_frames(motion, 0)


@pytest.mark.parametrize("heading", [0.0, 1.0, -2.0, 3.1])
class TestHeading:
    def test_of_a_figure_that_stays(self, heading: float, motion: Motion) -> None:
        assert heading_of(turned(motion, heading)) == pytest.approx(heading)

    def test_of_one_that_walks_is_where_it_goes(self, heading: float, motion: Motion) -> None:
        """Sideways too: the picture shows the path."""
        away = np.linspace(0.0, 2.0, len(motion))[:, None] * ground.direction_of(heading)
        assert heading_of(replace(motion, root=motion.root + away)) == pytest.approx(heading)


class TestFloor:
    @pytest.mark.parametrize("height", [0.0, 0.4, -3.0])
    def test_is_where_the_soles_rest(self, height: float, motion: Motion) -> None:
        raised = replace(motion, root=motion.root + height * ground.UP)
        assert floor_of(raised) == pytest.approx(height, abs=1e-9)

    def test_a_spike_does_not_move_it(self, motion: Motion) -> None:
        root = np.array(motion.root)
        root[7, 1] -= 1.0
        assert floor_of(replace(motion, root=root)) == pytest.approx(0.0, abs=0.02)


def test_bodies_at_rest_are_the_mannequin() -> None:
    skeleton = humanoid()
    rest = Pose.at_rest(skeleton, np.zeros(3))
    cast = Cast.of(Motion(skeleton, rest.root[None], rest.rotations[None], 30.0))
    vertices, normals = cast.bodies(np.array([0]))
    assert_allclose(vertices[0], cast.mannequin.vertices, rtol=0, atol=1e-12)
    assert_allclose(normals[0], cast.mannequin.normals, rtol=0, atol=1e-9)


def test_a_motion_without_frames_has_nothing_to_show(motion: Motion) -> None:
    with pytest.raises(RequestError, match="without frames"):
        Cast.of(motion[:0])
