"""Ways held against closed formulas, integrals by SciPy and a search over millimetres."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import solve_ivp

from footfall.models.walkedit.way import SPACING, STRAIGHT_ON, TIGHTEST, Way, bending_way, way_along
from tests.models.walkedit.walks import refusal

BENDS = (0.3, -0.4, 2.0 / 3.0, -1.0, 1.7, -2.0)
VARYING: dict[str, Callable[[float], float]] = {
    "S": lambda s: 0.9 * np.sin(0.8 * s),
    "clothoid": lambda s: 0.12 * s - 0.3,
    "spiral": lambda s: 1.0 / (1.0 + 0.12 * s),
}


def on_arc(
    bend: float, distance: np.ndarray, aside: np.ndarray | float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """x and z of places beside an arc from the origin, `aside` to the left of it."""
    angle = bend * distance
    return (
        (1.0 - np.cos(angle)) / bend + aside * np.cos(angle),
        np.sin(angle) / bend - aside * np.sin(angle),
    )


def beside(way: Way, distance: np.ndarray, aside: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    plan, heading = way.at(distance)
    return plan[:, 0] + aside * np.cos(heading), plan[:, 1] - aside * np.sin(heading)


def located(way: Way, x: np.ndarray, z: np.ndarray) -> np.ndarray:
    """By each of the way's turns: (turns, n)."""
    return np.stack([turn.locate(x, z) for turn in way.turns])


@pytest.mark.parametrize("bend", BENDS)
def test_an_arc_is_a_circle(bend: float) -> None:
    way = bending_way(bend, 9.0)
    distance = SPACING * np.arange(len(way.points))
    plan, heading = way.at(distance)
    assert way.length >= 9.0
    assert_allclose(heading, bend * distance, atol=1e-12)
    assert_allclose(plan, np.stack(on_arc(bend, distance), axis=-1), atol=1e-12)
    # between two samples it goes straight: off by the arrow of a 2 cm chord
    between = np.linspace(0.0, way.length, 3001)
    off = np.linalg.norm(way.at(between)[0] - np.stack(on_arc(bend, between), axis=-1), axis=-1)
    assert off.max() < 1.01 * abs(bend) * SPACING**2 / 8.0
    assert_allclose(way.bend(between), bend, atol=1e-9)


@pytest.mark.parametrize("kind", VARYING)
def test_a_bending_way_is_the_integral_of_its_bend(kind: str) -> None:
    bend = VARYING[kind]
    way = bending_way(bend, 15.0)

    def onward(s: float, state: np.ndarray) -> list[float]:
        return [bend(s), np.sin(state[0]), np.cos(state[0])]

    at = SPACING * np.arange(0, len(way.points), 25)
    truth = solve_ivp(onward, (0.0, way.length), np.zeros(3), t_eval=at, rtol=1e-11, atol=1e-12).y
    plan, heading = way.at(at)
    assert_allclose(heading, truth[0], atol=1e-4)
    assert_allclose(plan, truth[1:].T, atol=3e-4)


@pytest.mark.parametrize(
    "way", [bending_way(0.7, 4.0), bending_way(VARYING["S"], 4.0), STRAIGHT_ON], ids=["arc", "S", "straight"]
)
def test_beyond_its_ends_a_way_goes_straight_on(way: Way) -> None:
    for end, sign in ((0.0, -1.0), (way.length, 1.0)):
        place, heading = way.at(np.array(end))
        ahead = np.array([np.sin(heading), np.cos(heading)])
        farther, same = way.at(end + sign * np.array([0.5, 3.0]))
        assert_allclose(farther, place + sign * np.outer([0.5, 3.0], ahead), atol=1e-12)
        assert_array_equal(same, [heading, heading])
        assert_array_equal(way.bend(end + sign * np.array([0.5, 3.0])), [0.0, 0.0])
        # and places beside that go on are found, one after the other
        across = np.array([np.cos(heading), -np.sin(heading)])
        x, z = (farther + np.array([[0.3], [-0.2]]) * across).T
        found = located(way, x, z)[0 if sign < 0 else -1]
        assert_allclose(found, end + sign * np.array([0.5, 3.0]), atol=1e-9)


