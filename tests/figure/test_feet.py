"""Foot points: straight below the ankle at the sole's depth, mirror images, flat when the figure stands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.errors import RequestError, SkeletonError
from footfall.figure import feet, kinematics
from footfall.figure.feet import FootPoints
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.formats.load import load_capture, load_motion
from footfall.geometry import quaternion as quat
from tests.captures import captures
from tests.figure.figures import (
    ANKLE_HEIGHT,
    CMU_CLIPS,
    PLAIN_NAMES,
    figure,
    framed,
    humanoid,
    in_frames,
    smooth_motion,
)

CLOSE = {"rtol": 0.0, "atol": 1e-12}
POINTS = ("heel", "subtalar", "ball", "toe")
SIDES = ("left", "right")
LEG = float(np.hypot(0.42, 0.005) + np.hypot(0.4, 0.025))


def at_rest(skeleton: Skeleton, side: str) -> np.ndarray:
    """Heel, subtalar, ball and toe of the rest pose from the ankle, in the world's axes."""
    foot = skeleton.joint(f"{side}_foot")
    points = np.array([getattr(skeleton.foot_points(side), name) for name in POINTS])
    return quat.rotate(skeleton.rest_orientations[foot], points)


def in_motion(motion: Motion, side: str) -> np.ndarray:
    """World places of the four points, frame by frame."""
    points = np.array([getattr(motion.skeleton.foot_points(side), name) for name in POINTS])
    joints = [motion.skeleton.joint(f"{side}_foot")] * 4
    return kinematics.attached(motion.positions, motion.orientations, joints, points)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("seed", [None, 1, 2, 3])
def test_of_a_figure_with_a_sole_of_its_own(seed: int | None, side: str) -> None:
    skeleton = humanoid() if seed is None else framed(humanoid(), seed)
    depth = -ANKLE_HEIGHT
    expected = [[0, depth, -0.07 * LEG], [0, depth, 0], [0, depth, 0.13], [0, depth, 0.2]]
    assert_allclose(at_rest(skeleton, side), expected, **CLOSE)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("seed", [None, 5])
def test_of_a_figure_without_toes(seed: int | None, side: str) -> None:
    bare = figure({part: name for part, name in PLAIN_NAMES.items() if not part.endswith("_toe")})
    bare = replace(bare, end_parents=np.zeros(0, dtype=int), end_offsets=np.zeros((0, 3)))
    skeleton = bare if seed is None else framed(bare, seed)
    depth, ball = -0.08 * LEG, 0.16 * LEG
    expected = [[0, depth, -0.07 * LEG], [0, depth, 0], [0, depth, ball], [0, depth, ball + 0.08 * LEG]]
    assert_allclose(at_rest(skeleton, side), expected, **CLOSE)


@pytest.mark.parametrize("drop", [0.02, 0.2])
def test_a_sole_that_cannot_be_one_is_not_believed(drop: float) -> None:
    """Toes that end 2 cm or 20 cm below the ankle say nothing about the sole."""
    skeleton = humanoid()
    ends = np.array(skeleton.end_offsets)
    toes = skeleton.index("LeftToe")
    ends[skeleton.end_parents == toes, 1] = -0.01 if drop < 0.06 else -0.14
    offsets = np.array(skeleton.offsets)
    offsets[toes, 1] = -0.01 if drop < 0.06 else -0.06
    changed = replace(skeleton, offsets=offsets, end_offsets=ends)
    assert_allclose(at_rest(changed, "left")[:, 1], -feet.ANKLE_HEIGHT * LEG, **CLOSE)
    assert_allclose(at_rest(changed, "right")[:, 1], -ANKLE_HEIGHT, **CLOSE)


def test_left_and_right_are_mirror_images() -> None:
    skeleton = framed(humanoid(), 11)
    assert_allclose(at_rest(skeleton, "left"), at_rest(skeleton, "right") * [-1, 1, 1], **CLOSE)


