"""Two-link limbs solved in closed form, the way the limb was bent before.

The knee (or elbow) turns about an axis fixed in the upper bone, never about the normal of the hip-knee-ankle
plane: that plane is lost when a leg is straight, and real legs are straight a good part of the time. Then the
whole limb is turned by the smallest rotation that brings its end to the target.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat

BENT = np.radians(12.0)  # frames bent more than this tell where the hinge axis is


@dataclass(frozen=True, eq=False)
class Limb:
    """Three joints of a limb and the hinge axis of the middle one, in the upper bone's frame.

    Positive turns about the axis bend the limb.
    """

    upper: int
    middle: int
    end: int
    axis: Float[np.ndarray, "3"]
    lengths: tuple[float, float]

    @property
    def reach(self) -> float:
        return self.lengths[0] + self.lengths[1]


def leg_of(skeleton: Skeleton, side: str, motion: Motion | None = None) -> Limb:
    """A leg; its knee axis is measured from a motion's bent frames, else taken from the rest pose's left."""
    joints = [skeleton.joint(f"{side}_{part}") for part in ("thigh", "shank", "foot")]
    return _limb(skeleton, joints, np.array([1.0, 0.0, 0.0]), motion)


def arm_of(skeleton: Skeleton, side: str, motion: Motion | None = None) -> Limb:
    """An arm; without bent frames its elbow folds forwards from the rest pose."""
    joints = [skeleton.joint(f"{side}_{part}") for part in ("upper_arm", "forearm", "hand")]
    along = skeleton.rest_positions[joints[1]] - skeleton.rest_positions[joints[0]]
    forward = quat.cross(along / np.linalg.norm(along), np.array([0.0, 0.0, 1.0]))
    return _limb(skeleton, joints, forward, motion)


def _limb(
    skeleton: Skeleton, joints: list[int], rest_axis: Float[np.ndarray, "3"], motion: Motion | None
) -> Limb:
    upper, middle, end = joints
    axis = None if motion is None else _measured_axis(motion, joints)
    if axis is None:
        axis = quat.rotate(quat.conjugate(skeleton.rest_orientations[upper]), rest_axis)
    rest = skeleton.rest_positions
    lengths = (
        float(np.linalg.norm(rest[middle] - rest[upper])),
        float(np.linalg.norm(rest[end] - rest[middle])),
    )
    return Limb(upper, middle, end, axis / np.linalg.norm(axis), lengths)


def _measured_axis(motion: Motion, joints: list[int]) -> Float[np.ndarray, "3"] | None:
    """Mean normal of the limb's plane in the upper bone's frame over the frames that are bent."""
    a, b, c = (motion.positions[:, j] for j in joints)
    normal = quat.cross(b - a, c - b)
    product = np.linalg.norm(b - a, axis=-1) * np.linalg.norm(c - b, axis=-1)
    bent = np.linalg.norm(normal, axis=-1) > np.sin(BENT) * product
    if not bent.any():
        return None
    local = quat.rotate(quat.conjugate(motion.orientations[bent, joints[0]]), normal[bent])
    mean = local.sum(axis=0)
    # normals that cancel each other tell nothing
    return mean if np.linalg.norm(mean) > 0.5 * np.linalg.norm(local, axis=-1).sum() else None


def solve_two_link(
    limb: Limb,
    positions: Float[np.ndarray, "*n 3 3"],
    upper_turn: Float[np.ndarray, "*n 4"],
    target: Float[np.ndarray, "*n 3"],
) -> tuple[Float[np.ndarray, "*n 4"], Float[np.ndarray, "*n 4"], Bool[np.ndarray, "*n"]]:
    """World turns to put before the upper bone's and the lower bone's orientation, and what was reached.

    `positions` are the limb's three joints now; `upper_turn` the upper bone's world orientation.
    """
    start, bend, tip = positions[..., 0, :], positions[..., 1, :], positions[..., 2, :]
    first, second = bend - start, tip - bend
    axis = quat.rotate(upper_turn, np.broadcast_to(limb.axis, first.shape))
    wanted = np.linalg.norm(target - start, axis=-1)
    angle, reached = _bend_for(first, second, axis, wanted)
    fold = quat.exp(axis * angle[..., None])
    folded = first + quat.rotate(fold, second)
    turn = quat.between(_nonzero(folded), _nonzero(target - start))
    return turn, quat.multiply(turn, fold), reached


def _bend_for(
    first: Float[np.ndarray, "*n 3"],
    second: Float[np.ndarray, "*n 3"],
    axis: Float[np.ndarray, "*n 3"],
    wanted: Float[np.ndarray, "*n"],
) -> tuple[Float[np.ndarray, "*n"], Bool[np.ndarray, "*n"]]:
    """The turn about the hinge after which start and tip are `wanted` apart, on the bent side.

    |first + R(angle) second|^2 = |first|^2 + |second|^2 + 2 (a + b cos(angle) + c sin(angle)).
    """
    along_axis = np.sum(second * axis, axis=-1)
    a = np.sum(first * axis, axis=-1) * along_axis
    b = np.sum(first * second, axis=-1) - a
    c = np.sum(first * quat.cross(axis, second), axis=-1)
    squares = np.sum(first * first, axis=-1) + np.sum(second * second, axis=-1)
    needed = 0.5 * (wanted * wanted - squares) - a
    radius = np.maximum(np.hypot(b, c), 1e-12)
    cosine = needed / radius
    straight = np.arctan2(c, b)  # the turn that stretches the limb
    return straight + np.arccos(np.clip(cosine, -1.0, 1.0)), np.abs(cosine) <= 1.0


def _nonzero(v: Float[np.ndarray, "*n 3"]) -> Float[np.ndarray, "*n 3"]:
    """A limb folded onto its own start has no direction: take any."""
    short = np.linalg.norm(v, axis=-1, keepdims=True) < 1e-9
    return np.where(short, np.array([0.0, -1.0, 0.0]), v)
