"""Planes: a level floor, and one that rises along +Z. Endless, and exact."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from footfall.errors import RequestError
from footfall.geometry.ground import UP
from footfall.world.terrain import (
    DOWN,
    GROUND,
    Hits,
    Nearest,
    Numbers,
    Points,
    Touchable,
    as_points,
    columns,
    is_number,
)

STEEPEST = 1.5  # rad


@dataclass(frozen=True)
class InclinedTerrain:
    """A plane that rises along +Z and is at `level` over the origin."""

    slope: float  # rad
    level: float = 0.0
    name: str = GROUND  # its label

    def __post_init__(self) -> None:
        if not is_number(self.slope) or not abs(self.slope) < STEEPEST:
            raise RequestError(f"the slope of a plane must be within {STEEPEST} rad, not {self.slope!r}")
        if not is_number(self.level) or not np.isfinite(float(self.level)):
            raise RequestError(f"the level of a plane must be a finite number, not {self.level!r}")

    @property
    def _up(self) -> Float[np.ndarray, "3"]:
        return np.array([0.0, np.cos(self.slope), -np.sin(self.slope)])

    def _over(self, points: Points) -> Numbers:
        """Signed distances from the plane."""
        return (points - self.level * UP) @ self._up

    def height(self, x: Numbers, z: Numbers, start: Numbers | float = np.inf) -> Numbers:
        x, z, start = columns(x, z, start)
        level = self.level + np.tan(self.slope) * z
        return np.where(np.isfinite(x) & (level <= start), level, -np.inf)

    def normal(self, x: Numbers, z: Numbers, start: Numbers | float = np.inf) -> Points:
        found = np.isfinite(self.height(x, z, start))
        return np.where(found[..., None], self._up, np.nan)

    def label(self, x: Numbers, z: Numbers, start: Numbers | float = np.inf) -> np.ndarray:
        return np.where(np.isfinite(self.height(x, z, start)), self.name, "")

    def project(self, points: Points, direction: Points = DOWN) -> Hits:
        points, along = np.broadcast_arrays(as_points(points, "points"), as_points(direction, "direction"))
        length = np.linalg.norm(along, axis=-1)
        over = self._over(points)
        with np.errstate(divide="ignore", invalid="ignore"):
            away = -over * length / (along @ self._up)
        # a point on the plane meets it wherever it looks
        away = np.where((over == 0.0) & (length > 0.0), 0.0, away)
        away = np.where((away >= 0.0) & (away < np.inf), away, np.inf)
        hit = np.isfinite(away)
        with np.errstate(divide="ignore", invalid="ignore"):
            place = points + (np.where(hit, away, np.nan) / length)[..., None] * along
        side = np.where(along @ self._up > 0.0, -1.0, 1.0)
        normal = np.where(hit[..., None], side[..., None] * self._up, np.nan)
        return Hits(away, place, normal, np.where(hit, 0, -1))

    def touching(self, centres: Points, radius: Numbers | float) -> Bool[np.ndarray, "*n"]:
        return np.abs(self._over(as_points(centres, "centres"))) <= radius

    def closest(self, points: Points) -> Nearest:
        points = as_points(points, "points")
        over = self._over(points)
        side = np.where(over < 0.0, -1.0, 1.0)
        normal = side[..., None] * self._up
        return Nearest(
            np.abs(over), points - over[..., None] * self._up, normal, np.zeros(over.shape, dtype=int)
        )

    def near(self, centre: Float[np.ndarray, "3"], radius: float) -> Touchable:
        return self


class FlatTerrain(InclinedTerrain):
    """A level floor."""

    def __init__(self, level: float = 0.0, name: str = GROUND):
        super().__init__(0.0, level, name)

    def __repr__(self) -> str:
        return f"FlatTerrain(level={self.level!r}, name={self.name!r})"
