"""Acclaim skeletons and motions: the textbook's forward kinematics in SciPy, on small and on real files."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from footfall.errors import LoadError
from footfall.figure import kinematics
from footfall.figure.tree import Tree
from footfall.formats.acclaim import read_amc, read_asf
from footfall.formats.load import load_capture
from footfall.formats.take import Take
from tests.captures import captures, motion_files
from tests.formats.edited_text import edited

ASF = b"""# a figure of four bones
:version 1.10
:name HAND
:units
  mass 1.0
  length 0.45
  angle deg
:documentation
  length 7, and root, are words here
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0.5 -1 2
  orientation 0 0 0
:bonedata
  begin
     id 1
     name Pelvis
     direction 0.6 -0.8 0
     length 2.5
     axis 0 0 0 XYZ
  end
  begin
     id 2
     name Thigh
     direction 0.34202 -0.939693 0
     length 7.33161
     axis 12 -34 20 XYZ
    dof rx ry rz
    limits (-160.0 20.0)
           (-70.0 70.0)
           (-60.0 70.0)
  end
  begin
     id 3
     name Shank
     direction 0.1 -0.9 4.2e-001
     length 7.8
     axis 30 40 50 ZYX
    dof rz rx
  end
  begin
     id 4
     name Spine
     direction 0 1 0
     length 3
     axis 5 6 7 YZX
    dof ry
  end
:hierarchy
  begin
    Pelvis Thigh
    root Pelvis Spine
    Thigh Shank
  end
"""
AMC = b"""#!OML:ASF by hand
# and more
:FULLY-SPECIFIED
:DEGREES
1
root 1 2 3 10 20 30
Thigh -21.5 13.75 1.08355e+001
Shank 45 -30
Spine 170
2
root -1 2.5 3 -100 80 3
Thigh 0 0 0
Shank 0 100
Spine 0
"""


def textbook(asf: str, amc: str) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """World starts and ends of all bones, frame by frame, in file units: an account of its own of both files.

    Each bone's world rotation is its parent's times C M C^-1, and it runs from its parent's end by its rest
    direction times length, turned so.
    """
    strip = [re.sub(r"#.*", "", line).split() for line in asf.lower().split("\n")]
    bones: dict[str, dict[str, list[str]]] = {}
    children: dict[str, list[str]] = {}
    root: dict[str, list[str]] = {}
    section, bone = "", {}
    for words in filter(None, strip):
        if words[0].startswith(":"):
            section = words[0]
        elif section == ":root":
            root[words[0]] = words[1:]
        elif section == ":bonedata" and words[0] == "begin":
            bone = {}
        elif section == ":bonedata" and words[0] == "end":
            bones[bone["name"][0]] = bone
        elif section == ":bonedata":
            bone[words[0]] = words[1:]
        elif section == ":hierarchy" and len(words) > 1:
            children[words[0]] = words[1:]
    bones["root"] = {
        "axis": [*root["orientation"], *root["axis"]],
        "dof": root["order"],
        "direction": ["0"] * 3,
        "length": ["0"],
    }
    starts: dict[str, list[np.ndarray]] = {name: [] for name in bones}
    ends: dict[str, list[np.ndarray]] = {name: [] for name in bones}
    frames = re.split(r"^\d+\s*$", re.sub(r"[#:].*", "", amc.lower()), flags=re.MULTILINE)[1:]
    for frame in frames:
        lines = [line.split() for line in frame.split("\n") if line.strip()]
        values = {words[0]: list(map(float, words[1:])) for words in lines}

        def pose(
            name: str, start: np.ndarray, above: Rotation, values: dict[str, list[float]] = values
        ) -> None:
            b = bones[name]
            by_axis = dict(zip("xyz", map(float, b["axis"][:3]), strict=True))
            order = b["axis"][3]
            axes = Rotation.from_euler(order, [by_axis[letter] for letter in order], degrees=True)
            freedoms = dict(zip(b.get("dof", []), values.get(name, []), strict=True))
            shift = np.array([freedoms.get("t" + letter, 0.0) for letter in "xyz"])
            about = [d for d in freedoms if d.startswith("r")]
            motion = Rotation.identity()
            for d in about:  # about fixed axes, the first one first
                motion = Rotation.from_euler(d[1], freedoms[d], degrees=True) * motion
            here = above * axes * motion * axes.inv()
            start = start + shift
            end = start + here.apply(float(b["length"][0]) * np.array(b["direction"], dtype=float))
            starts[name].append(start)
            ends[name].append(end)
            for child in children.get(name, []):
                pose(child, end, here)

        pose("root", np.array(root["position"], dtype=float), Rotation.identity())
    return {n: np.array(v) for n, v in starts.items()}, {n: np.array(v) for n, v in ends.items()}


def world(take: Take) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Joint and end site positions by our own kinematics."""
    places = kinematics.forward(Tree(np.array(take.parents)), take.offsets, take.root, take.rotations)
    tips = kinematics.attached(*places, take.end_parents, take.end_offsets)
    joints = {name.lower(): places[0][:, j] for j, name in enumerate(take.names)}
    return joints, {take.names[j].lower(): tips[:, i] for i, j in enumerate(take.end_parents)}


