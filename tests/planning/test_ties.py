"""Characters and walls that meet symmetrically are passed on one side whatever the last digits are."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.planning.half_planes_kernel import clear_of_disc, clear_of_wall, out_of_disc

pytestmark = pytest.mark.cpu
OFF = 1e-9
NONE = np.full((2, 0, 2), np.nan)


def noise(seed: int, count: int) -> np.ndarray:
    return OFF * np.random.default_rng(seed).uniform(-1.0, 1.0, count)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_what_is_dead_ahead_is_passed_on_the_kept_side(side: float) -> None:
    """A disc and a wall across: both ways round are as good."""
    disc, wall = np.array([0.0, 2.0, 0.0, 2.0]), np.array([-0.1, 2.0, 0.1, 2.0])
    for seed in range(20):
        plane = clear_of_disc(*(disc + noise(seed, 4)), 0.6, 2.0, side)
        assert_allclose(plane, clear_of_disc(*disc, 0.6, 2.0, side), atol=1e-7)
        plane = clear_of_wall(wall + noise(seed, 4), NONE, 0.0, 0.0, 0.0, 9.0, 0.3, 2.0, side)
        assert_allclose(plane, clear_of_wall(wall, NONE, 0.0, 0.0, 0.0, 9.0, 0.3, 2.0, side), atol=1e-7)


def test_a_wall_seen_from_its_end() -> None:
    """Both ends graze alike: the flat side, the cap and the legs are as near."""
    wall = np.array([0.0, 1.0, 0.0, 3.0])
    for speed in (0.5, 2.0):
        planes = [
            clear_of_wall(wall + noise(seed, 4), NONE, 0.0, 0.0, 0.0, speed, 0.3, 2.0, 1.0)
            for seed in range(20)
        ]
        assert np.ptp(planes, axis=0).max() < 1e-7


def test_a_wall_that_goes_on_straight_does_not_rise() -> None:
    """Walls in one line: what grazes the one grazes the other."""
    wall, far = np.array([-1.0, 1.0, 0.0, 1.0]), np.full((2, 1, 2), [1.0, 1.0])
    for radius in (0.0, 0.3):
        planes = [
            clear_of_wall(wall, far + noise(seed, 4).reshape(2, 1, 2), 0.0, 0.0, 0.4, 1.0, radius, 2.0, 1.0)
            for seed in range(20)
        ]
        assert np.ptp(planes, axis=0).max() < 1e-7


def test_those_at_one_place_part_by_a_given_angle() -> None:
    for seed in range(20):
        position, velocity = noise(seed, 2), noise(seed + 100, 2)
        assert_allclose(
            out_of_disc(*position, *(0.1 * velocity), 0.6, 0.1, 0.3),
            (np.cos(0.3), np.sin(0.3), 6.0),
            atol=1e-7,
        )
