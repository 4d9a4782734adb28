"""Where soles can lie: the ground of an area in fine cells, storey by storey, and how far its edges are.

An edge is where the ground breaks off, rises by a riser, or becomes too steep: no sole lies across one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from footfall.figure.skeleton import Skeleton
from footfall.figure.sole import Sole
from footfall.planning.lattice import Area, Lattice
from footfall.planning.limits import WalkLimits
from footfall.planning.surfaces import look_down
from footfall.world.plane import InclinedTerrain
from footfall.world.terrain import Terrain

FINE, COARSE = 0.0125, 0.1  # m: cells of ground that may have edges; of a plane
MOST = 1_500_000  # cells
WIDE = 0.045  # m to either side of a sole's middle line
DISCS = 5  # along a sole


@dataclass(frozen=True)
class SoleSize:
    """m from the subtalar back to the heel and on to the toes."""

    back: float
    ahead: float

    @classmethod
    def of(cls, skeleton: Skeleton) -> SoleSize:
        sizes = np.array([Sole.of(skeleton, side).lengths for side in ("left", "right")])
        back, ahead = sizes.max(axis=0)
        return cls(float(back), float(ahead))

    @property
    def discs(self) -> Float[np.ndarray, "discs"]:
        """m along the sole, of the discs that cover it."""
        return np.linspace(WIDE - self.back, self.ahead - WIDE, DISCS)


@dataclass(frozen=True, eq=False)
class Footing:
    """Surfaces of fine cells, sorted by cell, then from below; `edge` is m to the nearest edge."""

    lattice: Lattice
    first: Int[np.ndarray, "cells+1"]
    level: Float[np.ndarray, "n"]
    edge: Float[np.ndarray, "n"]  # 0 where no sole can lie at all

    @classmethod
    def of(cls, terrain: Terrain, area: Area, limits: WalkLimits) -> Footing:
        from footfall.planning.footsteps.footing_kernel import measure_edges

        lattice = Lattice.over(area, _cell(terrain, area))
        cells, level, bar = look_down(terrain, lattice, limits)
        first = np.searchsorted(cells, np.arange(lattice.columns * lattice.rows + 1))
        edge = np.empty(len(cells))
        _, counts = lattice.arrays
        measure_edges(first, level, bar, counts, lattice.cell, np.tan(limits.slope), edge)
        return cls(lattice, first, level, edge)

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        """What kernels take."""
        return *self.lattice.arrays, self.first, self.level, self.edge


def _cell(terrain: Terrain, area: Area) -> float:
    if isinstance(terrain, InclinedTerrain):
        return COARSE
    wide, long = area[1] - area[0]
    return float(max(FINE, np.sqrt(wide * long / MOST)))
