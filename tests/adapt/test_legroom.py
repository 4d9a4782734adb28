"""Legs that reach: lengths measured between hips and ankles, over feet that go anywhere."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.ndimage import gaussian_filter1d

from footfall.adapt.legroom import AIRY, EASY, GIVES, IN_TIME, NEARLY_STRAIGHT, STRAIGHTEST, Leg, coming_down
from footfall.geometry.ground import UP
from footfall.models.walkedit.foot_way import FootWay
from tests.models.walkedit.walks import edit_of, every_walk

REACH = 0.86  # m
FRAMES = 240


def wavy(rng: np.random.Generator, size: float) -> np.ndarray:
    values = gaussian_filter1d(rng.normal(size=FRAMES), 8.0, mode="wrap")
    return size * values / np.abs(values).max()


def leg_of(
    hip: np.ndarray, ankle: np.ndarray, captured: np.ndarray | float, share: np.ndarray | float = 0.0
) -> Leg:
    count = len(hip)
    share = np.broadcast_to(share, count).astype(float)
    turn = np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))
    stands = share == 0.0
    way = FootWay("left", np.zeros(count, dtype=int), share, ankle, turn, None, stands, stands)
    return Leg(REACH, hip, way, np.broadcast_to(captured, count).astype(float))


def random_legs(seed: int) -> list[Leg]:
    """Two feet that stand for six tenths of four cycles and swing for the rest, too far away now and then."""
    rng = np.random.default_rng(seed)
    legs = []
    for late in (0.0, 0.5):
        time = np.linspace(0.0, 4.0, FRAMES) + late
        hip = np.stack([0.0 * time, 0.82 + wavy(rng, 0.08), 0.0 * time], axis=-1)
        ankle = np.stack([wavy(rng, 0.2), 0.05 + np.abs(wavy(rng, 0.1)), wavy(rng, 0.5)], axis=-1)
        legs.append(leg_of(hip, ankle, 0.9 + wavy(rng, 0.1), np.clip((time % 1.0 - 0.6) / 0.4, 0.0, 1.0)))
    return legs


def lengths(leg: Leg, down: np.ndarray | float = 0.0, way: FootWay | None = None) -> np.ndarray:
    """Of a leg whose hip has come down, over its reach."""
    hip = leg.hip - np.multiply.outer(np.broadcast_to(down, len(leg.hip)), UP)
    return np.linalg.norm(hip - (way or leg.way).ankle, axis=-1) / leg.reach


def test_no_leg_is_longer_than_a_leg() -> None:
    for seed, fps in product(range(20), (30.0, 60.0, 120.0)):
        legs = random_legs(seed)
        assert max(lengths(leg).max() for leg in legs) > 1.0
        down = coming_down(legs, fps)
        for leg in legs:
            assert lengths(leg, down, leg.drawn_in(down)).max() < STRAIGHTEST + 1e-9


def test_the_body_comes_down_as_far_as_any_leg_needs() -> None:
    for seed, fps in product(range(20), (30.0, 60.0, 120.0)):
        legs = random_legs(seed)
        down = coming_down(legs, fps)
        assert down.min() > -1e-12
        for leg in legs:
            stands = leg.way.share == 0.0
            most = np.clip(leg.captured, EASY, STRAIGHTEST)
            # standing legs are no longer than captured ones, swinging ones hardly
            assert (lengths(leg, down)[stands] <= most[stands] + 1e-9).all()
            assert (lengths(leg, down) <= most + AIRY + 1e-9).all()


def test_the_body_comes_down_by_no_more_than_one_leg_needs() -> None:
    """One frame of a leg that is too long, by hand: from 0.94 m away to 0.95 of 0.86 m."""
    hip, ankle = np.tile([0.0, 0.9, 0.0], (201, 1)), np.tile([0.0, 0.1, 0.0], (201, 1))
    ankle[100] = [0.0, 0.06, 0.42]
    leg = leg_of(hip, ankle, 0.9)
    down = coming_down([leg], 100.0)
    needed = 0.84 - np.sqrt((EASY * REACH) ** 2 - 0.42**2)
    assert down.max() == pytest.approx(needed, abs=1e-12)
    assert down[100] == down.max()
    # smoothly and in good time, and no longer than that
    early = int(3.0 * IN_TIME * 100.0) + 1
    assert np.abs(np.delete(down, np.arange(100 - early, 101 + early))).max() < 1e-12
    assert_allclose(down, down[::-1], atol=1e-12)
    assert np.diff(down[:101]).min() >= -1e-12
    assert np.abs(np.diff(down, n=2)).max() < 1.5 * needed / (IN_TIME * 100.0) ** 2


@pytest.mark.parametrize("seed", range(10))
def test_the_body_comes_down_smoothly_and_not_much_farther(seed: int) -> None:
    legs = random_legs(seed)
    down = coming_down(legs, 60.0)
    # by hand: how far each hip is above where its leg is as long as it may be while it stands
    needed = 0.0
    for leg in legs:
        most = REACH * np.clip(leg.captured, EASY, STRAIGHTEST)
        away = leg.hip - leg.way.ankle
        high = away[:, 1] - np.sqrt(np.maximum(most**2 - away[:, 0] ** 2 - away[:, 2] ** 2, 0.0))
        needed = max(needed, float(high.max()))
    assert needed > 0.05
    assert down.max() < 1.6 * needed
    # its rate changes by no more than that of a bell
    assert np.abs(np.diff(down, n=2)).max() < 1.5 * needed / (IN_TIME * 60.0) ** 2


@pytest.mark.parametrize("seed", range(10))
def test_where_legs_are_as_captured_nothing_is_changed(seed: int) -> None:
    legs = []
    for leg in random_legs(seed):
        # bring each hip to where its leg is no longer than one may be
        away = leg.hip - leg.way.ankle
        away *= np.minimum(1.0, 0.99 * REACH / np.linalg.norm(away, axis=-1))[:, None]
        leg = replace(leg, hip=leg.way.ankle + away)
        legs.append(replace(leg, captured=lengths(leg)))
    down = coming_down(legs, 60.0)
    assert np.abs(down).max() < 1e-12
    for leg in legs:
        assert_allclose(leg.drawn_in(down).ankle, leg.way.ankle, atol=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_a_standing_foot_stays_where_it_stands(seed: int) -> None:
    legs = random_legs(seed)
    down = coming_down(legs, 60.0)
    for leg in legs:
        drawn = leg.drawn_in(down)
        stands = leg.way.share == 0.0
        assert_allclose(drawn.ankle[stands], leg.way.ankle[stands], atol=1e-12)
        assert_array_equal(drawn.turn, leg.way.turn)
        # in the air it is drawn up, or in where even that does not do; never down
        moved = drawn.ankle - leg.way.ankle
        assert moved[:, 1].min() > -1e-12
        # before the middle of a swing only what no leg reaches is changed
        early = (leg.way.share < 0.5) & (lengths(leg, down) <= STRAIGHTEST)
        assert_allclose(moved[early], 0.0, atol=1e-12)


def test_late_in_a_swing_a_foot_is_drawn_up_rather_than_the_knee_snapped_open() -> None:
    share = np.linspace(0.0, 1.0, 401)
    hip = np.tile([0.0, 0.9, 0.0], (401, 1))
    ankle = np.tile([0.0, 0.14, 0.37], (401, 1))  # all along as far away as 0.983 of the leg
    leg = leg_of(hip, ankle, 0.93, share)
    drawn = leg.drawn_in(np.zeros(401))
    up = drawn.ankle[:, 1] - ankle[:, 1]
    assert up[(share > 0.6) & (share < 0.9)].max() > 0.01
    assert lengths(leg, 0.0, drawn).min() > 0.93  # not shorter than it was captured
    assert np.abs(up[share < 0.5]).max() < 1e-12
    assert up[-1] < 1e-9  # where it lands it must be
    assert np.abs(np.diff(up)).max() < 1e-3  # no jump
    assert_array_equal(drawn.ankle[:, [0, 2]], ankle[:, [0, 2]])
    # where it was as long when it was captured, nothing is done
    assert_allclose(replace(leg, captured=lengths(leg)).drawn_in(np.zeros(401)).ankle, ankle, atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_given_is_left_alone(seed: int) -> None:
    legs = random_legs(seed)
    kept = [(leg.hip.copy(), leg.way.ankle.copy(), leg.captured.copy()) for leg in legs]
    down = coming_down(legs, 60.0)
    for leg in legs:
        leg.drawn_in(down)
    for leg, (hip, ankle, captured) in zip(legs, kept, strict=True):
        assert_array_equal(leg.hip, hip)
        assert_array_equal(leg.way.ankle, ankle)
        assert_array_equal(leg.captured, captured)


@every_walk
@pytest.mark.parametrize(
    "asked", [{}, {"step_length": 1.0}, {"stairs": (-0.2, 0.3)}, {"slope": -0.3}], ids=str
)
def test_legs_of_finished_walks_are_no_straighter(name: str, asked: dict[str, float]) -> None:
    edit = edit_of(name)
    walk = edit.synthesize(**asked)  # type: ignore[arg-type]
    for side in ("left", "right"):

        def extension(motion: object, side: str = side) -> float:
            thigh, shank, foot = (motion.of(f"{side}_{part}") for part in ("thigh", "shank", "foot"))  # type: ignore[attr-defined]
            bones = np.linalg.norm(thigh - shank, axis=-1) + np.linalg.norm(shank - foot, axis=-1)
            return float((np.linalg.norm(thigh - foot, axis=-1) / bones).max())

        assert extension(walk) < max(STRAIGHTEST, extension(edit.cycle.captured)) + 1e-6


@pytest.mark.parametrize("seed", range(8))
def test_feet_in_the_air_are_drawn_in_rather_than_the_body_let_down(seed: int) -> None:
    legs = [replace(leg, flying=0.1) for leg in random_legs(seed)]
    plain, down = coming_down(random_legs(seed), 60.0), coming_down(legs, 60.0)
    assert down.sum() < plain.sum()
    for leg in legs:
        way = leg.drawn_in(down)
        stands = leg.way.share == 0.0
        assert lengths(leg, down, way).max() <= STRAIGHTEST + 1e-9
        assert_allclose(way.ankle[stands], leg.way.ankle[stands], atol=1e-15)
        # no farther from the hip, and nothing where the leg is well bent
        assert (lengths(leg, down, way) <= lengths(leg, down) + 1e-12).all()
        easy = lengths(leg, down) < np.minimum(leg.captured, STRAIGHTEST - NEARLY_STRAIGHT) - 0.05
        assert_allclose(way.ankle[easy], leg.way.ankle[easy], atol=1e-3)


def test_legs_come_to_their_full_length_without_a_stop() -> None:
    """A foot that goes away from its hip at a steady pace: the leg's rate has no corner."""
    away = np.linspace(0.93, 1.09, 2001) * REACH
    hip = np.tile([0.0, 1.0, 0.0], (len(away), 1))
    ankle = hip - away[:, None] * np.array([0.0, 0.8, 0.6])
    leg = replace(leg_of(hip, ankle, 1.0, 0.4), flying=0.1)
    length = lengths(leg, 0.0, leg.drawn_in(np.zeros(len(away))))
    rate = np.diff(length) / np.diff(away / REACH)
    assert (rate >= -1e-9).all()
    assert rate[0] == pytest.approx(1.0)
    assert np.abs(np.diff(rate)).max() < 0.02
    assert length.max() <= STRAIGHTEST


def test_legs_are_straighter_before_the_body_comes_down_far() -> None:
    """A foot that stands farther and farther away: no leg is too long, and more of it counts the less."""
    far = np.linspace(0.0, 0.12, 400)
    hip = np.tile([0.0, 1.0, 0.0], (len(far), 1))
    ankle = hip - (0.98 * REACH + far)[:, None] * UP
    leg = replace(leg_of(hip, ankle, 0.9), easy=0.98, flying=0.1)
    needed = leg.too_high()
    assert (np.diff(needed) > 0.0).all()
    assert_allclose(needed[far < GIVES[0]], far[far < GIVES[0]], atol=1e-12)
    enough = far > GIVES[1] + 1e-9
    assert_allclose(needed[enough], far[enough] - (STRAIGHTEST - 0.98) * REACH, atol=1e-12)
    assert (lengths(leg, needed) <= STRAIGHTEST + 1e-12).all()
