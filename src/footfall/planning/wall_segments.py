"""Walls as straight pieces on the ground: which are joined, and which are near a place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from footfall.errors import RequestError
from footfall.figure.frozen import frozen_array

JOINT = 1e-6  # m: ends that are nearer to another wall are joined to it
MOST_CELLS = 256  # on a side
FARTHEST = 1e6  # m


@dataclass(frozen=True, eq=False)
class WallSegments:
    """Walls, what is joined to their ends, and lists of those near each cell of a grid."""

    lines: Float[np.ndarray, "walls 4"]  # x, z of one end, x, z of the other
    joints: Float[np.ndarray, "walls 2 most 2"]  # far ends of walls joined to either end; not numbers: none
    starts: Int[np.ndarray, "cells+1"]  # where each cell's list begins
    members: Int[np.ndarray, "entries"]  # walls, cell by cell
    grid: Float[np.ndarray, "5"]  # low x, low z, cell, counts along x and z

    @classmethod
    def of(cls, walls: Float[np.ndarray, "walls 2 2"], within: float) -> WallSegments:
        """`within` is the distance at which a wall is near."""
        given = frozen_array(walls, "walls")
        ends = frozen_array(given if given.size else np.zeros((0, 2, 2)), "walls", shape=(2, 2))
        if ends.ndim != 3:
            raise RequestError(f"walls must have shape (walls, 2, 2), not {ends.shape}")
        if len(ends) and np.abs(ends).max() >= FARTHEST:
            raise RequestError(f"walls must lie within {FARTHEST:g} m of the origin")
        arrays = (ends.reshape(-1, 4), _joined(ends), *_cells(ends, within))
        for array in arrays:
            array.flags.writeable = False
        return cls(*arrays)

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        return self.lines, self.joints, self.starts, self.members, self.grid


def _away(places: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Distances of places from segments."""
    along = b - a
    square = np.maximum(np.sum(along**2, axis=-1), 1e-300)
    share = np.clip(np.sum((places - a) * along, axis=-1) / square, 0.0, 1.0)
    away = places - a - share[..., None] * along
    return np.hypot(away[..., 0], away[..., 1])


def _joined(ends: Float[np.ndarray, "walls 2 2"]) -> Float[np.ndarray, "walls 2 most 2"]:
    """The far ends of walls that touch either end of each wall; of one that passes by, both of its ends."""
    found: list[list[list[np.ndarray]]] = []
    for own, pair in enumerate(ends):
        found.append([])
        for end in pair:
            touching = _away(end, ends[:, 0], ends[:, 1]) <= JOINT
            touching[own] = False
            far = ends[touching].reshape(-1, 2)
            found[-1].append(list(far[np.hypot(*(far - end).T) > JOINT]))
    most = max((len(far) for pair in found for far in pair), default=0)
    joints = np.full((len(ends), 2, most, 2), np.nan)
    for row, touched in zip(joints, found, strict=True):
        for place, joined in zip(row, touched, strict=True):
            place[: len(joined)] = np.reshape(joined, (-1, 2))
    return joints


def _cells(ends: np.ndarray, within: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Lists of the walls near each cell; beyond the grid there are none."""
    if not len(ends):
        return np.zeros(2, np.int64), np.zeros(0, np.int64), np.array([0.0, 0.0, 1.0, 0.0, 0.0])
    low, high = ends.min(axis=(0, 1)) - within, ends.max(axis=(0, 1)) + within
    cell = max(within, float((high - low).max()) / MOST_CELLS)
    counts = np.floor((high - low) / cell).astype(np.int64) + 1
    lists: list[list[int]] = [[] for _ in range(int(counts.prod()))]
    reach = within + np.sqrt(0.5) * cell  # from a cell's middle
    for wall, pair in enumerate(ends):
        first = np.maximum(np.floor((pair.min(axis=0) - within - low) / cell).astype(int), 0)
        last = np.minimum(np.floor((pair.max(axis=0) + within - low) / cell).astype(int), counts - 1)
        i, j = np.mgrid[first[0] : last[0] + 1, first[1] : last[1] + 1].reshape(2, -1)
        middles = low + cell * (np.stack([i, j], axis=-1) + 0.5)
        for at in (i * counts[1] + j)[_away(middles, pair[0], pair[1]) <= reach * (1.0 + 1e-9)]:
            lists[at].append(wall)
    starts = np.concatenate([[0], np.cumsum([len(near) for near in lists])]).astype(np.int64)
    members = np.array([wall for near in lists for wall in near], dtype=np.int64)
    return starts, members, np.array([*low, cell, *counts], dtype=float)
