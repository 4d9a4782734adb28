"""Hands: palms face down in a T-pose, capsules lie on the bones, whatever frames the joints have."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.actor.humanoid import humanoid
from footfall.errors import RequestError, SkeletonError
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.ik.hand import hand_of
from tests.figure.figures import framed

CLOSE = {"rtol": 0.0, "atol": 1e-12}
MIRROR = np.array([-1.0, 1.0, 1.0])


def without(skeleton: Skeleton, *words: str) -> Skeleton:
    """The same figure that does not know some of its roles."""
    return replace(
        skeleton, roles={r: j for r, j in skeleton.roles.items() if not any(word in r for word in words)}
    )


@pytest.mark.parametrize("side", ["left", "right"])
def test_palms_of_a_t_pose_face_down_with_the_thumb_ahead(side: str) -> None:
    hand = hand_of(humanoid(), side)
    assert_allclose(hand.frame.T @ hand.frame, np.eye(3), **CLOSE)
    assert_allclose(hand.normal, [0.0, -1.0, 0.0], **CLOSE)
    assert hand.across[2] > 0.99
    assert hand.along[0] * (1.0 if side == "left" else -1.0) > 0.99
    assert hand.fingers == ("thumb", "index", "middle", "ring", "little")
    assert len(hand.roles) == 15


def test_hands_mirror_each_other() -> None:
    left, right = (hand_of(humanoid(), side) for side in ("left", "right"))
    for name in ("places", "bones", "palm", "along", "across", "normal"):
        assert_allclose(getattr(left, name) * MIRROR, getattr(right, name), err_msg=name, **CLOSE)
    assert_allclose(left.radii, right.radii, **CLOSE)


def test_a_hand_is_as_thick_as_a_hand() -> None:
    hand = hand_of(humanoid(1.75), "left")
    assert 0.17 < hand.length < 0.20
    assert ((hand.radii > 0.006) & (hand.radii < 0.012)).all()
    assert_allclose(hand_of(humanoid(0.875), "left").radii, 0.5 * hand.radii, rtol=1e-12)
    # tips are skin: the last capsule ends at the end site
    for last, finger in zip(hand.starts[1:] - 1, hand.fingers, strict=True):
        joint = hand.skeleton.joint(f"left_{finger}_3")
        tip = hand.skeleton.end_offsets[hand.skeleton.end_parents == joint][0]
        assert np.linalg.norm(hand.bones[last]) + hand.radii[last] == pytest.approx(np.linalg.norm(tip))


@pytest.mark.parametrize("side", ["left", "right"])
def test_joint_frames_do_not_matter(side: str) -> None:
    plain, turned = hand_of(humanoid(), side), hand_of(framed(humanoid()), side)
    frame = turned.skeleton.rest_orientations[turned.joint]
    for name in ("places", "bones", "palm", "along", "across", "normal"):
        assert_allclose(
            quat.rotate(frame, getattr(turned, name)), getattr(plain, name), err_msg=name, **CLOSE
        )


def test_fewer_fingers_and_segments_are_a_hand_too() -> None:
    two = hand_of(without(humanoid(), "middle", "ring", "little"), "left")
    assert two.fingers == ("thumb", "index")
    assert_allclose(two.normal, [0.0, -1.0, 0.0], atol=1e-9)
    short = hand_of(without(humanoid(), "_3"), "left")
    assert len(short.roles) == 10
    # what was the last joint is now the tip
    tip = short.places[-1] + short.bones[-1] * (1.0 + short.radii[-1] / np.linalg.norm(short.bones[-1]))
    assert_allclose(tip, hand_of(humanoid(), "left").places[-1], atol=1e-12)
    lone = hand_of(without(humanoid(), "thumb", "index", "ring", "little"), "right")
    assert lone.fingers == ("middle",)
    assert not lone.has_thumb
    assert_allclose(lone.normal, [0.0, -1.0, 0.0], atol=1e-9)


def test_no_fingers_is_told() -> None:
    with pytest.raises(SkeletonError, match=r"left hand cannot grasp: it needs fingers.*none at all"):
        hand_of(without(humanoid(), "_1", "_2", "_3"), "left")
    with pytest.raises(SkeletonError, match="has thumb"):
        hand_of(without(humanoid(), "index", "middle", "ring", "little"), "left")
    with pytest.raises(SkeletonError, match="left_hand"):
        hand_of(without(humanoid(), "left_hand"), "left")
    with pytest.raises(RequestError, match="must be 'left' or 'right'"):
        hand_of(humanoid(), "middle")
