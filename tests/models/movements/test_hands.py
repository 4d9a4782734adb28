"""Hands that hold on: where they are told to be while their movements last, and gone to and left smoothly."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.errors import RequestError
from footfall.models.movements.hands import EASY, GRASPING, OFF, PACE, _stretches, hold_hands
from footfall.models.movements.model import PlayedMovements
from tests.models.movements.libraries import actor_library

STEPS: list[dict[str, Any]] = [
    {"kind": "left_step", "end_length": 0.4},
    {"kind": "right_step", "end_length": 0.35},
    {"kind": "left_step", "end_length": 0.0},
]


def asked(*holds: dict[str, Any] | None) -> list[dict[str, Any]]:
    return [step | ({} if hold is None else {"hold": hold}) for step, hold in zip(STEPS, holds, strict=True)]


@cache
def free() -> PlayedMovements:
    return actor_library().play(STEPS)


def spans(motion: PlayedMovements) -> list[np.ndarray]:
    """The frames of each movement."""
    ends = [*motion.begins[1:], motion.seconds + 1.0]
    return [
        np.flatnonzero((motion.times >= a - 1e-9) & (motion.times <= b + 1e-9))
        for a, b in zip(motion.begins, ends, strict=True)
    ]


def check_held(motion: PlayedMovements, hand: str, frames: np.ndarray) -> None:
    """Where it was as it took hold, wherever an arm that is still a little bent gets there."""
    place = free().of(hand)[frames[0]]
    shoulder = motion.of(hand.replace("hand", "upper_arm"))[frames]
    away = np.linalg.norm(shoulder - place, axis=-1) / arm_length()
    off = np.linalg.norm(motion.of(hand)[frames] - place, axis=-1)
    assert off[away < EASY].max(initial=0.0) < 1e-6
    said = [float(s.split()[2]) for s in motion.clamped if hand in s]
    assert said == ([] if off.max() <= OFF else [pytest.approx(off.max(), abs=6e-4)])
    assert (off <= np.maximum(away - EASY, 0.0) * arm_length() + 1e-6).all()
    assert np.linalg.norm(free().of(hand)[frames] - place, axis=-1).max() > 0.03


def test_a_hand_stays_where_it_is() -> None:
    motion = actor_library().play(asked(None, None, {"right_hand": None}))
    check_held(motion, "right_hand", spans(motion)[2])


def test_a_hand_goes_to_where_it_is_told_and_leaves_again() -> None:
    middle = spans(free())[1]
    place = free().of("left_hand")[middle[len(middle) // 2]] + [0.05, 0.12, 0.1]
    motion = actor_library().play(asked(None, {"left_hand": tuple(place)}, None))
    hand = motion.of("left_hand")
    assert_allclose(hand[middle], np.broadcast_to(place, (len(middle), 3)), rtol=0, atol=1e-6)
    assert motion.clamped == ()
    start, end = motion.begins[1], motion.begins[2]
    wrist = free().of("left_hand")
    far = [np.linalg.norm(wrist[k] - place) / PACE for k in (middle[0], middle[-1])]
    before, after = (np.clip(f, *GRASPING) + 0.02 for f in far)
    outside = (motion.times < start - before) | (motion.times > end + after)
    assert outside.any()
    assert_allclose(hand[outside], free().of("left_hand")[outside], rtol=0, atol=1e-9)
    # and it gets there smoothly
    assert np.linalg.norm(np.diff(hand, axis=0), axis=-1).max() * motion.fps < 4.0


def test_nothing_but_the_arm_moves() -> None:
    place = free().of("left_hand")[spans(free())[1][5]]
    motion = actor_library().play(asked(None, {"left_hand": tuple(place)}, None))
    skeleton = motion.skeleton
    arm = {skeleton.joint("left_upper_arm"), *skeleton.tree.descendants(skeleton.joint("left_upper_arm"))}
    rest = [j for j in range(len(skeleton)) if j not in arm]
    assert_allclose(motion.positions[:, rest], free().positions[:, rest], rtol=0, atol=1e-12)
    for bone in ("forearm", "hand"):
        joint = skeleton.joint(f"left_{bone}")
        length = np.linalg.norm(
            motion.positions[:, joint] - motion.positions[:, skeleton.parents[joint]], axis=-1
        )
        assert_allclose(length, np.linalg.norm(skeleton.offsets[joint]), rtol=0, atol=1e-9)


def test_both_hands_at_once_and_over_several_movements() -> None:
    motion = actor_library().play(asked(None, {"right_hand": None, "left_hand": None}, {"right_hand": None}))
    check_held(motion, "left_hand", spans(motion)[1])
    check_held(motion, "right_hand", np.concatenate(spans(motion)[1:]))


def test_held_from_the_very_start() -> None:
    motion = actor_library().play(asked({"right_hand": None}, None, None))
    check_held(motion, "right_hand", spans(motion)[0])


def test_what_is_out_of_reach_is_said_and_reached_for() -> None:
    motion = actor_library().play(asked(None, {"right_hand": (0.0, 1.0, 9.0)}, None))
    (said,) = motion.clamped
    assert said.startswith("hold right_hand: ")
    frames = spans(motion)[1]
    off = np.linalg.norm(motion.of("right_hand")[frames] - [0.0, 1.0, 9.0], axis=-1)
    assert float(said.split()[2]) == pytest.approx(off.max(), abs=6e-4)
    arm = np.linalg.norm(motion.of("right_hand")[frames] - motion.of("right_upper_arm")[frames], axis=-1)
    assert arm.max() < 0.996 * arm_length()
    assert arm.max() > 0.97 * arm_length()


def arm_length() -> float:
    skeleton = actor_library().skeleton
    return sum(
        float(np.linalg.norm(skeleton.offsets[skeleton.joint(f"right_{b}")])) for b in ("forearm", "hand")
    )


def test_no_hold_changes_nothing() -> None:
    motion, said = hold_hands(free(), [{}, {}, {}], np.array([0.0, 0.5, 1.0, 1.5]))
    assert motion is free()
    assert said == ()
    assert_array_equal(actor_library().play(asked({}, {}, {})).rotations, free().rotations)


@pytest.mark.parametrize(
    ("hold", "said"),
    [
        ({"head": None}, "hold names left_hand or right_hand, not 'head'"),
        ({"right_hand": (0.0, 1.0)}, "hold .?right_hand.? must be three numbers"),
        ({"right_hand": (0.0, np.nan, 1.0)}, "must be three numbers"),
        ({"right_hand": ((0.0,), (1.0,), (2.0,))}, "must be three numbers"),
    ],
)
def test_what_cannot_be_held_is_refused(hold: dict[str, Any], said: str) -> None:
    with pytest.raises(RequestError, match=said):
        actor_library().play(asked(hold, None, None))


@pytest.mark.parametrize(
    "hold",
    [3, ["right_hand"], "right_hand", {"right_hand": "there"}, {"right_hand": None, 3: None}],
)
def test_what_is_no_hold_is_refused(hold: Any) -> None:
    with pytest.raises(RequestError):
        actor_library().play(asked(hold, None, None))


def test_one_place_after_another() -> None:
    """Nothing said goes on as it was, in either direction; another place begins anew, and so does a gap."""
    high, low = (-0.25, 1.05, 0.35), (-0.25, 0.95, 0.55)

    def stretches(*places: object) -> list[tuple[int, int, object]]:
        return _stretches("right_hand", [{} if p == "free" else {"right_hand": p} for p in places])  # type: ignore[dict-item]

    assert stretches(high, None, low) == [(0, 2, high), (2, 3, low)]
    assert stretches(None, high, high, low) == [(0, 3, high), (3, 4, low)]
    assert stretches(None, "free", None) == [(0, 1, None), (2, 3, None)]
    assert stretches("free", high, "free", high) == [(1, 2, high), (3, 4, high)]
    assert stretches("free", "free") == []


def test_two_places_are_held_in_turn() -> None:
    """Each for as long as it is told, but for the way from one to the other."""
    begins = [round(t * free().fps) for t in free().begins]
    shoulder = free().of("right_upper_arm")
    places = [tuple(shoulder[begins[k] + 5] + np.array([0.0, -0.35, 0.2])) for k in (0, 2)]
    motion = actor_library().play(asked({"right_hand": places[0]}, None, {"right_hand": places[1]}))
    wrist = motion.of("right_hand")
    for place, first in ((places[0], 0), (places[1], begins[2] + 1)):
        assert_allclose(wrist[first : first + 8], np.tile(place, (8, 1)), rtol=0, atol=1e-6)
