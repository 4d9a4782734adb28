"""Angular accelerations that are known: of steady spins, of even acceleration, of jumps."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.actor.humanoid import humanoid
from footfall.analysis.smoothness import (
    QUIETEST,
    acceleration_ratio,
    angular_accelerations,
    measured_roles,
    peak_accelerations,
)
from footfall.figure.motion import Motion, concatenate
from footfall.geometry import quaternion as quat
from tests.analysis.truth import placed
from tests.gaits import made

SKELETON = humanoid()
HEAD = SKELETON.joint("head")
AXIS = np.array([0.6, 0.0, 0.8])


def nodding(angle: np.ndarray, fps: float) -> Motion:
    """A still figure whose head turns about a fixed axis."""
    rotations = np.tile(quat.identity(len(SKELETON)), (len(angle), 1, 1))
    rotations[:, HEAD] = quat.exp(angle[:, None] * AXIS)
    return Motion(SKELETON, np.zeros((len(angle), 3)), quat.continuous(rotations), fps)


def times(seconds: float, fps: float) -> np.ndarray:
    return np.arange(round(seconds * fps) + 1) / fps


@pytest.mark.parametrize("fps", [30.0, 60.0, 120.0, 180.0])
class TestKnown:
    def test_a_steady_spin_has_none(self, fps: float) -> None:
        found = angular_accelerations(nodding(3.0 * times(4.0, fps), fps))
        assert found.max() < 1e-7

    def test_even_acceleration_reads_itself(self, fps: float) -> None:
        motion = nodding(0.5 * 5.0 * times(2.0, fps) ** 2, fps)
        found = angular_accelerations(motion)
        # at 30 Hz the slerped signal bends at every other sample only: the kernel makes the mean of it
        assert_allclose(found[2:-2, HEAD], 5.0, rtol=1e-6)
        assert np.delete(found, HEAD, axis=1).max() < 1e-9

    def test_a_nod_reads_its_amplitude(self, fps: float) -> None:
        rate = 2 * np.pi * 1.5
        found = angular_accelerations(nodding(0.2 * np.sin(rate * times(4.0, fps)), fps))
        assert found[:, HEAD].max() == pytest.approx(0.2 * rate**2, rel=0.05)

    def test_there_is_one_value_for_each_inner_sixtieth(self, fps: float) -> None:
        motion = nodding(np.zeros(round(2 * fps) + 1), fps)
        assert angular_accelerations(motion).shape == (119, len(SKELETON))

    @pytest.mark.parametrize("count", [0, 1])
    def test_too_short_has_no_values(self, fps: float, count: int) -> None:
        assert angular_accelerations(nodding(np.zeros(count), fps)).shape == (0, len(SKELETON))


def test_the_way_a_figure_faces_adds_nothing() -> None:
    """Rotations are relative to parents, and a root that is turned as a whole accelerates alike."""
    motion = made("turn", 60.0).motion
    moved = placed(motion, (1.0, 0.0, 2.0), 1.9)
    assert_allclose(angular_accelerations(moved), angular_accelerations(motion), rtol=0, atol=1e-7)


def test_signs_of_quaternions_add_nothing() -> None:
    motion = made("walk", 60.0).motion
    signs = np.random.default_rng(1).choice([-1.0, 1.0], size=motion.rotations.shape[:2])[..., None]
    flipped = motion.with_rotations(motion.rotations * signs)
    assert_allclose(angular_accelerations(flipped), angular_accelerations(motion), rtol=0, atol=1e-7)


class TestPeaks:
    def test_fingers_toes_and_eyes_are_left_out(self) -> None:
        roles = measured_roles(SKELETON)
        assert {"hips", "left_foot", "right_hand", "head"} <= set(roles)
        assert not [r for r in roles if any(w in r for w in ("toe", "thumb", "index", "little", "eye"))]

    def test_are_over_all_frames_of_all_motions(self) -> None:
        slow, fast = (nodding(0.1 * np.sin(r * times(3.0, 60.0)), 60.0) for r in (4.0, 9.0))
        both = peak_accelerations([slow, fast])["head"]
        assert both == pytest.approx(peak_accelerations([fast])["head"], rel=0.01)
        assert both > 3 * peak_accelerations([slow])["head"]

    def test_of_nothing_are_nothing(self) -> None:
        assert peak_accelerations([]) == {}
        assert peak_accelerations([nodding(np.zeros(1), 60.0)]) == {}


class TestRatio:
    def test_is_that_of_the_worst_joint(self) -> None:
        calm, wild = (nodding(size * np.sin(9.0 * times(3.0, 60.0)), 60.0) for size in (0.1, 0.35))
        assert acceleration_ratio(wild, [calm]) == pytest.approx(3.5, rel=0.01)
        assert acceleration_ratio(calm, [wild]) < 1.0

    def test_a_still_reference_counts_as_a_quiet_one(self) -> None:
        still, wild = nodding(np.zeros(181), 60.0), nodding(0.1 * np.sin(9.0 * times(3.0, 60.0)), 60.0)
        assert acceleration_ratio(wild, [still]) == pytest.approx(0.1 * 81.0 / QUIETEST, rel=0.02)

    def test_does_not_depend_on_the_order_of_examples(self) -> None:
        motion, other = made("walk", 60.0).motion, made("run", 60.0).motion
        assert acceleration_ratio(motion, [motion, other]) == acceleration_ratio(motion, [other, motion])

    def test_nothing_compares_with_nothing(self) -> None:
        motion = made("walk", 60.0).motion
        assert acceleration_ratio(motion, []) is None

    def test_a_hard_cut_shows(self) -> None:
        """Two walks joined without smoothing pop where they meet."""
        motion = made("walk", 60.0).motion
        cut = concatenate([motion[:150], motion[120:]])
        assert acceleration_ratio(cut, [motion]) > 2.0
