"""Which pose a file's figure rests in, where the file does not say."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from footfall.figure.skeleton import Skeleton
from footfall.formats.take import Take
from footfall.geometry import ground
from footfall.geometry import quaternion as quat

if TYPE_CHECKING:
    from jaxtyping import Float


def rest_pose(
    take: Take, skeleton: Skeleton, dropped: int, notes: list[str]
) -> Float[np.ndarray, "joints 4"]:
    """The rest pose: a dropped T-pose, else the pose of no rotation, else the mean pose of the take."""
    if take.rest is not None or not skeleton.sides:
        return skeleton.rest
    if dropped:
        posed = _facing_forward(skeleton, take.rotations[0])
        if _stands(replace(skeleton, rest=posed)):
            return posed
    if _stands(skeleton) or not len(take.rotations):
        return skeleton.rest
    notes.append("without rotations the figure does not stand: its mean pose is taken as rest pose")
    return _mean_pose(skeleton, take.rotations[dropped:])


def _stands(skeleton: Skeleton) -> bool:
    """Whether the rest pose has its head over its hips, its feet a leg's length under them, its arms down."""
    rest = skeleton.rest_positions
    ok = True
    for side in skeleton.sides:
        hip, foot = rest[skeleton.joint(f"{side}_thigh")], rest[skeleton.joint(f"{side}_foot")]
        ok &= bool(hip[1] - foot[1] > 0.8 * skeleton.leg_length(side))
    if skeleton.has("head", "hips"):
        spine = rest[skeleton.joint("head")] - rest[skeleton.joint("hips")]
        ok &= bool(spine[1] > 0.7 * np.linalg.norm(spine))
        hands = [rest[skeleton.joint(f"{s}_hand")] for s in ("left", "right") if skeleton.has(f"{s}_hand")]
        ok &= all(hand[1] < rest[skeleton.joint("head")][1] for hand in hands)
    return ok


def _facing_forward(
    skeleton: Skeleton, rotations: Float[np.ndarray, "joints 4"]
) -> Float[np.ndarray, "joints 4"]:
    """A pose turned about the vertical until its hips face +Z, where both are known."""
    if not skeleton.has("left_thigh", "right_thigh"):
        return rotations
    posed = replace(skeleton, rest=rotations)
    across = (
        posed.rest_positions[posed.joint("left_thigh")] - posed.rest_positions[posed.joint("right_thigh")]
    )
    out = np.array(rotations)
    out[0] = quat.multiply(ground.turn(-ground.heading_of(quat.cross(across, ground.UP))), out[0])
    return out


def _mean_pose(
    skeleton: Skeleton, rotations: Float[np.ndarray, "frames joints 4"]
) -> Float[np.ndarray, "joints 4"]:
    """Mean rotations of all joints, frames turned to face one way first: close to standing for any gait."""
    frames = np.linspace(0, len(rotations) - 1, min(len(rotations), 64)).astype(int)
    facing = np.stack([_facing_forward(skeleton, rotations[f]) for f in frames])
    # the mean of +-q is the largest eigenvector of the sum of their outer products (Markley 2007)
    _, vectors = np.linalg.eigh(np.einsum("fja,fjb->jab", facing, facing))
    return _facing_forward(skeleton, vectors[..., -1])
