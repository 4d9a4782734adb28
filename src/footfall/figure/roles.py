"""Which joint plays which part of a body, from names first and from shape where names are silent.

Algorithms ask a skeleton for roles and never for names or indices. The roles of a full figure:
hips, spine, chest, neck, head; for each side clavicle, upper_arm, forearm, hand, thigh, shank, foot,
toe, eye; and thumb_1 to little_3. A skeleton has those that were found; a user can name the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from footfall.figure import shape
from footfall.figure.naming import FINGERS, JointName, read_name
from footfall.figure.tree import Tree

if TYPE_CHECKING:
    from jaxtyping import Float, Int

SIDES = ("left", "right")
LIMB_PARTS = ("clavicle", "upper_arm", "forearm", "hand", "thigh", "shank", "foot", "toe", "eye")
ROLE_NAMES: tuple[str, ...] = (
    "hips",
    "spine",
    "chest",
    "neck",
    "head",
    *(f"{side}_{part}" for side in SIDES for part in LIMB_PARTS),
    *(f"{side}_{finger}_{i}" for side in SIDES for finger in FINGERS for i in (1, 2, 3)),
)


def find_roles(
    names: Sequence[str],
    parents: Int[np.ndarray, "joints"],
    rest: Float[np.ndarray, "joints 3"],
) -> dict[str, int]:
    """Role to joint index. Names decide; legs and arms that names do not give come from the rest shape."""
    tree = Tree(parents)
    readings = [read_name(name) for name in names]
    roles: dict[str, int] = {}
    for side in SIDES:
        roles |= _leg_from_names(tree, readings, side)
        roles |= _arm_from_names(tree, readings, side)
    if not {"left_thigh", "right_thigh"} <= roles.keys():
        roles |= shape.legs(tree, rest)
    if not {"left_upper_arm", "right_upper_arm"} <= roles.keys():
        roles |= shape.arms(tree, rest, roles)
    roles |= _trunk(tree, readings, rest, roles)
    return {role: roles[role] for role in ROLE_NAMES if role in roles}


def _first(tree: Tree, readings: Sequence[JointName], side: str, part: str, among: set[int]) -> int | None:
    """The topmost joint of a side that bears a part's name."""
    found = [i for i in among if readings[i].side == side and readings[i].part == part]
    return min(found, key=lambda i: (tree.depth[i], i), default=None)


def _leg_from_names(tree: Tree, readings: Sequence[JointName], side: str) -> dict[str, int]:
    everywhere = set(range(len(readings)))
    leg: dict[str, int] = {}
    thigh = _first(tree, readings, side, "thigh", everywhere)
    if thigh is None:  # "LeftLeg" alone
        thigh = _first(tree, readings, side, "shank", everywhere)
    if thigh is None:
        return {}
    leg[f"{side}_thigh"] = thigh
    below = tree.descendants(thigh)
    shank = _first(tree, readings, side, "shank", below)
    if shank is not None:
        leg[f"{side}_shank"] = shank
        below = tree.descendants(shank)
    foot = _first(tree, readings, side, "foot", below)
    if foot is None:
        return leg
    leg[f"{side}_foot"] = foot
    below = tree.descendants(foot)
    # SMPL says ankle, then foot, for what others call foot, then toe
    toe = _first(tree, readings, side, "toe", below)
    toe = _first(tree, readings, side, "foot", below) if toe is None else toe
    if toe is not None:
        leg[f"{side}_toe"] = toe
    return leg


