"""A swing raised over what lies in its way: a sum of bumps that vanish with their rate at both ends.

Of all that meet every demand the one of least bending is taken: a least-distance problem, solved as
non-negative least squares (Lawson and Hanson 1974, ch. 23).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from jaxtyping import Bool, Float

from footfall.geometry.decisions import clearly_less

MOMENTS = 48  # at which a swing is held against the ground
BUMPS = 9
LEAPS, LEAPING = 60.0, 2.5  # bending (m^2), and times what the ground needs: more is a leap
MARGIN = 0.006  # m that a sole keeps over the ground in mid-swing
SLIGHT = 0.0005  # m under the ground that nobody lifts a foot for
EDGE = 0.004  # m by which the ground changes unlike a slope where there is an edge
PARTS = (3, 7)  # places looked at on the way from one moment to the next, on our ground and on any other
THIN = 0.008  # m that is kept over a wall between two moments
STILL = 1e-3  # m: a sole that moves less between two moments tells nothing of a slope

Places = Float[np.ndarray, "swings moments points"]


def bumps(share: Float[np.ndarray, "n"]) -> Float[np.ndarray, "n bumps"]:
    """Bernstein polynomials that vanish with their rate at both ends."""
    from scipy.special import comb

    degree = BUMPS + 3
    k = np.arange(2, 2 + BUMPS)
    u = np.clip(share, 0.0, 1.0)[:, None]
    return comb(degree, k) * u**k * (1.0 - u) ** (degree - k)


@cache
def moments() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Shares of a swing, the bumps there, and what turns coefficients into bending."""
    share = np.arange(1, MOMENTS) / MOMENTS
    fine = np.linspace(0.0, 1.0, 401)
    second = np.diff(bumps(fine), n=2, axis=0) * 400.0**2
    bending = np.linalg.cholesky(second.T @ second / 400.0 + 1e-6 * np.eye(BUMPS))
    return share, bumps(share), np.linalg.inv(bending).T


def held_between(
    points: Float[np.ndarray, "swings moments points 3"],
    under: Float[np.ndarray, "swings moments points"],
    beneath: Callable[[Places, Places], Places],
    *,
    ours: bool,
    parts: int = PARTS[1],
) -> Float[np.ndarray, "swings moments"]:
    """How far a sole is over the ground at and around each moment.

    An edge may lie between two moments: there the lower height counts, and the higher ground. So swings are
    held against the ground between their moments as well, at so many `parts` of the way.
    """
    y = points[..., 1]
    low, high = y.copy(), under.copy()
    edge = edges_in(points, under)
    # what belongs to a walk's parameters has no thin walls: only swings that cross an edge are looked at
    rough = np.flatnonzero(edge.any(axis=(1, 2))) if ours else np.arange(len(edge))
    ridge = np.full(edge.shape, -np.inf)
    if len(rough):
        count = (PARTS[0] if ours else parts) + 1
        for part in np.arange(1, count) / count:
            between = points[:, :-1] + part * np.diff(points, axis=1)
            found = beneath(between[..., 0], between[..., 2])
            ridge[rough] = np.maximum(ridge[rough], found[rough])
        higher = ridge > np.maximum(under[:, :-1], under[:, 1:]) + EDGE
        edge |= higher
        # what is so thin is passed by places of the sole that are looked at neither then nor there
        ridge[higher] += THIN
    for a, b in ((slice(None, -1), slice(1, None)), (slice(1, None), slice(None, -1))):
        low[:, a] = np.where(edge, np.minimum(low[:, a], y[:, b]), low[:, a])
        high[:, a] = np.where(edge, np.maximum(np.maximum(high[:, a], under[:, b]), ridge), high[:, a])
    return (low - high).min(axis=-1)


def edges_in(
    points: Float[np.ndarray, "swings moments points 3"], under: Float[np.ndarray, "swings moments points"]
) -> Bool[np.ndarray, "swings moments-1 points"]:
    """Where ground changes between two moments as it does neither before nor after: slopes are no edges."""
    moved = np.linalg.norm(np.diff(points[..., [0, 2]], axis=1), axis=-1)
    change = np.diff(under, axis=1)
    grade = np.where(moved > STILL, change / np.maximum(moved, STILL), 0.0)
    before = np.abs(change - np.concatenate([grade[:, 1:2], grade[:, :-1]], axis=1) * moved)
    after = np.abs(change - np.concatenate([grade[:, 1:], grade[:, -2:-1]], axis=1) * moved)
    return np.minimum(before, after) > EDGE


def along_sole(points: Float[np.ndarray, "n 4 3"]) -> Float[np.ndarray, "n 8 3"]:
    """The sole's points and places between them: an edge may poke where no point is."""
    heel, _, ball, tip = (points[:, i : i + 1] for i in range(4))
    between = [heel + s * (ball - heel) for s in (0.25, 0.5, 0.75)]
    return np.concatenate([points, *between, 0.5 * (ball + tip)], axis=1)


def least_lifts(
    over: Float[np.ndarray, "moments+1"], sure: Float[np.ndarray, "moments"], asked: float, halfway: float
) -> tuple[Float[np.ndarray, "bumps"], float, float]:
    """The lifts of one swing, what its clearance at mid-swing then is, and how much it is bent.

    Near its ends a swing is where its prints have it: what is under ground there no bump can raise. A sole
    that is over the ground, though by less than the margin, keeps what it has: people do come as near.
    """
    share, shapes, easy = moments()
    middle, over = float(over[-1]), over[:-1]
    shape = bumps(np.array([halfway]))[0]
    margin = MARGIN * smooth_ends(share)
    # all of the margin over an edge; over even ground as much of it as the foot is deep
    deep = np.where(clearly_less(sure, over), 1.0, np.clip(-sure / MARGIN, 0.0, 1.0))
    short = np.where(sure < 0.0, deep * margin, np.minimum(margin, 0.5 * sure)) - sure
    useful = (share > 0.04) & (share < 0.96)
    rows, least = shapes[useful] @ easy, short[useful]
    if np.isnan(asked):
        if (least <= SLIGHT).all():
            return np.zeros(BUMPS), middle, 0.0
        found = least_bending(rows, least)
    else:
        exact = np.stack([shape, -shape]) @ easy
        wish = (asked - middle) * np.array([1.0, -1.0])
        rows, least = np.concatenate([rows, exact]), np.concatenate([least, wish])
        found = least_bending(rows, least)
        # the ground may ask for more, or leave what is asked only to a foot that leaps before and after
        if found is None or found @ found > LEAPS:
            easier = least_bending(rows[:-1], least[:-1])
            if easier is not None and (found is None or found @ found > LEAPING * (easier @ easier)):
                found = easier
    if found is None:
        return np.zeros(BUMPS), middle, np.inf
    lifts = easy @ found
    return lifts, float(middle + shape @ lifts), float(found @ found)


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
    return None if rest[-1] > -1e-13 else -rest[:size] / rest[-1]
