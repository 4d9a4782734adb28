"""Arms swing less with short steps and more with long ones, about the same mean and in the same phase."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from footfall.models.walkedit.arms import FOLLOW, LEAST, MOST, swing_arms
from tests.models.walkedit.walks import cycle_of, every_walk

SIDES = ("left", "right")


def turns_of(quaternions: np.ndarray) -> Rotation:
    return Rotation.from_quat(quaternions[..., [1, 2, 3, 0]])


@every_walk
@pytest.mark.parametrize("stretch", [0.3, 0.7, 1.2, 1.6])
def test_the_swing_is_scaled_about_its_mean(name: str, stretch: float) -> None:
    cycle = cycle_of(name)
    turns = cycle.rotations.copy()
    swing_arms(cycle, turns, np.full(len(turns), stretch))
    share = np.clip(1.0 + FOLLOW * (stretch - 1.0), LEAST, MOST)
    for side in SIDES:
        for part in ("upper_arm", "forearm"):
            joint = cycle.skeleton.joint(f"{side}_{part}")
            before, after = turns_of(cycle.rotations[:, joint]), turns_of(turns[:, joint])
            mean = turns_of(cycle.rotations[:-1, joint]).mean()
            assert_allclose(
                (mean.inv() * after).as_rotvec(), share * (mean.inv() * before).as_rotvec(), atol=1e-9
            )


@every_walk
def test_nothing_else_moves_and_captured_steps_change_nothing(name: str) -> None:
    cycle = cycle_of(name)
    turns = cycle.rotations.copy()
    swing_arms(cycle, turns, np.ones(len(turns)))
    assert (turns == cycle.rotations).all()
    swing_arms(cycle, turns, np.full(len(turns), 0.5))
    arms = [cycle.skeleton.joint(f"{side}_{part}") for side in SIDES for part in ("upper_arm", "forearm")]
    others = np.setdiff1d(np.arange(len(cycle.skeleton)), arms)
    assert (turns[:, others] == cycle.rotations[:, others]).all()
    # quaternions stay on their side, so that frames can be mixed
    assert (np.sum(turns[1:] * turns[:-1], axis=-1) > 0.9).all()
