"""The body over its feet: falling freely in the air, and balanced as an inverted pendulum on the ground."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.actor.gait.balance import (
    GRAVITY,
    HIPS_AHEAD,
    MASS_OVER_HIPS,
    Support,
    carried,
    flights,
    heights,
)
from footfall.actor.gait.guide import DENSE
from footfall.actor.gait.stance import Stance

TIMES = np.arange(0, 4 * int(DENSE) + 1) / DENSE


def standing(foot: str, strike: float, off: float) -> Stance:
    return Stance(foot, np.zeros(3), 0.0, strike, strike + 0.05, off - 0.05, off)


def test_flights_are_the_times_without_a_stance() -> None:
    stances = [
        standing("left", -1.0, 0.5),
        standing("right", 0.4, 1.0),
        standing("left", 1.2, 1.6),
        standing("right", 1.9, 2.5),
        standing("left", 2.5, 3.0),  # lands as the other leaves: no flight
    ]
    assert flights(stances) == [(1.0, 1.2), (1.6, 1.9)]
    assert flights(stances[::-1]) == [(1.0, 1.2), (1.6, 1.9)]
    assert flights(stances[:2]) == []


def test_a_long_stance_under_a_short_one_is_no_flight() -> None:
    assert (
        flights([standing("left", 0.0, 3.0), standing("right", 0.5, 1.0), standing("right", 2.0, 2.5)]) == []
    )


@pytest.mark.parametrize("rest", [0.2, 1.5])
@pytest.mark.parametrize(("leaving", "landing"), [(0.0, 0.0), (0.05, -0.08)])
def test_heights_are_ballistic_inside_and_smooth_at_the_edges(
    rest: float, leaving: float, landing: float
) -> None:
    """Free fall between take-off and landing; no jump in height or speed anywhere; the base far away."""
    base = 0.9 + 0.02 * np.sin(3.0 * TIMES) + 0.05 * TIMES
    aloft = [(1.0, 1.3), (1.3 + rest, 1.6 + rest)]
    found = heights(TIMES, base, aloft, leaving, landing)
    speed = np.diff(found) * DENSE
    fall = np.diff(found, n=2) * DENSE**2
    for off, strike in aloft:
        inside = (TIMES[1:-1] > off + 1.5 / DENSE) & (TIMES[1:-1] < strike - 1.5 / DENSE)
        assert_allclose(fall[inside], -GRAVITY, rtol=0, atol=1e-6)
        for at, over in ((off, leaving), (strike, landing)):
            assert np.interp(at, TIMES, found) == pytest.approx(np.interp(at, TIMES, base) + over, abs=2e-3)
    # no kink: from one moment to the next the speed changes as much as accelerations allow
    assert np.abs(np.diff(speed)).max() < 150.0 / DENSE
    far = (TIMES < 0.2) | (TIMES > 3.5)
    assert_allclose(found[far], base[far], rtol=0, atol=1e-12)


def test_without_a_flight_heights_are_the_base() -> None:
    base = 0.9 + 0.02 * np.sin(TIMES)
    assert_allclose(heights(TIMES, base, [], 0.1, 0.1), base, rtol=0, atol=0)


def pendulum(way: np.ndarray, point: np.ndarray, height: np.ndarray, grounded: np.ndarray) -> np.ndarray:
    """The mass's way, without what the hips are ahead of it."""
    hips = carried(
        TIMES,
        Support(point, grounded),
        height,
        way,
        np.zeros(len(TIMES)),
        np.zeros(len(TIMES)),
        np.zeros(len(TIMES)),
    )
    return hips - np.array([0.0, 0.0, HIPS_AHEAD[0]])


def test_a_constant_support_gives_the_linear_inverted_pendulum() -> None:
    """x'' = g / h (x - z) has the closed form z + A cosh(w t) + B sinh(w t) between both ends."""
    height, foot = 0.95, np.array([0.08, 0.0, 0.3])
    way = np.zeros((len(TIMES), 3))
    way[0], way[-1] = [0.0, 0.0, 0.1], [0.15, 0.0, 0.55]
    found = pendulum(
        way, np.tile(foot, (len(TIMES), 1)), np.full(len(TIMES), height), np.ones(len(TIMES), dtype=bool)
    )
    w, span = np.sqrt(GRAVITY / (height + MASS_OVER_HIPS)), TIMES[-1]
    for axis in (0, 2):
        start, end = way[0, axis] - foot[axis], way[-1, axis] - foot[axis]
        b = (end - start * np.cosh(w * span)) / np.sinh(w * span)
        closed = foot[axis] + start * np.cosh(w * TIMES) + b * np.sinh(w * TIMES)
        assert_allclose(found[:, axis], closed, rtol=0, atol=2e-5)
    assert_allclose(found[:, 1], height, rtol=0, atol=0)


def test_the_equation_holds_on_any_ground() -> None:
    """The residual of x'' = (g + y'') / h (x - z), with a support that wanders, and none in flight."""
    rng = np.random.default_rng(4)
    point = np.stack(
        [0.1 * np.sin(7 * TIMES), np.where(TIMES > 2.0, 0.1, 0.0), 0.5 * TIMES + 0.1 * np.cos(5 * TIMES)],
        axis=-1,
    )
    height = 1.0 + 0.02 * np.sin(9.0 * TIMES) + 0.05 * TIMES
    grounded = (TIMES < 1.5) | (TIMES > 1.8)
    way = np.stack([rng.normal(0, 0.1, len(TIMES)), 0 * TIMES, 0.5 * TIMES], axis=-1)
    found = pendulum(way, point, height, grounded)
    assert_allclose(found[[0, -1]][:, [0, 2]], way[[0, -1]][:, [0, 2]], rtol=0, atol=1e-12)
    second = np.diff(found, n=2, axis=0)[:, [0, 2]] * DENSE**2
    lift = -0.02 * 81.0 * np.sin(9.0 * TIMES)
    pull = (GRAVITY + lift) / (height - point[:, 1] + MASS_OVER_HIPS)
    expected = pull[:, None] * (found - point)[:, [0, 2]]
    away = np.ones(len(TIMES), dtype=bool)
    for edge in (0.0, 1.5, 1.8, 2.0, TIMES[-1]):  # loads are smoothed over the edges
        away &= np.abs(TIMES - edge) > 0.06
    on = (grounded & away)[1:-1]
    assert np.abs(second[on] - expected[1:-1][on]).max() < 0.02
    flying = (~grounded & (np.abs(TIMES - 1.65) < 0.14))[1:-1]
    assert_allclose(second[flying], 0.0, rtol=0, atol=1e-6)


def test_a_leaning_trunk_takes_the_hips_back() -> None:
    still = np.zeros((len(TIMES), 3))
    grounded = np.ones(len(TIMES), dtype=bool)
    level, lean, on = np.ones(len(TIMES)), np.full(len(TIMES), 0.5), np.zeros(len(TIMES))
    upright, bent = (
        carried(TIMES, Support(still, grounded), level, still, on, amount, on)
        for amount in (0.0 * lean, lean)
    )
    assert (bent[:, 2] < upright[:, 2] - 0.05).all()
    assert_allclose(bent[:, 0], upright[:, 0], rtol=0, atol=1e-12)
