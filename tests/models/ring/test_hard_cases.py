"""Walks that were once got wrong: leaving toes, inclined strikes, long frames, wishes that are none."""

from __future__ import annotations

import numpy as np
import pytest

from footfall.character import Character
from footfall.control.gait import GaitController
from footfall.errors import RequestError
from footfall.geometry import quaternion as quat
from footfall.models.ring import layout
from footfall.models.ring.walker import RingWalker
from footfall.world.plane import FlatTerrain
from tests.control.plain_worlds import Waves
from tests.models.ring.plain_ground import slope, table, walker_on
from tests.models.ring.plain_ring import share_of
from tests.models.ring.rings import small_graph, small_ring
from tests.models.ring.test_kernels_walk import combined_ring, on, wish
from tests.models.ring.test_walker import phase


def toes(ring):
    return [ring.skeleton.joint(f"{side}_toe") for side in ("left", "right")]


@pytest.mark.parametrize("ground", ["level", "bumps", "stairs"])
def test_toes_do_not_pop(ground):
    ring, walker, worst = small_ring(), on(small_ring(), ground), 0.0
    before = walker.pose[3:].reshape(-1, 4).copy()
    for _ in range(4 * 1000):
        walker.advance(1 / 1000)
        now = walker.pose[3:].reshape(-1, 4).copy()
        worst = max(worst, np.degrees(quat.angle_between(before, now))[toes(ring)].max())
        before = now
    assert worst < 3.0  # degrees in a millisecond


def test_an_input_moves_no_toe_at_once():
    walker, rng = on(small_ring(), "bumps"), np.random.default_rng(9)
    for _ in range(400):
        walker.advance(1 / 60)
        before = walker.pose.copy()
        wish(walker, rng)
        walker.advance(0.0)
        assert np.abs(walker.pose - before).max() < 1e-6


@pytest.mark.parametrize("ground", ["slope", "bumps"])
@pytest.mark.parametrize("ring_of", [small_ring, combined_ring])
def test_strikes_hand_over_without_a_jump_on_inclined_ground(ring_of, ground):
    ring = ring_of()
    walker = walker_on(ring, slope(0.15, 0.15)) if ground == "slope" else on(ring, ground)
    state = walker.state
    for _ in range(8):
        while share_of(ring, state) < 0.9:
            walker.advance(1 / 60)
        left = ring.tables.half * (1.0 - share_of(ring, state)) * state[layout.SECONDS] / state[layout.PACE]
        walker.advance(left * (1.0 - 1e-3))
        left = ring.tables.half * (1.0 - share_of(ring, state)) * state[layout.SECONDS] / state[layout.PACE]
        walker.advance(left * (1.0 - 1e-6))
        before = walker.pose.copy()
        walker.advance(left * 1e-6 + 1e-7)
        away = quat.angle_between(before[3:].reshape(-1, 4), walker.pose[3:].reshape(-1, 4))
        away[toes(ring)] = 0.0
        assert away.max() < 1e-3  # rad
        assert np.abs(before[:3] - walker.pose[:3]).max() < 1e-4  # m


@pytest.mark.parametrize("fps", [1.0, 2.0, 3.0])
def test_a_figure_that_stands_is_held_at_any_rate(fps):
    for seed in range(10):
        gait, rng, world = GaitController(small_ring()), np.random.default_rng(seed), table(3.0, 3.0)
        for _ in range(int(40 * fps)):
            if rng.random() < 0.5:
                gait.command(turn=rng.normal(0.0, 0.8))
            gait.advance(1.0 / fps, world)
            state = gait.walker.state
            if state[layout.STATUS] == layout.STANDING:
                assert share_of(small_ring(), state) < 0.35


@pytest.mark.parametrize("word", ["heading", "step_length"])
def test_a_number_as_text(word):
    """7: `_number("0.3")` is true, but the text is passed on as it is: TypeError."""
    gait = GaitController(small_ring())
    gait.command(**{word: "0.3"})


