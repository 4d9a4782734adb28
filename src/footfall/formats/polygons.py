"""Polygons in space cut into triangles.

A polygon with no corner that points inwards, or one, is a fan round any corner, or round that one. Others are
cut ear by ear (Meisters 1975) in the plane they face most; where no ear is left, because a polygon crosses
itself, the rest is a fan.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.geometry.quaternion import cross

CHUNK = 50_000  # polygons looked at together: bounds the memory
INWARDS = 1e-9  # of the polygon's area: how far a corner must point inwards to count
MOST_STEPS = 100_000_000  # of all ear cutting in one file, about 0.3 s; polygons after that become fans


def triangulate(
    vertices: Float[np.ndarray, "vertices 3"],
    corners: Int[np.ndarray, "corners"],
    sizes: Int[np.ndarray, "faces"],
) -> tuple[Int[np.ndarray, "triangles 3"], Int[np.ndarray, "triangles"]]:
    """Triangles in the order of the faces, and which face each is of; a face has at least three corners."""
    if (sizes == 3).all():
        return corners.reshape(-1, 3), np.arange(len(sizes))
    starts = np.cumsum(sizes) - sizes
    middle = np.zeros(len(sizes), dtype=np.int64)  # the corner round which a face is a fan
    many = np.zeros(len(sizes), dtype=bool)
    polygons = np.flatnonzero(sizes > 3)
    for chunk in range(0, len(polygons), CHUNK):
        chosen = polygons[chunk : chunk + CHUNK]
        middle[chosen], many[chosen] = _inwards(vertices, corners, starts[chosen], sizes[chosen])
    firsts = starts - 2 * np.arange(len(sizes))  # of each face's triangles
    face = np.repeat(np.arange(len(sizes)), sizes - 2)
    turned = middle[face] + np.arange(len(face)) - firsts[face]
    fan = [middle[face], (turned + 1) % sizes[face], (turned + 2) % sizes[face]]
    triangles = np.stack([corners[starts[face] + corner] for corner in fan], axis=-1)
    if many.any():
        from footfall.formats.polygons_kernel import cut_polygons

        polygons = np.stack([starts, sizes, firsts], axis=1)[many]
        place = np.ascontiguousarray(vertices, dtype=float)
        cut_polygons(place, np.ascontiguousarray(corners), polygons, triangles, MOST_STEPS)
    return triangles, face


def _inwards(
    vertices: Float[np.ndarray, "vertices 3"],
    corners: Int[np.ndarray, "corners"],
    starts: Int[np.ndarray, "polygons"],
    sizes: Int[np.ndarray, "polygons"],
) -> tuple[Int[np.ndarray, "polygons"], Bool[np.ndarray, "polygons"]]:
    """The first corner of each polygon that points inwards, 0 where none does; and whether several do."""
    ends = np.cumsum(sizes)
    begins = ends - sizes
    polygon = np.repeat(np.arange(len(sizes)), sizes)
    index = np.arange(len(polygon))
    after = np.where(index + 1 == ends[polygon], begins[polygon], index + 1)
    place = vertices[corners[starts[polygon] + index - begins[polygon]]]
    with np.errstate(over="ignore", invalid="ignore"):  # of places that the terrain refuses later
        place = place - place[begins][polygon]
        normal = np.add.reduceat(cross(place, place[after]), begins)  # twice the area (Newell)
        edge = place[after] - place
        turn = np.empty(len(polygon))
        turn[after] = np.sum(cross(edge, edge[after]) * normal[polygon], axis=-1)
        inwards = turn < -INWARDS * np.sum(normal * normal, axis=-1)[polygon]
    count = np.add.reduceat(inwards.astype(np.int64), begins)
    first = np.minimum.reduceat(np.where(inwards, index, len(index)), begins)
    return np.where(count > 0, first - begins, 0), count > 1
