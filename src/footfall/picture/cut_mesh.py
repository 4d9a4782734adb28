"""A closed surface cut off over a plane that is not upright, and closed again."""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.world.shapes.convex_parts import triangulate
from footfall.world.shapes.outline import area
from footfall.world.shapes.shape import Mesh

CLOSE = 1e-6  # m: no corner may lie nearer to the plane, so that every edge crosses it or does not
SMALLEST = 1e-9  # m2, of a piece of the cut

Corners = Float[np.ndarray, "triangles 3 3"]


def cut_under(mesh: Mesh, over: Float[np.ndarray, "vertices"]) -> tuple[Corners, Corners]:
    """What is under the plane, and the lids that close it; `over` tells how high vertices are over the plane.

    Both as triangles with corners of their own. Lids look up.
    """
    vertices, triangles = mesh
    over = np.where(np.abs(over) < CLOSE, -CLOSE, over)
    above = over > 0.0
    count = above[triangles].sum(axis=1)
    whole = vertices[triangles[count == 0]]
    tips, stumps = (_turned(triangles[count == k], above, alone=k == 2) for k in (2, 1))
    parts = [whole]
    if len(tips):  # one corner is under the plane
        a, b, c = tips.T
        up, down = _crossing(a, b, vertices, over), _crossing(c, a, vertices, over)
        parts.append(np.stack([vertices[a], up, down], 1))
    if len(stumps):  # one corner is over it: what is left has four
        a, b, c = stumps.T
        up, down = _crossing(c, a, vertices, over), _crossing(a, b, vertices, over)
        parts.append(np.stack([down, vertices[b], vertices[c]], 1))
        parts.append(np.stack([down, vertices[c], up], 1))
    lids = [_lid(np.array(loop), vertices, over) for loop in _loops(tips, stumps)]
    return np.concatenate(parts), np.concatenate([np.zeros((0, 3, 3)), *lids])


def _turned(
    triangles: Int[np.ndarray, "k 3"], above: Bool[np.ndarray, "vertices"], *, alone: bool
) -> Int[np.ndarray, "k 3"]:
    """Triangles with the corner first that is alone on its side: under the plane (`alone`), or over it."""
    first = np.argmax(above[triangles] != alone, axis=1)
    return np.take_along_axis(triangles, (first[:, None] + np.arange(3)) % 3, axis=1)


def _crossing(
    a: Int[np.ndarray, "k"],
    b: Int[np.ndarray, "k"],
    vertices: Float[np.ndarray, "vertices 3"],
    over: Float[np.ndarray, "vertices"],
) -> Float[np.ndarray, "k 3"]:
    """Where edges cross the plane; the same point whichever triangle asks."""
    low, high = np.minimum(a, b), np.maximum(a, b)
    share = over[low] / (over[low] - over[high])
    return vertices[low] + share[:, None] * (vertices[high] - vertices[low])


def _loops(tips: Int[np.ndarray, "k 3"], stumps: Int[np.ndarray, "m 3"]) -> list[list[tuple[int, int]]]:
    """Edges that cross the plane, one after another round each piece of the cut."""
    following: dict[tuple[int, int], tuple[int, int]] = {}
    for a, b, c in tips.tolist():
        following[_edge(a, b)] = _edge(c, a)
    for a, b, c in stumps.tolist():
        following[_edge(c, a)] = _edge(a, b)
    loops = []
    while following:
        first, edge = following.popitem()
        loop = [first]
        while edge != first:
            loop.append(edge)
            edge = following.pop(edge)
        loops.append(loop)
    return loops


def _edge(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a < b else (b, a)


def _lid(
    edges: Int[np.ndarray, "k 2"],
    vertices: Float[np.ndarray, "vertices 3"],
    over: Float[np.ndarray, "vertices"],
) -> Corners:
    points = _crossing(edges[:, 0], edges[:, 1], vertices, over)
    size = area(points[:, [0, 2]])
    if len(points) < 3 or abs(size) < SMALLEST:
        return np.zeros((0, 3, 3))
    points = points if size > 0.0 else points[::-1]
    return points[triangulate(points[:, [0, 2]])]
