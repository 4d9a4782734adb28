"""Where hands go: a sphere as the hand comes, a box by a face, a capsule from the side ([body] 5.3)."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.actor.humanoid import humanoid
from footfall.geometry import quaternion as quat
from footfall.ik.grasp import close_hand, grasp
from footfall.ik.grasp_kernel import CLEAR, TOUCH
from footfall.ik.hand import hand_of
from footfall.ik.hand_pose import poses_of
from footfall.ik.held import held_of
from footfall.ik.palm_placement import grip_on, hand_turns, palm_at
from footfall.world.shapes.box import Box
from footfall.world.shapes.capsule import Capsule
from footfall.world.shapes.distance import distance
from footfall.world.shapes.placed import Placed
from footfall.world.shapes.sphere import Sphere
from tests.ik.held_things import KINDS, any_thing, any_turn, capsules

POSES = {side: poses_of(hand_of(humanoid(), side)) for side in ("left", "right")}
RNG_SEED = 3


def directions(side: str, turn: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Along the fingers, across to the index finger and out of the back of the hand, in the world."""
    hand = POSES[side].hand
    along, across, normal = (quat.rotate(turn, v) for v in (hand.along, hand.across, hand.normal))
    return along, across, -normal


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_sphere_is_taken_as_the_hand_comes(side: str) -> None:
    rng = np.random.default_rng(RNG_SEED)
    for _ in range(10):
        ball, natural = any_thing("sphere", rng), any_turn(rng)
        taken = grasp(POSES[side], ball, orientation=natural, position=rng.normal(size=3))
        assert_allclose(taken.placement.orientation, natural, atol=1e-15)
        # the hand is on the side of its back, outside
        _, _, back = directions(side, natural)
        assert (taken.placement.position - ball.position) @ back > ball.shape.radius  # type: ignore[attr-defined]


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_cube_is_taken_by_the_face_nearest_to_the_back_of_the_hand(side: str) -> None:
    rng = np.random.default_rng(RNG_SEED)
    hand = POSES[side].hand
    for _ in range(200):
        cube = Placed(Box([0.06, 0.06, 0.06]), np.zeros(3), any_turn(rng))
        natural = any_turn(rng)
        first = hand_turns(hand, held_of(cube), natural)[0]
        along, across, back = directions(side, first)
        axes = held_of(cube).axes
        for v in (along, across, back):
            assert np.abs(axes @ v).max() > 1.0 - 1e-9  # square to the cube
        faces = np.concatenate([axes, -axes])
        nearest = faces[np.argmax(faces @ directions(side, natural)[2])]
        assert_allclose(back, nearest, atol=1e-9)
        # and of the four ways to lie on it the one of the least turn
        on_it = [
            t for t in hand_turns(hand, held_of(cube), natural) if directions(side, t)[2] @ nearest > 0.9
        ]
        assert len(on_it) == 4
        angles = [float(quat.angle_between(natural, turn)) for turn in on_it]
        assert angles == sorted(angles)


def test_a_hand_square_to_a_cube_keeps_its_turn() -> None:
    for side, poses in POSES.items():
        for turn in hand_turns(poses.hand, held_of(Placed(Box([0.06] * 3), np.zeros(3))), quat.identity()):
            again = hand_turns(poses.hand, held_of(Placed(Box([0.06] * 3), np.zeros(3))), turn)[0]
            assert quat.angle_between(turn, again) < 1e-7, side


@pytest.mark.parametrize("side", ["left", "right"])
def test_thin_boxes_are_taken_across(side: str) -> None:
    rng = np.random.default_rng(RNG_SEED)
    thin, taken = Placed(Box([0.09, 0.02, 0.09]), np.zeros(3)), 0
    for _ in range(200):
        natural = any_turn(rng)
        _, _, back = directions(side, natural)
        along, _, _ = directions(side, hand_turns(POSES[side].hand, held_of(thin), natural)[0])
        if np.abs(back[[0, 2]]).max() > np.cos(np.radians(30.0)):  # it comes to a narrow side
            taken += 1
            assert abs(along[1]) == pytest.approx(1.0)
    assert taken > 30


