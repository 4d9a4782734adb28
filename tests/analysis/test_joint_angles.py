"""Joint angles and gait cycles: known poses exactly, captured walks against what gait laboratories report."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from footfall.actor.humanoid import humanoid
from footfall.adapt.calibrate_feet import calibrate_feet
from footfall.analysis import joint_angles as angles
from footfall.analysis.contacts import detect_contacts
from footfall.analysis.cycles import PHASES, Cycle, by_phase, detect_cycles
from footfall.analysis.plants import detect_plants
from footfall.figure.mirror import mirror
from footfall.figure.motion import Motion
from footfall.figure.pose import Pose
from footfall.formats.load import load_motion
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from tests.captures import captures

X, Y, Z = np.eye(3)
BEND = np.radians(37.0)


def posed(turns: dict[str, np.ndarray], heading: float = 0.0) -> Motion:
    """The humanoid at rest with some joints turned about the world's axes, facing any way."""
    skeleton = humanoid()
    rotations = np.array(skeleton.rest)[None].copy()
    for role, turn in turns.items():
        rotations[0, skeleton.joint(role)] = turn
    rotations[0, 0] = quat.multiply(ground.turn(heading), rotations[0, 0])
    return Motion(skeleton, Pose.at_rest(skeleton).root[None], rotations, 30.0)


@pytest.mark.parametrize("heading", [0.0, 1.0, -2.6])
@pytest.mark.parametrize("side", ["left", "right"])
def test_each_joint_reads_its_own_bend(side: str, heading: float) -> None:
    for role, axis, read, base in (
        ("thigh", -X, angles.hip_flexion, 0.0),
        ("shank", X, angles.knee_flexion, 0.0),
        ("foot", -X, angles.ankle_dorsiflexion, 0.0),
        ("thigh", Z if side == "left" else -Z, angles.hip_abduction, 0.0),
    ):
        straight = read(posed({}, heading), side)[0]
        bent = read(posed({f"{side}_{role}": quat.from_axis_angle(axis, BEND)}, heading), side)[0]
        assert straight == pytest.approx(base, abs=0.02)
        assert bent - straight == pytest.approx(BEND, abs=0.02)


@pytest.mark.parametrize("heading", [0.0, 2.0])
def test_trunk_arms_and_pelvis(heading: float) -> None:
    lean = angles.trunk_lean(posed({"spine": quat.from_axis_angle(X, BEND)}, heading))[0]
    assert lean - angles.trunk_lean(posed({}, heading))[0] == pytest.approx(BEND, abs=0.12)
    hanging = quat.from_axis_angle(Z, -0.5 * np.pi)
    forwards = quat.multiply(quat.from_axis_angle(X, -BEND), hanging)
    arm = posed({"left_upper_arm": forwards, "left_forearm": quat.from_axis_angle(Y, -BEND)}, heading)
    assert angles.shoulder_flexion(arm, "left")[0] == pytest.approx(BEND, abs=1e-9)
    assert angles.elbow_flexion(arm, "left")[0] == pytest.approx(BEND, abs=1e-9)
    tipped = posed({"hips": quat.from_axis_angle(X, 0.2)}, heading)
    assert angles.pelvis_turn(tipped)[1][0] == pytest.approx(0.2, abs=1e-9)
    listed = posed({"hips": quat.from_axis_angle(Z, 0.1)}, heading)
    assert angles.pelvis_turn(listed)[0][0] == pytest.approx(0.1, abs=1e-9)


def cycles_of(motion: Motion) -> tuple[Cycle, ...]:
    contacts = detect_contacts(motion)
    return detect_cycles(motion, contacts, detect_plants(motion, contacts))


def straight_walk(name: str) -> Motion:
    motion = load_motion(captures(f"walk/{name}.bvh"))
    return replace(motion, skeleton=calibrate_feet(motion.skeleton, [motion]))


@pytest.mark.parametrize(
    ("name", "speed", "stride"), [("16_16", 0.99, 1.22), ("16_47", 1.28, 1.46), ("16_21", 1.66, 1.64)]
)
def test_captured_walks_read_like_a_laboratorys(name: str, speed: float, stride: float) -> None:
    motion = straight_walk(name)
    cycles = cycles_of(motion)
    assert len(cycles) >= 3
    for cycle in cycles:
        assert cycle.speed == pytest.approx(speed, rel=0.06)
        assert cycle.stride == pytest.approx(stride, abs=0.06)
        assert abs(cycle.turn_rate) < 0.3
        assert 0.02 < cycle.width < 0.25
        knee = np.degrees(by_phase(angles.knee_flexion(motion, cycle.foot), cycle))
        hip = np.degrees(by_phase(angles.hip_flexion(motion, cycle.foot), cycle))
        ankle = np.degrees(by_phase(angles.ankle_dorsiflexion(motion, cycle.foot), cycle))
        assert 55 < knee.max() < 82
        assert 0.66 < knee.argmax() / (PHASES - 1) < 0.80  # swing's peak
        assert 35 < np.ptp(hip) < 68
        assert 0.45 < hip.argmin() / (PHASES - 1) < 0.65  # furthest back before toe-off
        assert 20 < np.ptp(ankle) < 65
        assert 0.55 < ankle.argmin() / (PHASES - 1) < 0.75  # pushes off


def test_the_mirror_exchanges_the_feet() -> None:
    motion = straight_walk("16_16")
    there, here = cycles_of(mirror(motion)), cycles_of(motion)
    pairs = {(c.foot, c.start, c.end) for c in there}
    swapped = {("left" if c.foot == "right" else "right", c.start, c.end) for c in here}
    assert len(pairs & swapped) >= len(here) - 1


def test_a_stroll_without_a_whole_cycle_has_none() -> None:
    motion = load_motion(captures("walk/16_16.bvh"))
    assert cycles_of(motion[:40]) == ()
