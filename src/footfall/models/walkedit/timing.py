"""How long a step takes.

People who walk of their own accord keep the ratio of step length to cadence (the walk ratio): both grow with
the square root of speed. So a step length tells a speed and a speed a step length, where only one is given.
"""

from __future__ import annotations

import numpy as np

from footfall.models.walkedit.cycle import WalkCycle

CLIMB = 3.0  # a metre up or down takes as long as so many metres along
EASED, CLIMBS = 0.9, 0.1  # of the cadence on the level, where a step rises or falls by so much (m) or more


def natural_length(cycle: WalkCycle, speed: float) -> float:
    """The step length at which somebody with this walk goes at a speed."""
    return cycle.step_length * float(np.sqrt(speed / cycle.speed))


def natural_seconds(cycle: WalkCycle, length: float, rise: float, usual: float | None = None) -> float:
    """How long a step of a length and rise takes, if nothing else is asked.

    `usual` is the captured length it is held against: where people step unevenly, that foot's own.
    """
    usual = cycle.step_length if usual is None else usual
    along = length / usual
    steep = float(np.hypot(length, CLIMB * rise)) / usual
    # of the captured: who climbs steps takes his time, but does not dawdle over short ones
    eased = 1.0 - (1.0 - EASED) * min(abs(rise) / CLIMBS, 1.0)
    cadence = min(max(along, min(eased, steep)), max(eased, along * eased))
    return cycle.step_seconds / cadence


QUICKEST, SLOWEST = 0.22, 6.0  # s: no step is shorter or longer
