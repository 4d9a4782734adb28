"""The posture of a reach: like people's, balanced, and refused with the nearest that can be reached."""

from __future__ import annotations

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.actor.humanoid import humanoid
from footfall.actor.reach.bearing import COUNT, LIMB_MASS, TRUNK_MASS, Bearing
from footfall.actor.reach.reach_pose import reach_pose
from footfall.actor.reach.station import sitting, standing
from footfall.actor.style import Style
from footfall.errors import RequestError
from footfall.figure.roles import SIDES
from footfall.geometry import quaternion as quat
from tests.actor.reach.people_reach import INSTANTS, Posture, person_and_actor
from tests.actor.reach.reach_targets import apex_motion, spread_targets, tip_of
from tests.captures import needs_captures

BODY = humanoid()
SEAT = 0.45


@needs_captures
def test_postures_are_like_a_persons() -> None:
    """Ten captured reaches and the actor's for the same targets: hips, lean, twist, shoulder and elbow."""
    people, actors = zip(*(person_and_actor(name) for name in INSTANTS), strict=True)
    assert _apart(people, actors, "shoulder") < 0.07  # m, on average
    assert _apart(people, actors, "elbow") < 0.07
    lowered = np.array([(p.lowered, a.lowered) for p, a in zip(people, actors, strict=True)])
    assert np.abs(np.diff(lowered)).mean() < 0.04
    assert np.corrcoef(lowered.T)[0, 1] > 0.9
    bends = [abs(p.elbow_bend - a.elbow_bend) for p, a in zip(people, actors, strict=True)]
    assert np.degrees(np.mean(bends)) < 8.0
    for axis in ("chest_up", "chest_left"):
        turned = [_angle(getattr(p, axis), getattr(a, axis)) for p, a in zip(people, actors, strict=True)]
        assert np.degrees(np.mean(turned)) < 13.0
        assert np.degrees(max(turned)) < 22.0


def _apart(people: tuple[Posture, ...], actors: tuple[Posture, ...], what: str) -> float:
    pairs = zip(people, actors, strict=True)
    return float(np.mean([np.linalg.norm(getattr(p, what) - getattr(a, what)) for p, a in pairs]))


def _angle(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.arccos(np.clip(a @ b, -1.0, 1.0)))


def test_the_lower_the_target_the_lower_the_hips_and_the_more_the_trunk_bends() -> None:
    heights, leans = [], []
    for height in (0.9, 0.6, 0.3, 0.03):
        motion = apex_motion(reach_pose(BODY, Style(), {"right": np.array([-0.15, height, 0.5])}))
        heights.append(motion.of("hips")[0, 1])
        along = motion.of("neck")[0] - motion.of("hips")[0]
        leans.append(np.arccos(along[1] / np.linalg.norm(along)))
    assert (np.diff(heights) < -0.04).all()
    assert (np.diff(leans) > 0.0).all()
    assert heights[0] - heights[-1] > 0.2
    assert np.degrees(leans[-1]) > 40.0


def test_the_mass_stays_over_the_feet() -> None:
    """The centre of mass lies between the outer edges of the feet, and between heels and toes."""
    assert TRUNK_MASS.sum() + 2.0 * LIMB_MASS.sum() == pytest.approx(1.0)
    points = {side: BODY.foot_points(side) for side in SIDES}
    refused = 0  # one by one beside or behind the body, on the very edge of what is reached
    for arm in SIDES:
        for target in spread_targets(arm, None, 20, seed=5):
            try:
                pose = reach_pose(BODY, Style(), {arm: target})
            except RequestError:
                refused += 1
                continue
            centre = pose.bearing.bodies(pose.apex[None]).mass[0]
            assert points[arm].heel[2] < centre[2] < points[arm].ball[2]
            outer = [pose.station.feet[side].place[0] for side in SIDES]
            assert outer[1] - 0.03 < centre[0] < outer[0] + 0.03
    assert refused <= 2


@pytest.mark.parametrize(
    "station", [standing(BODY, Style()), sitting(BODY, Style(), SEAT)], ids=["stand", "sit"]
)
def test_bearings_and_forward_kinematics_agree(station: object) -> None:
    """The quick matrices put joints where the finished motion has them, for any numbers that legs allow."""
    bearing = Bearing(station)  # type: ignore[arg-type]
    rng = np.random.default_rng(2)
    rows = 0.25 * rng.standard_normal((20, COUNT))
    rows[:, :3] = [0.0, -0.15, 0.0] if bearing.station.seat is None else [0.0, 0.0, 0.0]
    bodies = bearing.bodies(rows)
    turns = bearing.rotations(rows)
    neck = np.tile(quat.identity(), (20, 1))
    motion = bearing.station.motion(bodies.root, {**turns, "neck": neck}, 60.0)
    for i, side in enumerate(SIDES):
        for role, place in (
            ("upper_arm", bodies.shoulder),
            ("forearm", bodies.elbow),
            ("hand", bodies.wrist),
        ):
            assert_allclose(motion.of(f"{side}_{role}"), place[:, i], rtol=0.0, atol=1e-12)
        assert_allclose(motion.of(f"{side}_thigh"), bodies.hip[:, i], rtol=0.0, atol=1e-12)
        assert_allclose(motion.of(f"{side}_foot"), bodies.ankle[:, i], rtol=0.0, atol=1e-9)
        # knees of the plain legs lie in a slightly other plane
        assert np.linalg.norm(motion.of(f"{side}_shank") - bodies.knee[:, i], axis=-1).max() < 0.03
    assert_allclose(motion.of("neck"), bodies.neck, rtol=0.0, atol=1e-12)


