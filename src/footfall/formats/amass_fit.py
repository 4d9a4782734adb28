"""Any figure's motion told as SMPL-H joints turn: world departures from SMPL's T-pose.

A figure seldom rests in that T-pose (arms hang, legs stand astride). So each limb joint is first aligned:
the smallest turn, on top of its parent's, that lays the rest bone along SMPL's. Trunk joints rest upright in
both and are left as they are, and soles are laid flat.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.figure import kinematics
from footfall.figure.motion import Motion
from footfall.figure.naming import FINGERS
from footfall.figure.roles import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.figure.tree import Tree
from footfall.formats.amass_skeleton import SMPL_H, t_pose
from footfall.geometry import quaternion as quat

NEEDED = ("hips", *(f"{side}_{part}" for side in SIDES for part in ("thigh", "shank", "foot")))
ROLES = {"pelvis": "hips", "spine1": "spine", "spine3": "chest", "neck": "neck", "head": "head"}
# A limb joint and the joint its bone leads to
LIMB_BONES: dict[str, str] = {}
for _side in SIDES:
    for _smpl, _role in {
        "hip": "thigh",
        "knee": "shank",
        "ankle": "foot",
        "foot": "toe",
        "collar": "clavicle",
        "shoulder": "upper_arm",
        "elbow": "forearm",
        "wrist": "hand",
    }.items():
        ROLES[f"{_side}_{_smpl}"] = f"{_side}_{_role}"
    for _finger in FINGERS:
        _name = f"{_side}_{_finger.replace('little', 'pinky')}"
        ROLES |= {f"{_name}{i}": f"{_side}_{_finger}_{i}" for i in (1, 2, 3)}
        LIMB_BONES |= {f"{_name}1": f"{_name}2", f"{_name}2": f"{_name}3"}
    for _upper, _lower in (("hip", "knee"), ("knee", "ankle"), ("shoulder", "elbow"), ("elbow", "wrist")):
        LIMB_BONES[f"{_side}_{_upper}"] = f"{_side}_{_lower}"
# Bones that are pointed at where they lead in every frame, should joints in between have turned
AIMED = {**LIMB_BONES, "spine1": "spine2", "spine2": "spine3", "neck": "head"}

SMPL_TREE = Tree(np.array(SMPL_H.parents))
INDEX = {name: joint for joint, name in enumerate(SMPL_H.names)}
STUB = 1e-6  # m; a shorter bone has no direction


class Fit:
    """A figure in SMPL-H's terms: its motion block by block, then its bones as they were seen."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton, self.joints = skeleton, stand_ins(skeleton)
        self.alignment = _alignment(skeleton, self.joints)
        self._seen: dict[int, Float[np.ndarray, "3"]] = {}
        self._frames = 0

    def rotations(self, motion: Motion) -> Float[np.ndarray, "frames 52 4"]:
        """Local; a joint that we lack is not turned."""
        world = _world_turns(motion, self.joints, self.alignment)
        self._seen = _bones(self.joints, motion.positions, world, self._seen)
        self._frames += len(motion)
        return kinematics.to_local(SMPL_TREE, world)

    def offsets(self) -> Float[np.ndarray, "52 3"]:
        """Our bones as SMPL's T-pose shows them, the mean of all frames; the pelvis' is zero."""
        seen, frames = self._seen, self._frames
        if not frames:
            rest, turns = self.skeleton.rest_positions[None], quat.conjugate(self.alignment)[None]
            seen, frames = _bones(self.joints, rest, turns, {}), 1
        size = self.skeleton.leg_length() / t_pose().leg_length()
        return _offsets(self.joints, {joint: bone / frames for joint, bone in seen.items()}, size)


def _world_turns(
    motion: Motion, joints: dict[int, int], alignment: Float[np.ndarray, "52 4"]
) -> Float[np.ndarray, "frames 52 4"]:
    """World rotations out of the T-pose; a joint that we lack turns with its parent."""
    smpl, ours = list(joints), list(joints.values())
    world = quat.identity(len(motion), len(SMPL_H))
    rest = quat.multiply(alignment[smpl], motion.skeleton.rest_orientations[ours])
    world[:, smpl] = quat.multiply(motion.orientations[:, ours], quat.conjugate(rest))
    _aim(motion, joints, alignment, world)
    for joint, parent in enumerate(SMPL_H.parents):
        if joint not in joints:
            world[:, joint] = world[:, parent]
    return world


def _aim(
    motion: Motion,
    joints: dict[int, int],
    alignment: Float[np.ndarray, "52 4"],
    world: Float[np.ndarray, "frames 52 4"],
) -> None:
    """The smallest turns that point bones at the joints they lead to; none where nothing lies in between."""
    rest = motion.skeleton.rest_positions
    for name in AIMED:
        joint, child = INDEX[name], _led_to(name, joints)
        if joint not in joints or child is None:
            continue
        bone = quat.rotate(alignment[joint], rest[joints[child]] - rest[joints[joint]])
        seen = motion.positions[:, joints[child]] - motion.positions[:, joints[joint]]
        turn = _turn_between(quat.rotate(world[:, joint], bone), seen)
        world[:, joint] = quat.multiply(turn, world[:, joint])