def agrees_with_textbook(take: Take, asf: bytes, amc: bytes, tolerance: float) -> bool:
    starts, ends = textbook(asf.decode(), amc.decode())
    joints, tips = world(take)
    assert set(joints) == set(starts)
    worst = max(np.abs(joints[name] - starts[name]).max() for name in joints)
    return max(worst, *(np.abs(tips[name] - ends[name]).max() for name in tips)) < tolerance


class TestSkeleton:
    def test_joints_sit_at_the_starts_of_bones(self) -> None:
        take = read_asf(ASF)
        assert take.names == ["root", "Pelvis", "Thigh", "Shank", "Spine"]
        assert take.parents == [-1, 0, 1, 2, 0]
        assert np.array_equal(take.offsets[:2], [[0.5, -1, 2], [0, 0, 0]])
        assert np.allclose(take.offsets[2], [1.5, -2.0, 0], atol=1e-15)
        assert np.allclose(take.offsets[3], 7.33161 * np.array([0.34202, -0.939693, 0]), atol=1e-15)
        assert np.array_equal(take.offsets[4], [0, 0, 0])
        assert take.end_parents == [3, 4]
        assert np.allclose(take.end_offsets, [[0.78, -7.02, 3.276], [0, 3, 0]], atol=1e-15)
        assert take.unit == pytest.approx(0.0254 / 0.45, rel=1e-15)
        assert (take.rest, take.fps, len(take.root)) == (None, None, 0)

    @pytest.mark.parametrize(
        ("old", "new", "line", "problem"),
        [
            (
                b"direction 0.6 -0.8 0",
                b"direction 0.6 -0.8",
                19,
                "expected 3 numbers after direction, found 2",
            ),
            (b"length 2.5", b"length long", 20, "expected a number for length, found 'long'"),
            (b"length 2.5", b"length 1e12", 20, "expected numbers under"),
            (b"length 0.45", b"length 0", 6, "expected a positive length, found 0"),
            (b"angle deg", b"angle turns", 7, "expected 'angle deg' or 'angle rad'"),
            (b"axis 0 0 0 XYZ", b"axis 0 0 0 XYX", 21, "expected an order of axes such as XYZ, found 'XYX'"),
            (b"axis 0 0 0 XYZ", b"axis 0 0 0", 21, "expected an order of axes"),
            (b"dof rz rx", b"dof rz rw", 40, "expected degrees of freedom among tx, ty"),
            (b"dof rz rx", b"dof rz rz", 40, "each once"),
            (b"name Thigh", b"name pelvis", 33, "expected each bone once, found 'pelvis' again"),
            (b"name Thigh", b"", 33, "expected the bone's name before 'end'"),
            (b"  end\n  begin\n     id 2", b"  begin\n     id 2", 22, "expected 'end' before the next"),
            (b"  begin\n     id 1", b"     id 1", 16, "expected 'begin' before a bone's 'id'"),
            (b"Thigh Shank", b"Thigh Foot", 54, "expected a bone of the section :bonedata, found 'foot'"),
            (b"Thigh Shank", b"Thigh Pelvis", 54, "found 'pelvis' again"),
            (b"Thigh Shank", b"Thigh root", 54, "found 'root' again"),
            (b":hierarchy", b":skin", 55, "expected bones that hang on the root"),
            (b":bonedata", b":skin", 52, "expected a bone of the section :bonedata, found 'pelvis'"),
            (b":version", b"version", 2, "expected a section such as :version"),
        ],
    )
    def test_says_what_is_wrong_and_where(self, old: bytes, new: bytes, line: int, problem: str) -> None:
        assert old in ASF
        with pytest.raises(LoadError, match=re.escape(problem)) as caught:
            read_asf(ASF.replace(old, new, 1))
        assert caught.value.line == line

    def test_a_cut_file_is_refused_wherever_it_is_cut(self) -> None:
        whole = ASF.rindex(b"Shank") + len(b"Shank")
        for end in range(ASF.index(b":hierarchy") + 12):
            with pytest.raises(LoadError):
                read_asf(ASF[:end])
        assert read_asf(ASF[:whole]).names == read_asf(ASF).names

    def test_bones_that_hang_on_nothing_are_noted(self) -> None:
        take = read_asf(ASF.replace(b"    Thigh Shank\n", b""))
        assert take.names == ["root", "Pelvis", "Thigh", "Spine"]
        assert take.notes == ("bones that hang on nothing are left out: Shank",)
        circle = read_asf(ASF.replace(b"    Pelvis Thigh\n", b"    Shank Thigh\n"))
        assert circle.names == ["root", "Pelvis", "Spine"]

    def test_deep_skeletons_need_no_stack(self) -> None:
        def chain(bones: int) -> bytes:
            blocks = b"".join(b"begin\nname b%d\ndirection 0 1 0\nlength 1\nend\n" % i for i in range(bones))
            links = b"root b0\n" + b"".join(b"b%d b%d\n" % (i, i + 1) for i in range(bones - 1))
            return b":bonedata\n" + blocks + b":hierarchy\n" + links

        assert read_asf(chain(4095)).parents == list(range(-1, 4095))
        with pytest.raises(LoadError, match="4097 joints"):
            read_asf(chain(5000))


