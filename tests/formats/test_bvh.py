"""The BVH reader and writer: every quirk against a SciPy reference, every error with its line."""

from __future__ import annotations

import contextlib
import re
import time
import tracemalloc
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pybvh
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from footfall.errors import LoadError
from footfall.figure import kinematics
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.figure.tree import Tree
from footfall.formats.bvh import read_bvh
from footfall.formats.bvh_write import write_bvh
from footfall.formats.take import Take
from footfall.geometry import quaternion as quat
from tests.captures import captures, motion_files
from tests.figure.figures import framed, humanoid, random_skeleton, smooth_motion

CLOSE = {"rtol": 0.0, "atol": 1e-12}


def world(take: Take) -> np.ndarray:
    """World positions of a take's joints, in file units."""
    return kinematics.forward(
        Tree(np.array(take.parents)), take.offsets, take.root, take.rotations, take.translations
    )[0]


def reference(
    parents: list[int], offsets: list[list[float]], channels: list[list[str]], rows: list[list[float]]
) -> np.ndarray:
    """World positions by 4x4 matrices: each channel in turn moves or turns the joint's frame, by SciPy."""
    out = np.zeros((len(rows), len(parents), 3))
    for frame, row in enumerate(rows):
        values = iter(row)
        matrices: list[np.ndarray] = []
        for parent, offset, names in zip(parents, offsets, channels, strict=True):
            place, turn = np.array(offset, dtype=float), Rotation.identity()
            for name in names:
                value = next(values)
                if name.endswith("position"):
                    place["XYZ".index(name[0])] = value
                else:
                    turn = turn * Rotation.from_euler(name[0], value, degrees=True)
            local = np.eye(4)
            local[:3, :3], local[:3, 3] = turn.as_matrix(), place
            matrices.append(local if parent < 0 else matrices[parent] @ local)
        out[frame] = [m[:3, 3] for m in matrices]
    return out


def chain(
    channels: list[str],
    rows: str,
    *,
    frames: int | None = None,
    offset: str = "1.5 2.5 -0.5",
    tip: bool = True,
) -> str:
    """A chain of joints with the given channel lists; the numbers as text."""
    lines = ["HIERARCHY"]
    for depth, names in enumerate(channels):
        lines += [f"{'JOINT' if depth else 'ROOT'} j{depth}", "{", f"OFFSET {offset}"]
        if names:
            lines.append(f"CHANNELS {len(names.split())} {names}")
    if tip:
        lines += ["End Site", "{", "OFFSET 0 1 0", "}"]
    lines += ["}"] * len(channels)
    count = rows.count("\n") + 1 if frames is None else frames
    return "\n".join([*lines, "MOTION", f"Frames: {count}", "Frame Time: 0.01", rows]) + "\n"


ROOT = "Xposition Yposition Zposition Zrotation Yrotation Xrotation"
ZYX = "Zrotation Yrotation Xrotation"


def random_rows(width: int, frames: int = 6, seed: int = 0) -> list[list[float]]:
    return np.random.default_rng(seed).uniform(-170, 170, (frames, width)).round(6).tolist()


def as_text(rows: list[list[float]]) -> str:
    return "\n".join(" ".join(map(repr, row)) for row in rows)


def check(channels: list[str], seed: int = 0) -> Take:
    """Reads a chain with random values and compares every world position with the reference."""
    rows = random_rows(sum(len(c.split()) for c in channels), seed=seed)
    take = read_bvh(chain(channels, as_text(rows)).encode())
    parents = list(range(-1, len(channels) - 1))
    expected = reference(parents, [[1.5, 2.5, -0.5]] * len(channels), [c.split() for c in channels], rows)
    assert_allclose(world(take), expected, rtol=0.0, atol=1e-11)
    return take


