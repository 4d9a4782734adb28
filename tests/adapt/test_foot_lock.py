"""Locked feet: judged by soles that stand still on ground whose height is a formula, by legs and by pops."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.ndimage import gaussian_filter1d

from footfall.adapt.foot_lock import lock_feet
from footfall.analysis.certificate import certificate, leg_extension
from footfall.errors import RequestError
from footfall.figure.contacts import Contacts, runs_of
from footfall.figure.motion import Motion
from footfall.figure.soles import sole_places, toe_places
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import UP
from footfall.world.plane import FlatTerrain
from tests.families import FAMILIES, load_family
from tests.gaits import PACES, made

SIDES = ("left", "right")
STILL = 1e-9  # m
DEEP = 0.005  # m: what the lock promises of feet in the ground, in any frame
STRAIGHTEST = 0.995  # of a leg's length
LEGS = {f"{side}_{part}" for side in SIDES for part in ("thigh", "shank", "foot", "toe")}


@dataclass(frozen=True)
class Steps:
    """Treads of one size across +Z, each so much over the last; a rolling hill where there is no rise."""

    rise: float = 0.0
    tread: float = 0.65
    wave: float = 0.0  # m
    first: float = -0.2  # m along +Z, where the first edge is

    def height(self, x: np.ndarray, z: np.ndarray, start: np.ndarray | float = np.inf) -> np.ndarray:
        del start  # there is nothing overhead
        level = self.rise * np.floor((z - self.first) / self.tread)
        return level + self.wave * np.sin(2.1 * x + 0.4) * np.sin(1.7 * z)

    def slope_under(self, place: np.ndarray) -> np.ndarray:
        """The treads' mean rise: what a recording that knows little of the ground would follow."""
        x, z = place[:, 0], place[:, 2]
        even = self.rise * ((z - self.first) / self.tread - 0.5)
        return even + self.wave * np.sin(2.1 * x + 0.4) * np.sin(1.7 * z)


GROUNDS = {
    "low stairs": Steps(rise=0.06),
    "down": Steps(rise=-0.06, tread=0.6),
    "hills": Steps(wave=0.08),
}


def drift(frames: int, fps: float, size: float, seed: int) -> np.ndarray:
    """A slow way aside and up, of a size at most."""
    walk = gaussian_filter1d(np.random.default_rng(seed).normal(size=(frames, 3)), 0.5 * fps, axis=0)
    return walk * size * np.array([1.0, 0.5, 1.0]) / np.abs(walk).max()


def drifting(motion: Motion, size: float = 0.04, seed: int = 0) -> Motion:
    return replace(motion, root=motion.root + drift(len(motion), motion.fps, size, seed))


def recorded_on(steps: Steps, seed: int = 0) -> Motion:
    """A level walk carried over ground that it was not made for, and drifting."""
    walk = made("walk", 60.0, steps=10).given
    return drifting(replace(walk, root=walk.root + steps.slope_under(walk.root)[:, None] * UP), 0.02, seed)


def over(motion: Motion, steps: Steps, side: str) -> np.ndarray:
    soles = sole_places(motion, side)
    return soles[..., 1] - steps.height(soles[..., 0], soles[..., 2])


def excursions(motion: Motion, side: str) -> list[float]:
    """How far each held point strays within its phase, upwards too."""
    assert motion.contacts is not None
    heel, toe = motion.contacts.heel_of(side), motion.contacts.toe_of(side)
    soles = sole_places(motion, side)
    held = (
        (heel & ~toe, soles[:, :1]),
        (heel & toe, soles),
        (~heel & toe, toe_places(motion, side)[:, None]),
    )
    return [
        float(np.linalg.norm(places[a:b] - places[a], axis=-1).max())
        for mask, places in held
        for a, b in runs_of(mask)
    ]


def assert_locked(motion: Motion, before: Motion) -> None:
    """What holds of every locked motion, whatever it stands on."""
    for side in SIDES:
        assert max(excursions(motion, side)) < STILL
    extension = leg_extension(motion)
    assert extension is not None
    assert extension <= STRAIGHTEST
    bones = np.linalg.norm(
        motion.positions[:, 1:] - motion.positions[:, motion.skeleton.parents[1:]], axis=-1
    )
    assert_allclose(bones, np.broadcast_to(motion.skeleton.bone_lengths[1:], bones.shape), atol=1e-7)
    legs = {motion.skeleton.joint(role) for role in LEGS if motion.skeleton.has(role)}
    others = [j for j in range(len(motion.skeleton)) if j not in legs]
    assert_array_equal(motion.rotations[:, others], before.rotations[:, others])


