"""The floor under a clip's plants: its level, its tilt, and whether one plane is all there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.analysis.plants import Plant
from footfall.geometry.ground import UP

FLAT_WITHIN = 0.025  # m: plants of a level floor lie this near to one plane
STEEPEST = np.radians(3.5)
SCATTER = 0.006  # m, by which captured plants miss their floor
LIKELY_SLOPE = np.tan(np.radians(1.5))  # of a capture floor; a real ramp is long enough to say so
LIKELY_DIFFERENCE = 0.02  # m between left and right soles as captured


@dataclass(frozen=True, eq=False)
class Floor:
    """A plane through the plants: a point on it, its upward normal, and how far plants are from it."""

    point: Float[np.ndarray, "3"]
    normal: Float[np.ndarray, "3"]
    residual: float  # m, the largest

    @property
    def tilt(self) -> float:
        """Angle between the normal and the vertical, radians."""
        return float(np.arccos(np.clip(self.normal[1], -1.0, 1.0)))

    @property
    def one(self) -> bool:
        """Whether this is one floor, tilted no more than capture floors are; not stairs, blocks or ramps."""
        return self.residual < FLAT_WITHIN and self.tilt < STEEPEST


def fit_floor(plants: Sequence[Plant]) -> Floor | None:
    """The plane nearest to where the feet rested, or None without plants.

    Left and right soles differ by a centimetre or two in captures: that difference is fitted along. Across
    directions in which the plants hardly spread (the sides of a straight walk) the plane stays level.
    """
    if not plants:
        return None
    places = np.array([p.position for p in plants])
    middle = places.mean(axis=0)
    spread = places - middle
    side = np.array([0.5 if p.foot == "left" else -0.5 for p in plants])
    columns = np.stack([np.ones(len(plants)), spread[:, 0], spread[:, 2], side], axis=1)
    # each unknown is held to zero by its own likely size, against the scatter of captured plants
    held = np.diag((SCATTER / np.array([1.0, LIKELY_SLOPE, LIKELY_SLOPE, LIKELY_DIFFERENCE])) ** 2)
    _, slope_x, slope_z, difference = np.linalg.solve(columns.T @ columns + held, columns.T @ spread[:, 1])
    up = np.array([-slope_x, 1.0, -slope_z])
    up = up / np.linalg.norm(up)
    levelled = spread - difference * side[:, None] * UP
    return Floor(middle, up, float(np.abs(levelled @ up).max()))


def turn_to_level(floor: Floor) -> Float[np.ndarray, "4"]:
    """The smallest rotation that makes the floor horizontal."""
    from footfall.geometry import quaternion as quat

    return quat.between(floor.normal, UP)
