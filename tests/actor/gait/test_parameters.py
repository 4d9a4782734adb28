"""Performances show what was asked: within 1 mm, 0.1 degree or 1 %, measured from the soles alone."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from footfall.actor.gait.balance import GRAVITY
from footfall.figure.contacts import runs_of
from footfall.figure.motion import Motion
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from tests.actor.gait.pieces import CAST, PIECES, SEEDS, actor, played
from tests.actor.gait.rests import gait_of, of_foot, rests_of

FPS = 240.0
MILLIMETRE, TENTH_DEGREE, PERCENT = 1e-3, np.radians(0.1), 1e-2
STEADY = [
    n for n in PIECES if n.startswith(("walk", "run", "backward", "strafe", "diag", "stairs", "spiral"))
]
STRAIGHT = [n for n in STEADY if "turning" not in n and "spiral" not in n]
SINGLE = [n for n in PIECES if n.startswith("step")]
FLYING = [n for n in PIECES if n.startswith(("run", "jump"))]


def cast(names: list[str]) -> list[tuple[str, int]]:
    """Each piece with the seed of who performs it."""
    return [(name, CAST[name]) for name in names]


@pytest.mark.parametrize(("name", "seed"), cast(STEADY))
def test_steady_gaits(name: str, seed: int) -> None:
    """Speed, step length, turn and rise of a step."""
    example = played(name, seed, FPS)
    asked, shown = example.parameters, gait_of(example.motion)
    seconds = asked["step_seconds"]
    assert shown.seconds == pytest.approx(seconds, rel=PERCENT)
    length = np.hypot(shown.forward, shown.side)
    assert length == pytest.approx(asked["step_length"], rel=PERCENT)
    assert shown.forward / shown.seconds == pytest.approx(asked["speed"], rel=PERCENT, abs=5e-3)
    if asked["turn_rate"] == 0.0 or "rise" not in asked:  # on a wedge feet stand behind the bow's own place
        aside = asked.get("side_speed", 0.0)
        assert shown.side / shown.seconds == pytest.approx(aside, rel=PERCENT, abs=5e-3)
    assert shown.turn == pytest.approx(asked["turn_rate"] * seconds, abs=TENTH_DEGREE)
    rise = asked["rise"] if "rise" in asked else asked["step_length"] * np.tan(asked["slope"])
    assert shown.rise == pytest.approx(rise, abs=MILLIMETRE)


@pytest.mark.parametrize(
    ("name", "seed"), cast([n for n in STEADY if "turning" not in n and "spiral" not in n])
)
def test_hips_keep_the_pace_of_the_feet(name: str, seed: int) -> None:
    """Over whole cycles of a straight way; on a bow the body leans inwards and has less far to go."""
    example = played(name, seed, FPS)
    asked, motion = example.parameters, example.motion
    seconds = 4.0 * asked["step_seconds"]
    there = [np.interp(seconds, motion.times, column) for column in motion.root.T]
    moved = np.array(there) - motion.root[0]
    rise = asked["rise"] if "rise" in asked else asked["step_length"] * np.tan(asked["slope"])
    expected = [asked.get("side_speed", 0.0) * seconds, 4.0 * rise, asked["speed"] * seconds]
    assert np.linalg.norm(moved - expected) < 5e-3 + PERCENT * np.linalg.norm(expected)


@pytest.mark.parametrize(("name", "seed"), cast(SINGLE))
def test_single_steps_land_where_they_were_asked_to(name: str, seed: int) -> None:
    example = played(name, seed, FPS)
    asked = example.parameters
    foot, other = ("left", "right") if asked["foot"] > 0 else ("right", "left")
    rests = rests_of(example.motion)
    start, landed = of_foot(rests, foot)
    moved = landed.place - start.place
    assert np.abs(moved - [asked["side"], asked["rise"], asked["forward"]]).max() < MILLIMETRE
    assert ground.wrap(landed.heading - start.heading) == pytest.approx(asked["turn"], abs=TENTH_DEGREE)
    stood = of_foot(rests, other)
    if name == "step without closing":
        assert len(stood) == 1
        return
    # the other foot comes beside it, as both stood before
    before, after = (
        quat.rotate(ground.turn(-turn), b.place - a.place)
        for turn, a, b in ((0.0, start, stood[0]), (asked["turn"], landed, stood[1]))
    )
    assert np.abs(after - before).max() < MILLIMETRE


@pytest.mark.parametrize(("name", "seed"), cast([n for n in PIECES if n.startswith("turn in place")]))
def test_turns_in_place(name: str, seed: int) -> None:
    """By the angle asked, one way round, and about the spot between the feet."""
    example = played(name, seed, FPS)
    rests = rests_of(example.motion)
    spots = []
    for foot in ("left", "right"):
        own = of_foot(rests, foot)
        turns = [float(ground.wrap(b.heading - a.heading)) for a, b in pairwise(own)]
        assert sum(turns) == pytest.approx(example.parameters["angle"], abs=TENTH_DEGREE)
        assert all(turn * example.parameters["angle"] >= 0.0 for turn in turns)
        spots.append((own[0].place, own[-1].place))
    first, last = np.mean(spots, axis=0)
    assert np.abs(last - first).max() < MILLIMETRE


@pytest.mark.parametrize(("name", "seed"), cast([n for n in PIECES if n.startswith("jump")]))
def test_jumps(name: str, seed: int) -> None:
    """The feet go as far as asked, together; the hips rise as high as asked over where they stood."""
    example = played(name, seed, FPS)
    motion, asked = example.motion, example.parameters
    for foot in ("left", "right"):
        start, landed = of_foot(rests_of(motion), foot)
        assert np.abs(landed.place - start.place - [0.0, 0.0, asked["length"]]).max() < MILLIMETRE
    apex = float(motion.root[:, 1].max() - motion.root[0, 1])
    assert apex == pytest.approx(asked["height"], abs=MILLIMETRE)
    assert motion.contacts is not None
    flight = runs_of(~motion.contacts.stands("left"))
    assert len(flight) == 1
    off, landing = flight[0]
    assert example.keytimes[1] == pytest.approx(off / FPS, abs=1.0 / FPS)
    assert example.keytimes[2] == pytest.approx(landing / FPS, abs=1.0 / FPS)


@pytest.mark.parametrize(("name", "seed"), cast(FLYING))
def test_flights_are_ballistic(name: str, seed: int) -> None:
    """While no foot stands the hips fall freely."""
    motion = played(name, seed, FPS).motion
    fall = np.diff(motion.root[:, 1], n=2) * FPS**2
    flying = 0
    for start, end in runs_of(_aloft(motion)):
        # within 20 ms of a take-off or landing the sampled curve already feels the ground
        inside = fall[start + 5 : end - 7]
        flying += len(inside)
        assert np.abs(inside + GRAVITY).max(initial=0.0) < 0.1
    assert flying >= 6


def _aloft(motion: Motion) -> np.ndarray:
    assert motion.contacts is not None
    return ~(motion.contacts.stands("left") | motion.contacts.stands("right"))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("speed", "steps"), [(1.3, 7), (-0.7, 6)])
def test_a_walk_from_stand_to_stand(speed: float, steps: int, seed: int) -> None:
    """Steady steps as long as told between shorter ones, and the feet together at both ends."""
    example = actor(seed, FPS).start_and_stop(speed, steps=steps)
    rests = rests_of(example.motion)
    assert len([r for r in rests if r.strike is not None]) == steps + 1
    for pair in (rests[:2], rests[-2:]):
        assert abs(pair[1].place[2] - pair[0].place[2]) < MILLIMETRE
    along = np.array([r.place[2] for r in rests[1:-1]])
    lengths = np.abs(np.diff(along))
    told = example.parameters["step_length"]
    assert lengths[2:-1] == pytest.approx(np.full(steps - 3, told), abs=MILLIMETRE)
    assert (lengths[[0, 1, -1]] < 0.9 * told).all()
    strikes = np.array([r.strike for r in rests if r.strike is not None])
    assert np.diff(strikes)[2:-2] == pytest.approx(told / abs(speed), abs=1.01 / FPS)
    for still in (example.motion.root[:24], example.motion.root[-24:]):
        assert np.abs(still - still[0]).max() < 0.012


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("advance", [0.3, 0.28, -0.2])
def test_sidesteps(advance: float, seed: int) -> None:
    """Each foot goes twice the advance a step, and never past the other."""
    example = actor(seed, FPS).sidestep(advance, steps=4)
    rests = rests_of(example.motion)
    first, second = ("left", "right") if advance > 0 else ("right", "left")
    assert next(r.foot for r in rests if r.strike is not None) == first
    # out of the stand and into it the leading foot goes half as far
    for foot, strides in ((first, [1.0, 2.0, 1.0]), (second, [2.0, 2.0])):
        places = np.array([r.place for r in of_foot(rests, foot)])
        assert np.diff(places[:, 0]) == pytest.approx(advance * np.array(strides), abs=MILLIMETRE)
        assert places[-1, 0] - places[0, 0] == pytest.approx(4.0 * advance, abs=MILLIMETRE)
        assert np.abs(places[:, 1:] - places[0, 1:]).max() < MILLIMETRE
    assert (example.motion.of("left_foot")[:, 0] > example.motion.of("right_foot")[:, 0]).all()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("side", "sign"), [("left", 1.0), ("right", -1.0)])
def test_cross_steps(side: str, sign: float, seed: int) -> None:
    """So many pairs of steps to the side asked, the feet crossed in the middle of each pair."""
    pairs = 3
    rests = rests_of(actor(seed, FPS).cross_step(side, pairs=pairs).motion)
    struck = [r for r in rests if r.strike is not None]
    assert len(struck) == 2 * pairs + 1
    standing = {r.foot: r for r in rests if r.strike is None}
    crossed = []
    for rest in struck:
        standing[rest.foot] = rest
        crossed.append(standing["left"].place[0] < standing["right"].place[0])
        lead = of_foot(rests, side)
        assert all((b.place - a.place)[0] * sign > 0.1 for a, b in pairwise(lead))
    assert crossed == [True, False] * pairs + [False]
