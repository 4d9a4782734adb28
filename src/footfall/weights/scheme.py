"""What every map from parameters to weights keeps to, whatever it is made of.

A scheme is built from points and the weights that are known there: an example's own weight is one at its own
point, and a pseudo-example knows a whole row. Points and queries are in one metric (`Space.to_metric`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

import numpy as np
from jaxtyping import Float

from footfall.errors import NO_NUMBER, RequestError

LARGEST = 1e9  # metric; no parameter is larger, and squares of distances stay finite

Points = Float[np.ndarray, "points dims"]
KnownWeights = Float[np.ndarray, "points examples"]
Queries = Float[np.ndarray, "*q dims"]
Weights = Float[np.ndarray, "*q examples"]


@runtime_checkable
class WeightScheme(Protocol):
    """Queries to rows of weights over the examples. Every row sums to 1; exact where weights are known."""

    @property
    def convex(self) -> bool:
        """Whether no weight is ever negative."""

    @property
    def continuous(self) -> bool:
        """Whether a small step of the query is a small change of the weights."""

    @property
    def examples(self) -> int:
        """How many examples are weighed."""

    @property
    def dims(self) -> int:
        """How many parameters a query has."""

    def __call__(self, queries: Queries) -> Weights:
        """Rows of weights; refuses queries that are not finite or of another length."""


SchemeBuilder = Callable[[Points, KnownWeights], WeightScheme]


def checked_queries(queries: object, dims: int) -> Queries:
    """Queries as a float array, or an error that says what is wrong with them."""
    try:
        asked = np.asarray(queries, dtype=float)
    except NO_NUMBER:
        raise RequestError(f"a query must be {dims} numbers") from None
    if asked.ndim == 0 or asked.shape[-1] != dims:
        raise RequestError(f"a query must be {dims} numbers, but these have shape {asked.shape}")
    if not (np.abs(asked) <= LARGEST).all():
        raise RequestError(f"queries must be finite numbers of at most {LARGEST:g}")
    return asked
