"""Bodies as numbers: told and given back, yaws added up, tilts without yaw."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from footfall.geometry import quaternion as quat
from footfall.models.stepspace.body_channels import FIRST, ROOT, TILT, YAW, BodyChannels, parted
from tests.models.stepspace.spaces import small_space

SEEDS = st.integers(0, 2**32 - 1)


def turns_of(q: np.ndarray) -> Rotation:
    return Rotation.from_quat(q.reshape(-1, 4), scalar_first=True)


def apart(a: np.ndarray, b: np.ndarray) -> float:
    return float((turns_of(a).inv() * turns_of(b)).magnitude().max())


@settings(deadline=None)
@given(SEEDS)
def test_a_turn_is_a_yaw_after_a_tilt(seed: int) -> None:
    turn = Rotation.random(20, random_state=seed)
    yaw, tilt = parted(turn.as_quat(scalar_first=True))
    assert (np.abs(yaw) <= np.pi).all()
    assert_allclose(tilt[:, 2], 0.0, atol=1e-12)  # about a level axis
    facing = Rotation.from_rotvec(np.stack([0.0 * yaw, yaw, 0.0 * yaw], axis=1))
    assert (turn.inv() * (facing * turns_of(tilt))).magnitude().max() < 1e-7
    # the same turn told by the opposite quaternion
    other, tilted = parted(-turn.as_quat(scalar_first=True))
    assert_allclose(np.exp(1j * other), np.exp(1j * yaw), atol=1e-9)
    assert apart(tilt, tilted) < 1e-7


def test_a_body_is_told_and_given_back() -> None:
    space = small_space()
    table, channels = space.left, space.channels
    told = channels.told(table.root, table.rotations)
    assert told.shape == (*table.root.shape[:2], channels.count)
    assert channels.count == FIRST + 3 * (len(table.skeleton) - 1)
    assert_allclose(told[..., ROOT], table.root)
    assert apart(channels.rotations(told), table.rotations) < 1e-7
    assert apart(channels.rotations(channels.told(table.root, -table.rotations)), table.rotations) < 1e-7


@settings(max_examples=20, deadline=None)
@given(SEEDS)
def test_any_posture_is_told_and_given_back(seed: int) -> None:
    channels = small_space().channels
    joints = len(channels.reference)
    rotations = Rotation.random(3 * joints, random_state=seed).as_quat(scalar_first=True)
    rotations = rotations.reshape(3, joints, 4)
    assert apart(channels.rotations(channels.told(np.zeros((3, 3)), rotations)), rotations) < 1e-6


@pytest.mark.parametrize("by", [0.3, -2.0, 7.0])
def test_a_yaw_turns_the_body_as_a_whole(by: float) -> None:
    space = small_space()
    body = space.sides[0].body[5].copy()
    before = space.channels.rotations(body)
    body[:, YAW] += by
    after = space.channels.rotations(body)
    assert apart(after[:, 1:], before[:, 1:]) < 1e-9
    world = Rotation.from_rotvec([0.0, by, 0.0]) * turns_of(before[:, 0])
    assert apart(after[:, 0], world.as_quat(scalar_first=True)) < 1e-7


def test_logarithms_are_short() -> None:
    """From the mean over all steps none is near half a turn, and on average there is none."""
    logs = np.concatenate([side.body for side in small_space().sides])[..., TILT.start :]
    lengths = np.linalg.norm(logs.reshape(*logs.shape[:2], -1, 3), axis=-1)
    assert lengths.max() < 2.0
    assert np.abs(logs.mean(axis=(0, 1))).max() < 0.05


def test_the_reference_is_the_mean_that_scipy_finds() -> None:
    space = small_space()
    both = space.left.with_more(space.left.mirrored())
    reference = BodyChannels.of(both).reference
    assert_allclose(reference, space.channels.reference, atol=1e-12)
    for joint in (1, space.skeleton.joint("left_thigh"), space.skeleton.joint("right_forearm")):
        mean = turns_of(both.rotations[:, :, joint]).mean()
        assert (mean.inv() * turns_of(reference[joint])).magnitude().max() < 0.02


def test_the_mirror_has_the_same_numbers_with_other_signs() -> None:
    """Of joints in the middle: pitch stays, yaw and roll change their signs."""
    left, right = small_space().sides
    assert_allclose(right.body[..., ROOT], left.body[..., ROOT] * [-1.0, 1.0, 1.0], atol=1e-9)
    assert_allclose(right.body[..., YAW], -left.body[..., YAW], atol=1e-6)
    assert_allclose(right.body[..., TILT], left.body[..., TILT] * [1.0, -1.0, -1.0], atol=1e-6)


def test_channels_add_up_along_a_geodesic() -> None:
    """Halfway between two numbers of one joint the turn is halfway, where the logarithms are parallel."""
    channels = small_space().channels
    body = np.zeros(channels.count)
    joint = 4
    at = slice(FIRST + 3 * (joint - 1), FIRST + 3 * joint)
    ends = []
    for angle in (-0.4, 0.0, 0.4):
        body[at] = [angle, 0.0, 0.0]
        ends.append(channels.rotations(body[None])[0, joint])
    assert_allclose(ends[1], quat.slerp(ends[0], ends[2], 0.5), atol=1e-12)
    assert_allclose(ends[1], channels.reference[joint], atol=1e-12)
