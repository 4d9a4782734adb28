"""Bridged corrections: exact where known, and without jumps or kinks at the edges of what is known."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.adapt.bridging import bridged

SECONDS = 4.0
KNOWN = ((0.5, 1.1), (1.6, 1.9), (3.0, 3.4))  # s
SETTLE = 0.15


def correction(t: np.ndarray) -> np.ndarray:
    """What a drifting foot needs: centimetres, with a slope of its own at every edge."""
    return np.stack([0.01 * np.sin(2.0 * t + 1.0), 0.02 * np.cos(3.1 * t), 0.004 * t * t], axis=-1)


def bridge(fps: float, known: tuple[tuple[float, float], ...] = KNOWN) -> tuple[np.ndarray, np.ndarray]:
    t = np.arange(round(SECONDS * fps) + 1) / fps
    mask = np.any([(t >= a - 1e-9) & (t <= b + 1e-9) for a, b in known], axis=0)
    values = np.where(mask[:, None], correction(t), 99.0)  # nothing of the unknown may come through
    return bridged(values, mask, fps, SETTLE), mask


@pytest.mark.parametrize("fps", [30.0, 60.0, 120.0])
def test_known_values_are_kept(fps: float) -> None:
    out, mask = bridge(fps)
    t = np.arange(len(out)) / fps
    assert_array_equal(out[mask], correction(t)[mask])
    assert np.abs(out).max() < 0.08


def largest_jumps(fps: float, order: int) -> float:
    out, _ = bridge(fps)
    inner = out[round(0.6 * fps) : round(3.3 * fps)]
    return float(np.abs(np.diff(inner, n=order, axis=0)).max()) * fps ** (order - 1)


def test_values_are_continuous() -> None:
    """Halving the time step halves the largest jump."""
    jumps = [largest_jumps(fps, 1) for fps in (120.0, 240.0, 480.0, 960.0)]
    assert_allclose(np.divide(jumps[1:], jumps[:-1]), 0.5, rtol=0.05)


def test_slopes_are_continuous() -> None:
    """Halving the time step halves the largest jump of the slope too: there is no kink."""
    jumps = [largest_jumps(fps, 2) for fps in (240.0, 480.0, 960.0, 1920.0)]
    assert_allclose(np.divide(jumps[1:], jumps[:-1]), 0.5, rtol=0.1)


def test_a_kink_would_show() -> None:
    """The measure used above: straight lines between the stretches fail it."""
    kinks = []
    for fps in (240.0, 480.0):
        out, mask = bridge(fps)
        index = np.arange(len(out))
        lines = np.stack([np.interp(index, index[mask], column[mask]) for column in out.T], axis=-1)
        kinks.append(float(np.abs(np.diff(lines, n=2, axis=0)).max()) * fps)
    assert kinks[1] > 0.9 * kinks[0]


def test_before_the_first_and_after_the_last_the_value_settles() -> None:
    out, mask = bridge(120.0)
    first, last = np.flatnonzero(mask)[[0, -1]]
    margin = round(SETTLE * 120) + 2
    assert_allclose(
        out[: first - margin], np.broadcast_to(out[first], (first - margin, 3)), rtol=0, atol=1e-12
    )
    tail = out[last + margin :]
    assert_allclose(tail, np.broadcast_to(out[last], tail.shape), rtol=0, atol=1e-12)


def test_between_equal_values_at_rest_nothing_moves() -> None:
    mask = np.zeros(100, dtype=bool)
    mask[10:30], mask[60:80] = True, True
    values = np.where(mask[:, None], np.array([0.3, -0.1]), 5.0)
    assert_allclose(
        bridged(values, mask, 60.0, SETTLE), np.broadcast_to([0.3, -0.1], (100, 2)), rtol=0, atol=1e-12
    )


def test_it_stays_between_values_at_rest() -> None:
    mask = np.zeros(90, dtype=bool)
    mask[:20], mask[60:] = True, True
    values = np.zeros((90, 1))
    values[60:] = 1.0
    out = bridged(values, mask, 60.0, SETTLE)[:, 0]
    assert (np.diff(out) >= 0).all()
    assert out.min() == 0.0
    assert out.max() == 1.0


@pytest.mark.parametrize("fps", [30.0, 60.0])
def test_time_runs_either_way(fps: float) -> None:
    out, mask = bridge(fps)
    t = np.arange(len(out)) / fps
    values = np.where(mask[:, None], correction(t), 0.0)
    back = bridged(values[::-1], mask[::-1], fps, SETTLE)[::-1]
    assert_allclose(back, out, rtol=0, atol=1e-12)


def test_it_is_linear_in_the_values() -> None:
    rng = np.random.default_rng(1)
    mask = rng.random(80) < 0.5
    a, b = rng.normal(size=(2, 80, 3))
    both = bridged(2.0 * a - 3.0 * b, mask, 60.0, SETTLE)
    apart = 2.0 * bridged(a, mask, 60.0, SETTLE) - 3.0 * bridged(b, mask, 60.0, SETTLE)
    assert_allclose(both, apart, rtol=0, atol=1e-10)


def test_nothing_known_is_no_correction() -> None:
    assert_array_equal(bridged(np.ones((20, 3)), np.zeros(20, dtype=bool), 60.0, SETTLE), np.zeros((20, 3)))
    assert bridged(np.zeros((0, 3)), np.zeros(0, dtype=bool), 60.0, SETTLE).shape == (0, 3)


@pytest.mark.parametrize("frame", [0, 7, 19])
def test_a_single_known_frame_is_held_everywhere(frame: int) -> None:
    mask = np.zeros(20, dtype=bool)
    mask[frame] = True
    values = np.random.default_rng(2).normal(size=(20, 3))
    assert_allclose(
        bridged(values, mask, 60.0, SETTLE), np.broadcast_to(values[frame], (20, 3)), rtol=0, atol=1e-12
    )


@pytest.mark.parametrize("gap", [1, 2, 3, 5, 9])
def test_short_gaps_are_crossed_without_overshoot(gap: int) -> None:
    """Edges that lie nearer than the settling time share the gap."""
    values = 0.05 * np.sin(6 * np.arange(60) / 60.0)[:, None]
    mask = np.ones(60, dtype=bool)
    mask[30 : 30 + gap] = False
    out = bridged(values, mask, 60.0, SETTLE)
    crossed = abs(values[30 + gap] - values[29])
    assert np.abs(out - values).max() < 0.12 * crossed
    assert (np.diff(out[29 : 31 + gap], axis=0) < 0).all()
