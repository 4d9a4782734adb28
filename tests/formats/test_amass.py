"""AMASS archives: positions against SciPy's matrices, any figure told from a T-pose, hostile files."""

from __future__ import annotations

import io
import tracemalloc
import zipfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.lib import format as npy
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from footfall.errors import LoadError, SaveError, SkeletonError
from footfall.figure.feet import FootPoints
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.formats.amass import read_amass, write_amass
from footfall.formats.amass_skeleton import SMPL, SMPL_H, SMPL_X, Body, t_pose
from footfall.formats.assemble import assemble
from footfall.formats.load import load_capture, load_motion
from footfall.geometry import quaternion as quat
from tests.captures import captures
from tests.figure.figures import (
    PLAIN_NAMES,
    figure,
    framed,
    humanoid,
    in_frames,
    random_skeleton,
    smooth_motion,
)

CLOSE = {"rtol": 0.0, "atol": 1e-12}
SIDES = ("left", "right")
LIMBS = [
    (f"{s}_{top}", [f"{s}_{p}" for p in parts])
    for s in SIDES
    for top, parts in (("thigh", ("shank", "foot")), ("upper_arm", ("forearm", "hand")))
]
# Parents as the body models' papers number them
SMPL_PARENTS = (-1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19, 20, 21)


def archive(**arrays: object) -> bytes:
    content = io.BytesIO()
    np.savez(content, **arrays)  # type: ignore[arg-type]
    return content.getvalue()


def poses(body: Body, frames: int = 5, seed: int = 0, size: float = 0.8) -> dict[str, np.ndarray]:
    """A standing figure in Z-up axes whose every joint is turned at random."""
    rng = np.random.default_rng(seed)
    turns = size * rng.normal(size=(frames, len(body), 3))
    upright = Rotation.from_rotvec([0.5 * np.pi, 0.0, 0.0])
    turns[:, 0] = (upright * Rotation.from_rotvec(0.2 * turns[:, 0])).as_rotvec()
    return {
        "poses": turns.reshape(frames, -1),
        "trans": np.array([0.0, 0.0, 0.95]) + 0.05 * rng.normal(size=(frames, 3)),
        "mocap_framerate": np.array(60.0),
    }


def loaded(content: bytes) -> Motion:
    return assemble(read_amass(content)).motion


def matrix_chain(body: Body, offsets: np.ndarray, turns: np.ndarray, trans: np.ndarray) -> np.ndarray:
    """World positions in the file's own axes."""
    where, world = np.empty((len(trans), len(body), 3)), np.empty((len(trans), len(body), 3, 3))
    local = Rotation.from_rotvec(turns.reshape(-1, 3)).as_matrix().reshape(len(trans), len(body), 3, 3)
    for joint, parent in enumerate(body.parents):
        if parent < 0:
            where[:, joint], world[:, joint] = trans + offsets[0], local[:, joint]
        else:
            where[:, joint] = where[:, parent] + world[:, parent] @ offsets[joint]
            world[:, joint] = world[:, parent] @ local[:, joint]
    return where


def y_up(points: np.ndarray) -> np.ndarray:
    return np.stack([points[..., 0], points[..., 2], -points[..., 1]], axis=-1)


def stored(content: bytes) -> dict[str, np.ndarray]:
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        return dict(arrays)


@pytest.mark.parametrize(("body", "width"), [(SMPL, 72), (SMPL_H, 156), (SMPL_X, 165)])
def test_positions_are_those_of_a_matrix_chain(body: Body, width: int) -> None:
    arrays = poses(body)
    assert arrays["poses"].shape[1] == width
    motion = loaded(archive(**arrays))
    assert motion.skeleton.names == body.names
    expected = matrix_chain(body, body.offsets, arrays["poses"], arrays["trans"])
    assert_allclose(motion.positions, y_up(expected), **CLOSE)


def test_the_family_shares_its_body_and_differs_in_its_hands() -> None:
    assert SMPL.parents == SMPL_PARENTS
    assert SMPL_H.parents[:22] == SMPL_X.parents[:22] == SMPL_PARENTS[:22]
    assert SMPL_H.names[22:] == SMPL_X.names[25:]
    assert SMPL_X.names[22:25] == ("jaw", "left_eye", "right_eye")
    assert SMPL_X.parents[22:25] == (15, 15, 15)
    for body, first in ((SMPL_H, 22), (SMPL_X, 25)):
        for k, side in enumerate(SIDES):
            hand = [body.names[first + 15 * k + i] for i in range(0, 15, 3)]
            assert hand == [f"{side}_{f}1" for f in ("index", "middle", "pinky", "ring", "thumb")]
            for i in range(15):
                joint = first + 15 * k + i
                assert body.parents[joint] == (20 + k if i % 3 == 0 else joint - 1)


