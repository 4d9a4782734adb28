"""How other tools name a body: part of `figures.BODY` to joint name, one table a convention.

In a side's names {left}, {Left}, {l}, {L} and {Lf} stand for the side; in a finger's, {finger}, {Finger},
{pinky} and {Pinky} for the finger (the last two call the little finger so), {i} for its segment.
"""

from __future__ import annotations

SIDES = {
    "left": {"left": "left", "Left": "Left", "l": "l", "L": "L", "Lf": "Lf"},
    "right": {"left": "right", "Left": "Right", "l": "r", "L": "R", "Lf": "Rt"},
}
FINGERS = ("thumb", "index", "middle", "ring", "little")
LONG_FINGERS = FINGERS[1:]

Names = dict[str, str]


def _fill(name: str, words: Names) -> str:
    for word, meant in words.items():
        name = name.replace("{" + word + "}", meant)
    return name


def both(table: Names) -> Names:
    """A side's table for both sides."""
    return {
        f"{side}_{part}": _fill(name, words) for side, words in SIDES.items() for part, name in table.items()
    }


def fingers(name: str, segments: tuple[str, ...] = ("1", "2", "3"), of: tuple[str, ...] = FINGERS) -> Names:
    """Three joints a finger, {i} filled with the segments' words."""
    table = {}
    for finger in of:
        pinky = "pinky" if finger == "little" else finger
        words = {
            "finger": finger,
            "Finger": finger.capitalize(),
            "pinky": pinky,
            "Pinky": pinky.capitalize(),
            "number": str(1 + FINGERS.index(finger)),
        }
        for i, segment in enumerate(segments, start=1):
            table[f"{finger}_{i}"] = _fill(name, words | {"i": segment})
    return table


def palm(name: str) -> Names:
    """The bone before the knuckle of every finger but the thumb."""
    return {f"{part[:-1]}0": n for part, n in fingers(name, ("",), LONG_FINGERS).items()}


UNREAL = {
    "root": "root",
    "hips": "pelvis",
    "spine": "spine_01",
    "spine_2": "spine_02",
    "chest": "spine_03",
    "neck": "neck_01",
    "head": "head",
    **both(
        {
            "clavicle": "clavicle_{l}",
            "upper_arm": "upperarm_{l}",
            "upper_arm_twist": "upperarm_twist_01_{l}",
            "forearm": "lowerarm_{l}",
            "hand": "hand_{l}",
            **fingers("{pinky}_0{i}_{l}"),
            "thigh": "thigh_{l}",
            "thigh_twist": "thigh_twist_01_{l}",
            "shank": "calf_{l}",
            "foot": "foot_{l}",
            "toe": "ball_{l}",
        }
    ),
}
UNREAL_5 = UNREAL | both(palm("{pinky}_metacarpal_{l}"))
VROID = {
    "root": "Root",
    "hips": "J_Bip_C_Hips",
    "spine": "J_Bip_C_Spine",
    "spine_2": "J_Bip_C_Chest",
    "chest": "J_Bip_C_UpperChest",
    "neck": "J_Bip_C_Neck",
    "head": "J_Bip_C_Head",
    **both(
        {
            "eye": "J_Adj_{L}_FaceEye",
            "clavicle": "J_Bip_{L}_Shoulder",
            "upper_arm": "J_Bip_{L}_UpperArm",
            "forearm": "J_Bip_{L}_LowerArm",
            "hand": "J_Bip_{L}_Hand",
            **fingers("J_Bip_{L}_{Finger}{i}"),
            "thigh": "J_Bip_{L}_UpperLeg",
            "shank": "J_Bip_{L}_LowerLeg",
            "foot": "J_Bip_{L}_Foot",
            "toe": "J_Bip_{L}_ToeBase",
        }
    ),
}
VRM_0 = {
    "hips": "hips",
    "spine": "spine",
    "spine_2": "chest",
    "chest": "upperChest",
    "neck": "neck",
    "head": "head",
    "jaw": "jaw",
    **both(
        {
            "eye": "{left}Eye",
            "clavicle": "{left}Shoulder",
            "upper_arm": "{left}UpperArm",
            "forearm": "{left}LowerArm",
            "hand": "{left}Hand",
            **fingers("{left}{Finger}{i}", ("Proximal", "Intermediate", "Distal")),
            "thigh": "{left}UpperLeg",
            "shank": "{left}LowerLeg",
            "foot": "{left}Foot",
            "toe": "{left}Toes",
        }
    ),
}
VRM_1 = VRM_0 | both(fingers("{left}{Finger}{i}", ("Metacarpal", "Proximal", "Distal"), ("thumb",)))
SMPL = {
    "hips": "pelvis",
    "spine": "spine1",
    "spine_2": "spine2",
    "chest": "spine3",
    "neck": "neck",
    "head": "head",
    **both(
        {
            "clavicle": "{left}_collar",
            "upper_arm": "{left}_shoulder",
            "forearm": "{left}_elbow",
            "hand": "{left}_wrist",
            "middle_0": "{left}_hand",
            "thigh": "{left}_hip",
            "shank": "{left}_knee",
            "foot": "{left}_ankle",
            "toe": "{left}_foot",
        }
    ),
}
SMPL_H = {part: name for part, name in SMPL.items() if not part.endswith("middle_0")} | both(
    fingers("{left}_{pinky}{i}")
)
SMPL_X = SMPL_H | {"jaw": "jaw"} | both({"eye": "{left}_eye_smplhf"})
SMPL_SHORT = {
    "hips": "Pelvis",
    "spine": "Torso",
    "spine_2": "Spine",
    "chest": "Chest",
    "neck": "Neck",
    "head": "Head",
    **both(
        {
            "clavicle": "{L}_Thorax",
            "upper_arm": "{L}_Shoulder",
            "forearm": "{L}_Elbow",
            "hand": "{L}_Wrist",
            "middle_0": "{L}_Hand",
            "thigh": "{L}_Hip",
            "shank": "{L}_Knee",
            "foot": "{L}_Ankle",
            "toe": "{L}_Toe",
        }
    ),
}
LAFAN1 = {
    "hips": "Hips",
    "spine": "Spine",
    "spine_2": "Spine1",
    "chest": "Spine2",
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
            "toe": "{Left}Toe",
        }
    ),
}


