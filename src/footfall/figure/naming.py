"""What a joint's name says: its side, its body part and its ordinal.

Knows the habits of CMU, Acclaim, Mixamo, LaFAN1, SmartBody, VRM, Unreal, SMPL, 3ds Max Biped, Xsens and
Biovision files. What the parts mean together is decided in `roles`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

TOKEN = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
LEFT_TOKENS = {"left", "l", "lf", "lft"}
RIGHT_TOKENS = {"right", "r", "rt", "rgt"}
# Words that say nothing about the body part
NOISE = {"jt", "j", "bip", "def", "mixamorig", "cc", "base", "avg", "bn", "bone", "character", "m", "c"}
# Added joints that carry no body part of their own
ACCESSORY = {"twist", "roll", "end", "nub", "ik", "pole", "tip", "site", "corrective", "helper", "dummy"}

PARTS: dict[str, str] = {}
for _part, _words in {
    "thigh": "thigh upleg upperleg femur hip",
    "shank": "shank shin calf knee lowerleg lowleg tibia leg",
    "foot": "foot ankle",
    "toe": "toe toes toebase ball forefoot",
    "clavicle": "clavicle clav collar collarbone sternoclavicular",
    "shoulder": "shoulder",
    "upper_arm": "upperarm uparm humerus arm",
    "forearm": "forearm lowerarm lowarm elbow radius",
    "hand": "hand wrist",
    "eye": "eye eyeball",
    "thumb": "thumb handthumb thumbfinger",
    "index": "index handindex indexfinger",
    "middle": "middle handmiddle middlefinger mid",
    "ring": "ring handring ringfinger",
    "little": "little handlittle pinky handpinky pinkie littlefinger pinkyfinger",
    "finger": "finger",
    "hips": "hips pelvis",
    "neck": "neck neckbase lowerneck necka",
    "head": "head skull skullbase skulla",
}.items():
    for _word in _words.split():
        PARTS[_word] = _part

FINGERS = ("thumb", "index", "middle", "ring", "little")
# VRM's words for the segments of a finger
SEGMENTS = {"metacarpal": 0, "proximal": 1, "intermediate": 2, "distal": 3}


@dataclass(frozen=True)
class JointName:
    """The reading of one name; `part` is a key of PARTS' values, or "" where the name says nothing."""

    side: str  # "left", "right" or ""
    part: str
    word: str  # the part as written, lower case and joined: "handthumb"
    number: int | None

    @property
    def accessory(self) -> bool:
        return any(self.word.endswith(w) or self.word.startswith(w) for w in ACCESSORY)


def read_name(name: str) -> JointName:
    tokens = [t.lower() for t in TOKEN.findall(name.rsplit(":", 1)[-1])]
    side = _side_of(tokens)
    words = [t for t in tokens if t not in LEFT_TOKENS | RIGHT_TOKENS | NOISE and not t.isdigit()]
    digits = [t for t in tokens if t.isdigit()]
    if not side and len(words) == 1 and words[0][1:] in PARTS and words[0] not in PARTS:
        # Acclaim writes lfemur, rradius
        side = {"l": "left", "r": "right"}.get(words[0][0], "")
        words = [words[0][1:]] if side else words
    number = int(digits[-1][:6]) if digits else None
    if words and words[-1] in SEGMENTS:
        number = SEGMENTS[words.pop()]
    word = "".join(words)
    part = PARTS.get(word, "")
    if part == "hips" and side:
        part = ""
    if word == "hip" and not side:
        part = "hips"
    return JointName(side, part, word, number)


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
    swapped = re.sub(TOKEN, lambda m: _swap_token(m.group()), stem)
    if swapped == stem:
        reading = read_name(name)
        if not reading.side:
            return None
        first = {"l": "r", "r": "l", "L": "R", "R": "L"}.get(stem[0])
        swapped = (first or stem[0]) + stem[1:]
    return prefix + colon + swapped


def _swap_token(token: str) -> str:
    pairs = (("left", "right"), ("l", "r"), ("lf", "rt"), ("lft", "rgt"))
    for a, b in pairs + tuple((b, a) for a, b in pairs):
        if token.lower() == a:
            if token.isupper():
                return b.upper()
            return b.capitalize() if token[0].isupper() else b
    return token
