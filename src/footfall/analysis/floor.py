"""The floor under a clip's plants: its level, its tilt, and whether one plane is all there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.analysis.plants import Plant
from footfall.analysis.tilt import floor_tilt
from footfall.geometry.ground import UP

FLAT_WITHIN = 0.025  # m: plants of a level floor lie this near to one plane
STEEPEST = np.radians(3.5)


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

    It is level where the plants do not surely tell a tilt. How far they are from it is judged at the toe
    joints, each foot against its own height: captured soles differ by a centimetre or two.
    """
    if not plants:
        return None
    tilt = floor_tilt(plants)
    rise = tilt.rise if tilt is not None and tilt.sure else np.zeros(3)
    normal = (UP - rise) / np.linalg.norm(UP - rise)
    point = np.mean([p.position for p in plants], axis=0)
    over = np.array([(p.toe - point) @ normal for p in plants])
    for foot in ("left", "right"):
        own = np.array([p.foot == foot for p in plants])
        over[own] -= np.median(over[own]) if own.any() else 0.0
    return Floor(point, normal, float(np.abs(over).max()))


def turn_to_level(floor: Floor) -> Float[np.ndarray, "4"]:
    """The smallest rotation that makes the floor horizontal."""
    from footfall.geometry import quaternion as quat

    return quat.between(floor.normal, UP)
