"""A performance is one smooth function of time: halve the step and the largest jumps halve."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.figure.motion import Motion
from footfall.geometry import quaternion as quat
from tests.actor.gait.pieces import SEEDS, played

RATES = (480.0, 960.0)  # Hz
RUNNING = (960.0, 1920.0)  # a runner's heel leaves within milliseconds, which slower ones cannot see
NAMES = [
    *("walk 1.3", "walk 1.0 turning 1.1", "backward -0.7", "strafe -0.75", "walk on a slope of 0.25"),
    *("run 3.0", "run 2.7 turning -0.7", "run stairs 0.13 0.7", "run stairs -0.13 0.95"),
    *("stairs 0.18 0.28", "stairs -0.18 0.28", "spiral 0.16 0.42 0.39", "run spiral 0.13 -0.39"),
    *("start and stop", "start and stop backwards", "sidestep left", "cross step right"),
    *("step to 0.6 0.2 0", "step to 0.3 0.2 0.12", "step straight to 0.3 -0.15", "turn in place 1.57"),
    *("jump 0.0 0.42", "jump 0.8 0.27", "jump 1.7 0.42"),
]


def jumps(motion: Motion) -> np.ndarray:
    """From frame to frame, at most: a joint's way, and by how much its speed and its turning change."""
    places = np.diff(motion.positions, axis=0)
    turns = quat.log(quat.multiply(quat.conjugate(motion.rotations[:-1]), motion.rotations[1:]))
    changes = (places, np.diff(places, axis=0) * motion.fps, np.diff(turns, axis=0) * motion.fps)
    return np.array([np.linalg.norm(change, axis=-1).max() for change in changes])


@pytest.mark.parametrize(("name", "seed"), [(name, SEEDS[k % 2]) for k, name in enumerate(NAMES)])
def test_halving_the_step_halves_the_jumps(name: str, seed: int) -> None:
    rates = RUNNING if name.startswith("run") else RATES
    coarse, fine = (jumps(played(name, seed, fps).motion) for fps in rates)
    place, speed, turning = coarse / fine
    assert place > 1.9
    assert speed > 1.6
    assert turning > 1.6


@pytest.mark.parametrize("name", ["walk 1.3", "run 3.0", "stairs -0.18 0.28", "jump 0.8 0.27"])
def test_the_frame_rate_only_samples(name: str) -> None:
    """Frames that two rates share are the same frames."""
    slow, fast = (played(name, 1, fps).motion for fps in (60.0, 240.0))
    shared = min(len(slow), (len(fast) + 3) // 4)
    assert shared >= len(slow) - 1
    assert_allclose(fast.positions[::4][:shared], slow.positions[:shared], rtol=0, atol=1e-9)
