"""Mirrored motions: joints that are never turned stay so, and everything is where the mirror has it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

import footfall as ff
from footfall.adapt.still_joints import mirrored_with_still_joints
from footfall.figure.mirror import mirror
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from tests.captured import captured
from tests.captures import needs_captures

STILL = ("left_clavicle", "right_clavicle")


@cache
def lopsided() -> Motion:
    """A walk on a figure whose shoulders are not even, and are never turned."""
    motion = ff.VirtualActor().walk(1.2).motion
    s = motion.skeleton
    offsets = np.array(s.offsets)
    offsets[s.joint("left_upper_arm")] += [0.0, 0.03, 0.01]
    figure = Skeleton(s.names, s.parents, offsets, s.rest, s.roles, s.end_parents, s.end_offsets)
    rotations = np.array(motion.rotations)
    for role in STILL:
        rotations[:, s.joint(role)] = s.rest[s.joint(role)]
    return Motion(figure, motion.root, rotations, motion.fps, contacts=motion.contacts)


def test_the_plain_mirror_would_turn_what_is_still() -> None:
    """Or there would be nothing to do."""
    joint = lopsided().skeleton.joint("left_clavicle")
    assert np.abs(mirror(lopsided()).rotations[:, joint] - lopsided().rotations[:, joint]).max() > 0.01


def test_what_is_still_stays_as_it_is() -> None:
    seen = mirrored_with_still_joints(lopsided())
    for role in STILL:
        joint = seen.skeleton.joint(role)
        assert_array_equal(seen.rotations[:, joint], lopsided().rotations[:, joint])


def test_those_below_make_up_for_it() -> None:
    """All that hangs below is turned in the world as the mirror has it."""
    plain, seen = mirror(lopsided()), mirrored_with_still_joints(lopsided())
    skeleton = seen.skeleton
    moves = np.ones(len(skeleton), dtype=bool)
    moves[[skeleton.joint(role) for role in STILL]] = False
    dots = np.abs(np.sum(plain.orientations * seen.orientations, axis=-1))
    assert_allclose(dots[:, moves], 1.0, atol=1e-9)
    legs = [skeleton.joint(r) for r in ("left_foot", "right_foot", "head")]
    assert_allclose(plain.positions[:, legs], seen.positions[:, legs], atol=1e-9)
    assert_array_equal(seen.root, plain.root)
    assert plain.contacts is not None
    assert seen.contacts is not None
    assert_array_equal(plain.contacts.heel, seen.contacts.heel)


def test_twice_gives_back() -> None:
    again = mirrored_with_still_joints(mirrored_with_still_joints(lopsided()))
    assert_allclose(again.positions, lopsided().positions, atol=1e-9)


def test_where_all_joints_move_it_is_the_plain_mirror() -> None:
    motion = ff.VirtualActor().walk(1.2).motion
    rng = np.random.default_rng(0)
    rotations = np.array(motion.rotations) + 1e-3 * rng.normal(size=motion.rotations.shape)
    moving = replace(motion, rotations=rotations / np.linalg.norm(rotations, axis=-1, keepdims=True))
    assert_array_equal(mirrored_with_still_joints(moving).rotations, mirror(moving).rotations)


def test_the_root_is_never_still() -> None:
    """A figure that stands and turns nothing at all is still mirrored: its root goes to the other side."""
    frame = ff.VirtualActor().walk(1.2).motion[10:11]
    still = replace(
        frame, root=np.tile(frame.root, (5, 1)), rotations=np.tile(frame.rotations, (5, 1, 1)), contacts=None
    )
    seen = mirrored_with_still_joints(still)
    assert_allclose(seen.root, still.root * [-1.0, 1.0, 1.0])
    assert_allclose(seen.rotations[:, 0], mirror(still).rotations[:, 0])


def test_a_joint_told_by_opposite_quaternions_is_still() -> None:
    """As clips that are put together may have it."""
    rotations = np.array(lopsided().rotations)
    rotations[len(rotations) // 2 :] *= -1.0
    told = replace(lopsided(), rotations=rotations)
    assert_allclose(told.positions, lopsided().positions, atol=1e-12)
    seen, plain = mirrored_with_still_joints(told), mirrored_with_still_joints(lopsided())
    assert_allclose(seen.positions, plain.positions, atol=1e-9)


@needs_captures
def test_still_joints_of_a_capture() -> None:
    """Such skeletons have joints at the hips that no frame turns."""
    clip = captured("turn-side-back/69_01.bvh")[:150]
    still = np.flatnonzero(np.ptp(clip.rotations, axis=0).max(axis=-1) < 1e-9)
    still = still[still > 0]
    assert len(still) > 0
    seen = mirrored_with_still_joints(clip)
    assert_array_equal(seen.rotations[:, still], clip.rotations[:, still])
    again = mirrored_with_still_joints(seen)
    assert_allclose(again.positions, clip.positions, atol=1e-6)
