"""Plans on round numbers: moved by rounding, their motions stay."""

from __future__ import annotations

import numpy as np
import pytest

import footfall as ff
from footfall.models.stepspace.candidates import LowSpace
from footfall.models.stepspace.default import default_step_space
from footfall.models.stepspace.low_space import low_of
from footfall.models.stepspace.selection import StepQuery
from footfall.models.stepspace.selectors import SELECTORS
from footfall.models.stepspace.selectors.program import Program
from tests.models.stepspace.test_candidates import points
from tests.models.stepspace.test_selectors import made_up_steps

pytestmark = pytest.mark.cpu

ROUNDING, SAME = 1e-12, 1e-7  # m


def stairs(rise: float, turn: float, jitter: float) -> ff.FootPlan:
    """Even steps up, or round a bend; every position moved by rounding."""
    rng, placements, heading = np.random.default_rng(0), [], 0.0
    middle = np.zeros(3)
    for k in range(9):
        foot, aside = ("left", 0.1) if k % 2 == 0 else ("right", -0.1)
        across = np.array([np.cos(heading), 0.0, -np.sin(heading)])
        position = middle + aside * across + jitter * rng.uniform(-1.0, 1.0, 3)
        placements.append(ff.FootPlacement(foot, position, None if k < 2 else heading))
        if k > 0:
            heading += turn
            middle = middle + np.array([0.4 * np.sin(heading), rise, 0.4 * np.cos(heading)])
    return ff.FootPlan(tuple(placements))


@pytest.mark.parametrize(("rise", "turn"), [(0.05, -0.2), (0.1, 0.0)])
def test_a_plan_moved_by_rounding_is_walked_alike(rise: float, turn: float) -> None:
    """Swings are looked at at 48ths of them: at the middle one foot roll gives way to the next."""
    steps = default_step_space()
    one, other = (steps.follow(stairs(rise, turn, jitter)).positions for jitter in (0.0, ROUNDING))
    assert one.shape == other.shape
    assert np.abs(one - other).max() < SAME


@pytest.mark.parametrize("drawn", [False, True])
def test_steps_and_places_between_them_are_located_alike(drawn: bool) -> None:
    """Many tetrahedra meet at a step, several at an edge, two at a face: the first of them is found."""
    rng, space = np.random.default_rng(0), LowSpace.of(points(60)) if drawn else default_step_space().low
    corners = space.low[space.corners[::3]]
    places = [*space.low, *corners[:, :2].mean(axis=1), *corners[:, :3].mean(axis=1)]
    for place in places:
        found = {space.locate(place + off * rng.uniform(-1.0, 1.0, 3)) for off in (0.0, 1e-12, 1e-9, 1e-9)}
        assert len(found) == 1
        assert min(found) >= 0


@pytest.mark.parametrize("name", SELECTORS)
def test_a_captured_step_is_answered_by_the_same_steps(name: str) -> None:
    steps, rng = default_step_space(), np.random.default_rng(0)
    selector = steps.selector(name)
    for row in steps.left.high[::11]:
        one, *others = (
            selector.select(StepQuery(row + off * rng.uniform(-1.0, 1.0, 10))) for off in (0.0, 1e-12, 1e-10)
        )
        for other in others:
            assert other.steps.tolist() == one.steps.tolist()
            assert (other.inside, other.other) == (one.inside, one.other)
            np.testing.assert_allclose(other.weights, one.weights, rtol=0.0, atol=1e-6)


def test_of_twins_the_linear_program_takes_the_same() -> None:
    """Steps captured twice, and halves of a mirror, cost the same."""
    rng = np.random.default_rng(0)
    high = np.tile(made_up_steps(40), (3, 1))
    told = []
    for off in (0.0, *[1e-9] * 5):
        rows = high + off * rng.uniform(-1.0, 1.0, high.shape)
        selector = Program(rows, LowSpace.of(low_of(high)))
        told.append([selector.select(StepQuery(row)).steps.tolist() for row in made_up_steps(80, 1)])
    assert all(steps == told[0] for steps in told)
