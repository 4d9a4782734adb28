"""Stairs by formula: treads where they belong, spirals that agree with themselves over several flights."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.errors import RequestError
from footfall.world.stairs import SpiralStairs, StraightStairs

STRAIGHT = [(0.16, 0.30), (-0.18, 0.28), (0.09, 0.62)]
SPIRALS = [(0.16, np.pi / 8), (-0.15, np.pi / 8), (0.17, -np.pi / 16), (-0.1, -0.5)]


@pytest.mark.parametrize(("riser", "tread"), STRAIGHT)
def test_straight_treads(riser: float, tread: float) -> None:
    """Tread k is level, centred at k treads, k risers high, and as wide as the world."""
    stairs = StraightStairs(riser, tread)
    for k in range(-5, 6):
        z = tread * (k + np.linspace(-0.499, 0.499, 21))
        x = np.linspace(-100.0, 100.0, 21)
        assert_allclose(stairs.height(x, z), k * riser, rtol=0, atol=1e-12)
    edge = 0.5 * tread
    heights = stairs.height(np.zeros(2), np.array([edge - 1e-9, edge + 1e-9]))
    assert_allclose(heights, [0.0, riser], rtol=0, atol=1e-12)


def test_straight_stairs_repeat_themselves() -> None:
    stairs = StraightStairs(0.17, 0.31)
    points = np.random.default_rng(0).uniform(-3, 3, (4, 50, 3))
    on = points + np.array([0.3, 5.0, 7 * 0.31])
    assert_allclose(stairs.under(on), stairs.under(points) + 7 * 0.17, rtol=0, atol=1e-12)
    assert_array_equal(stairs.under(points), stairs.height(points[..., 0], points[..., 2]))
    assert stairs.under(points).shape == (4, 50)


def on_wedge(stairs: SpiralStairs, k: float, away: np.ndarray) -> np.ndarray:
    """Points `away` from the axis in the middle of wedge k, at the wedge's own height."""
    angle = k * stairs.turn
    start = np.sign(stairs.axis) * away
    x = stairs.axis - start * np.cos(angle)
    return np.stack([x, np.full_like(away, k * stairs.riser), start * np.sin(angle)], axis=-1)


@pytest.mark.parametrize(("riser", "turn"), SPIRALS)
def test_spiral_wedges(riser: float, turn: float) -> None:
    """Wedge 0 holds the origin; a walker who turns by `turn` a step finds each wedge a riser higher."""
    stairs = SpiralStairs(riser, turn, axis=0.5 / turn)
    assert stairs.height(np.zeros(1), np.zeros(1))[0] == 0.0
    away = np.linspace(0.3, 2.0, 9)
    half = int(np.pi / abs(turn)) - 1
    for k in range(-half, half + 1):
        points = on_wedge(stairs, k, away)
        assert_allclose(stairs.height(points[:, 0], points[:, 2]), k * riser, rtol=0, atol=1e-12)
        assert_allclose(stairs.under(points), k * riser, rtol=0, atol=1e-12)
    # the first wedge after the origin's lies ahead, where a walker who faces +Z goes
    assert (on_wedge(stairs, 1, away)[:, 2] > 0.0).all()


@pytest.mark.parametrize(("riser", "turn"), SPIRALS)
def test_flights_over_each_other_are_told_by_height(riser: float, turn: float) -> None:
    """Five times round, up and down: the ground under a foot is its own flight's, not the one below."""
    stairs = SpiralStairs(riser, turn, axis=0.45 / turn)
    away = np.linspace(0.3, 1.0, 5)
    steps = 5 * int(2 * np.pi / abs(turn))
    for k in range(-steps, steps + 1, 3):
        points = on_wedge(stairs, k, away)
        for lifted in (-0.05, 0.0, 0.3):  # a sole in stance, or swinging over it
            assert_allclose(stairs.under(points + np.array([0.0, lifted, 0.0])), k * riser, rtol=0, atol=1e-9)


def test_a_spiral_without_a_rise_is_a_floor() -> None:
    stairs = SpiralStairs(0.0, 0.3, 1.0)
    points = np.random.default_rng(1).uniform(-2, 2, (30, 3))
    assert_array_equal(stairs.under(points), np.zeros(30))
    assert_array_equal(stairs.height(points[:, 0], points[:, 2]), np.zeros(30))


