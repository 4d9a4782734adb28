"""DeepMimic clips: a frame's layout against a chain of SciPy matrices, timing, refusals, a real walk."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from footfall.errors import LoadError
from footfall.figure.motion import Motion
from footfall.formats.assemble import assemble
from footfall.formats.deepmimic import read_deepmimic
from footfall.formats.load import load_capture
from footfall.geometry import ground
from tests.captures import captures

CLOSE = {"rtol": 0.0, "atol": 1e-12}
# The humanoid again, written from its description: name, parent, place, columns of the frame
CHAIN = [
    ("root", None, (0, 0, 0), slice(4, 8)),
    ("chest", "root", (0, 0.236151, 0), slice(8, 12)),
    ("neck", "chest", (0, 0.223894, 0), slice(12, 16)),
    ("right_hip", "root", (0, 0, 0.084887), slice(16, 20)),
    ("right_knee", "right_hip", (0, -0.421546, 0), 20),
    ("right_ankle", "right_knee", (0, -0.409870, 0), slice(21, 25)),
    ("right_shoulder", "chest", (-0.02405, 0.24350, 0.18311), slice(25, 29)),
    ("right_elbow", "right_shoulder", (0, -0.274788, 0), 29),
    ("right_wrist", "right_elbow", (0, -0.258947, 0), None),
    ("left_hip", "root", (0, 0, -0.084887), slice(30, 34)),
    ("left_knee", "left_hip", (0, -0.421546, 0), 34),
    ("left_ankle", "left_knee", (0, -0.409870, 0), slice(35, 39)),
    ("left_shoulder", "chest", (-0.02405, 0.24350, -0.18311), slice(39, 43)),
    ("left_elbow", "left_shoulder", (0, -0.274788, 0), 43),
    ("left_wrist", "left_elbow", (0, -0.258947, 0), None),
]


def standing() -> list[float]:
    """One frame without any rotation."""
    frame = np.zeros(44)
    frame[:4] = 1 / 30, 0.0, 0.9, 0.0
    for _, _, _, columns in CHAIN:
        if isinstance(columns, slice):
            frame[columns.start] = 1.0
    return frame.tolist()


def clip(frames: list[list[float]], loop: str = "wrap") -> bytes:
    return json.dumps({"Loop": loop, "Frames": frames}).encode()


def random_frames(seed: int, count: int = 6) -> np.ndarray:
    rng = np.random.default_rng(seed)
    frames = rng.normal(size=(count, 44))
    frames[:, 0] = 1 / 30
    for _, _, _, columns in CHAIN:
        if isinstance(columns, slice):
            frames[:, columns] /= np.linalg.norm(frames[:, columns], axis=-1, keepdims=True)
    return frames


def places(frame: np.ndarray) -> dict[str, np.ndarray]:
    """World positions in the humanoid's own axes, by 3 x 3 matrices."""
    where: dict[str, np.ndarray] = {}
    turn: dict[str, np.ndarray] = {}
    for name, parent, offset, columns in CHAIN:
        local = np.eye(3)
        if isinstance(columns, slice):
            local = Rotation.from_quat(frame[columns], scalar_first=True).as_matrix()
        elif columns is not None:
            local = Rotation.from_rotvec([0.0, 0.0, frame[columns]]).as_matrix()
        where[name] = frame[1:4] if parent is None else where[parent] + turn[parent] @ np.array(offset)
        turn[name] = local if parent is None else turn[parent] @ local
    return where


def loaded(text: bytes) -> Motion:
    return assemble(read_deepmimic(text)).motion


@pytest.mark.parametrize("seed", range(5))
def test_positions_are_those_of_a_matrix_chain_told_in_our_axes(seed: int) -> None:
    frames = random_frames(seed, 3)  # too few for any to be taken as artificial
    motion = loaded(clip(frames.tolist()))
    assert len(motion) == 3
    for i, frame in enumerate(frames):
        for name, (x, y, z) in places(frame).items():
            ours = motion.positions[i, motion.skeleton.index(name)]
            assert_allclose(ours, [-z, y, x], **CLOSE, err_msg=name)


