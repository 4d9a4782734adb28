"""Toes in walks through a ring: they do what toes can, and go no faster than those of its clips."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from footfall.adapt.foot_lock import lock_feet
from footfall.adapt.foot_lock_bends import BENT, ToeJoint
from footfall.control.gait import GaitController
from footfall.figure.contacts import SIDES, Contacts
from footfall.figure.motion import Motion
from footfall.figure.resample import resample
from footfall.geometry import quaternion as quat
from footfall.models.ring.build import build_ring
from footfall.models.ring.model import MotionRing
from footfall.world.generators.generate import generate
from footfall.world.generators.generated import Generated
from tests.captured import captured
from tests.captures import needs_captures
from tests.models.ring.rings import small_ring

CLIPS = (
    "walk/16_16.bvh",
    "walk/16_21.bvh",
    "turn-side-back/16_13.bvh",
    "turn-side-back/16_25.bvh",
    "stairs-uneven/83_27.bvh",
    "stairs-uneven/113_19.bvh",
)
FRAMES = 2400
EASILY = np.radians(70.0)  # up: more only where the foot stands steeply
FASTEST = np.radians(36.0)  # a frame of 60 Hz


@cache
def captured_ring() -> MotionRing:
    return build_ring([captured(file) for file in CLIPS], names=CLIPS)


@cache
def ground(kind: str) -> Generated:
    return generate(kind, 7, size=(14.0, 40.0))


@cache
def walk(ring_of: Callable[[], MotionRing], kind: str) -> Motion:
    """Forty seconds there and back, as the ground lets it."""
    ring, made = ring_of(), ground(kind)
    places = np.array([step.position for step in made.crossing.placements])[:, [0, 2]]
    middle = places[len(places) // 2]
    gait = GaitController(ring, place=(float(middle[0]), float(middle[1])))
    poses, touching = [], []
    for frame in range(FRAMES):
        if frame % 40 == 0:
            gait.command(heading=0.4 * np.sin(frame) + (np.pi if frame % 1200 >= 600 else 0.0))
        poses.append(np.array(gait.advance(1.0 / 60.0, made.terrain)))
        touching.append(list(gait.contacts))
    rows, contacts = np.array(poses), np.array(touching, dtype=bool)
    turns = rows[:, 3:].reshape(FRAMES, -1, 4)
    return Motion(
        ring.skeleton, rows[:, :3], turns, 60.0, contacts=Contacts(contacts[:, :2], contacts[:, 2:])
    )


def bends(motion: Motion, side: str) -> np.ndarray:
    own, toe = ToeJoint.of(motion.skeleton, side), motion.skeleton.joint(f"{side}_toe")
    return quat.log(quat.multiply(motion.rotations[:, toe], quat.conjugate(own.rest))) @ own.axis


def changes(motion: Motion, side: str) -> np.ndarray:
    turns = motion.rotations[:, motion.skeleton.joint(f"{side}_toe")]
    return quat.angle_between(turns[:-1], turns[1:])


def pitches(motion: Motion, side: str) -> np.ndarray:
    """How steeply a foot points up, rad."""
    points, foot = motion.skeleton.foot_points(side), motion.skeleton.joint(f"{side}_foot")
    along = quat.rotate(motion.orientations[:, foot], points.ball - points.heel)
    return np.arcsin(along[:, 1] / np.linalg.norm(along, axis=1))


RINGS = [small_ring, pytest.param(captured_ring, marks=needs_captures)]
GROUNDS = ["bumps", "stairs", "stones"]


@pytest.mark.parametrize("ring_of", RINGS)
@pytest.mark.parametrize("kind", GROUNDS)
@pytest.mark.parametrize("locked", [False, True])
def test_toes_neither_fold_nor_snap(ring_of: Callable[[], MotionRing], kind: str, locked: bool) -> None:
    motion = walk(ring_of, kind)
    assert np.ptp(motion.root[:, [0, 2]], axis=0).max() > 5.0  # m: it walks
    if locked:
        motion = lock_feet(motion, ground(kind).terrain)
    for side in SIDES:
        bend = bends(motion, side)
        assert bend.min() > BENT[0] - 0.1
        # what stands steeply on its toes, or hangs over them, must bend them
        steeply = pitches(motion, side) < -0.7
        assert bend[~steeply].max() < EASILY
        assert bend.max() < np.radians(110.0)
        assert changes(motion, side).max() < FASTEST


@pytest.mark.parametrize("ring_of", RINGS)
def test_toes_of_loops_do_what_toes_can(ring_of: Callable[[], MotionRing]) -> None:
    tables = ring_of().tables
    for side in SIDES:
        own, toe = ToeJoint.of(tables.skeleton, side), tables.skeleton.joint(f"{side}_toe")
        turns = quat.multiply(tables.mean[toe], quat.exp(tables.tangents[:, :, toe]))
        bend = quat.log(quat.multiply(turns, quat.conjugate(own.rest))) @ own.axis
        assert bend.min() > BENT[0] - 0.02
        around = np.concatenate([bend, bend[:, :1]], axis=1)
        assert np.abs(np.diff(around, axis=1)).max() < FASTEST


@needs_captures
def test_toes_of_a_walk_go_no_faster_than_captured_ones() -> None:
    clips = [resample(captured(file), 60.0) for file in CLIPS]
    fastest = max(changes(clip, side).max() for clip in clips for side in SIDES)
    assert np.radians(20.0) < fastest
    for kind in GROUNDS:
        assert max(changes(walk(captured_ring, kind), side).max() for side in SIDES) < fastest
