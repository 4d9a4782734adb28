"""Room for the arms: how deep elbows, forearms and hands are inside of trunk, head, legs and floor."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.actor.bearing import Borne

Places = Float[np.ndarray, "n points 3"]
Thickness = Float[np.ndarray, "points"]

# Shares of leg length, a little more than the body is thick: half widths, heights, depths of pelvis, chest
# and head
TRUNK = np.array([[0.175, 0.17, 0.135], [0.185, 0.26, 0.130], [0.115, 0.15, 0.130]])
LEGS = np.array([0.095, 0.095, 0.070, 0.070])  # thighs and shanks
# along one arm: two places of the upper arm, four from elbow to wrist, the palm
ALONG_UPPER_ARM, ALONG_FOREARM, PALM = np.array([0.45, 0.75]), np.array([0.0, 0.35, 0.7, 1.0]), 0.10
THICK = np.array([0.060, 0.058, 0.055, 0.050, 0.042, 0.038, 0.036])
# an upper arm may lie against its own trunk
THICK_FOR_TRUNK = np.where(np.arange(len(THICK)) < len(ALONG_UPPER_ARM), 0.03, THICK)
SPARE = 0.02  # by which the room is larger than the body


def overlaps(bodies: Borne, leg: float) -> Float[np.ndarray, "n 2 m"]:
    """How deep places along the arms are inside of the body or the floor, m; zero where they are outside."""
    points = _along_arms(bodies, leg)
    depths = [
        _in_trunk(bodies, points, leg * np.tile(THICK_FOR_TRUNK, 2), leg),
        _in_legs(bodies, points, leg * np.tile(THICK, 2), leg),
        np.maximum(leg * np.tile(THICK, 2) - points[..., 1], 0.0)[..., None],
    ]
    return np.concatenate(depths, axis=-1).reshape(len(points), 2, -1)


def buried(bodies: Borne, points: Places, leg: float) -> Float[np.ndarray, "n points"]:
    """How deep points are inside of trunk, head or legs, m."""
    thin = np.full(points.shape[1], -SPARE * leg)
    inside = [_in_trunk(bodies, points, thin, leg), _in_legs(bodies, points, thin, leg)]
    return np.concatenate(inside, axis=-1).max(axis=-1)


def _along_arms(bodies: Borne, leg: float) -> Places:
    """Both arms from the middle of the upper arm to the palm."""
    length = float(np.linalg.norm(bodies.wrist[0, 0] - bodies.elbow[0, 0]))
    shares = np.append(ALONG_FOREARM, 1.0 + PALM * leg / length)
    upper = (
        bodies.shoulder[:, :, None] + ALONG_UPPER_ARM[:, None] * (bodies.elbow - bodies.shoulder)[:, :, None]
    )
    lower = bodies.elbow[:, :, None] + shares[:, None] * (bodies.wrist - bodies.elbow)[:, :, None]
    return np.concatenate([upper, lower], axis=2).reshape(len(upper), -1, 3)


def _in_trunk(bodies: Borne, points: Places, thick: Thickness, leg: float) -> Float[np.ndarray, "n points 3"]:
    """Inside of three ellipsoids: pelvis, chest, head."""
    centres = np.stack([bodies.root, 0.55 * bodies.ribs + 0.45 * bodies.neck, bodies.head], axis=1)
    turns = np.stack([bodies.hips, bodies.chest, bodies.chest], axis=1)
    away = points[:, None] - centres[:, :, None]
    axes = leg * TRUNK[:, None] + thick[:, None]
    outside = np.sqrt(np.sum((away @ turns / axes) ** 2, axis=-1))
    return np.moveaxis(np.maximum(1.0 - outside, 0.0) * axes.min(axis=-1), 1, 2)


def _in_legs(bodies: Borne, points: Places, thick: Thickness, leg: float) -> Float[np.ndarray, "n points 4"]:
    """Inside of four capsules: thighs and shanks."""
    start = np.concatenate([bodies.hip, bodies.knee], axis=1)
    along = np.concatenate([bodies.knee, bodies.ankle], axis=1) - start
    away = points[:, :, None] - start[:, None]
    share = np.sum(away * along[:, None], axis=-1) / np.sum(along * along, axis=-1)[:, None]
    nearest = away - np.clip(share, 0.0, 1.0)[..., None] * along[:, None]
    distance = np.sqrt(np.sum(nearest * nearest, axis=-1))
    return np.maximum(leg * LEGS + thick[:, None] - distance, 0.0)
