"""Footprints are the same whatever the last digits of the frames are."""

from __future__ import annotations

import numpy as np
import pytest

from footfall.adapt.footprints import mean_turn
from footfall.geometry import quaternion as quat

pytestmark = pytest.mark.cpu
JITTER = 1e-9


def test_a_mean_turn_has_the_sign_of_its_turns() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        middle = quat.normalize(rng.standard_normal(4))
        near = quat.multiply(middle, quat.exp(rng.uniform(-0.1, 0.1, (12, 3))))
        told = [
            mean_turn(near + JITTER * np.random.default_rng(k).uniform(-1, 1, near.shape)) for k in range(5)
        ]
        assert np.ptp(told, axis=0).max() < 1e-8
        np.testing.assert_allclose(mean_turn(-near), -told[0], rtol=0.0, atol=1e-8)
        assert quat.angle_between(told[0], middle) < 0.1
