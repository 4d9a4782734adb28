"""Joint limits: published ranges, the same in any joint frames, and a clamp to the nearest place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.actor.humanoid import humanoid
from footfall.analysis import joint_angles
from footfall.errors import RequestError
from footfall.figure.joint_limits import JointLimits, clamped, excess, limits_of
from footfall.figure.mirror import mirror_pairs
from footfall.figure.motion import Motion
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from tests.captured import captured, clips
from tests.captures import needs_captures
from tests.figure.figures import PLAIN_NAMES, figure, framed, in_frames

X, Y, Z = np.eye(3)
HANGING = quat.from_axis_angle(Z, -0.5 * np.pi)  # a left arm, from the T-pose
PRECISE = {"rtol": 0.0, "atol": 1e-9}

# role of the left side, axis of the T-pose's world, the tables' degrees, how many more a skeleton is given
PUBLISHED = [
    ("left_thigh", -X, 125, 1, "hip flexion"),
    ("left_thigh", X, 30, 6, "hip extension"),
    ("left_thigh", Z, 45, 2, "hip abduction"),
    ("left_thigh", -Z, 27, 3, "hip adduction"),
    ("left_thigh", Y, 45, 6, "hip external rotation"),
    ("left_thigh", -Y, 44, 2, "hip internal rotation"),
    ("left_shank", X, 145, 1, "knee flexion"),
    ("left_shank", -X, 0, 6, "knee hyperextension"),
    ("left_foot", -X, 40, 10, "dorsiflexion in a lunge"),
    ("left_foot", X, 55, 1, "plantar flexion"),
    ("left_foot", -Z, 30, 3, "inversion"),
    ("left_foot", Z, 20, 3, "eversion"),
    ("left_toe", -X, 75, 1, "toe extension"),
    ("left_toe", X, 30, 1, "toe flexion"),
    ("left_clavicle", Z, 44, 2, "clavicle elevation"),
    ("left_clavicle", -Y, 29, 2, "protraction"),
    ("left_upper_arm", Z, 85, 10, "shoulder abduction, from level"),
    ("left_upper_arm", -Y, 130, 15, "shoulder horizontal adduction"),
    ("left_forearm", -Y, 150, 2, "elbow flexion"),
    ("left_forearm", Y, 4, 2, "elbow hyperextension"),
    ("left_forearm", X, 79, 2, "pronation"),
    ("left_forearm", -X, 79, 2, "supination"),
    ("left_hand", -Z, 75, 1, "wrist flexion"),
    ("left_hand", Z, 70, 1, "wrist extension"),
    ("left_hand", -Y, 20, 1, "radial deviation"),
    ("left_hand", Y, 35, 1, "ulnar deviation"),
    ("left_index_1", -Z, 90, 1, "knuckle flexion"),
    ("left_middle_2", -Z, 105, 1, "middle finger joint flexion"),
    ("left_ring_3", -Z, 80, 1, "last finger joint flexion"),
    ("left_thumb_3", Y, 80, 1, "thumb flexion"),
    ("left_eye", Y, 44, 2, "gaze to the left"),
    ("left_eye", X, 47, 1, "gaze down"),
]


def posed(role: str, turns: np.ndarray, skeleton: Skeleton | None = None) -> np.ndarray:
    """Rotations of the humanoid, whose joint frames are the world's, with one joint turned."""
    skeleton = skeleton or humanoid()
    rotations = np.tile(skeleton.rest, (len(turns), 1, 1))
    rotations[:, skeleton.joint(role)] = turns
    return rotations


def furthest(role: str, axis: np.ndarray, start: np.ndarray | None = None) -> float:
    """Degrees that a joint can be turned about an axis until it is beyond its limits."""
    degrees = np.arange(0.0, 180.0, 0.125)
    turns = quat.multiply(
        quat.from_axis_angle(axis, np.radians(degrees)), quat.identity() if start is None else start
    )
    beyond = excess(limits_of(humanoid()), posed(role, turns)).max(axis=-1)
    assert beyond[0] == 0.0
    return float(degrees[np.flatnonzero(beyond > 0.0)[0] - 1])


def random_turns(shape: tuple[int, ...], seed: int = 0) -> np.ndarray:
    return quat.normalize(np.random.default_rng(seed).normal(size=(*shape, 4)))


def as_motion(rotations: np.ndarray) -> Motion:
    skeleton = humanoid()
    root = np.tile(Pose.at_rest(skeleton).root, (len(rotations), 1))
    return Motion(skeleton, root, rotations, 30.0)


