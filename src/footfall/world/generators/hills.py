"""Smooth random hills over a rectangle, level round the start and the end of the walk, and grids of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.world.generators.footprints import foot_corners
from footfall.world.generators.limits import StepLimits, free_stance
from footfall.world.generators.request import Size

BACK, END = 2.0, 1.0  # m of ground behind the origin, and behind the last feet
WAVES = 24
LONGEST, SHORTEST = 10.0, 3.5  # m, of the waves
LEVEL, HILLS = 1.3, 3.8  # m from the start or the end: up to here it is level, from here on it is hilly
COARSEST = 0.25  # m: on larger cells feet would stand across creases
SAMPLE = 0.1  # m between the places where slopes are measured
CUTS = (COARSEST, 0.9 * COARSEST, 0.8 * COARSEST)  # m: cells on which unevenness is measured
FEET = 0.02  # m between the feet with which it is
SURE = 0.95  # of the slope that is allowed is used
EVEN = 0.0045  # m by which the ground leaves a plane under a foot, where 0.005 is allowed
SMOOTH = 1e-9  # m: less is level


@dataclass(frozen=True, eq=False)
class Grid:
    """Heights over the corners of cells, between them as `grid_triangles` cuts the cells."""

    heights: Float[np.ndarray, "nx+1 nz+1"]
    origin: tuple[float, float]  # x, z of the first corner
    cell: tuple[float, float]  # m along x and z

    def at(self, places: Float[np.ndarray, "*n 2"]) -> Float[np.ndarray, "*n"]:
        u, v = np.moveaxis((places - np.array(self.origin)) / np.array(self.cell), -1, 0)
        i = np.clip(np.floor(u).astype(int), 0, self.heights.shape[0] - 2)
        j = np.clip(np.floor(v).astype(int), 0, self.heights.shape[1] - 2)
        u, v = u - i, v - j
        a, b = self.heights[i, j], self.heights[i + 1, j]
        d, c = self.heights[i, j + 1], self.heights[i + 1, j + 1]
        return np.where(u >= v, a + u * (b - a) + v * (c - b), a + v * (d - a) + u * (c - d))


@dataclass(frozen=True, eq=False)
class Hills:
    """A sum of waves. Measured once, so that their shape does not depend on how finely they are cut."""

    size: Size
    waves: Float[np.ndarray, "waves 4"]  # wave numbers along x and z, phase, height

    @classmethod
    def random(cls, rng: np.random.Generator, size: Size, limits: StepLimits) -> Hills:
        """Just flat enough: for the foot, for the ankle, and for the longest step any way."""
        length = np.exp(rng.uniform(np.log(SHORTEST), np.log(LONGEST), WAVES))
        way, phase = rng.uniform(0.0, 2.0 * np.pi, (2, WAVES))
        number = 2.0 * np.pi / length
        waves = np.stack([number * np.cos(way), number * np.sin(way), phase, length**1.5], axis=-1)
        hills = cls(size, waves)
        allowed = SURE * min(np.tan(limits.slope), limits.rise / limits.length)
        goal = size[1] - BACK - END
        uneven = max(_unevenness(hills.grid(hills._cells(cut)), limits, goal) for cut in CUTS)
        waves[:, 3] *= min(allowed / _steepness(hills.grid(hills._cells(SAMPLE))), EVEN / max(uneven, SMOOTH))
        return cls(size, waves)

    def _cells(self, about: float) -> tuple[int, int]:
        return round(self.size[0] / about), round(self.size[1] / about)

    def grid(self, cells: tuple[int, int]) -> Grid:
        origin, cell = (-0.5 * self.size[0], -BACK), (self.size[0] / cells[0], self.size[1] / cells[1])
        x, z = (origin[k] + cell[k] * np.arange(cells[k] + 1) for k in (0, 1))
        # a wave is a product of parts in x and in z: all of them are a matrix product
        across, along = np.outer(x, self.waves[:, 0]), np.outer(self.waves[:, 1], z) + self.waves[:, 2:3]
        left = np.hstack([np.cos(across), -np.sin(across)]) * np.tile(self.waves[:, 3], 2)
        heights = left @ np.vstack([np.cos(along), np.sin(along)])
        for landing in (0.0, self.size[1] - BACK - END):
            away = np.sqrt(x[:, None] ** 2 + (z - landing) ** 2)
            share = np.clip((away - LEVEL) / (HILLS - LEVEL), 0.0, 1.0)
            heights *= share**3 * (10.0 + share * (6.0 * share - 15.0))  # smooth up to the second derivative
        return Grid(heights, origin, cell)


def _steepness(grid: Grid) -> float:
    """The largest slope, m a metre."""
    return float(np.hypot(*np.gradient(grid.heights, *grid.cell)).max())


def _unevenness(grid: Grid, limits: StepLimits, goal: float) -> float:
    """How far the ground leaves a plane under feet on the way straight ahead, m: at corners and middles."""
    z = np.arange(0.0, goal, FEET)
    x = 0.5 * free_stance(limits).apart
    places = np.concatenate([np.stack([np.full(len(z), side), z], axis=-1) for side in (-x, x)])
    corners = foot_corners(places, np.zeros(len(places)), limits)
    under = grid.at(np.concatenate([corners, corners.mean(axis=1, keepdims=True)], axis=1))
    # less the nearest plane: on a rectangle its height and its two slopes are fitted one after the other
    under -= under.mean(axis=1, keepdims=True)
    for side in np.array([[-1.0, -1.0, 1.0, 1.0, 0.0], [-1.0, 1.0, 1.0, -1.0, 0.0]]):
        under -= np.outer(under @ side / 4.0, side)
    return float(np.abs(under).max())
