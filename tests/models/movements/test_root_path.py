"""The body's way through a blend: an example's own where there is one, and no blows where there are more."""

from __future__ import annotations

from functools import cache

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from footfall.models.movements.kind import MovementKind
from footfall.models.movements.root_path import RATE, RootPath
from tests.models.movements.libraries import actor_library, and_captured, turning_library

SEEDS = st.integers(0, 2**32 - 1)


@cache
def kinds() -> tuple[MovementKind, ...]:
    return (
        *actor_library().members,
        *(library.members[0] for library in and_captured(turning_library())),
    )


def path_of(kind: MovementKind, weights: np.ndarray) -> tuple[RootPath, np.ndarray]:
    keytimes = kind.tables.blended_keytimes(weights)
    return RootPath.of(kind.tables, weights, keytimes), keytimes


def test_one_example_goes_its_own_way() -> None:
    for kind in kinds():
        for number in range(len(kind.examples)):
            weights = np.eye(len(kind.examples))[number]
            path, keytimes = path_of(kind, weights)
            times = np.linspace(0.0, keytimes[-1], 97)
            own = kind.tables.example_rows(number, times)[:, :3]
            assert_allclose(path.at(times), own, rtol=0, atol=2e-4)


def any_weights(kind: MovementKind, seed: int) -> np.ndarray:
    """As a request would have them, some a little negative."""
    rng = np.random.default_rng(seed)
    return kind.weights(rng.dirichlet(np.ones(len(kind.examples))) @ kind.space.points)


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_it_begins_and_ends_where_the_blend_does(seed: int) -> None:
    for kind in kinds():
        weights = any_weights(kind, seed)
        path, keytimes = path_of(kind, weights)
        ends = kind.tables.blend(weights, np.array([0.0, len(keytimes) - 1.0]))[0]
        assert_allclose(path.at(np.array([0.0, keytimes[-1]])), ends, rtol=0, atol=1e-9)


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_it_goes_as_fast_as_the_examples_do(seed: int) -> None:
    """Between examples the rate is a sum of theirs and of what is made up for over the whole movement."""
    for kind in kinds():
        weights = any_weights(kind, seed)
        path, keytimes = path_of(kind, weights)
        times = np.arange(0.0, keytimes[-1], 1.0 / 480.0)
        places = path.at(times)
        speed = np.diff(places, axis=0) * 480.0
        fastest = max(
            float(np.linalg.norm(np.diff(e.motion.root, axis=0) * e.motion.fps, axis=-1).max())
            for e in kind.examples
        )
        assert np.linalg.norm(speed, axis=-1).max() < 1.5 * fastest * np.abs(weights).sum()
        # no blow: a sum of places at equal generic times has some of half a metre a second within a frame
        blow = np.linalg.norm(np.diff(speed, axis=0), axis=-1).max() * 480.0
        hardest = max(
            float(np.linalg.norm(np.diff(e.motion.root, n=2, axis=0), axis=-1).max() * e.motion.fps**2)
            for e in kind.examples
        )
        assert blow < 4.0 * hardest * np.abs(weights).sum() + 10.0


def test_examples_that_count_for_nothing_change_nothing() -> None:
    kind = actor_library().kinds["left_step"]
    weights = np.zeros(len(kind.examples))
    weights[[2, 7]] = 0.25, 0.75
    path, keytimes = path_of(kind, weights)
    steps = path.step * (len(path.places) - 1)
    assert_allclose(steps, keytimes[-1], rtol=0, atol=1e-12)
    assert path.step <= 1.0 / RATE
    assert_allclose(keytimes, 0.25 * kind.tables.keytimes[2] + 0.75 * kind.tables.keytimes[7], atol=1e-12)