def test_at_rest_it_faces_forward_with_its_left_at_x_and_has_every_limb() -> None:
    motion = loaded(clip([standing()] * 2))
    skeleton = motion.skeleton
    assert skeleton.rest_positions[skeleton.joint("left_thigh"), 0] == pytest.approx(0.084887)
    assert skeleton.rest_positions[skeleton.joint("right_hand"), 0] == pytest.approx(-0.18311)
    names = {role: skeleton.names[joint] for role, joint in skeleton.roles.items()}
    for side in ("left", "right"):
        assert names[f"{side}_foot"] == f"{side}_ankle"
        assert names[f"{side}_hand"] == f"{side}_wrist"
        toes = skeleton.rest_ends[skeleton.end_parents == skeleton.joint(f"{side}_foot")]
        ahead = toes - skeleton.rest_positions[skeleton.joint(f"{side}_foot")]
        assert (ahead[:, 2] > 0.1).all()
        assert (ahead[:, 1] < 0.0).all()
    assert names["hips"] == "root"
    assert names["chest"] == "chest"
    assert names["head"] == "neck"
    assert np.abs(skeleton.rest - [1, 0, 0, 0]).max() == 0.0
    assert motion.fps == pytest.approx(30.0)


def test_unit_and_axes_are_stated_not_judged() -> None:
    capture = assemble(read_deepmimic(clip([standing()] * 3)))
    assert (capture.unit, capture.up, capture.dropped, capture.notes) == (1.0, "y", 0, ())


def test_even_durations_are_one_rate_and_the_last_may_be_zero() -> None:
    frames = random_frames(1, 4)
    frames[:, 0] = 0.02, 0.02, 0.02, 0.0
    take = read_deepmimic(clip(frames.tolist()))
    assert take.fps == pytest.approx(50.0)
    assert take.notes == ()


def test_uneven_durations_keep_the_clip_in_time() -> None:
    """A root that moves at 1 m/s and a knee that turns at 1 rad/s do so after resampling."""
    times = np.cumsum([0.0, 0.1, 0.02, 0.05, 0.3, 0.03])
    frames = np.tile(standing(), (len(times), 1))
    frames[:-1, 0], frames[-1, 0] = np.diff(times), 0.0
    frames[:, 1] = times
    frames[:, 20] = -times
    take = read_deepmimic(clip(frames.tolist()))
    even = np.arange(len(times)) / take.fps
    assert even[-1] == pytest.approx(times[-1])
    assert_allclose(take.root[:, 2], even, **CLOSE)
    knee = take.names.index("right_knee")
    assert_allclose(2 * np.arctan2(take.rotations[:, knee, 1], take.rotations[:, knee, 0]), even, **CLOSE)
    assert len(take.notes) == 1
    assert "Hz" in take.notes[0]


@pytest.mark.parametrize(
    ("frames", "fps"), [([], None), ([standing()], 30.0), ([[0.0, *standing()[1:]]], None)]
)
def test_short_clips(frames: list[list[float]], fps: float | None) -> None:
    take = read_deepmimic(clip(frames, "none"))
    assert len(take.root) == len(frames)
    assert take.fps == (None if fps is None else pytest.approx(fps))


