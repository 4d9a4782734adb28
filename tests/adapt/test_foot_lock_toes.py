"""Toes of a locked foot, alone: what they can do, and how they are bent over ground."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from footfall.adapt.foot_lock import lock_feet
from footfall.adapt.foot_lock_bends import ASKEW, BENT, EASY, ToeJoint, possible_toes
from footfall.adapt.foot_lock_foot import RecordedFoot
from footfall.adapt.foot_lock_ground import FootGround
from footfall.adapt.foot_lock_toes import _in_good_time, _turn_up, toes_over
from footfall.adapt.foot_lock_way import LockedWay
from footfall.figure.motion import Motion
from footfall.geometry import quaternion as quat
from footfall.world.plane import FlatTerrain
from tests.gaits import PACES, made
from tests.stances import SIDES

angles = st.floats(-2.5, 2.5)


def joint() -> ToeJoint:
    return ToeJoint.of(made("stand", 60.0).given.skeleton, "left")


def bends(motion: Motion, side: str) -> np.ndarray:
    """How far toes are bent up, rad, told by where they point in the foot's own plane."""
    own = ToeJoint.of(motion.skeleton, side)
    toe = motion.skeleton.joint(f"{side}_toe")
    turned = quat.multiply(motion.rotations[:, toe], quat.conjugate(own.rest))
    forward = np.cross(own.axis, [0.0, 1.0, 0.0])
    up = np.cross(forward, own.axis)
    points = quat.rotate(turned, forward)
    signs = np.sign(quat.rotate(quat.exp(0.1 * own.axis), forward) @ up)
    return signs * np.arctan2(points @ up, points @ forward)


@given(angles, angles, angles)
def test_possible_toes_are_possible_and_stay_as_they_are(bend: float, twist: float, roll: float) -> None:
    own = joint()
    beside = np.cross(own.axis, [0.0, 0.0, 1.0])
    askew = twist * beside / np.linalg.norm(beside) + roll * np.cross(own.axis, beside)
    turned = bend * own.axis + askew
    turned *= 3.0 / max(float(np.linalg.norm(turned)), 3.0)  # under half a turn
    toes = quat.multiply(quat.exp(turned), own.rest)[None]
    can = own.possible(toes)
    found = quat.log(quat.multiply(can, quat.conjugate(own.rest)))[0]
    along = float(found @ own.axis)
    assert BENT[0] - 1e-9 <= along <= BENT[1] + 1e-9
    assert np.linalg.norm(found - along * own.axis) <= ASKEW + 1e-9
    assert_array_equal(own.possible(can), can)
    if np.abs(found - turned).max() < 1e-9:
        assert_array_equal(can, toes)


@pytest.mark.parametrize("pace", PACES)
def test_toes_of_gaits_are_possible(pace: str) -> None:
    motion = made(pace, 60.0).given
    assert possible_toes(motion) is motion


arms = st.tuples(st.floats(-1.0, 1.0), st.floats(-1.0, 1.0), st.floats(-1.0, 1.0)).filter(
    lambda arm: np.hypot(arm[1], arm[2]) > 0.1
)


@example((0.0, 1.0, 1.0), 0.0)
@example((0.0, 1.0, 1.0), 1e-17)
@given(arms, st.floats(0.0, 0.99))
def test_the_least_turn_up_that_reaches_a_height(arm: tuple[float, float, float], share: float) -> None:
    """Judged by turning the arm by little and little until it is there."""
    start = np.array([arm])
    axis = np.array([[-1.0, 0.0, 0.0]])  # about which what points along +Z turns up
    radius = np.hypot(arm[1], arm[2])
    height = np.array([arm[1] + share * (radius - arm[1])])
    turn = _turn_up(start, axis, height)
    reached = quat.rotate(quat.exp(turn[:, None] * axis), start)[0, 1]
    assert reached == pytest.approx(height[0], abs=3e-6)
    less = np.linspace(0.0, float(turn[0]), 400, endpoint=False)[1:, None]
    before = quat.rotate(quat.exp(less * axis), start)[:, 1]
    assert (before < height[0] + 3e-6).all()


@settings(deadline=None)
@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=60).map(np.array))
def test_toes_are_bent_in_good_time(up: np.ndarray) -> None:
    free = np.ones(len(up), dtype=bool)
    found = _in_good_time(up, free, 60.0)
    assert (found >= up).all()
    assert found.max() == pytest.approx(up.max())
    assert_array_equal(_in_good_time(up, ~free, 60.0), 0.0)


