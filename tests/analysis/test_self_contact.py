"""Self contact: exact distances, poses that touch and poses that do not, captured people, who seldom do."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.actor.humanoid import humanoid
from footfall.actor.range_of_motion import range_of_motion
from footfall.analysis.self_contact import body, segment_distances, self_contact
from footfall.errors import RequestError, SkeletonError
from footfall.figure.kinematics import attached
from footfall.figure.mirror import mirror
from footfall.figure.motion import Motion
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from tests.captured import captured, clips
from tests.captures import needs_captures
from tests.figure.figures import framed, in_frames, smooth_motion

X, Y, Z = np.eye(3)
Turns = dict[str, tuple[np.ndarray, float]]  # role to axis and degrees, from the T-pose
HANGING: Turns = {"left_upper_arm": (-Z, 80.0), "right_upper_arm": (Z, 80.0)}
EXACT = {"rtol": 0.0, "atol": 1e-12}


def posed(*poses: Turns, skeleton: Skeleton | None = None) -> Motion:
    """A frame for each pose of the humanoid, arms hanging unless they are turned."""
    skeleton = skeleton or humanoid()
    rotations = np.tile(skeleton.rest, (len(poses), 1, 1))
    for frame, turns in enumerate(poses):
        for role, (axis, degrees) in (HANGING | turns).items():
            rotations[frame, skeleton.joint(role)] = quat.from_axis_angle(axis, np.radians(degrees))
    return Motion(skeleton, np.tile(Pose.at_rest(skeleton).root, (len(poses), 1)), rotations, 30.0)


def both(part: str, axis: np.ndarray, degrees: float) -> Turns:
    """The same turn on both sides, seen in a mirror on the right."""
    return {f"left_{part}": (axis, degrees), f"right_{part}": (axis * [1, -1, -1], degrees)}


def segments(count: int, seed: int = 0) -> np.ndarray:
    """Pairs of lines of any place and length, among them parallel ones, ones that meet, and points."""
    ends = np.random.default_rng(seed).normal(size=(4, count, 3))
    kind = np.arange(count) % 8
    a, b, c, d = ends
    d = np.where((kind == 1)[:, None], c + 0.7 * (b - a), d)  # parallel
    c = np.where((kind == 2)[:, None], 0.4 * a + 0.6 * b, c)  # touching
    b = np.where(((kind == 3) | (kind == 5))[:, None], a, b)  # points
    d = np.where(((kind == 4) | (kind == 5))[:, None], c, d)
    d = np.where((kind == 6)[:, None], c + (b - a) * (1.0 + 1e-9), d)  # all but parallel
    a, b = (np.where((kind == 7)[:, None], v, w) for v, w in ((c + 0.5, a), (d + 0.5, b)))
    return np.stack([a, b, c, d])


def test_distances_are_the_least_of_all_pairs_of_points() -> None:
    a, b, c, d = segments(240)
    exact = segment_distances(a, b, c, d)
    shares = np.linspace(0.0, 1.0, 401)[:, None, None]
    first, second = a + shares * (b - a), c + shares * (d - c)
    sampled = np.array(
        [np.linalg.norm(first[:, None, k] - second[None, :, k], axis=-1).min() for k in range(240)]
    )
    # no sampled pair is nearer, and the nearest sampled pair is no further than half a step of each line
    step = (np.linalg.norm(b - a, axis=-1) + np.linalg.norm(d - c, axis=-1)) / 800
    assert (exact <= sampled + 1e-9).all()
    assert (sampled <= exact + step + 1e-9).all()
    assert np.ptp(exact) > 1.0


def test_distances_do_not_depend_on_order() -> None:
    a, b, c, d = segments(2000, seed=1)
    exact = segment_distances(a, b, c, d)
    for other in ((c, d, a, b), (b, a, c, d), (a, b, d, c)):
        assert_allclose(segment_distances(*other), exact, rtol=0.0, atol=1e-7)
    far = segment_distances(a + 3.0, b + 3.0, c + 3.0, d + 3.0)
    assert_allclose(far, exact, rtol=0.0, atol=1e-7)


def test_distances_at_the_extremes() -> None:
    zero = np.zeros(3)
    assert segment_distances(zero, zero, 3 * X, 3 * X) == pytest.approx(3.0)
    assert segment_distances(-X, X, -Y, Y) == 0.0
    assert segment_distances(-X, X, Z - Y, Z + Y) == pytest.approx(1.0)
    assert segment_distances(zero, X, 2 * X, 5 * X) == pytest.approx(1.0)  # one line
    assert segment_distances(zero, X, 2 * X + Y, 5 * X + Y) == pytest.approx(np.sqrt(2.0))
    assert segment_distances(zero, X, 0.5 * X + Y, 5 * X + Y) == pytest.approx(1.0)


def test_all_pairs_against_points_sampled_along_the_capsules() -> None:
    motion = smooth_motion(humanoid(), frames=12, size=0.8, seed=3)
    result = self_contact(motion)
    skeleton = motion.skeleton
    shares = np.linspace(0.0, 1.0, 201)[:, None, None]
    lines: dict[str, list[tuple[np.ndarray, float]]] = {}
    for capsule in body(skeleton):
        joints = list(capsule.joints)
        local = quat.rotate(
            quat.conjugate(skeleton.rest_orientations[joints]),
            capsule.points - skeleton.rest_positions[joints],
        )
        ends = attached(motion.positions, motion.orientations, joints, local)
        low, high = capsule.stretch
        along = low + (high - low) * shares
        points = ends[:, 0] + along * (ends[:, 1] - ends[:, 0])
        lines.setdefault(capsule.part, []).append((points, capsule.radius))
    for (first, second), depth, frame in zip(result.pairs, result.depths, result.frames, strict=True):
        sampled = np.max(
            [
                r + s - np.linalg.norm(p[:, None] - q[None], axis=-1).min(axis=(0, 1))
                for p, r in lines[first]
                for q, s in lines[second]
            ],
            axis=0,
        )
        assert depth == pytest.approx(sampled.max(), abs=0.003), (first, second)
        assert depth >= sampled.max() - 1e-9
        assert sampled[frame] >= sampled.max() - 0.003


def test_what_is_compared() -> None:
    pairs = {frozenset(pair) for pair in self_contact(posed({})).pairs}
    parts = {part for pair in pairs for part in pair}
    trunk = {"pelvis", "lower_trunk", "chest", "neck", "head"}
    arm, leg = ("upper_arm", "forearm", "hand"), ("thigh", "shank", "foot")
    assert parts == trunk | {f"{side}_{part}" for side in ("left", "right") for part in (*arm, *leg)}
    neighbours = {frozenset(pair) for pair in combinations(trunk, 2)}
    for side in ("left", "right"):
        for limb in (arm, leg):
            neighbours |= {frozenset(f"{side}_{part}" for part in pair) for pair in combinations(limb, 2)}
        neighbours |= {frozenset((part, f"{side}_thigh")) for part in ("pelvis", "lower_trunk")}
        neighbours |= {frozenset((part, f"{side}_upper_arm")) for part in ("chest", "neck")}
    assert pairs == {frozenset(pair) for pair in combinations(parts, 2)} - neighbours


def test_the_depth_of_a_known_pose() -> None:
    """Thighs of the rest pose are parallel lines."""
    result = self_contact(posed({}))
    apart = 2 * 0.0515 * 1.75
    leg = humanoid().leg_length()
    assert result.depth_of("left_thigh", "right_thigh") == pytest.approx(2 * 0.072 * leg - apart, abs=1e-12)
    assert result.depth_of("right_thigh", "left_thigh") == result.depth_of("left_thigh", "right_thigh")
    with pytest.raises(RequestError, match="'left_hand' and 'left_forearm' are not compared"):
        result.depth_of("left_hand", "left_forearm")


STANDING = {
    "arms hanging": {},
    "arms close to the body": both("upper_arm", -Z, 86.0),
    "feet 8 cm apart": both("thigh", -Z, np.degrees(np.arcsin((0.0515 * 1.75 - 0.04) / (0.491 * 1.75)))),
    "elbows bent, hands before the belly": both("forearm", -Y, 90.0),
    "a deep squat": both("thigh", -X, 120.0)
    | both("shank", X, 140.0)
    | both("foot", -X, 30.0)
    | {"spine": (X, 30.0)}
    | {"left_upper_arm": (-Y, 80.0), "right_upper_arm": (Y, 80.0)},
    "arms overhead": {"left_upper_arm": (Z, 80.0), "right_upper_arm": (-Z, 80.0)},
    "a lunge": {"left_thigh": (-X, 80.0), "left_shank": (X, 90.0), "right_thigh": (X, 25.0)},
    "heel to the seat": {"left_shank": (X, 140.0)},
    "looking back": {"neck": (Y, 40.0), "head": (Y, 40.0)},
}


@pytest.mark.parametrize("pose", STANDING)
@pytest.mark.parametrize("height", [1.2, 1.75])
def test_people_can_stand_like_this(pose: str, height: float) -> None:
    result = self_contact(posed(STANDING[pose], skeleton=humanoid(height)))
    assert result.depth_max_m < 0.0, (result.pair, result.depth_max_m)


def test_feet_8_cm_apart_are_near() -> None:
    """The pose above is the narrow one it says it is, and a little narrower the feet touch."""
    motion = posed(STANDING["feet 8 cm apart"])
    apart = motion.of("left_foot") - motion.of("right_foot")
    assert np.linalg.norm(apart[0]) == pytest.approx(0.08, abs=1e-6)
    assert self_contact(motion).depth_max_m > -0.02
    assert self_contact(posed(both("thigh", -Z, 4.5))).depth_max_m > 0.0


IMPOSSIBLE: dict[str, tuple[Turns, tuple[str, str], float]] = {
    "forearm through the chest": (
        {"left_upper_arm": (Z, 0.0), "left_forearm": (-Y, 175.0)},
        ("chest", "left_hand"),
        0.0,
    ),
    "arm through the belly": (
        {"left_upper_arm": (-Z, 115.0)},
        ("pelvis", "left_forearm"),
        0.05,
    ),
    "legs through each other": (both("thigh", -Z, 12.0), ("left_shank", "right_shank"), 0.05),
    "hand in the head": (
        {"right_upper_arm": (-Z, 55.0), "right_forearm": (-Z, 115.0)},
        ("head", "right_hand"),
        0.03,
    ),
    "hand in the thigh": (
        {"right_upper_arm": (Z, 101.0)},
        ("right_thigh", "right_hand"),
        0.0,
    ),
}


@pytest.mark.parametrize("pose", IMPOSSIBLE)
def test_people_cannot_stand_like_this(pose: str) -> None:
    turns, pair, least = IMPOSSIBLE[pose]
    result = self_contact(posed({}, turns, {}))
    assert result.depth_of(*pair) > least
    assert result.frames[[set(p) == set(pair) for p in result.pairs]] == [1]
    assert result.depth_max_m >= result.depth_of(*pair)
    assert result.frame == 1


def test_the_deepest_is_the_deepest_of_its_frames() -> None:
    motion = smooth_motion(humanoid(), frames=300, size=0.9, seed=8)
    result = self_contact(motion)
    alone = [self_contact(motion[k : k + 1]) for k in range(0, 300, 10)]
    for k, one in zip(range(0, 300, 10), alone, strict=True):
        assert one.pairs == result.pairs
        assert (one.depths <= result.depths + 1e-12).all()
        assert one.frame == 0
        if k == result.frame:
            assert one.depth_max_m == pytest.approx(result.depth_max_m, abs=1e-12)
    there = self_contact(motion[result.frame : result.frame + 1])
    assert there.depth_max_m == pytest.approx(result.depth_max_m, abs=1e-12)
    assert there.pair == result.pair
    assert result.depth_max_m > 0.0


def test_the_same_wherever_and_in_whatever_frames() -> None:
    motion = smooth_motion(humanoid(), frames=20, size=0.7, seed=5)
    result = self_contact(motion)
    turned = np.array(motion.rotations)
    turned[:, 0] = quat.multiply(ground.turn(2.0), turned[:, 0])
    elsewhere = Motion(motion.skeleton, motion.root + np.array([5.0, -1.0, 3.0]), turned, motion.fps)
    assert_allclose(self_contact(elsewhere).depths, result.depths, **EXACT)
    other = framed(humanoid(), seed=2)
    assert_allclose(self_contact(in_frames(motion, other)).depths, result.depths, rtol=0.0, atol=1e-9)


def test_grows_with_the_figure() -> None:
    motion = smooth_motion(humanoid(), frames=20, size=0.7, seed=5)
    larger = Motion(motion.skeleton.scaled(1.4), 1.4 * motion.root, motion.rotations, motion.fps)
    assert_allclose(self_contact(larger).depths, 1.4 * self_contact(motion).depths, **EXACT)


def test_the_mirror_exchanges_the_sides() -> None:
    motion = smooth_motion(humanoid(), frames=20, size=0.7, seed=6)
    here, there = self_contact(motion), self_contact(mirror(motion))
    swap = {"left": "right", "right": "left"}
    for (first, second), depth in zip(here.pairs, here.depths, strict=True):
        other = ["_".join(swap.get(word, word) for word in part.split("_")) for part in (first, second)]
        assert there.depth_of(*other) == pytest.approx(depth, abs=1e-12)


def test_the_range_of_motion_take_touches_nothing() -> None:
    assert self_contact(range_of_motion(humanoid())).depth_max_m < -0.02


def test_refusals() -> None:
    motion = posed({})
    with pytest.raises(RequestError, match="one motion with frames"):
        self_contact(motion[1:])
    with pytest.raises(RequestError, match="one motion with frames"):
        self_contact(Motion(motion.skeleton, motion.root[None], motion.rotations[None], 30.0))
    stick = Skeleton.build(["qa", "qb"], [-1, 0], np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    with pytest.raises(SkeletonError, match="left_foot"):
        self_contact(Motion(stick, np.zeros((1, 3)), quat.identity(1, 2), 30.0))


# a hand that brushes the thigh as a run stops or turns, and feet put side by side
BRUSHING = {
    "run/16_08.bvh": {"right_thigh", "right_hand", "right_forearm"},
    "run/35_24.bvh": {"right_thigh", "right_hand"},
    "turn-side-back/16_51.bvh": {"right_thigh", "right_hand", "right_forearm", "pelvis"},
    "turn-side-back/69_57.bvh": {"left_foot", "right_foot", "right_thigh", "right_hand"},
    "turn-side-back/69_36.bvh": {"left_foot", "right_foot"},
    "turn-side-back/69_62.bvh": {"left_foot", "right_foot"},
    "turn-side-back/69_60.bvh": {"left_foot", "right_foot"},
    "turn-side-back/69_56.bvh": {"right_thigh", "right_hand", "right_forearm"},
    "turn-side-back/143_40.bvh": {"left_shank", "right_foot"},
}


@needs_captures
def test_captured_people_pass_through_themselves_by_millimetres_at_most() -> None:
    files = [f for f in clips("walk", "run", "turn-side-back") if f.endswith(".bvh")]
    assert len(files) == 54
    deep: dict[str, set[str]] = {}
    for file in files:
        result = self_contact(captured(file))
        for pair, depth in zip(result.pairs, result.depths, strict=True):
            assert depth < 0.036, (file, pair)
            if depth > 0.006:
                deep.setdefault(file, set()).update(pair)
    assert {f: parts for f, parts in deep.items() if not parts <= BRUSHING.get(f, set())} == {}
    assert set(deep) == set(BRUSHING)


@needs_captures
@pytest.mark.parametrize("clip", ["Floor01", "High01", "Low01", "MediumMid01"])
def test_a_captured_reach_touches_nothing(clip: str) -> None:
    motion = captured(f"reach/ChrGarza@IdleStand01_ReachForward{clip}.skm")
    assert self_contact(motion).depth_max_m < 0.0
