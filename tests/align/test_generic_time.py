"""Generic time against NumPy's own interpolation, exact fractions, and the promises about keytimes."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from footfall.align.generic_time import (
    blended_keytimes,
    checked_keytimes,
    generic_time,
    increasing,
    refuse_unordered,
    time_of,
)
from footfall.errors import RequestError

STEP = np.array([0.0, 0.12, 0.53, 0.71])  # start, toe-off, heel-strike, end
patient = settings(deadline=None, max_examples=300)
gaps = st.lists(st.floats(1e-3, 10.0), min_size=1, max_size=8)
any_keytimes = st.tuples(st.floats(-5.0, 5.0), gaps).map(lambda v: v[0] + np.cumsum([0.0, *v[1]]))
step_keytimes = st.lists(st.floats(1e-3, 10.0), min_size=1, max_size=4).map(lambda v: np.cumsum([0.0, *v]))


class TestThereAndBack:
    @given(any_keytimes, st.lists(st.floats(0.0, 1.0), min_size=1, max_size=9))
    @patient
    def test_agrees_with_numpy(self, keytimes: np.ndarray, shares: list[float]) -> None:
        times = keytimes[0] + np.array(shares) * (keytimes[-1] - keytimes[0])
        places = np.arange(len(keytimes), dtype=float)
        assert_allclose(generic_time(times, keytimes), np.interp(times, keytimes, places), rtol=0, atol=1e-11)
        generic = np.array(shares) * (len(keytimes) - 1)
        assert_allclose(time_of(generic, keytimes), np.interp(generic, places, keytimes), rtol=0, atol=1e-13)

    @given(step_keytimes, st.floats(0.0, 1.0))
    @patient
    def test_a_time_comes_back(self, keytimes: np.ndarray, share: float) -> None:
        time = share * keytimes[-1]
        back = time_of(generic_time(time, keytimes), keytimes)
        assert abs(back - time) <= 1e-15 * keytimes[-1]

    @given(any_keytimes)
    @patient
    def test_a_keytime_comes_back_bit_for_bit(self, keytimes: np.ndarray) -> None:
        places = np.arange(len(keytimes))
        assert_array_equal(generic_time(keytimes, keytimes), places)
        assert_array_equal(time_of(places.astype(float), keytimes), keytimes)

    def test_the_sum_of_start_and_length_would_miss_the_end(self) -> None:
        # the nearer keytime is not idle care: 0.03 + (0.29 - 0.03) is not 0.29
        keytimes = np.array([0.03, 0.29])
        assert keytimes[0] + (keytimes[1] - keytimes[0]) != keytimes[1]
        assert time_of(1.0, keytimes) == 0.29

    @given(st.floats(0.0, 0.71))
    @patient
    def test_against_exact_fractions(self, time: float) -> None:
        exact = [Fraction(float(k)) for k in STEP]
        i = max(k for k in range(3) if exact[k] <= Fraction(time))
        expected = i + (Fraction(time) - exact[i]) / (exact[i + 1] - exact[i])
        assert abs(Fraction(float(generic_time(time, STEP))) - expected) <= Fraction(5, 10**16)

    def test_frames_that_fall_on_a_keytime(self) -> None:
        frames = np.arange(61) / 30
        keytimes = frames[[0, 7, 31, 60]]
        back = time_of(generic_time(frames, keytimes), keytimes)
        assert_array_equal(back[[0, 7, 31, 60]], keytimes)
        assert_allclose(back, frames, rtol=1e-15, atol=0)

    @pytest.mark.parametrize("time", [-1e9, -1e-300, -np.inf])
    def test_held_before_the_start(self, time: float) -> None:
        assert generic_time(time, STEP) == 0.0
        assert time_of(time, STEP) == STEP[0]

    @pytest.mark.parametrize("time", [0.7100001, 1e9, np.inf])
    def test_held_after_the_end(self, time: float) -> None:
        assert generic_time(time, STEP) == 3.0
        assert time_of(3.0 + time, STEP) == STEP[-1]

    def test_what_is_no_time_stays_none(self) -> None:
        assert np.isnan(generic_time(np.nan, STEP))
        assert np.isnan(time_of(np.nan, STEP))

    @given(any_keytimes, st.lists(st.floats(-1.0, 2.0), min_size=2, max_size=20))
    @patient
    def test_never_runs_back(self, keytimes: np.ndarray, shares: list[float]) -> None:
        times = keytimes[0] + np.sort(shares) * (keytimes[-1] - keytimes[0])
        assert (np.diff(generic_time(times, keytimes)) >= 0.0).all()


class TestMany:
    @pytest.mark.parametrize("shape", [(), (5,), (2, 3), (0,)])
    def test_shapes(self, shape: tuple[int, ...]) -> None:
        generic = np.random.default_rng(0).uniform(0.0, 3.0, shape)
        many = np.cumsum(np.random.default_rng(1).uniform(0.1, 1.0, (4, 2, 4)), axis=-1)
        assert generic_time(generic, STEP).shape == shape
        times = time_of(generic, many)
        assert times.shape == (4, 2, *shape)
        for i in np.ndindex(4, 2):
            assert_array_equal(times[i], time_of(generic, many[i]))

    def test_all_examples_meet_at_one_generic_time(self) -> None:
        many = np.stack([STEP, 2.0 * STEP, STEP**2])
        generic = np.linspace(0.0, 3.0, 31)
        for times, keytimes in zip(time_of(generic, many), many, strict=True):
            assert_allclose(generic_time(times, keytimes), generic, rtol=0, atol=1e-14)

    def test_inputs_are_left_alone(self) -> None:
        keytimes, times = STEP.copy(), np.linspace(-1.0, 1.0, 7)
        keytimes.flags.writeable = times.flags.writeable = False
        time_of(generic_time(times, keytimes), keytimes)
        assert_array_equal(times, np.linspace(-1.0, 1.0, 7))


class TestBlends:
    MANY = np.stack([STEP, 1.5 * STEP, np.array([0.0, 0.3, 0.4, 1.0])])

    def test_one_weight_gives_that_example_bit_for_bit(self) -> None:
        assert_array_equal(blended_keytimes(np.eye(3), self.MANY), self.MANY)

    def test_is_the_sum_over_examples(self) -> None:
        weights = np.random.default_rng(0).normal(size=(4, 5, 3))
        expected = sum(weights[..., k, None] * self.MANY[k] for k in range(3))
        assert_allclose(blended_keytimes(weights, self.MANY), expected, rtol=0, atol=1e-14)

    @given(st.lists(st.floats(0.0, 1.0), min_size=3, max_size=3).filter(lambda w: sum(w) > 0.1))
    @patient
    def test_weights_from_0_to_1_keep_the_order(self, weights: list[float]) -> None:
        blend = blended_keytimes(np.array(weights) / sum(weights), self.MANY)
        assert increasing(blend)
        refuse_unordered(blend)

    def test_a_blend_out_of_order_is_refused(self) -> None:
        good, bad = np.array([0.2, 0.3, 0.5]), np.array([-3.0, 0.0, 4.0])
        assert not increasing(blended_keytimes(bad, self.MANY))
        blends = blended_keytimes(np.stack([good, bad]), self.MANY)
        assert not increasing(blends)
        with pytest.raises(RequestError, match=r"0, 0\.84, 0\.01, 1\.87 s.*weights from 0 to 1"):
            refuse_unordered(blends)

    @pytest.mark.parametrize("row", [[0.0, 0.0], [1.0, 0.5], [0.0, np.nan], [0.0, np.inf], [-1e308, 1e308]])
    def test_not_increasing(self, row: list[float]) -> None:
        assert not increasing(np.array(row))
        with pytest.raises(RequestError, match="not increasing"):
            refuse_unordered(np.array(row))

    def test_no_blends_are_in_order(self) -> None:
        assert increasing(np.zeros((0, 4)))
        refuse_unordered(np.zeros((0, 4)))


class TestChecked:
    def test_one_table_that_cannot_change(self) -> None:
        given_rows = [tuple(STEP), list(2.0 * STEP), 3.0 * STEP]
        table = checked_keytimes(given_rows)
        assert_array_equal(table, [STEP, 2.0 * STEP, 3.0 * STEP])
        assert not table.flags.writeable
        given_rows[2][0] = -1.0  # type: ignore[index]
        assert table[2, 0] == 0.0

    @pytest.mark.parametrize(
        ("bad", "said"),
        [
            ([0.0, 0.2, 0.9], "short has 3 keytimes but first has 4; .*same"),
            (
                [0.0, 0.2, 0.2, 0.9],
                r"keytimes of short must be strictly increasing, .* 0, 0\.2, 0\.2, 0\.9 s",
            ),
            ([0.0, 0.3, 0.2, 0.9], "keytimes of short must be strictly increasing"),
            ([0.0, np.nan, 0.2, 0.9], "keytimes of short must be finite"),
            ([0.0, 0.1, 0.2, np.inf], "keytimes of short must be finite"),
            ([0.5], "short has 1 keytimes; .* at least 2"),
            ([], "short has 0 keytimes; .* at least 2"),
            ([[0.0, 1.0]], "keytimes of short must be one row"),
            (3.0, "keytimes of short must be one row"),
            (["a", "b"], "keytimes of short must be a row of numbers"),
            ([[0.0], [1.0, 2.0]], "keytimes of short must be a row of numbers"),
            (None, "keytimes of short must be"),
        ],
    )
    def test_the_one_at_fault_is_named(self, bad: object, said: str) -> None:
        with pytest.raises(RequestError, match=said):
            checked_keytimes([STEP, bad, STEP], ["first", "short", "last"])  # type: ignore[list-item]

    def test_the_odd_one_out_is_at_fault_though_it_comes_first(self) -> None:
        with pytest.raises(RequestError, match="example 0 has 2 keytimes but example 1 has 4"):
            checked_keytimes([[0.0, 1.0], STEP, STEP])

    def test_none_and_too_few_names(self) -> None:
        with pytest.raises(RequestError, match="no examples"):
            checked_keytimes([])
        with pytest.raises(RequestError, match="1 names do not fit 2 examples"):
            checked_keytimes([STEP, STEP], ["alone"])
