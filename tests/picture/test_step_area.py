"""Landings of captured steps beside the area that a next step can reach."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh

import footfall as ff
from footfall.figure.contacts import SIDES
from footfall.models.stepspace.step_table import ORIGIN, SUPPORT, TARGET
from footfall.picture.page import require_pyplot
from footfall.picture.step_area import Landings, draw_low_space, draw_next_step
from tests.models.stepspace.spaces import small_space

TURN, AWAY = 0.7, np.array([2.0, 0.0, -1.0])  # rad, m: where in the world the step is taken


def turned(points: np.ndarray) -> np.ndarray:
    """Into the world, by another library's matrix."""
    return trimesh.transform_points(
        np.atleast_2d(points), trimesh.transformations.rotation_matrix(TURN, [0.0, 1.0, 0.0])
    )


def stance_of(foot: str, row: int) -> tuple[ff.FootPlan, np.ndarray]:
    """The prints from which a captured step was taken, and where it landed."""
    side = SIDES.index(foot)
    table = small_space().sides[side].table
    places, headings = turned(table.places[row]) + AWAY, table.headings[row] + TURN
    own = ff.FootPlacement(foot, places[ORIGIN], float(headings[ORIGIN]))
    other = ff.FootPlacement(SIDES[1 - side], places[SUPPORT], float(headings[SUPPORT]))
    return ff.FootPlan((own, other)), places[TARGET]


@pytest.mark.parametrize("foot", SIDES)
def test_a_captured_step_lands_where_it_landed(foot: str) -> None:
    """From its own stance, anywhere in the world, on either side."""
    for row in range(0, len(small_space().left), 5):
        plan, landed = stance_of(foot, row)
        found = Landings.of(small_space(), plan, foot)
        assert found.near[row]
        assert found.same[row]
        assert found.places[row, [0, 2]] == pytest.approx(landed[[0, 2]], abs=1e-9)


@pytest.mark.parametrize("foot", SIDES)
def test_its_landing_lies_in_the_area_that_is_drawn(foot: str) -> None:
    plt = require_pyplot()
    for row in range(0, len(small_space().left), 12):
        plan, landed = stance_of(foot, row)
        figure, axes = plt.subplots()
        draw_next_step(axes, small_space(), plan, foot)
        area = axes.patches[0].get_path()
        assert area.contains_point(landed[[0, 2]], radius=0.03) or area.contains_point(
            landed[[0, 2]], radius=-0.03
        )
        assert axes.xaxis_inverted(), "left is to the left"
        shown = np.concatenate([line.get_xydata() for line in axes.lines])
        assert np.linalg.norm(shown - landed[[0, 2]], axis=1).min() < 1e-9
        plt.close(figure)


def test_a_turn_of_the_support_foot_alone_is_not_the_same_stance() -> None:
    """S_low does not see it: what it calls alike stays alike, what is the same changes."""
    plan, _ = stance_of("left", 0)
    own, other = plan.placements
    askew = ff.FootPlan((own, ff.FootPlacement("right", other.position, float(other.heading or 0.0) + 1.5)))
    straight, round_ = (Landings.of(small_space(), each, "left") for each in (plan, askew))
    assert (straight.near == round_.near).all()
    assert not round_.same[0]
    assert round_.places == pytest.approx(straight.places, abs=1e-9)


def test_every_step_and_every_edge_of_s_low_is_drawn() -> None:
    plt = require_pyplot()
    figure = plt.figure()
    axes = figure.add_subplot(projection="3d")
    draw_low_space(axes, small_space())
    low = small_space().low
    edges = {(min(a, b), max(a, b)) for corners in low.corners.tolist() for a in corners for b in corners}
    lines, dots = axes.collections
    assert len(lines._segments3d) == sum(a < b for a, b in edges)
    assert len(dots._offsets3d[0]) == len(low.low)
    plt.close(figure)
