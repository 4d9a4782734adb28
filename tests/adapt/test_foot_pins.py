"""Pinned feet: what is held does not move, phases pass into each other, and what is already still stays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from footfall.adapt.foot_pins import PinnedFoot, pin_foot
from footfall.adapt.footprints import mean_turn
from footfall.adapt.toes import lateral_axis, turns_up
from footfall.analysis.contacts import detect_contacts
from footfall.analysis.firmness import firm_contacts
from footfall.analysis.plants import Plant, plants_of
from footfall.figure.contacts import Contacts, runs_of
from footfall.figure.motion import Motion
from footfall.geometry import quaternion as quat
from tests.analysis.truth import noisy
from tests.captured import captured
from tests.captures import needs_captures
from tests.gaits import PACES, made, stances_of
from tests.stances import make, pinned_points

SIDES = ("left", "right")
STILL = {"rtol": 0.0, "atol": 1e-9}
CLIPS = (
    "walk/16_16.bvh",
    "turn-side-back/69_53.bvh",
    "stairs-uneven/83_27.bvh",
    "run/16_35.bvh",
    "steps/83_08.bvh",
)


def pinned(motion: Motion, contacts: Contacts, side: str) -> tuple[PinnedFoot, list[Plant]]:
    plants = plants_of(motion, contacts, side)
    return pin_foot(motion, contacts, plants, side), plants


def held_points(motion: Motion, pin: PinnedFoot, side: str) -> dict[str, np.ndarray]:
    """World paths of heel, subtalar and toe joint on the pinned foot."""
    arms = pinned_points(motion.skeleton, side)
    return {kind: pin.ankle + quat.rotate(pin.turn, arm) for kind, arm in arms.items()}


def phases_of(contacts: Contacts, side: str) -> list[tuple[str, int, int]]:
    heel, toe = contacts.heel_of(side), contacts.toe_of(side)
    masks = {"heel": heel & ~toe, "flat": heel & toe, "toe": ~heel & toe}
    return [(kind, a, b) for kind, mask in masks.items() for a, b in runs_of(mask)]


def assert_held(motion: Motion, contacts: Contacts, side: str) -> None:
    pin, _ = pinned(motion, contacts, side)
    places = held_points(motion, pin, side)
    for kind, first, last in phases_of(contacts, side):
        path = places[kind][first:last]
        assert_allclose(path, np.broadcast_to(path[0], path.shape), **STILL)
        if kind == "flat":  # the sole's turn is locked too, or the toe would circle the subtalar
            turns = pin.turn[first:last]
            assert_allclose(np.abs(np.sum(turns * turns[0], axis=-1)), 1.0, **STILL)
            for point in places.values():
                assert_allclose(point[first:last], np.broadcast_to(point[first], path.shape), **STILL)
    assert_array_equal(pin.pinned, contacts.stands(side))


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("name", ["walk", "turn", "backward", "stairs", "run", "sideways"])
def test_held_points_of_a_noisy_gait_do_not_move(name: str, side: str) -> None:
    gait = made(name, 60.0)
    assert_held(noisy(gait.motion, 0.004, 1), gait.contacts, side)


@needs_captures
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("file", CLIPS)
def test_held_points_of_captures_do_not_move(file: str, side: str) -> None:
    motion = captured(file)
    assert_held(motion, firm_contacts(motion, detect_contacts(motion)), side)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("name", ["walk", "turn", "backward", "stairs", "run", "ramp"])
def test_nothing_moves_where_one_phase_passes_into_the_next(name: str, side: str) -> None:
    """Heel, flat sole and toe of one plant hold on to one footprint, even under noise."""
    gait = made(name, 60.0)
    motion = noisy(gait.motion, 0.004, 2)
    pin, plants = pinned(motion, gait.contacts, side)
    places = held_points(motion, pin, side)
    for plant in plants:
        if plant.flat is None:
            continue
        first, last = plant.flat
        for kind, a, b in phases_of(gait.contacts, side):
            if plant.start <= a < plant.end and kind != "flat":
                middle = places[kind][(first + last) // 2]
                assert_allclose(places[kind][a:b], np.broadcast_to(middle, (b - a, 3)), **STILL)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(
    "name", ["walk", "turn", "backward", "sideways", "stairs", "ramp", "run", "jump", "stand"]
)
def test_a_foot_that_stands_still_is_left_where_it_is(name: str, side: str) -> None:
    gait = made(name, 60.0)
    pin, _ = pinned(gait.motion, gait.contacts, side)
    skeleton = gait.motion.skeleton
    assert_allclose(pin.ankle, gait.motion.of(f"{side}_foot"), rtol=0, atol=1e-8)
    turns = gait.motion.orientations[:, skeleton.joint(f"{side}_foot")]
    assert_allclose(quat.angle_between(pin.turn, turns), 0.0, atol=1e-7)
    toes = gait.motion.rotations[:, skeleton.joint(f"{side}_toe")]
    assert_allclose(quat.angle_between(pin.toe_turn, toes), 0.0, atol=1e-7)


@pytest.mark.parametrize("side", SIDES)
def test_a_footprint_is_the_middle_of_where_the_foot_was(side: str) -> None:
    """Noise of 4 mm moves no footprint by more, and corrections are as small as the noise."""
    gait = made("walk", 60.0)
    motion = noisy(gait.motion, 0.004, 3)
    pin, _ = pinned(motion, gait.contacts, side)
    away = np.linalg.norm(pin.ankle - motion.of(f"{side}_foot"), axis=-1)
    assert away.max() < 0.03
    assert np.median(away) < 0.008


def test_toes_lie_still_while_they_touch() -> None:
    gait = made("walk", 60.0)
    motion = noisy(gait.motion, 0.004, 4)
    for side in SIDES:
        pin, _ = pinned(motion, gait.contacts, side)
        world = quat.multiply(pin.turn, pin.toe_turn)
        for first, last in runs_of(gait.contacts.toe_of(side)):
            assert_allclose(quat.angle_between(world[first:last], world[first]), 0.0, atol=1e-7)


@pytest.mark.parametrize("rise", [0.03, 0.07, 0.12])
def test_toes_are_not_bent_up_by_ground_that_is_not_there(rise: float) -> None:
    """Where only an upper stair's plant is known, the foot that comes from the lower one keeps its toes."""
    stances, seconds = stances_of(replace(PACES["stairs"], rise=rise), 4)
    gait = make(stances, seconds, 60.0)
    late = gait.motion.times > stances[3].strike - 0.01
    contacts = Contacts(gait.contacts.heel & late[:, None], gait.contacts.toe & late[:, None])
    for side in SIDES:
        pin, _ = pinned(gait.motion, contacts, side)
        toes = gait.motion.rotations[:, gait.motion.skeleton.joint(f"{side}_toe")]
        assert np.degrees(quat.angle_between(pin.toe_turn, toes)).max() < 25.0


