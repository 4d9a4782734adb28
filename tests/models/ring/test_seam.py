"""The closure of a curve ([rings] eq. 1, 2) against scipy's Bernstein pieces and least squares."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.interpolate import BPoly
from scipy.optimize import least_squares

from footfall.errors import RequestError
from footfall.models.ring.seam import BORDER_WEIGHT, LEAST_REACH, bernstein, best_seam, close, fitted


def nearly_closed(frames: int = 60, gap: float = 0.02) -> np.ndarray:
    phase = 2 * np.pi * np.arange(frames) / frames
    curve = np.c_[
        0.15 * np.cos(phase), 0.05 * np.sin(2 * phase), 0.05 * np.sin(phase), 0.01 * np.cos(3 * phase)
    ]
    return curve + gap * np.arange(frames)[:, None] / frames * [0.3, 0.5, 0.7, 0.4]


def test_the_basis_is_bernsteins() -> None:
    share = np.linspace(0, 1, 17)
    judge = BPoly(np.eye(4)[:, None, :], [0.0, 1.0])(share)
    assert_allclose(bernstein(share), judge, rtol=0, atol=1e-14)


def test_a_cubic_is_its_own_fit() -> None:
    share = np.linspace(0, 1, 15)[:, None]
    cubic = np.c_[share, share**2, share**3 - 2 * share, 1 + 0 * share]
    assert_allclose(fitted(cubic), cubic, rtol=0, atol=1e-13)


def test_no_other_piece_between_the_same_ends_is_nearer() -> None:
    region = np.random.default_rng(0).normal(size=(14, 5))
    basis = bernstein(np.linspace(0, 1, 14))

    def away(inner: np.ndarray) -> np.ndarray:
        controls = np.vstack([region[:1], inner.reshape(2, 5), region[-1:]])
        return (basis @ controls - region).ravel()

    judge = least_squares(away, np.zeros(10))
    assert np.square(fitted(region) - region).sum() == pytest.approx(2 * judge.cost, rel=1e-9)
    assert_array_equal(fitted(region)[[0, -1]], region[[0, -1]])


def test_the_cost_is_that_of_equation_two() -> None:
    x, seam = nearly_closed(), close(nearly_closed(), 7, 5)
    new, old = seam.places, np.concatenate([x[-7:], x[:6]])
    start = np.linalg.norm(2 * x[-7] - x[-8] - new[1])
    end = np.linalg.norm(2 * x[5] - x[6] - new[-2])
    rms = np.sqrt(np.square(old - new).sum() / 12)
    assert seam.cost == pytest.approx(BORDER_WEIGHT * (start + end) + rms, rel=1e-12)
    assert BORDER_WEIGHT == 10.0


def test_the_best_is_the_best_of_all() -> None:
    x = nearly_closed()
    best = best_seam(x)
    costs = {(b, a): close(x, b, a).cost for b in range(LEAST_REACH, 16) for a in range(LEAST_REACH, 16)}
    assert best.cost == min(costs.values())
    assert costs[best.before, best.after] == best.cost
    assert len(best.places) == best.before + best.after + 1


def test_closing_takes_the_jump_away() -> None:
    """Second differences across the gap are as small as anywhere on the curve."""
    x, seam = nearly_closed(), best_seam(nearly_closed())
    closed = np.array(x)
    closed[np.arange(-seam.before, seam.after + 1)] = seam.places
    for curve, jumps in ((x, True), (closed, False)):
        bends = np.linalg.norm(np.diff(np.concatenate([curve, curve[:2]]), n=2, axis=0), axis=1)
        ordinary = bends[20:40].max()
        assert (bends.max() > 3 * ordinary) == jumps


def test_a_closed_curve_is_hardly_touched() -> None:
    seam = best_seam(nearly_closed(gap=0.0))
    own = nearly_closed(gap=0.0)[np.arange(-seam.before, seam.after + 1)]
    assert np.abs(seam.places - own).max() < 2e-3  # m, on a curve 0.3 wide


def test_a_dozen_frames_are_no_cycle() -> None:
    with pytest.raises(RequestError, match="too short"):
        best_seam(nearly_closed(12))
