"""Parameters that vary: numbers, functions of distance and of time, pairs; and what is none of these."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.models.walkedit.varying import OverTime, Varying
from tests.models.walkedit.walks import refusal


def length(value: object) -> Varying:
    return Varying("step_length", value, 0.05, 100.0, "m")


@pytest.mark.parametrize("value", [0.7, 1, np.float64(0.7), np.float32(0.5), np.int64(2)])
def test_a_number_is_that_number_anywhere(value: float) -> None:
    asked = length(value)
    for distance, seconds in ((0.0, 0.0), (3.5, 1.0), (1e6, np.nan)):
        assert asked.at(distance, seconds) == float(value)
        assert type(asked.at(distance, seconds)) is float


def test_a_function_is_one_of_distance() -> None:
    assert length(lambda d: 0.5 + 0.1 * d).at(2.0, 99.0) == pytest.approx(0.7)


def test_over_time_is_one_of_time() -> None:
    assert length(OverTime(lambda t: 0.5 + 0.1 * t)).at(99.0, 2.0) == pytest.approx(0.7)


@pytest.mark.parametrize("result", [np.float64(0.6), np.array(0.6), np.float32(0.5), 1])
def test_functions_may_answer_in_any_number(result: object) -> None:
    found = length(lambda _: result).at(0.0, 0.0)
    assert found == float(result)  # type: ignore[arg-type]
    assert type(found) is float


@given(
    knots=st.lists(
        st.tuples(st.floats(0.05, 5.0), st.floats(0.1, 2.0)), min_size=1, max_size=8
    ),  # m on, value
    at=st.floats(-1.0, 30.0),
)
def test_pairs_are_straight_between_and_hold_their_ends(knots: list[tuple[float, float]], at: float) -> None:
    places = np.cumsum([on for on, _ in knots])
    values = [value for _, value in knots]
    found = length(list(zip(places, values, strict=True))).at(at, np.nan)
    if at <= places[0]:
        assert found == values[0]
    elif at >= places[-1]:
        assert found == values[-1]
    else:
        k = int(np.searchsorted(places, at)) - 1
        share = (at - places[k]) / (places[k + 1] - places[k])
        assert found == pytest.approx(values[k] * (1.0 - share) + values[k + 1] * share, abs=1e-12)


def test_pairs_may_be_an_array() -> None:
    assert length(np.array([[0.0, 0.5], [2.0, 0.9]])).at(1.0, 0.0) == pytest.approx(0.7)


@pytest.mark.parametrize("value", [-0.5, 0.0, 0.0499, 101.0, np.nan, np.inf, -np.inf])
def test_a_number_outside_the_range_is_refused_at_once(value: float) -> None:
    assert refusal(length, value) == f"step_length must be between 0.05 and 100 m, not {value}"


@pytest.mark.parametrize("value", [0.05, 100.0])
def test_the_range_has_its_ends(value: float) -> None:
    assert length(value).at(0.0, 0.0) == value


@pytest.mark.parametrize("result", [-0.5, np.nan, None, "far", np.array([0.7]), True, 1j, [0.7]], ids=str)
@pytest.mark.parametrize("over_time", [False, True])
def test_what_a_function_answers_is_checked_where_it_is_asked(result: object, over_time: bool) -> None:
    asked = length(OverTime(lambda _: result) if over_time else lambda _: result)
    where = "at 2.500 s: " if over_time else "at 1.250 m: "
    assert refusal(asked.at, 1.25, 2.5) == f"{where}step_length must be between 0.05 and 100 m, not {result}"


def test_pairs_out_of_range_are_refused_where_they_are() -> None:
    asked = length([(0.0, 0.7), (2.0, -0.3)])
    assert asked.at(0.5, 0.0) == pytest.approx(0.45)
    assert refusal(asked.at, 2.0, 0.0) == "at 2.000 m: step_length must be between 0.05 and 100 m, not -0.3"


@pytest.mark.parametrize(
    "value",
    [
        "0.7",
        True,
        [],
        [0.5, 0.7],
        [(0.0, 0.7), (0.0, 0.8)],
        [(1.0, 0.7), (0.0, 0.8)],
        [(0.0, 0.7, 0.1)],
        [(0.0, 0.7), (1.0,)],
        [(0.0, np.nan)],
        [(np.inf, 0.7)],
        {"at": 0.7},
        1j,
        np.array(0.7),
        object,
    ],
    ids=str,
)
def test_what_is_no_parameter_is_refused(value: object) -> None:
    if value is object:
        value = object()
    said = refusal(length, value)
    assert said.startswith(
        "step_length must be a number, a function of distance, OverTime(a function of time)"
    )
    assert "pairs of increasing distance and value" in said
    assert said.endswith(f"not {value!r}")


def test_no_pairs_are_refused() -> None:
    assert refusal(length, np.zeros((0, 2))).startswith(
        "step_length must be a number, a function of distance"
    )


@pytest.mark.parametrize("function", [0.7, None, [(0.0, 0.7)]])
def test_over_time_of_no_function_is_refused(function: object) -> None:
    assert refusal(OverTime, function) == f"OverTime takes a function of time, not {function!r}"
