"""Room for the arms: how deep elbows, forearms and hands are inside of trunk, head, legs and floor."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.actor.reach.bearing import Borne

Places = Float[np.ndarray, "n points 3"]
Thickness = Float[np.ndarray, "points"]

# Shares of leg length, a little more than the body is thick: half widths, heights, depths of pelvis, chest
# and head
TRUNK = np.array([[0.175, 0.17, 0.135], [0.185, 0.26, 0.130], [0.115, 0.15, 0.130]])
LEGS = np.array([0.086, 0.086, 0.066, 0.066])  # thighs and shanks
# places along one arm: two of the upper arm, four from elbow to wrist, two of the hand
ALONG_UPPER_ARM, ALONG_FOREARM, ALONG_HAND = (
    np.array(s) for s in ([0.45, 0.75], [0.0, 0.35, 0.7, 1.0], [0.5, 1.0])
)
THICK = np.array([0.060, 0.058, 0.055, 0.050, 0.042, 0.038, 0.036, 0.034])
# an upper arm may lie against its own trunk
THICK_FOR_TRUNK = np.where(np.arange(len(THICK)) < len(ALONG_UPPER_ARM), 0.03, THICK)
FOREARM = 0.042
SPARE = 0.02  # by which the room is larger than the body


def overlaps(bodies: Borne, leg: float) -> Float[np.ndarray, "n 2 m"]:
    """How deep places along the arms are inside of the body or the floor, m; zero where they are outside."""
    points = _along_arms(bodies)
    thick = leg * np.tile(THICK, 2)
    depths = [
        _in_trunk(bodies, points, leg * np.tile(THICK_FOR_TRUNK, 2), leg),
        _in_legs(bodies, points, thick, leg),
        _in_other_arm(bodies, points, thick, leg),
        np.maximum(thick - points[..., 1], 0.0)[..., None],
    ]
    return np.concatenate(depths, axis=-1).reshape(len(points), 2, -1)


def buried(bodies: Borne, points: Places, leg: float) -> Float[np.ndarray, "n points"]:
    """How deep points are inside of trunk, head or legs, m."""
    thin = np.full(points.shape[1], -SPARE * leg)
    inside = [_in_trunk(bodies, points, thin, leg), _in_legs(bodies, points, thin, leg)]
    return np.concatenate(inside, axis=-1).max(axis=-1)


def _along_arms(bodies: Borne) -> Places:
    """Both arms from the middle of the upper arm to the knuckles."""
    joints = (bodies.shoulder, bodies.elbow, bodies.wrist, bodies.knuckle)
    shares = (ALONG_UPPER_ARM, ALONG_FOREARM, ALONG_HAND)
    parts = [
        start[:, :, None] + share[:, None] * (end - start)[:, :, None]
        for start, end, share in zip(joints, joints[1:], shares, strict=False)
    ]
    return np.concatenate(parts, axis=2).reshape(len(bodies.elbow), -1, 3)


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
    end = np.concatenate([bodies.knee, bodies.ankle], axis=1)
    distance = _from_lines(points[:, :, None], start[:, None], end[:, None])
    return np.maximum(leg * LEGS + thick[:, None] - distance, 0.0)


def _in_other_arm(
    bodies: Borne, points: Places, thick: Thickness, leg: float
) -> Float[np.ndarray, "n points 1"]:
    """Inside of the other arm's forearm and hand."""
    count = points.shape[1] // 2
    start, end = (np.repeat(place[:, ::-1], count, axis=1) for place in (bodies.elbow, bodies.knuckle))
    return np.maximum(leg * FOREARM + thick - _from_lines(points, start, end), 0.0)[..., None]


def _from_lines(
    points: Float[np.ndarray, "*n 3"], start: Float[np.ndarray, "*n 3"], end: Float[np.ndarray, "*n 3"]
) -> Float[np.ndarray, "*n"]:
    """How far points are from the lines between two others."""
    along, away = end - start, points - start
    share = np.sum(away * along, axis=-1) / np.sum(along * along, axis=-1)
    nearest = away - np.clip(share, 0.0, 1.0)[..., None] * along
    return np.sqrt(np.sum(nearest * nearest, axis=-1))
