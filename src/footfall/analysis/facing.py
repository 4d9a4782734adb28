"""Which way a figure faces and how it moves over the ground."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.figure.motion import Motion
from footfall.geometry import ground
from footfall.geometry import quaternion as quat


def root_headings(motion: Motion) -> Float[np.ndarray, "frames"]:
    """Heading of the hips: how far their rest pose's forward axis is turned about the vertical."""
    hips = motion.skeleton.joint("hips")
    away = quat.multiply(
        motion.orientations[:, hips], quat.conjugate(motion.skeleton.rest_orientations[hips])
    )
    return np.unwrap(ground.heading_of(quat.rotate(away, ground.FORWARD)))


def trunk_headings(motion: Motion) -> Float[np.ndarray, "frames"]:
    """Heading of hip line and shoulder line together: steadier than either while walking."""
    across = np.zeros((len(motion), 3))
    for part in ("thigh", "upper_arm"):
        if motion.skeleton.has(f"left_{part}", f"right_{part}"):
            line = (motion.of(f"left_{part}") - motion.of(f"right_{part}")) * np.array([1.0, 0.0, 1.0])
            across += line / np.maximum(np.linalg.norm(line, axis=-1, keepdims=True), 1e-9)
    if not across.any():
        return root_headings(motion)
    return np.unwrap(ground.heading_of(quat.cross(across, ground.UP)))


def locomotion(
    motion: Motion, headings: Float[np.ndarray, "frames"], start: int, end: int
) -> tuple[float, float, float]:
    """Forward speed, turn rate and speed to the left (v_f, omega, v_s of [body]) between two frames."""
    seconds = max(end - start, 1) / motion.fps
    hips = motion.of("hips")
    # in the frame that turns along: each small displacement by the heading in its middle
    path = np.diff(hips[start : end + 1], axis=0)
    facing = 0.5 * (headings[start:end] + headings[start + 1 : end + 1])
    local = quat.rotate(ground.turn(-facing), path)
    turn = float(headings[end] - headings[start]) / seconds
    return float(local[:, 2].sum()) / seconds, turn, float(local[:, 0].sum()) / seconds
