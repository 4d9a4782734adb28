"""Whole reaches: on the target exactly, feet where they stood, no harder than the examples."""

from __future__ import annotations

import numpy as np
import pytest

import footfall as ff
from footfall.errors import RequestError
from footfall.figure.joint_limits import excess, limits_of
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.reach.model import ReachLibrary
from tests.captures import needs_captures
from tests.models.reach.libraries import actor_library, captured_library, hardest, palms, session

FEET = 1e-3  # m
HAND = 1e-3


def check(library: ReachLibrary, hand: str, seed: int, count: int) -> None:
    own = library.set_of(hand)
    examples = max(hardest(palms(m, hand), m.fps) for m in own.motions)
    for place in own.space.sample(count, seed):
        made = library.synthesize(hand, position=place, hold=0.3)
        assert made.clamped == ()
        away = np.linalg.norm(palms(made, hand) - place, axis=1)
        assert (away < HAND).sum() >= int(0.3 * made.fps)  # through the hold
        for side in ("left", "right"):
            foot = made.of(f"{side}_foot")
            assert np.linalg.norm(foot - foot[0], axis=1).max() < FEET
        assert hardest(palms(made, hand), made.fps) < 2.0 * examples
        assert np.linalg.norm(np.diff(made.positions, axis=0), axis=-1).max() * made.fps < 6.0  # m/s: no pop
        assert made.contacts is not None
        assert made.contacts.heel.all()


def test_reaches_of_the_actor() -> None:
    check(actor_library(), "right", seed=11, count=25)
    check(actor_library(), "left", seed=12, count=8)


@needs_captures
def test_reaches_of_captures() -> None:
    check(captured_library(), "right", seed=13, count=25)


def test_joints_stay_within_their_limits() -> None:
    library = actor_library()
    limits = limits_of(library.skeleton)
    worst = max(float(excess(limits, e.motion.rotations).max()) for e in session())
    for place in library.space["right_standing"].sample(10, 3):
        made = library.synthesize("right", position=place)
        assert excess(limits, made.rotations).max() < max(worst, 0.02) + 0.02


def test_an_example_is_given_back() -> None:
    """Its own apex gives its own motion, frame by frame where both have frames."""
    library = actor_library()
    own = library.set_of("right")
    for k in (0, 5, 9, 14):
        example = own.examples[k]
        made = library.synthesize("right", position=own.points[k], fps=example.motion.fps)
        times = made.times
        track = palms(example.motion, "right")
        at = (times + example.lead) * example.motion.fps
        told = np.stack([np.interp(at, np.arange(len(track)), track[:, c]) for c in range(3)], axis=1)
        assert np.linalg.norm(palms(made, "right") - told, axis=1).max() < 0.01


BEYOND = [
    ("right", "standing", (-0.2, 1.0, 2.0)),
    ("right", "standing", (-3.0, 1.0, 5.0)),
    ("right", "standing", (-0.2, 2.6, 0.2)),
    ("left", "standing", (0.3, 1.1, -2.0)),
    ("both", "standing", (0.0, 1.2, 2.0)),
    ("right", "sitting", (-0.2, 1.0, 2.0)),
]