@pytest.mark.parametrize(("role", "axis", "degrees", "more", "what"), PUBLISHED)
def test_published_ranges_on_both_sides(
    role: str, axis: np.ndarray, degrees: float, more: float, what: str
) -> None:
    assert degrees - 0.5 <= furthest(role, axis) <= degrees + more, what
    # a turn seen in the mirror keeps its x and changes the sign of y and z
    right = furthest(role.replace("left", "right"), axis * [1, -1, -1])
    assert right == pytest.approx(furthest(role, axis), abs=0.13), what


def test_arms_raised_from_hanging() -> None:
    """Flexion 170 and abduction 175 to overhead, extension 55, across the body 40 and more."""
    assert furthest("left_upper_arm", -X, HANGING) >= 170
    assert 55 <= furthest("left_upper_arm", X, HANGING) <= 62
    assert 40 <= furthest("left_upper_arm", -Z, HANGING) <= 50
    assert 90 + furthest("left_upper_arm", Z) >= 175


def test_whole_trunk_and_neck() -> None:
    """No joint takes the whole; together they take at least the tables' whole."""
    for roles, axis, whole in (
        (("spine", "chest"), X, 85),
        (("spine", "chest"), Y, 45),
        (("spine", "chest"), Z, 35),
        (("neck", "head"), X, 60),
        (("neck", "head"), -X, 60),
        (("neck", "head"), Y, 80),
        (("neck", "head"), Z, 45),
    ):
        each = [furthest(role, axis) for role in roles]
        assert max(each) < whole <= sum(each)


def test_what_a_person_cannot_do() -> None:
    impossible = [
        ("left_shank", -X, 20),  # a knee bent forwards
        ("right_forearm", -Y, 25),  # an elbow bent backwards
        ("left_thigh", X, 60),  # a leg straight back
        ("left_foot", Y, 80),  # a foot turned aside
        ("head", Y, 90),
        ("left_upper_arm", Y, 100),  # a level arm behind the back
        ("left_index_2", Z, 30),
    ]
    for role, axis, degrees in impossible:
        turns = quat.from_axis_angle(axis, np.radians([float(degrees)]))
        rotations = posed(role, turns)
        beyond = excess(limits_of(humanoid()), rotations)[0]
        assert beyond[humanoid().joint(role)] > np.radians(10), role
        assert np.count_nonzero(beyond) == 1


def test_clamped_legs_read_the_limit_in_a_laboratory() -> None:
    """Joint angles measured from positions alone, on legs that were bent too far."""
    limits = limits_of(humanoid())
    far = np.radians([170.0])
    hip = as_motion(clamped(limits, posed("left_thigh", quat.from_axis_angle(-X, far))))
    knee = as_motion(clamped(limits, posed("right_shank", quat.from_axis_angle(X, far))))
    ankle = as_motion(clamped(limits, posed("left_foot", quat.from_axis_angle(-X, far))))
    elbow = as_motion(clamped(limits, posed("left_forearm", quat.from_axis_angle(-Y, far))))
    assert np.degrees(joint_angles.hip_flexion(hip, "left")[0]) == pytest.approx(125, abs=0.1)
    assert np.degrees(joint_angles.knee_flexion(knee, "right")[0]) == pytest.approx(145, abs=0.1)
    assert np.degrees(joint_angles.ankle_dorsiflexion(ankle, "left")[0]) == pytest.approx(48, abs=0.1)
    assert np.degrees(joint_angles.elbow_flexion(elbow, "left")[0]) == pytest.approx(150, abs=2)


def test_hinges_turn_what_is_below_them() -> None:
    """A forearm, however bent, turns about its own bone, not about the upper arm's; so does a bent hand."""
    bends, turns = np.meshgrid(np.radians([0.0, 50.0, 100.0, 149.0]), np.radians([-79.0, -30.0, 79.0]))
    bend = quat.from_axis_angle(-Y, bends.ravel())
    turned = quat.from_axis_angle(X, turns.ravel())
    limits = limits_of(humanoid())
    assert excess(limits, posed("left_forearm", quat.multiply(bend, turned))).max() == 0.0
    assert excess(limits, posed("left_forearm", quat.multiply(turned, bend))).max() > np.radians(30)
    wrist = quat.from_axis_angle(-Z, 0.45 * bends.ravel())
    assert excess(limits, posed("left_hand", quat.multiply(turned, wrist))).max() == 0.0
    assert excess(limits, posed("left_hand", quat.multiply(wrist, turned))).max() > np.radians(20)