@pytest.mark.parametrize("bend", BENDS)
def test_locating_inverts_at_beside_an_arc(bend: float) -> None:
    rng = np.random.default_rng(7)
    way = bending_way(bend, 14.0)
    distance = rng.uniform(0.0, 14.0, 3000)
    aside = rng.uniform(-0.6, 0.6, 3000) * min(1.0 / abs(bend), 1.0)
    x, z = on_arc(bend, distance, aside)
    found = located(way, x, z)
    assert not np.isnan(found).all(axis=0).any()
    assert np.nanmin(np.abs(found - distance), axis=0).max() < 1e-9


@pytest.mark.parametrize("bend", BENDS)
def test_the_arcs_formula_finds_what_the_search_finds(bend: float) -> None:
    rng = np.random.default_rng(8)
    way = bending_way(bend, 14.0)
    searched = replace(way, arc=None)
    assert len(way.turns) == len(searched.turns)
    distance = rng.uniform(0.0, 14.0, 3000)
    aside = rng.uniform(-0.5, 0.5, 3000) * min(1.0 / abs(bend), 1.0)
    x, z = on_arc(bend, distance, aside)
    for one, other in zip(way.turns, searched.turns, strict=True):
        by_angle, by_search = one.locate(x, z), other.locate(x, z)
        # where a turn begins and ends, rounding may have it either way
        inside = np.abs(by_angle - SPACING * one.first) > 1e-4
        inside &= np.abs(by_angle - SPACING * one.last) > 1e-4
        beside_it = (by_angle >= SPACING * one.first) & (by_angle <= SPACING * one.last) & inside
        assert beside_it.sum() > 100
        assert_allclose(by_search[beside_it], by_angle[beside_it], atol=5e-6)


@pytest.mark.parametrize("arc", [True, False], ids=["by angle", "by search"])
@pytest.mark.parametrize("bend", [1.0, -1.6])
def test_a_place_that_a_way_passes_several_times_is_found_each_time(bend: float, arc: bool) -> None:
    rng = np.random.default_rng(9)
    way = bending_way(bend, 19.0)
    way = way if arc else replace(way, arc=None)
    once = 2.0 * np.pi / abs(bend)  # m: once round
    first = rng.uniform(0.01, once - 0.01, 200)
    x, z = on_arc(bend, first, rng.uniform(-0.2, 0.2, 200))
    found = located(way, x, z)
    assert len(way.turns) >= 3
    for k in range(len(first)):
        passes = np.arange(first[k], way.length, once)
        here = found[:, k]
        here = here[(here > 1e-6) & (here < way.length - 1e-6)]  # what lies before and beyond is not passed
        # every pass is found, and nothing else
        assert np.abs(here[:, None] - passes).min(axis=0).max() < 1e-5
        assert np.abs(here[:, None] - passes).min(axis=1).max() < 1e-5


@pytest.mark.parametrize("kind", VARYING)
def test_locating_inverts_at_beside_a_varying_way(kind: str) -> None:
    rng = np.random.default_rng(10)
    way = bending_way(VARYING[kind], 15.0)
    distance = rng.uniform(0.0, 15.0, 2000)
    x, z = beside(way, distance, rng.uniform(-0.3, 0.3, 2000))
    found = located(way, x, z)
    assert not np.isnan(found).all(axis=0).any()
    # at and headings are straight between samples; a place 0.3 m aside sees a heading's corner 0.3 m farther
    assert np.nanmin(np.abs(found - distance), axis=0).max() < 5e-4


