"""Shapes as polytopes that hold them: corners and edges, from which any slice is quickly cut.

Boxes and polygons are held exactly. What is round is held by flat sides that touch it from outside, so that a
slice is never too small, and at most 1.8 percent of the radius too large.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
from jaxtyping import Float, Int

from footfall.world.shapes.core import Core
from footfall.world.shapes.shape import Shape

SIDES = 24  # of a circle, and twice as many half way round a ball as it has rings
FEW = 64  # corners: so many may all be joined with each other
OUTSIDE = 1.0 / np.cos(np.pi / SIDES)  # a corner's distance where the sides are at 1


@dataclass(frozen=True, eq=False)
class Solid:
    """A convex polytope; `edges` join pairs of corners, all true edges among them."""

    corners: Float[np.ndarray, "corners 3"]
    edges: Int[np.ndarray, "edges 2"]


def solids_of(shape: Shape) -> tuple[Solid, ...]:
    """The convex pieces of a shape in its own frame."""
    return _solids_of(shape)  # type: ignore[arg-type]


@lru_cache(maxsize=512)
def _solids_of(shape: Shape) -> tuple[Solid, ...]:
    core = shape.core
    return tuple(
        _solid(_grown(core.middle + core.points[first:last], core))
        for first, last in zip(core.starts[:-1], core.starts[1:], strict=True)
    )


def _grown(points: Float[np.ndarray, "points 3"], core: Core) -> Float[np.ndarray, "corners 3"]:
    """Corners round the sum of points, a disc and a ball."""
    if core.disc > 0.0:
        points = _sums(points, core.disc * _circle(np.zeros(1), np.ones(1)))
    if core.ball > 0.0:
        angles = np.pi / SIDES * np.arange(1 - SIDES // 2, SIDES // 2, 2)
        points = _sums(points, core.ball * OUTSIDE * _circle(np.sin(angles), np.cos(angles)))
    return points


def _circle(
    heights: Float[np.ndarray, "rings"], radii: Float[np.ndarray, "rings"]
) -> Float[np.ndarray, "corners 3"]:
    """Rings round the y axis, with corners outside so that the sides touch."""
    angles = 2.0 * np.pi / SIDES * np.arange(SIDES)
    across = OUTSIDE * np.stack([np.cos(angles), np.zeros(SIDES), np.sin(angles)], axis=-1)
    rings = radii[:, None, None] * across
    rings[..., 1] = heights[:, None]
    return rings.reshape(-1, 3)


def _sums(a: Float[np.ndarray, "a 3"], b: Float[np.ndarray, "b 3"]) -> Float[np.ndarray, "ab 3"]:
    return (a[:, None] + b).reshape(-1, 3)


def _solid(corners: Float[np.ndarray, "corners 3"]) -> Solid:
    if len(corners) > FEW:
        from scipy.spatial import ConvexHull, QhullError

        try:
            faces = ConvexHull(corners).simplices
        except QhullError:  # as thin as nothing: all pairs are a little slower, and as right
            pass
        else:
            edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
            return Solid(corners, np.unique(edges, axis=0).astype(np.int64))
    return Solid(corners, np.array(list(combinations(range(len(corners)), 2)), dtype=np.int64).reshape(-1, 2))
