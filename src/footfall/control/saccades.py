"""Small leaps of the eyes around what they look at (Lee, Badler, Badler 2002, Eyes Alive).

The eyes rest on the target for a while, then leap aside, rest there for a moment and come back. How long each
leap takes is the eyes' own affair: see `gaze_motion_kernel`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from jaxtyping import Float

# shares of the directions 0, 45, ... 315 degrees; read as from the figure's right, through up, to its left
DIRECTION_SHARES = np.array([15.54, 6.46, 17.69, 7.44, 16.80, 7.89, 20.38, 7.79])
MAGNITUDE, PERCENT, MOST_PERCENT = 6.9, 15.7, 15.0  # A = -6.9 ln(P / 15.7) degrees, P uniform in (0, 15]
FARTHEST = 27.5  # degrees: a farther glance would take the head along
FRAME = 1.0 / 30.0  # s of the frames that rests were counted in


class Rests(NamedTuple):
    """Means and deviations of rests, in frames."""

    on_target: tuple[float, float]
    aside: tuple[float, float]


LISTENING = Rests((237.5, 47.1), (13.0, 7.1))
TALKING = Rests((93.9, 94.9), (27.8, 24.0))


class Saccades:
    """Where the eyes are beside their target, moment by moment; the same seed gives the same leaps."""

    def __init__(self, seed: int = 0, rests: Rests = LISTENING) -> None:
        self.rests = rests
        self._random = np.random.default_rng(seed)
        self.glance = (0.0, 0.0)  # nod and turn aside of the target, rad
        self._aside = False
        self._left = self._rest()  # s until the next leap

    def advance(self, seconds: float) -> tuple[float, float]:
        """The glance so many seconds later."""
        self._left -= seconds
        if self._left <= 0.0:
            self._aside = not self._aside
            self.glance = self._leap() if self._aside else (0.0, 0.0)
            # a frame that was far too long is not made up for by a flurry of leaps
            self._left = max(self._left + self._rest(), 0.0)
        return self.glance

    def begin(self) -> None:
        """On a target that is new: the eyes rest on it first."""
        self.glance, self._aside, self._left = (0.0, 0.0), False, self._rest()

    def _rest(self) -> float:
        """A time that is never negative, of the mean and deviation that were measured: gamma distributed."""
        mean, deviation = self.rests.aside if self._aside else self.rests.on_target
        return FRAME * float(self._random.gamma((mean / deviation) ** 2, deviation**2 / mean))

    def _leap(self) -> tuple[float, float]:
        towards = direction(self._random.random())
        size = np.radians(magnitude(self._random.random()))
        return -float(size * np.sin(towards)), -float(size * np.cos(towards))


def direction(drawn: float) -> float:
    """The direction of a leap from a uniform number in [0, 1): rad from the figure's right through up."""
    bounds = np.cumsum(DIRECTION_SHARES) / DIRECTION_SHARES.sum()
    return float(np.searchsorted(bounds, drawn, side="right") * 0.25 * np.pi)


def magnitude(drawn: Float[np.ndarray, "*batch"] | float) -> Float[np.ndarray, "*batch"]:
    """Degrees of a leap from a uniform number in [0, 1)."""
    percent = MOST_PERCENT * (1.0 - np.asarray(drawn))
    return np.minimum(-MAGNITUDE * np.log(percent / PERCENT), FARTHEST)
