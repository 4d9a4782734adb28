"""A lattice over an area: square cells, named by their column along x and their row along z."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from footfall.errors import NO_NUMBER, RequestError
from footfall.geometry.decisions import SLACK, nearest_cell
from footfall.world.height_field import HeightField
from footfall.world.shapes.placed import Placed
from footfall.world.terrain import Terrain, is_number

MOST = 4_000_000  # cells
BESIDE = 2.0 * SLACK, 1.2 * SLACK  # of a cell; not the same along x and z, for edges may be diagonal
MARGIN = 2.0  # m round whatever must lie on the map, where the ground has no end
FINEST, COARSEST = 0.01, 1.0  # m

Corner = Float[np.ndarray, "2"]
Area = tuple[Corner, Corner]  # low and high x, z


@dataclass(frozen=True)
class Lattice:
    """`columns` x `rows` cells of a size; `x` and `z` are of the first cell's middle."""

    x: float
    z: float
    cell: float  # m
    columns: int
    rows: int

    @classmethod
    def over(cls, area: Area, cell: float) -> Lattice:
        """All cells whose middles lie in the area. Middles are multiples of the cell's size everywhere."""
        first = np.ceil(area[0] / cell - SLACK)
        counts = np.maximum(np.floor(area[1] / cell + SLACK) - first + 1.0, 0.0)
        if counts.prod() > MOST:
            wide, long = area[1] - area[0]
            enough = np.sqrt(wide * long / MOST)
            raise RequestError(
                f"a map of {wide:g} x {long:g} m in cells of {cell:g} m has more than {MOST:,} cells; "
                f"cells of {np.ceil(100.0 * enough) / 100.0:g} m are possible, or a smaller area"
            )
        if not counts.prod():
            raise RequestError(f"the area of a map must hold at least one cell of {cell:g} m")
        return cls(float(first[0] * cell), float(first[1] * cell), cell, int(counts[0]), int(counts[1]))

    @property
    def low(self) -> Corner:
        """The corner of the first cell."""
        return np.array([self.x, self.z]) - 0.5 * self.cell

    @property
    def high(self) -> Corner:
        return self.low + self.cell * np.array([self.columns, self.rows])

    @property
    def arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """What kernels want to know: place and size of cells; how many."""
        return np.array([self.x, self.z, self.cell]), np.array([self.columns, self.rows])

    def middles(self) -> tuple[Float[np.ndarray, "cells"], Float[np.ndarray, "cells"]]:
        """x and z of all cells, column by column."""
        x = self.x + self.cell * np.arange(self.columns)
        z = self.z + self.cell * np.arange(self.rows)
        return np.repeat(x, self.rows), np.tile(z, self.columns)

    def samples(self) -> tuple[Float[np.ndarray, "cells"], Float[np.ndarray, "cells"]]:
        """x and z at which the ground of all cells is looked at: a hair beside their middles.

        Edges of the ground lie on round numbers, as middles do. Beside them it does not depend on rounding
        which side of such an edge a cell is on.
        """
        x, z = self.middles()
        return x + BESIDE[0] * self.cell, z + BESIDE[1] * self.cell

    def cell_at(self, x: float, z: float) -> int:
        """The cell that a place lies in; -1 outside."""
        column, row = nearest_cell(np.array([x - self.x, z - self.z]), self.cell)
        if not (0 <= column < self.columns and 0 <= row < self.rows):
            return -1
        return int(column) * self.rows + int(row)

    def window(self, low: Corner, high: Corner) -> Int[np.ndarray, "4"]:
        """First and one past the last column, then rows, of the cells whose middles lie in a rectangle."""
        first = np.ceil((low - (self.x, self.z)) / self.cell - SLACK)
        last = np.floor((high - (self.x, self.z)) / self.cell + SLACK) + 1.0
        bounds = np.clip([first, last], 0, [self.columns, self.rows]).astype(np.int64)
        return np.array([bounds[0, 0], bounds[1, 0], bounds[0, 1], bounds[1, 1]])


def checked_cell(cell: object) -> float:
    if not is_number(cell) or not FINEST <= float(cell) <= COARSEST:  # type: ignore[arg-type]
        raise RequestError(f"cell must be {FINEST:g} to {COARSEST:g} m, not {cell!r}")
    return float(cell)  # type: ignore[arg-type]


def checked_area(area: Sequence[Sequence[float]]) -> Area:
    """Two corners in x and z."""
    try:
        corners = np.array(area, dtype=float)
    except NO_NUMBER:
        corners = np.zeros(0)
    if corners.shape != (2, 2) or not np.isfinite(corners).all() or not (corners[0] < corners[1]).all():
        raise RequestError("area must be two corners ((low x, low z), (high x, high z)) in metres")
    return corners[0], corners[1]


def area_of(
    terrain: Terrain, placed: Sequence[Placed], around: Iterable[Float[np.ndarray, "3"]] = ()
) -> Area:
    """All of a terrain that has an end; else what holds the obstacles and some places, with a margin."""
    if isinstance(terrain, HeightField):
        size = terrain.cell * (np.array(terrain.heights.shape) - 1)
        return terrain.origin, terrain.origin + size
    bounds = getattr(terrain, "bounds", None)
    if bounds is not None:
        return np.asarray(bounds[0])[[0, 2]], np.asarray(bounds[1])[[0, 2]]
    corners = [np.asarray(place, dtype=float)[[0, -1]] for place in around]
    for shape in placed:
        reach, middle = shape.shape.core.reach, shape.body.places[0, [0, 2]]
        corners += [middle - reach, middle + reach]
    if not corners:
        corners = [np.zeros(2)]
    return np.min(corners, axis=0) - MARGIN, np.max(corners, axis=0) + MARGIN
