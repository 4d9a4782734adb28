"""What can be reached: sections of the hull as trimesh cuts it, refusals with prints that can be followed."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.spatial import ConvexHull

from footfall.errors import RequestError
from footfall.figure.contacts import SIDES
from footfall.models.stepspace.low_space import MIRRORED, low_of
from footfall.models.stepspace.reach import INNER, Reach
from footfall.world.foot_plan import FootPlacement, FootPlan
from tests.models.stepspace.judges import drawn_plan, moved, raised, reflected, turned
from tests.models.stepspace.spaces import small_space

NAMED = re.compile(r"^steps\[(\d+)\]: .*nearest that can be is \((-?[\d.]+), (-?[\d.]+), (-?[\d.]+)\)$")


@cache
def reach() -> Reach:
    return Reach(low_of(small_space().left.high), small_space().skeleton.leg_length())


def inner() -> tuple[float, float]:
    x1 = reach().low[:, 0]
    return float(x1.min()) + INNER, float(x1.max()) - INNER


def contains(polygon: np.ndarray, place: np.ndarray, margin: float = 1e-9) -> bool:
    hull = ConvexHull(polygon)
    return bool((hull.equations[:, :2] @ place + hull.equations[:, 2] <= margin).all())


@settings(max_examples=30, deadline=None)
@given(st.floats(0.0, 1.0))
def test_sections_are_those_that_trimesh_cuts(share: float) -> None:
    x1 = float(np.interp(share, [0.0, 1.0], inner()))
    mesh = trimesh.Trimesh(reach().low, ConvexHull(reach().low).simplices)
    cut = mesh.section(plane_origin=[x1, 0.0, 0.0], plane_normal=[1.0, 0.0, 0.0])
    assert cut is not None
    expected = ConvexHull(np.asarray(cut.vertices)[:, 1:])
    found = ConvexHull(reach().section(x1))
    assert found.volume == pytest.approx(expected.volume, rel=1e-6)
    assert found.area == pytest.approx(expected.area, rel=1e-6)


@settings(max_examples=30, deadline=None)
@given(st.floats(-2.0, 2.0))
def test_sections_are_convex_and_go_round_once(x1: float) -> None:
    polygon = reach().section(x1)
    assert len(polygon) >= 3
    edges = np.roll(polygon, -1, axis=0) - polygon
    ahead = np.roll(edges, -1, axis=0)
    assert (edges[:, 0] * ahead[:, 1] - edges[:, 1] * ahead[:, 0] > -1e-12).all()
    area = 0.5 * np.sum(
        polygon[:, 0] * np.roll(polygon[:, 1], -1) - polygon[:, 1] * np.roll(polygon[:, 0], -1)
    )
    assert area == pytest.approx(ConvexHull(polygon).volume)


def test_captured_landings_lie_in_the_section_of_their_stance() -> None:
    low = reach().low
    least, most = inner()
    own = low[(low[:, 0] > least) & (low[:, 0] < most)]
    assert len(own) > 20
    for row in own:
        assert contains(reach().section(float(row[0])), row[1:])
    for row in low:
        far, nearest = reach().outside(row)
        assert far < 1e-9
        assert_allclose(nearest, row[1:], atol=1e-6)


@settings(max_examples=40, deadline=None)
@given(st.floats(0.0, 1.0), st.floats(-3.0, 3.0), st.floats(-3.0, 3.0))
def test_the_nearest_landing_was_captured_and_is_the_nearest(share: float, x2: float, z2: float) -> None:
    x1 = float(np.interp(share, [0.0, 1.0], inner()))
    far, nearest = reach().outside(np.array([x1, x2, z2]))
    polygon = reach().section(x1)
    assert contains(polygon, nearest, 1e-6)
    if far > 0.0:
        away = np.linalg.norm(nearest - [x2, z2])
        edges = zip(polygon, np.roll(polygon, -1, axis=0), strict=True)
        every = np.concatenate([a + np.linspace(0.0, 1.0, 50)[:, None] * (b - a) for a, b in edges])
        if not contains(polygon, np.array([x2, z2])):
            assert away <= np.linalg.norm(every - [x2, z2], axis=1).min() + 1e-9
        assert far <= away + 1e-9  # in all of S_low it is no farther


def area(plan: FootPlan, foot: str) -> np.ndarray:
    return small_space().reachable_area(plan, foot)


@pytest.mark.parametrize("foot", SIDES)
def test_the_area_holds_where_captured_steps_landed(foot: str) -> None:
    """Each captured step from its own stance: its landing is in the area, wherever the stance is laid."""
    table = small_space().sides[SIDES.index(foot)].table
    rows = table.high if foot == "left" else table.high * MIRRORED
    least, most = inner()
    met = 0
    for k, x1 in enumerate(low_of(rows)[:, 0]):
        if not least < x1 < most:
            continue
        met += 1
        facing, shift = 0.3 * k, np.array([1.0, 0.2, -0.1 * k])
        places = [turned(p, facing) + shift for p in table.places[k]]
        stance = FootPlan(
            (
                FootPlacement(foot, places[0], float(table.headings[k, 0]) + facing),
                FootPlacement(SIDES[1 - SIDES.index(foot)], places[2], facing),
            )
        )
        corners = area(stance, foot)
        assert_allclose(corners[:, 1], places[2][1], atol=1e-9)
        assert contains(corners[:, [0, 2]], places[1][[0, 2]], 1e-6)
    assert met > 20


def test_the_area_goes_where_the_feet_go() -> None:
    plan = drawn_plan(4, steps=3)
    foot = "left" if plan.placements[-1].foot == "right" else "right"
    own, shift = area(plan, foot), np.array([4.0, 0.3, -7.0])
    assert_allclose(area(moved(plan, 1.1, shift), foot), turned(own, 1.1) + shift, atol=1e-9)
    other = SIDES[1 - SIDES.index(foot)]
    assert_allclose(area(reflected(plan), other), own * [-1.0, 1.0, 1.0], atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_prints_in_the_area_can_be_followed(seed: int) -> None:
    plan = drawn_plan(seed, steps=2)
    foot = SIDES[1 - SIDES.index(plan.placements[-1].foot)]
    corners = area(plan, foot)
    middle = corners.mean(axis=0)
    facing = plan.placements[-1].heading
    for corner in corners:
        place = middle + 0.98 * (corner - middle)
        longer = FootPlan((*plan.placements, FootPlacement(foot, place, facing)))
        made = small_space().follow(longer)
        assert not any("outside what was captured" in c and f"[{len(plan)}]" in c for c in made.clamped)


def test_there_is_an_area_for_a_foot_that_steps_again() -> None:
    plan = drawn_plan(1, steps=2)
    assert len(area(plan, plan.placements[-1].foot)) >= 3


def refusal(plan: FootPlan) -> tuple[int, np.ndarray]:
    with pytest.raises(RequestError) as refused:
        small_space().follow(plan)
    found = NAMED.match(str(refused.value))
    assert found is not None, refused.value
    return int(found[1]), np.array([float(found[k]) for k in (2, 3, 4)])


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 200), st.floats(2.2, 4.0), st.floats(-3.0, 3.0), st.integers(2, 4))
def test_the_print_that_is_named_can_be_followed(seed: int, far: float, way: float, number: int) -> None:
    plan = drawn_plan(seed, steps=number - 1)
    placements = list(plan.placements)
    away = turned(np.array([0.0, 0.0, far]), way)
    placements[number] = replace(placements[number], position=placements[number].position + away)
    named, place = refusal(FootPlan(tuple(placements)))
    assert named == number
    placements[number] = replace(placements[number], position=place)
    small_space().follow(FootPlan(tuple(placements)))


@pytest.mark.parametrize("rise", [0.5, -0.5, 3.0])
def test_the_print_that_is_named_instead_of_a_high_one_can_be_followed(rise: float) -> None:
    plan = raised(drawn_plan(1, steps=1), 2, rise)
    number, place = refusal(plan)
    assert number == 2
    low = FootPlan((*plan.placements[:2], replace(plan.placements[2], position=place)))
    small_space().follow(low)


def test_feet_that_start_too_far_apart_are_refused() -> None:
    plan = drawn_plan(0, steps=1)
    first = replace(plan.placements[0], position=plan.placements[0].position + np.array([3.0, 0.0, 0.0]))
    with pytest.raises(RequestError, match=r"^steps\[1\]: the feet start \d\.\d\d m apart; 1\.\d\d m can be"):
        small_space().follow(FootPlan((first, *plan.placements[1:])))


def test_what_was_captured_is_never_too_far() -> None:
    low = np.array(reach().low)
    longest = Reach(np.concatenate([low, [[0.3, 0.2, 1.9]]]), reach().leg)
    assert longest.farthest > np.hypot(0.2, 1.9)
    assert reach().farthest >= 1.4 * reach().leg
    assert reach().highest < 0.5 * reach().leg


def test_a_stair_is_refused_by_its_height() -> None:
    plan = raised(drawn_plan(0, steps=1), 2, 0.6)
    with pytest.raises(
        RequestError, match=r"it is 0\.60 m over the other foot's, and 0\.\d\d m are possible"
    ):
        small_space().follow(plan)
    with pytest.raises(RequestError, match=r"it is 0\.60 m under the other foot's"):
        small_space().follow(raised(drawn_plan(0, steps=1), 2, -0.6))
