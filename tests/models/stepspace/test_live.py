"""Live plans: an edit gives what a fresh plan gives, touches only what it must, and a refused one nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from footfall.errors import RequestError
from footfall.models.stepspace import following
from footfall.models.stepspace.live import LivePlan
from footfall.models.stepspace.model import FollowedPlan
from footfall.world.foot_plan import FootPlacement, FootPlan
from footfall.world.plane import FlatTerrain
from tests.models.stepspace.judges import drawn_plan, missed, raised, run_plan
from tests.models.stepspace.spaces import running_space, small_space

AS_FRESH = 2e-4  # m
STEPS = 12


def live_plan(seed: int = 0, **wishes: object) -> LivePlan:
    return small_space().live(drawn_plan(seed, steps=STEPS), **wishes)  # type: ignore[arg-type]


def apart(a: FollowedPlan, b: FollowedPlan) -> float:
    assert len(a) == len(b)
    return float(np.abs(a.positions - b.positions).max())


def same_frames(a: FollowedPlan, b: FollowedPlan, frames: slice, others: slice) -> None:
    assert_array_equal(a.root[frames], b.root[others])
    # a turn may be told by the opposite quaternion
    assert_array_equal(np.abs(a.rotations[frames]), np.abs(b.rotations[others]))
    assert a.contacts is not None
    assert b.contacts is not None
    assert_array_equal(a.contacts.heel[frames], b.contacts.heel[others])


@settings(max_examples=12, deadline=None)
@given(
    st.integers(0, 50),
    st.integers(0, STEPS + 1),
    st.tuples(st.floats(-0.06, 0.06), st.just(0.0), st.floats(-0.06, 0.06)),
)
def test_an_edit_gives_what_a_fresh_plan_gives(seed: int, number: int, by: tuple[float, ...]) -> None:
    live = live_plan(seed)
    before = live.motion
    change = live.move(number, position=live.plan.placements[number].position + by)
    after, fresh = live.motion, small_space().live(live.plan).motion
    assert np.quantile(np.abs(after.positions - fresh.positions), 0.99) < AS_FRESH
    assert missed(after, live.plan) < 1e-9
    assert_allclose(after.begins, fresh.begins, rtol=0.0, atol=1e-9)
    assert after.clamped == fresh.clamped
    # what was not touched is the same, bit for bit: earlier, later, or where it was
    same_frames(after, before, slice(0, change.first), slice(0, change.first))
    rest = len(after) - change.last
    same_frames(after, before, slice(change.last, None), slice(len(before) - rest, None))


@pytest.mark.parametrize(("seed", "number"), [(0, 7), (3, 5), (6, 9)])
def test_an_edit_gives_what_a_fresh_plan_gives_in_every_frame(seed: int, number: int) -> None:
    live = live_plan(seed)
    live.move(number, position=live.plan.placements[number].position + np.array([0.03, 0.0, 0.03]))
    assert apart(live.motion, small_space().live(live.plan).motion) < AS_FRESH


def test_an_edit_gives_what_a_fresh_plan_gives_where_heels_are_raised() -> None:
    far = []
    for seed, number in ((1, 0), (1, 8), (8, 6), (11, 4), (11, 10)):
        live = live_plan(seed)
        live.move(number, position=live.plan.placements[number].position + np.array([0.03, 0.0, 0.03]))
        far.append(apart(live.motion, small_space().live(live.plan).motion))
    assert max(far) < AS_FRESH


def test_an_edit_that_raises_a_print_of_a_level_plan_leaves_the_others_alone() -> None:
    far = []
    for seed in (4, 7, 9, 29):
        live = live_plan(seed)
        live.move(0, position=live.plan.placements[0].position + np.array([0.0, 0.03, 0.0]))
        far.append(apart(live.motion, small_space().live(live.plan).motion))
    assert max(far) < AS_FRESH


def test_only_the_steps_around_a_print_are_made_again() -> None:
    live = live_plan(1)
    change = live.move(7, heading=0.1 + float(live.plan.placements[7].heading or 0.0))
    assert 0 < change.first < change.last < len(live.motion)
    assert change.steps <= 4
    touched = [k for k, one in enumerate(live.plan.steps()) if 7 in (one.origin, one.target, one.support)]
    begins = np.rint(np.array(live.motion.begins) * 60.0)
    # those of the print, one more whose swing is evened with theirs, and one that is joined, on each side
    assert change.first >= begins[touched[0] - 2]
    assert change.last <= begins[touched[-1] + 3]


def test_nothing_changed_is_nothing_made() -> None:
    live = live_plan(2)
    before = live.motion
    place = live.plan.placements[4].position
    change = live.move(4, position=place)
    assert (change.first, change.last, change.steps) == (0, 0, 0)
    same_frames(live.motion, before, slice(None), slice(None))


def test_there_and_back_is_where_it_was() -> None:
    live = live_plan(3)
    before, place = live.motion, live.plan.placements[6].position
    live.move(6, position=place + np.array([0.05, 0.0, 0.02]))
    assert apart(before, small_space().live(drawn_plan(3, steps=STEPS)).motion) == 0.0
    live.move(6, position=place)
    assert apart(live.motion, before) < AS_FRESH


def test_a_live_plan_is_the_plan_followed_but_for_whole_frames() -> None:
    plan = drawn_plan(5, steps=6)
    live, plain = small_space().live(plan).motion, small_space().follow(plan)
    assert abs(len(live) - len(plain)) <= 4
    assert missed(live, plan) < 1e-9
    assert len(live.begins) == len(plain.begins)
    assert np.abs(np.array(live.begins) - plain.begins).max() < 6 * 0.5 / 60.0 + 1e-9
    steps = np.diff(live.begins) * 60.0
    assert np.abs(steps - np.rint(steps)).max() < 1e-9


@pytest.mark.parametrize("fps", [25.0, 60.0, 144.0])
@pytest.mark.parametrize("ends", [(True, False), (False, True)])
def test_at_any_rate_with_and_without_stands(fps: float, ends: tuple[bool, bool]) -> None:
    wishes = {"fps": fps, "from_stand": ends[0], "to_stand": ends[1]}
    live = live_plan(4, **wishes)
    before = live.motion
    change = live.move(5, position=live.plan.placements[5].position + np.array([0.0, 0.0, 0.05]))
    fresh = small_space().live(live.plan, **wishes).motion  # type: ignore[arg-type]
    assert apart(live.motion, fresh) < AS_FRESH
    same_frames(live.motion, before, slice(0, change.first), slice(0, change.first))


def test_first_and_last_prints_are_edited_too() -> None:
    for number in (0, 1, STEPS + 1):
        live = live_plan(6)
        live.move(number, position=live.plan.placements[number].position + np.array([0.03, 0.0, 0.01]))
        assert apart(live.motion, small_space().live(live.plan).motion) < AS_FRESH


def test_times_are_edited_too() -> None:
    live = live_plan(7)
    before = live.motion
    live.move(5, swing=0.75)
    longer = live.motion
    assert len(longer) != len(before)
    assert apart(longer, small_space().live(live.plan).motion) < AS_FRESH
    live.move(5, stance=1.1)
    assert apart(live.motion, small_space().live(live.plan).motion) < AS_FRESH


def test_on_a_terrain_and_in_a_run() -> None:
    live = live_plan(8, terrain=FlatTerrain())
    live.move(6, position=live.plan.placements[6].position + np.array([0.02, 0.0, 0.03]))
    fresh = small_space().live(live.plan, terrain=FlatTerrain()).motion
    assert apart(live.motion, fresh) < AS_FRESH
    run = running_space().live(run_plan(16))
    run.move(8, position=run.plan.placements[8].position + np.array([0.02, 0.0, 0.03]))
    assert apart(run.motion, running_space().live(run.plan).motion) < 2e-3


@pytest.mark.parametrize(
    ("number", "named", "said"),
    [
        (5, {"position": [50.0, 0.0, 0.0]}, r"^steps\[5\]: .*nearest that can be"),
        (5, {"position": [np.nan, 0.0, 0.0]}, r"^steps\[5\]: "),
        (5, {"position": "there"}, r"^steps\[5\]: position"),
        (5, {"heading": "left"}, r"^steps\[5\]: heading"),
        (5, {"swing": -1.0}, r"^steps\[5\]: swing"),
        (99, {"heading": 0.0}, r"there is no steps\[99\]; the plan has 14"),
        (-1, {"heading": 0.0}, r"there is no steps\[-1\]"),
        (True, {"heading": 0.0}, "there is no"),
        ("2", {"heading": 0.0}, "there is no"),
        (1.0, {"heading": 0.0}, "there is no"),
    ],
)
def test_a_refused_move_changes_nothing(number: int, named: dict[str, object], said: str) -> None:
    live = live_plan(9)
    before, plan = live.motion, live.plan
    with pytest.raises(RequestError, match=said):
        live.move(number, **named)  # type: ignore[arg-type]
    assert live.plan is plan
    same_frames(live.motion, before, slice(None), slice(None))
    live.move(5, position=live.plan.placements[5].position + np.array([0.02, 0.0, 0.0]))
    assert apart(live.motion, small_space().live(live.plan).motion) < AS_FRESH


def test_a_move_that_would_bring_the_pelvis_too_low_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Found only when frames are made."""
    monkeypatch.setattr(following, "TOO_LOW", 0.1)
    live = small_space().live(
        FootPlan(
            tuple(
                FootPlacement(s, np.array([0.1 if s == "left" else -0.1, 0.0, z]), 0.0)
                for s, z in (("left", 0.0), ("right", 0.0), ("left", -0.3))
            )
        )
    )
    before, plan = live.motion, live.plan
    with pytest.raises(RequestError, match="pelvis would have to come down"):
        live.move(2, position=[0.1, -0.3, -1.15])
    assert live.plan is plan
    same_frames(live.motion, before, slice(None), slice(None))


