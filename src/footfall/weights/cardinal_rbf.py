"""Weights as a hyperplane plus radial corrections: [movements] 4, after Rose, Sloan and Cohen 2001.

Each example's weight function is a hyperplane fitted by least squares to the weights known at all points,
plus one cubic B-spline bump a point that takes up what the hyperplane misses there. A bump ends at twice the
distance to the nearest other example: far outside only the hyperplane is left, extrapolating without end.

A pseudo-example's bump ends at twice the distance to the nearest point before it, and narrows no bump that is
there already. Were all bumps narrowed by every new point, each addition would lay bare what its neighbours
had covered: a jump's ten pseudo-examples then take away 41 % of the worst error, and 94 % as it is here.

Where the points do not span, the hyperplane is the flattest one: level in the directions no point differs in.
That is the minimum norm about the points' mean (not about the origin), so moving all points changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.figure.frozen import frozen_array
from footfall.weights.scheme import LARGEST, KnownWeights, Points, Queries, Weights, checked_queries

SUPPORT = 2.0  # a bump's radius in distances to the nearest other example
COINCIDENT = 1e-6  # metric; nearer points are one point with two opinions
SUM_TOLERANCE = 1e-9  # by how much a known row of weights may miss 1
EXACTNESS = 1e-10  # by how much a weight may miss what is known at a point
LEVEL = 1e-6  # of the widest direction's spread: in one no wider the points do not differ
REFINEMENTS = 2  # steps of iterative refinement of the radial part
ROWS = 4096  # queries in one go, to bound memory


@dataclass(frozen=True, eq=False)
class CardinalRBF:
    """Rows of weights over the examples, exact at every point.

    `points` (metric) and the `weights` known there: the examples first, then the pseudo-examples. Without
    `weights` each point is an example. The fields are all that a kernel needs:
    w(q) = (1, q) linear + sum over points of bump(2 |q - point| / radius) radial.
    """

    points: Points
    weights: KnownWeights = None  # type: ignore[assignment]  # identity: each point is an example
    radii: Float[np.ndarray, " points"] = field(init=False)  # metric; where each bump ends
    linear: Float[np.ndarray, "1+dims examples"] = field(init=False)  # first row: the value at the origin
    radial: Float[np.ndarray, "points examples"] = field(init=False)

    convex = False  # weights may be negative
    continuous = True  # twice differentiable

    def __post_init__(self) -> None:
        points, weights = _checked(self.points, self.weights)
        radii = SUPPORT * _nearest_distances(points, weights.shape[1])
        linear = _hyperplanes(points, weights)
        radial = _corrections(points, weights, radii, linear)
        for name, values in (
            ("points", points),
            ("weights", weights),
            ("radii", radii),
            ("linear", linear),
            ("radial", radial),
        ):
            object.__setattr__(self, name, frozen_array(np.ascontiguousarray(values), name))

    @property
    def examples(self) -> int:
        return self.weights.shape[1]

    @property
    def dims(self) -> int:
        return self.points.shape[1]

    def __call__(self, queries: Queries) -> Weights:
        asked = checked_queries(queries, self.dims)
        rows = asked.reshape(-1, self.dims)
        if len(rows) <= ROWS:
            found = self._rows(rows)
        else:
            found = np.concatenate([self._rows(rows[k : k + ROWS]) for k in range(0, len(rows), ROWS)])
        return found.reshape(*asked.shape[:-1], self.examples)

    def _rows(self, queries: Float[np.ndarray, "q dims"]) -> Float[np.ndarray, "q examples"]:
        bumps = bump(_distances(queries, self.points) * (2.0 / self.radii))
        return self.linear[0] + queries @ self.linear[1:] + bumps @ self.radial

    def jacobian(self, query: Queries) -> Float[np.ndarray, "*q examples dims"]:
        """How the weights change with the query: derivative of weight i by parameter k at [..., i, k]."""
        asked = checked_queries(query, self.dims)
        away = asked[..., None, :] - self.points
        scale = 2.0 / self.radii
        slopes = bump_slope_over(np.sqrt(np.square(away).sum(axis=-1)) * scale) * scale**2
        towards = (slopes[..., None] * away).swapaxes(-1, -2)
        return (self.linear[1:] + towards @ self.radial).swapaxes(-1, -2)

    def __repr__(self) -> str:
        return f"CardinalRBF({self.examples} examples, {len(self.points)} points, {self.dims} parameters)"


def bump(u: Float[np.ndarray, "*n"]) -> Float[np.ndarray, "*n"]:
    """The cubic B-spline about 0 with knots at -2, -1, 0, 1, 2, for u >= 0."""
    outer = np.maximum(2.0 - u, 0.0)
    inner = np.maximum(1.0 - u, 0.0)
    return (outer * outer * outer - 4.0 * (inner * inner * inner)) / 6.0


def bump_slope_over(u: Float[np.ndarray, "*n"]) -> Float[np.ndarray, "*n"]:
    """bump'(u) / u for u >= 0: finite at 0, so a gradient needs no unit vector there."""
    outside = np.maximum(2.0 - u, 0.0)
    return np.where(u < 1.0, 1.5 * u - 2.0, -0.5 * outside * outside / np.maximum(u, 1.0))


