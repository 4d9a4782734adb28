"""The ground of a plan that tells none: each print lies on a block of its own.

As long as the foot and a little more, broad as a stair, and nothing is known between them. Something must be
assumed between two heights: a foot that only follows its captured swing kicks the edge of every step.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from footfall.figure.contacts import SIDES
from footfall.figure.sole import Sole
from footfall.models.stepspace.planned import PlannedSteps
from footfall.models.stepspace.stage import Stage

LEVEL = 0.01  # m: prints that differ by less lie on one floor
BEFORE, BESIDE = 0.05, 0.35  # m by which a block is longer than the foot, and its half width,
FOOT = 0.06  # m, which is never less than the foot's

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
    beside: Float[
        np.ndarray, "prints"
    ]  # m, half the width: no block reaches another print that is not as high

    @classmethod
    def of(cls, stage: Stage, planned: PlannedSteps) -> PrintBlocks | None:
        """None where all steps are level."""
        if not len(uneven_steps(planned)):
            return None
        used = np.unique(planned.prints)
        soles = np.array([Sole.of(stage.skeleton, side).lengths for side in SIDES])
        behind, ahead = (float(length) + BEFORE for length in soles.max(axis=0))
        places, headings = planned.places[used], planned.headings[used]
        return cls(places, headings, behind, ahead, _half_widths(places, headings, behind + ahead))

    def height(self, x: Numbers, z: Numbers, start: Numbers | float = np.inf) -> Numbers:
        """The highest block's; under a sole that lies there no higher than the sole."""
        top, lain_in = np.full(np.shape(x), -np.inf), np.full(np.shape(x), np.inf)
        for (px, py, pz), heading, wide in zip(self.places, self.headings, self.beside, strict=True):
            sin, cos = np.sin(heading), np.cos(heading)
            along = (x - px) * sin + (z - pz) * cos
            aside = np.abs((x - px) * cos - (z - pz) * sin)
            on = (aside < wide) & (along > -self.behind) & (along < self.ahead) & (py <= start)
            top = np.where(on, np.maximum(top, py), top)
            on &= (aside < FOOT) & (along > BEFORE - self.behind) & (along < self.ahead - BEFORE)
            lain_in = np.where(on, np.minimum(lain_in, py), lain_in)
        return np.minimum(top, lain_in)


def _half_widths(
    places: Float[np.ndarray, "prints 3"], headings: Float[np.ndarray, "prints"], long: float
) -> Float[np.ndarray, "prints"]:
    away = places[None] - places[:, None]
    sin, cos = np.sin(headings)[:, None], np.cos(headings)[:, None]
    along, aside = away[..., 0] * sin + away[..., 2] * cos, np.abs(away[..., 0] * cos - away[..., 2] * sin)
    other = (np.abs(away[..., 1]) > LEVEL) & (np.abs(along) < long)
    nearest = np.where(other, aside, np.inf).min(axis=1)
    return np.clip(nearest - FOOT, FOOT, BESIDE)
