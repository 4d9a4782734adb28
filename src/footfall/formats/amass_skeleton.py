"""The joints of the SMPL family of bodies, in their order, and offsets for a figure of 1.7 m.

The offsets are our own round figures of human proportions (metres). A body model's own offsets follow from
its shape and are not stored in motion files. Without rotations the figure stands in a T-pose, Y up, faces
+Z and has its left at +X.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from jaxtyping import Float

from footfall.figure.frozen import frozen_array
from footfall.figure.skeleton import Skeleton

Offset = tuple[float, float, float]
Joints = dict[str, tuple[str, Offset]]  # name: parent, place on the parent

# The body's origin is not its pelvis: the model turns about the pelvis, then adds `trans` to the origin.
# So the pelvis stands at `trans` plus this, which is about what the model's mean shape has.
PELVIS: Offset = (0.0, -0.22, 0.03)
SIDES = {"left": 1.0, "right": -1.0}
FINGERS: dict[str, tuple[Offset, Offset, Offset]] = {
    "index": ((0.10, 0.00, 0.025), (0.032, 0.0, 0.0), (0.022, 0.0, 0.0)),
    "middle": ((0.105, 0.0, 0.0), (0.032, 0.0, 0.0), (0.024, 0.0, 0.0)),
    "pinky": ((0.08, -0.005, -0.045), (0.02, 0.0, -0.005), (0.016, 0.0, -0.003)),
    "ring": ((0.095, 0.0, -0.025), (0.03, 0.0, -0.003), (0.023, 0.0, -0.002)),
    "thumb": ((0.025, -0.015, 0.03), (0.025, 0.0, 0.025), (0.025, 0.0, 0.015)),
}


def _pair(stem: str, parent: str, offset: Offset, sides: Mapping[str, float] = SIDES) -> Joints:
    """A joint on both sides; a parent {side}_... lies on the same one."""
    x, y, z = offset
    return {f"{s}_{stem}": (parent.format(side=s), (sign * x, y, z)) for s, sign in sides.items()}


BODY: Joints = {
    "pelvis": ("", PELVIS),
    **_pair("hip", "pelvis", (0.08, -0.08, -0.01)),
    "spine1": ("pelvis", (0.0, 0.11, -0.02)),
    **_pair("knee", "{side}_hip", (0.03, -0.39, 0.0)),
    "spine2": ("spine1", (0.0, 0.13, 0.0)),
    **_pair("ankle", "{side}_knee", (-0.02, -0.40, -0.03)),
    "spine3": ("spine2", (0.0, 0.06, 0.02)),
    **_pair("foot", "{side}_ankle", (0.02, -0.06, 0.12)),
    "neck": ("spine3", (0.0, 0.21, -0.03)),
    **_pair("collar", "spine3", (0.07, 0.12, -0.02)),
    "head": ("neck", (0.0, 0.09, 0.04)),
    **_pair("shoulder", "{side}_collar", (0.11, 0.03, -0.01)),
    **_pair("elbow", "{side}_shoulder", (0.26, 0.0, -0.02)),
    **_pair("wrist", "{side}_elbow", (0.25, 0.0, 0.0)),
}
PALMS: Joints = _pair("hand", "{side}_wrist", (0.09, 0.0, 0.0))
FACE: Joints = {"jaw": ("head", (0.0, 0.0, 0.02)), **_pair("eye", "head", (0.03, 0.06, 0.08))}
HANDS: Joints = {}
for _side, _sign in SIDES.items():
    for _finger, _bones in FINGERS.items():
        for _i, _bone in enumerate(_bones, start=1):
            _parent = f"{{side}}_{_finger}{_i - 1}" if _i > 1 else "{side}_wrist"
            HANDS |= _pair(f"{_finger}{_i}", _parent, _bone, {_side: _sign})

# Points without a joint, on joints that carry nothing else
TIPS: dict[str, Offset] = {
    "head": (0.0, 0.15, 0.0),
    "foot": (0.0, -0.02, 0.07),
    "wrist": (0.18, 0.0, 0.0),
    "hand": (0.09, 0.0, 0.0),
    **{f"{finger}3": (0.02, 0.0, 0.0) for finger in FINGERS},
}


@dataclass(frozen=True, eq=False)
class Body:
    """One member of the family: its joints in the order of its pose vector."""

    names: tuple[str, ...]
    parents: tuple[int, ...]
    offsets: Float[np.ndarray, "joints 3"]  # the pelvis' from the body's origin

    @classmethod
    def of(cls, joints: Joints) -> Body:
        names = tuple(joints)
        parents = tuple(names.index(parent) if parent else -1 for parent, _ in joints.values())
        offsets = np.array([offset for _, offset in joints.values()])
        return cls(names, parents, frozen_array(offsets, "offsets", shape=(len(names), 3)))

    def __len__(self) -> int:
        return len(self.names)

    def leg_length(self, offsets: Float[np.ndarray, "joints 3"]) -> float:
        """Thigh plus shank, the mean of both sides."""
        bones = [self.names.index(f"{side}_{part}") for side in SIDES for part in ("knee", "ankle")]
        return float(np.linalg.norm(offsets[bones], axis=-1).sum() / len(SIDES))

    def tips(self, scale: float) -> tuple[list[int], Float[np.ndarray, "ends 3"]]:
        """End sites: the joints that carry them, and their places."""
        joints: list[int] = []
        places: list[Offset] = []
        for joint, name in enumerate(self.names):
            side, _, part = name.rpartition("_")
            if part in TIPS and (part == "head" or joint not in self.parents):
                x, y, z = TIPS[part]
                joints.append(joint)
                places.append((SIDES.get(side, 1.0) * x, y, z))
        return joints, scale * np.array(places).reshape(-1, 3)


SMPL = Body.of(BODY | PALMS)
SMPL_H = Body.of(BODY | HANDS)
SMPL_X = Body.of(BODY | FACE | HANDS)
WITHOUT_HANDS = Body.of(BODY)
BY_WIDTH = {3 * len(body): body for body in (WITHOUT_HANDS, SMPL, SMPL_H, SMPL_X)}  # 66, 72, 156, 165


@cache
def t_pose() -> Skeleton:
    """SMPL-H as a footfall skeleton, the pelvis at the origin."""
    joints, places = SMPL_H.tips(1.0)
    offsets = np.array(SMPL_H.offsets)
    offsets[0] = 0.0
    return Skeleton.build(SMPL_H.names, SMPL_H.parents, offsets, end_parents=joints, end_offsets=places)