class TestMotion:
    def test_is_the_textbooks(self) -> None:
        take = read_amc(AMC, ASF)
        assert take.rotations.shape == (2, 5, 4)
        assert agrees_with_textbook(take, ASF, AMC, 1e-13)

    @pytest.mark.parametrize(
        "order", ["TX TY TZ RZ RY RX", "RY RX RZ TZ TY TX", "TX RX TY RY TZ RZ", "TY RZ"]
    )
    @pytest.mark.parametrize("orientation", ["0 0 0", "-90 20 5"])
    def test_the_root_turns_in_its_own_order(self, order: str, orientation: str) -> None:
        asf = ASF.replace(b"TX TY TZ RX RY RZ", order.encode())
        asf = asf.replace(b"orientation 0 0 0", b"orientation " + orientation.encode()).replace(
            b"axis XYZ", b"axis YXZ"
        )
        count = len(order.split())
        amc = re.sub(rb"root (.*)", lambda m: b"root " + b" ".join(m[1].split()[:count]), AMC)
        assert agrees_with_textbook(read_amc(amc, asf), asf, amc, 1e-13)

    @settings(max_examples=50, deadline=None)
    @given(
        st.permutations("XYZ"),
        st.permutations(["rx", "ry", "rz"]),
        st.integers(0, 3),
        st.lists(st.floats(-400, 400), min_size=6, max_size=6),
    )
    def test_a_bone_turns_about_its_own_axes(
        self, axis_order: list[str], dofs: list[str], freedoms: int, angles: list[float]
    ) -> None:
        axis = " ".join(f"{a!r}" for a in angles[:3]) + " " + "".join(axis_order)
        asf = ASF.replace(b"axis 30 40 50 ZYX", b"axis " + axis.encode())
        asf = asf.replace(b"dof rz rx", b"dof " + " ".join(dofs[:freedoms]).encode())
        values = " ".join(f"{a!r}" for a in angles[3 : 3 + freedoms]).encode()
        amc = re.sub(rb"Shank .*", b"Shank " + values, AMC)
        assert agrees_with_textbook(read_amc(amc, asf), asf, amc, 1e-11)

    def test_zeros_are_the_rest_pose(self) -> None:
        take = read_amc(b":DEGREES\n7\nroot 0 0 0 0 0 0\nThigh 0 0 0\nShank 0 0\nSpine 0\n", ASF)
        assert np.allclose(take.rotations, [1, 0, 0, 0], atol=1e-15)
        assert np.array_equal(take.root, [[0.5, -1, 2]])

    def test_radians_are_radians_in_either_file(self) -> None:
        def to_radians(words: bytes) -> bytes:
            return b" ".join(repr(float(np.deg2rad(float(w)))).encode() for w in words.split())

        asf = ASF.replace(b"angle deg", b"angle rad")
        asf = re.sub(rb"axis ([\d. -]+) (\w+)", lambda m: b"axis " + to_radians(m[1]) + b" " + m[2], asf)
        amc = re.sub(rb"(Thigh|Shank|Spine) (.*)", lambda m: m[1] + b" " + to_radians(m[2]), AMC)
        amc = re.sub(rb"root (\S+ \S+ \S+) (.*)", lambda m: b"root " + m[1] + b" " + to_radians(m[2]), amc)
        expected = read_amc(AMC, ASF)
        for text in (amc.replace(b":DEGREES", b":RADIANS"), amc.replace(b":DEGREES\n", b"")):
            found = read_amc(text, asf)
            assert np.allclose(found.rotations, expected.rotations, atol=1e-14)
            assert np.array_equal(found.root, expected.root)
        assert np.allclose(read_amc(AMC, asf).rotations, expected.rotations, atol=1e-14)

    @pytest.mark.parametrize(
        "spelling",
        [
            lambda t: t.replace(b"\n", b"\r\n"),
            lambda t: t.replace(b" ", b"\t\t"),
            lambda t: b"\xef\xbb\xbf" + t,
            lambda t: t.replace(b"\n", b" # so\n\n"),
            lambda t: t.upper(),
        ],
        ids=["crlf", "tabs", "byte order mark", "comments", "upper case"],
    )
    def test_spelling_does_not_matter(self, spelling: Callable[[bytes], bytes]) -> None:
        plain, other = read_amc(AMC, ASF), read_amc(spelling(AMC), spelling(ASF))
        assert np.array_equal(other.rotations, plain.rotations)
        assert np.array_equal(other.root, plain.root)
        assert np.array_equal(other.offsets, plain.offsets)

    def test_a_bone_that_never_moves_rests(self) -> None:
        take = read_amc(re.sub(rb"Thigh.*\n", b"", AMC), ASF)
        assert np.array_equal(take.rotations[:, 2], [[1, 0, 0, 0]] * 2)
        assert np.array_equal(take.rotations[:, 3], read_amc(AMC, ASF).rotations[:, 3])

    def test_bones_that_the_skeleton_lacks_are_noted_once(self) -> None:
        take = read_amc(AMC.replace(b"Spine", b"Tail 1 2 3 4\nSpine"), ASF)
        assert take.notes == ("joints that the skeleton lacks are left out: tail",)
        assert np.array_equal(take.rotations, read_amc(AMC, ASF).rotations)

    def test_a_skeleton_that_lacks_all_bones_is_refused(self) -> None:
        with pytest.raises(LoadError, match="is it the right one"):
            read_amc(b":FULLY-SPECIFIED\n1\nTail 1\nWing 2\n", ASF)

    def test_shifts_of_bones_are_left_out_and_noted(self) -> None:
        take = read_amc(AMC.replace(b"Spine ", b"Spine 9 8 "), ASF.replace(b"dof ry", b"dof tx l ry"))
        assert take.notes == ("shifts and stretches of bones are left out: spine",)
        assert np.array_equal(take.rotations, read_amc(AMC, ASF).rotations)

    def test_the_rate_is_known_only_where_it_is_stated(self) -> None:
        assert read_amc(AMC, ASF).fps is None
        assert read_amc(AMC.replace(b":DEGREES", b":DEGREES\n:SAMPLES-PER-SECOND 60"), ASF).fps == 60.0

    def test_frames_may_start_at_any_number(self) -> None:
        late = AMC.replace(b"\n1\n", b"\n120\n").replace(b"\n2\n", b"\n121\n")
        assert np.array_equal(read_amc(late, ASF).rotations, read_amc(AMC, ASF).rotations)

    @pytest.mark.parametrize(
        ("old", "new", "line", "problem"),
        [
            (b"\n2\n", b"\n3\n", 10, "expected frame 2, found 3"),
            (b"\n2\n", b"\n1\n", 10, "expected frame 2, found 1"),
            (b"\n1\n", b"\n", 5, "expected the number of a frame, found 'root'"),
            (b"Shank 45 -30\n", b"Shank 45\n", 8, "expected 2 numbers for shank, found 1"),
            (b"Shank 45 -30\n", b"Shank 45 -30 1\n", 8, "expected 2 numbers for shank, found 3"),
            (b"Shank 45 -30\n", b"Shank 45 -3o\n", 8, "expected a finite number, found '-3o'"),
            (b"Shank 45 -30\n", b"Shank 45 nan\n", 8, "expected a finite number, found 'nan'"),
            (b"Shank 45 -30\n", b"Shank 45 1e30\n", None, "expected numbers under"),
            (b"Shank 45 -30\n", b"Shank 45 1,2\n", 8, "expected a finite number, found '1,2'"),
            (
                b"Shank 45 -30\n",
                b"Thigh 1 2 3\n",
                8,
                "expected each bone once in a frame, found 'thigh' again",
            ),
            (b"Shank 0 100\n", b"", 13, "expected shank, as in the first frame, found 'spine'"),
            (b"Spine 0\n", b"", 14, "expected spine, but frame 2 ends"),
            (
                b"Spine 0\n",
                b"Spine 0\nSpine 0\n",
                15,
                "expected the next frame, as in the first frame, found 'spine'",
            ),
            (b":DEGREES", b":SAMPLES-PER-SECOND 0", 4, "expected a positive number of samples per second"),
        ],
    )
    def test_says_what_is_wrong_and_where(
        self, old: bytes, new: bytes, line: int | None, problem: str
    ) -> None:
        assert old in AMC
        with pytest.raises(LoadError, match=re.escape(problem)) as caught:
            read_amc(AMC.replace(old, new), ASF)
        assert line is None or caught.value.line == line

    def test_many_frames_need_a_large_file(self) -> None:
        bones = b"".join(b"begin\nname b%d\nend\n" % i for i in range(4000))
        links = b"root " + b" ".join(b"b%d" % i for i in range(4000))
        amc = b":DEGREES\n" + b"".join(b"%d\n" % i for i in range(2000))
        with pytest.raises(LoadError, match="2000 frames of 4001 joints cannot come from"):
            read_amc(amc, b":bonedata\n" + bones + b":hierarchy\n" + links)


