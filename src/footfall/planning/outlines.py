"""What obstacles are to a walker on a surface: their outlines between step height and headroom over it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from footfall.geometry.decisions import cell_of
from footfall.planning.solids import solids_of
from footfall.planning.surfaces import Surfaces
from footfall.world.shapes.placed import Placed

BAND = 0.1  # m: surfaces whose levels differ by less share an outline
GRAZE = 1e-6  # m that a step or a head may touch


@dataclass(frozen=True, eq=False)
class Outlines:
    """Convex outlines one after another, each for the surfaces of some levels."""

    bounds: Float[np.ndarray, "outlines 6"]  # low x, z, high x, z; lowest and highest level
    starts: Int[np.ndarray, "outlines+1"]
    corners: Float[np.ndarray, "corners 2"]

    @classmethod
    def of(
        cls, outlines: Sequence[Float[np.ndarray, "k 2"]], levels: Sequence[tuple[float, float]]
    ) -> Outlines:
        bounds = [
            (*corners.min(axis=0), *corners.max(axis=0), *span)
            for corners, span in zip(outlines, levels, strict=True)
        ]
        starts = np.concatenate([[0], np.cumsum([len(corners) for corners in outlines])])
        return cls(
            np.array(bounds).reshape(-1, 6),
            starts.astype(np.int64),
            np.concatenate([np.zeros((0, 2)), *outlines]),
        )

    @classmethod
    def joined(cls, parts: Sequence[Outlines]) -> Outlines:
        if not parts:
            return cls.of((), ())
        firsts = np.cumsum([0, *(len(part.corners) for part in parts)])
        starts = [part.starts[:-1] + first for part, first in zip(parts, firsts[:-1], strict=True)]
        return cls(
            np.concatenate([part.bounds for part in parts]),
            np.concatenate([*starts, firsts[-1:]]).astype(np.int64),
            np.concatenate([part.corners for part in parts]),
        )

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        return self.bounds, self.starts, self.corners

    def __len__(self) -> int:
        return len(self.bounds)


def outlines_of(placed: Placed, surfaces: Surfaces) -> Outlines:
    """Of one obstacle, for all surfaces that it may be near."""
    from footfall.planning.outline_kernel import slice_outline

    outlines: list[np.ndarray] = []
    levels: list[tuple[float, float]] = []
    limits = surfaces.limits
    for solid in solids_of(placed.shape):
        corners = np.ascontiguousarray(placed.to_world(solid.corners))
        low, high = corners.min(axis=0), corners.max(axis=0)
        for lowest, highest, under, over in _bands(surfaces, low, high):
            bottom, top = under + limits.step + GRAZE, over + limits.headroom - GRAZE
            outline = slice_outline(corners, solid.edges, bottom, top)
            if len(outline):
                outlines.append(outline)
                levels.append((lowest, highest))
    return Outlines.of(outlines, levels)


def _bands(
    surfaces: Surfaces, low: Float[np.ndarray, "3"], high: Float[np.ndarray, "3"]
) -> Float[np.ndarray, "bands 4"]:
    """Levels of the surfaces round a box in bands; of each the range of its surfaces and of paths on them."""
    reach, limits = surfaces.reach + 2.0 * surfaces.lattice.cell, surfaces.limits
    nodes = surfaces.within(surfaces.lattice.window(low[[0, 2]] - reach, high[[0, 2]] + reach))
    nodes = nodes[surfaces.bar[nodes] == 0]
    meets = (surfaces.low[nodes] + limits.step < high[1]) & (surfaces.high[nodes] + limits.headroom > low[1])
    nodes = nodes[meets]
    if not len(nodes):
        return np.zeros((0, 4))
    nodes = nodes[np.argsort(surfaces.level[nodes], kind="stable")]
    level = surfaces.level[nodes]
    firsts = np.flatnonzero(np.diff(cell_of(level, BAND), prepend=np.iinfo(np.int64).min // 2))
    lasts = np.append(firsts[1:], len(level)) - 1
    under = np.minimum.reduceat(surfaces.low[nodes], firsts)
    over = np.maximum.reduceat(surfaces.high[nodes], firsts)
    return np.stack([level[firsts], level[lasts], under, over], axis=-1)
