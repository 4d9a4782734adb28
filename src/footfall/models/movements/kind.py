"""One kind of movement: its examples, its parameters, and the weights that lead from these to those."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float

from footfall.align.generic_time import generic_time
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.movements.foot_paths import FootPaths
from footfall.models.movements.footing import SIDES, Swing
from footfall.models.movements.measures import Family
from footfall.models.movements.prepared import Prepared
from footfall.models.movements.tables import Tables
from footfall.weights.scheme import WeightScheme
from footfall.weights.space import Space


@dataclass(frozen=True, eq=False)
class MovementKind:
    """Examples of one kind of movement, and how to blend them."""

    name: str
    examples: tuple[Prepared, ...]
    swings: tuple[Swing, Swing]
    space: Space
    scheme: WeightScheme
    family: str | None
    measured: tuple[int, ...]  # which of the family's parameters the space's are
    pseudo: tuple[Float[np.ndarray, "m d"], Float[np.ndarray, "m n"]]

    @cached_property
    def tables(self) -> Tables:
        return Tables.of(self.examples)

    @cached_property
    def measure(self) -> Family | None:
        if self.family is None:
            return None
        return Family(self.family, self.examples, self.tables, self.swings)

    @cached_property
    def feet(self) -> tuple[FootPaths, FootPaths]:
        left, right = (FootPaths.of(self.examples, side) for side in SIDES)
        return left, right

    @cached_property
    def turns(self) -> Float[np.ndarray, "n"]:
        return np.array([e.turn for e in self.examples])

    @cached_property
    def anchors(self) -> Float[np.ndarray, "n 2 3"]:
        """Where the body is told from at start and end: the foot that stands, else the middle of both."""
        places = np.stack([foot.places for foot in self.feet])  # foot n end 3
        standing = [k for k, swing in enumerate(self.swings) if swing is None]
        return places[standing or [0, 1]].mean(axis=0)

    def weights(self, parameters: Float[np.ndarray, "d"]) -> Float[np.ndarray, "n"]:
        return self.scheme(self.space.to_metric(parameters)[None])[0]
