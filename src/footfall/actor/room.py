"""Room for the arms: how deep elbows, forearms and hands are inside trunk, head and legs."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.actor.bearing import Borne

# Shares of leg length, a little more than the body is thick: half widths, heights and depths
PELVIS = np.array([0.175, 0.17, 0.135])
CHEST = np.array([0.185, 0.26, 0.130])
HEAD = np.array([0.115, 0.15, 0.13])
THIGH, SHANK = 0.095, 0.070
ALONG_FOREARM = np.array([0.0, 0.35, 0.7, 1.0])
THICK = np.array([0.055, 0.050, 0.042, 0.038, 0.036])  # elbow to wrist, and the palm
PALM = 0.10


def overlaps(bodies: Borne, leg: float) -> Float[np.ndarray, "n m"]:
    """How deep places along the arms are inside of the body, m; zero where they are outside."""
    points, thick = _along_arms(bodies, leg)
    depths = [
        _in_ellipsoid(points, thick, bodies.root, bodies.hips, leg * PELVIS),
        _in_ellipsoid(points, thick, 0.55 * bodies.ribs + 0.45 * bodies.neck, bodies.chest, leg * CHEST),
        _in_ellipsoid(points, thick, bodies.head, bodies.chest, leg * HEAD),
        _in_capsules(points, thick, bodies.hip, bodies.knee, leg * THIGH),
        _in_capsules(points, thick, bodies.knee, bodies.ankle, leg * SHANK),
    ]
    return np.concatenate([d.reshape(len(points), -1) for d in depths], axis=1)


def _along_arms(
    bodies: Borne, leg: float
) -> tuple[Float[np.ndarray, "n points 3"], Float[np.ndarray, "points"]]:
    """Both arms from elbow to palm."""
    along = bodies.wrist - bodies.elbow
    forearm = bodies.elbow[:, :, None] + ALONG_FOREARM[:, None] * along[:, :, None]
    reach = along / np.linalg.norm(along, axis=-1, keepdims=True)
    palm = bodies.wrist + PALM * leg * reach
    points = np.concatenate([forearm, palm[:, :, None]], axis=2)
    return points.reshape(len(points), -1, 3), leg * np.tile(THICK, 2)


def _in_ellipsoid(
    points: Float[np.ndarray, "n points 3"],
    thick: Float[np.ndarray, "points"],
    centre: Float[np.ndarray, "n 3"],
    turn: Float[np.ndarray, "n 3 3"],
    axes: Float[np.ndarray, "3"],
) -> Float[np.ndarray, "n points"]:
    local = np.einsum("nji,npj->npi", turn, points - centre[:, None])
    outside = np.linalg.norm(local / (axes + thick[:, None]), axis=-1)
    return np.maximum(1.0 - outside, 0.0) * (axes.min() + thick)


def _in_capsules(
    points: Float[np.ndarray, "n points 3"],
    thick: Float[np.ndarray, "points"],
    start: Float[np.ndarray, "n 2 3"],
    end: Float[np.ndarray, "n 2 3"],
    radius: float,
) -> Float[np.ndarray, "n points 2"]:
    along = end - start
    away = points[:, :, None] - start[:, None]
    share = np.einsum("npsi,nsi->nps", away, along) / np.sum(along * along, axis=-1)[:, None]
    nearest = away - np.clip(share, 0.0, 1.0)[..., None] * along[:, None]
    return np.maximum(radius + thick[:, None] - np.linalg.norm(nearest, axis=-1), 0.0)
