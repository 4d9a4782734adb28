"""SmartBody skeletons and motions: small files against SciPy, awkward and broken files, and real captures."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.spatial.transform import Rotation

from footfall.errors import LoadError
from footfall.figure import kinematics
from footfall.figure.tree import Tree
from footfall.formats.bvh import read_bvh
from footfall.formats.load import load_capture
from footfall.formats.smartbody import read_sk, read_skm
from footfall.formats.take import Take
from tests.captures import captures, manifest, motion_files
from tests.formats.edited_text import edited

SK = b"""# SK Skeleton Definition
# written by hand    Units: m

set_name root

skeleton
root base
{ offset 0.5 1.0 -0.25
  prerot axis 0 1 0 ang 30
  channel XPos 0 free
  channel Quat

  joint hip left
  { offset 0.1 0.2 0.3
    prerot axis 1 2 -1 ang -75.5
    channel XPos 0 lim -0.5 0.5
    channel Quat
    joint knee
    { offset 0 -0.5 0.01
      prerot axis 0 0 3 ang 200
      channel Quat
    }
  }
  joint arm { offset -1e-1 5.0E-1 0 prerot axis 0 0 0 ang 12 }
}

end
"""
NAMES = ["base", "hip left", "knee", "arm"]
PARENTS = [-1, 0, 1, 0]
OFFSETS = np.array([[0.5, 1.0, -0.25], [0.1, 0.2, 0.3], [0, -0.5, 0.01], [-0.1, 0.5, 0]])
PREROTS = [([0, 1, 0], 30.0), ([1, 2, -1], -75.5), ([0, 0, 1], 200.0), ([0, 0, 1], 0.0)]

SKM = b"""# SKM Motion Definition
# Units: m

SkMotion

name "by hand"

channels 6
base XPos
base YPos
base ZPos
base Quat
hip left Quat
knee Quat

frames 3
kt 0.000000 fr 0.1 0.2 0.3  0.4 -0.5 0.6  1.1 0 0   0 0 -2.5
kt 0.033333 fr 1.1 -0.2 0.3 0.4 -2.5 0.6  0 1.2 0   0 0 0
kt 0.066667 fr 2.1 0.2 1e-3 -.4 -0.5 +0.6 0 0 -1.3E0 3 2 1

