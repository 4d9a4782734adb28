"""The heading convention, and ground frames as the group of turns and shifts of the floor."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import GroundFrame

patient = settings(deadline=None, max_examples=200)
place = st.tuples(*[st.floats(-50.0, 50.0)] * 3).map(np.array)
frames = st.builds(GroundFrame, place, st.floats(-np.pi, np.pi))
CLOSE = {"rtol": 0.0, "atol": 1e-12}


def assert_same_frame(a: GroundFrame, b: GroundFrame) -> None:
    assert_allclose(a.position, b.position, **CLOSE)
    assert_allclose(ground.direction_of(a.heading), ground.direction_of(b.heading), **CLOSE)


def test_axes_are_right_handed_with_y_up_and_left_at_x() -> None:
    assert_array_equal(np.cross(ground.UP, ground.FORWARD), ground.LEFT)
    assert_array_equal(ground.UP, [0, 1, 0])
    assert_array_equal(ground.FORWARD, [0, 0, 1])


@pytest.mark.parametrize(
    ("direction", "heading"),
    [
        ([0, 0, 1], 0.0),
        ([1, 0, 0], 0.5 * np.pi),
        ([0, 0, -1], np.pi),
        ([-1, 0, 0], -0.5 * np.pi),
        ([1, 9, 1], 0.25 * np.pi),
    ],
)
def test_heading_runs_from_z_towards_x(direction: list[float], heading: float) -> None:
    assert ground.heading_of(np.array(direction, dtype=float)) == pytest.approx(heading, abs=1e-15)


def test_a_positive_turn_is_to_the_left() -> None:
    """Someone who faces +Z and turns left by a quarter faces what was on the left."""
    assert_allclose(quat.rotate(ground.turn(0.5 * np.pi), ground.FORWARD), ground.LEFT, **CLOSE)


@patient
@given(st.floats(-np.pi, np.pi), st.floats(-np.pi, np.pi))
def test_turns_add_up(a: float, b: float) -> None:
    assert_allclose(quat.rotate(ground.turn(a), ground.direction_of(b)), ground.direction_of(a + b), **CLOSE)
    assert_allclose(quat.multiply(ground.turn(a), ground.turn(b)), ground.turn(a + b), **CLOSE)


@patient
@given(st.floats(-3.14, 3.14))
def test_heading_and_direction_undo_each_other(heading: float) -> None:
    direction = ground.direction_of(heading)
    assert np.linalg.norm(direction) == pytest.approx(1.0, abs=1e-15)
    assert ground.heading_of(7.0 * direction + 3.0 * ground.UP) == pytest.approx(heading, abs=1e-14)


@patient
@given(st.floats(-1000.0, 1000.0))
def test_wrap_is_the_same_angle_in_one_turn(angle: float) -> None:
    wrapped = float(ground.wrap(angle))
    assert -np.pi <= wrapped < np.pi
    turns = (angle - wrapped) / (2 * np.pi)
    assert turns == pytest.approx(round(turns), abs=1e-12)


def test_wrap_of_the_ends_and_of_arrays() -> None:
    assert_array_equal(ground.wrap(np.array([-np.pi, 0.0, np.pi])), [-np.pi, 0.0, -np.pi])
    assert ground.wrap(np.zeros((2, 3))).shape == (2, 3)


@patient
@given(frames, place)
def test_points_go_out_and_come_back(frame: GroundFrame, point: np.ndarray) -> None:
    assert_allclose(frame.to_local(frame.to_world(point)), point, **CLOSE)
    assert_allclose(frame.to_world(frame.to_local(point)), point, **CLOSE)
    assert_allclose(frame.to_world(np.zeros(3)), frame.position, **CLOSE)
    assert_allclose(frame.to_world(point)[1], frame.position[1] + point[1], **CLOSE)


@patient
@given(frames)
def test_ahead_in_the_frame_is_along_its_heading(frame: GroundFrame) -> None:
    ahead = frame.to_world(ground.FORWARD) - frame.position
    assert_allclose(ahead, ground.direction_of(frame.heading), **CLOSE)
    left = frame.to_world(ground.LEFT) - frame.position
    assert_allclose(left, np.cross(ground.UP, ahead), **CLOSE)


@patient
@given(frames, place, st.integers(0, 2**31))
def test_rotations_travel_with_points(frame: GroundFrame, point: np.ndarray, seed: int) -> None:
    q = quat.normalize(np.random.default_rng(seed).normal(size=4))
    assert_allclose(frame.turn_to_local(frame.turn_to_world(q)), q, **CLOSE)
    moved = frame.to_world(quat.rotate(q, point)) - frame.position
    assert_allclose(quat.rotate(frame.turn_to_world(q), point), moved, **CLOSE)


@patient
@given(frames, frames, frames, place)
def test_frames_are_a_group(a: GroundFrame, b: GroundFrame, c: GroundFrame, point: np.ndarray) -> None:
    here = GroundFrame(np.zeros(3), np.array(0.0))
    assert_same_frame(a.after(here), a)
    assert_same_frame(here.after(a), a)
    assert_same_frame(a.after(a.inverse()), here)
    assert_same_frame(a.inverse().after(a), here)
    assert_same_frame(a.after(b).after(c), a.after(b.after(c)))
    assert_allclose(a.after(b).to_world(point), b.to_world(a.to_world(point)), **CLOSE)
    assert_same_frame(a.after(b).inverse(), b.inverse().after(a.inverse()))


@patient
@given(place, st.floats(-np.pi, np.pi), st.floats(-1.4, 1.4), st.floats(-3.0, 3.0))
def test_under_a_body_ignores_height_pitch_and_roll(
    position: np.ndarray, heading: float, pitch: float, roll: float
) -> None:
    orientation = quat.from_euler(np.array([heading, pitch, roll]), "YXZ")
    frame = GroundFrame.under(position, orientation)
    assert_array_equal(frame.position, [position[0], 0.0, position[2]])
    assert_allclose(ground.direction_of(frame.heading), ground.direction_of(heading), rtol=0.0, atol=1e-12)


def test_frames_come_in_batches() -> None:
    rng = np.random.default_rng(0)
    many = GroundFrame(rng.normal(size=(4, 6, 3)), rng.uniform(-3, 3, (4, 6)))
    points = rng.normal(size=(4, 6, 3))
    world = many.to_world(points)
    assert world.shape == (4, 6, 3)
    one = GroundFrame(many.position[2, 5], many.heading[2, 5])
    assert_allclose(one.to_world(points[2, 5]), world[2, 5], **CLOSE)
    assert_allclose(many.to_local(world), points, **CLOSE)
    assert many.inverse().position.shape == (4, 6, 3)
    assert many.after(one).heading.shape == (4, 6)
