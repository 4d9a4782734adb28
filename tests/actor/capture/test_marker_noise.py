"""Noise on joint places: of the asked size, smooth, on every joint, and followed by the legs."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.actor.capture.faults import Faults, with_faults
from footfall.actor.capture.marker_noise import SMOOTHING, smooth_noise
from footfall.actor.capture.moved_feet import STRAIGHTEST, feet_at
from footfall.actor.humanoid import humanoid
from footfall.actor.range_of_motion import range_of_motion
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from tests.captured import captured
from tests.captures import needs_captures
from tests.gaits import made

SIDES = ("left", "right")
FEET = [f"{side}_{part}" for side in SIDES for part in ("foot", "toe")]


def deviations(clean: Motion, noisy: Motion, size: float) -> np.ndarray:
    """Of each joint from its clean place, along an axis, root mean square, as a share of what was asked."""
    return np.sqrt(np.mean((noisy.positions - clean.positions) ** 2, axis=(0, 2))) / size


def stretch(motion: Motion, side: str) -> np.ndarray:
    """How straight a leg is: hip to ankle as a share of its bones' length."""
    hip, ankle = (motion.of(f"{side}_{part}") for part in ("thigh", "foot"))
    return np.linalg.norm(ankle - hip, axis=-1) / motion.skeleton.leg_length(side)


@pytest.mark.parametrize("size", [0.0005, 0.002, 0.01])
@pytest.mark.parametrize("fps", [30.0, 120.0])
@pytest.mark.parametrize("gait", ["walk", "run", "stairs", "stand", "range of motion"])
def test_feet_deviate_as_asked(gait: str, fps: float, size: float) -> None:
    clean = range_of_motion(humanoid(), fps=fps) if gait == "range of motion" else made(gait, fps).given
    for seed in (0, 1):
        noisy = with_faults(clean, Faults(noise=size, seed=seed)).motion
        share = deviations(clean, noisy, size)
        assert share[0] == pytest.approx(1.0)
        for role in FEET:
            assert share[clean.skeleton.joint(role)] == pytest.approx(1.0, abs=0.25)
        for side in SIDES:
            limit = np.maximum(stretch(clean, side), STRAIGHTEST)
            assert (stretch(noisy, side) <= limit + 1e-12).all()


def test_ankles_within_reach_have_exactly_their_noise() -> None:
    """Knees are bent by 28 degrees at least, so that 2 mm never stretch a leg."""
    clean = made("walk", 120.0).given
    noisy = with_faults(clean, Faults(noise=0.002, seed=3)).motion
    share = deviations(clean, noisy, 0.002)
    assert_allclose([share[clean.skeleton.joint(f"{side}_foot")] for side in SIDES], 1.0, rtol=1e-9)


def test_noise_does_not_grow_along_the_body() -> None:
    clean = made("walk", 120.0).given
    figure = clean.skeleton
    mean = np.mean(
        [deviations(clean, with_faults(clean, Faults(noise=0.002, seed=s)).motion, 0.002) for s in range(5)],
        axis=0,
    )
    knees = [figure.joint(f"{side}_shank") for side in SIDES]
    others = np.setdiff1d(np.arange(len(figure)), knees)
    assert mean[others].min() > 0.5
    assert mean[others].max() < 1.25
    assert mean[knees].max() < 2.0  # they bend as hip and ankle want it


def test_every_foot_trembles_by_itself() -> None:
    clean = range_of_motion(humanoid(), fps=120.0)
    noisy = with_faults(clean, Faults(noise=0.002, seed=1)).motion
    off = np.stack([(noisy.of(r) - clean.of(r)).ravel() for r in ("left_foot", "right_foot", "hips")])
    # straight legs let the hips' noise through along the leg, which is one axis of three
    assert np.abs(np.corrcoef(off) - np.eye(3)).max() < 0.4
    bent = made("walk", 120.0).given
    noisy = with_faults(bent, Faults(noise=0.002, seed=1)).motion
    off = np.stack([(noisy.of(r) - bent.of(r)).ravel() for r in ("left_foot", "right_foot", "hips")])
    assert np.abs(np.corrcoef(off) - np.eye(3)).max() < 0.25


def test_noise_leaves_the_rest_alone() -> None:
    clean = made("walk", 120.0).given
    faulty = with_faults(clean, Faults(noise=0.002))
    assert faulty.motion.contacts is clean.contacts
    assert faulty.motion.skeleton is clean.skeleton
    assert faulty.motion.fps == clean.fps
    # little noise makes little change, of every joint's turn: no flips, no other branch of a knee
    fine = with_faults(clean, Faults(noise=1e-6)).motion
    assert quat.angle_between(fine.rotations, clean.rotations).max() < 1e-3
    assert np.sum(fine.rotations * clean.rotations, axis=-1).min() > 0.999


# spectrum


def test_the_spectrum_is_a_gaussian_filters() -> None:
    """Averaged over many points, power falls as exp(-(2 pi f s)^2)."""
    frames, fps = 1200, 120.0
    noise = smooth_noise(frames, 400, fps, np.random.default_rng(0))
    window = np.hanning(frames)[:, None, None]
    power = np.mean(np.abs(np.fft.rfft(noise * window, axis=0)) ** 2, axis=(1, 2))
    hertz = np.fft.rfftfreq(frames, 1.0 / fps)
    low, half = (hertz > 0.5) & (hertz < 1.0), np.abs(hertz - 5.3) < 0.3
    law = np.exp(-((2 * np.pi * hertz * SMOOTHING) ** 2))
    assert power[half].mean() / power[low].mean() == pytest.approx(0.5, abs=0.06)
    passed = law > 1e-3
    assert_allclose(power[passed] / power[low].mean(), law[passed] / law[low].mean(), rtol=0.25)
    assert power[hertz > 20.0].sum() < 1e-4 * power.sum()


