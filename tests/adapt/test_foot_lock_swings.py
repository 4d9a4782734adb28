"""Swings of locked feet over kerbs, dips and ground that they stood in: judged by soles over known ground."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.adapt import foot_lock
from footfall.adapt.foot_lock import lock_feet
from footfall.adapt.foot_lock_prints import ROOM
from footfall.analysis.certificate import certificate, leg_extension
from footfall.figure.contacts import Contacts, runs_of
from footfall.figure.motion import Motion
from footfall.figure.soles import sole_places
from footfall.geometry.ground import UP
from footfall.world.plane import FlatTerrain
from footfall.world.terrain import Ground
from tests.adapt.test_foot_lock import SIDES, Steps, excursions, recorded_on
from tests.gaits import made

SLIGHT = 0.0006  # m: nobody lifts a foot for less
STILL = 1e-9  # m


@dataclass(frozen=True)
class Block:
    """Level ground with a block on it, in the way of the left foot alone."""

    first: float  # m along +Z
    last: float
    top: float

    def height(self, x: np.ndarray, z: np.ndarray, start: np.ndarray | float = np.inf) -> np.ndarray:
        found = np.where((x > 0.0) & (z > self.first) & (z < self.last), self.top, 0.0)
        return np.where(found <= start, found, -np.inf)


def lowest(motion: Motion, terrain: Ground, side: str) -> np.ndarray:
    """How far the lowest point of a sole is over the ground, in each frame."""
    x, y, z = np.moveaxis(sole_places(motion, side), -1, 0)
    return (y - terrain.height(x, z)).min(axis=1)


@cache
def walk(fps: float) -> tuple[Motion, float, float]:
    """A level walk, and where one of its left foot's steps leaves its tip and comes down with its heel."""
    motion = made("walk", fps, steps=8).given
    assert motion.contacts is not None
    flat = motion.contacts.flat("left")
    soles = sole_places(motion, "left")
    leaves, comes = (soles[first] for first, _ in runs_of(flat)[1:3])
    return motion, float(leaves[3, 2]), float(comes[0, 2])


def ratio_of(made_of: Motion, before: Motion) -> float:
    found = certificate(made_of, reference=before).acceleration_ratio
    assert found is not None
    return found


# m to the block before and behind it, its height, what it may cost in acceleration
KERBS = [
    (0.06, 0.06, 0.05, 2.0),
    (0.06, 0.06, 0.10, 2.1),
    (0.02, 0.02, 0.05, 2.0),
    (0.02, 0.02, 0.10, 2.8),
    (0.005, 0.3, 0.10, 2.0),
    (0.3, 0.005, 0.10, 2.9),
    (0.02, 0.02, 0.15, 3.2),  # a block as long as the step and as high as a stair
]


@pytest.mark.parametrize("fps", [60.0, 120.0])
@pytest.mark.parametrize(("before", "behind", "top", "ratio"), KERBS)
def test_a_foot_steps_over_what_is_in_its_way(
    fps: float, before: float, behind: float, top: float, ratio: float
) -> None:
    """However close it stands to its prints: not through it, and not much over it either."""
    motion, tip, heel = walk(fps)
    block = Block(tip + before, heel - behind, top)
    assert lowest(motion, block, "left").min() < 0.03 - top
    after = lock_feet(motion, block)
    for side in SIDES:
        assert lowest(after, block, side).min() > -SLIGHT
        assert max(excursions(after, side)) < STILL
    foot = motion.skeleton.joint("left_foot")
    raised = (after.positions - motion.positions)[:, foot, 1]
    assert raised.max() < top + 0.055
    assert ratio_of(after, motion) < ratio
    extension = leg_extension(after)
    assert extension is not None
    assert extension <= 0.995


def test_a_foot_close_to_a_riser_rises_before_it_goes() -> None:
    motion, tip, heel = walk(60.0)
    after = lock_feet(motion, Block(tip + 0.03, heel - 0.3, 0.15))
    assert motion.contacts is not None
    foot = motion.skeleton.joint("left_foot")
    first = runs_of(motion.contacts.stands("left"))[1][1]  # the first frame in which it swings
    moved = (after.positions - motion.positions)[first : first + 10, foot]
    assert (moved[2:, 2] < 0.0).all()  # it waits
    assert moved[:, 2].min() < -0.05
    assert moved[:, 1].max() > 0.05
    assert np.diff(after.positions[first : first + 30, foot, 2]).min() > -0.005  # and never goes back


def test_swings_that_cut_nothing_stay_as_they_are() -> None:
    motion, tip, heel = walk(60.0)
    after = lock_feet(motion, Block(tip + 0.06, heel - 0.06, 0.1))
    assert motion.contacts is not None
    a, b = runs_of(~motion.contacts.stands("left"))[1]
    left = motion.skeleton.joint("left_foot")
    away = np.linalg.norm((after.positions - motion.positions)[:, left], axis=-1)
    assert away[a:b].max() > 0.1
    assert_allclose(np.delete(away, np.arange(a, b)), 0.0, atol=1e-6)
    right = motion.skeleton.joint("right_foot")
    assert_allclose(after.positions[:, right], motion.positions[:, right], atol=1e-6)