@pytest.mark.parametrize(("hand", "posture", "place"), BEYOND)
def test_out_of_reach_hands_go_as_near_as_they_can(
    hand: str, posture: str, place: tuple[float, float, float]
) -> None:
    library = actor_library()
    made = library.synthesize(hand, position=place, posture=posture, hold=0.5)
    sides = ("left", "right") if hand == "both" else (hand,)
    tracks = [palms(made, side) for side in sides]
    nearest = np.linalg.norm(np.mean(tracks, axis=0) - place, axis=1).min()
    assert made.clamped == (f"the hand comes no nearer than {nearest:.3f} m",)
    for side in ("left", "right"):
        foot = made.of(f"{side}_foot")
        assert np.linalg.norm(foot - foot[0], axis=1).max() < FEET
    examples = library.set_of(hand, posture).motions
    for side, track in zip(sides, tracks, strict=True):
        assert np.linalg.norm(np.diff(track, axis=0), axis=1).max() * made.fps < 6.0  # m/s: no pop
        farther = max(np.ptp(track, axis=0)) / max(np.ptp(palms(m, side), axis=0).max() for m in examples)
        hard = max(hardest(palms(m, side), m.fps) for m in examples)
        assert hardest(track, made.fps) < 3.0 * hard * max(farther, 1.0)
    # from where it comes to, or from beside, no place is reached that is nearer by more than hands keep back
    towards = np.mean(tracks, axis=0)[len(made) // 2] - place
    for aside in (-0.2, 0.0, 0.2):
        nearer = place + (1.0 - 0.06 / nearest) * quat.rotate(ground.turn(aside), towards)
        assert library.synthesize(hand, position=nearer, posture=posture).clamped != ()


@pytest.mark.parametrize("share", [0.999, 1.001])
def test_at_the_edge_of_reach_nothing_leaps(share: float) -> None:
    """What is just reached and what just is not are reached for alike."""
    library = actor_library()
    made = library.synthesize("right", position=(-0.2, 1.0, 2.0), hold=0.5)
    edge = palms(made, "right")[len(made) // 2]
    near = library.synthesize("right", position=share * edge, hold=0.5)
    assert abs(len(near) - len(made)) <= 2
    away = palms(near, "right")[: len(made) - 2] - palms(made, "right")[: len(near)][: len(made) - 2]
    assert np.abs(away).max() < 0.05


def test_the_hold_is_as_long_as_asked() -> None:
    library = actor_library()
    place = library.set_of("right").points[5]
    short, long = (library.synthesize("right", position=place, hold=h) for h in (0.1, 1.1))
    assert abs((long.seconds - short.seconds) - 1.0) < 0.05


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"hand": "third"}, "a hand is"),
        ({"posture": "lying"}, "a posture is"),
        ({"hand": "both", "posture": "sitting"}, "there are no reaches of both sitting"),
        ({"hold": -1.0}, "holds for"),
        ({"hold": "long"}, "holds for"),
        ({"position": (1.0, 2.0)}, "three finite numbers"),
        ({"position": (1.0, np.nan, 2.0)}, "three finite numbers"),
    ],
)
def test_refusals(asked: dict[str, object], said: str) -> None:
    words: dict[str, object] = {"position": (-0.2, 1.0, 0.4)} | asked
    with pytest.raises(RequestError, match=said):
        actor_library().synthesize(**words)  # type: ignore[arg-type]


def test_it_sits() -> None:
    library = actor_library()
    own = library.set_of("right", "sitting")
    made = library.synthesize("right", position=own.points.mean(axis=0), posture="sitting")
    assert made.clamped == ()
    hips = made.of("hips")
    rise = max(np.ptp(m.of("hips")[:, 1]) for m in own.motions)
    assert np.ptp(hips[:, 1]) < rise + 0.02
    assert isinstance(made, ff.Motion)


def test_a_hold_of_no_time_is_judged_too() -> None:
    """It may lie between two frames: out of reach is said all the same, and nothing leaps."""
    made = actor_library().synthesize("right", position=(0.0, 1.2, -3.0), hold=0.0)
    assert made.clamped != ()
    assert np.linalg.norm(np.diff(palms(made, "right"), axis=0), axis=1).max() * made.fps < 6.0  # m/s


@pytest.mark.cpu
@pytest.mark.parametrize(
    "posture", [pytest.param("standing", marks=[pytest.mark.slow, pytest.mark.ci]), "sitting"]
)
def test_no_reach_hangs_on_rounding(posture: str) -> None:
    """Within reach and far out of it, a target moved by rounding moves no joint."""
    library, rng, clamped = actor_library(), np.random.default_rng(7), 0
    points = library.set_of("right", posture).points
    low, high = points.min(axis=0), points.max(axis=0)
    for _ in range(8):
        place = 0.5 * (low + high) + 4.0 * (rng.random(3) - 0.5) * (high - low)
        one, other = (
            library.synthesize("right", position=place + 1e-12 * k * rng.normal(size=3), posture=posture)
            for k in (0, 1)
        )
        clamped += bool(one.clamped)
        assert len(one) == len(other)
        assert np.abs(one.positions - other.positions).max() < 1e-7
    assert 2 <= clamped <= 7
