"""Compiled frames are the plain ones, wherever a plan goes; what they are made of is judged by scipy."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import footfall as ff
from footfall.actor.capture.disguise import disguised
from footfall.adapt.legroom import over_peaks as plainly_over_peaks
from footfall.figure.motion import Motion
from footfall.models.stepspace.bells_kernel import over_peaks
from footfall.models.stepspace.build import build_step_space
from footfall.models.stepspace.model import StepSpace
from footfall.models.stepspace.performed import figure_of, performed
from footfall.models.stepspace.stage import Stage
from footfall.world.foot_plan import FootPlan
from footfall.world.plane import InclinedTerrain
from footfall.world.terrain import Ground
from tests.captures import captures, needs_captures
from tests.models.stepspace.judges import drawn_plan, made_of, run_plan
from tests.models.stepspace.plain_frames import plainly_performed
from tests.models.stepspace.spaces import running_space, session_parts, small_space

SEEDS = st.integers(0, 300)
AROUND = 0.8  # s before the first step and after the last
WALKS, RUNS = ("16_16", "16_21", "16_31", "16_47"), ("16_08", "16_35", "16_36", "16_45")
SAME = 1e-9  # m, rad


def times_of(seconds: float, fps: float) -> np.ndarray:
    return np.arange(-AROUND, seconds + AROUND, 1.0 / fps)


def assert_same(one: tuple[Motion, np.ndarray], other: tuple[Motion, np.ndarray]) -> None:
    (made, down), (plain, plain_down) = one, other
    assert_allclose(made.root, plain.root, atol=SAME, rtol=0.0)
    assert_allclose(made.rotations, plain.rotations, atol=0.5 * SAME, rtol=0.0)  # and of one sign
    assert_allclose(down, plain_down, atol=SAME, rtol=0.0)
    assert made.contacts is not None
    assert plain.contacts is not None
    assert_array_equal(made.contacts.heel, plain.contacts.heel)
    assert_array_equal(made.contacts.toe, plain.contacts.toe)


def both(
    space: StepSpace,
    plan: FootPlan,
    fps: float = 60.0,
    *,
    terrain: Ground | None = None,
    toes_over: Ground | None = None,
    stage: Stage | None = None,
) -> tuple[tuple[Motion, np.ndarray], tuple[Motion, np.ndarray]]:
    """Frames before, during and after a plan, compiled and plain; all on a terrain, or their toes alone."""
    _, planned, steps = made_of(space, plan, terrain)
    times = times_of(float(steps.times[:, -1].sum()), fps)
    under = terrain if toes_over is None else toes_over
    one, other = (
        way(space.stage if stage is None else stage, planned, steps, times, fps, under)
        for way in (performed, plainly_performed)
    )
    return one, other


@settings(max_examples=12, deadline=None)
@given(SEEDS, st.sampled_from([0.0, 0.3]), st.sampled_from([0.0, 0.15]), st.booleans())
@example(3, 0.3, 0.15, True)
def test_any_walk(seed: int, again: float, uneven: float, timed: bool) -> None:
    """Forward, back, aside, round; feet that step twice; up and down."""
    assert_same(*both(small_space(), drawn_plan(seed, again=again, uneven=uneven, timed=timed)))


@pytest.mark.parametrize("fps", [10.0, 24.0, 120.0, 1000.0])
def test_at_any_rate(fps: float) -> None:
    assert_same(*both(small_space(), drawn_plan(5, 3), fps))


@pytest.mark.parametrize("stride", [1.0, 1.1, 1.2])
def test_a_run(stride: float) -> None:
    space, plan = running_space(), run_plan(stride=stride)
    runs = [c.selection.runs for c in made_of(space, plan)[0].chosen]
    assert 3 <= sum(runs) < len(runs)  # and out of a walk and into one
    one, other = both(space, plan)
    assert_same(one, other)
    contacts = one[0].contacts
    assert contacts is not None
    assert (~contacts.stands("left") & ~contacts.stands("right")).any()  # it flies


@needs_captures
@pytest.mark.parametrize("stride", [1.0, 1.1])
def test_captured_walks_and_runs(stride: float) -> None:
    space, plan = captured_space(), run_plan(stride=stride)
    assert any(c.selection.runs for c in made_of(space, plan)[0].chosen)
    assert_same(*both(space, plan))


@cache
def captured_space() -> StepSpace:
    names = [*(f"walk/{n}" for n in WALKS), *(f"run/{n}" for n in RUNS)]
    return build_step_space([ff.load_motion(captures(f"{name}.bvh")) for name in names], candidates=False)


@pytest.mark.parametrize("slope", [-0.2, 0.15])
def test_on_a_slope(slope: float) -> None:
    terrain = InclinedTerrain(slope)
    plan = drawn_plan(8, 6)
    placements = (
        replace(p, position=p.position * [1.0, 0.0, 1.0] + [0.0, np.tan(slope) * p.position[2], 0.0])
        for p in plan.placements
    )
    assert_same(*both(small_space(), FootPlan(tuple(placements)), terrain=terrain))


class Ridges:
    """Ground that reaches up to toes in the air here, and is not there at all elsewhere."""

    def height(self, x: np.ndarray, z: np.ndarray, start: np.ndarray | float = np.inf) -> np.ndarray:
        wave = 0.03 * np.sin(40.0 * np.asarray(x)) * np.cos(30.0 * np.asarray(z))
        return np.where(np.abs(wave) > 0.005, wave, np.nan)


def test_toes_over_ridges() -> None:
    """What is asked of the ground between the kernels is what the plain frames ask."""
    space, plan = small_space(), drawn_plan(8, 6)
    one, other = both(space, plan, toes_over=Ridges())
    assert_same(one, other)
    toe, level = space.skeleton.joint("left_toe"), both(space, plan)[0][0]
    assert np.abs(one[0].rotations[:, toe] - level.rotations[:, toe]).max() > 0.01


@cache
def toeless_space() -> StepSpace:
    return build_step_space([disguised(m, "no_toes") for m in session_parts()], candidates=False)


@pytest.mark.parametrize("uneven", [0.0, 0.12])
def test_a_figure_without_toes(uneven: float) -> None:
    space = toeless_space()
    assert space.stage.soles.toe_rest is None
    plan = drawn_plan(4, uneven=uneven)
    assert_same(*both(space, plan))
    assert_same(*both(space, plan, 30.0, toes_over=Ridges()))


def test_other_legs_are_reached_as_well() -> None:
    """Legs shorter than the figure's: hips come down, heels rise, feet are drawn in, all of it often."""
    space = small_space()
    stage = space.stage
    legs = {
        s: replace(leg, lengths=(0.95 * leg.lengths[0], 0.95 * leg.lengths[1]))
        for s, leg in stage.legs.items()
    }
    one, other = both(space, drawn_plan(2, 6), stage=replace(stage, legs=legs))
    assert one[1].max() > 0.02
    assert_same(one, other)


