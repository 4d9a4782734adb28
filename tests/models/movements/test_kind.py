"""Kinds of movement: weights that are exact at the examples, and what a kind knows of itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.errors import RequestError
from footfall.models.movements.kind import MovementKind, measured_parameters
from tests.models.movements.libraries import (
    actor_library,
    and_captured,
    reach_library,
    small_library,
    turning_library,
)


def kinds() -> list[MovementKind]:
    libraries = and_captured(actor_library(), turning_library(), reach_library(), small_library())
    return [kind for library in libraries for kind in library.members]


def test_at_an_examples_parameters_it_is_that_example() -> None:
    for kind in kinds():
        found = np.stack([kind.weights(p) for p in kind.space.points])
        assert_allclose(found, np.eye(len(kind.examples)), rtol=0, atol=1e-9)


def test_weights_sum_to_one() -> None:
    for kind in kinds():
        asked = [*kind.space.sample(40), *(2.0 * kind.space.sample(5))]
        sums = [kind.weights(p).sum() for p in asked]
        assert_allclose(sums, 1.0, rtol=0, atol=1e-12)


def test_pseudo_examples_bring_blends_nearer_to_what_was_asked() -> None:
    """Exact where they were put, and better everywhere else."""
    kind = replace(actor_library().kinds["left_step"])
    better, done = kind.refined(most=4)
    assert done is not None
    assert len(better.pseudo_points) == 4
    metric = better.space.to_metric(better.pseudo_points)
    given = better.measured(better.scheme(metric))
    assert np.linalg.norm(given - metric, axis=-1).max() < 0.003
    asked = kind.space.to_metric(kind.space.sample(300, seed=5))
    before, after = (
        np.linalg.norm(k.measured(k.scheme(asked)) - asked, axis=-1).max() for k in (kind, better)
    )
    assert after < 0.7 * before
    assert_allclose(better.scheme(better.space.to_metric(better.space.points)), np.eye(15), rtol=0, atol=1e-9)


def test_blends_that_are_what_was_asked_need_no_pseudo_examples() -> None:
    better, done = actor_library().kinds["jump"].refined(most=4)
    assert done is not None
    assert done.before < 1e-6
    assert len(better.pseudo_points) == 0


def test_no_pseudo_examples_leave_the_kind_as_it_is() -> None:
    kind = actor_library().kinds["left_step"]
    assert kind.refined(most=0) == (kind, None)
    mood = small_library().kinds["mood jump"]
    assert mood.refined(most=5) == (mood, None)


def test_what_was_given_is_not_measured() -> None:
    mood = small_library().kinds["mood jump"]
    assert mood.measure is None
    assert mood.family is None
    with pytest.raises(RequestError, match="'mood jump' are as given"):
        mood.measured(np.eye(4))


def test_too_few_examples_are_refused() -> None:
    kind = actor_library().kinds["left_step"]
    with pytest.raises(RequestError, match="few has 3 examples; for start_length, end_length at least 4 are"):
        MovementKind.of("few", kind.examples[:3], ("start_length", "end_length"))


def test_examples_with_the_same_parameters_are_refused_by_name() -> None:
    kind = actor_library().kinds["left_step"]
    with pytest.raises(RequestError, match=f"{kind.examples[1].name!r} and .* have the same start_length"):
        MovementKind.of("twice", [*kind.examples, kind.examples[1]], ("start_length", "end_length"))


def test_what_cannot_be_measured_is_refused_with_what_can() -> None:
    step, reach = actor_library().kinds["left_step"], reach_library().kinds["reach"]
    with pytest.raises(RequestError, match="mood cannot be measured here; possible are start_length"):
        measured_parameters(step.examples, ("mood",))
    with pytest.raises(RequestError, match="possible are a role's place, such as right_hand_x"):
        measured_parameters(reach.examples, ("length",))


def test_families() -> None:
    assert [k.family for k in actor_library().members] == ["step", "step", "jump"]
    assert reach_library().kinds["reach"].family is None
    placed = MovementKind.of("by hand", actor_library().kinds["left_step"].examples, ("right_hand_z",))
    assert placed.family is None
    assert placed.measure is not None


def test_kinds_that_all_but_go_straight_go_straight() -> None:
    largest = []
    for kind in actor_library().members:
        largest.append(max(abs(e.turn) for e in kind.examples))
        assert_array_equal(kind.turns, 0.0)
    assert 0.0 < max(largest) < np.radians(3.0)  # a jump of both feet does not turn at all
    for kind in turning_library().members:
        assert_allclose(kind.turns, [e.turn for e in kind.examples], rtol=0, atol=0)
        assert np.abs(kind.turns).max() > 0.2
    straight = actor_library().kinds["left_step"]
    asked = MovementKind.of("turning", straight.examples, ("start_length", "end_length", "turn"))
    assert np.abs(asked.turns).max() > 0.0


def test_the_body_is_told_from_the_foot_that_stands() -> None:
    library = actor_library()
    for name, feet in (("left_step", [1]), ("right_step", [0]), ("jump", [0, 1])):
        kind = library.kinds[name]
        assert kind.anchored == feet
        for k, example in enumerate(kind.examples):
            for end in (0, 1):
                middle = np.mean([example.prints[foot][end].place for foot in feet], axis=0)
                assert_allclose(kind.anchors[k, end], middle, rtol=0, atol=1e-12)
    assert reach_library().kinds["reach"].anchored == [0, 1]
