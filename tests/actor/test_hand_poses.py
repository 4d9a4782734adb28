"""Hand poses: a fist that holds a ball, a pinch that closes, sides that mirror, joints within limits."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import linprog

from footfall.actor.hand_poses import (
    HAND_POSES,
    TOUCHES,
    blended_hand,
    finger_tips,
    grasping,
    hand_pose,
    touch_of,
)
from footfall.actor.humanoid import humanoid
from footfall.errors import RequestError
from footfall.figure.joint_limits import excess, limits_of
from footfall.figure.motion import Motion
from footfall.figure.naming import FINGERS
from footfall.figure.roles import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from tests.figure.figures import framed

BALL = 0.025  # m: the radius of what a closed hand holds
FINGER = 0.009  # m: half a finger's thickness
BODY = humanoid()


def posed(skeleton: Skeleton, turns: dict[str, np.ndarray]) -> Motion:
    """A figure at rest but for some joints, one frame."""
    rotations = np.array(skeleton.rest)[None]
    for role, turn in turns.items():
        rotations[0, skeleton.joint(role)] = turn
    return Motion(skeleton, np.zeros((1, 3)), rotations, 60.0)


def tip_places(skeleton: Skeleton, side: str, name: str) -> dict[str, np.ndarray]:
    """Finger tips relative to the wrist in the world, by forward kinematics of the whole figure."""
    motion = posed(skeleton, hand_pose(skeleton, side, name))
    ends = dict(zip(skeleton.end_parents.tolist(), motion.ends[0], strict=True))
    wrist = motion.of(f"{side}_hand")[0]
    return {finger: ends[skeleton.joint(f"{side}_{finger}_3")] - wrist for finger in FINGERS}


def segments(side: str, name: str, finger: str) -> list[tuple[np.ndarray, np.ndarray]]:
    """The three bones of a finger relative to the wrist."""
    motion = posed(BODY, hand_pose(BODY, side, name))
    wrist = motion.of(f"{side}_hand")[0]
    places = [motion.of(f"{side}_{finger}_{i}")[0] - wrist for i in (1, 2, 3)]
    places.append(tip_places(BODY, side, name)[finger])
    return list(pairwise(places))


def nearest(segment: tuple[np.ndarray, np.ndarray], point: np.ndarray) -> np.ndarray:
    a, b = segment
    share = np.clip((point - a) @ (b - a) / ((b - a) @ (b - a)), 0.0, 1.0)
    return a + share * (b - a)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("height", [1.2, 1.75, 2.0])
def test_a_pinch_brings_thumb_and_index_finger_together(side: str, height: float) -> None:
    tips = tip_places(humanoid(height), side, "pinch")
    assert np.linalg.norm(tips["thumb"] - tips["index"]) < 0.005 * height / 1.75
    others = [np.linalg.norm(tips["thumb"] - tips[finger]) for finger in ("middle", "ring", "little")]
    assert min(others) > 0.01


@pytest.mark.parametrize("side", SIDES)
def test_a_closed_hand_holds_a_ball(side: str) -> None:
    """No bone cuts into the ball, each finger is at its surface, and it can leave in no direction."""
    centre = touch_of(BODY, side, "closed").point
    knuckle = BODY.offsets[BODY.joint(f"{side}_middle_1")]
    touching = [nearest((np.zeros(3), knuckle), centre)]
    for finger in FINGERS:
        near = [nearest(segment, centre) for segment in segments(side, "closed", finger)]
        distances = [float(np.linalg.norm(point - centre)) for point in near]
        assert min(distances) > BALL, finger
        assert min(distances) < BALL + FINGER + 0.004, finger
        touching += near
    assert np.linalg.norm(touching[0] - centre) == pytest.approx(BALL + 0.019, abs=0.004)
    away = np.array(touching) - centre
    # the centre is a convex combination of what touches: whichever way the ball goes, something is there
    held = linprog(np.zeros(len(away)), A_eq=np.vstack([away.T, np.ones(len(away))]), b_eq=[0, 0, 0, 1])
    assert held.success


def test_an_open_hand_is_longer_and_wider_than_a_relaxed_one() -> None:
    opened, relaxed = (tip_places(BODY, "left", name) for name in ("open", "relaxed"))
    for finger in FINGERS[1:]:
        assert np.linalg.norm(opened[finger]) > np.linalg.norm(relaxed[finger])
        assert opened[finger][1] > relaxed[finger][1]  # nearer to the plane of the palm
    span = [np.linalg.norm(tips["thumb"] - tips["little"]) for tips in (opened, relaxed)]
    assert span[0] > span[1] + 0.02


@pytest.mark.parametrize("name", HAND_POSES)
def test_the_right_hand_is_the_left_in_a_mirror(name: str) -> None:
    left, right = (tip_places(BODY, side, name) for side in SIDES)
    for finger in FINGERS:
        assert_allclose(right[finger], left[finger] * [-1.0, 1.0, 1.0], rtol=0.0, atol=1e-12)


def test_all_blends_are_within_the_joints_limits() -> None:
    shares = np.random.default_rng(3).dirichlet(np.ones(len(HAND_POSES)), size=200)
    weights = dict(zip(HAND_POSES, np.vstack([np.eye(len(HAND_POSES)), shares]).T, strict=True))
    rotations = np.tile(BODY.rest, (204, 1, 1))
    for side in SIDES:
        for role, turn in blended_hand(BODY, side, weights).items():
            rotations[:, BODY.joint(role)] = turn
    assert excess(limits_of(BODY), rotations).max() == 0.0


def test_a_blend_is_each_pose_at_its_end_and_halfway_in_the_middle() -> None:
    weights = {"open": np.array([1.0, 0.5, 0.0]), "closed": np.array([0.0, 0.5, 1.0])}
    blend = blended_hand(BODY, "left", weights)
    ends = [hand_pose(BODY, "left", name) for name in weights]
    for role, turn in blend.items():
        assert_allclose(turn[0], ends[0][role], rtol=0.0, atol=1e-14)
        assert_allclose(turn[2], ends[1][role], rtol=0.0, atol=1e-14)
        middle = 0.5 * (quat.log(ends[0][role]) + quat.log(ends[1][role]))
        assert_allclose(quat.log(turn[1]), middle, rtol=0.0, atol=1e-14)


@pytest.mark.parametrize("seed", [1, 2])
def test_joint_frames_make_no_difference(seed: int) -> None:
    """The same figure with other frames in its joints shows the same hand."""
    other = framed(BODY, seed)
    for name in HAND_POSES:
        for finger, place in tip_places(other, "right", name).items():
            assert_allclose(place, tip_places(BODY, "right", name)[finger], rtol=0.0, atol=1e-12)


@pytest.mark.parametrize("side", SIDES)
def test_finger_tips_are_where_forward_kinematics_has_them(side: str) -> None:
    for name in HAND_POSES:
        turns = {role: turn[None] for role, turn in hand_pose(BODY, side, name).items()}
        for finger, tip in finger_tips(BODY, side, turns).items():
            assert_allclose(tip[0], tip_places(BODY, side, name)[finger], rtol=0.0, atol=1e-12)


def test_what_touches_lies_where_its_name_says() -> None:
    tips = {name: tip_places(BODY, "left", name) for name in HAND_POSES}
    assert_allclose(touch_of(BODY, "left", "open").point, tips["open"]["middle"], atol=1e-12)
    pinched = 0.5 * (tips["pinch"]["thumb"] + tips["pinch"]["index"])
    assert_allclose(touch_of(BODY, "left", "pinch").point, pinched, atol=1e-12)
    palm = touch_of(BODY, "left", "open", "palm").point
    knuckle = BODY.offsets[BODY.joint("left_middle_1")]
    assert 0.3 * knuckle[0] < palm[0] < 0.9 * knuckle[0]
    assert -0.03 < palm[1] < -0.01  # the palm of a T-pose looks down


@pytest.mark.parametrize("hand", HAND_POSES)
def test_a_grasp_ends_in_its_pose(hand: str) -> None:
    weights = grasping(hand, np.array([0.0, 0.4, 1.0]))
    assert_allclose(np.sum(list(weights.values()), axis=0), 1.0, atol=1e-15)
    assert weights[hand][-1] == 1.0


def test_a_figure_without_fingers_has_none_to_pose() -> None:
    kept = [i for i, name in enumerate(BODY.names) if not any(finger in name for finger in FINGERS)]
    names = [BODY.names[i] for i in kept]
    parents = [kept.index(int(BODY.parents[i])) if i else -1 for i in kept]
    assert hand_pose(Skeleton.build(names, parents, BODY.offsets[kept]), "left", "open") == {}


def test_what_is_unknown_is_refused() -> None:
    with pytest.raises(RequestError, match="relaxed, open, closed, pinch"):
        hand_pose(BODY, "left", "fist")
    with pytest.raises(RequestError, match="must be 'left' or 'right'"):
        hand_pose(BODY, "middle", "open")
    with pytest.raises(RequestError, match=", ".join(TOUCHES)):
        touch_of(BODY, "left", "open", "elbow")
    with pytest.raises(RequestError, match="not none"):
        blended_hand(BODY, "left", {})
