"""Meshes as terrain: what is accepted, levels over each other, labels, joins."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.errors import RequestError
from footfall.world.mesh import LARGEST, MeshTerrain, join
from tests.world.meshes import bridge, hills, terrain_of

ONE = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])


class TestAccepted:
    def test_one_triangle(self) -> None:
        terrain = MeshTerrain(ONE, [[0, 1, 2]])
        assert len(terrain) == 1
        assert terrain.height(0.2, 0.2) == 0.0
        assert np.isneginf(terrain.height(0.8, 0.8))
        assert terrain.closest([0.2, -1.0, 0.2]).distance == 1.0

    @pytest.mark.parametrize("order", [[0, 1, 2], [0, 2, 1]])
    def test_flipped_triangles_are_ground_all_the_same(self, order: list[int]) -> None:
        terrain = MeshTerrain(ONE, [order])
        assert_array_equal(np.abs(terrain.normal(0.2, 0.2) - [0.0, 1.0, 0.0]), 0.0)
        assert terrain.project([0.2, -1.0, 0.2], [0.0, 1.0, 0.0]).normal[1] == -1.0

    def test_triangles_without_area_are_left_out(self) -> None:
        vertices = np.concatenate([ONE, [[0.5, 0.0, 0.0]]])
        terrain = MeshTerrain(
            vertices, [[0, 0, 1], [0, 1, 2], [0, 3, 2], [1, 1, 1]], ("a", "b"), [0, 1, 0, 0]
        )
        assert len(terrain) == 1
        assert terrain.label(0.2, 0.2) == "b"

    def test_three_triangles_at_one_edge(self) -> None:
        vertices = np.concatenate([ONE, [[1.0, 0.0, 1.0]], [[0.5, 1.0, 0.5]]])
        terrain = MeshTerrain(vertices, [[0, 1, 2], [3, 2, 1], [1, 2, 4]])
        assert terrain.height(0.3, 0.3) == 0.0
        assert terrain.project([0.3, 0.3, 0.3], [1.0, 0.0, 1.0]).face == 2

    def test_vertices_that_no_triangle_uses_do_not_matter(self) -> None:
        terrain = MeshTerrain(np.concatenate([ONE, np.full((1, 3), np.nan)]), [[0, 1, 2]])
        assert_array_equal(terrain.bounds, [[0.0, 0.0, 0.0], [1.0, 0.0, 1.0]])

    def test_arrays_are_kept_apart_from_the_callers(self) -> None:
        vertices = ONE.copy()
        terrain = MeshTerrain(vertices, [[0, 1, 2]])
        vertices[:] = 9.0
        assert terrain.height(0.2, 0.2) == 0.0
        with pytest.raises(ValueError, match="read-only"):
            terrain.vertices[0] = 1.0


class TestRefused:
    @pytest.mark.parametrize(
        ("vertices", "triangles", "sentence"),
        [
            (ONE, np.zeros((0, 3), int), "at least one triangle"),
            (np.zeros((0, 3)), np.zeros((0, 3), int), "at least one triangle"),
            (ONE, [[0, 0, 1]], "at least one triangle with an area"),
            (ONE, [[0, 1, 3]], "vertices 0 to 3; there are 3"),
            (ONE, [[-1, 1, 2]], "vertices -1 to 2; there are 3"),
            (ONE * np.nan, [[0, 1, 2]], "finite"),
            (ONE + np.inf, [[0, 1, 2]], "finite"),
            (ONE * 2 * LARGEST, [[0, 1, 2]], "within"),
            (ONE[:, :2], [[0, 1, 2]], "shape"),
            (ONE, [[0, 1]], "shape"),
            (ONE, [[0, 1.9, 2.2]], "whole numbers"),
            (ONE, [[0, np.nan, 2]], "whole numbers"),
            ([[0, 0, 0], [1]], [[0, 1, 2]], "array of numbers"),
            ("mesh", [[0, 1, 2]], "array of numbers"),
        ],
    )
    def test_meshes(self, vertices: np.ndarray, triangles: np.ndarray, sentence: str) -> None:
        with pytest.raises(RequestError, match=sentence):
            MeshTerrain(vertices, triangles)

    @pytest.mark.parametrize("kinds", [[2], [-1], [0, 0], [[0]]])
    def test_kinds(self, kinds: list[int]) -> None:
        with pytest.raises(RequestError, match="labels"):
            MeshTerrain(ONE, [[0, 1, 2]], ("grass", "ice"), kinds)

    def test_labels(self) -> None:
        with pytest.raises(RequestError, match="tuple of texts"):
            MeshTerrain(ONE, [[0, 1, 2]], "grass")  # type: ignore[arg-type]


class TestLevels:
    """A bridge: stairs up, a deck 3 m over the floor with its underside at 2.7 m."""

    def test_from_above_the_deck_from_below_the_floor(self) -> None:
        terrain = terrain_of(bridge())
        assert_allclose(terrain.height(0.0, 0.0), 3.0, atol=1e-12)
        assert_allclose(
            terrain.height(0.0, 0.0, [10.0, 3.0 + 1e-9, 2.6, 1.0]), [3.0, 3.0, 0.0, 0.0], atol=1e-12
        )
        assert terrain.project([0.0, 1.0, 0.0], [0.0, 1.0, 0.0]).distance == pytest.approx(1.7)

    def test_up_the_stairs_over_the_deck_and_down_again(self) -> None:
        """Looking down from a little over where one stands, one never sees the wrong level."""
        terrain, level, seen = terrain_of(bridge()), 0.0, []
        for x in np.linspace(-5.99, 5.99, 2000):
            level = float(terrain.height(x, 0.0, level + 0.25))
            seen.append(level)
        assert np.abs(np.diff(seen)).max() == pytest.approx(0.2)
        assert max(seen) == pytest.approx(3.0)
        under = [float(terrain.height(0.0, z, 0.25)) for z in np.linspace(-2.9, 2.9, 200)]
        assert_allclose(under, 0.0, atol=1e-12)

    def test_a_sphere_between_the_levels_touches_neither(self) -> None:
        terrain = terrain_of(bridge())
        assert_array_equal(
            terrain.touching([[0.0, y, 0.0] for y in (3.1, 2.85, 1.35, 0.1)], 0.2), [True, True, False, True]
        )


class TestLabels:
    def test_of_levels_over_each_other(self) -> None:
        over, under = hills(), hills()
        over.apply_translation([0.0, 2.0, 0.0])
        parts = [terrain_of(over), terrain_of(under)]
        named = [
            MeshTerrain(p.vertices, p.triangles, (name,))
            for p, name in zip(parts, ("ice", "snow"), strict=True)
        ]
        terrain = join(named)
        assert_array_equal(terrain.label(3.0, 3.0, [5.0, 1.0, -3.0]), ["ice", "snow", ""])
        assert_allclose(terrain.height(3.0, 3.0) - 2.0, terrain.height(3.0, 3.0, 1.0), atol=1e-12)

    def test_shared_names_are_one(self) -> None:
        a = MeshTerrain(ONE, [[0, 1, 2]], ("grass", "ice"), [1])
        b = MeshTerrain(ONE + 5.0, [[0, 1, 2]], ("ice", "sand"), [0])
        terrain = join([a, b])
        assert terrain.labels == ("grass", "ice", "sand")
        assert_array_equal(terrain.label([0.2, 5.2], [0.2, 5.2]), ["ice", "ice"])

    def test_nothing_cannot_be_joined(self) -> None:
        with pytest.raises(RequestError, match="at least one"):
            join([])
