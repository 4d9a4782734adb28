"""Motions are frozen, validated, and cut and joined without a change to any frame."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.errors import FootfallError, RequestError, SkeletonError
from footfall.figure.motion import Motion, concatenate, local_translations
from footfall.figure.pose import Pose, standing_height
from footfall.geometry import quaternion as quat
from tests.figure.figures import ANKLE_HEIGHT, framed, humanoid, random_skeleton, smooth_motion

SKELETON = humanoid()
JOINTS = len(SKELETON)


def still(frames: int = 4) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Fresh writable arrays: root, rotations, translations."""
    return np.zeros((frames, 3)), quat.identity(frames, JOINTS), np.zeros((frames, JOINTS, 3))


class TestFrozen:
    def test_arrays_are_read_only(self) -> None:
        motion = smooth_motion(SKELETON, translations=True)
        pose = motion.pose(0)
        arrays = [
            motion.root,
            motion.rotations,
            motion.translations,
            motion.positions,
            motion.orientations,
            pose.root,
            pose.rotations,
            SKELETON.offsets,
            SKELETON.rest,
            SKELETON.parents,
            SKELETON.end_parents,
            SKELETON.end_offsets,
            SKELETON.foot_points("left").heel,
        ]
        for array in arrays:
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0
        with pytest.raises(FrozenInstanceError):
            motion.fps = 30.0  # type: ignore[misc]
        with pytest.raises(TypeError):
            SKELETON.roles["hips"] = 3  # type: ignore[index]

    def test_the_callers_arrays_stay_the_callers(self) -> None:
        root, rotations, translations = still()
        motion = Motion(SKELETON, root, rotations, 60.0, translations)
        for array in (root, rotations, translations):
            assert array.flags.writeable
            array[...] = 7.0
        assert_array_equal(motion.root, 0.0)
        assert_array_equal(motion.rotations, quat.identity(4, JOINTS))
        assert_array_equal(motion.translations, 0.0)

    @pytest.mark.parametrize(
        "look",
        [
            lambda a: a[:],
            lambda a: np.broadcast_to(a, a.shape),
            lambda a: memoryview(a),
            lambda a: a.view(type("Own", (np.ndarray,), {})),
        ],
        ids=["slice", "read-only view", "buffer", "subclass"],
    )
    def test_views_of_the_callers_memory_are_not_kept(self, look: object) -> None:
        root, rotations, _ = still()
        motion = Motion(SKELETON, look(root), rotations, 60.0)  # type: ignore[operator]
        root[...] = 7.0
        assert_array_equal(motion.root, 0.0)

    def test_lists_and_single_precision_are_taken(self) -> None:
        root, rotations, _ = still()
        motion = Motion(SKELETON, root.tolist(), rotations.astype(np.float32), 60)
        assert motion.root.dtype == motion.rotations.dtype == np.float64
        assert isinstance(motion.fps, float)

    def test_frozen_arrays_are_shared_not_copied(self) -> None:
        motion = smooth_motion(SKELETON)
        assert np.shares_memory(replace(motion, fps=30.0).rotations, motion.rotations)
        assert np.shares_memory(motion[3:9].rotations, motion.rotations)


