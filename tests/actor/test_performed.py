"""A performance is told in multiples of a step: last digits that differ between processors are gone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.testing import assert_array_equal

from footfall.actor.gait import gaits
from footfall.actor.gait.performance import perform
from footfall.actor.performed import TURN, performed
from footfall.actor.virtual_actor import VirtualActor
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import PRECISION

NOISE = 1e-13  # by how much performances of two processors differ
ACTOR = VirtualActor(2)
WALK = ACTOR.walk(1.4, turn_rate=0.3, steps=4)


def test_the_noise_of_a_processor_is_rounded_away() -> None:
    """What lies at the edge of a step is off by a step, and that is rare: the noise's share of it."""
    score, told = gaits.steady(ACTOR.skeleton, ACTOR.style, gaits.Pace(1.4, turn_rate=0.3), 4)
    motion, rng = perform(score, ACTOR.skeleton, ACTOR.style, 60.0), np.random.default_rng(0)
    keytimes = [k / 3.0 for k in range(4)]

    def off(values: np.ndarray) -> np.ndarray:
        return values + NOISE * rng.uniform(-1.0, 1.0, values.shape)

    one = performed(motion, keytimes, told, "walk")
    assert_array_equal(one.motion.root, WALK.motion.root)
    assert_array_equal(one.motion.rotations, WALK.motion.rotations)
    for _ in range(3):
        moved = replace(motion, root=off(motion.root), rotations=off(motion.rotations))
        other = performed(
            moved, off(np.array(keytimes)), {k: float(off(np.array(v))) for k, v in told.items()}, "walk"
        )
        assert other.keytimes == one.keytimes
        assert other.parameters == one.parameters
        roots = np.abs(other.motion.root - one.motion.root)
        assert roots.max() <= PRECISION
        assert (roots > 0.0).mean() < 2e-3
        turns = np.abs(other.motion.rotations - one.motion.rotations).max(axis=-1)
        assert turns.max() < 2.0 * TURN
        assert (turns > 0.0).mean() < 0.02


def test_rotations_are_of_length_one_and_rounding_moves_nothing_that_is_seen() -> None:
    turns = WALK.motion.rotations
    assert np.abs(np.linalg.norm(turns, axis=-1) - 1.0).max() < 1e-15
    shifted = replace(WALK.motion, rotations=quat.normalize(turns + 1e-6))
    told = performed(shifted, (), {}, "walk").motion
    assert np.abs(told.positions - shifted.positions).max() < 5e-9
    assert quat.angle_between(told.rotations, shifted.rotations).max() < 4e-10


def test_places_are_whole_steps() -> None:
    assert_array_equal(WALK.motion.root / PRECISION % 1.0, 0.0)


def test_what_was_asked_for_is_told_as_it_was_asked() -> None:
    assert WALK.parameters["speed"] == 1.4
    assert WALK.parameters["turn_rate"] == 0.3
