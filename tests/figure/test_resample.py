"""Resampling: the frames it should pick, and what lies between them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation, Slerp

from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.figure.resample import at_times, resample
from footfall.geometry import quaternion as quat
from tests.figure.figures import framed, humanoid, random_skeleton, smooth_motion

SKELETON = humanoid()
CLOSE = {"rtol": 0.0, "atol": 1e-12}


def spinning(frames: int, fps: float, speed: float) -> Motion:
    """One joint that turns about a slanted axis at `speed` rad/s and moves straight at 1 m/s."""
    skeleton = random_skeleton(0, 1)
    time = np.arange(frames) / fps
    turn = quat.from_axis_angle(np.array([1.0, 2.0, -2.0]), speed * time)[:, None]
    root = time[:, None] * np.array([0.6, 0.0, 0.8])
    return Motion(skeleton, root, turn, fps)


@pytest.mark.parametrize(
    ("fps", "every"), [(60.0, 2), (40.0, 3), (30.0, 4), (24.0, 5), (20.0, 6), (1.0, 120)]
)
def test_a_whole_fraction_of_the_rate_picks_frames_as_they_are(fps: float, every: int) -> None:
    motion = smooth_motion(SKELETON, frames=601, fps=120.0, translations=True)
    lower = resample(motion, fps)
    assert lower.fps == fps
    assert_array_equal(lower.root, motion.root[::every])
    assert_array_equal(lower.rotations, motion.rotations[::every])
    assert_array_equal(lower.translations, motion.translations[::every])


def test_down_and_down_again_and_up_again() -> None:
    motion = smooth_motion(SKELETON, frames=241, fps=120.0)
    twice = resample(resample(motion, 60.0), 30.0)
    assert_array_equal(twice.rotations, motion.rotations[::4])
    up = resample(twice, 120.0)
    assert len(up) == len(motion)
    assert_array_equal(up.rotations[::4], twice.rotations)


def test_the_middle_is_scipys_slerp() -> None:
    motion = smooth_motion(SKELETON, frames=20, fps=30.0, size=1.0, translations=True)
    double = resample(motion, 60.0)
    assert len(double) == 39
    for joint in range(len(SKELETON)):
        keys = Rotation.from_quat(motion.rotations[:, joint], scalar_first=True)
        middle = Slerp(motion.times, keys)(motion.times[:-1] + 1 / 60).as_matrix()
        assert_allclose(quat.to_matrix(double.rotations[1::2, joint]), middle, **CLOSE)
    assert_allclose(double.root[1::2], 0.5 * (motion.root[:-1] + motion.root[1:]), **CLOSE)
    halfway = 0.5 * (motion.translations[:-1] + motion.translations[1:])
    assert_allclose(double.translations[1::2], halfway, **CLOSE)


@pytest.mark.parametrize("fps", [24.0, 29.97, 37.3, 59.94, 60.0, 144.0, 1000.0])
def test_constant_speed_stays_constant(fps: float) -> None:
    motion = spinning(100, 30.0, speed=8.0)
    other = resample(motion, fps)
    steps = quat.angle_between(other.rotations[:-1, 0], other.rotations[1:, 0])
    assert_allclose(steps, 8.0 / fps, rtol=0.0, atol=1e-12)
    assert_allclose(np.linalg.norm(np.diff(other.root, axis=0), axis=-1), 1.0 / fps, **CLOSE)


@settings(deadline=None, max_examples=200)
@given(st.integers(2, 500), st.floats(1.0, 500.0), st.floats(1.0, 500.0))
def test_the_time_is_kept_to_within_one_new_frame(frames: int, before: float, after: float) -> None:
    motion = spinning(frames, before, 1.0)
    other = resample(motion, after)
    assert other.fps == after
    lost = motion.seconds - other.seconds
    assert -1e-6 / after <= lost + 1e-12
    assert lost < 1.0 / after
    assert_allclose(other.root[0], motion.root[0], **CLOSE)
    # the motion is straight, so every new frame must lie on the line at its own time
    assert_allclose(other.root[:, 0], np.minimum(0.6 * other.times, motion.root[-1, 0]), rtol=0.0, atol=1e-9)


def test_the_short_way_whatever_the_signs() -> None:
    motion = smooth_motion(SKELETON, frames=30, fps=30.0)
    signs = np.random.default_rng(1).choice([-1.0, 1.0], (30, len(SKELETON), 1))
    plain, flipped = resample(motion, 50.0), resample(motion.with_rotations(motion.rotations * signs), 50.0)
    assert_allclose(flipped.positions, plain.positions, **CLOSE)


def test_batches_are_resampled_one_by_one() -> None:
    motion = smooth_motion(framed(SKELETON, 1), frames=10, fps=30.0, batch=(2, 3), translations=True)
    other = resample(motion, 47.0)
    assert other.rotations.shape[:2] == (2, 3)
    one = Motion(motion.skeleton, motion.root[1, 2], motion.rotations[1, 2], 30.0, motion.translations[1, 2])
    alone = resample(one, 47.0)
    assert_array_equal(other.root[1, 2], alone.root)
    assert_array_equal(other.rotations[1, 2], alone.rotations)
    assert_array_equal(other.translations[1, 2], alone.translations)


def test_at_any_times_and_held_at_the_ends() -> None:
    motion = smooth_motion(SKELETON, frames=11, fps=10.0)
    found = at_times(motion, np.array([-5.0, 0.0, 0.3, 1.0, 99.0, 0.05]))
    assert_array_equal(found.root[[0, 1]], motion.root[[0, 0]])
    assert_allclose(found.root[[2, 3, 4]], motion.root[[3, 10, 10]], **CLOSE)
    assert_allclose(found.root[5], motion.root[:2].mean(axis=0), **CLOSE)
    assert_allclose(found.positions[[2, 3, 4]], motion.positions[[3, 10, 10]], **CLOSE)
    assert len(at_times(motion, np.zeros(0))) == 0


def test_the_same_rate_and_single_frames() -> None:
    motion = smooth_motion(SKELETON, frames=11, fps=10.0)
    assert_array_equal(resample(motion, 10.0).rotations, motion.rotations)
    assert resample(motion[:1], 99.0).fps == 99.0
    assert_array_equal(resample(motion[:1], 99.0).root, motion.root[:1])
    assert len(resample(motion[:0], 5.0)) == 0
    with pytest.raises(RequestError, match="without frames"):
        at_times(motion[:0], np.zeros(1))


@pytest.mark.parametrize("fps", [0.0, -30.0, np.nan, np.inf, "fast"])
def test_rates_that_are_refused(fps: float) -> None:
    with pytest.raises(RequestError, match="positive number"):
        resample(smooth_motion(SKELETON), fps)
