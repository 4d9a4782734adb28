"""The compiled pose against plain NumPy and SciPy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from footfall.adapt.foot_lock_bends import ToeJoint
from footfall.adapt.toes import lateral_axis, turns_up
from footfall.figure.contacts import SIDES
from footfall.figure.kinematics import forward
from footfall.figure.sole import Sole
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import shortest_turn
from footfall.models.ring import layout
from footfall.models.ring.aligned import mid_sole
from footfall.models.ring.foot_kernel import bend_toe, heading_of, kept_back, tilt_foot
from footfall.models.ring.model import MotionRing
from footfall.models.ring.pose_kernel import blend_joints, go_down
from tests.models.ring.plain_ring import Figure, joints_at, turn_of
from tests.models.ring.rings import resting_ring, small_ring

RINGS = [small_ring, resting_ring]


def random_weights(ring: MotionRing, rng: np.random.Generator, spread: float = 0.4) -> np.ndarray:
    weights = rng.normal(1.0 / len(ring), spread, len(ring))
    return weights + (1.0 - weights.sum()) / len(ring)


def random_turns(count: int, rng: np.random.Generator) -> np.ndarray:
    return Rotation.random(count, random_state=rng).as_quat(scalar_first=True)


def foot_of(ring: MotionRing, side: int, turns: np.ndarray) -> np.ndarray:
    foot = np.empty(7)
    go_down(ring.packed.sizes, ring.packed.numbers, side, 0, turns.reshape(-1), foot)
    return foot


@pytest.mark.parametrize("ring_of", RINGS)
def test_joints_at_whole_frames_are_the_tables(ring_of: Callable[[], MotionRing]) -> None:
    ring, rng = ring_of(), np.random.default_rng(1)
    for frame in (
        0,
        1,
        ring.tables.half,
        ring.tables.frames - 1,
        ring.tables.frames,
        3 * ring.tables.frames + 7,
    ):
        weights = random_weights(ring, rng)
        pose, _ = blended(ring, frame, weights)
        moving = ring.tables.moving
        assert quat.angle_between(pose[moving], ring.tables.joints(weights, frame)[moving]).max() < 3e-6


@pytest.mark.parametrize("ring_of", RINGS)
def test_joints_between_frames_go_straight_from_one_to_the_next(ring_of: Callable[[], MotionRing]) -> None:
    ring, rng = ring_of(), np.random.default_rng(2)
    for frame in [*rng.uniform(0.0, 2.0 * ring.tables.frames, 20), ring.tables.frames - 0.3]:
        weights = random_weights(ring, rng)
        pose, _ = blended(ring, frame, weights)
        moving = ring.tables.moving
        away = turn_of(pose[moving]).inv() * turn_of(joints_at(ring.tables, weights, frame)[moving])
        assert away.magnitude().max() < 3e-6  # single precision


@pytest.mark.parametrize("ring_of", RINGS)
def test_seconds_and_contacts_are_blended_too(ring_of: Callable[[], MotionRing]) -> None:
    ring, rng = ring_of(), np.random.default_rng(3)
    weights, tables = random_weights(ring, rng, 0.1 / len(ring)), ring.tables
    assert weights.min() > 0.0
    for frame in (0.0, 7.25, tables.frames - 0.5):
        _, total = blended(ring, frame, weights)
        i, share = int(frame), frame % 1.0
        rows = np.concatenate([tables.seconds[..., None], tables.contacts.astype(float)], axis=2)
        plain = weights @ ((1.0 - share) * rows[:, i] + share * rows[:, (i + 1) % tables.frames])
        assert_allclose(total[-5:], plain, atol=2e-6)


def blended(ring: MotionRing, frame: float, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    packed, pose = ring.packed, np.full(3 + 4 * len(ring.skeleton), np.nan)
    total = np.empty(packed.rows.shape[2], dtype=np.float32)
    blend_joints(packed.rows, packed.sizes, packed.numbers, float(frame), weights, total, pose)
    assert np.isnan(pose[:3]).all()  # places are not its business
    turns = pose[3:].reshape(-1, 4)
    still = np.setdiff1d(np.arange(len(ring.skeleton)), ring.tables.moving)
    assert np.isnan(turns[still]).all()  # nor is what never moves
    return turns, total


@pytest.mark.parametrize("side", [0, 1])
def test_a_way_down_a_leg_is_forward_kinematics(side: int) -> None:
    ring, rng = small_ring(), np.random.default_rng(4)
    skeleton = ring.skeleton
    for _ in range(20):
        turns = random_turns(len(skeleton), rng)
        joints, oriented = forward(skeleton.tree, skeleton.offsets, np.zeros(3), turns)
        foot, joint = foot_of(ring, side, turns), skeleton.joint(f"{SIDES[side]}_foot")
        assert_allclose(foot[:3], joints[joint], atol=1e-14)
        assert_allclose(turn_of(foot[3:]).as_matrix(), turn_of(oriented[joint]).as_matrix(), atol=1e-14)


@pytest.mark.parametrize("side", [0, 1])
def test_the_links_of_both_legs_lead_to_the_same_foot(side: int) -> None:
    """The short list of the strikes holds the same joints in its own order."""
    ring, rng = small_ring(), np.random.default_rng(5)
    skeleton, packed = ring.skeleton, ring.packed
    turns = random_turns(len(skeleton), rng)
    links = [0]
    for name in SIDES:
        links += skeleton.tree.path(0, skeleton.joint(f"{name}_foot"))[1:]
    foot = np.empty(7)
    go_down(packed.sizes, packed.numbers, side, 1, np.ascontiguousarray(turns[links]).reshape(-1), foot)
    assert_array_equal(foot, foot_of(ring, side, turns))


@pytest.mark.parametrize("side", [0, 1])
def test_points_of_soles(side: int) -> None:
    """What lies in `numbers` for a sole, turned with the foot, is where the figure has it."""
    ring, rng = small_ring(), np.random.default_rng(6)
    skeleton, packed, name = ring.skeleton, ring.packed, SIDES[side]
    turns = random_turns(len(skeleton), rng)
    foot = foot_of(ring, side, turns)
    figure = Figure(skeleton, turns, np.zeros(3))
    at = packed.sizes[layout.AT_SOLES] + layout.SOLE * side
    sole = packed.numbers[at : at + layout.SOLE]
    for first, point in ((0, Sole.of(skeleton, name).toe_joint), (3, mid_sole(skeleton, name))):
        assert_allclose(
            foot[:3] + quat.rotate(foot[3:], sole[first : first + 3]), figure.place(name, point), atol=1e-14
        )
    assert_allclose(quat.rotate(foot[3:], sole[6:9]), figure.along(name), atol=1e-14)
    assert sole[9] == pytest.approx(0.5 * np.linalg.norm(figure.along(name)))
    assert sole[layout.FOOT] == skeleton.joint(f"{name}_foot")
    assert shortest_turn(heading_of(packed.sizes, packed.numbers, side, foot) - figure.heading(name)) == (
        pytest.approx(0.0, abs=1e-12)
    )


@pytest.mark.parametrize("side", [0, 1])
def test_a_tilted_foot_is_turned_in_the_world(side: int) -> None:
    ring, rng = small_ring(), np.random.default_rng(7)
    skeleton, joint = ring.skeleton, ring.skeleton.joint(f"{SIDES[side]}_foot")
    for vector in rng.normal(0.0, 0.6, (20, 3)):
        turns = random_turns(len(skeleton), rng)
        before, foot = turns.copy(), foot_of(ring, side, turns)
        wanted = Rotation.from_rotvec(vector) * turn_of(foot[3:])
        ankle = foot[:3].copy()
        tilt_foot(foot, *vector, turns.reshape(-1), 4 * joint)
        assert_allclose(turn_of(foot[3:]).as_matrix(), wanted.as_matrix(), atol=1e-14)
        assert_array_equal(foot[:3], ankle)
        # the joint's own rotation leads to the same foot, and no other joint has changed
        assert_allclose(foot_of(ring, side, turns), foot, atol=1e-14)
        assert_array_equal(np.delete(turns, joint, axis=0), np.delete(before, joint, axis=0))


def test_no_tilt_changes_no_bit() -> None:
    ring = small_ring()
    turns = random_turns(len(ring.skeleton), np.random.default_rng(8))
    foot = foot_of(ring, 0, turns)
    kept = foot.copy(), turns.copy()
    tilt_foot(foot, 0.0, 0.0, 0.0, turns.reshape(-1), 4)
    assert_array_equal(foot, kept[0])
    assert_array_equal(turns, kept[1])


@given(st.floats(-20.0, 20.0), st.floats(-np.pi, np.pi))
@settings(deadline=None)
def test_a_foot_keeps_its_heading_as_far_as_a_leg_turns(wanted: float, heading: float) -> None:
    turn = kept_back(wanted, heading)
    missing = abs(shortest_turn(wanted - heading - turn))
    assert abs(turn) <= 1.4  # rad
    full = abs(turn) > 1.2
    assert missing < 1e-9 or full


def test_a_foot_without_a_heading_is_free() -> None:
    assert kept_back(np.nan, 0.3) == 0.0


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("risen", [0.0, 0.04])
def test_a_toe_in_the_ground_is_bent_up_as_toes_of_clips_are(side: int, risen: float) -> None:
    """The ground is a plane as the sole lay on it; told in its frame, the plain function says by how much."""
    ring, rng, bent = small_ring(), np.random.default_rng(9), 0
    skeleton, name, packed = ring.skeleton, SIDES[side], ring.packed
    sole, joint = Sole.of(skeleton, name), ring.skeleton.joint(f"{name}_toe")
    high = packed.numbers[packed.sizes[layout.AT_TOES] + 5 * side + 4]
    assert 0.0 <= high < 0.05  # m: of the toe joint over the sole
    for _ in range(60):
        turns = random_turns(len(skeleton), rng)
        before, tilt = turns.copy(), rng.normal(0.0, 0.2, 2)
        foot = foot_of(ring, side, turns)
        bend_toe(packed.sizes, packed.numbers, side, foot, *tilt, risen, 1.0, turns.reshape(-1))
        upright = Rotation.from_rotvec([tilt[0], 0.0, tilt[1]]).inv()
        across = lateral_axis(foot[None, 3:], skeleton.foot_points(name))[0]
        arms = []
        for rows in (before, turns):
            _, oriented = forward(skeleton.tree, skeleton.offsets, np.zeros(3), rows)
            arms.append(upright.apply(turn_of(oriented[joint]).apply(sole.tip)))
        level = np.array([-high - risen])
        up = turns_up(arms[0][None], upright.apply(across)[None], level)[0]
        assert_allclose(arms[1], Rotation.from_rotvec(up * upright.apply(across)).apply(arms[0]), atol=1e-9)
        assert_array_equal(np.delete(turns, joint, axis=0), np.delete(before, joint, axis=0))
        if up == 0.0:
            assert_array_equal(turns, before)
        bent += up > 0.0
    assert 10 < bent < 50


@pytest.mark.parametrize("side", [0, 1])
def test_a_toe_bends_evenly_as_its_foot_rolls_off_and_rises(side: int) -> None:
    """The foot tips down beyond the vertical; the toe is never folded under, and no frame unfolds it."""
    ring = small_ring()
    skeleton, name, packed = ring.skeleton, SIDES[side], ring.packed
    sole, toe = Sole.of(skeleton, name), ring.skeleton.joint(f"{name}_toe")
    own = ToeJoint.of(skeleton, name)
    straight, bends = skeleton.rest.copy(), []
    for share in np.linspace(0.0, 1.0, 60):
        tipped = Rotation.from_rotvec([1.8 * share, 0.0, 0.0]) * turn_of(sole.lying)
        foot = np.array([0.0, 0.0, 0.0, *tipped.as_quat(scalar_first=True)])
        turns = straight.copy()
        bend_toe(packed.sizes, packed.numbers, side, foot, 0.0, 0.0, 0.2 * share**4, 1.0, turns.reshape(-1))
        away = turn_of(turns[toe]) * turn_of(own.rest).inv()
        bends.append(away.as_rotvec() @ own.axis)
    assert min(bends) > -1e-9
    assert max(bends) > 0.3  # rad
    assert bends[-1] < 1e-9
    assert np.abs(np.diff(bends)).max() < 0.12  # rad


def test_seconds_stay_near_those_of_loops_with_positive_weights() -> None:
    """A slow loop with a negative weight must not make the others race through their frames."""
    ring = small_ring()
    slow = replace(ring, seconds=ring.seconds * np.where(np.arange(len(ring)) == 0, 2.0, 1.0)[:, None])
    others = np.full(len(ring), 1.0 / (len(ring) - 1))
    others[0] = 0.0
    for share in np.linspace(0.0, 1.5, 13):
        weights = (1.0 + share) * others
        weights[0] = -share
        for frame in (0, 7, 41):
            _, total = blended(slow, frame, weights)
            usual = others @ slow.seconds[:, frame]
            plain = weights @ slow.seconds[:, frame]
            assert total[-5] == pytest.approx(np.clip(plain, 0.85 * usual, usual / 0.85), abs=1e-6)
            assert total[-5] > 0.8 * usual
