"""Reframing turns joint frames and nothing that can be seen."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.figure import kinematics
from footfall.figure.feet import FootPoints
from footfall.figure.reframe import reframe, reframe_skeleton
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from tests.figure.figures import framed, humanoid, in_frames, random_skeleton, smooth_motion

CLOSE = {"rtol": 0.0, "atol": 1e-12}
POINTS = ("heel", "subtalar", "ball", "toe")
FIGURES = [
    humanoid(),
    framed(humanoid(), 1),
    framed(humanoid(), 2),
    random_skeleton(5, 30),
    random_skeleton(6, 1),
]


def soles(skeleton: Skeleton, positions: np.ndarray, orientations: np.ndarray) -> np.ndarray:
    """World places of all foot points of both feet."""
    joints = [skeleton.joint(f"{side}_foot") for side in skeleton.sides for _ in POINTS]
    points = [getattr(skeleton.foot_points(side), name) for side in skeleton.sides for name in POINTS]
    return kinematics.attached(positions, orientations, joints, np.array(points).reshape(-1, 3))


@pytest.mark.parametrize("translations", [False, True])
@pytest.mark.parametrize("skeleton", FIGURES, ids=repr)
def test_nothing_moves_in_the_world(skeleton: Skeleton, translations: bool) -> None:
    motion = smooth_motion(skeleton, size=1.5, frames=12, translations=translations)
    again = reframe(motion)
    assert_allclose(again.positions, motion.positions, **CLOSE)
    assert_allclose(again.ends, motion.ends, **CLOSE)
    assert (again.fps, len(again)) == (motion.fps, len(motion))
    assert_allclose(again.skeleton.bone_lengths, skeleton.bone_lengths, **CLOSE)
    assert again.skeleton.names == skeleton.names
    assert again.skeleton.roles == skeleton.roles


@pytest.mark.parametrize("skeleton", FIGURES, ids=repr)
def test_rest_is_the_pose_of_no_rotation(skeleton: Skeleton) -> None:
    plain = reframe_skeleton(skeleton)
    assert_array_equal(plain.rest, quat.identity(len(skeleton)))
    assert_allclose(plain.rest_positions, skeleton.rest_positions, **CLOSE)
    assert_allclose(plain.rest_ends, skeleton.rest_ends, **CLOSE)
    resting = reframe(smooth_motion(skeleton, frames=1, size=0.0))
    assert_allclose(resting.rotations, quat.identity(1, len(skeleton)), **CLOSE)


def test_a_framed_figure_becomes_the_plain_one() -> None:
    plain = humanoid()
    back = reframe_skeleton(framed(plain, 3))
    assert back.same_bones(plain, tolerance=1e-12)
    assert_allclose(back.end_offsets, plain.end_offsets, **CLOSE)
    motion = smooth_motion(plain, size=1.0)
    again = reframe(in_frames(motion, framed(plain, 3)))
    assert_allclose(quat.to_matrix(again.rotations), quat.to_matrix(motion.rotations), **CLOSE)


def test_twice_is_once() -> None:
    once = reframe(smooth_motion(framed(humanoid(), 4)))
    twice = reframe(once)
    assert_array_equal(twice.rotations, once.rotations)
    assert_array_equal(twice.skeleton.offsets, once.skeleton.offsets)


@pytest.mark.parametrize("given", [False, True])
def test_foot_points_stay_where_they_are_in_the_world(given: bool) -> None:
    skeleton = framed(humanoid(), 7)
    if given:
        rng = np.random.default_rng(0)
        skeleton = skeleton.with_feet(
            left=FootPoints(*rng.normal(size=(4, 3))), right=FootPoints(*rng.normal(size=(4, 3)))
        )
    motion = smooth_motion(skeleton, size=1.0)
    again = reframe(motion)
    assert_allclose(
        soles(again.skeleton, again.positions, again.orientations),
        soles(skeleton, motion.positions, motion.orientations),
        **CLOSE,
    )


def test_batches() -> None:
    motion = smooth_motion(framed(humanoid(), 1), frames=4, batch=(2, 3), translations=True)
    assert_allclose(reframe(motion).positions, motion.positions, **CLOSE)
