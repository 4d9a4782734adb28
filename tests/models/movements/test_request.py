"""Requests: completed from what is said, brought within what the examples span, refused where absurd."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from footfall.errors import RequestError
from footfall.models.movements.request import BEYOND, FAR, SLIGHT, Request, as_request, completed, grant
from footfall.weights.space import Space
from tests.models.movements.libraries import actor_library

LENGTHS = ("start_length", "end_length")


def asked(**parameters: float) -> dict[str, float]:
    return dict(parameters)


def test_inside_it_is_given_as_asked() -> None:
    kind = actor_library().kinds["left_step"]
    for point in kind.space.sample(30):
        found = grant(kind, dict(zip(LENGTHS, point.tolist(), strict=True)), {})
        assert_allclose(found.parameters, point, rtol=0, atol=1e-12)
        assert_allclose(found.inside, point, rtol=0, atol=1e-12)
        assert found.clamped == ()


@pytest.mark.parametrize("over", [0.0005, 0.01, 0.95 * BEYOND])
def test_a_little_outside_is_given_exactly(over: float) -> None:
    """By legs; the blend is the nearest inside."""
    kind = actor_library().kinds["left_step"]
    edge = float(kind.space.bounds[1][1])
    found = grant(kind, asked(start_length=0.4, end_length=edge + over), {})
    assert found.parameters[1] == pytest.approx(edge + over, abs=1e-9)
    assert found.clamped == ()
    assert kind.space.contains(found.inside)
    assert np.linalg.norm(found.inside - found.parameters) == pytest.approx(over, abs=2e-3)


@settings(max_examples=40, deadline=None)
@given(st.floats(-0.4, 1.2), st.floats(-0.4, 1.2))
def test_farther_is_the_nearest_and_said(start: float, end: float) -> None:
    kind = actor_library().kinds["right_step"]
    found = grant(kind, asked(start_length=start, end_length=end), {})
    wanted = np.array([start, end])
    inside = kind.space.nearest(wanted)
    away = float(np.linalg.norm(wanted - inside))
    assert_allclose(found.inside, inside, rtol=0, atol=1e-9)
    assert np.linalg.norm(found.parameters - found.inside) <= BEYOND + 1e-9
    if away <= BEYOND:
        assert_allclose(found.parameters, wanted, rtol=0, atol=1e-9)
    else:
        assert_allclose(found.parameters, inside + BEYOND / away * (wanted - inside), rtol=0, atol=1e-9)
    changed = {n for n, a, b in zip(LENGTHS, found.parameters, wanted, strict=True) if abs(a - b) > SLIGHT}
    assert {said.split()[1] for said in found.clamped} == changed
    for said in found.clamped:
        assert "is the nearest there is" in said


def test_more_than_a_metre_outside_is_refused() -> None:
    kind = actor_library().kinds["left_step"]
    edge = float(kind.space.bounds[1][1])
    grant(kind, asked(start_length=0.4, end_length=edge + FAR - 0.02), {})
    with pytest.raises(
        RequestError, match=r"left_step cannot be .*end_length 1.80; it has start_length 0.00 to"
    ):
        grant(kind, asked(start_length=0.4, end_length=edge + FAR + 0.02), {})


def test_where_the_feet_stand_decides() -> None:
    kind = actor_library().kinds["left_step"]
    found = grant(kind, asked(start_length=0.2, end_length=0.5), {"start_length": 0.4, "start_side": 0.2})
    assert_allclose(found.parameters, [0.4, 0.5], rtol=0, atol=1e-12)
    assert found.clamped == ("left_step start_length 0.200: the feet stand as for 0.400 already",)
    same = grant(kind, asked(start_length=0.4004, end_length=0.5), {"start_length": 0.4})
    assert same.clamped == ()


def test_feet_that_stand_outside_the_examples_still_stand_there() -> None:
    kind = actor_library().kinds["left_step"]
    found = grant(kind, asked(end_length=0.5), {"start_length": 0.95})
    assert found.parameters[0] == 0.95
    assert found.inside[0] < 0.8


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("speed", 1.0, "left_step has no parameter 'speed'; it has start_length 0.00 to 0.78 m"),
        ("end_length", "far", "end_length of left_step must be a number, not 'far'"),
        ("end_length", None, "must be a number"),
        ("end_length", True, "must be a number"),
        ("end_length", np.array([0.5]), "must be a number"),
        ("end_length", np.nan, "must be a finite number"),
        ("end_length", -np.inf, "must be a finite number"),
    ],
)
def test_what_is_no_parameter_is_refused(name: str, value: object, said: str) -> None:
    with pytest.raises(RequestError, match=said):
        grant(actor_library().kinds["left_step"], {name: value}, {})  # type: ignore[dict-item]


@pytest.mark.parametrize("value", [1, np.float32(0.5), np.int64(0), np.float64(0.25)])
def test_numbers_of_any_type_are_numbers(value: float) -> None:
    found = grant(actor_library().kinds["left_step"], {"end_length": value}, {})
    assert isinstance(found.parameters[1], float)


def line(count: int) -> Space:
    """Examples on a line, b = 0.3 + 2 a."""
    a = np.linspace(0.0, 1.0, count)
    return Space(("a", "b"), ("m", "m"), np.stack([a, 0.3 + 2.0 * a], axis=1))


def test_what_is_left_out_is_as_in_the_examples_that_are_alike() -> None:
    """Exactly theirs where the rest is, between theirs in between, and what is said stays as it is."""
    space = line(11)
    for point in space.points:
        for k, name in enumerate(space.names):
            assert_allclose(completed(space, {name: float(point[k])}), point, rtol=0, atol=1e-4)
    for a in np.linspace(0.0, 1.0, 37):
        found = completed(space, {"a": float(a)})
        assert found[0] == a
        assert found[1] == pytest.approx(0.3 + 2.0 * a, abs=0.15)
    square = Space(("a", "b"), ("m", "m"), np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]))
    assert_allclose(completed(square, {"a": 7.0}), [7.0, 0.5], rtol=0, atol=1e-12)
    assert_allclose(completed(square, {"a": 1.0, "b": 2.0}), [1.0, 2.0], rtol=0, atol=0)


def test_what_is_left_out_does_not_jump() -> None:
    """From one set of nearest examples to the next."""
    rng = np.random.default_rng(3)
    space = Space(("a", "b"), ("m", "rad"), rng.uniform(0.0, 1.0, (12, 2)))
    for name, other in (("a", 1), ("b", 0)):
        own = space.points[:, 1 - other]
        for i, j in combinations(range(12), 2):
            middle = 0.5 * float(own[i] + own[j])  # here two examples swap places in nearness
            found = np.array([completed(space, {name: middle + h})[other] for h in (-1e-8, 0.0, 1e-8)])
            assert np.abs(np.diff(found)).max() < 1e-5
            assert space.points[:, other].min() <= found[0] <= space.points[:, other].max()


@pytest.mark.parametrize("count", [5, 11])
def test_nothing_said_is_the_mean_of_all(count: int) -> None:
    space = line(count)
    assert_allclose(completed(space, {}), space.points.mean(axis=0), rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("one", "sentence"),
    [
        (Request("left_step", None), "must name a kind and its parameters"),
        (Request(["left_step"]), "must name a kind and its parameters"),
        (("left_step", 3), "must name a kind and its parameters"),
        ({"end_length": 0.5}, "must name a kind and its parameters"),
        ({"kind": "left_step", "upper": {"kind": "jump", "upper": {"kind": "jump"}}}, "nothing else"),
        ({"kind": "left_step", "upper": {"kind": "jump", "hold": {"left_hand": None}}}, "nothing else"),
        (Request("left_step", {}, None, None), "hold names hands and places"),
        ({"kind": "left_step", "hold": {"left_hand": "abc d"}}, "must be three numbers or null"),
    ],
)
def test_what_is_no_movement_is_refused(one: object, sentence: str) -> None:
    with pytest.raises(RequestError, match=f"movement 4.*{sentence}"):
        as_request(one, 3)
