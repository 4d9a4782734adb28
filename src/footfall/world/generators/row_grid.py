"""Uneven grids: lines across and columns along a walk, such that every foot has a cell to itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.world.generators.row_walk import RowWalk
from footfall.world.generators.strip import BEFORE, END

COLUMN = 0.5  # m, about, of columns beside the walked one
SPARE = (0.03, 0.15)  # m that the walked column is wider than its feet need, on either side, from and to
LOOSE = 0.3  # of a cell by which its corners are moved at most


@dataclass(frozen=True, eq=False)
class RowGrid:
    """The cells' corners and the middles of their sides as vertices of a plan, and the landings' corners."""

    plan: Float[np.ndarray, "vertices 2"]
    corner: Int[np.ndarray, "rows+1 columns+1"]  # numbers in the plan; x falls with the column
    across: Int[np.ndarray, "rows+1 columns"]  # middles of the sides that run across
    along: Int[np.ndarray, "rows columns+1"]  # middles of those that run along
    landings: Int[np.ndarray, "2 2"]  # the outer corners of the one before and the one behind
    walked: int  # the column of the feet

    def ring(self, row: int, column: int) -> list[int]:
        """A cell's corners and middles in turn, from near left by left, far left and far on to near."""
        i, j = row, column
        ring = (
            self.corner[i, j],
            self.along[i, j],
            self.corner[i + 1, j],
            self.across[i + 1, j],
            self.corner[i + 1, j + 1],
            self.along[i, j + 1],
            self.corner[i, j + 1],
            self.across[i, j],
        )
        return [int(vertex) for vertex in ring]

    def landing(self, far: bool, used: Bool[np.ndarray, "columns"]) -> tuple[int, ...]:
        """A landing's corners in turn, with those middles of its inner side that are used."""
        line = -1 if far else 0
        side = [int(self.corner[line, 0])]
        for middle, corner, is_used in zip(self.across[line], self.corner[line, 1:], used, strict=True):
            side += [int(middle), int(corner)] if is_used else [int(corner)]
        left, right = self.landings[int(far)]
        return (*side, int(right), int(left))


def draw_grid(rng: np.random.Generator, walk: RowWalk, width: float) -> RowGrid:
    half = 0.5 * width
    each = max(1, round((half - 0.5 * COLUMN) / COLUMN))  # columns on either side of the walked one
    x, cell = _columns(rng, walk, half, each)
    loose = rng.uniform(-1.0, 1.0, (*x.shape, 2))
    x += LOOSE * cell * loose[..., 0]
    middle = walk.free.mean(axis=1)
    rows = np.diff(middle)
    reach = np.empty_like(x)
    reach[1:-1] = LOOSE * np.minimum(rows[:-1], rows[1:])[:, None]
    reach[:, each : each + 2] = 0.25 * np.diff(walk.free, axis=1)
    reach[[0, -1]] = 0.0
    for share in (1.0, 0.6, 0.3, 0.0):  # at the latest straight lines leave every cell convex
        corners = np.stack([x, middle[:, None] + share * reach * loose[..., 1]], axis=-1)
        if _convex(corners).all():
            break
    return _numbered(corners, each)


def _columns(
    rng: np.random.Generator, walk: RowWalk, half: float, each: int
) -> tuple[Float[np.ndarray, "lines verticals"], Float[np.ndarray, "lines verticals"]]:
    """Even columns between the walked one, which holds the feet, and the border; how wide the movable are."""
    right, left = _around(walk.sides[:, 0], np.minimum), _around(walk.sides[:, 1], np.maximum)
    right, left = right - rng.uniform(*SPARE, len(right)), left + rng.uniform(*SPARE, len(left))
    share = np.arange(each + 1) / each
    x = np.concatenate(
        [half + (left - half)[:, None] * share, right[:, None] - (right + half)[:, None] * share], axis=1
    )
    cell = np.repeat(np.stack([half - left, right + half], axis=-1) / each, each + 1, axis=1)
    cell[:, [0, each, each + 1, -1]] = 0.0  # the walked column and the border stay
    return x, cell


def _around(sides: Float[np.ndarray, "rows"], of: np.ufunc) -> Float[np.ndarray, "rows+1"]:
    """For each line the farther side of the rows it lies between."""
    return of(np.append(sides, sides[-1]), np.append(sides[0], sides))


def _convex(corners: Float[np.ndarray, "lines verticals 2"]) -> Bool[np.ndarray, "rows columns"]:
    ring = np.stack([corners[:-1, :-1], corners[1:, :-1], corners[1:, 1:], corners[:-1, 1:]], axis=2)
    side = np.roll(ring, -1, axis=2) - ring
    onward = np.roll(side, -1, axis=2)
    turn = side[..., 0] * onward[..., 1] - side[..., 1] * onward[..., 0]
    return (turn > 0.0).all(axis=-1)


def _numbered(corners: Float[np.ndarray, "lines verticals 2"], walked: int) -> RowGrid:
    across, along = 0.5 * (corners[:, :-1] + corners[:, 1:]), 0.5 * (corners[:-1] + corners[1:])
    near, far = corners[0, [0, -1]].copy(), corners[-1, [0, -1]].copy()
    near[:, 1], far[:, 1] = -BEFORE, far[:, 1] + END
    parts = [corners, across, along, np.stack([near, far])]
    ends = np.cumsum([0, *(part.size // 2 for part in parts)])
    numbers = [
        first + np.arange(part.size // 2).reshape(part.shape[:-1])
        for first, part in zip(ends[:-1], parts, strict=True)
    ]
    plan = np.concatenate([part.reshape(-1, 2) for part in parts])
    return RowGrid(plan, numbers[0], numbers[1], numbers[2], numbers[3], walked)
