"""Along a path within the limits of a gait: where to head and how fast, so that it is never asked for what it
cannot do: slow before bends, slow before the end, and a stop where a corner is too sharp to be walked.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float

from footfall.errors import RequestError
from footfall.geometry.ground import wrap
from footfall.models.gait_limits import GaitLimits
from footfall.planning.corners import Stretch, stretches_of
from footfall.planning.path import AROUND, Path

SURELY = 0.8  # of the turning and braking that is possible: the rest is for correcting
LATE = 0.7  # steps from a wish until the way turns
RETURNS, RETURNS_IN = 0.6, 0.6  # m and s ahead, whichever is farther, at which one would be back on the line
STEEPEST = 1.0  # rad from the line at most: so one goes back to it
FAR = 0.2  # m aside of the line: one goes back to it as slowly as one can


@dataclass(frozen=True)
class Steered:
    """What to do now."""

    heading: float  # rad
    speed: float  # m/s that is the fastest here
    s: float  # m along the stretch where one is
    aside: float  # m from its line, positive to the left
    remaining: float  # m to the end of the stretch


@dataclass(frozen=True, eq=False)
class Steering:
    """A path and the gait that follows it, in stretches; `at` tells where to go from anywhere along one."""

    path: Path
    limits: GaitLimits

    def __post_init__(self) -> None:
        if not isinstance(self.path, Path) or not isinstance(self.limits, GaitLimits):
            raise RequestError("steering needs a Path and the GaitLimits of what follows it")
        _ = self.stretches  # now, not in the frame that first needs them

    @cached_property
    def stretches(self) -> tuple[SteeredStretch, ...]:
        return tuple(SteeredStretch(one, self.limits) for one in stretches_of(self.path, self.limits))


@dataclass(frozen=True, eq=False)
class SteeredStretch:
    """One stretch: followed from its beginning to its end, where one stands."""

    stretch: Stretch
    limits: GaitLimits

    @cached_property
    def _kept(self) -> Bool[np.ndarray, "places"]:
        """Places of the line that are not where the one before is: a way straight back may have such."""
        moves = np.hypot(*np.diff(self.stretch.line[:, [0, 2]], axis=0).T) > 0.0
        return np.concatenate([[True], moves])

    @cached_property
    def line(self) -> Path:
        return Path(self.stretch.line[self._kept])

    def whole(self, s: float) -> float:
        """m along the whole path, of a length along the line."""
        return self.stretch.begins + float(np.interp(s, self.line.along, self.stretch.places[self._kept]))

    @cached_property
    def _speeds(self) -> Float[np.ndarray, "places"]:
        """The fastest at each place from which all that follows can be gone: v^2 = u^2 + 2 b d backwards."""
        limits, s = self.limits, self.line.along
        speeds = SURELY * limits.turn_rate / np.maximum(self.stretch.bends[self._kept], 1e-9)
        speeds = np.clip(speeds, limits.slowest, limits.fastest)
        speeds[-1] = limits.slowest
        braking = 2.0 * SURELY * limits.braking
        for k in range(len(s) - 2, -1, -1):
            speeds[k] = min(speeds[k], np.sqrt(speeds[k + 1] ** 2 + braking * (s[k + 1] - s[k])))
        return speeds

    def speed(self, s: float) -> float:
        """The fastest one may be there, m/s."""
        return float(np.interp(s, self.line.along, self._speeds))

    def at(self, place: Float[np.ndarray, "3"], speed: float, around: float | None = None) -> Steered:
        """From a place, at a speed; `around` is where one was along the stretch a moment ago."""
        from footfall.planning.steering_kernel import steered

        line, limits = self.line, self.limits
        length = line.length
        low, high = 0.0, length
        if around is not None:
            low = min(max(around - AROUND, 0.0), length)
            high = min(max(around + AROUND, 0.0), length)
        # a wish is followed from the next strike on: it is the way there that counts
        late = LATE * limits.step_seconds * speed
        here = np.ascontiguousarray(place, dtype=float)
        s, aside, way, fastest = steered(
            line.points, line.along, line.headings, self._speeds, here, low, high, late
        )
        back = np.arctan(aside / max(RETURNS, RETURNS_IN * speed))
        heading = float(wrap(way - min(max(back, -STEEPEST), STEEPEST)))
        wished = limits.slowest if abs(aside) > FAR else fastest
        return Steered(heading, wished, s, aside, length - s)
