"""Room for a body: outlines of all that stands over the ground, level by level, found quickly by place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from footfall.geometry.decisions import cell_of
from footfall.planning.lattice import Area, Lattice
from footfall.planning.limits import WalkLimits
from footfall.planning.outlines import Outlines
from footfall.planning.solids import solids_of
from footfall.planning.surfaces import LOW, look_down
from footfall.planning.walls import find_walls
from footfall.world.shapes.placed import Placed
from footfall.world.terrain import Terrain

BAND = 0.1  # m: ground whose level differs by less shares outlines
STANDS = 0.03  # m over the ground: what is lower does not stand in the way
CELL = 0.1  # m, of the buckets, and of walls
THICKEST = 0.6  # m of a floor or a block
REACH = 0.6  # m: what is farther from a bucket is not in it


@dataclass(frozen=True, eq=False)
class Room:
    """Outlines, and for each cell of a lattice those that are near it."""

    lattice: Lattice
    outlines: Outlines
    first: Int[np.ndarray, "cells+1"]
    near: Int[np.ndarray, "n"]

    @classmethod
    def of(cls, terrain: Terrain, placed: Sequence[Placed], area: Area, limits: WalkLimits) -> Room:
        lattice = Lattice.over(area, CELL)
        cells, level, bar = look_down(terrain, lattice, limits)
        corners, spans = _standing(placed, level, limits)
        more = _built(terrain, lattice, limits, cells, level, bar)
        outlines = Outlines.of([*corners, *more[0]], [*spans, *more[1]])
        return cls(lattice, outlines, *_buckets(lattice, outlines))

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        """What kernels take."""
        return *self.lattice.arrays, self.first, self.near, *self.outlines.arrays


_Found = tuple[list[Float[np.ndarray, "k 2"]], list[tuple[float, float]]]


def _standing(placed: Sequence[Placed], level: Float[np.ndarray, "n"], limits: WalkLimits) -> _Found:
    """Outlines of obstacles, between what one steps over and the headroom, for the ground of each band."""
    from footfall.planning.outline_kernel import slice_outline

    outlines: list[np.ndarray] = []
    spans: list[tuple[float, float]] = []
    bands = np.unique(cell_of(np.concatenate([level - STANDS, level]), BAND))  # feet may sink in a little
    for one in placed:
        for solid in solids_of(one.shape):
            corners = np.ascontiguousarray(one.to_world(solid.corners))
            for band in bands:
                low, high = BAND * band, BAND * (band + 1.0)
                outline = slice_outline(corners, solid.edges, low + STANDS, high + limits.headroom)
                if len(outline):
                    outlines.append(outline)
                    spans.append((low, high))
    return outlines, spans


def _built(
    terrain: Terrain,
    lattice: Lattice,
    limits: WalkLimits,
    cells: Int[np.ndarray, "n"],
    level: Float[np.ndarray, "n"],
    bar: np.ndarray,
) -> _Found:
    """Outlines of walls that are part of the ground, and of cells without headroom."""
    free = np.flatnonzero(bar == 0)
    walls, sides = find_walls(terrain, lattice, limits, cells[free], level[free])
    low = np.flatnonzero(bar == LOW)
    # what is that near under other ground is the underside of a floor or a block: nobody stands there
    above = np.minimum(low + 1, len(cells) - 1)
    low = low[(cells[above] != cells[low]) | (level[above] - level[low] > THICKEST)]
    half = 0.5 * lattice.cell
    nodes = np.concatenate([free[walls], low])
    boxes = np.concatenate([sides, np.tile([-half, -half, half, half], (len(low), 1))])
    x = lattice.x + lattice.cell * (cells[nodes] // lattice.rows)
    z = lattice.z + lattice.cell * (cells[nodes] % lattice.rows)
    outlines = [
        np.array([[a + w, b + s], [a + e, b + s], [a + e, b + n], [a + w, b + n]])
        for a, b, (w, s, e, n) in zip(x, z, boxes, strict=True)
    ]
    return outlines, [(float(y) - limits.step, float(y) + limits.step) for y in level[nodes]]


def _buckets(lattice: Lattice, outlines: Outlines) -> tuple[Int[np.ndarray, "cells+1"], Int[np.ndarray, "n"]]:
    """Which outlines are near each cell, cell by cell."""
    pairs: list[np.ndarray] = []
    for m, (west, south, east, north) in enumerate(outlines.bounds[:, :4]):
        window = lattice.window(np.array([west, south]) - REACH, np.array([east, north]) + REACH)
        columns, rows = np.arange(window[0], window[1]), np.arange(window[2], window[3])
        cells = (columns[:, None] * lattice.rows + rows).ravel()
        pairs.append(np.stack([cells, np.full(len(cells), m)], axis=-1))
    found = np.concatenate([np.zeros((0, 2), np.int64), *pairs])
    found = found[np.argsort(found[:, 0], kind="stable")]
    first = np.searchsorted(found[:, 0], np.arange(lattice.columns * lattice.rows + 1))
    return first, np.ascontiguousarray(found[:, 1])