def test_rest_is_inside_and_left_alone() -> None:
    for skeleton in (humanoid(), framed(humanoid(), seed=4)):
        limits = limits_of(skeleton)
        assert_array_equal(excess(limits, skeleton.rest), 0.0)
        assert_array_equal(clamped(limits, skeleton.rest), skeleton.rest)


@pytest.mark.parametrize("seed", range(3))
def test_the_same_in_any_joint_frames(seed: int) -> None:
    motion = as_motion(random_turns((40, 54), seed))
    other = framed(humanoid(), seed)
    moved = in_frames(motion, other)
    here, there = limits_of(motion.skeleton), limits_of(other)
    assert_allclose(excess(there, moved.rotations), excess(here, motion.rotations), rtol=0.0, atol=1e-7)
    placed = motion.with_rotations(clamped(here, motion.rotations)).positions
    assert_allclose(
        moved.with_rotations(clamped(there, moved.rotations)).positions, placed, rtol=0.0, atol=1e-7
    )


def test_the_same_from_any_rest_pose() -> None:
    """Arms that hang at rest, and legs that rest crouched on flat soles, are measured from the T-pose too."""
    skeleton = humanoid()
    rest = np.array(skeleton.rest)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        rest[skeleton.joint(f"{side}_upper_arm")] = quat.from_axis_angle(Z, -sign * 1.2)
        for part, bend in (("thigh", -0.3), ("shank", 0.7), ("foot", -0.4)):
            rest[skeleton.joint(f"{side}_{part}")] = quat.from_axis_angle(X, bend)
    rotations = random_turns((60, 54))
    there = excess(limits_of(replace(skeleton, rest=rest)), rotations)
    assert_allclose(there, excess(limits_of(skeleton), rotations), rtol=0.0, atol=1e-7)


def test_mirrored_poses_are_as_far_beyond() -> None:
    skeleton, limits = humanoid(), limits_of(humanoid())
    rotations = random_turns((60, 54))
    seen = (rotations * [1.0, 1.0, -1.0, -1.0])[:, mirror_pairs(skeleton)]
    there = excess(limits, seen)[:, mirror_pairs(skeleton)]
    assert_allclose(there, excess(limits, rotations), rtol=0.0, atol=1e-7)


@pytest.mark.parametrize("shape", [(54,), (200, 54), (3, 7, 54)])
def test_clamped_is_inside_and_the_excess_away(shape: tuple[int, ...]) -> None:
    limits = limits_of(humanoid())
    rotations = random_turns(shape, seed=9)
    before = rotations.copy()
    beyond, put = excess(limits, rotations), clamped(limits, rotations)
    assert_array_equal(rotations, before)
    assert beyond.shape == shape
    assert excess(limits, put).max() < 1e-9
    assert_allclose(clamped(limits, put), put, **PRECISE)
    assert_allclose(np.linalg.norm(put, axis=-1), 1.0, **PRECISE)
    assert (np.sum(put * rotations, axis=-1) >= -1e-12).all()
    assert_allclose(quat.angle_between(rotations, put), beyond, rtol=0.0, atol=1e-7)
    inside = beyond == 0.0
    assert_array_equal(put[inside], rotations[inside])
    assert_allclose(excess(limits, -rotations), beyond, **PRECISE)
    assert_allclose(excess(limits, 3.0 * rotations), beyond, **PRECISE)
    free = humanoid().joint("hips")
    assert inside[..., free].all()
    assert np.count_nonzero(inside) < 0.5 * inside.size


def one_joint(twist: tuple[float, float], swing: list[tuple[float, float]]) -> JointLimits:
    still = quat.identity(1)
    return JointLimits(still, still, np.array([twist]), np.array([swing]), np.ones(1))


@pytest.mark.parametrize("swing", [[(-0.2, 1.9), (-0.7, 0.05)], [(-1.0, 1.0), (-1.0, 1.0)]])
def test_clamps_to_the_nearest_swing(swing: list[tuple[float, float]]) -> None:
    """Against the boundary sampled in all four quadrants."""
    limits = one_joint((-0.5, 0.5), swing)
    angle = np.linspace(0.0, 2.0 * np.pi, 40_000)
    edge = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    edge *= np.where(edge < 0.0, [-low for low, _ in swing], [high for _, high in swing])
    given = np.random.default_rng(2).uniform(-1.9, 1.9, (300, 2))
    turns = quat.exp(np.concatenate([np.zeros((300, 1)), given], axis=-1))[:, None]
    put = quat.log(clamped(limits, turns)[:, 0])
    assert_allclose(put[:, 0], 0.0, **PRECISE)
    beyond = excess(limits, turns)[:, 0] > 0.0
    assert 50 < np.count_nonzero(beyond) < 300
    apart = np.linalg.norm(given[beyond, None] - edge, axis=-1)
    assert_allclose(np.linalg.norm(given - put[:, 1:], axis=-1)[beyond], apart.min(axis=-1), atol=1e-6)
    assert_allclose(put[beyond, 1:], edge[apart.argmin(axis=-1)], rtol=0.0, atol=2e-3)


