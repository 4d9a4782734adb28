"""A scene's tasks as one foot plan: place after place, and in front of things."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import footfall as ff
from footfall.models.stepspace.default import default_step_space
from footfall.planning.footsteps.in_front import stand_before
from footfall.planning.footsteps.planner import FootPlanner, joined
from footfall.planning.footsteps.scene_plan import PlannedScene, plan_scene
from footfall.planning.footsteps.walked import trunk_room
from footfall.world.plane import FlatTerrain
from footfall.world.scene import Scene, SceneObject, Start, Task
from tests.planning.judge import trunk_distance
from tests.planning.scenes import Moved, outcome

TABLE = ff.Obstacle(ff.Box((1.2, 0.8, 0.7)), np.array([0.0, 0.4, 3.0]), name="table")
WALL = ff.Obstacle(ff.Box((0.2, 2.2, 2.4)), np.array([-0.6, 1.1, 1.2]))
BALL = SceneObject("ball", ff.Sphere(0.05), np.array([0.2, 0.85, 2.8]))


def scene(*tasks: Task, obstacles: tuple[ff.Obstacle, ...] = (TABLE, WALL)) -> Scene:
    return Scene(obstacles=obstacles, objects=(BALL,), start=Start((0.0, 0.0, 0.0), 0.4), tasks=tasks)


@cache
def planned() -> tuple[Scene, PlannedScene]:
    own = scene(
        Task("go_to", (1.8, 0.5), {"heading": 1.0}),
        Task("look_at", "ball"),
        Task("go_to", "table"),
        Task("wait", 1.0),
        Task("go_to", (-1.5, 1.0)),
    )
    return own, plan_scene(own, default_step_space())


def test_every_place_is_stood_on_in_turn() -> None:
    _, found = planned()
    places = np.array([place for place, _ in found.goals])
    np.testing.assert_allclose(places[0], [1.8, 0.0, 0.5], atol=1e-9)
    np.testing.assert_allclose(places[2], [-1.5, 0.0, 1.0], atol=1e-9)
    assert found.goals[0][1] == pytest.approx(1.0)
    # between the feet of the whole plan, in that order
    feet = np.array([p.position for p in found.walk.plan.placements])
    middles = 0.5 * (feet[1:] + feet[:-1])
    when = [int(np.argmin(np.linalg.norm(middles - place, axis=1))) for place in places]
    assert when == sorted(when)


def test_the_whole_is_walked_exactly_and_touches_nothing() -> None:
    own, found = planned()
    made = found.walk.motion.certificate()
    assert made.placement_max_m is not None
    assert made.placement_max_m < 1e-6
    assert made.slide_max_m < 1e-6
    assert made.plants == len(found.walk.plan)
    assert found.walk.room.least >= 0.0
    assert trunk_distance(found.walk.motion, own.placed()) > -1e-3


def test_all_but_the_first_two_prints_of_each_leg_are_in_the_whole() -> None:
    _, found = planned()
    count = sum(len(leg.plan) - 2 for leg in found.legs) + 2
    assert len(found.walk.plan) == count
    assert len(found.legs) == 3


@pytest.mark.parametrize("thing", [TABLE.at(0.0), BALL.placed])
def test_one_stands_near_a_thing_and_faces_it(thing: ff.Placed) -> None:
    _, found = planned()
    for here in ((0.0, 0.0, 0.0), (2.0, 0.0, 4.0), (0.0, 0.0, 5.0)):
        stood = stand_before(found.planner, thing, np.array(here))
        assert stood is not None
        place, facing = stood
        middle = np.array([place[0], thing.position[1], place[2]])
        away = float(thing.distance_to(middle))
        assert 0.14 <= away < 0.9
        ahead = np.array([np.sin(facing), 0.0, np.cos(facing)])
        # going ahead one comes nearer by all that one goes
        assert away - float(thing.distance_to(middle + 0.1 * ahead)) == pytest.approx(0.1, abs=5e-3)


def narrow(by: float = 0.0, jitter: int = 0) -> Scene:
    """Two walls with gaps of 0.44 and 0.50 m, each `by` wider to either side, and a table behind them."""
    moved = Moved(1e-12 if jitter else 0.0, jitter)

    def box(west: float, south: float, east: float, north: float, name: str = "") -> ff.Obstacle:
        middle = (0.5 * (west + east), 0.55, 0.5 * (south + north))
        return ff.Obstacle(ff.Box((east - west, 1.1, north - south)), moved(middle), name=name)

    walls = (
        box(-1.6, 0.9, -0.22 - by, 2.0),
        box(0.22 + by, 0.9, 1.6, 2.0),
        box(-1.6, 2.9, 0.45 - by, 3.5),
        box(0.95 + by, 2.9, 1.6, 3.5),
        box(-1.7, -0.9, -1.6, 5.4),
        box(1.6, -0.9, 1.7, 5.4),
    )
    tasks = (Task("go_to", "table"), Task("go_to", tuple(moved((0.0, 2.45))), {"heading": np.pi}))
    table = box(-0.9, 4.6, 0.3, 5.2, "table")
    return Scene(obstacles=(*walls, table), start=Start(tuple(moved((0.0, 0.0, 0.0)))), tasks=tasks)


@pytest.mark.slow
@pytest.mark.ci
def test_rounding_changes_no_plan() -> None:
    """Symmetric gaps, round numbers: many plans cost the same."""
    one, other = (outcome(narrow(jitter=jitter), default_step_space()) for jitter in range(2))
    assert not one.refused
    assert one.difference(other) == ""


def test_walks_are_mended_where_they_touch_something_as_one() -> None:
    steps = default_step_space()
    wide, tight = narrow(by=0.006), narrow()
    legs = plan_scene(wide, steps).legs
    planner = FootPlanner(steps, FlatTerrain(), tight.placed(), around=[np.zeros(3)])
    as_they_are = joined([leg.plan for leg in legs])
    assert trunk_room(steps.follow(as_they_are), planner.ground, planner.body).least < 0.0
    with pytest.raises(ff.NoStepsError, match="would touch something"):
        planner.walked(as_they_are)
    whole = planner.joined(legs)
    assert whole.room.least >= 0.001
    assert trunk_distance(whole.motion, tight.placed()) > 0.0
    # places between are stood on all the same
    ends = np.cumsum([len(leg.plan) - 2 for leg in legs]) + 1
    for leg, end in zip(legs, ends, strict=True):
        for k in (0, 1):
            np.testing.assert_allclose(
                whole.plan.placements[end - k].position, leg.plan.placements[-1 - k].position, atol=1e-12
            )
    # what was made is walked again as it is
    assert planner.walked(whole.plan).room.least == pytest.approx(whole.room.least, abs=1e-9)


def test_a_thing_walled_in_cannot_be_stood_before() -> None:
    round_it = tuple(
        ff.Obstacle(ff.Box((3.0, 2.0, 0.2)) if k % 2 else ff.Box((0.2, 2.0, 3.0)), np.array(at))
        for k, at in enumerate([(-0.4, 1.0, 2.8), (0.2, 1.0, 2.2), (0.8, 1.0, 2.8), (0.2, 1.0, 3.4)])
    )
    with pytest.raises(ff.NoStepsError, match=r"tasks\[0\].pick_up: (there is no place|no way leads)"):
        plan_scene(scene(Task("pick_up", "ball"), obstacles=round_it), default_step_space())


def test_a_scene_that_leads_nowhere_is_refused() -> None:
    with pytest.raises(ff.RequestError, match="no task that leads anywhere"):
        plan_scene(scene(Task("wait", 1.0)), default_step_space())


def test_errors_name_the_task() -> None:
    with pytest.raises(ff.NoStepsError, match=r"tasks\[1\].go_to: the goal .* has no room"):
        plan_scene(scene(Task("wait", 1.0), Task("go_to", (0.0, 3.0))), default_step_space())


def test_progress_is_told() -> None:
    told: list[tuple[str, float]] = []
    plan_scene(
        scene(Task("go_to", (0.5, 1.0)), Task("go_to", (0.5, 1.5))),
        default_step_space(),
        progress=lambda what, share: told.append((what, share)),
    )
    assert told == [("tasks[0]", 0.0), ("tasks[1]", 0.5)]
