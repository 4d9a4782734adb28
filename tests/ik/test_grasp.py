"""Grasps of random things, judged by forward kinematics, exact distances between solids and sampled skins."""

from __future__ import annotations

from functools import cache
from time import perf_counter

import numpy as np
import pytest
import trimesh
from numpy.testing import assert_allclose

from footfall.actor.humanoid import humanoid
from footfall.errors import RequestError
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.ik.grasp import Grasp, close_hand, grasp
from footfall.ik.hand import hand_of
from footfall.ik.hand_pose import HandPoses, poses_of
from footfall.world.shapes.box import Box
from footfall.world.shapes.capsule import Capsule
from footfall.world.shapes.cylinder import Cylinder
from footfall.world.shapes.distance import distance, nearest_points
from footfall.world.shapes.placed import Placed
from footfall.world.shapes.sphere import Sphere
from tests.figure.figures import framed
from tests.ik.held_things import KINDS, any_thing, any_turn, fingers_of
from tests.ik.test_hand import without

COUNT = 60  # of each kind
DEEPEST, TOUCHING = 1e-3, 1e-3  # m


@cache
def poses(side: str) -> HandPoses:
    return poses_of(hand_of(humanoid(), side))


@cache
def grasps(kind: str) -> list[tuple[Placed, Grasp]]:
    rng = np.random.default_rng(KINDS.index(kind))
    out = []
    for k in range(COUNT):
        thing = any_thing(kind, rng)
        natural = {"orientation": any_turn(rng), "position": thing.position + 0.1 * rng.normal(size=3)}
        out.append((thing, grasp(poses(("left", "right")[k % 2]), thing, **natural)))
    return out


@pytest.mark.parametrize("kind", KINDS)
def test_hands_hold_what_hands_can_hold(kind: str) -> None:
    for thing, taken in grasps(kind):
        assert taken.holds, (thing.shape, taken.why)
        assert taken.why == ""
        gaps = np.array([distance(finger, thing) for finger in fingers_of(taken)])
        # the solids' own distance agrees, and nothing overlaps
        assert_allclose(gaps, taken.gaps, atol=1e-8)
        assert (gaps > 0.5e-4).all()
        touching = gaps < TOUCHING
        assert touching.sum() >= 3
        fingers = taken.poses.hand.finger_of
        assert len(np.unique(fingers[touching])) >= 2
        assert touching[fingers == 0].any()  # the thumb
        assert taken.palm_gap > 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_thumbs_press_against_fingers(kind: str) -> None:
    widest = []
    for thing, taken in grasps(kind):
        bodies, own = fingers_of(taken), taken.poses.hand.finger_of
        pressing = {}
        for k in np.flatnonzero(taken.touches):
            there, here = nearest_points(bodies[k], thing)
            pressing[k] = (there - here) / np.linalg.norm(there - here)
        thumb = np.array([v for k, v in pressing.items() if own[k] == 0])
        others = np.array([v for k, v in pressing.items() if own[k] != 0])
        angle = np.degrees(np.arccos(np.clip((thumb @ others.T).min(), -1.0, 1.0)))
        assert angle > 109.9
        widest.append(angle)
    assert np.median(widest) > 140.0


@pytest.mark.parametrize("kind", KINDS)
def test_no_point_of_a_finger_is_inside(kind: str) -> None:
    """Skins of capsules as meshes, and every vertex asked."""
    for thing, taken in grasps(kind)[::10]:
        for k, finger in enumerate(fingers_of(taken)):
            straight = finger.shape.straight  # type: ignore[attr-defined]
            mesh = trimesh.creation.capsule(straight, taken.poses.hand.radii[k], count=[32, 32])
            skin = mesh.subdivide_to_size(0.0015).vertices
            # trimesh's capsules lie along z
            skin = skin - 0.5 * (skin.min(axis=0) + skin.max(axis=0))
            points = finger.to_world(skin[:, [1, 2, 0]])
            gaps = thing.distance_to(points)
            assert gaps.min() > -DEEPEST
            if taken.touches[k]:
                assert gaps.min() < TOUCHING


@pytest.mark.parametrize("kind", KINDS)
def test_fingers_stay_outside_all_the_way(kind: str) -> None:
    for thing, taken in grasps(kind)[::6]:
        for share in np.linspace(0.0, 1.0, 21):
            assert min(distance(finger, thing) for finger in fingers_of(taken, share)) > 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_the_thumb_stops_at_fingers(kind: str) -> None:
    for _, taken in grasps(kind)[::3]:
        bodies, own = fingers_of(taken), taken.poses.hand.finger_of
        for k in np.flatnonzero(own == 0):
            assert min(distance(bodies[k], bodies[o]) for o in np.flatnonzero(own != 0)) > 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_where_in_the_world_does_not_matter(kind: str) -> None:
    """Hand and thing moved together: the same grasp, moved."""
    rng = np.random.default_rng(7)
    for thing, taken in grasps(kind)[:6]:
        turn, shift = any_turn(rng), rng.normal(size=3)
        moved = Placed(
            thing.shape, shift + quat.rotate(turn, thing.position), quat.multiply(turn, thing.orientation)
        )
        natural = quat.multiply(turn, taken.placement.orientation)
        again = grasp(taken.poses, moved, orientation=natural)
        first = grasp(taken.poses, thing, orientation=taken.placement.orientation)
        assert_allclose(again.shares, first.shares, atol=1e-6)
        assert_allclose(
            again.placement.position, shift + quat.rotate(turn, first.placement.position), atol=1e-8
        )


