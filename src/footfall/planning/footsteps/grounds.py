"""A world as a foot planner sees it: footing for soles, room for bodies, places for the trunk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int, UInt8

from footfall.geometry.decisions import first_least
from footfall.planning.footsteps.footing import Footing
from footfall.planning.footsteps.room import Room
from footfall.planning.lattice import Area, Lattice
from footfall.planning.limits import WalkLimits
from footfall.planning.surfaces import look_down
from footfall.world.plane import InclinedTerrain
from footfall.world.shapes.placed import Placed
from footfall.world.terrain import Terrain

CELL = 0.1  # m, of the places for the trunk


@dataclass(frozen=True, eq=False)
class StepGround:
    """`places` are surfaces of coarse cells, sorted by cell, then from below."""

    terrain: Terrain
    limits: WalkLimits
    footing: Footing
    room: Room
    lattice: Lattice
    first: Int[np.ndarray, "cells+1"]
    cells: Int[np.ndarray, "n"]
    level: Float[np.ndarray, "n"]
    bar: UInt8[np.ndarray, "n"]

    @classmethod
    def of(cls, terrain: Terrain, placed: Sequence[Placed], area: Area, limits: WalkLimits) -> StepGround:
        lattice = Lattice.over(area, CELL)
        cells, level, bar = look_down(terrain, lattice, limits)
        first = np.searchsorted(cells, np.arange(lattice.columns * lattice.rows + 1))
        footing, room = Footing.of(terrain, area, limits), Room.of(terrain, placed, area, limits)
        return cls(terrain, limits, footing, room, lattice, first, cells, level, bar)

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        """What kernels take of the places."""
        return *self.lattice.arrays, self.first, self.cells, self.level, self.bar

    @property
    def is_plane(self) -> bool:
        """Whether soles can lie anywhere."""
        return isinstance(self.terrain, InclinedTerrain)

    def places(self, nodes: Int[np.ndarray, "k"]) -> Float[np.ndarray, "k 3"]:
        """Where surfaces are: their cells' middles, at their levels."""
        cells, lattice = self.cells[nodes], self.lattice
        x = lattice.x + lattice.cell * (cells // lattice.rows)
        z = lattice.z + lattice.cell * (cells % lattice.rows)
        return np.stack([x, self.level[nodes], z], axis=-1)

    def surface(self, place: Float[np.ndarray, "3"]) -> int:
        """The surface whose level is nearest at a place; -1 where there is none."""
        cell = self.lattice.cell_at(float(place[0]), float(place[2]))
        if cell < 0:
            return -1
        here = np.arange(self.first[cell], self.first[cell + 1])
        here = here[self.bar[here] == 0]
        return -1 if not len(here) else int(here[first_least(np.abs(self.level[here] - place[1]))])