def test_no_contacts_leave_the_foot_alone() -> None:
    motion = made("walk", 60.0).motion
    pin, plants = pinned(motion, Contacts.none(len(motion)), "left")
    assert plants == []
    assert not pin.pinned.any()
    assert_array_equal(pin.ankle, motion.of("left_foot"))


def test_without_a_toe_joint_the_ball_is_held() -> None:
    gait = made("walk", 60.0)
    skeleton = gait.motion.skeleton
    roles = {r: j for r, j in skeleton.roles.items() if "toe" not in r}
    bare = replace(gait.motion, skeleton=replace(skeleton, roles=roles))
    pin, _ = pinned(noisy(bare, 0.004, 5), gait.contacts, "left")
    assert pin.toe_turn is None
    ball = pin.ankle + quat.rotate(pin.turn, bare.skeleton.foot_points("left").ball)
    for kind, first, last in phases_of(gait.contacts, "left"):
        if kind == "toe":
            assert_allclose(ball[first:last], np.broadcast_to(ball[first], (last - first, 3)), **STILL)


class TestMeanTurn:
    def test_of_one_turn_is_that_turn_whatever_its_sign(self) -> None:
        turn = quat.exp(np.array([0.3, -1.0, 0.4]))
        mean = mean_turn(np.stack([turn, -turn, turn]))
        assert quat.angle_between(mean, turn) == pytest.approx(0.0, abs=1e-7)

    def test_lies_in_the_middle(self) -> None:
        centre = quat.exp(np.array([0.3, -1.0, 0.4]))
        around = np.concatenate([0.1 * np.eye(3), -0.1 * np.eye(3)])
        mean = mean_turn(quat.multiply(centre, quat.exp(around)))
        assert quat.angle_between(mean, centre) == pytest.approx(0.0, abs=1e-7)

    def test_agrees_with_scipy(self) -> None:
        from scipy.spatial.transform import Rotation

        turns = quat.exp(np.random.default_rng(1).normal(0, 0.4, size=(30, 3)))
        other = Rotation.from_quat(turns[:, [1, 2, 3, 0]]).mean().as_quat()[[3, 0, 1, 2]]
        assert quat.angle_between(mean_turn(turns), other) == pytest.approx(0.0, abs=1e-7)


