"""What a joint's name says: its side, its body part and its ordinal.

Knows the habits of CMU, Acclaim, Mixamo, LaFAN1, SmartBody, VRM, Unreal, SMPL, 3ds Max Biped, Xsens,
Rokoko, Rigify, Poser, Kinect, ARKit and Biovision files. What the parts mean together is decided in `roles`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# ARKit writes left_foot_joint; CMU's LHipJoint, though, is a joint before the thigh
SUFFIX = re.compile(r"[_ .-](joint|jnt)$", re.IGNORECASE)
TOKEN = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
LEFT_TOKENS = {"left", "l", "lf", "lft"}
RIGHT_TOKENS = {"right", "r", "rt", "rgt"}
# Words that say nothing about the body part
NOISE = {
    *("jt", "j", "bip", "biped", "valve", "def", "adj", "mixamorig", "cc", "base", "avg", "bn", "bone"),
    *("bend", "character", "m", "c"),
}

PARTS: dict[str, str] = {}
for _part, _words in {
    "thigh": "thigh upleg upperleg femur hip",
    "hip_joint": "hipjoint",  # before the thigh
    "shank": "shank shin calf knee lowerleg lowleg tibia leg",
    "foot": "foot ankle",
    "toe": "toe toes toebase ball forefoot",
    "clavicle": "clavicle clav collar collarbone sternoclavicular thorax",
    "shoulder": "shoulder shldr",
    "upper_arm": "upperarm uparm humerus arm",
    "forearm": "forearm lowerarm lowarm elbow radius",
    "hand": "hand wrist",
    "eye": "eye eyeball faceeye eyesmplhf",
    "thumb": "thumb handthumb thumbfinger",
    "index": "index handindex indexfinger findex",
    "middle": "middle handmiddle middlefinger mid fmiddle",
    "ring": "ring handring ringfinger fring",
    "little": "little handlittle pinky handpinky pinkie littlefinger pinkyfinger fpinky",
    "finger": "finger",
    "fingers": "fingers fingerbase",
    "hips": "hips pelvis",
    "neck": "neck neckbase lowerneck",
    "head": "head skull skullbase",
}.items():
    for _word in _words.split():
        PARTS[_word] = _part

FINGERS = ("thumb", "index", "middle", "ring", "little")
# VRM's and Rokoko's words for the segments of a finger, and SmartBody's letters
SEGMENTS = {"metacarpal": 0, "proximal": 1, "intermediate": 2, "medial": 2, "distal": 3}
LETTERS = {"a": 1, "b": 2, "c": 3, "d": 4}


@dataclass(frozen=True)
class JointName:
    """The reading of one name; `part` is a key of PARTS' values, or "" where the name says nothing."""

    side: str  # "left", "right" or ""
    part: str
    word: str  # the part as written, lower case and joined: "handthumb"
    number: int | None


def read_name(name: str) -> JointName:
    tokens = [t.lower() for t in TOKEN.findall(SUFFIX.sub("", name.rsplit(":", 1)[-1]))]
    side = _side_of(tokens)
    words = [t for t in tokens if t not in LEFT_TOKENS | RIGHT_TOKENS and not t.isdigit()]
    digits = [int(t[:6]) for t in tokens if t.isdigit()]
    number, words = _segment(digits, words)
    words = [w for w in words if w not in NOISE]
    if not side and len(words) == 1 and _has_side_letter(words[0]):
        side = {"l": "left", "r": "right"}[words[0][0]]
        words = [words[0][1:]]
    word = "".join(words)
    return JointName(side, _part_of(word, side), word, number)


def _segment(digits: list[int], words: list[str]) -> tuple[int | None, list[str]]:
    """Which of several like joints: by number, by a finger's segment or by letter; and the other words."""
    if len(words) > 1 and words[-1] in SEGMENTS:
        *words, segment = words
        if words[-1] == "finger" and digits and 1 <= digits[-1] <= len(FINGERS):
            # Rokoko counts fingers from the thumb: Finger1Metacarpal
            words = [FINGERS[digits[-1] - 1]]
        return SEGMENTS[segment], words
    if len(words) > 1 and words[-1] in LETTERS and not digits:
        *words, letter = words
        return LETTERS[letter], words
    return digits[-1] if digits else None, words


def _part_of(word: str, side: str) -> str:
    part = PARTS.get(word, "")
    if word == "hip" and not side:
        return "hips"
    if (part == "hips" and side) or (word == "thorax" and not side):
        return ""
    return part


def _side_of(tokens: list[str]) -> str:
    for token in tokens:
        if token in LEFT_TOKENS:
            return "left"
        if token in RIGHT_TOKENS:
            return "right"
    return ""


def other_side(name: str) -> str | None:
    """The name with left and right exchanged, or None where it names no side."""
    prefix, colon, stem = name.rpartition(":")
    swapped = TOKEN.sub(lambda m: _swap_token(m.group()), stem)
    if swapped == stem and read_name(name).side:
        swapped = TOKEN.sub(lambda m: _swap_letter(m.group()), stem)
    return None if swapped == stem else prefix + colon + swapped


def _swap_letter(token: str) -> str:
    """Acclaim's lfemur becomes rfemur."""
    if _has_side_letter(token.lower()):
        return token[0].translate(str.maketrans("lrLR", "rlRL")) + token[1:]
    return token


def _has_side_letter(word: str) -> bool:
    return word[:1] in ("l", "r") and word[1:] in PARTS and word not in PARTS


def _swap_token(token: str) -> str:
    pairs = (("left", "right"), ("l", "r"), ("lf", "rt"), ("lft", "rgt"))
    for a, b in pairs + tuple((b, a) for a, b in pairs):
        if token.lower() == a:
            if token.isupper():
                return b.upper()
            return b.capitalize() if token[0].isupper() else b
    return token
