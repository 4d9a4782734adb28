"""Where one can walk: slopes, steps, headroom, walls; and how far it is to where one no longer can."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.errors import RequestError
from footfall.geometry.ground import UP
from footfall.planning.lattice import MOST, Lattice, area_of, checked_area
from footfall.planning.limits import WalkLimits
from footfall.planning.link_kernel import EAST, NORTH
from footfall.planning.surfaces import LOW, STEEP, WALL, Surfaces
from footfall.world.height_field import HeightField
from footfall.world.mesh import MeshTerrain
from footfall.world.plane import FlatTerrain, InclinedTerrain
from footfall.world.shapes.box import Box
from footfall.world.shapes.placed import Placed
from footfall.world.terrain import Terrain
from tests.planning.worlds import blocks_terrain, bridge, house, walls

LIMITS = WalkLimits()


def surfaces_of(
    terrain: Terrain, half: float | None = None, cell: float = 0.1, limits: WalkLimits = LIMITS
) -> Surfaces:
    area = area_of(terrain, ()) if half is None else (np.full(2, -half), np.full(2, half))
    return Surfaces.of(terrain, Lattice.over(area, cell), limits, 1.0)


@pytest.mark.parametrize("degrees", [-36.0, -34.0, 0.0, 34.0, 36.0])
@pytest.mark.parametrize("cell", [0.05, 0.1, 0.5])
def test_slopes_up_to_the_limit_can_be_walked(degrees: float, cell: float) -> None:
    surfaces = surfaces_of(InclinedTerrain(np.radians(degrees)), 2.0, cell)
    assert_array_equal(surfaces.bar, 0 if abs(degrees) < 35.0 else STEEP)
    places = surfaces.places()
    assert_allclose(places[:, 1], np.tan(np.radians(degrees)) * places[:, 2], atol=1e-12)
    # a cell may be so large that its slope is more than a step
    linked = abs(degrees) < 35.0 and cell * np.tan(np.radians(abs(degrees))) <= LIMITS.step
    along = surfaces.links[:, 2] >= 0
    assert along.any() == linked


@pytest.mark.parametrize("rise", [0.1, 0.2, 0.249, 0.251, 0.29, 0.5])
def test_steps_up_to_the_limit_can_be_taken(rise: float) -> None:
    terrain = blocks_terrain([((4, 0.2, 4), (0, -0.1, 0)), ((2, rise, 4), (1.02, 0.5 * rise, 0))])
    surfaces = surfaces_of(terrain)
    places, walkable = surfaces.places(), surfaces.walkable
    low, high = walkable & (places[:, 1] < 0.01), walkable & (places[:, 1] > 0.01)
    assert_allclose(places[high, 1], rise)
    assert low.sum() > 700
    assert high.sum() > 700
    a, k = np.nonzero(surfaces.links >= 0)
    crossing = low[a] & high[surfaces.links[a, k]]
    assert crossing.any() == (rise < LIMITS.step)


def test_links_lead_back_and_cut_no_corner() -> None:
    surfaces = surfaces_of(bridge())
    links = surfaces.links
    a, k = np.nonzero(links >= 0)
    b = links[a, k]
    assert_array_equal(links[b, (k + 4) % 8], a)
    assert (np.abs(surfaces.level[a] - surfaces.level[b]) <= LIMITS.step).all()
    assert surfaces.walkable[a].all()
    rows = surfaces.lattice.rows
    assert_array_equal(surfaces.cells[b] - surfaces.cells[a], np.array(EAST)[k] * rows + np.array(NORTH)[k])
    odd = k % 2 == 1
    p, q = links[a[odd], k[odd] - 1], links[a[odd], (k[odd] + 1) % 8]
    assert (p >= 0).all()
    assert (q >= 0).all()
    assert_array_equal(links[p, (k[odd] + 1) % 8], b[odd])
    assert_array_equal(surfaces.passage[a, k], surfaces.passage[b, (k + 4) % 8])


def test_a_bridge_has_two_storeys_and_stairs_between() -> None:
    surfaces = surfaces_of(bridge())
    here = surfaces.over(0.0, 0.0)
    walkable = [i for i in range(here.start, here.stop) if surfaces.bar[i] == 0]
    assert_allclose(surfaces.level[walkable], [0.0, 3.2], atol=1e-9)
    # under the stairs' solid steps there is ground but no room
    under = surfaces.over(4.25, 0.0)
    assert_allclose(surfaces.level[under][-1], 1.8, atol=1e-9)
    assert set(surfaces.bar[under][:-1]) <= {LOW, WALL}
    # a deck that is too low for a head is no bridge to walk under
    tall = surfaces_of(bridge(), limits=WalkLimits(headroom=3.05))
    below = tall.over(0.0, 0.0)
    assert_array_equal(tall.bar[below] == 0, [False] * (below.stop - below.start - 1) + [True])


def test_headroom_is_to_the_ceiling() -> None:
    for height, free in ((1.88, False), (1.95, True)):
        terrain = blocks_terrain([((4, 0.2, 4), (0, -0.1, 0)), ((4, 0.2, 2), (0, height + 0.1, 0))])
        surfaces = surfaces_of(terrain)
        under = surfaces.over(0.0, 0.0)
        floor = under.start + 1  # over its own underside
        assert_allclose(surfaces.level[floor], 0.0, atol=1e-9)
        assert (surfaces.bar[floor] == 0) == free


def test_walls_of_the_ground_shut_the_cells_they_stand_in() -> None:
    """However thin: a sheet without any top that a ray from above could meet."""
    sheet = np.array([[0.013, -1.0, -3.0], [0.013, 3.0, -3.0], [0.013, 3.0, 3.0], [0.013, -1.0, 3.0]])
    floor = np.array([[-2.0, 0.0, -2.0], [-2.0, 0.0, 2.0], [2.0, 0.0, 2.0], [2.0, 0.0, -2.0]])
    faces = np.array([[0, 1, 2], [0, 2, 3]])
    terrain = MeshTerrain(np.vstack([floor, sheet]), np.vstack([faces, faces + 4]))
    surfaces = surfaces_of(terrain, 1.9)
    x = surfaces.places()[:, 0]
    assert (surfaces.bar[np.abs(x) < 0.01] == WALL).all()
    assert (surfaces.bar[np.abs(x) > 0.15] == 0).all()
    a, k = np.nonzero(surfaces.links >= 0)
    assert (np.sign(x[a]) == np.sign(x[surfaces.links[a, k]])).all()


def test_no_surface_is_farther_from_the_border_than_it_says() -> None:
    """Judged by the walls' own boxes, for every surface of a house and all along every link."""
    surfaces = surfaces_of(house())
    free = np.flatnonzero((surfaces.bar == 0) & (surfaces.level < 0.1))
    boxes = [Placed(Box(np.array(size)), np.array(at)) for size, at in walls()]

    def away(places: np.ndarray) -> np.ndarray:
        return np.min([box.distance_to(places + UP) for box in boxes], axis=0)

    true = away(surfaces.places(free))
    inside = np.abs(surfaces.places(free)[:, 0]) < 3.9
    assert (surfaces.border[free] <= np.maximum(true, 0.0) + 1e-9).all()
    # and not much nearer: the part of a cell that a wall stands in counts as a whole
    near = inside & (np.abs(surfaces.places(free)[:, 2]) < 2.8) & (true < 0.8) & (true > 0.0)
    assert near.sum() > 500
    assert (surfaces.border[free] >= true - 0.08)[near].all()
    a, k = np.nonzero(surfaces.links[free] >= 0)
    a, b = free[a], surfaces.links[free[a], k]
    for share in np.linspace(0.0, 1.0, 11):
        between = (1 - share) * surfaces.places(a) + share * surfaces.places(b)
        assert (surfaces.passage[a, k] <= np.maximum(away(between), 0.0) + 1e-6).all()


