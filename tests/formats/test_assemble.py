"""From a reader's plain values to a Motion: unit, axes, rest pose and opening frames, decided once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.errors import LoadError
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.formats import axes
from footfall.formats.assemble import Capture, assemble
from footfall.formats.load import load_capture
from footfall.formats.take import Take
from footfall.formats.units import UNITS
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from tests.captures import captures, manifest
from tests.figure.figures import CMU_CLIPS, framed, humanoid, meaningless_names, smooth_motion

CLOSE = {"rtol": 0.0, "atol": 1e-9}


def taken(motion: Motion, *, rest: bool = False, **changes: object) -> Take:
    """A motion as a reader would hand it over, in metres and Y up."""
    skeleton = motion.skeleton
    take = Take(
        names=list(skeleton.names),
        parents=[int(p) for p in skeleton.parents],
        offsets=np.array(skeleton.offsets),
        root=np.array(motion.root),
        rotations=np.array(motion.rotations),
        fps=motion.fps,
        translations=None if motion.translations is None else np.array(motion.translations),
        end_parents=[int(p) for p in skeleton.end_parents],
        end_offsets=np.array(skeleton.end_offsets),
        rest=np.array(skeleton.rest) if rest else None,
    )
    return replace(take, **changes)


def scaled(take: Take, factor: float) -> Take:
    """The same take in a unit that goes `factor` times into a metre."""
    return replace(
        take,
        offsets=factor * take.offsets,
        root=factor * take.root,
        end_offsets=factor * take.end_offsets,
        translations=None if take.translations is None else factor * take.translations,
    )


def walker(**options: object) -> Motion:
    """Someone upright who moves a little, so that up and rest can be told."""
    return smooth_motion(humanoid(), size=0.2, frames=60, **options)


class TestPlain:
    def test_nothing_to_decide(self) -> None:
        motion = walker()
        capture = assemble(taken(motion))
        assert (capture.unit, capture.up, capture.dropped, capture.notes) == (1.0, "y", 0, ())
        assert_array_equal(capture.motion.positions, motion.positions)
        assert_array_equal(capture.motion.skeleton.rest, motion.skeleton.rest)
        assert capture.motion.skeleton.roles == motion.skeleton.roles
        assert capture.motion.fps == 60.0

    def test_notes_of_the_reader_come_first(self) -> None:
        capture = assemble(taken(walker(), notes=("something odd",), fps=None))
        assert capture.notes[0] == "something odd"
        assert "states no frame rate; 120 Hz was taken" in capture.notes[1]
        assert capture.motion.fps == 120.0

    def test_the_user_overrules_the_rate(self) -> None:
        assert assemble(taken(walker()), fps=25.0).motion.fps == 25.0

    def test_the_take_is_left_as_it_was(self) -> None:
        take = taken(smooth_motion(humanoid(), translations=True))
        before = taken(smooth_motion(humanoid(), translations=True))
        assemble(scaled(take, 100.0), up="z")
        for name in ("offsets", "root", "rotations", "translations", "end_offsets"):
            assert_array_equal(getattr(take, name), getattr(before, name))
            assert getattr(take, name).flags.writeable

    @pytest.mark.parametrize("bad", [np.nan, np.inf, 1e8, -1e8])
    @pytest.mark.parametrize("name", ["offsets", "root", "rotations", "translations", "end_offsets"])
    def test_lengths_that_are_none(self, name: str, bad: float) -> None:
        take = taken(walker(translations=True))
        getattr(take, name)[1].flat[0] = bad
        with pytest.raises(LoadError, match="not a number under 1e\\+07"):
            assemble(take)

    def test_bad_trees_are_load_errors(self) -> None:
        take = taken(walker())
        with pytest.raises(LoadError, match="parents must come before children"):
            assemble(replace(take, parents=[-1, 5, *take.parents[2:]]))
        with pytest.raises(LoadError, match="no joint is called 'x'"):
            assemble(take, roles={"hips": "x"})

    @pytest.mark.parametrize("frames", [0, 1, 2, 5])
    def test_hardly_any_frames(self, frames: int) -> None:
        motion = walker()[:frames]
        capture = assemble(taken(motion))
        assert_array_equal(capture.motion.positions, motion.positions)


class TestUnit:
    @pytest.mark.parametrize("translations", [False, True])
    @pytest.mark.parametrize("name", UNITS)
    def test_the_legs_tell(self, name: str, translations: bool) -> None:
        motion = walker(translations=translations)
        capture = assemble(scaled(taken(motion), 1 / UNITS[name]))
        assert capture.unit_name == name
        assert_allclose(capture.motion.positions, motion.positions, **CLOSE)
        assert_allclose(capture.motion.ends, motion.ends, **CLOSE)
        said = [note for note in capture.notes if f"taken as {name}" in note]
        assert len(said) == (0 if name == "m" else 1)

    def test_the_file_overrules_the_legs_and_the_user_the_file(self) -> None:
        motion = walker()
        take = scaled(taken(motion), 10.0)
        stated = assemble(replace(take, unit=0.1))
        assert stated.unit == 0.1
        assert_allclose(stated.motion.positions, motion.positions, **CLOSE)
        assert stated.notes == ()
        asked = assemble(replace(take, unit=0.1), unit=0.2)
        assert_allclose(asked.motion.positions, 2 * motion.positions, **CLOSE)

    def test_legs_that_no_unit_makes_human(self) -> None:
        capture = assemble(taken(walker(), unit=5.0))
        assert any("is the file's unit what it says?" in note for note in capture.notes)
        giant = assemble(scaled(taken(walker()), 5000.0))
        assert any("no known unit makes the legs human" in note for note in giant.notes)

    def test_without_legs_metres(self) -> None:
        take = taken(smooth_motion(humanoid()))
        bare = replace(take, names=[f"q{i}" for i in range(25)], offsets=np.zeros((25, 3)))
        capture = assemble(bare)
        assert capture.unit == 1.0
        assert any("no legs were found" in note for note in capture.notes)

    def test_translations_tell_where_offsets_are_idle(self) -> None:
        """A file in centimetres whose offsets are all zero and whose bones stand in position channels."""
        motion = walker()
        places = np.array(np.broadcast_to(motion.skeleton.offsets, motion.positions.shape))
        take = scaled(taken(motion, translations=places), 100.0)
        capture = assemble(replace(take, offsets=np.zeros((25, 3))))
        assert capture.unit_name == "cm"
        assert_allclose(capture.motion.positions, motion.positions, **CLOSE)


class TestAxes:
    def test_bones_and_world_along_z(self) -> None:
        motion = walker(translations=True)
        capture = assemble(taken(axes.turned_to(motion, "z")))
        assert capture.up == "z"
        assert any("z is taken as up" in note for note in capture.notes)
        assert_allclose(capture.motion.positions, motion.positions, **CLOSE)
        assert_allclose(capture.motion.skeleton.rest_positions, motion.skeleton.rest_positions, **CLOSE)

    @pytest.mark.parametrize("translations", [False, True])
    def test_bones_along_y_in_a_world_along_z(self, translations: bool) -> None:
        """Some exporters keep Y-up bones and turn only the root."""
        motion = walker(translations=translations)
        take = taken(motion)
        turn = quat.conjugate(axes.Z_TO_Y)
        rotations = np.array(take.rotations)
        rotations[:, 0] = quat.multiply(turn, rotations[:, 0])
        take = replace(take, root=quat.rotate(turn, take.root), rotations=rotations)
        capture = assemble(take)
        assert capture.up == "z"
        assert_allclose(capture.motion.positions, motion.positions, **CLOSE)
        assert_array_equal(capture.motion.skeleton.offsets, motion.skeleton.offsets)

    def test_bones_along_z_in_a_world_along_y(self) -> None:
        """Z-up bones whose root turns them upright."""
        motion = walker()
        z_up = axes.turned_to(motion, "z")
        rotations = np.array(z_up.rotations)
        rotations[:, 0] = quat.multiply(axes.Z_TO_Y, rotations[:, 0])
        capture = assemble(taken(replace(z_up, root=motion.root, rotations=rotations)))
        assert_allclose(capture.motion.positions, motion.positions, **CLOSE)
        assert_allclose(capture.motion.skeleton.rest_positions, motion.skeleton.rest_positions, **CLOSE)

    @pytest.mark.parametrize("up", ["y", "z"])
    def test_without_frames_the_bones_tell(self, up: str) -> None:
        capture = assemble(taken(axes.turned_to(walker()[:0], up)))
        assert capture.up == up
        assert_allclose(capture.motion.skeleton.rest_positions, humanoid().rest_positions, **CLOSE)

    @pytest.mark.parametrize("up", ["y", "z"])
    def test_what_the_file_or_the_user_says_is_done(self, up: str) -> None:
        """Someone lying down looks like the other axis up: then one must be told."""
        motion = walker()
        told = taken(axes.turned_to(motion, up))
        for capture in (assemble(replace(told, up=up)), assemble(told, up=up)):
            assert capture.up == up
            assert_allclose(capture.motion.positions, motion.positions, **CLOSE)

    def test_someone_who_lies_down_is_believed_when_up_is_told(self) -> None:
        lying = walker()
        rotations = np.array(lying.rotations)
        rotations[:, 0] = quat.multiply(quat.conjugate(axes.Z_TO_Y), rotations[:, 0])
        lying = lying.with_rotations(rotations)
        capture = assemble(taken(lying), up="y")
        assert_allclose(capture.motion.positions, lying.positions, **CLOSE)

    def test_turned_to_refuses_what_is_no_axis(self) -> None:
        assert axes.turned_to(walker(), "y").skeleton.names == humanoid().names
        with pytest.raises(ValueError, match="must be 'y' or 'z'"):
            axes.turned_to(walker(), "x")

    def test_turned_to_z_stands_along_z(self) -> None:
        motion = walker()
        turned = axes.turned_to(motion, "z")
        x, y, z = np.moveaxis(motion.positions, -1, 0)
        assert_allclose(turned.positions, np.stack([x, -z, y], axis=-1), **CLOSE)


class TestRest:
    def test_a_dropped_t_pose_becomes_the_rest_pose(self) -> None:
        """Bones that rest astride, arms down, and a T-pose facing sideways before the motion."""
        person = humanoid()
        astride = quat.identity(25)
        for side, sign in (("left", 1.0), ("right", -1.0)):
            for part, degrees in (("thigh", 20.0), ("upper_arm", -60.0)):
                turn = quat.from_axis_angle(ground.FORWARD, sign * np.deg2rad(degrees))
                astride[person.joint(f"{side}_{part}")] = turn
        motion = smooth_motion(unturned_as(person, astride), frames=600, size=0.3)
        t_pose = quat.conjugate(astride)
        t_pose[0] = ground.turn(1.2)
        capture = assemble(after(motion, t_pose))
        assert capture.dropped == 1
        assert any("artificial pose" in note for note in capture.notes)
        assert_allclose(capture.motion.positions, motion.positions, **CLOSE)
        assert_allclose(capture.motion.skeleton.rest_positions, person.rest_positions, **CLOSE)

    def test_bones_that_do_not_stand_take_the_mean_pose(self) -> None:
        """Joint frames of the exporter's own: without rotations the figure is a tangle."""
        person = framed(humanoid(), 5)
        motion = smooth_motion(person, frames=240, size=0.1)
        capture = assemble(taken(motion))
        assert any("mean pose is taken as rest pose" in note for note in capture.notes)
        assert_allclose(capture.motion.positions, motion.positions, **CLOSE)
        apart = np.linalg.norm(capture.motion.skeleton.rest_positions - person.rest_positions, axis=-1)
        assert apart.max() < 0.15

    def test_the_mean_pose_faces_forward_whichever_way_the_figure_went(self) -> None:
        person = framed(humanoid(), 5)
        motion = smooth_motion(person, frames=240, size=0.1)
        rotations = np.array(motion.rotations)
        rotations[:, 0] = quat.multiply(ground.turn(np.linspace(0.5, 9.0, 240)), rotations[:, 0])
        skeleton = assemble(taken(motion.with_rotations(rotations))).motion.skeleton
        across = (
            skeleton.rest_positions[skeleton.joint("left_thigh")]
            - skeleton.rest_positions[skeleton.joint("right_thigh")]
        )
        assert_allclose(across[[1, 2]], 0.0, rtol=0.0, atol=0.02)
        assert across[0] > 0.1

    def test_a_rest_pose_that_the_file_states_becomes_no_rotation(self) -> None:
        person = framed(humanoid(), 6)
        motion = smooth_motion(person, size=0.3, translations=True)
        capture = assemble(taken(motion, rest=True))
        assert_allclose(capture.motion.positions, motion.positions, **CLOSE)
        assert_array_equal(capture.motion.skeleton.rest, quat.identity(25))
        assert_allclose(capture.motion.skeleton.rest_positions, person.rest_positions, **CLOSE)

    @pytest.mark.parametrize("seed", [None, 3])
    def test_one_leg_is_no_reason_to_fail(self, seed: int | None) -> None:
        person = humanoid()
        keep = [j for j, name in enumerate(person.names) if not name.startswith("Right")]
        names = [person.names[j] for j in keep]
        parents = [-1, *(names.index(person.names[person.parents[j]]) for j in keep[1:])]
        half = Skeleton.build(names, parents, person.offsets[keep])
        half = half if seed is None else framed(half, seed)
        motion = smooth_motion(half, frames=60, size=0.2)
        capture = assemble(taken(motion))
        assert capture.motion.skeleton.sides == ("left",)
        assert_allclose(capture.motion.positions, motion.positions, **CLOSE)

    def test_instants_move_with_the_frames_left_out(self) -> None:
        motion = smooth_motion(humanoid(), size=0.2, frames=600)
        capture = assemble(replace(after(motion, quat.identity(25), shift=3.0), instants={"strike": 0.5}))
        assert capture.dropped == 1
        assert capture.instants == {"strike": pytest.approx(0.5 - 1 / 60)}


