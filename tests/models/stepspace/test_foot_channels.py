"""Feet beside their prints: rolls give the foot back, rests vanish where it leaves and lands."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from footfall.adapt.foot_roll import shaped
from footfall.figure.sole import Sole
from footfall.models.stepspace.foot_channels import (
    COMING,
    LEAVING,
    OFF,
    REST_COMING,
    REST_LEAVING,
    STRIKE,
    SUPPORTING,
    edges_of,
    foot_channels,
    shares_of,
)
from footfall.models.stepspace.step_table import SAMPLES, StepTable, sample_times
from tests.models.stepspace.spaces import running_space, small_space

REFLECTED = np.array([1.0, -1.0, -1.0])  # a rotation vector in the mirror


def tables() -> list[StepTable]:
    run = running_space().running
    assert run is not None
    return [small_space().left, small_space().left.mirrored(), run]


@pytest.mark.parametrize("which", range(3))
def test_rolls_give_the_foots_turn_back(which: int) -> None:
    """The print's heading, the roll, the flat foot: in this order, by scipy."""
    table = tables()[which]
    channels, (_, turns) = foot_channels(table), table.feet
    for k, foot, rolls in ((0, 0, LEAVING), (1, 0, COMING), (2, 1, SUPPORTING)):
        for row in range(0, len(table), 7):
            facing = Rotation.from_rotvec([0.0, float(table.headings[row, k]), 0.0])
            lying = Rotation.from_quat(table.lying[row, k], scalar_first=True)
            found = facing * Rotation.from_rotvec(channels[row, :, rolls]) * lying
            own = Rotation.from_quat(turns[row, :, foot], scalar_first=True)
            assert (found.inv() * own).magnitude().max() < 1e-6


@pytest.mark.parametrize("which", range(3))
def test_rests_are_nothing_where_a_foot_leaves_and_lands(which: int) -> None:
    table = tables()[which]
    channels = foot_channels(table)
    off, strike = edges_of(table)
    for rests, edge in ((REST_LEAVING, off), (REST_COMING, strike)):
        assert_allclose(channels[:, : off + 1, rests], 0.0, atol=1e-12)
        assert_allclose(channels[:, strike:, rests], 0.0, atol=1e-12)
        assert_allclose(channels[:, edge, rests], 0.0, atol=1e-12)
        assert np.linalg.norm(channels[:, off + 1 : strike, rests], axis=-1).max() > 0.1


@pytest.mark.parametrize("which", range(2))
def test_rests_and_rolls_place_the_ankle(which: int) -> None:
    """About the point that stands, and the rest: but for what is eased in, which is at most what a capture
    misses at its edge.
    """
    table = tables()[which]
    channels, (ankles, _) = foot_channels(table), table.feet
    sole = Sole.of(table.skeleton, table.foot)
    worst = 0.0
    for k, edge, rolls, rests in ((0, OFF, LEAVING, REST_LEAVING), (1, STRIKE, COMING, REST_COMING)):
        for row in range(0, len(table), 5):
            lying = Rotation.from_quat(table.lying[row, k], scalar_first=True)
            facing = Rotation.from_rotvec([0.0, float(table.headings[row, k]), 0.0])
            inner = slice(OFF + 1, STRIKE)
            turn = Rotation.from_rotvec(channels[row, inner, rolls]) * lying
            pivot = sole.toe_joint if channels[row, edge, rolls][0] > 0.0 else sole.heel
            about = lying.apply(pivot - sole.subtalar) - turn.apply(np.array(pivot))
            ankle = table.places[row, k] + facing.apply(about + channels[row, inner, rests])
            missing = np.linalg.norm(ankle - ankles[row, inner, 0], axis=-1)
            at_edge = np.linalg.norm(_off_its_print(table, row, k, edge))
            assert missing.max() <= at_edge + 1e-9
            # it fades out towards the other print
            far = missing[-1] if k == 0 else missing[0]
            assert far < 0.01 * at_edge + 1e-9
            worst = max(worst, at_edge)
    assert worst < 0.05


def _off_its_print(table: StepTable, row: int, k: int, edge: int) -> np.ndarray:
    """How far a captured foot is from standing exactly when it leaves, or lands."""
    ankles, turns = table.feet
    sole = Sole.of(table.skeleton, table.foot)
    facing = Rotation.from_rotvec([0.0, float(table.headings[row, k]), 0.0])
    lying = Rotation.from_quat(table.lying[row, k], scalar_first=True)
    own = Rotation.from_quat(turns[row, edge, 0], scalar_first=True)
    roll = (facing.inv() * own * lying.inv()).as_rotvec()
    pivot = np.array(sole.toe_joint if roll[0] > 0.0 else sole.heel)
    stands = ankles[row, edge, 0] + own.apply(pivot)
    return np.asarray(stands - table.places[row, k] - (facing * lying).apply(pivot - sole.subtalar))


def test_the_mirror_changes_signs_only() -> None:
    left, right, _ = (foot_channels(t) for t in tables())
    for rolls in (LEAVING, COMING, SUPPORTING):
        assert_allclose(right[..., rolls], left[..., rolls] * REFLECTED, atol=1e-6)
    for rests in (REST_LEAVING, REST_COMING):
        assert_allclose(right[..., rests], left[..., rests] * [-1.0, 1.0, 1.0], atol=1e-6)


def test_feet_lie_flat_in_mid_stance_and_roll_at_its_ends() -> None:
    channels = foot_channels(small_space().left)
    roll = channels[:, :, SUPPORTING.start]
    flattest = np.abs(roll[:, OFF : STRIKE + 1]).min(axis=1)
    assert flattest.max() < np.radians(1.0)
    forward = small_space().left.ways == 1
    leaving, coming = channels[forward, OFF, LEAVING.start], channels[forward, STRIKE, COMING.start]
    assert np.median(leaving) > np.radians(10.0)  # over the toes
    assert np.median(coming) < np.radians(-5.0)  # on the heel


@pytest.mark.parametrize("which", [0, 2])
def test_shares_run_evenly_from_leaving_to_landing(which: int) -> None:
    table = tables()[which]
    share = shares_of(table)
    off, strike = edges_of(table)
    times = sample_times(table.durations, table.flights if table.runs else None)
    assert_allclose(share[:, : off + 1], 0.0)
    assert_allclose(share[:, strike:], 1.0)
    rates = np.diff(share[:, off : strike + 1], axis=1) / np.diff(times[:, off : strike + 1], axis=1)
    assert_allclose(rates, 1.0 / table.swings[:, None] * np.ones(rates.shape), rtol=1e-9)


def test_edges() -> None:
    walked, _, run = tables()
    assert edges_of(walked) == (SAMPLES[0], SAMPLES[0] + SAMPLES[1])
    assert edges_of(run) == (0, run.root.shape[1] - 1)


def test_standing_rolls_of_nearly_flat_feet_are_none() -> None:
    rolls = np.radians(np.array([[0.5, 3.0, -2.0], [-0.6, 0.1, 0.1], [5.0, 1.0, 1.0], [-4.0, 0.3, 0.2]]))
    assert_allclose(shaped(rolls)[:2], 0.0, atol=1e-15)
    assert_allclose(shaped(rolls)[2:], rolls[2:], atol=1e-15)
