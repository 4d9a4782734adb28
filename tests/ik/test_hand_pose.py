"""Open hands and fists: within joint limits, mirrored, and the same whichever way a hand rests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.actor.humanoid import humanoid
from footfall.figure import kinematics
from footfall.figure.joint_limits import excess, limits_of
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.ik.hand import hand_of
from footfall.ik.hand_pose import HandPoses, poses_of
from tests.figure.figures import framed


def poses(side: str, skeleton: Skeleton | None = None) -> HandPoses:
    return poses_of(hand_of(humanoid() if skeleton is None else skeleton, side))


def posed(given: HandPoses, share: float) -> np.ndarray:
    """Finger joints and tips in the frame of the palm, by forward kinematics."""
    skeleton, hand = given.hand.skeleton, given.hand
    rotations = np.array(skeleton.rest)
    rotations[hand.joints] = given.rotations(np.full(len(hand.roles), share))
    places, turns = kinematics.forward(skeleton.tree, skeleton.offsets, np.zeros(3), rotations)
    ends = kinematics.attached(places, turns, skeleton.end_parents, skeleton.end_offsets)
    tips = np.array([ends[skeleton.end_parents == hand.joints[last]][0] for last in hand.starts[1:] - 1])
    points = np.concatenate([places[hand.joints], tips]) - places[hand.joint]
    return quat.rotate(quat.conjugate(turns[hand.joint]), points) @ hand.frame


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_joints_stay_within_their_limits(side: str, share: float) -> None:
    given = poses(side)
    rotations = np.array(given.hand.skeleton.rest)
    rotations[given.hand.joints] = given.rotations(np.full(15, share))
    # between two poses within the limits a thumb's way is not straight in them: half a degree
    assert excess(limits_of(given.hand.skeleton), rotations).max() < np.radians(0.5)


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_hands_mirror_each_other_and_frames_do_not_matter(share: float) -> None:
    left = posed(poses("left"), share)
    assert_allclose(posed(poses("right"), share), left, atol=1e-12)
    assert_allclose(posed(poses("right", framed(humanoid())), share), left, atol=1e-9)


def test_open_fingers_are_long_and_closed_ones_are_a_fist() -> None:
    given = poses("left")
    opened, closed = posed(given, 0.0)[-5:], posed(given, 1.0)[-5:]  # tips: along, across, out of the palm
    knuckles = (given.hand.places @ given.hand.frame)[given.hand.starts[:-1]]
    assert (opened[1:, 0] > knuckles[1:, 0] + 0.06).all()
    assert (opened[1:, 2] > 0.0).all()  # a little bent
    assert (np.diff(opened[1:, 1]) < -0.015).all()  # fanned out, index first
    assert (closed[1:, 0] < knuckles[1:, 0]).all()  # back over the palm
    assert ((closed[1:, 2] > 0.0) & (closed[1:, 2] < 0.06)).all()
    # the thumb starts far out of the palm and to the side, and ends before the fingers
    assert opened[0, 2] > 0.04
    assert opened[0, 1] > knuckles[1, 1] + 0.03
    assert knuckles[3, 1] < closed[0, 1] < opened[0, 1] - 0.03
    assert closed[0, 2] > 0.015


def test_a_hand_that_rests_bent_takes_the_same_poses() -> None:
    plain = humanoid()
    bent = np.array(plain.rest)
    for finger in ("index", "middle", "ring", "little"):
        bent[plain.joint(f"left_{finger}_2")] = quat.from_axis_angle(np.array([0.0, 0.0, 1.0]), -0.3)
    # limits are told from the rest pose: bends that they would take back are left out here
    resting = poses_of(hand_of(replace(plain, rest=bent), "left"))
    assert_allclose(posed(resting, 0.0)[3:15], posed(poses("left"), 0.0)[3:15], atol=1e-9)