class TestRefusals:
    @pytest.mark.parametrize("fps", [0.0, -1.0, np.nan, np.inf])
    def test_frame_rates(self, fps: float) -> None:
        root, rotations, _ = still()
        with pytest.raises(RequestError, match="frame rate must be a positive number"):
            Motion(SKELETON, root, rotations, fps)

    @pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
    @pytest.mark.parametrize("which", [0, 1, 2])
    def test_what_is_not_finite(self, bad: float, which: int) -> None:
        arrays = still()
        arrays[which][2].flat[0] = bad
        with pytest.raises(RequestError, match=r"(root|rotations|translations) must be finite"):
            Motion(SKELETON, arrays[0], arrays[1], 60.0, arrays[2])

    @pytest.mark.parametrize(
        ("root", "rotations", "translations"),
        [
            ((4, 3), (4, JOINTS, 3), None),
            ((4, 3), (4, JOINTS - 1, 4), None),
            ((4, 2), (4, JOINTS, 4), None),
            ((3,), (JOINTS, 4), None),
            ((5, 3), (4, JOINTS, 4), None),
            ((2, 4, 3), (4, JOINTS, 4), None),
            ((4, 3), (4, JOINTS, 4), (4, JOINTS, 4)),
            ((4, 3), (4, JOINTS, 4), (5, JOINTS, 3)),
            ((4, 3), (4, JOINTS, 4), (2, 4, JOINTS, 3)),
        ],
    )
    def test_shapes(self, root: tuple, rotations: tuple, translations: tuple | None) -> None:
        moved = None if translations is None else np.zeros(translations)
        with pytest.raises(RequestError, match="must have"):
            Motion(SKELETON, np.zeros(root), np.ones(rotations), 60.0, moved)

    def test_words_in_place_of_numbers(self) -> None:
        root, rotations, _ = still()
        with pytest.raises(FootfallError):
            Motion(SKELETON, [["a", "b", "c"]] * 4, rotations, 60.0)
        with pytest.raises(FootfallError):
            Motion(SKELETON, [[1, 2, 3], [4, 5]], rotations, 60.0)
        with pytest.raises(FootfallError):
            Motion(SKELETON, root, rotations, "fast")  # type: ignore[arg-type]


class TestCutting:
    def test_slices(self) -> None:
        motion = smooth_motion(SKELETON, frames=20, translations=True)
        part = motion[5:15]
        assert len(part) == 10
        assert part.fps == motion.fps
        assert_array_equal(part.positions, motion.positions[5:15])
        assert_array_equal(motion[-3:].root, motion.root[-3:])
        assert len(motion[20:]) == 0

    def test_a_step_lowers_the_rate_and_keeps_the_time(self) -> None:
        motion = smooth_motion(SKELETON, frames=21, fps=120.0)
        half = motion[::2]
        assert half.fps == 60.0
        assert half.seconds == motion.seconds
        assert_array_equal(half.rotations, motion.rotations[::2])

    def test_slices_of_a_batch_are_in_time(self) -> None:
        motion = smooth_motion(SKELETON, frames=8, batch=(3,), translations=True)
        part = motion[2:5]
        assert part.positions.shape == (3, 3, JOINTS, 3)
        assert_array_equal(part.positions, motion.positions[:, 2:5])
        assert len(motion) == 8

    def test_what_a_motion_is_not_cut_by(self) -> None:
        motion = smooth_motion(SKELETON)
        with pytest.raises(TypeError, match=r"\.pose"):
            motion[3]  # type: ignore[index]
        for step in (-1, 0):
            with pytest.raises(RequestError, match="forwards"):
                motion[::step]

    def test_between_seconds(self) -> None:
        motion = smooth_motion(SKELETON, frames=61, fps=60.0)
        assert_array_equal(motion.between(0.25, 0.75).root, motion.root[15:46])
        assert_array_equal(motion.between(None, 0.5).root, motion.root[:31])
        assert_array_equal(motion.between(0.5, None).root, motion.root[30:])
        assert len(motion.between(0.0, 1.0)) == len(motion.between(None, None)) == 61
        assert len(motion.between(0.5, 9.0)) == len(motion.between(0.5, np.inf)) == 31
        # a time that lies between frames takes neither neighbour outside
        assert_array_equal(motion.between(0.255, 0.745).root, motion.root[16:45])

    @pytest.mark.parametrize("fps", [24.0, 29.97, 30.0, 60.0, 100.0, 120.0])
    def test_between_finds_every_frame_by_its_time(self, fps: float) -> None:
        motion = smooth_motion(random_skeleton(0, 2), frames=300, fps=fps)
        for frame, time in enumerate(motion.times):
            assert_array_equal(motion.between(time, time).root, motion.root[frame : frame + 1])

    @pytest.mark.parametrize(
        ("start", "end"),
        [(2.0, None), (0.5, 0.4), (-1.0, 0.5), (None, -0.1), (0.001, 0.002), (np.nan, 1.0), (0.0, np.nan)],
    )
    def test_between_says_what_there_is(self, start: float | None, end: float | None) -> None:
        motion = smooth_motion(SKELETON, frames=61, fps=60.0)
        with pytest.raises(RequestError, match=r"from 0 to 1\.000 s"):
            motion.between(start, end)

    def test_time(self) -> None:
        motion = smooth_motion(SKELETON, frames=31, fps=30.0)
        assert motion.seconds == 1.0
        assert_allclose(motion.times, np.arange(31) / 30.0, rtol=0.0, atol=1e-15)
        assert motion[:1].seconds == motion[:0].seconds == 0.0

    def test_one_pose(self) -> None:
        motion = smooth_motion(SKELETON, frames=5, translations=True)
        for frame in (0, 3, 4, -1, -5):
            positions, orientations = motion.pose(frame).forward(SKELETON)
            assert_array_equal(positions, motion.positions[frame])
            assert_array_equal(orientations, motion.orientations[frame])
        for frame in (5, -6):
            with pytest.raises(RequestError, match="5 frames"):
                motion.pose(frame)

    def test_a_role_by_name(self) -> None:
        motion = smooth_motion(SKELETON)
        assert_array_equal(motion.of("left_foot"), motion.positions[:, SKELETON.index("LeftFoot")])
        with pytest.raises(SkeletonError, match="left_eye"):
            motion.of("left_eye")


