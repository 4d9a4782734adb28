"""Loops against the truth: the actor's gait is periodic, so its loop is its cycle; captures close well."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.adapt.clean_contacts import clean_contacts
from footfall.adapt.normalize import placed
from footfall.analysis.facing import root_headings
from footfall.errors import RequestError
from footfall.figure.mirror import mirror
from footfall.figure.motion import Motion, local_translations
from footfall.figure.resample import resample
from footfall.figure.soles import sole_places, toe_places
from footfall.geometry import quaternion as quat
from footfall.models.ring.loop import Loop
from footfall.models.ring.looping import loop_of, piece_of
from footfall.models.ring.pose_curve import seen_joints
from footfall.models.ring.sample import sample_of
from tests.captured import captured
from tests.captures import needs_captures
from tests.models.ring.gaits import ACTOR, captured_loop, example, in_seam, loop, piece, sample

CAPTURED = (
    "walk/16_16.bvh",
    "walk/16_21.bvh",
    "walk/07_01.bvh",
    "turn-side-back/16_24.bvh",
    "turn-side-back/69_33.bvh",
    "turn-side-back/69_57.bvh",
    "run/16_35.bvh",
    "stairs-uneven/83_27.bvh",
    "stairs-uneven/83_29.bvh",
)


def bends(loop: Loop) -> np.ndarray:
    """Change of joint velocities at each frame of a loop, m/s, as it is played on."""
    played, frames = loop.cycles(3), len(loop)
    places = played.positions[:, seen_joints(played.skeleton)]
    return np.linalg.norm(np.diff(places, n=2, axis=0), axis=-1)[frames - 1 : 2 * frames - 1] * 60.0


def slide(loop: Loop, frames: np.ndarray) -> float:
    """The longest way, metres, that a touching heel or toe goes in all the frames together."""
    played, count, ways = loop.cycles(2), len(loop), []
    assert played.contacts is not None
    for side in ("left", "right"):
        heel, toe = sole_places(played, side)[:, 0], toe_places(played, side)
        for places, on in ((heel, played.contacts.heel_of(side)), (toe, played.contacts.toe_of(side))):
            steps = np.linalg.norm(np.diff(places, axis=0), axis=1) * (on[1:] & on[:-1])
            ways.append(float(steps[:count][frames].sum()))
    return max(ways)


@pytest.mark.parametrize("index", ACTOR)
def test_turn_advance_and_length_are_the_gaits_own(index: int) -> None:
    """By the parameters, and by where the clip itself is a cycle later."""
    ring, told = loop(index), example(index).parameters
    cycle = 2 * told["step_seconds"]
    assert ring.turn == pytest.approx(cycle * told["turn_rate"], abs=np.radians(0.1))
    assert ring.advance[1] == pytest.approx(2 * told.get("rise", 0.0), abs=0.002)
    assert abs(ring.seconds - cycle) <= 0.5 / 60 + 1e-3
    if told["turn_rate"] == 0:
        assert np.hypot(*ring.advance[[0, 2]]) == pytest.approx(cycle * told["speed"], abs=0.005)
    once = piece(index)
    away = once.motion.root[once.first + once.frames] - once.motion.root[once.first]
    assert_allclose(ring.advance, away, rtol=0, atol=0.005)


@pytest.mark.parametrize("index", ACTOR)
def test_the_actors_loop_goes_on_as_the_actor_does(index: int) -> None:
    """Played on beyond the seam it stays within millimetres of the clip it was taken from."""
    ring, once = loop(index), piece(index)
    known = once.motion[once.first :]
    played = ring.cycles(2)[: len(known)]
    joints = seen_joints(ring.motion.skeleton)
    assert len(known) > len(ring) + 5
    off = np.linalg.norm(played.positions[:, joints] - known.positions[:, joints], axis=-1)
    assert off.max() < 0.010
    assert off.mean() < 0.002


@pytest.mark.parametrize("index", ACTOR)
def test_outside_the_seam_nothing_is_changed(index: int) -> None:
    ring, once = loop(index), piece(index)
    own = slice(ring.seam[1], ring.seam[0] + 1)
    assert ring.seam[0] - ring.seam[1] > 0.4 * len(ring)
    cycle = once.motion[once.cycle]
    assert_array_equal(ring.motion.root[own], cycle.root[own])
    assert (np.abs(ring.motion.rotations[own]) == np.abs(cycle.rotations[own])).all()  # but for signs
    assert quat.angle_between(ring.motion.rotations[own], cycle.rotations[own]).max() < 1e-7


@pytest.mark.parametrize("index", ACTOR)
def test_the_actors_seam_is_as_smooth_as_the_rest(index: int) -> None:
    change, seam = bends(loop(index)), in_seam(loop(index))
    assert change[seam].max() < 1.3 * change[~seam].max()
    assert slide(loop(index), seam) < 0.010


@needs_captures
@pytest.mark.parametrize("file", CAPTURED)
def test_captured_gaits_close_smoothly(file: str) -> None:
    """No joint's velocity jumps more than joints do elsewhere, and standing feet slide hardly more."""
    ring = captured_loop(file)
    change, seam = bends(ring), in_seam(ring)
    assert change[seam].max() < 1.3 * change[~seam].max()
    assert (change[seam].max(axis=0) < 2.2 * change[~seam].max(axis=0)).all()  # a head is hardly ever moved
    once = seam.sum() / (~seam).sum()
    assert slide(ring, seam) < once * slide(ring, ~seam) + 0.025
    root = np.linalg.norm(np.diff(ring.cycles(3).root, n=2, axis=0), axis=1)[
        len(ring) - 1 : 2 * len(ring) - 1
    ]
    assert root[seam].max() < 2.5 * root[~seam].max()


