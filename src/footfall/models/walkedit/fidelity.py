"""How near a repeated cycle is to what it was taken from."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.analysis.smoothness import acceleration_ratio
from footfall.figure.motion import Motion
from footfall.models.walkedit.course import captured_strides, lay
from footfall.models.walkedit.cycle import WalkCycle
from footfall.models.walkedit.perform import performed_at
from footfall.models.walkedit.way import STRAIGHT_ON


def departure(cycle: WalkCycle) -> float:
    """The mean distance, m, of joints from the cleaned capture, over the cycle, when nothing is asked."""
    return float(departures(cycle).mean())


def departures(cycle: WalkCycle) -> Float[np.ndarray, "frames joints"]:
    """The distance of each joint in each frame of the captured cycle.

    The walk goes on as it was captured; where on the ground plan it is seen makes no difference.
    """
    away = _repeated(cycle, cycles=1).positions - cycle.captured.positions
    away[..., [0, 2]] -= away[..., [0, 2]].mean(axis=(0, 1))
    return np.linalg.norm(away, axis=-1)


def jerkiness(cycle: WalkCycle) -> float:
    """How much harder joints accelerate when the cycle is repeated than when it was captured."""
    return acceleration_ratio(_repeated(cycle, cycles=2), [cycle.captured]) or 0.0


def _repeated(cycle: WalkCycle, cycles: int) -> Motion:
    """The walk as captured from the captured cycle's first strike on, at the captured rate."""
    first = min(cycle.strikes, key=lambda side: cycle.strikes[side])
    prints = lay(cycle, captured_strides(cycle, "left", 12), STRAIGHT_ON, "left").prints
    frames = len(cycle.captured) - 1
    phase = 2.0 + cycle.strike_phase(first) + np.arange(cycles * frames + 1) / frames
    return performed_at(cycle, prints, phase, cycle.captured.fps)
