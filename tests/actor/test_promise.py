"""Whatever the actor accepts keeps its joints and limbs apart; what would not is refused by name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from footfall.actor.promise import kept
from footfall.actor.virtual_actor import VirtualActor
from footfall.errors import RequestError
from footfall.figure.example import Example
from footfall.geometry import quaternion as quat


def turned(example: Example, role: str, turn: list[float]) -> Example:
    rotations = np.array(example.motion.rotations)
    joint = example.motion.skeleton.joint(role)
    rotations[40, joint] = quat.multiply(rotations[40, joint], quat.exp(np.array(turn)))
    return replace(example, motion=example.motion.with_rotations(rotations))


def test_a_sound_example_comes_back_as_it_is() -> None:
    walk = VirtualActor(1).walk()
    assert kept(walk) is walk


def test_a_joint_beyond_its_limit_is_named_with_its_moment() -> None:
    walk = VirtualActor(1).walk()
    with pytest.raises(RequestError, match=r"bend left_shank \d+\.\d degrees beyond its limit after 0\.67 s"):
        kept(turned(walk, "left_shank", [-1.5, 0.0, 0.0]))


def test_a_limb_through_the_body_is_named() -> None:
    walk = VirtualActor(1).walk()
    with pytest.raises(RequestError, match=r"would put \S+ \d+\.\d mm into \S+; a smaller"):
        kept(turned(walk, "left_upper_arm", [0.0, 0.0, -0.35]))


def test_requests_that_hurt_only_together_are_refused() -> None:
    """Each parameter alone is possible."""
    actor = VirtualActor(100)
    actor.walk(0.7)
    actor.walk(1.4, step_length=0.92)
    with pytest.raises(RequestError, match=r"beyond its limit|mm into"):
        actor.walk(0.667, step_length=0.921)
