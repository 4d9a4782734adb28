"""The upright faces of built ground: between tiles whose tops differ, and down round the border."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float, Int

Nodes = Int[np.ndarray, "n"]


def _none() -> np.ndarray:
    return np.empty((0, 3))


@dataclass(frozen=True, eq=False)
class Faces:
    """Triangles, the tile to which each belongs, and vertices that only they use."""

    triangles: Int[np.ndarray, "triangles 3"]
    tile: Int[np.ndarray, "triangles"]
    points: Float[np.ndarray, "points 3"] = field(default_factory=_none)


@dataclass(frozen=True, eq=False)
class Edges:
    """The sides of tiles, each seen from its own tile, which lies to the left, from start to end."""

    tile: Nodes
    start: Nodes  # plan vertices
    end: Nodes
    first: Nodes  # the mesh's vertices at the tile's own height over them
    last: Nodes

    def part(self, chosen: Nodes) -> Edges:
        return Edges(
            self.tile[chosen], self.start[chosen], self.end[chosen], self.first[chosen], self.last[chosen]
        )

    def across(self) -> Nodes:
        """The number of the same side seen from the tile on its other side, -1 where there is none."""
        size = int(max(self.start.max(), self.end.max())) + 1
        here, there = self.start * size + self.end, self.end * size + self.start
        order = np.argsort(here)
        if (np.diff(here[order]) == 0).any():
            raise ValueError("two tiles lie on the same side of an edge")
        found = order[np.minimum(np.searchsorted(here, there, sorter=order), len(order) - 1)]
        return np.where(here[found] == there, found, -1)

    def border(self) -> Nodes:
        """The numbers of those without a tile on the other side."""
        return np.flatnonzero(self.across() < 0)


def walls(edges: Edges, points: Float[np.ndarray, "nodes 3"]) -> Faces:
    """Between neighbours, each the higher one's and looking over the lower one; none where the tops meet.

    Where two tops cross in the middle of an edge there are two triangles, tip to tip.
    """
    across = edges.across()
    one = np.flatnonzero((across >= 0) & (edges.start < edges.end))
    here, there = edges.part(one), edges.part(across[one])
    start = points[here.first, 1] - points[there.last, 1]  # how much higher this tile is
    end = points[here.last, 1] - points[there.first, 1]
    above, below = (np.minimum(start, end) >= 0.0), (np.maximum(start, end) <= 0.0)
    faces = [
        _upright(here.part(above), there.first[above], there.last[above]),
        _upright(there.part(below), here.first[below], here.last[below]),
    ]
    crossed = ~above & ~below
    tips = _tips(here.part(crossed), there.part(crossed), start[crossed], end[crossed], points)
    faces.append(tips)
    return Faces(
        np.concatenate([f.triangles for f in faces]), np.concatenate([f.tile for f in faces]), tips.points
    )


def skirts(edges: Edges, plan: Float[np.ndarray, "vertices 2"], base: float, first: int) -> Faces:
    """From edges down to a base; its vertices are numbered from `first` on."""
    vertex, number = np.unique(np.concatenate([edges.start, edges.end]), return_inverse=True)
    start, end = first + number[: len(edges.start)], first + number[len(edges.start) :]
    feet = np.stack([plan[vertex, 0], np.full(len(vertex), base), plan[vertex, 1]], axis=-1)
    faces = _upright(edges, end, start)
    return Faces(faces.triangles, faces.tile, feet)


def _upright(high: Edges, first: Nodes, last: Nodes) -> Faces:
    """From the tops of edges down to the vertices of the other side, which runs the other way."""
    # seen from outside, with the tile behind the wall, the edge starts at the left
    lower = np.stack([last, first, high.last], axis=-1)[first != high.last]
    upper = np.stack([last, high.last, high.first], axis=-1)[last != high.first]
    tile = np.concatenate([high.tile[first != high.last], high.tile[last != high.first]])
    return Faces(np.concatenate([lower, upper]), tile)


def _tips(
    here: Edges,
    there: Edges,
    start: Float[np.ndarray, "n"],
    end: Float[np.ndarray, "n"],
    points: Float[np.ndarray, "nodes 3"],
) -> Faces:
    """Two triangles for each edge in which tops cross; `start` and `end` tell how much higher `here` is."""
    share = (start / (start - end))[:, None]
    meeting = points[here.first] + share * (points[here.last] - points[here.first])
    number = len(points) + np.arange(len(meeting))
    falls = start > 0.0  # this tile is the higher one at the start, the other one at the end
    # whichever is higher, the turn is the same: swapping top and bottom and swapping sides cancel
    at_start = np.stack([there.last, number, here.first], axis=-1)
    at_end = np.stack([here.last, number, there.first], axis=-1)
    tile_start = np.where(falls, here.tile, there.tile)
    tile_end = np.where(falls, there.tile, here.tile)
    return Faces(np.concatenate([at_start, at_end]), np.concatenate([tile_start, tile_end]), meeting)
