"""Pulled ways are clear, no longer than they were, and as short as geometry says."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from footfall.planning.grid_search import search_surfaces
from footfall.planning.pulling import Way, pull
from footfall.planning.rounding import round_corners
from footfall.planning.walk_map import WalkMap
from footfall.world.obstacle import Obstacle
from footfall.world.plane import FlatTerrain
from footfall.world.shapes.box import Box
from footfall.world.shapes.cylinder import Cylinder
from tests.planning.worlds import random_obstacles

AREA = ((-6.0, -6.0), (6.0, 6.0))
RADIUS = 0.3


def lattice_way(world: WalkMap, start: int, goal: int, radius: float = RADIUS) -> Way | None:
    ones = np.ones(len(world.surfaces))
    way = search_surfaces(world.surfaces, world.passage, ones, radius, start, goal).way_to(goal)
    if way is None:
        return None
    corners = world.surfaces.places(way)[:, [0, 2]]
    return Way(way, corners, np.full(len(way) - 1, radius))


def node(world: WalkMap, x: float, z: float) -> int:
    return world.surfaces.over(x, z).start


def round_a_disc(a: np.ndarray, b: np.ndarray, radius: float, *, other: bool = False) -> float:
    """The shortest way from a to b round a disc about the origin; or on the other side of it."""
    far = np.linalg.norm(a), np.linalg.norm(b)
    between = np.arccos(a @ b / (far[0] * far[1]))
    angle = (2.0 * np.pi - between if other else between) - sum(np.arccos(radius / d) for d in far)
    return float(sum(np.sqrt(d * d - radius * radius) for d in far) + radius * max(angle, 0.0))


@pytest.mark.parametrize("degrees", [0.0, 11.0, 45.0, 77.0])
def test_round_a_column_it_is_the_shortest_way_there_is(degrees: float) -> None:
    world = WalkMap.of(FlatTerrain(), [Obstacle.upright(Cylinder(1.0, 2.0), [0.0, 1.0, 0.0])], area=AREA)
    turned = np.radians(degrees)
    ends = [side * 3.0 * np.array([np.cos(turned), np.sin(turned)]) for side in (-1.0, 1.0)]
    ends[1] += [0.2, -0.1]
    ends = [np.round(end, 1) for end in ends]
    way = lattice_way(world, node(world, *ends[0]), node(world, *ends[1]))
    assert way is not None
    pulled = pull(world, way, RADIUS)
    best = round_a_disc(ends[0], ends[1], 1.0 + RADIUS)
    assert best - 1e-9 <= pulled.length <= 1.02 * best
    assert pulled.length < way.length
    rounded = round_corners(world, pulled, RADIUS, 0.6)
    assert np.hypot(*np.diff(rounded, axis=0).T).sum() <= pulled.length + 1e-9


def test_round_the_corner_of_a_box() -> None:
    world = WalkMap.of(
        FlatTerrain(), [Obstacle.upright(Box(np.array([3.0, 2.0, 3.0])), [-1.5, 1.0, 1.5])], area=AREA
    )
    a, b = np.array([-2.5, -0.6]), np.array([0.6, 2.5])
    way = lattice_way(world, node(world, *a), node(world, *b))
    assert way is not None
    # the corner of the box is the origin
    best = round_a_disc(a, b, RADIUS, other=True)
    assert best - 1e-9 <= pull(world, way, RADIUS).length <= 1.02 * best


def test_open_ground_is_crossed_straight() -> None:
    world = WalkMap.of(FlatTerrain(), area=AREA)
    way = lattice_way(world, node(world, -5.0, -4.0), node(world, 3.0, 4.5))
    assert way is not None
    pulled = pull(world, way, RADIUS)
    assert len(pulled.corners) == 2


@pytest.mark.parametrize("seed", range(6))
def test_legs_and_arcs_are_clear_and_never_longer(seed: int) -> None:
    rng = np.random.default_rng(seed)
    world = WalkMap.of(FlatTerrain(), random_obstacles(rng, 16, 10.0), area=AREA)
    free = np.flatnonzero(world.passage.max(axis=1) >= RADIUS)
    shorter = 0
    for _ in range(6):
        start, goal = (int(n) for n in rng.choice(free, 2))
        way = lattice_way(world, start, goal)
        if way is None or start == goal:
            continue
        pulled = pull(world, way, RADIUS)
        assert pulled.length <= way.length + 1e-9
        shorter += pulled.length < way.length - 0.01
        assert world.sees(start, pulled.corners, RADIUS - 2e-6) >= 0
        line = round_corners(world, pulled, RADIUS, 0.6)
        assert (line[0] == pulled.corners[0]).all()
        assert (line[-1] == pulled.corners[-1]).all()
        assert world.sees(start, line, RADIUS - 2e-6) >= 0
        assert np.hypot(*np.diff(line, axis=0).T).sum() <= pulled.length + 1e-9
    assert shorter > 0


def test_room_that_a_way_had_is_kept() -> None:
    """A leg that leaves corners out comes no nearer than they did."""
    world = WalkMap.of(FlatTerrain(), [Obstacle.upright(Cylinder(1.0, 2.0), [0.0, 1.0, 0.0])], area=AREA)
    way = lattice_way(world, node(world, -3.0, 0.0), node(world, 3.0, 0.0), 0.5)
    assert way is not None
    pulled = pull(world, way, 0.5)
    shares = np.linspace(0.0, 1.0, 500)[:, None]
    for a, b in pairwise(pulled.corners):
        assert np.hypot(*(a + shares * (b - a)).T).min() >= 1.5 - 1e-6
