"""Smooth random hills, as a grid of triangles."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.world.generators.flat import END, straight_walk
from footfall.world.generators.footprints import alternating
from footfall.world.generators.generated import Ground
from footfall.world.generators.limits import StepLimits
from footfall.world.generators.region import Rectangle
from footfall.world.generators.request import Size, checked_size, checked_whole
from footfall.world.grid_mesh import grid_triangles, grid_vertices
from footfall.world.mesh import MeshTerrain

SIZE = (10.0, 20.0)  # m
LEAST = (4.0, 8.0)
BACK = 2.0  # m of ground behind the origin
CELL = 0.2  # m: 10,000 triangles on the usual size
COARSEST = 0.25  # m: on larger cells a foot would stand across creases
MOST = 5_000_000  # triangles
LABEL = "grass"

WAVES = 24
LONGEST, SHORTEST = 10.0, 3.5  # m, of the waves
LEVEL, HILLS = 1.3, 3.8  # m from the start or the end: up to here it is level, from here on it is hilly
SAMPLE = 0.1  # m between the places where the hills are measured
SURE = 0.95  # of what is allowed by measure is used
ROUNDNESS = 0.005  # m by which the ground may leave a plane under a foot


def bumps(
    rng: np.random.Generator, limits: StepLimits, *, size: Size | None = None, triangles: int | None = None
) -> Ground:
    """Hills; `triangles` is how finely they are cut, about: their shape is the same."""
    size = checked_size("bumps", size, SIZE, LEAST)
    heights, origin, cell = _heights(rng, _cells(size, triangles), size, limits)
    terrain = MeshTerrain(
        grid_vertices(heights, origin, cell),
        grid_triangles(heights.shape[0] - 1, heights.shape[1] - 1),
        (LABEL,),
    )
    places = straight_walk(limits, size[1] - BACK - END)
    on_ground = _interpolate(heights, origin, cell, places)
    end = origin[0] + size[0], origin[1] + size[1]
    crossing = alternating(places, on_ground, np.zeros(len(places)))
    return Ground(terrain, crossing, Rectangle((origin[0], end[0]), (origin[1], end[1])))


def bump_heights(
    seed: int, shape: tuple[int, int], size: Size, limits: StepLimits
) -> tuple[Float[np.ndarray, "nx+1 nz+1"], tuple[float, float], tuple[float, float]]:
    """The hills of a seed over `shape` cells along x and z: heights of their corners, the place (x, z) of the
    first corner, and the cells' sizes along x and z. Between corners as `grid_triangles` cuts cells."""
    size = checked_size("bumps", size, SIZE, LEAST)
    nx, nz = (checked_whole("shape", part, 1, MOST) for part in shape)
    return _heights(np.random.default_rng(seed), (nx, nz), size, limits)


def _cells(size: Size, triangles: int | None) -> tuple[int, int]:
    if triangles is None:
        return round(size[0] / CELL), round(size[1] / CELL)
    least = int(np.ceil(2.0 * size[0] * size[1] / COARSEST**2))
    if least > MOST:
        raise RequestError(
            f"bumps of {size[0]:g} by {size[1]:g} m would need {least} triangles: {MOST} can be had"
        )
    cells = checked_whole("triangles", triangles, least, MOST) / 2.0
    nx = max(1, round(np.sqrt(cells * size[0] / size[1])))
    return nx, round(cells / nx)


def _heights(
    rng: np.random.Generator, cells: tuple[int, int], size: Size, limits: StepLimits
) -> tuple[Float[np.ndarray, "nx+1 nz+1"], tuple[float, float], tuple[float, float]]:
    origin = (-0.5 * size[0], -BACK)
    waves = _waves(rng)
    # measured on a grid of its own, so that the shape does not depend on how finely it is cut
    sample = round(size[0] / SAMPLE), round(size[1] / SAMPLE)
    step = size[0] / sample[0], size[1] / sample[1]
    scale = _scale(_shape(waves, *_lines(origin, step, sample), size), step, limits)
    cell = size[0] / cells[0], size[1] / cells[1]
    return scale * _shape(waves, *_lines(origin, cell, cells), size), origin, cell


