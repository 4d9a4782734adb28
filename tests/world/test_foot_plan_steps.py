"""The steps of a plan: which foot goes from where to where, on which print the other stands."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.errors import RequestError
from footfall.world.foot_plan import FootPlacement, FootPlan, PlannedStep


def plan_of(feet: str) -> FootPlan:
    names = {"l": "left", "r": "right"}
    return FootPlan(tuple(FootPlacement(names[f], np.array([0.0, 0.0, k])) for k, f in enumerate(feet)))


def test_alternating() -> None:
    assert plan_of("lrlrl").steps() == (
        PlannedStep(0, "left", origin=0, support=1, target=2),
        PlannedStep(1, "right", origin=1, support=2, target=3),
        PlannedStep(2, "left", origin=2, support=3, target=4),
    )


def test_one_foot_may_step_twice() -> None:
    assert plan_of("lrrrl").steps() == (
        PlannedStep(0, "right", origin=1, support=0, target=2),
        PlannedStep(1, "right", origin=2, support=0, target=3),
        PlannedStep(2, "left", origin=0, support=3, target=4),
    )


@given(st.sampled_from(["lr", "rl"]), st.text("lr", min_size=1, max_size=30))
def test_walking_through_a_plan(start: str, feet: str) -> None:
    """Whoever takes the steps one by one always finds the feet where they say."""
    plan = plan_of(start + feet)
    stands = {p.foot: k for k, p in enumerate(plan.placements[:2])}
    for k, step in enumerate(plan.steps()):
        other = "right" if step.foot == "left" else "left"
        assert (step.number, step.target) == (k, k + 2)
        assert step.foot == plan.placements[step.target].foot
        assert (stands[step.foot], stands[other]) == (step.origin, step.support)
        stands[step.foot] = step.target
    assert len(plan.steps()) == len(feet)


@pytest.mark.parametrize(
    ("feet", "named"),
    [
        ("", r"^steps\[0\]: is missing, the plan has no steps"),
        ("l", r"^steps\[1\]: is missing, there are 1"),
        ("lr", r"^steps\[2\]: is missing, there are 2"),
        ("ll", r"^steps\[1\]: must be where the right foot starts, steps\[0\] is the left one"),
        ("rrl", r"^steps\[1\]: must be where the left foot starts"),
    ],
)
def test_what_cannot_be_stepped(feet: str, named: str) -> None:
    with pytest.raises(RequestError, match=named):
        plan_of(feet).steps()
