"""A swinging foot takes over where one stance ends, arrives where the next begins, and clears the ground."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.actor.gait.stance import TERMS, Sole, Stance
from footfall.actor.gait.swing import Swing, SwingShape, along_sole, bumps
from footfall.actor.humanoid import humanoid
from footfall.geometry import quaternion as quat

BODY = humanoid()
SOLE = Sole.of(BODY, "left")
PLAIN = SwingShape(*(np.zeros(TERMS) for _ in range(4)))


def swing(seed: int, rise: float = 0.0, shape: SwingShape | None = None) -> Swing:
    """A step of a left foot with random places, headings, pitches and shape."""
    rng = np.random.default_rng(seed)
    before = Stance(
        foot="left",
        place=np.array([0.1, 0.0, 0.0]),
        heading=float(rng.uniform(-0.3, 0.3)),
        strike=-1.0,
        flat=-0.9,
        lift=-0.2,
        off=0.0,
        off_pitch=float(rng.uniform(-0.9, -0.1)),
        off_rate=float(rng.uniform(-5.0, 0.0)),
    )
    pitch = float(rng.choice([-1.0, 1.0]) * rng.uniform(0.05, 0.35))
    after = Stance(
        foot="left",
        place=np.array([0.1 + rng.uniform(-0.2, 0.2), rise, rng.uniform(0.4, 1.3)]),
        heading=float(rng.uniform(-0.5, 0.5)),
        strike=float(rng.uniform(0.35, 0.7)),
        flat=1.0,
        lift=1.2,
        off=1.4,
        strike_pitch=pitch,
        strike_rate=float(-np.sign(pitch) * rng.uniform(0.0, 4.0)),
    )
    made = SwingShape(*(rng.normal(0.0, size, TERMS) for size in (0.05, 0.03, 0.02, 0.2)))
    return Swing(before, after, SOLE, made if shape is None else shape)


@pytest.mark.parametrize("lifted", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_it_meets_its_stances_in_place_and_speed(seed: int, lifted: bool) -> None:
    """Whatever its shape and lifts: ankle, orientation and toe, and how fast each of them changes."""
    made = swing(seed)
    lifts = np.random.default_rng(seed).uniform(0.0, 0.2, 5) if lifted else None
    step = 1e-6
    for standing, at, inwards in ((made.before, 0.0, 1.0), (made.after, made.after.strike, -1.0)):
        moments = at + inwards * step * np.array([0.0, 1.0])
        path = made.path(moments, lifts)
        pitch = standing.off_pitch if at == 0.0 else standing.strike_pitch
        rate = standing.off_rate if at == 0.0 else standing.strike_rate
        rolled = np.array([pitch, pitch + inwards * step * rate])  # had the foot stood on
        assert_allclose(path.ankle[0], SOLE.ankle(standing, rolled)[0], rtol=0, atol=1e-12)
        assert quat.angle_between(path.turn[0], standing.turn(rolled)[0]) < 1e-7
        speed = (path.ankle[1] - path.ankle[0]) / step
        stood = np.diff(SOLE.ankle(standing, rolled), axis=0)[0] / step
        assert_allclose(speed, stood, rtol=0, atol=2e-3)
        spin = quat.log(quat.multiply(quat.conjugate(path.turn[0]), path.turn[1])) / step
        assert spin[0] == pytest.approx(-inwards * rate, abs=2e-3)
        if pitch < 0.0:
            assert path.bend[0] == pytest.approx(-pitch, abs=1e-12)
            assert (path.bend[1] - path.bend[0]) / step == pytest.approx(-inwards * rate, abs=5e-3)
        assert path.free[0] == 0.0


@pytest.mark.parametrize("rise", [-0.25, 0.0, 0.2])
@pytest.mark.parametrize("seed", range(5))
def test_it_clears_stairs_that_nobody_told_it_about(seed: int, rise: float) -> None:
    """Random steps between the two stances, up to a few centimetres over both: the whole sole stays over."""
    made = swing(seed, rise)
    rng = np.random.default_rng(100 + seed)
    reach = float(made.after.place[2])
    # edges clear of where the foot stands, so that there is a way over them
    edges = np.sort(rng.uniform(0.26, max(reach - 0.12, 0.27), 3))
    levels = np.concatenate([[0.0], rng.uniform(min(rise, 0.0), max(rise, 0.0) + 0.06, 2), [rise]])

    def height(points: np.ndarray) -> np.ndarray:
        return levels[np.searchsorted(edges, points[..., 2])]

    lifts = made.clearing(height, lambda t, ankle: np.full(len(t), -10.0))
    assert lifts is None or (lifts >= 0.0).all()
    u = np.linspace(0.0, 1.0, 1999)[1:-1]
    path = made.path(made.before.off + u * made.seconds, lifts)
    soles = along_sole(SOLE.points(path.ankle, path.turn, path.bend))
    over = soles[..., 1] - height(soles)
    assert over[(u > 0.02) & (u < 0.98)].min() > -1e-4


def test_a_swing_that_needs_no_lift_gets_none() -> None:
    """High and fast enough on its own: raising it would be somebody else's style."""
    high = replace(PLAIN, up=np.array([0.6, 0.0, 0.0, 0.0]))
    made = swing(3, shape=high)

    def floor(points: np.ndarray) -> np.ndarray:
        return np.full(points.shape[:-1], -0.05)

    assert made.clearing(floor, lambda t, ankle: np.full(len(t), -10.0)) is None


def test_a_leg_that_is_too_short_lifts_its_foot() -> None:
    made = swing(2, shape=PLAIN)
    lowest = 0.2

    def floor(points: np.ndarray) -> np.ndarray:
        return np.zeros(points.shape[:-1])

    lifts = made.clearing(floor, lambda t, ankle: np.full(len(t), lowest))
    u = np.linspace(0.15, 0.85, 50)
    assert made.path(u * made.seconds, lifts).ankle[:, 1].min() > lowest - 1e-3


def test_bumps_are_never_negative_and_vanish_at_both_ends() -> None:
    u = np.linspace(0.0, 1.0, 501)
    values = bumps(u)
    assert values.min() >= 0.0
    assert_allclose(values[[0, -1]], 0.0, rtol=0, atol=1e-15)
    assert np.abs(bumps(np.array([1e-5, 1 - 1e-5]))).max() < 1e-8
    assert np.linalg.matrix_rank(values) == values.shape[1]
