"""Strike frames of loops ([rings] 3.2): where contacts say so, and wherever the cycle is cut."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from footfall.analysis.strikes import looped_strikes
from footfall.errors import RequestError
from footfall.figure.contacts import Contacts
from footfall.figure.soles import sole_places, toe_places
from tests.captures import needs_captures
from tests.models.ring.gaits import ACTOR, captured_loop, example, loop, piece


@pytest.mark.parametrize("index", ACTOR)
def test_both_heel_and_toe_touch_and_stand_still(index: int) -> None:
    ring, played = loop(index), loop(index).cycles(3)
    assert played.contacts is not None
    for side, strike in zip(("left", "right"), ring.strikes, strict=True):
        frame = strike + len(ring)
        assert played.contacts.flat(side)[frame]
        for places in (sole_places(played, side)[:, 0], toe_places(played, side)):
            speed = np.linalg.norm(places[frame + 1] - places[frame]) * 60
            assert speed < 0.3  # m/s; a swinging foot has four


@pytest.mark.parametrize("index", ACTOR)
def test_half_a_cycle_apart(index: int) -> None:
    left, right = loop(index).strikes
    apart = (right - left) % len(loop(index)) / len(loop(index))
    assert apart == pytest.approx(0.5, abs=0.07)


@pytest.mark.parametrize("index", ACTOR)
def test_they_follow_the_actors_own_strikes(index: int) -> None:
    """A foot is flat soon after its heel has touched: within a fifth of the cycle, and not before."""
    ring, once = loop(index), piece(index)
    told = example(index)
    clip = told.motion
    begin = int(np.argmin(np.linalg.norm(clip.root - once.motion.root[once.first], axis=1))) / clip.fps
    cycle = 2 * told.parameters["step_seconds"]
    touches = np.sort([(t - begin) % cycle for t in told.keytimes[2:4]])
    strikes = np.sort([(s / len(ring) * cycle - touches[0]) % cycle for s in ring.strikes])
    assert strikes[0] < 0.2 * cycle
    assert strikes[1] - (touches[1] - touches[0]) == pytest.approx(strikes[0], abs=0.07 * cycle)


@pytest.mark.parametrize("cut", [0, 1, 7, 23, 40, 58])
@pytest.mark.parametrize("index", [0, 43])
def test_wherever_the_cycle_is_cut(index: int, cut: int) -> None:
    ring = loop(index)
    frames = len(ring)
    played = ring.cycles(5)[cut : cut + 3 * frames]
    expected = tuple((strike - cut) % frames for strike in ring.strikes)
    assert looped_strikes(played, frames) == expected


def test_without_contacts_the_feet_are_slowest_there() -> None:
    ring = loop(0)
    played = replace(ring.cycles(3), contacts=Contacts.none(3 * len(ring)))
    found = looped_strikes(played, len(ring))
    for one, other in zip(found, ring.strikes, strict=True):
        away = abs(one - other)
        assert min(away, len(ring) - away) < 0.25 * len(ring)


@needs_captures
@pytest.mark.parametrize(
    "file", ["walk/16_16.bvh", "walk/07_01.bvh", "run/16_35.bvh", "stairs-uneven/83_27.bvh"]
)
def test_captured_feet_are_flat_half_a_cycle_apart(file: str) -> None:
    ring = captured_loop(file)
    contacts = ring.motion.contacts
    assert contacts is not None
    assert contacts.flat("left")[ring.strikes[0]]
    assert contacts.flat("right")[ring.strikes[1]]
    apart = abs(ring.strikes[1] - ring.strikes[0]) / len(ring)
    assert apart == pytest.approx(0.5, abs=0.1)


def test_refuses_what_is_not_three_cycles() -> None:
    with pytest.raises(RequestError, match="three whole cycles"):
        looped_strikes(loop(0).cycles(2), len(loop(0)))
