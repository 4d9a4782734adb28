"""A motion on another figure: limbs keep their directions, bends and planted feet, whatever their lengths.

Joints are matched by role. What is carried over is each joint's turn away from rest, in the world; bones
that rest differently (arms down, legs astride) are first aligned. Then the limbs are solved after Kulpa: a
limb is its scaled root-to-end vector and a swivel angle, and both are the same on any figure. Feet are placed
by their soles, with the motion's own contacts pinned, so that what stood still stands still.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Float

from footfall.adapt.clean_contacts import clean_contacts
from footfall.adapt.correspondence import correspond
from footfall.adapt.pelvis import LegCorrection, lowering
from footfall.analysis.contacts import detect_contacts
from footfall.analysis.firmness import firm_contacts
from footfall.errors import SkeletonError
from footfall.figure import kinematics
from footfall.figure.kinematics import attached
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import UP
from footfall.ik.two_link import Limb, arm_of, leg_of, solve_two_link

STRETCHED = 0.985  # of the leg's length: beyond this a leg is not made straighter than the source's
NEEDED = ("hips", "left_thigh", "left_shank", "left_foot", "right_thigh", "right_shank", "right_foot")


def retarget(motion: Motion, skeleton: Skeleton, *, pin: bool = True) -> Motion:
    """The motion on `skeleton`, scaled by the ratio of leg lengths about where it starts.

    Contacts are the motion's own (detected where it carries none) and are pinned on the new figure unless
    `pin` is False.
    """
    for figure, whose in ((motion.skeleton, "the motion's"), (skeleton, "the target")):
        lacking = [role for role in NEEDED if not figure.has(role)]
        if lacking:
            raise SkeletonError(
                f"{whose} skeleton has no {', '.join(lacking)}; name them by role to retarget"
            )
    match = correspond(motion.skeleton, skeleton)
    turns = match.world_turns(motion)
    scale = skeleton.leg_length() / motion.skeleton.leg_length()
    posed = _standing(motion, skeleton, turns, scale)
    posed = _with_limbs(motion, posed, scale)
    if not pin:
        return posed
    contacts = motion.contacts
    if contacts is None:
        contacts = firm_contacts(motion, detect_contacts(motion))
    return clean_contacts(posed, contacts, on_floor=motion.skeleton.feet is not None)


def _standing(
    motion: Motion, skeleton: Skeleton, turns: Float[np.ndarray, "frames joints 4"], scale: float
) -> Motion:
    """The turned figure with its hip joints where the scaled motion has them, as high over its ankles."""
    rotations = quat.continuous(kinematics.to_local(skeleton.tree, turns))
    loose = Motion(skeleton, np.zeros((len(motion), 3)), rotations, motion.fps)
    wanted = _scaled(motion, _between_hips(motion), scale)
    # ankles sit higher over some soles than over others: the leg, not the floor, is what scales
    wanted[:, 1] += _sole_depth(skeleton) - scale * _sole_depth(motion.skeleton)
    return replace(loose, root=wanted - _between_hips(loose))


def _between_hips(motion: Motion) -> Float[np.ndarray, "frames 3"]:
    return 0.5 * (motion.of("left_thigh") + motion.of("right_thigh"))


def _sole_depth(skeleton: Skeleton) -> float:
    return float(np.mean([np.linalg.norm(skeleton.foot_points(side).subtalar) for side in skeleton.sides]))


def _scaled(
    motion: Motion, places: Float[np.ndarray, "frames 3"], scale: float
) -> Float[np.ndarray, "frames 3"]:
    """Places scaled about the ground under the motion's first frame."""
    start = _between_hips(motion)[0] * np.array([1.0, 0.0, 1.0])
    return start + scale * (places - start)


def _with_limbs(motion: Motion, posed: Motion, scale: float) -> Motion:
    """Legs solved to their soles' scaled places, arms to their hands' scaled reach."""
    skeleton = posed.skeleton
    legs = []
    for side in skeleton.sides:
        turn = posed.orientations[:, skeleton.joint(f"{side}_foot")]
        sole = _scaled(motion, _subtalar(motion, side), scale)
        ankle = sole - quat.rotate(turn, skeleton.foot_points(side).subtalar)
        limb = leg_of(skeleton, side, posed)
        theirs = np.linalg.norm(motion.of(f"{side}_foot") - motion.of(f"{side}_thigh"), axis=-1)
        stretch = np.maximum(theirs / motion.skeleton.leg_length(side), STRETCHED)
        legs.append(LegCorrection(limb, ankle, stretch * limb.reach))
    everywhere = [np.ones(len(posed), dtype=bool)] * len(legs)
    down = lowering(posed, legs, everywhere, np.zeros((len(posed), 3)))
    posed = replace(posed, root=posed.root - down[:, None] * UP)
    turns, local = np.array(posed.orientations), np.array(posed.rotations)
    for leg in legs:
        _solve(posed, turns, local, leg.limb, leg.ankle)
    for side in ("left", "right"):
        roles = [f"{side}_{part}" for part in ("upper_arm", "forearm", "hand")]
        if motion.skeleton.has(*roles) and skeleton.has(*roles):
            arm, theirs = arm_of(skeleton, side, posed), arm_of(motion.skeleton, side)
            reach = (motion.of(roles[2]) - motion.of(roles[0])) * (arm.reach / theirs.reach)
            _solve(posed, turns, local, arm, posed.of(roles[0]) + reach)
    return replace(posed, rotations=quat.continuous(local))


def _subtalar(motion: Motion, side: str) -> Float[np.ndarray, "frames 3"]:
    foot, point = motion.skeleton.joint(f"{side}_foot"), motion.skeleton.foot_points(side).subtalar
    return attached(motion.positions, motion.orientations, [foot], point[None])[:, 0]


def _solve(
    posed: Motion,
    turns: Float[np.ndarray, "frames joints 4"],
    local: Float[np.ndarray, "frames joints 4"],
    limb: Limb,
    target: Float[np.ndarray, "frames 3"],
) -> None:
    """Turns a limb to its target; its end keeps its turn in the world."""
    skeleton = posed.skeleton
    upper, lower, _ = solve_two_link(
        limb, posed.positions[:, [limb.upper, limb.middle, limb.end]], turns[:, limb.upper], target
    )
    kept = turns[:, limb.end].copy()
    turns[:, limb.upper] = quat.multiply(upper, turns[:, limb.upper])
    turns[:, limb.middle] = quat.multiply(lower, turns[:, limb.middle])
    for joint in skeleton.tree.path(limb.upper, limb.end):
        if joint == limb.end:
            turns[:, joint] = kept
        elif joint not in (limb.upper, limb.middle):
            turns[:, joint] = quat.multiply(turns[:, skeleton.parents[joint]], posed.rotations[:, joint])
        above = turns[:, skeleton.parents[joint]]
        local[:, joint] = quat.multiply(quat.conjugate(above), turns[:, joint])
