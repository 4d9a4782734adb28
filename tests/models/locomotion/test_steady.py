"""The steady way is the one constant velocity that leads from a cycle's beginning to its end."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.locomotion.steady import steady_way, travelled

WAYS = (
    (1.2, 0.0, 0.0),
    (1.0, 0.6, 0.1),
    (0.0, 1.4, 0.1),
    (-0.6, -0.4, 0.0),
    (0.3, 0.0, 0.8),
    (0.8, -2.5, 0.2),
)


@pytest.mark.parametrize("way", WAYS)
def test_travelled_is_the_integral(way: tuple[float, float, float]) -> None:
    speed, turn, side = way
    velocity = np.array([side, 0.0, speed])

    def flow(_: float, at: np.ndarray) -> list[float]:
        x, _, z = quat.rotate(ground.turn(at[2]), velocity)
        return [x, z, turn]

    judge = solve_ivp(flow, (0.0, 1.7), [0.0, 0.0, 0.0], rtol=1e-11, atol=1e-12).y[:, -1]
    assert_allclose(travelled(velocity, turn, np.array([1.7]))[0, [0, 2]], judge[:2], atol=1e-9)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("faces", [0.0, 2.2])
def test_found_again_whatever_the_body_does_on_the_way(way: tuple[float, float, float], faces: float) -> None:
    """Sway, bob and turn that come round in a cycle change nothing."""
    speed, turn, side = way
    times = np.linspace(0.0, 1.1, 67)
    wave = 2 * np.pi * times / times[-1]
    velocity = np.array([side, 0.0, speed])
    root = quat.rotate(ground.turn(faces), travelled(velocity, turn, times))
    headings = faces + turn * times
    sway = np.stack([0.03 * np.sin(wave), 0.9 + 0.02 * np.cos(2 * wave), 0.02 * np.cos(wave)], axis=-1)
    root = root + quat.rotate(ground.turn(headings), sway)
    made = steady_way(root, headings + 0.1 * np.sin(wave), times)
    assert_allclose(made.parameters, way, atol=1e-3)
    places, facing = made.at(times)
    gap = quat.rotate(ground.turn(-facing), root - places)
    assert_allclose(gap[0], gap[-1], atol=1e-12)


def test_who_goes_nearly_ahead_faces_where_he_goes() -> None:
    times = np.linspace(0.0, 1.0, 61)
    root = np.stack([0.15 * times, 0.9 + 0 * times, 1.2 * times], axis=-1)
    made = steady_way(root, 0.0 * times, times)
    assert made.parameters[2] == pytest.approx(0.0, abs=1e-12)
    assert made.parameters[0] == pytest.approx(np.hypot(0.15, 1.2))
    aside = steady_way(np.stack([0.8 * times, 0.9 + 0 * times, 0.1 * times], axis=-1), 0.0 * times, times)
    assert_allclose(aside.parameters, [0.1, 0.0, 0.8], atol=1e-12)