def test_without_rotations_it_is_a_person_of_170_cm_in_a_t_pose() -> None:
    skeleton = t_pose()
    assert skeleton.height == pytest.approx(1.70)
    assert_array_equal(skeleton.rest, quat.identity(52))
    rest = skeleton.rest_positions
    for side, sign in (("left", 1.0), ("right", -1.0)):
        arm = rest[skeleton.joint(f"{side}_hand")] - rest[skeleton.joint(f"{side}_upper_arm")]
        assert sign * arm[0] > 0.99 * np.linalg.norm(arm)
        toes = rest[skeleton.joint(f"{side}_toe")] - rest[skeleton.joint(f"{side}_foot")]
        assert toes[2] > 0.1
    mirrored = rest[[SMPL_H.names.index(_other(n)) for n in SMPL_H.names]] * [-1, 1, 1]
    assert_allclose(rest, mirrored, **CLOSE)


def _other(name: str) -> str:
    return name.replace("left", "tmp").replace("right", "left").replace("tmp", "right")


def test_roles_are_found_in_every_member_of_the_family() -> None:
    for body in (SMPL, SMPL_H, SMPL_X):
        skeleton = loaded(archive(**poses(body))).skeleton
        names = {role: skeleton.names[joint] for role, joint in skeleton.roles.items()}
        assert names["hips"] == "pelvis"
        assert names["chest"] == "spine3"
        for side in SIDES:
            assert names[f"{side}_foot"] == f"{side}_ankle"
            assert names[f"{side}_toe"] == f"{side}_foot"
            assert names[f"{side}_upper_arm"] == f"{side}_shoulder"
            assert names[f"{side}_hand"] == f"{side}_wrist"


@pytest.mark.parametrize("key", ["mocap_framerate", "mocap_frame_rate", "fps"])
@pytest.mark.parametrize("rate", [np.array(120), np.array([59.94]), np.float32(30.0)])
def test_the_frame_rate_has_several_names(key: str, rate: np.ndarray) -> None:
    arrays = poses(SMPL)
    del arrays["mocap_framerate"]
    assert read_amass(archive(**arrays)).fps is None
    assert read_amass(archive(**arrays, **{key: rate})).fps == float(rate.reshape(-1)[0])


def test_what_real_archives_also_hold_is_left_alone() -> None:
    """Objects, texts, body shapes and long floats; a shape of frames x joints x 3; Fortran order."""
    arrays = poses(SMPL_H)
    plain = loaded(archive(**arrays))
    more = archive(
        **arrays,
        gender=np.array("female"),
        betas=np.ones(16),
        dmpls=np.zeros((5, 8)),
        labels=np.array([{"a": 1}, None], dtype=object),
    )
    assert_array_equal(loaded(more).positions, plain.positions)
    cubes = {**arrays, "poses": arrays["poses"].reshape(5, 52, 3)}
    assert_array_equal(loaded(archive(**cubes)).positions, plain.positions)
    columns = {**arrays, "poses": np.asfortranarray(arrays["poses"]), "trans": arrays["trans"].astype(">f8")}
    assert_array_equal(loaded(archive(**columns)).positions, plain.positions)
    single = {k: v.astype(np.float32) for k, v in arrays.items()}
    assert_allclose(loaded(archive(**single)).positions, plain.positions, rtol=0, atol=1e-5)


@pytest.mark.parametrize("width", [66, 69, 90, 300])
def test_of_other_widths_the_body_is_read(width: int) -> None:
    arrays = poses(SMPL_H)
    wide = np.concatenate([arrays["poses"]] * 2, axis=1)[:, :width]
    take = read_amass(archive(**{**arrays, "poses": wide}))
    assert take.names == list(SMPL_H.names[:22])
    assert any(str(width) in note for note in take.notes) == (width != 66)
    assert_allclose(assemble(take).motion.positions, loaded(archive(**arrays)).positions[:, :22], **CLOSE)


