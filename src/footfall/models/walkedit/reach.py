"""How far a figure's legs reach."""

from __future__ import annotations

import numpy as np

from footfall.models.walkedit.cycle import WalkCycle

LOWEST_HIPS = 0.62  # of leg length over the lower foot: a body does not come down further for a step
LEAST_ROOM = 0.40  # of leg length over the higher foot: nor fold its leg more
FOLDED = 0.45  # of leg length: how high an ankle can be lifted under the hips


def longest_step(cycle: WalkCycle, rise: float, slope: float = 0.0) -> float:
    """On the ground plan, from a foot to the other, with a rise between them or along a slope.

    Both legs, from hips in the middle: the lower one straight, the higher one folded as far as may be.
    """
    leg = cycle.leg_length
    hips = max(LOWEST_HIPS * leg, LEAST_ROOM * leg + abs(rise))
    if slope:
        # the rise grows with the step: hips over the lower foot are half of it over the middle
        lean = np.tan(abs(slope))
        a, b, c = 0.25 + 0.0 * lean, 0.0, LOWEST_HIPS**2 - 0.99
        half = np.sqrt(-c / a) * leg
        steep = (1.0 - LEAST_ROOM) * leg / lean
        return float(min(half, steep, 2.0 * leg))
    return float(2.0 * np.sqrt(max(0.99 * leg**2 - hips**2, 0.01 * leg**2)))


def highest_lift(cycle: WalkCycle) -> float:
    """Of a sole over the ground at mid-swing."""
    return FOLDED * cycle.leg_length
