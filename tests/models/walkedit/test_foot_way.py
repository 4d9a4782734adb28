"""Ways of feet over their prints: as captured, displaced with a print, stretched with the steps, lagging."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from footfall.figure.sole import Sole
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.walkedit.cycle import FootCycle, WalkCycle
from footfall.models.walkedit.foot_way import FootWay, foot_way, lagging
from footfall.models.walkedit.steps import Footprints
from footfall.models.walkedit.swing_lift import LAGS
from tests.models.walkedit.walks import as_captured, both_feet, cycle_of, every_walk, turned

CYCLE = 2.0  # phase from which a walk is looked at, in the middle of its prints


def found(name: str, side: str) -> tuple[WalkCycle, FootCycle, Footprints]:
    cycle = cycle_of(name)
    return cycle, cycle.feet[side], as_captured(cycle, 12).prints


def at_samples(cycle: WalkCycle, foot: FootCycle, prints: Footprints, number: float = CYCLE) -> FootWay:
    """At the phases of the foot's own tables; the last sample belongs to the next cycle."""
    strike = cycle.strike_phase(foot.side)
    return foot_way(foot, prints, number + strike + foot.phases[:-1], strike)


def apart(one: np.ndarray, other: np.ndarray) -> float:
    """The largest angle between turns."""
    a, b = (Rotation.from_quat(turns[:, [1, 2, 3, 0]]) for turns in (one, other))
    return float((a.inv() * b).magnitude().max())


