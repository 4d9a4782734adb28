"""The compiled strike against the tables' own, and against a plain one with inclined soles."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.geometry.ground import heading_of
from footfall.models.ring import layout
from footfall.models.ring import strike_kernel as told
from footfall.models.ring.model import MotionRing
from footfall.models.ring.strike_kernel import correct, strike_of
from tests.models.ring.plain_ring import strike
from tests.models.ring.rings import resting_ring, small_ring
from tests.models.ring.test_kernels_pose import random_weights

FREE = np.array([0.0, np.nan, 0.0, 0.0, 0.0, 0.0])  # level soles, and a support foot that turns along


def found(ring: MotionRing, half: int, weights: np.ndarray, tilts: np.ndarray, early: int = 0) -> np.ndarray:
    strike = np.full(told.STRIKE, np.nan)
    room = np.full(7 * int(ring.packed.sizes[layout.LINKS]), np.nan)
    strike_of(ring.packed.sizes, ring.packed.numbers, half, early, weights, tilts, strike, room)
    return strike


@pytest.mark.parametrize("half", [0, 1])
@pytest.mark.parametrize("ring_of", [small_ring, resting_ring])
def test_strikes_on_level_ground_are_the_tables(ring_of: Callable[[], MotionRing], half: int) -> None:
    """But where a heel is kept out of the ground, which the tables do not do."""
    ring, rng, compared = ring_of(), np.random.default_rng(half), 0
    for weights in [*np.eye(len(ring)), *(random_weights(ring, rng) for _ in range(20))]:
        made, plain = found(ring, half, weights, FREE), ring.tables.strikes(half, weights)
        if made[told.TILT : told.TILT + 3].any():
            assert_allclose(made[told.POINT : told.POINT + 3], plain.point, atol=0.1)
            continue
        compared += 1
        assert_allclose(made[told.POINT : told.POINT + 3], plain.point, atol=1e-12)
        assert_allclose(made[told.ALONG : told.ALONG + 3], plain.along, atol=1e-12)
        assert_allclose(made[told.TURN], plain.turn, atol=1e-12)
        assert_allclose(made[told.ORIGIN : told.ORIGIN + 3], plain.origin, atol=1e-12)
    assert compared > 4


@pytest.mark.parametrize("half", [0, 1])
@pytest.mark.parametrize("early", [0, 1])
def test_strikes_with_inclined_soles(half: int, early: int) -> None:
    ring, rng = small_ring(), np.random.default_rng(7)
    back = early * (ring.tables.half // layout.APPROACH)
    for _ in range(20):
        weights, tilts = random_weights(ring, rng), rng.normal(0.0, 0.25, 6)
        made, plain = (
            found(ring, half, weights, tilts, early),
            strike(ring.tables, half, weights, tilts, back),
        )
        assert_allclose(made[told.POINT : told.POINT + 3], plain.point, atol=1e-12)
        assert_allclose(made[told.TOE : told.TOE + 3], plain.toe, atol=1e-12)
        assert_allclose(made[told.ALONG : told.ALONG + 3], plain.along, atol=1e-12)
        assert_allclose(made[told.ORIGIN : told.ORIGIN + 3], plain.origin, atol=1e-12)
        assert_allclose(made[told.TILT : told.TILT + 3], plain.tilt, atol=1e-12)
        assert_allclose(made[[told.TURN, told.LAID]], [plain.turn, plain.heading], atol=1e-12)
        assert_allclose(made[told.FLAT : told.FLAT + 2], plain.flat, atol=1e-12)
        assert_allclose(made[told.BEGUN : told.BEGUN + 2], plain.begun[[0, 2]], atol=1e-12)


@pytest.mark.parametrize("half", [0, 1])
def test_the_frame_after_a_strike_has_the_toe_where_it_came_down(half: int) -> None:
    """[rings] 3.3 with re-anchoring: the next half begins at the toe joint that has just arrived."""
    ring, rng = small_ring(), np.random.default_rng(8)
    for _ in range(10):
        weights = random_weights(ring, rng)
        made = found(ring, half, weights, rng.normal(0.0, 0.2, 6))
        turn, begun = made[told.TURN], weights @ ring.tables.anchors[:, 1 - half, 0]
        cosine, sine = np.cos(turn), np.sin(turn)
        moved = [cosine * begun[0] + sine * begun[2], begun[1], cosine * begun[2] - sine * begun[0]]
        assert_allclose(
            made[told.ORIGIN : told.ORIGIN + 3] + moved, made[told.TOE : told.TOE + 3], atol=1e-12
        )


def test_a_support_foot_that_keeps_its_heading_moves_the_strike_by_no_more_than_its_own_size() -> None:
    """Twisting the ankle of the foot that stands does not change where it stands nor how the root faces."""
    ring = small_ring()
    weights = ring.usual_weights
    free = found(ring, 0, weights, FREE)
    for heading in (-0.5, 0.0, 0.5):
        kept = found(ring, 0, weights, np.array([0.0, heading, 0.0, 0.0, 0.0, 0.0]))
        assert kept[told.TURN] == free[told.TURN]
        assert_allclose(heading_of(kept[told.ALONG :][:3]), heading_of(free[told.ALONG :][:3]), atol=1e-12)
        assert np.linalg.norm(kept[:3] - free[:3]) < 2.0 * 0.2 * abs(np.sin(0.5 * kept[told.TILT + 1])) + 1e-9


@pytest.mark.parametrize("half", [0, 1])
@pytest.mark.parametrize("scale", [0.5, 1.0])
def test_corrections_are_equation_five(half: int, scale: float) -> None:
    ring, rng = small_ring(), np.random.default_rng(9)
    kriging = ring.spheres[half].kriging
    for _ in range(20):
        foot, place = rng.normal(0.0, 0.4, (2, 3)) + kriging.points.mean(axis=0)
        weights = random_weights(ring, rng)
        made = weights.copy()
        correct(ring.packed.sizes, ring.packed.numbers, half, scale, foot, place, made)
        assert_allclose(made - weights, scale * kriging.change(foot, place), atol=1e-11)
        assert made.sum() == pytest.approx(1.0, abs=1e-11)


@pytest.mark.parametrize("half", [0, 1])
def test_a_whole_correction_between_strike_points_goes_from_loop_to_loop(half: int) -> None:
    """Kriging is exact at its points: from loop to loop one's weights become the other's."""
    ring = small_ring()
    points = ring.spheres[half].kriging.points
    weights = np.eye(len(ring))[0]
    correct(ring.packed.sizes, ring.packed.numbers, half, 1.0, points[0].copy(), points[2].copy(), weights)
    assert_allclose(weights, np.eye(len(ring))[2], atol=1e-9)
