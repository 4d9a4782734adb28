"""Arcs: tangent to their legs, of the radius asked where there is room, and never through anything."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.planning.pulling import Way
from footfall.planning.rounding import round_corners
from footfall.planning.walk_map import WalkMap
from footfall.world.obstacle import Obstacle
from footfall.world.plane import FlatTerrain
from footfall.world.shapes.box import Box

AREA = ((-6.0, -6.0), (6.0, 6.0))
OPEN = WalkMap.of(FlatTerrain(), area=AREA)


def way_through(world: WalkMap, corners: list[list[float]]) -> Way:
    nodes = [world.surfaces.over(x, z).start for x, z in corners]
    return Way(np.array(nodes), np.array(corners), np.full(len(corners) - 1, 0.3))


@pytest.mark.parametrize("degrees", [5.0, 30.0, 90.0, 140.0, -60.0])
@pytest.mark.parametrize("bend", [0.2, 0.6])
def test_in_the_open_a_corner_is_an_arc_of_the_bend(degrees: float, bend: float) -> None:
    turn = np.radians(degrees)
    end = [4.0 * np.sin(turn), 4.0 * np.cos(turn)]
    line = round_corners(OPEN, way_through(OPEN, [[0.0, -4.0], [0.0, 0.0], end]), 0.3, bend)
    legs = np.diff(line, axis=0)
    headings = np.unwrap(np.arctan2(legs[:, 0], legs[:, 1]))
    assert_allclose(headings[[0, -1]], [0.0, turn], atol=1e-9)
    turns = np.diff(headings)
    assert (turns * np.sign(turn) >= -1e-12).all()
    assert np.abs(turns).max() <= np.radians(8.01)
    arc = line[1:-1]
    reach = bend * np.tan(0.5 * abs(turn))  # of the arc along each leg
    assert_allclose(np.linalg.norm(arc[[0, -1]], axis=-1), reach, atol=1e-9)
    middle = np.array([np.sign(turn) * bend, -reach])
    assert_allclose(np.linalg.norm(arc - middle, axis=-1), bend, atol=1e-9)


def test_a_corner_without_room_stays() -> None:
    """Round a box that leaves 0.3 m and no more."""
    world = WalkMap.of(
        FlatTerrain(), [Obstacle.upright(Box(np.array([3.0, 2.0, 3.0])), [-1.5, 1.0, 1.5])], area=AREA
    )
    corner = [0.3, -0.3]
    way = way_through(world, [[-3.0, -0.3], corner, [0.3, 3.0]])
    for radius in (0.299, 0.2, 0.05):
        line = round_corners(world, way, radius, 0.6)
        shares = np.linspace(0.0, 1.0, 50)[:, None]
        dense = np.concatenate([a + shares * (b - a) for a, b in pairwise(line)])
        outside = np.maximum(dense * [1.0, -1.0], 0.0)
        assert np.hypot(*outside.T).min() >= radius - 1e-9
    # the narrower the body, the wider its arc may be: at 0.299 m none fits that is wider than 0.3 m
    sizes = [np.linalg.norm(round_corners(world, way, r, 3.0)[1] - corner) for r in (0.299, 0.2, 0.05)]
    assert sizes[0] < 0.31 < sizes[1] < sizes[2]


def test_no_bend_leaves_the_corners() -> None:
    way = way_through(OPEN, [[0.0, -4.0], [0.0, 0.0], [4.0, 0.0]])
    assert_allclose(round_corners(OPEN, way, 0.3, 0.0), way.corners)
