"""Polygons are cut the same whatever the last digits of their corners are."""

from __future__ import annotations

import numpy as np
import pytest

from footfall.formats.polygons import triangulate

JITTER = 1e-9


@pytest.mark.cpu
@pytest.mark.parametrize("size", [1e-2, 1.0, 1e3])
@pytest.mark.parametrize("normal", [(1, 1, 0), (0, 1, -1), (1, 1, 1), (-1, 1, 1)])
def test_polygons_that_face_two_ways_alike(normal: tuple[int, int, int], size: float) -> None:
    up = np.array(normal) / np.linalg.norm(normal)
    across = np.cross(up, [0.3, -0.5, 0.8])
    across /= np.linalg.norm(across)
    angles = 2.0 * np.pi * np.arange(7) / 7
    radii = size * np.array([1.0, 0.4, 1.0, 0.7, 1.0, 0.3, 0.9])
    corners = radii[:, None] * (
        np.cos(angles)[:, None] * across + np.sin(angles)[:, None] * np.cross(up, across)
    )
    told = []
    for seed in range(10):
        off = size * JITTER * np.random.default_rng(seed).uniform(-1.0, 1.0, corners.shape)
        told.append(triangulate(corners + off, np.arange(7), np.array([7])))
    for triangles in told:
        np.testing.assert_array_equal(np.asarray(triangles[0]), np.asarray(told[0][0]))
