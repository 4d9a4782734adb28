"""The mirror: twice is nothing, and what it shows is the reflected figure."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from footfall.figure.mirror import even_rest, mirror, mirror_pairs
from footfall.figure.skeleton import Skeleton
from footfall.formats.load import load_motion
from footfall.geometry import quaternion as quat
from tests.captures import captures
from tests.figure.figures import (
    FAMILY_CLIPS,
    framed,
    humanoid,
    in_frames,
    meaningless_names,
    random_skeleton,
    renamed,
    smooth_motion,
)

REFLECT = np.array([-1.0, 1.0, 1.0])
CLOSE = {"rtol": 0.0, "atol": 1e-12}
PERSON = humanoid()


def partners(skeleton: Skeleton) -> list[int]:
    """Each joint's partner by its plain name."""
    swap = {"Left": "Right", "Right": "Left"}
    names = [next((swap[s] + n[len(s) :] for s in swap if n.startswith(s)), n) for n in skeleton.names]
    return [skeleton.index(n) for n in names]


@pytest.mark.parametrize("translations", [False, True])
@pytest.mark.parametrize("seed", [None, 1, 2, 3])
def test_positions_are_the_reflected_positions_of_the_partners(seed: int | None, translations: bool) -> None:
    motion = smooth_motion(PERSON, seed=7, size=1.0, translations=translations)
    if seed is not None:
        motion = in_frames(motion, framed(PERSON, seed))
    shown = mirror(motion)
    pairs = partners(motion.skeleton)
    assert_allclose(shown.positions, (motion.positions * REFLECT)[:, pairs], **CLOSE)
    # end sites too: each tip's partner hangs on its joint's partner
    tips = [
        int(np.flatnonzero(motion.skeleton.end_parents == pairs[p])[0]) for p in motion.skeleton.end_parents
    ]
    assert_allclose(shown.ends, (motion.ends * REFLECT)[:, tips], **CLOSE)
    assert shown.skeleton is motion.skeleton


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 2**31), st.integers(1, 30), st.booleans())
def test_twice_gives_the_motion_back_for_any_skeleton(seed: int, joints: int, translations: bool) -> None:
    skeleton = random_skeleton(seed, joints).scaled(0.1)  # bones of ten centimetres
    motion = smooth_motion(skeleton, frames=4, seed=seed, size=2.0, translations=translations)
    back = mirror(mirror(motion))
    assert_array_equal(back.root, motion.root)
    assert_allclose(back.rotations, motion.rotations, **CLOSE)
    assert_allclose(back.positions, motion.positions, **CLOSE)
    if translations:
        assert_allclose(back.translations, motion.translations, **CLOSE)


@pytest.mark.parametrize("translations", [False, True])
@pytest.mark.parametrize("seed", [None, 1, 2])
def test_twice_gives_the_person_back(seed: int | None, translations: bool) -> None:
    skeleton = PERSON if seed is None else framed(PERSON, seed)
    motion = smooth_motion(skeleton, size=2.0, translations=translations)
    back = mirror(mirror(motion))
    assert_allclose(back.rotations, motion.rotations, **CLOSE)
    assert_allclose(back.positions, motion.positions, **CLOSE)


def test_the_rest_pose_is_its_own_mirror_image() -> None:
    skeleton = framed(PERSON, 8)
    motion = smooth_motion(skeleton, frames=2, size=0.0)
    shown = mirror(motion)
    assert_allclose(shown.rotations, motion.rotations, **CLOSE)


def test_a_left_turn_becomes_a_right_turn() -> None:
    motion = smooth_motion(PERSON, frames=5, size=0.0)
    rotations = np.array(motion.rotations)
    rotations[:, 0] = quat.from_axis_angle(np.array([0.0, 1.0, 0.0]), np.linspace(0.0, 1.0, 5))
    shown = mirror(motion.with_rotations(rotations))
    assert_allclose(shown.rotations[:, 0], quat.conjugate(rotations[:, 0]), **CLOSE)


def test_a_raised_left_arm_becomes_a_raised_right_arm() -> None:
    skeleton = framed(PERSON, 3)
    motion = smooth_motion(PERSON, frames=1, size=0.0)
    rotations = np.array(motion.rotations)
    rotations[0, PERSON.joint("left_upper_arm")] = quat.from_axis_angle(np.array([0.0, 0.0, 1.0]), 1.0)
    raised = in_frames(motion.with_rotations(rotations), skeleton)
    shown = mirror(raised)
    left, right = shown.of("left_hand")[0], shown.of("right_hand")[0]
    assert right[1] - left[1] == pytest.approx(0.53 * np.sin(1.0), abs=1e-12)


def test_batches() -> None:
    motion = smooth_motion(framed(PERSON, 1), frames=5, batch=(2,), translations=True)
    shown = mirror(motion)
    one = mirror(
        replace(
            motion, root=motion.root[1], rotations=motion.rotations[1], translations=motion.translations[1]
        )
    )
    assert_array_equal(shown.positions[1], one.positions)


