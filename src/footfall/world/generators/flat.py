"""A level floor."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.world.generators.footprints import alternating, side_of
from footfall.world.generators.generated import Made
from footfall.world.generators.limits import StepLimits, free_stance
from footfall.world.generators.region import Rectangle
from footfall.world.generators.request import Size, checked_size
from footfall.world.generators.walk import closed
from footfall.world.grid_mesh import grid_triangles, grid_vertices
from footfall.world.mesh import MeshTerrain

SIZE = (12.0, 12.0)  # m
LEAST = (2.0, 4.0)
BACK = 2.0  # m of floor behind the origin
END = 1.0  # m from the last feet to the end


def flat(rng: np.random.Generator, limits: StepLimits, *, size: Size | None = None) -> Made:
    """One floor; the same for every seed."""
    width, length = checked_size("flat", size, SIZE, LEAST)
    back = min(BACK, 0.5 * length)
    vertices = grid_vertices(np.zeros((2, 2)), (-0.5 * width, -back), (width, length))
    places = straight_walk(limits, length - back - END)
    crossing = alternating(places, np.zeros(len(places)), np.zeros(len(places)))
    region = Rectangle((-0.5 * width, 0.5 * width), (-back, length - back))
    return Made(MeshTerrain(vertices, grid_triangles(1, 1)), crossing, region)


def straight_walk(limits: StepLimits, goal: float) -> Float[np.ndarray, "feet 2"]:
    """Places from the origin straight ahead to `goal`, in even steps."""
    stance = free_stance(limits)
    steps = max(1, int(np.ceil(goal / stance.cruise)))
    z = closed(np.linspace(0.0, goal, steps + 1))
    return np.stack([0.5 * stance.apart * side_of(len(z)), z], axis=-1)
