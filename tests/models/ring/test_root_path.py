"""A root taken to velocity space and back."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from footfall.adapt.normalize import placed
from footfall.analysis.facing import root_headings
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import UP
from footfall.models.ring.root_path import RootPath
from tests.models.ring.gaits import sample


def test_integration_gives_the_path_back_from_any_frame() -> None:
    motion = sample(20)
    path, headings = RootPath.of(motion), root_headings(motion)
    for frame in (0, 17, len(motion) - 1):
        turned, places = path.integrated(frame, headings[frame], motion.root[frame])
        assert_allclose(turned[:-1], headings, rtol=0, atol=1e-12)
        assert_allclose(places[:-1], motion.root, rtol=0, atol=1e-12)
    rotations = Rotation.from_rotvec(headings[:, None] * UP) * Rotation.from_quat(
        np.array(path.tilt), scalar_first=True
    )
    own = Rotation.from_quat(np.array(motion.rotations[:, 0]), scalar_first=True)
    assert (rotations.inv() * own).magnitude().max() < 1e-7


def test_velocity_space_knows_neither_place_nor_direction() -> None:
    one, other = RootPath.of(sample(20)), RootPath.of(placed(sample(20), -1.1, np.array([3.0, 0.0, 9.0])))
    assert_allclose(other.moving, one.moving, rtol=0, atol=1e-12)
    assert_allclose(other.turning, one.turning, rtol=0, atol=1e-12)
    assert quat.angle_between(other.tilt, one.tilt).max() < 1e-7


def test_one_frame_s_whole_weight_is_that_frame() -> None:
    path = RootPath.of(sample(0))
    picked = path.blended(np.eye(len(path.turning))[[5, 9]])
    assert_allclose(picked.moving, path.moving[[5, 9]], rtol=0, atol=1e-15)
    assert quat.angle_between(picked.tilt, path.tilt[[5, 9]]).max() < 1e-7


def test_the_last_frame_goes_on_as_before() -> None:
    path = RootPath.of(sample(0))
    assert path.turning[-1] == path.turning[-2]