def test_toes_turned_out_take_the_sole_along() -> None:
    skeleton = humanoid()
    out = quat.from_axis_angle(np.array([0.0, 1.0, 0.0]), np.deg2rad(15.0))
    offsets, ends = np.array(skeleton.offsets), np.array(skeleton.end_offsets)
    toe = skeleton.index("LeftToe")
    offsets[toe] = quat.rotate(out, offsets[toe])
    ends[skeleton.end_parents == toe] = quat.rotate(out, ends[skeleton.end_parents == toe])
    turned = at_rest(replace(skeleton, offsets=offsets, end_offsets=ends), "left")
    assert_allclose(turned, quat.rotate(out, at_rest(skeleton, "left")), **CLOSE)


@pytest.mark.parametrize("lean", [-6.0, 3.0, 8.0])
def test_legs_a_little_apart_stand_on_flat_soles(lean: float) -> None:
    skeleton = leaning(humanoid(), lean, soles_flat=True)
    assert_allclose(at_rest(skeleton, "left")[:, 1], -ANKLE_HEIGHT, **CLOSE)
    assert_allclose(at_rest(skeleton, "left")[1, [0, 2]], 0.0, **CLOSE)


@pytest.mark.parametrize("lean", [15.0, 20.0, 35.0])
def test_legs_astride_carry_their_soles_tilted(lean: float) -> None:
    skeleton = leaning(humanoid(), lean, soles_flat=False)
    turn = quat.from_axis_angle(np.array([0.0, 0.0, 1.0]), np.deg2rad(lean))
    assert_allclose(at_rest(skeleton, "left"), quat.rotate(turn, at_rest(humanoid(), "left")), **CLOSE)


def leaning(skeleton: Skeleton, degrees: float, *, soles_flat: bool) -> Skeleton:
    """The left leg swung outwards as a whole, or its bones only, with the foot kept flat."""
    turn = quat.from_axis_angle(np.array([0.0, 0.0, 1.0]), np.deg2rad(degrees))
    offsets, ends = np.array(skeleton.offsets), np.array(skeleton.end_offsets)
    moved = ["LeftShank", "LeftFoot"] if soles_flat else ["LeftShank", "LeftFoot", "LeftToe"]
    for name in moved:
        offsets[skeleton.index(name)] = quat.rotate(turn, offsets[skeleton.index(name)])
    if not soles_flat:
        tips = skeleton.end_parents == skeleton.index("LeftToe")
        ends[tips] = quat.rotate(turn, ends[tips])
    return replace(skeleton, offsets=offsets, end_offsets=ends)


def test_points_ride_on_the_foot_whatever_its_frame() -> None:
    """The same motion in two sets of joint frames shows the same soles."""
    motion = smooth_motion(humanoid(), size=1.0)
    other = in_frames(motion, framed(humanoid(), 6))
    for side in SIDES:
        assert_allclose(in_motion(other, side), in_motion(motion, side), **CLOSE)


