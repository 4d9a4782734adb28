"""The naturalness benchmark: steps that are left out of a step space and requested again."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import trapezoid

from footfall.models.stepspace.selection import PAPER_METRIC, Selection, StepQuery, distances
from footfall.models.stepspace.step_table import sample_times
from tests.benchmarks.scripts import script
from tests.models.stepspace.spaces import small_space


class Alone:
    """Selects one step, whatever is asked."""

    name = "alone"

    def __init__(self, row: int) -> None:
        self.row = row

    def select(self, query: StepQuery) -> Selection:
        return Selection(np.array([self.row]), np.ones(1), "support", inside=True)


@pytest.mark.parametrize("row", range(0, 40, 7))
def test_a_step_made_from_itself_is_itself(row: int) -> None:
    """What is left is what steps are told by, not how they are compared."""
    natural, space = script("naturalness_left_out"), small_space()
    _, positions, _ = natural.made_again(space, row, Alone(row), solved=True)
    own = natural.distances(space, row, positions)
    assert own.max() < 0.012  # a knee, where the leg is all but straight
    assert own.mean() < 0.004
    _, plain, _ = natural.made_again(space, row, Alone(row), solved=False)
    assert_allclose(natural.distances(space, row, plain), 0.0, atol=1e-9)
    moved = natural.distances(space, row, plain + np.array([0.03, 0.0, 0.04]))
    assert_allclose(moved, 0.05, atol=1e-9)
    other = int(distances(space.left.high, StepQuery(space.left.high[row]), PAPER_METRIC).argmax())
    _, positions, _ = natural.made_again(space, row, Alone(other), solved=True)
    assert natural.distances(space, row, positions).max() > 0.05


def test_what_is_left_out_is_not_blended() -> None:
    natural, table = script("naturalness_left_out"), small_space().left
    for clips in (False, True):
        asked = np.arange(0, len(table), 7)
        seen = 0
        for row, selectors in natural.selectors_without(table, asked, clips=clips):
            assert tuple(selectors) == tuple(natural.METHODS)
            for selector in selectors.values():
                steps = selector.select(StepQuery(table.high[row], table.rises[row])).steps
                assert row not in steps
                if clips:
                    assert not (table.clips[steps] == table.clips[row]).any()
            seen += 1
        assert seen == len(asked)


def test_a_steps_own_plan_asks_for_its_own_numbers() -> None:
    space = small_space()
    for row in (0, 20, 40):
        planned = space.planned(script("naturalness_left_out").own_plan(space.left, row))
        asked = planned.queries(from_stand=False, to_stand=False)[0]
        assert_allclose(asked, space.left.high[row], atol=1e-9)


def test_samples_share_a_steps_time_and_parts_a_bodys_joints() -> None:
    natural, skeleton = script("naturalness_left_out"), small_space().skeleton
    durations = np.array([0.1, 0.5, 0.2])
    lasts, times = natural.durations_of_samples(durations), sample_times(durations[None])[0]
    assert_allclose([lasts.sum(), lasts @ times**2], [0.8, trapezoid(times**2, times)], atol=1e-12)
    parts = natural.body_parts(skeleton)
    assert parts.pop("all") == natural.counted(skeleton)
    assert sorted(j for own in parts.values() for j in own) == natural.counted(skeleton)
    part_of = {j: part for part, own in parts.items() for j in own}
    expected = {"hips": "trunk", "head": "trunk", "left_foot": "legs", "right_shank": "legs"}
    expected |= {"left_hand": "arms", "right_forearm": "arms", "neck": "trunk"}
    assert {role: part_of[skeleton.joint(role)] for role in expected} == expected
