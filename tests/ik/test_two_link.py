"""Two-link limbs: targets hit to rounding, bones kept, knees on their own side and calm when straight."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.actor.humanoid import humanoid
from footfall.figure import kinematics
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.ik.two_link import Limb, arm_of, leg_of, solve_two_link
from tests.captured import captured
from tests.captures import needs_captures
from tests.figure.figures import framed
from tests.figure.figures import humanoid as figure

CLOSE = {"rtol": 0.0, "atol": 1e-9}
COUNT = 400


def unit(rng: np.random.Generator, count: int) -> np.ndarray:
    v = rng.normal(size=(count, 3))
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


def random_poses(skeleton: Skeleton, limb: Limb, seed: int, bends: np.ndarray) -> Motion:
    """The limb anywhere in space, bent about its own axis, out of plane as captures are."""
    rng = np.random.default_rng(seed)
    rotations = np.tile(skeleton.rest, (len(bends), 1, 1))
    rotations[:, 0] = quat.multiply(quat.exp(rng.normal(size=(len(bends), 3))), rotations[:, 0])
    rotations[:, limb.upper] = quat.multiply(
        rotations[:, limb.upper], quat.exp(rng.normal(size=(len(bends), 3)))
    )
    # the hinge's axis lies in the upper bone's frame: bent there, before the middle joint's own rotation
    out_of_plane = quat.exp(0.05 * rng.normal(size=(len(bends), 3)))
    bent = quat.multiply(quat.exp(bends[:, None] * limb.axis), out_of_plane)
    rotations[:, limb.middle] = quat.multiply(bent, rotations[:, limb.middle])
    return Motion(skeleton, rng.normal(size=(len(bends), 3)), rotations, 60.0)


def solved(motion: Motion, limb: Limb, target: np.ndarray) -> tuple[Motion, np.ndarray]:
    """The motion with its limb brought to a target, through local rotations and forward kinematics."""
    joints = [limb.upper, limb.middle, limb.end]
    upper, lower, reached = solve_two_link(
        limb, motion.positions[:, joints], motion.orientations[:, limb.upper], target
    )
    turns = np.array(motion.orientations)
    turns[:, limb.upper] = quat.multiply(upper, turns[:, limb.upper])
    turns[:, limb.middle] = quat.multiply(lower, turns[:, limb.middle])
    rotations = np.array(motion.rotations)
    local = kinematics.to_local(motion.skeleton.tree, turns)
    for joint in (limb.upper, limb.middle):
        rotations[:, joint] = local[:, joint]
    return motion.with_rotations(rotations), reached


def limb_places(motion: Motion, limb: Limb) -> np.ndarray:
    return motion.positions[:, [limb.upper, limb.middle, limb.end]]


def within_reach(
    motion: Motion, limb: Limb, seed: int, shares: tuple[float, float] = (0.2, 0.999)
) -> np.ndarray:
    rng = np.random.default_rng(seed)
    shortest = abs(limb.lengths[0] - limb.lengths[1])
    length = shortest + rng.uniform(*shares, size=len(motion)) * (limb.reach - shortest)
    return motion.positions[:, limb.upper] + length[:, None] * unit(rng, len(motion))


def cases() -> list[tuple[Skeleton, Limb]]:
    ours, theirs = humanoid(), framed(figure(), 5)
    return [
        (s, make(s, side)) for s in (ours, theirs) for make in (leg_of, arm_of) for side in ("left", "right")
    ]


@pytest.mark.parametrize(("skeleton", "limb"), cases())
class TestReach:
    def poses(self, skeleton: Skeleton, limb: Limb) -> Motion:
        return random_poses(skeleton, limb, 1, np.random.default_rng(2).uniform(0.0, 2.2, COUNT))

    def test_targets_are_hit(self, skeleton: Skeleton, limb: Limb) -> None:
        motion = self.poses(skeleton, limb)
        target = within_reach(motion, limb, 3, (0.2, 0.99))
        after, reached = solved(motion, limb, target)
        assert reached.all()
        assert_allclose(after.positions[:, limb.end], target, **CLOSE)

    def test_bones_keep_their_lengths_and_the_limb_its_root(self, skeleton: Skeleton, limb: Limb) -> None:
        motion = self.poses(skeleton, limb)
        after, _ = solved(motion, limb, within_reach(motion, limb, 4, (0.2, 3.0)))
        for i in (0, 1):
            bones = [
                np.linalg.norm(p[:, i + 1] - p[:, i], axis=-1)
                for p in (limb_places(motion, limb), limb_places(after, limb))
            ]
            assert_allclose(bones[1], bones[0], **CLOSE)
        assert_allclose(after.positions[:, limb.upper], motion.positions[:, limb.upper], **CLOSE)

    def test_the_bend_is_that_of_the_law_of_cosines(self, skeleton: Skeleton, limb: Limb) -> None:
        motion = self.poses(skeleton, limb)
        target = within_reach(motion, limb, 5, (0.3, 0.99))
        after, _ = solved(motion, limb, target)
        hip, knee, ankle = np.moveaxis(limb_places(after, limb), 1, 0)
        a, b = limb.lengths
        distance = np.linalg.norm(target - hip, axis=-1)
        expected = np.pi - np.arccos((a**2 + b**2 - distance**2) / (2 * a * b))
        along = np.sum((knee - hip) * (ankle - knee), axis=-1) / (a * b)
        assert_allclose(np.arccos(np.clip(along, -1, 1)), expected, rtol=0.0, atol=1e-7)

    def test_the_bend_stays_on_its_side(self, skeleton: Skeleton, limb: Limb) -> None:
        """The normal of the limb's plane keeps to its hinge axis, wherever the target is."""
        motion = self.poses(skeleton, limb)
        after, _ = solved(motion, limb, within_reach(motion, limb, 6, (0.3, 0.97)))
        hip, knee, ankle = np.moveaxis(limb_places(after, limb), 1, 0)
        normal = np.cross(knee - hip, ankle - knee)
        axis = quat.rotate(after.orientations[:, limb.upper], np.broadcast_to(limb.axis, normal.shape))
        sine = np.linalg.norm(normal, axis=-1) / (limb.lengths[0] * limb.lengths[1])
        bent = sine > np.sin(np.radians(20.0))
        assert (np.sum(normal * axis, axis=-1)[bent] > 0).all()

    def test_the_limb_turns_no_more_than_it_must(self, skeleton: Skeleton, limb: Limb) -> None:
        """Where the target is where the end is, nothing happens."""
        motion = random_poses(skeleton, limb, 1, np.random.default_rng(2).uniform(0.3, 2.2, COUNT))
        after, _ = solved(motion, limb, motion.positions[:, limb.end])
        assert_allclose(after.positions, motion.positions, rtol=0, atol=1e-8)


