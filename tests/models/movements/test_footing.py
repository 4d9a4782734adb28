"""Footprints: told from a foot in any posture, the same wherever the figure stands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from footfall.adapt.foot_roll import ALL_BUT_FLAT, Footprint, pivot_of, print_under, roll_of
from footfall.adapt.normalize import placed
from footfall.analysis.contacts import detect_contacts
from footfall.figure.contacts import SIDES, Contacts
from footfall.figure.sole import Sole
from footfall.figure.soles import sole_places
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.movements.footing import prints_of
from tests.models.movements.libraries import actor_library, chosen_examples

SEEDS = st.integers(0, 2**32 - 1)
ROLLS = st.floats(ALL_BUT_FLAT, 1.2)
Print = tuple[np.ndarray, float]


def sole_of(side: str) -> Sole:
    return Sole.of(actor_library().skeleton, side)


def any_print(seed: int) -> Print:
    rng = np.random.default_rng(seed)
    return rng.normal(0.0, 2.0, 3), float(rng.uniform(-3.1, 3.1))


def rolled(sole: Sole, under: Print, roll: np.ndarray, pivot: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ankle and turn of a foot that lay on its print and was turned about a point of its sole."""
    place, heading = under
    facing = Rotation.from_rotvec([0.0, heading, 0.0])
    lying = Rotation.from_quat(sole.lying, scalar_first=True)
    turn = facing * Rotation.from_rotvec(roll) * lying
    stands = place + (facing * lying).apply(pivot - sole.subtalar)
    return stands - turn.apply(np.array(pivot)), turn.as_quat(scalar_first=True)


@pytest.mark.parametrize("side", SIDES)
@settings(max_examples=40, deadline=None)
@given(seed=SEEDS, roll=ROLLS)
def test_a_foot_rolled_about_its_toes_or_heel_leaves_the_print_it_lay_in(
    side: str, seed: int, roll: float
) -> None:
    sole, under = sole_of(side), any_print(seed)
    for angle, pivot in ((roll, sole.toe_joint), (-roll, sole.heel)):
        place, heading = print_under(*rolled(sole, under, np.array([angle, 0.0, 0.0]), pivot), sole)
        assert_allclose(place, under[0], rtol=0, atol=1e-12)
        assert abs(ground.wrap(heading - under[1])) < 1e-12


@pytest.mark.parametrize("side", SIDES)
def test_a_flat_foot_stands_in_its_print(side: str) -> None:
    sole = sole_of(side)
    for seed in range(20):
        under = any_print(seed)
        place, heading = print_under(*rolled(sole, under, np.zeros(3), sole.heel), sole)
        assert_allclose(place, under[0], rtol=0, atol=1e-12)
        assert abs(ground.wrap(heading - under[1])) < 1e-12


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("tilt", [0.0, 0.2, -0.3])
def test_prints_run_on_through_flat(side: str, tilt: float) -> None:
    """A foot tilted aside rolls from its heel over flat to its toes: its print never jumps."""
    sole = sole_of(side)
    roll = np.linspace(-0.25, 0.25, 20_001)
    vectors = np.stack([roll, np.zeros_like(roll), np.full_like(roll, tilt)], axis=-1)
    turns = quat.multiply(quat.exp(vectors), sole.lying)
    ankle = np.broadcast_to([0.3, 0.1, -0.2], (len(roll), 3))
    place, heading = print_under(ankle, turns, sole)
    rate = np.linalg.norm(np.diff(place, axis=0), axis=-1) / np.diff(roll)
    assert rate.max() < 2.0  # m a radian; a change of pivots all at once would give hundreds
    assert np.abs(np.diff(heading)).max() / np.diff(roll).max() < 2.0


@pytest.mark.parametrize("side", SIDES)
def test_nearly_flat_the_print_is_within_millimetres(side: str) -> None:
    """Between the two pivots the print is not exact, but by no more than the heel has gone up."""
    sole, under = sole_of(side), any_print(3)
    for angle in np.linspace(-ALL_BUT_FLAT, ALL_BUT_FLAT, 41):
        pivot = sole.toe_joint if angle > 0 else sole.heel
        place, _ = print_under(*rolled(sole, under, np.array([angle, 0.0, 0.0]), pivot), sole)
        assert (
            np.linalg.norm(place - under[0]) < 0.5 * np.linalg.norm(sole.ball - sole.heel) * abs(angle) + 1e-9
        )


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_prints_go_where_the_foot_goes(seed: int) -> None:
    """A foot in any posture, turned about the vertical and shifted."""
    rng = np.random.default_rng(seed)
    sole = sole_of("left")
    turn = quat.multiply(quat.exp(rng.normal(0.0, 0.4, 3)), sole.lying)
    ankle, by, shift = rng.normal(size=3), float(rng.uniform(-3.0, 3.0)), rng.normal(size=3)
    place, heading = print_under(ankle, turn, sole)
    world = Rotation.from_rotvec([0.0, by, 0.0])
    moved, faces = print_under(world.apply(ankle) + shift, quat.multiply(ground.turn(by), turn), sole)
    assert_allclose(moved, world.apply(place) + shift, rtol=0, atol=1e-11)
    assert abs(ground.wrap(faces - heading - by)) < 1e-11


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_rolls_say_how_a_foot_is_turned(seed: int) -> None:
    rng = np.random.default_rng(seed)
    lying = Rotation.random(random_state=seed)
    vector = rng.normal(size=3)
    vector *= rng.uniform(0.0, 3.0) / np.linalg.norm(vector)
    turn = (Rotation.from_rotvec(vector) * lying).as_quat(scalar_first=True)
    assert_allclose(roll_of(turn, lying.as_quat(scalar_first=True)), vector, rtol=0, atol=1e-7)


