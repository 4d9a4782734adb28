"""How a foot would stand: on planes, over edges, on spikes, before walls, on ground that bends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.figure.sole import Sole
from footfall.models.walkedit.foot_tables import LANDING
from footfall.models.walkedit.footing import (
    HALF_WIDTH,
    HEADROOM,
    MISSING,
    OVERHEAD,
    PIERCED,
    POKING,
    ROOM,
    STEEPEST,
    WALL,
    Footing,
    Footprint,
    footing,
)
from tests.models.walkedit.walks import ACTOR, both_feet, cycle_of, every_walk, turned

BETWEEN = 0.041  # m: between two places at which a sole is held against the ground there is no more


@dataclass(frozen=True)
class Land:
    """Ground by a function of x and z; what is above the start is not seen."""

    level: Callable[[np.ndarray, np.ndarray], np.ndarray]

    def height(self, x: np.ndarray, z: np.ndarray, start: np.ndarray | float = np.inf) -> np.ndarray:
        found = np.broadcast_to(self.level(np.asarray(x), np.asarray(z)), np.broadcast(x, z).shape)
        return np.where(found <= start, found, -np.inf)


def plane(slope: float, towards: float, level: float = 0.0) -> Land:
    """Rising by an angle towards a heading."""
    grade = np.tan(slope)
    return Land(lambda x, z: level + grade * (np.sin(towards) * x + np.cos(towards) * z))


def shape_of(name: str, side: str) -> Footprint:
    cycle = cycle_of(name)
    return Footprint.of(Sole.of(cycle.skeleton, side), cycle.feet[side].turn[LANDING])


def stands(land: Land, shape: Footprint, x: float = 0.0, z: float = 0.0, heading: float = 0.0) -> Footing:
    """One foot, at what height the ground has there."""
    at = [np.array([v]) for v in (x, z, heading)]
    expected = land.height(at[0], at[1])
    return footing(land, shape, *at, np.where(np.isfinite(expected), expected, 0.0))


@every_walk
@both_feet
def test_a_print_is_the_outline_of_its_sole(name: str, side: str) -> None:
    shape, cycle = shape_of(name, side), cycle_of(name)
    sole = Sole.of(cycle.skeleton, side)
    points = turned(
        cycle.feet[side].turn[LANDING],
        np.stack([sole.heel, sole.ball, sole.toe_joint + sole.tip]) - sole.subtalar,
    )
    assert shape.along[0] == pytest.approx(points[0, 2])
    assert shape.along[-1] == pytest.approx(points[2, 2])
    assert points[1, 2] == pytest.approx(shape.along[np.argmin(np.abs(shape.along - points[1, 2]))])
    assert 0.0 in shape.along
    assert (np.diff(shape.along) > 0.0).all()
    assert np.diff(shape.along).max() < BETWEEN
    assert 0.2 < np.ptp(shape.along) < 0.32


@every_walk
@both_feet
def test_on_a_plane_a_foot_lies_in_it(name: str, side: str) -> None:
    shape = shape_of(name, side)
    rng = np.random.default_rng(1)
    for _ in range(100):
        slope, towards, level = rng.uniform(0.0, np.radians(26.0)), rng.uniform(-np.pi, np.pi), rng.normal()
        land = plane(slope, towards, level)
        x, z, heading = rng.uniform(-3.0, 3.0, (3, 8))
        found = footing(land, shape, x, z, heading, land.height(x, z) + rng.uniform(-0.2, 0.2, 8))
        normal = np.array([-np.sin(slope) * np.sin(towards), np.cos(slope), -np.sin(slope) * np.cos(towards)])
        assert_allclose(found.normals, np.tile(normal, (8, 1)), atol=1e-6)
        assert found.firm.all()
        assert_allclose(found.places, np.stack([x, land.height(x, z), z], axis=-1), atol=1e-12)
        assert_allclose(found.steepness, slope, atol=1e-9)
        assert_allclose(found.roughness, 0.0, atol=1e-9)
        # the highest ground under it is under one of its corners
        assert (found.tops >= found.places[:, 1] - 1e-12).all()
        assert (found.tops <= found.places[:, 1] + 0.25 * np.tan(slope) + 1e-9).all()


@pytest.mark.parametrize("towards", [0.0, np.pi, 0.3, -2.9])  # along the foot, or nearly
def test_a_plane_is_firm_up_to_the_steepest(towards: float) -> None:
    shape = shape_of(ACTOR, "left")
    assert stands(plane(STEEPEST - 0.005, towards), shape).firm.all()
    assert not stands(plane(STEEPEST + 0.005, towards), shape).firm.any()


def test_a_plane_across_the_foot_is_firm_up_to_the_steepest_too() -> None:
    assert stands(plane(STEEPEST - 0.005, 0.5 * np.pi), shape_of(ACTOR, "left")).firm.all()


@pytest.mark.parametrize(
    ("slope", "towards"),
    [(0.0, 0.0), (0.3, 0.0), (-0.3, 0.0), (0.15, 0.5 * np.pi), (0.4, -0.5 * np.pi)],
)
def test_nothing_is_near_on_a_plane(slope: float, towards: float) -> None:
    assert stands(plane(slope, towards), shape_of(ACTOR, "left")).crowded == 0


@both_feet
@pytest.mark.parametrize("drop", [0.03, 0.5, np.inf])
@pytest.mark.parametrize("heading", [0.0, 1.1, -2.4])
def test_a_foot_over_an_edge_does_not_stand(side: str, drop: float, heading: float) -> None:
    shape = shape_of(ACTOR, side)
    ahead, left = np.array([np.sin(heading), np.cos(heading)]), np.array([np.cos(heading), -np.sin(heading)])
    # an edge before the toes, behind the heel, on either side: how far out the sole reaches there
    for out, reach in (
        (ahead, shape.along[-1]),
        (-ahead, -shape.along[0]),
        (left, HALF_WIDTH + shape.aside),
        (-left, HALF_WIDTH - shape.aside),
    ):
        for distance, firm in ((reach + 0.002, True), (reach - 0.002, False), (reach - BETWEEN, False)):
            land = Land(lambda x, z, o=out, d=distance: np.where(o[0] * x + o[1] * z < d, 0.0, -drop))
            found = stands(land, shape, heading=heading)
            if distance > 0.0:
                assert found.firm.all() == firm, (distance, reach)
    assert drop > MISSING


def test_over_a_hole_there_is_no_footing() -> None:
    land = Land(lambda x, z: np.where(np.hypot(x, z) < 0.3, -np.inf, 0.0))
    found = stands(land, shape_of(ACTOR, "left"))
    assert not found.firm.any()
    assert found.places[0, 1] == -np.inf
    assert_array_equal(found.normals, [[0.0, 1.0, 0.0]])
    assert np.isfinite(found.roughness).all()
    # a small hole under the ball alone is none either
    part = Land(lambda x, z: np.where(np.hypot(x, z - 0.12) < 0.5 * BETWEEN, -np.inf, 0.0))
    assert not stands(part, shape_of(ACTOR, "left")).firm.any()


@both_feet
def test_a_foot_on_a_spike_does_not_stand(side: str) -> None:
    shape = shape_of(ACTOR, side)
    rng = np.random.default_rng(2)
    for _ in range(200):
        # wherever under the sole, as wide as what lies between two places that are looked at
        at = np.array([rng.uniform(-HALF_WIDTH, HALF_WIDTH), rng.uniform(shape.along[0], shape.along[-1])])
        spike = Land(
            lambda x, z, a=at: np.where(
                (np.abs(x - a[0]) < 0.5 * BETWEEN) & (np.abs(z - a[1]) < 0.5 * BETWEEN), 0.03, 0.0
            )
        )
        assert not stands(spike, shape).firm.any(), at


def test_a_pebble_is_stood_on() -> None:
    assert POKING > 0.004
    pebble = Land(
        lambda x, z: np.where((np.abs(x - HALF_WIDTH) < 0.01) & (np.abs(z - 0.1) < 0.03), 0.004, 0.0)
    )
    found = stands(pebble, shape_of(ACTOR, "left"))
    assert found.firm.all()
    assert found.roughness[0] > 0.0


@both_feet
@pytest.mark.parametrize("heading", [0.0, 2.0])
@pytest.mark.parametrize("high", [WALL + 0.005, 0.2])
def test_a_foot_before_a_wall_does_not_stand(side: str, heading: float, high: float) -> None:
    shape = shape_of(ACTOR, side)
    ahead = np.array([np.sin(heading), np.cos(heading)])
    for out, reach in ((ahead, shape.along[-1]), (-ahead, -shape.along[0])):

        def wall(away: float, o: np.ndarray = out, r: float = reach) -> Land:
            return Land(lambda x, z: np.where(o[0] * x + o[1] * z > r + away, high, 0.0))

        assert not stands(wall(0.5 * ROOM[0]), shape, heading=heading).firm.any()
        far = stands(wall(ROOM[-1] + 0.002), shape, heading=heading)
        assert far.firm.all()
        assert far.crowded == 0
        assert stands(wall(ROOM[-1] - 0.005), shape, heading=heading).crowded > 0


def bending(curvature: float, along: bool) -> Land:
    """Hollow where positive, along the foot or across it."""
    return Land(lambda x, z: 0.5 * curvature * (z if along else x) ** 2)


def depth(land: Land, found: Footing, shape: Footprint, heading: float = 0.0) -> tuple[float, float]:
    """How deep the ground is in the sole's plane: at worst along its middle, and anywhere under it."""
    along = np.linspace(shape.along[0], shape.along[-1], 200)[:, None]
    aside = shape.aside + np.array([0.0, *np.linspace(-HALF_WIDTH, HALF_WIDTH, 21)])
    x = along * np.sin(heading) + aside * np.cos(heading) + found.places[0, 0]
    z = along * np.cos(heading) - aside * np.sin(heading) + found.places[0, 2]
    normal, place = found.normals[0], found.places[0]
    sole = place[1] - (normal[0] * (x - place[0]) + normal[2] * (z - place[2])) / normal[1]
    deep = land.height(x, z) - sole
    return float(deep[:, 0].max()), float(deep.max())