def changed(column: int, value: object) -> bytes:
    """Three standing frames, one number of the middle one changed."""
    frames: list[list[object]] = [list(standing()) for _ in range(3)]
    frames[1][column] = value
    return json.dumps({"Frames": frames}).encode()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (clip([standing(), standing()[:-1]]), "frame 1: expected 44 numbers, found 43"),
        (clip([[*standing(), 0.0]]), "frame 0: expected 44 numbers, found 45"),
        (clip([standing(), []]), "frame 1: expected 44 numbers, found 0"),
        (changed(5, "a"), "frame 1: expected 44 numbers"),
        (changed(5, None), "frame 1: expected 44 numbers"),
        (changed(5, True), "frame 1: expected 44 numbers"),
        (changed(5, [1.0]), "frame 1: expected 44 numbers"),
        (changed(5, 10**400), "frame 1: expected 44 numbers"),
        (changed(8, 0.0), "frame 1: expected a unit quaternion w, x, y, z for chest"),
        (changed(8, 1e200), "frame 1: expected a unit quaternion w, x, y, z for chest"),
        (changed(20, 1e300), "frame 1: expected an angle in radians for right_knee"),
        (changed(0, -0.1), "frame 1: expected a duration"),
        (changed(0, 1e300), "frame 1: expected a duration"),
        (clip([[1e-9, *standing()[1:]]] * 3), "durations in seconds"),
        (clip([[5e-324, *standing()[1:]]] * 3), "durations in seconds"),
        (b'{"Frames": 3}', "list 'Frames'"),
        (b'{"Frames": [3]}', "frame 0"),
        (b'{"Loop": "wrap"}', "list 'Frames'"),
        (b"[]", "list 'Frames'"),
        (b"", "list 'Frames'"),
        (b'{"Frames": [', "list 'Frames'"),
        (b'{"Frames": [[NaN]]}', "list 'Frames'"),
        (b'{"x": ' + b"[" * 10**6 + b"]" * 10**6 + b', "Frames": []}', "list 'Frames'"),
        (b'{"Frames": [' + b"[" * 10**6, "list 'Frames'"),
        (b'{"Frames": [' + b"[" * 900 + b"]" * 900 + b"]}", "frame 0"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(text: bytes, said: str) -> None:
    with pytest.raises(LoadError) as refusal:
        read_deepmimic(text)
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 250


def test_lengths_beyond_reason_are_refused_on_assembly() -> None:
    with pytest.raises(LoadError):
        loaded(changed(2, 1e200))


GOOD = clip(random_frames(3, 2).tolist())


@settings(max_examples=300, deadline=None)
@given(
    cut=st.integers(0, len(GOOD)),
    edits=st.lists(st.tuples(st.integers(0, len(GOOD) - 1), st.integers(0, 255)), max_size=6),
)
def test_no_bytes_raise_anything_but_a_load_error(cut: int, edits: list[tuple[int, int]]) -> None:
    text = bytearray(GOOD)
    for place, byte in edits:
        text[place] = byte
    for damaged in (bytes(text), bytes(text[:cut])):
        with suppress(LoadError):
            loaded(damaged)


def test_recognised_by_content(tmp_path: Path) -> None:
    path = tmp_path / "clip.bvh"
    path.write_bytes(b"\xef\xbb\xbf\n " + json.dumps({"Frames": [standing()] * 2, "Loop": "none"}).encode())
    capture = load_capture(path)
    assert capture.format == "deepmimic"
    assert len(capture.motion) == 2


@pytest.fixture(scope="module")
def walk() -> Motion:
    capture = load_capture(captures("formats/humanoid3d_walk.txt"))
    assert (capture.format, capture.dropped, capture.notes) == ("deepmimic", 0, ())
    return capture.motion


def test_the_real_walk_goes_where_it_faces(walk: Motion) -> None:
    assert len(walk) == 39
    travel = walk.of("hips")[-1] - walk.of("hips")[0]
    across = walk.of("left_thigh") - walk.of("right_thigh")
    facing = np.cross(across, ground.UP).mean(axis=0)
    facing /= np.linalg.norm(facing)
    assert travel @ facing > 0.99 * np.linalg.norm(travel)
    assert 1.0 < travel[2] < 1.5
    assert 0.8 < np.linalg.norm(travel) / walk.seconds < 1.3  # m/s


def test_the_real_walk_stands_upright_on_the_floor(walk: Motion) -> None:
    spine = walk.of("head") - walk.of("hips")
    assert (spine[:, 1] > 0.97 * np.linalg.norm(spine, axis=-1)).all()
    feet = [walk.skeleton.joint(f"{side}_foot") for side in ("left", "right")]
    soles = walk.ends[:, np.isin(walk.skeleton.end_parents, feet), 1]
    assert soles.shape == (39, 2)
    assert (np.abs(soles.min(axis=1)) < 0.04).all()
    assert (soles.max(axis=0) > 0.05).all()  # and each foot leaves it


def test_the_real_walk_bends_knees_backwards_and_elbows_forwards(walk: Motion) -> None:
    for side in ("left", "right"):
        hip, knee, ankle = (walk.of(f"{side}_{part}") for part in ("thigh", "shank", "foot"))
        assert ((knee - 0.5 * (hip + ankle))[:, 2] > 0.0).all()
        shoulder, elbow, wrist = (walk.of(f"{side}_{part}") for part in ("upper_arm", "forearm", "hand"))
        assert ((elbow - 0.5 * (shoulder + wrist))[:, 2] < 0.0).all()
