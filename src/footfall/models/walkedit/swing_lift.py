"""How high a foot swings: as high as is asked at mid-swing, and over everything that lies in its way.

The captured swing is raised (or lowered) by a sum of bumps that vanish with their rate at both ends, the one
of least bending that meets every demand: a least-distance problem, solved as non-negative least squares
(Lawson and Hanson 1974, ch. 23). Only what lies above the planted height is changed ([walk] 5.2 would raise
planted feet as well).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float, Int

from footfall.adapt.swing_clearance import (
    BUMPS,
    Places,
    along_sole,
    held_between,
    least_lifts,
    moments,
)
from footfall.figure.sole import Sole
from footfall.geometry.decisions import clearly_less
from footfall.models.walkedit.alike import first_alike
from footfall.models.walkedit.cycle import FootCycle, WalkCycle
from footfall.models.walkedit.foot_way import foot_way
from footfall.models.walkedit.phase import Clock
from footfall.models.walkedit.ribbon import Ribbon
from footfall.models.walkedit.steps import Footprints
from footfall.world.terrain import Ground

LAGS = (0.0, 0.15)  # of a swing
MUCH, LESS = 2.0, 0.8  # bending (m^2) from which lags are tried, and how much less they must give
LOOK_DOWN = 0.8  # m over the higher of a swing's two prints, from where its ground is looked for
DEEP = 0.02  # m in the ground, from where lags are tried
FAR_DOWN = 1.0  # m: ground that is farther down, or none, does not matter

Lifts = Float[np.ndarray, "prints bumps"]  # of the swing that arrives at each print


@dataclass(frozen=True, eq=False)
class Swings:
    """How each print's arriving swing is changed: bumps that raise it, and how far it goes up before on."""

    lifts: Lifts
    lags: Float[np.ndarray, "prints"]
    given: Float[np.ndarray, "prints"]  # m: the lift that each then has


def swing_lifts(cycle: WalkCycle, prints: Footprints, level: Ground, clock: Clock) -> Swings:
    """The swings of a walk over its ground.

    Where a swing must be raised much, feet also go up before they go on (or on before they come down): of
    some such lags the one that needs the least bending is taken.
    """
    made = Swings(np.zeros((len(prints), BUMPS)), np.zeros(len(prints)), np.full(len(prints), np.nan))
    for side in cycle.feet:
        own = np.arange(len(prints))[prints.own(side)]
        if len(own) > 1:
            _raise(cycle, prints, level, clock, side, own, made)
    return made


def _raise(
    cycle: WalkCycle,
    prints: Footprints,
    level: Ground,
    clock: Clock,
    side: str,
    own: Int[np.ndarray, "n"],
    made: Swings,
) -> None:
    bending = np.full(len(prints), np.inf)
    halfway = _halfway(cycle.feet[side], clock)
    alike = first_alike(prints, level, own[:-1], halfway[own[:-1]])
    left = np.unique(alike)
    for lag in LAGS:
        if not len(left):
            break
        numbers, arriving = own[left], own[left + 1]
        lags = np.zeros(len(prints))
        rises = prints.places[arriving, 1] - prints.places[numbers, 1]
        lags[arriving] = np.where(rises < 0.0, -lag, lag)
        over, sure = _held_against(cycle, replace(prints, lags=lags), level, side, numbers, halfway[numbers])
        for row, least, k in zip(over, sure, arriving, strict=True):
            lifts, given, cost = least_lifts(row, least, float(prints.lifts[k]), float(halfway[k - 2]))
            if clearly_less(cost, LESS * bending[k]):
                bending[k] = cost
                made.lifts[k], made.given[k], made.lags[k] = lifts, given, lags[k]
        left = left[clearly_less(MUCH, bending[arriving]) & clearly_less(sure.min(axis=-1), -DEEP)]
    for values in (made.lifts, made.given, made.lags):
        values[own[1:]] = values[own[alike + 1]]


def _halfway(foot: FootCycle, clock: Clock) -> Float[np.ndarray, "prints"]:
    """Mid-swing, in time, as a share of the swing that leaves each print, in phase."""
    leaves = clock.strikes[:-2] + foot.off
    middle = clock.phase(0.5 * (clock.time(leaves) + clock.times[2:]))
    return np.append((middle - leaves) / (clock.strikes[2:] - leaves), (0.5, 0.5))


def _held_against(
    cycle: WalkCycle,
    prints: Footprints,
    level: Ground,
    side: str,
    numbers: Int[np.ndarray, "swings"],
    halfway: Float[np.ndarray, "swings"],
) -> tuple[Float[np.ndarray, "swings moments"], Float[np.ndarray, "swings moments"]]:
    """How far the sole is over the ground at the moments of swings and last at mid-swing; and around them."""
    foot, share = cycle.feet[side], moments()[0]
    start = (numbers + prints.offset) // 2 + cycle.strike_phase(side)
    shares = np.concatenate([np.broadcast_to(share, (len(start), len(share))), halfway[:, None]], axis=1)
    phase = start[:, None] + foot.off + shares * (1.0 - foot.off)
    way = foot_way(foot, prints, phase.ravel(), cycle.strike_phase(side))
    points = along_sole(Sole.of(cycle.skeleton, side).points(way.ankle, way.turn, way.toe))
    points = points.reshape(*shares.shape, -1, 3)
    x, y, z = np.moveaxis(points, -1, 0)
    beneath = _beneath(prints, level, numbers)
    under = np.maximum(beneath(x, z), y - FAR_DOWN)
    return (y - under)[..., :4].min(axis=-1), held_between(
        points[:, :-1], under[:, :-1], beneath, ours=isinstance(level, Ribbon)
    )


def _beneath(
    prints: Footprints, level: Ground, numbers: Int[np.ndarray, "swings"]
) -> Callable[[Places, Places], Places]:
    """The ground that swings are held against, by place: a step away at most, not what is overhead."""
    if isinstance(level, Ribbon):
        ribbon, passes = level, level.stations[np.minimum(numbers + 1, len(prints) - 1)]
        return lambda x, z: ribbon.height_about(x, z, passes[:, None, None])
    ends = np.maximum(prints.places[numbers, 1], prints.places[np.minimum(numbers + 2, len(prints) - 1), 1])
    start = (ends + LOOK_DOWN)[:, None, None]
    return lambda x, z: level.height(x, z, np.broadcast_to(start, x.shape))