def _biped(prefix: str, gap: str) -> Names:
    """3ds Max counts from the thumb: Finger0, Finger01, Finger02, then Finger1, Finger11, ..."""
    digits = {
        f"{finger}_{i}": f"Finger{n}{'' if i == 1 else i - 1}"
        for n, finger in enumerate(FINGERS)
        for i in (1, 2, 3)
    }
    limbs = {
        "clavicle": "Clavicle",
        "upper_arm": "UpperArm",
        "forearm": "Forearm",
        "hand": "Hand",
        **digits,
        "thigh": "Thigh",
        "shank": "Calf",
        "foot": "Foot",
        "toe": "Toe0",
    }
    return {
        "root": prefix,
        "hips": f"{prefix}{gap}Pelvis",
        "spine": f"{prefix}{gap}Spine",
        "chest": f"{prefix}{gap}Spine1",
        "neck": f"{prefix}{gap}Neck",
        "head": f"{prefix}{gap}Head",
        **both({part: f"{prefix}{gap}{{L}}{gap}{name}" for part, name in limbs.items()}),
    }


BIPED = _biped("Bip01", " ")
BIPED_001 = _biped("Bip001", " ")
VALVE = _biped("ValveBiped.Bip01", "_")
ACCLAIM = {
    "hips": "root",
    "spine": "lowerback",
    "spine_2": "upperback",
    "chest": "thorax",
    "neck": "lowerneck",
    "neck_2": "upperneck",
    "head": "head",
    **both(
        {
            "clavicle": "{l}clavicle",
            "upper_arm": "{l}humerus",
            "forearm": "{l}radius",
            "hand": "{l}wrist",
            "middle_0": "{l}hand",
            "thumb_1": "{l}thumb",
            "hip_joint": "{l}hipjoint",
            "thigh": "{l}femur",
            "shank": "{l}tibia",
            "foot": "{l}foot",
            "toe": "{l}toes",
        }
    ),
}
SMARTBODY = {
    "root": "JtRoot",
    "hips": "JtPelvis",
    "spine": "JtSpineA",
    "spine_2": "JtSpineB",
    "chest": "JtSpineC",
    "neck": "JtNeckA",
    "neck_2": "JtNeckB",
    "head": "JtSkullA",
    "jaw": "JtJaw",
    **both(
        {
            "eye": "JtEye{Lf}",
            "clavicle": "JtClavicle{Lf}",
            "upper_arm": "JtShoulder{Lf}",
            "upper_arm_twist": "JtUpperArmTwistA{Lf}",
            "forearm": "JtElbow{Lf}",
            "hand": "JtWrist{Lf}",
            **fingers("Jt{Finger}{i}{Lf}", ("A", "B", "C")),
            "thigh": "JtHip{Lf}",
            "shank": "JtKnee{Lf}",
            "foot": "JtAnkle{Lf}",
            "toe": "JtBall{Lf}",
            "toe_end": "JtToe{Lf}",
        }
    ),
}
SMARTBODY_COMMON = {
    "hips": "base",
    "spine": "spine1",
    "spine_2": "spine2",
    "chest": "spine3",
    "neck": "spine4",
    "neck_2": "spine5",
    "head": "skullbase",
    "jaw": "Jaw",
    **both(
        {
            "eye": "eyeball_{left}",
            "clavicle": "{l}_sternoclavicular",
            "upper_arm": "{l}_shoulder",
            "forearm": "{l}_elbow",
            "hand": "{l}_wrist",
            **fingers("{l}_{pinky}{i}"),
            "thigh": "{l}_hip",
            "shank": "{l}_knee",
            "foot": "{l}_ankle",
            "toe": "{l}_forefoot",
            "toe_end": "{l}_toe",
        }
    ),
}
ROKOKO = {
    "root": "Root",
    "hips": "Hips",
    "spine": "Spine1",
    "spine_2": "Spine2",
    "spine_3": "Spine3",
    "chest": "Spine4",
    "neck": "Neck",
    "head": "Head",
    **both(
        {
            "clavicle": "{Left}Shoulder",
            "upper_arm": "{Left}Arm",
            "forearm": "{Left}ForeArm",
            "hand": "{Left}Hand",
            **fingers("{Left}Finger{number}{i}", ("Metacarpal", "Proximal", "Distal"), ("thumb",)),
            **palm("{Left}Finger{number}Metacarpal"),
            **fingers("{Left}Finger{number}{i}", ("Proximal", "Medial", "Distal"), LONG_FINGERS),
            "thigh": "{Left}Thigh",
            "shank": "{Left}Shin",
            "foot": "{Left}Foot",
            "toe": "{Left}Toe",
        }
    ),
}
XSENS_FBX = {
    "hips": "Pelvis",
    "spine": "L5",
    "spine_2": "L3",
    "spine_3": "T12",
    "chest": "T8",
    "neck": "Neck",
    "head": "Head",
    **both(
        {
            "clavicle": "{Left} Shoulder",
            "upper_arm": "{Left} Upper Arm",
            "forearm": "{Left} Forearm",
            "hand": "{Left} Hand",
            "thigh": "{Left} Upper Leg",
            "shank": "{Left} Lower Leg",
            "foot": "{Left} Foot",
            "toe": "{Left} Toe",
        }
    ),
}
XSENS_BVH = {
    "hips": "Hips",
    "spine": "Chest",
    "spine_2": "Chest2",
    "spine_3": "Chest3",
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
RIGIFY = {
    "hips": "DEF-spine",
    "spine": "DEF-spine.001",
    "spine_2": "DEF-spine.002",
    "chest": "DEF-spine.003",
    "neck": "DEF-spine.004",
    "neck_2": "DEF-spine.005",
    "head": "DEF-spine.006",
    **both(
        {
            "clavicle": "DEF-shoulder.{L}",
            "upper_arm": "DEF-upper_arm.{L}",
            "forearm": "DEF-forearm.{L}",
            "hand": "DEF-hand.{L}",
            **fingers("DEF-thumb.0{i}.{L}", of=("thumb",)),
            **fingers("DEF-f_{pinky}.0{i}.{L}", of=LONG_FINGERS),
            "thigh": "DEF-thigh.{L}",
            "shank": "DEF-shin.{L}",
            "foot": "DEF-foot.{L}",
            "toe": "DEF-toe.{L}",
        }
    ),
}
CHARACTER_CREATOR = {
    "root": "CC_Base_BoneRoot",
    "hips": "CC_Base_Hip",
    "spine": "CC_Base_Waist",
    "spine_2": "CC_Base_Spine01",
    "chest": "CC_Base_Spine02",
    "neck": "CC_Base_NeckTwist01",
    "neck_2": "CC_Base_NeckTwist02",
    "head": "CC_Base_Head",
    **both(
        {
            "eye": "CC_Base_{L}_Eye",
            "clavicle": "CC_Base_{L}_Clavicle",
            "upper_arm": "CC_Base_{L}_Upperarm",
            "upper_arm_twist": "CC_Base_{L}_UpperarmTwist01",
            "forearm": "CC_Base_{L}_Forearm",
            "hand": "CC_Base_{L}_Hand",
            **fingers("CC_Base_{L}_{Pinky}{i}"),
            **fingers("CC_Base_{L}_Mid{i}", of=("middle",)),
            "thigh": "CC_Base_{L}_Thigh",
            "thigh_twist": "CC_Base_{L}_ThighTwist01",
            "shank": "CC_Base_{L}_Calf",
            "foot": "CC_Base_{L}_Foot",
            "toe": "CC_Base_{L}_ToeBase",
        }
    ),
}
POSER = {
    "hips": "hip",
    "spine": "abdomen",
    "chest": "chest",
    "neck": "neck",
    "head": "head",
    **both(
        {
            "eye": "{left}Eye",
            "clavicle": "{l}Collar",
            "upper_arm": "{l}Shldr",
            "forearm": "{l}ForeArm",
            "hand": "{l}Hand",
            "thigh": "{l}Thigh",
            "shank": "{l}Shin",
            "foot": "{l}Foot",
            "toe": "{l}Toe",
        }
    ),
}
KINECT = {
    "hips": "SpineBase",
    "spine": "SpineMid",
    "chest": "SpineShoulder",
    "neck": "Neck",
    "head": "Head",
    **both(
        {
            "upper_arm": "Shoulder{Left}",
            "forearm": "Elbow{Left}",
            "hand": "Wrist{Left}",
            "thigh": "Hip{Left}",
            "shank": "Knee{Left}",
            "foot": "Ankle{Left}",
            "toe": "Foot{Left}",
        }
    ),
}
ARKIT = {
    "root": "root",
    "hips": "hips_joint",
    "spine": "spine_1_joint",
    "spine_2": "spine_2_joint",
    "chest": "spine_7_joint",
    "neck": "neck_1_joint",
    "neck_2": "neck_2_joint",
    "head": "head_joint",
    "jaw": "jaw_joint",
    **both(
        {
            "eye": "{left}_eye_joint",
            "clavicle": "{left}_shoulder_1_joint",
            "upper_arm": "{left}_arm_joint",
            "forearm": "{left}_forearm_joint",
            "hand": "{left}_hand_joint",
            **palm("{left}_hand{Pinky}Start_joint"),
            **fingers("{left}_hand{Pinky}_{i}_joint", of=LONG_FINGERS),
            "thigh": "{left}_upLeg_joint",
            "shank": "{left}_leg_joint",
            "foot": "{left}_foot_joint",
            "toe": "{left}_toes_joint",
            "toe_end": "{left}_toesEnd_joint",
        }
    ),
}

CONVENTIONS = {
    "Unreal mannequin": UNREAL,
    "Unreal 5": UNREAL_5,
    "VRoid": VROID,
    "VRM 0": VRM_0,
    "VRM 1": VRM_1,
    "SMPL": SMPL,
    "SMPL-H": SMPL_H,
    "SMPL-X": SMPL_X,
    "SMPL, short names": SMPL_SHORT,
    "LaFAN1": LAFAN1,
    "3ds Max Biped": BIPED,
    "3ds Max Biped 001": BIPED_001,
    "Valve": VALVE,
    "Acclaim": ACCLAIM,
    "SmartBody": SMARTBODY,
    "SmartBody common": SMARTBODY_COMMON,
    "Rokoko": ROKOKO,
    "Xsens FBX": XSENS_FBX,
    "Xsens BVH": XSENS_BVH,
    "Rigify": RIGIFY,
    "Character Creator": CHARACTER_CREATOR,
    "Poser": POSER,
    "Kinect": KINECT,
    "ARKit": ARKIT,
}
