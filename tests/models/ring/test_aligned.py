"""Loops on the ring's frames: strikes at their places, support feet still, nothing lost ([rings] 3.3)."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.figure.contacts import SIDES
from footfall.figure.kinematics import attached, forward
from footfall.figure.sole import Sole
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import turn as turned
from footfall.models.ring.aligned import FRAMES, HALF, AlignedLoop, align_loop, mid_sole
from footfall.models.ring.registration import align_loops, keys_of, straight
from tests.models.ring.gaits import ACTOR, loop


def aligned(index: int) -> AlignedLoop:
    return align_loop(loop(index), straight(loop(index)))


@pytest.mark.parametrize("index", ACTOR)
def test_strikes_are_at_the_beginning_and_half_way(index: int) -> None:
    left, right = keys_of(loop(index))
    places = straight(loop(index))
    assert len(places) == FRAMES + 1 == 2 * HALF + 1
    assert places[0] == left
    assert places[HALF] == right
    assert places[-1] == left + len(loop(index))
    assert (np.diff(places) > 0.0).all()


@pytest.mark.parametrize("index", ACTOR)
def test_its_seconds_are_the_loops(index: int) -> None:
    one = aligned(index)
    assert (one.seconds > 0.0).all()
    assert one.seconds.sum() == pytest.approx(loop(index).seconds, rel=1e-6)


@pytest.mark.parametrize("index", ACTOR)
def test_its_turn_is_the_loops(index: int) -> None:
    assert aligned(index).turn == pytest.approx(loop(index).turn, abs=1e-6)


@pytest.mark.parametrize("index", ACTOR)
def test_the_root_has_no_heading_of_its_own(index: int) -> None:
    """It is taken out: what is left is tilt alone."""
    ahead = quat.rotate(aligned(index).rotations[:, 0], np.array([0.0, 0.0, 1.0]))
    assert np.abs(np.arctan2(ahead[:, 0], ahead[:, 2])).max() < 0.15


@pytest.mark.parametrize("index", ACTOR)
def test_put_together_again_it_is_the_loop(index: int) -> None:
    """Joints, heading, anchor: the figure is the loop's own, to under a centimetre."""
    one, whole = aligned(index), loop(index).cycles(3)
    skeleton, count = whole.skeleton, len(loop(index))
    at = straight(loop(index)) + count * (1 - int(np.floor(straight(loop(index))[0] / count)))
    for half, side in enumerate(SIDES):
        foot, toe = skeleton.joint(f"{side}_foot"), Sole.of(skeleton, side).toe_joint
        for k in (0, HALF // 2, HALF - 1):
            rotations = one.rotations[(half * HALF + k) % FRAMES].copy()
            rotations[0] = quat.multiply(turned(one.headings[half, k]), rotations[0])
            joints, turns = forward(skeleton.tree, skeleton.offsets, np.zeros(3), rotations)
            made = joints + one.anchors[half, k] - attached(joints, turns, [foot], toe[None])[0]
            # the loop's own frame nearest to it, seen from the same foot
            frame = at[half * HALF + k]
            a, share = int(frame), frame % 1.0
            own = (1.0 - share) * whole.positions[a] + share * whole.positions[a + 1]
            apart = np.linalg.norm(made[:, None] - made[None], axis=-1) - np.linalg.norm(
                own[:, None] - own[None], axis=-1
            )
            assert np.abs(apart).max() < 0.01  # m


@pytest.mark.parametrize("index", ACTOR)
def test_a_toe_that_stands_stands_still(index: int) -> None:
    one = aligned(index)
    for half in (0, 1):
        standing = one.contacts[(half * HALF + np.arange(HALF)) % FRAMES, 2 + half]
        first = int(np.argmin(standing)) if not standing.all() else HALF
        assert first > HALF // 4
        assert np.ptp(one.anchors[half, :first], axis=0).max() < 1e-9
        assert (
            np.linalg.norm(np.diff(one.anchors[half], axis=0), axis=1).max() < 0.06
        )  # m: it leaves without a jump


@pytest.mark.parametrize("index", ACTOR)
def test_the_sole_is_at_the_origin_at_its_strike(index: int) -> None:
    one, skeleton = aligned(index), loop(index).motion.skeleton
    for half, side in enumerate(SIDES):
        rotations = one.rotations[half * HALF].copy()
        rotations[0] = quat.multiply(turned(one.headings[half, 0]), rotations[0])
        joints, turns = forward(skeleton.tree, skeleton.offsets, np.zeros(3), rotations)
        foot = [skeleton.joint(f"{side}_foot")]
        toe = attached(joints, turns, foot, Sole.of(skeleton, side).toe_joint[None])[0]
        middle = attached(joints, turns, foot, mid_sole(skeleton, side)[None])[0]
        assert_allclose(one.anchors[half, 0] + middle - toe, 0.0, atol=0.03)  # m: what the stilling moved


def test_all_loops_on_one_clock() -> None:
    """Warped to each other they keep their strikes and seconds."""
    loops = [loop(index) for index in ACTOR[:3]]
    for one, own in zip(align_loops(loops), loops, strict=True):
        assert one.rotations.shape[0] == FRAMES
        assert one.seconds.sum() == pytest.approx(own.seconds, rel=0.02)
        assert (one.seconds > 0.0).all()
        for half in (0, 1):  # at its strike a foot stands
            assert one.contacts[half * HALF, half] or one.contacts[half * HALF, 2 + half]
