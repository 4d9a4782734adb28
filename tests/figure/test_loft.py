"""Lofted surfaces: closed, outward, as large as geometry says, whichever way their line runs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.figure import loft
from tests.figure.surfaces import assert_closed, assert_normals_face_outwards, volume

AXES = [
    (1, 0, 0),
    (0, 1, 0),
    (0, 0, 1),
    (-1, 0, 0),
    (1, 1, 1),
    (1, 1e-4, 0),
    (1, -1e-4, 1e-4),
    (0.7, -0.7, 0),
]


@pytest.mark.parametrize("direction", AXES)
def test_a_capsule_has_its_volume_in_every_direction(direction: tuple[float, float, float]) -> None:
    unit = np.array(direction) / np.linalg.norm(direction)
    radius, length = 0.05, 0.4
    surface = loft.capsule(np.array([1.0, 2, 3]), np.array([1.0, 2, 3]) + length * unit, radius, (0, 1))
    assert_closed(surface)
    assert_normals_face_outwards(surface)
    exact = np.pi * radius**2 * length + 4 / 3 * np.pi * radius**3
    # fourteen sides hold 97 % of a circle, and domes of few rings a little less of a ball
    assert 0.93 * exact < volume(surface) < exact


def test_an_ellipsoid_has_its_volume() -> None:
    radii = np.array([0.1, 0.15, 0.12])
    surface = loft.ellipsoid(np.array([0.0, 1, 0]), radii, 3)
    assert_closed(surface)
    assert_normals_face_outwards(surface)
    exact = 4 / 3 * np.pi * np.prod(radii)
    assert 0.88 * exact < volume(surface) < exact
    assert (surface.joints == 3).all()


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=200, deadline=None)
def test_a_bent_tube_never_twists(seed: int) -> None:
    """Rings joined with a half turn between them make an hourglass, which has lost most of its volume."""
    rng = np.random.default_rng(seed)
    first = rng.normal(size=3)
    first /= np.linalg.norm(first)
    # across may lie along the line or a hair off it, as an arm in a T-pose does from a width along x
    across = first + rng.choice([0.0, 1e-6, 1e-2, 1.0]) * rng.normal(size=3)
    aside = np.cross(first, rng.normal(size=3))
    second = first + rng.uniform(0, np.tan(np.deg2rad(60))) * aside / np.linalg.norm(aside)
    second /= np.linalg.norm(second)
    line = np.cumsum([np.zeros(3), 0.3 * first, 0.3 * second], axis=0)
    radius = 0.04
    profile = [(0.0, radius, radius), (0.5, radius, radius), (1.0, radius, radius)]
    surface = loft.along(line, [0, 1], profile, across=across, blend=0.03)
    assert_closed(surface)
    assert_normals_face_outwards(surface)
    assert volume(surface) == pytest.approx(np.pi * radius**2 * 0.6, rel=0.12)


def test_width_lies_along_across() -> None:
    line = np.array([[0.0, 0, 0], [0.0, 1, 0]])
    surface = loft.along(
        line, [0], [(0.0, 0.2, 0.1), (1.0, 0.2, 0.1)], across=np.array([1.0, 0, 0]), blend=0.0, sides=16
    )
    np.testing.assert_allclose(np.ptp(surface.vertices, axis=0), [0.4, 1.0, 0.2], atol=1e-12)


def test_weights_cross_over_at_the_joint() -> None:
    line = np.array([[0.0, 0, 0], [0.0, 1, 0], [0.0, 2, 0]])
    profile = [(share, 0.1, 0.1) for share in np.linspace(0, 1, 41)]
    surface = loft.along(line, [7, 9], profile, across=np.array([1.0, 0, 0]), blend=0.3)
    upper = np.where(surface.joints == 9, surface.weights, 0).sum(axis=1)
    height = surface.vertices[:, 1]
    np.testing.assert_allclose(upper, np.clip(0.5 + (height - 1) / 0.6, 0, 1), atol=1e-9)
    np.testing.assert_allclose(surface.weights.sum(axis=1), 1.0)


@pytest.mark.parametrize("points", [2, 3, 4])
def test_a_line_without_length_still_makes_a_surface(points: int) -> None:
    line = np.zeros((points, 3))
    profile = [(0.0, 0.1, 0.1), (0.5, 0.2, 0.1), (1.0, 0.1, 0.1)]
    surface = loft.along(line, list(range(points - 1)), profile, across=np.zeros(3), blend=0.1, rounded=True)
    assert np.isfinite(surface.vertices).all()
    assert np.isfinite(surface.normals).all()
    assert_closed(surface)
