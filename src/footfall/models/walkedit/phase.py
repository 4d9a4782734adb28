"""Phase, time and steps: three ways to say how far a walk has come.

Strike k of a walk (left strikes have even k) lies at phase k / 2 for the left foot; the right foot's is moved
by how unevenly the person steps. `steps_at` runs through the whole numbers at the strikes and is smooth, so
that what is told by steps (a body's way) has no corner where what is told by phase (a pose) has none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from jaxtyping import Float

from footfall.models.walkedit.cycle import WalkCycle
from footfall.models.walkedit.steps import Footprints

Numbers = Float[np.ndarray, "*n"]
EXACT = 1e-13  # phase
ROUNDS = 12  # of Newton's method, from phase back to time


@dataclass(frozen=True, eq=False)
class Clock:
    """When a walk is where: phase by time, smooth and never backwards, through the strikes of its prints."""

    times: Float[np.ndarray, "prints"]  # s
    strikes: Float[np.ndarray, "prints"]  # phases

    @classmethod
    def of(cls, cycle: WalkCycle, prints: Footprints) -> Clock:
        numbers = np.arange(len(prints)) + prints.offset
        return cls(prints.strikes, strike_phases(numbers, cycle.right_strike))

    @cached_property
    def _curve(self) -> tuple[Any, Any]:
        from scipy.interpolate import PchipInterpolator

        curve = PchipInterpolator(self.times, self.strikes)
        return curve, curve.derivative()

    def phase(self, time: Numbers) -> Numbers:
        return self._curve[0](time)

    def time(self, phase: Numbers) -> Numbers:
        """Newton's method, kept between two bounds that close in: a clock may all but stand still."""
        curve, rate = self._curve
        phase = np.asarray(phase, dtype=float)
        k = np.clip(np.searchsorted(self.strikes, phase, side="right") - 1, 0, len(self.times) - 2)
        low, high = self.times[k], self.times[k + 1]
        found = np.interp(phase, self.strikes, self.times)
        for _ in range(ROUNDS):
            over = curve(found) - phase
            if np.abs(over).max(initial=0.0) < EXACT:
                break
            low, high = np.where(over < 0.0, found, low), np.where(over > 0.0, found, high)
            next_ = found - over / np.maximum(rate(found), 1e-12)
            inside = (next_ >= low) & (next_ <= high)
            found = np.where(inside, next_, 0.5 * (low + high))
        return found


def strike_phases(numbers: Numbers, right_strike: float) -> Numbers:
    """Phases of strikes by number."""
    numbers = np.asarray(numbers)
    return numbers // 2 + np.where(numbers % 2 == 0, 0.0, right_strike)


def steps_at(phase: Numbers, right_strike: float) -> Numbers:
    """2 p + b (1 - cos 2 pi p) / 2, with b so that the right foot's strike is a whole number."""
    bend = 2.0 * (1.0 - 2.0 * right_strike) / (1.0 - np.cos(2.0 * np.pi * right_strike))
    return 2.0 * phase + 0.5 * bend * (1.0 - np.cos(2.0 * np.pi * phase))


def step_share(foot: int, right_strike: float) -> float:
    """How much of a cycle the step of the left (0) or right (1) foot takes, from strike to strike."""
    return right_strike if foot == 1 else 1.0 - right_strike
