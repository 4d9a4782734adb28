"""Legs that end exactly in their feet: two-link legs whose knees point where hips and toes point."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.actor.gait.stance import Sole, Stance, Times
from footfall.actor.gait.swing import FootPath
from footfall.figure.skeleton import Skeleton
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import LEFT
from footfall.ik.two_link import leg_of, solve_two_link

SLACK = 0.8  # of its turn aside: what a foot gives up in mid-swing
EASY_ANKLE, SOFT = (-0.72, 0.80), 0.05  # rad
KNEE_FOLLOWS_FOOT = 0.6  # of the way from the hips' heading to the foot's


def hip_places(
    skeleton: Skeleton, side: str, root: Float[np.ndarray, "n 3"], hips: Float[np.ndarray, "n 4"]
) -> Float[np.ndarray, "n 3"]:
    """Where a leg begins."""
    return root + quat.rotate(hips, skeleton.offsets[skeleton.joint(f"{side}_thigh")])


def solve_leg(
    skeleton: Skeleton,
    side: str,
    root: Float[np.ndarray, "n 3"],
    hips: Float[np.ndarray, "n 4"],
    foot: FootPath,
    outwards: Times | float = 0.0,
) -> dict[str, Float[np.ndarray, "n 4"]]:
    """Local rotations of thigh, shank, foot and toe; `outwards` turns the knee away from the other leg."""
    limb = leg_of(skeleton, side)
    facing = ground.heading_of(quat.rotate(hips, ground.FORWARD))
    sign = 1.0 if side == "left" else -1.0
    knee = facing + KNEE_FOLLOWS_FOOT * ground.wrap(foot.heading - facing) + sign * outwards
    hanging = ground.turn(knee)
    start = hip_places(skeleton, side, root, hips)
    middle = start + quat.rotate(hanging, skeleton.offsets[limb.middle])
    end = middle + quat.rotate(hanging, skeleton.offsets[limb.end])
    upper, lower, _ = solve_two_link(limb, np.stack([start, middle, end], axis=1), hanging, foot.ankle)
    thigh, shank = quat.multiply(upper, hanging), quat.multiply(lower, hanging)
    return {
        f"{side}_thigh": quat.multiply(quat.conjugate(hips), thigh),
        f"{side}_shank": quat.multiply(quat.conjugate(thigh), shank),
        f"{side}_foot": _eased(quat.multiply(quat.conjugate(shank), foot.turn), foot.free),
        f"{side}_toe": quat.exp(-foot.bend[:, None] * LEFT),
    }


def _eased(ankle: Float[np.ndarray, "n 4"], free: Times | float) -> Float[np.ndarray, "n 4"]:
    """A foot in the air hangs straight from its shank: it neither turns aside nor is bent to its limit."""
    turn = quat.log(np.where(ankle[:, :1] < 0.0, -ankle, ankle))
    share = np.broadcast_to(free, len(turn))
    turn[:, 1:] *= 1.0 - SLACK * share[:, None]
    turn[:, 0] += share * (_held(turn[:, 0]) - turn[:, 0])
    return quat.exp(turn)


def _held(bend: Times) -> Times:
    """Within the ankle's easy range, approached softly; plantarflexion is positive here."""
    low, high = EASY_ANKLE
    below = low + SOFT * np.logaddexp(0.0, (bend - low) / SOFT)
    return high - SOFT * np.logaddexp(0.0, (high - below) / SOFT)


def flat_bend(stance: Stance, sole: Sole, hip: Float[np.ndarray, "n 3"], skeleton: Skeleton) -> Times:
    """The ankle's dorsiflexion under hips at `hip`, were the foot flat: by the law of cosines."""
    limb = leg_of(skeleton, stance.foot)
    upper, lower = limb.lengths
    ankle = sole.ankle(stance, np.zeros(1))[0]
    line = hip - ankle
    length = np.clip(np.linalg.norm(line, axis=-1), 1e-3, 0.9999 * (upper + lower))
    # between the ankle-hip line and the shank; the knee lies before that line
    before = np.arccos(np.clip((length**2 + lower**2 - upper**2) / (2.0 * length * lower), -1.0, 1.0))
    ahead = quat.rotate(stance.level_turn, ground.FORWARD)
    leaning = np.arctan2(line @ ahead, line @ stance.normal)
    return leaning + before


def highest_hips(
    skeleton: Skeleton,
    root: Float[np.ndarray, "n 3"],
    hips: Float[np.ndarray, "n 4"],
    feet: dict[str, FootPath],
    stretch: Times,
) -> Times:
    """How high the root may be so that neither leg is straighter than `stretch`."""
    highest = np.full(len(root), np.inf)
    for side, foot in feet.items():
        hip = hip_places(skeleton, side, root, hips)
        level = np.linalg.norm((hip - foot.ankle)[:, [0, 2]], axis=-1)
        reach = stretch * skeleton.leg_length(side)
        room = np.sqrt(np.maximum(reach**2 - level**2, 1e-4))
        highest = np.minimum(highest, foot.ankle[:, 1] + room - (hip - root)[:, 1])
    return highest
