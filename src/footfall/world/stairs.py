"""Stairs by formula: straight ones along +Z, and spiral ones round a vertical axis."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.world.generators.request import checked_whole
from footfall.world.generators.tiles import Tile, build_tiles, level
from footfall.world.mesh import MeshTerrain
from footfall.world.terrain import Numbers, Points, columns, is_number

MOST_TREADS = 100_000  # from the first of stairs, either way


@dataclass(frozen=True)
class StraightStairs:
    """Treads across the z axis, endless in both directions; tread 0 is centred at z = 0, height 0."""

    riser: float  # m, negative where the stairs lead down
    tread: float  # m

    def __post_init__(self) -> None:
        _check("the riser", self.riser)
        _check("the tread", self.tread, least=0.0)

    def height(self, x: Numbers, z: Numbers, start: Numbers | float = np.inf) -> Numbers:
        x, z, start = columns(x, z, start)
        level = self.riser * np.floor(z / self.tread + 0.5) + 0.0 * x
        return np.where(level <= start, level, -np.inf)

    def under(self, points: Points) -> Numbers:
        """The height of the ground under points."""
        return self.height(points[..., 0], points[..., 2])

    def flight(self, first: int, last: int, *, width: float = 1.6) -> MeshTerrain:
        """Treads `first` to `last` as a mesh."""
        _check_flight(first, last, width)
        edges = self.tread * (np.arange(first, last + 2) - 0.5)
        plan = [[x, z] for z in edges for x in (-0.5 * width, 0.5 * width)]
        return _treads(np.array(plan), self.riser * np.arange(first, last + 1))


@dataclass(frozen=True)
class SpiralStairs:
    """Wedges round a vertical axis at (`axis`, 0); wedge 0 is centred on the origin and faced towards +Z.

    `turn` is the angle of one wedge, positive to the left, and the axis lies on that side. Flights over each
    other share their ground plan, endlessly: `height` tells the highest that is not above `start`, and
    without a start the one that wedge 0 belongs to, half a turn each way; `under` the flight nearest to a
    point.
    """

    riser: float
    turn: float  # rad
    axis: float  # m

    def __post_init__(self) -> None:
        _check("the riser", self.riser)
        _check("the turn's size", abs(self.turn) if is_number(self.turn) else self.turn, least=0.0)
        _check("the axis' distance", abs(self.axis) if is_number(self.axis) else self.axis, least=0.0)
        if abs(self.turn) > np.pi:
            raise RequestError(f"a wedge can turn by half a circle at most, not by {self.turn} rad")

    def flight(self, first: int, last: int, *, width: float = 1.6) -> MeshTerrain:
        """Wedges `first` to `last` as a mesh, within one turn; the walked line in the middle if it can be."""
        _check_flight(first, last, width)
        if (last + 1 - first) * abs(self.turn) > 2.0 * np.pi:
            raise RequestError(f"a flight of {last + 1 - first} wedges goes round more than once")
        away = abs(self.axis) + np.array([0.5, -0.5]) * width
        away[1] = max(away[1], 0.1 * abs(self.axis))
        angles = abs(self.turn) * (np.arange(first, last + 2) - 0.5)
        side = np.sign(self.turn)
        plan = [[self.axis - side * r * np.cos(a), r * np.sin(a)] for a in angles for r in away]
        return _treads(np.array(plan), self.riser * np.arange(first, last + 1))

    def _wedge(self, x: Numbers, z: Numbers) -> Numbers:
        sign = np.sign(self.turn)
        angle = np.arctan2(np.asarray(z), sign * (self.axis - np.asarray(x)))
        return angle / abs(self.turn)

    def height(self, x: Numbers, z: Numbers, start: Numbers | float = np.inf) -> Numbers:
        x, z, start = columns(x, z, start)
        level = self.riser * np.floor(self._wedge(x, z) + 0.5)
        storey = abs(self.riser) * 2.0 * np.pi / abs(self.turn)  # m from flight to flight
        if storey == 0.0:
            return np.where(level <= start, level, -np.inf)
        flights = np.floor((np.where(np.isposinf(start), level, start) - level) / storey)
        return level + flights * storey

    def under(self, points: Points) -> Numbers:
        """The height of the ground under points, on the flight nearest to them."""
        wedge = self._wedge(points[..., 0], points[..., 2])
        if self.riser == 0.0:
            return np.zeros(wedge.shape)
        round_ = 2.0 * np.pi / abs(self.turn)
        flights = np.round((points[..., 1] / self.riser - wedge) / round_)
        return self.riser * np.floor(wedge + flights * round_ + 0.5)


def _treads(plan: Float[np.ndarray, "edges*2 2"], levels: Float[np.ndarray, "treads"]) -> MeshTerrain:
    """Tiles between edges one after the other, each at its level."""
    corners = [(2 * k, 2 * k + 1, 2 * k + 3, 2 * k + 2) for k in range(len(levels))]
    return build_tiles(plan, [Tile(c, level(y), "stairs") for c, y in zip(corners, levels, strict=True)])[0]


def _check(what: str, value: object, least: float = -np.inf) -> None:
    if not is_number(value) or not least < float(value) < np.inf:  # type: ignore[arg-type]
        positive = " and over 0" if least == 0.0 else ""
        raise RequestError(f"{what} must be a finite number{positive}, not {value!r}")


def _check_flight(first: int, last: int, width: float) -> None:
    for tread in (first, last):
        checked_whole("a tread of a flight", tread, -MOST_TREADS, MOST_TREADS)
    if last < first:
        raise RequestError(f"a flight leads from a tread to the same or a later one, not {first} to {last}")
    _check("the width of a flight", width, least=0.0)
