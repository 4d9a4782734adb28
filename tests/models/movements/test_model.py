"""The library as a whole: what it knows of itself, and what may be in a sequence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from footfall.errors import RequestError
from footfall.models.movements.chain import chained
from footfall.models.movements.model import as_request, plan_of
from footfall.models.movements.movement import Standing
from footfall.models.movements.request import BEYOND, Request
from tests.models.movements.libraries import actor_library, and_captured

STEP = ("left_step", {"end_length": 0.4})


def test_it_tells_its_kinds_and_their_parameters() -> None:
    library = actor_library()
    assert list(library.kinds) == ["left_step", "right_step", "jump"]
    assert library.space["jump"].names == ("length", "height")
    assert repr(library) == "MovementLibrary(left_step (15), right_step (15), jump (4); 54 joints)"
    assert len(library.captured) == 34
    with pytest.raises(TypeError):
        library.kinds["hop"] = library.members[0]  # type: ignore[index]


def test_knee_axes_are_those_of_the_most_bent_example() -> None:
    """A knee's hinge runs across the leg."""
    for library in and_captured(actor_library()):
        for side, limb in library.legs.items():
            motion = library.captured[0]
            thigh = motion.orientations[:, limb.upper]
            shank = motion.positions[:, limb.middle] - motion.positions[:, limb.upper]
            axis = Rotation.from_quat(np.array(thigh), scalar_first=True).apply(np.array(limb.axis))
            across = np.sum(axis * shank, axis=-1) / np.linalg.norm(shank, axis=-1)
            assert np.abs(across).max() < 0.2, side
            assert axis[:, 0].mean() > 0.7


@pytest.mark.parametrize(
    ("one", "request_"),
    [
        (STEP, Request("left_step", {"end_length": 0.4})),
        (["left_step", {"end_length": 0.4}], Request("left_step", {"end_length": 0.4})),
        ({"kind": "left_step", "end_length": 0.4}, Request("left_step", {"end_length": 0.4})),
        (Request("jump"), Request("jump")),
        (
            {"kind": "a", "upper": {"kind": "b", "x": 1.0}, "hold": {"left_hand": None}},
            Request("a", {}, Request("b", {"x": 1.0}), {"left_hand": None}),
        ),
    ],
)
def test_requests_may_be_written_in_many_ways(one: object, request_: Request) -> None:
    assert as_request(one, 0) == request_


@pytest.mark.parametrize(
    "one",
    ["left_step", None, 3, {}, {"kind": 3}, {"end_length": 0.3}, ("left_step",), ("left_step", 0.4), (1, {})],
)
def test_what_is_no_request_is_refused_with_its_number(one: object) -> None:
    with pytest.raises(RequestError, match="movement 3 of the sequence must name a kind"):
        as_request(one, 2)


def test_an_unhashable_kind_is_refused() -> None:
    with pytest.raises(RequestError, match="must name a kind"):
        actor_library().play([{"kind": ["left_step"]}])


@pytest.mark.parametrize("fps", [9.0, 1001.0, 0.0, -60.0, np.nan, np.inf])
def test_frame_rates_are_sensible(fps: float) -> None:
    with pytest.raises(RequestError):
        actor_library().play([STEP], fps=fps)


def test_a_sequence_has_something_in_it() -> None:
    with pytest.raises(RequestError, match="1 to 10000 movements, not 0"):
        actor_library().play([])


def test_one_movement_is_a_sequence_of_one() -> None:
    library = actor_library()
    one = library.synthesize("left_step", end_length=0.4, fps=50.0)
    other = library.play([STEP], fps=50.0)
    assert_array_equal(one.root, other.root)
    assert_array_equal(one.rotations, other.rotations)
    assert one.kinds == ("left_step",)
    assert one.begins == (0.0,)
    assert one.fps == 50.0


def test_a_standing_is_where_it_starts() -> None:
    library = actor_library()
    start = Standing(np.pi / 2, np.array([[2.0, 0.5, -1.1], [2.0, 0.5, -0.9]]), np.full(2, 1.5))  # faces +X
    motion = library.synthesize("left_step", end_length=0.4, start=start)
    assert motion.plan is not None
    for side, place in zip(("left", "right"), start.places, strict=True):
        assert_allclose(motion.plan.of(side)[0].position, place, rtol=0, atol=0)
    plan = plan_of(chained(library.kinds, [as_request(STEP, 0)], start=start))
    assert (plan.of("left")[1].position - start.places[1])[0] == pytest.approx(0.4, abs=1e-9)
    assert motion.of("hips")[-1, 0] > motion.of("hips")[0, 0] + 0.1
    assert 0.5 + 0.7 < motion.of("hips")[:, 1].min() < 0.5 + 1.0


def test_prints_only_touched_as_the_motion_ends_are_not_in_the_plan() -> None:
    """A step ends as its heel has landed: it has not come to lie there yet."""
    motion = actor_library().play([STEP])
    assert motion.plan is not None
    assert [p.foot for p in motion.plan.placements] == ["left", "right"]
    assert len(plan_of(chained(actor_library().kinds, [as_request(STEP, 0)])).placements) == 3


def test_the_plan_has_a_print_for_each_landing() -> None:
    library = actor_library()
    asked = [STEP, ("right_step", {"end_length": 0.0}), ("jump", {"length": 0.8})]
    requests = [as_request(one, 0) for one in asked]
    plan = plan_of(chained(library.kinds, requests))
    assert [p.foot for p in plan.placements] == ["left", "right", "left", "right", "left", "right"]
    lands = [p.position[2] for p in plan.placements]
    assert lands[2] - lands[1] == pytest.approx(0.4, abs=1e-9)
    assert lands[3] == pytest.approx(lands[2], abs=1e-9)
    assert np.mean(lands[4:]) - np.mean(lands[2:4]) == pytest.approx(0.8, abs=1e-9)


def test_what_is_put_in_is_told_in_kinds_and_begins() -> None:
    motion = actor_library().play([("left_step", {"end_length": 0.7}), ("jump", {"length": 1.0})])
    assert motion.kinds == ("left_step", "right_step", "jump")
    assert len(motion.begins) == 3
    assert motion.begins[0] == 0.0
    assert all(a < b for a, b in zip(motion.begins, motion.begins[1:], strict=False))
    assert motion.begins[-1] < motion.seconds
    assert (
        motion.certificate().clamped == motion.clamped == ("movement 2: a right_step was put in before jump",)
    )


def test_what_was_given_is_told() -> None:
    motion = actor_library().play([("left_step", {"end_length": 1.2}), ("right_step", {"end_length": 0.2})])
    given: Any = motion.given
    edge = actor_library().space["left_step"].bounds[1][1]
    assert given[0]["end_length"] == pytest.approx(edge + BEYOND, abs=0.005)
    assert given[1]["start_length"] == pytest.approx(given[0]["end_length"], abs=1e-9)
    assert given[1]["end_length"] == pytest.approx(0.2, abs=1e-3)
