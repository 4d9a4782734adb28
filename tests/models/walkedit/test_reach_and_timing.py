"""How far legs reach, by trying heights of the hips; how long steps take, by what the words say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.models.walkedit.reach import BEHIND, FOLDED, LEAST_ROOM, LOWEST_HIPS, highest_lift, longest_step
from footfall.models.walkedit.timing import EASED, natural_length, natural_seconds
from tests.models.walkedit.walks import ACTOR, cycle_of, every_walk


def fits(leg: float, advance: float, rise: float, grade: float) -> bool:
    """Whether any height of the hips over the lower foot lets both feet stand so far apart."""
    heights = np.linspace(LOWEST_HIPS * leg, leg, 20_001)
    rear = (BEHIND * advance) ** 2 + heights**2 <= 0.99 * leg**2
    room = heights - (abs(rise) + advance * abs(grade)) >= LEAST_ROOM * leg
    return bool((rear & room).any())


@every_walk
@pytest.mark.parametrize("slope", [0.0, -0.1, 0.25, 0.6])
@pytest.mark.parametrize("rise", [0.0, 0.1, -0.2, 0.3])
def test_the_longest_step_is_the_longest_that_fits(name: str, rise: float, slope: float) -> None:
    cycle = cycle_of(name)
    longest = longest_step(cycle, rise, slope)
    leg, grade = cycle.leg_length, np.tan(slope)
    # a thousandth shorter there is room for, a thousandth longer there is not
    assert fits(leg, 0.999 * longest, rise, grade)
    assert not fits(leg, 1.001 * longest, rise, grade)


def test_where_nothing_fits_a_step_is_five_centimetres() -> None:
    cycle = cycle_of(ACTOR)
    assert not fits(cycle.leg_length, 0.05, cycle.leg_length, 0.0)
    assert longest_step(cycle, cycle.leg_length) == 0.05
    assert longest_step(cycle, 10.0, 0.5) == 0.05


@given(rises=st.tuples(st.floats(0.0, 0.6), st.floats(0.0, 0.6)), slope=st.floats(-0.6, 0.6))
@settings(max_examples=60, deadline=None)
def test_the_higher_the_shorter_and_up_is_as_far_as_down(rises: tuple[float, float], slope: float) -> None:
    cycle = cycle_of(ACTOR)
    low, high = sorted(rises)
    assert longest_step(cycle, high, slope) <= longest_step(cycle, low, slope)
    assert longest_step(cycle, low, slope) == longest_step(cycle, -low, -slope)
    assert longest_step(cycle, low, 1.1 * slope) <= longest_step(cycle, low, slope) + 1e-12


@every_walk
def test_all_that_must_be_possible_is(name: str) -> None:
    """Steps 1.3 times as long, slopes of 20 degrees, stairs of 20 by 45 cm, lifts of 25 cm."""
    cycle = cycle_of(name)
    long = 1.3 * cycle.step_length
    assert longest_step(cycle, 0.0) > long
    steep = np.radians(20.0)
    assert longest_step(cycle, 0.0, steep) > long * np.cos(steep)
    assert longest_step(cycle, 0.2) > 0.45
    assert highest_lift(cycle) > 0.25
    assert highest_lift(cycle) == FOLDED * cycle.leg_length


@every_walk
def test_the_captured_speed_has_the_captured_step(name: str) -> None:
    cycle = cycle_of(name)
    assert natural_length(cycle, cycle.speed) == pytest.approx(cycle.step_length, abs=1e-12)
    assert natural_seconds(cycle, cycle.step_length, 0.0) == pytest.approx(cycle.step_seconds, abs=1e-12)
    assert cycle.speed == pytest.approx(sum(cycle.step_lengths) / cycle.seconds, abs=1e-12)


@every_walk
@pytest.mark.parametrize("speed", [0.3, 0.9, 1.4, 2.2])
def test_people_keep_their_walk_ratio(name: str, speed: float) -> None:
    """Length over cadence stays, so length and cadence both grow with the root of speed."""
    cycle = cycle_of(name)
    length = natural_length(cycle, speed)
    seconds = natural_seconds(cycle, length, 0.0)
    assert length / seconds == pytest.approx(speed, rel=1e-12)
    assert length * seconds == pytest.approx(cycle.step_length * cycle.step_seconds, rel=1e-12)


def test_who_steps_unevenly_is_held_against_his_own_step() -> None:
    cycle = cycle_of(ACTOR)
    for usual in (0.6, 0.8):
        assert natural_seconds(cycle, usual, 0.0, usual) == pytest.approx(cycle.step_seconds)


@given(length=st.floats(0.15, 1.3), rise=st.floats(-0.4, 0.4))
@settings(max_examples=150, deadline=None)
def test_who_climbs_takes_his_time_but_does_not_dawdle(length: float, rise: float) -> None:
    cycle = cycle_of(ACTOR)
    level = natural_seconds(cycle, length, 0.0)
    seconds = natural_seconds(cycle, length, rise)
    assert seconds == natural_seconds(cycle, length, -rise)
    captured = cycle.step_seconds
    # never quicker than a level step of the same length, or than nearly the captured cadence
    assert seconds >= min(level, captured) - 1e-12
    # nor slower than the level step, or a ninth slower than it where it is a long one
    assert seconds <= max(level, min(level / EASED, captured / EASED)) + 1e-12


@given(length=st.floats(0.15, 1.3), rises=st.tuples(st.floats(1e-3, 0.4), st.floats(1e-3, 0.4)))
@settings(max_examples=60, deadline=None)
def test_the_time_of_a_climb_changes_no_faster_than_its_rise(
    length: float, rises: tuple[float, float]
) -> None:
    """A little more rise is a little more, or less, time."""
    cycle = cycle_of(ACTOR)
    one, other = (natural_seconds(cycle, length, rise) for rise in rises)
    assert abs(np.log(one / other)) <= 3.0 * abs(rises[0] - rises[1]) / min(length, 0.3) + 1e-9


@pytest.mark.parametrize("share", [0.5, 0.85, 1.0, 1.2])
def test_a_rise_of_nothing_takes_no_time(share: float) -> None:
    cycle = cycle_of(ACTOR)
    length = share * cycle.step_length
    assert natural_seconds(cycle, length, 1e-9) == pytest.approx(
        natural_seconds(cycle, length, 0.0), rel=1e-3
    )
