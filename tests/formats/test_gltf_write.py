"""GLB out: what comes back is what was saved, and an independent reader sees the same figure and skin."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.figure.mannequin import build_mannequin
from footfall.figure.motion import Motion
from footfall.figure.pose import Pose, standing_height
from footfall.formats.gltf_write import write_glb
from footfall.formats.load import load_motion
from footfall.formats.save import save_motion
from footfall.geometry import quaternion as quat
from tests.formats.motions import MADE, person
from tests.formats.plain_gltf import PlainGltf
from tests.formats.sameness import assert_same_skeleton, strays

SINGLE = 1e-6  # what single precision leaves of a metre or a rotation

made = pytest.mark.parametrize("name", MADE)


def again(motion: Motion, folder: Path) -> Motion:
    save_motion(motion, folder / "again.glb")
    return load_motion(folder / "again.glb")


@made
def test_skeleton_rate_and_frames_come_back(name: str, tmp_path: Path) -> None:
    motion = MADE[name]()
    loaded = again(motion, tmp_path)
    assert_same_skeleton(loaded, motion)
    assert loaded.fps == motion.fps
    assert len(loaded) == len(motion)
    reach = max(1.0, float(np.abs(motion.positions).max(initial=0.0)))
    assert strays(loaded, motion) < SINGLE * 5 * reach
    moved = motion.translations is not None and len(motion) > 0
    assert (loaded.translations is not None) == moved


@made
def test_further_rounds_do_not_drift(name: str, tmp_path: Path) -> None:
    first = again(MADE[name](), tmp_path)
    later = again(again(again(first, tmp_path), tmp_path), tmp_path)
    assert_same_skeleton(later, first)
    np.testing.assert_allclose(later.root, first.root, rtol=0, atol=0)
    assert quat.angle_between(later.rotations, first.rotations).max(initial=0.0) < SINGLE


def test_writing_is_deterministic_and_leaves_the_motion_alone() -> None:
    motion = person()
    before = motion.rotations.copy()
    assert write_glb(motion) == write_glb(motion) == write_glb(person())
    np.testing.assert_array_equal(motion.rotations, before)


@made
def test_nodes_and_animation_place_the_joints_where_we_do(name: str) -> None:
    motion = MADE[name]()
    plain = PlainGltf(write_glb(motion))
    assert [node["name"] for node in plain.document["nodes"][:-1]] == list(motion.skeleton.names)
    standing = Pose.at_rest(motion.skeleton).forward(motion.skeleton)[0]
    reach = max(1.0, float(np.abs(motion.positions).max(initial=0.0)))
    np.testing.assert_allclose(plain.node_matrices(None)[:-1, :3, 3], standing, atol=1e-9 * reach)
    if not len(motion):
        assert "animations" not in plain.document
        return
    np.testing.assert_allclose(plain.key_times(), motion.times, rtol=1e-6, atol=1e-12)
    for frame in {0, len(motion) // 2, len(motion) - 1}:
        seen = plain.node_matrices(frame)[:-1, :3, 3]
        np.testing.assert_allclose(seen, motion.positions[frame], atol=SINGLE * 5 * reach)


@made
def test_skinning_by_plain_matrices_equals_the_posed_mannequin(name: str) -> None:
    motion = MADE[name]()
    skeleton = motion.skeleton
    plain, body = PlainGltf(write_glb(motion)), build_mannequin(skeleton)
    standing = np.array([0.0, standing_height(skeleton), 0.0])
    reach = 5 * max(1.0, float(np.abs(motion.positions).max(initial=0.0)), float(np.abs(body.vertices).max()))
    places, normals = plain.skinned(None)
    np.testing.assert_allclose(places, body.vertices + standing, atol=SINGLE * reach)
    np.testing.assert_allclose(normals, body.normals, atol=1e-5)
    for frame in {0, len(motion) // 2, len(motion) - 1} if len(motion) else ():
        places, normals = plain.skinned(frame)
        ours = body.posed(skeleton, motion.positions[frame], motion.orientations[frame])
        np.testing.assert_allclose(places, ours[0], atol=SINGLE * reach)
        np.testing.assert_allclose(normals, ours[1], atol=1e-4)


def test_the_mesh_is_stored_as_it_was_built() -> None:
    motion = person()
    plain, body = PlainGltf(write_glb(motion)), build_mannequin(motion.skeleton)
    np.testing.assert_array_equal(plain.mesh["indices"], body.triangles)
    np.testing.assert_allclose(plain.mesh["COLOR_0"], body.colours, atol=1e-7)
    np.testing.assert_allclose(plain.mesh["WEIGHTS_0"].sum(axis=1), 1.0, atol=1e-7)
    lowest = plain.mesh["POSITION"][:, 1].min()
    assert abs(lowest) < 0.01
    (primitive,) = plain.document["meshes"][0]["primitives"]
    bounds = plain.document["accessors"][primitive["attributes"]["POSITION"]]
    np.testing.assert_array_equal(np.float32(bounds["min"]), plain.mesh["POSITION"].min(axis=0))
    np.testing.assert_array_equal(np.float32(bounds["max"]), plain.mesh["POSITION"].max(axis=0))


def test_quaternions_never_change_hemisphere_between_keys() -> None:
    """A viewer that blends four numbers instead of turns must not spin a joint the long way round."""
    plain = PlainGltf(write_glb(MADE["turning"]()))
    animation = plain.document["animations"][0]
    for channel, sampler in zip(animation["channels"], animation["samplers"], strict=True):
        if channel["target"]["path"] == "rotation":
            keys = plain.array(sampler["output"]).astype(float)
            assert (np.sum(keys[1:] * keys[:-1], axis=1) > 0).all()
            np.testing.assert_allclose(np.linalg.norm(keys, axis=1), 1.0, atol=1e-6)


def test_roles_of_joints_that_share_a_name_come_back(tmp_path: Path) -> None:
    motion = person(frames=2)
    nameless = replace(motion.skeleton, names=("bone",) * len(motion.skeleton))
    loaded = again(replace(motion, skeleton=nameless), tmp_path)
    assert dict(loaded.skeleton.roles) == dict(nameless.roles)
