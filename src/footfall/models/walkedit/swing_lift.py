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
from footfall.models.walkedit.foot_way import foot_way
from footfall.models.walkedit.soles import Sole
from footfall.models.walkedit.steps import Footprints
from footfall.world.terrain import Ground

MOMENTS = 64  # at which a swing is held against the ground, the middle among them
BUMPS = 7
MARGIN = 0.006  # m that a sole keeps over the ground in mid-swing
LOOK_DOWN = 0.6  # m over a foot from where its ground is looked for
SLIGHT = 0.0005  # m under the ground that nobody lifts a foot for
EDGE = 0.015  # m between the ground at neighbouring moments: there is an edge

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
    share = _moments()[0]
    for side, foot in cycle.feet.items():
        own = np.arange(len(prints))[prints.own(side)]
        if len(own) < 2:
            continue
        numbers = own[:-1] + prints.offset
        start = numbers // 2 + cycle.strike_phase(side)
        phase = start[:, None] + foot.off + share * (1.0 - foot.off)
        way = foot_way(foot, prints, phase.ravel(), cycle.strike_phase(side))
        points = along_sole(Sole.of(cycle.skeleton, side).points(way.ankle, way.turn, way.toe))
        x, y, z = np.moveaxis(points.reshape(len(start), len(share), -1, 3), -1, 0)
        under = level.height(x, z, y + LOOK_DOWN)
        over, sure = (y - under).min(axis=-1), _between(y, under)
        for row, least, k in zip(over, sure, own[1:], strict=True):
            lifts[k], given[k] = _least_lifts(row, least, float(prints.lifts[k]))
    return lifts, given


def _between(
    y: Float[np.ndarray, "swings moments points"], under: Float[np.ndarray, "swings moments points"]
) -> Float[np.ndarray, "swings moments"]:
    """How far a sole is over the ground at and around each moment.

    An edge may lie between two moments: there the lower height counts, and the higher ground.
    """
    low, high = y.copy(), under.copy()
    for a, b in ((slice(None, -1), slice(1, None)), (slice(1, None), slice(None, -1))):
        edge = np.abs(under[:, a] - under[:, b]) > EDGE
        low[:, a] = np.where(edge, np.minimum(low[:, a], y[:, b]), low[:, a])
        high[:, a] = np.where(edge, np.maximum(high[:, a], under[:, b]), high[:, a])
    return (low - high).min(axis=-1)


def along_sole(points: Float[np.ndarray, "n 4 3"]) -> Float[np.ndarray, "n 8 3"]:
    """The sole's points and places between them: an edge may poke where no point is."""
    heel, _, ball, tip = (points[:, i : i + 1] for i in range(4))
    between = [heel + s * (ball - heel) for s in (0.25, 0.5, 0.75)]
    return np.concatenate([points, *between, 0.5 * (ball + tip)], axis=1)


def _least_lifts(
    over: Float[np.ndarray, "moments"], sure: Float[np.ndarray, "moments"], asked: float
) -> tuple[Float[np.ndarray, "bumps"], float]:
    """The lifts of one swing, and what its clearance at mid-swing then is.

    Near its ends a swing is where its prints have it: what is under ground there no bump can raise. A sole
    that is over the ground, though by less than the margin, keeps what it has: people do come as near.
    """
    share, shapes, easy = _moments()
    middle = MOMENTS // 2 - 1
    margin = MARGIN * smooth_ends(share)
    deep = np.clip(-sure / MARGIN, 0.0, 1.0)
    short = np.where(sure < 0.0, deep * margin, np.minimum(margin, 0.5 * sure)) - sure
    useful = (share > 0.04) & (share < 0.96)
    rows, least = shapes[useful] @ easy, short[useful]
    if np.isnan(asked):
        if (least <= SLIGHT).all():
            return np.zeros(BUMPS), float(over[middle])
        found = least_bending(rows, least)
    else:
        exact = np.stack([shapes[middle], -shapes[middle]]) @ easy
        wish = (asked - over[middle]) * np.array([1.0, -1.0])
        rows, least = np.concatenate([rows, exact]), np.concatenate([least, wish])
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