@pytest.mark.parametrize("count", [1, 2, 5])
def test_few_frames(count: int) -> None:
    _, planned, steps = made_of(small_space(), drawn_plan(1, 4))
    args = small_space().stage, planned, steps, np.linspace(0.9, 0.9 + 0.01 * count, count), 60.0
    assert_same(performed(*args), plainly_performed(*args))


def test_frames_in_any_order() -> None:
    _, planned, steps = made_of(small_space(), drawn_plan(6, 4))
    times = np.random.default_rng(0).permutation(times_of(float(steps.times[:, -1].sum()), 30.0))
    for order in (times, np.sort(times)[::-1]):
        args = small_space().stage, planned, steps, order, 30.0
        assert_same(performed(*args), plainly_performed(*args))


def test_steps_are_left_as_they_were_and_frames_are_the_same_again() -> None:
    _, planned, steps = made_of(small_space(), drawn_plan(6, 4))
    before = [np.array(a) for a in (steps.body, steps.feet, steps.give, planned.places)]
    args = small_space().stage, planned, steps, times_of(2.0, 60.0), 60.0
    (one, down), (other, again) = performed(*args), performed(*args)
    assert_array_equal(one.rotations, other.rotations)
    assert_array_equal(one.root, other.root)
    assert_array_equal(down, again)
    for was, now in zip(before, (steps.body, steps.feet, steps.give, planned.places), strict=True):
        assert_array_equal(was, now)
    with pytest.raises(ValueError, match="read-only"):
        down[0] = 1.0


def test_a_stages_constants_are_made_once_and_go_with_it() -> None:
    stage = replace(small_space().stage)
    assert figure_of(stage) is figure_of(stage)
    assert figure_of(stage) is not figure_of(replace(stage))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(0.0, 1.0).map(lambda x: max(x - 0.6, 0.0)), min_size=1, max_size=80),
    st.sampled_from([0.2, 0.6, 1.5, 4.2, 30.0]),
)
@example([0.0] * 20, 4.2)
@example([0.0] * 30 + [0.05] + [0.0] * 30, 4.2)
def test_bells(values: list[float], width: float) -> None:
    needed = np.array(values)
    out = np.full(len(needed), np.nan)
    over_peaks(needed, width, out)
    assert_allclose(out, plainly_over_peaks(needed, width), atol=1e-12)
    assert (out >= needed - 1e-12).all()
