"""Which cycles are fitted, and to which family of gaits each belongs."""

from __future__ import annotations

import numpy as np

from footfall.analysis.cycles import Cycle
from footfall.figure.motion import Motion

UNEVEN = 0.22  # of the speed: how much the halves of a steady cycle may differ
SHARPEST = np.radians(100.0)  # a second
WIDEST = 0.45  # m
CLIMB = 0.06  # m a cycle: more is no level ground
CLIMBING = ("up", "down")


def family_of(cycle: Cycle) -> str | None:
    """The family, or None for what belongs to none; speeds in m/s."""
    if abs(cycle.turn_rate) > SHARPEST or cycle.width > WIDEST:
        return None
    if abs(cycle.rise) > CLIMB:
        return ("up" if cycle.rise > 0 else "down") if 0.3 < cycle.speed < 1.6 else None
    if abs(cycle.side_speed) > 0.3 and abs(cycle.side_speed) > abs(cycle.speed):
        return "side" if abs(cycle.side_speed) < 1.0 else None
    if cycle.speed < -0.3:
        return "back"
    if cycle.speed > 2.0:
        return "run" if cycle.stride > 1.2 and abs(cycle.side_speed) < 0.6 else None
    return "walk" if 0.6 < cycle.speed < 1.95 and cycle.double_support > 0.0 else None


def is_steady(motion: Motion, cycle: Cycle) -> bool:
    """Neither starting nor stopping: both halves of the cycle are about as fast."""
    middle = (cycle.start + cycle.end) // 2
    way = motion.root[[cycle.start, middle, cycle.end]][:, [0, 2]]
    first, second = np.linalg.norm(np.diff(way, axis=0), axis=1) / (middle - cycle.start, cycle.end - middle)
    return bool(abs(first - second) < UNEVEN * 0.5 * (first + second))