class TestAtTheLimit:
    def leg(self) -> tuple[Motion, Limb]:
        skeleton = humanoid()
        limb = leg_of(skeleton, "left")
        return random_poses(skeleton, limb, 7, np.full(1, 0.4)), limb

    def along(self, shares: np.ndarray) -> tuple[Motion, Limb, np.ndarray, np.ndarray]:
        """One pose, its ankle pulled out along a line to shares of the leg's length."""
        motion, limb = self.leg()
        many = replace(
            motion, root=motion.root.repeat(len(shares), 0), rotations=motion.rotations.repeat(len(shares), 0)
        )
        hip = many.positions[:, limb.upper]
        direction = unit(np.random.default_rng(8), 1)
        after, reached = solved(many, limb, hip + limb.reach * shares[:, None] * direction)
        return after, limb, reached, direction

    def test_targets_out_of_reach_are_flagged_and_pointed_at(self) -> None:
        shares = np.array([0.5, 0.9, 0.9999, 1.0001, 1.2, 5.0])
        after, limb, reached, direction = self.along(shares)
        # a knee that does not bend in its hinge's plane stretches to a little less than its bones
        assert_allclose(reached[[0, 1, 3, 4, 5]], [True, True, False, False, False])
        limb_now = after.positions[:, limb.end] - after.positions[:, limb.upper]
        lengths = np.linalg.norm(limb_now, axis=-1)
        assert_allclose(limb_now / lengths[:, None], np.broadcast_to(direction, limb_now.shape), **CLOSE)
        assert_allclose(lengths[3:] / limb.reach, 1.0, rtol=0.01)

    def test_nearer_than_a_limb_can_fold_is_flagged(self) -> None:
        skeleton = humanoid()
        limb = leg_of(skeleton, "left")
        short = replace(limb, lengths=(0.45, 0.45))
        motion, _ = self.leg()
        # thigh and shank differ by a little: a foot at the hip is out of reach
        target = motion.positions[:, limb.upper] + 1e-4
        assert abs(limb.lengths[0] - limb.lengths[1]) > 1e-3
        assert not solved(motion, short, target)[1].any()

    def largest_knee_step(self, start: float, end: float, count: int) -> float:
        after, limb, *_ = self.along(np.linspace(start, end, count))
        return float(np.linalg.norm(np.diff(after.positions[:, limb.middle], axis=0), axis=-1).max())

    def test_the_knee_moves_continuously_near_full_stretch(self) -> None:
        """Halving the step halves the largest jump of the knee."""
        coarse, fine = (self.largest_knee_step(0.9, 0.98, count) for count in (2001, 4001))
        assert fine == pytest.approx(coarse / 2, rel=0.05)

    def test_and_through_full_stretch(self) -> None:
        """There the knee goes like a square root: a sixteenth of the step is about a quarter of the jump."""
        coarse, fine = (self.largest_knee_step(0.97, 1.03, count) for count in (2001, 32001))
        assert 0.15 * coarse < fine < 0.4 * coarse

    def test_a_straight_leg_bends_to_its_own_side(self) -> None:
        """The hip-knee-ankle plane is lost; the thigh's axis is not."""
        skeleton = humanoid()
        limb = leg_of(skeleton, "left")
        motion = random_poses(skeleton, limb, 9, np.zeros(COUNT))
        rotations = np.array(motion.rotations)
        rotations[:, limb.middle] = skeleton.rest[limb.middle]
        straight = motion.with_rotations(rotations)
        target = within_reach(straight, limb, 10, (0.5, 0.9))
        after, reached = solved(straight, limb, target)
        assert reached.all()
        hip, knee, ankle = np.moveaxis(limb_places(after, limb), 1, 0)
        axis = quat.rotate(after.orientations[:, limb.upper], np.broadcast_to(limb.axis, hip.shape))
        normal = np.cross(knee - hip, ankle - knee)
        assert_allclose(np.sum(normal * axis, axis=-1), np.linalg.norm(normal, axis=-1), **CLOSE)

    def test_a_foot_on_the_hip_is_finite(self) -> None:
        motion, limb = self.leg()
        after, _ = solved(motion, limb, motion.positions[:, limb.upper])
        assert np.isfinite(after.positions).all()

    def test_the_opposite_direction_is_reached(self) -> None:
        motion, limb = self.leg()
        hip, ankle = motion.positions[:, limb.upper], motion.positions[:, limb.end]
        target = hip - 0.9 * (ankle - hip)
        after, _ = solved(motion, limb, target)
        assert_allclose(after.positions[:, limb.end], target, **CLOSE)


