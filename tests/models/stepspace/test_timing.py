"""Times of steps: what is asked is given or said, what is not is evened, rests are met by double stances."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from footfall.figure.contacts import SIDES, runs_of
from footfall.models.stepspace.planned import PlannedSteps
from footfall.models.stepspace.timing import AS_ASKED, HASTE, LONGEST, SHORTEST, STARTING, Timing, timing_of
from footfall.world.foot_plan import FootPlacement, FootPlan
from tests.models.stepspace.judges import drawn_plan, made_of, run_plan
from tests.models.stepspace.spaces import running_space, small_space

STEPS = 6
BLENDED = np.array([[0.06, 0.5 + 0.02 * k, 0.07] for k in range(STEPS)])
NEITHER = {"from_stand": False, "to_stand": False}


def planned_with(
    swings: dict[int, float] | None = None, stances: dict[int, float] | None = None, feet: str = "lrlrlrlr"
) -> PlannedSteps:
    """A plan of six steps that asks for some times, by the numbers of its prints."""
    swings, stances = swings or {}, stances or {}
    names = {"l": "left", "r": "right"}
    made = [
        FootPlacement(names[f], np.array([0.1, 0.0, 0.3 * k]), 0.0, swings.get(k), stances.get(k))
        for k, f in enumerate(feet)
    ]
    return PlannedSteps.of(FootPlan(tuple(made)), np.zeros(len(made)))


def rests(timing: Timing, planned: PlannedSteps) -> dict[int, float]:
    """From the strike on a print to the toe-off from it, by a clock that runs through all steps."""
    ends = np.cumsum(timing.durations.ravel()).reshape(-1, 3)
    found = {}
    for k, (origin, target, _) in enumerate(planned.prints.tolist()):
        if origin in found:
            found[origin] = ends[k, 0] - found[origin]
        found[target] = ends[k, 1]
    return {n: v for n, v in found.items() if n in set(planned.prints[:, 0].tolist()) and n > 1}


def test_nothing_asked_is_nothing_said() -> None:
    found = timing_of(planned_with(), BLENDED, **NEITHER)
    assert found.clamped == ()
    assert_array_equal(found.durations[:, [0, 2]], BLENDED[:, [0, 2]])
    assert_array_equal(found.flights, 0.0)
    # of swings that grow evenly the inner ones are even already
    assert_allclose(found.durations[1:-1, 1], BLENDED[1:-1, 1], atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(0.3, 0.9), min_size=STEPS, max_size=STEPS))
def test_swings_are_evened_with_their_neighbours(swings: list[float]) -> None:
    blended = np.array(BLENDED)
    blended[:, 1] = swings
    found = timing_of(planned_with(), blended, **NEITHER).durations[:, 1]
    padded = np.concatenate([swings[:1], swings, swings[-1:]])
    assert_allclose(found, np.convolve(padded, [0.25, 0.5, 0.25], mode="valid"), atol=1e-12)
    assert found.sum() == pytest.approx(sum(swings))
    assert np.ptp(found) <= np.ptp(swings) + 1e-12


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(st.integers(2, STEPS + 1), st.floats(0.05, 3.0)))
def test_swings_that_are_asked_are_given_or_said(asked: dict[int, float]) -> None:
    found = timing_of(planned_with(swings=asked), BLENDED, **NEITHER)
    for number, seconds in asked.items():
        given_now = found.durations[number - 2, 1]
        own = BLENDED[number - 2, 1]
        named = [c for c in found.clamped if c.startswith(f"steps[{number}]:")]
        assert given_now == pytest.approx(np.clip(seconds, HASTE[0] * own, HASTE[1] * own))
        missed = abs(given_now - seconds)
        if abs(missed - AS_ASKED) > 1e-9:
            assert len(named) == (missed > AS_ASKED)
        if named:
            assert f"{seconds:.2f} s was asked, {given_now:.2f} s given" in named[0]
    assert len(found.clamped) <= len(asked)


@settings(max_examples=40, deadline=None)
@given(
    st.dictionaries(st.integers(2, STEPS + 1), st.floats(0.2, 2.5), max_size=4),
    st.sampled_from(["lrlrlrlr", "lrllrrlr", "rlrrrlrl"]),
)
def test_rests_that_are_asked_are_given_or_said(asked: dict[int, float], feet: str) -> None:
    planned = planned_with(stances=asked, feet=feet)
    found = timing_of(planned, BLENDED, **NEITHER)
    measured = rests(found, planned)
    for number, seconds in asked.items():
        if number not in measured:
            continue  # a foot that never leaves again
        named = [c for c in found.clamped if c.startswith(f"steps[{number}]: a stance")]
        assert (abs(measured[number] - seconds) > 0.02) == bool(named)
        if named:
            assert f"{measured[number]:.2f} s given" in named[0]
    halves = found.durations[:, [0, 2]]
    assert halves.min() >= SHORTEST - 1e-12
    assert halves.max() <= LONGEST + 1e-12
    assert_array_equal(
        found.durations[:, 1], timing_of(planned_with(feet=feet), BLENDED, **NEITHER).durations[:, 1]
    )


def test_one_rest_that_can_be_met_is_met() -> None:
    planned = planned_with(stances={4: 1.1})
    found = timing_of(planned, BLENDED, **NEITHER)
    assert found.clamped == ()
    assert rests(found, planned)[4] == pytest.approx(1.1, abs=0.005)
    # only double stances around it change
    changed = np.flatnonzero(
        np.abs(found.durations - timing_of(planned_with(), BLENDED, **NEITHER).durations).max(axis=1) > 1e-9
    )
    assert changed.tolist() == [2, 3, 4]


def test_out_of_a_stand_and_into_one_the_weight_is_shifted_first() -> None:
    plain = timing_of(planned_with(), BLENDED, **NEITHER).durations
    stood = timing_of(planned_with(), BLENDED, from_stand=True, to_stand=True).durations
    assert stood[0, 0] == stood[-1, 2] == STARTING
    stood[0, 0], stood[-1, 2] = plain[0, 0], plain[-1, 2]
    assert_array_equal(stood, plain)
    longer = np.array(BLENDED)
    longer[0, 0] = 0.4
    assert timing_of(planned_with(), longer, from_stand=True, to_stand=False).durations[0, 0] == 0.4


def test_what_was_blended_is_not_changed() -> None:
    blended, flights = np.array(BLENDED), np.zeros((STEPS, 2))
    timing_of(planned_with({3: 0.6}, {4: 1.0}), blended, flights, from_stand=True, to_stand=True)
    assert_array_equal(blended, BLENDED)
    assert not flights.any()


RUNS = np.array([False, True, True, True, False, False])
FLIGHTS = np.where(RUNS[:, None], [0.09, 0.11], 0.0)
RUN_BLENDED = np.where(RUNS[:, None], [0.1, 0.2, 0.12], BLENDED)


def test_steps_that_are_run_agree_on_their_flights() -> None:
    """What one step has as the time after its support left, the next has as the time before it lands."""
    found = timing_of(planned_with(), RUN_BLENDED, FLIGHTS, RUNS, **NEITHER)
    for k in (1, 2):
        # a swing foot lands when it becomes the support, and a support leaves when it becomes the swing foot
        assert found.flights[k, 1] == pytest.approx(found.durations[k + 1, 0])
        assert found.durations[k, 2] == pytest.approx(found.flights[k + 1, 0])
    assert found.flights[RUNS].min() > 0.0
    # beside a walk there is no flight to speak of
    assert found.flights[1, 0] <= 1e-3
    assert found.flights[3, 1] <= 1e-3
    assert_array_equal(found.flights[~RUNS], 0.0)


def test_swings_are_evened_within_a_gait() -> None:
    blended = np.array(RUN_BLENDED)
    blended[:, 1] = [0.5, 0.2, 0.2, 0.2, 0.6, 0.6]
    found = timing_of(planned_with(), blended, FLIGHTS, RUNS, **NEITHER).durations[:, 1]
    assert_allclose(found, blended[:, 1], atol=1e-12)


@pytest.mark.parametrize(("times", "word"), [({"swing": 0.5}, "swing"), ({"stance": 0.4}, "stance")])
def test_times_of_runs_are_met_or_said(times: dict[str, float], word: str) -> None:
    plan = run_plan(**times)
    made, _, _ = made_of(running_space(), plan)
    runs = np.array([b.runs for b in made.blends])
    assert runs.any()
    motion = running_space().follow(plan, fps=480.0)
    assert motion.contacts is not None
    for side in SIDES:
        numbers = [k for k, p in enumerate(plan.placements) if p.foot == side]
        stances = runs_of(motion.contacts.stands(side))
        assert len(stances) == len(numbers)
        for k in range(1, len(numbers) - 1):
            here, before = stances[k], stances[k - 1]
            seconds = (here[0] - before[1] if word == "swing" else here[1] - here[0]) / 480.0
            said = any(c.startswith(f"steps[{numbers[k]}]: a {word}") for c in motion.clamped)
            assert said or abs(seconds - times[word]) < 0.03


@pytest.mark.parametrize("seed", range(3))
def test_times_of_walks_are_seen_in_the_motion(seed: int) -> None:
    """Swings and rests as the finished motion's contacts have them, or said."""
    plan = drawn_plan(seed, timed=True)
    motion = small_space().follow(plan, fps=480.0)
    assert motion.contacts is not None
    for side in SIDES:
        numbers = [k for k, p in enumerate(plan.placements) if p.foot == side]
        stances = runs_of(motion.contacts.stands(side))
        assert len(stances) == len(numbers)
        for k in range(1, len(numbers)):
            one, named = plan.placements[numbers[k]], f"steps[{numbers[k]}]: a"
            assert one.swing is not None
            assert one.stance is not None
            swing = (stances[k][0] - stances[k - 1][1]) / 480.0
            assert abs(swing - one.swing) < 0.01 or any(
                c.startswith(f"{named} swing") for c in motion.clamped
            )
            if k < len(numbers) - 1:
                rest = (stances[k][1] - stances[k][0]) / 480.0
                said = any(c.startswith(f"{named} stance") for c in motion.clamped)
                assert abs(rest - one.stance) < 0.03 or said


@pytest.mark.parametrize("number", [0, 1, 3])
def test_rests_at_the_ends_are_met_or_said(number: int) -> None:
    """A step alone that is to stand long where it starts, or where it ends."""
    plan = drawn_plan(2, steps=2)
    placements = list(plan.placements)
    placements[number] = replace(placements[number], stance=3.0)
    motion = small_space().follow(FootPlan(tuple(placements)))
    assert motion.contacts is not None
    side = placements[number].foot
    rest = runs_of(motion.contacts.stands(side))[0 if number < 2 else -1]
    assert (rest[1] - rest[0]) / 60.0 > 2.9 or any(f"steps[{number}]" in c for c in motion.clamped)
