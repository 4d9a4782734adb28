"""From ring to ring: it begins as what is left, ends as what is entered, and nothing jumps on the way."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.figure.kinematics import forward
from footfall.geometry import quaternion as quat
from footfall.models.ring import layout
from footfall.models.ring.walker import RingWalker, _upper_joints
from tests.models.ring.plain_ground import staircase, table
from tests.models.ring.plain_ring import but_toes, placed
from tests.models.ring.rings import small_graph

PAIRS = [("walk", "rest"), ("rest", "walk"), ("walk", "trudge"), ("trudge", "walk"), ("trudge", "rest")]
FPS = 60


def joints_of(pose: np.ndarray) -> np.ndarray:
    skeleton = small_graph().skeleton
    return forward(skeleton.tree, skeleton.offsets, pose[:3], pose[3:].reshape(-1, 4))[0]


class Crossing:
    """A switch after two seconds, watched frame by frame."""

    def __init__(self, first: str, second: str, ground: str) -> None:
        terrain, z = (table(40.0, 40.0), 0.0) if ground == "level" else (staircase(0.12, 0.4), 3.0)
        level = float(terrain.height(np.array(0.0), np.array(z)))
        self.walker = walker = RingWalker(
            small_graph(), terrain.tree.arrays, np.array([0.0, level, z]), 0.0, first
        )
        self.joints, self.crossing, self.gaits = [joints_of(walker.pose)], [False], [first]
        self.poses, self.states = [walker.pose.copy()], [walker.state.copy()]
        self.jumps = []
        for k in range(6 * FPS):
            if k == 2 * FPS:
                walker.ask(second)
            before = joints_of(walker.pose)
            walker.advance(0.0)
            self.jumps.append(np.abs(joints_of(walker.pose) - before).max())
            walker.advance(1 / FPS)
            self.joints.append(joints_of(walker.pose))
            self.crossing.append(walker._left is not None or walker._fading is not None)
            self.gaits.append(walker.status.gait)
            self.poses.append(walker.pose.copy())
            self.states.append(walker.state.copy())


@cache
def crossing(first: str, second: str, ground: str = "level") -> Crossing:
    return Crossing(first, second, ground)


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_it_gets_there_and_only_there(first: str, second: str) -> None:
    seen = crossing(first, second)
    assert seen.walker.status.gait == second
    assert seen.walker.status.changing_to is None
    changes = np.flatnonzero([a != b for a, b in zip(seen.gaits, seen.gaits[1:], strict=False)])
    assert len(changes) == 1
    assert 2 * FPS - 1 <= changes[0] < 4 * FPS


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_no_time_changes_nothing_even_when_rings_are_changed(first: str, second: str) -> None:
    """At the moment of the switch the pose is still that of the ring that is left."""
    assert max(crossing(first, second).jumps) < 1e-4  # m


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_joints_go_no_faster_than_elsewhere(first: str, second: str) -> None:
    seen = crossing(first, second)
    speeds = FPS * np.linalg.norm(np.diff(seen.joints, axis=0), axis=-1).max(axis=-1)
    crossed = np.array(seen.crossing[1:])
    assert crossed.sum() > 0.3 * FPS
    assert speeds[crossed].max() < 1.2 * speeds[~crossed].max()


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_no_joint_is_jerked(first: str, second: str) -> None:
    """Velocities change from frame to frame by no more than in a steady gait."""
    seen = crossing(first, second)
    changes = FPS * np.linalg.norm(np.diff(seen.joints, n=2, axis=0), axis=-1).max(axis=-1)
    crossed = np.array(seen.crossing[2:])
    assert changes[crossed].max() < 2.0 * changes[~crossed].max()


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_afterwards_it_is_the_entered_ring_alone(first: str, second: str) -> None:
    seen = crossing(first, second)
    ring = small_graph()[second]
    last = max(k for k, crossed in enumerate(seen.crossing) if crossed)
    for k in range(last + 1, min(last + 60, len(seen.poses)), 12):
        figure = placed(ring, seen.states[k])
        assert_allclose(seen.poses[k][:3], figure.root, atol=3e-5)
        away = quat.angle_between(seen.poses[k][3:].reshape(-1, 4), figure.rotations)
        assert away[but_toes(ring.skeleton)].max() < 3e-5


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_legs_are_the_entered_rings_when_its_foot_has_come_down(first: str, second: str) -> None:
    """What is above them fades on: it is between both rings, and ever nearer to the entered one."""
    seen = crossing(first, second)
    ring, upper = small_graph()[second], _upper_joints(small_graph().skeleton)
    legs = np.setdiff1d(but_toes(ring.skeleton), upper)
    first_frame = next(k for k, crossed in enumerate(seen.crossing) if crossed)
    away = []
    for k in range(first_frame, len(seen.poses)):
        if not seen.crossing[k]:
            break
        apart = quat.angle_between(seen.poses[k][3:].reshape(-1, 4), placed(ring, seen.states[k]).rotations)
        away.append((apart[legs].max(), apart[upper].max()))
    moved = np.array(away)
    strike = _first_strike(seen, first_frame)
    if strike < len(moved):
        assert moved[strike:, 0].max(initial=0.0) < 1e-4  # rad
    assert moved[-1].max() < 0.1 * moved[:, 1].max() + 0.02
    assert moved[0, 1] > 0.015  # it did begin elsewhere


def _first_strike(seen: Crossing, first_frame: int) -> int:
    """Frames of the crossing after which the legs of what was left are gone."""
    walker = small_graph()[seen.walker.status.gait]
    begun = seen.states[first_frame][layout.STRIKES]
    if walker.resting:
        return len(seen.poses)
    return next(k for k, state in enumerate(seen.states[first_frame:]) if state[layout.STRIKES] > begun)


def test_the_upper_joints_are_all_that_no_leg_needs() -> None:
    skeleton = small_graph().skeleton
    upper = set(_upper_joints(skeleton))
    for side in ("left", "right"):
        for role in ("thigh", "foot"):
            joint = skeleton.joint(f"{side}_{role}")
            assert not upper & {joint, *skeleton.tree.ancestors(joint), *skeleton.tree.descendants(joint)}
        assert skeleton.joint(f"{side}_hand") in upper
    assert 0 not in upper


@pytest.mark.parametrize(("first", "second"), [("walk", "rest"), ("rest", "walk")])
def test_on_stairs_too(first: str, second: str) -> None:
    seen = crossing(first, second, "stairs")
    assert seen.walker.status.gait == second
    speeds = FPS * np.linalg.norm(np.diff(seen.joints, axis=0), axis=-1).max(axis=-1)
    crossed = np.array(seen.crossing[1:])
    assert speeds[crossed].max() < 1.2 * speeds[~crossed].max()
    assert max(seen.jumps) < 1e-4
