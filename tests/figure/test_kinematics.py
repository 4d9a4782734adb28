"""Forward kinematics against a chain of 4x4 matrices; the Jacobian against finite differences."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from footfall.figure import kinematics
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from tests.figure.figures import framed, humanoid, random_skeleton, smooth_motion
from tests.figure.plain_kinematics import plain_forward

CLOSE = {"rtol": 0.0, "atol": 1e-12}
FIGURES = [humanoid(), framed(humanoid(), 4), random_skeleton(1, 40), random_skeleton(2, 1)]


def matrices(skeleton: Skeleton, root: np.ndarray, rotations: np.ndarray, places: np.ndarray) -> np.ndarray:
    """World matrices of one frame: each joint's is its parent's times its own, by SciPy's rotations."""
    world = np.zeros((len(skeleton), 4, 4))
    for j, parent in enumerate(skeleton.parents):
        local = np.eye(4)
        local[:3, :3] = Rotation.from_quat(rotations[j], scalar_first=True).as_matrix()
        local[:3, 3] = root if j == 0 else places[j]
        world[j] = local if j == 0 else world[parent] @ local
    return world


def turned(motion: Motion, joint: int, turn: np.ndarray) -> Motion:
    """The motion with one joint's world orientation turned, everything below it following."""
    above = motion.skeleton.parents[joint]
    parent = quat.identity() if above < 0 else motion.orientations[..., above, :]
    rotations = np.array(motion.rotations)
    world = quat.multiply(quat.exp(turn), motion.orientations[..., joint, :])
    rotations[..., joint, :] = quat.multiply(quat.conjugate(parent), world)
    return motion.with_rotations(rotations)


@pytest.mark.parametrize("translations", [False, True])
@pytest.mark.parametrize("skeleton", FIGURES, ids=repr)
def test_forward_is_a_chain_of_matrices(skeleton: Skeleton, translations: bool) -> None:
    motion = smooth_motion(skeleton, frames=5, size=2.0, translations=translations)
    for frame in range(len(motion)):
        places = skeleton.offsets if motion.translations is None else motion.translations[frame]
        world = matrices(skeleton, motion.root[frame], motion.rotations[frame], places)
        assert_allclose(motion.positions[frame], world[:, :3, 3], **CLOSE)
        assert_allclose(quat.to_matrix(motion.orientations[frame]), world[:, :3, :3], **CLOSE)
        ends = np.concatenate([skeleton.end_offsets, np.ones((len(skeleton.end_parents), 1))], axis=1)
        expected = np.einsum("eij,ej->ei", world[skeleton.end_parents], ends)[:, :3]
        assert_allclose(motion.ends[frame], expected, **CLOSE)


@pytest.mark.parametrize("translations", [False, True])
@pytest.mark.parametrize("batch", [(), (2, 3)])
@pytest.mark.parametrize("skeleton", FIGURES, ids=repr)
def test_forward_is_the_plain_one_to_the_last_bit(
    skeleton: Skeleton, batch: tuple[int, ...], translations: bool
) -> None:
    motion = smooth_motion(skeleton, frames=7, batch=batch, size=2.0, translations=translations)
    given = motion.root, motion.rotations, motion.translations
    for compiled, plain in zip(
        kinematics.forward(skeleton.tree, skeleton.offsets, *given),
        plain_forward(skeleton.tree, skeleton.offsets, *given),
        strict=True,
    ):
        assert_array_equal(compiled, plain)


def test_forward_of_no_frames() -> None:
    skeleton = humanoid()
    count = len(skeleton)
    positions, orientations = kinematics.forward(
        skeleton.tree, skeleton.offsets, np.zeros((0, 3)), np.zeros((0, count, 4))
    )
    assert positions.shape == (0, count, 3)
    assert orientations.shape == (0, count, 4)


def test_forward_over_any_leading_axes() -> None:
    skeleton = humanoid()
    motion = smooth_motion(skeleton, frames=6, batch=(2, 3), translations=True)
    assert motion.positions.shape == (2, 3, 6, len(skeleton), 3)
    assert motion.ends.shape == (2, 3, 6, len(skeleton.end_parents), 3)
    for a in range(2):
        for b in range(3):
            one = Motion(
                skeleton, motion.root[a, b], motion.rotations[a, b], motion.fps, motion.translations[a, b]
            )
            assert_array_equal(one.positions, motion.positions[a, b])
            assert_array_equal(one.orientations, motion.orientations[a, b])
    pose = motion.pose(4)
    positions, _ = pose.forward(skeleton)
    assert_array_equal(positions, motion.positions[:, :, 4])
    single = kinematics.forward(
        skeleton.tree, skeleton.offsets, motion.root[0, 0, 0], motion.rotations[0, 0, 0]
    )
    assert single[0].shape == (len(skeleton), 3)


