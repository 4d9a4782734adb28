"""The benchmark of step spaces: what it calls a rest and a miss, against plainer ways to tell."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations
from types import SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from footfall.errors import RequestError
from footfall.figure.contacts import SIDES
from footfall.figure.soles import sole_places
from footfall.world.foot_plan import FootPlacement, FootPlan
from tests.benchmarks.scripts import script
from tests.models.stepspace.spaces import small_space


@cache
def plan() -> FootPlan:
    measures = script("step_measures")
    return next(measures.random_plans(measures.level_steps(small_space()), 1, steps=8, seed=3))


def line(*places: float) -> np.ndarray:
    return np.array([[x, 0.0, 0.0] for x in places]).reshape(-1, 3)


@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=4), st.lists(st.integers(0, 9), min_size=0, max_size=7)
)
def test_prints_in_their_turn_as_all_ways_tried(prints: list[int], rests: list[int]) -> None:
    found = script("step_measures").in_turn(line(*prints), line(*rests))
    tried = [
        max(abs(p - r) for p, r in zip(prints, chosen, strict=True))
        for chosen in combinations(rests, len(prints))
    ]
    assert found == min(tried, default=np.inf)


def test_rests_are_where_a_point_stays() -> None:
    still = script("step_measures").STILL
    up = np.linspace(0.0, 0.4, 9)
    path = line(*[0.0] * 6, *up[1:], *[0.4 + 0.1 * still * k for k in range(5)], *(0.4 + up[1:]), 0.8)
    assert_allclose(script("step_measures").rests_of(path), line(0.0, 0.4 + 0.2 * still), atol=1e-12)
    assert script("step_measures").rests_of(line(*up)).shape == (0, 3)


def test_a_saved_file_tells_the_same_to_both_readers_and_a_moved_print_is_seen() -> None:
    measures, made = script("step_measures"), small_space().follow(plan())
    ours, theirs = measures.through_file(made), measures.through_pybvh(made)
    for side in SIDES:
        assert_allclose(ours[side], sole_places(made, side)[:, 1], atol=1e-7)
        assert_allclose(theirs[side], ours[side], atol=1e-8)
    assert measures.placement_error(ours, plan()) < 1e-6
    for k in (0, 4, len(plan()) - 1):
        moved = replace(
            plan().placements[k], position=plan().placements[k].position + np.array([3e-4, 0, 4e-4])
        )
        changed = FootPlan((*plan().placements[:k], moved, *plan().placements[k + 1 :]))
        assert_allclose(measures.placement_error(ours, changed), 5e-4, atol=1e-6)


def test_a_refused_plan_is_walked_as_far_as_it_goes() -> None:
    placements = [FootPlacement(SIDES[k % 2], np.array([0.0, 0.0, 0.3 * k])) for k in range(8)]

    def follow(given: FootPlan) -> None:
        if len(given) > 5:
            raise RequestError("steps[5]: is 3 m away; at most 0.9 m can be reached")

    space = SimpleNamespace(follow=follow)
    kept, why = script("step_measures").walkable(space, FootPlan(tuple(placements)))
    assert len(kept) == 5
    assert why.startswith("steps[5]")
    assert script("step_measures").walkable(space, kept) == (kept, "")


def test_the_pelvis_is_lowered_in_the_step_whose_frames_say_so() -> None:
    made = small_space().follow(plan())
    lowered = np.zeros(len(made))
    frame = round((made.begins[3] + 0.1) * made.fps)
    lowered[[0, frame]] = 0.02, 0.07
    found = script("step_measures").lowered_by_step(replace(made, lowered=lowered))
    assert found.tolist() == [0.02, 0.0, 0.0, 0.07, *[0.0] * (len(made.begins) - 4)]


def test_every_kind_of_plan_has_its_share() -> None:
    measures = script("step_measures")
    made = list(measures.plans_of(small_space(), 16))
    assert len(made) == 16
    assert {mix for mix, _, _ in made} == set(measures.MIXES)
    assert all(len(one) == measures.STEPS + 2 for _, _, one in made)


def test_a_plain_step_lands_on_its_own_print() -> None:
    space = small_space()
    for foot, side in enumerate(space.sides):
        landed = script("step_measures").landings(space, side.body[:, -1], [foot] * len(side.table))
        away = np.linalg.norm((landed - side.table.places[:, 1])[:, [0, 2]], axis=1)
        assert np.quantile(away, 0.9) < 0.002
