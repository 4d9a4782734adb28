"""Sixty targets an arm, standing and sitting: whatever is not refused is hit."""

from __future__ import annotations

import numpy as np
import pytest

from footfall.actor.humanoid import humanoid
from footfall.actor.reach.reach_pose import reach_pose
from footfall.actor.style import Style
from footfall.errors import RequestError
from footfall.figure.joint_limits import excess, limits_of
from footfall.figure.roles import SIDES
from tests.actor.reach.reach_targets import apex_motion, spread_targets, tip_of

BODY = humanoid()
LEG = BODY.leg_length()
SEAT = 0.45


@pytest.mark.parametrize("seat", [None, SEAT])
@pytest.mark.parametrize("arm", SIDES)
def test_targets_all_round_an_arm_are_hit(arm: str, seat: float | None) -> None:
    """Whatever is not refused is on its target, within the joints' limits, on legs not too straight."""
    limits = limits_of(BODY)
    refused = 0
    for target in spread_targets(arm, seat, 30, seed=11):
        try:
            pose = reach_pose(BODY, Style(), {arm: target}, seat=seat)
        except RequestError:
            refused += 1
            continue
        motion = apex_motion(pose)
        assert np.linalg.norm(tip_of(motion, arm) - target) < 1e-9
        assert np.degrees(excess(limits, motion.rotations).max()) < 0.5
        legs = [np.linalg.norm(motion.of(f"{s}_thigh") - motion.of(f"{s}_foot")) / LEG for s in SIDES]
        assert max(legs) < 0.991
    assert refused <= 1