def test_what_stands_is_the_toe_joint_while_the_heel_is_up() -> None:
    sole = sole_of("right")
    rolls = np.array([[0.2, 0.5, 0.0], [-0.2, 0.5, 0.0], [0.0, 0.3, 0.3]])
    assert_allclose(pivot_of(sole, rolls), [sole.toe_joint, sole.heel, sole.heel], rtol=0, atol=0)
    ankle, turn = rolled(sole, (np.zeros(3), 0.0), rolls[0] * [1, 0, 0], sole.toe_joint)
    assert (ankle + quat.rotate(turn, sole.heel))[1] > 0.02


def test_beside_a_print_the_print_is_the_origin() -> None:
    lying = sole_of("left").lying
    under = Footprint(np.array([1.0, 0.2, -3.0]), 0.7, lying)
    world = Rotation.from_rotvec([0.0, 0.7, 0.0])
    places = np.random.default_rng(0).normal(size=(5, 3))
    assert_allclose(under.local(world.apply(places) + under.place), places, rtol=0, atol=1e-12)
    turns = Rotation.random(5, random_state=0)
    seen = under.turned((world * turns).as_quat(scalar_first=True))
    assert (Rotation.from_quat(seen, scalar_first=True) * turns.inv()).magnitude().max() < 1e-7


def test_prints_of_a_motion_are_where_the_subtalars_rest() -> None:
    """Against the median over the flat frames before the foot leaves and after it lands."""
    example = chosen_examples()[0]
    motion, keys = example.motion, np.array(example.keytimes)
    assert example.kind == "left_step"
    assert motion.contacts is not None
    left, right = prints_of(motion, motion.contacts, keys, ((1, 2), None))
    assert right[0] is right[1]
    frames = np.arange(len(motion)) / motion.fps
    cases = (
        ("left", left[0], frames < keys[1]),
        ("left", left[1], frames > keys[2]),
        ("right", right[0], frames > 0),
    )
    for side, found, when in cases:
        rests = motion.contacts.flat(side) & when
        soles = sole_places(motion, side)[rests]
        assert_allclose(found.place, np.median(soles[:, 1], axis=0), rtol=0, atol=1e-6)
        along = np.mean(soles[:, 2] - soles[:, 0], axis=0)
        assert found.heading == pytest.approx(np.arctan2(along[0], along[2]), abs=1e-6)
        foot = motion.orientations[rests, motion.skeleton.joint(f"{side}_foot")]
        flat = Rotation.from_rotvec([0.0, found.heading, 0.0]) * Rotation.from_quat(
            found.lying, scalar_first=True
        )
        away = (Rotation.from_quat(foot, scalar_first=True) * flat.inv()).magnitude()
        assert away.max() < np.radians(2.0)


def test_prints_of_feet_that_never_touch_are_told_from_their_posture() -> None:
    motion = chosen_examples()[0].motion
    none = Contacts.none(len(motion))
    moment = 0.5
    (left, _), _ = prints_of(motion, none, np.array([moment, 0.9]), ((0, 1), None))
    frame = round(moment * motion.fps)
    foot = motion.skeleton.joint("left_foot")
    place, heading = print_under(
        motion.positions[frame, foot], motion.orientations[frame, foot], sole_of("left")
    )
    assert_allclose(left.place, place, rtol=0, atol=1e-12)
    assert left.heading == pytest.approx(float(heading), abs=1e-12)
    assert_allclose(left.lying, sole_of("left").lying, rtol=0, atol=0)


def test_prints_follow_the_whole_clip() -> None:
    example = chosen_examples()[1]
    keys, swings = np.array(example.keytimes), ((1, 2), None)
    motion = replace(example.motion, contacts=None)
    shift = np.array([3.0, 0.0, -5.0])
    moved = placed(motion, 2.2, shift)
    one = prints_of(motion, detect_contacts(motion), keys, swings)
    other = prints_of(moved, detect_contacts(motion), keys, swings)
    world = Rotation.from_rotvec([0.0, 2.2, 0.0])
    for before, after in zip([*one[0], *one[1]], [*other[0], *other[1]], strict=True):
        assert_allclose(after.place, world.apply(before.place) + shift, rtol=0, atol=1e-9)
        assert abs(ground.wrap(after.heading - before.heading - 2.2)) < 1e-9
        apart = (
            Rotation.from_quat(after.lying, scalar_first=True)
            * Rotation.from_quat(before.lying, scalar_first=True).inv()
        )
        assert apart.magnitude() < 1e-7