class TestQuirks:
    def test_a_different_rotation_order_on_every_joint(self) -> None:
        orders = ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"]
        inner = [" ".join(f"{a}rotation" for a in order) for order in orders]
        take = check([f"Xposition Yposition Zposition {inner[0]}", *inner[1:], inner[0]])
        assert take.translations is None

    @pytest.mark.parametrize(
        "root",
        [
            "Zrotation Yrotation Xrotation Xposition Yposition Zposition",
            "Zrotation Xposition Yrotation Zposition Xrotation Yposition",
            "Zposition Yposition Xposition Yrotation Zrotation Xrotation",
        ],
    )
    def test_channels_of_the_root_in_any_order(self, root: str) -> None:
        check([root, ZYX, ZYX])

    def test_position_channels_on_inner_joints(self) -> None:
        take = check([ROOT, ROOT, "Xrotation Yposition Yrotation Zrotation Xposition Zposition", ZYX])
        assert take.translations is not None

    def test_some_position_channels_leave_the_rest_of_the_offset(self) -> None:
        take = check(["Yposition " + ZYX, "Xposition Zrotation", ZYX])
        assert_array_equal(take.root[:, [0, 2]], np.tile([1.5, -0.5], (6, 1)))

    @pytest.mark.parametrize("inner", ["Xrotation", "Zrotation Xrotation", "Yrotation Zrotation", ""])
    def test_joints_with_one_two_or_no_rotation_channels(self, inner: str) -> None:
        check([ROOT, inner, ZYX, inner])

    @pytest.mark.parametrize(
        "inner",
        [
            "Zrotation Xrotation Zrotation",
            "Xrotation Xrotation Xrotation",
            "Xrotation Yrotation Zrotation Xrotation",
            "Xrotation Yrotation Zrotation Xrotation Yrotation Zrotation",
        ],
    )
    def test_an_axis_named_more_than_once(self, inner: str) -> None:
        check([ROOT, inner, ZYX])

    def test_no_channels_at_all(self) -> None:
        take = read_bvh(chain(["", ""], "", frames=2).encode())
        assert_array_equal(world(take), np.tile([[1.5, 2.5, -0.5], [3.0, 5.0, -1.0]], (2, 1, 1)))

    def test_channel_words_in_any_case(self) -> None:
        text = chain(["xposition YPOSITION ZPosition zRotation yrotation XROTATION"], "1 2 3 90 0 0")
        text = text.replace("HIERARCHY", "hierarchy").replace("ROOT", "Root").replace("MOTION", "motion")
        text = (
            text.replace("End Site", "END SITE").replace("OFFSET", "offset").replace("CHANNELS", "Channels")
        )
        text = text.replace("Frames:", "FRAMES:").replace("Frame Time:", "frame time:")
        assert_allclose(read_bvh(text.encode()).rotations[0, 0], [np.sqrt(0.5), 0, 0, np.sqrt(0.5)], **CLOSE)

    @pytest.mark.parametrize(
        "name",
        [
            "mixamorig:Hips",
            "Bip01 L Thigh",
            "Left  Foot",
            "a.b-c_d",
            "Knöchel",
            "足",
            "ROOT",
            "JOINT",
            "OFFSET",
            "End",
        ],
    )
    def test_names_as_they_are(self, name: str) -> None:
        text = chain([ROOT, ZYX], "1 2 3 4 5 6 7 8 9").replace("ROOT j0", f"ROOT {name}")
        text = text.replace("JOINT j1", f"\tJOINT\t {name} \t")
        assert read_bvh(text.encode()).names == [name, name]

    def test_names_that_are_no_text(self) -> None:
        text = chain([ROOT], "1 2 3 4 5 6").encode().replace(b"j0", b"hip\xff\xfes")
        assert read_bvh(text).names == ["hip\ufffd\ufffds"]

    def test_joints_without_names_get_one(self) -> None:
        text = chain([ROOT, ZYX], "1 2 3 4 5 6 7 8 9").replace("ROOT j0", "ROOT").replace("JOINT j1", "JOINT")
        assert read_bvh(text.encode()).names == ["joint0", "joint1"]

    @pytest.mark.parametrize("end", ["\r\n", "\n\n", " \t\n", "\n \t"])
    def test_line_ends_and_blank_lines(self, end: str) -> None:
        rows = random_rows(9)
        text = chain([ROOT, ZYX], as_text(rows))
        plain, other = read_bvh(text.encode()), read_bvh(text.replace("\n", end).encode())
        assert_array_equal(other.rotations, plain.rotations)
        assert_array_equal(other.root, plain.root)
        assert other.names == plain.names
        assert other.fps == plain.fps

    def test_tabs(self) -> None:
        text = chain([ROOT, ZYX], as_text(random_rows(9)))
        assert_array_equal(
            read_bvh(text.replace(" ", "\t").encode()).rotations, read_bvh(text.encode()).rotations
        )

    def test_a_byte_order_mark(self) -> None:
        assert read_bvh(b"\xef\xbb\xbf" + chain([ROOT], "1 2 3 4 5 6").encode()).names == ["j0"]

    def test_numbers_in_every_notation(self) -> None:
        text = chain(
            [ROOT, ZYX], "1e-3 1. .5 +2 -0 1E2 9.5e+1 -.25 007\n1 2 3 4 5 6 7 8 9", offset="1e0 +2. -.5"
        )
        take = read_bvh(text.encode())
        rows = [[1e-3, 1.0, 0.5, 2.0, -0.0, 100.0, 95.0, -0.25, 7.0], [1, 2, 3, 4, 5, 6, 7, 8, 9]]
        expected = reference([-1, 0], [[1, 2, -0.5]] * 2, [ROOT.split(), ZYX.split()], rows)
        assert_allclose(world(take), expected, rtol=0.0, atol=1e-11)

    def test_no_end_sites(self) -> None:
        take = read_bvh(chain([ROOT, ZYX], "1 2 3 4 5 6 7 8 9", tip=False).encode())
        assert take.end_parents == []
        assert take.end_offsets.shape == (0, 3)

    def test_end_sites_hang_where_they_stand(self) -> None:
        text = """HIERARCHY
        ROOT a
        { OFFSET 0 0 0  CHANNELS 1 Xposition
          End Site { OFFSET 0 0 9 }
          JOINT b { OFFSET 1 0 0  CHANNELS 1 Xrotation  End Site { OFFSET 1 2 3 } End Site { OFFSET 4 5 6 } }
          JOINT c { OFFSET 2 0 0 }
        }
        MOTION
        Frames: 1
        Frame Time: 0.5
        7 8"""
        take = read_bvh(text.encode())
        assert (take.names, take.parents) == (["a", "b", "c"], [-1, 0, 0])
        assert take.end_parents == [0, 1, 1]
        assert_array_equal(take.end_offsets, [[0, 0, 9], [1, 2, 3], [4, 5, 6]])
        assert_array_equal(take.root, [[7, 0, 0]])
        assert take.fps == 2.0

    def test_braces_anywhere_even_all_on_one_line(self) -> None:
        text = chain([ROOT, ZYX, "", ZYX], as_text(random_rows(12)))
        plain = read_bvh(text.encode())
        header, motion = text.split("MOTION")
        same_line = re.sub(r"\s*\n\s*{", " {", header)
        one_line = " ".join(header.split())
        glued = re.sub(r"\s*([{}])\s*", r"\1", one_line)
        for written in (same_line, one_line, glued):
            other = read_bvh(f"{written}\nMOTION{motion}".encode())
            assert (other.names, other.parents, other.end_parents) == (
                plain.names,
                plain.parents,
                plain.end_parents,
            )
            assert_array_equal(world(other), world(plain))

    def test_a_name_before_a_brace_that_stands_on_the_next_line(self) -> None:
        text = "ROOT a { OFFSET 0 0 0 JOINT b\n{ OFFSET 0 0 0 } JOINT c d\n{ OFFSET 0 0 0 } }"
        take = read_bvh(f"HIERARCHY {text}\nMOTION\nFrames: 0\nFrame Time: 1\n".encode())
        assert take.names == ["a", "b", "c d"]

    def test_zero_frames(self) -> None:
        take = read_bvh(chain([ROOT, ZYX], "", frames=0).encode())
        assert take.root.shape == (0, 3)
        assert take.rotations.shape == (0, 2, 4)
        assert take.names == ["j0", "j1"]

    def test_more_rows_than_announced(self) -> None:
        rows = random_rows(9)
        take = read_bvh(chain([ROOT, ZYX], as_text(rows), frames=4).encode())
        assert len(take.root) == 4
        assert take.notes == ("the file holds 6 frames; the 4 that its header says were read",)
        assert read_bvh(chain([ROOT, ZYX], as_text(rows)).encode()).notes == ()

    def test_a_row_over_several_lines(self) -> None:
        rows = random_rows(9)
        text = chain([ROOT, ZYX], as_text(rows))
        head, block = text.split("0.01\n")
        broken = head + "0.01\n" + block.replace(" ", "\n")
        assert_array_equal(read_bvh(broken.encode()).rotations, read_bvh(text.encode()).rotations)

    @pytest.mark.parametrize(
        ("written", "fps"),
        [
            ("0.0083333", 120.0),  # headers round; the rate that was meant is whole
            (".0083333", 120.0),
            ("0.008333", 120.0),
            ("0.033333", 30.0),
            ("0.0166667", 60.0),
            ("1e-2", 100.0),
            (".04", 25.0),
            ("0.0333667", 1 / 0.0333667),  # 29.97 is meant
            ("0.0417083750417", 1 / 0.0417083750417),  # 23.976
            ("0.0084", 1 / 0.0084),
            ("3", 1 / 3),
        ],
    )
    def test_frame_times(self, written: str, fps: float) -> None:
        text = chain([ROOT], "1 2 3 4 5 6").replace("0.01", written)
        assert read_bvh(text.encode()).fps == fps

    @pytest.mark.parametrize("written", ["0", "1e-9", "1e9"])
    def test_a_frame_time_that_says_nothing(self, written: str) -> None:
        text = chain([ROOT], "1 2 3 4 5 6").replace("Frame Time: 0.01", f"Frame Time: {written}")
        assert read_bvh(text.encode()).fps is None

    @settings(deadline=None, max_examples=100)
    @given(
        st.lists(st.lists(st.sampled_from(ROOT.split()), max_size=6), min_size=1, max_size=6),
        st.integers(0, 99),
    )
    def test_any_channels_on_any_joint(self, channels: list[list[str]], seed: int) -> None:
        check([" ".join(names) for names in channels], seed=seed)