def stand_ins(skeleton: Skeleton) -> dict[int, int]:
    """SMPL-H joints and which of ours play them. Raises SkeletonError where hips or legs are missing."""
    for role in NEEDED:
        skeleton.joint(role)
    found = {INDEX[name]: skeleton.joint(role) for name, role in ROLES.items() if skeleton.has(role)}
    if skeleton.has("spine", "chest"):
        between = skeleton.tree.path(skeleton.joint("spine"), skeleton.joint("chest"))[1:-1]
        if between:
            found[INDEX["spine2"]] = between[len(between) // 2]
    # a joint that plays two parts (spine and chest of a short trunk) plays the outer one, but hips stay hips
    outermost = {ours: smpl for smpl, ours in sorted(found.items()) if smpl == 0 or ours != found[0]}
    return {smpl: ours for ours, smpl in sorted(outermost.items(), key=lambda pair: pair[1])}


def _led_to(name: str, joints: dict[int, int]) -> int | None:
    """The next joint along a bone that we have."""
    while name in AIMED:
        name = AIMED[name]
        if INDEX[name] in joints:
            return INDEX[name]
    return None


def _alignment(skeleton: Skeleton, joints: dict[int, int]) -> Float[np.ndarray, "52 4"]:
    rest, reference = skeleton.rest_positions, t_pose().rest_positions
    turns = quat.identity(len(SMPL_H))
    for joint, name in enumerate(SMPL_H.names):
        if joint == 0:
            continue
        turns[joint] = turns[SMPL_H.parents[joint]]
        child = _led_to(name, joints) if name in LIMB_BONES else None
        if joint in joints and child is not None:
            bone = quat.rotate(turns[joint], rest[joints[child]] - rest[joints[joint]])
            onto = reference[child] - reference[joint]
            turns[joint] = quat.multiply(_turn_between(bone, onto), turns[joint])
        elif name.endswith("_ankle"):
            turns[joint] = _sole_turn(skeleton, name.split("_")[0], otherwise=turns[joint])
    return turns


def _sole_turn(skeleton: Skeleton, side: str, *, otherwise: Float[np.ndarray, "4"]) -> Float[np.ndarray, "4"]:
    """From our sole at rest to the T-pose's, told by their foot points."""
    ours, theirs = _sole(skeleton, side), _sole(t_pose(), side)
    if ours is None or theirs is None:
        return otherwise
    return quat.from_matrix(theirs @ ours.T)


def _sole(skeleton: Skeleton, side: str) -> Float[np.ndarray, "3 3"] | None:
    """Columns: down, forward and across of a sole at rest; None where its points give no directions."""
    points, turn = skeleton.foot_points(side), skeleton.rest_orientations[skeleton.joint(f"{side}_foot")]
    down, forward = quat.rotate(turn, points.subtalar), quat.rotate(turn, points.toe - points.heel)
    across = quat.cross(down, forward)
    if min(np.linalg.norm(down), np.linalg.norm(across)) < STUB**2:
        return None
    down, across = down / np.linalg.norm(down), across / np.linalg.norm(across)
    return np.stack([down, quat.cross(across, down), across], axis=-1)


def _bones(
    joints: dict[int, int],
    positions: Float[np.ndarray, "frames joints 3"],
    world: Float[np.ndarray, "frames 52 4"],
    before: dict[int, Float[np.ndarray, "3"]],
) -> dict[int, Float[np.ndarray, "3"]]:
    """From each joint's nearest joint above, as the T-pose shows it, added up to what was seen before."""
    bones: dict[int, Float[np.ndarray, "3"]] = {}
    for joint in list(joints)[1:]:
        above = _nearest_above(joint, joints)
        seen = positions[:, joints[joint]] - positions[:, joints[above]]
        turned = quat.rotate(quat.conjugate(world[:, above]), seen)
        if joint in before:
            turned = np.concatenate([before[joint][None], turned])
        bones[joint] = turned.sum(axis=0)
    return bones


def _offsets(
    joints: dict[int, int], bones: dict[int, Float[np.ndarray, "3"]], size: float
) -> Float[np.ndarray, "52 3"]:
    """Our bones; joints that we lack lie between those we have, or as in the T-pose made to our size."""
    places = np.zeros((len(SMPL_H), 3))
    for joint, bone in bones.items():
        places[joint] = places[_nearest_above(joint, joints)] + bone
    for joint, parent in enumerate(SMPL_H.parents):
        if joint in joints:
            continue
        above, under = _nearest_above(joint, joints), SMPL_TREE.descendants(joint)
        below = [j for j in joints if j in under and _nearest_above(j, joints) == above]
        if below:
            places[joint] = _in_between(places, above, joint, below)
        else:
            places[joint] = places[parent] + size * t_pose().offsets[joint]
    return places - places[np.maximum(SMPL_H.parents, 0)]


def _nearest_above(joint: int, joints: dict[int, int]) -> int:
    return next(j for j in SMPL_TREE.ancestors(joint)[1:] if j in joints)


def _in_between(
    places: Float[np.ndarray, "52 3"], above: int, joint: int, below: list[int]
) -> Float[np.ndarray, "3"]:
    """On the line from the joint above to those below, as far along as in the T-pose."""
    reference = t_pose().rest_positions
    whole = np.linalg.norm(reference[below].mean(axis=0) - reference[above])
    share = min(float(np.linalg.norm(reference[joint] - reference[above]) / whole), 1.0)
    return places[above] + share * (places[below].mean(axis=0) - places[above])


def _turn_between(
    a: Float[np.ndarray, "*batch 3"], b: Float[np.ndarray, "*batch 3"]
) -> Float[np.ndarray, "*batch 4"]:
    """The smallest turn from one direction to another; none where either is too short to have one."""
    short = np.minimum(np.linalg.norm(a, axis=-1), np.linalg.norm(b, axis=-1))[..., None] < STUB
    across = np.array([1.0, 0.0, 0.0])
    return quat.between(np.where(short, across, a), np.where(short, across, b))
