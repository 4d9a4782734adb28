"""Built ground: a plan cut into convex tiles, each with a plane on top, and walls wherever two tops differ.

Tiles share the vertices of the plan: its coordinates on both sides of an edge are the same bits, and no
vertical ray can slip through between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from footfall.world.generators.region import Bordered
from footfall.world.generators.walls import Edges, Faces, skirts, walls
from footfall.world.mesh import MeshTerrain

SAME = 1e-11  # m: heights that differ by less are one
DEPTH = 0.3  # m from the lowest top down to the foot of the outer walls


@dataclass(frozen=True)
class Tile:
    """A convex polygon, as numbers of plan vertices in turn, and the plane on top of it: a + b x + c z."""

    corners: tuple[int, ...]
    plane: tuple[float, float, float]
    label: str


def level(height: float) -> tuple[float, float, float]:
    return (float(height), 0.0, 0.0)


def inclined(x: float, y: float, z: float, slope_x: float, slope_z: float) -> tuple[float, float, float]:
    """The plane through a point that rises by `slope_x` a metre along x and by `slope_z` along z."""
    return (float(y - slope_x * x - slope_z * z), float(slope_x), float(slope_z))


def build_tiles(
    plan: Float[np.ndarray, "vertices 2"], tiles: Sequence[Tile], *, base: float | None = None
) -> tuple[MeshTerrain, Bordered]:
    """The ground of tiles, with walls down to `base` round it, and the region that it covers."""
    tile, vertex, after = _loops(plan, tiles)
    planes = np.array([t.plane for t in tiles])[tile]
    heights = planes[:, 0] + planes[:, 1] * plan[vertex, 0] + planes[:, 2] * plan[vertex, 1]
    node, points = _nodes(plan, vertex, heights)
    tops = _fans(plan, tile, vertex, node)
    edges = Edges(tile, vertex, vertex[after], node, node[after])
    low = float(heights.min()) - DEPTH if base is None else base
    between, border = walls(edges, points), edges.border()
    around = skirts(edges.part(border), plan, low, first=len(points) + len(between.points))
    labels = tuple(dict.fromkeys(t.label for t in tiles))
    kind = np.array([labels.index(t.label) for t in tiles])
    terrain = MeshTerrain(
        np.concatenate([points, between.points, around.points]),
        np.concatenate([tops.triangles, between.triangles, around.triangles]),
        labels,
        kind[np.concatenate([tops.tile, between.tile, around.tile])],
    )
    return terrain, Bordered(np.stack([plan[edges.start[border]], plan[edges.end[border]]], axis=1))


def _loops(
    plan: Float[np.ndarray, "vertices 2"], tiles: Sequence[Tile]
) -> tuple[Int[np.ndarray, "corners"], Int[np.ndarray, "corners"], Int[np.ndarray, "corners"]]:
    """All corners of all tiles one after another: of which tile, at which vertex, and before which corner.

    Each tile's are turned so that its top looks up.
    """
    counts = np.array([len(t.corners) for t in tiles])
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    tile = np.repeat(np.arange(len(tiles)), counts)
    place = np.arange(counts.sum()) - starts[tile]
    after = starts[tile] + (place + 1) % counts[tile]
    vertex = np.concatenate([t.corners for t in tiles])
    x, z = plan[vertex].T
    area = np.add.reduceat(z * x[after] - x * z[after], starts)
    turned = np.where(area[tile] < 0.0, counts[tile] - 1 - place, place)
    return tile, vertex[starts[tile] + turned], after


def _nodes(
    plan: Float[np.ndarray, "vertices 2"],
    vertex: Int[np.ndarray, "corners"],
    heights: Float[np.ndarray, "corners"],
) -> tuple[Int[np.ndarray, "corners"], Float[np.ndarray, "nodes 3"]]:
    """The mesh's vertices, and which one each corner is: one for a plan vertex and a height."""
    order = np.lexsort((heights, vertex))
    vertex, heights = vertex[order], heights[order]
    new = np.concatenate([[True], (np.diff(vertex) != 0) | (np.diff(heights) > SAME)])
    node = np.empty(len(order), dtype=np.int64)
    node[order] = np.cumsum(new) - 1
    return node, np.stack([plan[vertex[new], 0], heights[new], plan[vertex[new], 1]], axis=-1)


def _fans(
    plan: Float[np.ndarray, "vertices 2"],
    tile: Int[np.ndarray, "corners"],
    vertex: Int[np.ndarray, "corners"],
    node: Int[np.ndarray, "corners"],
) -> Faces:
    """The tops: each tile is a fan round the corner that makes its smallest triangle largest.

    A tile may have corners on straight sides, where its neighbours' end; no fan is cut from those.
    """
    _, starts, counts = np.unique(tile, return_index=True, return_counts=True)
    triangles, owners = [], []
    for count in np.unique(counts):
        chosen = np.flatnonzero(counts == count)
        rows = starts[chosen, None] + np.arange(count)
        apex = np.argmax([_smallest(plan[vertex[np.roll(rows, -k, axis=1)]]) for k in range(count)], axis=0)
        rows = starts[chosen, None] + (apex[:, None] + np.arange(count)) % count
        smallest = _smallest(plan[vertex[rows]])
        if not (smallest > 0.0).all():
            raise ValueError(f"tile {chosen[np.argmin(smallest)]} is no convex polygon")
        first = np.broadcast_to(rows[:, :1], rows[:, 2:].shape)
        triangles.append(np.stack([first, rows[:, 1:-1], rows[:, 2:]], axis=-1).reshape(-1, 3))
        owners.append(np.repeat(chosen, count - 2))
    return Faces(node[np.concatenate(triangles)], np.concatenate(owners))


def _smallest(polygons: Float[np.ndarray, "n corners 2"]) -> Float[np.ndarray, "n"]:
    """The smallest double area in a fan round the first corner; positive where all of it looks up."""
    spokes = polygons[:, 1:] - polygons[:, :1]
    x, z = spokes[..., 0], spokes[..., 1]
    return np.min(z[:, :-1] * x[:, 1:] - x[:, :-1] * z[:, 1:], axis=1)
