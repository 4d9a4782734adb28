"""Curves through space: cubic Bezier pieces, polylines by arc length."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float


def bezier(
    control: Float[np.ndarray, "4 dims"], t: Float[np.ndarray, "samples"]
) -> Float[np.ndarray, "samples dims"]:
    """A cubic Bezier piece at t in [0, 1]."""
    t = np.asarray(t, dtype=float)[:, None]
    s = 1.0 - t
    p0, p1, p2, p3 = np.asarray(control, dtype=float)
    return s**3 * p0 + 3 * s * s * t * p1 + 3 * s * t * t * p2 + t**3 * p3


def arc_lengths(points: Float[np.ndarray, "n dims"]) -> Float[np.ndarray, "n"]:
    """Distance travelled along a polyline at each of its points."""
    steps = np.linalg.norm(np.diff(points, axis=0), axis=-1)
    return np.concatenate([[0.0], np.cumsum(steps)])


def at_distance(
    points: Float[np.ndarray, "n dims"], distance: Float[np.ndarray, "samples"]
) -> Float[np.ndarray, "samples dims"]:
    """Points at given distances along a polyline; beyond its ends, the ends."""
    travelled = arc_lengths(points)
    return np.stack([np.interp(distance, travelled, column) for column in points.T], axis=-1)
