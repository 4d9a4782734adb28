"""Prints in the mirror, and rolls of standing feet; how they are told is tested in test_footing.py."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

import footfall as ff
from footfall.adapt.foot_roll import FLAT, SURELY, Footprint, print_under, roll_of, shaped
from footfall.figure.contacts import SIDES
from footfall.figure.mirror import mirror
from footfall.figure.sole import Sole
from tests.captured import captured
from tests.captures import needs_captures

SEEDS = st.integers(0, 2**32 - 1)
OTHER = {"left": "right", "right": "left"}


def any_print(seed: int, lying: np.ndarray) -> Footprint:
    rng = np.random.default_rng(seed)
    tilt = Rotation.from_rotvec(rng.normal(0.0, 0.1, 3)) * Rotation.from_quat(lying, scalar_first=True)
    return Footprint(rng.normal(0.0, 2.0, 3), float(rng.uniform(-3.1, 3.1)), tilt.as_quat(scalar_first=True))


def apart(a: np.ndarray, b: np.ndarray) -> float:
    one, other = (Rotation.from_quat(q, scalar_first=True) for q in (a, b))
    return float((one.inv() * other).magnitude().max())


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.sampled_from(SIDES))
def test_reflected_twice_gives_back(seed: int, side: str) -> None:
    skeleton = ff.VirtualActor().skeleton
    one = any_print(seed, Sole.of(skeleton, side).lying)
    seen = one.reflected(skeleton, side)
    again = seen.reflected(skeleton, OTHER[side])
    assert_allclose(seen.place, one.place * [-1.0, 1.0, 1.0], atol=1e-12)
    assert seen.heading == -one.heading
    assert_allclose(again.place, one.place, atol=1e-12)
    assert again.heading == one.heading
    assert apart(again.lying, one.lying) < 1e-7


def test_flat_feet_of_an_even_figure_are_each_others_mirror_image() -> None:
    skeleton = ff.VirtualActor().skeleton
    left, right = (Sole.of(skeleton, side).lying for side in SIDES)
    seen = Footprint(np.zeros(3), 0.0, left).reflected(skeleton, "left")
    assert apart(seen.lying, right) < 1e-7


@pytest.mark.parametrize("file", [None, pytest.param("turn-side-back/69_01.bvh", marks=needs_captures)])
def test_a_print_in_the_mirror_is_that_of_the_mirrored_motion(file: str | None) -> None:
    """Feet as they are turned in a motion, mirrored as motions are, on even and on captured figures."""
    motion = ff.VirtualActor().walk(1.1).motion if file is None else captured(file)[:200]
    skeleton, seen = motion.skeleton, mirror(motion)
    for frame in range(0, len(motion), 23):
        for side in SIDES:
            here, there = skeleton.joint(f"{side}_foot"), skeleton.joint(f"{OTHER[side]}_foot")
            one = Footprint(motion.positions[frame, here], 0.0, motion.orientations[frame, here])
            found = one.reflected(skeleton, side)
            # the turn that the other foot has in the mirror
            assert apart(found.lying, seen.orientations[frame, there]) < 1e-6


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.floats(-3.0, 3.0))
def test_rolls_do_not_hang_on_where_a_foot_faces(seed: int, heading: float) -> None:
    sole = Sole.of(ff.VirtualActor().skeleton, "left")
    rng = np.random.default_rng(seed)
    roll = rng.normal(0.0, 0.3, 3)
    lying = Rotation.from_quat(sole.lying, scalar_first=True)
    facing = Rotation.from_rotvec([0.0, heading, 0.0])
    turn = (facing * Rotation.from_rotvec(roll) * lying).as_quat(scalar_first=True)
    here = Footprint(rng.normal(size=3), heading, sole.lying)
    assert_allclose(roll_of(here.turned(turn), here.lying), roll, atol=1e-7)


def test_shaped_rolls_are_smooth_between_flat_and_rolled() -> None:
    roll = np.zeros((401, 3))
    roll[:, 0] = np.linspace(-1.5, 1.5, 401) * SURELY
    roll[:, 1] = 0.02
    found = shaped(roll)
    small, large = np.abs(roll[:, 0]) <= FLAT, np.abs(roll[:, 0]) >= SURELY
    assert not found[small].any()
    assert_allclose(found[large], roll[large], atol=1e-15)
    assert (np.diff(found[:, 0]) >= -1e-15).all()  # never back
    assert_allclose(found[:, 0], -found[::-1, 0], atol=1e-12)
    assert np.abs(np.diff(found, n=2, axis=0)).max() < 1e-3
    assert (np.abs(found) <= np.abs(roll) + 1e-15).all()


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_a_flat_foot_leaves_the_print_it_lies_in(seed: int) -> None:
    sole = Sole.of(ff.VirtualActor().skeleton, "right")
    rng = np.random.default_rng(seed)
    place, heading = rng.normal(size=3), float(rng.uniform(-3.0, 3.0))
    turn = Rotation.from_rotvec([0.0, heading, 0.0]) * Rotation.from_quat(sole.lying, scalar_first=True)
    ankle = place - turn.apply(np.array(sole.subtalar))
    found, faces = print_under(ankle, turn.as_quat(scalar_first=True), sole)
    assert_allclose(found, place, atol=1e-9)
    assert_allclose(np.exp(1j * faces), np.exp(1j * heading), atol=1e-9)