def test_a_huge_turn_is_a_turn():
    gait, world = GaitController(small_ring()), FlatTerrain()
    gait.command(turn=1.7e308)
    for _ in range(300):
        gait.advance(1 / 60, world)
    assert gait.status.says == "walking"


def test_a_place_where_no_plane_can_be_cut():
    with pytest.raises(RequestError):
        GaitController(small_ring(), place=(1e8, 0.0))


def test_a_wish_that_none_knows_is_refused():
    with pytest.raises(RequestError):
        Character(small_ring().skeleton, [GaitController(small_ring())]).command(speed=1.0)


@pytest.mark.parametrize(
    "settings", [{"place": ("a", 0)}, {"place": None}, {"heading": "x"}, {"avoid": None}]
)
def test_refusals(settings):
    with pytest.raises(RequestError):
        GaitController(small_ring(), **settings)


@pytest.mark.parametrize("world", [FlatTerrain(name="water"), Waves(name="water")])
def test_where_all_is_avoided_nothing_is_ground(world):
    gait = GaitController(small_ring())
    for _ in range(120):
        gait.advance(1 / 60, world)
    assert gait.status.says == "standing"


def test_a_label_as_one_word():
    """12: avoid="lava" is four letters."""
    from tests.control.plain_worlds import striped

    gait, world = GaitController(small_ring(), avoid="lava"), striped("lava")
    for _ in range(600):
        gait.advance(1 / 60, world)
    assert gait.walker.state[layout.ORIGIN + 2] < 4.06


def test_who_stands_for_want_of_ground_comes_to_the_rest_that_is_asked():
    """Or says why not: the other foot has no ground there either."""
    from tests.models.ring.plain_ground import generated

    terrain, stood, rested = generated("stones"), 0, 0
    for heading in np.linspace(-3.0, 3.0, 8):
        level = float(terrain.height(np.array(0.0), np.array(0.0)))
        start = np.array([0.0, level, 0.0])
        walker, said = RingWalker(small_graph(), terrain.tree.arrays, start, heading, "trudge"), []
        walker.said = said.append
        for k in range(6 * 240):
            if k == 2 * 240:
                walker.ask("rest")
            walker.advance(1 / 240)
            stood += walker.status.says == "standing" and walker.status.gait == "trudge"
        rested += walker.status.gait == "rest"
        assert walker.status.gait == "rest" or any("no rest" in sentence for sentence in said)
    assert stood > 0
    assert rested >= 4


def test_a_crowd_refuses_with_words():
    from footfall.batch.crowd import Crowd

    for wrong in (
        lambda: Crowd(small_ring(), np.zeros((3, 2)), np.zeros(2)),
        lambda: Crowd(small_ring(), "ab"),
        lambda: Crowd(small_ring(), np.zeros((3, 2)), threads="a"),
        lambda: Crowd(small_ring(), np.zeros((3, 2))).command(turn=np.zeros(7)),
        lambda: Crowd(small_ring(), np.zeros((3, 2))).command(turn=0.1, who=[99]),
        lambda: Crowd(small_ring(), np.zeros((3, 2))).command(turn="x"),
    ):
        with pytest.raises(RequestError):
            wrong()


def test_an_equal_world_is_the_same_world():
    gait = GaitController(small_ring())
    for _ in range(300):
        gait.advance(1 / 60, FlatTerrain())
    assert gait.walker.pose[2] > 2.0


def test_an_input_in_a_transition_is_heard_within_a_quarter_too():
    walker, rng = (
        RingWalker(small_graph(), table(300.0, 300.0).tree.arrays, np.zeros(3), 0.0, "walk"),
        np.random.default_rng(0),
    )
    for k in range(60):
        walker.ask(("trudge", "walk")[k % 2])
        for _ in range(400):
            walker.advance(1 / 240)
            if walker._left is not None:
                break
        for _ in range(int(rng.integers(1, 40))):
            walker.advance(1 / 240)
        wish(walker, rng)
        begun = phase(walker)
        while walker.state[layout.PENDING] > 0.5:
            walker.advance(1 / 240)
        assert phase(walker) - begun <= 0.26
