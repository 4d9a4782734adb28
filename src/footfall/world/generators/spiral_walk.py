"""How a spiral stair must be for a walker: how far from the axis the feet go, and where they are set."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.world.generators.footprints import side_of, towards
from footfall.world.generators.limits import CLEAR, KEEP, NARROW, USUAL, StepLimits
from footfall.world.generators.walk import places_between

WIDEST = 1.5  # times the least radius


@dataclass(frozen=True)
class Spiral:
    """Wedges round an axis, seen as a turn to the left: the axis lies to the left of the start."""

    wedge: float  # rad
    inner: float  # m from the axis to the middle of the inner foot
    apart: float  # m from there to the middle of the outer one
    edge: float  # m from the origin ahead to the first wedge

    @property
    def axis(self) -> float:
        """Its x."""
        return self.inner + 0.5 * self.apart

    def around(
        self, radius: Float[np.ndarray, "*n"] | float, angle: Float[np.ndarray, "*n"] | float
    ) -> Float[np.ndarray, "*n 2"]:
        """Places (x, z) at a distance from the axis, an angle after the first wedge's edge."""
        x = self.axis - radius * np.cos(angle)
        return np.stack(np.broadcast_arrays(x, self.edge + radius * np.sin(angle)), axis=-1)


def fit_spiral(limits: StepLimits, wedge: float, edge: float, share: float) -> Spiral | None:
    """A spiral that keeps the limits, from the tightest (`share` 0) to the widest (1), if there is one."""
    half = 0.5 * limits.foot_length
    least = 0.5 * limits.foot_width + (CLEAR + half * np.cos(0.5 * wedge)) / np.sin(0.5 * wedge)
    for apart in np.linspace(USUAL, NARROW, 15) * limits.foot_width:
        for radius in least * np.linspace(1.0 + share * (WIDEST - 1.0), 1.0, 11):
            if _step(limits, wedge, radius, apart) <= KEEP * limits.length:
                return Spiral(wedge, float(radius), float(apart), edge)
    return None


def least_length(limits: StepLimits, wedge: float) -> float:
    """Of the longest step, on the tightest spiral there is."""
    half = 0.5 * limits.foot_length
    least = 0.5 * limits.foot_width + (CLEAR + half * np.cos(0.5 * wedge)) / np.sin(0.5 * wedge)
    return _step(limits, wedge, least, NARROW * limits.foot_width) / KEEP


def _step(limits: StepLimits, wedge: float, inner: float, apart: float) -> float:
    """From an inner foot to the outer one on the next wedge or the other way round, subtalar to subtalar."""
    back = 0.5 * limits.foot_length - limits.behind  # from the middle of the foot to the subtalar
    one, other = inner - 1j * back, inner + apart - 1j * back
    turn = np.exp(1j * wedge)
    return float(max(abs(other * turn - one), abs(one * turn - other)))


def walk_spiral(
    spiral: Spiral, limits: StepLimits, wedges: int, *, before: float, after: float, inner: float
) -> tuple[Float[np.ndarray, "feet 2"], Float[np.ndarray, "feet"], Float[np.ndarray, "feet"]]:
    """Places, headings, and how many wedges high: from the origin, one foot a wedge, on over a landing.

    `inner` is 1 where the left feet are the inner ones, -1 where they are to be mirrored to be that.
    """
    cruise = 0.85 * KEEP * float(np.sqrt(limits.length**2 - spiral.apart**2))
    start = places_between(
        np.array([-before, spiral.edge]),
        limits,
        cruise,
        start=0.0,
        goal=spiral.edge - limits.ahead - CLEAR,
    )[0]
    first = limits.behind + CLEAR
    end = places_between(np.array([0.0, after]), limits, cruise, start=first, goal=0.5 * after)[0]
    start, end = np.concatenate([start[:1], start]), np.concatenate([end, end[-1:]])
    angle = np.concatenate([np.zeros(len(start)), spiral.wedge * (np.arange(wedges) + 0.5)])
    angle = np.concatenate([angle, np.full(len(end), spiral.wedge * wedges)])
    back = 0.5 * limits.foot_length - limits.behind
    straight = np.concatenate([start - spiral.edge, np.full(wedges, -back), end])  # on from the radius
    radius = spiral.axis - 0.5 * spiral.apart * inner * side_of(len(angle))
    places = spiral.around(radius, angle)
    places += straight[:, None] * towards(angle)
    risen = np.concatenate([np.zeros(len(start)), 1.0 + np.arange(wedges), np.full(len(end), wedges + 1.0)])
    return places, angle, risen


def refuse(limits: StepLimits, wedge: float) -> RequestError:
    return RequestError(
        f"for a foot of {limits.foot_length} by {limits.foot_width} m a spiral must have steps of "
        f"{least_length(limits, wedge):.3f} m at least: length is {limits.length} m"
    )