class TestTurnsUp:
    """Arms that point anywhere, turned about axes that point anywhere."""

    def cases(self) -> tuple[np.ndarray, np.ndarray]:
        rng = np.random.default_rng(2)
        axis = rng.normal(size=(300, 3))
        return 0.1 * rng.normal(size=(300, 3)), axis / np.linalg.norm(axis, axis=-1, keepdims=True)

    def ends(self, arm: np.ndarray, axis: np.ndarray, angle: np.ndarray | float) -> np.ndarray:
        turns = Rotation.from_rotvec(np.broadcast_to(angle, len(arm))[:, None] * axis)
        return turns.apply(arm)[:, 1]

    def test_reach_the_height_or_more_where_it_can_be_reached(self) -> None:
        arm, axis = self.cases()
        known = np.random.default_rng(3).uniform(-1.0, 1.0, 300)
        level = np.sum(arm * axis, axis=1) * axis[:, 1]  # no toe is asked to rise more
        height = np.minimum(self.ends(arm, axis, known), level)
        angle = turns_up(arm, axis, height)
        assert angle.min() >= 0.0
        assert (self.ends(arm, axis, angle) > height - 1e-9).all()
        assert 60 < (angle == 0.0).sum() < 240

    def test_lay_what_hangs_little_on_the_ground_exactly(self) -> None:
        """A toe joint up to 0.6 of the toe's length over the ground; beyond it a little higher."""
        axis, arm = np.array([[-1.0, 0.0, 0.0]]), np.array([[0.0, -1.0, 0.2]])
        for height in np.linspace(-0.6, 0.0, 13):
            angle = turns_up(arm, axis, np.array([height]) * np.linalg.norm(arm))
            assert self.ends(arm, axis, angle)[0] / np.linalg.norm(arm) == pytest.approx(height, abs=1e-9)
        for height in np.linspace(-1.0, -0.61, 14):
            angle = turns_up(arm, axis, np.array([height]) * np.linalg.norm(arm))
            assert height < self.ends(arm, axis, angle)[0] / np.linalg.norm(arm) < height + 0.16

    def test_come_as_near_as_they_can_elsewhere(self) -> None:
        arm, axis = self.cases()
        angle = turns_up(arm, axis, np.full(300, 5.0))
        up, best = angle > 0.0, self.ends(arm, axis, angle)
        assert up.sum() > 200  # others are bent back over their foot, and are not bent more
        for other in np.linspace(-3.1, 3.1, 50):
            assert (self.ends(arm, axis, other) <= best + 1e-9)[up].all()

    def test_where_no_ground_is_known_nothing_is_turned(self) -> None:
        arm, axis = self.cases()
        assert_array_equal(turns_up(arm, axis, np.full(300, -np.inf)), 0.0)
        assert_array_equal(turns_up(arm, axis, np.full(300, np.nan)), 0.0)

    @pytest.mark.parametrize("own", [-0.4, 0.0, 0.5])
    def test_never_fold_a_toe_under_a_foot_that_rises_and_tips(self, own: float) -> None:
        """A foot rolls off and leaves: the toe's pitch goes evenly, though it hangs down and beyond."""
        share = np.linspace(0.0, 1.0, 121)
        pitch, joint = -1.7 * share, 0.02 + 0.12 * share  # rad and m
        length = 0.07
        arm = length * np.column_stack([0.0 * share, np.sin(pitch + own), np.cos(pitch + own)])
        up = turns_up(arm, np.tile([-1.0, 0.0, 0.0], (121, 1)), -joint)
        made = pitch + own + up
        assert (length * np.sin(made) > -joint - 1e-9).all()  # m
        bend = own + up
        assert bend.min() >= own
        assert np.abs(np.diff(bend)).max() < 0.04  # rad a frame; the foot itself tips by 0.014


def test_the_axis_across_a_foot_is_horizontal_at_rest() -> None:
    skeleton = made("walk", 60.0).motion.skeleton
    for side in SIDES:
        foot = skeleton.joint(f"{side}_foot")
        axis = lateral_axis(skeleton.rest_orientations[foot][None], skeleton.foot_points(side))[0]
        assert np.linalg.norm(axis) == pytest.approx(1.0)
        assert axis[1] == pytest.approx(0.0, abs=1e-9)
        assert abs(axis[0]) > 0.95