def test_clamps_to_the_nearer_end_of_a_twist() -> None:
    limits = one_joint((0.0, 2.5), [(-0.2, 0.2), (-0.2, 0.2)])
    given = np.array([-3.0, -1.8, -0.4, 0.0, 1.0, 2.5, 3.1])
    put = quat.log(clamped(limits, quat.exp(given[:, None] * X)[:, None])[:, 0])
    assert_allclose(put[:, 0], [2.5, 0.0, 0.0, 0.0, 1.0, 2.5, 2.5], **PRECISE)


def test_continuous() -> None:
    """Four times the poses along a way far out of the limits and back: steps a quarter as large."""
    limits = limits_of(humanoid())

    def largest_step(count: int) -> float:
        phase = np.linspace(0.0, 2.0 * np.pi, count)[:, None, None]
        axes = np.random.default_rng(1).normal(size=(2, 54, 3))
        axes *= 1.1 / np.linalg.norm(axes, axis=-1, keepdims=True)
        turns = clamped(limits, quat.exp(np.sin(phase) * axes[0] + np.sin(2.0 * phase) * axes[1]))
        return float(np.linalg.norm(np.diff(turns, axis=0), axis=-1).max())

    coarse, fine = largest_step(1000), largest_step(4000)
    assert fine == pytest.approx(0.25 * coarse, rel=0.1)


def test_joints_of_no_role() -> None:
    """Between hips and chest they are spine; elsewhere they are free."""
    names = PLAIN_NAMES | {"spine_2": "q1", "spine_3": "q2", "left_upper_arm_twist": "q3", "jaw": "q4"}
    skeleton = figure(names)
    away = np.tile(skeleton.rest, (1, 1, 1))
    for name in ("q1", "q2", "q3", "q4", "Hips"):
        away[0, skeleton.index(name)] = quat.from_axis_angle(Z, 1.5)
    beyond = excess(limits_of(skeleton), away)[0]
    assert {skeleton.names[j] for j in np.flatnonzero(beyond)} == {"q1", "q2"}
    share = 1.5 / 4  # four joints from hips to chest
    assert_allclose(beyond[beyond > 0.0], 1.5 - share * np.radians(38), rtol=0.0, atol=1e-6)


def test_a_figure_without_roles_is_free() -> None:
    stick = Skeleton.build(["qa", "qb"], [-1, 0], np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    turns = random_turns((50, 2))
    assert_array_equal(excess(limits_of(stick), turns), 0.0)
    assert_array_equal(clamped(limits_of(stick), turns), turns)


@pytest.mark.parametrize("refused", [np.full((54, 4), np.nan), np.ones((53, 4)), np.ones(4), "turns"])
def test_rotations_that_are_refused(refused: object) -> None:
    limits = limits_of(humanoid())
    for ask in (excess, clamped):
        with pytest.raises(RequestError, match="rotations must"):
            ask(limits, refused)  # type: ignore[arg-type]


# markers that were exchanged turn feet by half a turn; a squat down to the heels in which the captured pelvis
# stays upright turns a thigh by 109 degrees about itself
FAULTY = ("jump/83_43.bvh", "jump/83_47.bvh", "reach/69_70.bvh")


def inside_by_role(files: list[str]) -> dict[str, float]:
    """The share of frames within the limits; not of toes and hands, which tremble."""
    inside: dict[str, list[np.ndarray]] = {}
    for file in files:
        motion = captured(file)
        beyond = excess(limits_of(motion.skeleton), motion.rotations)
        for role, joint in motion.skeleton.roles.items():
            if not any(word in role for word in ("toe", "hand", "thumb", "index")):
                inside.setdefault(role, []).append(beyond[:, joint] == 0.0)
    return {role: float(np.concatenate(parts).mean()) for role, parts in inside.items()}


@needs_captures
def test_captured_people_stay_within() -> None:
    files = [file for file in clips("walk", "run", "reach", "jump") if file.endswith(".bvh")]
    assert len(files) == 37
    everywhere = inside_by_role(files)
    assert len(everywhere) == 17
    assert {role: share for role, share in everywhere.items() if share < 0.98} == {}
    sound = inside_by_role([file for file in files if file not in FAULTY])
    assert {role: share for role, share in sound.items() if share < 0.995} == {}
