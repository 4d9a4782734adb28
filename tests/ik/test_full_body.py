"""Full-body inverse kinematics beside finite differences, plain NumPy and SciPy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize

import footfall as ff
from footfall.errors import RequestError
from footfall.figure.joint_limits import clamped, excess, limits_of
from footfall.figure.kinematics import jacobian
from footfall.figure.pose import Pose
from footfall.geometry import quaternion as quat
from footfall.ik.effectors_kernel import place_joints, put_rows
from footfall.ik.full_body import FullBodyIK, Goal
from footfall.ik.levels_kernel import take_level
from footfall.ik.limits_kernel import clamp_joint
from footfall.ik.two_link import leg_of, solve_two_link

PERSON = ff.humanoid()
LIMITS = limits_of(PERSON)


def random_pose(rng: np.random.Generator, size: float = 0.35) -> Pose:
    """Within all limits, near a stand with bent knees and arms."""
    turns = quat.exp(size * rng.normal(size=(len(PERSON), 3)))
    rotations = clamped(LIMITS, quat.multiply(PERSON.rest, turns))
    return Pose(np.array([0.1, 0.95, -0.2]) + 0.1 * rng.normal(size=3), rotations)


def feet_of(pose: Pose, level: int = 0) -> list[Goal]:
    places, turns = pose.forward(PERSON)
    joints = [PERSON.joint(f"{side}_foot") for side in ("left", "right")]
    return [Goal(j, places[j], turns[j], level=level) for j in joints]


class TestParts:
    def test_places_are_those_of_plain_kinematics(self) -> None:
        rng = np.random.default_rng(1)
        parents = np.array(PERSON.parents, dtype=np.int64)
        for _ in range(5):
            pose = random_pose(rng)
            places, turns = np.empty((len(PERSON), 3)), np.empty((len(PERSON), 4))
            place_joints(
                parents,
                np.array(PERSON.offsets),
                np.array(pose.root),
                np.array(pose.rotations),
                places,
                turns,
            )
            want_places, want_turns = pose.forward(PERSON)
            np.testing.assert_allclose(places, want_places, atol=1e-12)
            np.testing.assert_allclose(np.abs(np.sum(turns * want_turns, axis=1)), 1.0, atol=1e-12)

    def test_rows_are_the_jacobian(self) -> None:
        """And that is judged by finite differences elsewhere; here it is scaled by looseness."""
        rng = np.random.default_rng(2)
        pose, ik = random_pose(rng), FullBodyIK(PERSON)
        places, _ = pose.forward(PERSON)
        hand = PERSON.joint("left_hand")
        loose = rng.uniform(0.2, 1.0, len(ik.joints))
        rows = np.empty((6, 3 * len(ik.joints) + 3))
        moves = ik._above[hand]
        put_rows(ik.joints, loose, 0.3, moves, np.array(places), np.array(places[hand]), 1.0, 0.2, rows)
        whole = jacobian(PERSON.tree, places, hand)
        for k, joint in enumerate(ik.joints):
            own = slice(3 * k, 3 * k + 3)
            block = whole[:, 3 + 3 * joint : 6 + 3 * joint]
            np.testing.assert_allclose(rows[:3, own], loose[k] * block, atol=1e-12)
            np.testing.assert_allclose(rows[3:, own], 0.2 * loose[k] * np.eye(3) * moves[k], atol=1e-12)
        np.testing.assert_allclose(rows[:3, -3:], 0.3 * np.eye(3))
        assert not rows[3:, -3:].any()

    def test_rows_are_finite_differences(self) -> None:
        rng = np.random.default_rng(3)
        pose, ik = random_pose(rng), FullBodyIK(PERSON)
        places, turns = pose.forward(PERSON)
        hand, small = PERSON.joint("right_hand"), 1e-6
        rows = np.empty((6, 3 * len(ik.joints) + 3))
        ones = np.ones(len(ik.joints))
        here = np.array(places[hand])
        put_rows(ik.joints, ones, 1.0, ik._above[hand], np.array(places), here, 1.0, 1.0, rows)
        for k, joint in enumerate(ik.joints):
            for axis in range(3):
                by = quat.exp(small * np.eye(3)[axis])
                above = quat.identity() if joint == 0 else turns[PERSON.parents[joint]]
                local = quat.multiply(quat.multiply(quat.conjugate(above), by), above)
                rotations = np.array(pose.rotations)
                rotations[joint] = quat.multiply(local, rotations[joint])
                moved, turned = replace(pose, rotations=rotations).forward(PERSON)
                np.testing.assert_allclose(
                    (moved[hand] - places[hand]) / small, rows[:3, 3 * k + axis], atol=1e-5
                )
                about = quat.log(quat.multiply(turned[hand], quat.conjugate(turns[hand]))) / small
                np.testing.assert_allclose(about, rows[3:, 3 * k + axis], atol=1e-5)

    def test_limits_are_those_of_the_figure(self) -> None:
        rng = np.random.default_rng(4)
        own = (LIMITS.before, LIMITS.after, LIMITS.twist, LIMITS.swing, LIMITS.sign)
        beyond = 0
        for _ in range(60):
            turns = quat.normalize(rng.normal(size=(len(PERSON), 4)))
            want, got = clamped(LIMITS, turns), turns.copy()
            for joint in range(len(PERSON)):
                beyond += bool(clamp_joint(own, joint, got))
            assert np.abs(np.sum(want * got, axis=1)).min() > 1.0 - 1e-9
        assert beyond > 500

    def test_one_level_is_the_damped_pseudo_inverse(self) -> None:
        rng = np.random.default_rng(5)
        rows, wanted = rng.normal(size=(6, 20)), rng.normal(size=6)
        basis, change = np.empty((12, 20)), np.zeros(20)
        taken = take_level(rows.copy(), wanted.copy(), basis, 0, 0.1, change)
        want = rows.T @ np.linalg.solve(rows @ rows.T + 0.01 * np.eye(6), wanted)
        np.testing.assert_allclose(change, want, atol=1e-12)
        assert taken == 6
        np.testing.assert_allclose(basis[:6] @ basis[:6].T, np.eye(6), atol=1e-12)

    def test_a_second_level_leaves_the_first_alone(self) -> None:
        rng = np.random.default_rng(6)
        first, second = rng.normal(size=(4, 12)), rng.normal(size=(5, 12))
        basis, change = np.empty((12, 12)), np.zeros(12)
        taken = take_level(first.copy(), rng.normal(size=4), basis, 0, 1e-9, change)
        before = first @ change
        wish = rng.normal(size=5)
        take_level(second.copy(), wish.copy(), basis, taken, 1e-9, change)
        np.testing.assert_allclose(first @ change, before, atol=1e-9)
        np.testing.assert_allclose(second @ change, wish, atol=1e-6)  # there is room for both

    def test_rows_that_say_the_same_twice_do_no_harm(self) -> None:
        row = np.random.default_rng(7).normal(size=(1, 9))
        basis, change = np.empty((6, 9)), np.zeros(9)
        taken = take_level(np.repeat(row, 3, axis=0), np.ones(3), basis, 0, 1e-4, change)
        assert taken == 1
        assert float(row[0] @ change) == pytest.approx(1.0, abs=1e-6)


class TestSolving:
    def test_places_that_were_reached_are_reached_again(self) -> None:
        """Hands of random poses within all limits, from another such pose."""
        rng, ik = np.random.default_rng(8), FullBodyIK(PERSON)
        missed = []
        for _ in range(100):
            pose, other = random_pose(rng), random_pose(rng)
            there, _ = other.forward(PERSON)
            hand = PERSON.joint("left_hand")
            solved = ik.solve(pose, [Goal(hand, there[hand])])
            missed.append(solved.missed[0])
            assert excess(LIMITS, solved.pose.rotations)[ik.joints].max() < 1e-6
            places, _ = solved.pose.forward(PERSON)
            assert np.linalg.norm(places[hand] - there[hand]) == pytest.approx(missed[-1], abs=1e-9)
        assert np.mean(np.array(missed) < 1e-3) >= 0.97

    def test_places_and_turns_together(self) -> None:
        rng, ik = np.random.default_rng(9), FullBodyIK(PERSON)
        hand, missed = PERSON.joint("right_hand"), []
        for _ in range(60):
            pose = random_pose(rng)
            near = replace(
                pose,
                rotations=clamped(
                    LIMITS, quat.multiply(pose.rotations, quat.exp(0.15 * rng.normal(size=(len(PERSON), 3))))
                ),
            )
            places, turns = near.forward(PERSON)
            solved = ik.solve(pose, [Goal(hand, places[hand], turns[hand])], rounds=80)
            missed.append(solved.missed[0])
        assert np.mean(np.array(missed) < 1e-3) >= 0.95

    def test_feet_stay_while_a_hand_wants_too_much(self) -> None:
        """Exactly, but for poses in which legs come to their limits: there within two degrees."""
        ik, missed = FullBodyIK(PERSON), []
        for seed in range(10, 20):
            pose = random_pose(np.random.default_rng(seed), 0.15)
            hand = PERSON.joint("left_hand")
            here = pose.forward(PERSON)[0][hand]
            goals = [*feet_of(pose), Goal(hand, here + np.array([0.0, 0.3, 3.0]), level=1)]
            solved = ik.solve(pose, goals, rounds=120)
            missed.append(float(solved.missed[:2].max()))
            assert solved.missed[2] > 1.0
            assert solved.pose.forward(PERSON)[0][hand][2] > here[2] + 0.25  # it went as far as it could
        assert np.median(missed) < 2e-4
        assert max(missed) < 0.04

    def test_what_goals_leave_open_is_as_one_would_rather_have_it(self) -> None:
        """SciPy looks for the pose nearest to the one wished for, with the hand in its place."""
        arm = ("left_clavicle", "left_upper_arm", "left_forearm")
        ik = FullBodyIK(PERSON, looseness=dict.fromkeys(arm, 1.0), root=0.0)
        rng, bend = np.random.default_rng(11), np.zeros((len(PERSON), 3))
        bend[PERSON.joint("left_upper_arm")], bend[PERSON.joint("left_forearm")] = (
            (0, -0.5, -0.6),
            (0, -1.1, 0),
        )
        pose = Pose(np.array([0.0, 1.0, 0.0]), quat.multiply(PERSON.rest, quat.exp(bend)))
        hand = PERSON.joint("left_hand")
        target = pose.forward(PERSON)[0][hand] + np.array([-0.05, 0.06, 0.04])
        solved = ik.solve(pose, [Goal(hand, target)], rather=pose, rounds=200)
        assert solved.missed[0] < 1e-3
        joints = [PERSON.joint(role) for role in arm]

        def turned(angles: np.ndarray) -> Pose:
            rotations = np.array(pose.rotations)
            rotations[joints] = quat.multiply(quat.exp(angles.reshape(3, 3)), rotations[joints])
            return replace(pose, rotations=rotations)

        best = minimize(
            lambda a: float(a @ a),
            0.01 * rng.normal(size=9),
            constraints={"type": "eq", "fun": lambda a: turned(a).forward(PERSON)[0][hand] - target},
            options={"maxiter": 300, "ftol": 1e-12},
        )
        own = quat.angle_between(pose.rotations[joints], solved.pose.rotations[joints])
        assert best.fun > 1e-3
        assert float(own @ own) <= 1.05 * best.fun + 1e-5

    def test_one_round_is_a_small_step(self) -> None:
        ik = FullBodyIK(PERSON)
        pose = random_pose(np.random.default_rng(12))
        other = random_pose(np.random.default_rng(13))
        step = ik.solve(pose, feet_of(pose), rather=other, rounds=1)
        angles = quat.angle_between(pose.rotations[ik.joints], step.pose.rotations[ik.joints])
        assert 0.0 < angles.max() < np.radians(5.0) * 3.0

    def test_nothing_to_do_changes_nothing(self) -> None:
        ik = FullBodyIK(PERSON)
        pose = random_pose(np.random.default_rng(14))
        solved = ik.solve(pose, feet_of(pose))
        np.testing.assert_allclose(solved.pose.rotations, pose.rotations, atol=1e-6)
        assert solved.missed.max() < 1e-6

    def test_goals_are_told_in_the_order_they_were_given(self) -> None:
        ik = FullBodyIK(PERSON)
        pose = random_pose(np.random.default_rng(15), 0.1)
        hand = PERSON.joint("left_hand")
        far = Goal(hand, np.array([0.0, 9.0, 0.0]), level=5)
        missed = ik.solve(pose, [far, *feet_of(pose)]).missed
        assert missed[0] > 5.0
        assert missed[1:].max() < 0.05

    def test_bad_wishes_are_said(self) -> None:
        with pytest.raises(ff.RequestError, match="a goal needs a position or an orientation"):
            Goal(3)
        with pytest.raises(ff.RequestError, match="no joint gives way"):
            FullBodyIK(PERSON, looseness={})
        with pytest.raises(ff.RequestError, match="the looseness of hips must be"):
            FullBodyIK(PERSON, looseness={"hips": -1.0})


class TestPlantedFeet:
    def test_feet_are_exact_by_legs_alone(self) -> None:
        rng = np.random.default_rng(11)
        ik, rest = FullBodyIK(PERSON), Pose.at_rest(PERSON)
        places, turns = rest.forward(PERSON)
        feet = [PERSON.joint(f"{side}_foot") for side in ("left", "right")]
        for _ in range(50):
            goals = [
                Goal(
                    j,
                    places[j] + rng.uniform(-0.15, 0.15, 3) + [0.0, 0.2, 0.0],
                    quat.multiply(quat.exp(rng.normal(0.0, 0.2, 3)), turns[j]),
                )
                for j in feet
            ]
            planted, missed = ik.planted(rest, goals)
            got, turned = planted.forward(PERSON)
            assert missed < 1e-9
            for goal in goals:
                np.testing.assert_allclose(got[goal.joint], goal.position, atol=1e-9)
                assert abs(float(turned[goal.joint] @ goal.orientation)) > 1.0 - 1e-12
            legs = {PERSON.joint(f"{s}_{p}") for s in ("left", "right") for p in ("thigh", "shank", "foot")}
            others = [j for j in range(len(PERSON)) if j not in legs]
            np.testing.assert_array_equal(planted.rotations[others], rest.rotations[others])

    def test_knees_are_as_the_plain_version_has_them(self) -> None:
        ik, rest = FullBodyIK(PERSON), Pose.at_rest(PERSON)
        places, turns = rest.forward(PERSON)
        leg = leg_of(PERSON, "left")
        target = places[leg.end] + [0.05, 0.15, 0.1]
        planted, _ = ik.planted(rest, [Goal(leg.end, target, turns[leg.end])])
        got, turned = planted.forward(PERSON)
        joints = [leg.upper, leg.middle, leg.end]
        above, below, reached = solve_two_link(leg, places[joints], turns[leg.upper], target)
        assert reached
        np.testing.assert_allclose(
            quat.rotate(above, places[leg.middle] - places[leg.upper]),
            got[leg.middle] - got[leg.upper],
            atol=1e-9,
        )
        want = quat.multiply(below, turns[leg.middle])
        assert abs(float(want @ turned[leg.middle])) > 1.0 - 1e-12

    def test_a_foot_out_of_reach_is_told(self) -> None:
        ik, rest = FullBodyIK(PERSON), Pose.at_rest(PERSON)
        places, turns = rest.forward(PERSON)
        foot = PERSON.joint("left_foot")
        _, missed = ik.planted(rest, [Goal(foot, places[foot] - [0.0, 0.3, 0.0], turns[foot])])
        assert missed == pytest.approx(0.3, abs=0.02)
        with pytest.raises(RequestError, match="feet"):
            ik.planted(rest, [Goal(PERSON.joint("left_hand"), places[foot], turns[foot])])
