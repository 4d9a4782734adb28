"""Soles: how a foot lies flat, whatever frame its joint has, and that what it turns about stands still."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from footfall.actor.humanoid import humanoid
from footfall.figure.motion import Motion
from footfall.figure.sole import Sole
from footfall.figure.soles import sole_places, toe_places
from footfall.geometry import quaternion as quat
from tests.captured import captured

SEEDS = st.integers(0, 2**32 - 1)
SIDES = ("left", "right")


def as_rotation(turn: np.ndarray) -> Rotation:
    return Rotation.from_quat(turn, scalar_first=True)


def any_sole(seed: int) -> Sole:
    """Heel and ball a foot's length apart, the ankle over the subtalar between them, in any frame."""
    rng = np.random.default_rng(seed)
    lying = np.array(
        [
            [rng.normal(0, 0.01), 0.0, -rng.uniform(0.02, 0.08)],
            [0.0, 0.0, 0.0],
            [rng.normal(0, 0.02), 0.0, rng.uniform(0.08, 0.2)],
            [rng.normal(0, 0.02), rng.uniform(0.0, 0.02), rng.uniform(0.08, 0.2)],
        ]
    ) - [0.0, rng.uniform(0.04, 0.12), 0.0]
    heel, subtalar, ball, joint = Rotation.random(random_state=seed).apply(lying)
    return Sole(heel, subtalar, ball, joint, np.array([0.0, 0.0, 0.05]), True)


def test_a_lying_foot_is_level_and_points_ahead() -> None:
    for seed in range(100):
        sole = any_sole(seed)
        heel, subtalar, ball = as_rotation(sole.lying).apply([sole.heel, sole.subtalar, sole.ball])
        assert ball[1] == pytest.approx(heel[1], abs=1e-12)
        assert ball[0] == pytest.approx(heel[0], abs=1e-12)
        assert ball[2] > heel[2] + 0.05
        # the ankle, at the origin, is over the line from heel to ball: the foot lies on its sole
        assert subtalar[1] < 0.0
        assert np.dot(np.cross(ball - heel, -subtalar), [1.0, 0.0, 0.0]) < 0.0
        assert np.cross(ball - heel, -subtalar)[1] == pytest.approx(0.0, abs=1e-12)


@given(SEEDS)
def test_the_joints_frame_does_not_matter(seed: int) -> None:
    sole = any_sole(seed)
    other = Rotation.random(random_state=seed % 1000 + 7)
    turned = replace(
        sole,
        heel=other.apply(sole.heel),
        subtalar=other.apply(sole.subtalar),
        ball=other.apply(sole.ball),
        toe_joint=other.apply(sole.toe_joint),
    )
    apart = as_rotation(turned.lying) * other * as_rotation(sole.lying).inv()
    assert apart.magnitude() < 1e-7


def test_the_actor_lies_as_at_rest_but_for_the_feet_pointing_outwards() -> None:
    skeleton = humanoid()
    for side, outwards in (("left", 1.0), ("right", -1.0)):
        rest = as_rotation(skeleton.rest_orientations[skeleton.joint(f"{side}_foot")])
        away = (as_rotation(Sole.of(skeleton, side).lying) * rest.inv()).as_rotvec()
        assert_allclose(away[[0, 2]], 0.0, atol=1e-9)
        assert -0.3 < outwards * away[1] <= 1e-9


def test_captured_feet_have_a_lying_turn_near_how_they_stand() -> None:
    """Within ten degrees of the mean turn of a captured foot's flat frames, its heading aside."""
    motion = captured("steps/83_01.bvh")
    for side in SIDES:
        sole = Sole.of(motion.skeleton, side)
        first = as_rotation(motion.orientations[0, motion.skeleton.joint(f"{side}_foot")])
        up = (first * as_rotation(sole.lying).inv()).apply([0.0, 1.0, 0.0])
        assert up[1] > np.cos(np.radians(10.0))


@given(SEEDS)
def test_what_a_foot_turns_about_stands(seed: int) -> None:
    sole = any_sole(seed)
    rng = np.random.default_rng(seed)
    turns = Rotation.random(5, random_state=seed).as_quat(scalar_first=True)
    for pivot in (sole.heel, sole.toe_joint, rng.normal(size=3)):
        ankles = sole.ankle_about(pivot, sole.lying, turns)
        stands = ankles + as_rotation(turns).apply(pivot)
        flat = as_rotation(sole.lying).apply(pivot - sole.subtalar)  # beside its print, under the subtalar
        assert_allclose(stands, np.broadcast_to(flat, (5, 3)), rtol=0, atol=1e-12)


@given(SEEDS)
def test_a_flat_foot_has_its_ankle_over_its_print(seed: int) -> None:
    sole = any_sole(seed)
    for pivot in (sole.heel, sole.toe_joint, sole.ball):
        ankle = sole.ankle_about(pivot, sole.lying, sole.lying)
        assert_allclose(ankle, -as_rotation(sole.lying).apply(sole.subtalar), rtol=0, atol=1e-12)


@pytest.mark.parametrize("side", SIDES)
def test_points_are_where_a_motion_has_them(side: str) -> None:
    """Toes bent, feet anywhere: against what the whole figure's kinematics say."""
    skeleton = humanoid()
    rng = np.random.default_rng(3)
    rotations = quat.normalize(rng.normal(size=(20, len(skeleton), 4)))
    motion = Motion(skeleton, rng.normal(size=(20, 3)), rotations, 30.0)
    foot, toe = skeleton.joint(f"{side}_foot"), skeleton.joint(f"{side}_toe")
    sole = Sole.of(skeleton, side)
    made = sole.points(motion.positions[:, foot], motion.orientations[:, foot], motion.rotations[:, toe])
    assert made.shape == (20, 4, 3)
    assert_allclose(made[:, :3], sole_places(motion, side)[:, :3], rtol=0, atol=1e-12)
    straight = sole.points(motion.positions[:, foot], motion.orientations[:, foot], None)
    assert_allclose(straight[:, :3], made[:, :3], rtol=0, atol=0)
    # the toe joint itself is where the tip turns about
    joint = toe_places(motion, side)
    tip = np.linalg.norm(sole.tip)
    assert_allclose(np.linalg.norm(made[:, 3] - motion.positions[:, toe], axis=-1), tip, rtol=0, atol=1e-12)
    assert_allclose(joint, motion.positions[:, toe], rtol=0, atol=1e-12)


def test_lengths_add_up_to_the_foot() -> None:
    skeleton = humanoid()
    sole = Sole.of(skeleton, "left")
    behind, ahead = sole.lengths
    assert behind == pytest.approx(np.linalg.norm(sole.heel - sole.subtalar), abs=1e-12)
    assert 0.2 < behind + ahead < 0.32
