"""The lean of the upper body, measured on joints that forward kinematics places."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from footfall.figure.motion import Motion
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.walkedit.lean import (
    DOWNHILL,
    GIVEN_BACK,
    GRAVITY,
    HEAD,
    HIPS_INTO_BEND,
    INTO_SPEED,
    MOST,
    PELVIS,
    SPINE,
    UPHILL,
    Lean,
    lean_over,
    leaning,
)
from footfall.models.walkedit.way import bending_way
from tests.models.walkedit.walks import ACTOR, as_asked, as_captured, cycle_of, every_walk

FRAMES = 65


@cache
def upright(name: str) -> tuple[Motion, np.ndarray]:
    """A walk's body, heading wherever it likes, and where it heads."""
    cycle = cycle_of(name)
    turn = np.linspace(-0.5, 2.5, FRAMES)
    rotations = cycle.rotations[:: len(cycle.rotations) // (FRAMES - 1)][:FRAMES].copy()
    rotations[:, 0] = quat.multiply(ground.turn(turn), rotations[:, 0])
    root = np.stack([np.sin(turn), 0.9 + 0.02 * np.cos(turn), 1.3 * turn], axis=-1)
    return Motion(cycle.skeleton, root, rotations, 60.0), turn


def leant(name: str, lean: Lean) -> Motion:
    motion, turn = upright(name)
    rotations = motion.rotations.copy()
    root = leaning(cycle_of(name), motion.root, rotations, turn, lean)
    return Motion(motion.skeleton, root, rotations, 60.0)


def some_lean(seed: int, sideways: bool = True) -> Lean:
    rng = np.random.default_rng(seed)
    left = rng.uniform(-MOST, MOST, FRAMES) if sideways else np.zeros(FRAMES)
    return Lean(rng.uniform(-MOST, MOST, FRAMES), left)


def hips(motion: Motion) -> np.ndarray:
    return 0.5 * (motion.of("left_thigh") + motion.of("right_thigh"))


def turned_by(before: Motion, after: Motion, role: str) -> np.ndarray:
    """The rotation, told in the world, that a joint has been given: vectors."""
    joint = before.skeleton.joint(role)
    old, new = (Rotation.from_quat(m.orientations[:, joint][:, [1, 2, 3, 0]]) for m in (before, after))
    return (new * old.inv()).as_rotvec()


def asked(turn: np.ndarray, lean: Lean) -> np.ndarray:
    """Forwards is about the body's left, to the left about its back: vectors."""
    left = np.stack([np.cos(turn), np.zeros(FRAMES), -np.sin(turn)], axis=-1)
    ahead = np.stack([np.sin(turn), np.zeros(FRAMES), np.cos(turn)], axis=-1)
    return lean.forwards[:, None] * left - lean.left[:, None] * ahead


@every_walk
@pytest.mark.parametrize("seed", range(3))
def test_the_middle_of_the_hips_stays(name: str, seed: int) -> None:
    before, after = upright(name)[0], leant(name, some_lean(seed, sideways=False))
    assert np.abs(after.root - before.root).max() > 0.001 or name != ACTOR
    assert_allclose(hips(after), hips(before), atol=1e-12)


@every_walk
@pytest.mark.parametrize("seed", range(3))
def test_in_a_bend_the_hips_go_to_the_inside(name: str, seed: int) -> None:
    lean = some_lean(seed)
    (before, turn), after = upright(name), leant(name, lean)
    shift = HIPS_INTO_BEND * cycle_of(name).leg_length * lean.left
    inside = np.stack([np.cos(turn), np.zeros(FRAMES), -np.sin(turn)], axis=-1)
    assert_allclose(hips(after) - hips(before), shift[:, None] * inside, atol=1e-12)


@every_walk
@pytest.mark.parametrize("seed", range(3))
def test_pelvis_spine_and_head_have_their_shares(name: str, seed: int) -> None:
    lean = some_lean(seed)
    (before, turn), after = upright(name), leant(name, lean)
    whole = asked(turn, lean)
    skeleton = before.skeleton
    chest = next(role for role in reversed(SPINE) if skeleton.has(role))
    assert_allclose(turned_by(before, after, "hips"), PELVIS * whole, atol=1e-9)
    assert_allclose(turned_by(before, after, chest), whole, atol=1e-9)
    assert_allclose(turned_by(before, after, "head"), (1.0 - GIVEN_BACK) * whole, atol=1e-9)
    # arms hang from the shoulders: they go with the chest
    for role in ("left_upper_arm", "right_hand"):
        assert_allclose(turned_by(before, after, role), whole, atol=1e-9)


@every_walk
def test_only_pelvis_spine_neck_and_head_are_turned(name: str) -> None:
    before, after = upright(name)[0], leant(name, some_lean(4))
    skeleton = before.skeleton
    ours = {skeleton.joint(role) for role in ("hips", *SPINE, *HEAD) if skeleton.has(role)}
    others = [joint for joint in range(len(skeleton)) if joint not in ours and joint != 0]
    assert len(others) > 10
    assert_array_equal(after.rotations[:, others], before.rotations[:, others])


@every_walk
def test_leans_are_to_where_they_say(name: str) -> None:
    turn = upright(name)[1]
    ahead = np.stack([np.sin(turn), np.zeros(FRAMES), np.cos(turn)], axis=-1)
    left = np.stack([np.cos(turn), np.zeros(FRAMES), -np.sin(turn)], axis=-1)
    some, none = np.full(FRAMES, 0.2), np.zeros(FRAMES)
    for lean, way in ((Lean(some, none), ahead), (Lean(none, some), left)):
        over = [(m.of("head") - hips(m)) for m in (upright(name)[0], leant(name, lean))]
        moved = np.sum((over[1] - over[0]) * way, axis=-1)
        assert moved.min() > 0.05


def test_no_lean_changes_nothing() -> None:
    nothing = Lean(np.zeros(FRAMES), np.zeros(FRAMES))
    assert not nothing.any
    before, after = upright(ACTOR)[0], leant(ACTOR, nothing)
    assert_allclose(after.root, before.root, atol=1e-12)
    assert_allclose(after.rotations, before.rotations, atol=1e-12)


def numbers_of(count: int) -> np.ndarray:
    return np.linspace(1.0, count - 2.5, 200)


@every_walk
def test_who_walks_straight_on_level_ground_does_not_lean(name: str) -> None:
    cycle = replace(cycle_of(name), right_strike=0.5)
    for asks in ({"step_length": 0.6}, {"step_length": 0.9, "speed": 1.1}, {"speed": 0.8}):
        prints = as_asked(cycle, **asks).prints
        lean = lean_over(prints, numbers_of(len(prints)))
        assert not lean.any
        assert len(lean.forwards) == len(lean.left) == 200


@every_walk
def test_who_steps_unevenly_hardly_does(name: str) -> None:
    cycle = cycle_of(name)
    prints = as_captured(cycle, 12).prints
    lean = lean_over(prints, np.linspace(2.0, len(prints) - 3.0, 200))
    assert np.abs(lean.left).max() == 0.0
    assert np.abs(lean.forwards).max() < np.radians(0.1)


@every_walk
@pytest.mark.parametrize(("slope", "share"), [(0.3, UPHILL), (-0.3, DOWNHILL)])
def test_slopes_are_leant_into(name: str, slope: float, share: float) -> None:
    cycle = replace(cycle_of(name), right_strike=0.5)
    prints = as_asked(cycle, slope=slope, step_length=0.7).prints
    lean = lean_over(prints, numbers_of(len(prints)))
    # feet are set side by side, so that from print to print the ground rises a little less steeply
    width = cycle.beside[0] - cycle.beside[1]
    grade = np.arctan2(0.7 * np.sin(slope), np.hypot(0.7 * np.cos(slope), width))
    assert_allclose(lean.forwards, share * grade, atol=1e-9)
    assert abs(grade) > 0.98 * abs(slope)
    assert not lean.left.any()


def test_stairs_are_leant_into_as_slopes_are() -> None:
    prints = as_asked(cycle_of(ACTOR), stairs=(0.17, 0.29)).prints
    lean = lean_over(prints, numbers_of(len(prints)))
    assert_allclose(lean.forwards, lean.forwards[0], atol=1e-9)
    assert np.radians(10.0) < lean.forwards[0] < MOST


@pytest.mark.parametrize("bend", [0.3, -0.3])
def test_bends_are_leant_into_as_far_as_they_pull(bend: float) -> None:
    cycle = cycle_of(ACTOR)
    prints = as_asked(cycle, bending_way(bend, 20.0), step_length=0.7, speed=1.2, steps=14).prints
    lean = lean_over(prints, np.linspace(3.0, 12.0, 200))
    assert_allclose(lean.left, np.arctan(1.2**2 * bend / GRAVITY), rtol=0.06)
    assert np.abs(lean.forwards).max() < np.radians(0.5)


def test_who_goes_faster_leans_forwards_and_who_slows_down_back() -> None:
    cycle = cycle_of(ACTOR)
    gain = 0.3  # m/s a metre
    for sign in (1.0, -1.0):
        prints = as_asked(
            cycle, step_length=0.6, speed=lambda d, s=sign: 1.4 + s * gain * d / 2.0, steps=6
        ).prints
        lean = lean_over(prints, np.linspace(2.0, 6.0, 100))
        seconds = np.diff(prints.strikes)
        width = cycle.beside[0] - cycle.beside[1]
        speed = np.hypot(0.6, width) / seconds
        # what a rigid body would need: the mean gain of speed over the mean time, and a share of that
        gains = (speed[6] - speed[2]) / (prints.strikes[6] - prints.strikes[2])
        assert np.sign(lean.forwards).tolist() == [sign] * 100
        assert lean.forwards.mean() == pytest.approx(INTO_SPEED * np.arctan(gains / GRAVITY), rel=0.3)


def test_no_lean_is_larger_than_the_most() -> None:
    cycle = cycle_of(ACTOR)
    wild = as_asked(cycle, bending_way(2.0, 20.0), step_length=0.7, speed=3.0, slope=0.6).prints
    lean = lean_over(wild, numbers_of(len(wild)))
    for values in (lean.forwards, lean.left):
        assert np.abs(values).max() < 1.06 * MOST  # a smooth curve swings over a little
    assert np.abs(lean.left).max() > 0.98 * MOST
