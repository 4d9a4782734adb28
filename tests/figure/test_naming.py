"""What names say, over the habits of many tools, and what they must not be taken to say."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.figure.naming import other_side, read_name
from tests.figure.conventions import CONVENTIONS

READINGS = [
    ("LeftUpLeg", "left", "thigh", None),
    ("RightForeArm", "right", "forearm", None),
    ("LThumb", "left", "thumb", None),
    ("LeftHandIndex1", "left", "index", 1),
    ("mixamorig:RightHandPinky3", "right", "little", 3),
    ("mixamorig:LeftToeBase", "left", "toe", None),
    ("Character1_LeftLeg", "left", "shank", 1),
    ("thigh_l", "left", "thigh", None),
    ("index_02_r", "right", "index", 2),
    ("pinky_metacarpal_l", "left", "little", 0),
    ("J_Bip_C_Hips", "", "hips", None),
    ("J_Bip_R_LowerLeg", "right", "shank", None),
    ("J_Bip_L_Little3", "left", "little", 3),
    ("leftMiddleIntermediate", "left", "middle", 2),
    ("rightThumbMetacarpal", "right", "thumb", 0),
    ("left_hip", "left", "thigh", None),
    ("right_ankle", "right", "foot", None),
    ("Bip01 L Thigh", "left", "thigh", 1),
    ("Bip01 R Finger21", "right", "finger", 21),
    ("ValveBiped.Bip01_L_Calf", "left", "shank", 1),
    ("lfemur", "left", "thigh", None),
    ("rradius", "right", "forearm", None),
    ("rhumerus", "right", "upper_arm", None),
    ("JtHipLf", "left", "thigh", None),
    ("JtIndexBRt", "right", "index", 2),
    ("JtThumbCLf", "left", "thumb", 3),
    ("JtNeckA", "", "neck", 1),
    ("JtSkullA", "", "head", 1),
    ("l_forefoot", "left", "toe", None),
    ("l_sternoclavicular", "left", "clavicle", None),
    ("eyeball_right", "right", "eye", None),
    ("LeftFinger1Metacarpal", "left", "thumb", 0),
    ("RightFinger5Medial", "right", "little", 2),
    ("Right Upper Leg", "right", "thigh", None),
    ("DEF-upper_arm.L", "left", "upper_arm", None),
    ("DEF-f_index.01.R", "right", "index", 1),
    ("CC_Base_L_Mid2", "left", "middle", 2),
    ("lShldr", "left", "shoulder", None),
    ("HipLeft", "left", "thigh", None),
    ("left_toes_joint", "left", "toe", None),
    ("UpperLeg_R", "right", "thigh", None),
    ("hip", "", "hips", None),
    ("Pelvis", "", "hips", None),
    ("Left_Thorax", "left", "clavicle", None),
    ("LHipJoint", "left", "hip_joint", None),  # CMU: a joint before the thigh
    ("lhipjoint", "left", "hip_joint", None),
    ("rfingers", "right", "fingers", None),
]

SAY_NOTHING = [
    "LeftHips",
    "RightArmTwist",
    "upperarm_twist_01_l",
    "LeftForeArmRoll",
    "LeftToeBaseEnd",
    "LeftToe_End",
    "HeadTop_End",
    "ik_foot_l",
    "foot_ik_l",
    "Spine1",
    "thorax",
    "LowerBack",
    "JtUpperArmTwistALf",
    "joint_Root",
    "reference",
    "",
    ":",
    "{}",
    "17",
    "äöü",
    "左足",
]


@pytest.mark.parametrize(("name", "side", "part", "number"), READINGS)
def test_reading(name: str, side: str, part: str, number: int | None) -> None:
    found = read_name(name)
    assert (found.side, found.part, found.number) == (side, part, number)


@pytest.mark.parametrize("name", SAY_NOTHING)
def test_names_of_no_known_part(name: str) -> None:
    assert read_name(name).part == ""


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("LeftFoot", "RightFoot"),
        ("left_foot", "right_foot"),
        ("LEFT_FOOT", "RIGHT_FOOT"),
        ("mixamorig:LeftFoot", "mixamorig:RightFoot"),
        ("foot_l", "foot_r"),
        ("Foot.L", "Foot.R"),
        ("Bip01 L Foot", "Bip01 R Foot"),
        ("JtAnkleLf", "JtAnkleRt"),
        ("lfemur", "rfemur"),
        ("Lfemur", "Rfemur"),
        ("FootLeft", "FootRight"),
        ("LHipJoint", "RHipJoint"),
        ("LeftFingerBase", "RightFingerBase"),
        ("brow01_left", "brow01_right"),
        ("a:b:l_toe", "a:b:r_toe"),
    ],
)
def test_the_other_side_and_back(left: str, right: str) -> None:
    assert other_side(left) == right
    assert other_side(right) == left


@pytest.mark.parametrize(
    "name", ["Hips", "Spine1", "Neck", "Head", "JtSkullA", "thorax", "lowerneck", "root", ""]
)
def test_the_middle_has_no_other_side(name: str) -> None:
    assert other_side(name) is None


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_in_every_convention_sides_are_told_and_swapped(convention: str) -> None:
    names = CONVENTIONS[convention]
    for part, name in names.items():
        side, _, rest = part.partition("_")
        if side not in ("left", "right"):
            assert other_side(name) not in names.values()
            continue
        other = {"left": "right", "right": "left"}[side]
        assert other_side(name) == names[f"{other}_{rest}"]
        assert other_side(names[f"{other}_{rest}"]) == name


words = st.sampled_from(
    [
        "Left",
        "right",
        "L",
        "r",
        "Lf",
        "rt",
        "LEFT",
        "Foot",
        "femur",
        "lfemur",
        "_",
        " ",
        ":",
        ".",
        "1",
        "02",
        "x",
    ]
)


@settings(deadline=None, max_examples=500)
@given(st.text(max_size=40) | st.lists(words, max_size=5).map("".join))
def test_any_text_is_read_without_complaint(name: str) -> None:
    found = read_name(name)
    assert found.side in ("left", "right", "")
    assert found.number is None or 0 <= found.number < 10**6
    swapped = other_side(name)
    if swapped is not None:
        assert swapped != name
        assert other_side(swapped) == name
