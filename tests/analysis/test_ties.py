"""Moments and pairs that tie by construction are the same whatever the last digits are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from footfall.actor.hand_poses import hand_pose
from footfall.actor.humanoid import humanoid
from footfall.actor.virtual_actor import VirtualActor
from footfall.analysis.apex import detect_jumps, reach_apex
from footfall.analysis.contacts import detect_contacts
from footfall.analysis.self_contact import self_contact
from footfall.analysis.strikes import brake_ends, looped_strikes, strike_frames
from footfall.figure.motion import Motion
from footfall.figure.resample import at_times
from footfall.geometry import quaternion as quat

pytestmark = pytest.mark.cpu
JITTER = 1e-9
BODY = humanoid()


def changed(motion: Motion, seed: int) -> Motion:
    rng = np.random.default_rng(seed)
    root = motion.root + JITTER * rng.uniform(-1.0, 1.0, motion.root.shape)
    turns = quat.exp(0.5 * JITTER * rng.uniform(-1.0, 1.0, (*motion.rotations.shape[:-1], 3)))
    return replace(motion, root=root, rotations=quat.multiply(turns, motion.rotations))


def test_a_jump_whose_apex_lies_between_two_frames() -> None:
    jump = VirtualActor(0).jump(0.8, 0.3).motion
    contacts = jump.contacts
    assert contacts is not None
    first = int(np.flatnonzero(~contacts.stands("left"))[0])
    last = int(np.flatnonzero(~contacts.stands("left"))[-1]) + 1
    middle = 0.5 * (first + last - 1)
    heights = 0.9 - 4.9 * ((np.arange(len(jump)) - middle) / jump.fps) ** 2  # the same on both its sides
    root = np.array(jump.root)
    root[first:last, 1] = heights[first:last]
    even = replace(jump, root=root)
    found = {detect_jumps(changed(even, seed), contacts)[0].apex for seed in range(10)}
    assert found == {int(np.floor(middle))}


def test_a_hand_that_holds_still_is_at_its_apex_when_it_comes_to_rest() -> None:
    take = VirtualActor(0).reach(np.array([-0.3, 1.1, 0.45]), hold=0.8)
    found = {reach_apex(changed(take.motion, seed), "right") for seed in range(10)}
    assert len(found) == 1
    assert found.pop() / take.motion.fps == pytest.approx(take.keytimes[1], abs=0.3)


def test_a_foot_that_stands_still_stops_braking_once() -> None:
    t = np.linspace(0.0, 1.0, 61)
    speed = np.where(t < 0.3, 2.0 * np.cos(np.pi * t / 0.6) ** 2, 0.0) + np.where(t > 0.7, t - 0.7, 0.0)
    frames = [
        tuple(brake_ends(np.abs(speed + JITTER * np.random.default_rng(k).uniform(-1, 1, 61))))
        for k in range(20)
    ]
    assert set(frames) == {frames[0]}
    assert len(frames[0]) == 1


def test_strikes_of_a_steady_walk() -> None:
    walk = VirtualActor(1).walk(1.3, steps=6).motion
    cycle = round(2.0 * VirtualActor(1).walk(1.3, steps=6).parameters["step_seconds"] * walk.fps)
    one = walk[20 : 20 + cycle]
    assert len({strike_frames(changed(one, seed)) for seed in range(5)}) == 1
    bare = replace(at_times(walk, np.arange(3 * cycle) % cycle / walk.fps), contacts=None)
    assert len({looped_strikes(changed(bare, seed), cycle) for seed in range(5)}) == 1


def test_limbs_that_are_as_near_to_their_mirror_images() -> None:
    rotations = np.tile(BODY.rest, (8, 1, 1))
    for side in ("left", "right"):
        for role, turn in hand_pose(BODY, side, "relaxed").items():
            rotations[:, BODY.joint(role)] = turn
    still = Motion(BODY, np.tile(BODY.offsets[0], (8, 1)), rotations, 60.0)
    told = [self_contact(changed(still, seed)) for seed in range(10)]
    assert {found.pair for found in told} == {told[0].pair}
    assert {found.frame for found in told} == {0}
    for found in told:
        assert found.depth_max_m == pytest.approx(told[0].depth_max_m, abs=1e-7)


def test_contacts_of_a_clean_walk() -> None:
    walk = VirtualActor(1).walk(1.3, steps=4).motion
    before = detect_contacts(replace(walk, contacts=None))
    for seed in range(5):
        after = detect_contacts(replace(changed(walk, seed), contacts=None))
        np.testing.assert_array_equal(after.heel, before.heel)
        np.testing.assert_array_equal(after.toe, before.toe)