@pytest.mark.parametrize("name", GROUNDS)
@pytest.mark.parametrize("seed", [0, 1])
def test_a_walk_over_unknown_ground_stands_on_it(name: str, seed: int) -> None:
    steps = GROUNDS[name]
    before = recorded_on(steps, seed)
    assert min(over(before, steps, side).min() for side in SIDES) < -0.01  # or there would be nothing to do
    after = lock_feet(before, steps)
    assert_locked(after, before)
    assert after.contacts is not None
    for side in SIDES:
        heights = over(after, steps, side)
        assert heights.min() > -DEEP
        flat = after.contacts.flat(side)
        assert_allclose(heights[flat].min(axis=1), 0.0, atol=0.001)  # not over it by more than must be
        assert heights[after.contacts.stands(side)].min(axis=1).max() < 0.01
    ratio = certificate(after, reference=before).acceleration_ratio
    assert ratio is not None
    # on the way down one foot comes down close behind an edge
    assert ratio < (1.9 if name == "down" else 1.4)


@pytest.mark.parametrize("pace", [*PACES, "jump", "stand"])
@pytest.mark.parametrize("fps", [30.0, 120.0])
def test_what_stands_already_is_left_alone(pace: str, fps: float) -> None:
    motion = made(pace, fps).given
    after = lock_feet(motion)
    assert_allclose(after.positions, motion.positions, atol=1e-6)
    assert after.contacts is not None
    assert motion.contacts is not None
    assert_array_equal(after.contacts.heel, motion.contacts.heel)
    assert_array_equal(after.contacts.toe, motion.contacts.toe)


@pytest.mark.parametrize("pace", ["walk", "slow walk", "turn", "backward", "sideways", "run"])
@pytest.mark.parametrize("terrain", [None, FlatTerrain()], ids=["unknown", "flat"])
def test_gaits_that_drift_are_locked_without_pops(pace: str, terrain: FlatTerrain | None) -> None:
    clean = made(pace, 60.0).given
    before = drifting(clean, seed=len(pace))
    after = lock_feet(before, terrain)
    assert_locked(after, before)
    made_of, found = (certificate(m, terrain=terrain, reference=clean) for m in (before, after))
    assert made_of.slide_max_m > 0.004  # type: ignore[operator]
    assert found.penetration_max_m < 0.001  # type: ignore[operator]
    assert found.float_max_m < 0.002  # type: ignore[operator]
    assert found.acceleration_ratio < 1.25  # type: ignore[operator]


def test_locking_does_not_depend_on_where_and_which_way_one_walks() -> None:
    before = drifting(made("walk", 60.0).given)
    turn, shift = ground.turn(1.1), np.array([3.0, 0.4, -2.0])
    rotations = np.array(before.rotations)
    rotations[:, 0] = quat.multiply(turn, rotations[:, 0])
    moved = replace(before, root=quat.rotate(turn, before.root) + shift, rotations=rotations)
    expected = quat.rotate(turn, lock_feet(before).positions) + shift
    assert_allclose(lock_feet(moved).positions, expected, atol=1e-7)


def test_it_is_deterministic_and_changes_no_input() -> None:
    before = recorded_on(GROUNDS["hills"])
    root, rotations = np.array(before.root), np.array(before.rotations)
    one, other = (lock_feet(before, GROUNDS["hills"]) for _ in range(2))
    assert_array_equal(one.rotations, other.rotations)
    assert_array_equal(one.root, other.root)
    assert_array_equal(before.root, root)
    assert_array_equal(before.rotations, rotations)


def test_locking_again_changes_next_to_nothing() -> None:
    steps = GROUNDS["low stairs"]
    once = lock_feet(recorded_on(steps), steps)
    twice = lock_feet(once, steps)
    assert np.linalg.norm(twice.positions - once.positions, axis=-1).max() < 0.005