@needs_captures
@pytest.mark.parametrize("file", CAPTURED)
def test_feet_that_were_cleaned_stand_in_the_seam_too(file: str) -> None:
    """They are under hips that differ by centimetres from cycle to cycle, and the root takes that up."""
    ring = loop_of(sample_of(clean_contacts(captured(file))))
    assert slide(ring, in_seam(ring)) < 0.0135
    assert slide(ring, ~in_seam(ring)) < 0.001


@needs_captures
@pytest.mark.parametrize("file", CAPTURED)
def test_captured_turns_are_those_of_the_clip(file: str) -> None:
    """The seam neither adds a turn nor a way of its own."""
    ring, once = captured_loop(file), piece_of(sample_of(captured(file)))
    start, end = once.first, once.first + once.frames
    headings = root_headings(once.motion)
    assert 0.45 < ring.seconds < 2.0
    assert ring.turn == pytest.approx(headings[end] - headings[start], abs=np.radians(2))
    way = np.linalg.norm(once.motion.root[end] - once.motion.root[start])
    assert np.linalg.norm(ring.advance) == pytest.approx(way, abs=0.06)


def test_where_and_which_way_the_clip_goes_moves_the_loop_along() -> None:
    turned = loop_of(placed(sample(20), 1.9, np.array([4.0, 0.5, -2.0])))
    expected = placed(loop(20).motion, 1.9, np.array([4.0, 0.5, -2.0]))
    assert turned.seam == loop(20).seam
    assert turned.strikes == loop(20).strikes
    assert turned.turn == pytest.approx(loop(20).turn, abs=1e-6)
    assert_allclose(turned.motion.positions, expected.positions, rtol=0, atol=1e-5)


def test_the_mirrored_clip_gives_the_mirrored_loop() -> None:
    other = loop_of(mirror(sample(20)))
    assert len(other) == len(loop(20))
    assert other.turn == pytest.approx(-loop(20).turn, abs=1e-4)
    assert other.strikes == loop(20).strikes[::-1]
    assert_allclose(other.advance, loop(20).advance * [-1, 1, 1], rtol=0, atol=1e-3)
    back = mirror(other.motion)
    assert_allclose(back.positions, loop(20).motion.positions, rtol=0, atol=2e-3)


