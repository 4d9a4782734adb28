"""A walker's wishes, its clock, its edges; nothing that it is told makes it raise."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from footfall.figure.contacts import SIDES
from footfall.models.ring import layout
from footfall.models.ring.aligned import mid_sole
from footfall.models.ring.graph import RingGraph
from footfall.models.ring.model import MotionRing
from footfall.models.ring.walker import RingWalker
from footfall.world.mesh import MeshTerrain
from tests.models.ring.plain_ground import bumps, holed, promised, staircase, table, walker_on
from tests.models.ring.plain_ring import Figure, share_of
from tests.models.ring.rings import small_graph, small_ring
from tests.models.ring.test_kernels_walk import combined_ring, wish


def phase(walker: RingWalker) -> float:
    """Cycles since it began."""
    return 0.5 * (walker.state[layout.STRIKES] + share_of(walker.ring, walker.state))


def sole_of(walker: RingWalker, side: str) -> np.ndarray:
    skeleton = walker.graph.skeleton
    figure = Figure(skeleton, walker.pose[3:].reshape(-1, 4).copy(), walker.pose[:3].copy())
    return figure.place(side, mid_sole(skeleton, side))


@pytest.mark.parametrize("ring_of", [small_ring, combined_ring])
@pytest.mark.parametrize("ground", [lambda: table(200.0, 200.0), staircase, bumps])
def test_an_input_enters_the_search_within_a_quarter_of_a_cycle(
    ring_of: Callable[[], MotionRing], ground: Callable[[], MeshTerrain]
) -> None:
    """[rings] 4.4, in ring phase, for inputs at any moment; a frame more is the strike it waits for."""
    rng, terrain = np.random.default_rng(1), ground()
    where = (10.0, 10.0) if terrain is bumps() else (0.0, 0.0)
    waits, step = [], 1 / 240
    for _ in range(8):
        walker = walker_on(ring_of(), terrain, *where)
        for _ in range(15):
            for _ in range(int(rng.integers(1, 200))):
                walker.advance(step)
            wish(walker, rng)
            begun = phase(walker)
            while walker.state[layout.PENDING] > 0.5:
                walker.advance(step)
            waits.append(phase(walker) - begun)
            assert 0.0 <= walker.state[layout.RESPONSE] < 1.0  # s
    a_frame = step / small_ring().seconds.sum(axis=1).min()
    assert max(waits) <= 0.25 + 1.5 * a_frame
    assert np.min(waits) <= a_frame  # in the first half of a half cycle it is heard at once


def test_a_wish_is_answered_by_the_next_search() -> None:
    """On level ground the next strike turns as the wish does, whichever side it is."""
    for turn in (-0.4, 0.4):
        walker = walker_on(small_ring(), table(50.0, 50.0))
        walker.advance(0.1)
        walker.wish(heading=walker.heading + turn)
        for _ in range(300):
            walker.advance(1 / 60)
        assert walker.heading == pytest.approx(turn, abs=0.12)


@pytest.mark.parametrize("turn", [-2.5, -1.0, 0.7, 3.0])
def test_a_heading_is_reached_and_kept(turn: float) -> None:
    walker = walker_on(small_ring(), table(100.0, 100.0))
    walker.wish(heading=turn)
    for _ in range(20 * 60):
        walker.advance(1 / 60)
    assert abs((walker.heading - turn + np.pi) % (2 * np.pi) - np.pi) < 0.15
    before = walker.pose[:3].copy()
    for _ in range(4 * 60):
        walker.advance(1 / 60)
    way = walker.pose[:3] - before
    assert abs((np.arctan2(way[0], way[2]) - turn + np.pi) % (2 * np.pi) - np.pi) < 0.15
    assert np.hypot(way[0], way[2]) > 2.0  # m in four seconds


def test_longer_steps_when_they_are_wished() -> None:
    ways = []
    for length in (0.3, 0.6, 0.9):
        walker = walker_on(small_ring(), table(60.0, 60.0))
        walker.wish(step_length=length)
        steps, strikes = [], walker.state[layout.STRIKES]
        for _ in range(10 * 60):
            walker.advance(1 / 60)
            if walker.state[layout.STRIKES] != strikes:
                strikes = walker.state[layout.STRIKES]
                steps.append(np.linalg.norm(promised(walker.state) - walker.state[layout.ORIGIN :][:3]))
        ways.append(np.median(steps[3:]))
    assert ways[0] < ways[1] < ways[2]


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, None])
def test_what_is_no_number_is_not_heard(value: float | None) -> None:
    walker = walker_on(small_ring(), table())
    before = walker.state.copy()
    walker.wish(heading=value, step_length=value)
    assert_array_equal(walker.state, before)


@pytest.mark.parametrize("seconds", [np.nan, -1.0, -np.inf])
def test_a_time_that_is_none_is_no_time(seconds: float) -> None:
    walker = walker_on(small_ring(), table())
    walker.advance(0.3)
    before = walker.state.copy(), walker.pose.copy()
    walker.advance(seconds)
    assert_array_equal(walker.state, before[0])
    assert_array_equal(walker.pose, before[1])


def test_a_long_time_is_cut() -> None:
    first, second = (walker_on(small_ring(), table(50.0, 50.0)) for _ in range(2))
    first.advance(1.0)
    second.advance(1e12)
    assert_array_equal(first.pose, second.pose)


@pytest.mark.parametrize(
    ("ground", "where"),
    [(lambda: table(3.0, 3.0), (0.0, 0.0)), (lambda: table(0.6, 3.0), (0.0, 0.0)), (holed, (0.5, 0.5))],
)
@pytest.mark.parametrize("ring_of", [small_ring, combined_ring])
def test_no_foot_comes_down_on_nothing(
    ring_of: Callable[[], MotionRing], ground: Callable[[], MeshTerrain], where: tuple[float, float]
) -> None:
    """Before an edge or a hole it turns away or stands, and says so; feet that stood, stood on ground."""
    terrain: MeshTerrain = ground()
    said = set()
    for seed in range(3):
        walker, rng = walker_on(ring_of(), terrain, *where), np.random.default_rng(seed)
        strikes = walker.state[layout.STRIKES]
        for k in range(15 * 60):
            if seed and k % 40 == 0:
                wish(walker, rng)
            walker.advance(1 / 60)
            said.add(walker.status.says)
            if walker.state[layout.STRIKES] != strikes:
                strikes = walker.state[layout.STRIKES]
                landed = sole_of(walker, SIDES[int(walker.state[layout.HALF])])
                assert terrain.closest(landed).distance < 0.035  # m
    assert said & {"turning away", "standing"}


def test_it_stands_where_there_is_no_ground_at_all() -> None:
    walker = RingWalker(RingGraph.of(small_ring()), table(1.0, 1.0).tree.arrays, np.array([50.0, 0.0, 50.0]))
    for _ in range(300):
        walker.advance(1 / 60)
        assert np.isfinite(walker.pose).all()
    assert walker.status.says == "standing"
    assert np.linalg.norm(walker.pose[:3] - [50.0, 0.9, 50.0]) < 0.6  # m


def test_before_an_edge_a_figure_with_a_rest_comes_to_it_and_says_why() -> None:
    walker = RingWalker(small_graph(), table(0.35, 0.35).tree.arrays, np.zeros(3), gait="walk")
    said: list[str] = []
    walker.said = said.append
    for _ in range(15 * 60):  # it sets out again a few times, turned towards its wish,
        walker.advance(1 / 60)
    for _ in range(15 * 60):  # and then stays
        walker.advance(1 / 60)
        assert walker.status.gait == "rest"
    assert any("no ground" in one for one in said)
    assert np.abs(walker.pose[[0, 2]]).max() < 0.6  # m


def test_a_gait_that_is_not_there_is_said_once() -> None:
    walker = RingWalker(small_graph(), table().tree.arrays, np.zeros(3))
    said: list[str] = []
    walker.said = said.append
    for _ in range(3):
        walker.ask("fly")
    assert said == ["there is no gait 'fly'"]
    assert walker.status.changing_to is None


def test_it_begins_where_it_is_put_and_as_it_is_asked() -> None:
    terrain = bumps()
    for gait in ("walk", "rest", "trudge", None):
        walker = RingWalker(small_graph(), terrain.tree.arrays, np.array([10.0, 0.1, 8.0]), 0.7, gait)
        assert walker.status.gait == (gait or "rest")
        assert walker.heading == pytest.approx(0.7)
        assert np.hypot(*(walker.pose[[0, 2]] - [10.0, 8.0])) < 0.4  # m
        assert 0.7 < walker.pose[1] - 0.1 < 1.1


@pytest.mark.parametrize("ground", [lambda: table(100.0, 100.0), bumps, staircase])
def test_what_is_promised_is_kept(ground: Callable[[], MeshTerrain]) -> None:
    """A sole comes down where the search said it would, however the wishes change on the way."""
    terrain, rng = ground(), np.random.default_rng(4)
    walker = walker_on(small_ring(), terrain, *((10.0, 10.0) if terrain is bumps() else (0.0, 0.0)))
    strikes, planned, off = walker.state[layout.STRIKES], promised(walker.state), []
    for k in range(12 * 120):
        if k % 37 == 0:
            wish(walker, rng)
        walker.advance(1 / 120)
        if walker.state[layout.STRIKES] != strikes:
            strikes = walker.state[layout.STRIKES]
            off.append(np.linalg.norm(sole_of(walker, SIDES[int(walker.state[layout.HALF])]) - planned))
        planned = promised(walker.state)
    assert len(off) > 10
    assert max(off) < 0.01  # m: what it rolls in the rest of that frame, and what it is turned by
