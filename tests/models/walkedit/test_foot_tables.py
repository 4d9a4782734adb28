"""Tables of a captured stride: what stands does not move, no sole is under ground, the capture is in them."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation, Slerp

from footfall.figure.sole import Sole
from footfall.geometry import ground
from footfall.models.walkedit.cycle import FootCycle, WalkCycle
from footfall.models.walkedit.foot_tables import LANDING, ROLLING, SWING
from tests.models.walkedit.walks import both_feet, cycle_of, every_walk, turned

STANDS = 1e-6  # m that a point which stands may move on the ground plan
RAISED = 0.002  # m that a whole foot may be raised while it rolls
UNDER = 0.0003  # m that a sole may be under the ground between samples
LAY, ROLLS = LANDING, LANDING + 1  # samples at which a foot has come to lie, and begins to roll
OFF = LANDING + ROLLING + 1  # the sample at which it leaves


def found(name: str, side: str) -> tuple[WalkCycle, FootCycle, Sole]:
    cycle = cycle_of(name)
    return cycle, cycle.feet[side], Sole.of(cycle.skeleton, side)


def read(phases: np.ndarray, table: np.ndarray, at: np.ndarray) -> np.ndarray:
    return np.stack([np.interp(at, phases, column) for column in table.T], axis=-1)


def read_turns(phases: np.ndarray, table: np.ndarray, at: np.ndarray) -> np.ndarray:
    """By SciPy's slerp, along great circles."""
    out = Slerp(phases, Rotation.from_quat(table[:, [1, 2, 3, 0]]))(at).as_quat()
    return out[:, [3, 0, 1, 2]]


def sole_points(sole: Sole, ankle: np.ndarray, turn: np.ndarray, toe: np.ndarray | None) -> np.ndarray:
    """Heel, subtalar, ball and tip, by SciPy: (n, 4, 3)."""
    tip = np.broadcast_to(sole.tip, ankle.shape) if toe is None else turned(toe, sole.tip)
    local = [np.broadcast_to(p, ankle.shape) for p in (sole.heel, sole.subtalar, sole.ball)]
    return np.stack([ankle + turned(turn, point) for point in (*local, sole.toe_joint + tip)], axis=1)


@every_walk
@both_feet
def test_phases_run_from_strike_to_strike_through_the_events(name: str, side: str) -> None:
    _, foot, _ = found(name, side)
    assert len(foot.phases) == LANDING + ROLLING + SWING + 2
    assert_allclose(
        foot.phases[[0, LAY, ROLLS, OFF, -1]], [0.0, foot.flat, foot.lift, foot.off, 1.0], atol=1e-12
    )
    assert (np.diff(foot.phases) > 0.0).all()
    assert 0.0 < foot.flat < foot.lift < foot.off < 1.0
    for table in (foot.ankle, foot.turn, foot.coming, foot.coming_turn, foot.toe):
        assert table is not None
        assert len(table) == len(foot.phases)
        assert np.isfinite(table).all()
    for turns in (foot.turn, foot.coming_turn, foot.toe):
        assert turns is not None
        assert_allclose(np.linalg.norm(turns, axis=-1), 1.0, atol=1e-9)
        # one sign all along: they are mixed by straight lines
        assert np.sum(turns[1:] * turns[:-1], axis=-1).min() > 0.9


@every_walk
@both_feet
def test_what_a_foot_stands_on_does_not_move(name: str, side: str) -> None:
    _, foot, sole = found(name, side)
    landing, rolling = slice(0, LAY + 1), slice(ROLLS, OFF + 1)
    first = sole.heel if foot.heel_first else sole.toe_joint
    for part, pivot in ((landing, first), (rolling, sole.toe_joint)):
        places = foot.ankle[part] + turned(foot.turn[part], pivot)
        assert np.ptp(places[:, [0, 2]], axis=0).max() < STANDS
        # up only as far as another point of the sole must be kept out of the ground
        assert np.ptp(places[:, 1]) < RAISED
    # rolling off, it turns by some degrees: this is no foot that is held still
    swung = Rotation.from_quat(foot.turn[rolling][[0, -1]][:, [1, 2, 3, 0]])
    assert (swung[0].inv() * swung[1]).magnitude() > np.radians(5.0)


@every_walk
@both_feet
def test_a_flat_foot_lies_at_its_prints_origin(name: str, side: str) -> None:
    _, foot, sole = found(name, side)
    subtalar = foot.ankle + turned(foot.turn, sole.subtalar)
    assert_allclose(subtalar[[LAY, ROLLS]], 0.0, atol=STANDS)
    assert_allclose(foot.turn[LAY], foot.turn[ROLLS], atol=1e-12)
    # along the foot is +Z
    heel, _, ball, _ = sole_points(sole, foot.ankle[[LAY]], foot.turn[[LAY]], None)[0]
    assert abs(np.arctan2(*(ball - heel)[[0, 2]])) < np.radians(12.0)


