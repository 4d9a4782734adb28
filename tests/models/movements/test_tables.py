"""Blends of examples: the kernel against the same in plain NumPy, against SciPy, and what always holds."""

from __future__ import annotations

import subprocess
import sys
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.interpolate import CubicHermiteSpline

from footfall.actor.virtual_actor import VirtualActor
from footfall.align.smooth_time import cubics, generic_at, time_at
from footfall.errors import RequestError
from footfall.figure.pose import Pose
from footfall.geometry import quaternion as quat
from footfall.models.movements.kind import MovementKind
from footfall.models.movements.prepared import prepare
from footfall.models.movements.tables import Tables

Blend = tuple[np.ndarray, np.ndarray]
seeds = st.integers(0, 2**32 - 1)


def random_tables(seed: int, *, examples: int | None = None, shortest: int = 2) -> Tables:
    """Smooth rows of unit quaternions, all of one hemisphere, with keytimes somewhere in them."""
    rng = np.random.default_rng(seed)
    n, joints, keys = examples or int(rng.integers(1, 9)), int(rng.integers(1, 6)), int(rng.integers(2, 6))
    fps = float(rng.choice([10.0, 30.0, 120.0]))
    counts = rng.integers(shortest, 40, n)
    rows = []
    for count in counts:
        drift = np.cumsum(rng.normal(0.0, 0.1, (count, joints, 4)), axis=0) / np.sqrt(count)
        turns = quat.normalize(np.array([2.0, 0.0, 0.0, 0.0]) + drift)
        root = np.cumsum(rng.normal(0.0, 0.02, (count, 3)), axis=0)
        rows.append(np.concatenate([root, turns.reshape(count, -1)], axis=1))
    inner = np.sort(rng.uniform(0.05, 0.95, (n, keys)), axis=1) + np.arange(keys) * 1e-3
    whole = ((counts - 1) / fps)[:, None]
    times = inner / inner.max() * whole
    return Tables(
        fps=fps,
        first=np.concatenate([[0], np.cumsum(counts)[:-1]]),
        counts=counts,
        leads=times[:, 0],
        keytimes=times - times[:, :1],
        rows=np.concatenate(rows),
    )


def random_weights(tables: Tables, rng: np.random.Generator) -> np.ndarray:
    """Some negative, some zero, one in sum."""
    w = rng.normal(0.0, 0.3, len(tables)) * (rng.random(len(tables)) < 0.8)
    w[int(rng.integers(len(tables)))] += 1.0 - w.sum()
    return w


def plain_blend(tables: Tables, weights: np.ndarray, generic: np.ndarray) -> Blend:
    """The same in plain NumPy, example by example."""
    total = np.zeros((len(generic), tables.rows.shape[1]))
    for i, weight in enumerate(weights):
        if weight != 0.0:
            total += weight * tables.at_generic(generic, i)
    return total[:, :3], quat.normalize(total[:, 3:].reshape(len(generic), -1, 4))


def spline_blend(tables: Tables, weights: np.ndarray, generic: np.ndarray) -> Blend:
    """The same by SciPy's cubics: of rows over time, and of time over generic time."""
    total = np.zeros((len(generic), tables.rows.shape[1]))
    for i, weight in enumerate(weights):
        own = tables.rows[tables.first[i] :][: tables.counts[i]]
        times = np.arange(len(own)) / tables.fps - tables.leads[i]
        slopes = np.gradient(own, 1.0 / tables.fps, axis=0)  # at the ends: straight on
        keys = tables.keytimes[i]
        lengths = np.diff(keys)
        rates = np.concatenate([lengths[:1], 2.0 / (1.0 / lengths[1:] + 1.0 / lengths[:-1]), lengths[-1:]])
        clock = CubicHermiteSpline(np.arange(len(keys)), keys, rates)
        held = np.clip(clock(np.clip(generic, 0.0, len(keys) - 1.0)), times[0], times[-1])
        total += weight * CubicHermiteSpline(times, own, slopes)(held)
    turns = total[:, 3:].reshape(len(generic), -1, 4)
    return total[:, :3], turns / np.linalg.norm(turns, axis=-1, keepdims=True)


