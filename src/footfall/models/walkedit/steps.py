"""Footprints in time: what a walk edit performs, whoever laid them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import UP
from footfall.models.walkedit.cycle import SIDES
from footfall.world.foot_plan import FootPlacement, FootPlan


@dataclass(frozen=True, eq=False)
class Footprints:
    """Alternating footprints and when each is struck.

    A motion shows the walk from when the second lies flat to when the last but two does: the first tells
    where a foot comes from, the last two where both are going.
    """

    first: str  # whose foot the first is
    places: Float[np.ndarray, "prints 3"]  # where subtalars rest
    headings: Float[np.ndarray, "prints"]  # of the feet
    normals: Float[np.ndarray, "prints 3"]  # of the ground under them
    ways: Float[np.ndarray, "prints"]  # heading of the way there
    strikes: Float[np.ndarray, "prints"]  # s
    lifts: Float[np.ndarray, "prints"]  # m asked for the swing that arrives here; nan: as captured
    lags: Float[np.ndarray, "prints"] | None = None  # of that swing: how far it goes up before it goes on
    landings: Float[np.ndarray, "prints"] | None = None  # how its landing is scaled; None: as captured

    def __len__(self) -> int:
        return len(self.places)

    @property
    def offset(self) -> int:
        """Left footprints have even numbers when this is added."""
        return SIDES.index(self.first)

    @cached_property
    def lying(self) -> Float[np.ndarray, "prints 4"]:
        """How a print's frame is turned: about the vertical, then with the ground."""
        turns = ground.turn(self.headings)
        leaning = np.abs(self.normals[:, 1] - 1.0) > 1e-15
        if leaning.any():
            tilt = quat.between(np.broadcast_to(UP, self.normals.shape), self.normals)
            turns = quat.multiply(tilt, turns)
        return turns

    def side(self, k: int) -> str:
        return SIDES[(k + self.offset) % 2]

    def own(self, side: str) -> slice:
        """The prints of one foot."""
        return slice((SIDES.index(side) - self.offset) % 2, None, 2)

    def plan(self) -> FootPlan:
        """The prints that a motion shows: two where the feet begin, then one for each step."""
        shown = range(1, len(self) - 2)
        return FootPlan(
            tuple(FootPlacement(self.side(k), self.places[k], float(self.headings[k])) for k in shown)
        )
