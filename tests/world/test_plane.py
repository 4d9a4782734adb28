"""Planes against their equation."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.errors import RequestError
from footfall.world.plane import FlatTerrain, InclinedTerrain


@pytest.mark.parametrize("slope", [-0.6, 0.0, 0.1, 1.2])
def test_against_the_equation_of_the_plane(slope: float) -> None:
    plane = InclinedTerrain(slope, 0.4)
    rng = np.random.default_rng(0)
    points, directions = rng.normal(size=(2, 500, 3))
    up = np.array([0.0, np.cos(slope), -np.sin(slope)])
    away = points @ up - 0.4 * up[1]
    assert_allclose(plane.height(points[:, 0], points[:, 2]), 0.4 + points[:, 2] * np.tan(slope), atol=1e-14)
    assert_allclose(plane.closest(points).distance, np.abs(away), atol=1e-14)
    assert_array_equal(plane.touching(points, 0.3), np.abs(away) <= 0.3)
    found = plane.project(points, directions)
    assert_array_equal(found.hit, (away > 0) == (directions @ up < 0))
    assert_allclose(found.point[found.hit] @ up, 0.4 * up[1], atol=1e-12)


def test_a_point_on_the_plane_is_on_it_whichever_way_it_looks() -> None:
    found = FlatTerrain(1.0).project(
        np.array([2.0, 1.0, 3.0]), [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    )
    assert_array_equal(found.distance, 0.0)


def test_what_is_above_the_start_is_not_seen() -> None:
    assert_array_equal(FlatTerrain(1.0).height(0.0, 0.0, [0.99, 1.0, 2.0]), [-np.inf, 1.0, 1.0])


def test_names() -> None:
    assert FlatTerrain(name="ice").label(0.0, 0.0) == "ice"
    assert repr(FlatTerrain(0.5)) == "FlatTerrain(level=0.5, name='ground')"


@pytest.mark.parametrize("slope", [np.nan, 1.6, -2.0, np.inf, None, "steep"])
def test_walls_are_no_ground(slope: float) -> None:
    with pytest.raises(RequestError, match="slope"):
        InclinedTerrain(slope)


def test_a_floor_has_a_level() -> None:
    with pytest.raises(RequestError, match="level"):
        FlatTerrain(np.nan)
