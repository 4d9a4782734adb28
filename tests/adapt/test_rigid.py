"""Motions whose file moves joints, made rigid: the same places, or a refusal that names the joint."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.adapt.rigid import LOOSE, rigid
from footfall.errors import RequestError
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from tests.figure.figures import PLAIN_NAMES, figure, framed, humanoid, smooth_motion

UNDER_A_ROOT = figure({"root": "Reference", **PLAIN_NAMES})
FRAMES = 60


def told(motion: Motion, translations: np.ndarray | None = None) -> Motion:
    """The same motion, with its offsets told again in every frame as many exporters do."""
    if translations is None:
        translations = np.tile(motion.skeleton.offsets, (len(motion), 1, 1))
    return replace(motion, translations=translations)


def wandering(skeleton: Skeleton, **joints: float) -> Motion:
    """Joints by role that move against their parents, by up to so many metres from where they mostly are."""
    motion = told(smooth_motion(skeleton, frames=FRAMES))
    assert motion.translations is not None
    moved = motion.translations.copy()
    for role, size in joints.items():
        # at rest for more than half of the time, then off and back
        away = np.maximum(np.sin(np.linspace(0.0, 3.0 * np.pi, FRAMES)) - 0.5, 0.0) * 2.0
        away = away / away.max()
        moved[:, skeleton.joint(role)] += size * away[:, None] * np.array([0.6, 0.0, 0.8])
    return replace(motion, translations=moved)


@pytest.mark.parametrize("seed", [None, 1, 2])
@pytest.mark.parametrize("rooted", [False, True])
def test_offsets_told_as_translations_change_no_place(seed: int | None, rooted: bool) -> None:
    skeleton = UNDER_A_ROOT if rooted else humanoid()
    skeleton = skeleton if seed is None else framed(skeleton, seed)
    motion = told(smooth_motion(skeleton, frames=FRAMES, seed=3))
    found = rigid(motion)
    assert found.translations is None
    assert_allclose(found.positions, motion.positions, atol=1e-9)
    assert_allclose(found.ends, motion.ends, atol=1e-9)
    assert_array_equal(found.rotations, motion.rotations)
    assert found.skeleton.same_bones(skeleton)
    assert found.skeleton.roles == skeleton.roles


def test_bones_of_other_lengths_than_the_skeletons_are_believed() -> None:
    """What a file tells in every frame counts, not what its header says."""
    motion = smooth_motion(UNDER_A_ROOT, frames=FRAMES)
    longer = np.tile(1.1 * UNDER_A_ROOT.offsets, (FRAMES, 1, 1))
    found = rigid(told(motion, longer))
    assert_allclose(found.positions, told(motion, longer).positions, atol=1e-9)
    assert_allclose(found.skeleton.offsets[1:], 1.1 * UNDER_A_ROOT.offsets[1:], atol=1e-12)


def test_a_motion_without_translations_is_itself() -> None:
    motion = smooth_motion(humanoid(), frames=5)
    assert rigid(motion) is motion


@pytest.mark.parametrize("seed", [None, 4])
def test_hips_that_move_are_carried_by_the_root(seed: int | None) -> None:
    skeleton = UNDER_A_ROOT if seed is None else framed(UNDER_A_ROOT, seed)
    motion = wandering(skeleton, hips=1.7)
    found = rigid(motion)
    hips = skeleton.joint("hips")
    assert hips == 1
    assert found.translations is None
    # all but the root itself is where it was
    assert_allclose(found.positions[:, hips:], motion.positions[:, hips:], atol=1e-9)
    assert_allclose(found.ends, motion.ends, atol=1e-9)
    assert np.ptp(found.root - motion.root, axis=0).max() > 0.5
    assert_allclose(found.skeleton.offsets[hips], skeleton.offsets[hips], atol=1e-12)
    # and bones keep their lengths
    apart = np.linalg.norm(found.positions[:, 1:] - found.positions[:, skeleton.parents[1:]], axis=-1)
    assert np.ptp(apart, axis=0).max() < 1e-9


def test_hips_that_never_rest_hang_where_the_skeleton_has_them() -> None:
    motion = told(smooth_motion(UNDER_A_ROOT, frames=FRAMES))
    assert motion.translations is not None
    moved = motion.translations.copy()
    hips = UNDER_A_ROOT.joint("hips")
    moved[:, hips] += np.linspace(1.0, 4.0, FRAMES)[:, None] * np.array([0.0, 0.1, 1.0])
    motion = replace(motion, translations=moved)
    found = rigid(motion)
    assert_allclose(found.positions[:, hips:], motion.positions[:, hips:], atol=1e-9)
    assert_array_equal(found.skeleton.offsets, UNDER_A_ROOT.offsets)


def test_jitter_is_left_out() -> None:
    motion = wandering(UNDER_A_ROOT, left_foot=0.9 * LOOSE, hips=0.5 * LOOSE)
    found = rigid(motion)
    away = np.linalg.norm(found.positions - motion.positions, axis=-1)
    assert away.max() < 1.4 * LOOSE + 1e-9
    # most of the time joints are where they mostly are: then nothing is changed
    assert (away.max(axis=1) < 1e-9).mean() > 0.5


@pytest.mark.parametrize("role", ["left_hand", "right_foot", "head", "spine"])
def test_a_joint_that_really_moves_is_refused_and_named(role: str) -> None:
    motion = wandering(UNDER_A_ROOT, **{role: 0.15})
    name = UNDER_A_ROOT.names[UNDER_A_ROOT.joint(role)]
    with pytest.raises(RequestError) as refused:
        rigid(motion)
    assert str(refused.value) == (
        f"the joint {name!r} moves by 0.150 m against its parent: bones that keep their lengths are needed"
    )


def test_the_loosest_joint_is_named_and_moving_hips_excuse_no_other() -> None:
    motion = wandering(UNDER_A_ROOT, left_hand=0.05, right_hand=0.3, hips=2.0)
    with pytest.raises(RequestError, match=r"the joint 'RightHand' moves by 0\.300 m against its parent"):
        rigid(motion)


@pytest.mark.parametrize(("size", "fine"), [(0.99 * LOOSE, True), (1.01 * LOOSE, False)])
def test_loose_is_the_limit(size: float, fine: bool) -> None:
    motion = wandering(UNDER_A_ROOT, chest=size)
    if fine:
        assert rigid(motion).translations is None
    else:
        with pytest.raises(RequestError, match=r"the joint 'Chest' moves by 0\.020 m"):
            rigid(motion)


def test_hips_that_do_not_hang_on_the_root_cannot_be_carried() -> None:
    skeleton = Skeleton.build(
        ["World", "Rig", *UNDER_A_ROOT.names[1:]],
        [-1, 0, *(UNDER_A_ROOT.parents[1:] + 1)],
        np.concatenate([np.zeros((2, 3)), UNDER_A_ROOT.offsets[1:]]),
    )
    assert skeleton.parents[skeleton.joint("hips")] == 1
    with pytest.raises(RequestError, match=r"the joint 'Hips' moves by 1\.000 m against its parent"):
        rigid(wandering(skeleton, hips=1.0))


def test_what_the_root_is_told_to_do_beside_its_path_does_not_matter() -> None:
    motion = told(smooth_motion(humanoid(), frames=FRAMES))
    assert motion.translations is not None
    moved = motion.translations.copy()
    moved[:, 0] += np.linspace(0.0, 9.0, FRAMES)[:, None]  # its path is `root`
    found = rigid(replace(motion, translations=moved))
    assert_allclose(found.positions, motion.positions, atol=1e-9)
    assert_array_equal(found.skeleton.offsets[0], humanoid().offsets[0])


def test_all_else_is_kept() -> None:
    stands = np.ones((FRAMES, 2), dtype=bool)
    motion = replace(wandering(UNDER_A_ROOT, hips=0.5), contacts=Contacts(stands, stands), fps=48.0)
    kept = motion.translations.copy(), motion.root.copy()  # type: ignore[union-attr]
    found = rigid(motion)
    assert found.fps == 48.0
    assert found.contacts is motion.contacts
    assert_array_equal(motion.translations, kept[0])
    assert_array_equal(motion.root, kept[1])
    assert_array_equal(UNDER_A_ROOT.offsets, motion.skeleton.offsets)


def test_twice_is_once() -> None:
    once = rigid(wandering(UNDER_A_ROOT, hips=0.5, left_foot=0.01))
    assert rigid(once) is once
