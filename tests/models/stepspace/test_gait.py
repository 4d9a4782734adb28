"""Walk or run: the cheapest of all 2^n ways, and what must be walked is."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.figure.contacts import SIDES
from footfall.models.stepspace.gait import CHANGE, judged_gaits
from footfall.world.foot_plan import FootPlan
from tests.models.stepspace.judges import drawn_plan, made_of, moved, reflected, run_plan
from tests.models.stepspace.spaces import running_space, small_space


def cost(way: tuple[bool, ...], walked: np.ndarray, run: np.ndarray, stands: tuple[bool, bool]) -> float:
    changes = sum(a != b for a, b in pairwise(way))
    changes += (stands[0] and way[0]) + (stands[1] and way[-1])
    return float(
        sum(r**2 if w else d**2 for w, d, r in zip(way, walked, run, strict=True)) + CHANGE * changes
    )


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 9), st.booleans(), st.booleans())
def test_the_judged_way_is_the_cheapest_of_all(
    seed: int, steps: int, from_stand: bool, to_stand: bool
) -> None:
    rng = np.random.default_rng(seed)
    walked, run = rng.uniform(0.0, 0.5, (2, steps))
    runnable = rng.uniform(size=steps) < 0.8
    found = judged_gaits(walked, run, runnable, from_stand=from_stand, to_stand=to_stand)
    assert found.dtype == bool
    assert not found[~runnable].any()
    stands = from_stand, to_stand
    every = [w for w in product([False, True], repeat=steps) if not np.array(w)[~runnable].any()]
    best = min(cost(w, walked, run, stands) for w in every)
    assert abs(cost(tuple(found.tolist()), walked, run, stands) - best) < 1e-12


def test_one_step_alone_does_not_change_the_gait() -> None:
    walked, run = np.full(7, 0.2), np.full(7, 0.25)
    run[3] = 0.1
    yes = np.ones(7, dtype=bool)
    assert not judged_gaits(walked, run, yes, from_stand=True, to_stand=True).any()
    run[2:5] = 0.0
    found = judged_gaits(walked, run, yes, from_stand=True, to_stand=True)
    assert found.tolist() == [False, False, True, True, True, False, False]


def test_a_running_plan_is_run_and_a_walking_one_walked() -> None:
    space = running_space()
    runs = [c.selection.runs for c in made_of(space, run_plan())[0].chosen]
    assert sum(runs) >= 5
    assert not runs[0]
    assert not runs[-1]
    first, last = runs.index(True), len(runs) - 1 - runs[::-1].index(True)
    assert all(runs[first : last + 1])  # once begun it is kept to
    for seed in range(3):
        assert not any(c.selection.runs for c in made_of(space, drawn_plan(seed))[0].chosen)
    assert not any(c.selection.runs for c in made_of(small_space(), run_plan(stride=0.9))[0].chosen)


def test_gaits_do_not_hang_on_where_a_plan_lies_or_which_foot_begins() -> None:
    space, plan = running_space(), run_plan(stride=1.05)
    own = [c.selection.runs for c in made_of(space, plan)[0].chosen]
    for other in (moved(plan, 2.0, np.array([5.0, 0.0, 1.0])), reflected(plan)):
        assert [c.selection.runs for c in made_of(space, other)[0].chosen] == own


def test_a_foot_that_steps_twice_is_not_run_on() -> None:
    plan = run_plan(20)
    before = plan.placements[9]
    ahead = replace(before, position=before.position + np.array([0.0, 0.0, 0.1]))
    twice = FootPlan((*plan.placements[:10], ahead, *plan.placements[10:]))
    feet = [p.foot for p in twice.placements]
    again = [k - 2 for k in range(3, len(feet)) if feet[k] == feet[k - 1]]
    assert len(again) == 1
    assert feet[0] == SIDES[0]
    runs = [c.selection.runs for c in made_of(running_space(), twice)[0].chosen]
    assert not runs[again[0]]
    assert not runs[again[0] - 1]
    assert any(runs)


def test_a_run_begins_and_ends_with_a_step_that_is_walked() -> None:
    """Even where the plan is all run: nothing is known of before and after."""
    space = running_space()
    middle = FootPlan(run_plan(20).placements[6:16])
    runs = [c.runs for c in space.follow(middle, from_stand=False, to_stand=False).selections]
    assert not runs[0]
    assert not runs[-1]
    assert sum(runs) >= 4
