"""The ground of a plan that tells none: each print lies on a block of its own.

As long as the foot and a little more, broad as a stair, and nothing is known between them. Something must be
assumed between two heights: a foot that only follows its captured swing kicks the edge of every step.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int

from footfall.figure.contacts import SIDES
from footfall.figure.sole import Sole
from footfall.models.stepspace.planned import PlannedSteps
from footfall.models.stepspace.stage import Stage

LEVEL = 0.01  # m: prints that differ by less lie on one floor
BEFORE, BESIDE = 0.05, 0.35  # m by which a block is longer than the foot, and its half width,
FOOT = 0.06  # m, which is never less than the foot's
CELL = 0.5  # m of ground that is asked for its blocks at once

Numbers = Float[np.ndarray, "*n"]


def uneven_steps(planned: PlannedSteps) -> Int[np.ndarray, "rows"]:
    """Steps whose prints do not lie on one floor."""
    return np.flatnonzero(np.ptp(planned.places[planned.prints, 1], axis=1) > LEVEL)


@dataclass(frozen=True, eq=False)
class PrintBlocks:
    """The tops of blocks under prints; no ground elsewhere."""

    places: Float[np.ndarray, "prints 3"]
    headings: Float[np.ndarray, "prints"]
    behind: float  # m from a print to its block's ends
    ahead: float
    beside: Float[np.ndarray, "prints"]  # m, half the width: none reaches a print that is not as high

    @classmethod
    def of(cls, stage: Stage, planned: PlannedSteps) -> PrintBlocks | None:
        """Under all prints of a plan; None where all steps are level."""
        if not len(uneven_steps(planned)):
            return None
        soles = np.array([Sole.of(stage.skeleton, side).lengths for side in SIDES])
        behind, ahead = (float(length) + BEFORE for length in soles.max(axis=0))
        places, headings = planned.places, planned.headings
        return cls(places, headings, behind, ahead, _half_widths(places, headings, behind + ahead))

    def height(self, x: Numbers, z: Numbers, start: Numbers | float = np.inf) -> Numbers:
        """The highest block's; under a sole that lies there no higher than the sole."""
        from footfall.models.stepspace.print_blocks_kernel import put_heights

        own = [np.ascontiguousarray(v, dtype=float).ravel() for v in np.broadcast_arrays(x, z, start)]
        out = np.empty(own[0].size)
        sizes = np.array([CELL, self.behind, self.ahead, self.behind - BEFORE, self.ahead - BEFORE, FOOT])
        put_heights(*own, self._rows, *self._cells, sizes, out)
        return out.reshape(np.shape(x))

    @cached_property
    def _rows(self) -> Float[np.ndarray, "prints 6"]:
        return np.column_stack([self.places, np.sin(self.headings), np.cos(self.headings), self.beside])

    @cached_property
    def _cells(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Cells of the ground in order, and for each the blocks that may lie in it."""
        from footfall.models.stepspace.print_blocks_kernel import cell_number

        far = np.hypot(max(self.behind, self.ahead), self.beside)
        first, last = (
            np.floor((self.places[:, [0, 2]] + sign * far[:, None]) / CELL).astype(np.int64)
            for sign in (-1.0, 1.0)
        )
        pairs = [
            (cell_number(column, row), k)
            for k, ((a, b), (c, d)) in enumerate(zip(first.tolist(), last.tolist(), strict=True))
            for column in range(a, c + 1)
            for row in range(b, d + 1)
        ]
        numbers, members = np.array(sorted(pairs), dtype=np.int64).T
        cells, offsets = np.unique(numbers, return_index=True)
        return cells, np.append(offsets, len(numbers)).astype(np.int64), np.ascontiguousarray(members)


def _half_widths(
    places: Float[np.ndarray, "prints 3"], headings: Float[np.ndarray, "prints"], long: float
) -> Float[np.ndarray, "prints"]:
    from scipy.spatial import cKDTree

    out = np.full(len(places), BESIDE)
    flat = places[:, [0, 2]]
    near = cKDTree(flat).query_ball_point(flat, np.hypot(long, BESIDE + FOOT))
    for k, others in enumerate(near):
        away = places[others] - places[k]
        sin, cos = np.sin(headings[k]), np.cos(headings[k])
        along, aside = away[:, 0] * sin + away[:, 2] * cos, np.abs(away[:, 0] * cos - away[:, 2] * sin)
        other = (np.abs(away[:, 1]) > LEVEL) & (np.abs(along) < long)
        if other.any():
            out[k] = np.clip(aside[other].min() - FOOT, FOOT, BESIDE)
    return out
