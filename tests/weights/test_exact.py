"""Weights that are searched when asked for: the blend is what was asked, or never farther from it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.weights.cardinal_rbf import CardinalRBF
from footfall.weights.exact import BOUND, PRECISE, exact_weights

LINKS = (0.4, 0.35)  # m


def arm(angles: np.ndarray) -> np.ndarray:
    """Where a planar arm of two links has its hand."""
    first, second = angles[:, 0], angles.sum(axis=1)
    x = LINKS[0] * np.cos(first) + LINKS[1] * np.cos(second)
    return np.stack([x, LINKS[0] * np.sin(first) + LINKS[1] * np.sin(second)], axis=-1)


@pytest.fixture(scope="module")
def reaching() -> tuple[CardinalRBF, np.ndarray]:
    """Fifteen postures of the arm, asked for by where its hand is."""
    grid = np.stack(np.meshgrid(np.linspace(0.2, 1.2, 5), np.linspace(0.5, 1.6, 3)), axis=-1).reshape(-1, 2)
    return CardinalRBF(arm(grid)), grid


def test_blends_are_what_was_asked(reaching: tuple[CardinalRBF, np.ndarray]) -> None:
    scheme, angles = reaching
    rng = np.random.default_rng(0)
    shares = rng.dirichlet(np.ones(4), 300)
    corners = rng.integers(0, len(angles), (300, 4))
    asked = arm(np.einsum("qk,qkd->qd", shares, angles[corners]))  # places that the arm reaches

    def measure(weights: np.ndarray) -> np.ndarray:
        return arm(weights @ angles)

    before = np.abs(measure(scheme(asked)) - asked).max(axis=1)
    weights, left = exact_weights(scheme, measure, asked)
    assert_allclose(weights.sum(axis=1), 1.0, rtol=0, atol=1e-12)
    assert_allclose(left, np.abs(measure(weights) - asked).max(axis=1), rtol=0, atol=1e-15)
    assert before.max() > 0.01
    assert (left <= before).all()
    assert np.percentile(left, 99) <= PRECISE
    assert np.abs(weights).max() <= max(BOUND, np.abs(scheme(asked)).max())


def test_what_is_good_enough_is_left_as_it_is(reaching: tuple[CardinalRBF, np.ndarray]) -> None:
    scheme, angles = reaching
    asked = scheme.points[:5] + 0.01
    weights, left = exact_weights(scheme, lambda w: arm(w @ angles), asked, precise=1.0)
    assert_array_equal(weights, scheme(asked))
    assert (left < 1.0).all()


def test_at_examples_weights_are_the_examples(reaching: tuple[CardinalRBF, np.ndarray]) -> None:
    scheme, angles = reaching
    weights, _ = exact_weights(scheme, lambda w: arm(w @ angles), scheme.points)
    assert_allclose(weights, np.eye(len(angles)), rtol=0, atol=1e-9)


def test_a_measure_that_fails_leaves_the_schemes_weights(reaching: tuple[CardinalRBF, np.ndarray]) -> None:
    scheme, _ = reaching
    asked = scheme.points[3:6] + 0.02
    weights, left = exact_weights(scheme, lambda w: np.full((len(w), 2), np.nan), asked)
    assert_array_equal(weights, scheme(asked))
    assert np.isinf(left).all()


def test_one_by_one_is_the_same_as_together(reaching: tuple[CardinalRBF, np.ndarray]) -> None:
    scheme, angles = reaching
    asked = scheme.points[4:9] * 0.98

    def measure(weights: np.ndarray) -> np.ndarray:
        return arm(weights @ angles)

    together, _ = exact_weights(scheme, measure, asked)
    for row, place in zip(together, asked, strict=True):
        assert_allclose(exact_weights(scheme, measure, place[None])[0][0], row, rtol=0, atol=1e-9)
