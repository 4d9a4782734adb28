"""Contact spheres: for places all over a foot's reach, the weights that bring it there ([rings] 4.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.models.ring.tables import RingTables
from footfall.weights.kriging import Kriging

RADIUS = 0.20  # m
LATTICE = (5, 5, 5)  # along x, y, z


@dataclass(frozen=True, eq=False)
class ContactSpheres:
    """Of one half cycle, in its frame. Each has its centre where the foot really comes down."""

    kriging: Kriging  # from strike points to weights
    weights: Float[np.ndarray, "spheres loops"]
    centres: Float[np.ndarray, "spheres 3"]
    turns: Float[np.ndarray, "spheres"]  # rad, of the half cycle
    step_lengths: Float[np.ndarray, "spheres"]  # m
    lattice: Float[np.ndarray, "spheres 3"]  # where they were sought
    radius: float = RADIUS

    @classmethod
    def over(
        cls, tables: RingTables, half: int, lattice: tuple[int, int, int] = LATTICE, radius: float = RADIUS
    ) -> ContactSpheres:
        points = tables.own_strikes(half)
        kriging = Kriging(points)
        sought = _lattice(points, lattice)
        weights = kriging(sought)  # eq. 4
        found = tables.strikes(half, weights)
        return cls(kriging, weights, found.point, found.turn, found.step_length, sought, radius)

    def __len__(self) -> int:
        return len(self.centres)


def _lattice(points: Float[np.ndarray, "loops 3"], counts: tuple[int, int, int]) -> Float[np.ndarray, "n 3"]:
    """Evenly spaced over the points' box; where it is asked to be flat, in its middle."""
    low, high = points.min(axis=0), points.max(axis=0)
    axes = [
        np.linspace(a, b, n) if n > 1 else np.array([0.5 * (a + b)])
        for a, b, n in zip(low, high, counts, strict=True)
    ]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
