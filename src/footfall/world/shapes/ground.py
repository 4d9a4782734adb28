"""How far placed shapes are from the ground. Surfaces are thin: a shape wholly under one overlaps nothing."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np

from footfall.errors import RequestError
from footfall.geometry.ground import UP
from footfall.world.box_tree import BoxTree
from footfall.world.plane import InclinedTerrain
from footfall.world.shapes.core import TOUCH
from footfall.world.shapes.fields import number
from footfall.world.shapes.placed import Placed
from footfall.world.terrain import Terrain


@runtime_checkable
class _Treed(Protocol):
    """Ground of triangles."""

    @property
    def tree(self) -> BoxTree: ...


def distance_to_terrain(shape: Placed, terrain: Terrain) -> float:
    """From a shape to the nearest point of the surface, over or under it; 0 where they meet."""
    if isinstance(terrain, InclinedTerrain):
        return _from_plane(shape, terrain)
    return _from_triangles(shape, _tree_of(terrain), 0.0, np.inf)


def overlaps_terrain(shape: Placed, terrain: Terrain, margin: float = 0.0) -> bool:
    """Whether a shape is at most `margin` from the surface; touching counts."""
    margin = number(margin, "margin")
    if isinstance(terrain, InclinedTerrain):
        return _from_plane(shape, terrain) <= margin
    if margin < 0.0:  # nothing is nearer than 0
        return False
    # one more than the margin is not near: what is as far as `most` and what is farther would read alike
    most = float(np.nextafter(margin, np.inf))
    return _from_triangles(shape, _tree_of(terrain), margin, most) <= margin


def _from_plane(shape: Placed, plane: InclinedTerrain) -> float:
    up = np.array([0.0, np.cos(plane.slope), -np.sin(plane.slope)])
    level = plane.level * float(UP @ up)
    low, high = (side - level for side in shape.along(up))
    apart = max(low, -high)
    return apart if apart > TOUCH * shape.shape.core.reach else 0.0


def _tree_of(terrain: object) -> BoxTree:
    for ground in (terrain, getattr(terrain, "mesh", None)):
        if isinstance(ground, _Treed):
            return ground.tree
    raise RequestError(
        f"a shape's distance is known to planes, meshes and height fields, not to a {type(terrain).__name__}"
    )


def _from_triangles(shape: Placed, tree: BoxTree, enough: float, most: float) -> float:
    from footfall.world.shapes.ground_kernel import nearest_triangle

    counts = np.empty(2, dtype=np.int64)
    return float(nearest_triangle(*tree.arrays, *shape.body.arrays, enough, most, counts))
