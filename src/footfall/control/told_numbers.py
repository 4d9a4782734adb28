"""Numbers that somebody tells a controller: as many as they should be, and finite."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.errors import NO_NUMBER, RequestError

FARTHEST = 1e4  # m


def finite_numbers(values: object, what: str, count: int) -> Float[np.ndarray, "count"]:
    """Refused in a sentence where they are not."""
    try:
        found = np.array(values, dtype=float)
    except NO_NUMBER:
        found = np.zeros(0)
    if found.shape != (count,) or not (np.abs(found) < FARTHEST).all():
        raise RequestError(f"a {what} is {count} finite numbers, not {values!r:.40}")
    return found
