"""The actor walks and runs like people: joint curves and stride figures against captured cycles."""

from __future__ import annotations

import numpy as np
import pytest

from tests.actor.gait_laboratory import JOINTS, Measured, actors_cycles, at_speed
from tests.captures import needs_captures

# m/s: how near a captured cycle's speed must be, and how far the actor's curves may be from people's mean
WALKS = {1.0: (0.12, 8.0), 1.3: (0.12, 8.0), 1.6: (0.12, 8.0)}
RUNS = {2.7: (0.25, 12.0), 3.5: (0.35, 12.0)}
GAITS = WALKS | RUNS


def mean(cycles: list[Measured] | tuple[Measured, ...], name: str) -> float:
    return float(np.mean([getattr(cycle, name) for cycle in cycles]))


@needs_captures
@pytest.mark.parametrize("joint", JOINTS)
@pytest.mark.parametrize("speed", GAITS)
def test_joint_curves_are_peoples(speed: float, joint: str) -> None:
    """Root mean square over the cycle of what lies between the actor's curve and the mean of real ones."""
    tolerance, most = GAITS[speed]
    people, actor = at_speed(speed, tolerance), actors_cycles(speed)
    assert len(people) >= 3
    assert len(actor) >= 4
    theirs, own = (np.mean([c.curves[joint] for c in cycles], axis=0) for cycles in (people, actor))
    assert np.degrees(np.sqrt(np.mean((own - theirs) ** 2))) < most


@needs_captures
@pytest.mark.parametrize("speed", GAITS)
def test_step_length_grows_with_speed_as_peoples(speed: float) -> None:
    theirs = mean(at_speed(speed, GAITS[speed][0]), "step_length")
    assert mean(actors_cycles(speed), "step_length") == pytest.approx(theirs, rel=0.10)


@needs_captures
@pytest.mark.parametrize("name", ["width", "double_support", "rise_and_fall", "sway"])
@pytest.mark.parametrize("speed", GAITS)
def test_strides_lie_within_the_range_of_peoples(speed: float, name: str) -> None:
    theirs = [getattr(cycle, name) for cycle in at_speed(speed, GAITS[speed][0])]
    assert min(theirs) <= mean(actors_cycles(speed), name) <= max(theirs)


@pytest.mark.parametrize("joint", JOINTS)
def test_curves_change_gently_with_speed(joint: str) -> None:
    """Between two speeds of walking there is no jump: a tenth of a metre a second, a few degrees."""
    speeds = [0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6]
    curves = [np.mean([c.curves[joint] for c in actors_cycles(v)], axis=0) for v in speeds]
    steps = np.degrees(np.abs(np.diff(curves, axis=0)).max(axis=1))
    assert steps.max() < 6.0
    assert steps.min() > 0.1
