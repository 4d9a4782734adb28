"""Rings of ellipses joined into closed surfaces with outward normals and skin weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import first_least

Vector = Float[np.ndarray, "3"]
LEAST_ACROSS = 0.1  # sine of the angle under which a direction is too close to the line to lie across it
MOST_EASING = 40
LEAST_ADVANCE = 0.2  # of the way between two rings' centres, for every point of the second


@dataclass(frozen=True, eq=False)
class Surface:
    """A triangle mesh with outward normals and two joints a vertex."""

    vertices: Float[np.ndarray, "vertices 3"]
    normals: Float[np.ndarray, "vertices 3"]
    triangles: Int[np.ndarray, "triangles 3"]
    joints: Int[np.ndarray, "vertices 2"]
    weights: Float[np.ndarray, "vertices 2"]


def joined(
    centres: Float[np.ndarray, "n 3"],
    width: Float[np.ndarray, "n"],
    depth: Float[np.ndarray, "n"],
    across: Vector,
    joints: Int[np.ndarray, "n 2"],
    weights: Float[np.ndarray, "n 2"],
    sides: int,
) -> Surface:
    """Rings joined into a closed surface; the first and last are closed by a vertex in their middle."""
    tangent = _unit(np.gradient(centres, axis=0))
    points = _placed(centres, width, depth, across, tangent, sides)
    for _ in range(MOST_EASING):
        if not _crossing(points, centres):
            break
        tangent = _eased(tangent)
        points = _placed(centres, width, depth, across, tangent, sides)
    vertices = np.concatenate([points.reshape(-1, 3), centres[:1], centres[-1:]])
    triangles = _ring_triangles(len(centres), sides)
    owner = np.concatenate([np.repeat(joints, sides, axis=0), joints[:1], joints[-1:]])
    share = np.concatenate([np.repeat(weights, sides, axis=0), weights[:1], weights[-1:]])
    return Surface(vertices, _vertex_normals(vertices, triangles), triangles, owner, share)


def _unit(vectors: Float[np.ndarray, "n 3"]) -> Float[np.ndarray, "n 3"]:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)


def _placed(
    centres: Float[np.ndarray, "n 3"],
    width: Float[np.ndarray, "n"],
    depth: Float[np.ndarray, "n"],
    across: Vector,
    tangent: Float[np.ndarray, "n 3"],
    sides: int,
) -> Float[np.ndarray, "n sides 3"]:
    u = _carried_across(np.asarray(across, dtype=float), tangent)
    v = quat.cross(tangent, u)
    angle = 2 * np.pi * np.arange(sides) / sides
    c, s = np.cos(angle)[None, :, None], np.sin(angle)[None, :, None]
    return centres[:, None] + width[:, None, None] * c * u[:, None] + depth[:, None, None] * s * v[:, None]


def _crossing(points: Float[np.ndarray, "n sides 3"], centres: Float[np.ndarray, "n 3"]) -> bool:
    """Whether some ring comes close to the one before it, as wide rings do where a line bends sharply."""
    along = np.diff(centres, axis=0)
    advance = np.einsum("nsi,ni->ns", np.diff(points, axis=0), along)
    return bool((advance < LEAST_ADVANCE * np.sum(along**2, axis=-1)[:, None]).any())


def _eased(tangent: Float[np.ndarray, "n 3"]) -> Float[np.ndarray, "n 3"]:
    """Each direction drawn towards its neighbours'."""
    around = np.pad(tangent, ((1, 1), (0, 0)), mode="edge")
    return _unit(around[:-2] + 2 * tangent + around[2:])


def _carried_across(across: Vector, tangent: Float[np.ndarray, "n 3"]) -> Float[np.ndarray, "n 3"]:
    """Directions across a line's tangents, each as near as can be to the one before: rings never twist."""
    out = np.empty_like(tangent)
    previous = across / max(float(np.linalg.norm(across)), 1e-12)
    for i, t in enumerate(tangent):
        side = previous - (previous @ t) * t
        if np.linalg.norm(side) < LEAST_ACROSS:
            side = quat.cross(t, np.eye(3)[int(first_least(np.abs(t)))])
        previous = out[i] = side / max(float(np.linalg.norm(side)), 1e-12)
    return out


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
