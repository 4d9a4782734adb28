"""What is said of a plan: of the prints it is true of, and of no others."""

from __future__ import annotations

import numpy as np
import pytest

import footfall as ff
from footfall.errors import RequestError
from footfall.models.stepspace.planned import PlannedSteps
from footfall.models.stepspace.remarks import (
    HARDLY,
    LOW,
    lowered,
    off_the_ground,
    on_each_other,
    outside,
    unlain,
)
from footfall.world.foot_plan import FootPlacement, FootPlan
from footfall.world.plane import FlatTerrain
from tests.models.stepspace.spaces import small_space


def walk(*prints: tuple[str, float, float, float]) -> FootPlan:
    return FootPlan(tuple(FootPlacement(s, np.array([x, y, z]), 0.0) for s, x, y, z in prints))


PLAN = walk(
    ("left", 0.09, 0.0, 0.0),
    ("right", -0.09, 0.0, 0.0),
    ("left", 0.09, 0.0, 0.5),
    ("right", 0.07, 0.0, 0.52),
    ("left", 0.09, 0.3, 0.5),
)


def planned(plan: FootPlan = PLAN) -> PlannedSteps:
    return PlannedSteps.of(plan, np.zeros(len(plan)))


def test_steps_outside_what_was_captured_are_said_in_a_fitting_unit() -> None:
    assert list(outside(planned(), [0.0, 0.5 * HARDLY, 0.0])) == []
    words = list(outside(planned(), [0.004, 0.0, 0.31]))
    assert [w.split(" outside")[0] for w in words] == ["steps[2]: 4 mm", "steps[4]: 0.31 m"]


def test_prints_off_the_ground_are_said() -> None:
    assert list(off_the_ground(planned(), None)) == []
    assert list(off_the_ground(planned(), FlatTerrain())) == ["steps[4]: the print is 0.30 m over the ground"]


def test_feet_on_feet_are_said() -> None:
    """A print beside the other foot, and one high over it, are none."""
    assert list(on_each_other(planned())) == ["steps[3]: the foot stands on the other foot"]
    start = walk(("left", 0.0, 0.0, 0.0), ("right", 0.01, 0.0, 0.0), ("left", 0.1, 0.0, 0.4))
    assert list(on_each_other(planned(start))) == ["steps[0]: the foot stands on the other foot"]
    assert (
        "steps[3]: the foot stands on the other foot"
        in small_space().follow(FootPlan(PLAN.placements[:4])).clamped
    )


def test_a_pelvis_that_comes_down_is_said_in_centimetres() -> None:
    words = list(lowered(planned(), np.array([LOW, LOW + 0.02, 0.0])))
    assert words == ["steps[3]: the pelvis comes down by 7 cm"]


def test_prints_that_are_not_lain_in_are_said() -> None:
    assert list(unlain(PLAN, [1, 2, 3])) == [
        "steps[0]: the motion begins after the foot lay in it",
        "steps[4]: the motion ends before the foot lies in it",
    ]


@pytest.mark.parametrize("terrain", ["stairs:7", 5])
def test_what_is_no_terrain_is_refused(terrain: object) -> None:
    with pytest.raises(RequestError, match="a terrain is needed"):
        small_space().follow(PLAN, terrain=terrain)  # type: ignore[arg-type]
    assert callable(ff.generate_terrain)
