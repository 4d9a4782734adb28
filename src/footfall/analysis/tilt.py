"""The tilt of a capture floor: the plane through the places where feet rested.

Toe joints are measured, each foot against its own height, for left and right feet differ by a centimetre.
Across a straight path nothing can be known, so a plane is fitted only along directions that were walked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.analysis.plants import Plant
from footfall.geometry import ground

LEAST_PLANTS = 4
EXTENTS = (1.2, 1.5)  # m that plants must span along the path, and across it for the tilt across to count
SURE = 2.5  # standard errors
LEAST_CLIMB = 0.02  # m that the tilt must make from one end of the walk to the other, or single plants decide
MANY_PLANTS, EXTENT_OF_MANY = 12, 0.8  # plants, and m across that are enough for so many
EXTENT_OF_FEW = 2.5  # m, where there are no more than the least plants


@dataclass(frozen=True, eq=False)
class Tilt:
    """A plane through the plants: level = offset + rise . place, apart from what the feet differ."""

    rise: Float[np.ndarray, "3"]  # metres up a metre along x, (0), z
    residual: float  # m, root mean square
    errors: float  # by how many standard errors the rise differs from none
    climb: float  # m from the lowest plant to the highest

    @property
    def angle(self) -> float:
        """Radians."""
        return float(np.arctan(np.linalg.norm(self.rise)))

    @property
    def sure(self) -> bool:
        """Whether the tilt is more than what single plants could make of a level floor."""
        return self.climb >= LEAST_CLIMB and self.errors > SURE

    @property
    def heading(self) -> float:
        """Where it rises to."""
        return float(ground.heading_of(self.rise))


def floor_tilt(plants: Sequence[Plant]) -> Tilt | None:
    """The plane through where the feet rested; None where too little ground was walked to tell."""
    if len(plants) < LEAST_PLANTS:
        return None
    toes = np.stack([p.toe for p in plants])
    places = toes[:, [0, 2]] - toes[:, [0, 2]].mean(axis=0)
    directions = np.linalg.svd(places, full_matrices=False)[2]
    extents = np.ptp(places @ directions.T, axis=0)
    if extents[0] < (EXTENTS[0] if len(plants) > LEAST_PLANTS else EXTENT_OF_FEW):
        return None
    across = extents[1] >= (EXTENTS[1] if len(plants) < MANY_PLANTS else EXTENT_OF_MANY)
    walked = directions[: 2 if across else 1]
    along = places @ walked.T
    right = np.array([[p.foot == "right"] for p in plants], dtype=float)
    columns = np.concatenate([along, np.ones_like(right), right], axis=1)
    known, _, rank, _ = np.linalg.lstsq(columns, toes[:, 1], rcond=None)
    away = toes[:, 1] - columns @ known
    scatter = float((away**2).sum()) / max(len(plants) - int(rank), 1)
    slopes = known[: len(walked)]
    # what the slopes would add to the scatter if the floor were level, in standard errors
    errors = np.sqrt(slopes @ (along.T @ along) @ slopes / max(scatter, 1e-12))
    x, z = slopes @ walked
    return Tilt(
        rise=np.array([x, 0.0, z]),
        residual=float(np.sqrt(np.mean(away**2))),
        errors=float(errors),
        climb=float(np.ptp(places @ np.array([x, z]))),
    )