def test_borders_are_the_distance_to_the_nearest_missing_cell() -> None:
    """On a floor with random holes, by looking at all pairs."""
    rng = np.random.default_rng(1)
    heights = np.zeros((41, 41))
    surfaces_bar = (rng.random((40, 40)) < 0.04).astype(np.uint8)
    lattice = Lattice(0.0, 0.0, 0.1, 40, 40)
    cells = np.arange(1600)
    found = Surfaces.linked(
        lattice, LIMITS, 1.0, cells, heights[:40, :40].reshape(-1), surfaces_bar.reshape(-1), np.zeros((0, 4))
    )
    shut = np.pad(surfaces_bar, 1, constant_values=1)
    i, j = np.nonzero(shut)
    at = np.stack([cells // 40 + 1, cells % 40 + 1], axis=-1)
    apart = np.maximum(np.abs(at[:, None] - np.stack([i, j], axis=-1)) - 0.5, 0.0)
    expected = np.minimum(0.1 * np.hypot(apart[..., 0], apart[..., 1]).min(axis=1), 1.0)
    expected[surfaces_bar.reshape(-1) == 1] = 0.0
    assert_allclose(found.border, expected, atol=1e-12)


def test_a_height_field_is_as_its_mesh() -> None:
    rng = np.random.default_rng(4)
    field = HeightField(
        np.cumsum(rng.normal(0.0, 0.05, (31, 31)), axis=0), 0.2, origin=np.array([0.03, 0.04])
    )
    one, two = surfaces_of(field), surfaces_of(field.mesh)
    assert_array_equal(one.cells, two.cells)
    assert_allclose(one.level, two.level, atol=1e-9)
    assert_array_equal(one.bar, two.bar)
    assert set(np.unique(one.bar)) >= {0, STEEP}


def test_lattices_lie_on_multiples_and_are_bounded() -> None:
    lattice = Lattice.over((np.array([-0.33, 0.08]), np.array([1.0, 0.52])), 0.1)
    assert_allclose([lattice.x, lattice.z], [-0.3, 0.1])
    assert (lattice.columns, lattice.rows) == (14, 5)
    x, z = lattice.middles()
    assert [lattice.cell_at(a, b) for a, b in zip(x, z, strict=True)] == list(range(70))
    assert lattice.cell_at(-0.36, 0.1) == -1
    with pytest.raises(RequestError, match=r"cells of [\d.]+ m are possible"):
        Lattice.over((np.zeros(2), np.full(2, 5000.0)), 0.1)
    assert np.prod([5000.0 / 2.5] * 2) <= MOST
    with pytest.raises(RequestError, match="two corners"):
        checked_area(((0.0, 0.0), (1.0, np.nan)))
    with pytest.raises(RequestError, match="at least one cell"):
        Lattice.over((np.full(2, 0.02), np.full(2, 0.03)), 0.1)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"slope": 2.0}, "slope"),
        ({"step": np.nan}, "step"),
        ({"step": 1.0}, "twice"),
        ({"headroom": "a"}, "headroom"),
    ],
)
def test_limits_that_make_no_sense_are_refused(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(RequestError, match=said):
        WalkLimits(**wrong)  # type: ignore[arg-type]


def test_nowhere_but_on_the_plane_is_there_ground() -> None:
    surfaces = surfaces_of(FlatTerrain(2.0), 1.0)
    assert len(surfaces) == 21 * 21
    assert surfaces.over(5.0, 0.0) == slice(0, 0)
    assert_allclose(surfaces.border.reshape(21, 21)[10, 10], 1.0)
    assert_allclose(surfaces.border.reshape(21, 21)[0, 10], 0.05)
