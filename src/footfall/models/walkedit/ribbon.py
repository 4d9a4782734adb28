"""The ground that belongs to a walk's parameters: level, sloping or stepped along a way, level across it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

from footfall.models.walkedit.way import Way

Numbers = Float[np.ndarray, "*n"]
GOES_ON = 0.4  # m: a bend that went on would come round to its own beginning


@dataclass(frozen=True, eq=False)
class Ribbon:
    """A piece for each footprint: from one edge to the next, at a level and with a slope.

    Where two pieces do not meet there is a riser. Beyond the first and the last, these go on a little way.
    """

    way: Way
    stations: Float[np.ndarray, "pieces"]  # m along the way: of the footprints
    edges: Float[np.ndarray, "pieces-1"]  # between them
    levels: Float[np.ndarray, "pieces"]  # m, at the footprints
    grades: Float[np.ndarray, "pieces"]  # rise over run

    def height(self, x: Numbers, z: Numbers, start: Numbers | float = np.inf) -> Numbers:
        """Of the ground at a place, as a `Ground` tells it: the highest turn of the way not above `start`."""
        x, z, start = np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in (x, z, start)))
        if self._is_level:
            return np.where(
                np.isfinite(x) & np.isfinite(z) & (self.levels[0] <= start), self.levels[0], -np.inf
            )
        best = np.full(x.shape, -np.inf)
        for turn in self.way.turns:
            level = self._level(turn.locate(x, z))
            best = np.where((level <= start) & (level > best), level, best)
        return best

    def height_about(self, x: Numbers, z: Numbers, station: Numbers) -> Numbers:
        """Of the turn of the way that is nearest to a distance along it, whatever else is there."""
        if self._is_level:
            return np.full(np.shape(x), self.levels[0])
        best, away = np.full(np.shape(x), -np.inf), np.full(np.shape(x), np.inf)
        for turn in self.way.turns:
            found = turn.locate(x, z)
            nearer = np.abs(found - station) < away
            best = np.where(nearer, self._level(found), best)
            away = np.where(nearer, np.abs(found - station), away)
        return best

    @cached_property
    def _is_level(self) -> bool:
        return bool((self.levels == self.levels[0]).all() and not self.grades.any())

    def _level(self, station: Numbers) -> Numbers:
        piece = np.searchsorted(self.edges, station, side="right")
        level = self.levels[piece] + self.grades[piece] * (station - self.stations[piece])
        beyond = (station < self.stations[0] - GOES_ON) | (station > self.stations[-1] + GOES_ON)
        return np.where(beyond & (not self.way.is_straight), np.nan, level)
