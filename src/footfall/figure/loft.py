"""Closed surfaces lofted along a line: rings of an ellipse whose size follows a profile, with skin weights.

A line runs through joints; the piece from one point to the next is carried by that piece's joint, and near
a joint the two neighbours share the skin, so that it bends without a crack.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Int

from footfall.figure import rings
from footfall.figure.rings import Surface, Vector
from footfall.geometry.curve import arc_lengths, at_distance
from footfall.geometry.ground import UP

SIDES = 14  # vertices a ring
EVEN_RINGS = 11
CAP_RINGS = 3
CLOSEST = 1e-9  # shares of a profile that are told apart
LEAST_STEP = 0.03  # of the length, between rings
STUB = 1e-4  # m; a line needs some length


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
    line = _with_length(line)
    travelled = arc_lengths(line)
    length = float(travelled[-1])
    shares, widths, depths = (np.array(column, dtype=float) for column in zip(*profile, strict=True))
    dense = _ring_places(shares, travelled / length)
    width, depth = _smooth_interp(dense, shares, widths), _smooth_interp(dense, shares, depths)
    centres = _extended(line, dense * length)
    if rounded:
        dense, centres, width, depth = _domes(dense, centres, width, depth, length)
    joints, weights = _owners_at(dense * length, travelled, owners, blend)
    return rings.joined(centres, width, depth, across, joints, weights, sides)


def capsule(start: Vector, end: Vector, radius: float, owners: tuple[int, int]) -> Surface:
    """A rounded tube carried by the first owner at its start and by the second at its end."""
    line = _with_length(np.array([start, end], dtype=float))
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


def ellipsoid(centre: Vector, radii: Vector, owner: int, count: int = 9) -> Surface:
    """An ellipsoid with its axes along the world's."""
    angle = np.linspace(0.04 * np.pi, 0.96 * np.pi, count)
    centres = np.asarray(centre) - np.cos(angle)[:, None] * np.array([0.0, radii[1], 0.0])
    joints = np.full((count, 2), owner)
    weights = np.tile([1.0, 0.0], (count, 1))
    sine = np.sin(angle)
    return rings.joined(
        centres, radii[0] * sine, radii[2] * sine, np.array([1.0, 0, 0]), joints, weights, SIDES
    )


def _ring_places(
    shares: Float[np.ndarray, "profile"], joints: Float[np.ndarray, "points"]
) -> Float[np.ndarray, "n"]:
    """Where rings lie: at the ends, the joints and the profile's places, and evenly between.

    Two rings in almost one place would cut through each other where the line bends; the later gives way.
    """
    places = [shares[0], shares[-1]]
    for place in (*joints, *shares, *np.linspace(shares[0], shares[-1], EVEN_RINGS)):
        if shares[0] < place < shares[-1] and min(abs(place - p) for p in places) > LEAST_STEP:
            places.append(place)
    return np.sort(places)


def _with_length(line: Float[np.ndarray, "points 3"]) -> Float[np.ndarray, "points 3"]:
    """Joints that lie in one place are drawn a hair apart, so that a surface can run from one to the next."""
    if arc_lengths(line)[-1] > STUB:
        return line
    return line[:1] + np.linspace(0.0, STUB, len(line))[:, None] * UP


def _smooth_interp(
    x: Float[np.ndarray, "n"], known: Float[np.ndarray, "m"], values: Float[np.ndarray, "m"]
) -> Float[np.ndarray, "n"]:
    """Through the known values without overshoot (monotone cubic)."""
    # a bone without length puts several values in one place: the first counts
    apart = np.concatenate([[True], np.diff(known) > CLOSEST])
    known, values = known[apart], values[apart]
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
