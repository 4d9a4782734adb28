"""Smooth random hills, as a grid of triangles."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.world.generators.flat import straight_walk
from footfall.world.generators.footprints import alternating
from footfall.world.generators.generated import Made
from footfall.world.generators.hills import BACK, COARSEST, END, Hills
from footfall.world.generators.limits import StepLimits
from footfall.world.generators.region import Rectangle
from footfall.world.generators.request import Size, checked_size, checked_whole
from footfall.world.grid_mesh import grid_triangles, grid_vertices
from footfall.world.mesh import MeshTerrain

SIZE = (10.0, 20.0)  # m
LEAST = (4.0, 8.0)
CELL = 0.2  # m: 10,000 triangles on the usual size
MOST = 5_000_000  # triangles
LABEL = "grass"


def bumps(
    rng: np.random.Generator, limits: StepLimits, *, size: Size | None = None, triangles: int | None = None
) -> Made:
    """Hills; `triangles` is how finely they are cut, about: their shape is the same."""
    size = checked_size("bumps", size, SIZE, LEAST)
    cells = _cells(size, triangles)
    grid = Hills.random(rng, size, limits).grid(cells)
    vertices = grid_vertices(grid.heights, grid.origin, grid.cell)
    places = straight_walk(limits, size[1] - BACK - END)
    crossing = alternating(places, grid.at(places), np.zeros(len(places)))
    return Made(
        MeshTerrain(vertices, grid_triangles(*cells), (LABEL,)),
        crossing,
        Rectangle(
            (float(vertices[0, 0]), float(vertices[-1, 0])), (float(vertices[0, 2]), float(vertices[-1, 2]))
        ),
    )


def bump_heights(
    seed: int, shape: tuple[int, int], size: Size, limits: StepLimits
) -> tuple[Float[np.ndarray, "nx+1 nz+1"], tuple[float, float], tuple[float, float]]:
    """The hills of a seed, over `shape` cells along x and z.

    Returns the heights of their corners, the place (x, z) of the first corner, and the cells' sizes along x
    and z. Cells are cut as `grid_triangles` cuts them.
    """
    size = checked_size("bumps", size, SIZE, LEAST)
    nx, nz = (checked_whole("shape", part, 1, MOST) for part in shape)
    grid = Hills.random(np.random.default_rng(seed), size, limits).grid((nx, nz))
    return grid.heights, grid.origin, grid.cell


def _cells(size: Size, triangles: int | None) -> tuple[int, int]:
    if triangles is None:
        return round(size[0] / CELL), round(size[1] / CELL)
    least = int(np.ceil(2.0 * size[0] * size[1] / COARSEST**2))
    cells = checked_whole("triangles", triangles, least, MOST) / 2.0
    nx = max(1, round(np.sqrt(cells * size[0] / size[1])))
    return nx, round(cells / nx)
