"""Wishes: what is refused and what that says, what is granted, and what is cut short and said."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.models.walkedit.course import Stride
from footfall.models.walkedit.cycle import SIDES, WalkCycle
from footfall.models.walkedit.reach import highest_lift, longest_step
from footfall.models.walkedit.timing import QUICKEST, SLOWEST
from footfall.models.walkedit.varying import OverTime
from footfall.models.walkedit.wishes import LIMITS, MOST_STEPS, Granted, Wishes, granted
from tests.models.walkedit.test_footing import shape_of
from tests.models.walkedit.walks import ACTOR, cycle_of, every_walk, refusal

NO_STAIRS = "stairs must be (riser, tread) in metres, or several of these"
BEFORE = 1  # strides before those that were asked for; the first of these is under way when a walk begins


def limping() -> WalkCycle:
    """Somebody who takes longer and farther steps with his left foot."""
    return replace(cycle_of(ACTOR), right_strike=0.42, step_lengths=(0.78, 0.62))


def grant(cycle: WalkCycle, **asked: object) -> Granted:
    return granted(cycle, Wishes(**asked))  # type: ignore[arg-type]


def feet_of(strides: list[Stride], first: str = "left") -> list[int]:
    return [(SIDES.index(first) + k) % 2 for k in range(len(strides))]


def lengths(found: Granted) -> np.ndarray:
    return np.array([np.hypot(s.advance, s.rise) for s in found.strides])


def seconds(found: Granted) -> np.ndarray:
    return np.array([s.seconds for s in found.strides])


# what is refused


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("wrong", ["below", "above", "nan", "inf"])
def test_what_makes_no_sense_is_refused_with_its_name_and_range(name: str, wrong: str) -> None:
    low, high, unit = LIMITS[name]
    value = {"below": low - 0.01, "above": high * 1.01, "nan": np.nan, "inf": np.inf}[wrong]
    said = refusal(grant, cycle_of(ACTOR), **{name: value})
    assert said == f"{name} must be between {low:g} and {high:g} {unit}, not {value}"


def test_a_negative_length_and_a_slope_of_80_degrees_are_refused() -> None:
    cycle = cycle_of(ACTOR)
    assert refusal(grant, cycle, step_length=-0.7) == "step_length must be between 0.05 and 100 m, not -0.7"
    said = refusal(grant, cycle, slope=float(np.radians(80.0)))
    assert said.startswith("slope must be between -0.610865 and 0.610865 rad (35 degrees), not 1.396")


@pytest.mark.parametrize("name", LIMITS)
def test_functions_are_refused_where_they_leave_the_range(name: str) -> None:
    _, high, unit = LIMITS[name]
    cycle = cycle_of(ACTOR)
    said = refusal(grant, cycle, **{name: lambda d: 0.4 if d < 1.0 else high + 1.0})
    found = re.fullmatch(
        rf"at (\d+\.\d+) m: {name} must be between .* {re.escape(unit)}, not {high + 1.0}", said
    )
    assert found
    assert 1.0 <= float(found[1]) < 2.5
    said = refusal(grant, cycle, **{name: OverTime(lambda t: 0.4 if t < 1.0 else np.nan)})
    found = re.fullmatch(rf"at (\d+\.\d+) s: {name} must be between .* {re.escape(unit)}, not nan", said)
    assert found
    assert float(found[1]) >= 1.0


@pytest.mark.parametrize("steps", [0, -3, MOST_STEPS + 1])
def test_so_many_steps_are_refused(steps: int) -> None:
    assert refusal(Wishes, steps=steps) == f"steps must be between 1 and {MOST_STEPS}, not {steps}"


@pytest.mark.parametrize("steps", [2.0, True, "8", None, np.nan])
def test_steps_are_whole_numbers(steps: object) -> None:
    assert refusal(Wishes, steps=steps) == f"steps must be a whole number, not {steps!r}"


@pytest.mark.parametrize("steps", [1, 8, np.int64(3)])
def test_all_steps_are_granted_with_one_before_and_three_after(steps: int) -> None:
    found = grant(cycle_of(ACTOR), steps=steps)
    assert len(found.strides) == steps + 4
    assert found.clamped == ()


@pytest.mark.parametrize("first", ["Left", "both", None, 0])
def test_the_first_foot_is_left_or_right(first: object) -> None:
    assert refusal(Wishes, first=first) == f"first must be 'left' or 'right', not {first!r}"


@pytest.mark.parametrize("name", ["slope", "step_length"])
@pytest.mark.parametrize("value", [0.2, 0.0, lambda _: 0.2])
def test_stairs_set_the_steps_themselves(name: str, value: object) -> None:
    said = refusal(Wishes, stairs=(0.15, 0.3), **{name: value})
    assert said == f"stairs set the steps themselves: {name} cannot be given with them"


@pytest.mark.parametrize(
    ("stairs", "says"),
    [
        ((0.6, 0.3), "a riser must be between -0.5 and 0.5 m, not 0.6"),
        ((np.nan, 0.3), "a riser must be between -0.5 and 0.5 m, not nan"),
        ((0.2, 0.05), "a tread must be between 0.1 and 3.0 m, not 0.05"),
        ((0.2, -0.3), "a tread must be between 0.1 and 3.0 m, not -0.3"),
        ((0.2, np.nan), "a tread must be between 0.1 and 3.0 m, not nan"),
        ([(0.2, 0.3), (0.2, 9.0)], "a tread must be between 0.1 and 3.0 m, not 9.0"),
        ((0.2,), f"{NO_STAIRS}, not (0.2,)"),
        (
            (0.2, 0.3, 0.4),
            "stairs must be (riser, tread) in metres, or several of these, not (0.2, 0.3, 0.4)",
        ),
        ([(0.2, 0.3), None], f"{NO_STAIRS}, not None"),
        ([(0.2, "wide")], f"{NO_STAIRS}, not (0.2, 'wide')"),
    ],
    ids=str,
)
def test_what_are_no_stairs_is_refused(stairs: object, says: str) -> None:
    assert refusal(grant, cycle_of(ACTOR), stairs=stairs) == says


@pytest.mark.parametrize("stairs", [[], (), 5, {}, np.zeros((0, 2))], ids=str)
def test_no_stairs_at_all_are_refused(stairs: object) -> None:
    assert "stairs must be (riser, tread)" in refusal(grant, cycle_of(ACTOR), stairs=stairs)


@every_walk
@pytest.mark.parametrize("riser", [0.15, -0.15])
def test_a_tread_on_which_no_foot_stands_is_refused(name: str, riser: float) -> None:
    cycle = cycle_of(name)
    said = refusal(grant, cycle, stairs=[(riser, 0.4), (riser, 0.11)])
    found = re.fullmatch(r"a tread must be (0\.\d{3}) m or more for this figure's feet, not 0\.11", said)
    assert found
    # up, from where a subtalar stands just clear of the edge, there is room for ball and toes
    shape = shape_of(name, "left")
    assert float(found[1]) > (shape.along[-1] if riser > 0.0 else -shape.along[0])
    assert float(found[1]) < np.ptp(shape.along) + 0.01
    assert grant(cycle, stairs=(riser, float(found[1]) + 0.001)).clamped == ()
    # without a riser there is no edge
    assert grant(cycle, stairs=(0.0, 0.11)).clamped == ()


# what is granted


@every_walk
@pytest.mark.parametrize("first", SIDES)
def test_with_nothing_asked_steps_are_as_captured(name: str, first: str) -> None:
    cycle = cycle_of(name)
    found = grant(cycle, first=first)
    feet = feet_of(found.strides, first)
    shares = (1.0 - cycle.right_strike, cycle.right_strike)
    assert_allclose(lengths(found), [cycle.step_lengths[f] for f in feet], atol=1e-12)
    assert_allclose(seconds(found), [cycle.seconds * shares[f] for f in feet], atol=1e-12)
    assert [s.rise for s in found.strides] == [0.0] * len(feet)
    assert np.isnan([s.lift for s in found.strides]).all()


@pytest.mark.parametrize("limps", [False, True])
@pytest.mark.parametrize("length", [0.4, 0.9])
def test_a_step_length_tells_a_speed_and_that_speed_the_length(limps: bool, length: float) -> None:
    cycle = limping() if limps else cycle_of(ACTOR)
    by_length = grant(cycle, step_length=length)
    assert_allclose(lengths(by_length), length, atol=1e-12)
    speed = 2.0 * length / seconds(by_length)[:2].sum()
    by_speed = grant(cycle, speed=speed)
    assert_allclose(lengths(by_speed), length, atol=1e-12)
    assert_allclose(seconds(by_speed), seconds(by_length), atol=1e-12)
    # the walk ratio: twice as long is twice as quick
    half = grant(cycle, step_length=0.5 * length)
    assert_allclose(seconds(half), 2.0 * seconds(by_length), atol=1e-12)


@pytest.mark.parametrize("limps", [False, True])
def test_both_are_given_as_asked(limps: bool) -> None:
    cycle = limping() if limps else cycle_of(ACTOR)
    found = grant(cycle, step_length=0.6, speed=0.9)
    assert_allclose(lengths(found), 0.6, atol=1e-12)
    assert seconds(found)[:2].sum() == pytest.approx(1.2 / 0.9)
    # who limps goes on limping
    share = cycle.right_strike
    assert_allclose(seconds(found)[1::2] / seconds(found)[::2], share / (1.0 - share), atol=1e-12)
    assert found.clamped == ()


@pytest.mark.parametrize("slope", [-0.35, 0.2])
def test_along_a_slope_steps_are_as_long_as_asked(slope: float) -> None:
    """[walk] eq. 8: the step is measured along the ground, as speed is."""
    found = grant(cycle_of(ACTOR), slope=slope, step_length=0.7, speed=1.0)
    for stride in found.strides:
        assert np.hypot(stride.advance, stride.rise) == pytest.approx(0.7)
        assert np.arctan2(stride.rise, stride.advance) == pytest.approx(slope)
        assert stride.slope == slope
        assert stride.seconds == pytest.approx(0.7)


def test_stairs_are_climbed_one_by_one_and_over_again() -> None:
    flight = [(0.1, 0.3), (0.2, 0.35), (-0.15, 0.4)]
    found = grant(cycle_of(ACTOR), stairs=flight, steps=6)
    # the one before the walk is the last of the flight
    wanted = [flight[k % 3] for k in range(-BEFORE, 9)]
    assert [(s.rise, s.advance) for s in found.strides] == wanted
    assert {s.slope for s in found.strides} == {0.0}
    alone = grant(cycle_of(ACTOR), stairs=(0.1, 0.3), steps=2)
    assert {(s.rise, s.advance) for s in alone.strides} == {(0.1, 0.3)}


def test_speed_on_stairs_is_along_the_treads() -> None:
    found = grant(cycle_of(ACTOR), stairs=(0.15, 0.3), speed=0.5)
    assert_allclose(seconds(found), 0.6, atol=1e-12)


def test_a_function_is_asked_where_each_step_begins() -> None:
    asked = []

    def by_distance(distance: float) -> float:
        asked.append(distance)
        return 0.5 + 0.05 * distance

    found = grant(cycle_of(ACTOR), step_length=by_distance, steps=5)
    made = lengths(found)
    begins = np.concatenate([[0.0], np.cumsum(made[BEFORE:-1])])
    assert_allclose(made[BEFORE:], 0.5 + 0.05 * begins, atol=1e-12)
    assert made[0] == made[1] == 0.5
    assert_allclose(asked[BEFORE:], begins, atol=1e-12)


def test_over_time_is_asked_when_each_step_begins() -> None:
    found = grant(cycle_of(ACTOR), lift=OverTime(lambda t: 0.05 + 0.02 * t), steps=5)
    begins = np.concatenate([[0.0], np.cumsum(seconds(found)[BEFORE:-1])])
    assert_allclose([s.lift for s in found.strides[BEFORE:]], 0.05 + 0.02 * begins, atol=1e-12)


def test_pairs_are_straight_between() -> None:
    found = grant(cycle_of(ACTOR), step_length=[(0.0, 0.5), (4.0, 0.9)], steps=10)
    begins = np.concatenate([[0.0], np.cumsum(lengths(found)[BEFORE:-1])])
    assert_allclose(lengths(found)[BEFORE:], np.minimum(0.5 + 0.1 * begins, 0.9), atol=1e-12)


# what is cut short, and said


def said_numbers(said: str) -> tuple[float, float]:
    """What was asked and what is given, out of a sentence."""
    numbers = re.findall(r"-?\d+\.\d+", said)
    return float(numbers[0]), float(numbers[1])


@every_walk
@pytest.mark.parametrize("slope", [0.0, 0.3, -0.6])
def test_a_step_beyond_reach_is_cut_short_and_said(name: str, slope: float) -> None:
    cycle = cycle_of(name)
    found = grant(cycle, step_length=2.5, slope=slope)
    (said,) = found.clamped
    assert re.fullmatch(r"step_length 2\.500 m: \d\.\d{3} m is as far as a leg reaches", said)
    assert_allclose(lengths(found), said_numbers(said)[1], atol=5e-4)
    # it is cut, not turned: the slope is kept, and it is as long as a leg reaches
    assert_allclose([np.arctan2(s.rise, s.advance) for s in found.strides], slope, atol=1e-12)
    assert_allclose([s.advance for s in found.strides], longest_step(cycle, 0.0, slope), atol=1e-12)
    # a little less is given as it is asked
    within = grant(cycle, step_length=0.999 * float(lengths(found)[0]), slope=slope)
    assert within.clamped == ()


@every_walk
def test_a_tread_beyond_reach_is_cut_short_and_said(name: str) -> None:
    cycle = cycle_of(name)
    found = grant(cycle, stairs=(0.3, 2.5))
    (said,) = found.clamped
    assert re.fullmatch(r"tread 2\.500 m: \d\.\d{3} m is as far as a leg reaches with this riser", said)
    assert {s.rise for s in found.strides} == {0.3}
    assert_allclose([s.advance for s in found.strides], longest_step(cycle, 0.3), atol=1e-12)
    assert said_numbers(said)[1] == pytest.approx(longest_step(cycle, 0.3), abs=5e-4)


@every_walk
def test_a_lift_beyond_the_folded_leg_is_cut_short_and_said(name: str) -> None:
    cycle = cycle_of(name)
    found = grant(cycle, lift=0.9)
    (said,) = found.clamped
    assert re.fullmatch(r"lift 0\.900 m: \d\.\d{3} m is as high as a leg folds", said)
    assert {s.lift for s in found.strides} == {highest_lift(cycle)}
    assert said_numbers(said)[1] == pytest.approx(highest_lift(cycle), abs=5e-4)


@pytest.mark.parametrize(("speed", "length", "whole"), [(4.0, 0.4, QUICKEST), (0.05, 0.7, SLOWEST)])
def test_a_speed_beyond_the_feet_is_said(speed: float, length: float, whole: float) -> None:
    found = grant(limping(), speed=speed, step_length=length)
    (said,) = found.clamped
    assert re.fullmatch(rf"speed {speed:.3f} m/s: \d\.\d{{3}} m/s with steps of {length:.3f} m", said)
    assert seconds(found)[:2].sum() == pytest.approx(2.0 * whole)
    assert said_numbers(said)[1] == pytest.approx(length / whole, abs=5e-4)


def test_no_step_is_quicker_or_slower_than_feet_are() -> None:
    cycle = cycle_of(ACTOR)
    for asked in ({"step_length": 0.05}, {"step_length": 1.3}, {"speed": 5.0}, {"stairs": (0.2, 0.25)}):
        whole = seconds(grant(cycle, **asked))
        assert whole.min() >= QUICKEST - 1e-12
        assert whole.max() <= SLOWEST + 1e-12


def test_each_thing_is_said_once() -> None:
    found = grant(cycle_of(ACTOR), step_length=lambda d: 2.0 + d, lift=0.8, steps=20)
    assert sorted(said.split()[0] for said in found.clamped) == ["lift", "step_length"]


def test_what_can_be_given_is_given_without_a_word() -> None:
    cycle = cycle_of(ACTOR)
    for asked in (
        {"step_length": 1.3 * cycle.step_length, "slope": np.radians(20.0)},
        {"step_length": 0.5 * cycle.step_length, "lift": 0.25},
        {"stairs": (-0.2, 0.45), "lift": 0.2},
        {"stairs": (0.2, 0.25), "speed": 0.5},
    ):
        assert grant(cycle, **asked).clamped == ()


@pytest.mark.parametrize("value", [0.7, "0.7", None, [0.7]])
def test_wishes_hold_what_was_asked(value: object) -> None:
    """They are checked when they are granted, and never changed."""
    assert Wishes(step_length=value).step_length is value  # type: ignore[arg-type]