ready time: 0.02
toeLiftLf: 0.03
mood: bright
"""
BVH = b"""HIERARCHY
ROOT base
{
OFFSET 1 2 3
CHANNELS 0
JOINT knee
{
OFFSET 0 -1 0
CHANNELS 0
}
}
MOTION
Frames: 0
Frame Time: 0.01
"""
TABLE = np.array(
    [
        [0.1, 0.2, 0.3, 0.4, -0.5, 0.6, 1.1, 0, 0, 0, 0, -2.5],
        [1.1, -0.2, 0.3, 0.4, -2.5, 0.6, 0, 1.2, 0, 0, 0, 0],
        [2.1, 0.2, 1e-3, -0.4, -0.5, 0.6, 0, 0, -1.3, 3, 2, 1],
    ]
)


def prerotations() -> Rotation:
    unit = [np.array(axis) / np.linalg.norm(axis) for axis, _ in PREROTS]
    return Rotation.from_rotvec([np.deg2rad(deg) * a for a, (_, deg) in zip(unit, PREROTS, strict=True)])


def turns(quaternions: np.ndarray) -> np.ndarray:
    """Rotation matrices by SciPy, which wants the scalar last."""
    flat = np.asarray(quaternions).reshape(-1, 4)
    return Rotation.from_quat(flat[:, [1, 2, 3, 0]]).as_matrix().reshape(*quaternions.shape[:-1], 3, 3)


def reference_rotations() -> np.ndarray:
    """Pre-rotation times motion rotation, joint by joint."""
    pre = prerotations()
    moved = {0: TABLE[:, 3:6], 1: TABLE[:, 6:9], 2: TABLE[:, 9:12], 3: np.zeros((3, 3))}
    return np.stack([(pre[j] * Rotation.from_rotvec(v)).as_matrix() for j, v in moved.items()], axis=1)


def same_take(a: Take, b: Take) -> bool:
    arrays = ("offsets", "root", "rotations", "rest", "translations")
    pairs = [(getattr(a, name), getattr(b, name)) for name in arrays]
    equal = all((x is None and y is None) or np.array_equal(x, y) for x, y in pairs)
    plain = (a.names, a.parents, a.fps, a.unit, dict(a.instants)) == (
        b.names,
        b.parents,
        b.fps,
        b.unit,
        dict(b.instants),
    )
    return equal and plain


class TestSkeleton:
    def test_is_what_the_file_says(self) -> None:
        take = read_sk(SK)
        assert (take.names, take.parents) == (NAMES, PARENTS)
        assert np.array_equal(take.offsets, OFFSETS)
        assert take.rest is not None
        assert np.allclose(turns(take.rest), prerotations().as_matrix(), atol=1e-15)
        assert take.unit == 1.0
        assert take.root.shape == (0, 3)
        assert take.rotations.shape == (0, 4, 4)

    def test_without_prerotations_states_no_rest_pose(self) -> None:
        assert read_sk(re.sub(rb"prerot.*?ang [-\d.]+", b"", SK)).rest is None

    @pytest.mark.parametrize(("stated", "unit"), [(b"cm", 0.01), (b"M", 1.0), (b"parsec", None)])
    def test_takes_its_unit_from_a_comment(self, stated: bytes, unit: float | None) -> None:
        assert read_sk(SK.replace(b"Units: m", b"Units: " + stated)).unit == unit

    def test_a_unit_outside_a_comment_is_no_unit(self) -> None:
        assert read_sk(SK.replace(b"# written by hand    Units: m", b"Units: m")).unit is None

    @pytest.mark.parametrize(
        "spelling",
        [
            lambda t: t.replace(b"\n", b"\r\n"),
            lambda t: t.replace(b"  ", b"\t"),
            lambda t: b"\xef\xbb\xbf" + t,
            lambda t: t.replace(b"prerot", b"PreRot # why\n").replace(b"offset", b"Center"),
            lambda t: re.sub(rb"\n(?!#)", b" ", re.sub(rb"#[^\n]*\n", b"", t)).join([b"# Units: m\n", b"\n"]),
        ],
        ids=["crlf", "tabs", "byte order mark", "keywords", "one line"],
    )
    def test_spelling_does_not_matter(self, spelling) -> None:
        assert same_take(read_sk(spelling(SK)), read_sk(SK))

    @pytest.mark.parametrize(
        ("old", "new", "line", "problem"),
        [
            (b"offset 0.1 0.2 0.3", b"offset 0.1 0.2", 14, "expected 3 numbers after offset, found 2"),
            (b"offset 0.1 0.2 0.3", b"offset 0.1 0.2 x", 14, "expected a number for offset, found 'x'"),
            (b"offset 0.1 0.2 0.3", b"offset 0.1 0.2 nan", 14, "found 'nan'"),
            (b"axis 1 2 -1 ang -75.5", b"axis 1 2 -1", 15, "axis x y z ang degrees"),
            (b"axis 1 2 -1 ang -75.5", b"axis 1 2 -1 ang 1e9", 15, "angle under"),
            (b"prerot axis 1 2", b"postrot axis 1 2", 15, "postrot is not supported"),
            (b"{ offset 0.1", b"{ wobble offset 0.1", 14, "found 'wobble'"),
            (b"{ offset 0.1", b"offset 0.1", 13, "expected '{' after the name of the joint"),
            (b"}\n  joint arm", b"\n  joint arm", 25, "before its braces are closed"),
            (b"joint hip left\n", b"\n", 14, "expected a joint's name before '{'"),
            (b"joint hip left\n", b"root hip left\n", 13, "expected one root"),
            (b"root base\n{", b"}", 7, "expected a root joint, found '}'"),
            (b"root base", b"joint base", 7, "expected one root"),
        ],
    )
    def test_says_what_is_wrong_and_where(self, old: bytes, new: bytes, line: int, problem: str) -> None:
        assert old in SK
        with pytest.raises(LoadError, match=re.escape(problem)) as caught:
            read_sk(SK.replace(old, new))
        assert caught.value.line == line

    def test_deep_skeletons_need_no_stack(self) -> None:
        def chain(joints: int) -> bytes:
            return b"skeleton root a {" + b"joint b { offset 0 1 0 " * (joints - 1) + b"}" * joints

        assert read_sk(chain(4096)).parents == list(range(-1, 4095))
        with pytest.raises(LoadError, match="4097 joints"):
            read_sk(chain(100_000))


class TestMotion:
    def test_rotations_are_prerotation_times_motion(self) -> None:
        take = read_skm(SKM, read_sk(SK))
        assert np.allclose(turns(take.rotations), reference_rotations(), atol=1e-14)
        assert np.allclose(np.linalg.norm(take.rotations, axis=-1), 1.0, atol=1e-15)

    def test_positions_add_to_the_offset(self) -> None:
        take = read_skm(SKM, read_sk(SK))
        assert np.array_equal(take.root, OFFSETS[0] + TABLE[:, :3])
        assert take.translations is None

    def test_joint_positions_are_a_chain_of_scipy_rotations(self) -> None:
        take = read_skm(SKM, read_sk(SK))
        local, world = reference_rotations(), np.empty((3, 4, 3, 3))
        places = np.empty((3, 4, 3))
        world[:, 0], places[:, 0] = local[:, 0], OFFSETS[0] + TABLE[:, :3]
        for j in (1, 2, 3):
            above = PARENTS[j]
            world[:, j] = world[:, above] @ local[:, j]
            places[:, j] = places[:, above] + world[:, above] @ OFFSETS[j]
        found, _ = kinematics.forward(Tree(np.array(take.parents)), take.offsets, take.root, take.rotations)
        assert np.allclose(found, places, atol=1e-14)

    def test_positions_of_other_joints_become_translations(self) -> None:
        text = SKM.replace(b"hip left Quat", b"hip left YPos\nknee ZPos\nknee XPos").replace(
            b"channels 6", b"channels 8"
        )
        take = read_skm(text, read_sk(SK))
        assert take.translations is not None
        shift = np.zeros((3, 4, 3))
        shift[:, 0] = TABLE[:, :3]
        shift[:, 1, 1], shift[:, 2, 2], shift[:, 2, 0] = TABLE[:, 6:9].T
        assert np.array_equal(take.translations, OFFSETS + shift)
        assert np.array_equal(take.root, take.translations[:, 0])

    def test_joints_without_channels_keep_their_prerotation(self) -> None:
        skeleton = read_sk(SK.replace(b"axis 0 0 0 ang 12", b"axis 1 0 0 ang 12"))
        take = read_skm(SKM, skeleton)
        assert skeleton.rest is not None
        assert np.array_equal(take.rotations[:, 3], np.tile(skeleton.rest[3], (3, 1)))
        assert np.allclose(
            turns(take.rotations[:, 3]), Rotation.from_euler("x", 12, degrees=True).as_matrix()
        )

    def test_joints_that_the_skeleton_lacks_are_noted_once(self) -> None:
        text = SKM.replace(b"hip left Quat\n", b"tail Quat\n").replace(b"base YPos", b"wing YPos")
        take = read_skm(text, read_sk(SK))
        assert take.notes == ("joints that the skeleton lacks are left out: wing, tail",)
        known = read_skm(SKM, read_sk(SK))
        assert np.array_equal(take.rotations[:, [0, 2, 3]], known.rotations[:, [0, 2, 3]])
        assert np.array_equal(take.root[:, [0, 2]], known.root[:, [0, 2]])
        assert (take.root[:, 1] == OFFSETS[0, 1]).all()

    def test_a_skeleton_that_lacks_all_joints_is_refused(self) -> None:
        other = read_sk(b"skeleton root a { offset 0 0 0 }")
        with pytest.raises(LoadError, match="none of the joints that move \\(base, hip left, knee\\)"):
            read_skm(SKM, other)

    def test_a_skeleton_of_another_format_has_no_prerotations(self) -> None:
        take = read_skm(SKM, read_bvh(BVH))
        assert take.rest is None
        expected = np.stack(
            [Rotation.from_rotvec(TABLE[:, c]).as_matrix() for c in (slice(3, 6), slice(9, 12))], axis=1
        )
        assert np.allclose(turns(take.rotations), expected, atol=1e-14)
        assert np.array_equal(take.root, np.array([1.0, 2.0, 3.0]) + TABLE[:, :3])

    def test_instants_count_from_the_first_frame(self) -> None:
        assert read_skm(SKM, read_sk(SK)).instants == {"ready": 0.02, "toeLiftLf": 0.03}
        later = SKM.replace(b"kt 0.000000", b"kt 0.5").replace(b"kt 0.033333", b"kt 0.533333")
        later = later.replace(b"kt 0.066667", b"kt 0.566667").replace(b"time: 0.02", b"time : 0.52")
        take = read_skm(later, read_sk(SK))
        assert take.instants["ready"] == pytest.approx(0.02, abs=1e-15)
        assert take.fps == 30.0

    @pytest.mark.parametrize(
        "spelling",
        [
            lambda t: t.replace(b"\n", b"\r\n"),
            lambda t: t.replace(b" ", b"\t"),
            lambda t: b"\xef\xbb\xbf" + t,
            lambda t: re.sub(rb"name.*\n", b"", t),
            lambda t: (
                t.replace(b"kt", b"\n# a key\nKT").replace(b"SkMotion", b"SKMOTION").replace(b"Quat", b"quat")
            ),
        ],
        ids=["crlf", "tabs", "byte order mark", "no name", "case and comments"],
    )
    def test_spelling_does_not_matter(self, spelling) -> None:
        text = spelling(SKM.replace(b"hip left", b"hip\x00").replace(b"\x00", b" left"))
        assert same_take(read_skm(text, read_sk(SK)), read_skm(SKM, read_sk(SK)))

    @pytest.mark.parametrize(
        ("old", "new", "line", "problem"),
        [
            (b"SkMotion", b"SkEmotion", 4, "expected SkMotion, found 'SkEmotion'"),
            (b"channels 6", b"channels six", 8, "expected a count for channels"),
            (b"channels 6", b"channels 5", 14, "expected 'frames COUNT', found 'knee Quat'"),
            (b"channels 6", b"channels 999999999999", 16, "expected a joint and XPos, YPos, ZPos or Quat"),
            (b"base YPos", b"base YRot", 10, "found 'base YRot'"),
            (b"base YPos", b"YPos", 10, "found 'YPos'"),
            (b"frames 3", b"frames 4", 20, "expected 4 frames, found 3"),
            (b"frames 3", b"frames 999999999999", 20, "expected 999999999999 frames, found 3"),
            (b"0 1.2 0   0 0 0\n", b"0 1.2 0   0 0\n", 18, "expected 12 numbers after fr, found 11"),
            (b"kt 0.033333 fr", b"kt 0.033333", 18, "expected 'kt TIME fr NUMBERS'"),
            (b"1.1 -0.2 0.3", b"1.1 -0.2 0.3mm", 18, "expected a finite number, found '0.3mm'"),
            (b"1.1 -0.2 0.3", b"1.1 -0.2 inf", 18, "expected a finite number, found 'inf'"),
            (b"1.1 -0.2 0.3", b"1.1 -0.2,5 0.3", 18, "expected a finite number, found '-0.2,5'"),
            (b"1.1 -0.2 0.3", b"1.1 -0.2 1e30", None, "expected numbers under"),
            (
                b"kt 0.033333",
                b"kt 0.073333",
                None,
                "expected times that rise, found 0.066667 s after 0.073333 s",
            ),
            (
                b"ready time: 0.02",
                b"ready time: soon",
                21,
                "expected a number for the time of ready, found 'soon'",
            ),
            (b"ready time: 0.02", b"ready ti", 21, "expected an instant such as"),
        ],
    )
    def test_says_what_is_wrong_and_where(
        self, old: bytes, new: bytes, line: int | None, problem: str
    ) -> None:
        assert old in SKM
        with pytest.raises(LoadError, match=re.escape(problem)) as caught:
            read_skm(SKM.replace(old, new), read_sk(SK))
        assert line is None or caught.value.line == line

    def test_more_frames_than_announced_are_noted(self) -> None:
        take = read_skm(SKM.replace(b"frames 3", b"frames 2"), read_sk(SK))
        assert np.array_equal(take.root, (OFFSETS[0] + TABLE[:, :3])[:2])
        assert take.notes == ("the file holds 3 frames; the 2 that it announces were read",)

    def test_many_frames_of_a_large_skeleton_need_a_large_file(self) -> None:
        bones = b"".join(b"joint j%d { offset 0 1 0 }" % j for j in range(4000))
        skeleton = read_sk(b"skeleton root base { offset 0 0 0 " + bones + b"}")
        frames = b"".join(b"kt %d fr 0\n" % t for t in range(1000))
        with pytest.raises(LoadError, match="1000 frames of 4001 joints cannot come from"):
            read_skm(b"SkMotion\nchannels 1\nbase XPos\nframes 1000\n" + frames, skeleton)


class TestRate:
    @staticmethod
    def clip(times: list[float]) -> Take:
        rows = "".join(f"kt {t:.6f} fr 0\n" for t in times)
        text = f"SkMotion\nchannels 1\nbase XPos\nframes {len(times)}\n{rows}"
        return read_skm(text.encode(), read_sk(SK))

    @pytest.mark.parametrize("fps", [24, 30, 60, 120])
    @pytest.mark.parametrize("frames", [2, 3, 100])
    def test_written_times_give_a_whole_rate_exactly(self, fps: int, frames: int) -> None:
        assert self.clip([0.7 + f / fps for f in range(frames)]).fps == fps

    def test_a_rate_that_is_not_whole_stays(self) -> None:
        assert self.clip([f * 1001 / 30000 for f in range(100)]).fps == pytest.approx(30000 / 1001, rel=1e-6)

    @pytest.mark.parametrize("times", [[], [0.25]])
    def test_is_unknown_below_two_frames(self, times: list[float]) -> None:
        take = self.clip(times)
        assert take.fps is None
        assert len(take.root) == len(times)

    def test_uneven_times_take_their_mean_spacing_and_a_note(self) -> None:
        take = self.clip([0.0, 0.1, 0.25, 0.3, 0.4])
        assert take.fps == 10.0
        assert take.notes == ("frame times are uneven; their mean spacing of 0.1 s was taken throughout",)

    @pytest.mark.parametrize("times", [[0.0, 0.0], [0.0, 0.1, 0.05], [0.0, 1e-6 / 3]])
    def test_times_that_do_not_rise_are_refused(self, times: list[float]) -> None:
        with pytest.raises(LoadError, match=r"rise|apart"):
            self.clip(times)


class TestUnits:
    LEGS = b"""skeleton root hips { offset 0 %(hip)s 0
      joint l_hip { offset %(side)s 0 0
        joint l_knee { offset 0 -%(bone)s 0 joint l_ankle { offset 0 -%(bone)s 0 } } }
      joint r_hip { offset -%(side)s 0 0
        joint r_knee { offset 0 -%(bone)s 0 joint r_ankle { offset 0 -%(bone)s 0 } } }
    }"""
    CLIP = b"# Units: %s\nSkMotion\nchannels 2\nhips XPos\nhips Quat\nframes 1\nkt 0 fr 2 0.1 0.2 0.3\n"

    def legs(self, unit: float) -> bytes:
        sizes = {b"hip": 0.9 / unit, b"side": 0.1 / unit, b"bone": 0.42 / unit}
        return self.LEGS % {name: repr(size).encode() for name, size in sizes.items()}

    @pytest.mark.parametrize(("clip", "metres"), [(b"m", 1.0), (b"cm", 0.01), (b"mm", 0.001)])
    @pytest.mark.parametrize(
        ("stated", "unit"), [(b"# Units: m\n", 1.0), (b"# Units: cm\n", 0.01), (b"", None)]
    )
    @pytest.mark.parametrize("true_unit", [1.0, 0.01, 0.0254])
    def test_frames_are_brought_to_the_skeletons_unit(
        self, clip: bytes, metres: float, stated: bytes, unit: float | None, true_unit: float
    ) -> None:
        take = read_skm(self.CLIP % clip, read_sk(stated + self.legs(true_unit)))
        assert take.unit == unit
        assert take.root[0, 0] * (unit or true_unit) == pytest.approx(2 * metres, rel=1e-12)

    def test_a_clip_without_unit_has_the_skeletons(self) -> None:
        take = read_skm(self.CLIP.replace(b"# Units: %s\n", b""), read_sk(b"# Units: cm\n" + self.legs(0.01)))
        assert (take.unit, take.root[0, 0]) == (0.01, 2.0)

    def test_without_legs_and_without_unit_the_clips_holds_for_both(self) -> None:
        take = read_skm(self.CLIP % b"cm", read_sk(b"skeleton root hips { offset 3 4 5 }"))
        assert (take.unit, take.root[0, 0]) == (0.01, 5.0)


class TestUntrusted:
    @settings(max_examples=300, deadline=None)
    @given(edited(SK, b"{", b"}", b"joint x", b"kt 0 fr"))
    def test_a_broken_skeleton_is_read_or_refused(self, text: bytes) -> None:
        try:
            take = read_sk(text)
        except LoadError:
            return
        assert len(take.names) == len(take.parents) == len(take.offsets)

    @settings(max_examples=300, deadline=None)
    @given(edited(SKM, b"{", b"}", b"joint x", b"kt 0 fr"))
    def test_a_broken_motion_is_read_or_refused(self, text: bytes) -> None:
        try:
            take = read_skm(text, read_sk(SK))
        except LoadError:
            return
        assert len(take.root) == len(take.rotations)
        assert np.allclose(np.linalg.norm(take.rotations, axis=-1), 1.0)


SKELETONS = {
    "SB-ChrGarza": "jump/ChrGarza.sk",
    "SB-ChrBackovic": "locomotion-set/ChrBackovic.sk",
    "SB-common": "hands/common.sk",
    "SB-PNGestures": "hands/pnskeleton.bvh",
}
LEG = {"SB-ChrGarza": 0.83, "SB-ChrBackovic": 0.80}  # m, as the captures' README gives them
CLIPS = {row["file"]: row for row in manifest() if row["file"].endswith(".skm")}
LOCOMOTION = [file for file in CLIPS if file.startswith("locomotion-set/")]
# right wrist at the instant "emphasis": m left of and before the toes of the first frame, and above the floor
WRISTS = {
    "ReachForwardFloor01": (-0.20, 0.17, 0.45),
    "ReachForwardLow01": (-0.23, 0.82, 0.49),
    "ReachForwardMediumMid01": (-0.22, 1.22, 0.44),
    "ReachForwardHigh01": (0.01, 1.97, 0.26),
    "ReachRight30Floor01": (-0.52, 0.20, 0.02),
    "ReachRight30MediumMid01": (-0.67, 1.28, 0.04),
    "ReachLeft30Low01": (0.41, 0.85, 0.45),
    "ReachLeft30MediumNear01": (0.17, 1.27, 0.22),
    "ReachRight120MediumMid01": (-0.57, 1.37, -0.44),
    "ReachBackMediumNear01": (0.10, 1.23, -0.55),
}


def load(file: str):
    return load_capture(captures(file), skeleton=captures(SKELETONS[CLIPS[file]["skeleton"]]))


class TestCaptures:
    @pytest.mark.parametrize("file", CLIPS)
    def test_every_motion_loads(self, file: str) -> None:
        capture, known = load(file), CLIPS[file]
        motion = capture.motion
        assert capture.format == "skm"
        assert (len(motion), len(motion.skeleton)) == (int(known["frames"]), int(known["joints"]))
        assert capture.unit == pytest.approx(float(known["unit_in_m"]))
        assert (capture.dropped, capture.up) == (0, "y")
        if len(motion) > 1:
            assert motion.fps == float(known["fps_true"])
        assert set(capture.instants) >= {"strokeStart", "emphasis", "stroke", "relax"}
        if known["skeleton"] in LEG:
            assert motion.skeleton.leg_length("left") == pytest.approx(LEG[known["skeleton"]], abs=0.01)

    @pytest.mark.parametrize("file", CLIPS)
    def test_figures_stand(self, file: str) -> None:
        motion = load(file).motion
        feet = np.maximum(motion.of("left_foot")[:, 1], motion.of("right_foot")[:, 1])
        assert np.median(motion.of("head")[:, 1] - motion.of("hips")[:, 1]) > 0.4
        assert np.median(motion.of("hips")[:, 1] - feet) > 0.4

    @pytest.mark.parametrize("file", motion_files(".sk"))
    def test_every_skeleton_stands_and_faces_forward(self, file: str) -> None:
        capture = load_capture(captures(file))
        skeleton = capture.motion.skeleton
        at = {role: skeleton.rest_positions[joint] for role, joint in skeleton.roles.items()}
        assert (len(capture.motion), capture.format) == (0, "sk")
        assert at["head"][1] > at["hips"][1] + 0.4 > at["left_foot"][1] + 1.1
        for side, sign in (("left", 1), ("right", -1)):
            foot, toe = at[f"{side}_foot"], at[f"{side}_toe"]
            assert sign * at[f"{side}_thigh"][0] > 0.05
            assert toe[2] - foot[2] > 0.08
            assert abs(toe[0] - foot[0]) < 0.5 * (toe[2] - foot[2])

    @pytest.mark.parametrize("clip", WRISTS)
    def test_a_hand_is_where_it_reaches(self, clip: str) -> None:
        capture = load(f"reach/ChrGarza@IdleStand01_{clip}.skm")
        motion = capture.motion
        toes = 0.5 * (motion.of("left_toe")[0] + motion.of("right_toe")[0])
        wrist = motion.of("right_hand")[round(capture.instants["emphasis"] * motion.fps)]
        assert np.allclose(wrist - toes * [1, 0, 1], WRISTS[clip], atol=0.015)

    @pytest.mark.parametrize("file", LOCOMOTION)
    def test_turns_are_as_measured(self, file: str) -> None:
        motion = load(file).motion
        across = sum(
            motion.of(f"left_{part}") - motion.of(f"right_{part}") for part in ("thigh", "upper_arm")
        )
        heading = np.unwrap(np.arctan2(-across[:, 2], across[:, 0]))
        turn = np.rad2deg(heading[-1] - heading[0])
        assert turn == pytest.approx(float(CLIPS[file]["net_turn_deg"]), abs=9)

    def test_planted_feet_stay(self) -> None:
        pooled: list[float] = []
        for file in LOCOMOTION:
            motion = load(file).motion
            found = [s for side in ("left", "right") for s in slides(motion.of(f"{side}_toe"), motion.fps)]
            assert np.median(found) < 0.01 * float(CLIPS[file]["slide_median_cm"]) + 0.005, file
            pooled += found
        if not pooled:
            pytest.skip("no captures")
        assert len(pooled) > 60
        assert np.median(pooled) < 0.006

    def test_a_bvh_skeleton_carries_a_motion_with_positions_everywhere(self) -> None:
        motion = load("hands/bigger2.skm").motion
        bvh = read_bvh(captures("hands/pnskeleton.bvh").read_bytes())
        assert np.allclose(motion.skeleton.offsets, 0.01 * bvh.offsets)
        # positions are small shifts from the offsets, and the figure stands on the floor with them
        assert motion.translations is not None
        assert 0.005 < np.abs(motion.translations - motion.skeleton.offsets)[:, 1:].max() < 0.02
        lowest = np.minimum(motion.ends[..., 1].min(axis=1), motion.of("left_foot")[:, 1])
        assert np.abs(lowest).max() < 0.05

    def test_a_skeleton_must_be_chosen_where_several_lie(self) -> None:
        file = captures("hands/ChrHarmony_Relax001_HandGrasp.skm")
        with pytest.raises(LoadError, match=r"\(ChrGarza\.sk, common\.sk\).*--skeleton FILE") as caught:
            load_capture(file)
        assert caught.value.file == str(file)

    def test_errors_in_the_skeleton_name_the_skeleton(self, tmp_path) -> None:
        broken = tmp_path / "broken.sk"
        broken.write_bytes(SK.replace(b"0.1 0.2 0.3", b"0.1 0.2 oops"))
        (tmp_path / "clip.skm").write_bytes(SKM)
        with pytest.raises(LoadError) as caught:
            load_capture(tmp_path / "clip.skm")
        assert (caught.value.file, caught.value.line) == (str(broken), 14)
        broken.write_bytes(SKM)  # a motion is no skeleton, and must not look for one of its own
        with pytest.raises(LoadError, match=r"broken.sk: expected a skeleton \(SK, BVH or ASF\), found skm"):
            load_capture(tmp_path / "clip.skm")


def slides(toe: np.ndarray, fps: float) -> list[float]:
    """How far the toe moves in the middle 60 % of each plant: below 0.35 m/s for 0.1 s or more."""
    speed = np.linalg.norm(np.gradient(toe, axis=0), axis=-1) * fps
    edges = np.flatnonzero(np.diff(np.concatenate([[False], speed < 0.35, [False]]).astype(int)))
    out = []
    for start, end in edges.reshape(-1, 2):
        if end - start >= 0.1 * fps:
            cut = int(0.2 * (end - start))
            middle = toe[start + cut : end - cut, [0, 2]]
            out.append(float(np.linalg.norm(middle[:, None] - middle[None], axis=-1).max()))
    return out


def test_a_take_of_a_motion_keeps_what_its_skeleton_says() -> None:
    skeleton = replace(
        read_sk(SK), notes=("said before",), end_parents=[2], end_offsets=np.array([[0, -1.0, 0]])
    )
    take = read_skm(SKM, skeleton)
    assert take.notes == ("said before",)
    assert (take.names, take.end_parents) == (skeleton.names, [2])
    assert take.rest is skeleton.rest