def test_round_trip_of_an_archive_keeps_positions_and_poses() -> None:
    arrays = poses(SMPL_H, frames=20, size=0.5)
    first = loaded(archive(**arrays))
    content = write_amass(first)
    second = loaded(content)
    assert_allclose(second.positions, first.positions, rtol=0, atol=1e-9)
    back = stored(content)
    assert_allclose(back["trans"], arrays["trans"], **CLOSE)
    assert_allclose(
        Rotation.from_rotvec(back["poses"].reshape(-1, 3)).as_matrix(),
        Rotation.from_rotvec(arrays["poses"].reshape(-1, 3)).as_matrix(),
        rtol=0,
        atol=1e-9,
    )
    assert_allclose(loaded(write_amass(second)).positions, first.positions, rtol=0, atol=1e-9)


@pytest.mark.parametrize("body", [SMPL, SMPL_X])
def test_other_members_are_written_as_smpl_h_and_keep_the_joints_they_share(body: Body) -> None:
    first = loaded(archive(**poses(body)))
    second = loaded(write_amass(first))
    shared = [n for n in body.names if n in SMPL_H.names]
    assert len(shared) >= 22
    ours = [body.names.index(n) for n in shared]
    theirs = [SMPL_H.names.index(n) for n in shared]
    assert_allclose(second.positions[:, theirs], first.positions[:, ours], rtol=0, atol=1e-9)


def resting(skeleton: Skeleton, **turns: tuple[np.ndarray, float]) -> Skeleton:
    """The same bones at rest with joints turned in the world: arms that hang, legs astride."""
    rest = np.array(skeleton.rest)
    for name, (axis, angle) in turns.items():
        rest[skeleton.index(name)] = quat.from_axis_angle(axis, angle)
    return replace(skeleton, rest=rest, feet=None)


def slack() -> Skeleton:
    """SMPL's bones resting with arms down, legs astride and one foot hanging."""
    bones = t_pose().offsets
    across = {side: np.cross(bones[SMPL_H.names.index(f"{side}_elbow")], [0, 1, 0]) for side in SIDES}
    z = np.array([0.0, 0.0, 1.0])
    loose = resting(
        t_pose(),
        left_shoulder=(across["left"], -1.3),
        right_shoulder=(across["right"], -1.2),
        left_hip=(z, 0.35),
        right_hip=(z, -0.3),
        left_ankle=(np.array([1.0, 0.0, 0.0]), 0.4),  # toes that hang
    )
    assert loose.rest_positions[loose.index("left_wrist"), 1] < 0.2
    assert loose.rest_positions[loose.index("right_ankle"), 0] < -0.25
    # without rotations the feet are where the T-pose has them
    return loose.with_feet(**{side: t_pose().foot_points(side) for side in SIDES})


@pytest.mark.parametrize("frames_of_their_own", [False, True])
def test_a_figure_that_rests_otherwise_but_stands_in_a_t_pose_is_not_turned(
    frames_of_their_own: bool,
) -> None:
    """The T-pose is where a figure is, not how it rests: its rotation vectors are all zero."""
    motion = Motion(slack(), np.zeros((3, 3)), quat.identity(3, 52), 30.0)
    if frames_of_their_own:
        motion = _other_frames(motion)
    assert_allclose(motion.positions[0], t_pose().rest_positions, **CLOSE)
    arrays = stored(write_amass(motion))
    turns = arrays["poses"].reshape(3, 52, 3)
    assert_allclose(turns[:, 0], np.tile([0.5 * np.pi, 0, 0], (3, 1)), **CLOSE)
    assert_allclose(turns[:, 1:], 0.0, **CLOSE)
    assert_allclose(arrays["footfall_offsets"], SMPL_H.offsets, **CLOSE)


def _other_frames(motion: Motion) -> Motion:
    """The same world positions and rest, every joint's frame turned by a constant of its own."""
    skeleton = motion.skeleton
    turns = quat.normalize(np.random.default_rng(5).normal(size=(len(skeleton), 4)))
    above = np.concatenate([quat.identity(1), turns[skeleton.parents[1:]]])

    def told(rotations: np.ndarray) -> np.ndarray:
        return quat.multiply(quat.multiply(quat.conjugate(above), rotations), turns)

    feet = {}
    for side, points in (skeleton.feet or {}).items():
        back = quat.conjugate(turns[skeleton.joint(f"{side}_foot")])
        feet[side] = FootPoints(*(quat.rotate(back, np.array(p)) for p in points.as_lists().values()))
    other = replace(
        skeleton,
        feet=feet,
        offsets=quat.rotate(quat.conjugate(above), skeleton.offsets),
        rest=told(skeleton.rest),
        end_offsets=quat.rotate(quat.conjugate(turns[skeleton.end_parents]), skeleton.end_offsets),
    )
    assert_allclose(other.rest_positions, skeleton.rest_positions, **CLOSE)
    return Motion(other, motion.root, told(motion.rotations), motion.fps)


