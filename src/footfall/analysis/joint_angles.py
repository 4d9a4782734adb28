"""Joint angles as gait laboratories tell them, from joint positions and soles alone.

All in radians, zero when a person stands straight. Hips, knees and elbows flex positive, ankles dorsiflex
positive. Nothing depends on a skeleton's joint frames, so people and figures can be compared.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.figure.motion import Motion
from footfall.figure.soles import sole_places
from footfall.geometry import ground
from footfall.geometry import quaternion as quat

Angles = Float[np.ndarray, "frames"]


def _pelvis_axes(motion: Motion) -> Float[np.ndarray, "frames 4"]:
    """How far the hips are turned from rest, in the world."""
    hips = motion.skeleton.joint("hips")
    rest = motion.skeleton.rest_orientations[hips]
    return quat.multiply(motion.orientations[:, hips], quat.conjugate(rest))


def _bone(motion: Motion, start: str, end: str) -> Float[np.ndarray, "frames 3"]:
    bone = motion.of(end) - motion.of(start)
    return bone / np.maximum(np.linalg.norm(bone, axis=-1, keepdims=True), 1e-12)


def hip_flexion(motion: Motion, side: str) -> Angles:
    """The thigh forwards of the pelvis's own vertical, in the pelvis's sagittal plane."""
    thigh = _bone(motion, f"{side}_thigh", f"{side}_shank")
    local = quat.rotate(quat.conjugate(_pelvis_axes(motion)), thigh)
    return np.arctan2(local[:, 2], -local[:, 1])


def hip_abduction(motion: Motion, side: str) -> Angles:
    """The thigh outwards of the pelvis's own vertical."""
    thigh = _bone(motion, f"{side}_thigh", f"{side}_shank")
    local = quat.rotate(quat.conjugate(_pelvis_axes(motion)), thigh)
    outwards = local[:, 0] if side == "left" else -local[:, 0]
    return np.arcsin(np.clip(outwards, -1.0, 1.0))


def knee_flexion(motion: Motion, side: str) -> Angles:
    """The angle between thigh and shank; captured knees that overstretch read as bent by as much."""
    thigh = _bone(motion, f"{side}_thigh", f"{side}_shank")
    shank = _bone(motion, f"{side}_shank", f"{side}_foot")
    return _angle(thigh, shank)


def ankle_dorsiflexion(motion: Motion, side: str) -> Angles:
    """The sole against the shank; zero at a right angle, positive with the toes up."""
    soles = sole_places(motion, side)
    along = soles[:, 2] - soles[:, 0]
    return _angle(_bone(motion, f"{side}_shank", f"{side}_foot"), along) - 0.5 * np.pi


def elbow_flexion(motion: Motion, side: str) -> Angles:
    upper = _bone(motion, f"{side}_upper_arm", f"{side}_forearm")
    return _angle(upper, _bone(motion, f"{side}_forearm", f"{side}_hand"))


def shoulder_flexion(motion: Motion, side: str) -> Angles:
    """The upper arm forwards of the vertical, in the plane the figure faces."""
    local = _bone(motion, f"{side}_upper_arm", f"{side}_forearm")
    facing = ground.heading_of(quat.rotate(_pelvis_axes(motion), ground.FORWARD))
    local = quat.rotate(ground.turn(-facing), local)
    return np.arctan2(local[:, 2], -local[:, 1])


def trunk_lean(motion: Motion) -> Angles:
    """The line from hips to neck (else head) forwards of the vertical."""
    top = next(role for role in ("neck", "head", "chest") if motion.skeleton.has(role))
    line = _bone(motion, "hips", top)
    facing = ground.heading_of(quat.rotate(_pelvis_axes(motion), ground.FORWARD))
    local = quat.rotate(ground.turn(-facing), line)
    return np.arctan2(local[:, 2], local[:, 1])


def pelvis_turn(motion: Motion) -> tuple[Angles, Angles]:
    """Pelvic list (left side up positive) and tilt (top forwards positive), from the hips' own axes."""
    axes = _pelvis_axes(motion)
    left, up = quat.rotate(axes, ground.LEFT), quat.rotate(axes, ground.UP)
    facing = ground.heading_of(quat.rotate(axes, ground.FORWARD))
    forwards = np.sum(up * ground.direction_of(facing), axis=-1)
    return np.arcsin(np.clip(left[:, 1], -1.0, 1.0)), np.arctan2(forwards, up[:, 1])


def _angle(a: Float[np.ndarray, "frames 3"], b: Float[np.ndarray, "frames 3"]) -> Angles:
    """Between two directions, exact near 0 and pi too."""
    return np.arctan2(np.linalg.norm(quat.cross(a, b), axis=-1), np.sum(a * b, axis=-1))
