"""One frame of a walk, compiled, against the figure that its state stands for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from footfall.figure.contacts import SIDES
from footfall.figure.sole import Sole
from footfall.geometry import quaternion as quat
from footfall.models.ring import layout
from footfall.models.ring.easing_kernel import tilt_at, weights_at
from footfall.models.ring.model import MotionRing
from footfall.models.ring.playing import played
from footfall.models.ring.walk_kernel import walk_on
from footfall.models.ring.walker import RingWalker
from footfall.world.mesh import MeshTerrain
from tests.models.ring.plain_ground import bumps, generated, staircase, table, walker_on
from tests.models.ring.plain_ring import (
    Figure,
    about_y,
    but_toes,
    path_at,
    placed,
    share_of,
    strike,
    weights_of,
)
from tests.models.ring.rings import small_ring

GROUNDS = {
    "level": (lambda: table(60.0, 60.0), 0.0, 0.0),
    "bumps": (bumps, 10.0, 10.0),
    "stairs": (staircase, 0.0, -1.0),
    "stones": (lambda: generated("stones"), 0.0, 0.0),
}


@cache
def combined_ring() -> MotionRing:
    """Of the small ring what goes straight ahead: turned directly."""
    ring = small_ring()
    turns = [sum(h[k, -1] - h[1 - k, 0] for k in (0, 1)) for h in ring.headings]
    kept = [k for k, turn in enumerate(turns) if abs(turn) < 0.05]
    assert len(kept) == 3
    return replace(
        ring,
        combined=True,
        scores=ring.scores[kept],
        seconds=ring.seconds[kept],
        headings=ring.headings[kept],
        anchors=ring.anchors[kept],
        contacts=ring.contacts[kept],
        names=tuple(ring.names[k] for k in kept),
    )


def on(ring: MotionRing, ground: str) -> RingWalker:
    terrain, x, z = GROUNDS[ground]
    return walker_on(ring, terrain(), x, z)


def wish(walker: RingWalker, rng: np.random.Generator) -> None:
    heading = walker.state[layout.HEADING] + rng.normal(0.0, 0.5)
    walker.wish(heading=heading, step_length=rng.uniform(0.3, 0.9))


def same_figure(pose: np.ndarray, figure: Figure, near: float = 2e-5) -> None:
    """Joints are summed in single precision: 1e-6 rad each."""
    assert_allclose(pose[:3], figure.root, atol=near)
    away = quat.angle_between(pose[3:].reshape(-1, 4), figure.rotations)
    assert away[but_toes(figure.skeleton)].max() < near


def random_state(rng: np.random.Generator, loops: int = 5) -> np.ndarray:
    state = np.zeros(layout.state_size(loops, 3))
    state[layout.SCALARS : layout.SCALARS + 3 * loops] = rng.normal(0.0, 1.0, 3 * loops)
    state[layout.EASED_FROM] = rng.uniform(0.0, 0.5)
    state[layout.TILT_FROM : layout.TILT_TO + 3] = rng.normal(0.0, 0.3, 9)
    return state


def eased_at(state: np.ndarray, share: float, loops: int = 5) -> tuple[np.ndarray, np.ndarray]:
    weights, rates = np.empty(loops), np.empty(loops)
    weights_at(loops, state, share, weights, rates)
    return weights, rates


def test_weights_are_hermites_cubic_by_scipy() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        state = random_state(rng)
        for share in rng.uniform(0.0, 1.0, 10):
            assert_allclose(eased_at(state, share)[0], weights_of(state, 5, share), atol=1e-12)


def test_rates_are_the_slopes_of_the_weights() -> None:
    rng, step = np.random.default_rng(2), 1e-6
    for _ in range(20):
        state = random_state(rng)
        for share in rng.uniform(state[layout.EASED_FROM] + 0.01, layout.ARRIVED - 0.01, 5):
            slope = (eased_at(state, share + step)[0] - eased_at(state, share - step)[0]) / (2.0 * step)
            assert_allclose(eased_at(state, share)[1], slope, atol=1e-6)
            for c in range(3):
                ahead, behind = tilt_at(state, share + step, c)[0], tilt_at(state, share - step, c)[0]
                assert tilt_at(state, share, c)[1] == pytest.approx((ahead - behind) / (2.0 * step), abs=1e-6)


def test_weights_begin_as_they_are_and_arrive_at_rest() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        state = random_state(rng)
        first, rate, last = state[layout.SCALARS : layout.SCALARS + 15].reshape(3, 5)
        begun = eased_at(state, state[layout.EASED_FROM])
        assert_allclose(begun[0], first, atol=1e-14)
        assert_allclose(begun[1], rate, atol=1e-12)
        for share in (layout.ARRIVED, 0.95, 1.0):
            there = eased_at(state, share)
            assert_allclose(there[0], last, atol=1e-14)
            assert_allclose(there[1], 0.0, atol=1e-12)


def test_a_new_wish_changes_neither_weights_nor_their_rates_at_once() -> None:
    """Re-targeting within a half cycle: value and rate go on, only where they lead is another place."""
    walker, rng, changed = on(small_ring(), "bumps"), np.random.default_rng(4), 0
    for _ in range(600):
        walker.advance(1 / 60)
        share = share_of(walker.ring, walker.state)
        if not 0.05 < share < 0.45:
            continue
        before, target = eased_at(walker.state, share), planned(walker)
        wish(walker, rng)
        walker.advance(0.0)
        after = eased_at(walker.state, share)
        assert_allclose(after[0], before[0], atol=1e-12)
        assert_allclose(after[1], before[1], atol=1e-9)
        changed += bool(np.abs(planned(walker) - target).max() > 1e-3)
        assert walker.state[layout.EASED_FROM] == pytest.approx(share, abs=1e-12)
    assert changed > 20


def planned(walker: RingWalker) -> np.ndarray:
    loops = len(walker.ring)
    return walker.state[layout.SCALARS + 2 * loops : layout.SCALARS + 3 * loops].copy()


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("ring_of", [small_ring, combined_ring])
def test_every_frame_is_the_figure_of_its_state(ring_of: Callable[[], MotionRing], ground: str) -> None:
    """Weights, the turned frame, the anchor, both soles, the root: put together plainly, frame by frame."""
    ring, rng = ring_of(), np.random.default_rng(5)
    walker = on(ring, ground)
    for k in range(160):
        if k % 17 == 0:
            wish(walker, rng)
        walker.advance(rng.uniform(0.0, 1 / 20))
        same_figure(walker.pose, placed(ring, walker.state))


@pytest.mark.parametrize("ground", GROUNDS)
def test_the_support_toe_is_where_its_path_is(ground: str) -> None:
    """Whatever weights and joints do, the toe joint that stands is put exactly on its anchor."""
    ring, rng = small_ring(), np.random.default_rng(6)
    walker = on(ring, ground)
    for k in range(200):
        if k % 13 == 0:
            wish(walker, rng)
        walker.advance(1 / 60)
        state, share = walker.state, share_of(ring, walker.state)
        if state[layout.EXTRA_FROM] or state[layout.EXTRA_TO]:
            continue
        half = int(state[layout.HALF])
        figure = Figure(ring.skeleton, walker.pose[3:].reshape(-1, 4).copy(), walker.pose[:3].copy())
        toe = figure.place(SIDES[half], Sole.of(ring.skeleton, SIDES[half]).toe_joint)
        anchor, _ = path_at(ring.tables, weights_of(state, len(ring), share), half, share)
        assert_allclose(
            toe, state[layout.ORIGIN :][:3] + about_y(state[layout.HEADING]).apply(anchor), atol=1e-9
        )


def test_a_toe_that_stands_alike_in_all_loops_stands_still_whatever_the_weights_do() -> None:
    ring = small_ring()
    anchors = np.broadcast_to(ring.anchors[:1, :, :1], ring.anchors.shape).copy()
    still = replace(ring, anchors=anchors)
    walker, rng = on(still, "level"), np.random.default_rng(7)
    places: list[np.ndarray] = []
    strikes = walker.state[layout.STRIKES]
    for k in range(400):
        if k % 11 == 0:
            wish(walker, rng)
        walker.advance(1 / 120)
        if walker.state[layout.STRIKES] != strikes:
            strikes, places = walker.state[layout.STRIKES], []
        side = SIDES[int(walker.state[layout.HALF])]
        figure = Figure(ring.skeleton, walker.pose[3:].reshape(-1, 4).copy(), walker.pose[:3].copy())
        places.append(figure.place(side, Sole.of(ring.skeleton, side).toe_joint))
        moved = np.ptp(places, axis=0)
        assert moved[[0, 2]].max() < 1e-9  # m
        assert moved[1] < 0.02  # to the level of its ground
    assert strikes > 4


@pytest.mark.parametrize(
    ("ring_of", "ground"), [(small_ring, "level"), (small_ring, "stairs"), (combined_ring, "level")]
)
def test_strikes_hand_over_without_a_jump(ring_of: Callable[[], MotionRing], ground: str) -> None:
    """Just before and after a foot has come down, root and joints are the same: only the frame is new."""
    ring, rng = ring_of(), np.random.default_rng(8)
    walker, seen = on(ring, ground), 0
    for _ in range(12):
        if rng.random() < 0.6:
            wish(walker, rng)
        state = walker.state
        while share_of(ring, state) < 0.9 and walker.status.says != "standing":
            walker.advance(1 / 60)
        left = ring.tables.half * (1.0 - share_of(ring, state)) * state[layout.SECONDS] / state[layout.PACE]
        if walker.status.says == "standing" or not left < 1.0:
            break
        # in two goes, for the clock changes its pace on the way
        walker.advance(left * (1.0 - 1e-3))
        left = ring.tables.half * (1.0 - share_of(ring, state)) * state[layout.SECONDS] / state[layout.PACE]
        walker.advance(left - 1e-7)  # nearer than a millionth of a frame it strikes
        before, strikes = walker.pose.copy(), state[layout.STRIKES]
        assert share_of(ring, state) > 0.9
        walker.advance(1e-7 + 1e-6)
        assert state[layout.STRIKES] == strikes + 1.0
        assert_allclose(walker.pose[:3], before[:3], atol=5e-5)
        turns = before[3:].reshape(-1, 4), walker.pose[3:].reshape(-1, 4)
        away = quat.angle_between(*turns)[but_toes(ring.skeleton)]
        assert away.max() < 2e-4  # a millionth of a second at 20 rad/s, and rounding
        seen += 1
    assert seen > 8


def hold(walker: RingWalker, weights: np.ndarray) -> None:
    """The weights are these and stay so: what the search has found is written over."""
    ring, state = walker.ring, walker.state
    loops, half = len(ring), int(state[layout.HALF])
    state[layout.SCALARS : layout.SCALARS + 3 * loops] = np.concatenate([weights, np.zeros(loops), weights])
    for place in (layout.TILT_FROM, layout.TILT_RATE, layout.TILT_TO, layout.SUPPORT_TILT, layout.LAST_TILT):
        state[place : place + 3] = 0.0
    state[layout.SUPPORT_PLANE : layout.SUPPORT_PLANE + 4] = 0.0
    state[[layout.SETTLES, layout.SETTLED, layout.NEXT_SETTLES]] = 0.0
    state[layout.SUPPORT_HEADING] = state[layout.NEXT_SUPPORT_HEADING] = np.nan
    plain = strike(ring.tables, half, weights, np.array([0.0, np.nan, 0.0, 0.0, 0.0, 0.0]))
    world = about_y(state[layout.HEADING])
    state[layout.NEXT_ORIGIN : layout.NEXT_ORIGIN + 3] = state[layout.ORIGIN :][:3] + world.apply(
        plain.origin
    )
    state[layout.NEXT_HEADING] = state[layout.HEADING] + plain.turn
    state[layout.STATUS], state[layout.PACE_TO], state[layout.PACE] = layout.WALKING, 1.0, 1.0
    state[layout.EXTRA_FROM : layout.EXTRA_TO + 1] = 0.0


def held_walk(weights: np.ndarray, seconds: float, step: float) -> tuple[list[float], list[np.ndarray]]:
    """Ring frames, running on over the cycles, and poses."""
    ring, walker = small_ring(), on(small_ring(), "level")
    hold(walker, weights)
    walker.advance(0.0)
    frames, poses, strikes = [0.0], [walker.pose.copy()], walker.state[layout.STRIKES]
    halves = 0
    for _ in range(round(seconds / step)):
        walker.advance(step)
        if walker.state[layout.STRIKES] != strikes:
            strikes, halves = walker.state[layout.STRIKES], halves + 1
            hold(walker, weights)
            walker.advance(0.0)
        frames.append(ring.tables.half * (halves + share_of(ring, walker.state)))
        poses.append(walker.pose.copy())
    return frames, poses


@pytest.mark.parametrize("which", ["usual", "turning", "between"])
def test_with_weights_that_stay_it_plays_the_ring(which: str) -> None:
    ring = small_ring()
    rows = {
        "usual": ring.usual_weights,
        "turning": np.eye(5)[1],
        "between": np.array([0.5, 0.7, -0.1, -0.2, 0.1]),
    }
    frames, poses = held_walk(rows[which], 3.0, 1 / 60)
    root, rotations, _ = played(ring.tables, rows[which], np.array(frames))
    made = np.array(poses)
    assert frames[-1] > 2 * ring.tables.frames
    # toes, and heels that would be in the ground, are lifted; so little that the root hardly knows
    assert_allclose(made[:, :3], root, atol=1e-3)
    away = quat.angle_between(made[:, 3:].reshape(len(made), -1, 4), rotations)
    feet = [ring.skeleton.joint(f"{side}_foot") for side in SIDES]
    assert away[:, feet].max() < 0.02
    assert away[:, np.setdiff1d(but_toes(ring.skeleton), feet)].max() < 2e-5


def test_a_cycle_takes_the_seconds_of_its_loop() -> None:
    """[rings] 4.2: time is advanced by the time-warp parameter."""
    ring = small_ring()
    for weights in (*np.eye(5), ring.usual_weights):
        frames, _ = held_walk(weights, 4.0, 1 / 240)
        seconds = float((weights @ ring.seconds).sum())
        there = np.interp(ring.tables.frames * np.arange(3), frames, np.arange(len(frames)) / 240)
        assert_allclose(np.diff(there), seconds, rtol=0.01)


def test_half_steps_in_time_come_to_nearly_the_same() -> None:
    """The clock is read once a frame: at 60 Hz two halves differ from a whole by a tenth of a ring frame."""
    for ground in ("level", "bumps"):
        coarse, fine = on(small_ring(), ground), on(small_ring(), ground)
        for k in range(120):
            coarse.advance(1 / 60)
            fine.advance(1 / 120)
            fine.advance(1 / 120)
            apart = abs(coarse.state[layout.FRAME] - fine.state[layout.FRAME])
            frames = small_ring().tables.frames
            assert min(apart, frames - apart) < 0.1 * (1.0 + k / 60)
        assert_allclose(coarse.pose[:3], fine.pose[:3], atol=0.03)


def test_no_time_changes_no_pose() -> None:
    walker, rng = on(small_ring(), "bumps"), np.random.default_rng(9)
    for _ in range(100):
        walker.advance(1 / 60)
        before = walker.pose.copy()
        walker.advance(0.0)
        assert_array_equal(walker.pose, before)
        if rng.random() < 0.1:
            wish(walker, rng)
            walker.advance(0.0)
            turns = (one[3:].reshape(-1, 4)[but_toes(walker.ring.skeleton)] for one in (walker.pose, before))
            assert_allclose(*turns, atol=1e-9)
            assert_allclose(walker.pose[:3], before[:3], atol=1e-9)


@pytest.mark.parametrize("ring_of", [small_ring, combined_ring])
def test_the_same_walk_has_the_same_bytes(ring_of: Callable[[], MotionRing]) -> None:
    def walked() -> bytes:
        walker, rng, told = on(ring_of(), "bumps"), np.random.default_rng(10), b""
        for k in range(200):
            if k % 9 == 0:
                wish(walker, rng)
            walker.advance(1 / 60)
            told += walker.pose.tobytes() + walker.state.tobytes()
        return told

    assert walked() == walked()


def test_turned_and_moved_ground_gives_the_turned_and_moved_walk() -> None:
    ring, angle, shift = small_ring(), 1.1, np.array([5.0, -2.0, 3.0])
    ground = bumps()
    moved = MeshTerrain(about_y(angle).apply(np.array(ground.vertices)) + shift, ground.triangles)
    place = about_y(angle).apply([10.0, 0.0, 10.0]) + shift
    first, second = walker_on(ring, ground, 10.0, 10.0), walker_on(ring, moved, place[0], place[2], angle)
    for _ in range(120):
        first.advance(1 / 60)
        second.advance(1 / 60)
    assert_allclose(second.pose[:3], about_y(angle).apply(first.pose[:3]) + shift, atol=1e-5)
    root = Rotation.from_quat([first.pose[3:7], second.pose[3:7]], scalar_first=True)
    assert (root[1].inv() * about_y(angle) * root[0]).magnitude() < 1e-5


def test_no_number_is_written_beyond_the_state() -> None:
    """The kernel's arrays have the sizes of the layout: what lies behind them stays."""
    ring = small_ring()
    walker = on(ring, "level")
    size = walker.state.size
    assert size == layout.state_size(len(ring), len(ring.spheres[0]))
    room = np.full(size + 64, 7.0)
    room[:size] = walker.state
    pose = np.full(walker.pose.size + 64, 7.0)
    pose[: walker.pose.size] = walker.pose
    packed = ring.packed
    for _ in range(300):
        walk_on(
            packed.rows,
            packed.sizes,
            packed.numbers,
            *walker.tree,
            1 / 60,
            room[:size],
            pose[: walker.pose.size],
        )
    assert_array_equal(room[size:], 7.0)
    assert_array_equal(pose[walker.pose.size :], 7.0)