def shared_roles(a: Motion, b: Motion) -> list[str]:
    return [r for r in a.skeleton.roles if b.skeleton.has(r)]


@pytest.mark.parametrize("seed", range(3))
def test_a_figure_of_any_make_keeps_every_joint_that_smpl_has(seed: int) -> None:
    motion = smooth_motion(humanoid(), seed=seed, size=0.7)
    again = loaded(write_amass(motion))
    roles = shared_roles(motion, again)
    assert len(roles) >= 23
    for role in roles:
        assert_allclose(again.of(role), motion.of(role), rtol=0, atol=1e-9, err_msg=role)
    assert again.fps == motion.fps


def test_joint_frames_do_not_matter() -> None:
    motion = smooth_motion(humanoid(), seed=4)
    plain, other = (stored(write_amass(m)) for m in (motion, in_frames(motion, framed(humanoid()))))
    for key in ("trans", "footfall_offsets"):
        assert_allclose(other[key], plain[key], rtol=0, atol=1e-9)
    turns = [quat.exp(a["poses"].reshape(-1, 52, 3)) for a in (plain, other)]
    assert quat.angle_between(*turns).max() < 1e-7


@pytest.mark.parametrize(
    "lacking",
    [
        ("neck",),
        ("left_clavicle", "right_clavicle"),
        ("spine",),
        ("left_toe", "right_toe"),
        ("spine", "chest"),
        ("head", "neck", "chest", "spine"),
    ],
)
def test_a_figure_that_lacks_joints_keeps_those_it_has(lacking: tuple[str, ...]) -> None:
    skeleton = figure({part: name for part, name in PLAIN_NAMES.items() if part not in lacking})
    motion = smooth_motion(skeleton, seed=2)
    again = loaded(write_amass(motion))
    assert not any(again.skeleton.bone_lengths[1:] < 1e-3)
    # a short trunk's only joint plays spine and chest: SMPL has both, and the outer is meant
    double = {"spine"} if skeleton.roles.get("spine") == skeleton.roles.get("chest") else set()
    for role in set(shared_roles(motion, again)) - double:
        assert_allclose(again.of(role), motion.of(role), rtol=0, atol=1e-9, err_msg=role)


def test_hips_that_are_also_called_chest_stay_hips() -> None:
    skeleton = humanoid().with_roles(spine="Hips", chest="Hips")
    motion = smooth_motion(skeleton, seed=6)
    again = loaded(write_amass(motion))
    for role in ("hips", "head", "left_hand", "right_foot"):
        assert_allclose(again.of(role)[0], motion.of(role)[0], rtol=0, atol=0.3)
    for role in ("hips", "left_thigh", "left_shank", "right_foot"):
        assert_allclose(again.of(role), motion.of(role), rtol=0, atol=1e-9)


def test_joints_in_between_and_stretching_bones_keep_limb_directions() -> None:
    """Translations cannot be told, but each limb bone points where it pointed, at its mean length."""
    motion = smooth_motion(humanoid(), seed=3, translations=True)
    again = loaded(write_amass(motion))
    for top, parts in LIMBS:
        for above, below in zip((top, *parts), parts, strict=False):
            bones = [m.of(below) - m.of(above) for m in (motion, again)]
            lengths = [np.linalg.norm(b, axis=-1, keepdims=True) for b in bones]
            assert_allclose(bones[0] / lengths[0], bones[1] / lengths[1], rtol=0, atol=1e-9)
            assert np.ptp(lengths[0]) > 1e-3
            assert_allclose(lengths[1], lengths[0].mean(), rtol=0, atol=1e-9)


def test_what_is_written_is_what_body_models_expect() -> None:
    motion = smooth_motion(humanoid(), frames=7, fps=59.94)
    content = write_amass(motion)
    assert content == write_amass(motion)
    arrays = stored(content)
    assert arrays["poses"].shape == (7, 156)
    assert arrays["trans"].shape == (7, 3)
    assert arrays["footfall_offsets"].shape == (52, 3)
    assert float(arrays["mocap_framerate"]) == 59.94
    assert str(arrays["gender"]) == "neutral"
    assert_array_equal(arrays["betas"], np.zeros(16))
    assert (np.linalg.norm(arrays["poses"].reshape(-1, 3), axis=-1) <= np.pi + 1e-12).all()
    hips = np.array([motion.of("hips")[:, 0], -motion.of("hips")[:, 2], motion.of("hips")[:, 1]]).T
    # the model adds `trans` to its origin, from which the pelvis lies 22 cm along -y and 3 cm along z
    assert_allclose(arrays["trans"], hips - np.array([0.0, -0.22, 0.03]), **CLOSE)


