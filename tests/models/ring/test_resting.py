"""The resting ring: feet stay, on any ground ([rings] 5.3)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.actor.virtual_actor import VirtualActor
from footfall.control.gait import GaitController
from footfall.errors import RequestError
from footfall.figure.contacts import SIDES
from footfall.figure.kinematics import attached, forward
from footfall.figure.sole import Sole
from footfall.geometry import quaternion as quat
from footfall.models.ring.model import MotionRing
from footfall.models.ring.resting import build_rest, closed_stand, nine_stands
from footfall.world.mesh import MeshTerrain
from tests.models.ring.plain_ground import bumps, slope, table
from tests.models.ring.rings import resting_ring, small_graph


def soles(ring: MotionRing, frames: np.ndarray, weights: np.ndarray, side: str) -> np.ndarray:
    skeleton = ring.skeleton
    poses = [ring.pose(frame, weights) for frame in frames]
    joints, turns = forward(
        skeleton.tree,
        skeleton.offsets,
        np.stack([p.root for p in poses]),
        np.stack([p.rotations for p in poses]),
    )
    points = np.stack([skeleton.foot_points(side).heel, Sole.of(skeleton, side).toe_joint])
    return attached(joints, turns, [skeleton.joint(f"{side}_foot")] * 2, points)


def step_up(height: float) -> MeshTerrain:
    """Level, and level again higher under the right foot."""
    corners = [(-3.0, height, -3.0), (-3.0, height, 3.0), (0.0, height, 3.0), (0.0, height, -3.0)]
    corners += [(0.0, 0.0, -3.0), (0.0, 0.0, 3.0), (3.0, 0.0, 3.0), (3.0, 0.0, -3.0)]
    faces = [(0, 1, 2), (0, 2, 3), (4, 5, 6), (4, 6, 7), (3, 2, 5), (3, 5, 4)]
    return MeshTerrain(np.array(corners), np.array(faces))


def test_nine_stands_of_one() -> None:
    ring = resting_ring()
    assert len(ring) == 9
    points = ring.tables.own_strikes(0)
    heights = np.unique(points[:, 1].round(2))
    assert len(heights) == 3
    assert heights[0] < -0.1
    assert heights[2] > 0.1
    assert ring.resting


@pytest.mark.parametrize("loop", range(9))
def test_feet_do_not_slide(loop: int) -> None:
    ring = resting_ring()
    half = np.linspace(0.0, ring.tables.half - 1e-6, 25)
    for side in SIDES:
        for start in (0, ring.tables.half):
            places = soles(ring, half + start, np.eye(9)[loop], side)
            assert np.ptp(places, axis=0).max() < 1e-3  # m


def test_it_moves_though_and_comes_back() -> None:
    """Somebody who stands breathes; and the ring closes."""
    ring, weights = resting_ring(), resting_ring().usual_weights
    first, again = ring.pose(0.0, weights), ring.pose(float(ring.tables.frames), weights)
    assert_allclose(again.rotations, first.rotations, atol=1e-12)
    for start in (0, ring.tables.half):  # each half is told beside its own foot
        roots = np.stack([ring.pose(start + k, weights).root for k in range(ring.tables.half)])
        assert 1e-4 < np.ptp(roots, axis=0).max() < 0.1
        assert np.linalg.norm(np.diff(roots, axis=0), axis=1).max() < 0.01


@pytest.mark.parametrize("height", [-0.14, -0.07, 0.0, 0.07, 0.14])
def test_it_stands_on_ground_of_different_heights(height: float) -> None:
    world = step_up(height)
    gait = GaitController(small_graph(), place=(0.1, 0.0))
    feet = []
    for _ in range(8 * 60):
        pose = gait.advance(1 / 60, world).copy()
        skeleton = gait.skeleton
        joints, turns = forward(skeleton.tree, skeleton.offsets, pose[:3], pose[3:].reshape(-1, 4))
        feet.append(
            [
                attached(
                    joints, turns, [skeleton.joint(f"{side}_foot")], skeleton.foot_points(side).subtalar[None]
                )[0]
                for side in SIDES
            ]
        )
    places = np.array(feet)
    assert gait.status.gait == "rest"
    for k, level in ((0, 0.0), (1, height)):
        assert np.abs(places[:, k, 1] - level).max() < 0.03  # m
    moved = np.ptp(places, axis=0)
    assert moved[:, [0, 2]].max() < 2e-3  # m: no foot slides, though the stand is between the nine
    assert moved[:, 1].max() < 4e-3
    assert gait.contacts.all()


@pytest.mark.parametrize("height", [-0.07, 0.1])
def test_who_stands_for_minutes_stays_where_it_stands(height: float) -> None:
    """What feet wander within a cycle does not add up from cycle to cycle."""
    world, gait = step_up(height), GaitController(small_graph(), place=(0.1, 0.0))
    places = []
    for _ in range(24):
        for _ in range(60 * 5):
            gait.advance(1 / 60, world)
        joints, turns = gait.pose.forward(gait.skeleton)
        feet = [gait.skeleton.joint(f"{side}_foot") for side in SIDES]
        points = np.stack([gait.skeleton.foot_points(side).subtalar for side in SIDES])
        places.append(attached(joints, turns, feet, points))
    assert np.ptp(np.array(places), axis=0).max() < 5e-3  # m in two minutes


@pytest.mark.parametrize("ground", [lambda: slope(0.15), lambda: slope(0.0, 0.12), bumps, table])
def test_both_feet_on_any_ground(ground: Callable[[], MeshTerrain]) -> None:
    world = ground()
    where = (10.0, 10.0) if world is bumps() else (0.0, 0.0)
    gait = GaitController(small_graph(), place=where)
    for _ in range(120):
        gait.advance(1 / 60, world)
    joints, turns = gait.pose.forward(gait.skeleton)
    for side in SIDES:
        middle = gait.skeleton.foot_points(side)
        foot = gait.skeleton.joint(f"{side}_foot")
        place = attached(joints, turns, [foot], 0.5 * (middle.heel + middle.toe)[None])[0]
        assert world.closest(place).distance < 0.03


def test_the_stand_ends_as_it_began() -> None:
    stand = closed_stand(VirtualActor().idle(4.0).motion)
    assert_allclose(stand.root[-1], stand.root[0], atol=5e-3)
    assert stand.contacts is not None
    assert stand.contacts.heel.all()


@pytest.mark.parametrize("seconds", [2.5, 4.0, 9.0])
def test_a_stand_goes_over_its_seam_as_smoothly_as_elsewhere(seconds: float) -> None:
    """Pose and rate: a second lap's first steps are no larger, and no less even, than any other's."""
    stand = closed_stand(VirtualActor().idle(seconds).motion)
    laps = np.concatenate([stand.rotations, stand.rotations, stand.rotations])
    steps = quat.log(quat.multiply(quat.conjugate(laps[:-1]), laps[1:]))
    seam = np.arange(len(stand) - 3, len(stand) + 3)
    inside = np.arange(4, len(stand) - 4)
    assert np.abs(steps[seam]).max() <= 1.05 * np.abs(steps[inside]).max()
    changes = np.abs(np.diff(steps, axis=0))
    assert changes[seam].max() <= 1.3 * changes[inside].max()
    sways = np.diff(np.concatenate([stand.root, stand.root]), axis=0)
    assert np.abs(sways[len(stand) - 2 : len(stand) + 1]).max() <= 1.05 * np.abs(sways[inside]).max()


def test_stands_differ_in_their_right_foot_alone() -> None:
    stand = closed_stand(VirtualActor().idle(4.0).motion)
    found = [motion for _, motion in nine_stands(stand)]
    left, right = (stand.skeleton.joint(f"{side}_foot") for side in SIDES)
    lefts = np.stack([motion.positions[0, left] for motion in found])
    assert np.ptp(lefts, axis=0).max() < 0.01
    rights = np.stack([motion.positions[0, right] for motion in found])
    assert len(np.unique(rights[:, 1:].round(3), axis=0)) == 9
    assert np.ptp(rights[:, 0]) < 0.01


def test_a_clip_without_a_stand_is_refused() -> None:
    with pytest.raises(RequestError, match="both feet stand"):
        build_rest(VirtualActor().walk(1.3).motion)
