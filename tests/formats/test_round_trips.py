"""Captures of every skeleton family, whole, through GLB and BVH and back: every joint where it was."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from footfall.figure.motion import Motion
from footfall.formats.bvh_write import UNWRITABLE
from footfall.formats.load import load_capture, load_motion
from footfall.formats.save import save_motion
from tests.captures import needs_captures
from tests.families import FAMILIES, load_family
from tests.formats.motions import MADE
from tests.formats.sameness import assert_same_skeleton, depth_first, strays

CLOSE = 1e-5  # m

families = pytest.mark.parametrize("file", FAMILIES.values())


@needs_captures
@families
def test_captures_come_back_through_glb(file: str, tmp_path: Path) -> None:
    motion = load_family(file)
    save_motion(motion, tmp_path / "saved.glb")
    loaded = load_motion(tmp_path / "saved.glb")
    assert_same_skeleton(loaded, motion)
    assert loaded.fps == motion.fps
    assert len(loaded) == len(motion)
    assert strays(loaded, motion) < CLOSE


@needs_captures
@families
def test_captures_come_back_through_bvh(file: str, tmp_path: Path) -> None:
    motion = load_family(file)
    assert_comes_back_through_bvh(motion, tmp_path)


@pytest.mark.parametrize("name", MADE)
def test_made_motions_come_back_through_bvh(name: str, tmp_path: Path) -> None:
    assert_comes_back_through_bvh(MADE[name](), tmp_path)


def assert_comes_back_through_bvh(motion: Motion, folder: Path) -> None:
    """Names, roles, rate, joints and end sites; the rest pose and the soles are what a BVH cannot hold."""
    save_motion(motion, folder / "saved.bvh")
    capture = load_capture(folder / "saved.bvh", unit="m", up="y")
    loaded, order = capture.motion, depth_first(motion.skeleton)
    assert capture.dropped == 0
    assert len(loaded) == len(motion)
    assert loaded.fps == pytest.approx(motion.fps, rel=1e-11)
    assert loaded.skeleton.names == tuple(
        UNWRITABLE.sub("_", motion.skeleton.names[j]).strip() for j in order
    )
    far = np.linalg.norm(loaded.positions - motion.positions[:, order], axis=-1)
    assert far.max(initial=0.0) < 1e-8
    ends = sorted(
        range(len(motion.skeleton.end_parents)), key=lambda e: order.index(motion.skeleton.end_parents[e])
    )
    far = np.linalg.norm(loaded.ends - motion.ends[:, ends], axis=-1)
    assert far.max(initial=0.0) < 1e-8


@needs_captures
@families
def test_roles_come_back_through_bvh(file: str, tmp_path: Path) -> None:
    motion = load_family(file)
    save_motion(motion, tmp_path / "saved.bvh")
    skeleton = load_motion(tmp_path / "saved.bvh", unit="m", up="y").skeleton
    named = {role: motion.skeleton.names[joint] for role, joint in motion.skeleton.roles.items()}
    assert {role: skeleton.names[joint] for role, joint in skeleton.roles.items()} == named
