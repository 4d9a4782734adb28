"""A crowd is many lone figures: bit for bit, on any ground, anywhere, on any number of threads."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.batch import crowd_ground
from footfall.batch.crowd import Crowd
from footfall.control.gait import GaitController
from footfall.errors import RequestError
from footfall.figure.kinematics import forward
from footfall.models.ring import layout
from footfall.models.ring.model import MotionRing
from footfall.world.plane import FlatTerrain, InclinedTerrain
from footfall.world.terrain import Terrain
from tests.control.plain_worlds import Waves, field, striped
from tests.models.ring.plain_ground import bumps, staircase, table
from tests.models.ring.rings import resting_ring, small_ring
from tests.models.ring.test_kernels_walk import combined_ring

PLACES = np.array([[9.0, 9.0], [10.0, 9.5], [11.0, 10.0], [9.5, 11.0], [10.5, 11.5]])
HEADINGS = np.array([0.0, 0.5, -1.0, 3.0, 1.5])
ABOUT = PLACES - 10.0  # the same about the origin


def lone(
    ring: MotionRing,
    places: np.ndarray,
    headings: np.ndarray,
    world: Terrain,
    avoid: tuple[str, ...] = ("water",),
) -> list[GaitController]:
    """Figures that each walk for themselves."""
    gaits = [
        GaitController(ring, place=(x, z), heading=heading, avoid=avoid)
        for (x, z), heading in zip(places.tolist(), headings.tolist(), strict=True)
    ]
    for gait in gaits:
        gait.advance(0.0, world)
    return gaits


def same(crowd: Crowd, alone: list[GaitController]) -> None:
    """Every number of every figure, and what is told of it."""
    poses = np.stack([gait.walker.pose for gait in alone])
    assert crowd.root.tobytes() == np.ascontiguousarray(poses[:, :3]).tobytes()
    assert crowd.rotations.tobytes() == np.ascontiguousarray(poses[:, 3:]).tobytes()
    assert_array_equal(crowd.headings, [gait.heading for gait in alone])
    assert_array_equal(crowd.contacts, [gait.contacts for gait in alone])
    assert_array_equal(crowd.standing, [gait.status.says == "standing" for gait in alone])


def walk_both(
    crowd: Crowd, alone: list[GaitController], *, frames: int = 240, dt: float = 1 / 60, seed: int = 1
) -> None:
    """The same random wishes to both, and after every frame the same numbers."""
    rng, count = np.random.default_rng(seed), len(alone)
    crowd.step(0.0)
    for k in range(frames):
        if k % 30 == 0:
            turns, lengths = rng.normal(0.0, 0.5, count), rng.uniform(0.3, 0.9, count)
            crowd.command(turn=turns, step_length=lengths)
            for gait, turn, length in zip(alone, turns, lengths, strict=True):
                gait.command(turn=turn, step_length=length)
        crowd.step(dt)
        for gait in alone:
            gait.advance(dt)
        same(crowd, alone)


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("ring_of", [small_ring, combined_ring])
def test_a_figure_among_others_walks_as_it_does_alone(
    ring_of: Callable[[], MotionRing], threads: int
) -> None:
    ring, world = ring_of(), bumps()
    crowd = Crowd(ring, PLACES, HEADINGS, world=world, threads=threads)
    walk_both(crowd, lone(ring, PLACES, HEADINGS, world))


@pytest.mark.parametrize("away", [(0.0, 0.0), (1000.0, -3000.0), (123_456.7, 0.0)])
@pytest.mark.parametrize(
    "world", [FlatTerrain(1.5), InclinedTerrain(0.1), InclinedTerrain(-0.07), Waves()], ids=str
)
def test_on_ground_that_is_cut_too(world: Terrain, away: tuple[float, float]) -> None:
    """Alone, each has pieces of its own; among others it shares them, and the order of figures is none."""
    ring, places = small_ring(), ABOUT + away
    crowd = Crowd(ring, places, HEADINGS, world=world, threads=2)
    walk_both(crowd, lone(ring, places, HEADINGS, world), frames=420)


@pytest.mark.parametrize("world", [field(), striped("water"), staircase()], ids=repr)
def test_on_ground_that_is_whole_too(world: Terrain) -> None:
    ring = small_ring()
    walk_both(Crowd(ring, ABOUT, HEADINGS, world=world), lone(ring, ABOUT, HEADINGS, world), frames=420)


@pytest.mark.parametrize("world", [FlatTerrain(), Waves()], ids=str)
def test_far_and_wide_everybody_has_ground(world: Terrain) -> None:
    """Kilometres apart, and with steps in time so long that a piece is left at each."""
    ring = small_ring()
    places = np.array([[0.0, 0.0], [0.0, 500.0], [-4000.0, 80.0], [0.3, 0.1], [9e5, -9e5]])
    crowd = Crowd(ring, places, HEADINGS, world=world, threads=2)
    before = crowd.root.copy()
    walk_both(crowd, lone(ring, places, HEADINGS, world), frames=120, dt=0.25)
    assert not crowd.standing.any()
    assert (np.linalg.norm(crowd.root - before, axis=1) > 2.0).all()


def test_nobody_comes_to_the_end_of_a_plane() -> None:
    ring, heading = small_ring(), np.array([0.4])
    crowd, alone = (
        Crowd(ring, np.zeros((1, 2)), heading),
        lone(ring, np.zeros((1, 2)), heading, FlatTerrain()),
    )
    crowd.step(0.0)
    pieces = set()
    for _ in range(2000):
        crowd.step(0.5)
        alone[0].advance(0.5)
        pieces.add(tuple(crowd._ground._pieces[0].tolist()))
    same(crowd, alone)
    assert np.hypot(*crowd.root[0, [0, 2]]) > 500.0  # m
    assert len(pieces) > 3
    assert not crowd.standing.any()


def test_pieces_that_were_left_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd_ground, "KEPT", 2)
    crowd = Crowd(small_ring(), np.array([[0.0, 0.0], [0.2, 0.1], [60.0, 60.0]]), world=Waves())
    seen: set[tuple[int, ...]] = set()
    for _ in range(120):
        crowd.step(0.5)
        now = {tuple(piece) for piece in crowd._ground._pieces.tolist()}
        assert now <= set(crowd._ground._trees)
        assert len(crowd._ground._trees) <= len(now) + 2
        seen |= now
    assert len(seen) > 10


def test_who_stands_on_the_same_piece_shares_it() -> None:
    world = Waves()
    Crowd(small_ring(), np.random.default_rng(3).uniform(-1.0, 1.0, (40, 2)), world=world)
    assert world.asked == 2  # the levels they begin on, and one piece


def test_threads_change_nothing_though_pieces_are_mixed() -> None:
    """Neighbours in the list are far from each other in the world: a run for each."""
    ring, rng = small_ring(), np.random.default_rng(5)
    places = rng.uniform(-3.0, 3.0, (24, 2)) + np.where(np.arange(24) % 2, 0.0, 400.0)[:, None]
    crowds = [Crowd(ring, places, 0.3, threads=threads) for threads in (1, 2, 7, 24)]
    turns = rng.normal(0.0, 0.5, 24)
    for crowd in crowds:
        crowd.command(turn=turns)
        for _ in range(120):
            crowd.step(1 / 60)
    for one, other in pairwise(crowds):
        assert one._states.tobytes() == other._states.tobytes()
        assert one._poses.tobytes() == other._poses.tobytes()


def test_headings_are_within_half_a_turn() -> None:
    ring = small_ring()
    crowd, alone = Crowd(ring, ABOUT, HEADINGS), lone(ring, ABOUT, HEADINGS, FlatTerrain())
    crowd.step(0.0)
    farthest = 0.0
    for k in range(60 * 40):
        if k % 20 == 0:
            crowd.command(turn=0.6)
            for gait in alone:
                gait.command(turn=0.6)
        crowd.step(1 / 60)
        for gait in alone:
            gait.advance(1 / 60)
        assert (np.abs(crowd.headings) <= np.pi).all()
        farthest = max(farthest, float(np.abs(crowd._states[:, layout.HEADING]).max()))
    same(crowd, alone)
    assert farthest > np.pi  # they did turn round


@pytest.mark.parametrize("wish", [7.0, -4.0, 1e9, 1e15, 1e16, -1e300, np.inf, np.nan])
def test_a_wild_heading_is_heard_as_a_lone_figure_hears_it(wish: float) -> None:
    ring = small_ring()
    crowd, alone = Crowd(ring, ABOUT, HEADINGS), lone(ring, ABOUT, HEADINGS, FlatTerrain())
    crowd.step(0.0)
    crowd.command(heading=wish, step_length=0.5)
    crowd.command(turn=np.nan, heading=0.2, who=np.array([1]))  # a turn that is none leaves the heading
    crowd.command(turn=0.1, heading=0.2, who=np.array([2]))
    for k, gait in enumerate(alone):
        gait.command(heading=wish, step_length=0.5)
        if k == 1:
            gait.command(turn=np.nan, heading=0.2)
        if k == 2:
            gait.command(turn=0.1, heading=0.2)
    for _ in range(120):
        crowd.step(1 / 60)
        for gait in alone:
            gait.advance(1 / 60)
    same(crowd, alone)


def test_a_wish_told_again_is_no_news() -> None:
    """As a stick is: told at every frame. Neither in a crowd nor alone does that change the walk."""
    ring, world = small_ring(), bumps()
    once, always = (Crowd(ring, PLACES, HEADINGS, world=world) for _ in range(2))
    alone = lone(ring, PLACES, HEADINGS, world)
    usual = float(
        once._states[0, layout.WISH_LENGTH]
    )  # told for the first time it is news, though it is usual
    for crowd in (once, always):
        crowd.step(0.0)
    for k in range(240):
        wishes = {"heading": 0.4 if k < 90 else 7.0, "step_length": usual if k < 150 else 0.5}
        if k in (0, 90, 150):
            once.command(**wishes)
        always.command(**wishes)
        for gait in alone:
            gait.command(**wishes)
            gait.advance(1 / 60)
        once.step(1 / 60)
        always.step(1 / 60)
        assert once._states.tobytes() == always._states.tobytes()
        same(always, alone)


def test_water_is_avoided_unless_one_says_no() -> None:
    ring, world = small_ring(), striped("water", 4.0, 9.0)
    wet, far = {}, {}
    for avoid in (("water",), (), "water", ["lava"]):
        crowd = Crowd(ring, ABOUT, 0.0, world=world, avoid=avoid)
        least = []
        for _ in range(900):
            crowd.step(1 / 60)
            feet = crowd._states[:, layout.LANDING + 2]
            least.append(((feet > 4.1) & (feet < 8.9)).any())
        wet[str(avoid)], far[str(avoid)] = any(least), crowd.root[:, 2].max()
    assert not wet["('water',)"]
    assert far["('water',)"] == far["water"] < 4.6
    assert wet["()"]
    assert far["()"] == far["['lava']"] > 9.0
    default = Crowd(ring, ABOUT, 0.0, world=world)
    for _ in range(900):
        default.step(1 / 60)
    assert default.root[:, 2].max() == far["water"]


@pytest.mark.parametrize("avoid", [(), ("water",), ("lava", "water")])
def test_who_avoids_is_as_a_lone_figure_that_does(avoid: tuple[str, ...]) -> None:
    """Some begin in the water."""
    ring, world, places = small_ring(), striped("water", 1.0, 4.0), 2.0 * ABOUT
    crowd = Crowd(ring, places, HEADINGS, world=world, avoid=avoid)
    walk_both(crowd, lone(ring, places, HEADINGS, world, avoid), frames=300)


@pytest.mark.parametrize("avoid", [3, None, [1, 2], [["water"]]])
def test_labels_that_are_none_are_refused(avoid: object) -> None:
    with pytest.raises(RequestError, match="labels to avoid"):
        Crowd(small_ring(), ABOUT, avoid=avoid)  # type: ignore[arg-type]


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
        (small_ring, np.full((2, 2), 1.1e6), "within 1e"),
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
