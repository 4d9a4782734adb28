"""How far placed shapes are from each other, whether they overlap, and where they are nearest.

Exact to about 1e-12 of their sizes, and to 1e-8 where a cylinder's rim is nearest. Shapes that are nearer
than 1e-12 of their sizes touch: their distance is 0.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool, Float

from footfall.world.shapes.bodies import Bodies
from footfall.world.shapes.fields import number
from footfall.world.shapes.placed import Placed

Group = Sequence[Placed] | Bodies
Points = Float[np.ndarray, "3"]


def distance(a: Placed, b: Placed) -> float:
    """Between the nearest points of two shapes; 0 where they overlap or touch."""
    return float(_ask(a, b.body)[0, 0])


def overlap(a: Placed, b: Placed, margin: float = 0.0) -> bool:
    """Whether two shapes are at most `margin` apart; touching counts."""
    return bool(overlaps(a, b.body, margin)[0])


def nearest_points(a: Placed, b: Placed) -> tuple[Points, Points]:
    """The points of a and of b that are nearest to each other; where they overlap, one point of both, twice.

    Where several pairs are as near (parallel faces), one of them.
    """
    found = _ask(a, b.body)[0]
    return found[1:4], found[4:7]


def distances(a: Placed, others: Group) -> Float[np.ndarray, "others"]:
    """From one shape to each of many; see `grouped` for those that stand still."""
    return _ask(a, grouped(others))[:, 0]


def overlaps(a: Placed, others: Group, margin: float = 0.0) -> Bool[np.ndarray, "others"]:
    """Which of many shapes are at most `margin` from one; faster than their distances."""
    margin = number(margin, "margin")
    if margin < 0.0:  # nothing is nearer than 0
        return np.zeros(len(others), dtype=bool)
    return _ask(a, grouped(others), enough=margin, most=margin)[:, 0] <= margin


def grouped(shapes: Group) -> Bodies:
    """Many shapes made ready once, to be asked about often."""
    if isinstance(shapes, Bodies):
        return shapes
    return Bodies.of([(s.shape.core, s.position, s.orientation) for s in shapes])


def _ask(a: Placed, others: Bodies, enough: float = 0.0, most: float = np.inf) -> np.ndarray:
    from footfall.world.shapes.bodies_kernel import separate_many

    answers = np.empty((len(others), 7))
    separate_many(*a.body.arrays, *others.arrays, enough, most, answers)
    return answers