def _lines(
    origin: tuple[float, float], cell: tuple[float, float], cells: tuple[int, int]
) -> tuple[Float[np.ndarray, "nx+1"], Float[np.ndarray, "nz+1"]]:
    return origin[0] + cell[0] * np.arange(cells[0] + 1), origin[1] + cell[1] * np.arange(cells[1] + 1)


def _waves(rng: np.random.Generator) -> Float[np.ndarray, "waves 4"]:
    """Wave numbers along x and z, phases, and heights: longer waves are higher."""
    length = np.exp(rng.uniform(np.log(SHORTEST), np.log(LONGEST), WAVES))
    way, phase = rng.uniform(0.0, 2.0 * np.pi, (2, WAVES))
    number = 2.0 * np.pi / length
    return np.stack([number * np.cos(way), number * np.sin(way), phase, length**1.5], axis=-1)


def _shape(
    waves: Float[np.ndarray, "waves 4"], x: Float[np.ndarray, "nx"], z: Float[np.ndarray, "nz"], size: Size
) -> Float[np.ndarray, "nx nz"]:
    """The hills before they are scaled, as a matrix product: each wave is one of parts in x and in z."""
    across, along = np.outer(x, waves[:, 0]), np.outer(waves[:, 1], z) + waves[:, 2:3]
    hills = np.hstack([np.cos(across), -np.sin(across)]) @ (
        np.vstack([np.cos(along), np.sin(along)]) * np.tile(waves[:, 3], 2)[:, None]
    )
    for landing in (0.0, size[1] - BACK - END):
        away = np.sqrt(x[:, None] ** 2 + (z - landing) ** 2)
        share = np.clip((away - LEVEL) / (HILLS - LEVEL), 0.0, 1.0)
        hills *= share**3 * (10.0 + share * (6.0 * share - 15.0))  # smooth up to its second derivative
    return hills


def _scale(hills: Float[np.ndarray, "nx nz"], step: tuple[float, float], limits: StepLimits) -> float:
    """What makes hills just flat enough: for the foot, for the ankle, and for the longest step any way."""
    slope_x, slope_z = np.gradient(hills, *step)
    steepest = np.hypot(slope_x, slope_z).max()
    (bend_x, twist), (_, bend_z) = np.gradient(slope_x, *step), np.gradient(slope_z, *step)
    mean, spread = 0.5 * (bend_x + bend_z), np.hypot(0.5 * (bend_x - bend_z), twist)
    roundest = (np.abs(mean) + spread).max()
    half = 0.5 * np.hypot(limits.foot_length, limits.foot_width)
    allowed = min(np.tan(limits.slope), limits.rise / limits.length)
    reach = half * (half + COARSEST / 8.0)  # m²: a foot meets the curve of the hills, and creases besides
    return float(min(SURE * allowed / steepest, 2.0 * ROUNDNESS / reach / roundest))


def _interpolate(
    heights: Float[np.ndarray, "nx+1 nz+1"],
    origin: tuple[float, float],
    cell: tuple[float, float],
    places: Float[np.ndarray, "n 2"],
) -> Float[np.ndarray, "n"]:
    """Heights on the triangles of `grid_triangles`."""
    u, v = ((places - origin) / cell).T
    i = np.clip(np.floor(u).astype(int), 0, heights.shape[0] - 2)
    j = np.clip(np.floor(v).astype(int), 0, heights.shape[1] - 2)
    u, v = u - i, v - j
    a, b, c, d = heights[i, j], heights[i + 1, j], heights[i + 1, j + 1], heights[i, j + 1]
    return np.where(u >= v, a + u * (b - a) + v * (c - b), a + v * (d - a) + u * (c - d))