@settings(max_examples=400, deadline=None)
@given(
    edited(ASF, b":", b"begin", b"end", b"\n3\n"),
    edited(AMC, b":", b"begin", b"end", b"\n3\n"),
    st.booleans(),
    st.booleans(),
)
def test_broken_files_are_read_or_refused(asf: bytes, amc: bytes, break_asf: bool, break_amc: bool) -> None:
    try:
        take = read_amc(amc if break_amc else AMC, asf if break_asf else ASF)
    except LoadError:
        return
    assert len(take.root) == len(take.rotations)
    assert np.allclose(np.linalg.norm(take.rotations, axis=-1), 1.0)


class TestFiles:
    def test_a_clip_finds_its_skeleton(self, tmp_path) -> None:
        (tmp_path / "clip.amc").write_bytes(AMC)
        with pytest.raises(LoadError, match=r"clip\.amc: needs a skeleton.*--skeleton FILE"):
            load_capture(tmp_path / "clip.amc")
        (tmp_path / "man.asf").write_bytes(ASF)
        capture = load_capture(tmp_path / "clip.amc", fps=60)
        assert (capture.format, len(capture.motion), capture.motion.fps) == ("amc", 2, 60.0)
        assert capture.motion.skeleton.names == tuple(read_asf(ASF).names)

    def test_errors_in_the_skeleton_name_the_skeleton(self, tmp_path) -> None:
        (tmp_path / "clip.amc").write_bytes(AMC)
        (tmp_path / "man.asf").write_bytes(ASF.replace(b"length 2.5", b"length ?"))
        with pytest.raises(LoadError) as caught:
            load_capture(tmp_path / "clip.amc")
        assert (caught.value.file, caught.value.line) == (str(tmp_path / "man.asf"), 20)


