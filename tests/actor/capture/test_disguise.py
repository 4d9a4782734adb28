"""Disguises: what stays keeps its place exactly; names tell the roles again; other people stand as firmly."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.actor.capture.disguise import GROWTH, Disguise, disguised, without_joints
from footfall.actor.humanoid import humanoid
from footfall.actor.range_of_motion import range_of_motion
from footfall.errors import RequestError, SkeletonError
from footfall.figure.contacts import runs_of
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.figure.soles import sole_places, toe_places
from footfall.formats.load import load_motion
from footfall.formats.save import save_motion
from footfall.geometry import quaternion as quat
from tests.captured import captured
from tests.captures import needs_captures
from tests.figure.figures import framed, random_skeleton, smooth_motion
from tests.gaits import made

EXACT = {"rtol": 0.0, "atol": 1e-12}
SIDES = ("left", "right")
TAKEN_AWAY = {"no_clavicles": "clavicle", "no_toes": "toe"}


def shrugging(skeleton: Skeleton, fps: float = 30.0) -> Motion:
    """A range of motion in which the clavicles move too."""
    motion = range_of_motion(skeleton, fps=fps)
    rotations = np.array(motion.rotations)
    for side, phase in zip(SIDES, (0.0, 1.0), strict=True):
        joint = skeleton.joint(f"{side}_clavicle")
        shrug = quat.exp(0.3 * np.sin(2.0 * motion.times + phase)[:, None] * np.array([0.3, 0.5, 0.8]))
        rotations[:, joint] = quat.multiply(rotations[:, joint], shrug)
    return motion.with_rotations(rotations)


def remaining(motion: Motion, disguise: Motion) -> list[int]:
    """Which joints of a motion the disguised one still has, in its order."""
    return [motion.skeleton.index(name) for name in disguise.skeleton.names]


@pytest.mark.parametrize("frames_of_its_own", [False, True])
@pytest.mark.parametrize("disguise", TAKEN_AWAY)
def test_what_remains_keeps_place_and_turn(disguise: Disguise, frames_of_its_own: bool) -> None:
    figure = framed(humanoid(), seed=5) if frames_of_its_own else humanoid()
    motion = shrugging(figure)
    other = disguised(motion, disguise)
    kept = remaining(motion, other)
    assert_allclose(other.positions, motion.positions[:, kept], **EXACT)
    assert_allclose(other.orientations, motion.orientations[:, kept], **EXACT)
    assert_allclose(other.skeleton.rest_positions, figure.rest_positions[kept], **EXACT)
    assert_allclose(other.skeleton.rest_orientations, figure.rest_orientations[kept], **EXACT)
    assert other.contacts is motion.contacts
    gone = {f"{side}_{TAKEN_AWAY[disguise]}" for side in SIDES}
    assert set(figure.roles) - set(other.skeleton.roles) == gone
    for role, joint in other.skeleton.roles.items():
        assert kept[joint] == figure.joint(role)


def test_only_clavicles_that_move_make_translations() -> None:
    still, moving = range_of_motion(humanoid(), fps=30.0), shrugging(humanoid())
    assert disguised(still, "no_clavicles").translations is None
    other = disguised(moving, "no_clavicles")
    assert other.translations is not None
    apart = np.abs(other.translations - other.skeleton.offsets).max(axis=(0, 2))
    apart[0] = 0.0  # the root's own is nobody's place
    arms = [other.skeleton.joint(f"{side}_upper_arm") for side in SIDES]
    assert_array_equal(np.flatnonzero(apart), sorted(arms))
    assert apart[arms].min() > 0.01


def test_without_clavicles_all_end_sites_are_where_they_were() -> None:
    motion = shrugging(humanoid())
    assert_allclose(disguised(motion, "no_clavicles").ends, motion.ends, **EXACT)


@pytest.mark.parametrize("frames_of_its_own", [False, True])
def test_without_toes_an_end_site_is_left_at_each(frames_of_its_own: bool) -> None:
    figure = framed(humanoid(), seed=5) if frames_of_its_own else humanoid()
    motion = range_of_motion(figure, fps=30.0)
    other = disguised(motion, "no_toes")
    toes = {side: figure.joint(f"{side}_toe") for side in SIDES}
    for side in SIDES:
        (end,) = np.flatnonzero(other.skeleton.end_parents == other.skeleton.joint(f"{side}_foot"))
        assert_allclose(other.ends[:, end], motion.positions[:, toes[side]], **EXACT)
    untouched = ~np.isin(figure.end_parents, list(toes.values()))
    assert_allclose(other.ends[:, : untouched.sum()], motion.ends[:, untouched], **EXACT)
    assert len(other.skeleton.end_parents) == len(figure.end_parents)


@pytest.mark.parametrize("seed", range(6))
def test_any_joints_of_any_tree_can_be_taken_away(seed: int) -> None:
    """Chains of them, branching ones and leaves; in motions with translations too."""
    rng = np.random.default_rng(seed)
    motion = smooth_motion(random_skeleton(seed), frames=12, seed=seed)
    if seed % 2:
        shape = (*motion.rotations.shape[:-1], 3)
        motion = replace(motion, translations=motion.skeleton.offsets + 0.1 * rng.normal(size=shape))
    gone = set(rng.choice(np.arange(1, len(motion.skeleton)), size=8, replace=False).tolist())
    other = without_joints(motion, gone)
    kept = remaining(motion, other)
    assert set(range(len(motion.skeleton))) - set(kept) == gone
    assert_allclose(other.positions, motion.positions[..., kept, :], **EXACT)
    assert_allclose(other.orientations, motion.orientations[..., kept, :], **EXACT)
    for joint, parent in zip(kept[1:], other.skeleton.parents[1:], strict=True):
        above = next(j for j in motion.skeleton.tree.ancestors(joint)[1:] if j not in gone)
        assert kept[parent] == above
    assert_allclose(
        np.unique(other.skeleton.rest_ends, axis=0), rest_ends_without(motion.skeleton, gone), **EXACT
    )


def rest_ends_without(skeleton: Skeleton, gone: set[int]) -> np.ndarray:
    """End sites of all that has something left; and the top of each branch that has nothing left."""
    tree = skeleton.tree
    empty = {j for j in gone if not tree.descendants(j) - gone}
    ends = [p for j, p in zip(skeleton.end_parents, skeleton.rest_ends, strict=True) if j not in empty]
    tops = [skeleton.rest_positions[j] for j in empty if tree.parent(j) not in empty]
    return np.unique(np.array([*ends, *tops]), axis=0)


def test_foot_points_stay_with_the_feet() -> None:
    figure = humanoid()
    figure = figure.with_feet(left=figure.foot_points("right"))
    motion = range_of_motion(figure, fps=10.0)
    for disguise in ("no_clavicles", "no_toes", "other_names"):
        other = disguised(motion, disguise).skeleton
        assert other.feet is not None
        for side in SIDES:
            assert other.foot_points(side).as_lists() == figure.foot_points(side).as_lists()


# names


def test_roles_are_found_again_from_other_names() -> None:
    motion = range_of_motion(humanoid(), fps=30.0)
    other = disguised(motion, "other_names")
    assert dict(other.skeleton.roles) == dict(motion.skeleton.roles)
    assert len(set(other.skeleton.names)) == len(other.skeleton)
    assert all(name.startswith("mixamorig:") for name in other.skeleton.names)
    spine = other.skeleton.tree.path(other.skeleton.joint("hips"), other.skeleton.joint("chest"))
    assert [other.skeleton.names[j].partition(":")[2] for j in spine] == ["Hips", "Spine", "Spine1", "Spine2"]
    assert other.positions.tobytes() == motion.positions.tobytes()
    assert other.ends.tobytes() == motion.ends.tobytes()


def test_files_tell_the_roles_and_places_too(tmp_path: Path) -> None:
    """All three disguises at once, through a BVH, whose reader knows nothing of them."""
    motion = shrugging(humanoid())
    other = disguised(disguised(disguised(motion, "no_clavicles"), "no_toes"), "other_names")
    save_motion(other, tmp_path / "other.bvh")
    back = load_motion(tmp_path / "other.bvh")
    order = remaining(other, back)  # a BVH tells its joints limb by limb
    assert sorted(order) == list(range(len(other.skeleton)))
    assert {r: order[j] for r, j in back.skeleton.roles.items()} == dict(other.skeleton.roles)
    assert_allclose(back.positions, other.positions[:, order], rtol=0.0, atol=1e-6)


@needs_captures
@pytest.mark.parametrize("file", ["walk/07_01.bvh", "formats/test_freebvh.bvh", "formats/11_01.amc"])
def test_captures_can_be_disguised(file: str) -> None:
    motion = captured(file)
    other = disguised(motion, "other_names")
    assert dict(other.skeleton.roles) == dict(motion.skeleton.roles)
    assert other.positions.tobytes() == motion.positions.tobytes()
    for disguise in TAKEN_AWAY:
        other = disguised(motion, disguise)  # type: ignore[arg-type]
        assert_allclose(other.positions, motion.positions[:, remaining(motion, other)], **EXACT)


# proportions


def growth(motion: Motion, other: Motion) -> np.ndarray:
    lengths = motion.skeleton.bone_lengths
    return np.divide(other.skeleton.bone_lengths, lengths, out=np.ones_like(lengths), where=lengths > 0)


@pytest.mark.parametrize("seed", range(4))
def test_legs_arms_and_trunk_grow_each_by_its_own_share(seed: int) -> None:
    motion = made("walk", 30.0).given
    other = disguised(motion, "other_proportions", seed=seed)
    figure, grown = motion.skeleton, growth(motion, other)
    parts = {
        "legs": [f"{s}_{part}" for s in SIDES for part in ("shank", "foot")],
        "arms": [f"{s}_{part}" for s in SIDES for part in ("forearm", "hand")],
        "trunk": ["spine", "chest", "neck", "head", *(f"{s}_clavicle" for s in SIDES)],
    }
    factors = []
    for roles in parts.values():
        share = grown[[figure.joint(role) for role in roles]]
        assert np.ptp(share) < 1e-12
        assert GROWTH[0] - 1e-12 <= abs(share[0] - 1.0) <= GROWTH[1] + 1e-12
        factors.append(share[0])
    assert np.diff(np.sort(factors)).min() > 1e-3
    for role in (f"{s}_{part}" for s in SIDES for part in ("thigh", "toe", "index_1", "thumb_3")):
        assert grown[figure.joint(role)] == 1.0
    assert other.contacts is motion.contacts
    assert other.fps == motion.fps


@pytest.mark.parametrize("gait", ["walk", "turn", "backward", "run", "ramp", "stand"])
def test_what_stood_stands_on_other_proportions(gait: str) -> None:
    """Retargeting leaves a frame at either end of a contact unpinned: so less than half a millimetre."""
    motion = made(gait, 60.0).given
    other = disguised(motion, "other_proportions", seed=1)
    assert other.contacts is not None
    strays = []
    for side in SIDES:
        for mask, places in (
            (other.contacts.heel_of(side), sole_places(other, side)[:, 0]),
            (other.contacts.toe_of(side), toe_places(other, side)),
        ):
            for first, last in runs_of(mask):
                stance = places[first:last]
                strays.append(np.linalg.norm(stance - np.median(stance, axis=0), axis=-1).max())
    assert max(strays) < 5e-4
    assert np.median(strays) < 1e-5


def test_the_seed_decides_the_proportions() -> None:
    motion = made("walk", 30.0).given
    one, again, other = (disguised(motion, "other_proportions", seed=s) for s in (1, 1, 2))
    assert one.positions.tobytes() == again.positions.tobytes()
    assert not one.skeleton.same_bones(other.skeleton)


# refusals


def test_what_is_not_there_cannot_be_taken_away() -> None:
    motion = range_of_motion(humanoid(), fps=10.0)
    for disguise, part in TAKEN_AWAY.items():
        bare = disguised(motion, disguise)  # type: ignore[arg-type]
        with pytest.raises(SkeletonError, match=f"no {part} that could be taken away"):
            disguised(bare, disguise)  # type: ignore[arg-type]


def test_an_unknown_disguise_is_refused_with_a_list() -> None:
    motion = range_of_motion(humanoid(), fps=10.0)
    with pytest.raises(RequestError, match=", ".join(get_args(Disguise))):
        disguised(motion, "moustache")  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [-1, 0.5, None, "one", True])
def test_a_seed_is_a_whole_number(seed: object) -> None:
    motion = made("stand", 30.0).given
    with pytest.raises(RequestError, match="seed must be a whole number"):
        disguised(motion, "other_proportions", seed=seed)  # type: ignore[arg-type]
