"""Closed surfaces lofted along a line: rings of an ellipse whose size follows a profile, with skin weights.

A line runs through joints; the piece from one point to the next is carried by that piece's joint, and near
a joint the two neighbours share the skin, so that it bends without a crack.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from footfall.geometry import quaternion as quat
from footfall.geometry.curve import arc_lengths, at_distance

Vector = Float[np.ndarray, "3"]
SIDES = 14  # vertices a ring
CAP_RINGS = 3


@dataclass(frozen=True, eq=False)
class Surface:
    """A triangle mesh with outward normals and two joints a vertex."""

    vertices: Float[np.ndarray, "vertices 3"]
    normals: Float[np.ndarray, "vertices 3"]
    triangles: Int[np.ndarray, "triangles 3"]
    joints: Int[np.ndarray, "vertices 2"]
    weights: Float[np.ndarray, "vertices 2"]


def along(
    line: Float[np.ndarray, "points 3"],
    owners: Sequence[int],
    profile: Sequence[tuple[float, float, float]],
    *,
    across: Vector,
    blend: float,
    rounded: bool = False,
    sides: int = SIDES,
) -> Surface:
    """A surface along a polyline; `profile` holds (share of the length, half width, half depth).

    Width is measured along `across`, depth across both. `owners` name the joint of each piece of the line.
    Shares below 0 and above 1 go straight on. `rounded` closes the ends with domes instead of flat lids.
    """
    travelled = arc_lengths(line)
    length = float(travelled[-1])
    shares, widths, depths = (np.array(column, dtype=float) for column in zip(*profile, strict=True))
    dense = np.unique(np.concatenate([shares, np.linspace(shares[0], shares[-1], 11), travelled / length]))
    dense = dense[(dense >= shares[0]) & (dense <= shares[-1])]
    width, depth = _smooth_interp(dense, shares, widths), _smooth_interp(dense, shares, depths)
    centres = _extended(line, dense * length)
    if rounded:
        dense, centres, width, depth = _domes(dense, centres, width, depth, length)
    joints, weights = _owners_at(dense * length, travelled, owners, blend)
    return _rings(centres, width, depth, across, joints, weights, sides)


def capsule(start: Vector, end: Vector, radius: float, owners: tuple[int, int]) -> Surface:
    """A rounded tube carried by the first owner at its start and by the second at its end."""
    line = np.array([start, end], dtype=float)
    if np.linalg.norm(line[1] - line[0]) < 1e-9:
        line[1] = line[0] + 1e-6 * np.array([0.0, 1.0, 0.0])
    across = (
        np.array([1.0, 0.0, 0.0])
        if abs((line[1] - line[0])[0]) < 0.9 * np.linalg.norm(line[1] - line[0])
        else np.array([0.0, 0.0, 1.0])
    )
    surface = along(
        line, [0], [(0.0, radius, radius), (1.0, radius, radius)], across=across, blend=0.0, rounded=True
    )
    share = np.clip(
        (surface.vertices - line[0]) @ (line[1] - line[0]) / float(np.sum((line[1] - line[0]) ** 2)), 0, 1
    )
    joints = np.tile(owners, (len(share), 1))
    return Surface(
        surface.vertices, surface.normals, surface.triangles, joints, np.stack([1 - share, share], axis=1)
    )


def ellipsoid(centre: Vector, radii: Vector, owner: int, rings: int = 9) -> Surface:
    """An ellipsoid with its axes along the world's."""
    angle = np.linspace(0.04 * np.pi, 0.96 * np.pi, rings)
    centres = np.asarray(centre) - np.cos(angle)[:, None] * np.array([0.0, radii[1], 0.0])
    joints = np.full((rings, 2), owner)
    weights = np.tile([1.0, 0.0], (rings, 1))
    sine = np.sin(angle)
    return _rings(centres, radii[0] * sine, radii[2] * sine, np.array([1.0, 0, 0]), joints, weights, SIDES)


def _smooth_interp(
    x: Float[np.ndarray, "n"], known: Float[np.ndarray, "m"], values: Float[np.ndarray, "m"]
) -> Float[np.ndarray, "n"]:
    """Through the known values without overshoot (monotone cubic)."""
    if len(known) < 3:
        return np.interp(x, known, values)
    slopes = np.diff(values) / np.diff(known)
    inner = np.where(
        slopes[:-1] * slopes[1:] > 0, 2 * slopes[:-1] * slopes[1:] / (slopes[:-1] + slopes[1:] + 1e-12), 0
    )
    rates = np.concatenate([[slopes[0]], inner, [slopes[-1]]])
    i = np.clip(np.searchsorted(known, x, side="right") - 1, 0, len(known) - 2)
    step = known[i + 1] - known[i]
    t = (x - known[i]) / step
    return (
        (2 * t**3 - 3 * t**2 + 1) * values[i]
        + (t**3 - 2 * t**2 + t) * step * rates[i]
        + (3 * t**2 - 2 * t**3) * values[i + 1]
        + (t**3 - t**2) * step * rates[i + 1]
    )


def _extended(
    line: Float[np.ndarray, "points 3"], distance: Float[np.ndarray, "n"]
) -> Float[np.ndarray, "n 3"]:
    """Points along a polyline that goes straight on beyond its ends."""
    length = float(arc_lengths(line)[-1])
    inside = at_distance(line, np.clip(distance, 0.0, length))
    first = (line[1] - line[0]) / max(float(np.linalg.norm(line[1] - line[0])), 1e-12)
    last = (line[-1] - line[-2]) / max(float(np.linalg.norm(line[-1] - line[-2])), 1e-12)
    return (
        inside + np.minimum(distance, 0)[:, None] * first + np.maximum(distance - length, 0)[:, None] * last
    )