def test_the_same_clip_gives_the_same_loop() -> None:
    again = loop_of(sample(20))
    assert_array_equal(again.motion.rotations, loop(20).motion.rotations)
    assert_array_equal(again.motion.root, loop(20).motion.root)


@pytest.mark.parametrize("fps", [30.0, 50.0, 120.0])
def test_clips_of_other_rates_are_looped_at_sixty(fps: float) -> None:
    ring = loop_of(resample(sample(0), fps))
    assert ring.motion.fps == 60.0
    assert len(ring) == len(loop(0))
    assert_allclose(ring.advance, loop(0).advance, rtol=0, atol=0.02)


def test_translations_of_joints_are_looped_too() -> None:
    plain = sample(0)
    told = replace(plain, translations=local_translations(plain))
    ring = loop_of(told)
    assert ring.motion.translations is not None
    assert_allclose(ring.motion.positions, loop(0).motion.positions, rtol=0, atol=1e-6)


def test_contacts_are_found_where_none_are_carried() -> None:
    ring = loop_of(replace(sample(0), contacts=None))
    assert ring.motion.contacts is not None
    for side in ("left", "right"):
        share = ring.motion.contacts.stands(side).mean()
        assert 0.5 < share < 0.8


def still(frames: int) -> Motion:
    one = sample(0)
    rotations = np.tile(one.rotations[:1], (frames, 1, 1))
    return Motion(one.skeleton, np.tile(one.root[:1], (frames, 1)), rotations, 60.0)


@pytest.mark.parametrize(
    ("motion", "words"),
    [
        (lambda: sample(0)[:40], "a little more than one gait cycle"),
        (lambda: sample(0)[:5], "lasts 0.07 s"),
        (lambda: sample(0)[:1], "lasts 0.00 s"),
        (lambda: still(100), "three steps"),
        (lambda: still(5000), "at most 2000 frames"),
        (
            lambda: Motion(still(9).skeleton, still(9).root[None], still(9).rotations[None], 60.0),
            "one by one",
        ),
    ],
)
def test_refuses_what_has_no_cycle(motion: object, words: str) -> None:
    with pytest.raises(RequestError, match=words) as refused:
        loop_of(motion())  # type: ignore[operator]
    assert "\n" not in str(refused.value)


def test_refuses_arms_that_swing_over_feet_that_stand() -> None:
    """A body that sways comes again and again, but it goes nowhere."""
    one, phase = sample(0), 2 * np.pi * np.arange(150) / 60
    rotations = np.tile(one.rotations[:1], (150, 1, 1))
    for role, axis in (("left_upper_arm", 0), ("right_upper_arm", 0), ("chest", 1), ("left_forearm", 2)):
        joint = one.skeleton.joint(role)
        swing = quat.exp(0.5 * np.sin(phase + axis)[:, None] * np.eye(3)[axis])
        rotations[:, joint] = quat.multiply(rotations[:, joint], swing)
    swaying = Motion(one.skeleton, np.tile(one.root[:1], (150, 1)), rotations, 60.0)
    with pytest.raises(RequestError, match="never leaves the ground"):
        loop_of(swaying)


def test_refuses_a_root_that_stays_where_the_hips_go() -> None:
    one = sample(0)
    moved = np.array(local_translations(one))
    moved[:, one.skeleton.joint("spine")] += np.linspace(0, 1, len(one))[:, None]
    roles = {**one.skeleton.roles, "hips": one.skeleton.joint("spine")}
    rig = replace(one, skeleton=replace(one.skeleton, roles=roles), translations=moved)
    with pytest.raises(RequestError, match="retarget it"):
        loop_of(rig)


@needs_captures
@pytest.mark.parametrize("file", ["turn-side-back/16_42.bvh", "jump/16_05.bvh", "reach/115_06.bvh"])
def test_refuses_captures_that_do_not_repeat(file: str) -> None:
    with pytest.raises(RequestError, match="a loop needs a little more than one gait cycle"):
        captured_loop(file)
