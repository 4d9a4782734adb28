"""The k nearest points, weighed by inverse distance ([body] 5.1; Kovar and Gleicher 2004).

A point at the distance d counts 1/d - 1/d_(k+1), where d_(k+1) is that of the next point after the k: it has
no weight left when another point takes its place, so that weights are continuous. At a known point they are
that point's, exactly. Distances alone decide: as points get denser the map gets exact, and nothing is solved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from jaxtyping import Float, Int

from footfall.errors import RequestError
from footfall.figure.frozen import frozen_array
from footfall.weights.scheme import KnownWeights, Points, Queries, Weights, checked_queries

NEIGHBOURS = 4  # k, [body] 5.1
AT_A_POINT = 1e-12  # metric: no farther is at it
EQUAL = 1e-6  # of the farthest distance: neighbours that differ by no more are all as far


@dataclass(frozen=True, eq=False)
class Nearest:
    """Weights of the nearest points, each of which knows a row of weights over the examples."""

    points: Points
    known: KnownWeights
    neighbours: int = NEIGHBOURS

    def __post_init__(self) -> None:
        points = frozen_array(self.points, "points", shape=(None, None))
        known = frozen_array(self.known, "known weights", shape=(len(points), None))
        if len(points) == 0 or points.shape[1] == 0 or known.shape[1] == 0:
            raise RequestError("weights need at least one point, parameter and example")
        if not isinstance(self.neighbours, int) or isinstance(self.neighbours, bool) or self.neighbours < 1:
            raise RequestError(f"neighbours must be a whole number from 1 on, not {self.neighbours!r:.40}")
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "known", known)

    @property
    def convex(self) -> bool:
        return bool((self.known >= 0.0).all())

    @property
    def continuous(self) -> bool:
        return True

    @property
    def examples(self) -> int:
        return self.known.shape[1]

    @property
    def dims(self) -> int:
        return self.points.shape[1]

    @cached_property
    def tree(self) -> Any:
        """SciPy's k-d tree over the points."""
        from scipy.spatial import cKDTree

        return cKDTree(self.points)

    @cached_property
    def compiled(self) -> tuple[Callable[..., None], tuple[Any, ...]]:
        """A kernel for one query, and what it reads before the query and the row it fills."""
        from footfall.weights.nearest_kernel import nearest_weights, tree_of

        return nearest_weights, (*tree_of(self.points), self.known, self._asked)

    @property
    def _asked(self) -> int:
        """Neighbours and the one after them; there may be fewer points."""
        return min(self.neighbours + 1, len(self.points))

    def __call__(self, queries: Queries) -> Weights:
        asked = checked_queries(queries, self.dims)
        rows = asked.reshape(-1, self.dims)
        if len(self.points) == 1 or not len(rows):
            return np.broadcast_to(self.known[0], (*asked.shape[:-1], self.examples)).copy()
        away, at = self.tree.query(rows, k=self._asked)
        found = np.einsum("qk,qke->qe", shares_of(away), self.known[at[:, :-1]])
        exact = away[:, 0] <= AT_A_POINT
        found[exact] = self.known[at[exact, 0]]
        return found.reshape(*asked.shape[:-1], self.examples)

    def nearest(self, query: Float[np.ndarray, "dims"]) -> tuple[Int[np.ndarray, "k"], np.ndarray]:
        """Which points count at a query, and how much."""
        away, at = self.tree.query(checked_queries(query, self.dims), k=[*range(1, self._asked + 1)])
        if len(self.points) == 1:
            return at, np.ones(1)
        shares = shares_of(away[None])[0]
        if away[0] <= AT_A_POINT:
            shares = np.eye(len(shares))[0]
        return at[:-1], shares


def shares_of(away: Float[np.ndarray, "q k+1"]) -> Float[np.ndarray, "q k"]:
    """1/d - 1/d_(k+1), summing to one; where all are as far, the same of each."""
    near, last = np.maximum(away[:, :-1], AT_A_POINT), np.maximum(away[:, -1:], AT_A_POINT)
    counts = (last - near) / (near * last)
    total = counts.sum(axis=1, keepdims=True)
    even = np.full(counts.shape, 1.0 / counts.shape[1])
    differ = last - near[:, :1] > EQUAL * last
    return np.where(differ, counts / np.where(differ, total, 1.0), even)