def test_bare_figures_are_refused_by_the_role_they_lack() -> None:
    with pytest.raises(SkeletonError, match="hips"):
        write_amass(smooth_motion(random_skeleton(0, 3)))
    with pytest.raises(SaveError, match="batch"):
        write_amass(smooth_motion(humanoid(), batch=(2,)))


@pytest.mark.parametrize("frames", [0, 1])
def test_few_frames(frames: int) -> None:
    motion = smooth_motion(humanoid(), frames=5)[:frames]
    again = loaded(write_amass(motion))
    assert len(again) == frames
    assert_allclose(again.of("left_foot"), motion.of("left_foot"), rtol=0, atol=1e-9)


# Real captures: walking, jumping, stairs; CMU's and other makers' skeletons


@pytest.mark.parametrize("file", ["walk/07_01.bvh", "jump/118_02.bvh", "run/*.bvh", "stairs-uneven/*.bvh"])
def test_cmu_captures_keep_their_limbs(file: str) -> None:
    path = captures(file)
    motion = load_motion(path if path.exists() else sorted(path.parent.glob(path.name))[0])
    again = loaded(write_amass(motion))
    assert len(again) == len(motion)
    for top, parts in LIMBS:
        for part in parts:
            relative = [m.of(part) - m.of(top) for m in (motion, again)]
            assert_allclose(*relative, rtol=0, atol=1e-6, err_msg=part)
    for role in ("left_foot", "right_foot", "left_hand", "right_hand", "left_toe", "right_toe"):
        assert np.linalg.norm(again.of(role) - motion.of(role), axis=-1).max() < 1e-6
    # the head is carried by a second neck joint that SMPL lacks
    assert np.linalg.norm(again.of("head") - motion.of("head"), axis=-1).mean() < 2e-3


@pytest.mark.parametrize(
    "file",
    [
        "test_freebvh.bvh",
        "test_mocapbank.bvh",
        "AV_8Walk_Meredith_HVHA_Rep1.bvh",
        "bvh_example.bvh",
        "bvh_test2.bvh",
        "bvh_test3.bvh",
        "Far_Left.bvh",
        "humanoid3d_walk.txt",
        "pfnn_hierarchy.bvh",
    ],
)
def test_other_makers_captures_keep_feet_hands_and_head(file: str) -> None:
    motion = load_motion(captures(f"formats/{file}"))
    again = loaded(write_amass(motion))
    for role in ("left_foot", "right_foot", "left_hand", "right_hand", "head"):
        assert np.linalg.norm(again.of(role) - motion.of(role), axis=-1).mean() < 1e-3, role


def test_recognised_by_content(tmp_path: Path) -> None:
    path = tmp_path / "motion.bvh"
    path.write_bytes(archive(**poses(SMPL_H)))
    capture = load_capture(path)
    assert (capture.format, capture.up, capture.unit) == ("amass", "z", 1.0)
    assert any("1.7 m" in note for note in capture.notes)
    path.write_bytes(archive(other=np.zeros(3)))
    with pytest.raises(LoadError, match="not recognised"):
        load_capture(path)


# Hostile archives