def _domes(
    share: Float[np.ndarray, "n"],
    centres: Float[np.ndarray, "n 3"],
    width: Float[np.ndarray, "n"],
    depth: Float[np.ndarray, "n"],
    length: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Both ends closed by half ellipsoids."""
    angle = np.linspace(0.0, 0.45 * np.pi, CAP_RINGS + 1)[1:]

    def dome(end: int, towards: Vector) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        radius = min(width[end], depth[end])
        places = centres[end] + np.sin(angle)[:, None] * radius * towards
        return places, np.cos(angle) * width[end], np.cos(angle) * depth[end]

    first = centres[0] - centres[1]
    last = centres[-1] - centres[-2]
    a = dome(0, first / max(float(np.linalg.norm(first)), 1e-12))
    b = dome(-1, last / max(float(np.linalg.norm(last)), 1e-12))
    return (
        np.concatenate([np.full(CAP_RINGS, share[0]), share, np.full(CAP_RINGS, share[-1])]),
        np.concatenate([a[0][::-1], centres, b[0]]),
        np.concatenate([a[1][::-1], width, b[1]]),
        np.concatenate([a[2][::-1], depth, b[2]]),
    )


def _owners_at(
    distance: Float[np.ndarray, "n"],
    travelled: Float[np.ndarray, "points"],
    owners: Sequence[int],
    blend: float,
) -> tuple[Int[np.ndarray, "n 2"], Float[np.ndarray, "n 2"]]:
    """Each ring's piece of the line and, within `blend` of a joint, the neighbouring piece."""
    inner = travelled[1 : len(owners)]
    piece = np.searchsorted(inner, distance, side="right")
    joints = np.stack([np.asarray(owners)[piece]] * 2, axis=1)
    weights = np.tile([1.0, 0.0], (len(distance), 1))
    for k, place in enumerate(inner):
        offset = distance - place
        near = np.abs(offset) < blend
        # half and half at the joint itself, all of one at the edge of the zone
        other = 0.5 * (1.0 - np.abs(offset[near]) / blend) if blend > 0 else offset[near]
        joints[near, 1] = np.where(offset[near] < 0, owners[k + 1], owners[k])
        weights[near, 0], weights[near, 1] = 1.0 - other, other
    return joints, weights


def _rings(
    centres: Float[np.ndarray, "n 3"],
    width: Float[np.ndarray, "n"],
    depth: Float[np.ndarray, "n"],
    across: Vector,
    joints: Int[np.ndarray, "n 2"],
    weights: Float[np.ndarray, "n 2"],
    sides: int,
) -> Surface:
    """Rings joined into a closed surface; the first and last are closed by a vertex in their middle."""
    tangent = np.gradient(centres, axis=0)
    tangent = tangent / np.maximum(np.linalg.norm(tangent, axis=-1, keepdims=True), 1e-12)
    u = np.asarray(across, dtype=float) - (tangent @ np.asarray(across, dtype=float))[:, None] * tangent
    short = np.linalg.norm(u, axis=-1) < 1e-3 * np.linalg.norm(across)
    u[short] = quat.cross(tangent[short], np.roll(tangent[short], 1, axis=-1) + 0.1)
    u = u / np.maximum(np.linalg.norm(u, axis=-1, keepdims=True), 1e-12)
    v = quat.cross(tangent, u)
    angle = 2 * np.pi * np.arange(sides) / sides
    c, s = np.cos(angle)[None, :, None], np.sin(angle)[None, :, None]
    points = centres[:, None] + width[:, None, None] * c * u[:, None] + depth[:, None, None] * s * v[:, None]
    vertices = np.concatenate([points.reshape(-1, 3), centres[:1], centres[-1:]])
    triangles = _ring_triangles(len(centres), sides)
    owner = np.concatenate([np.repeat(joints, sides, axis=0), joints[:1], joints[-1:]])
    share = np.concatenate([np.repeat(weights, sides, axis=0), weights[:1], weights[-1:]])
    return Surface(vertices, _vertex_normals(vertices, triangles), triangles, owner, share)


def _ring_triangles(rings: int, sides: int) -> Int[np.ndarray, "triangles 3"]:
    i, k = np.meshgrid(np.arange(rings - 1), np.arange(sides), indexing="ij")
    a, b = i * sides + k, i * sides + (k + 1) % sides
    quads = np.stack([a, b, b + sides, a, b + sides, a + sides], axis=-1).reshape(-1, 3)
    around = np.arange(sides)
    after = (around + 1) % sides
    first, last = rings * sides, rings * sides + 1
    top = (rings - 1) * sides
    lids = [
        np.stack([np.full(sides, first), after, around], axis=1),
        np.stack([np.full(sides, last), top + around, top + after], axis=1),
    ]
    return np.concatenate([quads, *lids])


def _vertex_normals(
    vertices: Float[np.ndarray, "vertices 3"], triangles: Int[np.ndarray, "triangles 3"]
) -> Float[np.ndarray, "vertices 3"]:
    """Mean of the neighbouring faces' normals, weighted by their area."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    face = np.cross(b - a, c - a)
    normals = np.zeros_like(vertices)
    for k in range(3):
        np.add.at(normals, triangles[:, k], face)
    length = np.linalg.norm(normals, axis=-1, keepdims=True)
    return np.where(length > 1e-15, normals / np.maximum(length, 1e-15), np.array([0.0, 1.0, 0.0]))
