"""Ways and footholds that tie by construction are the same whatever the last digits are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import footfall as ff
from footfall.actor.virtual_actor import VirtualActor
from footfall.adapt.swing_clearance import BUMPS
from footfall.geometry import quaternion as quat
from footfall.models.walkedit import swing_lift
from footfall.models.walkedit.extract import extract_cycle
from footfall.models.walkedit.footing import LIP, STEEPEST, TOUCHING, WALL
from footfall.models.walkedit.phase import Clock
from footfall.models.walkedit.steps import Footprints
from footfall.models.walkedit.way import bending_way, way_along
from tests.models.walkedit.test_foothold_search import walk_on
from tests.models.walkedit.test_footing import Land, plane, shape_of, stands
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


def test_ground_that_is_just_at_a_limit() -> None:
    """Just so steep, with a wall or a lip before the toes that is just so high: a foot may stand there."""
    shape = shape_of(ACTOR, "left")
    for off in (-JITTER, -1e-12, 0.0, 1e-12, JITTER):
        assert stands(plane(STEEPEST + off, 0.0), shape).firm[0]
        for high, crowded in ((WALL, TOUCHING), (LIP, 0)):
            front = shape.along[-1] + 0.003
            wall = Land(lambda x, z, front=front, high=high + off: np.where(z > front, high, 0.0 * x))
            found = stands(wall, shape)
            assert (found.firm[0], found.crowded[0]) == (True, crowded)


def test_swings_that_a_lag_gentles_by_just_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lag is tried from some bending and depth on, and taken where it bends clearly less."""
    cycle = cycle_of(ACTOR)
    prints = as_asked(cycle, steps=4).prints

    def lags(first: float, second: float, deep: float) -> list[float]:
        """Those that are taken where swings bend by the first, and with a lag by the second."""
        bending = {0.0: first, swing_lift.LAGS[1]: second}
        now = [0.0]

        def against(_: object, lagging: Footprints, *rest: object) -> tuple[np.ndarray, np.ndarray]:
            now[0] = float(np.abs(lagging.lags).max())
            return np.zeros((len(rest[2]), 2)), np.full((len(rest[2]), 2), deep)  # type: ignore[arg-type]

        monkeypatch.setattr(swing_lift, "_held_against", against)
        monkeypatch.setattr(swing_lift, "least_lifts", lambda *_: (np.zeros(BUMPS), 0.0, bending[now[0]]))
        found = swing_lift.swing_lifts(cycle, prints, Land(lambda x, z: 0.0 * x), Clock.of(cycle, prints))
        return np.unique(np.abs(found.lags)).tolist()

    assert lags(10.0, 0.0, -1.0) == list(swing_lift.LAGS)
    for off in (-JITTER, -1e-12, 0.0, 1e-12, JITTER):
        assert lags(10.0, 10.0 * swing_lift.LESS + off, -1.0) == [0.0]
        assert lags(swing_lift.MUCH + off, 0.0, -1.0) == [0.0]
        assert lags(10.0, 0.0, -swing_lift.DEEP + off) == [0.0]


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
