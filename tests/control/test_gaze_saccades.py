"""Leaps of the eyes around a target have the statistics that were measured on people."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from footfall.control.gaze import GazeController
from footfall.control.saccades import DIRECTION_SHARES, FARTHEST, LISTENING, TALKING, Rests, Saccades
from footfall.control.tick import Tick
from tests.control.gaze_judge import looked, off_target, seen_at, skeleton, standing

TICK = 1.0 / 240.0


def leaps(rests: Rests, count: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Glances (nod, turn), rests on the target and rests aside, s."""
    saccades = Saccades(seed, rests)
    glances, on_target, aside = [], [], []
    before, since = (0.0, 0.0), 0.0
    while len(aside) < count:
        since += TICK
        glance = saccades.advance(TICK)
        if glance != before:
            (aside if any(before) else on_target).append(since)
            if any(glance):
                glances.append(glance)
            before, since = glance, 0.0
    return np.array(glances[:count]), np.array(on_target), np.array(aside)


@pytest.fixture(scope="module")
def talked() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return leaps(TALKING, 4000)


def test_directions_have_their_shares(talked) -> None:  # type: ignore[no-untyped-def]
    nod, turn = talked[0].T
    eighths = np.degrees(np.arctan2(-nod, -turn)) / 45.0  # from the figure's right through up
    assert_allclose(eighths, np.round(eighths), atol=1e-9)
    counts = np.bincount(np.round(eighths).astype(int) % 8, minlength=8)
    expected = DIRECTION_SHARES / DIRECTION_SHARES.sum() * counts.sum()
    assert stats.chisquare(counts, expected).pvalue > 0.01
    # even shares would be found out
    assert stats.chisquare(counts).pvalue < 1e-6


def test_magnitudes_are_distributed_as_measured(talked) -> None:  # type: ignore[no-untyped-def]
    """A = -6.9 ln(P / 15.7), P uniform up to 15: exponential, from 0.31 degrees on."""
    size = np.degrees(np.linalg.norm(talked[0], axis=1))
    least = 6.9 * np.log(15.7 / 15.0)
    assert size.min() >= least - 1e-9
    assert size.max() == pytest.approx(FARTHEST)
    below = size[size < FARTHEST - 1e-9]
    cut = stats.truncexpon(b=(FARTHEST - least) / 6.9, loc=least, scale=6.9)
    assert stats.kstest(below, cut.cdf).pvalue > 0.01
    assert_allclose((size < 15.0).mean(), 1.0 - np.exp(-(15.0 - least) / 6.9), atol=0.02)


@pytest.mark.parametrize(("rests", "count"), [(LISTENING, 600), (TALKING, 2000)])
def test_rests_have_the_means_and_deviations_that_were_measured(rests: Rests, count: int) -> None:
    _, on_target, aside = leaps(rests, count, seed=4)
    for seconds, (mean, deviation) in ((on_target, rests.on_target), (aside, rests.aside)):
        frames = 30.0 * seconds
        assert abs(frames.mean() - mean) < 4.0 * deviation / np.sqrt(count)
        assert_allclose(frames.std(), deviation, rtol=0.12)
        assert frames.min() > 0.0


def test_each_leap_of_the_eyes_takes_its_time() -> None:
    """In a gaze: 25 ms and 2.4 ms a degree from the target to where the eyes glance."""
    fps, target = 1000.0, seen_at(0.0, far=20.0)
    gaze = GazeController(skeleton(), talking=True, seed=2, parts=("eyes",))
    gaze.command(look_at=target)
    off = np.array(
        [off_target(skeleton(), pose, target, ["left_eye"]) for pose in looked(gaze, 12.0, fps=fps)]
    )
    still = np.abs(np.diff(off)) < 1e-7
    edges = np.flatnonzero(np.diff(still.astype(int)))
    spans = [(a, b) for a, b in pairwise(edges) if not still[a + 1]]
    spans = [(a, b) for a, b in spans if a > 500 and abs(off[b + 1] - off[a]) > 1.0]
    assert len(spans) >= 4
    for a, b in spans:
        size = abs(off[b + 1] - off[a])
        assert_allclose((b - a) / fps, 0.025 + 0.0024 * size, atol=0.004)


def test_eyes_come_back_to_the_target_and_the_head_does_not_mind() -> None:
    target = seen_at(25.0)
    plain, lively = GazeController(skeleton(), saccades=False), GazeController(skeleton(), talking=True)
    says = []
    for gaze in (plain, lively):
        gaze.command(look_at=target)
    head = skeleton().joint("head")
    for _ in range(60 * 30):
        tick = Tick(standing(), standing(), 0.0, 1.0 / 60.0, None)
        a, b = plain.update(tick), lively.update(tick)
        assert_allclose(a.rotations[head], b.rotations[head], atol=1e-12)
        says.append(lively.status.says)
        if lively.status.reached:
            assert off_target(skeleton(), b, target) < 0.5
    assert says.count("on the target") > 0.5 * len(says)
    assert says.count("glancing aside") > 0.05 * len(says)


def test_the_seed_decides() -> None:
    one, same, other = (leaps(TALKING, 20, seed)[0] for seed in (1, 1, 2))
    assert (one == same).all()
    assert (one != other).any()


def test_a_frame_that_is_too_long_is_one_leap_at_most() -> None:
    saccades = Saccades(0, TALKING)
    assert any(saccades.advance(1e6))
    assert saccades.advance(0.0) == (0.0, 0.0)
    saccades.begin()
    assert saccades.advance(1e-6) == (0.0, 0.0)