@both_feet
@pytest.mark.parametrize("curvature", [-3.0, -1.0, -0.4, -0.2, 0.05, 0.1, 0.25, 0.5, 2.0])
def test_where_ground_bends_along_a_foot_it_pierces_no_more_than_is_said(side: str, curvature: float) -> None:
    shape = shape_of(ACTOR, side)
    land = bending(curvature, along=True)
    firm = 0
    for z in np.linspace(-0.3, 0.3, 31):
        found = stands(land, shape, z=z)
        if found.firm.any():
            firm += 1
            middle, anywhere = depth(land, found, shape)
            sag = 0.5 * abs(curvature) * (0.5 * BETWEEN) ** 2  # between two places that are looked at
            assert middle < PIERCED + sag
            assert anywhere < POKING + sag
    # over a dome the tip hangs in the air; in a hollow both ends are in the ground, by the product of their
    # distances at least when they share it
    tip, heel = shape.along[-1], -shape.along[0]
    hangs, deep = -0.5 * curvature * tip**2, 0.5 * curvature * tip * heel
    assert (firm > 0) == (hangs < MISSING and deep < PIERCED)
    assert firm in (0, 31)  # it bends alike everywhere


@both_feet
@pytest.mark.parametrize("curvature", [-2.0, -0.5, 0.5, 2.0])
def test_where_ground_bends_across_a_foot_it_pokes_no_more_than_is_said(side: str, curvature: float) -> None:
    shape = shape_of(ACTOR, side)
    firm = 0
    for x in np.linspace(-0.2, 0.2, 21):
        land = bending(curvature, along=False)
        found = stands(land, shape, x=x)
        if found.firm.any():
            firm += 1
            middle, anywhere = depth(land, found, shape)
            assert middle < PIERCED + 1e-6
            assert anywhere < POKING + 1e-3
    assert firm > 0


