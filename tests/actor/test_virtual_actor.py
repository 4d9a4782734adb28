"""One person a seed: the same bytes everywhere, other people for other seeds, refusals that help."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from itertools import combinations, pairwise

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from footfall.actor.style import Style
from footfall.actor.virtual_actor import VirtualActor
from footfall.analysis.joint_angles import elbow_flexion, hip_flexion, knee_flexion, shoulder_flexion
from footfall.analysis.self_contact import self_contact
from footfall.errors import RequestError
from footfall.figure.example import Example
from footfall.figure.joint_limits import excess, limits_of
from footfall.geometry import quaternion as quat

NAN, INF = float("nan"), float("inf")
PEOPLE = range(5)
TAKES = """
from footfall.actor.virtual_actor import VirtualActor
from hashlib import sha256
a = VirtualActor(4)
for take in (a.walk(1.2, turn_rate=0.3, steps=3), a.run(3.0, steps=3), a.stairs(0.15, 0.3, steps=3),
             a.step_to(0.4, 0.1, 0.1), a.jump(1.0, 0.3), a.turn_in_place(-1.2), a.cross_step(pairs=1)):
    print(sha256(take.motion.root.tobytes() + take.motion.rotations.tobytes()).hexdigest())
"""


def digest(take: Example) -> str:
    return sha256(take.motion.root.tobytes() + take.motion.rotations.tobytes()).hexdigest()


@pytest.mark.cpu
def test_a_seed_gives_the_same_bytes_in_every_process() -> None:
    """Two processes whose strings hash differently, and whatever this one did before."""
    told = [
        subprocess.run(
            [sys.executable, "-c", TAKES],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {"PYTHONHASHSEED": seed},
        ).stdout.split()
        for seed in ("1", "2")
    ]
    assert told[0] == told[1]
    assert len(set(told[0])) == 7
    actor = VirtualActor(4)
    actor.run(2.5, steps=2)
    assert digest(actor.walk(1.2, turn_rate=0.3, steps=3)) == told[0][0]
    assert digest(actor.jump(1.0, 0.3)) == told[0][4]


def test_a_seed_is_a_height_and_a_style() -> None:
    again, person = VirtualActor(3), VirtualActor(3)
    assert (again.height, again.style) == (person.height, person.style)
    given = VirtualActor(99, person.height, person.style)
    assert_array_equal(given.walk(steps=2).motion.rotations, person.walk(steps=2).motion.rotations)
    assert person.at(120.0).fps == 120.0
    assert person.at(120.0).style == person.style
    assert "seed=3" in repr(person)


def cycle_of(actor: VirtualActor) -> np.ndarray:
    """Four joints' angles over one cycle of a walk, in degrees."""
    walk = actor.walk(1.3, steps=4)
    times = np.linspace(walk.keytimes[0], walk.keytimes[2], 101)
    angles = (hip_flexion, knee_flexion, elbow_flexion, shoulder_flexion)
    curves = [angle(walk.motion, "left") for angle in angles]
    return np.degrees([np.interp(times, walk.motion.times, curve) for curve in curves])


def test_five_seeds_are_five_people() -> None:
    """Heights, styles and the way they move differ, pair by pair."""
    people = [VirtualActor(seed) for seed in PEOPLE]
    for one, other in combinations(people, 2):
        assert abs(one.height - other.height) > 1e-3
        assert one.style != other.style
        assert np.abs(cycle_of(one) - cycle_of(other)).max() > 1.5


@pytest.mark.parametrize("seed", PEOPLE)
def test_all_of_them_move_within_their_limits(seed: int) -> None:
    actor = VirtualActor(seed)
    limits = limits_of(actor.skeleton)
    for take in (actor.walk(1.4, steps=3), actor.run(3.2, steps=3), actor.stairs(-0.17, 0.3, steps=3)):
        assert excess(limits, take.motion.rotations).max() == 0.0
        assert self_contact(take.motion).depth_max_m < 0.0