class TestGiven:
    def test_override_one_side_and_keep_the_other(self) -> None:
        skeleton = humanoid()
        given = FootPoints(*np.arange(12.0).reshape(4, 3))
        changed = skeleton.with_feet(left=given)
        assert changed.foot_points("left") is given
        assert_allclose(changed.foot_points("right").heel, skeleton.foot_points("right").heel, **CLOSE)
        assert given.as_lists() == {
            "heel": [0.0, 1.0, 2.0],
            "subtalar": [3.0, 4.0, 5.0],
            "ball": [6.0, 7.0, 8.0],
            "toe": [9.0, 10.0, 11.0],
        }

    @pytest.mark.parametrize("given", [False, True])
    def test_scale_with_the_skeleton(self, given: bool) -> None:
        skeleton = framed(humanoid(), 2)
        if given:
            skeleton = skeleton.with_feet()
        for side in SIDES:
            assert_allclose(at_rest(skeleton.scaled(2.5), side), 2.5 * at_rest(skeleton, side), **CLOSE)

    def test_are_found_anew_when_roles_change(self) -> None:
        skeleton = humanoid().with_feet(left=FootPoints(*np.ones((4, 3))))
        again = skeleton.with_roles(left_foot="LeftFoot")
        assert_allclose(at_rest(again, "left"), at_rest(humanoid(), "left"), **CLOSE)

    def test_must_be_finite(self) -> None:
        with pytest.raises(RequestError, match="foot point ball"):
            FootPoints(np.zeros(3), np.zeros(3), np.array([0, np.nan, 0]), np.zeros(3))

    def test_a_leg_that_is_not_whole_says_so(self) -> None:
        skeleton = humanoid()
        bare = replace(skeleton, roles={r: j for r, j in skeleton.roles.items() if r != "left_shank"})
        with pytest.raises(SkeletonError, match="left leg is incomplete"):
            bare.foot_points("left")
        with pytest.raises(SkeletonError, match="left_foot"):
            replace(skeleton, roles={}).foot_points("left")


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("subject", CMU_CLIPS)
def test_cmu_soles_are_flat_in_the_t_pose(subject: str, side: str) -> None:
    """Its T-pose frame is the rest pose, so soles are horizontal and the subtalar is under the ankle."""
    capture = load_capture(captures(CMU_CLIPS[subject]))
    assert capture.dropped == 1
    skeleton = capture.motion.skeleton
    points = at_rest(skeleton, side)
    assert_allclose(points[:, 1], points[0, 1], **CLOSE)
    assert_allclose(points[1, [0, 2]], 0.0, **CLOSE)
    assert 0.055 < -points[1, 1] / skeleton.leg_length(side) < 0.145
    assert points[0, 2] < 0 < points[2, 2] < points[3, 2]


@pytest.mark.parametrize("side", SIDES)
def test_soles_of_legs_astride_are_flat_when_the_leg_hangs_down(side: str) -> None:
    """CMU bones without the T-pose frame rest 20 degrees astride."""
    skeleton = load_motion(captures("formats/pfnn_hierarchy.bvh")).skeleton
    foot, thigh = (skeleton.joint(f"{side}_{part}") for part in ("foot", "thigh"))
    leg = skeleton.rest_positions[foot] - skeleton.rest_positions[thigh]
    lean = np.arctan2(leg[0], -leg[1])
    assert abs(np.rad2deg(lean)) == pytest.approx(20.0, abs=1.0)
    upright = quat.from_axis_angle(np.array([0.0, 0.0, 1.0]), -lean)
    points = quat.rotate(upright, at_rest(skeleton, side))
    assert_allclose(points[:, 1], points[0, 1], **CLOSE)
    assert_allclose(points[1, [0, 2]], 0.0, **CLOSE)


@pytest.mark.parametrize("subject", ["07", "16", "35", "69", "83", "118", "127", "136"])
def test_cmu_soles_are_nearly_flat_in_stance(subject: str) -> None:
    """While an ankle rests low, heel and toe tip are level to within what markers allow."""
    motion = load_motion(captures(CMU_CLIPS[subject]))
    for side in SIDES:
        ankle = motion.of(f"{side}_foot")
        speed = np.linalg.norm(np.gradient(ankle, axis=0), axis=-1) * motion.fps
        resting = (speed < 0.15) & (ankle[:, 1] < np.percentile(ankle[:, 1], 30))
        assert resting.any()
        sole = in_motion(motion, side)[resting]
        length = np.linalg.norm(sole[:, 3] - sole[:, 0], axis=-1)
        pitch = np.rad2deg(np.arcsin((sole[:, 3, 1] - sole[:, 0, 1]) / length))
        assert abs(np.median(pitch)) < 10.0
        down = sole[:, 1] - ankle[resting]
        assert np.median(-down[:, 1] / np.linalg.norm(down, axis=-1)) > np.cos(np.deg2rad(10.0))
