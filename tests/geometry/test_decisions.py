"""Decisions stay the same when every input is changed by 1e-9, ties included."""

from __future__ import annotations

import numpy as np
import pytest

from footfall.geometry import decisions, decisions_kernel
from footfall.geometry.decisions import (
    MARGIN,
    PRECISION,
    cell_of,
    cells_up_to,
    clearly_less,
    first_greatest,
    first_least,
    nearest_cell,
    order_of,
    rounded,
    shortest_turn,
    signed_by_largest,
    tie_break,
)

JITTER = 1e-9


def changed(values: np.ndarray, seed: int) -> np.ndarray:
    return values * (1.0 + JITTER * np.random.default_rng(seed).uniform(-1.0, 1.0, np.shape(values)))


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e6])
def test_ties_are_broken_by_index_however_inputs_round(scale: float) -> None:
    costs = scale * np.array([3.0, 1.0, 2.0, 1.0, 3.0, 1.0, np.inf, 2.0])
    for seed in range(50):
        own = changed(costs, seed)
        assert first_least(own) == 1
        assert first_greatest(own[:6]) == 0
        np.testing.assert_array_equal(order_of(own), [1, 3, 5, 2, 7, 0, 4, 6])


def test_first_least_goes_along_an_axis() -> None:
    costs = np.array([[2.0, 1.0 + 1e-9, 1.0], [5.0, 5.0, 4.0], [np.inf, np.inf, np.inf]])
    np.testing.assert_array_equal(first_least(costs, axis=1), [1, 2, 0])
    np.testing.assert_array_equal(first_least(costs, axis=0), [0, 0, 0])


def test_what_differs_by_more_than_the_margin_is_told_apart() -> None:
    rng = np.random.default_rng(4)
    for _ in range(50):
        costs = rng.permutation(20) * 1.5 * MARGIN
        assert first_least(costs) == np.argmin(costs)
        assert first_greatest(costs) == np.argmax(costs)
        np.testing.assert_array_equal(order_of(costs), np.argsort(costs))


@pytest.mark.parametrize("own", [clearly_less, decisions_kernel.clearly_less])
@pytest.mark.parametrize(
    ("a", "b", "less"),
    [
        (1.0, 1.0 + 0.9 * MARGIN, False),
        (1.0, 1.0 + 1.1 * MARGIN, True),
        (1e3, 1e3 + 500.0 * MARGIN, False),
        (-1.0, 1.0, True),
        (1.0, np.inf, True),
        (np.inf, 1.0, False),
        (np.inf, np.inf, False),
        (-np.inf, 1.0, True),
        (1.0, -np.inf, False),
        (-np.inf, -np.inf, False),
    ],
)
def test_less_is_less_by_the_margin(own: object, a: float, b: float, less: bool) -> None:
    assert bool(own(a, b)) is less  # type: ignore[operator]


@pytest.mark.parametrize("size", [0.05, 0.1, 2 * np.pi / 32])
def test_coordinates_on_an_edge_belong_to_the_cell_that_begins_there(size: float) -> None:
    numbers = np.arange(-500, 500)
    for seed in range(5):
        noise = JITTER * np.random.default_rng(seed).uniform(-1.0, 1.0, len(numbers))
        np.testing.assert_array_equal(cell_of(size * numbers + noise, size), numbers)
        np.testing.assert_array_equal(cell_of(size * (numbers + 0.5) + noise, size), numbers)
        np.testing.assert_array_equal(nearest_cell(size * numbers + noise, size), numbers)
        np.testing.assert_array_equal(nearest_cell(size * (numbers + 0.5) + noise, size), numbers + 1)


def test_compiled_decisions_are_the_same() -> None:
    rng = np.random.default_rng(9)
    for position in [*rng.uniform(-20.0, 20.0, 200), *(0.05 * np.arange(-40, 40))]:
        for size in (0.05, 0.3):
            assert decisions_kernel.cell_of(position, size) == decisions.cell_of(position, size)
            assert decisions_kernel.nearest_cell(position, size) == decisions.nearest_cell(position, size)
    assert decisions_kernel.rounded(0.1 + 0.2) == decisions_kernel.rounded(0.3)
    assert decisions_kernel.rounded(0.3 + 1.6 * MARGIN) == pytest.approx(0.3 + 2.0 * MARGIN, abs=1e-12)


