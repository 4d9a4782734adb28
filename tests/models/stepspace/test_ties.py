"""Plans on round numbers: moved by rounding, their motions stay."""

from __future__ import annotations

import numpy as np
import pytest

import footfall as ff
from footfall.models.stepspace.default import default_step_space

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
