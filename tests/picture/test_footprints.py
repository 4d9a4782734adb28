"""Footprints: soles of the right length and shape, where and how feet rest or are planned to."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.actor.humanoid import humanoid
from footfall.analysis.plants import detect_plants
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.picture.footprints import (
    Footprint,
    footprint,
    found_footprints,
    planned_footprints,
    sole_outline,
    stone,
)
from footfall.world.foot_plan import FootPlacement, FootPlan
from tests.gaits import made

SIDES = ("left", "right")


def area(outline: np.ndarray) -> float:
    """Of a polygon in the plane, by the shoelace formula; positive anticlockwise."""
    x, y = outline.T
    return float(0.5 * (x * np.roll(y, -1) - np.roll(x, -1) * y).sum())


def angles_around(outline: np.ndarray, point: np.ndarray) -> np.ndarray:
    """By how much a polygon's corners turn around a point, one after the other."""
    away = outline - point
    angles = np.arctan2(away[:, 1], away[:, 0])
    return ground.wrap(np.diff(np.append(angles, angles[0])))


def inside(outline: np.ndarray, point: np.ndarray) -> bool:
    return abs(angles_around(outline, point).sum()) == pytest.approx(2 * np.pi)


@pytest.mark.parametrize("side", SIDES)
class TestSole:
    def test_reaches_from_heel_to_toe(self, side: str) -> None:
        points = humanoid().foot_points(side)
        along = (points.toe - points.heel) / np.linalg.norm(points.toe - points.heel)
        _, forward = sole_outline(humanoid(), side).T
        assert forward.min() == pytest.approx((points.heel - points.subtalar) @ along, abs=1e-3)
        assert forward.max() == pytest.approx((points.toe - points.subtalar) @ along, abs=1e-3)

    def test_is_as_broad_as_a_foot(self, side: str) -> None:
        outline = sole_outline(humanoid(), side)
        length, breadth = np.ptp(outline[:, 1]), np.ptp(outline[:, 0])
        assert 0.33 < breadth / length < 0.42
        ball = outline[np.abs(outline[:, 1] - np.percentile(outline[:, 1], 70)) < 0.1 * length]
        waist = outline[np.abs(outline[:, 1] - (outline[:, 1].min() + 0.35 * length)) < 0.1 * length]
        assert np.ptp(ball[:, 0]) > 1.2 * np.ptp(waist[:, 0])

    def test_can_be_filled_from_its_middle(self, side: str) -> None:
        outline = sole_outline(humanoid(), side)
        around = angles_around(outline, outline.mean(axis=0))
        assert (around > 0).all() or (around < 0).all()
        assert inside(outline, outline.mean(axis=0))
        assert inside(outline, np.zeros(2))  # the subtalar
        assert not inside(outline, np.array([0.0, -0.2]))

    def test_scales_with_the_figure(self, side: str) -> None:
        small, large = (sole_outline(humanoid(height), side) for height in (1.0, 2.0))
        assert_allclose(large, 2.0 * small, rtol=0, atol=1e-12)


def test_left_and_right_are_mirror_images() -> None:
    left, right = (sole_outline(humanoid(), side) for side in SIDES)
    assert_allclose(left * [-1, 1], right, rtol=0, atol=1e-9)
    assert area(left) == pytest.approx(-area(right))


def test_the_outer_side_of_the_left_foot_is_to_the_left() -> None:
    """Big toes are inside: the foremost point lies on the side of the other foot."""
    for side, inward in (("left", -1.0), ("right", 1.0)):
        outline = sole_outline(humanoid(), side)
        assert inward * outline[outline[:, 1].argmax(), 0] > 0


