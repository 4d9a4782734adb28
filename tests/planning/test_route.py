"""Paths judged by the world itself: clear of every shape all along; over and under; and why there is none."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.errors import RequestError
from footfall.geometry.ground import UP
from footfall.planning.limits import WalkLimits
from footfall.planning.path import Path
from footfall.planning.route import NoPathError, plan_path
from footfall.planning.walk_map import WalkMap
from footfall.world.generators.generate import generate
from footfall.world.obstacle import Obstacle
from footfall.world.plane import FlatTerrain, InclinedTerrain
from footfall.world.scene import Scene
from footfall.world.shapes.box import Box
from footfall.world.shapes.cylinder import Cylinder
from footfall.world.shapes.placed import Placed
from footfall.world.terrain import Terrain
from tests.planning.worlds import bridge, everywhere, house, least_distance, random_obstacles, walls
from tests.world.meshes import hills, terrain_of

MIDDLE = np.array([5.0, 0.0, 4.0])
AREA = ((-6.0, -6.0), (6.0, 6.0))


def tried(world: WalkMap, rng: np.random.Generator, radius: float, count: int) -> list[Path]:
    """Paths between random places; those that there are."""
    paths = []
    for _ in range(count):
        start, goal = rng.uniform(world.surfaces.lattice.low, world.surfaces.lattice.high, (2, 2))
        try:
            path = plan_path(world, start, goal, radius=radius)
        except NoPathError:
            continue
        assert_allclose(path.points[[0, -1]][:, [0, 2]], [start, goal])
        paths.append(path)
    return paths


@pytest.mark.parametrize("radius", [0.05, 0.25, 0.5])
@pytest.mark.parametrize("slope", [0.0, 0.25])
def test_no_path_cuts_the_clearance_of_an_obstacle(radius: float, slope: float) -> None:
    """Among shapes of all kinds, askew, over each other: by their own exact distances, between points too."""
    rng = np.random.default_rng(int(100 * radius))
    found = 0
    for _ in range(3):
        things = random_obstacles(rng, 15, 11.0, level=0.5 if slope else 0.0)
        world = WalkMap.of(InclinedTerrain(slope), things, area=AREA)
        for path in tried(world, rng, radius, 6):
            assert least_distance(path, list(world.placed), radius, beside=0.05) > 0.0
            found += len(path) > 2
    assert found > 4


def test_no_path_on_hills_cuts_the_clearance_of_an_obstacle() -> None:
    rng = np.random.default_rng(6)
    ground = hills(50, 40, 0.2)
    ground.apply_scale([1.0, 0.6, 1.0])  # else most of it is too steep
    terrain = terrain_of(ground)
    things = [Obstacle(o.shape, o.position + MIDDLE, o.orientation) for o in random_obstacles(rng, 10, 8.0)]
    world = WalkMap.of(terrain, things)
    paths = tried(world, rng, 0.25, 15)
    assert len(paths) > 3
    for path in paths:
        assert least_distance(path, list(world.placed), 0.25, beside=0.05) > 0.0
        points = path.points
        assert np.abs(points[:, 1] - terrain.height(points[:, 0], points[:, 2])).max() < 0.05


@pytest.mark.parametrize("seed", range(6))
def test_rounding_changes_no_path(seed: int) -> None:
    """Round numbers, as people write them: many ways are as short."""
    rng = np.random.default_rng(seed)
    places = np.round(rng.uniform(-4.0, 4.0, (12, 2)), 1)
    sizes = np.round(rng.uniform(0.3, 1.2, (12, 2)), 1)
    keep = np.abs(places).max(axis=1) > 1.0
    paths = []
    for far in (0.0, 1e-12, 1e-12, 1e-9):
        moved = places + far * rng.uniform(-1.0, 1.0, places.shape)
        things = [
            Obstacle(Box((w, 2.0, d)), (x, 1.0, z))
            for (x, z), (w, d), kept in zip(moved, sizes, keep, strict=True)
            if kept
        ]
        start, goal = np.array([[-5.0, -5.0], [5.0, 4.5]]) + far * rng.uniform(-1.0, 1.0, (2, 2))
        world = WalkMap.of(FlatTerrain(), things, area=AREA)
        paths.append(plan_path(world, start, goal, radius=0.25))
    for path in paths[1:]:
        assert len(path) == len(paths[0])
        assert_allclose(path.points, paths[0].points, atol=1e-6)


def test_no_path_comes_near_the_walls_of_a_house() -> None:
    """Walls that are part of the ground, and a door of 1 m: no nearer to its posts than the radius."""
    world = WalkMap.of(house())
    boxes = [Placed(Box(np.array(size)), np.array(at)) for size, at in walls()]
    for radius in (0.1, 0.25, 0.4):
        path = plan_path(world, (-3.0, -2.0), (3.0, -2.0), radius=radius)
        places = everywhere(path) + UP
        assert min(box.distance_to(places).min() for box in boxes) >= radius
        through = path.point(path.nearest(np.array([0.33, 0.0, 1.5])))
        assert abs(through[2] - 1.5) < 0.5 - radius
    with pytest.raises(NoPathError, match="cannot be reached"):
        plan_path(world, (-3.0, -2.0), (3.0, -2.0), radius=0.55)


def test_over_a_bridge_and_under_it() -> None:
    world = WalkMap.of(bridge())
    over = plan_path(world, (-7.5, 0.0, 0.0), (0.0, 3.2, 0.5))
    assert_allclose(over.points[-1], [0.0, 3.2, 0.5], atol=1e-6)
    steps = np.abs(np.diff(over.points[:, 1]))
    assert steps.max() <= 0.2 + 1e-9
    # up the stairs in the middle, never over their edge
    climbing = (over.points[:, 1] > 0.3) & (over.points[:, 1] < 3.0)
    assert climbing.sum() > 20
    assert np.abs(over.points[climbing, 2]).max() <= 1.0 - 0.25
    under = plan_path(world, (0.3, 0.0, -4.0), (-0.2, 0.0, 4.0))
    assert_allclose(under.points[:, 1], 0.0, atol=1e-9)
    assert under.length < 8.1
    # a place without a height is the highest there
    assert_allclose(plan_path(world, (-7.5, 0.0), (0.0, 0.5)).points[-1, 1], 3.2, atol=1e-6)
    # across the deck, and down the other side
    across = plan_path(world, (-1.0, 3.2, 0.0), (7.5, 0.0, 0.0))
    assert across.points[0, 1] > 3.1
    assert_allclose(across.points[-1, 1], 0.0, atol=1e-6)
    # from on the bridge to right under it: round by the stairs, over itself
    below = plan_path(world, (0.0, 3.2, 0.0), (0.0, 0.0, 0.0))
    assert below.length > 10.0
    assert_allclose(below.nearest(np.array([0.0, 0.0, 0.0])), below.length, atol=0.01)


def test_a_wall_on_the_road_closes_only_the_road() -> None:
    wall = Obstacle.upright(Box(np.array([16.0, 2.0, 0.2])), [0.0, 1.0, 3.0])
    world = WalkMap.of(bridge(), [wall])
    with pytest.raises(NoPathError):
        plan_path(world, (0.3, 0.0, -4.0), (-0.2, 0.0, 4.0))
    assert plan_path(world, (-7.5, 0.0, 0.0), (7.5, 0.0, 0.0)).length > 15.0


@pytest.mark.parametrize("kind", ["stairs", "ramps", "bumps", "spiral"])
def test_generated_ground_is_crossed_as_its_walk_does(kind: str) -> None:
    made = generate(kind, 3)
    world = WalkMap.of(made.terrain)
    feet = np.array([p.position for p in made.crossing.placements])
    start, goal = 0.5 * (feet[0] + feet[1]), 0.5 * (feet[-1] + feet[-2])
    path = plan_path(world, start, goal, radius=0.15)
    assert_allclose(path.points[[0, -1]][:, [0, 2]], np.array([start, goal])[:, [0, 2]])
    ground = made.terrain.height(path.points[:, 0], path.points[:, 2], path.points[:, 1] + 0.5)
    assert np.abs(ground - path.points[:, 1]).max() <= 0.25
    walked = np.linalg.norm(np.diff(0.5 * (feet[1:] + feet[:-1]), axis=0), axis=-1).sum()
    assert path.length < 1.1 * walked


def test_up_a_spiral_of_two_turns() -> None:
    """Stairs over stairs over the same ground plan."""
    made = generate("spiral", 1, turns=2.0)
    world = WalkMap.of(made.terrain)
    feet = np.array([p.position for p in made.crossing.placements])
    start, goal = feet[0], feet[-1]
    path = plan_path(world, start, goal, radius=0.1)
    rise = abs(feet[-1, 1] - feet[0, 1])
    assert rise > 3.0
    assert_allclose(abs(path.points[-1, 1] - path.points[0, 1]), rise, atol=0.2)
    turned = np.abs(np.sum(np.diff(np.unwrap(path.heading(np.arange(0.0, path.length, 0.05))))))
    assert turned > np.radians(500.0)


def test_bends_are_bounded_where_there_is_room() -> None:
    things = [Obstacle.upright(Cylinder(0.8, 2.0), [0.0, 1.0, 0.0])]
    world = WalkMap.of(FlatTerrain(), things, area=AREA)
    path = plan_path(world, (-4.0, 0.0), (4.0, 0.1), bend=0.6)
    bends = np.abs(path.curvature(np.linspace(0.0, path.length, 2000)))
    assert bends.max() <= 1.01 / 0.6
    # and comfort is kept: 0.2 m more than the body needs, less what an arc cuts
    away = np.hypot(path.points[:, 0], path.points[:, 2]) - 0.8
    assert away.min() > 0.4


def test_the_same_world_gives_the_same_path() -> None:
    def once() -> Path:
        rng = np.random.default_rng(0)
        return plan_path(
            WalkMap.of(FlatTerrain(), random_obstacles(rng, 10, 9.0), area=AREA), (-5.5, -5.5), (5.5, 5.4)
        )

    assert (once().points == once().points).all()


def test_a_scene_is_enough() -> None:
    scene = Scene(obstacles=(Obstacle.upright(Box(np.array([1.0, 2.0, 6.0])), [2.0, 1.0, 0.0]),))
    path = plan_path(scene, scene.start.position, (4.0, 0.0))
    assert path.length > 6.0
    assert least_distance(path, scene.placed(), 0.25) > 0.0


def test_there_is_no_length_where_one_is_already() -> None:
    world = WalkMap.of(FlatTerrain(), area=AREA)
    path = plan_path(world, (1.0, 2.0), (1.0, 2.0))
    assert path.length == 0.0
    assert_allclose(path.points, [[1.0, 0.0, 2.0]])
    short = plan_path(world, (1.0, 2.0), (1.01, 2.0))
    assert_allclose(short.length, 0.01)


ROOM = [
    Obstacle.upright(Box(np.array(size)), at)
    for size, at in (
        ([4.2, 2.0, 0.2], [0.0, 1.0, 2.0]),
        ([4.2, 2.0, 0.2], [0.0, 1.0, -2.0]),
        ([0.2, 2.0, 4.2], [2.0, 1.0, 0.0]),
        ([0.2, 2.0, 4.2], [-2.0, 1.0, 0.0]),
    )
]


@pytest.mark.parametrize(
    ("terrain", "start", "goal", "said"),
    [
        (FlatTerrain(), (-4.0, 0.0), (2.0, 0.5), "goal .* is inside obstacle 2"),
        (FlatTerrain(), (-4.0, 0.0), (2.2, 0.5), "goal .* 0.10 m from obstacle 2, less than the radius"),
        (FlatTerrain(), (2.0, 0.5), (4.0, 0.0), "start .* is inside obstacle 2; the nearest place to stand"),
        (FlatTerrain(), (-4.0, 0.0), (50.0, 0.0), "goal .* lies outside the map, which goes from"),
        (FlatTerrain(), (-40.0, 0.0), (0.0, 0.0), "start .* lies outside the map"),
        (FlatTerrain(), (-4.0, 0.0), (5.95, 0.0), "goal .* where the walkable ground ends"),
        (FlatTerrain(), (-4.0, 0.0), (3.0, 5.0, 0.0), "goal .* not on the ground, which is at 0.00 m"),
        (FlatTerrain(), (-4.0, 0.0), (0.0, 0.0), r"no way leads into the 10.9 m2 round the goal"),
        (FlatTerrain(), (0.0, 0.0), (-4.0, 0.0), r"no way leads out of the 10.9 m2 round the start"),
        (InclinedTerrain(0.8), (-4.0, 0.0), (4.0, 0.0), "start .* too steep|nowhere"),
    ],
)
def test_where_there_is_no_path_one_sentence_says_why(
    terrain: Terrain, start: tuple[float, ...], goal: tuple[float, ...], said: str
) -> None:
    world = WalkMap.of(terrain, ROOM, area=AREA)
    with pytest.raises(NoPathError, match=said) as raised:
        plan_path(world, start, goal)
    sentence = str(raised.value)
    assert "\n" not in sentence
    assert "nan" not in sentence
    assert len(sentence) < 300
    nearest = raised.value.nearest
    if "goal" not in sentence.split("(")[0]:
        return
    # the nearest place is told in numbers, can be reached, and no other that can is nearer
    assert nearest is not None
    assert f"{nearest[0] + 0.0:.2f}" in sentence
    path = plan_path(world, start, nearest)
    assert least_distance(path, list(world.placed), 0.25) > 0.0
    end = np.array(goal)
    away = np.linalg.norm((nearest if len(end) == 3 else nearest[[0, 2]]) - end)
    assert f"{away:.2f} m from it" in sentence
    for place in world.surfaces.places()[::37]:
        if np.linalg.norm((place if len(end) == 3 else place[[0, 2]]) - end) < away - 0.11:  # to a cell
            with pytest.raises(NoPathError):
                plan_path(world, start, place)


@pytest.mark.parametrize(
    "wrong", [(np.nan, 0.0), (np.inf, 0.0, 0.0), "there", (1.0,), None, np.zeros((2, 2))]
)
def test_what_is_no_place_is_refused(wrong: object) -> None:
    world = WalkMap.of(FlatTerrain(), area=AREA)
    with pytest.raises(RequestError, match="the goal must be two or three finite numbers"):
        plan_path(world, (0.0, 0.0), wrong)
    with pytest.raises(RequestError, match="the start must be two or three finite numbers"):
        plan_path(world, wrong, (0.0, 0.0))


@pytest.mark.parametrize(
    "wrong", [{"radius": 0.0}, {"radius": 5.0}, {"radius": np.nan}, {"bend": -1.0}, {"comfort": "a"}]
)
def test_sizes_that_make_no_sense_are_refused(wrong: dict[str, object]) -> None:
    world = WalkMap.of(FlatTerrain(), area=AREA)
    with pytest.raises(RequestError, match=f"the {next(iter(wrong))} must be"):
        plan_path(world, (0.0, 0.0), (1.0, 0.0), **wrong)  # type: ignore[arg-type]


def test_no_room_anywhere() -> None:
    world = WalkMap.of(FlatTerrain(), area=((0.0, 0.0), (0.5, 0.5)))
    with pytest.raises(NoPathError, match="nowhere on the map") as raised:
        plan_path(world, (0.2, 0.2), (0.3, 0.3), radius=0.5)
    assert raised.value.nearest is None


def test_limits_decide_what_can_be_climbed() -> None:
    stairs = bridge()
    assert plan_path(WalkMap.of(stairs), (-7.5, 0.0, 0.0), (0.0, 3.2, 0.0)).length > 8.0
    with pytest.raises(NoPathError):
        plan_path(WalkMap.of(stairs, limits=WalkLimits(step=0.19)), (-7.5, 0.0, 0.0), (0.0, 3.2, 0.0))
