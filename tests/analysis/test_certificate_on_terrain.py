"""The certificate on real terrains: meshes, slopes, levels over each other, and beyond the edge."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from footfall.actor.virtual_actor import VirtualActor
from footfall.analysis.certificate import LOOK_DOWN, certificate
from footfall.figure.motion import Motion
from footfall.geometry.ground import UP
from footfall.world.generators.tiles import Tile, build_tiles, level
from footfall.world.mesh import MeshTerrain, join
from footfall.world.plane import FlatTerrain
from footfall.world.stairs import SpiralStairs
from tests.world.meshes import bridge, terrain_of

ZERO = 1e-9


def plate(
    x: tuple[float, float], z: tuple[float, float], level: float = 0.0, slope: float = 0.0
) -> MeshTerrain:
    corners = [(x[0], z[0]), (x[0], z[1]), (x[1], z[1]), (x[1], z[0])]
    vertices = np.array([[a, level + np.tan(slope) * b, b] for a, b in corners])
    return MeshTerrain(vertices, [[0, 1, 2], [0, 2, 3]])


@pytest.fixture(scope="module")
def walk() -> Motion:
    return VirtualActor().walk(1.2, steps=6).motion


def test_a_floor_of_triangles_is_a_floor(walk: Motion) -> None:
    found = certificate(walk, terrain=plate((-5, 5), (-5, 15)))
    assert found.penetration_max_m == pytest.approx(0.0, abs=ZERO)
    assert found.float_max_m == pytest.approx(0.0, abs=ZERO)


@pytest.mark.parametrize("depth", [0.004, 0.05, 0.2])
def test_a_figure_in_the_ground_is_in_it_and_one_over_it_over_it(walk: Motion, depth: float) -> None:
    ground = plate((-5, 5), (-5, 15))
    sunk = certificate(replace(walk, root=walk.root - depth * UP), terrain=ground)
    raised = certificate(replace(walk, root=walk.root + depth * UP), terrain=ground)
    assert depth < LOOK_DOWN
    assert sunk.penetration_max_m == pytest.approx(depth, abs=ZERO)
    assert raised.float_max_m == pytest.approx(depth, abs=ZERO)
    assert raised.penetration_max_m == 0.0


def test_a_roof_overhead_is_not_the_ground(walk: Motion) -> None:
    ground = join([plate((-5, 5), (-5, 15)), plate((-5, 5), (-5, 15), level=1.0)])
    found = certificate(walk, terrain=ground)
    assert found.penetration_max_m == pytest.approx(0.0, abs=ZERO)


def test_over_a_bridge_and_under_it() -> None:
    terrain, walk = terrain_of(bridge()), VirtualActor().walk(1.0, steps=3).motion
    walk = replace(walk, root=walk.root - 0.5 * (walk.root[0] + walk.root[-1]) * [1.0, 0.0, 1.0])
    assert np.abs(walk.root[:, 2]).max() < 1.0
    for deck in (0.0, 3.0):
        found = certificate(replace(walk, root=walk.root + deck * UP), terrain=terrain)
        assert found.penetration_max_m == pytest.approx(0.0, abs=ZERO)
        assert found.float_max_m == pytest.approx(0.0, abs=ZERO)


@pytest.mark.parametrize("slope", [-0.2, 0.15])
def test_on_a_slope_nothing_floats(slope: float) -> None:
    walk = VirtualActor().walk(1.1, slope=slope, steps=6).motion
    found = certificate(walk, terrain=plate((-5, 5), (-5, 15), slope=slope))
    assert found.penetration_max_m == pytest.approx(0.0, abs=ZERO)
    assert found.float_max_m == pytest.approx(0.0, abs=ZERO)


def test_spirals_of_more_than_a_turn() -> None:
    turn, tread = 2 * np.pi / 12, 0.45
    walk = VirtualActor().stairs(0.17, tread, turn=turn, steps=20).motion
    found = certificate(walk, terrain=SpiralStairs(0.17, turn, tread / turn))
    assert found.penetration_max_m == pytest.approx(0.0, abs=ZERO)
    assert found.float_max_m == pytest.approx(0.0, abs=ZERO)


def test_standing_beyond_the_edge_floats_by_the_way_back(walk: Motion) -> None:
    """A floor that ends 1 m before the first footprint: the nearest ground is that far."""
    behind = float(walk.positions[..., 2].min()) - 1.0
    found = certificate(walk, terrain=plate((-5, 5), (behind - 1.0, behind)))
    assert found.float_max_m is not None
    assert found.penetration_max_m == 0.0
    assert 1.0 < found.float_max_m < 8.0


@pytest.mark.parametrize("depth", [0.31, 0.5, 2.0])
@pytest.mark.parametrize("flat", [True, False])
def test_a_figure_deep_in_the_ground_is_that_deep(walk: Motion, depth: float, flat: bool) -> None:
    ground = FlatTerrain(depth) if flat else plate((-5, 5), (-5, 15), level=depth)
    found = certificate(walk, terrain=ground)
    assert found.penetration_max_m == pytest.approx(depth, abs=ZERO)
    assert found.float_max_m == 0.0


@pytest.mark.parametrize("height", [0.1, 0.28, 0.35, 1.0])
def test_a_walk_through_a_block_is_in_the_block(walk: Motion, height: float) -> None:
    """A block across the way, as wide as a step: some sole is on the floor level inside it."""
    edges = np.array([-5.0, 1.0, 1.8, 15.0])
    plan = np.array([[x, z] for z in edges for x in (-5.0, 5.0)])
    tiles = [
        Tile((2 * k, 2 * k + 1, 2 * k + 3, 2 * k + 2), level(y), "stone")
        for k, y in enumerate((0, height, 0))
    ]
    found = certificate(walk, terrain=build_tiles(plan, tiles)[0])
    assert found.penetration_max_m == pytest.approx(height, abs=ZERO)
    assert found.float_max_m == pytest.approx(0.0, abs=ZERO)
