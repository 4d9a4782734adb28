"""Floors: fitted, levelled, and soles measured on them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from footfall.adapt.calibrate_feet import calibrate_feet
from footfall.adapt.level_floor import level_floor
from footfall.adapt.normalize import normalize
from footfall.analysis.contacts import detect_contacts
from footfall.analysis.facing import root_headings
from footfall.analysis.floor import fit_floor
from footfall.analysis.plants import detect_plants
from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.formats.load import load_motion
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from tests.captures import captures


def floor_of(motion: Motion):
    return fit_floor(detect_plants(motion, detect_contacts(motion)))


def tilted(motion: Motion, degrees: float, about: np.ndarray, lift: float) -> Motion:
    turn = quat.from_axis_angle(about, np.radians(degrees))
    rotations = np.array(motion.rotations)
    rotations[:, 0] = quat.multiply(turn, rotations[:, 0])
    return replace(motion, root=quat.rotate(turn, motion.root) + lift * ground.UP, rotations=rotations)


@pytest.mark.parametrize("name", ["walk/07_01", "walk/07_04", "walk/08_11", "walk/136_21"])
def test_known_tilted_floors_are_found(name: str) -> None:
    floor = floor_of(load_motion(captures(f"{name}.bvh")))
    assert floor.one
    assert 0.5 < np.degrees(floor.tilt) < 1.4


@pytest.mark.parametrize("name", ["walk/16_16", "turn-side-back/69_24", "turn-side-back/69_33"])
def test_level_floors_are_level(name: str) -> None:
    floor = floor_of(load_motion(captures(f"{name}.bvh")))
    assert floor.one
    assert np.degrees(floor.tilt) < 0.4


@pytest.mark.parametrize("name", ["stairs-uneven/83_31", "stairs-uneven/36_01", "steps/83_14", "steps/83_25"])
def test_stairs_blocks_and_ledges_are_no_floor(name: str) -> None:
    clip = load_motion(captures(f"{name}.bvh"))
    assert not floor_of(clip).one
    with pytest.raises(RequestError, match="no floor to level"):
        level_floor(clip)


def test_an_added_tilt_is_found_and_taken_out() -> None:
    clip = load_motion(captures("turn-side-back/69_36.bvh"))  # walks every way, so any tilt shows
    before = floor_of(clip)
    for axis in (np.array([1.0, 0, 0]), np.array([0, 0, 1.0]), np.array([0.6, 0, 0.8])):
        leaning = tilted(clip, 2.0, axis, 0.3)
        added = quat.rotate(quat.from_axis_angle(axis, np.radians(2.0)), before.normal)
        assert np.degrees(np.arccos(floor_of(leaning).normal @ added)) < 0.25
        levelled = level_floor(leaning)
        after = floor_of(levelled)
        assert np.degrees(after.tilt) < 0.1
        assert abs(after.point[1]) < 0.002
        # nothing but a rigid motion of the whole
        apart = np.linalg.norm(levelled.positions[0, 3] - levelled.positions[-1, 9])
        assert apart == pytest.approx(np.linalg.norm(clip.positions[0, 3] - clip.positions[-1, 9]), abs=1e-9)


def test_soles_of_a_subject_lie_flat_once_calibrated() -> None:
    clips = [load_motion(p) for p in sorted(captures("turn-side-back").glob("69_*.bvh"))]
    skeleton = calibrate_feet(clips[0].skeleton, clips)
    depths = {s: np.linalg.norm(skeleton.foot_points(s).subtalar) for s in skeleton.sides}
    # the study of this subject: ankles 7.7 and 8.9 cm high, so 1.2 cm apart
    assert depths["right"] - depths["left"] == pytest.approx(0.012, abs=0.003)
    calibrated = [(replace(c, skeleton=skeleton), detect_contacts(c)) for c in clips]
    pitches = [p.pitch for clip, contacts in calibrated for p in detect_plants(clip, contacts) if p.flat]
    assert abs(np.degrees(np.median(pitches))) < 1.0


def test_calibration_needs_clips_of_the_skeleton() -> None:
    one, other = (load_motion(captures(f"walk/{n}.bvh")) for n in ("16_16", "07_01"))
    with pytest.raises(RequestError, match="one skeleton"):
        calibrate_feet(one.skeleton, [other])


def test_normalized_motions_start_at_the_origin_and_keep_their_lean() -> None:
    clip = load_motion(captures("walk/16_47.bvh"))
    for turn in (0.0, 1.0, -2.5):
        moved = normalize(tilted(clip, np.degrees(turn), ground.UP, 0.0))
        assert np.abs(moved.of("hips")[0, [0, 2]]).max() < 1e-12
        assert abs(root_headings(moved)[0]) < 1e-12
        assert np.abs(moved.positions - normalize(clip).positions).max() < 1e-9
        assert np.abs(moved.positions[..., 1] - clip.positions[..., 1]).max() < 1e-9