def after(motion: Motion, pose: np.ndarray, shift: float = 0.0) -> Take:
    """The motion with one posed frame before it, `shift` metres ahead of its start."""
    take = taken(motion)
    start = take.root[:1] + np.array([0.0, 0.0, shift])
    return replace(
        take,
        root=np.concatenate([start, take.root]),
        rotations=np.concatenate([pose[None], take.rotations]),
    )


def unturned_as(person: Skeleton, posed: np.ndarray) -> Skeleton:
    """Bones whose pose of no rotation is the person posed."""
    at = replace(person, rest=posed)
    offsets = np.array(person.offsets)
    offsets[1:] = at.rest_positions[1:] - at.rest_positions[person.parents[1:]]
    ends = at.rest_ends - at.rest_positions[person.end_parents]
    return Skeleton.build(
        person.names, person.parents, offsets, end_parents=person.end_parents, end_offsets=ends
    )


class TestTranslations:
    def test_joints_that_stay_at_their_offsets_have_none(self) -> None:
        motion = walker()
        places = np.array(np.broadcast_to(motion.skeleton.offsets, motion.positions.shape))
        places[:, 0] = motion.root
        assert assemble(taken(motion, translations=places)).motion.translations is None
        places[7, 3, 1] += 2e-6
        assert assemble(taken(motion, translations=places)).motion.translations is not None

    def test_are_kept(self) -> None:
        motion = walker(translations=True)
        capture = assemble(scaled(taken(motion), 100.0))
        assert_allclose(capture.motion.translations[:, 1:], motion.translations[:, 1:], **CLOSE)


