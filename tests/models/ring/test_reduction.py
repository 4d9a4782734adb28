"""Which loops are enough: the axioms of the greedy choice ([rings] 3.4)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.models.ring.reduction import ENOUGH, chosen_loops


def clouds(count: int, seed: int, size: float = 0.4) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal((0.0, 0.0, 0.6), size, (count, 2, 3))


def unlike(strikes: np.ndarray, one: int, other: int) -> float:
    return sum(float(np.linalg.norm(strikes[one, half] - strikes[other, half])) for half in (0, 1))


def nearest(strikes: np.ndarray, loop: int, kept: list[int]) -> float:
    return min(unlike(strikes, loop, one) for one in kept)


@given(st.integers(17, 36), st.integers(0, 1000), st.floats(0.05, 0.8))
@settings(max_examples=25, deadline=None)
def test_greedy_axioms(count: int, seed: int, size: float) -> None:
    strikes = clouds(count, seed, size)
    kept = chosen_loops(strikes)
    away = [sum(unlike(strikes, one, other) for other in range(count)) for one in range(count)]
    assert kept[0] == int(np.argmin(away))  # the one in the middle
    assert len(set(kept)) == len(kept)
    for loop in set(range(count)) - set(kept):
        assert nearest(strikes, loop, kept) < ENOUGH
    for k in range(1, len(kept)):  # each was the most unlike of those left, and unlike enough
        best = max(nearest(strikes, loop, kept[:k]) for loop in range(count))
        assert nearest(strikes, kept[k], kept[:k]) == pytest.approx(best)
        assert best >= ENOUGH


def test_thirty_centimetres() -> None:
    assert ENOUGH == 0.30


@given(st.integers(17, 40), st.integers(0, 100))
@settings(max_examples=25, deadline=None)
def test_a_smaller_distance_keeps_more(count: int, seed: int) -> None:
    strikes = clouds(count, seed)
    counts = [len(chosen_loops(strikes, enough)) for enough in (0.1, 0.3, 0.6, 1.2)]
    assert counts == sorted(counts, reverse=True)
    kept = [chosen_loops(strikes, enough) for enough in (0.1, 0.6)]
    assert kept[0][: len(kept[1])] == kept[1]  # what is chosen first stays


def test_the_same_loop_twice_is_kept_once() -> None:
    strikes = np.repeat(clouds(3, 5), 2, axis=0)
    assert len(chosen_loops(strikes)) == 3
    assert len(chosen_loops(np.repeat(clouds(20, 5, 2.0), 2, axis=0), 1e-9)) == 20


def test_of_few_none_is_left_out_but_what_is_the_same() -> None:
    close = clouds(6, 1, 0.05)
    assert sorted(chosen_loops(close)) == list(range(6))


@pytest.mark.parametrize("least", [2, 5])
def test_at_least_so_many(least: int) -> None:
    assert len(chosen_loops(clouds(30, 3, 1e-3), least=least)) == least


def test_the_usual_is_kept_among_extremes() -> None:
    """Level steps among steps up and down: the level one is there as it was performed."""
    rng = np.random.default_rng(4)
    strikes = np.concatenate([clouds(12, 1, 0.02), clouds(12, 2, 0.02), clouds(12, 3, 0.02)])
    strikes[:12, :, 1] += 0.2
    strikes[12:24, :, 1] -= 0.2
    order = rng.permutation(36)
    assert order[chosen_loops(strikes[order])[0]] >= 24


def test_one_loop_is_one_loop() -> None:
    assert chosen_loops(clouds(1, 0)) == [0]