class TestJoining:
    def test_parts_make_the_whole(self) -> None:
        motion = smooth_motion(SKELETON, frames=30, translations=True)
        whole = concatenate([motion[:7], motion[7:8], motion[8:8], motion[8:]])
        assert_array_equal(whole.positions, motion.positions)
        assert_array_equal(whole.rotations, motion.rotations)
        assert whole.fps == motion.fps

    @pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
    def test_signs_are_made_continuous_in_time(self, batch: tuple[int, ...]) -> None:
        motion = smooth_motion(SKELETON, frames=20, batch=batch)
        second = motion[10:]
        second = second.with_rotations(-second.rotations)
        whole = concatenate([motion[:10], second])
        assert (np.sum(whole.rotations[..., 1:, :, :] * whole.rotations[..., :-1, :, :], axis=-1) > 0).all()
        assert_array_equal(whole.positions, motion.positions)

    def test_a_motion_without_translations_keeps_its_offsets(self) -> None:
        moving, rigid = smooth_motion(SKELETON, translations=True), smooth_motion(SKELETON, seed=1)
        whole = concatenate([moving, rigid])
        assert_array_equal(whole.positions, np.concatenate([moving.positions, rigid.positions]))
        assert_array_equal(
            local_translations(whole)[len(moving) :], np.broadcast_to(SKELETON.offsets, (48, JOINTS, 3))
        )

    def test_what_cannot_be_joined(self) -> None:
        motion = smooth_motion(SKELETON)
        with pytest.raises(RequestError, match="nothing"):
            concatenate([])
        with pytest.raises(RequestError, match="frame rates differ"):
            concatenate([motion, replace(motion, fps=30.0)])
        with pytest.raises(RequestError, match="different skeletons"):
            concatenate([motion, smooth_motion(SKELETON.scaled(1.1))])
        with pytest.raises(RequestError, match="different skeletons"):
            concatenate([motion, smooth_motion(random_skeleton(0, JOINTS))])


class TestPoses:
    @pytest.mark.parametrize("seed", [None, 5])
    def test_at_rest_the_soles_are_on_the_floor(self, seed: int | None) -> None:
        skeleton = SKELETON if seed is None else framed(SKELETON, seed)
        positions, _ = Pose.at_rest(skeleton).forward(skeleton)
        assert positions[skeleton.joint("left_foot"), 1] == pytest.approx(ANKLE_HEIGHT, abs=1e-12)
        assert_allclose(positions[0, [0, 2]], 0.0, rtol=0.0, atol=1e-12)

    def test_without_feet_the_lowest_point_is_on_the_floor(self) -> None:
        skeleton = random_skeleton(3, 8)
        bare = replace(skeleton, roles={})
        lowest = min(bare.rest_positions[:, 1].min(), bare.rest_ends[:, 1].min())
        assert standing_height(bare) == pytest.approx(-lowest, abs=1e-12)

    def test_refusals(self) -> None:
        with pytest.raises(RequestError, match="root"):
            Pose(np.zeros(2), quat.identity(3))
        with pytest.raises(RequestError, match="finite"):
            Pose(np.full(3, np.nan), quat.identity(3))
