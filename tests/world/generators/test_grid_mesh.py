"""The triangles of grids."""

from __future__ import annotations

import numpy as np

from footfall.world.grid_mesh import grid_triangles, grid_vertices


def test_a_cell_is_cut_from_its_first_corner_to_its_last() -> None:
    nx, nz = 3, 2
    triangles = grid_triangles(nx, nz)
    number = {(i, j): i * (nz + 1) + j for i in range(nx + 1) for j in range(nz + 1)}
    expected = []
    for i in range(nx):
        for j in range(nz):
            a, b, c, d = number[i, j], number[i + 1, j], number[i + 1, j + 1], number[i, j + 1]
            expected += [[a, c, b], [a, d, c]]
    assert triangles.tolist() == expected


def test_vertices_are_in_the_order_of_heights_and_tops_look_up() -> None:
    heights = np.random.default_rng(0).uniform(0.0, 0.3, (5, 4))
    vertices = grid_vertices(heights, (-1.0, 2.0), (0.5, 0.25))
    assert np.array_equal(vertices[:, 1], heights.ravel())
    assert vertices[2 * 4 + 3].tolist() == [-1.0 + 2 * 0.5, heights[2, 3], 2.0 + 3 * 0.25]
    a, b, c = np.moveaxis(vertices[grid_triangles(4, 3)], 1, 0)
    normal = np.cross(b - a, c - a)
    assert (normal[:, 1] > 0.0).all()
    assert np.isclose(normal[:, 1].sum() / 2.0, 4 * 0.5 * 3 * 0.25)
