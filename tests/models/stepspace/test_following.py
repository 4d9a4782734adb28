"""Plans followed: exact whatever is drawn, moved and mirrored with their plan, said where not as asked."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from footfall.analysis.certificate import certificate
from footfall.errors import RequestError
from footfall.figure.contacts import SIDES, runs_of
from footfall.figure.mirror import mirror
from footfall.models.stepspace import following
from footfall.models.stepspace.following import STANDS
from footfall.models.stepspace.remarks import LOW
from footfall.models.stepspace.selectors import SELECTORS
from footfall.world.foot_plan import FootPlacement, FootPlan
from footfall.world.plane import FlatTerrain
from tests.models.stepspace.judges import (
    drawn_plan,
    made_of,
    missed,
    moved,
    raised,
    reflected,
    run_plan,
    sole_of,
    turned,
)
from tests.models.stepspace.spaces import running_space, small_space

EXACT = 1e-9  # m
SEEDS = st.integers(0, 10_000)


@settings(max_examples=25, deadline=None)
@given(SEEDS, st.booleans(), st.sampled_from([0.0, 0.12]), st.sampled_from(sorted(SELECTORS)))
def test_every_print_is_met_whatever_is_drawn(seed: int, timed: bool, uneven: float, selector: str) -> None:
    plan = drawn_plan(seed, timed=timed, uneven=uneven)
    motion = small_space().follow(plan, selector=selector)
    assert missed(motion, plan) < EXACT
    told = motion.certificate()
    assert told.placement_max_m is not None
    assert told.placement_max_m < EXACT
    assert told.slide_max_m is not None
    assert told.slide_max_m < 1e-6
    assert told.leg_extension_max is not None
    assert told.leg_extension_max < 0.9951
    assert told.bone_stretch_max < 1e-9


@settings(max_examples=10, deadline=None)
@given(SEEDS)
def test_level_plans_are_smooth_and_over_the_ground(seed: int) -> None:
    plan = drawn_plan(seed)
    told = certificate(small_space().follow(plan), terrain=FlatTerrain(), reference=small_space().reference)
    assert told.penetration_max_m is not None
    assert told.penetration_max_m < 0.002
    assert told.acceleration_ratio is not None
    assert told.acceleration_ratio < 4.0


@pytest.mark.parametrize(("seed", "again"), [(4, 0.3), (8, 0.3), (15, 0.3)])
def test_prints_of_a_foot_that_steps_twice_are_met(seed: int, again: float) -> None:
    plan = drawn_plan(seed, again=again)
    feet = [p.foot for p in plan.placements[2:]]
    assert any(a == b for a, b in pairwise(feet))
    assert missed(small_space().follow(plan), plan) < EXACT


def test_prints_of_a_foot_that_steps_twice_are_met_whatever_is_drawn() -> None:
    plans = [drawn_plan(seed, again=0.4) for seed in range(30)]
    assert max(missed(small_space().follow(plan), plan) for plan in plans) < EXACT


@settings(max_examples=8, deadline=None)
@given(SEEDS, st.floats(-3.1, 3.1), st.floats(-100.0, 100.0))
def test_a_moved_plan_moves_the_motion(seed: int, turn: float, far: float) -> None:
    plan, shift = drawn_plan(seed), np.array([far, 0.5, -far])
    here, there = (small_space().follow(p) for p in (plan, moved(plan, turn, shift)))
    assert len(here) == len(there)
    assert_allclose(
        turned(here.positions.reshape(-1, 3), turn) + shift, there.positions.reshape(-1, 3), atol=1e-6
    )
    assert here.contacts is not None
    assert there.contacts is not None
    assert (here.contacts.heel == there.contacts.heel).mean() > 0.999


@settings(max_examples=8, deadline=None)
@given(SEEDS)
def test_a_mirrored_plan_mirrors_the_motion(seed: int) -> None:
    """But for its stands: those are one person's, who leans a little to one side."""
    plan = drawn_plan(seed)
    here, there = (small_space().follow(p, from_stand=False, to_stand=False) for p in (plan, reflected(plan)))
    assert_allclose(mirror(here).positions, there.positions, atol=1e-5)


def test_a_run_moves_and_mirrors_with_its_plan() -> None:
    space, plan, shift = running_space(), run_plan(), np.array([3.0, 0.0, -8.0])
    here = space.follow(plan)
    there = space.follow(moved(plan, 1.9, shift))
    assert_allclose(
        turned(here.positions.reshape(-1, 3), 1.9) + shift, there.positions.reshape(-1, 3), atol=1e-6
    )
    assert missed(here, plan) < EXACT
    own, other = (space.follow(p, from_stand=False, to_stand=False) for p in (plan, reflected(plan)))
    assert_allclose(mirror(own).positions, other.positions, atol=1e-5)


@pytest.mark.parametrize("fps", [24.0, 60.0, 120.0, 333.0])
def test_frames_come_at_their_rate(fps: float) -> None:
    """Twice as many frames of the same motion, and every print is met in each."""
    plan = drawn_plan(4)
    motion = small_space().follow(plan, fps=fps)
    assert motion.fps == fps
    made, _, steps = made_of(small_space(), plan)
    seconds = 2.0 * STANDS + float(steps.times[:, -1].sum())
    assert len(motion) == int(np.floor(seconds * fps + 1e-6)) + 1
    assert_allclose(motion.begins, made.starts, atol=1e-12)
    assert missed(motion, plan) < EXACT
    other = small_space().follow(plan, fps=60.0)
    shared = np.arange(0.0, seconds - 0.1, 0.25)
    a, b = (m.of("hips")[np.rint(shared * m.fps).astype(int)] for m in (motion, other))
    assert np.abs(a - b).max() < 0.03


