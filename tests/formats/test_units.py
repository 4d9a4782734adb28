"""Units by name, by number and by the length of the legs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.errors import RequestError
from footfall.formats.units import PLAUSIBLE_LEG, UNITS, parse_unit, unit_name, unit_of_leg


def test_sizes_in_metres() -> None:
    assert {name: pytest.approx(size, rel=1e-15) for name, size in UNITS.items()} == {
        "m": 1.0,
        "cm": 0.01,
        "mm": 0.001,
        "in": 0.0254,
        "ft": 12 * 0.0254,
        "cmu": 0.0254 / 0.45,
    }


@pytest.mark.parametrize("name", UNITS)
def test_names_go_there_and_back(name: str) -> None:
    assert parse_unit(name) == parse_unit(name.upper()) == UNITS[name]
    assert unit_name(UNITS[name]) == name
    assert parse_unit(str(UNITS[name])) == pytest.approx(UNITS[name])


@pytest.mark.parametrize(
    ("given", "metres"), [(0.5, 0.5), ("0.5", 0.5), (1, 1.0), ("1e-3", 0.001), (1e6, 1e6)]
)
def test_numbers_are_metres_in_one_unit(given: str | float, metres: float) -> None:
    assert parse_unit(given) == metres


@pytest.mark.parametrize("given", ["", "furlong", "nan", "inf", 0, -1, 1e-7, 1e7, "0", "-0.01", float("nan")])
def test_what_is_no_unit_lists_those_there_are(given: str | float) -> None:
    with pytest.raises(RequestError, match="use m, cm, mm, in, ft, cmu or metres in one unit"):
        parse_unit(given)


def test_a_unit_without_a_name() -> None:
    assert unit_name(0.123456789) == "0.123457 m"


@settings(deadline=None, max_examples=300)
@given(st.sampled_from(sorted(UNITS)), st.floats(0.58, 1.2))
def test_any_adult_or_child_tells_its_unit(name: str, leg: float) -> None:
    assert unit_of_leg(leg / UNITS[name]) == UNITS[name]


@settings(deadline=None, max_examples=300)
@given(st.floats(1e-9, 1e9))
def test_the_unit_found_makes_the_leg_most_human(leg: float) -> None:
    found = unit_of_leg(leg)
    assert found in UNITS.values()
    off = {metres: abs(np.log(leg * metres / 0.83)) for metres in UNITS.values()}
    assert off[found] == min(off.values())


def test_plausible_legs_are_wider_than_people() -> None:
    assert PLAUSIBLE_LEG[0] < 0.6 < 1.1 < PLAUSIBLE_LEG[1]
