"""What was asked, as a number, or a refusal: whatever comes in, nothing but a RequestError goes out."""

from __future__ import annotations

import numpy as np

from footfall.errors import RequestError


def number(name: str, value: object, low: float = -np.inf, high: float = np.inf) -> float:
    """A finite number within its range; NumPy's own are as good as Python's, truth values are none."""
    try:
        told = float(value) if type(value) in (int, float) or isinstance(value, np.number) else np.nan  # type: ignore[arg-type]
    except OverflowError:
        told = np.inf
    if not np.isfinite(told) or not low <= told <= high:
        ranged = f"must lie in {low} to {high}" if np.isfinite([low, high]).all() else "must be a number"
        raise RequestError(f"{name} {ranged}, not {value!r:.40}")
    return told


def least(value: float) -> float:
    """A limit as it is told: rounded so that what is offered is also granted."""
    return float(np.floor(100.0 * value + 1e-9)) / 100.0
