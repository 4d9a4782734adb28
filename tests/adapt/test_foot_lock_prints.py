"""Prints of locked feet: soles laid on planes, edges and walls that are formulas."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from footfall.adapt.foot_lock_contacts import steady_contacts
from footfall.adapt.foot_lock_foot import RecordedFoot
from footfall.adapt.foot_lock_prints import ASIDE, HANGS, LIFTED, ROOM, LockedPrint, locked_print
from footfall.adapt.footprints import Phase
from footfall.figure.contacts import Contacts, runs_of
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import UP
from footfall.world.terrain import Ground
from tests.gaits import made

PHASES = [Phase("heel", 0, 4), Phase("flat", 4, 20), Phase("toe", 20, 30)]


@dataclass(frozen=True)
class Formula:
    """Ground whose height is a function of place."""

    of: Callable[[np.ndarray, np.ndarray], np.ndarray]

    def height(self, x: np.ndarray, z: np.ndarray, start: np.ndarray | float = np.inf) -> np.ndarray:
        found = self.of(np.asarray(x, dtype=float), np.asarray(z, dtype=float))
        return np.where(found <= start, found, -np.inf)


def step_up(edge: float, level: float, before: float = 0.0) -> Formula:
    """Ground at one level and, from an edge across +Z on, at another."""
    return Formula(lambda x, z: np.where(z >= edge, level, before))


def lying(heading: float = 0.0, place: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> RecordedFoot:
    """A foot that lies level for thirty frames, its subtalar at a place."""
    foot = RecordedFoot.of(made("stand", 60.0).given[:30], "left")
    turn = quat.multiply(ground.turn(heading), foot.sole.lying)
    ankle = np.array(place) - quat.rotate(turn, foot.sole.subtalar)
    return replace(foot, places=np.tile(ankle, (30, 1)), turns=np.tile(turn, (30, 1)))


def soles(foot: RecordedFoot, found: LockedPrint) -> np.ndarray:
    ankle = found.held["flat"] - quat.rotate(found.turn, foot.sole.subtalar)
    return ankle + quat.rotate(found.turn, foot.lying)


def laid(foot: RecordedFoot, terrain: Ground | None, **options: object) -> tuple[LockedPrint, np.ndarray]:
    found = locked_print(PHASES, foot, terrain, **options)  # type: ignore[arg-type]
    return found, soles(foot, found)


@settings(deadline=None, max_examples=60)
@given(
    st.floats(-0.1, 0.1),
    st.floats(-0.1, 0.1),
    st.floats(-3.0, 3.0),
    st.floats(-0.02, 0.02),
    st.floats(-2.0, 2.0),
)
def test_a_sole_lies_in_a_plane_whatever_its_slope(
    slope_x: float, slope_z: float, heading: float, off: float, x: float
) -> None:
    """All its four points are in the plane, and it stays where it was and points as it did."""
    terrain = Formula(lambda x, z: slope_x * x + slope_z * z)
    foot = lying(heading, (x, slope_x * x + off, 0.0))
    found, points = laid(foot, terrain)
    assert_allclose(points[:, 1], terrain.height(points[:, 0], points[:, 2]), atol=2e-3)
    assert np.linalg.norm((found.held["flat"] - [x, 0.0, 0.0])[[0, 2]]) < 0.02
    along = points[2] - points[0]
    assert (
        abs(
            ground.wrap(
                ground.heading_of(along) - heading - ground.heading_of(foot.sole.ball - foot.sole.heel)
            )
        )
        < 0.1
    )
    assert found.phases == tuple(PHASES)


def test_a_sole_is_raised_out_of_the_ground_and_let_down_to_it() -> None:
    for off in (-0.03, 0.0, 0.03):
        _, points = laid(lying(0.4, (1.0, off, 2.0)), Formula(lambda x, z: 0.0 * x))
        assert_allclose(points[:, 1], 0.0, atol=1e-12)


def test_over_an_edge_a_sole_stays_level_and_on_the_higher_side() -> None:
    terrain = Formula(lambda x, z: np.where(z > 0.05, 0.0, -0.035))
    _, points = laid(lying(0.0, (0.0, -0.01, 0.0)), terrain)
    assert_allclose(points[:, 1], 0.0, atol=1e-9)


def test_a_toe_in_a_wall_is_drawn_back_by_no_more_than_it_must() -> None:
    foot = lying()
    tip = foot.places[0] + quat.rotate(foot.turns[0], foot.points.toe)
    for deep in (0.005, 0.035):
        terrain = step_up(tip[2] - deep, 0.17)
        found, points = laid(foot, terrain)
        assert (terrain.height(points[:, 0], points[:, 2]) <= points[:, 1] + 1e-9).all()
        moved = np.linalg.norm(
            found.held["flat"] - foot.places[0] - quat.rotate(foot.turns[0], foot.sole.subtalar)
        )
        assert deep <= moved < deep + 0.011


def test_toes_over_nothing_are_brought_to_the_edge_and_no_farther_than_allowed() -> None:
    foot = lying()
    ball = foot.places[0] + quat.rotate(foot.turns[0], foot.points.ball)
    for short, allowed in ((0.02, ASIDE), (0.06, ASIDE), (0.06, 0.03)):
        terrain = step_up(ball[2] - short, -0.5)
        found, points = laid(foot, terrain, aside=allowed)
        moved = float(np.linalg.norm(points[2] - ball))
        kinds = [phase.kind for phase in found.phases]
        if short < allowed:
            assert short <= moved < short + 0.011
            assert kinds == ["heel", "flat", "toe"]
        else:  # it stands on its heel, and cannot roll over its toes
            assert moved < 1e-9
            assert kinds == ["heel", "flat"]


def test_a_heel_that_hangs_does_not_stand() -> None:
    foot = lying()
    for drop, kinds in ((HANGS - 0.002, ["heel", "flat", "toe"]), (0.2, ["flat", "toe"])):
        terrain = step_up(-0.02, 0.0, before=-drop)
        assert [phase.kind for phase in laid(foot, terrain)[0].phases] == kinds


def test_a_phase_in_which_the_foot_was_lifted_is_none() -> None:
    """By its heel's height over where it lay, be it ever so slight a lift that is still allowed."""
    for lift, kinds in ((LIFTED - 0.005, ["heel", "flat", "toe"]), (LIFTED + 0.005, ["flat", "toe"])):
        foot = lying()
        places = np.array(foot.places)
        places[:4] += lift * UP
        for terrain in (None, Formula(lambda x, z: 0.0 * x)):
            found, points = laid(replace(foot, places=places), terrain)
            assert [phase.kind for phase in found.phases] == kinds
            assert_allclose(points[:, 1], 0.0, atol=1e-6)