def _distances(queries: np.ndarray, points: np.ndarray) -> np.ndarray:
    away = queries[:, None, :] - points
    return np.sqrt(np.einsum("qpd,qpd->qp", away, away))


def _nearest_distances(points: np.ndarray, examples: int) -> np.ndarray:
    """From each example to the nearest other, from each pseudo-example to the nearest point before it."""
    apart = _distances(points, points)
    np.fill_diagonal(apart, np.inf)
    first, second = divmod(int(np.argmin(apart)), len(points))
    if apart[first, second] < COINCIDENT:
        raise RequestError(
            f"points {first} and {second} (counted from 0) coincide: {apart[first, second]:.2g} apart, "
            f"where {COINCIDENT:g} is the least; drop one of them"
        )
    later = np.triu(np.ones(apart.shape, dtype=bool))
    later[:examples, :examples] = False
    return np.where(later, np.inf, apart).min(axis=1)


def _hyperplanes(points: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Least squares about the mean, where value and slope are apart; the slopes of minimum norm."""
    centre = points.mean(axis=0)
    slopes = np.linalg.lstsq(points - centre, weights - weights.mean(axis=0), rcond=LEVEL)[0]
    slopes -= slopes.mean(axis=1, keepdims=True)  # they sum to zero but for rounding: far outside that counts
    level = weights.mean(axis=0) - centre @ slopes
    return np.vstack([level + (1.0 - level.sum()) / len(level), slopes])


def _corrections(
    points: np.ndarray, weights: np.ndarray, radii: np.ndarray, linear: np.ndarray
) -> np.ndarray:
    """What each bump carries, so that all of them together close the gap at every point."""
    bumps = bump(_distances(points, points) * (2.0 / radii))
    gap = weights - (linear[0] + points @ linear[1:])
    radial = np.zeros_like(gap)
    try:
        for _ in range(1 + REFINEMENTS):
            radial += np.linalg.solve(bumps, gap - bumps @ radial)
            radial -= radial.mean(axis=1, keepdims=True)  # zero but for rounding
        missed = float(np.abs(gap - bumps @ radial).max())
    except np.linalg.LinAlgError:
        missed = np.inf
    if not missed <= EXACTNESS:
        raise RequestError(
            f"the bumps of these {len(points)} points cannot be told apart (condition "
            f"{np.linalg.cond(bumps):.1g}), so no weights are exact at all of them; move or drop a point"
        )
    return radial


def _checked(points: object, weights: object) -> tuple[np.ndarray, np.ndarray]:
    places = frozen_array(points, "points")
    if places.ndim != 2 or places.shape[1] == 0:
        raise RequestError(f"points must be rows of parameters, not an array of shape {places.shape}")
    if np.abs(places).max(initial=0.0) > LARGEST:
        raise RequestError(f"points must be finite numbers of at most {LARGEST:g}")
    known = frozen_array(np.eye(len(places)) if weights is None else weights, "weights")
    if known.ndim != 2 or len(known) != len(places):
        raise RequestError(f"{len(places)} points need as many rows of weights, not shape {known.shape}")
    examples, dims = known.shape[1], places.shape[1]
    if examples < dims + 2:
        raise RequestError(
            f"weights over {dims} parameter{'s' if dims > 1 else ''} need at least {dims + 2} examples, "
            f"but there are {examples}"
        )
    if len(places) < examples:
        raise RequestError(f"{examples} examples need a point each, but there are {len(places)} points")
    missing = 1.0 - known.sum(axis=1, keepdims=True)
    if np.abs(missing).max() > SUM_TOLERANCE:
        row = int(np.abs(missing).argmax())
        raise RequestError(f"row {row} of the weights (from 0) sums to {known[row].sum():.6g}, not to 1")
    return places, known + missing / examples
