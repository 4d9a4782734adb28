"""Legs solved to end in their feet: exactly there, by the knee's own hinge, and nothing else is moved."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from footfall.adapt.legs_to_feet import hips_of, leg_lengths, legs_to_feet
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.ik.two_link import Limb, leg_of
from tests.figure.figures import PLAIN_NAMES, figure, framed, humanoid

FRAMES = 40
SIDES = ("left", "right")
TWISTED = {f"{s}_thigh_twist": f"{s.capitalize()}ThighTwist" for s in SIDES}


@dataclass(frozen=True)
class PlacedFoot:
    ankle: np.ndarray
    turn: np.ndarray
    toe: np.ndarray | None


def with_a_bone_in_the_thigh() -> Skeleton:
    """The shank hangs on a joint in the middle of the thigh: three joints above the ankle."""
    return figure(PLAIN_NAMES | TWISTED, {f"{s}_shank": f"{s}_thigh_twist" for s in SIDES})


FIGURES = {
    "plain": humanoid,
    "any frames": lambda: framed(humanoid(), 5),
    "a bone in the thigh": with_a_bone_in_the_thigh,
}


@cache
def crouching(name: str) -> Motion:
    """A figure with bent knees, every other joint anywhere near rest, all about the room."""
    skeleton = FIGURES[name]()
    rng = np.random.default_rng(11)
    away = rng.normal(0.0, 0.25, (FRAMES, len(skeleton), 3))
    rotations = quat.multiply(skeleton.rest, quat.exp(away))
    for side in SIDES:
        limb = leg_of(skeleton, side)
        bend = quat.exp(limb.axis * rng.uniform(0.4, 1.2, (FRAMES, 1)))
        rest = skeleton.rest[limb.middle]
        rotations[:, limb.middle] = quat.multiply(bend, np.broadcast_to(rest, (FRAMES, 4)))
    return Motion(skeleton, rng.normal(0.0, 1.0, (FRAMES, 3)), rotations, 30.0)


def limbs(skeleton: Skeleton) -> dict[str, Limb]:
    return {side: leg_of(skeleton, side) for side in SIDES}


def targets(motion: Motion, legs: dict[str, Limb], down: np.ndarray) -> dict[str, PlacedFoot]:
    """Feet within the legs' reach of the hips as they will be, in any turn."""
    rng = np.random.default_rng(4)
    feet = {}
    for side, limb in legs.items():
        hip = motion.positions[:, limb.upper] - down[:, None] * np.array([0.0, 1.0, 0.0])
        way = rng.normal(size=(FRAMES, 3)) * [0.3, 0.1, 0.5] - [0.0, 1.0, 0.0]
        way *= (limb.reach * rng.uniform(0.6, 0.98, FRAMES) / np.linalg.norm(way, axis=-1))[:, None]
        turn = Rotation.random(FRAMES, random_state=3).as_quat(scalar_first=True)
        toe = Rotation.random(FRAMES, random_state=9).as_quat(scalar_first=True)
        feet[side] = PlacedFoot(hip + way, turn, toe)
    return feet


def solved(
    motion: Motion, legs: dict[str, Limb], down: np.ndarray, feet: dict[str, PlacedFoot]
) -> tuple[Motion, np.ndarray]:
    before = np.array(motion.rotations)
    hips = hips_of(motion.skeleton, legs, motion.root, before)
    rotations = legs_to_feet(motion.skeleton, legs, before.copy(), hips, down, feet)
    root = motion.root - down[:, None] * np.array([0.0, 1.0, 0.0])
    return Motion(motion.skeleton, root, rotations, 30.0), rotations


