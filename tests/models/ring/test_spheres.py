"""Contact spheres: where feet really come down for weights all over their reach ([rings] 4.1)."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.models.ring.spheres import ContactSpheres
from tests.models.ring.rings import resting_ring, small_ring

HALVES = [0, 1]


@pytest.mark.parametrize("half", HALVES)
def test_sought_all_over_the_box_of_the_strike_points(half: int) -> None:
    spheres, points = small_ring().spheres[half], small_ring().tables.own_strikes(half)
    assert len(spheres) == 125
    assert_allclose(spheres.lattice.min(axis=0), points.min(axis=0))
    assert_allclose(spheres.lattice.max(axis=0), points.max(axis=0))
    for axis in range(3):
        steps = np.diff(np.unique(spheres.lattice[:, axis].round(9)))
        assert len(steps) == 4
        assert_allclose(steps, steps[0], atol=1e-8)


@pytest.mark.parametrize("half", HALVES)
def test_centres_are_the_strikes_of_their_own_weights(half: int) -> None:
    ring = small_ring()
    spheres = ring.spheres[half]
    found = ring.tables.strikes(half, spheres.weights)
    assert_allclose(spheres.centres, found.point, atol=1e-12)
    assert_allclose(spheres.turns, found.turn, atol=1e-12)
    assert_allclose(spheres.step_lengths, np.hypot(found.point[:, 0], found.point[:, 2]), atol=1e-12)
    assert_allclose(spheres.weights.sum(axis=1), 1.0, atol=1e-9)
    assert_allclose(spheres.weights, spheres.kriging(spheres.lattice), atol=1e-12)


@pytest.mark.parametrize("half", HALVES)
def test_feet_come_down_about_where_they_were_sought(half: int) -> None:
    """Blends of rotations are not linear, so not exactly; but nearer than the spheres are wide."""
    spheres = small_ring().spheres[half]
    away = np.linalg.norm(spheres.centres - spheres.lattice, axis=1)
    assert np.median(away) < 0.5 * spheres.radius
    assert np.quantile(away, 0.9) < 1.5 * spheres.radius


@pytest.mark.parametrize("half", HALVES)
def test_a_lattice_through_the_strikes_is_exact(half: int) -> None:
    """In the loops' own points nothing is off."""
    tables = small_ring().tables
    points = tables.own_strikes(half)
    spheres = ContactSpheres.over(tables, half)
    assert_allclose(tables.strikes(half, spheres.kriging(points)).point, points, atol=1e-9)


@pytest.mark.parametrize(("lattice", "count"), [((1, 5, 5), 25), ((1, 1, 1), 1), ((2, 3, 4), 24)])
def test_flat_lattices_lie_in_the_middle(lattice: tuple[int, int, int], count: int) -> None:
    tables = small_ring().tables
    points = tables.own_strikes(0)
    spheres = ContactSpheres.over(tables, 0, lattice)
    assert len(spheres) == count
    if lattice[0] == 1:
        assert_array_equal(
            np.unique(spheres.lattice[:, 0]), [0.5 * (points[:, 0].min() + points[:, 0].max())]
        )


def test_a_rest_shares_one_flat_set() -> None:
    left, right = resting_ring().spheres
    assert len(left) == len(right) == 25
    assert left.radius == right.radius == pytest.approx(0.2)