def test_any_leading_axes() -> None:
    skeleton = humanoid()
    limb = leg_of(skeleton, "right")
    motion = random_poses(skeleton, limb, 11, np.full(12, 0.7))
    target = within_reach(motion, limb, 12)
    places, turn = limb_places(motion, limb), motion.orientations[:, limb.upper]
    flat = solve_two_link(limb, places, turn, target)
    deep = solve_two_link(limb, places.reshape(3, 4, 3, 3), turn.reshape(3, 4, 4), target.reshape(3, 4, 3))
    one = solve_two_link(limb, places[5], turn[5], target[5])
    for whole, shaped, single in zip(flat, deep, one, strict=True):
        assert_allclose(shaped.reshape(whole.shape), whole, rtol=0, atol=1e-12)
        assert_allclose(single, whole[5], rtol=0, atol=1e-12)


class TestAxes:
    @pytest.mark.parametrize("side", ["left", "right"])
    def test_a_leg_at_rest_bends_about_its_left(self, side: str) -> None:
        """So that the shank goes back."""
        for skeleton in (humanoid(), framed(figure(), 4)):
            limb = leg_of(skeleton, side)
            world = quat.rotate(skeleton.rest_orientations[limb.upper], limb.axis)
            assert_allclose(world, [1.0, 0.0, 0.0], **CLOSE)
            assert np.linalg.norm(limb.axis) == pytest.approx(1.0)
            assert limb.reach == pytest.approx(skeleton.leg_length(side))

    @pytest.mark.parametrize("side", ["left", "right"])
    def test_it_is_measured_from_bent_frames(self, side: str) -> None:
        skeleton = framed(humanoid(), 8)
        rest = leg_of(skeleton, side)
        thigh = skeleton.offsets[rest.middle] / np.linalg.norm(skeleton.offsets[rest.middle])
        tilted = quat.rotate(quat.exp(0.3 * thigh), rest.axis)
        bends = np.abs(np.random.default_rng(3).normal(0.6, 0.4, size=300))
        motion = random_poses(skeleton, replace(rest, axis=tilted), 4, bends)
        measured = leg_of(skeleton, side, motion).axis
        assert np.degrees(np.arccos(measured @ tilted)) < 2.0
        assert np.degrees(np.arccos(rest.axis @ tilted)) > 15.0

    @pytest.mark.parametrize(
        "bends", [np.zeros(50), np.full(50, -0.15), 0.6 * np.sign(np.sin(np.arange(50.0)))]
    )
    def test_straight_overstretched_and_contradictory_frames_tell_nothing(self, bends: np.ndarray) -> None:
        skeleton = humanoid()
        rest = leg_of(skeleton, "left")
        rotations = np.tile(quat.identity(len(skeleton)), (50, 1, 1))
        rotations[:, rest.middle] = quat.exp(bends[:, None] * rest.axis)
        motion = Motion(skeleton, np.zeros((50, 3)), rotations, 60.0)
        assert_allclose(leg_of(skeleton, "left", motion).axis, rest.axis, **CLOSE)

    @pytest.mark.parametrize("side", ["left", "right"])
    def test_an_arm_folds_forwards(self, side: str) -> None:
        skeleton = humanoid()
        limb = arm_of(skeleton, side)
        rotations = quat.identity(1, len(skeleton))
        rotations[0, limb.middle] = quat.exp(0.8 * limb.axis)
        hand = Motion(skeleton, np.zeros((1, 3)), rotations, 60.0).positions[0, limb.end]
        assert hand[2] > skeleton.rest_positions[limb.end, 2] + 0.1

    @needs_captures
    @pytest.mark.parametrize("side", ["left", "right"])
    @pytest.mark.parametrize(
        "file",
        ["walk/16_16.bvh", "walk/07_01.bvh", "turn-side-back/69_53.bvh", "steps/83_08.bvh", "run/35_17.bvh"],
    )
    def test_knees_of_captures_turn_about_an_axis_across_the_body(self, file: str, side: str) -> None:
        motion = captured(file)
        skeleton = motion.skeleton
        limb = leg_of(skeleton, side, motion)
        world = quat.rotate(skeleton.rest_orientations[limb.upper], limb.axis)
        assert world[0] > np.cos(np.radians(35.0))
        # and each knee bends about its own axis in every frame that is bent
        a, b, c = np.moveaxis(limb_places(motion, limb), 1, 0)
        normal = np.cross(b - a, c - b)
        sine = np.linalg.norm(normal, axis=-1) / (limb.lengths[0] * limb.lengths[1])
        axis = quat.rotate(motion.orientations[:, limb.upper], np.broadcast_to(limb.axis, normal.shape))
        bent = sine > np.sin(np.radians(25.0))
        cosine = np.sum(normal * axis, axis=-1)[bent] / np.linalg.norm(normal[bent], axis=-1)
        assert np.degrees(np.arccos(np.percentile(cosine, 5))) < 25.0
