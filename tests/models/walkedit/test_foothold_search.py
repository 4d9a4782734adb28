"""Footholds: even where the ground is, over ditches, within their own limits, and the same every time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import footfall as ff
from footfall.models.walkedit.foothold_search import (
    ALONG,
    HIGHEST,
    NARROW,
    Footholds,
    Search,
    find_footholds,
    ground_levels,
)
from footfall.models.walkedit.footing import HALF_WIDTH, HEADROOM
from footfall.models.walkedit.reach import longest_step
from footfall.models.walkedit.way import way_along
from footfall.world.generators.generate import generate
from footfall.world.terrain import Ground
from tests.models.walkedit.test_footing import Land, shape_of
from tests.models.walkedit.walks import ACTOR, cycle_of, every_walk, refusal

STRAIGHT = ((0.0, 0.0), (0.0, 3.6))
FLOOR = Land(lambda x, z: 0.0 * x)


def search_on(terrain: Ground, path: object = STRAIGHT, name: str = ACTOR) -> Search:
    way, start = way_along(path)
    shapes = (shape_of(name, "left"), shape_of(name, "right"))
    return Search(cycle_of(name), terrain, way, shapes, ground_levels(terrain, way, start))


def walk_on(
    terrain: Ground,
    path: object = STRAIGHT,
    length: float | None = None,
    first: int | None = None,
    name: str = ACTOR,
) -> Footholds:
    wanted = cycle_of(name).step_length if length is None else length
    return find_footholds(search_on(terrain, path, name), lambda _: wanted, first)


def between_feet(found: Footholds, name: str = ACTOR) -> np.ndarray:
    """How far each foot is on its own side of the one before, across the way."""
    across = np.array(cycle_of(name).beside)[found.feet] + found.aside
    own = np.where(found.feet == 0, 1.0, -1.0)  # left is positive
    return np.diff(across) * own[1:]


def soles_over(found: Footholds, low: float, high: float, name: str = ACTOR) -> bool:
    """Whether any part of a sole, on a straight way along +Z, is between two distances."""
    for place, foot in zip(found.footing.places, found.feet, strict=True):
        shape, heading = shape_of(name, ("left", "right")[foot]), cycle_of(name).headings[foot]
        along = np.linspace(shape.along[0], shape.along[-1], 50)[:, None]
        aside = np.linspace(-HALF_WIDTH, HALF_WIDTH, 5)
        z = place[2] + along * np.cos(heading) - aside * np.sin(heading)
        if ((z > low) & (z < high)).any():
            return True
    return False


@every_walk
@pytest.mark.parametrize("share", [0.6, 1.0, 1.2])
def test_on_a_floor_steps_are_even_and_as_wanted(name: str, share: float) -> None:
    length = share * cycle_of(name).step_length
    found = walk_on(FLOOR, ((0.0, 0.0), (0.0, 5.0)), length, name=name)
    steps = np.diff(found.distance)
    assert np.ptp(steps) < 1e-6
    assert_allclose(steps, length, atol=ALONG)
    assert not found.aside.any()
    assert_array_equal(np.abs(np.diff(found.feet)), 1)
    assert found.footing.firm.all()
    # from about the beginning to about the end
    assert 0.0 <= found.distance[0] < 0.5 * length
    assert 5.0 - length <= found.distance[-1] <= 5.0 + ALONG


@pytest.mark.parametrize("first", [0, 1])
def test_the_first_foot_is_the_one_that_is_asked_for(first: int) -> None:
    assert walk_on(FLOOR, first=first).feet[0] == first


def test_feet_are_set_beside_the_way_as_captured() -> None:
    cycle = cycle_of(ACTOR)
    path = ((1.0, 2.0), (4.0, 6.0))
    found = walk_on(FLOOR, path)
    ahead = np.array([0.6, 0.8])
    left = np.array([0.8, -0.6])
    plan = found.footing.places[:, [0, 2]] - path[0]
    assert_allclose(plan @ left, np.array(cycle.beside)[found.feet], atol=1e-6)
    assert_allclose(plan @ ahead, found.distance, atol=1e-6)


def test_steps_may_be_wanted_longer_farther_on() -> None:
    search = search_on(FLOOR, ((0.0, 0.0), (0.0, 7.0)))
    found = find_footholds(search, lambda d: 0.45 + 0.06 * d, None)
    assert_allclose(np.diff(found.distance), 0.45 + 0.06 * found.distance[:-1], atol=2 * ALONG)


@pytest.mark.parametrize(
    ("begins", "wide"),
    [
        (1.5, 0.15),
        (1.4, 0.3),
        (1.65, 0.3),
        (1.9, 0.3),
        (1.7, 0.4),
        (1.4, 0.5),
        (1.7, 0.6),
    ],
)
def test_a_ditch_is_stepped_over(begins: float, wide: float) -> None:
    """As wide as a step can be that is 1.3 times as long as the captured, less the length of a foot."""
    cycle = cycle_of(ACTOR)
    assert wide + np.ptp(shape_of(ACTOR, "left").along) + 0.05 < 1.3 * cycle.step_length
    ditch = Land(lambda x, z: np.where((z > begins) & (z < begins + wide), -np.inf, 0.0) + 0.0 * x)
    found = walk_on(ditch)
    assert not soles_over(found, begins + 0.002, begins + wide - 0.002)
    assert found.footing.firm.all()
    assert found.distance[-1] > 3.6 - cycle.step_length


@every_walk
@pytest.mark.parametrize("begins", [1.2, 1.7])
def test_too_wide_a_ditch_is_refused_with_its_distance(name: str, begins: float) -> None:
    ditch = Land(lambda x, z: np.where((z > begins) & (z < begins + 1.6), -np.inf, 0.0) + 0.0 * x)
    said = refusal(walk_on, ditch, name=name)
    found = re.fullmatch(
        r"no foothold was found beyond (\d\.\d\d) m of the path's (\d\.\d\d) m: "
        r"no step of this walk leads on from there",
        said,
    )
    assert found
    # the last place before it that bears a sole
    assert begins - 0.35 < float(found[1]) < begins
    assert float(found[2]) == pytest.approx(3.6, abs=0.03)


def test_no_ground_at_all_is_refused() -> None:
    nothing = Land(lambda x, z: np.full(np.broadcast(x, z).shape, -np.inf))
    assert refusal(walk_on, nothing).startswith("no foothold was found beyond 0.00 m of the path's")


@pytest.mark.parametrize("high", [0.1, 0.2])
def test_a_block_across_the_way_is_stepped_on_or_over(high: float) -> None:
    block = Land(lambda x, z: np.where((z > 2.0) & (z < 2.6), high, 0.0) + 0.0 * x)
    found = walk_on(block)
    assert found.footing.firm.all()
    # none stands half on it
    for edge in (2.0, 2.6):
        assert not soles_over(found, edge - 0.001, edge + 0.001)


def test_too_high_a_block_is_refused() -> None:
    leg = cycle_of(ACTOR).leg_length
    wall = Land(lambda x, z: np.where(z > 2.5, 1.15 * HIGHEST * leg, 0.0) + 0.0 * x)
    said = refusal(walk_on, wall)
    reached = re.search(r"beyond (\d\.\d\d) m", said)
    assert reached
    assert 2.0 < float(reached[1]) < 2.5
    low = Land(lambda x, z: np.where(z > 2.5, 0.9 * HIGHEST * leg, 0.0) + 0.0 * x)
    assert walk_on(low).footing.places[-1, 1] == pytest.approx(0.9 * HIGHEST * leg)


@pytest.mark.parametrize("riser", [0.16, -0.16])
def test_stairs_are_climbed_tread_by_tread(riser: float) -> None:
    stairs = ff.StraightStairs(riser, 0.4)
    found = walk_on(stairs, ((0.0, -0.1), (0.0, 3.0)), 0.4)
    places = found.footing.places
    assert_allclose(places[:, 1], stairs.height(places[:, 0], places[:, 2]), atol=1e-12)
    assert_allclose(np.diff(places[:, 1]), riser, atol=1e-12)
    assert_allclose(np.diff(found.distance), 0.4, atol=0.08)


@dataclass(frozen=True)
class Run:
    """A generated terrain and the footholds on it, along the middle of the walk that proves it."""

    terrain: Ground
    found: Footholds
    way_length: float


@cache
def run_over(kind: str, seed: int, again: int = 0) -> Run:
    made = generate(kind, seed)
    placements = np.array([p.position for p in made.crossing.placements])
    path = (0.5 * (placements[1:] + placements[:-1]))[::2]
    path = path[path[:, 2] < 4.0]
    search = search_on(made.terrain, path)
    wanted = cycle_of(ACTOR).step_length
    return Run(made.terrain, find_footholds(search, lambda _: wanted, None), search.way.length)


GENERATED = [("rubble", 1), ("rubble", 5), ("stones", 1), ("blocks", 0), ("bumps", 0), ("ramps", 3)]
generated = pytest.mark.parametrize(("kind", "seed"), GENERATED)


@generated
def test_no_foothold_breaks_its_own_limits(kind: str, seed: int) -> None:
    run, cycle = run_over(kind, seed), cycle_of(ACTOR)
    found, places = run.found, run.found.footing.places
    assert found.footing.firm.all()
    assert_allclose(
        run.terrain.height(places[:, 0], places[:, 2], places[:, 1] + 0.01), places[:, 1], atol=1e-9
    )
    rises, steps = np.abs(np.diff(places[:, 1])), np.diff(found.distance)
    assert rises.max() <= HIGHEST * cycle.leg_length
    assert rises.max() > 0.01
    assert (steps <= [longest_step(cycle, float(rise)) for rise in rises]).all()
    assert steps.max() <= 1.3 * cycle.step_length + 1e-9
    assert steps.min() >= 0.15 - 1e-9
    assert_array_equal(np.abs(np.diff(found.feet)), 1)
    assert found.distance[-1] > run.way_length - cycle.step_length


@generated
def test_two_runs_find_the_same(kind: str, seed: int) -> None:
    one, other = run_over(kind, seed).found, run_over(kind, seed, again=1).found
    assert one is not other
    for name in ("distance", "aside", "feet"):
        assert_array_equal(getattr(one, name), getattr(other, name))
    assert_array_equal(one.footing.places, other.footing.places)
    assert_array_equal(one.footing.normals, other.footing.normals)


@pytest.mark.parametrize(
    ("kind", "seed"),
    GENERATED,
)
def test_no_foot_is_set_before_the_other(kind: str, seed: int) -> None:
    assert between_feet(run_over(kind, seed).found).min() >= NARROW - 1e-9


@pytest.mark.parametrize("rim", [-0.06, -0.02])
def test_on_a_ledge_feet_are_not_crossed(rim: float) -> None:
    """To the right of the rim there is no ground: the right foot must be set to the left of its lane."""
    ledge = Land(lambda x, z: np.where(x > rim, 0.0, -np.inf) + 0.0 * z)
    found = walk_on(ledge)
    assert found.footing.firm.all()
    assert between_feet(found).min() >= NARROW - 1e-9


def test_levels_follow_the_ground() -> None:
    way, _ = way_along(STRAIGHT)
    hill = ff.InclinedTerrain(0.3)
    levels = ground_levels(hill, way, None)
    distance = np.linspace(0.0, way.length, len(levels))
    assert_allclose(levels, np.tan(0.3) * distance, atol=1e-9)
    # down, as well
    assert_allclose(ground_levels(ff.InclinedTerrain(-0.3), way, 0.0), -np.tan(0.3) * distance, atol=1e-9)


@dataclass(frozen=True)
class Bridged:
    """A floor, and another one over it."""

    over: float

    def height(self, x: np.ndarray, z: np.ndarray, start: np.ndarray | float = np.inf) -> np.ndarray:
        level = np.where(
            np.asarray(start) >= self.over, self.over, np.where(np.asarray(start) >= 0.0, 0.0, -np.inf)
        )
        return level + 0.0 * np.asarray(x)


def test_a_bridge_is_walked_on_or_under() -> None:
    way, _ = way_along(STRAIGHT)
    bridge = Bridged(HEADROOM + 0.3)
    assert_array_equal(ground_levels(bridge, way, 0.0), 0.0)
    assert_array_equal(ground_levels(bridge, way, bridge.over), bridge.over)
    assert_array_equal(ground_levels(bridge, way, None), bridge.over)
    for height in (0.0, bridge.over):
        path = ((0.0, height, 0.0), (0.0, height, 2.0))
        assert_allclose(walk_on(bridge, path).footing.places[:, 1], height, atol=1e-12)


def test_between_stones_their_tops_count() -> None:
    way, _ = way_along(STRAIGHT)
    stones = Land(lambda x, z: np.where(z % 0.7 < 0.35, 0.0, -3.0) + 0.0 * x)
    assert ground_levels(stones, way, 0.0).min() > -0.45
