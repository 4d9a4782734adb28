"""Where the examples of a reach end: the nearest place among them, quickly."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from jaxtyping import Float

from footfall.weights.space import Space

Vector = Float[np.ndarray, "3"]


def nearest_among(space: Space) -> Callable[[Vector], Vector]:
    """A function that gives the place of a space's hull nearest to another one; inside, that one itself."""
    hull = space.hull
    if hull.facets is None or len(hull.frame[1]) != 3:
        return hull.nearest
    from footfall.control.reach_hull_kernel import nearest_in_hull

    centre, axes, _ = hull.frame
    corners, normals, offsets = hull.facets
    points = np.asarray(space.to_metric(space.points))
    triangles = np.ascontiguousarray(points[corners].reshape(len(corners), 9).T[None])
    outward = normals @ axes
    planes = np.column_stack([outward, offsets - outward @ centre])

    def nearest(place: Vector) -> Vector:
        return np.array(nearest_in_hull(triangles, planes, place[0], place[1], place[2]))

    return nearest