def test_tie_breaks_are_spread_and_always_the_same() -> None:
    i, j = np.meshgrid(np.arange(-100, 100), np.arange(-100, 100), indexing="ij")
    found = tie_break(i, j)
    assert ((found >= 0.0) & (found < 1.0)).all()
    assert len(np.unique(found)) == found.size
    assert np.abs(np.histogram(found, bins=10, range=(0.0, 1.0))[0] / found.size - 0.1).max() < 0.01
    for other in (found.T, np.roll(found, 1, axis=0), np.roll(found, 1, axis=1)):
        assert abs(np.corrcoef(found.ravel(), other.ravel())[0, 1]) < 0.02
    assert tie_break(np.array(3), np.array(-7)) == found[103, 93]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rounding_keeps_type_and_multiples_and_has_one_zero(dtype: type) -> None:
    values = np.array([1.0, -0.0, -1e-13, 0.3, 123.456, -5e-9, 0.25 + 1e-12], dtype=dtype)
    found = rounded(values)
    assert found.dtype == dtype
    np.testing.assert_array_equal(rounded(found), found)
    np.testing.assert_array_equal(np.asarray(found, dtype=float) / PRECISION % 1.0, 0.0)
    assert np.abs(found.astype(float) - values).max() <= 0.5 * PRECISION
    assert not np.signbit(found[found == 0.0]).any()
    assert found[[0, 6]].tolist() == [1.0, 0.25]


def test_rounding_hides_the_last_digits_except_where_a_number_is_at_the_edge_of_a_step() -> None:
    rng = np.random.default_rng(0)
    values = rng.uniform(-3.0, 3.0, 100_000)
    changed = np.abs(rounded(values + rng.uniform(-1e-13, 1e-13, len(values))) - rounded(values))
    assert changed.max() <= PRECISION
    assert (changed > 0.0).sum() < 60  # twice 1e-13 of a step of 1e-9, of 100,000


def test_endless_costs_are_told_apart() -> None:
    assert first_greatest(np.array([1.0, np.inf, np.inf])) == 1
    np.testing.assert_array_equal(order_of(np.array([2.0, -np.inf, np.inf, 1.0])), [1, 3, 0, 2])
    assert decisions_kernel.first_least(np.array([np.inf, -np.inf, 1.0])) == 1


@pytest.mark.parametrize("own", [shortest_turn, decisions_kernel.shortest_turn])
def test_half_a_turn_is_to_the_left(own: object) -> None:
    rng = np.random.default_rng(3)
    for angle in rng.uniform(-40.0, 40.0, 200):
        turn = float(own(angle))  # type: ignore[operator]
        assert abs(turn) <= np.pi + MARGIN
        np.testing.assert_allclose(np.exp(1j * turn), np.exp(1j * angle), rtol=0, atol=1e-12)
    for whole in (-2, 0, 3):
        for noise in JITTER * rng.uniform(-1.0, 1.0, 10):
            assert own(np.pi * (2 * whole + 1) + noise) > 0.0  # type: ignore[operator]


def test_signs_of_axes_are_those_of_their_largest_components() -> None:
    axes = np.array([[0.1, -0.7, 0.7, 0.0], [0.0, 0.0, -0.2, 0.1]])
    for seed in range(20):
        own = changed(axes, seed)
        np.testing.assert_array_equal(signed_by_largest(own), -own)
        np.testing.assert_array_equal(signed_by_largest(-own), -own)
    assert signed_by_largest(np.zeros((0, 3))).shape == (0, 3)


def test_cells_up_to_a_position() -> None:
    for seed in range(5):
        np.testing.assert_array_equal(
            cells_up_to(changed(0.1 * np.arange(1, 40), seed), 0.1), np.arange(1, 40)
        )
    assert cells_up_to(0.101, 0.1) == 2
