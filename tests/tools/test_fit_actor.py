"""The fit of the actor's curves: what goes in as a made curve comes out, and no frame of a clip is kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from tools.fit_actor.__main__ import fit, plain
from tools.fit_actor.captures import STANDING, gait_clip, gait_rows, jump_rows
from tools.fit_actor.feet import ROLL_SHARE, SHORTEST_ROLL, fit_bubbles, rolling_off
from tools.fit_actor.posture import HIPS, posture_rotations, turns_of
from tools.fit_actor.regression import fourier, regress
from tools.fit_actor.samples import PHASES, SHARE, Sample, counterpart, samples
from tools.fit_actor.tables import Table, descending, design_of, family_table, tempered, weights

from footfall.actor.curves import FEATURES, ORDER, POSTURE, SCALARS, features_of, harmonics
from footfall.actor.gait.stance import TERMS, bubbles
from footfall.actor.virtual_actor import VirtualActor
from footfall.errors import RequestError
from footfall.figure.mirror import mirror
from footfall.geometry import easing, ground
from footfall.geometry import quaternion as quat
from tests.captures import FOLDER, manifest, needs_captures

RNG_SEED = 5


def made_sample(rng: np.random.Generator, family: str = "walk", speed: float = 1.2) -> Sample:
    return Sample(
        clip=f"clip {speed}",
        person="somebody",
        family=family,
        features=features_of(speed, *rng.normal(scale=0.2, size=3)),
        posture=rng.normal(size=(PHASES, len(POSTURE), 3)),
        height=rng.normal(size=PHASES),
        scalars={name: rng.normal(size=TERMS if name in ("along", "roll") else 1) for name in SCALARS},
    )


def made_table(rng: np.random.Generator, family: str) -> Table:
    rows, coefficients = 1 + len(FEATURES[family]), 2 * ORDER + 1
    return Table(
        cycles=4,
        clips=2,
        people=1,
        bounds={name: np.array([0.1, 0.9]) for name in FEATURES[family]},
        posture={role: rng.normal(size=(rows, coefficients, 3)) for role in POSTURE},
        height=rng.normal(size=(rows, coefficients)),
        scalars={name: rng.uniform(0.4, 0.7, size=(rows, 1)) for name in SCALARS},
    )


def test_fourier_finds_the_coefficients_of_a_made_curve() -> None:
    made = np.random.default_rng(RNG_SEED).normal(size=(2 * ORDER + 1, 4, 3))
    curve = np.tensordot(harmonics(SHARE), made, axes=1)
    np.testing.assert_allclose(fourier(curve), made, atol=1e-12)


def test_fourier_passes_over_what_is_above_its_order() -> None:
    above = np.cos(2.0 * np.pi * (ORDER + 1) * SHARE)
    np.testing.assert_allclose(fourier(above), 0.0, atol=1e-12)


def test_counterpart_twice_is_the_identity() -> None:
    seen = made_sample(np.random.default_rng(RNG_SEED))
    once, twice = counterpart(seen), counterpart(counterpart(seen))
    assert not np.allclose(once.posture, seen.posture)
    np.testing.assert_array_equal(twice.posture, seen.posture)
    np.testing.assert_array_equal(twice.height, seen.height)
    assert twice.features == seen.features
    assert once.features["turn"] == -seen.features["turn"]
    assert once.features["veer"] == seen.features["veer"]


def test_counterpart_is_what_the_mirror_shows() -> None:
    motion = VirtualActor(seed=3).walk(turn_rate=0.6).motion[:PHASES]
    seen = replace(
        made_sample(np.random.default_rng(RNG_SEED)),
        posture=turns_of(posture_rotations(motion), 0.4),
        features=features_of(1.3, 0.2, 0.6, 0.1),
    )
    there = np.roll(turns_of(posture_rotations(mirror(motion)), -0.4), -PHASES // 2, axis=0)
    np.testing.assert_allclose(counterpart(seen).posture, there, atol=1e-12)
    assert counterpart(seen).features == features_of(1.3, -0.2, -0.6, 0.1)


def test_a_symmetric_gait_is_its_own_counterpart() -> None:
    seen = made_sample(np.random.default_rng(RNG_SEED))
    seen = replace(seen, features=features_of(1.2))
    other = counterpart(seen)
    symmetric = replace(
        seen, posture=0.5 * (seen.posture + other.posture), height=0.5 * (seen.height + other.height)
    )
    again = counterpart(symmetric)
    np.testing.assert_allclose(again.posture, symmetric.posture, atol=1e-15)
    np.testing.assert_allclose(again.height, symmetric.height, atol=1e-15)


@pytest.mark.parametrize(("frames", "fps"), [(24, 60.0), (61, 120.0), (200, 30.0)])
def test_the_bubbles_of_a_made_swing_are_found(frames: int, fps: float) -> None:
    made = np.array([0.3, -0.2, 0.15, 0.07])
    u, seconds = np.linspace(0.0, 1.0, frames), (frames - 1) / fps
    start, end, leaving, landing = 0.1, 1.4, -0.5, 2.0
    swing = easing.hermite(u, start, end, leaving * seconds, landing * seconds) + bubbles(u) @ made
    rates = np.full(frames, np.nan)  # only those at both ends are asked for
    rates[[0, -1]] = leaving, landing
    np.testing.assert_allclose(fit_bubbles(swing, rates, fps), made, atol=1e-10)


def test_rolling_off_holds_back_and_a_short_roll_has_none() -> None:
    u, fps = np.linspace(0.0, 1.0, 40), 120.0
    roll = easing.hermite(u, 0.0, -0.9, 0.0, -4.0 * 39 / fps) + bubbles(u)[:, 0] * 0.2
    np.testing.assert_allclose(rolling_off(roll, -4.0, fps), [ROLL_SHARE * 0.2, 0, 0, 0], atol=1e-10)
    assert not rolling_off(roll[: SHORTEST_ROLL - 1], -4.0, fps).any()


def test_turns_know_neither_the_heading_nor_the_quaternions_sign() -> None:
    rng = np.random.default_rng(RNG_SEED)
    made = rng.normal(scale=0.5, size=(30, len(POSTURE), 3))
    heading = rng.uniform(-3.0, 3.0, size=30)
    rotations = quat.exp(made)
    rotations[:, HIPS] = quat.multiply(ground.turn(heading), rotations[:, HIPS])
    flipped = rotations * rng.choice([-1.0, 1.0], size=(30, len(POSTURE), 1))
    np.testing.assert_allclose(turns_of(flipped, heading), made, atol=1e-12)


def test_regression_does_not_hold_back_the_constant() -> None:
    rng = np.random.default_rng(RNG_SEED)
    design = np.column_stack([np.ones(50), rng.normal(size=(50, 2))])
    values = np.full((50, 1), 3.7)
    np.testing.assert_allclose(
        regress(design, values, rng.uniform(0.1, 1, 50)), [[3.7], [0], [0]], atol=1e-12
    )


def test_regression_finds_a_line_and_passes_over_what_weighs_nothing() -> None:
    rng = np.random.default_rng(RNG_SEED)
    design = np.column_stack([np.ones(80), rng.normal(size=80)])
    values = design @ np.array([[2.0], [-1.5]])
    values[:10] += 100.0
    weight = np.where(np.arange(80) < 10, 0.0, 1.0)
    np.testing.assert_allclose(regress(design, values, weight), [[2.0], [-1.5]], rtol=2e-3)


def test_descending_is_the_way_up_run_backwards() -> None:
    rng = np.random.default_rng(RNG_SEED)
    up, down = made_table(rng, "up"), made_table(rng, "down")
    found = descending(down, up)
    leaves, speed, slope = down.scalars["stance"][0, 0], 0.6, 0.3
    phase = np.linspace(0.0, 1.0, 40)
    there = harmonics(leaves - phase) @ (np.array([1.0, speed, slope]) @ up.height)
    here = harmonics(phase) @ (np.array([1.0, speed, -slope]) @ found.height)
    np.testing.assert_allclose(here, there, atol=1e-12)
    np.testing.assert_array_equal(found.bounds["slope"], [-0.9, -0.1])


def test_tempering_goes_half_the_way_and_leaves_the_waves() -> None:
    rng = np.random.default_rng(RNG_SEED)
    own, walk = made_table(rng, "back"), made_table(rng, "walk")
    slow = np.array([1.0, 0.9, 0.81, 0.0, 0.0])
    before = {role: np.array(table) for role, table in own.posture.items()}
    found = tempered(own, walk)
    for role in POSTURE:
        expected = np.array(before[role])
        expected[0, 0] = 0.5 * (expected[0, 0] + slow @ walk.posture[role][:, 0])
        np.testing.assert_allclose(found.posture[role], expected, atol=1e-12)
        np.testing.assert_array_equal(own.posture[role], before[role])


def test_a_family_without_cycles_is_refused() -> None:
    with pytest.raises(RequestError, match="'back'"):
        family_table("back", [])


def test_a_folder_without_captures_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match=r"MANIFEST\.csv"):
        fit(tmp_path)
    with pytest.raises(RequestError, match="no folder"):
        fit(tmp_path / "absent")


@needs_captures
def test_three_clips_give_finite_tables_that_are_right_in_the_mean() -> None:
    rows = [row for row in gait_rows(FOLDER) if row["file"].startswith("walk/")][:3]
    seen = [s for row in rows for s in samples(gait_clip(FOLDER, row)) if s.family == "walk"]
    table = family_table("walk", seen)
    assert table.clips == 3
    assert table.cycles == len(seen) >= 3
    assert all(np.isfinite(numbers).all() for numbers in arrays(table.plain()))
    # the constant is not held back, so what is left over sums to nothing, whatever was measured
    both = [*seen, *map(counterpart, seen)]
    weight, design = weights(both), design_of("walk", both)
    for name in SCALARS:
        left = np.array([s.scalars[name] for s in both]) - design @ table.scalars[name]
        np.testing.assert_allclose(weight @ left, 0.0, atol=1e-9)
    for k, role in enumerate(POSTURE):
        told = np.array([fourier(s.posture[:, k]) for s in both])
        left = told - np.tensordot(design, table.posture[role], axes=1)
        np.testing.assert_allclose(np.tensordot(weight, left, axes=1), 0.0, atol=1e-9)


@needs_captures
def test_a_stride_is_as_long_as_its_time_and_speed_say() -> None:
    """Strides come from footprints, periods from strikes, speeds from the hips: three that must agree."""
    row = next(row for row in gait_rows(FOLDER) if row["file"].startswith("walk/"))
    seen = list(samples(gait_clip(FOLDER, row)))
    ratios = [s.scalars["stride"][0] / (s.scalars["period"][0] * s.features["speed"]) for s in seen]
    assert np.median(ratios) == pytest.approx(1.0, abs=0.08)


@needs_captures
def test_no_array_is_as_long_as_a_clip() -> None:
    # of the clips that the fit reads; hand poses, which it does not, have a single frame
    read = {row["file"] for row in (*gait_rows(FOLDER), *jump_rows(FOLDER))} | set(STANDING)
    frames = {int(row["frames"]) for row in manifest() if row["file"] in read}
    kept = json.loads((files("footfall.actor") / "curves.json").read_text())
    lengths = {length for numbers in arrays(kept) for length in numbers.shape}
    assert len(frames) > 50
    assert lengths & frames == set()
    assert max(lengths) < min(frames)  # so that no stretch of one can be a whole clip either


def test_what_is_written_is_rounded_and_plain() -> None:
    written = plain({"a": {"b": np.array([1.0 / 3.0, 2.0])}, "version": 1})
    assert json.loads(json.dumps(written)) == {"a": {"b": [0.33333, 2.0]}, "version": 1}


def arrays(value: object) -> Iterator[np.ndarray]:
    """Every array or list in a tree of dictionaries."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from arrays(inner)
    elif isinstance(value, (list, np.ndarray)):
        yield np.asarray(value)