def test_another_plan_must_have_the_same_feet() -> None:
    live = live_plan(1)
    plan = live.plan
    shorter = FootPlan(plan.placements[:-1])
    swapped = FootPlan((plan.placements[1], plan.placements[0], *plan.placements[2:]))
    for other in (shorter, swapped):
        with pytest.raises(RequestError, match="keeps its footprints"):
            live.change(other)
    assert live.plan is plan
    both = raised(raised(plan, 4, 0.02), 9, 0.02)
    change = live.change(both)
    assert change.steps >= 6
    assert apart(live.motion, small_space().live(both).motion) < AS_FRESH


def test_what_is_no_plan_is_refused() -> None:
    with pytest.raises(RequestError):
        live_plan(1).change(None)  # type: ignore[arg-type]


def test_what_cannot_be_followed_cannot_be_live(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "TOO_LOW", 0.1)
    plan = drawn_plan(0, steps=1)
    low = replace(plan.placements[2], position=plan.placements[1].position + np.array([0.0, -0.36, -1.22]))
    with pytest.raises(RequestError):
        small_space().live(FootPlan((*plan.placements[:2], low)))


def test_a_plan_that_is_raised_as_a_whole_goes_up() -> None:
    """The same is asked of every step, but not there."""
    live = live_plan(2)
    before = live.motion
    up = np.array([0.0, 0.5, 0.0])
    live.change(FootPlan(tuple(replace(p, position=p.position + up) for p in live.plan.placements)))
    assert np.abs(live.motion.positions - before.positions - up).max() < 1e-9


