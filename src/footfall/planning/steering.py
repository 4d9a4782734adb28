"""Along a path within the limits of a gait: where to head and how fast, so that it is never asked for what it
cannot do: slow before corners, slow before the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.geometry.ground import heading_of, wrap
from footfall.models.gait_limits import GaitLimits
from footfall.planning.path import Path

EVERY = 0.05  # m along the path at which speeds are planned
AHEAD = 0.9  # s that one looks ahead,
LEAST_AHEAD, MOST_AHEAD = 0.35, 2.0  # m
SURELY = 0.9  # of the turning and braking that is possible: the rest is for correcting
FAR = 0.6  # m aside of the path: one goes back to it as slowly as one can


@dataclass(frozen=True)
class Steered:
    """What to do now."""

    heading: float  # rad
    speed: float  # m/s; 0: stand
    s: float  # m along the path where one is
    aside: float  # m from it, positive to the left
    remaining: float  # m to its end


@dataclass(frozen=True, eq=False)
class Steering:
    """A path and the gait that follows it; `at` tells where to go from anywhere."""

    path: Path
    limits: GaitLimits

    def __post_init__(self) -> None:
        if not isinstance(self.path, Path) or not isinstance(self.limits, GaitLimits):
            raise RequestError("steering needs a Path and the GaitLimits of what follows it")

    @cached_property
    def _places(self) -> Float[np.ndarray, "places"]:
        return np.linspace(0.0, self.path.length, max(int(np.ceil(self.path.length / EVERY)), 1) + 1)

    @cached_property
    def _speeds(self) -> Float[np.ndarray, "places"]:
        """The fastest at each place from which all that follows can be gone: v^2 = u^2 + 2 b d backwards."""
        limits, s = self.limits, self._places
        # a polyline has its turns at corners: what it turns within a look ahead counts
        window = 0.5 * LEAST_AHEAD
        turned = np.abs(wrap(self.path.heading(s + window) - self.path.heading(s - window)))
        bend = turned / (2.0 * window)
        speeds = np.minimum(limits.fastest, SURELY * limits.turn_rate / np.maximum(bend, 1e-9))
        speeds = np.maximum(speeds, limits.slowest)
        speeds[-1] = limits.slowest
        braking = 2.0 * SURELY * limits.braking
        for k in range(len(s) - 2, -1, -1):
            speeds[k] = min(speeds[k], np.sqrt(speeds[k + 1] ** 2 + braking * (s[k + 1] - s[k])))
        return speeds

    def speed(self, s: float) -> float:
        """The fastest one may be there, m/s."""
        return float(np.interp(s, self._places, self._speeds))

    def at(self, place: Float[np.ndarray, "3"], speed: float, around: float | None = None) -> Steered:
        """From a place, at a speed; `around` is where one was along the path a moment ago."""
        place = np.asarray(place, dtype=float)
        s = self.path.nearest(place, around)
        on, way = self.path.point(s), float(self.path.heading(s))
        off = place - on
        aside = float(off[0] * np.cos(way) - off[2] * np.sin(way))
        ahead = float(np.clip(AHEAD * speed, LEAST_AHEAD, MOST_AHEAD))
        aim = self.path.point(s + ahead) - place
        remaining = float(self.path.remaining(s))
        if remaining < ahead:  # beyond the end one goes on as one came
            end = float(self.path.heading(self.path.length))
            aim = aim + (ahead - remaining) * np.array([np.sin(end), 0.0, np.cos(end)])
        heading = float(heading_of(aim)) if np.hypot(aim[0], aim[2]) > 1e-6 else way
        wished = self.limits.slowest if abs(aside) > FAR else self.speed(s)
        return Steered(heading, wished, s, aside, remaining)
