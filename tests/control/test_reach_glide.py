"""The way over from target to target: where it begins and ends, how fast, and round what."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.control.reach_glide import Glide, arc_between


def sampled(glide: Glide, end: np.ndarray, count: int = 400) -> np.ndarray:
    step = glide.seconds / count
    track = [end + glide.away]
    for _ in range(count):
        glide.advance(step)
        track.append(end + glide.away)
    return np.array(track)


def test_from_one_place_to_the_other_at_rest_at_both() -> None:
    a, b = np.array([-0.4, 1.0, 0.1]), np.array([0.3, 1.3, 0.3])
    glide = Glide()
    glide.begin(a, b, "right", 0.8)
    track = sampled(glide, b)
    assert_allclose(track[0], a, atol=1e-12)
    assert_allclose(track[-1], b, atol=1e-12)
    pace = np.linalg.norm(np.diff(track, axis=0), axis=1)
    assert pace[0] < 1e-3 * pace.max() * 10
    assert pace[-1] < 1e-3 * pace.max() * 10
    assert not glide.active
    assert glide.left == 0.0


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_begun_again_on_the_way_place_rate_and_acceleration_go_on(share: float) -> None:
    a, b, c = np.array([-0.4, 1.0, 0.1]), np.array([0.3, 1.3, 0.3]), np.array([-0.1, 0.4, 0.5])
    glide = Glide()
    glide.begin(a, b, "right", 0.8)
    glide.advance(0.8 * share)
    away, rate, acceleration = glide.now()
    glide.begin(b + away, c, "right", 0.9)
    again = glide.now()
    assert_allclose(c + again[0], b + away, atol=1e-12)
    assert_allclose(again[1], rate, atol=1e-12)
    assert_allclose(again[2], acceleration, atol=1e-10)


def test_round_the_trunk_and_straight_where_it_is_free() -> None:
    right, left = np.array([-0.45, 1.1, 0.05]), np.array([0.45, 1.1, 0.05])
    glide = Glide()
    glide.begin(right, left, "right", 1.0)
    track = sampled(glide, left)
    radii = np.hypot(track[:, 0], track[:, 2])
    assert radii.min() > 0.3  # straight across it would come within 0.05
    assert (track[:, 2] > 0.0).all()  # ahead, not behind
    assert not arc_between(np.array([-0.2, 0.3, 0.4]), np.array([-0.25, 1.7, 0.45]), "right").any()
    assert not arc_between(right, right, "right").any()


@pytest.mark.parametrize(("hand", "sign"), [("left", 1.0), ("right", -1.0)])
def test_through_the_trunk_it_goes_round_ahead_or_on_its_own_side(hand: str, sign: float) -> None:
    across = arc_between(np.array([-0.4, 1.0, 0.0]), np.array([0.4, 1.0, 0.0]), hand)
    assert across[2] > 0.1
    assert abs(across[0]) < 1e-12
    for x in (-0.03, 0.0, 0.03):
        along = arc_between(np.array([x, 1.0, -0.3]), np.array([-x, 1.0, 0.4]), hand)
        assert sign * along[0] > 0.2
