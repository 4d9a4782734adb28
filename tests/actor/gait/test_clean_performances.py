"""Every kind of performance keeps the promises of a clean motion, whoever performs it."""

from __future__ import annotations

import numpy as np
import pytest

from footfall.analysis.certificate import certificate
from footfall.analysis.self_contact import self_contact
from footfall.figure.example import Example
from footfall.figure.joint_limits import excess, limits_of
from footfall.figure.motion import Motion
from tests.actor.gait.pieces import CAST, PIECES, played

EXTENSION = 0.993  # of a leg: people's in the captured walks and runs


def keeps_its_limits_and_limbs_do_not_meet(motion: Motion) -> None:
    beyond = excess(limits_of(motion.skeleton), motion.rotations)
    frame, joint = np.unravel_index(beyond.argmax(), beyond.shape)
    assert beyond.max() == 0.0, f"{motion.skeleton.names[joint]} in frame {frame}"
    touching = self_contact(motion)
    assert touching.depth_max_m < 0.0, f"{touching.pair} in frame {touching.frame}"


def tells_its_own_moments(example: Example, flies: bool) -> None:
    """Keytimes within the motion; rotations of unit length that never flip their sign."""
    motion = example.motion
    assert motion.contacts is not None
    assert len(motion.contacts) == len(motion)
    assert example.keytimes
    assert example.keytimes[0] >= 0.0
    assert example.keytimes[-1] <= motion.seconds + 1.0 / motion.fps
    assert np.abs(np.linalg.norm(motion.rotations, axis=-1) - 1.0).max() < 1e-12
    assert np.sum(motion.rotations[1:] * motion.rotations[:-1], axis=-1).min() > 0.9
    feet = motion.contacts.stands("left") | motion.contacts.stands("right")
    assert feet.all() != flies


@pytest.mark.parametrize(("name", "seed"), CAST.items())
def test_a_performance_is_clean(name: str, seed: int) -> None:
    """No slide, nothing under the ground or over it, legs as straight as people's, rigid bones."""
    ground, example = PIECES[name].ground, played(name, seed)
    told = certificate(example.motion, terrain=ground)
    assert told.contacts == "given"
    assert told.slide_max_m is not None
    assert told.slide_max_m < 1e-5
    assert told.penetration_max_m is not None
    assert told.penetration_max_m < 1e-4
    assert told.leg_extension_max is not None
    assert 0.9 < told.leg_extension_max <= EXTENSION
    assert told.bone_stretch_max < 1e-9
    if ground is not None:
        assert told.float_max_m is not None
        assert told.float_max_m < PIECES[name].floats
    keeps_its_limits_and_limbs_do_not_meet(example.motion)
    tells_its_own_moments(example, flies=name.startswith(("run", "jump")))