@every_walk
@both_feet
def test_no_sole_is_under_its_ground(name: str, side: str) -> None:
    _, foot, sole = found(name, side)
    at = np.linspace(0.0, 1.0, 6001)
    toe = None if foot.toe is None else read_turns(foot.phases, foot.toe, at)
    for ankle, turn in ((foot.ankle, foot.turn), (foot.coming, foot.coming_turn)):
        points = sole_points(sole, read(foot.phases, ankle, at), read_turns(foot.phases, turn, at), toe)
        lowest = points[..., 1].min(axis=-1)
        assert lowest.min() > -UNDER
        # and in stance it is not over it either
        stands = at <= foot.off
        assert lowest[stands].max() < 0.004


@every_walk
@both_feet
def test_the_end_meets_the_beginning(name: str, side: str) -> None:
    cycle, foot, _ = found(name, side)
    assert_allclose(foot.coming[-1], foot.ankle[0], atol=1e-9)
    turns = Rotation.from_quat(np.stack([foot.coming_turn[-1], foot.turn[0]])[:, [1, 2, 3, 0]])
    assert (turns[0].inv() * turns[1]).magnitude() < 1e-6
    assert foot.toe is not None
    toes = Rotation.from_quat(foot.toe[[0, -1]][:, [1, 2, 3, 0]])
    assert (toes[0].inv() * toes[1]).magnitude() < 1e-6
    # a foot that strikes is stopped by the ground, within a frame: no more suddenly than the captured one was
    seconds = np.diff(foot.phases) * cycle.seconds
    lands = (foot.ankle[1] - foot.ankle[0]) / seconds[0] - (foot.coming[-1] - foot.coming[-2]) / seconds[-1]
    leaves = np.diff(foot.ankle[OFF - 1 : OFF + 2], axis=0) / seconds[OFF - 1 : OFF + 1, None]
    places = cycle.captured.of(f"{side}_foot")
    sudden = np.linalg.norm(np.diff(places, n=2, axis=0), axis=-1).max() * cycle.captured.fps
    assert np.linalg.norm(lands) < sudden
    assert np.linalg.norm(leaves[1] - leaves[0]) < sudden


@every_walk
@both_feet
def test_progress_runs_from_0_to_1_and_never_back(name: str, side: str) -> None:
    _, foot, _ = found(name, side)
    assert not foot.progress[: OFF + 1].any()
    assert foot.progress[-1] == 1.0
    assert (np.diff(foot.progress) >= 0.0).all()
    assert np.diff(foot.progress).max() < 3.0 / SWING  # no leaps: at most thrice as fast as on average
    assert_array_equal(foot.coming[: OFF + 1], foot.ankle[: OFF + 1])
    assert_array_equal(foot.coming_turn[: OFF + 1], foot.turn[: OFF + 1])


@every_walk
@both_feet
def test_progress_is_the_way_a_foot_has_made(name: str, side: str) -> None:
    """By the toe as it leaves, by the heel as it comes: as shares of their own ways."""
    _, foot, sole = found(name, side)
    for point, part in (
        (sole.toe_joint, slice(OFF, OFF + SWING // 4)),
        (sole.heel, slice(-SWING // 4, None)),
    ):
        places = foot.ankle + turned(foot.turn, point)
        way = places[-1] - places[OFF]
        made = (places - places[OFF]) @ way / (way @ way)
        assert np.abs(foot.progress - made)[part].max() < 0.03


@every_walk
@both_feet
def test_the_capture_is_in_the_tables(name: str, side: str) -> None:
    """Laid where the captured foot lay, they give its ankle back, from its strike to the end of the clip."""
    cycle, foot, sole = found(name, side)
    motion, frames = cycle.captured, len(cycle.captured) - 1
    start = cycle.strikes[side]
    joint = motion.skeleton.joint(f"{side}_foot")
    ankle, turn = motion.positions[start:, joint], motion.orientations[start:, joint]
    phase = np.arange(len(ankle)) / frames
    flat = (phase > foot.flat + 1e-9) & (phase < foot.lift - 1e-9)
    lies = np.median((ankle + turned(turn, sole.subtalar))[flat], axis=0)
    heading = ground.turn(cycle.headings[0 if side == "left" else 1])
    told = lies + turned(heading, read(foot.phases, foot.ankle, phase))
    away = np.linalg.norm(told - ankle, axis=-1)
    assert away[phase <= foot.off].mean() < 0.0003
    assert away.mean() < 0.0015
    assert away.max() < 0.008
