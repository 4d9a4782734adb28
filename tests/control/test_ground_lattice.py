"""Pieces of ground on one lattice: they agree where they overlap, and whoever stands on one has room."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from footfall.batch.crowd_ground import CrowdGround
from footfall.control.ground_lattice import HEIGHTS, NEAR, PLANES, GroundLattice
from footfall.control.standing_ground import StandingGround
from footfall.world.plane import FlatTerrain, InclinedTerrain
from footfall.world.terrain import Terrain
from tests.control.plain_worlds import Waves

LATTICES = [PLANES, HEIGHTS]


@pytest.mark.parametrize("lattice", LATTICES)
def test_the_nearest_piece_has_room_about_every_place(lattice: GroundLattice) -> None:
    rng = np.random.default_rng(1)
    places = np.concatenate([rng.uniform(-s, s, (2000, 2)) for s in (1.0, 30.0, 1e3, 1e6)])
    pieces = lattice.pieces_at(places)
    assert lattice.near(pieces, places).all()
    half = lattice.cell * lattice.lines[-1]
    assert lattice.reach == NEAR * half
    edges = lattice.cell * lattice.lines[[0, -1]] + lattice.middles(pieces)[..., None]
    room = np.minimum(places - edges[..., 0], edges[..., 1] - places)
    assert (room > half - lattice.reach).all()


@pytest.mark.parametrize("lattice", LATTICES)
def test_who_has_just_come_does_not_leave_at_once(lattice: GroundLattice) -> None:
    """Across every border there is a strip in which either piece will do."""
    strip = 2.0 * lattice.reach - lattice.cell * lattice.apart
    assert strip > 0.15 * lattice.cell * lattice.lines[-1]
    out = np.array([[lattice.reach, 0.0]])
    onto = lattice.pieces_at(out)
    assert_array_equal(onto, [[1, 0]])
    assert lattice.near(onto, out - [0.99 * strip, 0.0]).all()
    assert not lattice.near(onto, out - [1.01 * strip, 0.0]).any()


@pytest.mark.parametrize("lattice", LATTICES)
@pytest.mark.parametrize("nowhere", [(np.nan, 0.0), (np.inf, 1.0), (0.0, -np.inf), (1e300, 0.0), (0.0, 6e6)])
def test_nowhere_is_at_the_origin(lattice: GroundLattice, nowhere: tuple[float, float]) -> None:
    assert_array_equal(lattice.pieces_at(np.array([nowhere])), [[0, 0]])


def test_pieces_that_overlap_are_the_same_ground() -> None:
    """Bit for bit: the same corners, the same triangles over them."""
    ground, rng = StandingGround(Waves()), np.random.default_rng(2)
    for far in (0, 7, 20_000):
        one, other = ground.cut(np.array([far, -far])), ground.cut(np.array([far + 1, -far]))
        corners = [{tuple(c) for c in mesh.vertices[mesh.triangles].reshape(-1, 9)} for mesh in (one, other)]
        shared = corners[0] & corners[1]
        assert len(shared) == 2 * 120 * (120 - HEIGHTS.apart)
        low, high = other.bounds[0], one.bounds[1]
        x, z = rng.uniform(low[[0, 2]], high[[0, 2]], (500, 2)).T
        above = np.column_stack([x, np.full(500, 2.0), z])
        found, judge = one.project(above), other.project(above)
        assert found.hit.all()
        assert found.point.tobytes() == judge.point.tobytes()
        assert found.normal.tobytes() == judge.normal.tobytes()


def test_heights_beyond_all_bounds_are_no_ground() -> None:
    class Spikes(Waves):
        def height(self, x: object, z: object, start: object = np.inf) -> np.ndarray:
            level = np.array(super().height(x, z, start))
            level[::7, ::3], level[3, 3], level[4, 4] = 1e9, np.nan, -np.inf
            return level

    mesh = StandingGround(Spikes()).cut(np.array([0, 0]))
    assert 0 < len(mesh) < 2 * 120 * 120
    assert np.abs(mesh.vertices[mesh.triangles][..., 1]).max() < 0.1


@pytest.mark.parametrize("terrain", [FlatTerrain(2.0), InclinedTerrain(0.2), Waves()], ids=str)
def test_figures_among_others_have_the_pieces_they_have_alone(terrain: Terrain) -> None:
    """Walks at random, some by leaps; the runs of all parts cover everybody once, in order."""
    rng, count = np.random.default_rng(3), 7
    size = HEIGHTS.reach if isinstance(terrain, Waves) else PLANES.reach
    places = rng.uniform(-size, size, (count, 2))
    alone = [StandingGround(terrain) for _ in range(count)]
    crowds = [CrowdGround(StandingGround(terrain), places, parts) for parts in (1, 3, count)]
    for k in range(25):
        judges = [one.under(*place) for one, place in zip(alone, places.tolist(), strict=True)]
        for crowd, parts in zip(crowds, (1, 3, count), strict=True):
            assert len(crowd.runs) == parts
            assert all(crowd.runs)
            runs = [run for part in crowd.runs for run in part]
            assert [k for who, _ in runs for k in range(who.start, who.stop)] == list(range(count))
            for who, tree in runs:
                for figure in range(who.start, who.stop):
                    assert crowd.under(figure) is tree
                    for mine, theirs in zip(tree, judges[figure], strict=True):
                        assert mine.tobytes() == theirs.tobytes()
        places = places + rng.normal(0.0, (1.5 if k % 6 == 0 else 0.2) * size, (count, 2)) * (k % 3 > 0)
        for crowd in crowds:
            crowd.follow(places)
