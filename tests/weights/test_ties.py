"""Searches of the error that begin, or go on, at several places as good take the first."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from footfall.weights.error_search import ErrorSearch

pytestmark = pytest.mark.cpu
OFF = 1e-9


def search(misses: Any, places: np.ndarray) -> ErrorSearch:
    """One whose descents have no slope to go by: they stay where they begin."""
    blends: Any = SimpleNamespace(
        misses=lambda _, at, wanted: misses(np.atleast_2d(at)),
        jacobians=lambda _, at: np.full((len(at), at.shape[1], at.shape[1]), np.nan),
    )
    volume: Any = None
    return ErrorSearch(blends, volume, places, usual=1.0)


@pytest.mark.parametrize("seed", range(10))
def test_of_samples_as_near_the_first_is_begun_at(seed: int) -> None:
    rng = np.random.default_rng(seed)
    places = np.array([[2.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])

    def misses(at: np.ndarray) -> np.ndarray:
        """As near on a circle, 20 times as far in its middle."""
        away = np.abs(np.linalg.norm(at, axis=1) - 1.0) + 0.05
        return away[:, None] * (1.0 + OFF * rng.uniform(-1.0, 1.0, (len(at), 1)))

    scheme: Any = None
    found = search(misses, places).settled(scheme, np.zeros(2))
    assert found is not None
    assert found[0].tolist() == [1.0, 0.0]


@pytest.mark.parametrize("seed", range(10))
def test_of_steps_as_good_the_longest_is_taken(seed: int) -> None:
    """At the volume's edge steps of several lengths end at one place."""
    rng = np.random.default_rng(seed)
    visited: list[np.ndarray] = []

    def misses(at: np.ndarray) -> np.ndarray:
        visited.append(at)
        away = np.where(np.abs(at[:, :1]) > 0.01, 0.5, 1.0)
        return away * (1.0 + OFF * rng.uniform(-1.0, 1.0, away.shape))

    own = search(misses, np.zeros((1, 1)))
    own.blends.jacobians = lambda _, at: np.full((len(at), 1, 1), -10.0)  # type: ignore[method-assign,misc]
    scheme: Any = None
    place, _ = own._descended(scheme, np.zeros(1), np.zeros(1))
    assert place[0] == pytest.approx(0.1, rel=1e-6)  # the whole step, of which a tenth would do
    assert len(visited) == 3  # what rounding alone betters is not gone on with