def test_frames_far_from_what_is_wrong_stay_as_they_are() -> None:
    walk = made("walk", 60.0, steps=12).given
    when = np.arange(len(walk)) / walk.fps
    wrong = 0.03 * np.exp(-(((when - 2.0) / 0.15) ** 2))
    before = replace(walk, root=walk.root + wrong[:, None] * np.array([1.0, 0.0, 0.0]))
    after = lock_feet(before)
    away = np.linalg.norm(after.positions - before.positions, axis=-1).max(axis=1)
    assert away[np.abs(when - 2.0) < 0.2].max() > 0.01
    assert away[np.abs(when - 2.0) > 1.6].max() < 1e-4


def test_a_foot_keeps_its_heading_under_a_figure_that_turns_over_it() -> None:
    """The whole figure is turned about the place where its left foot stands, as blended turns do."""
    walk = made("slow walk", 60.0).given
    assert walk.contacts is not None
    a, b = max(runs_of(walk.contacts.flat("left")[60:-60]), key=lambda run: run[1] - run[0])
    a, b = a + 60, b + 60
    share = np.clip((np.arange(len(walk)) - a) / (b - a), 0.0, 1.0)
    turn = ground.turn(0.12 * share**2 * (3.0 - 2.0 * share))
    pivot = toe_places(walk, "left")[a]
    rotations = np.array(walk.rotations)
    rotations[:, 0] = quat.multiply(turn, rotations[:, 0])
    before = replace(walk, root=pivot + quat.rotate(turn, walk.root - pivot), rotations=rotations)
    after = lock_feet(before)
    assert_locked(after, before)
    foot = after.orientations[a:b, after.skeleton.joint("left_foot")]
    assert quat.angle_between(foot, foot[:1]).max() < 1e-6


def test_flickering_contacts_stand_through() -> None:
    walk = made("walk", 60.0).given
    assert walk.contacts is not None
    heel, toe = np.array(walk.contacts.heel), np.array(walk.contacts.toe)
    a, b = runs_of(walk.contacts.flat("right"))[1]
    heel[(a + b) // 2, 1] = False
    toe[(a + b) // 2 : (a + b) // 2 + 3, 1] = False
    middle = next((p + q) // 2 for p, q in runs_of(~walk.contacts.stands("left")))
    heel[middle, 0] = True
    after = lock_feet(drifting(replace(walk, contacts=Contacts(heel, toe))))
    assert after.contacts is not None
    assert_array_equal(after.contacts.heel, walk.contacts.heel)
    assert_array_equal(after.contacts.toe, walk.contacts.toe)


@pytest.mark.parametrize("file", sorted(FAMILIES.values()))
def test_every_captured_skeleton_can_be_locked(file: str) -> None:
    motion = load_family(file)[:240]
    for terrain in (None, FlatTerrain()):
        after = lock_feet(motion, terrain)
        assert np.isfinite(after.positions).all()
        slide = certificate(after).slide_max_m
        assert slide is None or slide < STILL


def test_nothing_to_lock() -> None:
    walk = made("walk", 60.0).motion
    flying = lock_feet(walk, contacts=Contacts.none(len(walk)))
    assert_array_equal(flying.positions, walk.positions)
    assert len(lock_feet(walk[:0])) == 0
    one = made("stand", 60.0).given[:1]
    assert_allclose(lock_feet(one).positions, one.positions, atol=1e-9)


def test_a_walk_over_no_ground_at_all_is_locked_where_it_stands() -> None:
    class Nothing:
        def height(self, x: np.ndarray, z: np.ndarray, start: np.ndarray | float = np.inf) -> np.ndarray:
            return np.full(np.shape(x), -np.inf)

    before = drifting(made("walk", 60.0).given)
    after = lock_feet(before, Nothing())
    assert np.isfinite(after.positions).all()
    assert max(excursions(after, "left")) < STILL


def test_requests_that_make_no_sense_are_refused() -> None:
    walk = made("walk", 60.0).given
    with pytest.raises(RequestError, match="contacts of 3 frames"):
        lock_feet(walk, contacts=Contacts.none(3))
    for aside in (-0.01, np.nan, 1.0, "far"):
        with pytest.raises(RequestError, match="aside"):
            lock_feet(walk, aside=aside)  # type: ignore[arg-type]