def test_boxes_too_wide_one_way_are_taken_the_other() -> None:
    rng = np.random.default_rng(RNG_SEED)
    board = Placed(Box([0.4, 0.03, 0.4]), np.zeros(3))
    for _ in range(50):
        for turn in hand_turns(POSES["left"].hand, held_of(board), any_turn(rng)):
            assert abs(directions("left", turn)[0][1]) == pytest.approx(1.0)


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_capsule_lies_across_the_palm(side: str) -> None:
    rng = np.random.default_rng(RNG_SEED)
    for _ in range(100):
        stick, natural = Placed(Capsule(0.02, 0.2), np.zeros(3), any_turn(rng)), any_turn(rng)
        axis = quat.rotate(stick.orientation, np.array([0.0, 1.0, 0.0]))
        first, second = hand_turns(POSES[side].hand, held_of(stick), natural)
        _, across, back = directions(side, first)
        assert abs(across @ axis) == pytest.approx(1.0)
        assert quat.angle_between(natural, first) <= quat.angle_between(natural, second) + 1e-9
        came = directions(side, natural)[2]
        square = came - (came @ axis) * axis
        if np.linalg.norm(square) > 0.1:  # [body]: q_c x (q_h x q_c), made unit
            assert_allclose(back, square / np.linalg.norm(square), atol=1e-9)


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_standing_bottle_is_taken_with_the_thumb_up(side: str) -> None:
    """The back of the hand along the axis, where the paper's rule has no answer."""
    hand = POSES[side].hand
    bottle = Placed(Capsule(0.03, 0.2), np.zeros(3))
    for turn in (0.0, 1.0, 2.5):
        natural = quat.from_axis_angle(np.array([0.0, 1.0, 0.0]), turn)  # palm down
        along, across, back = directions(side, hand_turns(hand, held_of(bottle), natural)[0])
        assert across @ np.array([0.0, 1.0, 0.0]) == pytest.approx(1.0)
        assert abs(back[1]) < 1e-9
        assert along @ directions(side, natural)[0] == pytest.approx(1.0)
        assert grasp(POSES[side], bottle, orientation=natural).holds


@pytest.mark.parametrize("kind", KINDS)
def test_the_open_hand_comes_up_until_it_touches(kind: str) -> None:
    rng = np.random.default_rng(RNG_SEED)
    for side, poses in POSES.items():
        for _ in range(10):
            held = held_of(any_thing(kind, rng))
            turn = hand_turns(poses.hand, held, any_turn(rng))[0]
            where = palm_at(poses, held, held.position, turn, along=0.9 * poses.hand.palm_length)
            shape = Placed(Box(2.0 * np.maximum(held.half, 1e-9)), held.position, held.orientation)
            rotations = dict(zip(poses.hand.roles, poses.rotations(np.zeros(15)), strict=True))
            fingers = capsules(poses.hand, rotations, where)
            gaps = [distance(finger, shape) - held.skin for finger in fingers]
            nearest = min(*gaps, close_hand(poses, held, where).palm_gap)
            assert 0.9 * CLEAR < nearest <= TOUCH, side


def test_long_things_are_taken_near_the_hand() -> None:
    stick, hand = Placed(Capsule(0.02, 1.0), np.zeros(3)), POSES["left"].hand
    held = held_of(stick)
    turn = hand_turns(hand, held, quat.identity())[0]
    assert_allclose(grip_on(hand, held, turn, None), 0.0)
    assert_allclose(grip_on(hand, held, turn, np.array([0.3, 0.2, -0.1])), [0.0, 0.2, 0.0], atol=1e-12)
    end = grip_on(hand, held, turn, np.array([0.0, 3.0, 0.0]))[1]
    assert 0.40 < end < 0.48  # the width of the hand stays on it
    ball = held_of(Placed(Sphere(0.05), np.ones(3)))
    assert_allclose(grip_on(hand, ball, turn, np.zeros(3)), np.ones(3))
