"""Clearances against the shapes' own distances, and maps renewed where obstacles moved."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.errors import RequestError
from footfall.geometry.ground import UP
from footfall.planning.limits import WalkLimits
from footfall.planning.walk_map import WalkMap, placed_at
from footfall.world.obstacle import Course, Obstacle
from footfall.world.plane import FlatTerrain, InclinedTerrain
from footfall.world.scene import Scene, SceneObject, Start
from footfall.world.shapes.box import Box
from footfall.world.shapes.cylinder import Cylinder
from footfall.world.shapes.distance import distances, grouped
from footfall.world.shapes.placed import Placed
from tests.planning.worlds import bridge, random_obstacles

LIMITS = WalkLimits()
AREA = ((-4.0, -4.0), (4.0, 4.0))
TALL = LIMITS.headroom - LIMITS.step


@pytest.mark.parametrize("slope", [0.0, 0.3])
def test_clearance_is_never_too_large(slope: float) -> None:
    """A column as wide as a surface's clearance, or anywhere on a link as its passage, overlaps nothing."""
    rng = np.random.default_rng(3)
    terrain = InclinedTerrain(slope)
    world = WalkMap.of(terrain, random_obstacles(rng, 14, 7.0), area=AREA)
    others, surfaces = grouped(list(world.placed)), world.surfaces
    up = np.array([0.0, LIMITS.step + 0.5 * TALL, 0.0])

    def clear(place: np.ndarray, radius: float) -> bool:
        body = Placed(Cylinder(radius, TALL - 4e-6), place + up)
        return bool(distances(body, others).min() > 0.0)

    touched = np.flatnonzero((world.clearance > 1e-4) & (world.clearance < surfaces.border))
    for node in rng.choice(touched, 400):
        assert clear(surfaces.places(node), float(world.clearance[node]) - 1e-6)
    a, k = np.nonzero((world.passage > 1e-4) & (world.passage < surfaces.passage))
    for pick in rng.choice(len(a), 400):
        ends = surfaces.places(np.array([a[pick], surfaces.links[a[pick], k[pick]]]))
        between = ends[0] + rng.random() * (ends[1] - ends[0])
        assert clear(between, float(world.passage[a[pick], k[pick]]))


def test_clearance_of_upright_walls_is_exact() -> None:
    """Of boxes and of a turned one on level ground: as their own signed distance says."""
    things = [
        Obstacle.upright(Box(np.array([1.0, 2.0, 0.4])), [0.5, 1.0, 0.3], 0.7),
        Obstacle.upright(Box(np.array([0.3, 1.0, 2.0])), [-1.5, 0.5, -0.6], -0.2),
    ]
    world = WalkMap.of(FlatTerrain(), things, area=AREA)
    places = world.surfaces.places() + 0.6 * UP
    away = np.min([placed.distance_to(places) for placed in world.placed], axis=0)
    expected = np.minimum(np.maximum(away, 0.0), world.surfaces.border)
    assert_allclose(world.clearance, expected, atol=1e-12)
    a, k = np.nonzero(world.surfaces.links >= 0)
    shares = np.linspace(0.0, 1.0, 51)[:, None, None]
    ends = places[a], places[world.surfaces.links[a, k]]
    along = (1 - shares) * ends[0] + shares * ends[1]
    true = np.min([placed.distance_to(along) for placed in world.placed], axis=(0, 1))
    found = world.passage[a, k]
    assert (found <= np.maximum(true, 0.0) + 1e-9).all()
    free = true < world.surfaces.passage[a, k] - 1e-3
    assert free.sum() > 1000
    assert (found >= true - 2e-3)[free].all()


def test_low_things_are_stepped_over_and_high_ones_passed_under() -> None:
    for low, high, in_the_way in ((0.0, 0.24, False), (0.0, 0.4, True), (2.0, 3.0, False), (1.7, 3.0, True)):
        box = Obstacle.upright(Box(np.array([1.0, high - low, 1.0])), [0.0, 0.5 * (low + high), 0.0])
        world = WalkMap.of(FlatTerrain(), [box], area=AREA)
        assert (world.clearance.min() < 0.01) == in_the_way


