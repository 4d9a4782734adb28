"""Ways and footholds that tie by construction are the same whatever the last digits are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import footfall as ff
from footfall.actor.virtual_actor import VirtualActor
from footfall.geometry import quaternion as quat
from footfall.models.walkedit.extract import extract_cycle
from footfall.models.walkedit.way import bending_way, way_along
from tests.models.walkedit.test_foothold_search import walk_on
from tests.models.walkedit.test_footing import Land
from tests.models.walkedit.walks import ACTOR, as_asked, cycle_of, edit_of

pytestmark = pytest.mark.cpu
JITTER = 1e-9


def test_a_way_of_whole_samples_has_as_many() -> None:
    for length in (0.5, 3.6, 4.0, 12.34):
        counts = set()
        for seed in range(10):
            off = JITTER * np.random.default_rng(seed).uniform(-1.0, 1.0, (3, 2))
            way, _ = way_along(np.array([[0.0, 0.0], [0.0, 0.5 * length], [0.0, length]]) + off)
            counts.add(len(way.points))
        assert len(counts) == 1
        assert len({len(bending_way(0.3, length + off).points) for off in (-JITTER, 0.0, JITTER)}) == 1


def test_pieces_of_a_way_that_goes_round_end_at_the_same_samples() -> None:
    pieces = {
        tuple((t.first, t.last) for t in bending_way(0.5 + off, 40.0).turns) for off in (-JITTER, 0.0, JITTER)
    }
    assert len(pieces) == 1


def test_footholds_on_even_ground() -> None:
    """Many ways over it cost the same: the same places are found."""
    told = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        land = Land(lambda x, z, rng=rng: JITTER * rng.uniform(-1.0, 1.0, np.broadcast(x, z).shape))
        told.append(walk_on(land, length=0.6 + JITTER * rng.uniform(-1.0, 1.0)))
    for found in told:
        assert_array_equal(found.feet, told[0].feet)
        np.testing.assert_allclose(found.distance, told[0].distance, rtol=0.0, atol=1e-6)
        np.testing.assert_allclose(found.aside, told[0].aside, rtol=0.0, atol=1e-6)


def test_what_is_said_of_a_way_that_comes_round_in_whole_steps() -> None:
    step = cycle_of(ACTOR).step_length
    curve = 2.0 * np.pi / (8.0 * step)  # once round in eight steps
    said = set()
    for off in (-JITTER, 0.0, JITTER):
        told = (
            edit_of(ACTOR)
            .synthesize(steps=9, curve=min(curve, 1.2) + off, step_length=step, slope=0.1)
            .clamped
        )
        said.add(tuple(told))
    assert len(said) == 1


def test_edges_of_level_ground_lie_between_the_feet() -> None:
    course = as_asked(cycle_of(ACTOR), steps=4)
    tilted = as_asked(cycle_of(ACTOR), steps=4, slope=0.1 * JITTER)
    np.testing.assert_allclose(course.ground.edges, tilted.ground.edges, rtol=0.0, atol=1e-7)


def test_the_same_cycle_of_a_steady_walk_is_taken() -> None:
    """All its cycles are alike."""
    walk = VirtualActor(1).walk(1.3, steps=6).motion

    def first(seed: int) -> ff.Motion:
        rng = np.random.default_rng(seed)
        root = walk.root + JITTER * rng.uniform(-1.0, 1.0, walk.root.shape)
        turns = quat.exp(0.5 * JITTER * rng.uniform(-1.0, 1.0, (*walk.rotations.shape[:-1], 3)))
        moved = replace(walk, root=root, rotations=quat.multiply(turns, walk.rotations))
        return extract_cycle(moved).captured

    told = [first(seed) for seed in range(3)]
    for other in told:
        assert len(other) == len(told[0])
        np.testing.assert_allclose(other.positions, told[0].positions, rtol=0.0, atol=1e-6)