def test_toes_that_must_bend_for_a_moment_do_not_snap() -> None:
    up = np.zeros(60)
    up[30] = 0.6
    found = _in_good_time(up, np.ones(60, dtype=bool), 60.0)
    assert np.abs(np.diff(found)).max() < 0.25
    assert_allclose(found[[20, 40]], 0.0, atol=1e-12)


def steeply(pitch: float, high: float, folded: float) -> tuple[LockedWay, RecordedFoot]:
    """A foot that swings nose down over level ground, its toe joint so high, its toes bent so far."""
    foot = RecordedFoot.of(made("stand", 60.0).given[:30], "left")
    turn = quat.multiply(quat.exp(pitch * quat.rotate(foot.sole.lying, foot.left)), foot.sole.lying)
    ankle = np.array([0.0, high, 0.0]) - quat.rotate(turn, foot.sole.toe_joint)
    toes = foot.toes.bent(np.tile(foot.toes.rest, (30, 1)), np.full(30, folded))
    none = np.zeros(30, dtype=bool)
    share = np.arange(1, 31) / 31.0
    return LockedWay(np.tile(ankle, (30, 1)), np.tile(turn, (30, 1)), toes, share, none, ((-1, 30),)), foot


@pytest.mark.parametrize("pitch", [0.2, 0.6, 1.0, 1.3])
@pytest.mark.parametrize("folded", [-0.5, 0.0, 0.3])
def test_toes_in_the_ground_bend_up_and_never_under(pitch: float, folded: float) -> None:
    way, foot = steeply(pitch, 0.03, folded)
    ground = FootGround(FlatTerrain(), np.zeros(30))
    tips = [foot.sole.points(w.ankle, w.turn, w.toe)[:, 3] for w in (way, toes_over(way, foot, ground, 60.0))]
    after = toes_over(way, foot, ground, 60.0)
    assert after.toe is not None
    assert way.toe is not None
    up = quat.log(quat.multiply(after.toe, quat.conjugate(way.toe))) @ foot.toes.axis
    assert up.min() >= 0.0
    assert (folded + up).max() <= EASY + 1e-9
    if tips[0][0, 1] < 0.0:
        assert (tips[1][:, 1] > -1e-6).all() or folded + up[0] == pytest.approx(EASY)
    else:
        assert_array_equal(after.toe, way.toe)


def test_toes_that_are_bent_already_are_not_bent_as_much_again() -> None:
    """Some frames need a large bend; those beside them have it, nearly."""
    way, foot = steeply(1.0, 0.03, 0.0)
    assert way.toe is not None
    own = np.where(np.abs(np.arange(30) - 15) <= 1, 0.0, EASY - 0.1)
    way = replace(way, toe=foot.toes.bent(np.tile(foot.toes.rest, (30, 1)), own))
    after = toes_over(way, foot, FootGround(FlatTerrain(), np.zeros(30)), 60.0)
    assert after.toe is not None
    bend = quat.log(quat.multiply(after.toe, quat.conjugate(foot.toes.rest))) @ foot.toes.axis
    assert bend[15] > 0.5
    assert bend.max() <= EASY + 1e-9
    assert (bend >= own - 1e-9).all()


def test_before_a_riser_toes_stay_straight() -> None:
    """Where bending them would not bring them out, the foot is to be raised."""
    way, foot = steeply(0.3, 0.03, 0.0)
    tip = foot.sole.points(way.ankle, way.turn, way.toe)[0, 3]

    class Riser:
        def height(self, x: np.ndarray, z: np.ndarray, start: np.ndarray | float = np.inf) -> np.ndarray:
            del x, start
            return np.where(z > tip[2] - 0.02, 0.15, 0.0)

    after = toes_over(way, foot, FootGround(Riser(), np.zeros(30)), 60.0)
    assert after.toe is not None
    assert_array_equal(after.toe, way.toe)


def test_folded_toes_of_a_recording_are_unfolded() -> None:
    """Blended toes may be anything; locked ones are not."""
    walk = made("walk", 60.0).given
    rotations = np.array(walk.rotations)
    for side in SIDES:
        toe, own = walk.skeleton.joint(f"{side}_toe"), ToeJoint.of(walk.skeleton, side)
        swings = ~walk.contacts.stands(side)  # type: ignore[union-attr]
        folded = own.bent(rotations[swings, toe], np.full(swings.sum(), -1.9))
        rotations[swings, toe] = folded
    before = replace(walk, rotations=rotations)
    after = lock_feet(before, FlatTerrain())
    for side in SIDES:
        assert bends(before, side).min() < -1.0
        assert bends(after, side).min() > BENT[0] - 0.01
        assert bends(after, side).max() < BENT[1] + 0.01
    assert_allclose(after.positions[:, 0], walk.positions[:, 0], atol=0.02)