def alike(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Angles between turns, q and -q being one."""
    one, other = (Rotation.from_quat(q.reshape(-1, 4), scalar_first=True) for q in (a, b))
    return np.asarray((one * other.inv()).magnitude())


@pytest.mark.parametrize("name", FIGURES)
def test_hips_are_those_of_the_whole_figure(name: str) -> None:
    motion = crouching(name)
    legs = limbs(motion.skeleton)
    found = hips_of(motion.skeleton, legs, motion.root, motion.rotations)
    for side, limb in legs.items():
        place, turn = found[side]
        assert_allclose(place, motion.positions[:, limb.upper], rtol=0, atol=1e-12)
        pelvis = motion.orientations[:, motion.skeleton.parents[limb.upper]]
        assert alike(turn, pelvis).max() < 1e-7


@pytest.mark.parametrize("name", FIGURES)
def test_lengths_are_those_from_hip_to_ankle(name: str) -> None:
    motion = crouching(name)
    legs = limbs(motion.skeleton)
    for side, share in leg_lengths(motion.skeleton, legs, motion.rotations).items():
        limb = legs[side]
        apart = np.linalg.norm(motion.positions[:, limb.upper] - motion.positions[:, limb.end], axis=-1)
        assert_allclose(share, apart / limb.reach, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", FIGURES)
def test_legs_end_in_their_feet(name: str) -> None:
    motion = crouching(name)
    legs, down = limbs(motion.skeleton), np.linspace(0.0, 0.2, FRAMES)
    feet = targets(motion, legs, down)
    made, rotations = solved(motion, legs, down, feet)
    for side, limb in legs.items():
        assert_allclose(made.positions[:, limb.end], feet[side].ankle, rtol=0, atol=1e-9)
        assert alike(made.orientations[:, limb.end], feet[side].turn).max() < 1e-7
        assert_array_equal(rotations[:, motion.skeleton.joint(f"{side}_toe")], feet[side].toe)


@pytest.mark.parametrize("name", FIGURES)
def test_nothing_but_the_legs_is_moved(name: str) -> None:
    motion = crouching(name)
    skeleton = motion.skeleton
    legs, down = limbs(skeleton), np.full(FRAMES, 0.05)
    made, rotations = solved(motion, legs, down, targets(motion, legs, down))
    own = {j for limb in legs.values() for j in skeleton.tree.path(limb.upper, limb.end)}
    own |= {skeleton.joint(f"{side}_toe") for side in SIDES}
    rest = [j for j in range(len(skeleton)) if j not in own]
    assert_array_equal(rotations[:, rest], motion.rotations[:, rest])
    above = [j for j in rest if not own & set(skeleton.tree.ancestors(j))]
    shift = motion.positions[:, above] - made.positions[:, above]
    assert_allclose(shift, np.broadcast_to([0.0, 0.05, 0.0], shift.shape), rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", ["plain", "any frames"])
def test_the_knee_turns_about_its_hinge_and_nothing_else(name: str) -> None:
    motion = crouching(name)
    legs, down = limbs(motion.skeleton), np.zeros(FRAMES)
    _, rotations = solved(motion, legs, down, targets(motion, legs, down))
    for limb in legs.values():
        after, before = (
            Rotation.from_quat(r[:, limb.middle], scalar_first=True) for r in (rotations, motion.rotations)
        )
        turned = (after * before.inv()).as_rotvec()
        across = np.cross(turned, limb.axis)
        assert_allclose(across, 0.0, atol=1e-9)
        assert np.abs(turned @ limb.axis).max() > 0.1


@pytest.mark.parametrize("name", FIGURES)
def test_feet_that_are_there_already_change_nothing(name: str) -> None:
    motion = crouching(name)
    skeleton, legs = motion.skeleton, limbs(motion.skeleton)
    feet = {
        side: PlacedFoot(
            motion.positions[:, limb.end],
            motion.orientations[:, limb.end],
            motion.rotations[:, skeleton.joint(f"{side}_toe")],
        )
        for side, limb in legs.items()
    }
    made, _ = solved(motion, legs, np.zeros(FRAMES), feet)
    assert_allclose(made.positions, motion.positions, rtol=0, atol=1e-9)


def test_without_a_toe_the_toe_is_as_it_was() -> None:
    motion = crouching("plain")
    legs, down = limbs(motion.skeleton), np.zeros(FRAMES)
    feet = {s: PlacedFoot(f.ankle, f.turn, None) for s, f in targets(motion, legs, down).items()}
    _, rotations = solved(motion, legs, down, feet)
    for side in SIDES:
        toe = motion.skeleton.joint(f"{side}_toe")
        assert_array_equal(rotations[:, toe], motion.rotations[:, toe])


def test_a_leg_too_short_points_at_its_foot_and_is_straight() -> None:
    motion = crouching("plain")
    legs, down = limbs(motion.skeleton), np.zeros(FRAMES)
    feet = {}
    for side, limb in legs.items():
        way = np.random.default_rng(1).normal(size=(FRAMES, 3)) - [0.0, 2.0, 0.0]
        way *= (1.3 * limb.reach / np.linalg.norm(way, axis=-1))[:, None]
        feet[side] = PlacedFoot(motion.positions[:, limb.upper] + way, motion.orientations[:, limb.end], None)
    made, _ = solved(motion, legs, down, feet)
    for side, limb in legs.items():
        leg = made.positions[:, limb.end] - made.positions[:, limb.upper]
        way = feet[side].ankle - made.positions[:, limb.upper]
        assert_allclose(np.linalg.norm(leg, axis=-1), limb.reach, rtol=0, atol=1e-6)
        assert_allclose(np.cross(leg, way), 0.0, atol=1e-6)
        assert (np.sum(leg * way, axis=-1) > 0.0).all()
