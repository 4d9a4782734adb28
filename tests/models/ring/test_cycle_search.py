"""The search for a cycle on curves whose period is known."""

from __future__ import annotations

import numpy as np
import pytest

from footfall.actor.virtual_actor import VirtualActor
from footfall.errors import RequestError
from footfall.models.ring.cycle_search import WIDEST_GAP, expected_length, find_cycle
from footfall.models.ring.pose_curve import pose_curve


def gait(period: float, frames: int, drift: float = 0.0) -> np.ndarray:
    """A closed curve like a gait's (metres), with an optional drift a frame."""
    phase = 2 * np.pi * np.arange(frames) / period
    curve = np.c_[
        0.15 * np.cos(phase), 0.05 * np.sin(2 * phase), 0.05 * np.sin(phase), 0.01 * np.cos(3 * phase)
    ]
    return curve + drift * np.arange(frames)[:, None] * [0.0, 0.0, 0.5, 1.0]


@pytest.mark.parametrize("period", [60.0, 60.8, 39.36, 72.5])
def test_finds_the_period_between_frames(period: float) -> None:
    cycle = find_cycle(gait(period, int(1.5 * period)), round(1.1 * period))
    assert cycle.length == pytest.approx(period, abs=0.02)
    assert cycle.frames == np.floor(cycle.length + 0.5 + 1e-5)  # half a frame more is one more
    assert cycle.gap < 0.02
    assert 1 <= cycle.start < 0.5 * period


def test_neighbours_and_half_cycles_do_not_win() -> None:
    """The nearest pairs are a frame apart, and one point of a figure of eight is met twice a cycle."""
    phase = 2 * np.pi * np.arange(100) / 60
    eight = np.c_[0.15 * np.sin(phase), 0.15 * np.sin(2 * phase), np.zeros((100, 2))]
    assert find_cycle(eight, 60.0).length == pytest.approx(60, abs=0.02)


def test_pairs_that_move_in_opposite_directions_are_refused() -> None:
    """To and fro on a line: on the way back each pose is met again, but no velocity."""
    line = np.c_[0.2 * np.cos(np.linspace(0.5 * np.pi, 1.5 * np.pi, 61)), np.zeros((61, 3))]
    assert np.linalg.norm(line[15] - line[45]) < 1e-12
    with pytest.raises(RequestError, match=r"same way|differ by"):
        find_cycle(line, 30.0)
    with pytest.raises(RequestError, match="no two frames about 50 apart move the same way"):
        find_cycle(line, 50.0)


def test_a_curve_that_drifts_has_a_gap() -> None:
    cycle = find_cycle(gait(60.0, 100, drift=5e-4), 60.0)
    assert cycle.length == pytest.approx(60, abs=3)
    assert 0.01 < cycle.gap < WIDEST_GAP


def test_what_never_comes_again_is_refused_by_how_far_it_misses() -> None:
    with pytest.raises(RequestError, match=r"differ by 0\.\d+ m on average"):
        find_cycle(gait(60.0, 100, drift=4e-3), 60.0)


def test_less_than_a_cycle_is_refused() -> None:
    with pytest.raises(RequestError, match="40 frames are fewer than one cycle"):
        find_cycle(gait(60.0, 40), 60.0)


@pytest.mark.parametrize("index", [0, 20, 43, 60])
def test_the_feet_say_how_long_a_cycle_is(index: int) -> None:
    example = VirtualActor().perform("rings")[index]
    motion, curve = example.motion, pose_curve(example.motion)
    assert motion.contacts is not None
    told = expected_length(motion, motion.contacts, curve) / motion.fps
    assert told == pytest.approx(2 * example.parameters["step_seconds"], abs=1.5 / 60)


@pytest.mark.parametrize("index", [0, 20, 43, 60])
def test_without_contacts_the_curve_says_it(index: int) -> None:
    example = VirtualActor().perform("rings")[index]
    motion, curve = example.motion, pose_curve(example.motion)
    none = type(motion.contacts).none(len(motion))  # type: ignore[union-attr]
    told = expected_length(motion, none, curve) / motion.fps
    assert told == pytest.approx(2 * example.parameters["step_seconds"], abs=1 / 60)


def test_a_figure_that_stands_repeats_nothing() -> None:
    motion = VirtualActor().perform("rings")[0].motion
    none = type(motion.contacts).none(100)  # type: ignore[union-attr]
    still = np.cumsum(np.random.default_rng(0).normal(size=(100, 4)), axis=0) * 1e-3
    with pytest.raises(RequestError, match="three steps"):
        expected_length(motion[:100], none, still)
