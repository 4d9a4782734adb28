"""A foot on the ground rolls about points that do not move, whatever its pitch does."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.actor.gait.stance import TERMS, Sole, Stance, bubbles
from footfall.actor.humanoid import humanoid
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import UP

BODY = humanoid()
SIDES = ("left", "right")
HEEL_TO_TOE = {"strike_pitch": 0.3, "strike_rate": -4.0, "off_pitch": -0.9, "off_rate": -6.0}
BALL_TO_HEEL = {"strike_pitch": -0.35, "strike_rate": 3.0, "off_pitch": 0.2, "off_rate": 2.0}


def stance(foot: str, seed: int = 0, **pitches: float) -> Stance:
    """Somewhere on a ground that leans, or, with seed 0, on the level."""
    rng = np.random.default_rng(seed)
    lean = quat.exp(0.3 * rng.uniform(-1, 1, 3) * [1, 0, 1]) if seed else quat.identity(1)[0]
    return Stance(
        foot=foot,
        place=rng.uniform(-2, 2, 3),
        heading=float(rng.uniform(-3, 3)),
        strike=1.0,
        flat=1.12,
        lift=1.5,
        off=1.75,
        normal=quat.rotate(lean, UP) if seed else UP,
        **pitches,
    )


def sole_points(foot: str, standing: Stance, times: np.ndarray) -> np.ndarray:
    """Heel, subtalar, ball, toe tip and toe joint, in the frame of the flat foot."""
    sole = Sole.of(BODY, foot)
    pitch = standing.pitch(times)
    ankle, turn = sole.ankle(standing, pitch), standing.turn(pitch)
    points = sole.points(ankle, turn, sole.bend(pitch))
    joint = ankle + quat.rotate(turn, sole.toe_joint)
    world = np.concatenate([points, joint[:, None]], axis=1) - standing.place
    return quat.rotate(quat.conjugate(standing.level_turn), world)


@pytest.mark.parametrize("foot", SIDES)
@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_any_pitch_turns_the_foot_about_one_point(foot: str, seed: int) -> None:
    """Toes up about the heel, heel up about the toe joint; exact, and the toe stays flat on the ground."""
    sole, standing = Sole.of(BODY, foot), stance(foot, seed)
    pitch = np.random.default_rng(seed).uniform(-1.2, 1.2, 200)
    ankle, turn = sole.ankle(standing, pitch), standing.turn(pitch)
    points = sole.points(ankle, turn, sole.bend(pitch))
    local = quat.rotate(quat.conjugate(standing.level_turn), points - standing.place)
    up = pitch > 0.0
    assert_allclose(local[up, 0], np.tile(sole.heel - sole.subtalar, (up.sum(), 1)), rtol=0, atol=1e-12)
    joint = ankle + quat.rotate(turn, sole.toe_joint)
    held = quat.rotate(quat.conjugate(standing.level_turn), joint - standing.place)
    assert_allclose(held[~up], np.tile(sole.toe_joint - sole.subtalar, ((~up).sum(), 1)), rtol=0, atol=1e-12)
    tip = sole.toe_joint + sole.tip - sole.subtalar
    assert_allclose(local[~up, 3], np.tile(tip, ((~up).sum(), 1)), rtol=0, atol=1e-12)
    assert local[..., 1].min() > -1e-12  # nothing under the ground


@pytest.mark.parametrize("pitches", [HEEL_TO_TOE, BALL_TO_HEEL])
@pytest.mark.parametrize("foot", SIDES)
def test_contacts_say_what_touches(foot: str, pitches: dict[str, float]) -> None:
    """A heel or toe is told to touch if and only if it is on the ground, between strike and off."""
    standing = stance(foot, **pitches)
    times = np.linspace(1.0, 1.75, 400)[:-1]
    points = sole_points(foot, standing, times)
    heel, toe = points[:, 0, 1] < 1e-9, points[:, 3, 1] < 1e-9
    clear = np.abs(standing.pitch(times)) > 1e-6  # at the very edges pitch and contact may be a hair apart
    assert (standing.on_heel(times) == heel)[clear].all()
    assert (standing.on_toe(times) == toe)[clear].all()
    flat = (times >= standing.flat) & (times < standing.lift)
    assert standing.on_heel(times)[flat].all()
    assert standing.on_toe(times)[flat].all()
    outside = np.array([0.5, 0.999999, 1.75, 2.0])
    assert not (standing.on_heel(outside) | standing.on_toe(outside) | standing.touches(outside)).any()


@pytest.mark.parametrize("pitches", [HEEL_TO_TOE, BALL_TO_HEEL])
def test_pitch_and_its_rate_are_continuous_and_as_told(pitches: dict[str, float]) -> None:
    standing = stance("left", **pitches)
    step = 1e-6

    def rate(t: float) -> float:
        return float(np.diff(standing.pitch(np.array([t - step, t + step])))[0] / (2 * step))

    ends = standing.pitch(np.array([1.0, 1.12, 1.3, 1.5, 1.75 - 1e-12]))
    assert_allclose(ends, [pitches["strike_pitch"], 0, 0, 0, pitches["off_pitch"]], rtol=0, atol=1e-9)
    assert rate(1.0 + step) == pytest.approx(pitches["strike_rate"], rel=1e-3)
    assert rate(1.75 - step) == pytest.approx(pitches["off_rate"], rel=1e-3)
    for edge in (1.12, 1.3, 1.5):
        assert abs(rate(edge)) < 1e-3


@pytest.mark.parametrize("seed", range(6))
def test_a_roll_never_crosses_flat(seed: int) -> None:
    """Whatever bubbles are added: a foot that crossed flat would roll about its other end."""
    roll = np.random.default_rng(seed).normal(0.0, 0.3, TERMS)
    for off in (-0.8, 0.3):
        rolling = Stance(
            foot="left",
            place=np.zeros(3),
            heading=0.0,
            strike=0.0,
            flat=0.1,
            lift=0.4,
            off=0.7,
            strike_pitch=0.2,
            strike_rate=-2.0,
            off_pitch=off,
            off_rate=np.sign(off) * 2.0,
            roll=roll,
        )
        pitch = rolling.pitch(np.linspace(0.4, 0.7, 300)[:-1])
        assert (pitch * np.sign(off) >= 0.0).all()
        assert pitch[-1] == pytest.approx(off, abs=0.02)


@pytest.mark.parametrize("pitch", [0.25, -0.6])
@pytest.mark.parametrize("foot", SIDES)
def test_the_ankles_rate_is_its_derivative(foot: str, pitch: float) -> None:
    sole, standing = Sole.of(BODY, foot), stance(foot, seed=5)
    rate, step = -3.0, 1e-6
    around = sole.ankle(standing, np.array([pitch - step * rate, pitch + step * rate]))
    assert_allclose(
        sole.ankle_rate(standing, pitch, rate), (around[1] - around[0]) / (2 * step), rtol=0, atol=1e-8
    )


def test_bubbles_vanish_with_their_rates_at_both_ends() -> None:
    step = 1e-5
    assert_allclose(bubbles(np.array([0.0, 1.0, -1.0, 2.0])), 0.0, rtol=0, atol=1e-15)
    assert np.abs(bubbles(np.array([step, 1 - step]))).max() / step < 1e-3
    assert bubbles(np.array([0.5]))[0] == pytest.approx([1.0, 0.0, 0.0, 0.0])
