"""Walk or run: the cheapest of all 2^n ways, and what must be walked is."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.figure.contacts import SIDES
from footfall.models.stepspace.gait import CHANGE, SURELY, judged_gaits, without_lone_runs
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


@pytest.mark.parametrize("from_stand", [False, True])
@pytest.mark.parametrize("to_stand", [False, True])
def test_stands_are_walked_out_of_and_into_and_open_ends_are_run(from_stand: bool, to_stand: bool) -> None:
    space = running_space()
    middle = FootPlan(run_plan(20).placements[6:16])
    planned = space.planned(middle)
    stands = {"from_stand": from_stand, "to_stand": to_stand}
    far = space.choosing.distances(space.choosing.asked(planned, **stands))
    runs = space.choosing.gaits(planned, far, **stands)
    assert runs.tolist() == [not from_stand, *[True] * (len(runs) - 2), not to_stand]


def test_one_step_is_run_alone_only_where_it_surely_is_one_and_the_plan_is_open_there() -> None:
    runs = np.array([True, False, True, False, True])
    for alone in product([False, True], repeat=5):
        assert without_lone_runs(runs, np.array(alone)).tolist() == (runs & alone).tolist()
    pair = np.array([False, True, True, False])
    assert without_lone_runs(pair, np.zeros(4, dtype=bool)).tolist() == pair.tolist()

    space = running_space()
    middle = FootPlan(run_plan(20).placements[6:9])  # one step
    planned, walked = space.planned(middle), 0.5
    for less, stands, expected in (
        (SURELY + 0.01, (False, False), True),
        (SURELY - 0.01, (False, False), False),
        (SURELY + 0.01, (True, False), False),
        (SURELY + 0.01, (False, True), False),
    ):
        far = np.array([[walked, np.sqrt(walked**2 - less)]])
        found = space.choosing.gaits(planned, far, from_stand=stands[0], to_stand=stands[1])
        assert found.tolist() == [expected]