def _arm_from_names(tree: Tree, readings: Sequence[JointName], side: str) -> dict[str, int]:
    everywhere = set(range(len(readings)))
    arm: dict[str, int] = {}
    clavicle = _first(tree, readings, side, "clavicle", everywhere)
    shoulder = _first(tree, readings, side, "shoulder", everywhere)
    upper = _first(tree, readings, side, "upper_arm", everywhere)
    if upper is None:
        upper = shoulder  # collar, shoulder, elbow, wrist
    elif clavicle is None:
        clavicle = shoulder  # shoulder, arm, forearm, hand
    if clavicle is not None:
        arm[f"{side}_clavicle"] = clavicle
    eye = _first(tree, readings, side, "eye", everywhere)
    if eye is not None:
        arm[f"{side}_eye"] = eye
    if upper is None:
        return arm
    arm[f"{side}_upper_arm"] = upper
    for part in ("forearm", "hand"):
        joint = _first(tree, readings, side, part, tree.descendants(upper))
        if joint is not None:
            arm[f"{side}_{part}"] = joint
    if f"{side}_hand" in arm:
        arm |= _fingers(tree, readings, side, arm[f"{side}_hand"])
    return arm


def _fingers(tree: Tree, readings: Sequence[JointName], side: str, hand: int) -> dict[str, int]:
    """Three segments a finger, thumb to little, in the order of the chain."""
    chains: dict[str, list[int]] = {}
    for joint in sorted(tree.descendants(hand), key=lambda i: (tree.depth[i], i)):
        reading = readings[joint]
        finger = reading.part
        if finger == "finger" and reading.number is not None:
            # 3ds Max: Finger0 is the thumb, Finger21 the middle finger's second segment
            first_digit = int(str(reading.number)[0])
            finger = FINGERS[first_digit] if first_digit < len(FINGERS) else ""
            if reading.number < 10 and tree.parent(joint) in chains.get("thumb", []):
                finger = "thumb"  # Finger01 reads as 1
        if finger in FINGERS:
            chains.setdefault(finger, []).append(joint)
    roles: dict[str, int] = {}
    for finger, chain in chains.items():
        numbered = [i for i in chain if readings[i].number != 0 and readings[i].number is not None]
        # an unnumbered joint before numbered ones is the palm's bone
        segments = numbered if 0 < len(numbered) < len(chain) and len(chain) > 3 else chain
        for i, joint in enumerate(segments[:3], start=1):
            roles[f"{side}_{finger}_{i}"] = joint
    return roles


def _trunk(
    tree: Tree, readings: Sequence[JointName], rest: Float[np.ndarray, "joints 3"], limbs: Mapping[str, int]
) -> dict[str, int]:
    """Hips, spine, chest, neck and head from where the limbs meet."""
    trunk: dict[str, int] = {}
    head = _first(tree, readings, "", "head", set(range(len(readings))))
    arms = [limbs[r] for s in SIDES if (r := f"{s}_upper_arm") in limbs]
    thighs = [limbs[r] for s in SIDES if (r := f"{s}_thigh") in limbs]
    chest = tree.common_ancestor(arms) if len(arms) == 2 else None
    if chest is not None and readings[chest].part == "neck":
        chest = tree.parent(chest)  # 3ds Max hangs the arms on the neck
    if head is None and chest is not None:
        head = shape.head(tree, rest, chest, arms)
    upper = next((j for j in (chest, head) if j is not None), None)
    named = _first(tree, readings, "", "hips", set(range(len(readings))))
    if len(thighs) == 2:
        meeting = tree.common_ancestor([*thighs, *([] if upper is None else [upper])])
        # a named pelvis that carries both legs, or the joint where legs and spine meet
        carries = named is not None and all(t in tree.descendants(named) for t in thighs)
        spine_below = named is not None and (upper is None or upper in tree.descendants(named))
        trunk["hips"] = named if named is not None and carries and spine_below else meeting
    elif named is not None:
        trunk["hips"] = named
    if head is not None:
        trunk["head"] = head
    if chest is not None and chest != trunk.get("hips"):
        trunk["chest"] = chest
        path = tree.path(trunk["hips"], chest) if "hips" in trunk else []
        if len(path) > 1:
            trunk["spine"] = path[1]
    if head is not None and chest is not None:
        above = tree.path(chest, head)[1:-1]
        neck = next((j for j in above if readings[j].part == "neck"), above[0] if above else None)
        if neck is not None:
            trunk["neck"] = neck
    return trunk
