"""Footfall's own motion file: every bit comes back, nothing is judged again, hostile headers are refused."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors import numpy as tensors

from footfall.errors import LoadError, SaveError
from footfall.figure.contacts import Contacts
from footfall.figure.feet import FootPoints
from footfall.figure.motion import Motion
from footfall.formats.ffm import read_ffm, write_ffm
from footfall.formats.load import load_capture, load_motion
from tests.captures import captures
from tests.figure.figures import framed, humanoid, random_skeleton, smooth_motion

ARRAYS = ("parents", "offsets", "rest", "end_parents", "end_offsets")
POINTS = ("heel", "subtalar", "ball", "toe")


def with_soles(motion: Motion) -> Motion:
    """Foot points that no judgement would give, and that differ from side to side."""
    rng = np.random.default_rng(1)
    soles = {side: FootPoints(*rng.normal(size=(4, 3))) for side in ("left", "right")}
    return replace(motion, skeleton=motion.skeleton.with_feet(**soles))


def with_contacts(motion: Motion) -> Motion:
    touches = np.random.default_rng(4).random((2, len(motion), 2)) < 0.5
    return replace(motion, contacts=Contacts(*touches))


MOTION = with_contacts(with_soles(smooth_motion(humanoid(), frames=4, translations=True)))


def assert_same_bits(a: np.ndarray, b: np.ndarray) -> None:
    assert a.shape == b.shape
    assert a.dtype == b.dtype
    assert a.tobytes() == b.tobytes()


def assert_same_motion(a: Motion, b: Motion) -> None:
    for name in ("root", "rotations"):
        assert_same_bits(getattr(a, name), getattr(b, name))
    assert (a.translations is None) == (b.translations is None)
    if a.translations is not None and b.translations is not None:
        assert_same_bits(a.translations, b.translations)
    assert (a.contacts is None) == (b.contacts is None)
    if a.contacts is not None and b.contacts is not None:
        assert_same_bits(a.contacts.heel, b.contacts.heel)
        assert_same_bits(a.contacts.toe, b.contacts.toe)
    assert a.fps == b.fps
    for name in ARRAYS:
        assert_same_bits(getattr(a.skeleton, name), getattr(b.skeleton, name))
    assert a.skeleton.names == b.skeleton.names
    assert dict(a.skeleton.roles) == dict(b.skeleton.roles)
    assert (a.skeleton.feet is None) == (b.skeleton.feet is None)
    for side in a.skeleton.feet or {}:
        for point in POINTS:
            assert_same_bits(*(getattr(m.skeleton.foot_points(side), point) for m in (a, b)))


@pytest.mark.parametrize(
    "motion",
    [
        MOTION,
        smooth_motion(humanoid(), fps=59.94005994),
        smooth_motion(framed(humanoid()), fps=1 / 3),
        smooth_motion(random_skeleton(3, 1)),
        smooth_motion(random_skeleton(7, 60), translations=True),
        replace(MOTION, skeleton=MOTION.skeleton.with_feet()),
        MOTION[:0],
        MOTION[1:2],
        smooth_motion(humanoid(), frames=30)[3::5],
        smooth_motion(humanoid())[10:20],
    ],
    ids=repr,
)
def test_every_bit_comes_back(motion: Motion) -> None:
    content = write_ffm(motion)
    capture = read_ffm(content)
    assert (capture.unit, capture.up, capture.dropped, capture.notes) == (1.0, "y", 0, ())
    assert_same_motion(capture.motion, motion)
    assert write_ffm(capture.motion) == content


def test_numbers_that_rounding_would_betray_come_back() -> None:
    root = np.array([[-0.0, 5e-324, 1e6 + 2**-33], [np.pi, np.nextafter(1.0, 2.0), -1e-300]])
    motion = replace(MOTION[:2], root=root, fps=np.nextafter(30.0, 31.0))
    assert_same_motion(read_ffm(write_ffm(motion)).motion, motion)


def test_arrays_that_lie_strided_in_memory_are_laid_out() -> None:
    wide = np.asfortranarray(np.random.default_rng(0).normal(size=(9, 3)))
    wide.flags.writeable = False
    motion = Motion(MOTION.skeleton, wide, np.repeat(MOTION.rotations[:1], 9, axis=0), 30.0)
    assert_same_motion(read_ffm(write_ffm(motion)).motion, motion)
    assert_same_motion(read_ffm(write_ffm(motion[::3])).motion, motion[::3])


def test_roles_rest_and_soles_are_not_judged_again() -> None:
    """Roles that names would not give, a rest pose that does not stand, legs of 40 m."""
    skeleton = MOTION.skeleton.with_roles(left_foot="RightHand", head="LeftToe").scaled(50.0)
    rest = np.random.default_rng(2).normal(size=skeleton.rest.shape)
    skeleton = replace(skeleton, rest=rest / np.linalg.norm(rest, axis=-1, keepdims=True))
    motion = replace(MOTION, skeleton=skeleton, translations=None)
    assert_same_motion(read_ffm(write_ffm(motion)).motion, motion)


@pytest.mark.parametrize("name", ['Knöchel "links"\\\n', "関節", "", "a" * 10_000, "\x00", "😀"])
def test_any_name_comes_back(name: str) -> None:
    names = (name, *MOTION.skeleton.names[1:])
    motion = replace(MOTION, skeleton=replace(MOTION.skeleton, names=names))
    assert read_ffm(write_ffm(motion)).motion.skeleton.names == names


def test_others_read_it_as_plain_safetensors() -> None:
    arrays = tensors.load(write_ffm(MOTION))
    assert set(arrays) == {
        "root",
        "rotations",
        "translations",
        *ARRAYS,
        "left_foot_points",
        "right_foot_points",
        "heel_contacts",
        "toe_contacts",
    }
    for name in ("root", "rotations", "translations"):
        assert_same_bits(arrays[name], np.ascontiguousarray(getattr(MOTION, name)))


def test_a_batch_is_refused() -> None:
    with pytest.raises(SaveError, match="batch"):
        write_ffm(smooth_motion(humanoid(), batch=(2,)))


def test_recognised_by_content(tmp_path: Path) -> None:
    path = tmp_path / "motion.glb"
    path.write_bytes(write_ffm(MOTION))
    capture = load_capture(path)
    assert capture.format == "ffm"
    assert_same_motion(capture.motion, MOTION)
    assert load_motion(path, fps=12.5).fps == 12.5
    path.write_bytes(tensors.save({"root": np.zeros((1, 3))}, metadata={"other": "x"}))
    with pytest.raises(LoadError, match="not recognised"):
        load_capture(path)


def test_headers_of_every_length_are_recognised(tmp_path: Path) -> None:
    """The first bytes are a length: they may read as a brace, a space or a line's end."""
    path = tmp_path / "motion.ffm"
    for length in range(1, 400, 3):
        names = ("x" * length, *MOTION.skeleton.names[1:])
        path.write_bytes(write_ffm(replace(MOTION, skeleton=replace(MOTION.skeleton, names=names))))
        assert load_capture(path).format == "ffm"


