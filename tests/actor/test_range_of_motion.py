"""The range-of-motion take: every part moves, smoothly, and the foot that carries the figure stays put."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.actor.humanoid import humanoid
from footfall.actor.range_of_motion import SECONDS, range_of_motion
from footfall.figure.motion import Motion
from footfall.figure.roles import ROLE_NAMES, SIDES
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from tests.figure.figures import framed

BOTH_STAND_UNTIL = 8.6  # s
FIRST_TWIST = 5.2  # s; until then left and right do the same
EXACT = {"rtol": 0.0, "atol": 1e-12}


@pytest.fixture(scope="module")
def motion() -> Motion:
    return range_of_motion(humanoid(), fps=60.0)


def strays(motion: Motion, side: str) -> np.ndarray:
    """How far foot and toe are from where they rest, frame by frame, in place and in turn."""
    joints = [motion.skeleton.joint(f"{side}_{part}") for part in ("foot", "toe")]
    places, turns = motion.positions[:, joints], motion.orientations[:, joints]
    moved = np.linalg.norm(places - places[0], axis=-1).max(axis=-1)
    return moved + np.abs(turns - turns[0]).max(axis=(1, 2))


def test_length_and_rate(motion: Motion) -> None:
    assert (len(motion), motion.fps, motion.seconds) == (721, 60.0, SECONDS)


def test_both_feet_stay_on_the_floor_at_first(motion: Motion) -> None:
    early = motion.times <= BOTH_STAND_UNTIL
    for side in SIDES:
        assert strays(motion, side)[early].max() < 1e-12
        foot = motion.skeleton.joint(f"{side}_foot")
        for name in ("heel", "ball"):
            point = getattr(motion.skeleton.foot_points(side), name)
            sole = motion.positions[:, foot] + quat.rotate(motion.orientations[:, foot], point)
            assert_allclose(sole[early, 1], 0.0, **EXACT)


def test_one_foot_always_stands(motion: Motion) -> None:
    """While one leg is lifted the other foot does not move at all; both get their turn, and come back."""
    left, right = strays(motion, "left"), strays(motion, "right")
    assert np.minimum(left, right).max() < 1e-12
    assert left.max() > 0.3
    assert right.max() > 0.3
    assert left[-1] < 1e-12
    assert right[-1] < 1e-12


def test_lifted_feet_go_up_and_not_into_the_floor(motion: Motion) -> None:
    toes = np.isin(motion.skeleton.end_parents, [motion.skeleton.joint(f"{s}_toe") for s in SIDES])
    tips = motion.ends[:, toes, 1]
    assert tips.shape[1] == 2
    assert tips.min() > -0.01
    assert tips.max(axis=0).min() > 0.2


def test_continuous() -> None:
    """Four times the frames: steps a quarter as large, of every joint's turn."""

    def largest_step(fps: float) -> float:
        turns = range_of_motion(humanoid(), fps=fps).rotations
        return float(quat.angle_between(turns[1:], turns[:-1]).max())

    coarse, fine = largest_step(60.0), largest_step(240.0)
    assert fine == pytest.approx(coarse / 4, rel=0.02)
    assert coarse * 60.0 < np.radians(400)  # a person can


@pytest.mark.parametrize("fps", [1.0, 24.0, 30.0, 120.0])
def test_the_same_at_any_rate(fps: float) -> None:
    slow, fast = range_of_motion(humanoid(), fps=fps), range_of_motion(humanoid(), fps=2 * fps)
    assert len(slow) == round(SECONDS * fps) + 1
    assert_allclose(slow.positions, fast.positions[::2], **EXACT)


def test_most_parts_move(motion: Motion) -> None:
    moved = {
        role: quat.angle_between(motion.rotations[:, joint], motion.rotations[0, joint]).max()
        for role, joint in motion.skeleton.roles.items()
    }
    still = {role for role, angle in moved.items() if angle < np.radians(5)}
    assert still == {
        "hips",
        *(f"{s}_{part}" for s in SIDES for part in ("eye", "clavicle", "hand")),
    }
    assert set(moved) == set(ROLE_NAMES)


def test_left_and_right_do_the_same_until_the_trunk_turns(motion: Motion) -> None:
    early = motion.times <= FIRST_TWIST
    for role in ROLE_NAMES:
        if role.startswith("left_"):
            left, right = motion.of(role)[early], motion.of(role.replace("left_", "right_"))[early]
            assert_allclose(left * [-1, 1, 1], right, **EXACT)


def test_hands_hang_spread_and_reach_up(motion: Motion) -> None:
    hand, shoulder, head = motion.of("left_hand"), motion.of("left_upper_arm"), motion.of("head")
    assert (hand[0] - shoulder[0])[1] < -0.4
    assert (hand[:, 1] - head[:, 1]).max() > 0.3
    assert np.abs(hand - shoulder)[:, 0].max() > 0.5


def test_any_joint_frames_make_the_same_motion(motion: Motion) -> None:
    """Turns are told in the world's axes, whatever frames a skeleton's joints have."""
    other = range_of_motion(framed(humanoid(), seed=3), fps=60.0)
    assert_allclose(other.positions, motion.positions, rtol=0.0, atol=1e-9)


def test_a_figure_without_roles_stands_still() -> None:
    stick = Skeleton.build(["qa", "qb"], [-1, 0], np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    still = range_of_motion(stick, fps=10.0)
    assert_allclose(still.positions, np.broadcast_to(still.positions[0], still.positions.shape), **EXACT)
