"""Footprints on lines, bows, slopes and stairs lie where geometry puts them; guides follow them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.actor.gait.footing import Footprint, compose
from footfall.actor.gait.guide import Guide, dense_times, guide
from footfall.actor.gait.stance import Sole
from footfall.actor.gait.ways import (
    Advance,
    Track,
    flat_ground,
    lay,
    own_ground,
    sloping_ground,
    under_prints,
)
from footfall.actor.humanoid import humanoid
from footfall.actor.style import Style
from footfall.geometry import ground

BODY = humanoid()
LEG = BODY.leg_length()


@pytest.mark.parametrize("turn", [0.3, -0.2, 0.05])
@pytest.mark.parametrize("first", ["left", "right"])
def test_a_bow_is_a_circle(turn: float, first: str) -> None:
    """Both feet go round one centre, half the width inside and outside the way's radius."""
    length, width = 0.6, 0.16
    prints = lay([Advance(forward=length, turn=turn, seconds=0.5)] * 12, Track(width, 0.1), first)
    radius = length / turn  # to the left where positive
    for k, printed in enumerate(prints):
        sign = 1.0 if printed.foot == "left" else -1.0
        beside = radius - 0.5 * sign * width
        expected = [radius - beside * np.cos(k * turn), 0.0, beside * np.sin(k * turn)]
        assert_allclose(printed.place, expected, rtol=0, atol=1e-12)
        assert ground.wrap(printed.heading - k * turn - sign * 0.1) == pytest.approx(0.0, abs=1e-12)
    assert [p.foot for p in prints[1::2]] == [first] * 6


@pytest.mark.parametrize("origin", [0, 3])
def test_the_origin_lies_where_it_was_asked_for(origin: int) -> None:
    track = Track(0.2, 0.0)
    prints = lay([Advance(forward=0.5, turn=0.2, rise=0.1)] * 6, track, "left", origin=origin)
    sign = 1.0 if prints[origin].foot == "left" else -1.0
    assert_allclose(prints[origin].place, [0.1 * sign, 0.0, 0.0], rtol=0, atol=1e-12)
    assert prints[origin].heading == pytest.approx(0.0, abs=1e-12)


def test_together_begins_with_both_feet_side_by_side() -> None:
    prints = lay([Advance(), Advance(forward=0.5)], Track(0.2, 0.0), "right", together=True)
    assert [p.foot for p in prints] == ["left", "right", "left"]
    assert_allclose([p.place for p in prints], [[0.1, 0, 0], [-0.1, 0, 0], [0.1, 0, 0.5]], rtol=0, atol=1e-12)


@pytest.mark.parametrize("slope", [-0.2, 0.15])
def test_on_a_slope_soles_lie_in_the_plane(slope: float) -> None:
    step = Advance(forward=0.6, rise=0.6 * np.tan(slope))
    prints = lay([step] * 5, Track(0.2, 0.0, ahead=0.05), "left", inclined=True)
    height = sloping_ground(slope)
    for printed in prints:
        assert printed.place[1] == pytest.approx(float(height(printed.place)), abs=1e-12)
        assert_allclose(printed.normal, [0.0, np.cos(slope), -np.sin(slope)], rtol=0, atol=1e-12)
    around = prints[2].place + np.random.default_rng(0).uniform(-0.1, 0.1, (50, 3))
    assert_allclose(under_prints(prints)(around), height(around), rtol=0, atol=1e-12)


def test_every_sole_stands_on_its_own_block() -> None:
    """Also where feet stand closer than a foot is long."""
    sole = Sole.of(BODY, "left")
    prints = [Footprint("right", np.array([-0.1, 0.0, 0.0]), 0.0, 0.0)]
    prints += [Footprint("left", np.array([0.1, 0.1 * k, 0.32 * k]), 0.0, 0.5) for k in range(4)]
    height = own_ground(prints, sole)
    along = np.linspace(sole.heel[2], (sole.toe_joint + sole.tip)[2], 20)
    for printed in prints:
        soles = printed.place + along[:, None] * ground.FORWARD
        assert_allclose(height(soles), printed.place[1], rtol=0, atol=0)


def walked(advance: Advance, steps: int = 14) -> tuple[Guide, float]:
    prints = lay([advance] * steps, Track(0.15, 0.1), "left")
    score = compose(prints, Style(), LEG, flat_ground, stands_first=False, stands_last=False)
    times = dense_times(0.0, steps * advance.seconds)
    return guide(score.stances, times), advance.seconds


def middle(track: Guide, seconds: float) -> np.ndarray:
    """Away from both ends, where the way begins and ends."""
    return (track.times > 4 * seconds) & (track.times < 10 * seconds)


@pytest.mark.parametrize(("forward", "side"), [(0.7, 0.0), (-0.4, 0.0), (0.0, 0.3), (0.3, 0.2)])
def test_a_guide_goes_straight_at_its_pace(forward: float, side: float) -> None:
    track, seconds = walked(Advance(forward=forward, side=side, seconds=0.55))
    inside = middle(track, seconds)
    assert_allclose(track.forward[inside], forward / seconds, rtol=0.01, atol=2e-3)
    assert_allclose(track.side[inside], side / seconds, rtol=0.01, atol=2e-3)
    assert_allclose(track.turning[inside], 0.0, rtol=0, atol=1e-9)
    assert_allclose(track.heading[inside], 0.0, rtol=0, atol=1e-9)
    assert_allclose(track.stepping[inside], 1.0, rtol=0, atol=0.02)
    assert (track.running == 0.0).all()


@pytest.mark.parametrize("turn", [0.25, -0.3])
def test_a_guide_turns_at_its_rate(turn: float) -> None:
    track, seconds = walked(Advance(forward=0.6, turn=turn, seconds=0.5))
    inside = middle(track, seconds)
    assert_allclose(track.turning[inside], turn / seconds, rtol=0.01)
    assert_allclose(track.forward[inside], 0.6 / seconds, rtol=0.05)
    assert np.abs(track.side[inside]).max() < 0.03
    away = track.place[inside] - np.array([0.6 / turn, 0.0, 0.0])
    assert_allclose(np.linalg.norm(away, axis=-1), 0.6 / abs(turn), rtol=0.05)


def test_phase_is_whole_where_the_left_foot_strikes() -> None:
    advance = Advance(forward=0.6, seconds=0.5)
    prints = lay([advance] * 10, Track(0.15, 0.1), "left")
    score = compose(prints, Style(), LEG, flat_ground, stands_first=False, stands_last=False)
    times = dense_times(0.0, 5.0)
    phase = guide(score.stances, times).phase
    for stance in score.stances:
        own = 0.0 if stance.foot == "left" else 0.5
        apart = (float(np.interp(stance.strike, times, phase)) - own + 0.5) % 1.0 - 0.5
        assert apart == pytest.approx(0.0, abs=1e-6)
    assert (np.diff(phase) > 0.0).all()
    assert_allclose(np.diff(phase)[50:-50] * 240.0, 1.0, rtol=1e-6)


@pytest.mark.parametrize("rise", [0.12, -0.15])
def test_a_guide_climbs_with_its_footprints(rise: float) -> None:
    track, seconds = walked(Advance(forward=0.4, rise=rise, seconds=0.6))
    assert_allclose(track.climb[middle(track, seconds)], rise / seconds, rtol=0.01)
