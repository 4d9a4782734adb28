"""What feet do in a movement: read from contacts, the same for all examples of a kind, refused where not."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from footfall.actor.humanoid import humanoid
from footfall.actor.virtual_actor import VirtualActor
from footfall.errors import RequestError
from footfall.figure.contacts import Contacts
from footfall.figure.example import Example
from footfall.figure.motion import Motion
from footfall.models.movements.structure import BRIEF, NEAR, family_of, swings_of
from tests.models.movements.libraries import chosen_examples, reaches

FPS = 100.0
KEYS = (0.2, 0.6, 1.2, 1.6)
Spans = list[tuple[float, float]]


@cache
def still() -> Motion:
    skeleton = humanoid()
    return Motion(skeleton, np.zeros((200, 3)), np.tile(skeleton.rest, (200, 1, 1)), FPS)


def example(left: Spans, right: Spans, keytimes: tuple[float, ...] = KEYS, name: str = "made") -> Example:
    """A figure that stands still; said is when each foot is in the air, s."""
    times = np.arange(200) / FPS
    down = np.ones((200, 2), dtype=bool)
    for column, spans in enumerate((left, right)):
        for start, end in spans:
            down[(times >= start - 1e-9) & (times < end - 1e-9), column] = False
    motion = Motion(still().skeleton, still().root, still().rotations, FPS, contacts=Contacts(down, down))
    return Example(motion, keytimes, {}, "wave", name)


SWING = [(0.6, 1.2)]


@pytest.mark.parametrize(
    ("left", "right", "found"),
    [
        ([], [], (None, None)),
        (SWING, [], ((1, 2), None)),
        ([], SWING, (None, (1, 2))),
        (SWING, SWING, ((1, 2), (1, 2))),
        ([(0.6, 1.6)], [], ((1, 3), None)),
        ([(0.2, 0.6)], [(1.2, 1.6)], ((0, 1), (2, 3))),
        ([(0.62 + NEAR - 0.03, 1.2 - NEAR + 0.01)], [], ((1, 2), None)),
        ([(0.6, 0.6 + BRIEF - 0.02)], [], (None, None)),
        ([(0.3, 0.33), (0.6, 1.2), (1.4, 1.44)], [], ((1, 2), None)),
        ([(0.0, 0.15)], [(1.65, 1.9)], (None, None)),
    ],
)
def test_feet_leave_and_land_at_keytimes(left: Spans, right: Spans, found: object) -> None:
    """Brief losses are none, and what is outside the keytimes does not count."""
    assert swings_of("wave", [example(left, right)]) == found
    assert swings_of("wave", [example(left, right), example(left, right)]) == found


def test_a_foot_that_leaves_twice_is_refused() -> None:
    twice = example([(0.3, 0.5), (0.8, 1.2)], [], name="hop hop")
    with pytest.raises(RequestError, match="left foot of 'hop hop' leaves the ground 2 times"):
        swings_of("wave", [twice])


@pytest.mark.parametrize("spans", [[(0.4, 0.9)], [(0.6, 0.75)], [(0.6 + NEAR + 0.03, 1.2)]])
def test_a_foot_that_leaves_between_keytimes_is_refused(spans: Spans) -> None:
    with pytest.raises(RequestError, match=r"right foot of 'made' leaves at .* two of them must be"):
        swings_of("wave", [example([], spans)])


def test_examples_that_disagree_are_refused() -> None:
    good, other = example(SWING, [], name="one"), example([], SWING, name="other")
    with pytest.raises(RequestError, match="feet of 'other' do otherwise than those of 'one'") as refusal:
        swings_of("wave", [good, good, other])
    assert "left leaves at keytime 2 and lands at 3, right stands" in str(refusal.value)
    assert "left stands, right leaves at keytime 2 and lands at 3" in str(refusal.value)


def test_both_feet_must_agree() -> None:
    for left, right in ((SWING, SWING), ([], [])):
        other = example(left, right, name="other")
        with pytest.raises(RequestError, match="feet of 'other' do otherwise"):
            swings_of("wave", [example(SWING, []), other])


@pytest.mark.parametrize(
    ("kind", "found"),
    [
        ("left_step", ((1, 2), None)),
        ("left_side_step", ((1, 2), None)),
        ("right_step", (None, (1, 2))),
        ("jump", ((1, 2), (1, 2))),
    ],
)
def test_steps_and_jumps_are_known_by_name(kind: str, found: tuple[object, object]) -> None:
    """Where keytimes all but fall together the name decides; it must not contradict what feet do."""
    left, right = ([] if swing is None else [(0.62, 1.2)] for swing in found)
    assert swings_of(kind, [example(left, right)]) == found
    with pytest.raises(RequestError, match=f"'made' is no {kind}: its (left|right) foot"):
        swings_of(kind, [example(right, left) if left != right else example([], [])])


@pytest.mark.parametrize("kind", ["left_reach", "step", "jumping", "leftish_step", "my_left_step"])
def test_other_names_tell_nothing(kind: str) -> None:
    assert swings_of(kind, [example([], SWING)]) == (None, (1, 2))


def test_what_is_seen_in_the_actors_movements_is_what_their_names_say() -> None:
    for one in chosen_examples():
        renamed = Example(one.motion, one.keytimes, {}, "whatever", one.name)
        assert swings_of("whatever", [renamed]) == swings_of(one.kind, [one])
    assert swings_of("reach", reaches()) == (None, None)


def test_a_landing_between_frames_belongs_to_the_nearer_keytime() -> None:
    """Frames b - 1 up and b down: it landed somewhere between, not at b."""
    for one in VirtualActor().perform("movements"):
        renamed = Example(one.motion, one.keytimes, {}, "whatever", one.name)
        assert swings_of("whatever", [renamed]) == swings_of(one.kind, [one]), one.name


def test_contacts_are_found_where_none_are_told() -> None:
    one = chosen_examples()[0]
    untold = Motion(one.motion.skeleton, one.motion.root, one.motion.rotations, one.motion.fps)
    assert swings_of("whatever", [Example(untold, one.keytimes)]) == ((1, 2), None)


@pytest.mark.parametrize(
    ("swings", "family"),
    [
        ((None, None), None),
        (((1, 2), None), "step"),
        ((None, (0, 3)), "step"),
        (((1, 2), (1, 2)), "jump"),
        (((0, 1), (2, 3)), None),
    ],
)
def test_families(swings: tuple[tuple[int, int] | None, tuple[int, int] | None], family: str | None) -> None:
    assert family_of(swings) == family
