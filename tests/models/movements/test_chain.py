"""Sequences of requests: each movement begins where the last one left the feet, with steps put between."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.errors import RequestError
from footfall.models.movements.chain import APART, Chain, chained
from footfall.models.movements.movement import Standing
from footfall.models.movements.request import Request
from tests.models.movements.libraries import actor_library, small_library, turning_library


def chain_of(*asked: tuple[str, dict[str, float]], transitions: bool = True) -> Chain:
    requests = [Request(kind, parameters) for kind, parameters in asked]
    return chained(actor_library().kinds, requests, transitions=transitions)


def kinds(chain: Chain) -> list[str]:
    return [request.kind for request in chain.requests]


def test_each_begins_where_the_last_one_ended() -> None:
    chain = chain_of(
        ("left_step", {"end_length": 0.5}),
        ("right_step", {"end_length": 0.7}),
        ("left_step", {"end_length": 0.0}),
        ("jump", {"length": 1.0}),
    )
    assert chain.clamped == ()
    for one, other in zip(chain.movements, chain.movements[1:], strict=False):
        assert other.before is one.after
    for movement in chain.movements[1:3]:
        names = movement.kind.space.names
        assert movement.parameters[names.index("start_length")] == pytest.approx(
            {0: 0.5, 1: 0.7}[chain.movements.index(movement) - 1], abs=1e-9
        )


def test_the_first_begins_standing_at_the_origin() -> None:
    chain = chain_of(("left_step", {"end_length": 0.5}))
    first = chain.movements[0].before
    assert first.heading == 0.0
    assert abs(first.places[0, 2] - first.places[1, 2]) < 1e-9  # side by side
    assert first.places[0, 0] > 0.0 > first.places[1, 0]
    assert chain.clamped == ()
    walking = chain_of(("left_step", {"start_length": 0.5, "end_length": 0.5})).movements[0].before
    assert walking.places[1, 2] - walking.places[0, 2] == pytest.approx(0.5, abs=1e-9)


def test_from_a_standing_it_begins_there() -> None:
    start = Standing(0.8, np.array([[1.0, 0.2, 3.0], [0.85, 0.2, 3.1]]), np.array([0.9, 0.7]))
    chain = chained(actor_library().kinds, [Request("left_step", {"end_length": 0.4})], start=start)
    assert chain.movements[0].before is start
    assert_array_equal(chain.movements[0].after.places[1], start.places[1])


def test_a_start_that_contradicts_the_feet_is_said() -> None:
    chain = chain_of(
        ("left_step", {"end_length": 0.5}), ("right_step", {"start_length": 0.1, "end_length": 0.4})
    )
    assert chain.clamped == (
        "movement 2: right_step start_length 0.100: the feet stand as for 0.500 already",
    )
    assert chain.movements[1].parameters[0] == pytest.approx(0.5, abs=1e-9)


def test_the_same_foot_twice_has_the_other_one_step_between() -> None:
    chain = chain_of(("left_step", {"end_length": 0.5}), ("left_step", {"end_length": 0.6}))
    assert kinds(chain) == ["left_step", "right_step", "left_step"]
    assert chain.clamped == ("movement 2: a right_step was put in before left_step",)
    last = chain.movements[-1].after
    assert last.places[0, 2] - last.places[1, 2] == pytest.approx(0.6, abs=1e-9)


def test_before_a_jump_feet_come_together() -> None:
    chain = chain_of(("left_step", {"end_length": 0.75}), ("jump", {"length": 1.0}))
    assert kinds(chain) == ["left_step", "right_step", "jump"]
    jump = chain.movements[-1]
    stand = jump.before.places[0] - jump.before.places[1]
    assert np.linalg.norm(stand[[0, 2]] - [0.19, 0.0]) < APART + 0.05
    away = jump.after.places.mean(axis=0) - jump.before.places.mean(axis=0)
    assert away[2] == pytest.approx(1.0, abs=1e-9)


def test_no_step_is_put_in_where_none_is_needed() -> None:
    near = chain_of(
        ("left_step", {"end_length": 0.4}), ("right_step", {"end_length": 0.03}), ("jump", {"length": 1.0})
    )
    assert kinds(near) == ["left_step", "right_step", "jump"]
    assert near.clamped == ()


def test_without_transitions_what_does_not_fit_is_refused() -> None:
    asked = ("left_step", {"end_length": 0.6}), ("jump", {"length": 1.0})
    with pytest.raises(RequestError, match=r"jump cannot begin where the left foot is 0\.60 m ahead"):
        chain_of(*asked, transitions=False)


def test_a_library_without_the_step_refuses() -> None:
    """Left steps alone: after a long one nothing brings the right foot up."""
    requests = [Request("left_step", {"end_length": 0.6}), Request("left_step", {"end_length": 0.6})]
    with pytest.raises(RequestError, match="no step that could lead there is in this library"):
        chained(small_library().kinds, requests)
    jumps = {"jump": actor_library().kinds["jump"]}
    apart = Standing(0.0, np.array([[0.1, 0.0, 0.5], [-0.1, 0.0, 0.0]]), np.zeros(2))
    with pytest.raises(RequestError, match=r"left foot is 0\.50 m ahead and the feet are 0\.20 m apart"):
        chained(jumps, [Request("jump", {"length": 1.0})], start=apart)


def test_an_unknown_kind_is_refused_with_those_there_are() -> None:
    with pytest.raises(RequestError, match="'hop'; there are left_step, right_step, jump"):
        chain_of(("hop", {}))
    with pytest.raises(RequestError, match="'hop'"):
        chained(actor_library().kinds, [Request("left_step", {}, upper=Request("hop"))])


def test_what_had_to_be_changed_is_said_once_for_each() -> None:
    chain = chain_of(("left_step", {"end_length": 1.1}), ("right_step", {"end_length": 0.2}))
    assert len(chain.clamped) == 1
    assert chain.clamped[0].startswith("movement 1: left_step end_length 1.100: 0.8")
    assert chain_of(("left_step", {"end_length": 1.1})).clamped[0].startswith("left_step end_length")


def test_refusals_say_which_movement_they_mean() -> None:
    with pytest.raises(RequestError, match=r"^movement 2: no kind of movement is called 'hop'"):
        chain_of(("left_step", {"end_length": 0.4}), ("hop", {}))
    with pytest.raises(RequestError, match=r"^movement 2: right_step has no parameter 'speed'"):
        chain_of(("left_step", {"end_length": 0.4}), ("right_step", {"speed": 1.0}))


def test_keytimes_go_forwards_at_any_parameters() -> None:
    for library in (actor_library(), turning_library()):
        for kind in library.members:
            for point in kind.space.sample(25):
                request = Request(kind.name, dict(kind.space.named(point)))
                (movement,) = chained(library.kinds, [request]).movements
                assert (np.diff(movement.keytimes) > 0.005).all()
                assert movement.weights.sum() == pytest.approx(1.0, abs=1e-9)
                assert_allclose(movement.parameters, point, rtol=0, atol=1e-6)
