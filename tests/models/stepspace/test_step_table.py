"""Steps as arrays: samples at shared moments, seen from the support foot, mirrored and put together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import cumulative_trapezoid
from scipy.spatial.transform import Rotation

from footfall.adapt.one_figure import CleanClip
from footfall.align.smooth_time import cubics, time_at
from footfall.analysis.steps import HIGH_NAMES
from footfall.figure.mirror import mirror
from footfall.figure.resample import at_times
from footfall.models.stepspace.captured import WAYS, captured_steps
from footfall.models.stepspace.step_table import (
    ARRAYS,
    BEYOND,
    SAMPLES,
    WINDOW,
    StepTable,
    grid,
    sample_times,
    table_of,
)
from tests.models.stepspace.judges import clean_parts, turned, walked_steps
from tests.models.stepspace.spaces import running_space, small_space

KEYS = np.cumsum([0, *SAMPLES])
SECONDS = st.floats(1.0 / 60.0, 2.0)


def left() -> StepTable:
    return table_of(walked_steps(), "left")


def own_steps() -> list:  # type: ignore[type-arg]
    return [s for s in walked_steps() if s.step.foot == "left"]


def same_turns(a: np.ndarray, b: np.ndarray) -> float:
    """The largest angle between turns, rad, by scipy."""
    one, other = (Rotation.from_quat(q.reshape(-1, 4), scalar_first=True) for q in (a, b))
    return float((one.inv() * other).magnitude().max())


def test_generic_times_are_denser_in_no_phase_than_its_pieces() -> None:
    times = grid()
    assert len(times) == WINDOW
    assert_allclose(times[KEYS], [0.0, 1.0, 2.0, 3.0], atol=1e-15)
    for k, count in enumerate(SAMPLES):
        assert_allclose(np.diff(times[KEYS[k] : KEYS[k + 1] + 1]), 1.0 / count, atol=1e-12)


@given(SECONDS, SECONDS, SECONDS, SECONDS, SECONDS)
@settings(deadline=None)
def test_sample_times_meet_the_keytimes_and_go_forwards(
    first: float, swing: float, last: float, before: float, after: float
) -> None:
    durations, flights = np.array([first, swing, last]), np.array([before, after])
    times = sample_times(durations)
    assert_allclose(times[KEYS], np.cumsum([0.0, first, swing, last]), atol=1e-12)
    assert np.diff(times).min() > 0.0
    longer = sample_times(durations, flights)
    assert len(longer) == WINDOW + 2 * BEYOND
    assert_array_equal(longer[BEYOND:-BEYOND], times)
    assert longer[0] == pytest.approx(-before)
    assert longer[-1] == pytest.approx(durations.sum() + after)
    assert_allclose(np.diff(longer[: BEYOND + 1]), before / BEYOND, atol=1e-12)
    assert_allclose(np.diff(longer[-BEYOND - 1 :]), after / BEYOND, atol=1e-12)
    batch = sample_times(np.stack([durations, 2.0 * durations]), np.stack([flights, flights]))
    assert_array_equal(batch[0], longer)


def test_samples_are_the_clips_frames_seen_from_the_support_print() -> None:
    """Feet leave and land at frames of the clip: there nothing is between."""
    table = left()
    for row, s in enumerate(own_steps()):
        for key in (1, 2):
            frame = round(float(s.keytimes[key]) * s.clip.fps)
            place = turned(s.clip.root[frame] - s.support.place, -s.support.heading)
            assert_allclose(table.root[row, KEYS[key]], place, atol=1e-9)
            own = Rotation.from_quat(s.clip.rotations[frame], scalar_first=True)
            back = Rotation.from_rotvec([0.0, -s.support.heading, 0.0])
            expected = own.as_quat(scalar_first=True)
            expected[0] = (back * own[0]).as_quat(scalar_first=True)
            assert same_turns(table.rotations[row, KEYS[key]], expected) < 1e-7


def test_turns_do_not_jump_to_the_other_hemisphere() -> None:
    turns = left().rotations
    assert (np.sum(turns[:, 1:] * turns[:, :-1], axis=-1) > 0.0).all()
    assert_allclose(np.linalg.norm(turns, axis=-1), 1.0, atol=1e-12)


def test_the_support_print_is_the_origin_and_the_others_lie_beside_it() -> None:
    table = left()
    assert_allclose(table.places[:, 2], 0.0, atol=1e-12)
    assert_allclose(table.headings[:, 2], 0.0, atol=1e-12)
    assert_allclose(table.rises, table.places[:, :2, 1])
    for row, s in enumerate(own_steps()):
        for k, one in enumerate((s.origin, s.target)):
            expected = turned(one.place - s.support.place, -s.support.heading)
            assert_allclose(table.places[row, k], expected, atol=1e-9)
            angle = one.heading - s.support.heading
            assert_allclose(np.exp(1j * table.headings[row, k]), np.exp(1j * angle), atol=1e-9)


def test_s_high_is_what_the_analysis_measures() -> None:
    """Prints are taken there from plants, here from flat frames: the same to a millimetre."""
    table = left()
    assert table.high.shape == (len(table), len(HIGH_NAMES))
    for row, s in enumerate(own_steps()):
        assert_allclose(table.high[row, :4], s.step.high[:4], atol=1e-3)
        assert_allclose(np.exp(1j * table.high[row, 4:6]), np.exp(1j * s.step.high[4:6]), atol=2e-3)
        assert_allclose(table.high[row, 6:], s.step.high[6:], atol=1e-9)
    assert table.ways.tolist() == [WAYS[s.step.kind] for s in own_steps()]


def test_velocities_add_up_to_the_way() -> None:
    table = left()
    times = sample_times(table.durations)
    gone = np.stack([cumulative_trapezoid(table.velocity[..., k], times, initial=0.0) for k in range(3)], -1)
    assert_allclose(table.root[:, :1] + gone, table.root, atol=4e-3)


def test_velocities_are_slopes() -> None:
    for row, s in enumerate(own_steps()[:6]):
        times = s.keytimes[0] + sample_times(np.diff(s.keytimes))[3:-3:5]
        h = 1.0 / 240.0
        around = [at_times(s.clip, times + sign * h).root for sign in (1.0, -1.0)]
        slope = turned((around[0] - around[1]) / (2.0 * h), -s.support.heading)
        assert_allclose(left().velocity[row, 3:-3:5], slope, atol=1e-9)


@pytest.mark.parametrize("runs", [False, True])
def test_mirrored_twice_gives_back(runs: bool) -> None:
    table = running_space().running if runs else small_space().left
    assert table is not None
    again = table.mirrored().mirrored()
    assert again.foot == table.foot
    assert table.mirrored().foot != table.foot
    for name in ARRAYS:
        if name in ("rotations", "lying"):
            assert same_turns(getattr(again, name), getattr(table, name)) < 1e-7
        else:
            assert_allclose(getattr(again, name), getattr(table, name), atol=1e-9)


def test_mirrored_steps_are_those_of_the_mirrored_clip() -> None:
    """The whole way round: clips in the mirror, their steps found and sampled."""
    seen = [CleanClip(mirror(c.motion), c.seen.swapped()) for c in clean_parts()]
    other = table_of(list(captured_steps(seen)), "right")
    table = left().mirrored()
    assert table.foot == other.foot == "right"
    for name in ("root", "velocity", "places", "headings", "durations", "stances", "ways", "clips", "high"):
        assert_allclose(getattr(table, name), getattr(other, name), atol=2e-6)
    for name in ("rotations", "lying"):
        assert same_turns(getattr(table, name), getattr(other, name)) < 1e-5
    assert all(name.endswith(", mirrored") for name in table.names)


def test_feet_in_the_mirror() -> None:
    table = small_space().left
    (ankles, _), (seen, _) = table.feet, table.mirrored().feet
    assert_allclose(ankles * [-1.0, 1.0, 1.0], seen, atol=1e-6)


def test_feet_stand_on_their_prints() -> None:
    """Swing feet at toe-off and support feet in mid-swing are no farther from a print than a foot rolls."""
    table = small_space().left
    ankles, _ = table.feet
    ankle = float(np.linalg.norm(table.skeleton.foot_points("left").subtalar))
    middle = WINDOW // 2
    assert np.linalg.norm(ankles[:, middle, 1] - table.places[:, 2], axis=-1).max() < ankle + 0.03
    for which, sample in ((0, 0), (1, -1)):
        assert np.linalg.norm(ankles[:, sample, 0] - table.places[:, which], axis=-1).max() < ankle + 0.15


def test_some_and_more() -> None:
    table = small_space().left
    rows = np.array([3, 0, 7])
    some = table.taken(rows)
    assert len(some) == 3
    assert some.names == tuple(table.names[i] for i in rows)
    both = some.with_more(table.taken(np.array([1])))
    assert len(both) == 4
    for name in ARRAYS:
        assert_array_equal(getattr(some, name), getattr(table, name)[rows])
        assert_array_equal(getattr(both, name), getattr(table, name)[[3, 0, 7, 1]])
    assert_array_equal(both.high, table.high[[3, 0, 7, 1]])


def test_no_steps_of_a_foot_are_an_empty_table() -> None:
    steps = [s for s in walked_steps() if s.step.foot == "right"]
    empty = table_of(steps, "left")
    assert len(empty) == 0
    assert empty.root.shape == (0, WINDOW, 3)
    assert len(empty.with_more(table_of(steps, "right").mirrored())) == len(steps)


def test_walks_have_no_samples_beyond_and_runs_have() -> None:
    walked, run = small_space().left, running_space().running
    assert run is not None
    assert (walked.beyond, walked.runs, walked.window) == (0, False, slice(0, WINDOW))
    assert (run.beyond, run.runs, run.window) == (BEYOND, True, slice(BEYOND, BEYOND + WINDOW))
    assert_array_equal(walked.swings, walked.durations[:, 1])
    assert_array_equal(walked.flights, 0.0)
    assert_allclose(run.swings, run.durations.sum(axis=1) + run.flights.sum(axis=1))
    assert run.flights.min() > 0.01
    # a swing foot of a run is in the air over all of its step
    heights = run.feet[0][:, run.window, 0, 1]
    stood = np.abs(run.skeleton.foot_points("left").subtalar).max()
    assert heights.min() > stood + 0.01
    assert replace(run, flights=2.0 * run.flights).swings.min() > run.swings.min()


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(st.floats(0.01, 1.5), min_size=3, max_size=3), min_size=1, max_size=5))
def test_samples_are_when_smooth_time_has_them(durations: list[list[float]]) -> None:
    rows = np.array(durations)
    keys = np.concatenate([np.zeros((len(rows), 1)), np.cumsum(rows, axis=1)], axis=1)
    found = sample_times(rows)
    assert_allclose(found, time_at(grid(), cubics(keys)), rtol=1e-14, atol=1e-15)
    assert (np.diff(found, axis=1) > 0.0).all()
    assert_allclose(sample_times(rows[0]), found[0], rtol=0.0, atol=0.0)
