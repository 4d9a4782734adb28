"""A way of one width in straight pieces, level or rising, that turns on level ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.world.generators.footprints import left_of, towards
from footfall.world.generators.tiles import Tile, inclined


@dataclass(frozen=True)
class Piece:
    """A stretch of the way: a ramp, or a level one on which it turns."""

    length: float  # m
    label: str
    slope: float = 0.0  # m a metre
    turn: float = 0.0  # rad


@dataclass(frozen=True, eq=False)
class Way:
    """Pieces, and the edges between them: where along the way and in plan, how high, and how headed."""

    pieces: Sequence[Piece]
    along: Float[np.ndarray, "edges"]
    middle: Float[np.ndarray, "edges 2"]
    height: Float[np.ndarray, "edges"]
    heading: Float[np.ndarray, "edges"]

    @classmethod
    def of(cls, pieces: Sequence[Piece], start: float) -> Way:
        """A way along +Z that begins at z = `start`, level with the origin."""
        along, middle, height, heading = [start], [np.array([0.0, start])], [0.0], [0.0]
        for piece in pieces:
            along.append(along[-1] + piece.length)
            height.append(height[-1] + piece.slope * piece.length)
            heading.append(heading[-1] + piece.turn)
            half = 0.5 * piece.length
            middle.append(middle[-1] + half * (towards(heading[-2]) + towards(heading[-1])))
        return cls(pieces, np.array(along), np.array(middle), np.array(height), np.array(heading))

    def planes(self) -> list[tuple[float, float, float]]:
        slopes = [p.slope * towards(h) for p, h in zip(self.pieces, self.heading[:-1], strict=True)]
        return [
            inclined(x, y, z, *slope)
            for (x, z), y, slope in zip(self.middle[:-1], self.height[:-1], slopes, strict=True)
        ]

    def tiles(self, width: float) -> tuple[Float[np.ndarray, "vertices 2"], list[Tile]]:
        sides = 0.5 * width * np.array([1.0, -1.0])[:, None] * left_of(self.heading)[:, None]
        plan = (self.middle[:, None] + sides).reshape(-1, 2)
        tiles = [
            Tile((2 * k, 2 * k + 2, 2 * k + 3, 2 * k + 1), plane, piece.label)
            for k, (plane, piece) in enumerate(zip(self.planes(), self.pieces, strict=True))
        ]
        return plan, tiles
