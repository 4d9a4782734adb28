"""What a walker can walk on."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from footfall.errors import RequestError
from footfall.world.limit_ranges import check_ranges

RANGES = {"slope": (0.01, 1.4), "step": (0.01, 1.0), "headroom": (0.1, 10.0)}


@dataclass(frozen=True)
class WalkLimits:
    """The steepest ground, the highest step, and the least room over the ground."""

    slope: float = float(np.radians(35.0))  # rad, of the ground itself: a riser is judged by its height
    step: float = 0.25  # m, from one place to the next; what rises less does not stand in the way either
    headroom: float = 1.9  # m

    def __post_init__(self) -> None:
        check_ranges(self, RANGES)
        for field in fields(self):
            object.__setattr__(self, field.name, float(getattr(self, field.name)))
        # so that of two grounds over each other only one can be a step away
        if self.headroom <= 2.0 * self.step:
            raise RequestError(
                f"headroom must be more than twice the step of {self.step:g} m, not {self.headroom:g} m"
            )
