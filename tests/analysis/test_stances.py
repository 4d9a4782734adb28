"""Stances: a foot that pivots, slips or trembles stands once; one that is lifted or carried away steps."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.actor.repertoire import PIECES, play
from footfall.adapt.clean_contacts import clean_contacts
from footfall.analysis.contacts import detect_contacts
from footfall.analysis.plants import Plant, detect_plants
from footfall.analysis.stances import stances_of
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.figure.soles import sole_places
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from tests.analysis.truth import placed
from tests.captured import captured
from tests.captures import needs_captures
from tests.gaits import PACES, made

FPS = 60.0
OFF, ON = 60, 78  # frames between which neither foot is said to stand: 0.3 s, too long to be bridged
BALL = 2  # of the soles' points


def moved(shift: np.ndarray, turn: np.ndarray | None = None, about: np.ndarray | None = None) -> Motion:
    """A standing figure, shifted and turned as a whole; its contacts say that it stands but for a gap."""
    still = made("stand", FPS).given
    turn = np.zeros(len(still)) if turn is None else turn
    about = np.zeros(3) if about is None else about
    rotations = np.array(still.rotations)
    rotations[:, 0] = quat.multiply(ground.turn(turn), rotations[:, 0])
    root = about + quat.rotate(ground.turn(turn), still.root - about) + shift
    stands = np.ones((len(still), 2), dtype=bool)
    stands[OFF:ON] = False
    return replace(still, root=root, rotations=rotations, contacts=Contacts(stands, stands))


def ramp(frames: int) -> np.ndarray:
    """From 0 to 1 within the gap."""
    return np.clip((np.arange(frames) - OFF + 0.5) / (ON - OFF), 0.0, 1.0)


def hump(frames: int) -> np.ndarray:
    """Up to 1 and back within the gap."""
    return np.sin(np.pi * ramp(frames))


def found(motion: Motion) -> tuple[tuple[Plant, ...], tuple[Plant, ...]]:
    assert motion.contacts is not None
    plants = detect_plants(motion, motion.contacts)
    return plants, stances_of(motion, plants)


def of(plants: tuple[Plant, ...], foot: str) -> list[Plant]:
    return [p for p in plants if p.foot == foot]


FRAMES = len(made("stand", FPS).given)


class TestOneFoot:
    @pytest.mark.parametrize(("height", "times"), [(0.0, 1), (0.012, 1), (0.025, 2), (0.1, 2)])
    def test_lifted_and_set_down_where_it_was(self, height: float, times: int) -> None:
        plants, stances = found(moved(hump(FRAMES)[:, None] * np.array([0.0, height, 0.0])))
        assert [len(of(plants, foot)) for foot in ("left", "right")] == [2, 2]
        assert [len(of(stances, foot)) for foot in ("left", "right")] == [times, times]

    @pytest.mark.parametrize(("far", "times"), [(0.01, 1), (0.04, 1), (0.06, 2), (0.3, 2)])
    @pytest.mark.parametrize("course", [ramp, hump])
    @pytest.mark.parametrize("heading", [0.0, 0.8, 2.5])
    def test_slipped(self, far: float, times: int, course: object, heading: float) -> None:
        """However far it comes to stand: one that slid away and came back has left its place too."""
        path = course(FRAMES)[:, None] * far * ground.direction_of(heading)  # type: ignore[operator]
        assert len(of(found(moved(path))[1], "left")) == times

    @pytest.mark.parametrize("angle", [0.3, -1.0, 2.0])
    def test_turned_on_its_ball(self, angle: float) -> None:
        """The foot that turns about its own ball stands once; the other one, carried round it, steps."""
        ball = sole_places(made("stand", FPS).given, "left")[0, BALL]
        plants, stances = found(moved(np.zeros((FRAMES, 3)), angle * ramp(FRAMES), ball))
        subtalars = [p.position for p in of(plants, "left")]
        assert np.linalg.norm(subtalars[1] - subtalars[0]) > 0.03
        (left,) = of(stances, "left")
        # ON - OFF frames are lost in the middle, and it stands for longer after the turn
        longer = max(of(plants, "left"), key=lambda p: p.end - p.start)
        assert_allclose(left.position, longer.position, atol=0.0)
        assert left.heading == longer.heading
        assert (left.start, left.end, left.flat, left.whole) == (0, FRAMES, (0, FRAMES), False)
        assert of(stances, "right") == of(plants, "right")

    def test_turned_in_the_air(self) -> None:
        shift = hump(FRAMES)[:, None] * np.array([0.0, 0.04, 0.0])
        ball = sole_places(made("stand", FPS).given, "left")[0, BALL]
        assert len(of(found(moved(shift, ramp(FRAMES), ball))[1], "left")) == 2

    def test_where_and_which_way(self) -> None:
        ball = sole_places(made("stand", FPS).given, "left")[0, BALL]
        motion = moved(np.zeros((FRAMES, 3)), ramp(FRAMES), ball)
        (one,), (other,) = (of(found(m)[1], "left") for m in (motion, placed(motion, (3.0, -1.0, 7.0), 2.0)))
        frame = ground.GroundFrame(np.array([3.0, -1.0, 7.0]), np.array(2.0))
        assert_allclose(other.position, frame.to_world(one.position), atol=1e-9)

    def test_a_print_is_a_flat_sole_rather_than_long_toes(self) -> None:
        motion = moved(np.zeros((FRAMES, 3)))
        assert motion.contacts is not None
        heel = np.array(motion.contacts.heel)
        heel[10:] = False
        plants, stances = found(replace(motion, contacts=Contacts(heel, motion.contacts.toe)))
        first, second = of(plants, "left")
        assert second.flat is None
        assert second.end - second.start > first.end - first.start
        (left,) = of(stances, "left")
        assert left.flat == (0, 10)
        assert left.position is first.position


@pytest.mark.parametrize("name", PACES)
def test_every_step_of_a_made_gait_is_kept(name: str) -> None:
    plants, stances = found(made(name, FPS).given)
    assert stances == plants


@pytest.mark.parametrize("name", PIECES)
def test_every_step_of_the_actor_is_kept(name: str) -> None:
    plants, stances = found(play(name).motion)
    assert stances == plants


@needs_captures
class TestCaptures:
    def test_a_pivot_in_a_sharp_turn_is_one_stance(self) -> None:
        """The right foot turns by 56 degrees on the spot while nothing else carries the body."""
        motion = captured("turn-side-back/16_30.bvh")
        plants = detect_plants(motion, detect_contacts(motion))
        stances = stances_of(motion, plants)
        assert len(plants) - len(stances) == 1
        assert [a.foot for a in plants].count("right") == 4
        assert all(a.foot != b.foot for a, b in pairwise(stances))

    @pytest.mark.parametrize(
        ("file", "first", "foot"),
        [
            ("run/16_08.bvh", 210, "right"),  # 12 cm, hardly lifted
            ("turn-side-back/143_40.bvh", 958, "left"),  # 7 cm
            ("reach/69_70.bvh", 902, "left"),  # lifted by 8 cm, 1 cm away
            ("stairs-uneven/36_28.bvh", 1290, "left"),  # turned by 75 degrees in the air, 2 cm high
        ],
    )
    def test_small_steps_stay(self, file: str, first: int, foot: str) -> None:
        motion = captured(file)
        plants = detect_plants(motion, detect_contacts(motion))
        assert [p.start for p in stances_of(motion, plants) if p.foot == foot and abs(p.start - first) < 6]

    @pytest.mark.parametrize("name", ["83_03", "83_04", "83_21"])
    def test_pins_that_let_go_of_a_standing_foot(self, name: str) -> None:
        """Cleaned clips hold a foot only while it is all but still: it is not a step when they let go."""
        motion = captured(f"steps/{name}.bvh")
        clean = clean_contacts(motion)
        assert clean.contacts is not None
        plants = detect_plants(clean, clean.contacts)
        seen = detect_plants(motion, detect_contacts(motion))
        stances = stances_of(clean, plants)
        assert sorted(s.foot for s in stances) == sorted(s.foot for s in seen)
        assert len(plants) == len(stances) + 1