def there_and_back() -> FootPlan:
    """Up four blocks and backward down beside them: swings pass over blocks of steps long before."""
    heights = [0.0, 0.0, 0.15, 0.3, 0.45, 0.45, 0.45, 0.3, 0.15, 0.0, 0.0]
    along = [0.0, 0.0, 0.3, 0.6, 0.9, 1.2, 1.0, 0.75, 0.5, 0.2, 0.0]
    feet = ["left", "right"] + [("left", "right")[k % 2] for k in (*range(4), *range(5))]
    return FootPlan(
        tuple(
            FootPlacement(s, np.array([0.09 if s == "left" else -0.09, y, z]), 0.0)
            for s, y, z in zip(feet, heights, along, strict=True)
        )
    )


def test_blocks_are_those_of_the_whole_plan() -> None:
    """A print moved there and back leaves nothing; on its way every swing is as a fresh plan has it."""
    live = small_space().live(there_and_back())
    before, place = live.motion, live.plan.placements[9].position
    live.move(9, position=place + np.array([0.02, 0.0, 0.01]))
    fresh = small_space().live(live.plan).motion
    assert np.abs(live.motion.positions - fresh.positions).max() < 2e-3
    live.move(9, position=place)
    assert np.abs(live.motion.positions - before.positions).max() < 2e-3


def test_without_headings_only_the_steps_around_are_made_again() -> None:
    """Headings that are found for the whole plan change by a hair with any print: that is no change."""
    prints = [("left", 0.0), ("right", 0.0)] + [(("left", "right")[k % 2], 0.5 * (k + 1)) for k in range(30)]
    plan = FootPlan(
        tuple(FootPlacement(s, np.array([0.09 if s == "left" else -0.09, 0.0, z])) for s, z in prints)
    )
    live = small_space().live(plan)
    change = live.move(16, position=plan.placements[16].position + np.array([0.01, 0.0, 0.02]))
    assert 0 < change.steps < 16
