"""The walkable ground of an area: surfaces over the cells of a lattice, storey by storey, and their links.

Surfaces are found by looking down through the ground again and again. One can walk where the ground is not
too steep, has room over it and no wall in it; from cell to cell where the levels differ by a step at most.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Float32, Int, Int32, UInt8

from footfall.geometry.decisions import clearly_less
from footfall.planning.lattice import Lattice
from footfall.planning.limits import WalkLimits
from footfall.planning.walls import find_walls
from footfall.world.plane import InclinedTerrain
from footfall.world.terrain import Terrain

STEEP, LOW, WALL = 1, 2, 3  # why a surface cannot be walked on
WHY = {STEEP: "the ground is too steep", LOW: "there is no headroom", WALL: "there is a wall"}
MERGED = 0.01  # m: surfaces nearer to each other are one
STOREYS = 64  # at most


@dataclass(frozen=True, eq=False)
class Surfaces:
    """Sorted by cell, then from below. `first` tells where each cell's begin."""

    lattice: Lattice
    limits: WalkLimits
    reach: float  # m: farther borders and obstacles are not measured
    first: Int[np.ndarray, "cells+1"]
    cells: Int[np.ndarray, "n"]
    level: Float[np.ndarray, "n"]
    bar: UInt8[np.ndarray, "n"]  # 0 where one can walk, else why not
    links: Int32[np.ndarray, "n 8"]  # -1 where there is none
    border: Float[np.ndarray, "n"]  # m to the nearest cell that one cannot walk to
    passage: Float32[np.ndarray, "n 8"]  # m, the widest radius that a link is clear of borders with
    low: Float[np.ndarray, "n"]  # the levels of a path's points near a surface are between these
    high: Float[np.ndarray, "n"]

    @classmethod
    def of(cls, terrain: Terrain, lattice: Lattice, limits: WalkLimits, reach: float) -> Surfaces:
        cells, level, bar = look_down(terrain, lattice, limits)
        free = np.flatnonzero(bar == 0)
        walls, sides = find_walls(terrain, lattice, limits, cells[free], level[free])
        bar[free[walls]] = WALL
        return cls.linked(lattice, limits, reach, cells, level, bar, sides)

    @classmethod
    def linked(
        cls,
        lattice: Lattice,
        limits: WalkLimits,
        reach: float,
        cells: Int[np.ndarray, "n"],
        level: Float[np.ndarray, "n"],
        bar: UInt8[np.ndarray, "n"],
        sides: Float[np.ndarray, "walls 4"],
    ) -> Surfaces:
        """Of surfaces sorted by cell and level; `sides` tell how far walls go from their cells' middles."""
        from footfall.planning.link_kernel import (
            link_surfaces,
            measure_borders,
            measure_links,
            measure_walls,
            spread_levels,
        )

        grid, counts = lattice.arrays
        first = np.searchsorted(cells, np.arange(lattice.columns * lattice.rows + 1))
        links, edge = np.empty((len(cells), 8), np.int32), np.empty((len(cells), 8), np.uint8)
        link_surfaces(first, level, bar, counts, limits.step, links, edge)
        border, passage = np.empty(len(cells)), np.empty((len(cells), 8), np.float32)
        measure_borders(cells, links, edge, counts, lattice.cell, reach, border)
        walls, storey = np.flatnonzero(bar == WALL), 0.5 * limits.headroom
        measure_walls(grid, counts, first, cells, level, walls, sides, reach, storey, border)
        border[bar > 0] = 0.0
        measure_links(grid, counts, cells, links, border, reach, passage)
        low, high = level, level
        for _ in range(2):  # a path's points lie between neighbours of neighbours
            lower, higher, unused = np.empty(len(cells)), np.empty(len(cells)), np.empty(len(cells))
            spread_levels(links, low, lower, unused)
            spread_levels(links, high, unused, higher)
            low, high = lower, higher
        arrays = (first, cells, level, bar, links, border, passage, low, high)
        for array in arrays:
            array.flags.writeable = False
        return cls(lattice, limits, reach, *arrays)

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def walkable(self) -> Bool[np.ndarray, "n"]:
        return self.bar == 0

    def places(self, nodes: Int[np.ndarray, "*k"] | slice = slice(None)) -> Float[np.ndarray, "*k 3"]:
        """Where surfaces are: their cells' middles, at their levels."""
        cells, lattice = self.cells[nodes], self.lattice
        x = lattice.x + lattice.cell * (cells // lattice.rows)
        z = lattice.z + lattice.cell * (cells % lattice.rows)
        return np.stack([x, self.level[nodes], z], axis=-1)

    def over(self, x: float, z: float) -> slice:
        """The surfaces at a place, from below; none outside the map."""
        cell = self.lattice.cell_at(x, z)
        return slice(0, 0) if cell < 0 else slice(int(self.first[cell]), int(self.first[cell + 1]))

    def within(self, window: Int[np.ndarray, "4"]) -> Int[np.ndarray, "k"]:
        """The surfaces of a window of cells."""
        rows = self.lattice.rows
        parts = [
            np.arange(self.first[i * rows + window[2]], self.first[i * rows + window[3]])
            for i in range(window[0], window[1])
        ]
        return np.concatenate(parts) if parts else np.zeros(0, np.int64)


def look_down(
    terrain: Terrain, lattice: Lattice, limits: WalkLimits
) -> tuple[Int[np.ndarray, "n"], Float[np.ndarray, "n"], UInt8[np.ndarray, "n"]]:
    """All surfaces: their cells, their levels, and whether they are steep or have no headroom."""
    # a plane has no edges to be beside of
    x, z = lattice.middles() if isinstance(terrain, InclinedTerrain) else lattice.samples()
    there, start, above = np.arange(len(x)), np.full(len(x), np.inf), np.full(len(x), np.inf)
    found: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    flat_enough = np.cos(limits.slope)
    while len(there) and len(found) < STOREYS:
        level = terrain.height(x[there], z[there], start)
        hit = level > -np.inf
        there, level, start, above = there[hit], level[hit], start[hit], above[hit]
        upright = terrain.normal(x[there], z[there], start)[:, 1]
        bar = np.where(clearly_less(upright, flat_enough), STEEP, 0)
        bar[clearly_less(above - level, limits.headroom)] = LOW
        found.append((there, level, bar.astype(np.uint8)))
        above, start = level, level - MERGED
    cells, levels, bars = (np.concatenate(parts) for parts in zip(*found, strict=True))
    order = np.lexsort((levels, cells))
    return cells[order], levels[order], bars[order]