def test_with_room_a_foot_keeps_away_from_an_edge_behind_it() -> None:
    foot = lying()
    heel = foot.places[0] + quat.rotate(foot.turns[0], foot.points.heel)
    terrain = Formula(lambda x, z: np.where(z < heel[2] - 0.005, 0.1, 0.0))
    _, near = laid(foot, terrain)
    _, away = laid(foot, terrain, room=True)
    assert_allclose(near[0], heel, atol=1e-12)
    assert ROOM - 0.005 <= away[0, 2] - heel[2] < ROOM + 0.011


def test_without_ground_a_print_is_where_the_foot_was() -> None:
    foot = lying(0.7, (1.0, 0.3, -2.0))
    for terrain in (None, Formula(lambda x, z: np.full(np.shape(x), -np.inf))):
        found, _ = laid(foot, terrain)
        assert_allclose(found.held["flat"], [1.0, 0.3, -2.0], atol=1e-12)
        assert quat.angle_between(found.turn, foot.turns[0]) < 1e-7


def test_a_foot_that_was_never_flat_has_the_print_of_one_that_lies_down() -> None:
    foot = lying(0.5)
    lifted = quat.multiply(quat.exp(0.6 * quat.rotate(foot.turns[0], foot.left)), foot.turns[0])
    joint = foot.places[0] + quat.rotate(foot.turns[0], foot.sole.toe_joint)
    rolled = replace(
        foot,
        turns=np.tile(lifted, (30, 1)),
        places=np.tile(joint - quat.rotate(lifted, foot.sole.toe_joint), (30, 1)),
    )
    found = locked_print([Phase("toe", 0, 30)], rolled, None)
    assert_allclose(soles(rolled, found)[:, 1], 0.0, atol=1e-6)
    assert_allclose(found.held["toe"], joint, atol=1e-12)
    assert foot.up @ quat.rotate(quat.conjugate(found.turn), UP) == pytest.approx(1.0)


masks = st.lists(st.tuples(st.booleans(), st.integers(1, 12)), min_size=1, max_size=12).map(
    lambda runs: np.concatenate([np.full(n, value) for value, n in runs])
)


@given(masks)
def test_steady_contacts_are_steady(mask: np.ndarray) -> None:
    """No gap of four frames or fewer is left at 60 Hz, none is longer than it was; and once is enough."""
    off = np.zeros_like(mask)
    before = Contacts(np.stack([mask, off], 1), np.zeros((len(mask), 2), dtype=bool))
    once = steady_contacts(before, 60.0)
    again = steady_contacts(once, 60.0)
    assert_array_equal(once.heel, again.heel)
    assert not once.heel[:, 1].any()
    assert not once.toe.any()
    stands = np.flatnonzero(once.heel[:, 0])
    assert all(gap == 1 or gap > 5 for gap in np.diff(stands))
    for first, last in runs_of(mask & ~once.heel[:, 0]):  # only what was too short to stand is gone
        assert last - first <= 3
        assert first > 0
        assert last < len(mask)
