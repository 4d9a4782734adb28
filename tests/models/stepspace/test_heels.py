"""Heels that rise: about the toe joint that stands, by what a leg needs and no more than they can."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation

from footfall.figure.sole import Sole
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.stepspace.feet import FootWay
from footfall.models.stepspace.heels_kernel import LONGEST, MOST
from tests.models.stepspace.plain_heels import heels_raised
from tests.models.stepspace.spaces import small_space

FPS, FRAMES = 60.0, 90
REACH = 0.86  # m


def sole() -> Sole:
    return Sole.of(small_space().skeleton, "left")


def flat_foot(heading: float = 0.4, place: tuple[float, ...] = (1.0, 0.0, 2.0)) -> FootWay:
    """A foot that lies in one print all the time."""
    turn = quat.multiply(ground.turn(heading), sole().lying)
    ankle = np.array(place) - quat.rotate(turn, sole().subtalar)
    yes, one = np.ones(FRAMES, dtype=bool), np.ones(FRAMES)
    toe = small_space().skeleton.rest[small_space().skeleton.joint("left_toe")]
    return FootWay(
        ankle=np.tile(ankle, (FRAMES, 1)),
        turn=np.tile(turn, (FRAMES, 1)),
        toe=np.tile(toe, (FRAMES, 1)),
        bound=one,
        heel_down=yes,
        toe_down=yes,
        share=0.0 * one,
        level=0.0 * one,
        free=one,
    )


def hips_at(way: FootWay, length: float, lean: float, heading: float = 0.4) -> np.ndarray:
    """Hips so far from the ankle, ahead of it by an angle."""
    ahead = Rotation.from_rotvec([0.0, heading, 0.0]).apply([0.0, np.cos(lean), np.sin(lean)])
    return np.asarray(way.ankle + length * ahead)


def toe_joint(way: FootWay) -> np.ndarray:
    return np.asarray(
        way.ankle + Rotation.from_quat(way.turn, scalar_first=True).apply(np.array(sole().toe_joint))
    )


def turn_between(a: FootWay, b: FootWay) -> np.ndarray:
    one, other = (Rotation.from_quat(w.turn, scalar_first=True) for w in (a, b))
    return np.asarray((other * one.inv()).as_rotvec())


@pytest.mark.parametrize("more", [0.007, 0.01, 0.02])
@pytest.mark.parametrize("heading", [0.4, -2.5])
def test_a_leg_that_is_too_short_has_its_heel_raised_by_what_it_needs(more: float, heading: float) -> None:
    way = flat_foot(heading)
    hip = hips_at(way, LONGEST * REACH + more, np.radians(25.0), heading)
    found = heels_raised(sole(), way, hip, REACH, FPS)
    length = np.linalg.norm(hip - found.ankle, axis=1)
    assert length.max() <= LONGEST * REACH + 1e-6
    assert_allclose(toe_joint(found), toe_joint(way), atol=1e-9)
    # about an axis across the foot, heel up; the angle as a root finder has it
    across = Rotation.from_rotvec([0.0, heading, 0.0]).apply([1.0, 0.0, 0.0])
    turns = turn_between(way, found)
    angle = turns @ across
    assert_allclose(turns, angle[:, None] * across, atol=1e-9)
    joint = toe_joint(way)[0]

    def too_long(a: float) -> float:
        ankle = joint + Rotation.from_rotvec(a * across).apply(way.ankle[0] - joint)
        return float(np.linalg.norm(hip[0] - ankle) - LONGEST * REACH)

    needed = brentq(too_long, 0.0, np.radians(60.0))
    assert angle.min() >= needed - 1e-6
    assert angle.max() < 1.25 * needed + 1e-3
    assert not found.heel_down.any()
    assert found.toe_down.all()


def test_toes_stay_as_they_lie() -> None:
    way = flat_foot()
    found = heels_raised(sole(), way, hips_at(way, LONGEST * REACH + 0.01, 0.4), REACH, FPS)
    assert way.toe is not None
    assert found.toe is not None
    before, after = (
        Rotation.from_quat(w.turn, scalar_first=True) * Rotation.from_quat(w.toe, scalar_first=True)
        for w in (way, found)
    )
    assert (before.inv() * after).magnitude().max() < 1e-7


@pytest.mark.parametrize(
    ("length", "lean"), [(LONGEST * REACH - 0.002, 0.4), (LONGEST * REACH + 0.01, -0.3), (1.0, 0.0)]
)
def test_legs_that_are_long_enough_or_do_not_trail_are_left_alone(length: float, lean: float) -> None:
    way = flat_foot()
    assert heels_raised(sole(), way, hips_at(way, length, lean), REACH, FPS) is way


def test_heels_rise_no_more_than_they_can() -> None:
    way = flat_foot()
    found = heels_raised(sole(), way, hips_at(way, 1.3, 0.5), REACH, FPS)
    angle = np.linalg.norm(turn_between(way, found), axis=1)
    assert angle.max() <= MOST + 1e-9
    assert angle.max() > 0.95 * MOST


def test_feet_that_may_not_are_left_alone() -> None:
    """Those that must lie, those on their heels, those far on in their swing."""
    way = flat_foot()
    hip = hips_at(way, LONGEST * REACH + 0.02, 0.4)
    none, zero = np.zeros(FRAMES, dtype=bool), np.zeros(FRAMES)
    lying = heels_raised(sole(), replace(way, free=zero), hip, REACH, FPS)
    assert_array_equal(lying.ankle, way.ankle)
    on_heel = heels_raised(sole(), replace(way, toe_down=none), hip, REACH, FPS)
    assert_array_equal(on_heel.ankle, way.ankle)
    gone = replace(way, share=zero + 0.5, heel_down=none, toe_down=none)
    assert_array_equal(heels_raised(sole(), gone, hip, REACH, FPS).ankle, way.ankle)
    left = replace(way, share=zero + 0.1, heel_down=none, toe_down=none)
    assert np.linalg.norm(heels_raised(sole(), left, hip, REACH, FPS).ankle - way.ankle, axis=1).min() > 0.005


def test_after_a_landing_on_the_heel_it_takes_a_moment() -> None:
    frames = np.arange(FRAMES)
    way = flat_foot()
    landed = replace(way, toe_down=frames >= 30)
    found = heels_raised(sole(), landed, hips_at(way, LONGEST * REACH + 0.01, 0.4), REACH, FPS)
    angle = np.linalg.norm(turn_between(way, found), axis=1)
    assert_allclose(angle[:30], 0.0, atol=1e-12)
    assert angle[30] < 0.15 * angle[45]
    assert (np.diff(angle[30:35]) > 0.0).all()
    assert np.diff(angle[35:]).min() > -0.003


def test_no_heel_rises_for_a_hair() -> None:
    """It would flicker; the leg is bent a little more instead."""
    way = flat_foot()
    found = heels_raised(sole(), way, hips_at(way, LONGEST * REACH + 0.001, np.radians(25.0)), REACH, FPS)
    assert_array_equal(found.ankle, way.ankle)
    assert found.heel_down.all()


def test_a_heel_is_down_before_the_foot_stands_on_it_alone() -> None:
    """A foot that rocks back: what its heel was raised is gone by then, without a jump."""
    frames = np.arange(FRAMES)
    way = flat_foot()
    rocks = replace(way, toe_down=frames < 60)
    found = heels_raised(sole(), rocks, hips_at(way, LONGEST * REACH + 0.01, 0.4), REACH, FPS)
    angle = np.linalg.norm(turn_between(way, found), axis=1)
    assert angle[30:45].min() > np.radians(2.0)
    assert_allclose(angle[60:], 0.0, atol=1e-12)
    assert np.abs(np.diff(angle)).max() < 0.45 * angle.max()
    assert angle[59] < 0.05 * angle.max()


def test_heels_come_up_and_down_smoothly() -> None:
    way = flat_foot()
    length = LONGEST * REACH + 0.01 * np.sin(np.linspace(0.0, np.pi, FRAMES)) ** 8
    hip = way.ankle + (hips_at(way, 1.0, 0.4) - way.ankle) * length[:, None]
    angle = np.linalg.norm(turn_between(way, heels_raised(sole(), way, hip, REACH, FPS)), axis=1)
    assert angle.argmax() == pytest.approx(FRAMES // 2, abs=2)
    assert np.abs(np.diff(angle, n=2)).max() < 0.1 * angle.max()
    assert angle[0] < 1e-3
