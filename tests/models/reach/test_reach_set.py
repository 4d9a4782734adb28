"""Sets of reaches: where blends lead, told by the kernel and by plain forward kinematics."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.errors import RequestError
from footfall.figure import kinematics
from footfall.models.reach.reach_set import APEX, ReachSet
from tests.models.reach.libraries import actor_library, bare_library, palms


def test_points_are_where_palms_are_at_the_apex() -> None:
    """In the figure's frame, told from the examples' own frames."""
    own = bare_library().set_of("right")
    for example, point in zip(own.examples, own.points, strict=True):
        track = palms(example.motion, "right")
        at = (example.lead + example.keytimes[1]) * example.motion.fps
        k = int(at)
        between = track[k] + (at - k) * (track[k + 1] - track[k])
        assert_allclose(point, between, atol=1e-3)


def test_kernel_is_forward_kinematics() -> None:
    own = actor_library().set_of("left")
    skeleton = own.skeleton
    weights = np.random.default_rng(0).dirichlet(np.ones(len(own.examples)), 20)
    for row, found in zip(weights, own.apexes(weights), strict=True):
        root, rotations = own.tables.pose(row, APEX)
        world = kinematics.forward(skeleton.tree, skeleton.offsets, root, rotations)
        palm = kinematics.attached(*world, own.hand_joints, own.palms)[0]
        assert_allclose(found, palm, atol=1e-12)


def test_both_hands_are_told_by_their_middle() -> None:
    own = bare_library().set_of("both")
    skeleton = own.skeleton
    root, rotations = own.tables.pose(np.ones(1), APEX)
    world = kinematics.forward(skeleton.tree, skeleton.offsets, root, rotations)
    two = kinematics.attached(*world, own.hand_joints, own.palms)
    assert_allclose(own.points[0], two.mean(axis=0), atol=1e-12)
    assert abs(two[0, 0] - two[1, 0]) > 0.2


def test_at_an_example_the_blend_is_the_example() -> None:
    own = actor_library().set_of("right")
    assert own.misses(own.points).max() < 1e-9


def test_at_pseudo_examples_nothing_is_missed() -> None:
    own = actor_library().set_of("right")
    assert len(own.pseudo_points) > 300
    assert own.misses(own.pseudo_points).max() < 1e-9


def test_the_origin_is_under_the_hips() -> None:
    for one in bare_library().sets:
        for example in one.examples:
            k = round(example.lead * example.motion.fps)
            hips = example.motion.of("hips")[k]
            assert np.hypot(hips[0], hips[2]) < 0.01


@pytest.mark.parametrize(("hand", "posture"), [("third", "standing"), ("left", "lying")])
def test_refuses_sets_that_are_none(hand: str, posture: str) -> None:
    with pytest.raises(RequestError, match="not of"):
        ReachSet(hand, posture, bare_library().sets[0].examples, np.zeros((1, 3)))
