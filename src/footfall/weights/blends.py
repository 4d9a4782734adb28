"""What blends really are: measured parameters of rows of weights, and how they change with what is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.weights.scheme import WeightScheme

Measure = Callable[[Float[np.ndarray, "q examples"]], Float[np.ndarray, "q dims"]]

DIFFERENCE = 1e-4  # metric; half the step of a difference quotient
ROWS = 1024  # rows of weights measured in one call


@dataclass(frozen=True, eq=False)
class Blends:
    """Blends of a model that can measure them; all in the metric."""

    measure: Measure

    def measured(self, weights: np.ndarray, dims: int) -> np.ndarray:
        """The real parameters of blends; what is not finite stays so and counts as an endless error."""
        parts = []
        for start in range(0, len(weights), ROWS):
            part = np.asarray(self.measure(weights[start : start + ROWS]), dtype=float)
            if part.shape != (min(ROWS, len(weights) - start), dims):
                raise RequestError(f"a measure must give {dims} parameters a row, not shape {part.shape}")
            parts.append(part)
        return np.concatenate(parts) if parts else np.zeros((0, dims))

    def misses(self, scheme: WeightScheme, places: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        return self.measured(scheme(places), places.shape[1]) - wanted

    def jacobians(self, scheme: WeightScheme, places: np.ndarray) -> Float[np.ndarray, "q dims dims"]:
        """Derivative of the real parameters (rows) by the asked ones (columns), by central differences.

        Along the weights' own slopes, so that only the measure is differenced where the scheme knows them.
        """
        count, dims = places.shape
        along = DIFFERENCE * _slopes(scheme, places).swapaxes(1, 2)  # (q, dims, examples)
        weights = scheme(places)[:, None]
        rows = np.stack([weights + along, weights - along]).reshape(-1, scheme.examples)
        ahead, behind = self.measured(rows, dims).reshape(2, count, dims, dims)
        return ((ahead - behind) / (2.0 * DIFFERENCE)).swapaxes(1, 2)


def _slopes(scheme: WeightScheme, places: np.ndarray) -> Float[np.ndarray, "q examples dims"]:
    """The scheme's own derivative where it has one."""
    known = getattr(scheme, "jacobian", None)
    if known is not None:
        return known(places)
    along = DIFFERENCE * np.eye(places.shape[1])
    change = scheme(places[:, None] + along) - scheme(places[:, None] - along)
    return (change / (2.0 * DIFFERENCE)).swapaxes(1, 2)


def sizes(missed: np.ndarray) -> np.ndarray:
    """Maximum norms."""
    return np.where(np.isfinite(missed), np.abs(missed), np.inf).max(axis=-1)
