"""What is held stays where it is held, whatever the layers before do; the rest of the body hardly notices."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import footfall as ff
from footfall.control.constraint import EASES, SPARE, ConstraintController
from footfall.control.tick import Tick
from footfall.figure.joint_limits import excess, limits_of
from footfall.figure.pose import Pose
from footfall.geometry import quaternion as quat

DT = 1 / 60


@pytest.fixture(scope="module")
def idle() -> ff.Motion:
    return ff.VirtualActor().idle(2.0).motion


class Turning:
    """A layer that turns spine, neck and head to and fro, as somebody does who looks around."""

    name = "turning"

    def __init__(self, motion: ff.Motion, seed: int = 3) -> None:
        self.motion, skeleton = motion, motion.skeleton
        rng = np.random.default_rng(seed)
        spine = skeleton.tree.path(skeleton.joint("hips"), skeleton.joint("head"))[1:]
        self.axes = {joint: rng.normal(size=3) / 3.0 for joint in spine}
        self.rates = {joint: rng.uniform(1.0, 3.0) for joint in spine}

    def update(self, tick: Tick) -> Pose:
        pose = self.motion.pose(min(int(60 * tick.time), len(self.motion) - 1))
        rotations = np.array(pose.rotations)
        for joint, axis in self.axes.items():
            turn = quat.exp(0.25 * np.sin(self.rates[joint] * tick.time) * axis)
            rotations[joint] = quat.multiply(rotations[joint], turn)
        return replace(pose, rotations=rotations)


def places(skeleton: ff.Skeleton, pose: Pose, role: str) -> tuple[np.ndarray, np.ndarray]:
    found, turns = pose.forward(skeleton)
    return found[skeleton.joint(role)], turns[skeleton.joint(role)]


def test_a_hand_stays_within_a_millimetre_while_the_trunk_turns(idle: ff.Motion) -> None:
    skeleton = idle.skeleton
    where, turn = places(skeleton, idle.pose(0), "left_hand")
    feet = {side: places(skeleton, idle.pose(0), f"{side}_foot") for side in ("left", "right")}
    keep = ConstraintController(skeleton)
    keep.hold("left_hand", position=where + np.array([0.0, 0.1, 0.1]), orientation=turn)
    for side, (place, lies) in feet.items():
        keep.hold(f"{side}_foot", position=place, orientation=lies)
    person = ff.Character(skeleton, [Turning(idle), keep])
    away, angles, before = [], [], None
    for frame in range(240):
        pose = person.step(DT)
        if frame * DT <= EASES + 2 * DT:
            continue
        here, lies = places(skeleton, pose, "left_hand")
        away.append(np.linalg.norm(here - where - [0.0, 0.1, 0.1]))
        angles.append(float(quat.angle_between(lies, turn)))
        for side, (place, _) in feet.items():
            away.append(np.linalg.norm(places(skeleton, pose, f"{side}_foot")[0] - place))
        if before is not None:  # nothing jumps
            assert quat.angle_between(before.rotations, pose.rotations).max() < 0.12
        before = pose
    assert max(away) < 1e-3
    assert max(angles) < 2e-3
    assert excess(limits_of(skeleton), before.rotations)[keep.ik.joints].max() < 0.02  # type: ignore[union-attr]


def test_without_holds_the_pose_passes_through(idle: ff.Motion) -> None:
    keep = ConstraintController(idle.skeleton)
    pose = idle.pose(5)
    assert keep.update(Tick(pose, pose, 0.0, DT, None)) is pose


def test_holds_begin_and_end_smoothly(idle: ff.Motion) -> None:
    skeleton, pose = idle.skeleton, idle.pose(0)
    where, _ = places(skeleton, pose, "right_hand")
    keep = ConstraintController(skeleton)
    keep.hold("right_hand", position=where + np.array([0.0, 0.15, 0.15]))
    trail = [where]
    for frame in range(80):
        if frame == 40:
            keep.release("right_hand")
        made = keep.update(Tick(pose, pose, 0.0, DT, None))
        trail.append(places(skeleton, made, "right_hand")[0])
    steps = np.linalg.norm(np.diff(trail, axis=0), axis=1)
    assert np.linalg.norm(trail[40] - trail[0]) == pytest.approx(0.15 * np.sqrt(2.0), abs=1e-3)
    assert np.linalg.norm(trail[-1] - trail[0]) < 1e-6
    assert steps.max() < 0.03  # of 0.21 m in 0.3 s, eased
    assert repr(keep) == "ConstraintController(holds nothing)"


def test_what_cannot_be_reached_is_said_and_the_body_stays_well(idle: ff.Motion) -> None:
    keep = ConstraintController(idle.skeleton)
    keep.hold("right_hand", position=(0.0, 1.0, 9.0))
    pose = idle.pose(0)
    for _ in range(60):
        made = keep.update(Tick(pose, pose, 0.0, DT, None))
    assert any("right_hand is not where it is held" in said for said in keep.remarks)
    assert np.isfinite(made.rotations).all()
    assert keep.status.missed["right_hand"] > 5.0


def test_bad_wishes_are_said(idle: ff.Motion) -> None:
    keep = ConstraintController(idle.skeleton)
    with pytest.raises(ff.RequestError, match="the figure has no 'tail' to hold"):
        keep.hold("tail", position=(0, 0, 0))
    with pytest.raises(ff.RequestError, match="needs a position or an orientation"):
        keep.hold("left_hand")
    with pytest.raises(ff.RequestError, match="a position is 3 finite numbers"):
        keep.hold("left_hand", position=(0, np.nan, 0))
    keep.release("left_hand")  # nothing to let go


def test_a_pose_of_no_numbers_does_not_raise(idle: ff.Motion) -> None:
    keep = ConstraintController(idle.skeleton)
    keep.hold("left_hand", position=(0.2, 1.0, 0.3))
    pose = idle.pose(0)
    for dt in (np.nan, -1.0, 1e9, 0.0):
        assert isinstance(keep.update(Tick(pose, pose, 0.0, float(np.nan_to_num(dt)), None)), Pose)


def test_another_place_is_gone_over_to(idle: ff.Motion) -> None:
    """Held anew while it is held, a hand jumped there."""
    pose, keep = idle.pose(0), ConstraintController(idle.skeleton)
    start, _ = places(idle.skeleton, pose, "left_hand")
    track = []
    for frame in range(240):
        if frame % 60 == 0:
            side = -1.0 if frame % 120 else 1.0
            goal = start + np.array([0.15 * side, 0.25 * side + 0.25, 0.3])
            keep.hold("left_hand", position=goal)
        made = keep.update(Tick(pose, pose, 0.0, DT, None))
        track.append(places(idle.skeleton, made, "left_hand")[0])
        if frame % 60 == 59:
            assert np.linalg.norm(track[-1] - goal) < 1e-3
    # as fast as the last layer may
    assert np.linalg.norm(np.diff(track, axis=0), axis=1).max() < SPARE * 2.75 * DT
    keep.hold("left_hand", orientation=(0.0, 1.0, 0.0, 0.0))  # and no place: it does not jump either
    before = made
    for _ in range(60):
        made = keep.update(Tick(pose, pose, 0.0, DT, None))
        assert quat.angle_between(before.rotations, made.rotations).max() < 16.0 * DT
        here = places(idle.skeleton, made, "left_hand")[0]
        assert np.linalg.norm(here - places(idle.skeleton, before, "left_hand")[0]) < 2.75 * DT
        before = made


def test_a_frame_in_which_the_solver_fails_does_not_jump(
    idle: ff.Motion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pose of the layers before was shown as it is: the hand jumped by as much as it is held away."""
    pose, keep = idle.pose(0), ConstraintController(idle.skeleton)
    start, _ = places(idle.skeleton, pose, "left_hand")
    keep.hold("left_hand", position=start + np.array([0.2, 0.3, 0.4]))
    track, solve = [], keep._held
    for frame in range(90):
        if frame in (60, 61):
            monkeypatch.setattr(keep, "_held", lambda _: np.linalg.cholesky(-np.eye(2)))
        else:
            monkeypatch.setattr(keep, "_held", solve)
        made = keep.update(Tick(pose, pose, 0.0, DT, None))
        track.append(places(idle.skeleton, made, "left_hand")[0])
    assert any("nothing is held" in said for said in keep.remarks)
    assert np.linalg.norm(np.diff(track, axis=0), axis=1).max() < 2.75 * DT
    keep.release("left_hand")
    for _ in range(90):
        keep.update(Tick(pose, pose, 0.0, DT, None))
    assert not keep.status.missed


def test_a_pose_of_no_numbers_is_forgotten(idle: ff.Motion) -> None:
    pose, keep = idle.pose(0), ConstraintController(idle.skeleton)
    keep.hold("left_hand", position=(0.3, 1.0, 0.4))
    broken = Pose.sound(np.full(3, np.nan), np.array(pose.rotations))
    for given in (pose, broken, pose, pose):
        made = keep.update(Tick(given, given, 0.0, DT, None))
    assert np.isfinite(made.root).all()
    assert np.isfinite(made.rotations).all()