def test_a_style_shows() -> None:
    """More of each trait is more of it in the motion."""

    def shown(measure: Callable[[Example], float], **trait: float) -> float:
        return measure(VirtualActor(0, 1.75, Style(**trait)).walk(1.3, steps=4))

    def swing(take: Example) -> float:
        return float(np.ptp(shoulder_flexion(take.motion, "left")))

    def bounce(take: Example) -> float:
        return float(np.ptp(take.motion.root[:, 1]))

    def width(take: Example) -> float:
        return take.parameters["step_width"]

    def lift(take: Example) -> float:
        return float(take.motion.of("left_foot")[:, 1].max())

    def upright(take: Example) -> float:
        chest = take.motion.of("neck") - take.motion.root
        return float(-np.mean(chest[:, 2]))

    def step(take: Example) -> float:
        return -take.parameters["step_length"]

    def toes(take: Example) -> float:
        assert take.motion.contacts is not None
        flat = take.motion.contacts.flat("left")
        turn = take.motion.orientations[flat][:, take.motion.skeleton.joint("left_foot")]
        return float(np.mean(quat.rotate(turn, np.array([0.0, 0.0, 1.0]))[:, 0]))

    for trait, measure, values in (
        ("arm_swing", swing, (0.5, 1.0, 1.5)),
        ("bounce", bounce, (0.6, 1.0, 1.4)),
        ("width", width, (0.7, 1.0, 1.5)),
        ("lift", lift, (0.8, 1.0, 1.3)),
        ("lean", lambda take: -upright(take), (-0.05, 0.0, 0.1)),
        ("tempo", step, (0.95, 1.0, 1.05)),
        ("toe_out", toes, (0.0, 0.09, 0.2)),
    ):
        found = [shown(measure, **{trait: value}) for value in values]
        assert all(b > a for a, b in pairwise(found)), (trait, found)


def test_a_mirrored_first_foot_is_a_mirrored_walk() -> None:
    """The average person has no better side: right foot first is the left one's mirror image."""
    actor = VirtualActor(0, 1.75, Style())
    left, right = (actor.stairs(0.15, 0.3, first=first, steps=3).motion for first in ("left", "right"))
    mirrored = right.of("right_foot") * np.array([-1.0, 1.0, 1.0])
    assert np.abs(left.of("left_foot") - mirrored).max() < 1e-6


