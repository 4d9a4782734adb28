"""Headings that were not given: on plans whose facing is known, and on captured prints without theirs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from footfall.actor.virtual_actor import VirtualActor
from footfall.analysis.extract_plan import extract_plan
from footfall.errors import RequestError
from footfall.geometry import ground
from footfall.models.stepspace.headings import TOE_OUT, filled_headings
from footfall.world.foot_plan import FEET, FootPlacement, FootPlan
from tests.captured import captured
from tests.captures import needs_captures
from tests.gaits import PACES, stances_of

Way = Callable[[int], tuple[float, float, float]]  # of the n-th print: x, z of the body, and where it faces
DEGREE = np.radians(1.0)
RADIUS = 2.0  # m


def laid(way: Way, prints: int = 10, *, width: float = 0.2, first: str = "left") -> FootPlan:
    """Prints at both sides of a body that goes a way."""
    placements = []
    for k in range(prints):
        foot = FEET[(FEET.index(first) + k) % 2]
        x, z, facing = way(k)
        aside = 0.5 * width if foot == "left" else -0.5 * width
        place = np.array([x + aside * np.cos(facing), 0.0, z - aside * np.sin(facing)])
        placements.append(FootPlacement(foot, place))
    return FootPlan(tuple(placements))


def facings(plan: FootPlan) -> np.ndarray:
    """Where the trunk faces at each print: the headings less the feet's own turn."""
    outward = np.where([p.foot == "left" for p in plan.placements], *TOE_OUT)
    return ground.wrap(filled_headings(plan) - outward)


def off(plan: FootPlan, way: Way) -> np.ndarray:
    """How far facings are off the way's, rad."""
    return np.abs(ground.wrap(facings(plan) - [way(k)[2] for k in range(len(plan))]))


def bare(plan: FootPlan) -> FootPlan:
    return FootPlan(tuple(replace(p, heading=None) for p in plan.placements))


def to_and_fro(k: int) -> float:
    return 0.5 * (k if k < 6 else 12 - k if k < 12 else k - 12)


