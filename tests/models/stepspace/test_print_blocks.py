"""Blocks under prints: the highest counts, no sole that lies is under one, and level plans have none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from footfall.figure.contacts import SIDES
from footfall.figure.sole import Sole
from footfall.models.stepspace.planned import PlannedSteps
from footfall.models.stepspace.print_blocks import BEFORE, BESIDE, FOOT, PrintBlocks
from footfall.world.foot_plan import FootPlacement, FootPlan
from tests.models.stepspace.judges import drawn_plan, turned
from tests.models.stepspace.spaces import small_space


def blocks_of(plan: FootPlan) -> PrintBlocks:
    headings = np.array([p.heading for p in plan.placements], dtype=float)
    found = PrintBlocks.of(small_space().stage, PlannedSteps.of(plan, headings))
    assert found is not None
    return found


def walk(*prints: tuple[float, float, float]) -> FootPlan:
    return FootPlan(tuple(FootPlacement(SIDES[k % 2], np.array(p), 0.0) for k, p in enumerate(prints)))


def test_level_plans_have_no_blocks() -> None:
    plan = drawn_plan(0)
    headings = np.array([p.heading for p in plan.placements], dtype=float)
    assert PrintBlocks.of(small_space().stage, PlannedSteps.of(plan, headings)) is None


def test_a_block_is_as_long_as_the_foot_and_a_little_more() -> None:
    plan = walk((0.1, 0.0, 0.0), (-0.1, 0.0, 0.0), (0.1, 0.3, 3.0))
    blocks = blocks_of(plan)
    heel, tip = Sole.of(small_space().skeleton, "left").lengths
    along = np.array([3.0 - heel - BEFORE, 3.0 + tip + BEFORE])
    for inside, expected in ((1e-6, 0.3), (-1e-6, -np.inf)):
        z = along + inside * np.array([1.0, -1.0])
        assert_array_equal(blocks.height(np.full(2, 0.1), z), [expected] * 2)
    assert_array_equal(
        blocks.height(np.array([0.1 + BESIDE - 1e-6, 0.1 + BESIDE + 1e-6]), np.full(2, 3.0)), [0.3, -np.inf]
    )


def test_what_is_overhead_is_no_ground() -> None:
    blocks = blocks_of(walk((0.1, 0.0, 0.0), (-0.1, 0.0, 0.0), (0.1, 0.3, 3.0)))
    assert blocks.height(np.array([0.1]), np.array([3.0]), 0.2)[0] == -np.inf


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 400), st.floats(0.02, 0.25))
def test_no_print_lies_under_a_block(seed: int, uneven: float) -> None:
    """Wherever prints are, however near: heel, subtalar and tip of a foot that lies are on the ground."""
    plan = drawn_plan(seed, uneven=uneven)
    blocks = blocks_of(plan)
    for p in plan.placements:
        heel, tip = Sole.of(small_space().skeleton, p.foot).lengths
        assert p.heading is not None
        for along in (-heel + 1e-6, 0.0, tip - 1e-6):
            x, _, z = p.position + turned(np.array([0.0, 0.0, along]), p.heading)
            assert blocks.height(np.array([x]), np.array([z]))[0] <= p.position[1] + 1e-12


@pytest.mark.parametrize("apart", [0.2, 0.3])
def test_no_block_reaches_beside_into_another_print(apart: float) -> None:
    plan = walk((0.5 * apart, 0.2, 0.0), (-0.5 * apart, 0.0, 0.0), (0.5 * apart, 0.2, 0.5))
    for x in np.linspace(-0.5 * apart - 0.05, -0.5 * apart + 0.05, 11):
        assert blocks_of(plan).height(np.array([x]), np.array([0.0]))[0] == 0.0


def test_blocks_turn_and_move_with_their_plan() -> None:
    plan = drawn_plan(3, uneven=0.2)
    turn, shift = 0.7, np.array([1.3, 0.4, -2.0])
    moved = FootPlan(
        tuple(
            replace(p, position=turned(p.position, turn) + shift, heading=float(p.heading or 0.0) + turn)
            for p in plan.placements
        )
    )
    rng = np.random.default_rng(1)
    points = rng.uniform(-1.0, 1.5, size=(2000, 3)) * [1.0, 0.0, 1.0]
    there = np.stack([turned(p, turn) for p in points]) + shift
    own = blocks_of(plan).height(points[:, 0], points[:, 2])
    other = blocks_of(moved).height(there[:, 0], there[:, 2]) - shift[1]
    assert np.isfinite(own).sum() > 50
    assert np.isclose(own, other, atol=1e-9).mean() > 0.99  # but for places on an edge


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 200))
def test_cells_hide_no_block(seed: int) -> None:
    """Against all blocks asked one by one, over places drawn around the plan."""
    plan = drawn_plan(seed, uneven=0.2)
    blocks = blocks_of(plan)
    rng = np.random.default_rng(seed)
    places = blocks.places[rng.integers(0, len(blocks.places), 300)] + rng.normal(0.0, 0.3, (300, 3))
    x, top, z = places.T
    expected = []
    for a, start, b in zip(x, top, z, strict=True):
        highest, lowest = -np.inf, np.inf
        for (px, py, pz), heading, wide in zip(blocks.places, blocks.headings, blocks.beside, strict=True):
            sin, cos = np.sin(heading), np.cos(heading)
            along, aside = (a - px) * sin + (b - pz) * cos, abs((a - px) * cos - (b - pz) * sin)
            if aside < wide and -blocks.behind < along < blocks.ahead and py <= start:
                highest = max(highest, py)
                if aside < FOOT and BEFORE - blocks.behind < along < blocks.ahead - BEFORE:
                    lowest = min(lowest, py)
        expected.append(min(highest, lowest))
    assert_array_equal(blocks.height(x, z, top), expected)
