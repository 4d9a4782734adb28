"""The compiled gaze against a plain one: matrix exponentials, boundary conditions solved, joint by joint."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose
from scipy.linalg import expm

from footfall.control import gaze_motion_kernel as rules
from footfall.control.gaze import GazeController
from footfall.control.gaze_figure import NECK_FIRST
from footfall.control.gaze_kernel import LEVEL
from footfall.control.tick import Tick
from footfall.figure.joint_limits import clamped, limits_of
from footfall.figure.kinematics import to_local
from footfall.figure.pose import Pose
from footfall.geometry import quaternion as quat
from tests.control.gaze_judge import EYES, between_eyes, idle, seen_at, skeleton

X, Y, Z = np.eye(3)


def angles(direction: np.ndarray) -> np.ndarray:
    x, y, z = direction
    return np.array([-np.arctan2(y, np.hypot(x, z)), np.arctan2(x, z)])


def followed(state: np.ndarray, goal: float, pace: float, fastest: float, dt: float) -> np.ndarray:
    """x''' = pace^3 (goal - x) - 3 pace^2 x' - 3 pace x'', the goal held within reach."""
    ahead = np.clip(goal - state[0], -3 * fastest / pace, 3 * fastest / pace)
    law = np.array([[0, 1, 0], [0, 0, 1], [-(pace**3), -3 * pace**2, -3 * pace]])
    held = np.array([state[0] + ahead, 0.0, 0.0])
    return held + expm(law * dt) @ (state - held)


def left_of(start: np.ndarray, t: float, span: float) -> np.ndarray:
    """Place, rate and acceleration at t of the quintic from `start` to rest at 0."""

    def row(t: float, order: int) -> np.ndarray:
        return np.array(
            [np.polyder(np.eye(6)[k], order) @ t ** np.arange(5 - order, -1, -1) for k in range(6)]
        )

    if t >= span:
        return np.zeros(3)
    ends = np.array([row(s, order) for s in (0.0, span) for order in range(3)])
    quintic = np.linalg.solve(ends, [*start, 0.0, 0.0, 0.0])
    return np.array([row(t, order) @ quintic for order in range(3)])


class PlainGaze:
    """For targets before a figure that has all its parts, within the limits of its eyes."""

    def __init__(self) -> None:
        self.head, self.trunk = np.zeros((2, 3)), np.zeros((2, 3))
        self.seen: np.ndarray | None = None
        self.settled, self.clock, self.span = 0.0, 0.0, 0.0
        self.start = np.zeros((2, 2, 3))  # eye, axis
        self.last: list = []
        self.moved = np.zeros(3)

    def frame(self, base: Pose, target: np.ndarray | None, dt: float) -> Pose:
        figure = skeleton()
        hips, head, chest = (figure.joint(role) for role in ("hips", "head", "chest"))
        rest = figure.rest_orientations
        _, turns = base.forward(figure)
        body = quat.multiply(turns[hips], quat.conjugate(rest[hips]))
        back = quat.conjugate(body)
        ahead = quat.rotate(back, quat.rotate(quat.multiply(turns[head], quat.conjugate(rest[head])), Z))
        came = angles(ahead)
        goals, leaps = np.zeros((2, 2)), (target is None) != (self.seen is None)
        if target is not None:
            away = target - between_eyes(figure, base) - self.moved
            away = away / np.linalg.norm(away)
            jump = 0.0 if self.seen is None else np.arccos(np.clip(away @ self.seen, -1, 1))
            if self.seen is None:
                self.settled = 0.0
            elif jump > rules.PURSUIT * dt + rules.TREMOR:
                leaps, self.settled = True, self.settled * np.exp(-jump / rules.FRESH)
            self.settled += (1.0 - self.settled) * (1.0 - np.exp(-dt / rules.SETTLING))
            away_in_body = quat.rotate(back, away)
            steep = min(np.hypot(away_in_body[0], away_in_body[2]) / LEVEL, 1.0)
            wanted = angles(away_in_body) * [1.0, steep * (2.0 - steep)]
            for axis in range(2):
                goals[0, axis] = rules.head_goal.py_func(wanted[axis] - came[axis], axis, self.settled, True)
                goals[1, axis] = rules.trunk_goal.py_func(wanted[axis], axis)
            self.seen = away
        else:
            self.seen = None
        for axis in range(2):
            self.trunk[axis] = followed(
                self.trunk[axis], goals[1, axis], rules.TRUNK_PACE, rules.TRUNK_FASTEST, dt
            )
            most, over = rules.HEAD_MOST[axis], self.trunk[axis, 0]
            goal = np.clip(goals[0, axis], over - most, over + most)
            self.head[axis] = followed(self.head[axis], goal, rules.HEAD_PACE, rules.HEAD_FASTEST, dt)
        pose = self._turned(
            base, body, came[1], figure.tree.path(hips, chest)[1:], figure.tree.path(chest, head)[1:]
        )
        self.moved = between_eyes(figure, pose) - between_eyes(figure, base)
        return self._aimed(pose, target, leaps, dt)

    def _turned(self, base: Pose, body: np.ndarray, start: float, spine: list[int], neck: list[int]) -> Pose:
        def in_world(nod: float, turn: float, start: float) -> np.ndarray:
            told = quat.multiply(quat.from_axis_angle(Y, start + turn), quat.from_axis_angle(X, nod))
            told = quat.multiply(told, quat.from_axis_angle(Y, -start))
            return quat.multiply(quat.multiply(body, told), quat.conjugate(body))

        trunk = in_world(*self.trunk[:, 0], 0.0)
        over = quat.log(quat.multiply(in_world(*self.head[:, 0], start), quat.conjugate(trunk)))
        figure = skeleton()
        turns = base.forward(figure)[1].copy()
        made = base.rotations.copy()
        for k, joint in enumerate(spine):
            turns[joint] = quat.multiply(quat.exp(quat.log(trunk) * (k + 1) / len(spine)), turns[joint])
        for k, joint in enumerate(neck):
            share = 1.0 if k == len(neck) - 1 else NECK_FIRST * (k + 1) / (len(neck) - 1)
            turns[joint] = quat.multiply(quat.multiply(quat.exp(share * over), trunk), turns[joint])
        joints = [*spine, *neck]
        made[joints] = to_local(figure.tree, turns)[joints]
        return Pose(base.root, clamped(limits_of(figure), made))

    def _aimed(self, pose: Pose, target: np.ndarray | None, leaps: bool, dt: float) -> Pose:
        figure = skeleton()
        rest, (places, turns) = figure.rest_orientations, pose.forward(figure)
        rotations, now = pose.rotations.copy(), []
        for role in EYES:
            joint = figure.joint(role)
            above = figure.tree.parent(joint)
            bearing = quat.multiply(turns[above], quat.conjugate(rest[above]))
            ray = quat.rotate(quat.multiply(turns[joint], quat.conjugate(rest[joint])), Z)
            now.append((joint, above, bearing, places[joint], ray))
        swing = [swing_to(eye, target) for eye in now]
        then = swing
        if self.last:
            earlier = [(*eye[0][:4], eye[0][4]) for eye in self.last]
            then = [swing_to(eye, target) for eye in earlier]
        if leaps:
            at_once = [eye[1] for eye in self.last] if self.last else [swing_to(eye, None) for eye in now]
            for i in range(2):
                for axis in range(2):
                    rates = (
                        left_of(self.start[i, axis], self.clock, self.span)[1:] if self.span else (0.0, 0.0)
                    )
                    self.start[i, axis] = at_once[i][axis] - then[i][axis], *rates
            way = max(np.linalg.norm(self.start[i, :, 0]) for i in range(2))
            self.clock, self.span = 0.0, rules.LEAP_LEAST + rules.LEAP_MORE * way
        self.clock += dt
        self.last = []
        for i, (joint, above, bearing, _, ray) in enumerate(now):
            left = [left_of(self.start[i, axis], self.clock, self.span)[0] for axis in range(2)]
            place = swing[i] + left
            self.last.append((now[i], place))
            wanted = quat.rotate(bearing, quat.rotate(quat.exp(np.array([*place, 0.0])), Z))
            turned = quat.multiply(quat.between(ray, wanted), turns[joint])
            rotations[joint] = quat.multiply(quat.conjugate(turns[above]), turned)
        return Pose(pose.root, rotations)


def swing_to(eye: tuple, target: np.ndarray | None) -> np.ndarray:
    _, _, bearing, place, ray = eye
    away = ray if target is None else target - place
    return quat.log(quat.between(Z, quat.rotate(quat.conjugate(bearing), away / np.linalg.norm(away))))[:2]


def test_compiled_and_plain_agree() -> None:
    gaze, plain, motion = GazeController(skeleton(), saccades=False), PlainGaze(), idle()
    targets = [seen_at(20.0, 5.0), seen_at(-35.0, -15.0), None, seen_at(12.0, -8.0, 0.6), seen_at(28.0), None]
    largest = 0.0
    for k in range(240):
        target = targets[k // 40]
        if k >= 120 and target is not None:
            target = target + 0.2 * np.sin(0.1 * k) * X  # it moves
        base = Pose(motion.root[k], motion.rotations[k])
        gaze.command(look_at=target)
        made, expected = gaze.update(Tick(base, base, 0.0, 1 / 60, None)), plain.frame(base, target, 1 / 60)
        largest = max(largest, float(quat.angle_between(made.rotations, base.rotations).max()))
        same = quat.angle_between(made.rotations, quat.normalize(expected.rotations))
        assert_allclose(same, 0.0, atol=1e-6, err_msg=f"frame {k}")
    assert largest > np.radians(15.0)
