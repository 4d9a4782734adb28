"""A crowd is many walkers: bit for bit, on any number of threads."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.batch.crowd import Crowd
from footfall.errors import RequestError
from footfall.figure.kinematics import forward
from footfall.models.ring.graph import RingGraph
from footfall.models.ring.model import MotionRing
from footfall.models.ring.walker import RingWalker
from footfall.world.mesh import MeshTerrain
from tests.models.ring.plain_ground import bumps, staircase, table
from tests.models.ring.rings import resting_ring, small_ring
from tests.models.ring.test_kernels_walk import combined_ring

PLACES = np.array([[9.0, 9.0], [10.0, 9.5], [11.0, 10.0], [9.5, 11.0], [10.5, 11.5]])
HEADINGS = np.array([0.0, 0.5, -1.0, 3.0, 1.5])


def walkers(ring: MotionRing, terrain: MeshTerrain) -> list[RingWalker]:
    levels = terrain.height(PLACES[:, 0], PLACES[:, 1])
    return [
        RingWalker(RingGraph.of(ring), terrain.tree.arrays, np.array([x, y, z]), h)
        for (x, z), y, h in zip(PLACES, levels, HEADINGS, strict=True)
    ]


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("ring_of", [small_ring, combined_ring])
def test_a_crowd_is_its_walkers_bit_for_bit(ring_of: Callable[[], MotionRing], threads: int) -> None:
    ring, terrain, rng = ring_of(), bumps(), np.random.default_rng(1)
    crowd, alone = Crowd(ring, PLACES, HEADINGS, world=terrain, threads=threads), walkers(ring, terrain)
    for k in range(240):
        if k % 30 == 0:
            turns, lengths = rng.normal(0.0, 0.5, len(alone)), rng.uniform(0.3, 0.9, len(alone))
            headings = crowd.headings + turns
            crowd.command(turn=turns, step_length=lengths)
            for walker, heading, length in zip(alone, headings, lengths, strict=True):
                walker.wish(heading=heading, step_length=length)
        root, rotations = crowd.step(1 / 60)
        for walker in alone:
            walker.advance(1 / 60)
        poses = np.stack([walker.pose for walker in alone])
        assert root.tobytes() == np.ascontiguousarray(poses[:, :3]).tobytes()
        assert_array_equal(rotations, poses[:, 3:].reshape(len(alone), -1, 4))


def test_nobody_knows_of_the_others() -> None:
    ring, terrain = small_ring(), bumps()
    whole, some = (
        Crowd(ring, PLACES, HEADINGS, world=terrain),
        Crowd(ring, PLACES[2:4], HEADINGS[2:4], world=terrain),
    )
    for _ in range(120):
        whole.step(1 / 60)
        some.step(1 / 60)
    assert_array_equal(whole.root[2:4], some.root)


def test_only_who_is_asked_obeys() -> None:
    crowd = Crowd(small_ring(), np.column_stack([3.0 * np.arange(6), np.zeros(6)]), world=table(60.0, 60.0))
    asked, others = np.array([1, 4]), np.array([0, 2, 3, 5])
    crowd.command(turn=0.5, who=asked)
    for _ in range(600):
        crowd.step(1 / 60)
    assert_allclose(crowd.headings[asked], 0.5, atol=0.12)
    assert np.abs(crowd.headings[others]).max() < 0.12


def test_what_is_no_number_is_not_heard() -> None:
    crowd, same = (Crowd(small_ring(), PLACES[:, :2] - 10.0, world=table(60.0, 60.0)) for _ in range(2))
    crowd.command(turn=np.array([np.nan, np.inf, -np.inf, np.nan, np.nan]), step_length=np.nan)
    for _ in range(60):
        crowd.step(1 / 60)
        same.step(1 / 60)
    assert_array_equal(crowd.root, same.root)


@pytest.mark.parametrize("dt", [np.nan, -1.0, 0.0, -np.inf])
def test_a_time_that_is_none_is_no_time(dt: float) -> None:
    crowd = Crowd(small_ring(), np.zeros((2, 2)))
    crowd.step(0.4)
    before = crowd.root.copy()
    assert_array_equal(crowd.step(dt)[0], before)


def test_a_long_time_is_cut() -> None:
    first, second = Crowd(small_ring(), np.zeros((2, 2))), Crowd(small_ring(), np.zeros((2, 2)))
    assert_array_equal(first.step(np.inf)[0], second.step(1.0)[0])


def test_everybody_stays_whole_and_on_the_ground() -> None:
    ring, terrain = small_ring(), staircase()
    places = np.column_stack([np.linspace(-3.0, 3.0, 12), np.linspace(-2.0, 9.0, 12)])
    crowd, rng = Crowd(ring, places, 0.0, world=terrain, threads=2), np.random.default_rng(2)
    for k in range(600):
        if k % 60 == 0:
            crowd.command(heading=rng.normal(0.0, 0.2, 12))
        root, rotations = crowd.step(1 / 60)
    joints, _ = forward(ring.skeleton.tree, ring.skeleton.offsets, root, rotations)
    assert_allclose(np.linalg.norm(rotations, axis=-1), 1.0, atol=1e-6)
    feet = joints[:, [ring.skeleton.joint(f"{s}_foot") for s in ("left", "right")]]
    levels = terrain.height(feet[..., 0], feet[..., 2])
    there = np.isfinite(levels)
    assert there.mean() > 0.7
    assert np.abs(feet[..., 1] - levels)[there].max() < 0.6  # m
    assert crowd.contacts.any(axis=1).all()


def test_who_finds_no_ground_is_told() -> None:
    crowd = Crowd(small_ring(), np.array([[0.0, 0.0], [0.1, 0.05]]), world=table(0.4, 0.4))
    for _ in range(300):
        crowd.step(1 / 60)
    assert crowd.standing.all()
    wide = Crowd(small_ring(), np.zeros((2, 2)), world=table(50.0, 50.0))
    wide.step(0.5)
    assert not wide.standing.any()


@pytest.mark.parametrize(
    ("ring", "places", "words"),
    [
        (resting_ring, np.zeros((2, 2)), "goes somewhere"),
        (small_ring, np.zeros((0, 2)), "at least one"),
        (small_ring, np.zeros((2, 3)), "x and z"),
        (small_ring, np.full((2, 2), np.nan), "finite"),
    ],
)
def test_refusals(ring: Callable[[], MotionRing], places: np.ndarray, words: str) -> None:
    with pytest.raises(RequestError, match=words):
        Crowd(ring(), places)


def test_no_ground_under_one_of_them_is_refused_by_number() -> None:
    with pytest.raises(RequestError, match="under figure 2"):
        Crowd(small_ring(), np.array([[0.0, 0.0], [9.0, 0.0]]), world=table())
    with pytest.raises(RequestError, match="finite"):
        Crowd(small_ring(), np.zeros((2, 2)), np.nan)
    with pytest.raises(RequestError, match="threads"):
        Crowd(small_ring(), np.zeros((2, 2)), threads=0)
