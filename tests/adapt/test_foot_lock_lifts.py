"""Lifts of a swing and its timing, alone: judged by what makes a lift the gentlest, and by known ways."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from footfall.adapt import foot_lock_lifts
from footfall.adapt.foot_lock_lifts import BRIEF, SHAPES, gentlest_lift, hardness
from footfall.adapt.foot_lock_timing import AMOUNTS, WITHIN, Timing

FPS = 60.0

needs = st.lists(st.integers(-200, 200), min_size=1, max_size=45).map(lambda mm: np.array(mm) / 1000.0)


def price(frames: int, fps: float) -> np.ndarray:
    """The matrix of what a lift costs: accelerations over the time in which it is gentle, and its height."""
    padded = np.concatenate([np.zeros((2, frames)), np.eye(frames), np.zeros((2, frames))])
    second = (BRIEF * fps) ** 2 * np.diff(padded, n=2, axis=0)
    return second.T @ second + np.eye(frames)


def cost(lift: np.ndarray, fps: float) -> float:
    return float(lift @ price(len(lift), fps) @ lift)


@settings(deadline=None)
@given(needs)
def test_a_lift_is_the_gentlest_of_all_that_are_high_enough(need: np.ndarray) -> None:
    """By Karush, Kuhn and Tucker: its cost falls only where it would be too low, and rises nowhere."""
    lift = gentlest_lift(need, FPS)
    if need.max() <= 0.0:
        assert_array_equal(lift, 0.0)
        return
    assert (lift >= need - 1e-9).all()
    push = price(len(need), FPS) @ lift
    assert push.min() > -1e-5 * push.max()
    assert np.abs(push * (lift - need)).max() < 1e-5 * push.max() * need.max()


@settings(deadline=None)
@given(needs, st.floats(0.1, 5.0))
def test_lifts_are_the_same_backwards_and_grow_as_what_is_needed(need: np.ndarray, times: float) -> None:
    need = np.maximum(need, 0.0)
    lift = gentlest_lift(need, FPS)
    assert_allclose(gentlest_lift(need[::-1], FPS)[::-1], lift, atol=1e-7)
    assert_allclose(gentlest_lift(times * need, FPS), times * lift, atol=1e-7)


def test_a_foot_is_not_thrown_up() -> None:
    """Over 10 cm, close to its start and as close to its end, a swing is raised by little more."""
    need = np.full(38, -1.0)
    need[6:-6] = 0.1
    assert gentlest_lift(need, FPS).max() < 0.13


@pytest.mark.parametrize("frames", [SHAPES + 1, 150, 400])
def test_long_swings_are_lifted_as_if_frame_by_frame(frames: int, monkeypatch: pytest.MonkeyPatch) -> None:
    need = np.full(frames, -1.0)
    need[frames // 5 : frames // 3] = 0.1
    need[-frames // 4] = 0.05
    fps = 60.0 * frames / 40.0
    lift = gentlest_lift(need, fps)
    assert (lift >= need - 1e-9).all()
    monkeypatch.setattr(foot_lock_lifts, "SHAPES", frames)
    foot_lock_lifts._easy.cache_clear()
    exact = gentlest_lift(need, fps)
    foot_lock_lifts._easy.cache_clear()
    assert_allclose(lift, exact, atol=0.004)
    assert cost(exact, fps) <= cost(lift, fps) < 1.1 * cost(exact, fps)


def test_a_lift_is_the_same_at_any_frame_rate() -> None:
    lifts = []
    for frames in (20, 40, 80):
        share = np.arange(1, frames) / frames
        need = np.where((share > 0.3) & (share < 0.6), 0.1, -1.0)
        lifts.append(np.interp(np.linspace(0.2, 0.8, 7), share, gentlest_lift(need, frames / 0.66)))
    assert_allclose(lifts[0], lifts[1], atol=0.012)
    assert_allclose(lifts[1], lifts[2], atol=0.008)


@pytest.mark.parametrize("fps", [30.0, 60.0, 120.0, 240.0])
def test_hardness_is_acceleration_half_by_half_at_any_frame_rate(fps: float) -> None:
    """One wave, that is over before the swing's middle, then a roof, whose ridge is a kink."""
    times = np.arange(1, round(fps)) / fps
    moved = np.zeros((len(times), 3))
    moved[:, 1] = np.where(times < 0.4, 1.0 - np.cos(5.0 * np.pi * times), 0.0)
    first, second = hardness(moved, fps)
    assert first == pytest.approx((5.0 * np.pi) ** 2, rel=0.03)
    assert second == pytest.approx(0.0, abs=1e-9)
    assert hardness(moved[::-1], fps) == pytest.approx((second, first), abs=1e-9)
    kinked = np.zeros((len(times), 1))
    kinked[:, 0] = np.minimum(times, 1.0 - times)
    step = max(round(fps / 60.0), 1) / fps
    assert max(hardness(kinked, fps)) == pytest.approx(2.0 / step)


timings = st.builds(
    Timing,
    st.sampled_from([0.0, *AMOUNTS]),
    st.sampled_from(WITHIN),
    st.sampled_from([0.0, *AMOUNTS]),
    st.sampled_from(WITHIN),
)


@given(timings, st.integers(6, 90))
def test_a_swing_goes_its_own_way_whatever_its_timing(timing: Timing, frames: int) -> None:
    """Forward all the time, from where it began to where it ends, and never beside its way."""
    share = np.linspace(0.0, 1.0, frames)
    way = np.stack([share, 3.0 * share - 1.0], axis=1)
    moved = timing.moved(way)
    assert_allclose(moved[[0, -1]], 0.0, atol=1e-12)
    then = way + moved
    assert np.diff(then[:, 0]).min() > -1e-9
    assert_allclose(then[:, 1], 3.0 * then[:, 0] - 1.0, atol=1e-9)


def test_one_that_waits_is_late_at_its_start_and_one_that_is_early_at_its_end() -> None:
    way = np.linspace(0.0, 1.0, 41)[:, None]
    assert_allclose(Timing().moved(way), 0.0, atol=1e-12)
    for timing in Timing().later():
        moved = timing.moved(way)[:, 0]
        assert moved.max() < 1e-9
        assert moved[4] < -0.02
        assert_allclose(moved[33:], 0.0, atol=1e-9)
        early = Timing(early=timing.waits, early_within=timing.waits_within)
        assert early in set(Timing().earlier())
        assert_allclose(early.moved(way)[::-1, 0], -moved, atol=1e-9)