GOOD = chain([ROOT, ZYX], "1 2 3 4 5 6 7 8 9\n1 2 3 4 5 6 7 8 9\n1 2 3 4 5 6 7 8 9")
# GOOD by line: 1 HIERARCHY 2 ROOT j0 3 { 4 OFFSET 5 CHANNELS 6 JOINT j1 7 { 8 OFFSET 9 CHANNELS 10 End Site
# 11 { 12 OFFSET 13 } 14 } 15 } 16 MOTION 17 Frames 18 Frame Time 19-21 rows


STATEMENTS = "OFFSET, CHANNELS, JOINT, End Site or a brace"


def without_line(number: int) -> str:
    lines = GOOD.split("\n")
    del lines[number - 1]
    return "\n".join(lines)


def with_line(number: int, line: str) -> str:
    lines = GOOD.split("\n")
    lines[number - 1] = line
    return "\n".join(lines)


class TestErrors:
    @pytest.mark.parametrize(
        ("text", "line", "problem"),
        [
            (with_line(20, "1 2 3 4 5 6 7 8"), 20, "expected 9 numbers a frame, found 8"),
            (with_line(21, "1 2 3"), 21, "expected 9 numbers a frame, found 3"),
            (with_line(20, "1 2 3 4 5 6 7 8 9 10"), 20, "expected 9 numbers a frame, found 10"),
            (with_line(20, "1 2 3 4 five 6 7 8 9"), 20, "expected a finite number, found 'five'"),
            (with_line(20, "1 2 3 4 nan 6 7 8 9"), 20, "expected a finite number, found 'nan'"),
            (with_line(21, "1 2 3 4 -1.#IND 6 7 8 9"), 21, "expected a finite number, found '-1.#IND'"),
            (with_line(21, "1 2 3 4 1e999 6 7 8 9"), 21, "expected a finite number, found '1e999'"),
            (with_line(21, "1,5 2 3 4 5 6 7 8 9"), 21, "expected a finite number, found '1,5'"),
            (without_line(21), 19, "expected 3 frames of 9 numbers, found 2"),
            (with_line(17, "Frames: 4"), 19, "expected 4 frames of 9 numbers, found 3"),
            (without_line(16), None, "expected a line MOTION after the hierarchy, found none"),
            ("", None, "expected a line MOTION"),
            (without_line(17), 17, "expected 'Frames: N' and then 'Frame Time: SECONDS' after MOTION"),
            (without_line(18), 17, "expected 'Frames: N' and then 'Frame Time: SECONDS' after MOTION"),
            (with_line(17, "Frames: many"), 17, "expected a count for Frames, found 'many'"),
            (with_line(17, "Frames: -3"), 17, "expected a count for Frames, found '-3'"),
            (with_line(17, "Frames: 3.0"), 17, "expected a count for Frames, found '3.0'"),
            (with_line(18, "Frame Time: fast"), 18, "expected a number for Frame Time, found 'fast'"),
            (with_line(18, "Frame Time: nan"), 18, "expected a number for Frame Time, found 'nan'"),
            (with_line(18, "Frame Time: -0.01"), 18, "expected a positive Frame Time, found -0.01"),
            (with_line(18, "Frame Time: 0"), 18, "expected a positive Frame Time, found 0"),
            (without_line(15), 15, "the hierarchy ends before its braces are closed"),
            (with_line(15, "}}"), 15, "expected ROOT, found '}'"),
            (without_line(3), 3, "expected '{' after 'j0', found 'OFFSET'"),
            (without_line(7), 7, "expected '{' after 'j1', found 'OFFSET'"),
            (with_line(4, ""), 15, "expected an OFFSET before '}'"),
            (with_line(12, ""), 13, "expected an OFFSET before '}'"),
            (with_line(4, "OFFSET 0 0"), 4, "expected three numbers after OFFSET, found 2"),
            (with_line(4, "OFFSET 0 zero 0"), 4, "expected a number for OFFSET, found 'zero'"),
            (with_line(4, "OFFSET 0 nan 0"), 4, "expected a number for OFFSET, found 'nan'"),
            (with_line(4, "OFFSET 0 0 0 0"), 4, f"expected {STATEMENTS}, found '0'"),
            (with_line(9, "CHANNELS 3 Zrotation Yrotation Wrotation"), 9, "found 'Wrotation'"),
            (with_line(9, "CHANNELS 3 Zrotation Yrotation Xscale"), 9, "such as Xposition .*'Xscale'"),
            (with_line(9, "CHANNELS 3 Zrotation Yrotation"), 9, "3 channel names after CHANNELS, found 2"),
            (with_line(9, "CHANNELS 7 " + ROOT + " Xrotation"), 9, "expected at most 6 channels, found 7"),
            (with_line(9, "CHANNELS"), 9, "expected a count for CHANNELS, found ''"),
            (with_line(12, "CHANNELS 1 Xrotation"), 12, f"expected {STATEMENTS}, found 'CHANNELS'"),
            (with_line(12, "JOINT x { OFFSET 0 0 0 }"), 12, "an End Site cannot carry joints"),
            (with_line(2, "JOINT j0"), 2, "expected one ROOT that holds everything, found JOINT"),
            (with_line(6, "ROOT j1"), 6, "expected one ROOT that holds everything, found ROOT"),
            (with_line(15, "}\nROOT second { OFFSET 0 0 0 }"), 16, "expected one ROOT"),
            (with_line(6, "JOINT j1\nJOINT j2"), 7, "expected '{' after 'j1', found 'JOINT'"),
            (with_line(5, "SCALE 1 1 1"), 5, f"expected {STATEMENTS}, found 'SCALE'"),
            ("HIERARCHY\nMOTION\nFrames: 0\nFrame Time: 1\n", 2, "expected a ROOT joint, found none"),
        ],
    )  # fmt: skip
    def test_each_names_its_line(self, text: str, line: int | None, problem: str) -> None:
        with pytest.raises(LoadError) as caught:
            read_bvh(text.encode())
        assert re.search(problem, caught.value.problem)
        assert caught.value.line == line
        assert "\n" not in str(caught.value)

    def test_the_good_text_is_good(self) -> None:
        assert read_bvh(GOOD.encode()).root.shape == (3, 3)

    @pytest.mark.parametrize("cut", range(0, len(GOOD) - 20, 7))
    def test_a_file_cut_anywhere_is_refused_in_words(self, cut: int) -> None:
        with pytest.raises(LoadError):
            read_bvh(GOOD[:cut].encode())

    @pytest.mark.parametrize("frames", [10**9, 10**12 - 1, 10**6])
    @pytest.mark.parametrize("channels", [[ROOT], [""], [ROOT, ZYX]])
    def test_frames_that_are_only_announced_cost_nothing(self, frames: int, channels: list[str]) -> None:
        text = chain(channels, "1 2 3 4 5 6", frames=frames).encode()
        assert len(text) < 300
        tracemalloc.start()
        start = time.perf_counter()
        with pytest.raises(LoadError, match=r"expected|cannot come from"):
            read_bvh(text)
        seconds = time.perf_counter() - start
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert seconds < 0.1
        assert peak < 1 << 20

    @pytest.mark.parametrize(
        "text",
        [
            b"MOTION\nFrames: " + b"1" * 300_000,
            b"MOTION\nFrames: " + b"1" * 300_000 + b"\nFrame Tim",
            b"MOTION\n" + b" " * 300_000,
            b" " * 300_000 + b"MOTION x",
            b"MOTION" * 50_000,
            b"HIERARCHY " * 50_000 + b"\nMOTION\nFrames: 0\nFrame Time: 1\n",
            b"ROOT a {" + b"OFFSET 0 0 0 " * 50_000 + b"}\nMOTION\nFrames: 0\nFrame Time: 1\n",
            b"ROOT a {" + b"CHANNELS 0 " * 50_000 + b"\nMOTION\nFrames: 0\nFrame Time: 1\n",
            b"ROOT a {" * 50_000 + b"\nMOTION\nFrames: 0\nFrame Time: 1\n",
            b"ROOT a { OFFSET 0 0 0 " + b"JOINT b {" * 50_000 + b"\nMOTION\nFrames: 0\nFrame Time: 1\n",
            b"ROOT a { OFFSET 0 0 0 "
            + b"JOINT b { OFFSET 0 0 0 } " * 4000
            + b"}\nMOTION\nFrames: 0\nFrame Time: 1\n",
            b"ROOT a { OFFSET 0 0 0 "
            + b"End Site { OFFSET 0 0 0 } " * 9000
            + b"}\nMOTION\nFrames: 0\nFrame Time: 1\n",
            b"ROOT " + b"a " * 100_000 + b"\n{ OFFSET 0 0 0 }\nMOTION\nFrames: 0\nFrame Time: 1\n",
            b"{" * 300_000 + b"\nMOTION\nFrames: 0\nFrame Time: 1\n",
        ],
        ids=range(14),
    )
    def test_time_stays_in_proportion_to_the_file(self, text: bytes) -> None:
        """Third of a megabyte at most, whatever is in it. By the processor's time: others may use it too."""
        start = time.process_time()
        with contextlib.suppress(LoadError):
            read_bvh(text)
        assert time.process_time() - start < 2.0

    def test_too_many_joints(self) -> None:
        text = (
            b"ROOT a { OFFSET 0 0 0\n"
            + b"JOINT b { OFFSET 0 0 0 }\n" * 4096
            + b"}\nMOTION\nFrames: 0\nFrame Time: 1\n"
        )
        with pytest.raises(LoadError, match="4097 joints are more than the 4096"):
            read_bvh(text)

    def test_depth_is_no_danger(self) -> None:
        text = b"ROOT a { OFFSET 0 0 0\n" + b"JOINT b { OFFSET 0 1 0\n" * 4000 + b"}" * 4001
        take = read_bvh(text + b"\nMOTION\nFrames: 0\nFrame Time: 1\n")
        assert take.parents == list(range(-1, 4000))

    @settings(deadline=None, max_examples=300)
    @given(st.binary(max_size=300))
    def test_any_bytes_are_read_or_refused(self, noise: bytes) -> None:
        for text in (noise, b"HIERARCHY\nROOT a {" + noise, GOOD.encode() + noise, noise + GOOD.encode()):
            try:
                take = read_bvh(text)
            except LoadError:
                continue
            assert np.isfinite(take.rotations).all()