@pytest.mark.parametrize("frames", [1, 2, 4])
@pytest.mark.parametrize("deep", [0.008, 0.02])
def test_a_foot_that_dips_before_it_stands_comes_down_from_above(frames: int, deep: float) -> None:
    """As blended feet do in the frame before their strike."""
    motion, _, _ = walk(60.0)
    assert motion.contacts is not None
    strike = runs_of(motion.contacts.stands("left"))[2][0]
    wrong = np.zeros(len(motion))
    wrong[strike - frames : strike] = deep + lowest(motion, FlatTerrain(), "left")[strike - frames : strike]
    before = replace(motion, root=motion.root - wrong[:, None] * UP)
    assert lowest(before, FlatTerrain(), "left")[strike - 1] < -0.9 * deep
    after = lock_feet(before, FlatTerrain())
    for side in SIDES:
        assert lowest(after, FlatTerrain(), side).min() > -SLIGHT
    foot = motion.skeleton.joint("left_foot")
    assert (after.positions - motion.positions)[:, foot, 1].max() < 2.5 * deep + 0.01


def test_contacts_that_outlast_a_stance_do_not_hold_a_foot_back() -> None:
    """A heel that is told to stand while its foot is already well on its way up."""
    motion, _, _ = walk(60.0)
    assert motion.contacts is not None
    heel, toe = np.array(motion.contacts.heel), np.array(motion.contacts.toe)
    leaves = runs_of(motion.contacts.stands("left"))[1][1]
    heights = sole_places(motion, "left")[:, 0, 1]
    told = slice(leaves, leaves + 6)
    assert heights[told].min() > 0.1
    heel[told, 0] = True
    after = lock_feet(replace(motion, contacts=Contacts(heel, toe)), FlatTerrain())
    assert after.contacts is not None
    assert_array_equal(after.contacts.heel, motion.contacts.heel)
    assert_array_equal(after.contacts.toe, motion.contacts.toe)
    foot = motion.skeleton.joint("left_foot")
    assert_allclose(after.positions[:, foot], motion.positions[:, foot], atol=0.01)


@pytest.mark.parametrize("first", np.round(np.arange(-0.2, 0.4, 0.1), 2))
@pytest.mark.parametrize("rise", [-0.06, 0.06, 0.12])
def test_a_foot_is_not_torn_out_of_ground_that_it_stands_in(first: float, rise: float) -> None:
    """Prints that are too far from any ground stay where they are; what is over them is left smoothly."""
    steps = Steps(rise=rise, tread=0.6, first=float(first))
    before = recorded_on(steps)
    after = lock_feet(before, steps)
    assert after.contacts is not None
    assert ratio_of(after, before) < 3.5
    for side in SIDES:
        over = lowest(after, steps, side)
        stands = after.contacts.stands(side)
        deepest = min(float(over[stands].min()), 0.0)
        for a, b in runs_of(~stands):
            middle = slice(a + round(0.4 * (b - a)), a + round(0.6 * (b - a)) + 1)
            assert over[middle].min() > -SLIGHT
            assert over[a:b].min() > deepest - SLIGHT


def test_a_print_close_behind_an_edge_is_given_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """A swing that is hard to bring over an edge is easier if its foot stands off it."""
    steps = Steps(rise=0.06, tread=0.6, first=0.3)
    before = recorded_on(steps)
    roomy = lock_feet(before, steps)
    monkeypatch.setattr(foot_lock, "HARD", np.inf)
    close = lock_feet(before, steps)
    apart = max(
        np.linalg.norm(sole_places(roomy, side) - sole_places(close, side), axis=-1)[
            close.contacts.flat(side)  # type: ignore[union-attr]
        ].max()
        for side in SIDES
    )
    assert 0.005 < apart <= 0.08 + ROOM
    assert ratio_of(roomy, before) < 0.85 * ratio_of(close, before)
    for after in (roomy, close):
        assert min(lowest(after, steps, side).min() for side in SIDES) > -SLIGHT


def test_a_clip_that_begins_and_ends_in_a_swing_is_brought_over_ground() -> None:
    motion, tip, heel = walk(60.0)
    assert motion.contacts is not None
    a, b = runs_of(~motion.contacts.stands("left"))[1]
    block = Block(tip + 0.06, heel - 0.06, 0.1)
    for part in (motion[a + (b - a) // 3 :], motion[: b - (b - a) // 3]):
        after = lock_feet(part, block)
        assert lowest(part, block, "left").min() < -0.05
        assert lowest(after, block, "left").min() > -SLIGHT
