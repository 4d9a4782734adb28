"""Feet beside their prints: whatever is blended and wherever the prints are, what stands stands."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from footfall.adapt.foot_roll import FLAT, pivot_of, shaped
from footfall.align.smooth_time import cubics, generic_at
from footfall.geometry import quaternion as quat
from footfall.models.movements.foot_paths import FREE, FootPath, FootPaths
from footfall.models.movements.kind import MovementKind
from tests.models.movements.libraries import actor_library, captured_library, reach_library, turning_library

CASES = [
    ("actor", "left_step"),
    ("actor", "right_step"),
    ("actor", "jump"),
    ("captures", "left_step"),
    ("captures", "right_step"),
    ("turning", "left_step"),
    ("reach", "reach"),
]


@cache
def kind_of(library: str, kind: str) -> MovementKind:
    made = {
        "actor": actor_library,
        "captures": captured_library,
        "turning": turning_library,
        "reach": reach_library,
    }
    return made[library]().kinds[kind]


@dataclass(frozen=True)
class Walked:
    """One foot of a blend on some prints, at many moments."""

    paths: FootPaths
    path: FootPath
    generic: np.ndarray
    prints: tuple[tuple[np.ndarray, float], tuple[np.ndarray, float]]

    def world(self, point: np.ndarray) -> np.ndarray:
        turns = Rotation.from_quat(np.array(self.path.turn), scalar_first=True)
        return np.asarray(self.path.ankle + turns.apply(np.array(point)))

    def lies(self, point: np.ndarray, which: int) -> np.ndarray:
        """Where a point of the sole is while the foot lies in one of its prints."""
        place, heading = self.prints[which]
        lying = Rotation.from_rotvec([0.0, heading, 0.0]) * Rotation.from_quat(
            np.array(self.paths.sole.lying), scalar_first=True
        )
        return np.asarray(place + lying.apply(point - self.paths.sole.subtalar))


def walked(kind: MovementKind, side: int, seed: int, generic: np.ndarray | None = None) -> Walked:
    """Any blend on any prints: up or down, nearer or farther, turned."""
    rng = np.random.default_rng(seed)
    n = len(kind.examples)
    weights = rng.dirichlet(np.ones(n)) + rng.normal(0.0, 0.15, n)
    weights += (1.0 - weights.sum()) / n
    paths = kind.feet[side]
    first = rng.normal(0.0, 1.0, 3), float(rng.uniform(-3.0, 3.0))
    second = first
    if paths.swing is not None:
        second = (
            first[0] + [rng.normal(0, 0.2), rng.uniform(-0.3, 0.3), rng.uniform(0.1, 1.0)],
            first[1] + float(rng.normal(0.0, 0.5)),
        )
    keys = kind.tables.keytimes.shape[1]
    at = np.linspace(0.0, keys - 1.0, 601) if generic is None else generic
    edges = paths.rolls(weights, np.arange(float(keys)))[list(paths.swing or (0, 0))]
    prints = (first, second)
    path = paths.on(paths.rolls(weights, at), paths.in_air(at), prints, edges)
    return Walked(paths, path, at, prints)


def stretches(made: Walked) -> list[tuple[int, np.ndarray]]:
    """Which print, and the moments in which the foot stands there."""
    if made.paths.swing is None:
        return [(0, np.ones(len(made.generic), dtype=bool))]
    off, strike = made.paths.swing
    return [(0, made.generic <= off), (1, made.generic >= strike)]


@pytest.mark.parametrize(("library", "kind"), CASES)
def test_what_stands_stands(library: str, kind: str) -> None:
    """The toe joint while the heel is up, the heel while the toes are, both while it is flat."""
    for seed in range(12):
        for side in (0, 1):
            made = walked(kind_of(library, kind), side, seed)
            for which, stands in stretches(made):
                sole, path = made.paths.sole, made.path
                assert (path.heel_down | path.toe_down)[stands].all()
                for point, down in ((sole.heel, path.heel_down), (sole.toe_joint, path.toe_down)):
                    when = stands & down
                    away = made.world(point)[when] - made.lies(np.array(point), which)
                    assert_allclose(away[:, [0, 2]], 0.0, atol=1e-9)
                    # a foot tilted aside is raised until nothing of it is under the ground
                    assert (away[:, 1] > -1e-9).all()
                    assert (away[:, 1] < 0.03).all()


@pytest.mark.parametrize(("library", "kind"), CASES)
def test_flat_feet_lie_in_their_prints(library: str, kind: str) -> None:
    flats = 0
    for seed in range(12):
        for side in (0, 1):
            made = walked(kind_of(library, kind), side, seed)
            for which, stands in stretches(made):
                flat = stands & made.path.heel_down & made.path.toe_down
                flats += int(flat.sum())
                place, heading = made.prints[which]
                assert_allclose(
                    made.world(made.paths.sole.subtalar)[flat],
                    np.broadcast_to(place, (int(flat.sum()), 3)),
                    rtol=0,
                    atol=1e-9,
                )
                along = made.world(made.paths.sole.ball) - made.world(made.paths.sole.heel)
                faces = np.arctan2(along[flat, 0], along[flat, 2])
                assert_allclose(np.angle(np.exp(1j * (faces - heading))), 0.0, atol=1e-9)
    assert flats > 100


@pytest.mark.parametrize(("library", "kind"), CASES[:6])
def test_feet_leave_and_land_without_a_jump(library: str, kind: str) -> None:
    """Ankle and turn a moment before and after they leave, and land, at any weights, on any prints."""
    h = 1e-7
    for seed in range(20):
        for side in (0, 1):
            swing = kind_of(library, kind).feet[side].swing
            if swing is None:
                continue
            for key in swing:
                at = key + np.array([-h, 0.0, h])
                path = walked(kind_of(library, kind), side, seed, at).path
                assert np.abs(np.diff(path.ankle, axis=0)).max() < 2e-5
                turns = Rotation.from_quat(np.array(path.turn), scalar_first=True)
                assert (turns[1:] * turns[:-1].inv()).magnitude().max() < 2e-5


@pytest.mark.parametrize("roll", [(0.4, 0.1, 0.35), (0.3, 0.0, 0.0), (0.5, 0.0, -0.3)])
def test_feet_whose_ball_is_ahead_of_their_toe_joint_leave_and_land_without_a_jump(
    roll: tuple[float, float, float],
) -> None:
    """Raised until the ball is not under the ground while they stand, they stay so as they leave."""
    own = kind_of("actor", "left_step").feet[0]
    sole = replace(own.sole, toe_joint=own.sole.toe_joint - np.array([0.0, 0.0, 0.04]))
    paths = replace(own, sole=sole)
    channels = np.tile([*roll, *roll, *np.zeros(6)], (6, 1))
    share = np.array([0.0, 1e-9, 1e-7, 1.0 - 1e-7, 1.0 - 1e-9, 1.0])
    for rise in (0.0, 0.2, -0.2):  # up or down, the ground it leaves or comes to is not the lower one
        prints = (np.zeros(3), 0.2), (np.array([0.1, rise, 0.6]), 0.3)
        path = paths.on(channels, share, prints, channels[:2])
        for first in (0, 3):
            assert np.abs(np.diff(path.ankle[first : first + 3], axis=0)).max() < 1e-5
        low = np.min([(path.ankle + quat.rotate(path.turn, p))[:, 1] for p in (sole.heel, sole.ball)], axis=0)
        assert (low > np.where(share < 0.5, 0.0, rise) - 1e-6).all()
        unraised = sole.ankle_about(pivot_of(sole, np.array(roll)), sole.lying, path.turn[0])
        assert path.ankle[0, 1] > unraised[1] + 1e-3


@pytest.mark.parametrize(("library", "kind"), CASES)
def test_nothing_of_a_sole_is_under_the_ground(library: str, kind: str) -> None:
    for seed in range(12):
        for side in (0, 1):
            made = walked(kind_of(library, kind), side, seed)
            lower = min(made.prints[0][0][1], made.prints[1][0][1])
            sole = made.paths.sole
            for point in (sole.heel, sole.subtalar, sole.ball):
                assert made.world(point)[:, 1].min() > lower - 1e-9
            stands = made.path.share == 0.0
            levels = np.array([made.prints[which][0][1] for which in (0, 1)])
            assert np.isin(made.path.level, levels).all()
            for which, when in stretches(made):
                assert (made.path.level[when & stands] == levels[which]).all()
            halfway = np.abs(made.path.share - 0.5) < 0.05
            assert (made.path.level[halfway] == lower).all()


@pytest.mark.parametrize(("library", "kind"), CASES)
def test_contacts_and_shares_tell_the_swing(library: str, kind: str) -> None:
    made = kind_of(library, kind)
    for side in (0, 1):
        foot = walked(made, side, 3)
        stands = foot.path.heel_down | foot.path.toe_down
        if foot.paths.swing is None:
            assert stands.all()
            assert (foot.path.share == 0.0).all()
            continue
        off, strike = foot.paths.swing
        air = (foot.generic > off) & (foot.generic < strike)
        assert (stands == ~air).all()
        share = (foot.generic - off) / (strike - off)
        assert_allclose(foot.path.share[air], share[air], rtol=0, atol=1e-12)
        assert (foot.path.share[~air] == 0.0).all()
        assert (foot.path.bound[~air] == 1.0).all()
        middle = (foot.path.share >= FREE) & (foot.path.share < 0.75)
        assert (foot.path.bound[middle] == 0.0).all()


def test_an_example_on_its_own_prints_is_that_example() -> None:
    """In the air, and near enough where it stands: nearly flat feet are made flat."""
    for kind in actor_library().members:
        for number in (0, len(kind.examples) - 1):
            prepared = kind.examples[number]
            weights = np.eye(len(kind.examples))[number]
            keys = prepared.keytimes
            times = np.linspace(0.0, keys[-1], 201)
            generic = generic_at(times, cubics(keys))
            rows = kind.tables.example_rows(number, times)
            whole = type(prepared.motion)(
                prepared.motion.skeleton, rows[:, :3], rows[:, 3:].reshape(len(times), -1, 4), 30.0
            )
            for side, paths in enumerate(kind.feet):
                a, b = ((p.place, p.heading) for p in prepared.prints[side])
                edges = paths.rolls(weights, np.arange(float(len(keys))))[list(paths.swing or (0, 0))]
                made = paths.on(paths.rolls(weights, generic), paths.in_air(generic), (a, b), edges)
                own = whole.of(("left_foot", "right_foot")[side])
                assert np.linalg.norm(made.ankle - own, axis=-1).max() < 0.025
                air = made.share > 0.0
                assert (
                    np.median(np.linalg.norm(made.ankle - own, axis=-1)[air]) < 0.006 if air.any() else True
                )


def test_toes_lie_while_the_heel_is_up_and_are_straight_otherwise() -> None:
    for library, name in CASES[:3]:
        for seed in range(5):
            made = walked(kind_of(library, name), 0, seed)
            if made.path.toe is None:
                continue
            sole, rest = made.paths.sole, made.paths.toe_rest
            assert rest is not None
            up = made.path.toe_down & ~made.path.heel_down
            foot = Rotation.from_quat(np.array(made.path.turn), scalar_first=True)
            toe = foot * Rotation.from_quat(np.array(made.path.toe), scalar_first=True)
            flat = Rotation.from_quat(np.array(sole.lying), scalar_first=True) * Rotation.from_quat(
                np.array(rest), scalar_first=True
            )
            for which, stands in stretches(made):
                if (stands & up).any():
                    facing = Rotation.from_rotvec([0.0, made.prints[which][1], 0.0])
                    away = toe[stands & up] * (facing * flat).inv()
                    assert away.magnitude().max() < 1e-7
            down = made.path.heel_down
            assert_allclose(made.path.toe[down], np.broadcast_to(rest, (int(down.sum()), 4)), atol=0)


def test_nearly_flat_is_flat() -> None:
    rolls = np.array([[0.5 * FLAT, 0.3, 0.2], [-0.9 * FLAT, 0.1, 0.0], [0.4, 0.1, 0.0], [-0.3, 0.0, 0.1]])
    made = shaped(rolls)
    assert_allclose(made[:2], 0.0, atol=0)
    assert_allclose(made[2:], rolls[2:], atol=0)
    fine = np.stack([np.linspace(-0.3, 0.3, 5001), np.full(5001, 0.2), np.zeros(5001)], axis=-1)
    assert np.abs(np.diff(shaped(fine), axis=0)).max() < 1e-3
    assert (np.sign(shaped(fine)[:, 0]) * np.sign(fine[:, 0]) >= 0.0).all()


def test_headings_are_near_where_the_trunk_faces() -> None:
    """By whole turns more or less a foot would point the same way, but blends of it would not."""
    for kind in turning_library().members:
        for foot in kind.feet:
            assert np.abs(foot.headings[:, 0]).max() < 0.5 * np.pi
            assert np.abs(foot.headings[:, 1] - kind.turns).max() < 0.5 * np.pi
