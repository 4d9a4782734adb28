"""A walk's own ground beside planes, straight stairs and spiral stairs that are told by formulas."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import footfall as ff
from footfall.models.walkedit.ribbon import Ribbon
from footfall.models.walkedit.way import STRAIGHT_ON, Way, bending_way
from tests.models.walkedit.walks import ACTOR, edit_of, every_walk

COUNT = 60  # pieces of the stairs made here


def stairs(way: Way, riser: float, tread: float, grade: float = 0.0) -> Ribbon:
    """Treads centred on whole numbers of treads, from 0 on."""
    k = np.arange(COUNT)
    return Ribbon(way, tread * k, tread * (k[:-1] + 0.5), riser * k, np.full(COUNT, grade))


def places(seed: int, low: float, high: float, count: int = 4000) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.uniform(-3.0, 3.0, count), rng.uniform(low, high, count)


@every_walk
@pytest.mark.parametrize("slope", [-0.35, 0.1, 0.35])
def test_a_slope_is_an_inclined_plane(name: str, slope: float) -> None:
    walk = edit_of(name).synthesize(slope=slope, step_length=0.6)
    assert walk.ground is not None
    x, z = places(1, -4.0, 12.0)
    assert_allclose(walk.ground.height(x, z), ff.InclinedTerrain(slope).height(x, z), atol=1e-9)


@every_walk
@pytest.mark.parametrize(("riser", "tread"), [(0.17, 0.29), (-0.2, 0.25), (0.1, 0.45)])
def test_stairs_are_straight_stairs_some_way_on(name: str, riser: float, tread: float) -> None:
    walk = edit_of(name).synthesize(stairs=(riser, tread), steps=10)
    assert walk.ground is not None
    assert walk.plan is not None
    x, z = places(2, -0.2, 10 * tread)
    level = walk.ground.height(x, z)
    # where a tread begins is the ribbon's own affair: found here by looking, to a tenth of a millimetre
    fine = np.linspace(0.0, tread, 10_001)
    jump = np.flatnonzero(np.diff(walk.ground.height(np.zeros(len(fine)), fine)))
    assert len(jump) == 1
    shift = fine[jump[0]] - 0.5 * tread
    other = ff.StraightStairs(riser, tread)
    rim = np.abs((z - shift) / tread - 0.5 - np.round((z - shift) / tread - 0.5)) * tread
    clear = rim > 1e-4
    assert clear.mean() > 0.99
    assert_allclose(level[clear], other.height(x, z - shift)[clear], atol=1e-12)
    # footprints stand on it, each on a tread of its own
    standing = np.array([p.position for p in walk.plan.placements])
    assert_allclose(walk.ground.height(standing[:, 0], standing[:, 2]), standing[:, 1], atol=1e-12)
    assert_allclose(np.diff(standing[:, 1]), riser, atol=1e-12)


@pytest.mark.parametrize("bend", [0.5, -0.8])
def test_beside_a_bend_the_ground_is_as_high_as_on_the_way(bend: float) -> None:
    ribbon = stairs(bending_way(bend, 4.0), 0.05, 0.25)
    rng = np.random.default_rng(3)
    station, aside = rng.uniform(0.0, 3.9, 500), rng.uniform(-0.8, 0.8, 500)
    angle = bend * station
    x = (1.0 - np.cos(angle)) / bend + aside * np.cos(angle)
    z = np.sin(angle) / bend - aside * np.sin(angle)
    assert_allclose(ribbon.height(x, z), 0.05 * np.floor(station / 0.25 + 0.5), atol=1e-12)


@pytest.mark.parametrize("turn", [2.0 * np.pi / 20, -2.0 * np.pi / 14])  # whole wedges once round
@pytest.mark.parametrize("riser", [0.16, -0.16])
def test_a_start_picks_the_turn_of_a_spiral(turn: float, riser: float) -> None:
    tread = 0.5
    axis = tread / turn
    ribbon = stairs(bending_way(turn / tread, COUNT * tread), riser, tread)
    truth = ff.SpiralStairs(riser, turn, axis)
    rng = np.random.default_rng(4)
    wedge = rng.uniform(0.0, COUNT - 2, 3000)
    wedge = wedge[np.abs(wedge % 1.0 - 0.5) > 1e-3]
    away = abs(axis) + rng.uniform(-0.4, 0.4, len(wedge))
    x = axis - np.sign(turn) * away * np.cos(wedge * abs(turn))
    z = away * np.sin(wedge * abs(turn))
    level = riser * np.floor(wedge + 0.5)
    once = 2.0 * np.pi / abs(turn) * abs(riser)  # m: one turn over another
    seen = level + rng.uniform(0.0, once - abs(riser) - 0.01, len(wedge))
    assert_allclose(truth.height(x, z, seen), level, atol=1e-12)
    # beyond its first and last wedge a ribbon goes straight on: the higher of these must not be seen
    seen = np.minimum(seen, np.maximum(max(0.0, riser * (COUNT - 1)) - 1e-6, level))
    assert_allclose(ribbon.height(x, z, seen), level, atol=1e-12)
    # from under a wedge one sees the one below, or none
    below = ribbon.height(x, z, level - 1e-6)
    beneath = truth.height(x, z, level - 1e-6)
    inside = (beneath >= min(0.0, riser * (COUNT - 2))) & (beneath <= max(0.0, riser * (COUNT - 2)))
    assert inside.sum() > 500
    assert_allclose(below[inside], beneath[inside], atol=1e-12)


def test_without_a_start_the_highest_turn_is_seen() -> None:
    way = bending_way(1.0, 17.0)
    ribbon = stairs(way, 0.1, 0.5)
    found = ribbon.height(*(np.array([v]) for v in way.at(np.array(1.0))[0]))
    # passed at 1, 1 + 2 pi and 1 + 4 pi m
    assert_allclose(found, 0.1 * np.floor((1.0 + 4.0 * np.pi) / 0.5 + 0.5), atol=1e-12)


@pytest.mark.parametrize("riser", [0.0, 0.2])
@pytest.mark.parametrize("way", [STRAIGHT_ON, bending_way(0.5, 3.0)], ids=["straight", "bent"])
def test_what_is_above_the_start_is_not_seen(riser: float, way: Way) -> None:
    ribbon = stairs(way, riser, 0.3)
    ribbon = replace(ribbon, levels=ribbon.levels + 1.0)
    x, z = np.zeros(3), np.full(3, 0.1)
    assert_array_equal(ribbon.height(x, z, np.array([0.99, 1.0, 1.3])), [-np.inf, 1.0, 1.0])


def test_beyond_the_first_and_last_pieces_these_go_on() -> None:
    ribbon = Ribbon(
        STRAIGHT_ON, np.array([0.0, 1.0]), np.array([0.6]), np.array([0.2, 0.7]), np.array([0.1, -0.3])
    )
    z = np.array([-5.0, 0.0, 0.6 - 1e-9, 0.6, 1.0, 8.0])
    wanted = np.where(z < 0.6, 0.2 + 0.1 * z, 0.7 - 0.3 * (z - 1.0))
    assert_allclose(ribbon.height(np.zeros(6), z), wanted, atol=1e-12)


def test_places_of_any_shape_are_answered_in_that_shape() -> None:
    ribbon = stairs(bending_way(0.4, 3.0), 0.1, 0.3)
    grid = np.meshgrid(np.linspace(-0.3, 0.3, 4), np.linspace(0.2, 2.0, 7))
    together = ribbon.height(*grid)
    assert together.shape == (7, 4)
    one_by_one = [
        [float(ribbon.height(x, z)) for x, z in zip(*row, strict=True)] for row in zip(*grid, strict=True)
    ]
    assert_array_equal(together, one_by_one)
    assert ribbon.height(np.zeros((3, 1)), np.zeros(2), np.inf).shape == (3, 2)


NOWHERE = [(np.nan, 0.5), (0.1, np.nan), (np.inf, 0.5), (0.1, np.inf), (0.1, -np.inf)]
KINDS = {
    "level": stairs(STRAIGHT_ON, 0.0, 0.3),
    "stairs": stairs(STRAIGHT_ON, 0.1, 0.3),
    "slope": stairs(STRAIGHT_ON, 0.1, 0.3, grade=1.0 / 3.0),
    "arc": stairs(bending_way(0.4, 3.0), 0.1, 0.3),
    "spiral": stairs(bending_way(1.0, 19.0), 0.1, 0.3),
    "any bend": stairs(replace(bending_way(0.4, 3.0), arc=None), 0.1, 0.3),
}


@pytest.mark.parametrize("place", NOWHERE, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_nowhere_is_no_ground(kind: str, place: tuple[float, float]) -> None:
    x, z = (np.array([v, 0.2]) for v in place)
    found = KINDS[kind].height(x, z)
    assert found[0] == -np.inf
    assert np.isfinite(found[1])


def test_the_ground_of_a_walk_round_a_spiral_is_under_its_feet() -> None:
    """A walk of two turns up a spiral: each footprint on its own turn, seen from just above it."""
    walk = edit_of(ACTOR).synthesize(steps=26, stairs=(0.15, 0.5), curve=1.0)
    assert walk.ground is not None
    assert walk.plan is not None
    standing = np.array([p.position for p in walk.plan.placements])
    found = walk.ground.height(standing[:, 0], standing[:, 2], standing[:, 1] + 0.3)
    assert_allclose(found, standing[:, 1], atol=1e-9)
    assert standing[-1, 1] > 3.0