def test_a_wide_spiral_is_all_but_straight() -> None:
    """With its axis a kilometre away the treads near the origin are those of a straight stair."""
    turn = 0.3 / 1000.0
    spiral, straight = SpiralStairs(0.16, turn, axis=1000.0), StraightStairs(0.16, 0.3)
    z = 0.3 * (np.arange(-4, 5)[:, None] + np.linspace(-0.48, 0.48, 11))
    x = np.random.default_rng(2).uniform(-0.5, 0.5, z.shape)
    assert_allclose(spiral.height(x, z), straight.height(x, z), rtol=0, atol=1e-9)


class TestFlights:
    """The same stairs as meshes."""

    @pytest.mark.parametrize("riser", [0.17, -0.12])
    def test_a_straight_one_agrees_with_the_formula(self, riser: float) -> None:
        stairs = StraightStairs(riser, 0.31)
        mesh = stairs.flight(-2, 9, width=2.0)
        rng = np.random.default_rng(0)
        x, z = rng.uniform(-0.99, 0.99, 3000), rng.uniform(-2.49 * 0.31, 9.49 * 0.31, 3000)
        assert_allclose(mesh.height(x, z), stairs.height(x, z), rtol=0, atol=1e-12)
        assert set(mesh.label(x, z)) == {"stairs"}
        assert np.isneginf(mesh.height(1.01, 0.0))

    @pytest.mark.parametrize("turn", [np.pi / 8, -np.pi / 16])
    @pytest.mark.parametrize("riser", [0.17, -0.12])
    def test_a_spiral_one_agrees_with_the_formula(self, riser: float, turn: float) -> None:
        stairs = SpiralStairs(riser, turn, axis=0.5 / turn)
        mesh = stairs.flight(-1, 6)
        rng = np.random.default_rng(1)
        k, away = rng.uniform(-1.4, 6.4, 3000), rng.uniform(-0.5, 0.5, 3000)
        inside = np.abs(k - np.round(k)) < 0.49  # edges of the plan are chords: stay inside them
        radius = (abs(stairs.axis) + away) * np.cos(0.5 * turn)
        x = stairs.axis - np.sign(turn) * radius * np.cos(k * abs(turn))
        z = radius * np.sin(k * abs(turn))
        assert_allclose(mesh.height(x, z)[inside], stairs.height(x, z)[inside], rtol=0, atol=1e-12)

    def test_not_more_than_once_round(self) -> None:
        with pytest.raises(RequestError, match="more than once"):
            SpiralStairs(0.17, np.pi / 4, 1.0).flight(0, 8)

    def test_the_highest_flight_below_a_start(self) -> None:
        """A turn of eight wedges is 1.36 m high: from over each flight one sees that flight."""
        stairs = SpiralStairs(0.17, np.pi / 4, 1.0)
        storey = 8 * 0.17
        assert_allclose(
            stairs.height(0.0, 0.1, [-1.0, 0.05, 1.3, 1.4, 2.9]), [-storey, 0, 0, storey, 2 * storey]
        )
        assert stairs.height(0.0, 0.1) == 0.0

    @pytest.mark.parametrize(
        ("make", "sentence"),
        [
            (lambda: StraightStairs(np.nan, 0.3), "riser"),
            (lambda: StraightStairs(0.1, 0.0), "tread"),
            (lambda: StraightStairs(0.1, "deep"), "tread"),
            (lambda: SpiralStairs(0.1, 0.0, 1.0), "turn"),
            (lambda: SpiralStairs(0.1, 4.0, 1.0), "half a circle"),
            (lambda: SpiralStairs(0.1, 0.3, 0.0), "axis"),
            (lambda: StraightStairs(0.1, 0.3).flight(3, 1), "3 to 1"),
            (lambda: StraightStairs(0.1, 0.3).flight(0, 1, width=0.0), "width"),
        ],
    )
    def test_refused(self, make: object, sentence: str) -> None:
        with pytest.raises(RequestError, match=sentence):
            make()  # type: ignore[operator]
