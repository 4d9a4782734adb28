"""Roles from names, over every skeleton among the captures and over the names of many tools."""

from __future__ import annotations

import numpy as np
import pytest

from footfall.errors import RequestError, SkeletonError
from footfall.figure.roles import FINGERS, ROLE_NAMES
from footfall.figure.skeleton import Skeleton
from footfall.formats.load import load_capture, load_motion
from tests.captures import captures
from tests.figure.conventions import BIPED, CONVENTIONS, both
from tests.figure.figures import FAMILY_CLIPS, figure, framed, humanoid

CMU = {
    "hips": "Hips",
    "spine": "LowerBack",
    "chest": "Spine1",
    "neck": "Neck",
    "head": "Head",
    **both(
        {
            "clavicle": "{Left}Shoulder",
            "upper_arm": "{Left}Arm",
            "forearm": "{Left}ForeArm",
            "hand": "{Left}Hand",
            "thigh": "{Left}UpLeg",
            "shank": "{Left}Leg",
            "foot": "{Left}Foot",
            "toe": "{Left}ToeBase",
        }
    ),
}
BIOVISION = {
    "hips": "Hips",
    "spine": "Chest",
    "chest": "Chest4",
    "neck": "Neck",
    "head": "Head",
    **both(
        {
            "clavicle": "{Left}Collar",
            "upper_arm": "{Left}Shoulder",
            "forearm": "{Left}Elbow",
            "hand": "{Left}Wrist",
            "thigh": "{Left}Hip",
            "shank": "{Left}Knee",
            "foot": "{Left}Ankle",
            "toe": "{Left}Toe",
        }
    ),
}
SPINES = {"spine": "Spine", "chest": "Spine3"}
NO_TOES = {"left_toe": None, "right_toe": None}
FAR_LEFT = {
    "hips": "Hip",
    "spine": "LowerSpine",
    "chest": "Chest",
    "neck": "Neck",
    "head": "Head",
    **both(
        {
            "clavicle": "{L}Clavicle",
            "upper_arm": "{L}Shoulder",
            "forearm": "{L}Forearm",
            "hand": "{L}Hand",
            "thigh": "{L}Thigh",
            "shank": "{L}Shin",
            "foot": "{L}Foot",
            "toe": "{L}Toe",
        }
    ),
}
DATASET_2 = {
    "hips": "Hips",
    "spine": "Spine",
    "chest": "Chest",
    "neck": "Neck",
    "head": "Head",
    **both(
        {
            "clavicle": "Shoulder_{L}",
            "upper_arm": "UpperArm_{L}",
            "forearm": "LowerArm_{L}",
            "hand": "Hand_{L}",
            "thigh": "UpperLeg_{L}",
            "shank": "LowerLeg_{L}",
            "foot": "Foot_{L}",
            "toe": "Toes_{L}",
        }
    ),
}
MIXAMO = {role: f"mixamorig:{name}" for role, name in (CMU | {"spine": "Spine", "chest": "Spine2"}).items()}
EXPECTED: dict[str, dict[str, str | None]] = {
    **{family: dict(CMU) for family in FAMILY_CLIPS if family.startswith("CMU")},
    "mixamo": MIXAMO | both({"eye": "mixamorig:{Left}Eye"}),
    "mocapbank": BIOVISION | {"chest": "Chest2"} | NO_TOES,
    "Meredith": CMU | {"spine": "Spine", "chest": "Spine", "neck": None},
    "bvh_example": CMU | SPINES,
    "bvh_test2": dict(BIOVISION),
    "bvh_test3": CMU | SPINES | both({"toe": "{Left}ForeFoot"}),
    "Geno": CMU | SPINES,
    "Far_Left": dict(FAR_LEFT),
    "Swat": dict(FAR_LEFT),
    "dataset-2": dict(DATASET_2),
    "pfnn": dict(CMU),
    "jl_motionMatching": dict(BIOVISION),
    "pnskeleton": CMU | SPINES | NO_TOES,
}
# How many finger roles each has, and some of them by name
FINGER_ROLES = {
    "mixamo": (
        30,
        {"left_little_1": "mixamorig:LeftHandPinky1", "right_thumb_3": "mixamorig:RightHandThumb3"},
    ),
    "Meredith": (2, {"left_thumb_1": "LeftHandThumb1"}),
    "bvh_test3": (30, {"left_index_1": "LeftHandIndex1", "right_little_3": "RightHandPinky3"}),
    "Geno": (30, {"left_middle_3": "LeftHandMiddle3"}),
    "Far_Left": (
        30,
        {"left_thumb_1": "LFinger0", "left_thumb_3": "LFinger02", "right_little_2": "RFinger41"},
    ),
    "pnskeleton": (30, {"left_index_1": "LeftHandIndex1", "left_index_3": "LeftHandIndex3"}),
    "CMU-16": (4, {"left_index_1": "LeftHandIndex1", "right_thumb_1": "RThumb"}),
}


def played(skeleton: Skeleton) -> dict[str, str]:
    return {role: skeleton.names[joint] for role, joint in skeleton.roles.items()}


def is_finger(role: str) -> bool:
    return role.split("_")[1:2] != [] and role.split("_")[1] in FINGERS


