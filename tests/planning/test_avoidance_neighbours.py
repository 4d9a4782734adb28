"""Neighbours and walls that are near, against looking at all of them."""

from __future__ import annotations

import numpy as np
import pytest

from footfall.planning.constraints_kernel import walls_near
from footfall.planning.neighbours_kernel import nearest_few, sort_into_cells
from footfall.planning.wall_segments import WallSegments

WORLDS = {
    "square": lambda rng: rng.uniform(-10, 10, (300, 2)),
    "clusters": lambda rng: rng.normal(0, 0.5, (300, 2)) + 20 * rng.integers(0, 3, (300, 1)),
    "queue": lambda rng: np.stack([np.linspace(0, 50, 120), np.zeros(120)], -1),
    "one place": lambda rng: np.ones((40, 2)),
    "lattice": lambda rng: np.argwhere(np.ones((12, 12))).astype(float),
    "one far away": lambda rng: np.concatenate([rng.uniform(-5, 5, (100, 2)), [[9e5, -9e5]]]),
    "alone": lambda rng: np.array([[3.0, 4.0]]),
}


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("room", [1, 7, 30])
def test_nearest_few_are_those_of_a_full_search(world: str, room: int) -> None:
    rng = np.random.default_rng(room)
    places = np.ascontiguousarray(WORLDS[world](rng))
    present = rng.random(len(places)) < 0.9
    present[0] = True
    grid, within = sort_into_cells(places, present), 3.0
    squares, found = np.empty(room), np.empty(room, np.int64)
    for me in np.flatnonzero(present):
        count = nearest_few(places, grid, me, within, squares, found)
        away = (places[:, 0] - places[me, 0]) ** 2 + (places[:, 1] - places[me, 1]) ** 2
        order = [i for i in np.lexsort([np.arange(len(places)), away]) if i != me and present[i]]
        wanted = [i for i in order if away[i] <= within * within][:room]
        assert found[:count].tolist() == wanted
        assert np.array_equal(squares[:count], away[wanted])


def test_no_room_finds_nobody() -> None:
    places = np.zeros((3, 2))
    grid = sort_into_cells(places, np.ones(3, bool))
    assert nearest_few(places, grid, 0, 1.0, np.empty(0), np.empty(0, np.int64)) == 0


@pytest.mark.parametrize("seed", range(5))
def test_walls_near_are_those_of_a_full_search(seed: int) -> None:
    rng = np.random.default_rng(seed)
    starts = rng.uniform(-30, 30, (80, 2))
    ends = np.stack([starts, starts + rng.normal(0, 4, (80, 2))], axis=1)
    ends[:3, 1] = ends[:3, 0]  # points are walls too
    walls = WallSegments.of(ends, 2.5)
    squares, found = np.empty(80), np.empty(80, np.int64)
    seen = 0
    for place in rng.uniform(-36, 36, (400, 2)):
        count = walls_near(walls.arrays, *place, 2.5, squares, found)
        shares = np.linspace(0, 1, 20001)[:, None]
        wanted = []
        for i, (a, b) in enumerate(ends):
            square = float(np.sum((b - a) ** 2))
            share = np.clip((place - a) @ (b - a) / square, 0, 1) if square else 0.0
            if np.linalg.norm(a + share * (b - a) - place) <= 2.5:
                wanted.append(i)
        assert sorted(found[:count].tolist()) == wanted
        assert (np.diff(squares[:count]) >= 0).all()
        for wall, square in zip(found[:count], squares[:count], strict=True):
            a, b = ends[wall]
            along = np.linalg.norm(a + shares * (b - a) - place, axis=1)
            assert np.sqrt(square) == pytest.approx(along.min(), abs=1e-3)
        seen += count
    assert seen > 100


def test_joints_are_the_far_ends_of_touching_walls() -> None:
    walls = np.array([[[0, 0], [2, 0]], [[2, 0], [2, 3]], [[1, -1], [1, 0]], [[5, 5], [6, 6]]], dtype=float)
    joints = WallSegments.of(walls, 1.0).joints
    there = [[sorted(map(tuple, end[~np.isnan(end[:, 0])])) for end in wall] for wall in joints]
    assert there[0] == [[], [(2, 3)]]
    assert there[1] == [[(0, 0)], []]
    assert there[2] == [[], [(0, 0), (2, 0)]]  # ends in the middle of another
    assert there[3] == [[], []]
