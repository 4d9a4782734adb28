"""Performances do not hang on last digits: samples at events, grounds between prints, postures."""

from __future__ import annotations

import numpy as np
import pytest

from footfall.actor.gait.footing import Footprint
from footfall.actor.gait.guide import DENSE, dense_times, guide
from footfall.actor.gait.stance import Stance
from footfall.actor.gait.ways import under_prints
from footfall.actor.virtual_actor import VirtualActor

pytestmark = pytest.mark.cpu
JITTER = 1e-9
CHANGES = (-JITTER, 0.0, JITTER)


def test_samples_of_a_performance_that_begins_and_ends_on_one() -> None:
    for start, end in ((-0.5, 3.0), (0.125, 4.68)):
        counts = {len(dense_times(start + a, end + b)) for a in CHANGES for b in CHANGES}
        assert len(counts) == 1


def test_feet_that_leave_and_land_on_samples() -> None:
    def stances(off: float) -> list[Stance]:
        return [
            Stance(
                foot, np.array([x, 0.0, 0.3 * k]), 0.0, t + off, t + 0.1 + off, t + 0.5 + off, t + 0.7 + off
            )
            for k, (foot, x, t) in enumerate(
                [("left", 0.1, 0.0), ("right", -0.1, 0.6), ("left", 0.1, 1.2), ("right", -0.1, 1.8)]
            )
        ]

    times = dense_times(0.0, 2.5)
    assert abs(0.7 * DENSE - round(0.7 * DENSE)) < 1e-9
    told = [guide(stances(off), times).stepping for off in CHANGES]
    assert np.ptp(told, axis=0).max() < 1e-7


def test_ground_halfway_between_two_prints() -> None:
    prints = [
        Footprint(foot, np.array([0.0, 0.1 * k, 0.5 * k]), 0.0, 0.5)
        for k, foot in enumerate(("left", "right", "left"))
    ]
    height = under_prints(prints)
    for off in CHANGES:
        assert height(np.array([0.02, 0.0, 0.25 + off])) == pytest.approx(0.0, abs=1e-6)
        assert height(np.array([0.02, 0.0, 0.75 + off])) == pytest.approx(0.1, abs=1e-6)


@pytest.mark.parametrize("target", [(-0.2, 0.05, 0.45), (-0.4, 0.9, 0.2), (-0.1, 1.7, 0.3)])
def test_a_posture_is_the_same_for_targets_that_differ_by_last_digits(target: tuple[float, ...]) -> None:
    takes = [VirtualActor(0).reach(np.array(target) + off) for off in CHANGES]
    for take in takes:
        assert np.abs(take.motion.positions - takes[0].motion.positions).max() < 1e-6