@pytest.mark.parametrize("seed", [None, 5])
def test_an_uneven_rest_pose_does_no_harm(seed: int | None) -> None:
    """Bones that rest a few degrees off on one side only: equal lengths still give the exact image."""
    rest = np.array(PERSON.rest)
    rng = np.random.default_rng(1)
    for name in ("LeftUpperArm", "LeftForearm", "LeftThigh", "RightShank"):
        rest[PERSON.index(name)] = quat.exp(0.1 * rng.normal(size=3))
    uneven = replace(PERSON, rest=rest)
    skeleton = uneven if seed is None else framed(uneven, seed)
    motion = smooth_motion(skeleton, size=1.0)
    assert_allclose(
        mirror(motion).positions, (motion.positions * REFLECT)[:, partners(skeleton)], rtol=0, atol=1e-9
    )


@pytest.mark.parametrize("seed", [None, 5])
def test_an_even_rest_pose_is_left_alone(seed: int | None) -> None:
    skeleton = PERSON if seed is None else framed(PERSON, seed)
    assert_allclose(even_rest(skeleton, mirror_pairs(skeleton)), skeleton.rest_orientations, **CLOSE)


class TestPairs:
    @pytest.mark.parametrize("seed", [None, 4])
    def test_of_the_person(self, seed: int | None) -> None:
        skeleton = PERSON if seed is None else framed(PERSON, seed)
        assert_array_equal(mirror_pairs(skeleton), partners(skeleton))

    def test_from_place_alone(self) -> None:
        skeleton = replace(renamed(PERSON, meaningless_names(len(PERSON))), roles={})
        assert_array_equal(mirror_pairs(skeleton), partners(PERSON))

    def test_from_names_alone(self) -> None:
        skeleton = replace(PERSON, roles={})
        assert_array_equal(mirror_pairs(skeleton), partners(PERSON))

    @settings(deadline=None, max_examples=100)
    @given(st.integers(0, 2**31), st.integers(1, 40))
    def test_are_mutual_on_any_skeleton(self, seed: int, joints: int) -> None:
        pairs = mirror_pairs(random_skeleton(seed, joints))
        assert_array_equal(pairs[pairs], np.arange(joints))

    def test_a_hidden_eye_does_not_pair_with_what_is_not_its_own(self) -> None:
        """One side lacks a toe: the other's toe stands alone."""
        names = [n for n in PERSON.names if n != "RightToe"]
        keep = [PERSON.index(n) for n in names]
        parents = [-1, *(names.index(PERSON.names[PERSON.parents[k]]) for k in keep[1:])]
        skeleton = Skeleton.build(names, parents, PERSON.offsets[keep])
        pairs = mirror_pairs(skeleton)
        assert pairs[names.index("LeftToe")] == names.index("LeftToe")
        assert pairs[names.index("LeftFoot")] == names.index("RightFoot")


def unevenness(skeleton: Skeleton) -> np.ndarray:
    """How far each joint can be from its image because bones of the two sides differ, from the root on."""
    pairs = mirror_pairs(skeleton)
    turns = even_rest(skeleton, pairs)
    bones = np.zeros((len(skeleton), 3))
    bones[1:] = quat.rotate(turns[skeleton.parents[1:]], skeleton.offsets[1:])
    differ = np.linalg.norm(bones - (bones * REFLECT)[pairs], axis=-1)
    return np.array([differ[skeleton.tree.ancestors(j)].sum() for j in range(len(skeleton))])


@pytest.mark.parametrize("family", FAMILY_CLIPS)
def test_real_figures_are_as_symmetric_as_their_bones(family: str) -> None:
    motion = load_motion(captures(FAMILY_CLIPS[family]))
    skeleton = motion.skeleton
    shown = mirror(motion)
    image = (motion.positions * REFLECT)[:, mirror_pairs(skeleton)]
    apart = np.linalg.norm(shown.positions - image, axis=-1)
    if motion.translations is None:
        assert (apart <= unevenness(skeleton) + 1e-9).all()
    legs = [j for role, j in skeleton.roles.items() if role.endswith(("thigh", "shank", "foot", "toe"))]
    assert apart[:, legs].max(initial=0.0) < 0.03
    assert apart.max(initial=0.0) < 0.035  # the fingers of subject 74
    back = mirror(shown)
    assert_allclose(back.positions, motion.positions, **CLOSE)
    assert_allclose(back.rotations, motion.rotations, **CLOSE)


@pytest.mark.parametrize("family", FAMILY_CLIPS)
def test_every_side_of_a_real_figure_has_its_partner(family: str) -> None:
    skeleton = load_motion(captures(FAMILY_CLIPS[family])).skeleton
    pairs = mirror_pairs(skeleton)
    aside = skeleton.rest_positions[:, 0] - skeleton.rest_positions[0, 0]
    alone = [skeleton.names[j] for j in range(len(skeleton)) if pairs[j] == j and abs(aside[j]) > 0.05]
    assert alone == []