@given(
    corners=st.lists(
        st.tuples(st.floats(0.9, 3.0), st.floats(-0.9, 0.9)), min_size=1, max_size=6
    ),  # m ahead, rad turned
    seed=st.integers(0, 1000),
)
@settings(max_examples=40, deadline=None)
def test_along_any_path_places_are_where_a_fine_search_has_them(
    corners: list[tuple[float, float]], seed: int
) -> None:
    headings = np.cumsum([0.0, *(turn for _, turn in corners)])
    lengths = np.array([1.0, *(ahead for ahead, _ in corners)])
    steps = lengths[:, None] * np.stack([np.sin(headings), np.cos(headings)], axis=-1)
    way, height = way_along(np.concatenate([[[2.0, -1.0]], np.array([2.0, -1.0]) + np.cumsum(steps, axis=0)]))
    assert height is None
    rng = np.random.default_rng(seed)
    distance = rng.uniform(0.0, way.length, 40)
    # not farther inside than bends are round
    room = min(0.25, 0.4 / max(float(np.abs(way.bend(np.linspace(0.0, way.length, 999))).max()), 0.1))
    x, z = beside(way, distance, rng.uniform(-room, room, 40))
    found = located(way, x, z)
    fine = np.linspace(0.0, way.length, int(way.length * 1000) + 1)
    places = way.at(fine)[0]
    for k in range(40):
        here = found[~np.isnan(found[:, k]), k]
        assert len(here)
        away = np.hypot(*(places - [x[k], z[k]]).T)
        # the nearest of millimetres is found by a turn, as near as that can be
        best = way.at(here[np.argmin(np.abs(here - fine[np.argmin(away)]))])[0]
        assert np.hypot(*(best - [x[k], z[k]])) < away.min() + 2e-4


def test_nowhere_is_no_distance() -> None:
    for way in (bending_way(0.5, 3.0), bending_way(VARYING["S"], 3.0), bending_way(2.0, 9.0)):
        x = np.array([np.nan, 0.0, np.inf, 0.1])
        z = np.array([0.0, np.nan, 0.0, 0.1])
        found = located(way, x, z)
        assert np.isnan(found[:, :3]).all()
        assert np.isfinite(found[:, 3]).any()


def test_a_way_straight_on_is_z() -> None:
    rng = np.random.default_rng(1)
    x, z = rng.normal(size=(2, 50)) * 30.0
    (turn,) = STRAIGHT_ON.turns
    assert_array_equal(turn.locate(x, z), z)
    plan, heading = STRAIGHT_ON.at(z)
    assert_allclose(plan, np.stack([np.zeros(50), z], axis=-1), atol=1e-12)
    assert not heading.any()
    # the same as any way that happens to be straight
    (other,) = replace(bending_way(lambda _: 0.0, 3.0), arc=None).turns
    assert_allclose(other.locate(x, z), z, atol=1e-12)


@pytest.mark.parametrize("angle", np.radians([-30.0, 60.0, 90.0]))
def test_corners_of_a_path_are_rounded(angle: float) -> None:
    ends = np.array([[0.0, 0.0], [0.0, 4.0], [4.0 * np.sin(angle), 4.0 + 4.0 * np.cos(angle)]])
    way, _ = way_along(ends)
    distance = np.linspace(0.0, way.length, 4001)
    plan, heading = way.at(distance)
    assert_allclose(plan[0], ends[0], atol=1e-9)
    assert np.hypot(*(plan[-1] - ends[-1])) < SPACING  # less than a sample is left out
    assert_allclose(heading[[0, -1]], [0.0, angle], atol=1e-6)
    bends = way.bend(distance)
    assert np.abs(bends).max() <= TIGHTEST + 1e-9
    assert (bends * np.sign(angle) > -1e-6).all()
    # away from the corner it is the path
    assert np.abs(plan[distance < 2.0, 0]).max() < 1e-9
    cut = np.hypot(*(plan - ends[1]).T).min()
    assert 0.0 < cut < 0.5