def composed(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    one = Rotation.from_quat(np.broadcast_to(left, right.shape)[:, [1, 2, 3, 0]])
    return (one * Rotation.from_quat(right[:, [1, 2, 3, 0]])).as_quat()[:, [3, 0, 1, 2]]


@every_walk
@both_feet
def test_over_captured_prints_a_foot_goes_as_its_tables_say(name: str, side: str) -> None:
    cycle, foot, prints = found(name, side)
    way = at_samples(cycle, foot, prints)
    (k,) = set(way.at.tolist())
    assert prints.side(k) == side
    # print k is struck at this very phase, and the next of this foot is a stride farther on
    assert_allclose(prints.places[k + 2] - prints.places[k], [0.0, 0.0, sum(cycle.step_lengths)], atol=1e-9)
    beside = turned(prints.lying[k], foot.ankle[:-1]) + prints.places[k]
    coming = turned(prints.lying[k + 2], foot.coming[:-1]) + prints.places[k + 2]
    stands = foot.phases[:-1] <= foot.off
    assert_allclose(way.ankle[stands], beside[stands], atol=1e-9)
    assert apart(way.turn[stands], composed(prints.lying[k], foot.turn[:-1])[stands]) < 1e-6
    # in the air it passes from the one telling to the other
    share = foot.progress[:-1, None]
    assert_allclose(way.ankle, beside + share * (coming - beside), atol=1e-9)
    assert_allclose(way.share, np.clip((foot.phases[:-1] - foot.off) / (1.0 - foot.off), 0.0, 1.0), atol=1e-9)
    assert way.toe is not None
    assert foot.toe is not None
    assert apart(way.toe, foot.toe[:-1]) < 1e-6


@every_walk
@both_feet
def test_a_way_goes_on_from_cycle_to_cycle(name: str, side: str) -> None:
    cycle, foot, prints = found(name, side)
    one, next_one = (at_samples(cycle, foot, prints, number) for number in (CYCLE, CYCLE + 1.0))
    assert_allclose(
        next_one.ankle - one.ankle, np.tile([0.0, 0.0, sum(cycle.step_lengths)], (len(one.at), 1)), atol=1e-9
    )
    # no jump where one ends and the next begins
    strike = CYCLE + 1.0 + cycle.strike_phase(side)
    seam = foot_way(foot, prints, strike + np.array([-1e-7, 1e-7]), cycle.strike_phase(side))
    assert np.linalg.norm(np.diff(seam.ankle, axis=0)) < 1e-5
    assert apart(seam.turn[:1], seam.turn[1:]) < 1e-4


@every_walk
@both_feet
def test_heel_and_toe_touch_in_turn(name: str, side: str) -> None:
    cycle, foot, prints = found(name, side)
    u = np.linspace(0.0, 0.999, 1500)
    way = foot_way(foot, prints, CYCLE + cycle.strike_phase(side) + u, cycle.strike_phase(side))
    assert foot.heel_first
    assert_array_equal(way.heel_down, u <= foot.lift)
    assert_array_equal(way.toe_down, (u >= foot.flat) & (u <= foot.off))
    assert_array_equal(way.share > 0.0, u > foot.off)


@every_walk
@both_feet
@pytest.mark.parametrize("seed", range(3))
def test_a_displaced_print_displaces_its_stance_and_no_other(name: str, side: str, seed: int) -> None:
    cycle, foot, prints = found(name, side)
    rng = np.random.default_rng(seed)
    strike = cycle.strike_phase(side)
    phase = strike + np.linspace(0.5, 4.5, 3001)
    before = foot_way(foot, prints, phase, strike)
    k = int(at_samples(cycle, foot, prints).at[0])
    places, headings, normals = prints.places.copy(), prints.headings.copy(), prints.normals.copy()
    places[k] += rng.uniform(-0.3, 0.3, 3)
    headings[k] += rng.uniform(-0.5, 0.5)
    normals[k] = np.array([rng.uniform(-0.3, 0.3), 1.0, rng.uniform(-0.3, 0.3)])
    normals[k] /= np.linalg.norm(normals[k])
    moved = replace(prints, places=places, headings=headings, normals=normals)
    after = foot_way(foot, moved, phase, strike)
    # as one solid, from the old print to the new one
    lies = composed(moved.lying[k], quat.conjugate(prints.lying[k])[None])
    assert_allclose(turned(moved.lying[k], ground.UP), normals[k], atol=1e-12)
    stance = (before.at == k) & (before.share == 0.0)
    assert stance.sum() > 100
    wanted = places[k] + turned(lies[0], before.ankle[stance] - prints.places[k])
    assert_allclose(after.ankle[stance], wanted, atol=1e-9)
    assert apart(after.turn[stance], composed(lies[0], before.turn[stance])) < 1e-6
    # only the swings to it and from it know of it
    others = (before.share == 0.0) & ~stance
    others |= ~np.isin(before.at, (k - 2, k))
    assert_array_equal(after.ankle[others], before.ankle[others])
    assert_array_equal(after.turn[others], before.turn[others])
    # and neither jumps
    assert np.linalg.norm(np.diff(after.ankle, axis=0), axis=-1).max() < 0.02


@every_walk
@both_feet
@pytest.mark.parametrize("scale", [0.5, 0.8, 1.3])
def test_over_stretched_prints_displacements_are_the_captured_ones_scaled(
    name: str, side: str, scale: float
) -> None:
    """[walk] 5.1."""
    cycle, foot, prints = found(name, side)
    stretched = replace(prints, places=prints.places * np.array([1.0, 1.0, scale]))
    one, other = (at_samples(cycle, foot, p) for p in (prints, stretched))
    air = one.share > 0.0
    off = int(np.flatnonzero(~air)[-1])
    sole = Sole.of(cycle.skeleton, side)
    stride = sum(cycle.step_lengths)
    # neither aside nor up is anything changed, nor how the foot is turned
    assert_allclose(other.ankle[:, :2], one.ankle[:, :2], atol=1e-9)
    assert apart(other.turn, one.turn) < 1e-6
    # how far a foot has come since it left: by its toe early, by its heel late, by its ankle nearly so
    quarter = air.sum() // 4
    for point, part, within in (
        (sole.toe_joint, np.flatnonzero(air)[:quarter], 0.03),
        (sole.heel, np.flatnonzero(air)[-quarter:], 0.03),
        (np.zeros(3), np.flatnonzero(air), 0.09),
    ):
        came = [(w.ankle + turned(w.turn, point))[:, 2] for w in (one, other)]
        captured, scaled = (z - z[off] for z in came)
        error = np.abs(scaled - scale * captured)[part]
        assert error.max() < within * abs(scale - 1.0) * stride
    # near either print it moves as it was captured
    left = one.ankle - prints.places[one.at[0]]
    left_now = other.ankle - stretched.places[other.at[0]]
    near = off + 3
    assert np.abs(left_now - left)[: near + 1].max() < 0.002
    arrives = one.ankle - prints.places[one.at[0] + 2]
    arrives_now = other.ankle - stretched.places[other.at[0] + 2]
    assert np.abs(arrives_now - arrives)[-3:].max() < 0.012


def share_and_lag() -> tuple[np.ndarray, np.ndarray]:
    share = np.linspace(0.0, 1.0, 20_001)
    return share, np.array([-0.18, -0.09, -0.01, 0.0, 0.01, 0.09, 0.18])


def test_lagging_keeps_both_ends_and_their_rates() -> None:
    share, lags = share_and_lag()
    for lag in lags:
        late = lagging(share, np.full(len(share), lag))
        assert late[0] == 0.0
        assert late[-1] == 1.0
        rate = np.diff(late) / np.diff(share)
        assert_allclose(rate[[0, -1]], 1.0, atol=2e-3)
        assert rate.min() > 0.0  # never backwards, nor standing still


def test_lagging_is_late_by_the_lag_at_most() -> None:
    share, lags = share_and_lag()
    for lag in lags:
        behind = share - lagging(share, np.full(len(share), lag))
        # up before on is late early in the swing, on before down is ahead late in it
        assert np.abs(behind).max() == pytest.approx(abs(lag), abs=1e-6)
        if lag:
            assert share[np.argmax(np.abs(behind))] == pytest.approx(
                1.0 / 3.0 if lag > 0.0 else 2.0 / 3.0, abs=1e-3
            )
            assert (np.sign(lag) * behind >= -1e-12).all()


def test_lagging_backwards_is_its_mirror_image() -> None:
    share, lags = share_and_lag()
    for lag in lags:
        mirrored = 1.0 - lagging(1.0 - share, np.full(len(share), -lag))
        assert_allclose(lagging(share, np.full(len(share), lag)), mirrored, atol=1e-12)


def test_the_lags_that_are_tried_are_allowed() -> None:
    assert max(LAGS) <= 0.18
    # a lag much larger would let the foot go backwards
    share, _ = share_and_lag()
    assert np.diff(lagging(share, np.full(len(share), 0.6))).min() < 0.0


@every_walk
@both_feet
@pytest.mark.parametrize("lag", [-0.18, 0.18])
def test_a_lag_moves_a_swing_in_time_on_the_ground_plan_alone(name: str, side: str, lag: float) -> None:
    cycle, foot, prints = found(name, side)
    strike = cycle.strike_phase(side)
    phase = CYCLE + strike + np.linspace(0.0, 0.9999, 4001)
    plain = foot_way(foot, prints, phase, strike)
    (k,) = set(plain.at.tolist())
    lags = np.zeros(len(prints))
    lags[k + 2] = lag
    late = foot_way(foot, replace(prints, lags=lags), phase, strike)
    assert_array_equal(late.ankle[:, 1], plain.ankle[:, 1])
    assert_array_equal(late.turn, plain.turn)
    stands = plain.share == 0.0
    assert_array_equal(late.ankle[stands], plain.ankle[stands])
    # where it is then, it is at another moment otherwise
    moment = foot.off + lagging(plain.share, np.full(len(phase), lag)) * (1.0 - foot.off)
    for axis in (0, 2):
        other = np.interp(moment, phase - phase[0], plain.ankle[:, axis])
        assert_allclose(late.ankle[~stands, axis], other[~stands], atol=2e-5)
    sooner = late.ankle[:, 2] - plain.ankle[:, 2]
    assert (np.sign(lag) * sooner < 1e-6).all()
    assert np.abs(sooner).max() > 0.05
    # a swing that arrives elsewhere does not lag
    lags = np.roll(lags, 2)
    assert_array_equal(foot_way(foot, replace(prints, lags=lags), phase, strike).ankle, plain.ankle)


landed = pytest.mark.parametrize("scale", [0.5, 0.0, -0.3, -0.6])


@every_walk
@both_feet
def test_a_landing_left_as_it_is_is_the_captured_one(name: str, side: str) -> None:
    cycle, foot, prints = found(name, side)
    plain = at_samples(cycle, foot, prints)
    same = at_samples(cycle, foot, replace(prints, landings=np.ones(len(prints))))
    assert_array_equal(same.ankle, plain.ankle)
    assert_array_equal(same.turn, plain.turn)
    assert_array_equal(same.heel_down, plain.heel_down)
    assert_array_equal(same.toe_down, plain.toe_down)


@every_walk
@both_feet
@landed
def test_a_foot_lands_otherwise_about_a_point_that_stands(name: str, side: str, scale: float) -> None:
    """Less steeply on its heel, flat at 0, and on its ball below: there it turns the other way."""
    cycle, foot, prints = found(name, side)
    other = replace(prints, landings=np.full(len(prints), scale))
    plain, way = (at_samples(cycle, foot, p) for p in (prints, other))
    landing = foot.phases[:-1] < foot.flat - 1e-9
    sole = Sole.of(cycle.skeleton, side)
    pivot = sole.toe_joint if scale < 0.0 else sole.heel
    places = (way.ankle + turned(way.turn, pivot))[landing]
    assert np.ptp(places[:, [0, 2]], axis=0).max() < 1e-6
    assert np.ptp(places[:, 1]) < 0.0005
    # turned from the flat foot by so much of what it was, about the same axis
    k = int(way.at[0])
    lying = Rotation.from_quat(composed(prints.lying[k], foot.lying[None])[:, [1, 2, 3, 0]])
    was, now = (
        (lying.inv() * Rotation.from_quat(w.turn[landing][:, [1, 2, 3, 0]])).as_rotvec() for w in (plain, way)
    )
    assert_allclose(now, scale * was, atol=1e-6)
    # what touches then
    assert (way.heel_down[landing] == (scale >= 0.0)).all()
    assert (way.toe_down[landing] == (scale <= 0.0)).all()
    # from when it lies to when it leaves it is as captured
    rest = ~landing & (plain.share == 0.0)
    assert_allclose(way.ankle[rest], plain.ankle[rest], atol=1e-12)
    assert_allclose(way.turn[rest], plain.turn[rest], atol=1e-12)


@every_walk
@both_feet
@landed
def test_a_swing_is_led_into_another_landing(name: str, side: str, scale: float) -> None:
    cycle, foot, prints = found(name, side)
    strike = cycle.strike_phase(side)
    phase = CYCLE + strike + np.linspace(foot.off, 1.0 + foot.flat, 4001)
    other = replace(prints, landings=np.full(len(prints), scale))
    plain, way = (foot_way(foot, p, phase, strike) for p in (prints, other))
    # as captured at first, without a jump anywhere, nor into the ground
    early = phase - phase[0] < 0.2 * (1.0 - foot.off)
    assert_allclose(way.ankle[early], plain.ankle[early], atol=1e-9)
    steps = [np.linalg.norm(np.diff(w.ankle, axis=0), axis=-1).max() for w in (plain, way)]
    assert steps[1] < 1.2 * steps[0] + 1e-5
    turns = Rotation.from_quat(way.turn[:, [1, 2, 3, 0]])
    assert (turns[:-1].inv() * turns[1:]).magnitude().max() < 0.01
    sole = Sole.of(cycle.skeleton, side)
    assert way.toe is not None
    points = [sole.heel, sole.subtalar, sole.ball, sole.toe_joint + turned(way.toe, sole.tip)]
    lowest = np.min([(way.ankle + turned(way.turn, point))[:, 1] for point in points], axis=0)
    assert lowest.min() > -0.001
