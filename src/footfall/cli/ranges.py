"""Parameter spaces as commands tell them: rows of JSON, lines for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from footfall.formats.sequence_file import DEGREES

if TYPE_CHECKING:
    from footfall.weights.space import Space


def rows(space: Space) -> list[dict[str, object]]:
    low, high = (bound.tolist() for bound in space.bounds)
    return [
        {"name": name, "unit": unit, "low": a, "high": b}
        for name, unit, a, b in zip(space.names, space.units, low, high, strict=True)
    ]


def ranges(space: Space) -> Iterator[str]:
    """Parameters and their bounds, as a sequence's file tells them."""
    for name, unit, low, high in zip(space.names, space.units, *space.bounds, strict=True):
        if unit == "rad":
            yield f"{name}{DEGREES} {np.degrees(low):z.0f} to {np.degrees(high):z.0f}"
        else:
            yield f"{name} {low:z.2f} to {high:z.2f} {unit}"
