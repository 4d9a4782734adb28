"""glTF samplers against the specification's own words, through SciPy's splines and rotations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import CubicHermiteSpline
from scipy.spatial.transform import Rotation, Slerp

from footfall.formats.gltf_sampling import Track, sample, timing_of
from footfall.geometry import quaternion as quat

seeds = st.integers(0, 2**32 - 1)


def key_times(rng: np.random.Generator, keys: int) -> np.ndarray:
    return np.cumsum(rng.uniform(0.05, 0.5, keys)).astype(np.float32).astype(float)


def moments(rng: np.random.Generator, times: np.ndarray) -> np.ndarray:
    """Anywhere from before the first key to after the last, and on every key."""
    return np.sort(np.concatenate([rng.uniform(times[0] - 0.3, times[-1] + 0.3, 40), times]))


def xyzw(q: np.ndarray) -> np.ndarray:
    return np.roll(q, -1, axis=-1)


@given(seeds, st.integers(1, 6))
@settings(max_examples=60, deadline=None)
def test_linear_places(seed: int, keys: int) -> None:
    rng = np.random.default_rng(seed)
    times = key_times(rng, keys)
    track = Track(times, rng.normal(size=(keys, 3)), "LINEAR")
    at = moments(rng, times)
    expected = np.stack([np.interp(at, times, column) for column in track.values.T], axis=1)
    np.testing.assert_allclose(sample(track, at), expected, atol=1e-4)


@given(seeds, st.integers(2, 6))
@settings(max_examples=60, deadline=None)
def test_linear_rotations_are_the_short_slerp(seed: int, keys: int) -> None:
    rng = np.random.default_rng(seed)
    times = key_times(rng, keys)
    track = Track(times, quat.normalize(rng.normal(size=(keys, 4))), "LINEAR")
    at = moments(rng, times)
    expected = Slerp(times, Rotation.from_quat(xyzw(track.values)))(np.clip(at, times[0], times[-1]))
    turned = Rotation.from_quat(xyzw(sample(track, at)))
    assert (expected.inv() * turned).magnitude().max() < 1e-4


@given(seeds, st.integers(1, 6))
@settings(max_examples=60, deadline=None)
def test_step_holds_the_last_key(seed: int, keys: int) -> None:
    rng = np.random.default_rng(seed)
    times = key_times(rng, keys)
    track = Track(times, rng.normal(size=(keys, 3)), "STEP")
    at = moments(rng, times)
    last = [max(int(np.sum(times <= t)) - 1, 0) for t in at]
    np.testing.assert_array_equal(sample(track, at), track.values[last])


@given(seeds, st.integers(2, 6))
@settings(max_examples=60, deadline=None)
def test_cubic_spline_is_hermite_between_neighbouring_keys(seed: int, keys: int) -> None:
    """Rates leave a key by its out-tangent and reach the next by its in-tangent, and may jump at keys."""
    rng = np.random.default_rng(seed)
    times = key_times(rng, keys)
    values, before, after = (rng.normal(size=(keys, 3)) for _ in range(3))
    track = Track(times, values, "CUBICSPLINE", (before, after))
    at = moments(rng, times)
    seen = sample(track, at)
    for t, place in zip(at, seen, strict=True):
        k = int(np.clip(np.sum(times <= t) - 1, 0, keys - 2))
        piece = CubicHermiteSpline(times[k : k + 2], values[k : k + 2], [after[k], before[k + 1]])
        np.testing.assert_allclose(place, piece(np.clip(t, times[0], times[-1])), atol=1e-4)


def test_cubic_spline_by_the_numbers() -> None:
    """Half way between keys 2 s apart: (v0 + v1) / 2 + 2 (b0 - a1) / 8."""
    values = np.array([[1.0, 0, 0], [3.0, 0, 0]])
    before, after = np.array([[9.0, 0, 0], [0.5, 0, 0]]), np.array([[2.0, 0, 0], [9.0, 0, 0]])
    track = Track(np.array([1.0, 3.0]), values, "CUBICSPLINE", (before, after))
    np.testing.assert_allclose(sample(track, np.array([2.0])), [[2.0 + 2.0 * (2.0 - 0.5) / 8.0, 0, 0]])


def test_cubic_spline_rotations_have_unit_length() -> None:
    rng = np.random.default_rng(0)
    values, before, after = (rng.normal(size=(4, 4)) for _ in range(3))
    track = Track(np.arange(4.0), values, "CUBICSPLINE", (before, after))
    seen = sample(track, np.linspace(0, 3, 31))
    np.testing.assert_allclose(np.linalg.norm(seen, axis=-1), 1.0)
    piece = CubicHermiteSpline([1, 2], values[1:3], [after[1], before[2]])(1.3)
    np.testing.assert_allclose(seen[13], piece / np.linalg.norm(piece))


def test_a_single_key_holds_for_ever() -> None:
    one = np.array([[1.0, 2.0, 3.0]])
    for mode, tangents in (("LINEAR", None), ("STEP", None), ("CUBICSPLINE", (one, one))):
        track = Track(np.array([0.5]), one, mode, tangents)
        np.testing.assert_array_equal(sample(track, np.array([0.0, 0.5, 9.0])), np.tile(one, (3, 1)))


def test_keys_at_one_time_jump_and_stay_finite() -> None:
    track = Track(np.array([0.0, 1.0, 1.0, 2.0]), np.array([[0.0], [1.0], [5.0], [6.0]]), "LINEAR")
    seen = sample(track, np.array([0.5, 1.0, 1.5]))[:, 0]
    np.testing.assert_allclose(seen, [0.5, 5.0, 5.5])


@pytest.mark.parametrize(
    "rate", [23.976023976, 24.0, 25.0, 29.97002997, 30.0, 50.0, 60.0, 90.0, 120.0, 240.0]
)
@pytest.mark.parametrize("frames", [2, 100, 20_000])
def test_the_rate_of_steady_keys_is_found(rate: float, frames: int) -> None:
    """Also from single precision, where late keys lie off by a good part of a millisecond."""
    times = (np.arange(frames) / rate).astype(np.float32).astype(float)
    timing = timing_of({(0, "rotation"): Track(times, quat.identity(frames), "LINEAR")}, None)
    assert timing.rate == rate
    assert timing.frames == frames
    np.testing.assert_allclose(timing.times, times, rtol=1e-6, atol=1e-6)


def test_an_unusual_steady_rate_is_kept_and_sparse_keys_are_filled() -> None:
    def rate_of(times: np.ndarray) -> float | None:
        return timing_of({(0, "rotation"): Track(times, quat.identity(len(times)), "LINEAR")}, None).rate

    assert rate_of(np.arange(50) / 37.0) == pytest.approx(37.0)
    assert rate_of(np.array([0.0, 1.0, 5.0])) == 30.0
    assert rate_of(np.array([2.0])) == 30.0


def test_a_stated_rate_wins() -> None:
    track = Track(np.arange(10) / 30, quat.identity(10), "LINEAR")
    timing = timing_of({(0, "rotation"): track}, 15.0)
    assert (timing.rate, timing.frames) == (15.0, 5)
    assert timing_of({}, 15.0).frames == 0


def test_every_frame_on_a_key_is_that_key_bit_for_bit() -> None:
    """Nothing may be lost to the rounding of stored times."""
    frames = 5000
    values = quat.normalize(np.random.default_rng(0).normal(size=(frames, 4)))
    times = (np.arange(frames) / 120).astype(np.float32).astype(float)
    track = Track(times, values, "LINEAR")
    np.testing.assert_array_equal(sample(track, np.arange(frames) / 120), values)