@pytest.mark.parametrize("degrees", [-120.0, 110.0])
def test_sharp_corners_are_rounded_until_they_can_be_walked(degrees: float) -> None:
    angle = np.radians(degrees)
    way, _ = way_along([(0.0, 0.0), (0.0, 6.0), (6.0 * np.sin(angle), 6.0 + 6.0 * np.cos(angle))])
    bends = way.bend(np.linspace(0.0, way.length, 2001))
    assert np.abs(bends).max() <= TIGHTEST + 1e-9
    assert way.headings[-1] == pytest.approx(angle, abs=0.05)


def test_there_and_back_is_refused() -> None:
    assert "turns too sharply" in refusal(way_along, [(0.0, 0.0), (0.0, 5.0), (0.0, 0.0)])


def test_samples_of_a_path_are_evenly_spaced_and_head_along_it() -> None:
    rng = np.random.default_rng(3)
    path = np.cumsum(rng.uniform(0.3, 1.5, (12, 2)), axis=0)
    way, _ = way_along(path)
    apart = np.diff(way.points, axis=0)
    assert_allclose(np.linalg.norm(apart, axis=-1), SPACING, rtol=2e-3)
    middle = 0.5 * (way.headings[1:] + way.headings[:-1])
    assert_allclose(middle, np.unwrap(np.arctan2(apart[:, 0], apart[:, 1])), atol=0.01)


def test_a_straight_path_is_straight_however_it_is_told() -> None:
    told = np.array([0.0, 0.0, 0.3, 0.3, 0.30001, 2.0, 5.0, 5.0])[:, None] * np.array([0.6, 0.8]) + [
        3.0,
        -7.0,
    ]
    way, _ = way_along(told)
    plan, heading = way.at(np.linspace(0.0, way.length, 500))
    assert_allclose(heading, np.arctan2(0.6, 0.8), atol=1e-9)
    assert_allclose((plan - [3.0, -7.0]) @ [0.8, -0.6], 0.0, atol=1e-9)


def test_a_path_may_say_how_high_it_begins() -> None:
    plan = np.array([[0.0, 0.0], [1.0, 3.0], [0.0, 6.0]])
    flat, none = way_along(plan)
    way, height = way_along(np.insert(plan, 1, [2.5, 7.0, -1.0], axis=1))
    assert none is None
    assert height == 2.5
    assert_array_equal(way.points, flat.points)
    assert_array_equal(way.headings, flat.headings)


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ([(0.0, 0.0), (np.nan, 3.0)], "two or more finite points (x, z) or (x, y, z)"),
        ([(0.0, 0.0), (np.inf, 3.0)], "two or more finite points (x, z) or (x, y, z)"),
        ([(0.0, 0.0)], "two or more finite points"),
        ([], "two or more finite points"),
        ([0.0, 1.0], "two or more finite points"),
        ([(0.0, 0.0, 0.0, 0.0), (1.0, 1.0, 1.0, 1.0)], "two or more finite points"),
        ([(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], "must lead somewhere: this one is 0.000 m long"),
        ([(0.0, 0.0), (0.0, 0.05)], "must lead somewhere: this one is 0.050 m long"),
        ([(0.0, 5.0, 0.0), (0.0, 9.0, 0.0)], "must lead somewhere: this one is 0.000 m long"),
        ([(0.0, 0.0), (0.0, 20_000.0)], "10 km long at most: this one is 20.0 km"),
        ([(0.0, 0.0), (0.0, 1e30)], "10 km long at most"),
        ("along the river", "must be an array of points (x, z) or (x, y, z)"),
        ([(0.0, 0.0), (0.0,)], "must be an array of points"),
        (None, "two or more finite points"),
        ({"from": (0.0, 0.0)}, "must be an array of points"),
    ],
    ids=str,
)
def test_what_is_no_path_is_refused(path: object, says: str) -> None:
    said = refusal(way_along, path)
    assert said.startswith("a path ")
    assert says in said
