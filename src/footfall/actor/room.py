"""Room for the arms: how deep elbows, forearms and hands are inside of trunk, head, legs and floor."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.actor.bearing import Borne

Places = Float[np.ndarray, "n points 3"]
Thickness = Float[np.ndarray, "points"]

# Shares of leg length, a little more than the body is thick: half widths, heights and depths
PELVIS = np.array([0.175, 0.17, 0.135])
CHEST = np.array([0.185, 0.26, 0.130])
HEAD = np.array([0.115, 0.15, 0.13])
THIGH, SHANK = 0.095, 0.070
ALONG_FOREARM = np.array([0.0, 0.35, 0.7, 1.0])
ALONG_UPPER_ARM = np.array([0.45, 0.75])
THICK = np.array([0.055, 0.050, 0.042, 0.038, 0.036])  # elbow to wrist, and the palm
THICK_UPPER_ARM = np.array([0.060, 0.058])
PALM = 0.10


def overlaps(bodies: Borne, leg: float) -> Float[np.ndarray, "n 2 m"]:
    """How deep places along the arms are inside of the body or the floor, m; zero where they are outside."""
    points, thick = _along_forearms(bodies, leg), leg * np.tile(THICK, 2)
    upper = _between(bodies.shoulder, bodies.elbow, ALONG_UPPER_ARM)
    upper_thick = leg * np.tile(THICK_UPPER_ARM, 2)
    # an upper arm may lie against its own trunk, not on a leg
    depths = [
        _in_trunk(bodies, points, thick, leg),
        _in_legs(bodies, points, thick, leg),
        _in_legs(bodies, upper, upper_thick, leg),
        np.maximum(thick - points[..., 1], 0.0),
    ]
    return np.concatenate([depth.reshape(len(points), 2, -1) for depth in depths], axis=-1)


def buried(bodies: Borne, points: Places, leg: float) -> Float[np.ndarray, "n points"]:
    """How deep points are inside of trunk, head or legs, m."""
    thin = np.full(points.shape[1], -0.02 * leg)  # the room is a little larger than the body
    inside = [_in_trunk(bodies, points, thin, leg), _in_legs(bodies, points, thin, leg)]
    return np.concatenate(inside, axis=-1).reshape(len(points), points.shape[1], -1).max(axis=-1)


def _in_trunk(bodies: Borne, points: Places, thick: Thickness, leg: float) -> Float[np.ndarray, "n points 3"]:
    chest = 0.55 * bodies.ribs + 0.45 * bodies.neck
    depths = [
        _in_ellipsoid(points, thick, bodies.root, bodies.hips, leg * PELVIS),
        _in_ellipsoid(points, thick, chest, bodies.chest, leg * CHEST),
        _in_ellipsoid(points, thick, bodies.head, bodies.chest, leg * HEAD),
    ]
    return np.stack(depths, axis=-1)


def _in_legs(bodies: Borne, points: Places, thick: Thickness, leg: float) -> Float[np.ndarray, "n points 4"]:
    depths = [
        _in_capsules(points, thick, bodies.hip, bodies.knee, leg * THIGH),
        _in_capsules(points, thick, bodies.knee, bodies.ankle, leg * SHANK),
    ]
    return np.concatenate(depths, axis=-1)


def _between(
    start: Float[np.ndarray, "n 2 3"], end: Float[np.ndarray, "n 2 3"], shares: Float[np.ndarray, "k"]
) -> Places:
    places = start[:, :, None] + shares[:, None] * (end - start)[:, :, None]
    return places.reshape(len(start), -1, 3)


def _along_forearms(bodies: Borne, leg: float) -> Places:
    """Both arms from elbow to palm."""
    length = np.linalg.norm(bodies.wrist - bodies.elbow, axis=-1).mean()
    return _between(bodies.elbow, bodies.wrist, np.append(ALONG_FOREARM, 1.0 + PALM * leg / length))


def _in_ellipsoid(
    points: Places,
    thick: Thickness,
    centre: Float[np.ndarray, "n 3"],
    turn: Float[np.ndarray, "n 3 3"],
    axes: Float[np.ndarray, "3"],
) -> Float[np.ndarray, "n points"]:
    local = np.einsum("nji,npj->npi", turn, points - centre[:, None])
    outside = np.linalg.norm(local / (axes + thick[:, None]), axis=-1)
    return np.maximum(1.0 - outside, 0.0) * (axes.min() + thick)


def _in_capsules(
    points: Places,
    thick: Thickness,
    start: Float[np.ndarray, "n 2 3"],
    end: Float[np.ndarray, "n 2 3"],
    radius: float,
) -> Float[np.ndarray, "n points 2"]:
    along = end - start
    away = points[:, :, None] - start[:, None]
    share = np.einsum("npsi,nsi->nps", away, along) / np.sum(along * along, axis=-1)[:, None]
    nearest = away - np.clip(share, 0.0, 1.0)[..., None] * along[:, None]
    return np.maximum(radius + thick[:, None] - np.linalg.norm(nearest, axis=-1), 0.0)