@pytest.mark.parametrize("ends", [(True, True), (True, False), (False, True), (False, False)])
def test_stands_only_where_they_are_asked_for(ends: tuple[bool, bool]) -> None:
    plan = drawn_plan(3)
    motion = small_space().follow(plan, from_stand=ends[0], to_stand=ends[1])
    hips = motion.of("hips")
    speed = np.linalg.norm(np.diff(hips, axis=0), axis=1) * motion.fps
    assert (speed[:10].max() < 0.05) == ends[0]
    assert (speed[-10:].max() < 0.05) == ends[1]
    assert motion.begins[0] == (STANDS if ends[0] else 0.0)


def test_headings_are_met_as_asked() -> None:
    plan = drawn_plan(7)
    motion = small_space().follow(plan)
    assert motion.contacts is not None
    for side in SIDES:
        sole, flat = sole_of(motion, side), motion.contacts.flat(side)
        along = (sole["ball"] - sole["heel"])[flat]
        prints = plan.of(side)
        away = np.linalg.norm(sole["subtalar"][flat][:, None] - [p.position for p in prints], axis=-1)
        asked = np.array([p.heading for p in prints], dtype=float)[away.argmin(axis=1)]
        assert_allclose(np.exp(1j * np.arctan2(along[:, 0], along[:, 2])), np.exp(1j * asked), atol=1e-8)


def test_feet_alternate_as_planned() -> None:
    plan = drawn_plan(9)
    motion = small_space().follow(plan, fps=240.0)
    assert motion.contacts is not None
    lifts = sorted((a, side) for side in SIDES for a, _ in runs_of(~motion.contacts.stands(side)))
    assert [side for _, side in lifts] == [p.foot for p in plan.placements[2:]]
    for (first, _), begin in zip(lifts, motion.begins, strict=True):
        assert first / 240.0 >= begin - 1e-9


@pytest.mark.parametrize("rise", [-0.15, -0.2, -0.25, -0.3, -0.35])
def test_a_pelvis_that_comes_down_far_is_said(rise: float) -> None:
    plan = raised(drawn_plan(0, steps=3), 3, rise)
    motion = small_space().follow(plan)
    assert motion.lowered is not None
    step = np.searchsorted(motion.begins, np.arange(len(motion)) / motion.fps, side="right") - 1
    for k in range(3):
        most = motion.lowered[np.maximum(step, 0) == k].max()
        said = [c for c in motion.clamped if c.startswith(f"steps[{k + 2}]: the pelvis comes down")]
        assert bool(said) == (most > LOW)
        if said:
            assert f"by {100.0 * most:.0f} cm" in said[0]
    assert any("pelvis" in c for c in motion.clamped) == (motion.lowered.max() > LOW)


def test_a_pelvis_that_would_come_down_too_far_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "TOO_LOW", 0.1)
    monkeypatch.setattr(following, "SURELY_LOW", 0.09)
    left = FootPlacement("left", np.array([0.1, 0.0, 0.0]), 0.0)
    right = FootPlacement("right", np.array([-0.1, 0.0, 0.0]), 0.0)
    far = FootPlacement("left", np.array([0.1, -0.3, -1.15]), 0.0)
    with pytest.raises(RequestError) as refused:
        small_space().follow(FootPlan((left, right, far)))
    assert str(refused.value).startswith(
        "steps[2]: the left foot's print cannot be reached: the pelvis would"
    )
    assert "0.10 m are possible" in str(refused.value)


def test_what_is_known_is_not_asked_again() -> None:
    """Steps that are as they were before are the very same."""
    space, plan = small_space(), drawn_plan(2)
    before, _, _ = made_of(space, plan)
    placements = list(plan.placements)
    placements[5] = replace(placements[5], position=placements[5].position + np.array([0.02, 0.0, 0.0]))
    after = type(before).of(space, FootPlan(tuple(placements)), before.wishes, before)
    fresh = type(before).of(space, FootPlan(tuple(placements)), before.wishes)
    kept = [a is b for a, b in zip(after.blends, before.blends, strict=True)]
    touched = [5 in (s.origin, s.target, s.support) for s in plan.steps()]
    assert kept == [not t for t in touched]
    for a, b in zip(after.blends, fresh.blends, strict=True):
        assert_array_equal(a.body, b.body)
        assert_array_equal(a.feet, b.feet)
    assert_array_equal(after.timing.durations, fresh.timing.durations)


def test_snapped_steps_last_whole_frames() -> None:
    made, _, _ = made_of(small_space(), drawn_plan(1))
    snapped = made.snapped()
    frames = snapped.timing.durations.sum(axis=1) * 60.0
    assert_allclose(frames, np.rint(frames), atol=1e-9)
    change = snapped.timing.durations - made.timing.durations
    assert np.abs(change[:, 1]).max() <= 0.5 / 60.0 + 1e-12
    assert_array_equal(change[:, [0, 2]], 0.0)


def test_parts_of_a_plan_are_joined_as_in_the_whole() -> None:
    """Inner steps do not know of what is two steps away."""
    made, _, whole = made_of(small_space(), drawn_plan(8, steps=8))
    planned, part = made.joined(2, 7)
    assert len(planned) == 5
    assert_allclose(part.body[1:-1, :, 4:], whole.body[3:6, :, 4:], atol=1e-12)
    assert_allclose(part.feet, whole.feet[2:7], atol=1e-12)
    assert part.stands == (False, False)
