"""How people carry themselves through a standing jump: splines over generic time.

Generic time runs from 0 to 1 up to the take-off, to 2 in flight, and on after the landing, in units of
BEFORE and AFTER seconds. Each joint's turn and the legs' length depend linearly on the jump's length and
height; the table in `curves.json` is an average over captured jumps of several people.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from jaxtyping import Float

from footfall.actor.curves import POSTURE
from footfall.actor.gait.stance import Times

BEFORE, AFTER = 1.0, 1.2  # s: a unit of generic time before the take-off and after the landing
FAR_AND_TALL = 1.4  # of the longest and the highest captured jump, together
KNOTS = np.linspace(0.0, 3.0, 31)


def generic_time(times: Times, takeoff: float, landing: float) -> Times:
    """Seconds to generic time; clipped where it begins and ends."""
    before = 1.0 + (times - takeoff) / BEFORE
    aloft = 1.0 + (times - takeoff) / (landing - takeoff)
    after = 2.0 + (times - landing) / AFTER
    told = np.where(times < takeoff, before, np.where(times < landing, aloft, after))
    return np.clip(told, KNOTS[0], KNOTS[-1])


@dataclass(frozen=True, eq=False)
class JumpCurves:
    """Values at the knots, a row each for the mean, the length and the height."""

    posture: Float[np.ndarray, "3 knots roles 3"]
    legs: Float[np.ndarray, "3 knots"]  # hip to ankle, as a share of the leg
    bounds: Float[np.ndarray, "2 2"]  # of length and height

    def _design(self, length: float, height: float) -> Float[np.ndarray, "3"]:
        """Within what was captured: nobody's longest jump was also their highest."""
        low, high = self.bounds.T
        far, tall = np.clip([length, height], low, high) / high
        return np.array([1.0, far * high[0], min(tall, FAR_AND_TALL - far) * high[1]])

    def turns(self, g: Times, length: float, height: float) -> Float[np.ndarray, "n roles 3"]:
        from scipy.interpolate import CubicSpline

        values = np.tensordot(self._design(length, height), self.posture, axes=1)
        return CubicSpline(KNOTS, values, bc_type="clamped")(g)

    def leg(self, g: Times, length: float, height: float) -> Times:
        from scipy.interpolate import CubicSpline

        return CubicSpline(KNOTS, self._design(length, height) @ self.legs)(g)


@cache
def jump_curves() -> JumpCurves:
    import msgspec

    table = msgspec.json.decode((files("footfall.actor") / "curves.json").read_bytes())["jump"]
    posture = np.stack([np.array(table["posture"][role]) for role in POSTURE], axis=2)
    return JumpCurves(posture, np.array(table["legs"]), np.array(table["bounds"]))