def test_turning_the_hips_moves_no_hip_joints_middle() -> None:
    bearing = Bearing(standing(BODY, Style()))
    rows = np.zeros((8, COUNT))
    rows[:, 3:6] = np.random.default_rng(0).normal(scale=0.4, size=(8, 3))
    middles = bearing.bodies(rows).hip.mean(axis=1)
    assert_allclose(middles, np.tile(middles[0], (8, 1)), rtol=0.0, atol=1e-12)


@pytest.mark.parametrize("seat", [0.35, 0.45, 0.6])
def test_one_who_sits_rests_on_the_seat_with_level_thighs(seat: float) -> None:
    station = sitting(BODY, Style(), seat)
    motion = station.motion(station.root[None], {"hips": quat.exp(station.turn("hips"))[None]}, 60.0)
    for side in SIDES:
        hip, knee = motion.of(f"{side}_thigh")[0], motion.of(f"{side}_shank")[0]
        assert 0.05 < hip[1] - seat < 0.11
        assert abs(np.degrees(np.arcsin((hip[1] - knee[1]) / np.linalg.norm(hip - knee)))) < 27.0
        assert knee[2] - hip[2] > 0.35
        assert_allclose(motion.of(f"{side}_foot")[0], station.foot(side, 1).ankle[0], rtol=0.0, atol=1e-12)


def test_what_is_out_of_reach_is_refused_with_what_is_not() -> None:
    """The place that the refusal names can be asked for, and lies as far away as it says."""
    for target in ([-0.2, 1.2, 1.3], [0.0, 2.5, 0.2], [-1.2, 0.1, 0.0], [0.2, 0.3, -0.9]):
        with pytest.raises(RequestError) as refusal:
            reach_pose(BODY, Style(), {"right": np.array(target)})
        told = [float(x) for x in re.findall(r"-?\d+\.\d+", str(refusal.value))]
        assert_allclose(told[:3], target, atol=5e-4)
        nearest = np.array(told[4:7])
        assert np.linalg.norm(nearest - target) == pytest.approx(told[3], abs=2e-3)
        assert np.linalg.norm(nearest - target) < 0.9
        pose = reach_pose(BODY, Style(), {"right": nearest})
        assert np.linalg.norm(tip_of(apex_motion(pose), "right") - nearest) < 1e-9


@pytest.mark.parametrize(
    ("targets", "options", "why"),
    [
        ({"right": [np.nan, 1.0, 0.4]}, {}, "three numbers"),
        ({"right": [0.1, 1.0]}, {}, "three numbers"),
        ({"left": [0.2, np.inf, 0.3]}, {}, "three numbers"),
        ({"left": "there"}, {}, "three numbers"),
        ({"left": [0.2, -0.1, 0.3]}, {}, "under the floor"),
        ({"left": [0.2, 1.0, 30.0]}, {}, "hands reach about"),
        ({"right": [-0.13, 0.53, -0.2]}, {"seat": 0.45}, "cannot be reached"),  # inside of the thigh
        ({}, {}, "not for none"),
        ({"foot": [0.2, 1.0, 0.3]}, {}, "not for foot"),
        ({"left": [0.2, 1.0, 0.3]}, {"seat": 1.2}, "both feet"),
        ({"left": [0.2, 1.0, 0.3]}, {"seat": float("nan")}, "both feet"),
        ({"left": [0.2, 1.0, 0.3]}, {"seat": "low"}, "both feet"),
        ({"left": [0.2, 1.0, 0.3]}, {"hand": "fist"}, "relaxed, open"),
        ({"left": [0.2, 1.0, 0.3]}, {"touch": "nose"}, "fingertip"),
        ({"left": [0.2, 1.0, 0.3]}, {"seat": 0.45, "feet": {}}, "not for a seat"),
    ],
)
def test_nonsense_is_refused(targets: dict, options: dict, why: str) -> None:
    with pytest.raises(RequestError, match=why):
        reach_pose(BODY, Style(), targets, **options)
