"""One movement between two standings: its footprints are where its parameters say."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from footfall.figure.motion import Motion
from footfall.models.movements.chain import Chain, chained
from footfall.models.movements.kind import MovementKind
from footfall.models.movements.movement import (
    Movement,
    Standing,
    first_standing,
    next_standing,
    start_parameters,
)
from footfall.models.movements.request import Request
from tests.models.movements.libraries import actor_library, turning_library


def chain_of(*requests: Request, start: Standing | None = None) -> Chain:
    return chained(actor_library().kinds, requests, start=start)


def by(stands: Standing, moving: int) -> np.ndarray:
    """From the other foot to the moving one, as the trunk faces: (side, rise, ahead)."""
    way = stands.places[moving] - stands.places[1 - moving]
    return np.asarray(Rotation.from_rotvec([0.0, -stands.heading, 0.0]).apply(np.array(way)))


@pytest.mark.parametrize("turned", [0.0, 1.1, -2.6])
@pytest.mark.parametrize("foot", [0, 1])
def test_a_steps_feet_are_where_its_parameters_say(turned: float, foot: int) -> None:
    kind = actor_library().kinds[("left_step", "right_step")[foot]]
    for start, end in ((0.0, 0.4), (0.3, 0.7), (0.7, 0.1)):
        weights = kind.weights(np.array([start, end]))
        exact = {"start_length": start, "end_length": end}
        first = first_standing(kind, weights, exact)
        assert first.heading == 0.0
        assert by(first, foot)[2] == pytest.approx(-start, abs=1e-12)
        spun = Rotation.from_rotvec([0.0, turned, 0.0])
        before = Standing(
            turned, spun.apply(np.array(first.places)) + np.array([3.0, 0.4, -2.0]), first.headings + turned
        )
        told = start_parameters(kind, before)
        assert told["start_length"] == pytest.approx(start, abs=1e-12)
        after = next_standing(kind, weights, before, exact)
        assert by(after, foot)[2] == pytest.approx(end, abs=1e-12)
        assert_allclose(after.places[1 - foot], before.places[1 - foot], rtol=0, atol=0)
        assert after.headings[1 - foot] == before.headings[1 - foot]
        assert after.heading == before.heading
        # what is not asked for is the blend's
        side = weights @ [e.prints[foot][1].place - e.prints[1 - foot][1].place for e in kind.examples]
        assert_allclose(by(after, foot)[:2], side[:2], rtol=0, atol=1e-9)


@pytest.mark.parametrize("turned", [0.0, 2.0])
def test_a_jumps_feet_are_where_its_parameters_say(turned: float) -> None:
    kind = actor_library().kinds["jump"]
    weights = kind.weights(np.array([0.9, 0.28]))
    first = first_standing(kind, weights, {})
    spun = Rotation.from_rotvec([0.0, turned, 0.0])
    before = Standing(
        turned, spun.apply(np.array(first.places)) + np.array([1.0, 0.2, 5.0]), first.headings + turned
    )
    after = next_standing(kind, weights, before, {"length": 0.9, "height": 0.28})
    way = spun.inv().apply(after.places.mean(axis=0) - before.places.mean(axis=0))
    assert way[2] == pytest.approx(0.9, abs=1e-12)
    assert abs(way[0]) < 0.01
    assert start_parameters(kind, before) == {}


@pytest.mark.parametrize("turn", [-0.2, 0.0, 0.13, 0.3])
def test_a_kind_that_turns_turns_by_what_was_asked(turn: float) -> None:
    library = turning_library()
    chain = chained(library.kinds, [Request("left_step", {"turn": turn, "end_length": 0.6})])
    made = chain.movements[0]
    assert made.after.heading - made.before.heading == pytest.approx(turn, abs=1e-9)
    assert by(made.after, 0)[2] == pytest.approx(0.6, abs=1e-9)


def test_a_little_more_than_any_example_is_turned_exactly_too() -> None:
    space = turning_library().space["left_step"]
    most = space.points[int(np.argmax(space.points[:, 1]))]
    asked = {"end_length": float(most[0]), "turn": float(most[1]) + 0.1}
    chain = chained(turning_library().kinds, [Request("left_step", asked)])
    assert chain.clamped == ()
    assert chain.movements[0].after.heading == pytest.approx(asked["turn"], abs=1e-9)


def test_a_turning_walk_turns_by_the_sum() -> None:
    library = turning_library()
    asked = [("left_step", 0.2), ("right_step", 0.1), ("left_step", 0.25), ("right_step", -0.1)]
    motion = library.play([(kind, {"turn": turn, "end_length": 0.6}) for kind, turn in asked])
    hips = motion.of("left_thigh") - motion.of("right_thigh")
    shoulders = motion.of("left_upper_arm") - motion.of("right_upper_arm")
    across = sum(v / np.linalg.norm(v[:, [0, 2]], axis=-1, keepdims=True) for v in (hips, shoulders))
    faces = np.unwrap(np.arctan2(-across[:, 2], across[:, 0]))
    assert faces[-1] - faces[0] == pytest.approx(0.45, abs=0.05)


def test_straight_kinds_go_straight_on() -> None:
    """Heading 0 to the last digit after fifty steps, and feet to the left and the right of one line."""
    steps = [Request(("left_step", "right_step")[k % 2], {"end_length": 0.5}) for k in range(50)]
    chain = chain_of(*steps)
    assert [m.after.heading for m in chain.movements] == [0.0] * 50
    places = np.array([m.after.places for m in chain.movements])
    assert (places[:, 0, 0] > 0.05).all()
    assert (places[:, 1, 0] < -0.05).all()
    assert np.ptp(places[:, :, 0], axis=0).max() < 0.1
    assert_allclose(np.diff(np.sort(places[1:, :, 2].max(axis=1))), 0.5, rtol=0, atol=1e-9)


def moments(movement: Movement, count: int = 121) -> np.ndarray:
    return np.linspace(0.0, movement.seconds, count)


def test_one_example_between_its_own_prints_is_that_example() -> None:
    """Played from where it began, to where it ended, body and turns are the example's."""
    for kind in actor_library().members:
        for number in range(0, len(kind.examples), 5):
            example = kind.examples[number]
            weights = np.eye(len(kind.examples))[number]
            places = np.array([[p.place for p in pair] for pair in example.prints])
            headings = np.array([[p.heading for p in pair] for pair in example.prints])
            before = Standing(0.0, places[:, 0], headings[:, 0])
            after = Standing(0.0, places[:, 1], headings[:, 1])
            made = Movement(kind, kind.space.points[number], weights, before, after)
            assert_allclose(made.keytimes, example.keytimes, rtol=0, atol=1e-9)
            times = moments(made)
            pose = made.channels(times).pose
            rows = kind.tables.example_rows(number, times)
            assert_allclose(pose.root, rows[:, :3], rtol=0, atol=0.009)
            own = Rotation.from_quat(rows[:, 3:].reshape(-1, 4), scalar_first=True)
            mine = Rotation.from_quat(np.array(pose.rotations).reshape(-1, 4), scalar_first=True)
            assert (mine * own.inv()).magnitude().max() < 1e-6