class TestCaptures:
    def test_every_skeleton_stands_and_faces_forward(self) -> None:
        files = motion_files(".asf")
        for file in files:
            skeleton = load_capture(captures(file)).motion.skeleton
            at = {role: skeleton.rest_positions[joint] for role, joint in skeleton.roles.items()}
            assert at["head"][1] > at["hips"][1] + 0.4 > at["left_foot"][1] + 1.1
            for side, sign in (("left", 1), ("right", -1)):
                assert sign * at[f"{side}_thigh"][0] > 0.05
                assert at[f"{side}_toe"][2] - at[f"{side}_foot"][2] > 0.08
        assert files or captures("formats/11.asf")

    @pytest.mark.parametrize("file", motion_files(".amc"))
    def test_every_motion_is_the_textbooks(self, file: str) -> None:
        amc = captures(file).read_bytes()
        (skeleton,) = captures(file).parent.glob("*.asf")
        asf = skeleton.read_bytes()
        take = read_amc(amc, asf)
        assert agrees_with_textbook(take, asf, amc, 1e-9)

    def test_a_kick_looks_human(self) -> None:
        capture = load_capture(captures("formats/11_01.amc"), fps=120)
        motion = capture.motion
        assert (len(motion), len(motion.skeleton), capture.unit_name, capture.notes) == (597, 31, "cmu", ())
        assert 0.75 < motion.skeleton.leg_length() < 0.9
        assert (motion.of("head")[:, 1] > motion.of("hips")[:, 1] + 0.4).all()
        assert (motion.of("hips")[:, 1] > 0.8).all()
        # one foot is near the ground but for a hop, and the right one kicks
        toes = np.stack([motion.of(f"{side}_toe") for side in ("left", "right")])
        assert 0.03 < toes[..., 1].min() < 0.06
        assert np.median(toes[..., 1].min(axis=0)) < 0.08
        assert toes[..., 1].min(axis=0).max() < 0.15
        assert toes[1, :, 1].max() > 0.5
        speed = np.linalg.norm(np.gradient(toes, axis=1), axis=-1) * motion.fps
        assert np.median(speed.min(axis=0)) < 0.1  # m/s: the planted toe stays

    def test_knees_bend_backwards_only(self) -> None:
        motion = load_capture(captures("formats/11_01.amc"), fps=120).motion
        for side in ("left", "right"):
            hip, knee, ankle = (motion.of(f"{side}_{part}") for part in ("thigh", "shank", "foot"))
            foot_forward = motion.of(f"{side}_toe") - ankle
            # the knee lies before the line from hip to ankle
            before = knee - 0.5 * (hip + ankle)
            bent = np.linalg.norm(hip - ankle, axis=-1) < 0.97 * motion.skeleton.leg_length(side)
            assert bent.sum() > 50
            assert (np.einsum("fi,fi->f", before, foot_forward)[bent] > 0).mean() > 0.99
