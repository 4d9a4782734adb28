"""Poses as a curve: distances by hand, and scaling against what is known of it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.distance import cdist
from scipy.spatial.transform import Rotation

from footfall.actor.virtual_actor import VirtualActor
from footfall.adapt.normalize import placed
from footfall.analysis.facing import trunk_headings
from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.geometry import quaternion as quat
from footfall.models.ring.pose_curve import (
    LEAST_DRIFT,
    lifted_curve,
    pose_curve,
    pose_distances,
    scaled,
    seen_joints,
)


@cache
def walk() -> Motion:
    return VirtualActor().perform("rings")[20].motion[60:160]  # up a spiral


def test_distances_are_what_they_say() -> None:
    motion, apart = walk(), pose_distances(walk())
    joints, headings = seen_joints(motion.skeleton), trunk_headings(motion)
    for a, b in ((0, 1), (3, 50), (99, 20)):
        one, other = (
            Rotation.from_euler("y", -headings[t]).apply(motion.positions[t, joints] - motion.of("hips")[t])
            for t in (a, b)
        )
        assert apart[a, b] == pytest.approx(np.sqrt(np.square(one - other).sum(axis=1).mean()), abs=1e-9)
    assert_allclose(apart, apart.T, rtol=0, atol=1e-12)
    assert_allclose(np.diag(apart), 0.0, atol=1e-7)


def test_where_and_which_way_one_walks_does_not_matter() -> None:
    moved = placed(walk(), 2.3, np.array([5.0, 1.0, -3.0]))
    assert_allclose(pose_distances(moved), pose_distances(walk()), rtol=0, atol=1e-7)


def test_fingers_and_eyes_do_not_matter() -> None:
    motion, seen = walk(), seen_joints(walk().skeleton)
    unseen = [j for j in range(len(motion.skeleton)) if j not in seen]
    names = {motion.skeleton.names[j] for j in unseen}
    assert {"left_eye", "right_thumb_1", "left_little_3"} <= names
    assert not names & {"left_hand", "head", "right_toe", "hips"}
    turned = np.array(motion.rotations)
    turned[:, unseen] = quat.normalize(np.random.default_rng(0).normal(size=turned[:, unseen].shape))
    assert_allclose(
        pose_distances(replace(motion, rotations=turned)), pose_distances(motion), rtol=0, atol=1e-9
    )


def test_scaling_gives_points_of_four_dimensions_back() -> None:
    points = np.random.default_rng(1).normal(size=(40, 4))
    found = scaled(cdist(points, points))
    assert_allclose(cdist(found, found), cdist(points, points), rtol=0, atol=1e-9)
    spread = found.var(axis=0)
    assert (np.diff(spread) < 0).all()  # the widest first


def test_scaling_is_the_best_linear_view() -> None:
    """Of Euclidean distances classical scaling is the principal components: judged by a decomposition."""
    points = np.random.default_rng(2).normal(size=(30, 9)) * np.arange(9, 0, -1)
    centred = points - points.mean(axis=0)
    left, sizes, _ = np.linalg.svd(centred, full_matrices=False)
    best = left[:, :4] * sizes[:4]
    found = scaled(cdist(points, points))
    assert_allclose(cdist(found, found), cdist(best, best), rtol=0, atol=1e-9)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_few_points_get_all_dimensions(count: int) -> None:
    points = np.random.default_rng(3).normal(size=(count, 2))
    found = scaled(cdist(points, points))
    assert found.shape == (count, 4)
    assert_allclose(cdist(found, found), cdist(points, points), atol=1e-9)


def test_four_dimensions_show_a_gait() -> None:
    curve = pose_curve(walk())
    shown = cdist(curve, curve)
    assert np.abs(shown - pose_distances(walk())).max() < 0.01  # m; poses are up to 0.3 apart


def test_a_lifted_curve_keeps_apart_what_repeats() -> None:
    curve = np.array(lifted_curve(walk(), 76))  # the walk is periodic to a fraction of a frame
    away = curve[76:] - curve[:-76]
    assert (away[:, 4] >= LEAST_DRIFT - 1e-12).all()
    assert_allclose(away[:, 4], away[0, 4], rtol=1e-9)
    assert_allclose(curve[:, :4], pose_curve(walk()), rtol=0, atol=1e-12)


def test_an_hour_is_no_sample() -> None:
    motion = walk()
    long = replace(
        motion,
        root=np.zeros((5000, 3)),
        rotations=np.tile(motion.rotations[:1], (5000, 1, 1)),
        contacts=None,
    )
    with pytest.raises(RequestError, match="at most 2000 frames"):
        pose_curve(long)
