"""Which steps are blended: mirrored alike, stretched as far as is asked, then the nearest alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.figure.contacts import SIDES
from footfall.figure.kinematics import forward
from footfall.models.stepspace.low_space import low_of
from footfall.models.stepspace.planned import STOOD
from footfall.models.stepspace.selectors import SELECTORS
from footfall.models.stepspace.step_table import sample_times
from footfall.world.foot_plan import FootPlacement, FootPlan
from tests.models.stepspace.judges import drawn_plan, made_of, moved, reflected, run_plan
from tests.models.stepspace.spaces import running_space, small_space


def side_step(far: float) -> FootPlan:
    """From a stand to the left by so much, twice."""
    places = [("left", 0.1), ("right", -0.1), ("left", 0.1 + far), ("right", far - 0.1)]
    return FootPlan(tuple(FootPlacement(s, np.array([x, 0.0, 0.0]), 0.0) for s, x in places))


@pytest.mark.parametrize("name", sorted(SELECTORS))
def test_a_mirrored_plan_asks_for_the_same_steps(name: str) -> None:
    space = small_space()
    for seed in range(3):
        own, other = (
            made_of(space, p, selector=name)[0] for p in (drawn_plan(seed), reflected(drawn_plan(seed)))
        )
        for a, b in zip(own.chosen, other.chosen, strict=True):
            assert a.selection.steps.tolist() == b.selection.steps.tolist()
            assert_allclose(a.selection.weights, b.selection.weights, atol=1e-9)
            assert a.outside == pytest.approx(b.outside, abs=1e-9)


def test_a_plan_elsewhere_asks_for_the_same_steps() -> None:
    space, plan = small_space(), drawn_plan(6)
    own, other = (made_of(space, p)[0] for p in (plan, moved(plan, 2.2, np.array([30.0, 1.0, -4.0]))))
    assert_allclose(own.asked, other.asked, atol=1e-9)
    for one, two in zip(own.chosen, other.chosen, strict=True):
        assert one.selection.steps.tolist() == two.selection.steps.tolist()


def test_queries_are_those_of_the_left_foot_and_know_of_stands() -> None:
    space, plan = small_space(), drawn_plan(2)
    planned = space.planned(plan)
    rows = space.choosing.queries(planned, from_stand=True, to_stand=True)
    for k, (step, query) in enumerate(zip(plan.steps(), rows, strict=True)):
        origin, support = (plan.placements[n] for n in (step.origin, step.support))
        assert support.heading is not None
        away = origin.position - support.position
        c, s = np.cos(support.heading), np.sin(support.heading)
        side = 1.0 if step.foot == "left" else -1.0
        assert query.high[0] == pytest.approx(side * (c * away[0] - s * away[2]))
        assert query.high[1] == pytest.approx(s * away[0] + c * away[2])
        assert np.isnan(query.high[8])
        asked = [STOOD if k == 0 else np.nan, STOOD if k == len(rows) - 1 else np.nan]
        assert_array_equal(query.high[[6, 7]], asked)
    bare = space.choosing.queries(planned, from_stand=False, to_stand=False)
    assert all(np.isnan(q.high[6:]).all() for q in bare)


def test_what_is_asked_of_time_is_asked_of_steps() -> None:
    plan = drawn_plan(1, steps=2, timed=True)
    asked = made_of(small_space(), plan)[0].asked[1]
    last = plan.placements[3]
    assert last.swing == pytest.approx(asked[8])
    support = plan.placements[plan.steps()[1].support]
    assert support.stance == pytest.approx(asked[9])


def test_far_outside_the_nearest_step_is_taken_alone_and_said() -> None:
    space = small_space()
    for far in (0.2, 0.9):
        plan = side_step(far)
        for stretch in (0.0, 0.25, 5.0):
            made = space.follow(plan, stretch=stretch)
            one = made.selections[0]
            asked = made_of(space, plan)[0].asked[0]
            outside = space.choosing.reach.outside(low_of(asked[:10]))[0]
            alone = outside > stretch and not one.inside
            said = [c for c in made.clamped if c.startswith("steps[2]") and "outside" in c]
            assert bool(said) == alone
            if alone:
                assert_allclose(one.weights, [1.0])
                assert f"{outside:.2f} m outside what was captured" in said[0]
    assert alone is False  # with five metres of stretch nothing is far
    assert outside > 0.25


def test_inside_nothing_is_said() -> None:
    space = small_space()
    table = space.left
    for row in (3, 15, 20):
        plan = FootPlan(
            (
                FootPlacement("left", table.places[row, 0], float(table.headings[row, 0])),
                FootPlacement("right", np.zeros(3), 0.0),
                FootPlacement("left", table.places[row, 1], float(table.headings[row, 1])),
            )
        )
        made = space.follow(plan, from_stand=False, to_stand=False)
        assert not any("outside" in c for c in made.clamped)


@pytest.mark.parametrize("foot", [0, 1])
def test_a_captured_steps_own_query_gives_it_back(foot: int) -> None:
    """All ten numbers asked: no step weighs much more, and joints are where they were within centimetres."""
    space = small_space()
    table = space.sides[foot].table
    skeleton = table.skeleton
    far = []
    for row in range(0, len(table), 4):
        origin, target, support = ((table.places[row, k], float(table.headings[row, k])) for k in range(3))
        stance1, stance2, swing, stood = (float(v) for v in table.high[row, 6:])
        plan = FootPlan(
            (
                FootPlacement(table.foot, *origin, stance=stance1),
                FootPlacement(SIDES[1 - foot], *support, stance=stood),
                FootPlacement(table.foot, *target, swing=swing, stance=stance2),
            )
        )
        made = space.follow(plan, fps=240.0, from_stand=False, to_stand=False)
        chosen = made.selections[0]
        assert chosen.weights[chosen.steps.tolist().index(row)] > max(0.25, 0.9 * chosen.weights.max())
        frames = np.rint(sample_times(table.durations[row]) * 240.0).astype(int)
        own = forward(skeleton.tree, skeleton.offsets, table.root[row], table.rotations[row])[0]
        there = made.positions[np.minimum(frames, len(made) - 1)]
        far.append(float(np.linalg.norm(own - there, axis=-1).mean()))
    assert np.mean(far) < 0.02
    assert max(far) < 0.05


def test_runs_are_chosen_from_runs() -> None:
    space = running_space()
    made, _, _ = made_of(space, run_plan())
    assert space.running is not None
    for one in made.chosen:
        table = space.running if one.selection.runs else space.left
        assert one.selection.steps.max() < len(table)
        assert one.selection.weights.sum() == pytest.approx(1.0)
        assert one.selection.weights.min() >= 0.0
    assert any(one.selection.runs for one in made.chosen)


def test_reach_knows_of_runs() -> None:
    walks, runs = small_space().choosing.reach, running_space().choosing.reach
    assert len(runs.low) == len(running_space().left)  # what is walked is judged by what was walked
    assert runs.farthest >= walks.farthest


def test_a_rise_is_asked_for() -> None:
    plan = drawn_plan(3, steps=3)
    higher = FootPlan(
        (
            *plan.placements[:-1],
            replace(plan.placements[-1], position=plan.placements[-1].position + np.array([0, 0.1, 0])),
        )
    )
    assert_allclose(made_of(small_space(), higher)[0].asked[-1, 10:], [0.0, 0.1], atol=1e-12)
    assert_allclose(made_of(small_space(), plan)[0].asked[-1, 10:], 0.0, atol=1e-12)