@pytest.mark.parametrize("family", FAMILY_CLIPS)
def test_roles_of_the_captures(family: str) -> None:
    skeleton = load_motion(captures(FAMILY_CLIPS[family])).skeleton
    expected = {role: name for role, name in EXPECTED[family].items() if name is not None}
    assert {role: name for role, name in played(skeleton).items() if not is_finger(role)} == expected


@pytest.mark.parametrize("family", FINGER_ROLES)
def test_fingers_of_the_captures(family: str) -> None:
    found = played(load_motion(captures(FAMILY_CLIPS[family])).skeleton)
    count, some = FINGER_ROLES[family]
    assert sum(is_finger(role) for role in found) == count
    assert {role: found.get(role) for role in some} == some


@pytest.mark.parametrize("family", FAMILY_CLIPS)
def test_left_is_at_plus_x_and_the_toes_point_to_plus_z(family: str) -> None:
    """Whatever the file's axes: a loaded figure at rest faces +Z."""
    skeleton = load_motion(captures(FAMILY_CLIPS[family])).skeleton
    at = {role: skeleton.rest_positions[joint] for role, joint in skeleton.roles.items()}
    assert at["left_thigh"][0] > at["right_thigh"][0] + 0.05
    assert at["left_upper_arm"][0] > at["right_upper_arm"][0] + 0.03
    assert at["head"][1] > at["chest"][1] > at["hips"][1] > at["left_foot"][1]
    if "left_toe" in at:
        forward = at["left_toe"] + at["right_toe"] - at["left_foot"] - at["right_foot"]
        # bvh_test3's toes lie straight below its ankles
        assert forward[2] > 3 * abs(forward[0]) or np.linalg.norm(forward[[0, 2]]) < 1e-9


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("seed", [None, 1])
def test_roles_of_every_convention(convention: str, seed: int | None) -> None:
    names = CONVENTIONS[convention]
    skeleton = figure(names) if seed is None else framed(figure(names), seed)
    assert played(skeleton) == {part: name for part, name in names.items() if part in ROLE_NAMES}


@pytest.mark.parametrize("convention", [c for c in CONVENTIONS if c != "Rigify"])
def test_names_alone_give_the_limbs(convention: str) -> None:
    """The same names on bones without length, so that no shape can help."""
    names = CONVENTIONS[convention]
    whole = figure(names)
    shapeless = Skeleton.build(whole.names, whole.parents, np.zeros((len(whole), 3)))
    limbs = {
        part: name
        for part, name in names.items()
        if part in ROLE_NAMES and part not in ("spine", "chest", "neck", "head", "hips")
    }
    found = played(shapeless)
    assert {role: found.get(role) for role in limbs} == limbs


def test_a_biped_with_legs_on_its_spine_and_arms_on_its_neck() -> None:
    """As 3ds Max links them by default."""
    hung = {"left_thigh": "spine", "right_thigh": "spine", "left_clavicle": "neck", "right_clavicle": "neck"}
    skeleton = figure(BIPED, hung)
    assert played(skeleton) == {part: name for part, name in BIPED.items() if part in ROLE_NAMES}


def test_every_role_can_be_found() -> None:
    found = {role for names in CONVENTIONS.values() for role in figure(names).roles}
    assert found == set(ROLE_NAMES)


class TestOverrides:
    def test_a_role_is_what_the_user_says(self) -> None:
        skeleton = humanoid().with_roles(chest="Spine", left_hand="LeftForearm")
        assert (played(skeleton)["chest"], played(skeleton)["left_hand"]) == ("Spine", "LeftForearm")
        assert played(skeleton)["right_hand"] == "RightHand"

    def test_in_build_and_in_load(self) -> None:
        plain = humanoid()
        skeleton = Skeleton.build(plain.names, plain.parents, plain.offsets, roles={"left_eye": "Head"})
        assert played(skeleton)["left_eye"] == "Head"
        capture = load_capture(captures("walk/16_16.bvh"), roles={"chest": "Spine"})
        assert played(capture.motion.skeleton)["chest"] == "Spine"

    def test_a_joint_that_is_not_there_lists_those_that_are(self) -> None:
        with pytest.raises(SkeletonError, match=r"'LeftPaw'; there are Hips, Spine, Chest") as caught:
            humanoid().with_roles(left_foot="LeftPaw")
        assert "\n" not in str(caught.value)

    def test_a_long_list_is_cut(self) -> None:
        with pytest.raises(SkeletonError, match=r"and 12 more"):
            figure(CONVENTIONS["3ds Max Biped"]).index("tail")

    def test_a_role_that_is_none_lists_the_roles(self) -> None:
        with pytest.raises(RequestError, match=r"unknown role 'left_paw'; roles are hips, spine"):
            humanoid().with_roles(left_paw="LeftFoot")

    def test_asking_for_what_is_not_known(self) -> None:
        with pytest.raises(
            SkeletonError, match=r"'left_eye' is not known in this skeleton; it has hips, spine"
        ):
            humanoid().joint("left_eye")
        with pytest.raises(SkeletonError, match=r"'tail' is no role in this skeleton; it has hips"):
            humanoid().joint("tail")
        bare = Skeleton.build(["q"], [-1], np.zeros((1, 3)))
        with pytest.raises(SkeletonError, match="it has none"):
            bare.joint("hips")
