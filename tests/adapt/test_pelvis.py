"""The pelvis' shift against the same least squares solved densely, and against what it is for."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.adapt import pelvis
from footfall.adapt.pelvis import LegCorrection, pelvis_shift
from footfall.figure.motion import Motion
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.ik.two_link import leg_of
from tests.analysis.truth import placed
from tests.gaits import made

SIDES = ("left", "right")


def walk(frames: int = 40) -> Motion:
    return made("walk", 60.0).motion[70 : 70 + frames]


def corrections(motion: Motion, moved: np.ndarray, longest: float = 9.0) -> list[LegCorrection]:
    """Both ankles moved by given paths (2, frames, 3)."""
    legs = [leg_of(motion.skeleton, side) for side in SIDES]
    return [
        LegCorrection(leg, motion.positions[:, leg.end] + path, longest)
        for leg, path in zip(legs, moved, strict=True)
    ]


def wobbly(frames: int, seed: int = 1, size: float = 0.01) -> np.ndarray:
    """Smooth corrections of about a centimetre."""
    rng = np.random.default_rng(seed)
    t = np.arange(frames)[:, None] / 60.0
    phases, rates = rng.uniform(0, 6, (2, 1, 3)), rng.uniform(2, 9, (2, 1, 3))
    return size * np.sin(rates * t + phases)


def knee_angle(a: float, b: float, length: np.ndarray) -> np.ndarray:
    """Between the bones of a leg, by the law of cosines; 0 is straight."""
    return np.arccos((length**2 - a**2 - b**2) / (2 * a * b))


def dense_reference(motion: Motion, legs: list[LegCorrection]) -> np.ndarray:
    """The least squares of the module's first lines, row by row, by numpy.linalg.lstsq."""
    frames, rows, right = len(motion), [], []
    for leg in legs:
        hip, ankle = motion.positions[:, leg.limb.upper], motion.positions[:, leg.limb.end]
        away = hip - ankle
        length = np.linalg.norm(away, axis=-1)
        # the knee's angle a metre of length, by a central difference of the law of cosines
        a, b = leg.limb.lengths
        step = 1e-6
        slope = (knee_angle(a, b, length - step) - knee_angle(a, b, length + step)) / (2 * step)
        bent = np.maximum(knee_angle(a, b, length), pelvis.LEAST_BEND)
        stiffness = np.where(bent > pelvis.LEAST_BEND, slope, length / (a * b * np.sin(pelvis.LEAST_BEND)))
        knee = np.zeros((frames, 3 * frames))
        for t in range(frames):
            knee[t, 3 * t : 3 * t + 3] = stiffness[t] * away[t] / length[t]
        asked = knee @ (leg.ankle - ankle).ravel()
        second = np.diff(np.eye(frames), n=2, axis=0) * (pelvis.KNEE_TIME * motion.fps) ** 2
        rows += [knee, second @ knee]
        right += [asked, second @ asked]
    still = np.diag(np.tile(pelvis.SHIFT_COST, frames))
    calm = (pelvis.SHIFT_TIME * motion.fps) ** 2 * np.einsum(
        "ij,jkl->ikl", np.diff(np.eye(frames), n=2, axis=0), still.reshape(frames, 3, -1)
    ).reshape(-1, 3 * frames)
    rows += [still, calm]
    right += [np.zeros(3 * frames), np.zeros(len(calm))]
    return np.linalg.lstsq(np.concatenate(rows), np.concatenate(right), rcond=None)[0].reshape(frames, 3)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("frames", [3, 4, 25, 60])
def test_it_solves_the_least_squares_it_states(frames: int, seed: int) -> None:
    motion = walk(frames)
    legs = corrections(motion, wobbly(frames, seed))
    assert_allclose(pelvis_shift(motion, legs), dense_reference(motion, legs), rtol=0, atol=1e-7)


def test_no_correction_no_shift() -> None:
    motion = walk()
    assert_allclose(pelvis_shift(motion, corrections(motion, np.zeros((2, 40, 3)), 0.99)), 0.0, atol=1e-12)


def test_it_is_linear_while_no_leg_is_too_long() -> None:
    motion = walk()
    a, b = wobbly(40, 4), wobbly(40, 5)
    one, other, both = (pelvis_shift(motion, corrections(motion, c)) for c in (a, b, 2 * a - b))
    assert_allclose(both, 2 * one - other, rtol=0, atol=1e-9)


@pytest.mark.parametrize("heading", [0.9, -2.5])
def test_it_turns_with_the_world(heading: float) -> None:
    motion = walk()
    path = wobbly(40, 6)
    turn = ground.turn(heading)
    moved = placed(motion, (2.0, 0.0, 5.0), heading)
    there = pelvis_shift(moved, corrections(moved, quat.rotate(turn, path)))
    assert_allclose(
        there, quat.rotate(turn, pelvis_shift(motion, corrections(motion, path))), rtol=0, atol=1e-9
    )


def test_knees_change_less_than_with_a_pelvis_that_stays() -> None:
    """Both feet raised alike: the pelvis goes along, and the knees keep most of their bend."""
    motion = walk(60)
    path = np.broadcast_to(0.02 * ground.UP, (2, 60, 3))
    legs = corrections(motion, path)
    shift = pelvis_shift(motion, legs)
    for leg in legs:
        hip = motion.positions[:, leg.limb.upper]
        lengths = [
            np.linalg.norm(motion.positions[:, leg.limb.end] - hip, axis=-1),
            np.linalg.norm(leg.ankle - hip - shift, axis=-1),
            np.linalg.norm(leg.ankle - hip, axis=-1),
        ]
        captured, with_shift, without = (knee_angle(*leg.limb.lengths, length) for length in lengths)
        assert np.abs(with_shift - captured).mean() < 0.35 * np.abs(without - captured).mean()


def test_a_leg_that_would_be_too_long_brings_the_pelvis_nearer() -> None:
    motion = walk(60)
    path = np.broadcast_to(-0.03 * ground.UP, (2, 60, 3))
    free = pelvis_shift(motion, corrections(motion, path))
    longest = 0.95 * motion.skeleton.leg_length("left")
    held = pelvis_shift(motion, corrections(motion, path, longest))

    def excess(shift: np.ndarray) -> float:
        legs = corrections(motion, path, longest)
        lengths = [np.linalg.norm(motion.positions[:, x.limb.upper] + shift - x.ankle, axis=-1) for x in legs]
        return float(np.maximum(np.array(lengths) - longest, 0.0).max())

    assert excess(held) < 0.5 * excess(free)
    assert held[:, 1].mean() < free[:, 1].mean()


@pytest.mark.parametrize("frames", [1, 2])
def test_too_few_frames_for_an_acceleration(frames: int) -> None:
    motion = walk(frames)
    shift = pelvis_shift(motion, corrections(motion, np.broadcast_to(0.02 * ground.UP, (2, frames, 3))))
    assert shift.shape == (frames, 3)
    assert (shift[:, 1] > 0.005).all()
    assert (shift[:, 1] < 0.02).all()