REFUSALS: list[tuple[str, Callable[[VirtualActor], object], str]] = [
    ("nan speed", lambda a: a.walk(NAN), r"speed must lie in -1\.3 to 2\.3"),
    ("a fast walk", lambda a: a.walk(9.0), r"speed must lie in"),
    ("a speed in words", lambda a: a.walk("fast"), r"speed must lie in"),
    ("a run that creeps", lambda a: a.run(0.5), r"running speed must lie in 1\.6 to 5\.0"),
    ("a giant's step", lambda a: a.walk(1.3, step_length=1.5), r"too long; 1\.0\d m are possible"),
    ("a slow start", lambda a: a.start_and_stop(0.1), r"s are possible from stand to stand"),
    (
        "a tread for a mouse",
        lambda a: a.stairs(0.16, 0.22),
        r"too short for the foot; 0\.2\d+ m are possible",
    ),
    ("a jump in words", lambda a: a.jump("far"), r"a jump's length must lie in"),
    ("no angle at all", lambda a: a.turn_in_place(None), r"an angle must be a number"),
    ("no speed", lambda a: a.walk(0.0), r"at least 0\.05 m/s"),
    ("a crawl that starts", lambda a: a.start_and_stop(0.0), r"at least 0\.05 m/s"),
    ("nan step", lambda a: a.walk(1.0, step_length=NAN), r"step_length must lie in"),
    ("tiny step", lambda a: a.walk(1.0, step_length=0.01), "less than 0.05 m is no step"),
    ("hectic steps", lambda a: a.run(4.9, step_length=0.3), r"0\.16 to 2 s are possible"),
    ("infinite turn", lambda a: a.walk(1.0, turn_rate=INF), r"turn_rate must lie in -1\.6 to 1\.6"),
    ("tight bow", lambda a: a.walk(1.8, turn_rate=1.5), r"rad/s to either side are possible"),
    ("tight run", lambda a: a.run(4.8, turn_rate=0.8), r"rad/s to either side are possible"),
    ("a wall", lambda a: a.walk(1.0, slope=0.8), r"slope must lie in -0\.25 to 0\.25"),
    ("many steps", lambda a: a.walk(steps=501), "whole number from 1 to 500"),
    ("half a step", lambda a: a.walk(steps=2.5), "whole number from 1 to 500"),
    ("a middle foot", lambda a: a.walk(first="middle"), "'left' or 'right'"),
    ("fast aside", lambda a: a.strafe(1.5), r"side_speed must lie in -0\.8 to 0\.8"),
    ("nan riser", lambda a: a.stairs(NAN, 0.3), r"riser must lie in -0\.25 to 0\.25"),
    ("short tread", lambda a: a.stairs(0.16, 0.1), r"tread must lie in 0\.2 to 1\.2"),
    ("long tread", lambda a: a.stairs(-0.16, 0.9), "too long to walk; "),
    ("nan wedge", lambda a: a.stairs(0.16, 0.3, turn=NAN), r"turn must lie in -0\.53 to 0\.53"),
    ("two steps of a walk", lambda a: a.start_and_stop(1.0, steps=2), "needs 3 steps"),
    ("nan advance", lambda a: a.sidestep(NAN), r"advance must lie in"),
    ("no advance", lambda a: a.sidestep(0.0), "no step"),
    ("a hasty sidestep", lambda a: a.sidestep(0.2, seconds=0.0), r"seconds must lie in 0\.35 to 1\.5"),
    ("an endless crossing", lambda a: a.cross_step(seconds=INF), r"seconds must lie in 0\.35 to 1\.5"),
    ("a side", lambda a: a.cross_step("up"), "'left' or 'right'"),
    ("a far step", lambda a: a.step_to(2.0), "are possible"),
    ("a high step", lambda a: a.step_to(0.3, 0.0, 0.5), r"0\.1\d m up or down"),
    ("nan place", lambda a: a.step_to(NAN, 0.0, 0.0), "forward must be a number"),
    ("nan turn", lambda a: a.step_to(0.3, turn=NAN), r"turn must lie in -0\.4 to 0\.4"),
    ("no angle", lambda a: a.turn_in_place(0.0), r"0\.05 to 6\.3 are possible"),
    ("nan angle", lambda a: a.turn_in_place(NAN), "an angle must be a number"),
    ("a flight", lambda a: a.jump(5.0, 0.3), r"a jump's length must lie in 0\.0 to 1\.\d"),
    ("nan height", lambda a: a.jump(1.0, NAN), r"a jump's height must lie in 0\.1 to 0\.4"),
]


@pytest.mark.parametrize(("ask", "why"), [row[1:] for row in REFUSALS], ids=[row[0] for row in REFUSALS])
def test_what_nobody_can_do_is_refused(ask: Callable[[VirtualActor], object], why: str) -> None:
    """In one sentence that says what is possible."""
    with pytest.raises(RequestError, match=why) as refusal:
        ask(VirtualActor(0))
    text = str(refusal.value)
    assert "\n" not in text
    assert len(text) < 250
    assert not text.endswith(".")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"seed": -1}, "seed must be a whole number"),
        ({"seed": 0.5}, "seed must be a whole number"),
        ({"seed": True}, "seed must be a whole number"),
        ({"height": NAN}, r"height must lie in 1\.5 to 2\.0"),
        ({"height": 3.0}, r"height must lie in 1\.5 to 2\.0"),
        ({"fps": 0.0}, "frame rate"),
        ({"fps": NAN}, "frame rate"),
    ],
)
def test_people_that_cannot_be_are_refused(options: dict, why: str) -> None:
    with pytest.raises(RequestError, match=why):
        VirtualActor(**options)


@pytest.mark.parametrize("height", [1.5, 2.0])
def test_the_smallest_and_the_tallest_keep_within_their_joints(height: float) -> None:
    actor = VirtualActor(1, height)
    limits = limits_of(actor.skeleton)
    for piece in (actor.walk(1.4), actor.run(3.0), actor.stairs(0.16, 0.34), actor.sidestep(), actor.jump()):
        assert excess(limits, piece.motion.rotations).max() < 1e-9
        assert self_contact(piece.motion).depth_max_m < 0.0


def test_numpys_numbers_are_numbers() -> None:
    actor = VirtualActor(np.int64(1))
    assert actor.walk(np.float32(1.25)).parameters == actor.walk(1.25).parameters
    assert actor.walk(np.int64(1)).parameters["speed"] == 1.0
