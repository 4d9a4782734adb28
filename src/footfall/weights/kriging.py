"""Ordinary kriging with a linear variogram: weights from distances alone ([rings] eq. 3 to 5).

The paper calls it simple kriging, but its system carries the unit-sum row and the Lagrange multiplier of
ordinary kriging; what is written is what is done here. Weights are exact at the points, sum to one everywhere
and may be negative. Far outside they level off: each direction has weights of its own and no trend is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.figure.frozen import frozen_array
from footfall.weights.cardinal_rbf import COINCIDENT, SUM_TOLERANCE
from footfall.weights.scheme import LARGEST, KnownWeights, Points, Queries, Weights, checked_queries

ROWS = 1024  # queries in one go, to bound memory
MOST_POINTS = 2048  # the inverse then takes 34 MB


@dataclass(frozen=True, eq=False)
class Kriging:
    """Rows of weights over the examples, exact at every point.

    `points` (metric) and the `weights` known there; without `weights` each point is an example. A kernel
    needs `points` and `inverse` only: the first rows of inverse (distances to the points, 1) are the weights.
    """

    points: Points
    weights: KnownWeights = None  # type: ignore[assignment]  # identity: each point is an example
    inverse: Float[np.ndarray, "points+1 points+1"] = field(init=False)  # of the bordered distance matrix

    convex = False  # weights may be negative
    continuous = True  # but with a corner at each point

    def __post_init__(self) -> None:
        points, weights = _checked(self.points, self.weights)
        for name, values in (("points", points), ("weights", weights), ("inverse", _inverse(points))):
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
        parts = [self._rows(rows[k : k + ROWS]) for k in range(0, len(rows), ROWS)] or [self._rows(rows)]
        return np.concatenate(parts).reshape(*asked.shape[:-1], self.examples)

    def change(self, from_: Queries, to: Queries) -> Weights:
        """How the weights change from one query to another, which is [rings] eq. 5 without its gain."""
        start, end = checked_queries(from_, self.dims), checked_queries(to, self.dims)
        try:
            start, end = np.broadcast_arrays(start, end)
        except ValueError:
            raise RequestError(f"queries of shapes {start.shape} and {end.shape} do not pair up") from None
        rho = _distances(end, self.points) - _distances(start, self.points)
        return self._to_examples(self._from_distances(rho), 0.0)

    def _rows(self, queries: Float[np.ndarray, "q dims"]) -> Float[np.ndarray, "q examples"]:
        rho = _distances(queries, self.points)
        return self._to_examples(self._from_distances(rho) + self.inverse[:-1, -1], 1.0)

    def _from_distances(self, rho: Float[np.ndarray, "*q points"]) -> Float[np.ndarray, "*q points"]:
        # a distance common to all points moves the multiplier only: without it far queries keep their digits
        return (rho - rho.mean(axis=-1, keepdims=True)) @ self.inverse[:-1, :-1]  # symmetric

    def _to_examples(self, rows: Float[np.ndarray, "*q points"], total: float) -> Weights:
        found = rows @ self.weights
        return found + (total - found.sum(axis=-1, keepdims=True)) / self.examples  # but for rounding

    def __repr__(self) -> str:
        return f"Kriging({self.examples} examples, {len(self.points)} points, {self.dims} parameters)"


def _distances(
    queries: Float[np.ndarray, "*q dims"], points: Float[np.ndarray, "points dims"]
) -> Float[np.ndarray, "*q points"]:
    away = queries[..., None, :] - points
    return np.sqrt(np.einsum("...pd,...pd->...p", away, away))


def _inverse(points: Points) -> Float[np.ndarray, "points+1 points+1"]:
    """Of (P, 1; 1, 0) with P the distances between points ([rings] eq. 4); it exists if none coincide."""
    count = len(points)
    apart = _distances(points, points)
    _refuse_coincident(apart)
    # distances in units of their mean: then 1 and P are of a size, and the solution keeps its digits
    unit = float(apart.mean()) or 1.0
    bordered = np.ones((count + 1, count + 1))
    bordered[:count, :count] = apart / unit
    bordered[count, count] = 0.0
    try:
        inverse = np.linalg.inv(bordered)
        inverse += inverse @ (np.eye(count + 1) - bordered @ inverse)  # one refinement
    except np.linalg.LinAlgError:
        raise RequestError(f"these {count} points are too near to each other to be told apart") from None
    inverse = 0.5 * (inverse + inverse.T)
    inverse[:count, :count] /= unit
    inverse[count, count] *= unit
    return inverse


def _refuse_coincident(apart: Float[np.ndarray, "points points"]) -> None:
    others = apart + np.diag(np.full(len(apart), np.inf))
    first, second = divmod(int(np.argmin(others)), len(apart))
    if others[first, second] < COINCIDENT:
        raise RequestError(
            f"points {first} and {second} (counted from 0) coincide: {others[first, second]:.2g} apart, "
            f"where {COINCIDENT:g} is the least; drop one of them"
        )


def _checked(points: object, weights: object) -> tuple[Points, KnownWeights]:
    places = frozen_array(points, "points")
    if places.ndim != 2 or 0 in places.shape:
        raise RequestError(f"points must be rows of parameters, not an array of shape {places.shape}")
    if np.abs(places).max() > LARGEST:
        raise RequestError(f"points must be finite numbers of at most {LARGEST:g}")
    if len(places) > MOST_POINTS:
        raise RequestError(f"kriging takes at most {MOST_POINTS} points, but there are {len(places)}")
    known = frozen_array(np.eye(len(places)) if weights is None else weights, "weights")
    if known.ndim != 2 or len(known) != len(places) or known.shape[1] == 0:
        raise RequestError(f"{len(places)} points need as many rows of weights, not shape {known.shape}")
    missing = 1.0 - known.sum(axis=1)
    if np.abs(missing).max() > SUM_TOLERANCE:
        row = int(np.abs(missing).argmax())
        raise RequestError(f"row {row} of the weights (from 0) sums to {known[row].sum():.6g}, not to 1")
    return places, known
