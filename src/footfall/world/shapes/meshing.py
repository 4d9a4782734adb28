"""Closed surfaces for pictures: what a lathe makes, and prisms."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int

from footfall.world.shapes.fields import FieldError, number
from footfall.world.shapes.shape import Mesh

FEWEST = 3  # segments that enclose anything
MOST = 1000


def checked_segments(segments: int) -> int:
    if not FEWEST <= number(segments, "segments") <= MOST:
        raise FieldError("segments", f"must be {FEWEST} to {MOST}, not {segments!r:.40}")
    return int(segments)


def quarter(radius: float, segments: int) -> Float[np.ndarray, "points 2"]:
    """A quarter of a circle from the axis outwards, as radius and depth under its centre."""
    angles = np.linspace(0.0, 0.5 * np.pi, max(segments // 4, 1) + 1)
    return radius * np.stack([np.sin(angles), -np.cos(angles)], axis=-1)


def turned(profile: Float[np.ndarray, "rings 2"], segments: int) -> Mesh:
    """The surface that a profile makes about +Y: radii and heights from below, first and last on the axis.

    Only the rings between the first and the last row are made; the two are single vertices.
    """
    segments = checked_segments(segments)
    angles = 2.0 * np.pi * np.arange(segments) / segments
    around = np.stack([np.sin(angles), np.zeros(segments), np.cos(angles)], axis=-1)
    rings = profile[1:-1, 0, None, None] * around + profile[1:-1, 1, None, None] * np.array([0.0, 1.0, 0.0])
    poles = np.array([[0.0, profile[0, 1], 0.0], [0.0, profile[-1, 1], 0.0]])
    vertices = np.concatenate([rings.reshape(-1, 3), poles])
    here = np.arange(segments)
    there = (here + 1) % segments
    bottom, top = len(vertices) - 2, len(vertices) - 1
    last = (len(profile) - 3) * segments
    faces = [np.stack([np.full(segments, bottom), there, here], axis=-1)]
    for ring in range(0, last, segments):
        above = ring + segments
        faces.append(np.stack([ring + here, ring + there, above + there], axis=-1))
        faces.append(np.stack([ring + here, above + there, above + here], axis=-1))
    faces.append(np.stack([last + here, last + there, np.full(segments, top)], axis=-1))
    return vertices, np.concatenate(faces)


def prism(
    corners: Float[np.ndarray, "corners 2"], cap: Int[np.ndarray, "triangles 3"], height: float
) -> Mesh:
    """Over a polygon in x and z whose corners turn from +Z towards +X; `cap` are triangles that fill it."""
    count = len(corners)
    half = np.full(count, 0.5 * height)
    floor, roof = (np.stack([corners[:, 0], y, corners[:, 1]], axis=-1) for y in (-half, half))
    here = np.arange(count)
    there = (here + 1) % count
    sides = [
        np.stack([here, there, count + there], axis=-1),
        np.stack([here, count + there, count + here], axis=-1),
    ]
    return np.concatenate([floor, roof]), np.concatenate([cap[:, ::-1], cap + count, *sides])
