"""A* against plain Dijkstra, by hand and by SciPy: equal costs on random maps."""

from __future__ import annotations

import heapq
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import dijkstra

from footfall.errors import RequestError
from footfall.planning.grid_search import search_costs, search_surfaces
from footfall.planning.route import dearness
from footfall.planning.walk_map import WalkMap
from tests.planning.worlds import bridge, random_obstacles

MOVES = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]


def moves_of(costs: np.ndarray, cell: float) -> list[tuple[int, int, float]]:
    """All moves of a plain map, written as plainly as can be."""
    columns, rows = costs.shape

    def free(i: int, j: int) -> bool:
        return 0 <= i < columns and 0 <= j < rows and bool(np.isfinite(costs[i, j]))

    found = []
    for i in range(columns):
        for j in range(rows):
            for di, dj in MOVES:
                p, q = i + di, j + dj
                if free(i, j) and free(p, q) and free(i, q) and free(p, j):
                    price = cell * np.hypot(di, dj) * 0.5 * (costs[i, j] + costs[p, q])
                    found.append((i * rows + j, p * rows + q, float(price)))
    return found


def by_hand(moves: list[tuple[int, int, float]], count: int, start: int) -> np.ndarray:
    onward: list[list[tuple[int, float]]] = [[] for _ in range(count)]
    for a, b, price in moves:
        onward[a].append((b, price))
    best = np.full(count, np.inf)
    best[start] = 0.0
    heap = [(0.0, start)]
    while heap:
        cost, a = heapq.heappop(heap)
        for b, price in onward[a]:
            if cost + price < best[b]:
                best[b] = cost + price
                heapq.heappush(heap, (best[b], b))
    return best


def by_scipy(moves: list[tuple[int, int, float]], count: int, start: int) -> np.ndarray:
    a, b, price = (np.array(column) for column in zip(*moves, strict=True))
    return dijkstra(coo_matrix((price, (a, b)), shape=(count, count)).tocsr(), indices=start)


def random_map(seed: int) -> tuple[np.ndarray, tuple[int, int], tuple[int, int], float]:
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(4, 22, 2))
    costs = np.ones(shape) if seed % 3 == 0 else rng.uniform(1.0, 3.0, shape)
    costs[rng.random(shape) < rng.uniform(0.0, 0.45)] = np.inf
    start, goal = (tuple(int(c) for c in rng.integers(0, shape)) for _ in range(2))
    costs[start] = costs[goal] = 1.0
    return costs, start, goal, float(rng.uniform(0.05, 2.0))  # type: ignore[return-value]


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_costs_are_the_optimum_on_random_maps(first: int) -> None:
    reachable = 0
    for seed in range(first, first + 50):
        costs, start, goal, cell = random_map(seed)
        moves = moves_of(costs, cell)
        rows = costs.shape[1]
        cost, way = search_costs(costs, start, goal, cell)
        end, begin = goal[0] * rows + goal[1], start[0] * rows + start[1]
        best = by_hand(moves, costs.size, begin)[end]
        if moves:
            assert_allclose(by_scipy(moves, costs.size, begin)[end], best, rtol=1e-12)
        assert_allclose(cost, best, rtol=1e-12)
        if np.isinf(best):
            assert len(way) == 0
            continue
        reachable += 1
        assert tuple(way[0]) == start
        assert tuple(way[-1]) == goal
        prices = {(a, b): price for a, b, price in moves}
        cells = way @ [rows, 1]
        # every move is one of the map's, and together they cost what was said
        paid = sum(prices[int(a), int(b)] for a, b in pairwise(cells))
        assert_allclose(paid, cost, rtol=1e-12)
    assert 20 < reachable < 50


def test_on_an_open_map_only_the_diagonal_is_looked_at() -> None:
    cost, way = search_costs(np.ones((60, 60)), (0, 0), (59, 59))
    assert_allclose(cost, 59 * np.sqrt(2.0), rtol=1e-12)
    assert_array_equal(way, np.repeat(np.arange(60), 2).reshape(-1, 2))


def test_a_corner_is_not_cut() -> None:
    costs = np.ones((2, 2))
    costs[0, 1] = np.inf
    assert_allclose(search_costs(costs, (0, 0), (1, 1))[0], 2.0)
    costs[1, 0] = np.inf
    assert search_costs(costs, (0, 0), (1, 1))[0] == np.inf


def test_storeys_with_obstacles_cost_the_optimum() -> None:
    """On a bridge over a road with obstacles and dearness, for several radii, between random surfaces."""
    rng = np.random.default_rng(8)
    world = WalkMap.of(bridge(), random_obstacles(rng, 6, 8.0), cell=0.2)
    surfaces = world.surfaces
    places = surfaces.places()
    for radius in (0.05, 0.2, 0.35):
        factor = dearness(world, radius, radius + 0.2)
        a, k = np.nonzero((surfaces.links >= 0) & (world.passage >= radius))
        b = surfaces.links[a, k]
        price = np.linalg.norm(places[a] - places[b], axis=-1) * 0.5 * (factor[a] + factor[b])
        graph = coo_matrix((price, (a, b)), shape=(len(surfaces),) * 2).tocsr()
        free = np.unique(a)
        for start in rng.choice(free, 5):
            best = dijkstra(graph, indices=start)
            everywhere = search_surfaces(surfaces, world.passage, factor, radius, int(start))
            assert_allclose(everywhere.cost, best, rtol=1e-12)
            assert_array_equal(everywhere.reached, np.flatnonzero(np.isfinite(best)))
            for goal in rng.choice(free, 10):
                found = search_surfaces(surfaces, world.passage, factor, radius, int(start), int(goal))
                way = found.way_to(int(goal))
                assert (way is None) == np.isinf(best[goal])
                if way is not None:
                    assert_allclose(found.cost[goal], best[goal], rtol=1e-12)
                    assert found.looked <= everywhere.looked
    # both storeys were there to be searched
    assert (places[free, 1] > 3.0).any()
    assert (np.hypot(places[free, 0], places[free, 2])[places[free, 1] < 0.1] < 1.0).any()


@pytest.mark.parametrize(
    ("costs", "start", "said"),
    [
        (np.zeros((3, 3)), (0, 0), "1 or more"),
        (np.full((3, 3), np.nan), (0, 0), "1 or more"),
        (np.ones(3), (0, 0), "a map"),
        (np.ones((3, 3)), (3, 0), "a cell of 3 x 3"),
    ],
)
def test_what_is_no_map_is_refused(costs: np.ndarray, start: tuple[int, int], said: str) -> None:
    with pytest.raises(RequestError, match=said):
        search_costs(costs, start, (1, 1))