def moments(tables: Tables, rng: np.random.Generator) -> np.ndarray:
    """Anywhere, beyond both ends, and exactly at keytimes."""
    keys = tables.keytimes.shape[1]
    return np.concatenate([rng.uniform(-1.0, keys, 40), np.arange(keys), [-np.inf, np.inf, -0.0, keys - 1.0]])


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_the_kernel_is_the_plain_blend(seed: int) -> None:
    tables, rng = random_tables(seed), np.random.default_rng(seed + 1)
    weights, generic = random_weights(tables, rng), moments(tables, rng)
    for own, plain in zip(tables.blend(weights, generic), plain_blend(tables, weights, generic), strict=True):
        assert_allclose(own, plain, rtol=0.0, atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_the_kernel_is_what_splines_of_scipy_give(seed: int) -> None:
    tables, rng = random_tables(seed), np.random.default_rng(seed + 1)
    weights, generic = random_weights(tables, rng), moments(tables, rng)
    for own, theirs in zip(
        tables.blend(weights, generic), spline_blend(tables, weights, generic), strict=True
    ):
        assert_allclose(own, theirs, rtol=0.0, atol=1e-12)


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_one_moment_is_the_same_alone_and_among_others(seed: int) -> None:
    tables, rng = random_tables(seed), np.random.default_rng(seed + 1)
    weights, generic = random_weights(tables, rng), moments(tables, rng)
    root, rotations = tables.blend(weights, generic)
    for k, moment in enumerate(generic):
        one = tables.pose(weights, float(moment))
        assert_array_equal(one[0], root[k])
        assert_array_equal(one[1], rotations[k])
    again = tables.blend(weights, generic[::-1])
    assert_array_equal(again[1][::-1], rotations)


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_an_examples_own_weight_at_its_rows_times_gives_its_rows(seed: int) -> None:
    tables = random_tables(seed, shortest=4)
    for i in range(len(tables)):
        own = tables.rows[tables.first[i] :][: tables.counts[i]]
        times = np.arange(len(own)) / tables.fps - tables.leads[i]
        within = (times >= 0.0) & (times <= tables.keytimes[i, -1])
        generic = generic_at(times[within], cubics(tables.keytimes[i]))
        root, rotations = tables.blend(np.eye(len(tables))[i], generic)
        assert_allclose(root, own[within, :3], rtol=0.0, atol=1e-12)
        turns = own[within, 3:]
        assert_allclose(rotations.reshape(turns.shape), turns, rtol=0.0, atol=1e-12)


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_rates_do_not_jump_at_rows_and_keytimes(seed: int) -> None:
    """Slopes on both sides of a place differ by what curvature makes of the step between them."""
    tables, rng = random_tables(seed), np.random.default_rng(seed + 1)
    weights = np.abs(random_weights(tables, rng))
    keys = np.arange(1.0, tables.keytimes.shape[1] - 1.0)
    row_times = np.arange(1, int(tables.counts[0]) - 1) / tables.fps - tables.leads[0]
    inside = row_times[(row_times > 0.01) & (row_times < tables.keytimes[0, -1] - 0.01)]
    places = np.concatenate([keys, generic_at(inside, cubics(tables.keytimes[0]))])
    step = 1e-6

    def slopes(at: np.ndarray) -> np.ndarray:
        return (tables.blend(weights, at + step)[0] - tables.blend(weights, at)[0]) / step

    assert_allclose(slopes(places), slopes(places - step), rtol=0.0, atol=1e-3)


def test_straight_lines_stay_straight_up_to_their_ends() -> None:
    rows = np.outer(np.arange(9.0), [0.1, 0.0, 0.3, 0.0, 0.0, 0.0, 0.0]) + np.array(
        [0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    )
    tables = Tables(10.0, np.array([0]), np.array([9]), np.zeros(1), np.array([[0.0, 0.8]]), rows)
    generic = np.linspace(0.0, 1.0, 101)
    root, rotations = tables.blend(np.ones(1), generic)
    assert_allclose(root, np.stack([0.8 * generic, np.ones(101), 2.4 * generic], axis=1), atol=1e-14)
    assert_array_equal(rotations, np.broadcast_to([1.0, 0.0, 0.0, 0.0], (101, 1, 4)))


def test_one_row_is_held() -> None:
    row = np.array([[0.1, 0.2, 0.3, 0.6, 0.8, 0.0, 0.0]])
    tables = Tables(10.0, np.array([0]), np.array([1]), np.zeros(1), np.array([[0.0, 0.8]]), row)
    root, rotations = tables.blend(np.ones(1), np.linspace(0.0, 1.0, 5))
    assert_allclose(root, np.broadcast_to(row[:, :3], (5, 3)), atol=1e-15)
    assert_allclose(rotations[:, 0], np.broadcast_to(row[:, 3:], (5, 4)), atol=1e-15)


@pytest.mark.parametrize("nudge", [0.0, 1e-15])
def test_rotations_that_cancel_out_are_the_first_examples(nudge: float) -> None:
    """Also where rounding leaves a little of them; joints that do not cancel are not touched."""
    tables = random_tables(7, examples=3)
    generic = np.linspace(0.0, tables.keytimes.shape[1] - 1.0, 23)
    rows = np.array(tables.rows)
    rows[:, 3:7] = [0.6, 0.0, 0.8, 0.0]
    alike = Tables(tables.fps, tables.first, tables.counts, tables.leads, tables.keytimes, rows)
    weights = np.array([0.7, -0.4, -0.3 + nudge])
    root, rotations = alike.blend(weights, generic)
    assert_allclose(rotations[:, 0], np.broadcast_to([0.6, 0.0, 0.8, 0.0], (23, 4)), atol=1e-12)
    assert_allclose(root, plain_blend(alike, weights, generic)[0], atol=1e-12)
    assert_allclose(np.linalg.norm(rotations, axis=-1), 1.0, atol=1e-12)
    none = alike.blend(np.zeros(3), generic)[1]
    assert_allclose(none, alike.blend(np.array([1.0, 0.0, 0.0]), generic)[1], atol=1e-15)


def test_what_is_no_number_reads_nothing_it_should_not() -> None:
    tables = random_tables(3, examples=2)
    weights = np.array([0.5, 0.5])
    assert_array_equal(tables.pose(weights, np.nan)[1], tables.pose(weights, 0.0)[1])
    rotations = tables.blend(np.array([np.nan, 1.0]), np.array([0.5]))[1]
    assert_array_equal(rotations, tables.blend(np.array([1.0, 0.0]), np.array([0.5]))[1])
    assert [a.shape[0] for a in tables.blend(weights, np.zeros(0))] == [0, 0]


@pytest.mark.parametrize("count", [0, 2, 4])
def test_weights_of_another_number_are_refused(count: int) -> None:
    tables = random_tables(4, examples=3)
    with pytest.raises(RequestError, match="3 examples need a weight each"):
        tables.blend(np.ones(count), np.zeros(1))
    with pytest.raises(RequestError, match="3 examples need a weight each"):
        tables.pose(np.ones(count), 0.0)


def test_any_array_of_numbers_will_do() -> None:
    tables = random_tables(5, examples=4)
    weights, generic = np.array([0.1, 0.2, 0.3, 0.4]), np.linspace(0.0, 1.0, 5)
    told = tables.blend(weights, generic)[1]
    spread = np.repeat(weights, 2)[::2]
    spread.flags.writeable = False
    assert_array_equal(tables.blend(spread, np.repeat(generic, 3)[::3])[1], told)
    assert_array_equal(tables.blend(list(weights), list(generic))[1], told)  # type: ignore[arg-type]


@cache
def left_steps() -> MovementKind:
    session = [e for e in VirtualActor().perform("movements") if e.kind == "left_step"]
    prepared = [prepare(e, ((1, 2), None), 30.0) for e in session]
    return MovementKind.of("left_step", prepared, ("start_length", "end_length"))


def test_an_examples_parameters_give_the_example_back() -> None:
    kind = left_steps()
    skeleton = kind.examples[0].motion.skeleton
    for example, parameters in zip(kind.examples, kind.space.points, strict=True):
        weights = kind.weights(parameters)
        motion = example.motion
        times = np.arange(len(motion)) / motion.fps - example.lead
        within = (times >= 0.0) & (times <= example.keytimes[-1])
        generic = generic_at(times[within], cubics(kind.tables.blended_keytimes(weights)))
        own = Pose(*kind.tables.blend(weights, generic)).forward(skeleton)[0]
        assert np.linalg.norm(own - motion.positions[within], axis=-1).max() < 1e-9


def test_keytimes_are_met_by_all_examples_at_once() -> None:
    tables = left_steps().tables
    for k in range(tables.keytimes.shape[1]):
        assert_array_equal(time_at(float(k), tables.clocks), tables.keytimes[:, k])


def test_blended_keytimes_are_the_weighted_ones_but_never_closer_than_any_examples() -> None:
    kind = left_steps()
    tables = kind.tables
    lengths = np.diff(tables.keytimes, axis=1)
    rows = kind.scheme(kind.space.to_metric(kind.space.sample(3000, seed=5)))
    plain = np.diff(rows @ tables.keytimes, axis=1)
    blended = np.array([tables.blended_keytimes(row) for row in rows])
    assert_array_equal(blended[:, 0], 0.0)
    assert_allclose(np.diff(blended, axis=1), np.maximum(plain, lengths.min(axis=0)), rtol=0.0, atol=1e-15)
    assert plain.min() < 0.5 * lengths.min(), (
        "some weighted keytimes must come too close, or nothing is tested"
    )
    for row, keys in zip(np.eye(len(tables)), tables.keytimes, strict=True):
        assert_array_equal(tables.blended_keytimes(row), keys)


def test_numba_waits_until_something_is_blended() -> None:
    program = "import footfall.models.movements.build, sys; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