def test_joint_frames_do_not_matter() -> None:
    odd: Skeleton = framed(humanoid())
    other = poses_of(hand_of(odd, "right"))
    frame = odd.rest_orientations[other.hand.joint]
    ball = Placed(Sphere(0.035), np.array([0.1, 1.0, 0.4]))
    turn = quat.normalize(np.array([0.5, 0.2, -0.4, 0.1]))
    plain = grasp(poses("right"), ball, orientation=turn)
    taken = grasp(other, ball, orientation=quat.multiply(turn, frame))
    assert_allclose(taken.shares, plain.shares, atol=1e-6)
    assert_allclose(taken.placement.position, plain.placement.position, atol=1e-8)


def test_what_cannot_be_held_is_told() -> None:
    turn = quat.identity()
    huge = grasp(poses("left"), Placed(Sphere(0.2), np.zeros(3)), orientation=turn)
    assert not huge.holds
    assert "left hand cannot hold this sphere: it is 0.40 m thick" in huge.why
    block = grasp(poses("left"), Placed(Box([0.3, 0.3, 0.3]), np.zeros(3)), orientation=turn)
    assert not block.holds
    assert "this box: it is 0.30 m thick" in block.why
    pea = grasp(poses("left"), Placed(Sphere(0.001), np.zeros(3)), orientation=turn)
    assert not pea.holds
    assert "too small" in pea.why
    for taken in (huge, block, pea):
        assert taken.depth <= DEEPEST
    few = poses_of(hand_of(without(humanoid(), "middle", "ring", "little", "_2", "_3"), "left"))
    crude = grasp(few, Placed(Sphere(0.03), np.zeros(3)), orientation=turn)
    assert "needs 2 fingers with 3 segments in all, and has left_thumb_1, left_index_1" in crude.why
    far = poses("left")
    away = Placed(Sphere(0.03), np.array([1.0, 0.0, 0.0]))
    missed = close_hand(far, away, grasp(far, Placed(Sphere(0.03), np.zeros(3)), orientation=turn).placement)
    assert "0 segments of 0 fingers touch it" in missed.why
    assert_allclose(missed.shares[3:], 1.0)  # nothing was in the fingers' way


def test_a_hand_inside_a_thing_says_how_deep() -> None:
    ball = Placed(Sphere(0.05), np.zeros(3))
    good = grasp(poses("left"), ball, orientation=quat.identity())
    into = Placed(ball.shape, good.placement.position + np.array([0.09, 0.0, 0.0]))
    stuck = close_hand(poses("left"), into, good.placement)
    deepest = min(into.distance_to(finger.position) - r for finger, r in zip(
        fingers_of(stuck), stuck.poses.hand.radii, strict=True
    ))  # fmt: skip
    assert stuck.depth >= -deepest > DEEPEST
    assert not stuck.holds
    assert "inside it" in stuck.why


def test_hands_without_a_thumb_hold_with_fingers() -> None:
    three = poses_of(hand_of(without(humanoid(), "thumb", "little"), "right"))
    stick = Placed(Capsule(0.015, 0.2), np.zeros(3))
    taken = grasp(three, stick, orientation=quat.identity())
    assert taken.holds
    assert taken.opposition == 0.0


def test_other_shapes_are_refused() -> None:
    with pytest.raises(RequestError, match="spheres, boxes and capsules, not a Cylinder"):
        grasp(poses("left"), Placed(Cylinder(0.03, 0.1), np.zeros(3)), orientation=quat.identity())
    with pytest.raises(RequestError, match="orientation"):
        grasp(poses("left"), Placed(Sphere(0.03), np.zeros(3)), orientation=np.full(4, np.nan))


@pytest.mark.parametrize("kind", KINDS)
def test_a_closing_takes_less_than_300_microseconds(kind: str) -> None:
    for thing, taken in grasps(kind)[:5]:
        held, times = taken.held, []
        for _ in range(50):
            start = perf_counter()
            close_hand(taken.poses, held, taken.placement)
            times.append(perf_counter() - start)
        assert min(times) < 300e-6, (thing.shape, min(times))