WAYS: dict[str, Way] = {
    "forward": lambda k: (0.0, 0.6 * k, 0.0),
    "backward": lambda k: (0.0, -0.4 * k, 0.0),
    "to the left": lambda k: (0.3 * (k // 2), 0.0, 0.0),
    "to the right": lambda k: (-0.3 * ((k + 1) // 2), 0.0, 0.0),
    "on the spot": lambda k: (0.0, 0.0, 0.0),
    "forward, backward, forward": lambda k: (0.0, to_and_fro(k), 0.0),
}


class TestKnownWays:
    @pytest.mark.parametrize("name", WAYS)
    @pytest.mark.parametrize("prints", [3, 4, 9, 18])
    def test_straight(self, name: str, prints: int) -> None:
        assert off(laid(WAYS[name], prints), WAYS[name]).max() < 2 * DEGREE

    def test_short_steps(self) -> None:
        """A stance of 20 by 15 cm at either end may as well be a stand."""
        errors = off(laid(lambda k: (0.0, 0.15 * k, 0.0)), lambda k: (0.0, 0.15 * k, 0.0))
        assert errors[1:-1].max() < 3 * DEGREE
        assert errors.max() < 15 * DEGREE

    @pytest.mark.parametrize("turn", [0.3, -0.2])
    @pytest.mark.parametrize("ahead", [1.0, -1.0])
    def test_curves(self, turn: float, ahead: float) -> None:
        def way(k: int) -> tuple[float, float, float]:
            angle = ahead * turn * k
            radius = RADIUS * np.sign(turn)
            return radius * (1.0 - np.cos(angle)), radius * np.sin(angle), angle

        errors = off(laid(way, 14), way)
        assert errors[1:-1].max() < DEGREE
        assert errors.max() < 0.6 * abs(turn)  # at its ends a plan does not tell how it went on

    def test_a_line_of_prints_is_walked_forward(self) -> None:
        way = WAYS["forward"]
        assert off(laid(way, width=0.0), way).max() < 2 * DEGREE

    @pytest.mark.parametrize("width", [0.06, 0.1, 0.3])
    def test_a_left_foot_at_the_left_decides(self, width: float) -> None:
        for name in ("forward", "backward"):
            assert off(laid(WAYS[name], width=width), WAYS[name]).max() < 2 * DEGREE

    @pytest.mark.parametrize("name", sorted(set(PACES) - {"turn"}))
    def test_made_gaits(self, name: str) -> None:
        """Among them cross steps, on one line, that begin in a stand."""
        stances, _ = stances_of(PACES[name], 6)
        plan = FootPlan(tuple(FootPlacement(s.foot, np.array(s.place)) for s in stances))
        assert_allclose(facings(plan), 0.0, atol=2 * DEGREE)

    def test_standing(self) -> None:
        plan = laid(lambda k: (1.0, 2.0, 0.7), 2)
        assert_allclose(facings(plan), 0.7, atol=1e-9)
        one = FootPlan((replace(plan.placements[0], heading=-2.0), plan.placements[1]))
        assert_allclose(filled_headings(one), [-2.0, -2.0 - TOE_OUT[0] + TOE_OUT[1]], atol=1e-9)

    def test_turning_on_the_spot(self) -> None:
        plan = extract_plan(VirtualActor().turn_in_place(-2.5).motion)
        errors = np.abs(ground.wrap(filled_headings(bare(plan)) - [p.heading for p in plan.placements]))
        assert errors[[0, -1]].max() < 5 * DEGREE
        assert errors.max() < 30 * DEGREE


class TestGiven:
    def test_given_headings_are_kept(self) -> None:
        plan = laid(WAYS["forward"])
        some = FootPlan(
            tuple(replace(p, heading=2.0 + k) if k % 3 else p for k, p in enumerate(plan.placements))
        )
        filled = filled_headings(some)
        assert [filled[k] for k in range(10) if k % 3] == [2.0 + k for k in range(10) if k % 3]
        everything = FootPlan(tuple(replace(p, heading=9.0) for p in plan.placements))
        assert (filled_headings(everything) == 9.0).all()

    def test_they_tell_of_their_neighbours(self) -> None:
        """Prints on a line do not tell forward from backward; one heading does."""
        plan = laid(WAYS["backward"], width=0.0)
        assert off(plan, WAYS["backward"]).min() > 3.0
        told = FootPlan(
            tuple(replace(p, heading=TOE_OUT[1]) if k == 5 else p for k, p in enumerate(plan.placements))
        )
        assert off(told, WAYS["backward"]).max() < 2 * DEGREE

    def test_cross_steps_with_every_third_heading(self) -> None:
        plan = extract_plan(VirtualActor().cross_step().motion)
        some = FootPlan(
            tuple(p if k % 3 == 0 else replace(p, heading=None) for k, p in enumerate(plan.placements))
        )
        errors = np.abs(ground.wrap(filled_headings(some) - [p.heading for p in plan.placements]))
        assert errors.max() < 20 * DEGREE

    def test_toe_out(self) -> None:
        plan = laid(WAYS["forward"])
        left, right = filled_headings(plan, (0.3, -0.1))[4:6]
        assert (left, right) == pytest.approx((0.3, -0.1), abs=1e-3)


class TestAxioms:
    @settings(max_examples=40, deadline=None)
    @given(
        seed=st.integers(0, 10_000),
        turn=st.floats(-3.1, 3.1),
        moved=st.tuples(st.floats(-50, 50), st.floats(-50, 50)),
    )
    def test_moved_turned_and_mirrored(self, seed: int, turn: float, moved: tuple[float, float]) -> None:
        plan = wandering(seed)
        filled = filled_headings(plan)
        frame = ground.GroundFrame(np.array([moved[0], 1.0, moved[1]]), np.array(turn))
        elsewhere = FootPlan(tuple(replace(p, position=frame.to_world(p.position)) for p in plan.placements))
        assert_allclose(ground.wrap(filled_headings(elsewhere) - turn - filled), 0.0, atol=1e-4)
        other = {"left": "right", "right": "left"}
        mirrored = FootPlan(
            tuple(FootPlacement(other[p.foot], p.position * [-1, 1, 1]) for p in plan.placements)
        )
        assert_allclose(ground.wrap(filled_headings(mirrored) + filled), 0.0, atol=1e-4)

    def test_headings_change_as_smoothly_as_the_way(self) -> None:
        turns = np.abs(np.diff(np.unwrap(facings(wandering(3, shaken=0.03)))))
        assert turns.max() < 25 * DEGREE

    def test_the_same_again(self) -> None:
        plan = wandering(5)
        assert (filled_headings(plan) == filled_headings(plan)).all()

    def test_refusals(self) -> None:
        with pytest.raises(RequestError, match=r"steps\[0\]"):
            filled_headings(FootPlan(()))
        with pytest.raises(RequestError, match=r"steps\[1\]"):
            filled_headings(FootPlan((FootPlacement("left", np.zeros(3)),) * 2))


def wandering(seed: int, shaken: float = 0.02) -> FootPlan:
    """A walk whose direction and step length wander; prints are off by some centimetres."""
    rng = np.random.default_rng(seed)
    facing, place = 0.0, np.zeros(2)
    ways = []
    for _ in range(12):
        facing += 0.15 * rng.standard_normal()
        place = place + (0.5 + 0.1 * rng.standard_normal()) * np.array([np.sin(facing), np.cos(facing)])
        ways.append((*(place + shaken * rng.standard_normal(2)), facing))
    return laid(lambda k: ways[k], 12)


# mean error in degrees with the person's own toe-out: of headings that feet really had
ERRORS = {
    "walk/16_16.bvh": 6.0,
    "walk/16_47.bvh": 4.0,
    "turn-side-back/69_01.bvh": 6.0,
    "turn-side-back/69_22.bvh": 6.0,
    "turn-side-back/69_33.bvh": 9.0,
    "turn-side-back/16_19.bvh": 12.0,
    "turn-side-back/69_50.bvh": 9.0,  # backward
    "turn-side-back/69_54.bvh": 9.0,  # backward
    "turn-side-back/69_36.bvh": 18.0,  # backward and round; its feet stray by 20 degrees from the trunk
    "turn-side-back/69_56.bvh": 12.0,  # aside
    "turn-side-back/69_63.bvh": 14.0,  # aside
}
OWN_TOE_OUT = {
    "16": (-2.0, -3.7),
    "69": (-9.0, -1.0),
}  # degrees, of the trunk's heading, as their joints show


@needs_captures
@pytest.mark.parametrize("file", ERRORS)
def test_captured_headings_are_found_again(file: str) -> None:
    left, right = np.radians(OWN_TOE_OUT[file.split("/")[1].split("_")[0]])
    plan = extract_plan(captured(file))
    found = filled_headings(bare(plan), (float(left), float(right)))
    errors = np.degrees(np.abs(ground.wrap(found - [p.heading for p in plan.placements])))
    assert errors.mean() < ERRORS[file]
    assert errors.max() < 60.0  # nobody is taken to face the other way


@pytest.mark.parametrize("turned", [0.0, 30.0, 60.0, 90.0, 120.0, 180.0, -45.0])
@pytest.mark.parametrize("open_starts", [True, False])
def test_where_a_plan_begins_both_feet_face_nearly_the_same_way(turned: float, open_starts: bool) -> None:
    """However far the first step turns: the other foot, which it goes on from, was set down before."""
    straight = laid(lambda k: (0.0, 0.3 * (k // 2 + k % 2), 0.0))
    plan = FootPlan(
        tuple(
            replace(p, heading=None if k < 2 and open_starts else np.radians(turned))
            for k, p in enumerate(straight.placements)
        )
    )
    found = filled_headings(plan)
    if open_starts:
        facing = ground.wrap(found[:2] - np.array(TOE_OUT))
        assert abs(ground.wrap(facing[1] - facing[0])) < 20.01 * DEGREE
    assert_allclose(found[2 if open_starts else 0 :], np.radians(turned), atol=1e-12)


def test_start_feet_without_headings_face_as_the_rest_of_a_walk_does() -> None:
    for degrees in (-150.0, -20.0, 0.0, 75.0):
        way = np.radians(degrees)
        plan = laid(lambda k, way=way: (0.35 * k * np.sin(way), 0.35 * k * np.cos(way), way))  # type: ignore[misc]
        known = FootPlan(
            tuple(
                replace(p, heading=None if k < 2 else way + TOE_OUT[FEET.index(p.foot)])
                for k, p in enumerate(plan.placements)
            )
        )
        off_way = ground.wrap(filled_headings(known)[:2] - np.array(TOE_OUT) - way)
        assert np.abs(off_way).max() < 3.0 * DEGREE
