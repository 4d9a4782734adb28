"""A path that is kept open while things move."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose

from footfall.planning.replanning import Replanner
from footfall.planning.walk_map import WalkMap
from footfall.world.obstacle import Course, Obstacle
from footfall.world.plane import FlatTerrain
from footfall.world.shapes.box import Box
from footfall.world.shapes.cylinder import Cylinder
from tests.planning.worlds import least_distance

AREA = ((-1.0, -4.0), (11.0, 4.0))


def crossing() -> list[Obstacle]:
    """A pillar, and a cart that drives across the way and stops on it."""
    course = Course(np.array([2.0, 5.0]), np.array([[6.0, 1.0, 3.5], [6.0, 1.0, 0.2]]))
    return [
        Obstacle.upright(Cylinder(0.3, 2.0), [3.0, 1.0, 0.0]),
        Obstacle(Box(np.array([1.0, 2.0, 1.0])), np.zeros(3), course=course),
    ]


def test_it_plans_anew_when_cut_and_only_then() -> None:
    things = crossing()
    world = WalkMap.of(FlatTerrain(), things, area=AREA)
    walk = Replanner(world, (0.0, 0.0), (10.0, 0.0))
    first, here, renewed = walk.path, walk.path.points[0], 0
    for tick in range(200):
        time = 0.1 * tick
        before = walk.path
        new = walk.update(here, things, time)
        renewed += new
        assert new == (walk.path is not before)
        assert not walk.problem
        placed = [thing.at(time) for thing in things]
        # what is left is clear of everything where it is now
        assert least_distance(walk.path.after(walk.s), placed, 0.25, beside=0.1) > 0.0
        if time < 2.0 or time > 5.1:  # nothing moves
            assert not new
        here = walk.path.point(walk.s + 0.06)
        if walk.path.remaining(walk.s) < 0.1:
            break
    assert 1 <= renewed < 25
    assert walk.path is not first
    assert_allclose(here, [10.0, 0.0, 0.0], atol=0.15)


def test_something_far_from_the_way_is_no_reason() -> None:
    things = [Obstacle(Box(np.ones(3)), np.array([5.0, 0.5, 3.0]))]
    walk = Replanner(WalkMap.of(FlatTerrain(), things, area=AREA), (0.0, 0.0), (10.0, 0.0))
    path = walk.path
    assert not walk.update(path.points[0], [Obstacle(Box(np.ones(3)), np.array([5.0, 0.5, 2.5]))])
    for s in (2.0, 4.0, 6.0):
        assert not walk.update(path.point(s), walk.world.placed)
    # nor is something behind
    assert not walk.update(path.point(8.0), [Obstacle(Box(np.ones(3)), np.array([3.0, 0.5, 0.0]))])
    assert walk.path is path
    # but ahead, where the box stands too near to the goal
    assert not walk.update(path.point(8.0), [Obstacle(Box(np.ones(3)), np.array([9.4, 0.5, 0.0]))])
    assert "goal" in walk.problem
    assert walk.path is path
    assert walk.update(path.point(8.0), [Obstacle(Box(np.array([0.4, 1.0, 1.0])), np.array([9.2, 0.5, 0.0]))])
    assert not walk.problem
    assert_allclose(walk.path.points[0], path.point(8.0), atol=1e-9)


def test_shut_in_it_waits_and_goes_on_when_it_can() -> None:
    gate = Box(np.array([0.2, 2.0, 8.2]))
    open_, shut = [Obstacle(gate, np.array([5.0, 1.0, 6.0]))], [Obstacle(gate, np.array([5.0, 1.0, 0.0]))]
    walk = Replanner(WalkMap.of(FlatTerrain(), open_, area=AREA), (0.0, 0.0), (10.0, 0.0))
    path = walk.path
    assert not walk.update(path.point(1.0), shut)
    assert "cannot be reached" in walk.problem
    assert walk.path is path
    assert not walk.update(path.point(1.0), shut)
    assert walk.update(path.point(1.0), open_)
    assert not walk.problem


def test_it_never_raises() -> None:
    walk = Replanner(WalkMap.of(FlatTerrain(), area=AREA), (0.0, 0.0), (10.0, 0.0))
    for strange in (np.full(3, np.nan), np.zeros(2), np.array([1e6, 0.0, 0.0])):
        walk.update(strange, [Obstacle(Box(np.ones(3)), np.array([5.0, 0.5, 0.0]))])
        assert walk.problem
    assert walk.update(np.zeros(3), [Obstacle(Box(np.ones(3)), np.array([4.0, 0.5, 0.0]))])
    assert not walk.problem
