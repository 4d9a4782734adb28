"""The compiled closing against a plain one, and its distances against exact solids and SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize_scalar

from footfall.actor.humanoid import humanoid
from footfall.geometry import quaternion as quat
from footfall.ik.grasp import close_hand, grasp
from footfall.ik.grasp_kernel import CLEAR, TOUCH
from footfall.ik.hand import hand_of
from footfall.ik.hand_pose import HandPoses, poses_of
from footfall.ik.palm_placement import PalmPlacement
from footfall.ik.segment_distance_kernel import between_segments, from_box
from footfall.world.shapes.box import Box
from footfall.world.shapes.capsule import Capsule
from footfall.world.shapes.distance import distance
from footfall.world.shapes.placed import Placed
from tests.ik.held_things import KINDS, any_thing, any_turn, capsules


def plain_closing(poses: HandPoses, thing: Placed, placement: PalmPlacement) -> np.ndarray:
    """[body] 5.3 with conservative advancement, by forward kinematics and distances of solids."""
    hand = poses.hand
    shares = np.zeros(len(hand.roles))
    lengths = np.linalg.norm(hand.bones, axis=-1)
    rates = np.linalg.norm(poses.closed - poses.open, axis=-1)
    for f in [*range(1, len(hand.fingers)), 0]:
        first, last = hand.starts[f], hand.starts[f + 1]
        free, share = first, 0.0
        while free < last:
            shares[free:last] = share
            bodies = capsules(hand, dict(zip(hand.roles, poses.rotations(shares), strict=True)), placement)
            others = [thing, *(bodies[last:] if f == 0 else [])]
            room = {s: min(distance(bodies[s], o) for o in others) for s in range(free, last)}
            touched = [s for s, gap in room.items() if gap <= TOUCH]
            if touched:
                free = max(touched) + 1
                continue
            if share >= 1.0:
                break
            steps = [1.0 - share]
            for s, gap in room.items():
                joints = range(free, s + 1)
                bones = np.linalg.norm(np.diff(hand.places, axis=0), axis=-1)
                between = [bones[a:s].sum() for a in joints]
                speed = sum(rates[a] * (way + lengths[s]) for a, way in zip(joints, between, strict=True))
                steps.append((gap - CLEAR) / speed)
            share = min(share + min(steps), 1.0)
    return shares


@pytest.mark.parametrize("kind", KINDS)
def test_the_compiled_closing_is_the_plain_one(kind: str) -> None:
    rng = np.random.default_rng(11)
    for side in ("left", "right"):
        poses = poses_of(hand_of(humanoid(), side))
        for _ in range(2):
            thing = any_thing(kind, rng)
            taken = grasp(poses, thing, orientation=any_turn(rng))
            assert_allclose(taken.shares, plain_closing(poses, thing, taken.placement), atol=1e-6)


def test_locked_segments_keep_their_parents() -> None:
    """A segment never goes farther than the ones beyond it: what stops one stops those before."""
    rng = np.random.default_rng(5)
    poses = poses_of(hand_of(humanoid(), "right"))
    for kind in KINDS:
        taken = grasp(poses, any_thing(kind, rng), orientation=any_turn(rng))
        for a, b in zip(poses.hand.starts[:-1], poses.hand.starts[1:], strict=True):
            assert (np.diff(taken.shares[a:b]) >= 0.0).all()
        # a finger segment that stopped short was stopped by a touch of its own or of one beyond it
        for k in np.flatnonzero((taken.shares < 1.0) & (poses.hand.finger_of > 0)):
            same = (poses.hand.finger_of == poses.hand.finger_of[k]) & (taken.shares == taken.shares[k])
            assert taken.touches[same].any()


def test_closing_again_changes_nothing() -> None:
    rng = np.random.default_rng(6)
    poses = poses_of(hand_of(humanoid(), "left"))
    thing = any_thing("box", rng)
    taken = grasp(poses, thing, orientation=any_turn(rng))
    again = close_hand(poses, thing, taken.placement)
    assert (again.shares == taken.shares).all()
    assert (again.gaps == taken.gaps).all()


def test_segments_and_boxes_against_scipy() -> None:
    rng = np.random.default_rng(0)
    for _ in range(300):
        half = rng.uniform(0.0, 1.0, size=3) * rng.integers(0, 2, size=3)
        start, axis = rng.normal(size=(2, 3)) * rng.choice([0.3, 1.0, 3.0])
        found, along = from_box(*start, *axis, *half)
        box = Box(np.maximum(2.0 * half, 1e-9))
        best = minimize_scalar(
            lambda u, a=start, d=axis, b=box: float(b.signed_distance(a + u * d)),
            bounds=(0.0, 1.0),
            method="bounded",
            options={"xatol": 1e-12},
        )
        ends = box.signed_distance(np.array([start, start + axis])).min()
        assert found == pytest.approx(min(best.fun, ends), abs=1e-6)
        assert found <= min(best.fun, ends) + 2e-8
        assert box.signed_distance(start + along * axis) == pytest.approx(found, abs=2e-8)


def test_segments_and_segments_against_solids() -> None:
    rng = np.random.default_rng(1)
    for k in range(300):
        a, d, b, e = rng.normal(size=(4, 3))
        e = d * rng.normal() if k % 10 == 0 else e  # parallel
        apart = between_segments(a, d, b, e)
        grid = np.linspace(0.0, 1.0, 81)
        pairs = (a + grid[:, None] * d)[:, None] - (b + grid[:, None] * e)[None]
        sampled = np.linalg.norm(pairs, axis=-1).min()
        assert apart <= sampled + 1e-12
        assert sampled - apart < (np.linalg.norm(d) + np.linalg.norm(e)) / 80.0
        skin = 0.25 * apart
        bodies = [solid(p, v, skin) for p, v in ((a, d), (b, e))]
        assert distance(*bodies) == pytest.approx(apart - 2.0 * skin, abs=1e-9)


def solid(start: np.ndarray, axis: np.ndarray, radius: float) -> Placed:
    length = float(np.linalg.norm(axis))
    turn = quat.between(np.array([0.0, 1.0, 0.0]), axis)
    return Placed(Capsule(radius, length + 2.0 * radius), start + 0.5 * axis, turn)
