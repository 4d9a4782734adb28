"""Footfall's own figure: complete, symmetric, of human proportions, and standing on the floor."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.actor.humanoid import humanoid
from footfall.errors import RequestError
from footfall.figure.pose import Pose
from footfall.figure.roles import ROLE_NAMES
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from tests.figure.figures import meaningless_names, renamed

HEIGHTS = [0.8, 1.2, 1.75, 2.6]
MIRROR = np.array([-1.0, 1.0, 1.0])
# found from the shape of the rest pose alone; eyes and fingers are not
LIMBS = ["thigh", "shank", "foot", "toe", "upper_arm", "forearm", "hand"]


def place(skeleton: Skeleton, role: str) -> np.ndarray:
    return skeleton.rest_positions[skeleton.joint(role)]


def span(skeleton: Skeleton, *roles: str) -> float:
    """The way along these joints."""
    return sum(float(np.linalg.norm(place(skeleton, b) - place(skeleton, a))) for a, b in pairwise(roles))


def test_54_joints_with_every_role() -> None:
    skeleton = humanoid()
    assert len(skeleton) == 54
    assert set(skeleton.roles) == set(ROLE_NAMES)
    assert len(set(skeleton.roles.values())) == len(ROLE_NAMES)
    assert len(skeleton.end_parents) == 13  # head, toes, fingers


def test_its_names_alone_give_the_same_roles() -> None:
    skeleton = humanoid()
    assert renamed(skeleton, list(skeleton.names)).roles == skeleton.roles


def test_its_shape_alone_gives_the_limbs() -> None:
    skeleton = humanoid()
    nameless = renamed(skeleton, meaningless_names(len(skeleton)))
    limbs = [f"{side}_{part}" for side in ("left", "right") for part in LIMBS]
    found = {role: nameless.roles.get(role) for role in ["hips", "chest", *limbs]}
    assert found == {role: skeleton.roles[role] for role in found}


def test_symmetric() -> None:
    skeleton = humanoid()
    for role in ROLE_NAMES:
        if role.startswith("left_"):
            other = place(skeleton, role.replace("left_", "right_"))
            assert_allclose(place(skeleton, role) * MIRROR, other, rtol=0, atol=1e-15)
        elif not role.startswith("right_"):
            assert place(skeleton, role)[0] == 0.0
    ends = {tuple(np.round(end, 12)) for end in skeleton.rest_ends}
    assert {tuple(np.round(end * MIRROR, 12) + 0.0) for end in skeleton.rest_ends} == ends
    for name in ("heel", "subtalar", "ball", "toe"):
        left, right = (getattr(skeleton.foot_points(side), name) for side in ("left", "right"))
        assert_allclose(left * MIRROR, right, rtol=0, atol=1e-15)


def test_rests_in_a_t_pose_that_faces_forward() -> None:
    skeleton = humanoid()
    assert_allclose(skeleton.rest, quat.identity(len(skeleton)))
    for side, sign in (("left", 1.0), ("right", -1.0)):
        arm = place(skeleton, f"{side}_hand") - place(skeleton, f"{side}_upper_arm")
        assert_allclose(arm / np.linalg.norm(arm), [sign, 0.0, 0.0], rtol=0, atol=1e-12)
        assert place(skeleton, f"{side}_thigh")[0] * sign > 0
        foot = place(skeleton, f"{side}_toe") - place(skeleton, f"{side}_foot")
        assert foot[2] > 0.9 * np.linalg.norm(foot)
        leg = place(skeleton, f"{side}_foot") - place(skeleton, f"{side}_thigh")
        assert_allclose(leg / np.linalg.norm(leg), [0.0, -1.0, 0.0], rtol=0, atol=1e-12)


@pytest.mark.parametrize("height", HEIGHTS)
def test_stands_on_the_floor_at_its_height(height: float) -> None:
    skeleton = humanoid(height)
    standing = Pose.at_rest(skeleton)
    lift = standing.root - skeleton.rest_positions[0]
    ends, joints = skeleton.rest_ends + lift, skeleton.rest_positions + lift
    assert ends[:, 1].min() == pytest.approx(0.0, abs=1e-12)  # toe tips
    assert ends[:, 1].max() == pytest.approx(height)  # top of the head
    assert joints[:, 1].min() > 0
    for side in ("left", "right"):
        foot = joints[skeleton.joint(f"{side}_foot")]
        for name in ("heel", "subtalar", "ball", "toe"):
            assert (foot + getattr(skeleton.foot_points(side), name))[1] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("height", HEIGHTS)
def test_human_proportions(height: float) -> None:
    """Shares of body height of adults (Winter's segment table), joint to joint."""
    skeleton = humanoid(height)
    shares = {
        "thigh": (span(skeleton, "left_thigh", "left_shank"), 0.245, 0.005),
        "shank": (span(skeleton, "left_shank", "left_foot"), 0.246, 0.005),
        "upper arm": (span(skeleton, "left_upper_arm", "left_forearm"), 0.186, 0.02),
        "forearm": (span(skeleton, "left_forearm", "left_hand"), 0.146, 0.01),
        "shoulders": (span(skeleton, "left_upper_arm", "right_upper_arm"), 0.23, 0.03),
        "hips": (span(skeleton, "left_thigh", "right_thigh"), 0.10, 0.015),
        "hip over the floor": (place(skeleton, "left_thigh")[1] + Pose.at_rest(skeleton).root[1], 0.53, 0.01),
        "arm span": (float(np.ptp(skeleton.rest_ends[:, 0])), 1.02, 0.03),
        "foot": (float(np.ptp([p[2] for p in _sole(skeleton)])), 0.152, 0.02),
    }
    for part, (length, share, tolerance) in shares.items():
        assert length / height == pytest.approx(share, abs=tolerance), part


def _sole(skeleton: Skeleton) -> list[np.ndarray]:
    points = skeleton.foot_points("left")
    return [points.heel, points.toe]


@pytest.mark.parametrize("height", HEIGHTS)
def test_height_scales_every_length(height: float) -> None:
    skeleton, usual = humanoid(height), humanoid()
    assert_allclose(skeleton.offsets, usual.offsets * height / 1.75, rtol=0, atol=1e-12)
    assert_allclose(skeleton.end_offsets, usual.end_offsets * height / 1.75, rtol=0, atol=1e-12)
    assert skeleton.roles == usual.roles


@pytest.mark.parametrize("height", [0.0, 0.79, 2.61, -1.75, np.nan, np.inf])
def test_heights_that_are_refused(height: float) -> None:
    with pytest.raises(RequestError, match=r"height in m must lie in 0\.8 to 2\.6, not "):
        humanoid(height)