@pytest.mark.parametrize("role", FEET)
def test_feet_tremble_slowly(role: str) -> None:
    """The filter leaves 0.09 % of the power above 15 Hz."""
    clean = made("walk", 120.0).given
    noisy = with_faults(clean, Faults(noise=0.002, seed=5)).motion
    off = (noisy.of(role) - clean.of(role)) * np.hanning(len(clean))[:, None]
    power = (np.abs(np.fft.rfft(off, axis=0)) ** 2).sum(axis=1)
    hertz = np.fft.rfftfreq(len(clean), 1.0 / 120.0)
    assert power[hertz > 15.0].sum() < 0.005 * power.sum()
    assert power[hertz > 1.0].sum() > 0.5 * power.sum()


@pytest.mark.parametrize("frames", [1, 2, 7, 600])
def test_noise_has_unit_size_and_does_not_close_in_a_circle(frames: int) -> None:
    noise = smooth_noise(frames, 300, 120.0, np.random.default_rng(1))
    assert_allclose(np.mean(noise**2, axis=(0, 2)), 1.0)
    if frames == 600:
        ends = np.corrcoef(noise[0].ravel(), noise[-1].ravel())[0, 1]
        neighbours = np.corrcoef(noise[0].ravel(), noise[1].ravel())[0, 1]
        assert abs(ends) < 0.15
        assert neighbours > 0.9


# legs that follow


def twisted(skeleton: Skeleton) -> tuple[Skeleton, list[int]]:
    """The skeleton with a joint in the middle of each thigh and shank; and where its own joints now are."""
    split = [skeleton.joint(f"{side}_{part}") for side in SIDES for part in ("shank", "foot")]
    names: list[str] = []
    parents: list[int] = []
    offsets: list[np.ndarray] = []
    place: list[int] = []
    for joint, name in enumerate(skeleton.names):
        above = place[skeleton.parents[joint]] if joint else -1
        offset = skeleton.offsets[joint]
        if joint in split:
            names, parents, offsets = [*names, f"twist_{joint}"], [*parents, above], [*offsets, 0.5 * offset]
            above, offset = len(names) - 1, 0.5 * offset
        names, parents, offsets = [*names, name], [*parents, above], [*offsets, offset]
        place.append(len(names) - 1)
    roles = {role: names[place[joint]] for role, joint in skeleton.roles.items()}
    return Skeleton.build(names, parents, np.array(offsets), roles=roles), place


def test_twist_bones_go_with_their_bone() -> None:
    clean = made("walk", 30.0).given
    figure, place = twisted(clean.skeleton)
    rotations = quat.identity(len(clean), len(figure))
    rotations[:, place] = clean.rotations
    jointed = Motion(figure, clean.root, rotations, clean.fps, contacts=clean.contacts)
    assert_allclose(jointed.positions[:, place], clean.positions, rtol=0.0, atol=1e-12)
    ankles = {side: clean.of(f"{side}_foot") + np.array([0.01, 0.02, -0.015]) for side in SIDES}
    there, plain = feet_at(jointed, ankles), feet_at(clean, ankles)
    assert_allclose(there.positions[:, place], plain.positions, rtol=0.0, atol=1e-9)
    for side in SIDES:
        assert_allclose(there.of(f"{side}_foot"), ankles[side], rtol=0.0, atol=1e-9)


def test_what_a_leg_cannot_reach_is_taken_off_the_foot() -> None:
    clean = made("walk", 30.0).given
    down = {side: clean.of(f"{side}_foot") + np.array([0.0, -0.3, 0.1]) for side in SIDES}
    there = feet_at(clean, down)
    for side in SIDES:
        assert_allclose(stretch(there, side), STRAIGHTEST, rtol=0.0, atol=1e-12)
        hip = clean.of(f"{side}_thigh")
        off_line = quat.cross(there.of(f"{side}_foot") - hip, down[side] - hip)
        assert np.abs(off_line).max() < 1e-9
        foot = clean.skeleton.joint(f"{side}_foot")
        assert_allclose(there.orientations[:, foot], clean.orientations[:, foot], rtol=0.0, atol=1e-12)


def test_feet_that_stay_are_not_touched() -> None:
    clean = range_of_motion(humanoid(), fps=20.0)
    assert (
        feet_at(clean, {s: clean.of(f"{s}_foot") for s in SIDES}).rotations.tobytes()
        == clean.rotations.tobytes()
    )
    half = len(clean) // 2
    moved = {"left": np.array(clean.of("left_foot"))}
    moved["left"][half:, 1] += 0.02
    there = feet_at(clean, moved)
    assert there.rotations[:half].tobytes() == clean.rotations[:half].tobytes()
    assert_allclose(there.of("left_foot")[half:], moved["left"][half:], rtol=0.0, atol=1e-9)


@needs_captures
@pytest.mark.parametrize("file", ["walk/07_01.bvh", "run/09_06.bvh", "formats/dataset-2_walk_normal_016.bvh"])
def test_captures_take_noise_too(file: str) -> None:
    clean = captured(file)
    noisy = with_faults(clean, Faults(noise=0.002, seed=1)).motion
    share = deviations(clean, noisy, 0.002)
    for role in FEET:
        assert share[clean.skeleton.joint(role)] == pytest.approx(1.0, abs=0.25)
    lengths = [
        np.linalg.norm(m.positions[:, 1:] - m.positions[:, m.skeleton.parents[1:]], axis=-1)
        for m in (clean, noisy)
    ]
    assert_allclose(lengths[1], lengths[0], rtol=0.0, atol=1e-12)
