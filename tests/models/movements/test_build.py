"""Libraries from examples and from clips: what is taken, what is chosen, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.actor.humanoid import humanoid
from footfall.errors import RequestError
from footfall.figure.example import Example
from footfall.figure.motion import Motion
from footfall.models.movements.build import SPACING, build_movements
from footfall.models.movements.model import MovementLibrary
from tests.models.movements.libraries import (
    LENGTHS,
    REACHED,
    STEP_KINDS,
    actor_library,
    and_captured,
    captured_library,
    chosen_examples,
    reach_library,
    reaches,
    session,
    turning_library,
    walks,
)


def built(source: Any, **options: Any) -> MovementLibrary:
    return build_movements(source, pseudo_examples=0, **options)


def lefts() -> list[Example]:
    return [e for e in chosen_examples() if e.kind == "left_step"]


def cut(number: int) -> Callable[[Example], Example]:
    return lambda e: replace(e, keytimes=e.keytimes[:number])


# From examples


def test_all_examples_are_taken_as_they_are() -> None:
    library = actor_library()
    assert {k.name: len(k.examples) for k in library.members} == {
        "left_step": 15,
        "right_step": 15,
        "jump": 4,
    }
    for kind in library.members:
        assert all(not e.name.endswith("mirrored") for e in kind.examples)
        assert len(kind.pseudo_points) == 0
    assert library.space["left_step"].names == LENGTHS
    assert library.space["jump"].names == ("length", "height")  # flight_seconds cannot be measured


def test_named_parameters_are_measured() -> None:
    library = built(lefts(), parameters={"left_step": ("end_length", "start_length")})
    points = actor_library().space["left_step"].points
    names = [e.name for e in actor_library().kinds["left_step"].examples]
    own = [names.index(e.name) for e in lefts()]
    assert_allclose(library.space["left_step"].points, points[own][:, ::-1], rtol=0, atol=1e-12)


def test_examples_without_parameters_are_asked_for_by_what_varies() -> None:
    bare = [replace(e, parameters={}) for e in lefts()]
    assert built(bare).space["left_step"].names == LENGTHS


def test_mirrored_examples_are_of_the_other_side() -> None:
    library = built(lefts(), mirror=True)
    left, right = (library.kinds[k] for k in STEP_KINDS)
    assert len(left.examples) == len(right.examples) == 5
    assert all(e.name.endswith("mirrored") for e in right.examples)
    assert_allclose(right.space.points, left.space.points, rtol=0, atol=1e-9)
    assert right.swings == left.swings[::-1]


def test_progress_is_told() -> None:
    told: list[tuple[str, float]] = []
    build_movements(lefts(), pseudo_examples=1, progress=lambda what, share: told.append((what, share)))
    assert told[0] == ("left_step: 5 movements", 0.0)
    assert all(a <= b for (_, a), (_, b) in pairwise(told))
    assert told[-1][1] <= 1.0


# From clips


def test_clips_give_both_sides_and_no_near_duplicates() -> None:
    for library in and_captured(turning_library()):
        assert set(library.kinds) == set(STEP_KINDS)
        for kind in library.members:
            metric = kind.space.to_metric(kind.space.points)
            apart = np.linalg.norm(metric[:, None] - metric, axis=-1)
            np.fill_diagonal(apart, np.inf)
            assert apart.min() >= SPACING
        counts = {len(kind.examples) for kind in library.members}
        assert len(counts) == 1


def test_what_is_chosen_spans_all_that_was_there() -> None:
    """Every step of the clips is within the spacing of one that was kept."""
    every = build_movements(
        walks(), parameters=dict.fromkeys(STEP_KINDS, ("end_length", "turn")), pseudo_examples=0, spacing=1e-4
    )
    for kind in turning_library().members:
        kept = kind.space.to_metric(kind.space.points)
        there = kind.space.to_metric(every.space[kind.name].points)
        assert len(there) > len(kept)
        nearest = np.linalg.norm(there[:, None] - kept, axis=-1).min(axis=1)
        assert nearest.max() < SPACING
        low, high = (every.space[kind.name].bounds[k] for k in (0, 1))
        assert np.abs(kind.space.bounds[0] - low).max() < 2 * SPACING
        assert np.abs(kind.space.bounds[1] - high).max() < 2 * SPACING


def test_no_more_are_chosen_than_asked_for() -> None:
    library = build_movements(
        walks()[:4], parameters=dict.fromkeys(STEP_KINDS, ("end_length", "turn")), pseudo_examples=0, most=4
    )
    assert [len(k.examples) for k in library.members] == [4, 4]
    alone = build_movements(
        walks(),
        parameters={"left_step": ("end_length",)},
        pseudo_examples=0,
        mirror=False,
        spacing=0.01,
    )
    names = [e.name for k in alone.members for e in k.examples]
    assert names
    assert not any("mirrored" in name for name in names)


def test_clips_are_named() -> None:
    for kind in captured_library().members:
        for example in kind.examples:
            assert example.name.startswith("83_")


# Kinds of a user's own


def test_a_reach_is_asked_for_by_where_the_hand_is() -> None:
    kind = reach_library().kinds["reach"]
    assert kind.space.names == ("right_hand_x", "right_hand_y", "right_hand_z")
    assert kind.swings == (None, None)
    # hands touch with a fingertip: wrists are behind, but as far apart
    assert_allclose(np.ptp(kind.space.points, axis=0), np.ptp(np.array(REACHED), axis=0), rtol=0, atol=0.2)
    point = kind.space.points.mean(axis=0)
    made, _ = kind.refined(most=3)
    library = MovementLibrary((made,))
    motion = library.play([("reach", made.space.named(point))])
    middle = made.tables.blended_keytimes(made.weights(point))[2]
    hand = motion.of("right_hand")[round(middle * motion.fps)]
    assert np.linalg.norm(hand - point) < 0.03
    feet = motion.of("left_foot")
    assert np.ptp(feet, axis=0).max() < 0.05


def test_moods_are_taken_as_given() -> None:
    moods = np.linspace(0.0, 1.0, 5)
    glad = [replace(e, kind="glad_jump", parameters={"mood": m}) for e, m in zip(jumps(), moods, strict=True)]
    library = built(glad)
    kind = library.kinds["glad_jump"]
    assert kind.space.names == ("mood",)
    assert_allclose(kind.space.points[:, 0], moods, rtol=0, atol=0)
    assert kind.measure is None
    assert kind.family is None
    motion = library.synthesize("glad_jump", mood=0.4)
    assert motion.clamped == ()
    told = motion.certificate()
    assert told.slide_max_m is not None
    assert told.slide_max_m < 1e-6
    halfway = kind.weights(np.array([0.375]))
    assert halfway[1] == pytest.approx(halfway[2], abs=0.05)


def jumps() -> list[Example]:
    """Five movements whose feet are seen to do the same."""
    return [e for e in chosen_examples() if e.kind == "jump"] + [
        replace(next(e for e in chosen_examples() if e.kind == "jump"), name="another")
    ]


# Refused


@pytest.mark.parametrize(
    ("source", "options", "said"),
    [
        (list, {}, "none were given"),
        (lambda: lefts()[:3], {}, "left_step has 3 examples; for start_length, end_length at least 4"),
        (lambda: [*lefts(), lefts()[0]], {}, "'left_stand_short' and 'left_stand_short' have the same"),
        (lambda: [cut(3)(lefts()[0]), *lefts()[1:]], {}, "'left_stand_short' has 3 keytimes but"),
        (lambda: [cut(1)(e) for e in lefts()], {}, "has 1 keytimes; a movement needs at least 2"),
        (lambda: [cut(0)(e) for e in lefts()], {}, "has 0 keytimes"),
        (
            lambda: [replace(lefts()[0], keytimes=(0.3, 0.3, 0.5, 0.6)), *lefts()[1:]],
            {},
            "must be strictly increasing",
        ),
        (
            lambda: [replace(lefts()[0], keytimes=(0.3, 0.5, 0.9, 60.0)), *lefts()[1:]],
            {},
            "its motion lasts",
        ),
        (lambda: [lefts()[0], lefts()[1].motion], {}, "not from a mixture"),
        (lambda: [1, 2], {}, "not from a mixture"),
        (lefts, {"parameters": {"hop": ("length",)}}, "kind 'hop' is there; there are left_step"),
        (lefts, {"parameters": {"left_step": ("mood",)}}, "no parameter 'mood', and it cannot be measured"),
        (lefts, {"parameters": {"left_step": ("turn", "turn")}}, "different names"),
        (lefts, {"parameters": {"left_step": ()}}, "different names"),
        (lefts, {"fps": 0.0}, "frame rate"),
        (lefts, {"most": 2}, "no kind has enough examples"),
        (lefts, {"spacing": -1.0}, "spacing"),
        (lambda: [replace(e, parameters={}) for e in reaches()], {}, "'reach 0' has no parameters"),
        (reaches, {"parameters": {"reach": ("tail_x",)}}, "no parameter 'tail_x'"),
        (lambda: [walks()[0]], {}, "no kind has enough examples"),
        (lambda: [walks()[0][:1]], {}, "no step and no jump was found"),
    ],
)
def test_what_is_wrong_is_said(source: Callable[[], Any], options: dict[str, Any], said: str) -> None:
    with pytest.raises(RequestError) as refusal:
        built(source(), **options)
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_another_skeleton_is_refused() -> None:
    other = humanoid(1.5)
    motion = lefts()[0].motion
    foreign = Motion(other, motion.root, motion.rotations, motion.fps, contacts=motion.contacts)
    with pytest.raises(RequestError, match="'left_stand_short' is of another skeleton: retarget it first"):
        built([*lefts()[1:], replace(lefts()[0], motion=foreign)])


def test_names_that_do_not_fit_the_clips_are_refused() -> None:
    with pytest.raises(RequestError):
        built(walks(), names=["one"])


def test_a_step_without_the_moments_of_its_swing_is_refused() -> None:
    ends = [replace(e, keytimes=(e.keytimes[0], e.keytimes[3])) for e in lefts()]
    with pytest.raises(RequestError, match="keytimes"):
        built(ends)


@pytest.mark.parametrize(
    "parameters", [["end_length"], "end_length", {"left_step": "end_length"}, {"left_step": [1]}]
)
def test_parameters_that_are_no_names_of_kinds_are_refused(parameters: object) -> None:
    with pytest.raises(RequestError, match="parameters"):
        build_movements(session()[:6], parameters=parameters)  # type: ignore[arg-type]
