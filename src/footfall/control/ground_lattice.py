"""How ground without a mesh is cut: in square pieces whose middles and corners lie on one lattice.

So the ground is the same whichever piece it is asked of, and figures near each other can share one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.geometry.decisions import nearest_cell
from footfall.world.grid_mesh import grid_triangles

NEAR = 0.5  # of half a piece's size: a figure farther from the middle gets another piece
FARTHEST = 5e6  # m from the origin: who is farther, or nowhere, is taken to be at the origin

Places = Float[np.ndarray, "figures 2"]  # x, z in m
Pieces = Int[np.ndarray, "figures 2"]  # numbers of pieces along x and z; (0, 0) is about the origin


@dataclass(frozen=True, eq=False)
class GroundLattice:
    """Pieces that overlap: one who walks to and fro between two is not sent from one to the other."""

    cell: float  # m
    lines: Int[np.ndarray, "lines"]  # of a piece along x and along z, in cells from its middle
    apart: int  # cells from a middle to the next; less than NEAR times a piece's size

    @property
    def reach(self) -> float:
        """How far from a piece's middle a figure may stand on it, m."""
        return NEAR * self.cell * float(self.lines[-1])

    def middles(self, pieces: Pieces) -> Places:
        return self.cell * (self.apart * pieces)

    def pieces_at(self, places: Places) -> Pieces:
        """Those whose middles are nearest."""
        there = (np.abs(places) <= FARTHEST).all(axis=-1, keepdims=True)  # False for what is no number
        return nearest_cell(np.where(there, places, 0.0), self.cell * self.apart)

    def near(self, pieces: Pieces, places: Places) -> Bool[np.ndarray, "figures"]:
        """Who may stay on a piece."""
        return (np.abs(places - self.middles(pieces)) < self.reach).all(axis=-1)

    def corners(
        self, piece: Int[np.ndarray, "2"]
    ) -> tuple[Float[np.ndarray, "x z"], Float[np.ndarray, "x z"]]:
        """Where a piece's heights are asked: x and z, on the very numbers its neighbours have."""
        x, z = (self.cell * (self.apart * number + self.lines) for number in piece)
        gx, gz = np.meshgrid(x, z, indexing="ij")
        return gx, gz

    @property
    def triangles(self) -> Int[np.ndarray, "triangles 3"]:
        """Of a piece, by the numbers of its corners."""
        cells = len(self.lines) - 1
        return grid_triangles(cells, cells)


PLANES = GroundLattice(40.0, np.array([-5, 5]), 4)  # two triangles of 400 m: exact, however large
HEIGHTS = GroundLattice(0.1, np.arange(-60, 61), 48)  # 12 m in fine cells, for whatever tells its heights
