"""[rings] 4.4 on efficient collision detection: what the paper claims of its box tree."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from footfall.errors import RequestError
from footfall.geometry.ground import UP
from footfall.world.mesh import MeshTerrain
from footfall.world.plane import FlatTerrain
from footfall.world.sliced_touch import SlicedTouch, boundary_sphere
from footfall.world.tree_rays_kernel import meet_rays
from footfall.world.tree_spheres_kernel import nodes_near, touch_spheres, touch_together
from tests.world.meshes import hills, terrain_of

RADIUS = 0.2  # m
LATTICE = np.stack(
    np.meshgrid(np.linspace(-0.3, 0.3, 5), np.linspace(-0.3, 0.3, 5), np.linspace(0, 1, 5), indexing="ij"), -1
).reshape(-1, 3)


def contact_spheres(terrain: MeshTerrain, count: int, seed: int = 0) -> list[np.ndarray]:
    """5 x 5 x 5 spheres before a character at random places of the ground."""
    low, high = terrain.bounds
    places = np.random.default_rng(seed).uniform(low[[0, 2]] + 1.2, high[[0, 2]] - 1.2, (count, 2))
    levels = terrain.height(places[:, 0], places[:, 1])
    return [LATTICE + np.array([x, y, z]) for (x, z), y in zip(places, levels, strict=True)]


def opened_a_sphere(terrain: MeshTerrain) -> float:
    """Nodes that one sphere's search opens, on average."""
    arrays, radii, touching = terrain.tree.arrays, np.full(125, RADIUS), np.empty(125, dtype=bool)
    batches = contact_spheres(terrain, 40)
    return sum(touch_together(*arrays, c, radii, touching) for c in batches) / (125 * len(batches))


def test_visited_nodes_grow_with_the_logarithm_of_the_triangles() -> None:
    """Wide grounds of one density: 300 times the triangles cost no more than the levels that are added."""
    sizes = [(30, 20), (100, 50), (300, 160), (600, 300)]
    terrains = [terrain_of(hills(nx, nz, 0.2)) for nx, nz in sizes]
    opened = np.array([opened_a_sphere(t) for t in terrains])
    levels = np.array([t.tree.depth for t in terrains])
    assert len(terrains[-1]) / len(terrains[0]) == 300
    assert (opened <= levels + 3).all()
    assert opened[-1] - opened[0] <= levels[-1] - levels[0]


def test_rays_open_about_one_node_a_level() -> None:
    for nx, nz in [(100, 50), (600, 300)]:
        terrain = terrain_of(hills(nx, nz, 0.2))
        tree, n = terrain.tree, 125
        answers = np.empty(n), np.empty((n, 3)), np.empty((n, 3)), np.empty(n, dtype=np.int64)
        opened = [meet_rays(*tree.arrays, c + UP, -UP[None], *answers) for c in contact_spheres(terrain, 40)]
        assert np.mean(opened) / n < tree.depth + 1


def test_the_two_steps_open_fewer_nodes_than_one_by_one() -> None:
    terrain = terrain_of(hills(300, 160, 0.1))
    arrays, radii, touching = terrain.tree.arrays, np.full(125, RADIUS), np.empty(125, dtype=bool)
    alone = together = 0
    for centres in contact_spheres(terrain, 40):
        alone += touch_spheres(*arrays, np.zeros(1, dtype=np.int64), centres, radii, touching)
        together += touch_together(*arrays, centres, radii, touching)
    assert together < 0.85 * alone


def test_the_printed_depth_goes_to_the_leaves_where_one_node_a_level_is_met() -> None:
    """The inequality as printed: with one node a level, a level more is always worth it."""
    terrain = terrain_of(hills(100, 50, 0.2))
    corner = terrain.bounds[0] - [0.5, 0.5, 0.5]  # met by the one corner of the ground
    away = terrain.closest(corner).distance
    nodes = nodes_near(*terrain.tree.arrays, corner, float(away) + 1e-3, 125)
    assert len(nodes) == 1
    assert nodes[0] >= len(terrain.tree.rows) // 48  # a leaf


@pytest.mark.parametrize("slices", [1, 2, 7, 15, 200])
def test_time_slicing_finds_the_same(slices: int) -> None:
    terrain = terrain_of(hills())
    for centres in contact_spheres(terrain, 10):
        touch = SlicedTouch(terrain, centres, RADIUS, slices)
        count = 0
        while not touch.done:
            touch.advance()
            count += 1
        assert count == slices
        assert_array_equal(touch.finish(), terrain.touching(centres, RADIUS))


@pytest.mark.parametrize("slices", [5, 15])
def test_slices_open_about_the_same_number_of_nodes(slices: int) -> None:
    terrain = terrain_of(hills(100, 50, 0.2))
    arrays, worst = terrain.tree.arrays, []
    for centres in contact_spheres(terrain, 40):
        nodes = nodes_near(*arrays, *boundary_sphere(centres, np.full(125, RADIUS)), 125)
        costs = []
        for k in range(slices):
            part = np.ascontiguousarray(centres[k::slices])
            costs.append(
                touch_spheres(
                    *arrays, nodes, part, np.full(len(part), RADIUS), np.empty(len(part), dtype=bool)
                )
            )
        worst.append(max(costs) / np.mean(costs))
    assert np.mean(worst) < 1.7
    assert np.max(worst) < 2.0


def test_a_plane_can_be_sliced_too() -> None:
    found = SlicedTouch(FlatTerrain(), LATTICE, RADIUS, 4).finish()
    assert_array_equal(found, np.abs(LATTICE[:, 1]) <= RADIUS)


def test_no_spheres_and_no_slices() -> None:
    assert SlicedTouch(terrain_of(hills()), np.zeros((0, 3)), RADIUS, 3).finish().shape == (0,)
    with pytest.raises(RequestError, match="at least one slice"):
        SlicedTouch(FlatTerrain(), LATTICE, RADIUS, 0)
