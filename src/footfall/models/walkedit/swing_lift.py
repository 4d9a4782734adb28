"""How high a foot swings: as high as is asked at mid-swing, and over everything that lies in its way.

The captured swing is raised (or lowered) by a sum of bumps that vanish with their rate at both ends, the one
of least bending that meets every demand: a least-distance problem, solved as non-negative least squares
(Lawson and Hanson 1974, ch. 23). Only what lies above the planted height is changed ([walk] 5.2 would raise
planted feet as well).
"""

from __future__ import annotations

from functools import cache

import numpy as np
from jaxtyping import Float

from footfall.models.walkedit.cycle import WalkCycle
from footfall.models.walkedit.foot_way import FootWay, foot_way
from footfall.models.walkedit.soles import Sole
from footfall.models.walkedit.steps import Footprints
from footfall.world.terrain import Ground

MOMENTS = 64  # at which a swing is held against the ground, the middle among them
BUMPS = 7
MARGIN = 0.006  # m that a sole keeps over the ground in mid-swing
LOOK_DOWN = 0.6  # m over a foot from where its ground is looked for
EXACT = 1e-9

Lifts = Float[np.ndarray, "prints bumps"]  # of the swing that arrives at each print


def bumps(share: Float[np.ndarray, "n"]) -> Float[np.ndarray, "n bumps"]:
    """Bernstein polynomials that vanish with their rate at both ends."""
    from scipy.special import comb

    degree = BUMPS + 3
    k = np.arange(2, 2 + BUMPS)
    u = np.clip(share, 0.0, 1.0)[:, None]
    return comb(degree, k) * u**k * (1.0 - u) ** (degree - k)


@cache
def _moments() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Shares of a swing, the bumps there, and what turns coefficients into bending."""
    share = np.arange(1, MOMENTS) / MOMENTS
    fine = np.linspace(0.0, 1.0, 401)
    second = np.diff(bumps(fine), n=2, axis=0) * 400.0**2
    bending = np.linalg.cholesky(second.T @ second / 400.0 + 1e-6 * np.eye(BUMPS))
    return share, bumps(share), np.linalg.inv(bending).T


def swing_lifts(
    cycle: WalkCycle, prints: Footprints, level: Ground
) -> tuple[Lifts, Float[np.ndarray, "prints"]]:
    """Coefficients of the bumps for the swing that arrives at each print, and the lift each then has."""
    lifts = np.zeros((len(prints), BUMPS))
    given = np.full(len(prints), np.nan)
    share, shapes, easy = _moments()
    for side, foot in cycle.feet.items():
        own = np.arange(len(prints))[prints.own(side)]
        if len(own) < 2:
            continue
        numbers = own[:-1] + prints.offset
        start = numbers // 2 + cycle.strike_phase(side)
        phase = start[:, None] + foot.off + share * (1.0 - foot.off)
        way = foot_way(foot, prints, phase.ravel(), cycle.strike_phase(side))
        over = clearance(Sole.of(cycle.skeleton, side), way, level).reshape(len(start), -1)
        for row, k in zip(over, own[1:], strict=True):
            lifts[k], given[k] = _least_lifts(row, float(prints.lifts[k]), share, shapes, easy)
    return lifts, given


def clearance(sole: Sole, way: FootWay, level: Ground) -> Float[np.ndarray, "n"]:
    """How far the lowest place of a sole is over the ground under it."""
    points = along_sole(sole.points(way.ankle, way.turn, way.toe))
    x, y, z = np.moveaxis(points, -1, 0)
    return (y - level.height(x, z, y + LOOK_DOWN)).min(axis=-1)


def along_sole(points: Float[np.ndarray, "n 4 3"]) -> Float[np.ndarray, "n 8 3"]:
    """The sole's points and places between them: an edge may poke where no point is."""
    heel, _, ball, tip = (points[:, i : i + 1] for i in range(4))
    between = [heel + s * (ball - heel) for s in (0.25, 0.5, 0.75)]
    return np.concatenate([points, *between, 0.5 * (ball + tip)], axis=1)


def _least_lifts(
    over: Float[np.ndarray, "moments"],
    asked: float,
    share: Float[np.ndarray, "moments"],
    shapes: Float[np.ndarray, "moments bumps"],
    easy: Float[np.ndarray, "bumps bumps"],
) -> tuple[Float[np.ndarray, "bumps"], float]:
    """The lifts of one swing, and what its clearance at mid-swing then is.

    Near its ends a swing is where its prints have it: what is under ground there no bump can raise.
    """
    middle = MOMENTS // 2 - 1
    margin = np.minimum(MARGIN, 0.5 * np.maximum(over, 0.0)) * smooth_ends(share)
    # an edge may lie between two moments: each counts with its neighbours
    lowest = over.copy()
    lowest[1:-1] = np.minimum(np.minimum(over[:-2], over[2:]), over[1:-1])
    short = np.where(lowest < 0.0, MARGIN * smooth_ends(share), margin) - lowest
    useful = (share > 0.06) & (share < 0.94)
    if np.isnan(asked):
        if (short[useful] <= 0.0).all():
            return np.zeros(BUMPS), float(over[middle])
        found = least_bending(shapes[useful] @ easy, short[useful])
    else:
        exact = np.stack([shapes[middle], -shapes[middle]]) @ easy
        wish = (asked - over[middle]) * np.array([1.0, -1.0])
        rows, least = np.concatenate([shapes[useful] @ easy, exact]), np.concatenate([short[useful], wish])
        found = least_bending(rows, least)
        if found is None:  # the ground asks for more than was asked for
            found = least_bending(rows[:-1], least[:-1])
    lifts = np.zeros(BUMPS) if found is None else easy @ found
    return lifts, float(over[middle] + shapes[middle] @ lifts)


def smooth_ends(share: Float[np.ndarray, "n"]) -> Float[np.ndarray, "n"]:
    return np.minimum(1.0, 16.0 * share**2 * (1.0 - share) ** 2 / 0.3)


def least_bending(
    rows: Float[np.ndarray, "demands n"], least: Float[np.ndarray, "demands"]
) -> Float[np.ndarray, "n"] | None:
    """The shortest x with rows @ x >= least; None where there is none."""
    from scipy.optimize import nnls

    size = rows.shape[1]
    system = np.concatenate([rows.T, least[None]])
    target = np.zeros(size + 1)
    target[-1] = 1.0
    dual = nnls(system, target)[0]
    rest = system @ dual - target
    return None if rest[-1] > -1e-10 else -rest[:size] / rest[-1]