class TestFootprint:
    @pytest.mark.parametrize("heading", [0.0, 0.7, -2.5])
    def test_turns_with_its_heading(self, heading: float) -> None:
        place = np.array([1.0, 0.3, -2.0])
        straight = footprint(humanoid(), "left", np.zeros(3), 0.0).outline
        turned = footprint(humanoid(), "left", place, heading).outline
        assert_allclose(turned, place + quat.rotate(ground.turn(heading), straight), rtol=0, atol=1e-12)

    @pytest.mark.parametrize("gait", ["walk", "turn", "stairs", "cross", "run"])
    def test_found_ones_are_where_feet_stand(self, gait: str) -> None:
        truth = made(gait, 60.0)
        plants = detect_plants(truth.motion, truth.contacts)
        prints = found_footprints(truth.motion.skeleton, plants)
        assert [p.foot for p in prints] == [p.foot for p in plants]
        for found, plant in zip(prints, plants, strict=True):
            wanted = min(
                (s for s in truth.stances if s.foot == plant.foot),
                key=lambda s: abs(max(s.strike, 0.0) - plant.start / 60.0),
            )
            assert inside(found.outline[:, [0, 2]], np.array(wanted.place)[[0, 2]])
            assert found.level == pytest.approx(wanted.place[1], abs=2e-3)
            assert_allclose(found.outline[:, 1], found.level, rtol=0, atol=1e-12)
            middle = (plant.start + plant.end) // 2
            assert found.stood_on(middle)
            assert found.stood_on(plant.start)
            assert not found.stood_on(plant.start - 1)
            assert not found.stood_on(plant.end)

    def test_at_another_level(self) -> None:
        found = Footprint("left", footprint(humanoid(), "left", np.ones(3), 1.0).outline, 3, 9)
        moved = found.at_level(-0.5)
        assert (moved.foot, moved.start, moved.end, moved.level) == ("left", 3, 9, -0.5)
        assert_allclose(moved.outline[:, [0, 2]], found.outline[:, [0, 2]])
        assert found.level == 1.0


class TestPlan:
    def test_headings_as_planned(self) -> None:
        places = [
            FootPlacement("left", np.array([0.1, 0.2, 0.3]), 0.5),
            FootPlacement("right", np.zeros(3), -1.0),
        ]
        prints = planned_footprints(humanoid(), FootPlan.of_steps(places))
        for found, placed in zip(prints, places, strict=True):
            assert found.planned
            assert not found.stood_on(0)
            wanted = footprint(humanoid(), placed.foot, placed.position, float(placed.heading or 0.0))
            assert_allclose(found.outline, wanted.outline, rtol=0, atol=1e-12)

    def test_without_headings_feet_look_where_they_go(self) -> None:
        """Each from its last place to this one; the first to its next."""
        way = ground.direction_of(0.8)
        feet = [
            FootPlacement(SIDES[k % 2], 0.35 * k * way + (0.1 if k % 2 else -0.1) * ground.LEFT)
            for k in range(6)
        ]
        for found, placed in zip(planned_footprints(humanoid(), FootPlan.of_steps(feet)), feet, strict=True):
            wanted = footprint(humanoid(), placed.foot, placed.position, 0.8).outline
            assert_allclose(found.outline, wanted, rtol=0, atol=1e-9)

    def test_a_single_one(self) -> None:
        plan = FootPlan.of_steps([FootPlacement("right", np.zeros(3))])
        (found,) = planned_footprints(humanoid(), plan)
        assert_allclose(found.outline, footprint(humanoid(), "right", np.zeros(3), 0.0).outline)

    def test_is_drawn_as_an_outline_of_its_own_colour(self) -> None:
        planned = footprint(humanoid(), "left", np.zeros(3), 0.0)
        found = footprint(humanoid(), "left", np.zeros(3), 0.0, (0, 5))
        (line,) = planned.marks()
        assert line.width > 0
        assert line.closed
        assert line.colour not in [mark.colour for mark in found.marks()]


class TestStone:
    @pytest.mark.parametrize("side", SIDES)
    def test_is_a_prism_under_the_print(self, side: str) -> None:
        raised = footprint(humanoid(), side, np.array([0.2, 0.35, 1.0]), 0.4, (0, 9))
        vertices, normals, triangles = stone(raised, 0.05)
        assert set(np.round(vertices[:, 1], 12)) == {0.35, 0.05}
        assert_allclose(np.linalg.norm(normals, axis=1), 1.0)
        corners = vertices[triangles]
        across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        areas = 0.5 * np.linalg.norm(across, axis=1)
        level = np.ptp(corners[..., 1], axis=1) < 1e-12
        top = abs(area(raised.outline[:, [0, 2]]))
        around = np.linalg.norm(raised.outline - np.roll(raised.outline, -1, axis=0), axis=1).sum()
        assert areas[level].sum() == pytest.approx(top)
        assert areas[~level].sum() == pytest.approx(0.3 * around)
