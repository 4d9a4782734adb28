"""Obstacles: where they are at a time, and how fast they move."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from footfall.errors import RequestError
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import turn, wrap
from footfall.world.obstacle import Course, Obstacle
from footfall.world.shapes.box import Box
from footfall.world.shapes.distance import overlap
from footfall.world.shapes.placed import Placed
from footfall.world.shapes.sphere import Sphere

PLACES = np.array([[0.0, 1.0, 0.0], [2.0, 1.0, 0.0], [2.0, 1.0, 4.0]])
COURSE = Course(np.array([1.0, 2.0, 4.0]), PLACES, np.radians([170.0, -170.0, 90.0]))
ROUND = Course(np.array([1.0, 2.0, 4.0, 5.0]), np.vstack([PLACES, PLACES[:1]]), repeat=True)


def test_between_keys_it_goes_straight() -> None:
    times = np.array([[-5.0, 1.0, 1.5], [2.0, 3.5, 99.0]])
    expected = [[[0, 1, 0], [0, 1, 0], [1, 1, 0]], [[2, 1, 0], [2, 1, 3], [2, 1, 4]]]
    assert_allclose(COURSE.position(times), expected, atol=1e-15)
    assert_allclose(COURSE.velocity(times)[0], [[0, 0, 0], [2, 0, 0], [2, 0, 0]], atol=1e-15)
    assert_allclose(COURSE.velocity(times)[1], [[0, 0, 2], [0, 0, 2], [0, 0, 0]], atol=1e-15)
    assert_allclose(COURSE.velocity(4.0), 0.0)


def test_headings_turn_the_short_way() -> None:
    """From 170 to -170 degrees through 180, then to 90 through 180 again."""
    found = np.degrees(wrap(COURSE.heading(np.array([0.0, 1.25, 1.75, 2.0, 3.0, 9.0]))))  # type: ignore[arg-type]
    assert_allclose(wrap(np.radians(found - [170, 175, -175, -170, 140, 90])), 0.0, atol=1e-12)
    assert Course(np.array([0.0]), np.zeros((1, 3))).heading(1.0) is None


@given(st.floats(-20, 20), st.integers(-5, 5))
def test_what_repeats_is_the_same_each_time(time: float, rounds: int) -> None:
    """Far before and far after: a period of 4 s, and the last key leads on to the first."""
    assert_allclose(ROUND.position(time + 4.0 * rounds), ROUND.position(time), atol=1e-12)
    within = (time - 1.0) % 4.0 + 1.0
    if min(abs(within - key) for key in ROUND.times) > 1e-9:
        assert_allclose(ROUND.velocity(time + 4.0 * rounds), ROUND.velocity(time), atol=1e-12)


def test_a_round_has_no_jump_and_never_rests() -> None:
    times = np.linspace(-10, 10, 4001)
    places = ROUND.position(times)
    assert np.linalg.norm(np.diff(places, axis=0), axis=-1).max() < 0.005 * 4.5
    assert (np.linalg.norm(ROUND.velocity(times), axis=-1) > 1.9).all()
    assert_array_equal(ROUND.velocity(5.0), ROUND.velocity(1.0))  # the last key is the first again


@pytest.mark.parametrize("course", [COURSE, ROUND])
def test_velocity_is_the_slope_of_position(course: Course) -> None:
    times = np.random.default_rng(0).uniform(-3, 8, 500)
    step = 1e-6
    slope = (course.position(times + step) - course.position(times - step)) / (2 * step)
    assert_allclose(course.velocity(times), slope, atol=1e-8)


def test_one_key_is_a_place() -> None:
    course = Course(np.array([3.0]), np.array([[1.0, 2.0, 3.0]]))
    assert_array_equal(course.position(np.array([0.0, 9.0])), [[1, 2, 3], [1, 2, 3]])
    assert_array_equal(course.velocity(np.array([0.0, 3.0])), np.zeros((2, 3)))


@pytest.mark.parametrize(
    ("make", "refused"),
    [
        (lambda: Course([], np.zeros((0, 3))), "times must be at least one"),
        (lambda: Course([0, 1, 1], np.zeros((3, 3))), "later than the one before, but 1 follows 1"),
        (lambda: Course([0, np.nan], np.zeros((2, 3))), "times must be finite"),
        (lambda: Course([0, 1], np.zeros((3, 3))), "positions must be 2 x 3 numbers"),
        (lambda: Course([0, 1], np.zeros((2, 3)), [0.0]), "headings must be 2 numbers"),
        (lambda: Course([0], np.zeros((1, 3)), repeat=True), "repeat needs at least two keys"),
        (lambda: Obstacle(Sphere(1), [0, 0, 1e9]), r"position must be within 1e\+07 m"),
        (lambda: Obstacle(Sphere(1), np.zeros(3), [0, 0, 0, 0]), "orientation"),
    ],
)
def test_what_cannot_be_is_refused(make: object, refused: str) -> None:
    with pytest.raises(RequestError, match=refused):
        make()  # type: ignore[operator]


def test_still_obstacles_stay() -> None:
    tilted = Obstacle(
        Box(np.ones(3)), np.array([1.0, 2.0, 3.0]), quat.normalize(np.array([1.0, 1.0, 0.0, 0.0]))
    )
    for time in (0.0, 100.0):
        assert_array_equal(tilted.at(time).position, [1, 2, 3])
        assert_allclose(tilted.at(time).orientation, np.sqrt([0.5, 0.5, 0, 0]))
        assert_array_equal(tilted.velocity(time), np.zeros(3))


def test_moving_obstacles_are_where_their_course_says() -> None:
    """One with headings stands upright, one without keeps its orientation; the shape is the same."""
    tilt = quat.normalize(np.array([1.0, 1.0, 0.0, 0.0]))
    turning = Obstacle(Box(np.ones(3)), np.full(3, 9.0), tilt, COURSE, "guard")
    assert_allclose(turning.at(1.5).position, [1, 1, 0])
    assert_allclose(np.abs(turning.at(1.5).orientation @ turn(np.pi)), 1.0)
    assert turning.at(1.5).shape is turning.shape
    assert_allclose(turning.velocity(1.5), [2, 0, 0])
    sliding = Obstacle(Box(np.ones(3)), np.full(3, 9.0), tilt, ROUND)
    assert_array_equal(sliding.at(1.5).orientation, sliding.orientation)
    upright = Obstacle.upright(Box(np.ones(3)), np.zeros(3), 0.5, name="crate")
    assert_allclose(upright.at().orientation, turn(0.5))
    assert upright.name == "crate"


def test_a_ball_that_passes_meets_what_it_passes() -> None:
    ball = Obstacle(Sphere(0.5), np.zeros(3), course=COURSE)
    post = Placed(Sphere(0.25), np.array([1.0, 1.0, 0.6]))
    met = [overlap(ball.at(t), post) for t in (1.0, 1.5, 2.0, 4.0)]
    assert met == [False, True, False, False]
