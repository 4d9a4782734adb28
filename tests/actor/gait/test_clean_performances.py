"""Every kind of performance keeps the promises of a clean motion, whoever performs it."""

from __future__ import annotations

import numpy as np
import pytest

from footfall.analysis.certificate import certificate
from footfall.analysis.self_contact import self_contact
from footfall.figure.joint_limits import excess, limits_of
from tests.actor.gait.pieces import CAST, PIECES, played

EXTENSION = 0.993  # of a leg: people's in the captured walks and runs


@pytest.mark.parametrize(("name", "seed"), CAST.items())
def test_feet_legs_and_bones(name: str, seed: int) -> None:
    """No slide, nothing under the ground or over it, legs as straight as people's, rigid bones."""
    ground = PIECES[name].ground
    told = certificate(played(name, seed).motion, terrain=ground)
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


@pytest.mark.parametrize(("name", "seed"), CAST.items())
def test_joints_keep_their_limits_and_limbs_do_not_meet(name: str, seed: int) -> None:
    motion = played(name, seed).motion
    beyond = excess(limits_of(motion.skeleton), motion.rotations)
    frame, joint = np.unravel_index(beyond.argmax(), beyond.shape)
    assert beyond.max() == 0.0, f"{motion.skeleton.names[joint]} in frame {frame}"
    touching = self_contact(motion)
    assert touching.depth_max_m < 0.0, f"{touching.pair} in frame {touching.frame}"


@pytest.mark.parametrize(("name", "seed"), CAST.items())
def test_an_example_tells_its_own_moments(name: str, seed: int) -> None:
    """Keytimes within the motion; rotations of unit length that never flip their sign."""
    example = played(name, seed)
    motion = example.motion
    assert motion.contacts is not None
    assert len(motion.contacts) == len(motion)
    assert example.keytimes
    assert example.keytimes[0] >= 0.0
    assert example.keytimes[-1] <= motion.seconds + 1.0 / motion.fps
    assert np.abs(np.linalg.norm(motion.rotations, axis=-1) - 1.0).max() < 1e-12
    assert np.sum(motion.rotations[1:] * motion.rotations[:-1], axis=-1).min() > 0.9
    feet = motion.contacts.stands("left") | motion.contacts.stands("right")
    flies = name.startswith(("run", "jump"))
    assert feet.all() != flies
