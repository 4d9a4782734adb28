"""How a plan is to be followed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from footfall.errors import RequestError
from footfall.figure.motion import checked_rate
from footfall.models.stepspace.selection import Selector
from footfall.models.stepspace.selectors import SELECTORS
from footfall.world.terrain import Ground

RATES = (10.0, 1000.0)  # Hz


@dataclass(frozen=True, eq=False)
class Wishes:
    """How a plan is to be followed."""

    fps: float
    from_stand: bool
    to_stand: bool
    chooser: Selector
    terrain: Ground | None
    stretch: float  # m

    @classmethod
    def checked(
        cls,
        fps: float,
        from_stand: bool,
        to_stand: bool,
        chooser: Selector,
        terrain: Ground | None,
        stretch: float,
    ) -> Self:
        """From what a user asks for."""
        rate = checked_rate(fps)
        if not RATES[0] <= rate <= RATES[1]:
            raise RequestError(f"fps must be between {RATES[0]:g} and {RATES[1]:g}, not {rate:g}")
        number = isinstance(stretch, int | float | np.number) and not isinstance(stretch, bool)
        if not (number and np.isfinite(stretch) and stretch >= 0.0):
            raise RequestError(f"stretch is a length from 0 on, in metres, not {stretch!r:.40}")
        if not callable(getattr(chooser, "select", None)):
            raise RequestError(f"a selector is one of {', '.join(SELECTORS)}, not {chooser!r:.40}")
        if terrain is not None and not callable(getattr(terrain, "height", None)):
            raise RequestError(f"a terrain is needed, not {terrain!r:.40}; `generate_terrain` makes one")
        return cls(rate, bool(from_stand), bool(to_stand), chooser, terrain, float(stretch))
