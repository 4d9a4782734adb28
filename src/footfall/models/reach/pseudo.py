"""Pseudo-examples of a reach: places between the examples, and weights whose blend leads there.

First at random ([body] 5.1; Kovar and Gleicher 2004): weights drawn over examples near each other, and the
place where the blend really puts the hand. Those lie where blends of near examples lead by themselves, which
is on a shell about the body; into the gaps that stay, weights are searched: from those that the set knows
nearby, steps of Gauss and Newton that turn to near examples first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.geometry.decisions import cell_of, clearly_less, order_of
from footfall.models.reach.reach_set import ReachSet
from footfall.weights.hull import Hull

SPACING = 0.05  # m: no pseudo-example is nearer to another point
MOST = 2000  # of them
AT_RANDOM = 3000  # blends that are drawn
NEAR, FEWEST = 6, 2  # examples near each other that are blended, and how many at least
BEYOND = 0.15  # weights go so far below 0 and above 1
AROUND = 0.08  # m: kept too when so near to the hull
PLACES = 3000  # in the hull, where gaps are looked for
SEARCHES = 3  # rounds of filling gaps; each starts from what the last has found
STEPS = 8
CLOSE = 0.004  # m: a search that comes so near is done
DIFFERENCE = 1e-4
ALIKE, EXTRAPOLATES = 0.001, 0.01  # m, of the sum of weights' sizes: cells in which searches are as good
LOCAL = 0.15  # m: examples count less the farther they are beyond about this
DAMPED = 1e-3  # m
LONGEST = 0.15  # m of one step
JUDGED = 1000  # places at which errors are told

Progress = Callable[[str, float], None]


@dataclass(frozen=True)
class Filled:
    """A set with pseudo-examples, and the median error before, with those at random, and in the end; m."""

    set: ReachSet
    errors: tuple[float, float, float]


def filled(own: ReachSet, *, seed: int = 0, progress: Progress | None = None) -> Filled:
    """The set with pseudo-examples all over its hull; the same seed gives the same."""
    rng = np.random.default_rng(seed)
    count = len(own.examples)
    if count < 2:
        return Filled(own, (0.0, 0.0, 0.0))
    hull = Hull(own.points)
    judged = hull.sample(JUDGED, np.random.default_rng([seed, 1]))
    known = _Known(own)
    errors = [_median(known.set, judged)]
    _at_random(known, hull, rng)
    errors.append(_median(known.set, judged))
    for turn in range(SEARCHES):
        if progress is not None:
            progress(f"{len(known.points)} pseudo-examples, {100 * errors[-1]:.1f} cm", turn / SEARCHES)
        _into_gaps(known, hull.sample(PLACES, rng))
    errors.append(_median(known.set, judged))
    return Filled(known.set, (errors[0], errors[1], errors[2]))


def _median(own: ReachSet, places: Float[np.ndarray, "q 3"]) -> float:
    return float(np.median(own.misses(places)))


class _Known:
    """Pseudo-examples so far; none is taken that is near to a point that is known."""

    def __init__(self, own: ReachSet) -> None:
        self.bare = own
        self.points: list[np.ndarray] = []
        self.weights: list[np.ndarray] = []

    @property
    def set(self) -> ReachSet:
        return self.bare.with_pseudo_examples(
            np.reshape(self.points, (-1, 3)), np.reshape(self.weights, (-1, len(self.bare.examples)))
        )

    def take(self, points: Float[np.ndarray, "q 3"], weights: Float[np.ndarray, "q n"]) -> None:
        """Takes those that lie apart, one after the other."""
        have = np.empty((len(self.bare.points) + len(self.points) + len(points), 3))
        count = len(self.bare.points) + len(self.points)
        have[:count] = np.vstack([self.bare.points, np.reshape(self.points, (-1, 3))])
        for point, row in zip(points, weights, strict=True):
            if len(self.points) >= MOST:
                return
            if np.square(have[:count] - point).sum(axis=1).min() >= SPACING**2:
                have[count] = point
                count += 1
                self.points.append(point)
                self.weights.append(row)


def _at_random(known: _Known, hull: Hull, rng: np.random.Generator) -> None:
    """Blends of examples near each other, wherever they lead ([body] 5.1)."""
    own = known.bare
    count = len(own.examples)
    away = np.linalg.norm(own.points[:, None] - own.points, axis=-1)
    # reaches of both hands lie on a grid: neighbours to the left and the right are as far
    near = np.stack([order_of(row) for row in away])[:, : min(NEAR, count)]
    weights = np.zeros((AT_RANDOM, count))
    for row in weights:
        group = near[rng.integers(count)]
        chosen = rng.choice(group, rng.integers(FEWEST, len(group) + 1), replace=False)
        share = rng.dirichlet(np.ones(len(chosen)))
        row[chosen] = share + BEYOND * (share - 1.0 / len(chosen))
    points = own.apexes(weights)
    inside = hull.contains(points)
    for k in np.flatnonzero(~inside):
        inside[k] = np.linalg.norm(hull.nearest(points[k]) - points[k]) <= AROUND
    known.take(points[inside], weights[inside])


def _into_gaps(known: _Known, places: Float[np.ndarray, "q 3"]) -> None:
    """Weights searched for places that are far from all points."""
    own = known.set
    gaps = places[own.scheme.tree.query(places)[0] >= SPACING]
    if not len(gaps):
        return
    weights, missed = _searched(own, gaps)
    beyond = np.abs(weights).sum(axis=1)  # 1 within the examples
    # thousands lie close, some differ by rounding: of those the ones that extrapolate least are taken first
    order = np.lexsort((cell_of(beyond, EXTRAPOLATES), cell_of(missed, ALIKE)))
    order = order[~clearly_less(SPACING, missed[order])]
    known.take(own.apexes(weights[order]), weights[order])


def _searched(
    own: ReachSet, places: Float[np.ndarray, "q 3"]
) -> tuple[Float[np.ndarray, "q n"], Float[np.ndarray, "q"]]:
    """Weights whose blends come nearest to places, and by how much they miss them."""
    count = len(own.examples)
    best = own.scheme(places)
    missed = places - own.apexes(best)
    local = 1.0 / (np.square(places[:, None] - own.points).sum(axis=-1) + LOCAL**2)
    local /= local.max(axis=1, keepdims=True)
    for _ in range(STEPS):
        open_ = np.flatnonzero(np.linalg.norm(missed, axis=1) > CLOSE)
        if not len(open_):
            break
        tried = _stepped(own, best[open_], missed[open_], local[open_])
        error = places[open_] - own.apexes(tried)
        inside = (tried >= -BEYOND).all(axis=1) & (tried <= 1.0 + BEYOND).all(axis=1)
        better = inside & (np.linalg.norm(error, axis=1) < np.linalg.norm(missed[open_], axis=1))
        best[open_[better]], missed[open_[better]] = tried[better], error[better]
        if not better.any():
            break
    assert best.shape[1] == count
    return best, np.linalg.norm(missed, axis=1)


def _stepped(
    own: ReachSet,
    weights: Float[np.ndarray, "q n"],
    missed: Float[np.ndarray, "q 3"],
    local: Float[np.ndarray, "q n"],
) -> Float[np.ndarray, "q n"]:
    """One step: the least change of the weights, near examples' cheapest, that should make up what is missed.

    Weights that stand at their bounds and would go beyond are left there.
    """
    rows, count = weights.shape
    at = own.apexes(weights)
    bumped = own.apexes((weights[:, None] + DIFFERENCE * np.eye(count)).reshape(-1, count))
    slopes = (bumped.reshape(rows, count, 3) - at[:, None]) / DIFFERENCE
    told = np.concatenate([slopes, np.ones((rows, count, 1))], axis=-1)  # and the sum stays
    length = np.linalg.norm(missed, axis=1, keepdims=True)
    wanted = np.concatenate([missed * np.minimum(1.0, LONGEST / length), np.zeros((rows, 1))], axis=1)
    free = local.copy()
    for _ in range(3):
        square = np.einsum("qna,qn,qnb->qab", told, free, told) + DAMPED**2 * np.eye(4)
        change = free * np.einsum("qna,qa->qn", told, np.linalg.solve(square, wanted[..., None])[..., 0])
        ahead = weights + change
        shut = (ahead < -BEYOND) | (ahead > 1.0 + BEYOND)
        if not shut.any():
            break
        free = np.where(shut, 0.0, free)
    ahead = np.clip(weights + change, -BEYOND, 1.0 + BEYOND)
    return ahead / ahead.sum(axis=1, keepdims=True)