BVH_ROWS = [row for row in manifest() if row["file"].endswith(".bvh")]
# thigh + shank of the left leg in metres, as the captures' own description lists them
LEGS = {
    "07": 0.81,
    "08": 0.79,
    "09": 0.86,
    "16": 0.84,
    "35": 0.87,
    "36": 0.84,
    "69": 0.85,
    "74": 0.78,
    "77": 0.78,
    "83": 0.76,
    "113": 0.79,
    "115": 0.86,
    "118": 0.84,
    "127": 0.86,
    "136": 0.81,
    "143": 0.74,
}


def test_every_capture_is_judged_as_its_description_says() -> None:
    """Opening frames, unit and up axis of all BVH files for which they are stated."""
    captures(".")
    judged: dict[str, Capture] = {row["file"]: load_capture(captures(row["file"])) for row in BVH_ROWS}
    first = {r["file"]: int(r["first_real_frame"]) for r in BVH_ROWS if r["first_real_frame"]}
    unit = {r["file"]: float(r["unit_in_m"]) for r in BVH_ROWS if r["unit_in_m"]}
    up = {r["file"]: r["up"] for r in BVH_ROWS if r["up"]}
    assert {file: judged[file].dropped for file in first} == first
    assert {file: judged[file].unit for file in unit} == pytest.approx(unit, rel=1e-4)
    assert {file: judged[file].up for file in up} == up
    assert (len(judged), len(first), len(unit), len(up)) == (124, 108, 119, 124)
    rate = {r["file"]: float(r["fps_header"]) for r in BVH_ROWS}
    assert {file: round(judged[file].motion.fps, 2) for file in rate} == rate
    for row in BVH_ROWS:
        assert len(judged[row["file"]].motion) + judged[row["file"]].dropped == int(row["frames"])


@pytest.mark.parametrize("subject", CMU_CLIPS)
def test_left_legs_of_the_captured_people(subject: str) -> None:
    skeleton = load_capture(captures(CMU_CLIPS[subject])).motion.skeleton
    assert skeleton.leg_length("left") == pytest.approx(LEGS[subject], abs=0.01)


def test_names_say_nothing_about_the_rest() -> None:
    """Unit, axes and opening of a made motion do not hang on its joints' names."""
    motion = walker()
    take = scaled(taken(axes.turned_to(motion, "z")), 1 / 0.0254)
    capture = assemble(replace(take, names=meaningless_names(25)))
    assert (capture.unit_name, capture.up) == ("in", "z")
    assert_allclose(capture.motion.positions, motion.positions, **CLOSE)
