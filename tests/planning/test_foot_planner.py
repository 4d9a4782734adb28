"""Foot plans in seeded rooms, judged by what is walked; and a sentence where there is none."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from footfall.errors import RequestError
from footfall.models.stepspace.default import default_step_space
from footfall.models.stepspace.model import StepSpace
from footfall.planning.footsteps import planner as planner_module
from footfall.planning.footsteps.planned_walk import NoStepsError, PlannedWalk
from footfall.planning.footsteps.planner import FootPlanner
from footfall.planning.footsteps.route_search import QUICKLY, Searched, search_prints
from footfall.world.plane import FlatTerrain
from footfall.world.shapes.box import Box
from footfall.world.shapes.placed import Placed
from tests.planning.judge import sole_distance, sole_gaps, trunk_distance
from tests.planning.rooms import KINDS, Room, room_of

SOLE = {"back": 0.055, "ahead": 0.2, "wide": 0.04}  # m, a hair smaller than the actor's


@cache
def steps() -> StepSpace:
    return default_step_space()


@cache
def walked(seed: int) -> tuple[Room, PlannedWalk]:
    room = room_of(seed)
    return room, room.planner(steps()).plan(**room.request)


OPEN = [seed for seed in range(12) if room_of(seed).open]


@pytest.mark.parametrize("seed", OPEN)
def test_every_print_is_met_and_nothing_slides(seed: int) -> None:
    _, walk = walked(seed)
    made = walk.motion.certificate()
    assert made.placement_max_m is not None
    assert made.placement_max_m < 1e-6
    assert made.slide_max_m < 1e-6
    assert made.penetration_max_m < 1e-3
    assert walk.ratio < 2.2
    assert made.plants == len(walk.plan)


@pytest.mark.parametrize("seed", OPEN)
def test_the_trunk_touches_nothing(seed: int) -> None:
    room, walk = walked(seed)
    found = trunk_distance(walk.motion, room.walls)
    assert found > 0.0
    # what the planner says of it is what the judge finds, to where its rim has points
    assert found == pytest.approx(walk.room.least, abs=0.01) or walk.room.least >= 0.5


@pytest.mark.parametrize("seed", OPEN)
def test_soles_lie_on_one_level_and_on_nothing_else(seed: int) -> None:
    room, walk = walked(seed)
    gaps = sole_gaps(walk.plan, room.terrain, **SOLE)
    assert gaps.max() < 0.005, f"print {gaps.argmax()}"
    assert sole_distance(walk.plan, room.walls, **SOLE) > 0.0


@pytest.mark.parametrize("seed", OPEN)
def test_it_begins_and_ends_as_asked(seed: int) -> None:
    room, walk = walked(seed)
    ahead, asked = room.planner(steps()).walker.ahead, room.request
    for prints, place, facing in (
        (walk.plan.placements[:2], asked["start"], asked["facing"]),
        (walk.plan.placements[-2:], asked["goal"], asked["heading"]),
    ):
        middle = np.mean([p.position for p in prints], axis=0)
        faces = np.angle(np.mean([np.exp(1j * (p.heading or 0.0)) for p in prints]))
        middle += ahead * np.array([np.sin(faces), 0.0, np.cos(faces)])
        np.testing.assert_allclose(middle, place, atol=1e-6)
        if facing is not None:
            assert np.cos(faces - facing) == pytest.approx(1.0, abs=1e-9)


def test_there_is_a_room_of_every_kind() -> None:
    assert {room_of(seed).kind for seed in OPEN} == set(KINDS)


@pytest.mark.parametrize("seed", [9, 21])
def test_where_no_body_can_get_through_it_is_said_with_the_nearest_place(seed: int) -> None:
    room = room_of(seed)
    assert not room.open
    with pytest.raises(NoStepsError, match="no way leads from") as caught:
        room.planner(steps()).plan(**room.request)
    nearest = caught.value.nearest
    assert nearest is not None
    said = str(caught.value)
    assert "not even sideways" in said
    assert "the nearest place that can be reached is" in said
    assert "\n" not in said
    # one can get there
    again = {**room.request, "goal": tuple(nearest), "heading": None}
    found = room.planner(steps()).plan(**again)
    assert (
        np.hypot(*(np.mean([p.position for p in found.plan.placements[-2:]], axis=0) - nearest)[[0, 2]]) < 0.2
    )


def wall(west: float, south: float, east: float, north: float, high: float = 2.0) -> Placed:
    middle = np.array([0.5 * (west + east), 0.5 * high, 0.5 * (south + north)])
    return Placed.upright(Box(np.array([east - west, high, north - south])), middle)


@cache
def open_planner() -> FootPlanner:
    return FootPlanner(steps(), FlatTerrain(), [wall(1.0, 1.0, 2.0, 2.0)])


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (
            {"start": (0, 0), "goal": (1.5, 1.5)},
            "has no room for the body, which would touch something there",
        ),
        ({"start": (1.5, 1.5), "goal": (0, 0)}, "the start .* has no room for the body"),
        ({"start": (0, 0), "goal": (50, 0)}, "lies outside the map, which goes from"),
        ({"start": (0, 0), "goal": (np.nan, 0)}, "the goal must be two or three finite numbers"),
        ({"start": "here", "goal": (0, 0)}, "the start must be two or three finite numbers"),
        ({"start": (0, 0), "goal": (0, 1), "heading": np.inf}, "heading must be a finite number of radians"),
        ({"start": (0, 0), "goal": (0, 1), "facing": "north"}, "facing must be a finite number of radians"),
        (
            {"start": (0, 0), "goal": (0.85, 1.5), "heading": 0.0},
            "has no room for the body, .* when it faces 0 degrees",
        ),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(request_: dict[str, object], words: str) -> None:
    with pytest.raises(RequestError, match=words) as caught:
        open_planner().plan(**request_)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_where_a_body_cannot_stand_no_patient_search_is_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    most: list[int] = []

    def spy(*given: object) -> Searched:
        most.append(given[-1])  # type: ignore[arg-type]
        return search_prints(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(planner_module, "search_prints", spy)
    wall = Placed(Box((2.0, 2.0, 0.1)), np.array([0.0, 1.0, 1.6]))
    with pytest.raises(
        NoStepsError, match=r"the goal .* has no room for the body, .* when it faces 0 degrees"
    ):
        FootPlanner(steps(), FlatTerrain(), (wall,)).plan((0, 0), (0, 1.5), heading=0.0)
    assert most
    assert max(most) == QUICKLY


def test_a_place_beside_a_wall_is_stood_on_sideways_only() -> None:
    """0.15 m from it: the chest is 0.14 m deep, the shoulders are 0.25 m wide."""
    walk = open_planner().plan((0, 0), (0.85, 1.5), heading=np.pi / 2)
    assert walk.room.least >= 0.0
    assert trunk_distance(walk.motion, [wall(1.0, 1.0, 2.0, 2.0)]) > -1e-3


def test_a_room_without_a_door_is_said_so() -> None:
    shut = [wall(-2, -2, 2, -1.9), wall(-2, 1.9, 2, 2), wall(-2, -2, -1.9, 2), wall(1.9, -2, 2, 2)]
    planner = FootPlanner(steps(), FlatTerrain(), shut, area=((-4, -4), (4, 4)))
    with pytest.raises(NoStepsError, match="no way leads from") as caught:
        planner.plan((0, 0), (3, 3))
    assert caught.value.nearest is not None
    assert np.abs(caught.value.nearest[[0, 2]]).max() < 1.9


def test_over_a_hole_too_wide_to_step_across_feet_find_no_way() -> None:
    from tests.planning.worlds import blocks_terrain

    terrain = blocks_terrain([((3.0, 0.2, 2.0), (0.0, -0.1, 0.0)), ((3.0, 0.2, 2.0), (0.0, -0.1, 3.2))])
    with pytest.raises(NoStepsError, match=r"no way leads from|no footing"):
        FootPlanner(steps(), terrain).plan((0, 0), (0, 3.2))


def test_the_same_request_gives_the_same_plan() -> None:
    room = room_of(12)
    plans = [room.planner(steps()).plan(**room.request).plan.encode() for _ in range(2)]
    assert plans[0] == plans[1]


def test_a_turned_world_has_a_plan_as_long() -> None:
    """A lattice lies otherwise in it, so that it need not be the same; but about as good."""
    lengths = []
    for turned in (0.0, 0.7):
        room = room_of(5)
        room.turned += turned
        walk = room.planner(steps()).plan(**room.request)
        lengths.append(len(walk.plan))
    assert abs(lengths[0] - lengths[1]) <= 4


def test_in_the_open_one_walks_straight_ahead() -> None:
    planner = FootPlanner(steps(), FlatTerrain(), area=((-2, -2), (2, 8)))
    walk = planner.plan((0, 0), (0, 6), heading=0.0)
    places = np.array([p.position for p in walk.plan.placements])
    assert np.abs(places[:, 0]).max() < 0.1
    assert 9 <= len(walk.plan) - 2 <= 13  # of 0.5 to 0.7 m, and one beside the other at last
    lengths = np.diff(places[1:-1, 2])
    assert lengths.std() < 0.08, "steps are even"
    assert np.diff(places[2:, 2]).min() > -1e-9, "and none leads back"


def test_steps_are_asked_of_a_step_space() -> None:
    with pytest.raises(RequestError, match="steps are planned for a StepSpace"):
        FootPlanner("walk", FlatTerrain())  # type: ignore[arg-type]
    with pytest.raises(RequestError, match="a terrain is needed"):
        FootPlanner(steps(), None)  # type: ignore[arg-type]


def test_out_of_a_narrow_dead_end_one_goes_back() -> None:
    """To stand a little behind and face as before, nobody turns about twice."""
    niche = [wall(-1.0, 0.0, -0.35, 1.6), wall(0.35, 0.0, 1.0, 1.6), wall(-1.0, 1.6, 1.0, 1.8)]
    planner = FootPlanner(steps(), FlatTerrain(), niche)
    walk = planner.plan((0.0, 1.2), (0.0, -0.4), facing=0.0, heading=0.0)
    places = np.array([p.position for p in walk.plan.placements])
    assert all(np.cos(p.heading or 0.0) > 0.9 for p in walk.plan.placements), "it faces the wall"
    assert np.diff(places[1:, 2]).max() < 0.02, "and every step leads away from it, or beside the last"
    assert trunk_distance(walk.motion, niche) > 0.0
