"""How far a figure's legs reach."""

from __future__ import annotations

import numpy as np

from footfall.models.walkedit.cycle import SIDES, WalkCycle

LOWEST_HIPS = 0.62  # of leg length over the lower foot: a body does not come down further for a step
BEHIND = 0.6  # of a step: how far the rear foot is behind the hips when it leaves
LEAST_ROOM = 0.30  # of leg length over the higher foot: nor fold its leg more
EDGE = 0.01  # m from an edge
FOLDED = 0.45  # of leg length: how high an ankle can be lifted under the hips


def longest_step(cycle: WalkCycle, rise: float, slope: float = 0.0) -> float:
    """On the ground plan, from a foot to the other, with a rise between them or along a slope.

    The rear leg is longest when its foot leaves, 0.6 a behind the hips: it is straight at most, (0.6 a)^2 +
    h^2 = 0.99 l^2, and h leaves room over the higher foot, which is r + a tan(slope) above the lower one.
    """
    leg, grade = cycle.leg_length, float(np.tan(abs(slope)))
    low = LEAST_ROOM * leg + abs(rise)
    squares, half, rest = BEHIND**2 + grade**2, low * grade, low**2 - 0.99 * leg**2
    with_room = (np.sqrt(max(half**2 - squares * rest, 0.0)) - half) / squares
    upright = leg * np.sqrt(0.99 - LOWEST_HIPS**2) / BEHIND
    return float(max(min(with_room, upright), 0.05))


def shortest_tread(cycle: WalkCycle, riser: float) -> float:
    """On which a foot stands without its toes in the next riser, or its heel in the one behind it."""
    lengths = [cycle.feet[side].sole.lengths for side in SIDES]
    behind, ahead = (max(part) for part in zip(*lengths, strict=True))
    return float(ahead + EDGE if riser > 0.0 else behind + 0.5 * ahead + EDGE)


def highest_lift(cycle: WalkCycle) -> float:
    """Of a sole over the ground at mid-swing."""
    return FOLDED * cycle.leg_length
