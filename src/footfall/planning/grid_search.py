"""The cheapest way over a map of surfaces, or over a plain map of costs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Float32, Int

from footfall.errors import RequestError
from footfall.planning.lattice import Lattice
from footfall.planning.surfaces import Surfaces

Cell = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Search:
    """What a search found: of each surface what it costs to go there, and from which other one comes."""

    start: int
    cost: Float[np.ndarray, "n"]  # m, dearer near obstacles; inf where nothing led
    parent: Int[np.ndarray, "n"]
    looked: int  # surfaces

    @property
    def reached(self) -> Int[np.ndarray, "k"]:
        """The surfaces to which the cheapest way is known."""
        done = self.parent >= 0
        done[self.start] = True
        return np.flatnonzero(done)

    def way_to(self, goal: int) -> Int[np.ndarray, "k"] | None:
        """The surfaces from the start to one that was reached."""
        if goal != self.start and self.parent[goal] < 0:
            return None
        way = [goal]
        while way[-1] != self.start:
            way.append(int(self.parent[way[-1]]))
        return np.array(way[::-1])


def search_surfaces(
    surfaces: Surfaces,
    passage: Float32[np.ndarray, "n 8"],
    factor: Float[np.ndarray, "n"],
    radius: float,
    start: int,
    goal: int = -1,
) -> Search:
    """A* for a body of a radius; without a goal to everywhere."""
    from footfall.planning.grid_search_kernel import search

    cost, parent = np.empty(len(surfaces)), np.empty(len(surfaces), np.int32)
    lattice = surfaces.lattice
    looked = search(
        surfaces.cells,
        surfaces.level,
        surfaces.links,
        passage,
        factor,
        lattice.rows,
        lattice.cell,
        radius,
        start,
        goal,
        cost,
        parent,
    )
    return Search(start, cost, parent, looked)


def search_costs(
    costs: Float[np.ndarray, "columns rows"], start: Cell, goal: Cell, cell: float = 1.0
) -> tuple[float, Int[np.ndarray, "k 2"]]:
    """The cheapest way over a plain map: its cost and its cells; inf and none where there is no way.

    `costs` are what a metre costs in each cell, 1 at least, inf where one cannot go. A move costs its length
    times the mean of both cells; diagonal ones must not cut the corner of a cell where one cannot go.
    """
    costs = np.ascontiguousarray(costs, dtype=float)
    if costs.ndim != 2 or not (costs >= 1.0).all():
        raise RequestError("costs must be a map of numbers of 1 or more, inf where one cannot go")
    columns, rows = costs.shape
    for name, (i, j) in (("start", start), ("goal", goal)):
        if not (0 <= i < columns and 0 <= j < rows):
            raise RequestError(f"the {name} must be a cell of {columns} x {rows}, not {(i, j)}")
    if not (np.isfinite(costs[start]) and np.isfinite(costs[goal])):
        return np.inf, np.zeros((0, 2), np.int64)
    lattice = Lattice(0.0, 0.0, cell, columns, rows)
    found = _search_plain(lattice, costs.reshape(-1), start[0] * rows + start[1], goal[0] * rows + goal[1])
    way = found.way_to(goal[0] * rows + goal[1])
    if way is None:
        return np.inf, np.zeros((0, 2), np.int64)
    return float(found.cost[way[-1]]), np.stack([way // rows, way % rows], axis=-1)


def _search_plain(lattice: Lattice, costs: Float[np.ndarray, "n"], start: int, goal: int) -> Search:
    from footfall.planning.grid_search_kernel import search
    from footfall.planning.link_kernel import link_surfaces

    count, (_, counts) = len(costs), lattice.arrays
    cells, level = np.arange(count), np.zeros(count)
    links, edge = np.empty((count, 8), np.int32), np.empty((count, 8), np.uint8)
    bar = np.isinf(costs).astype(np.uint8)
    link_surfaces(np.arange(count + 1), level, bar, counts, 0.0, links, edge)
    passage, cost, parent = np.zeros((count, 8), np.float32), np.empty(count), np.empty(count, np.int32)
    looked = search(
        cells, level, links, passage, costs, lattice.rows, lattice.cell, 0.0, start, goal, cost, parent
    )
    return Search(start, cost, parent, looked)
