"""Small filters against plain references."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from footfall.analysis.signals import box, despiked, mended, smoothed_speed, speed
from footfall.figure.contacts import runs_of

MASKS = st.lists(st.booleans(), max_size=60).map(lambda bits: np.array(bits, dtype=bool))


class TestBox:
    @pytest.mark.parametrize(("width", "used"), [(0, 1), (1, 1), (2, 3), (3, 3), (8, 9)])
    def test_is_the_mean_over_an_odd_window_with_the_ends_held(self, width: int, used: int) -> None:
        values = np.random.default_rng(1).normal(size=(40, 2))
        half = used // 2
        padded = np.concatenate([values[:1].repeat(half, 0), values, values[-1:].repeat(half, 0)])
        expected = np.stack([padded[i : i + used].mean(axis=0) for i in range(40)])
        assert_allclose(box(values, width), expected, rtol=0, atol=1e-12)

    def test_leaves_one_value_and_none_alone(self) -> None:
        for count in (0, 1):
            values = np.ones((count, 3))
            assert_array_equal(box(values, 9), values)

    def test_works_on_several_axes_and_keeps_constants(self) -> None:
        assert_allclose(box(np.full((20, 4, 3), 0.3), 7), 0.3, rtol=0, atol=1e-12)


class TestSpeed:
    def test_of_steady_motion_is_exact(self) -> None:
        velocity = np.array([0.3, -1.2, 0.4])
        places = np.arange(30)[:, None] / 50.0 * velocity + 7.0
        assert_allclose(speed(places, 50.0), np.linalg.norm(velocity), rtol=1e-12)

    def test_of_a_circle(self) -> None:
        angle = np.arange(200) / 100.0
        places = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
        assert_allclose(speed(places, 100.0)[1:-1], 1.0, rtol=1e-4)

    @pytest.mark.parametrize("count", [0, 1])
    def test_of_less_than_two_frames_is_zero(self, count: int) -> None:
        assert_array_equal(speed(np.ones((count, 3)), 60.0), np.zeros(count))

    def test_scales_with_the_rate(self) -> None:
        places = np.random.default_rng(2).normal(size=(30, 3))
        assert_allclose(speed(places, 120.0), 2 * speed(places, 60.0), rtol=1e-12)

    def test_is_smoothed_over_seconds(self) -> None:
        places = np.random.default_rng(3).normal(size=(60, 3))
        assert_allclose(smoothed_speed(places, 100.0, 0.05), box(speed(places, 100.0), 5), rtol=1e-12)


class TestDespiked:
    def swing(self, fps: float) -> np.ndarray:
        """As fast as feet get: 10 m/s and 140 m/s^2."""
        t = np.arange(round(3 * fps)) / fps
        return np.stack([0.7 * np.sin(14.0 * t), 0.1 * np.sin(28 * t), 1.2 * t], axis=-1)

    @pytest.mark.parametrize("fps", [30.0, 60.0, 120.0, 240.0])
    def test_leaves_fast_feet_exactly_alone(self, fps: float) -> None:
        assert_array_equal(despiked(self.swing(fps), fps), self.swing(fps))

    @pytest.mark.parametrize("fps", [60.0, 120.0, 240.0])
    def test_takes_out_single_frames(self, fps: float) -> None:
        clean = self.swing(fps)
        bad = clean.copy()
        spikes = [7, 40, 41 + round(0.2 * fps), len(bad) - 9]
        bad[spikes] += [0.3, -0.2, 0.25]
        mended_path = despiked(bad, fps)
        # the median of a path that runs is a frame early or late
        assert np.linalg.norm(mended_path - clean, axis=-1).max() < 11.0 / fps
        near = np.abs(np.arange(len(bad))[:, None] - spikes).min(axis=1) <= 0.04 * fps
        assert_array_equal(mended_path[~near], clean[~near])

    def test_leaves_a_step_to_another_place_alone(self) -> None:
        """A jump that stays is not an excursion."""
        places = np.zeros((60, 3))
        places[30:] += [0.5, 0.0, 0.0]
        assert_array_equal(despiked(places, 60.0), places)

    def test_leaves_clips_too_short_to_judge_alone(self) -> None:
        places = np.random.default_rng(4).normal(size=(2, 3))
        assert_array_equal(despiked(places, 60.0), places)


class TestMended:
    @given(MASKS, st.integers(0, 12))
    def test_fills_gaps_between_and_nothing_else(self, mask: np.ndarray, gap: int) -> None:
        expected = mask.copy()
        for first, last in runs_of(~mask):
            inner = first > 0 and last < len(mask)
            if inner and last - first <= gap:
                expected[first:last] = True
        assert_array_equal(mended(mask, gap), expected)

    @given(MASKS, st.integers(0, 12))
    def test_twice_is_once(self, mask: np.ndarray, gap: int) -> None:
        once = mended(mask, gap)
        assert_array_equal(mended(once, gap), once)

    @given(MASKS, st.integers(0, 12))
    def test_time_runs_either_way(self, mask: np.ndarray, gap: int) -> None:
        assert_array_equal(mended(mask[::-1], gap)[::-1], mended(mask, gap))

    def test_does_not_write_into_what_it_is_given(self) -> None:
        mask = np.array([True, False, True])
        mended(mask, 1)
        assert_array_equal(mask, [True, False, True])