def depth_first(skeleton: Skeleton, joint: int = 0) -> list[int]:
    """The order in which a file in braces must hold the joints."""
    below = [depth_first(skeleton, child) for child in skeleton.tree.children[joint]]
    return [joint, *(j for branch in below for j in branch)]


def back(motion: Motion, unit: float = 1.0) -> Motion:
    """What a reader gets from what was written, in metres, its joints in the order of the motion's."""
    take = read_bvh(write_bvh(motion, unit=unit))
    place = depth_first(motion.skeleton)
    order = [place.index(j) for j in range(len(place))]
    ends = sorted(
        range(len(take.end_parents)), key=lambda e: place.index(int(motion.skeleton.end_parents[e]))
    )
    end_order = [ends.index(e) for e in range(len(ends))]
    skeleton = Skeleton.build(
        [take.names[i] for i in order],
        [-1 if take.parents[i] < 0 else place[take.parents[i]] for i in order],
        unit * take.offsets[order],
        end_parents=[place[take.end_parents[e]] for e in end_order],
        end_offsets=unit * take.end_offsets[end_order],
    )
    moved = None if take.translations is None else unit * take.translations[:, order]
    return Motion(skeleton, unit * take.root, take.rotations[:, order], take.fps, moved)


class TestWriter:
    # nine decimals: half a nanometre a coordinate and 1e-11 rad an angle, over at most ten joints
    CLOSE_TO_NINE_DECIMALS = 1e-8

    @pytest.mark.parametrize("translations", [False, True])
    @pytest.mark.parametrize("seed", [None, 3])
    def test_every_point_comes_back(self, seed: int | None, translations: bool) -> None:
        skeleton = humanoid() if seed is None else framed(humanoid(), seed)
        motion = smooth_motion(skeleton, size=1.5, translations=translations)
        again = back(motion)
        assert_allclose(again.positions, motion.positions, rtol=0.0, atol=self.CLOSE_TO_NINE_DECIMALS)
        assert_allclose(again.ends, motion.ends, rtol=0.0, atol=self.CLOSE_TO_NINE_DECIMALS)
        assert again.skeleton.names == skeleton.names
        assert_array_equal(again.skeleton.parents, skeleton.parents)
        assert_array_equal(again.skeleton.end_parents, skeleton.end_parents)
        assert again.fps == motion.fps

    @pytest.mark.parametrize("unit", [0.01, 0.0254, 0.0254 / 0.45, 0.001, 1000.0])
    def test_in_any_unit(self, unit: float) -> None:
        motion = smooth_motion(humanoid(), translations=True)
        again = back(motion, unit)
        assert_allclose(again.positions, motion.positions, rtol=0.0, atol=1e-8 * max(unit, 1.0))
        plain = read_bvh(write_bvh(motion))
        other = read_bvh(write_bvh(motion, unit=unit))
        assert_allclose(other.offsets, plain.offsets / unit, rtol=0.0, atol=1e-9 * max(1 / unit, 1.0))

    @settings(deadline=None, max_examples=50)
    @given(st.integers(0, 2**31), st.integers(1, 30), st.booleans())
    def test_any_tree_in_any_order_of_joints(self, seed: int, joints: int, translations: bool) -> None:
        """Joints of one branch need not stand together; a file must hold them depth first."""
        motion = smooth_motion(random_skeleton(seed, joints), frames=3, size=2.0, translations=translations)
        again = back(motion)
        assert again.skeleton.names == motion.skeleton.names
        assert_array_equal(again.skeleton.parents, motion.skeleton.parents)
        assert_allclose(again.positions, motion.positions, rtol=0.0, atol=1e-7)
        assert_allclose(again.ends, motion.ends, rtol=0.0, atol=1e-7)

    @pytest.mark.parametrize("middle", [90.0, -90.0])
    def test_gimbal_lock(self, middle: float) -> None:
        motion = smooth_motion(humanoid(), frames=30)
        angles = np.random.default_rng(0).uniform(-np.pi, np.pi, (30, 25, 3))
        angles[..., 1] = np.deg2rad(middle)
        locked = motion.with_rotations(quat.from_euler(angles, "ZYX"))
        assert_allclose(back(locked).positions, locked.positions, rtol=0.0, atol=self.CLOSE_TO_NINE_DECIMALS)

    def test_angles_run_on_past_a_full_turn(self) -> None:
        """Three turns about each axis in turn: no step longer than the motion's own."""
        motion = smooth_motion(humanoid(), frames=181, size=0.0)
        for axis, column in (("Z", 3), ("X", 5)):
            rotations = np.array(motion.rotations)
            rotations[:, 0] = quat.from_euler(np.linspace(0, 6 * np.pi, 181)[:, None], axis)
            signs = np.random.default_rng(0).choice([-1.0, 1.0], (181, 25, 1))
            text = write_bvh(motion.with_rotations(rotations * signs)).decode()
            rows = np.array([line.split() for line in text.split("\n")[-182:-1]], dtype=float)
            assert_allclose(rows[:, column], np.linspace(0, 1080, 181), rtol=0.0, atol=1e-8)

    def test_no_jump_of_a_full_turn_anywhere(self) -> None:
        motion = smooth_motion(humanoid(), frames=400, size=2.5)
        text = write_bvh(motion).decode()
        rows = np.array([line.split() for line in text.split("\n")[-401:-1]], dtype=float)
        assert np.abs(np.diff(rows, axis=0)).max() <= 180.0 + 1e-6

    def test_six_channels_only_where_a_joint_moves(self) -> None:
        motion = smooth_motion(humanoid(), frames=5)
        places = np.array(np.broadcast_to(motion.skeleton.offsets, (5, 25, 3)))
        places[3, 7, 1] += 0.01
        moving = replace(motion, translations=places)
        text = write_bvh(moving).decode()
        assert text.count("CHANNELS 6") == 2
        assert text.count("CHANNELS 3") == 23
        assert_allclose(back(moving).positions, moving.positions, rtol=0.0, atol=self.CLOSE_TO_NINE_DECIMALS)
        assert write_bvh(motion).decode().count("CHANNELS 6") == 1

    def test_the_text_itself(self) -> None:
        skeleton = Skeleton.build(
            ["a b", "c:d"],
            [-1, 0],
            [[0, 1, 0], [-0.0, 0.25, 1e-12]],
            end_parents=[1],
            end_offsets=[[0, 0, 1]],
        )
        turn = quat.from_euler(np.deg2rad([[[10.0, 20, 30], [0, 0, 0]]]), "ZYX")
        text = write_bvh(Motion(skeleton, [[1.0, 2, 3]], turn, 25.0)).decode()
        assert text == (
            "HIERARCHY\n"
            "ROOT a b\n"
            "{\n"
            "\tOFFSET 0.000000000 1.000000000 0.000000000\n"
            "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n"
            "\tJOINT c:d\n"
            "\t{\n"
            "\t\tOFFSET 0.000000000 0.250000000 0.000000000\n"
            "\t\tCHANNELS 3 Zrotation Yrotation Xrotation\n"
            "\t\tEnd Site\n"
            "\t\t{\n"
            "\t\t\tOFFSET 0.000000000 0.000000000 1.000000000\n"
            "\t\t}\n"
            "\t}\n"
            "}\n"
            "MOTION\n"
            "Frames: 1\n"
            "Frame Time: 0.04\n"
            "1.000000000 2.000000000 3.000000000 10.000000000 20.000000000 30.000000000"
            " 0.000000000 0.000000000 0.000000000\n"
        )

    @pytest.mark.parametrize("frames", [0, 1])
    def test_hardly_any_frames(self, frames: int) -> None:
        motion = smooth_motion(humanoid(), frames=2, translations=True)[:frames]
        again = back(motion)
        assert len(again) == frames
        assert_allclose(again.positions, motion.positions, rtol=0.0, atol=self.CLOSE_TO_NINE_DECIMALS)

    def test_names_that_would_break_the_file(self) -> None:
        names = list(humanoid().names)
        names[3:8] = ["a{b", "c}\nd", "\t", "x\r\ny", " é 足 "]
        motion = smooth_motion(replace(humanoid(), names=tuple(names)), frames=2)
        again = back(motion)
        assert len(again.skeleton) == 25
        assert_allclose(again.positions, motion.positions, rtol=0.0, atol=self.CLOSE_TO_NINE_DECIMALS)

    def test_pybvh_reads_what_is_written(self, tmp_path: Path) -> None:
        motion = smooth_motion(humanoid(), size=1.5)
        (tmp_path / "made.bvh").write_bytes(write_bvh(motion))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            judged = pybvh.read_bvh_file(str(tmp_path / "made.bvh"))
            positions = judged.joint_positions()
        order = depth_first(motion.skeleton)
        assert judged.joint_names == [motion.skeleton.names[j] for j in order]
        assert_allclose(positions, motion.positions[:, order], rtol=0.0, atol=self.CLOSE_TO_NINE_DECIMALS)


# pybvh takes no position channels on inner joints and no file without frames
PYBVH_REFUSES = {
    "hands/pnskeleton.bvh",
    "formats/Geno_bind.bvh",
    "formats/SwatSkeleton.bvh",
    "formats/dataset-2_walk_normal_016.bvh",
    "formats/dataset-2_walk-turn-left_normal_018.bvh",
}


def test_every_capture_as_pybvh_reads_it(tmp_path: Path) -> None:
    """119 of the 124 files and the one that is called .txt: every position of every joint in every frame."""
    captures(".")
    files = [captures(f) for f in motion_files(".bvh") if f not in PYBVH_REFUSES]
    renamed = tmp_path / "tpose.bvh"
    renamed.write_bytes(captures("formats/jl_motionMatching_tpose.txt").read_bytes())
    agreed, joint_frames = 0, 0
    for path in [*files, renamed]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = pybvh.read_bvh_file(str(path)).joint_positions()
        found = world(read_bvh(path.read_bytes()))
        assert_allclose(found, expected, rtol=0.0, atol=1e-9, err_msg=str(path))
        agreed += 1
        joint_frames += expected.shape[0] * expected.shape[1]
    assert agreed == 120
    assert joint_frames > 1_000_000