def test_an_obstacle_on_a_bridge_is_not_under_it() -> None:
    box = Obstacle.upright(Box(np.array([1.0, 1.0, 1.0])), [0.0, 3.7, 0.0])
    bare, world = WalkMap.of(bridge()), WalkMap.of(bridge(), [box])
    changed = world.clearance != bare.clearance
    assert changed.any()
    assert (world.surfaces.level[changed] > 1.5).all()
    under = Obstacle.upright(Box(np.array([1.0, 1.0, 1.0])), [0.0, 0.5, 0.0])
    changed = WalkMap.of(bridge(), [under]).clearance != bare.clearance
    assert changed.any()
    assert (world.surfaces.level[changed] < 0.5).all()


def test_a_renewed_map_is_the_map_made_anew() -> None:
    """Bit for bit, while obstacles move, turn, come and go."""
    rng = np.random.default_rng(11)
    things = list(placed_at(random_obstacles(rng, 12, 7.0)))
    world = WalkMap.of(InclinedTerrain(0.2), things, area=AREA)
    for _ in range(12):
        things = list(things)
        for k in rng.choice(len(things), 3, replace=False):
            old = things[k]
            things[k] = Placed(old.shape, old.position + rng.normal(0.0, 0.5, 3), rng.normal(size=4))
        if rng.random() < 0.3:
            things.pop()
        elif rng.random() < 0.5:
            things += placed_at(random_obstacles(rng, 1, 7.0))
        world = world.renewed(things)
        fresh = WalkMap.with_obstacles(world.surfaces, things)
        assert_array_equal(world.clearance, fresh.clearance)
        assert_array_equal(world.passage, fresh.passage)
    assert_array_equal(world.renewed([]).passage, world.surfaces.passage)
    assert_array_equal(world.renewed([]).clearance, world.surfaces.border)


def test_nothing_moved_is_the_same_map() -> None:
    course = Course(np.array([1.0, 2.0]), np.array([[0.0, 1.0, 0.0], [1.0, 1.0, 0.0]]))
    things = [Obstacle(Box(np.ones(3)), np.array([0.0, 0.5, 0.0]), course=course)]
    world = WalkMap.of(FlatTerrain(), things, area=AREA)
    assert world.renewed(things, 0.5) is world
    moved = world.renewed(things, 1.5)
    assert moved is not world
    assert moved.surfaces is world.surfaces
    assert_allclose(moved.placed[0].position, [0.5, 1.0, 0.0])


def test_maps_of_endless_ground_hold_what_they_must() -> None:
    things = [Obstacle.upright(Box(np.ones(3)), [6.0, 0.5, 0.0])]
    around = [np.array([0.0, 0.0, -3.0]), np.array([1.0, 4.0])]
    lattice = WalkMap.of(FlatTerrain(), things, around=around).surfaces.lattice
    assert (lattice.low <= [-1.9, -4.9]).all()
    assert (lattice.high >= [8.4, 5.9]).all()


def test_a_scene_is_mapped_with_its_objects() -> None:
    crate = SceneObject("crate", Box(np.array([0.6, 0.6, 0.6])), np.array([2.0, 0.3, 2.0]))
    scene = Scene(objects=(crate,), start=Start(np.array([-1.0, 0.0, 0.0])))
    world = WalkMap.of_scene(scene)
    assert world.clearance[world.surfaces.over(2.0, 2.0)].max() == 0.0
    assert world.surfaces.over(-1.0, 0.0) != slice(0, 0)


def test_what_is_no_world_is_refused() -> None:
    with pytest.raises(RequestError, match="terrain"):
        WalkMap.of("hills")  # type: ignore[arg-type]
    with pytest.raises(RequestError, match="Obstacle or Placed, not of int"):
        WalkMap.of(FlatTerrain(), [3])  # type: ignore[list-item]
    with pytest.raises(RequestError, match="cell must be"):
        WalkMap.of(FlatTerrain(), cell=0.0)
    with pytest.raises(RequestError, match="area"):
        WalkMap.of(FlatTerrain(), area=((0.0, 0.0), (-1.0, 1.0)))
