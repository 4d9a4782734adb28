"""Artificial opening frames: found where a converter put them, and only there."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.figure.motion import concatenate
from footfall.formats.opening import MOST, artificial_frames
from tests.figure.figures import humanoid, smooth_motion

LEG = 0.82


def moving(frames: int = 120, size: float = 0.5, seed: int = 0) -> np.ndarray:
    """Positions of a person who moves about as fast as people do: two seconds at 60 Hz."""
    return smooth_motion(humanoid(), frames=frames, size=size, seed=seed).positions


def posed(frames: int, shift: float = 0.0) -> np.ndarray:
    """The T-pose held, `shift` metres ahead."""
    held = smooth_motion(humanoid(), frames=max(frames, 1), size=0.0).positions[:1]
    return np.repeat(held - held[:, :1] + [0.0, 0.93, shift], frames, axis=0)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("artificial", range(MOST + 1))
def test_as_many_as_there_are(artificial: int, seed: int) -> None:
    positions = np.concatenate([posed(artificial), moving(seed=seed)])
    assert artificial_frames(positions, LEG) == artificial


def test_different_poses_one_after_the_other() -> None:
    """A T-pose, then a rest pose two metres away, then the motion."""
    positions = np.concatenate([posed(1), posed(1, shift=2.6), moving()])
    assert artificial_frames(positions, LEG) == 2


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**31), st.floats(0.05, 1.0))
def test_motion_alone_is_kept_whole(seed: int, size: float) -> None:
    assert artificial_frames(moving(seed=seed, size=size), LEG) == 0


def test_a_start_from_rest_is_no_artificial_pose() -> None:
    """Someone who stands still for a third of a second and then moves."""
    motion = smooth_motion(humanoid(), frames=120)
    standing = concatenate([motion[:1]] * 20)
    assert artificial_frames(concatenate([standing, motion]).positions, LEG) == 0


@pytest.mark.parametrize(("times", "dropped"), [(1.0, 0), (4.5, 0), (5.5, 1), (20.0, 1)])
def test_only_a_jump_far_beyond_the_usual_step(times: float, dropped: int) -> None:
    """Someone carried along at 2 cm a frame; the first step is so many times as long."""
    steps = np.full(60, 0.02)
    steps[0] *= times
    ahead = np.concatenate([[0.0], np.cumsum(steps)])
    positions = posed(61) + ahead[:, None, None] * np.array([0.0, 0.0, 1.0])
    assert artificial_frames(positions, LEG) == dropped


@pytest.mark.parametrize(("jump", "dropped"), [(0.03, 0), (0.05, 1)])
def test_a_jump_of_a_still_figure_must_be_a_real_one(jump: float, dropped: int) -> None:
    """A twentieth of the leg is the least: 41 mm."""
    positions = posed(60)
    positions[0] += [0.0, 0.0, jump]
    assert artificial_frames(positions, LEG) == dropped


def test_a_still_figure_is_kept() -> None:
    assert artificial_frames(posed(100), LEG) == 0


def test_noise_of_millimetres_on_a_still_figure_is_kept() -> None:
    noise = 0.002 * np.random.default_rng(0).normal(size=(100, 25, 3))
    assert artificial_frames(posed(100) + noise, LEG) == 0


@pytest.mark.parametrize("at", [8, 15, 30])
def test_a_dropout_later_on_does_not_hide_the_jump(at: int) -> None:
    positions = np.concatenate([posed(1), moving()])
    positions[at] += 0.5
    assert artificial_frames(positions, LEG) == 1


def test_a_dropout_alone_is_no_opening() -> None:
    positions = np.array(moving())
    positions[20] += 0.5
    assert artificial_frames(positions, LEG) == 0


@pytest.mark.parametrize("scale", [0.001, 1.0, 39.37, 100.0])
def test_the_unit_does_not_matter(scale: float) -> None:
    positions = np.concatenate([posed(1), moving()])
    assert artificial_frames(scale * positions, scale * LEG) == 1


@pytest.mark.parametrize("frames", range(MOST + 3))
def test_too_short_to_tell(frames: int) -> None:
    positions = np.concatenate([posed(1), moving()])[:frames]
    assert artificial_frames(positions, LEG) == 0