@both_feet
@pytest.mark.parametrize("seed", range(4))
def test_on_rough_ground_what_is_firm_is_hardly_pierced(seed: int, side: str) -> None:
    """Waves of a few millimetres and centimetres: places that count as firm are, looked at closely."""
    rng = np.random.default_rng(seed)
    waves = [(rng.normal(size=2) * 9.0, rng.uniform(0.0, 6.0), rng.uniform(0.001, 0.01)) for _ in range(6)]
    land = Land(lambda x, z: sum(h * np.sin(k[0] * x + k[1] * z + p) for k, p, h in waves))
    shape = shape_of(ACTOR, side)
    x, z, heading = rng.uniform(-5.0, 5.0, (3, 4000))
    found = footing(land, shape, x, z, heading, np.zeros(4000))
    firm = np.flatnonzero(found.firm)[:60]
    assert len(firm) > 10
    assert not found.firm.all()
    for k in firm:
        one = Footing(*(getattr(found, f)[k : k + 1] for f in Footing.__dataclass_fields__))
        middle, anywhere = depth(land, one, shape, float(heading[k]))
        assert middle < PIERCED + 0.0005
        assert anywhere < POKING + 0.001


def test_what_lies_overhead_is_not_seen() -> None:
    shape = shape_of(ACTOR, "left")
    at = np.zeros(1)

    @dataclass(frozen=True)
    class Bridged:
        over: float

        def height(self, x: np.ndarray, z: np.ndarray, start: np.ndarray | float = np.inf) -> np.ndarray:
            return np.where(np.asarray(start) >= self.over, self.over, 0.0) + 0.0 * x

    under = footing(Bridged(OVERHEAD + 0.1), shape, at, at, at, at)
    assert under.places[0, 1] == 0.0
    assert not under.firm[0]  # nobody fits in between
    assert footing(Bridged(HEADROOM + 0.1), shape, at, at, at, at).firm[0]
    upon = footing(Bridged(OVERHEAD - 0.1), shape, at, at, at, at)
    assert upon.places[0, 1] == OVERHEAD - 0.1
    assert upon.firm.all()


def test_many_are_answered_as_each_alone() -> None:
    shape = shape_of(ACTOR, "right")
    land = Land(lambda x, z: 0.1 * np.sin(3.0 * x) * np.cos(2.0 * z) + 0.1 * (z > 0.7))
    rng = np.random.default_rng(5)
    x, z, heading = rng.uniform(-1.0, 1.0, (3, 4, 5))
    many = footing(land, shape, x, z, heading, land.height(x, z))
    for i in np.ndindex(4, 5):
        one = footing(land, shape, *(np.array(v[i]) for v in (x, z, heading)), land.height(x[i], z[i]))
        for name in Footing.__dataclass_fields__:
            assert_allclose(getattr(one, name), getattr(many, name)[i], atol=1e-12)