def test_where_it_begins_does_not_matter() -> None:
    """The same movement elsewhere, turned: the same motion, moved."""
    kind = actor_library().kinds["left_step"]
    first = chain_of(Request("left_step", {"end_length": 0.55}), start=standing(kind, 0.0, np.zeros(3)))
    shift = np.array([2.0, 0.3, -7.0])
    other = chain_of(Request("left_step", {"end_length": 0.55}), start=standing(kind, 1.9, shift))
    one, moved = first.movements[0], other.movements[0]
    spun = Rotation.from_rotvec([0.0, 1.9, 0.0])
    times = moments(one)
    a, b = one.channels(times), moved.channels(times)
    assert_allclose(b.pose.root, spun.apply(np.array(a.pose.root)) + shift, rtol=0, atol=1e-9)
    edges = [m.channels(m.keytimes) for m in (one, moved)]
    for here, there in zip(one.feet(a, times, edges[0]), moved.feet(b, times, edges[1]), strict=True):
        assert_allclose(there.ankle, spun.apply(np.array(here.ankle)) + shift, rtol=0, atol=1e-9)
    skeleton = actor_library().skeleton
    bodies = [Motion(skeleton, c.pose.root, c.pose.rotations, 1.0).positions for c in (a, b)]
    elsewhere = spun.apply(np.array(bodies[0]).reshape(-1, 3)) + shift
    assert_allclose(bodies[1].reshape(-1, 3), elsewhere, rtol=0, atol=1e-9)


def standing(kind: MovementKind, heading: float, shift: np.ndarray) -> Standing:
    first = first_standing(kind, kind.weights(np.array([0.3, 0.5])), {"start_length": 0.3})
    spun = Rotation.from_rotvec([0.0, heading, 0.0])
    return Standing(heading, spun.apply(np.array(first.places)) + shift, first.headings + heading)
