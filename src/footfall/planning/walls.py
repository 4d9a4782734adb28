"""Walls that are part of the ground: whatever of it stands over a surface, between step height and headroom.

Columns of spheres hold the room over a cell, so that nothing is too thin to be felt. Where they feel
something, thinner columns tell where in the cell it is.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.planning.lattice import Lattice
from footfall.planning.limits import WalkLimits
from footfall.world.plane import InclinedTerrain
from footfall.world.terrain import Terrain

SPACING, FINE_SPACING = 0.15, 0.075  # m between spheres
PARTS = 3  # of a cell each way, that are felt apart
AT_ONCE = 1 << 19  # spheres


def find_walls(
    terrain: Terrain,
    lattice: Lattice,
    limits: WalkLimits,
    cells: Int[np.ndarray, "n"],
    level: Float[np.ndarray, "n"],
) -> tuple[Int[np.ndarray, "walls"], Float[np.ndarray, "walls 4"]]:
    """Which surfaces have walls, and how far these go from the cells' middles: low x, z, high x, z."""
    if isinstance(terrain, InclinedTerrain):  # a plane has none
        return np.zeros(0, np.int64), np.zeros((0, 4))
    x = lattice.x + lattice.cell * (cells // lattice.rows)
    z = lattice.z + lattice.cell * (cells % lattice.rows)
    # from where a slope's own rise within the cell ends
    start = limits.step + np.sqrt(0.5) * lattice.cell * np.tan(limits.slope)
    heights = start, max(limits.headroom, start)
    feet = np.stack([x, level, z], axis=-1)
    walls = np.flatnonzero(_felt(terrain, feet, 0.5 * lattice.cell, heights, SPACING))
    width = lattice.cell / PARTS
    offsets = width * (np.arange(PARTS) - 0.5 * (PARTS - 1))
    parts = np.zeros((len(walls), PARTS, PARTS, 3))
    parts[..., 0], parts[..., 2] = offsets[:, None], offsets
    parts += feet[walls][:, None, None]
    felt = _felt(terrain, parts.reshape(-1, 3), 0.5 * width, heights, FINE_SPACING)
    felt = felt.reshape(-1, PARTS, PARTS)
    there = felt.any(axis=(1, 2))
    return walls[there], _sides(felt[there], offsets, 0.5 * width)


def _felt(
    terrain: Terrain,
    feet: Float[np.ndarray, "n 3"],
    half: float,
    heights: tuple[float, float],
    spacing: float,
) -> Bool[np.ndarray, "n"]:
    """Whether there is ground in square columns of some half width between two heights over their feet."""
    low, high = heights
    count = max(int(np.ceil((high - low) / spacing)), 1)
    each = (high - low) / count
    radius = float(np.sqrt(2.0 * half**2 + 0.25 * each**2))
    felt = np.zeros(len(feet), dtype=bool)
    size = max(AT_ONCE // count, 1)
    for part in (slice(i, i + size) for i in range(0, len(feet), size)):
        centres = np.repeat(feet[part, None], count, axis=1)
        centres[..., 1] += low + each * (np.arange(count) + 0.5)
        felt[part] = terrain.touching(centres, radius).any(axis=1)
    return felt


def _sides(
    felt: Bool[np.ndarray, "walls parts parts"], offsets: Float[np.ndarray, "parts"], half: float
) -> Float[np.ndarray, "walls 4"]:
    """Of the boxes round all parts of cells where something was felt."""
    sides = np.empty((len(felt), 4))
    for axis in range(2):
        along: np.ndarray = np.any(felt, axis=2 - axis)
        sides[:, axis] = offsets[np.argmax(along, axis=1)] - half
        sides[:, 2 + axis] = offsets[PARTS - 1 - np.argmax(along[:, ::-1], axis=1)] + half
    return sides