def test_bones_keep_their_lengths() -> None:
    motion = smooth_motion(framed(humanoid(), 2), size=3.0)
    parents = motion.skeleton.parents[1:]
    bones = np.linalg.norm(motion.positions[:, 1:] - motion.positions[:, parents], axis=-1)
    assert_allclose(bones, np.broadcast_to(motion.skeleton.bone_lengths[1:], bones.shape), **CLOSE)


@pytest.mark.parametrize("skeleton", FIGURES, ids=repr)
def test_to_local_undoes_forward(skeleton: Skeleton) -> None:
    motion = smooth_motion(skeleton, frames=7, batch=(2,), size=2.0)
    before = np.array(motion.orientations)
    assert_allclose(kinematics.to_local(skeleton.tree, motion.orientations), motion.rotations, **CLOSE)
    assert_array_equal(motion.orientations, before)


def test_attached_points_move_rigidly_with_their_joint() -> None:
    motion = smooth_motion(framed(humanoid(), 9), frames=9, size=1.5)
    rng = np.random.default_rng(0)
    joints, points = rng.integers(0, len(motion.skeleton), 12), rng.normal(size=(12, 3))
    world = kinematics.attached(motion.positions, motion.orientations, joints, points)
    assert world.shape == (9, 12, 3)
    for i, (joint, point) in enumerate(zip(joints, points, strict=True)):
        turn = Rotation.from_quat(motion.orientations[:, joint], scalar_first=True)
        assert_allclose(world[:, i], motion.positions[:, joint] + turn.apply(point), **CLOSE)
    zero = kinematics.attached(motion.positions, motion.orientations, list(range(25)), np.zeros((25, 3)))
    assert_array_equal(zero, motion.positions)
    none = kinematics.attached(motion.positions, motion.orientations, [], np.zeros((0, 3)))
    assert none.shape == (9, 0, 3)


STEP = 1e-5


@pytest.mark.parametrize("seed", range(6))
def test_jacobian_is_the_derivative(seed: int) -> None:
    """Central differences over the root and over every joint, for a random point on a random joint."""
    skeleton = FIGURES[seed % 3]
    rng = np.random.default_rng(seed)
    motion = smooth_motion(skeleton, frames=2, seed=seed, size=1.5)
    joint = int(rng.integers(1, len(skeleton)))
    inside = rng.normal(size=(1, 3))

    def place(moved: Motion) -> np.ndarray:
        return kinematics.attached(moved.positions, moved.orientations, [joint], inside)[:, 0]

    found = kinematics.jacobian(skeleton.tree, motion.positions, joint, place(motion))
    assert found.shape == (2, 3, 3 + 3 * len(skeleton))
    expected = np.zeros_like(found)
    expected[:, :, :3] = np.eye(3)
    for turning in range(len(skeleton)):
        for axis in range(3):
            small = STEP * np.eye(3)[axis]
            change = place(turned(motion, turning, small)) - place(turned(motion, turning, -small))
            expected[:, :, 3 + 3 * turning + axis] = change / (2 * STEP)
    assert_allclose(found, expected, rtol=0.0, atol=1e-6)
    above = set(skeleton.tree.ancestors(joint))
    for other in set(range(len(skeleton))) - above:
        assert_array_equal(found[:, :, 3 + 3 * other : 6 + 3 * other], 0.0)


def test_jacobian_of_a_joint_itself_ignores_its_own_turn() -> None:
    motion = smooth_motion(humanoid(), frames=3)
    hand = motion.skeleton.joint("left_hand")
    found = kinematics.jacobian(motion.skeleton.tree, motion.positions, hand)
    assert_array_equal(found[:, :, 3 + 3 * hand : 6 + 3 * hand], 0.0)
    given = kinematics.jacobian(motion.skeleton.tree, motion.positions, hand, motion.positions[:, hand])
    assert_array_equal(found, given)


def test_jacobian_over_any_leading_axes() -> None:
    motion = smooth_motion(humanoid(), frames=3, batch=(2,))
    tree = motion.skeleton.tree
    many = kinematics.jacobian(tree, motion.positions, 11)
    assert many.shape == (2, 3, 3, 3 + 3 * 25)
    assert_array_equal(kinematics.jacobian(tree, motion.positions[1, 2], 11), many[1, 2])
