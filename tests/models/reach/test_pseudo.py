"""Pseudo-examples: blending alone comes near to what is asked, everywhere in the hull; the same each time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial import cKDTree

from footfall.models.reach import pseudo
from footfall.models.reach.pseudo import BEYOND, SPACING, filled
from tests.captures import needs_captures
from tests.models.reach.libraries import actor_library, bare_library, captured_library

BAR = 0.03  # m, [body] 5.1: precise before inverse kinematics
ELSEWHERE = 77  # a seed that building does not use


@pytest.mark.parametrize("hand", ["left", "right"])
def test_blending_alone_is_near(hand: str) -> None:
    bare, full = bare_library().set_of(hand), actor_library().set_of(hand)
    places = bare.space.sample(1000, ELSEWHERE)
    before, after = bare.misses(places), full.misses(places)
    assert np.median(before) > 0.08  # else there was nothing to better
    assert np.median(after) < BAR
    assert np.percentile(after, 99) < 2.0 * BAR


@needs_captures
def test_blending_captures_alone_is_near() -> None:
    own = captured_library().set_of("right")
    assert np.median(own.misses(own.space.sample(1000, ELSEWHERE))) < BAR


def test_they_lie_apart_and_keep_to_bounds() -> None:
    own = actor_library().set_of("right")
    points = np.vstack([own.points, own.pseudo_points])
    away = cKDTree(points).query(own.pseudo_points, k=2)[0][:, 1]
    assert away.min() >= SPACING - 1e-12
    weights = own.pseudo_weights
    assert weights is not None
    assert_allclose(weights.sum(axis=1), 1.0, atol=1e-9)
    slack = 1.02  # weights are brought to a sum of one after they are cut
    assert weights.min() >= -BEYOND * slack
    assert weights.max() <= (1.0 + BEYOND) * slack


def test_the_same_seed_gives_the_same() -> None:
    bare = bare_library().set_of("right", "sitting")
    one, two, other = filled(bare).set, filled(bare).set, filled(bare, seed=5).set
    assert_array_equal(one.pseudo_points, two.pseudo_points)
    assert_array_equal(one.pseudo_weights, two.pseudo_weights)
    assert len(one.pseudo_points) > 3
    assert (
        one.pseudo_points.shape != other.pseudo_points.shape
        or (one.pseudo_points != other.pseudo_points).any()
    )


def test_one_example_is_left_alone() -> None:
    bare = bare_library().set_of("both")
    assert filled(bare).set is bare


@pytest.mark.cpu
@pytest.mark.parametrize("seed", range(5))
def test_gaps_as_well_filled_are_taken_in_their_order(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What misses by as many millimetres is taken in order; what misses by just what it may is taken."""
    rng, taken = np.random.default_rng(seed), []
    missed = np.array([0.01, 0.0209, 0.0102, SPACING, 0.02]) + 1e-9 * rng.uniform(-1.0, 1.0, 5)
    weights = np.arange(15.0).reshape(5, 3)
    tree = SimpleNamespace(query=lambda places: (np.ones(len(places)), None))
    own = SimpleNamespace(scheme=SimpleNamespace(tree=tree), apexes=lambda rows: rows)
    known: Any = SimpleNamespace(set=own, take=lambda points, rows: taken.append(rows))
    monkeypatch.setattr(pseudo, "_searched", lambda *_: (weights, missed))
    pseudo._into_gaps(known, np.zeros((5, 3)))
    assert taken[0][:, 0].tolist() == [0.0, 6.0, 3.0, 12.0, 9.0]