@pytest.mark.parametrize("file", ["walk/07_01.bvh", "formats/dataset-2_walk_normal_016.bvh"])
def test_real_captures_come_back(file: str) -> None:
    motion = load_motion(captures(file))
    assert_same_motion(read_ffm(write_ffm(motion)).motion, motion)


# Files that lie


def tampered(edit: Callable[[dict[str, Any]], None] | None = None, **arrays: np.ndarray | None) -> bytes:
    """The good file with a changed description, or arrays replaced (None: left out)."""
    content = write_ffm(MOTION)
    length = int.from_bytes(content[:8], "little")
    text = json.loads(content[8 : 8 + length])["__metadata__"]["footfall_motion"]
    description = json.loads(text)
    if edit is not None:
        edit(description)
    stored = {k: v for k, v in (tensors.load(content) | arrays).items() if v is not None}
    return tensors.save(stored, metadata={"footfall_motion": json.dumps(description)})


def changed(**fields: object) -> bytes:
    return tampered(lambda description: description.update(fields))


def without(field: str) -> bytes:
    return tampered(lambda description: description.pop(field))


JOINTS = len(MOTION.skeleton)


def test_tampering_with_nothing_reads() -> None:
    assert_same_motion(read_ffm(tampered()).motion, MOTION)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (changed(version=2), "the file has version 2, this footfall reads up to 1"),
        (changed(version=2, names=None, fps="new"), "the file has version 2"),
        (changed(version=0), "version"),
        (changed(version=10**30), "version"),
        (changed(version="1"), "version"),
        (without("version"), "version"),
        (without("names"), "names"),
        (without("roles"), "roles"),
        (without("fps"), "fps"),
        (changed(fps=0.0), "frame rate"),
        (changed(fps=-30.0), "frame rate"),
        (changed(fps=None), "fps"),
        (changed(names=[]), "joints"),
        (changed(names=["a"] * 5000), "5000"),
        (changed(names=["a"] * (JOINTS - 1)), "as float64 4 x"),
        (changed(names=[1] * JOINTS), "names"),
        (changed(roles={"left_foot": JOINTS}), "role"),
        (changed(roles={"left_foot": -1}), "role"),
        (changed(roles={"tail": 1}), "'tail'"),
        (changed(roles={"left_foot": "LeftFoot"}), "roles"),
        (tampered(root=None), "'root'"),
        (tampered(rotations=None), "'rotations'"),
        (tampered(parents=None), "'parents'"),
        (tampered(root=np.zeros((4, 3), np.float32)), "float64"),
        (tampered(root=np.zeros((4, 4))), "'root'"),
        (tampered(root=np.zeros(12)), "'root'"),
        (tampered(root=np.zeros((5, 3))), "5 x"),
        (tampered(root=np.zeros((2, 4, 3))), "'root'"),
        (tampered(root=np.full((4, 3), np.nan)), "'root'"),
        (tampered(root=np.full((4, 3), 1e300)), "'root'"),
        (tampered(rotations=np.zeros((4, JOINTS, 4))), "unit quaternions"),
        (tampered(rotations=np.full((4, JOINTS, 4), np.inf)), "'rotations'"),
        (tampered(translations=np.zeros((3, JOINTS, 3))), "'translations'"),
        (tampered(offsets=np.zeros((JOINTS + 1, 3))), "'offsets'"),
        (tampered(rest=np.ones((JOINTS, 4)) * 3), "unit quaternions"),
        (tampered(parents=np.arange(JOINTS)), "root"),
        (tampered(parents=np.full(JOINTS, -1)), "parents"),
        (tampered(parents=np.arange(JOINTS)[::-1].copy() - 1), "root"),
        (tampered(parents=np.arange(-1, JOINTS - 1, dtype=np.int32)), "int64"),
        (tampered(parents=np.arange(-1, JOINTS - 1).astype(float)), "int64"),
        (tampered(end_parents=np.array([JOINTS] * len(MOTION.skeleton.end_parents))), "end site"),
        (tampered(end_offsets=np.zeros((1, 3))), "'end_offsets'"),
        (tampered(heel_contacts=None), "'heel_contacts'"),
        (tampered(toe_contacts=np.zeros((3, 2), np.uint8)), "'toe_contacts'"),
        (tampered(toe_contacts=np.zeros((4, 2), bool)), "'toe_contacts'"),
        (tampered(toe_contacts=np.full((4, 2), 2, np.uint8)), "contacts"),
        (tampered(left_foot_points=np.zeros((3, 3))), "'left_foot_points'"),
        (tampered(left_foot_points=np.full((4, 3), np.nan)), "'left_foot_points'"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(content: bytes, said: str) -> None:
    with pytest.raises(LoadError) as refusal:
        read_ffm(content)
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 1000


def test_one_sole_may_be_missing() -> None:
    feet = read_ffm(tampered(right_foot_points=None)).motion.skeleton.feet
    assert feet is not None
    assert set(feet) == {"left"}


def raw(header: object, payload: bytes = b"", length: int | None = None) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return (len(text) if length is None else length).to_bytes(8, "little") + text + payload


TEXT = json.dumps({"version": 1, "names": ["a"], "roles": {}, "fps": 30.0})
META = {"__metadata__": {"footfall_motion": TEXT}}


def one_tensor(**fields: object) -> bytes:
    tensor = {"dtype": "F64", "shape": [1, 3], "data_offsets": [0, 24]} | fields
    return raw(META | {"root": tensor}, bytes(24))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00" * 8,
        b"\xff" * 8,
        b"\xff" * 8 + b"{",
        raw(b"{"),
        raw(b"{}"),
        raw(META),
        raw(META, length=2**63),
        raw(META, length=2**64 - 1),
        raw(META, length=10**9),
        raw(META, length=5),
        raw(META, b"left over"),
        raw({"__metadata__": {"footfall_motion": 3}}),
        raw({"__metadata__": [TEXT]}),
        raw({"__metadata__": {"footfall_motion": ""}}),
        raw({"__metadata__": {"footfall_motion": "[" * 10**5}}),
        raw(b'{"__metadata__": ' + b"[" * 10**6),
        raw(b'{"__metadata__": {"footfall_motion": "\xff"}}'),
        raw(b'{"__metadata__": {"footfall_motion": "\\ud800"}}'),
        one_tensor(),
        one_tensor(dtype="BF16"),
        one_tensor(dtype="F8_E4M3"),
        one_tensor(dtype="O"),
        one_tensor(dtype=3),
        one_tensor(shape=[2**62, 2**62]),
        one_tensor(shape=[0, 2**63]),
        one_tensor(shape=[10**30]),
        one_tensor(shape=[-1, 3]),
        one_tensor(shape=[1] * 100),
        one_tensor(shape=[]),
        one_tensor(shape="x"),
        one_tensor(data_offsets=[0, 2**63]),
        one_tensor(data_offsets=[24, 0]),
        one_tensor(data_offsets=[8, 32]),
        one_tensor(data_offsets=[-24, 0]),
        one_tensor(data_offsets=[0]),
        raw(META | {k: {"dtype": "F64", "shape": [1, 3], "data_offsets": [0, 24]} for k in "ab"}, bytes(24)),
        raw(META | {"root": {"dtype": "F64", "shape": [0, 2**60], "data_offsets": [0, 0]}}),
        raw(META | {f"t{i}": {"dtype": "U8", "shape": [0], "data_offsets": [0, 0]} for i in range(10_000)}),
    ],
)
def test_hostile_headers_cost_nothing_and_are_refused(content: bytes) -> None:
    tracemalloc.start()
    with pytest.raises(LoadError):
        read_ffm(content)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50 * len(content) + (1 << 20)


GOOD = write_ffm(MOTION)
HEADER = 8 + int.from_bytes(GOOD[:8], "little")


@settings(max_examples=400, deadline=None)
@given(
    cut=st.integers(0, len(GOOD)),
    edits=st.lists(
        st.tuples(st.integers(0, HEADER) | st.integers(0, len(GOOD) - 1), st.integers(0, 255)), max_size=6
    ),
)
def test_no_bytes_raise_anything_but_a_load_error(cut: int, edits: list[tuple[int, int]]) -> None:
    text = bytearray(GOOD)
    for place, byte in edits:
        text[place] = byte
    for damaged in (bytes(text), bytes(text[:cut])):
        with suppress(LoadError):
            read_ffm(damaged)