def forged(header: bytes, payload: bytes = b"", **others: np.ndarray) -> bytes:
    """An archive whose poses.npy is these bytes."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("poses.npy", header + payload)
        for name, array in {"trans": np.zeros((1, 3)), **others}.items():
            member = io.BytesIO()
            npy.write_array(member, np.asarray(array))
            file.writestr(f"{name}.npy", member.getvalue())
    return content.getvalue()


def npy_header(text: str, version: bytes = b"\x01\x00") -> bytes:
    return b"\x93NUMPY" + version + len(text).to_bytes(2, "little") + text.encode()


def numbers(shape: str, descr: str = "'<f8'") -> bytes:
    return npy_header(f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}\n")


ROW = bytes(72 * 8)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (forged(numbers("(1000000000000, 72)"), ROW), "announces"),
        (forged(numbers("(2, 72)"), ROW), "announces"),
        (forged(numbers("(-1, 72)"), ROW), "announces"),
        (forged(numbers("(-1, -72)"), ROW), "announces"),
        (forged(numbers("(1, 72)"), ROW + b"x"), "announces"),
        (forged(numbers("(1, 72)", "'|O'"), ROW), "numbers"),
        (forged(numbers("(1, 72)", "'<c8'"), ROW), "numbers"),
        (forged(numbers("(1, 72)", "'|V8'"), ROW), "numbers"),
        (forged(numbers("(1, 72)", "[('a', '<f8')]"), ROW), "numbers"),
        (forged(numbers("(1, 72)", "'<U100000000'"), ROW), "numbers"),
        (forged(numbers("(1, 72)", "'nonsense'"), ROW), "header"),
        (forged(numbers("(1.5, 72)"), ROW), "header"),
        (forged(npy_header("(" * 9000), ROW), "header"),
        (forged(npy_header("__import__('os').abort()"), ROW), "header"),
        (forged(npy_header("{'descr': '<f8'}"), ROW), "header"),
        (forged(npy_header("'" * 9), ROW), "header"),
        (forged(npy_header("{", b"\x09\x00"), ROW), "version"),
        (forged(npy_header("{", b"\x03\x00"), ROW), "version"),
        (forged(b"\x93NUM"), "header"),
        (forged(b""), "header"),
        (archive(poses=np.full((1, 72), np.nan), trans=np.zeros((1, 3))), "finite"),
        (archive(poses=np.full((1, 72), 1e5), trans=np.zeros((1, 3))), "radians"),
        (archive(poses=np.zeros((2, 72)), trans=np.zeros((1, 3))), "'trans'"),
        (archive(poses=np.zeros((1, 63)), trans=np.zeros((1, 3))), "63"),
        (archive(poses=np.zeros(72), trans=np.zeros((1, 3))), "'poses'"),
        (archive(poses=np.zeros((1, 24, 4)), trans=np.zeros((1, 3))), "'poses'"),
        (archive(poses=np.zeros((1, 72)), trans=np.zeros((1, 3)), fps=0.0), "'fps'"),
        (archive(poses=np.zeros((1, 72)), trans=np.zeros((1, 3)), fps=[1.0, 2.0]), "'fps'"),
        (archive(poses=np.zeros((1, 72)), trans=np.zeros((1, 3)), fps=np.inf), "'fps'"),
        (
            archive(poses=np.zeros((1, 72)), trans=np.zeros((1, 3)), footfall_offsets=np.zeros((52, 3))),
            "24 x 3",
        ),
        (archive(trans=np.zeros((1, 3))), "no 'poses'"),
        (archive(poses=np.zeros((1, 72))), "no 'trans'"),
        (b"PK\x03\x04", "damaged"),
        (b"", "damaged"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(content: bytes, said: str) -> None:
    with pytest.raises(LoadError) as refusal:
        read_amass(content)
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 300


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    content = forged(numbers("(250000, 72)"), bytes(250_000 * 72 * 8))
    assert len(content) < 200_000
    tracemalloc.start()
    with pytest.raises(LoadError, match="unpack to 144"):
        read_amass(content)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 20


@pytest.mark.parametrize("packing", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_packings_that_numpy_never_writes_are_refused(packing: int) -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", packing) as file:
        file.writestr("poses.npy", numbers("(1, 72)") + ROW)
        file.writestr("trans.npy", ROW)
    with pytest.raises(LoadError, match="packed"):
        read_amass(content.getvalue())


@pytest.mark.parametrize("offsets", [np.zeros((24, 3)), np.full((24, 3), 1e6), np.full((24, 3), 1e300)])
def test_absurd_limbs_raise_nothing_else(offsets: np.ndarray) -> None:
    content = archive(poses=np.zeros((8, 72)), trans=np.zeros((8, 3)), fps=30.0, footfall_offsets=offsets)
    try:
        loaded(content)
    except LoadError:
        assert offsets[0, 0] > 0


GOOD = write_amass(smooth_motion(humanoid(), frames=2))
PACKED = forged(numbers("(1, 72)"), ROW, fps=np.array(30.0))


@settings(max_examples=300, deadline=None)
@given(
    content=st.sampled_from([GOOD, PACKED]),
    cut=st.integers(0, len(GOOD)),
    edits=st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), max_size=6),
)
def test_no_bytes_raise_anything_but_a_load_error(
    content: bytes, cut: int, edits: list[tuple[float, int]]
) -> None:
    text = bytearray(content)
    for place, byte in edits:
        text[int(place * len(text))] = byte
    for damaged in (bytes(text), bytes(text[:cut])):
        with suppress(LoadError):
            loaded(damaged)
