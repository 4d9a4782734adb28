"""Skeletons and trees: what is refused, what is kept, which way they face."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from footfall.errors import FootfallError, RequestError, SkeletonError
from footfall.figure.skeleton import Skeleton
from footfall.figure.tree import Tree
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from tests.figure.figures import framed, humanoid, random_skeleton

CLOSE = {"rtol": 0.0, "atol": 1e-12}
PERSON = humanoid()


class TestTree:
    @settings(deadline=None, max_examples=100)
    @given(st.integers(0, 2**31), st.integers(1, 40))
    def test_walks_agree_with_each_other(self, seed: int, joints: int) -> None:
        rng = np.random.default_rng(seed)
        tree = Tree(np.array([-1, *(int(rng.integers(0, j)) for j in range(1, joints))]))
        assert tree.parent_array.tolist() == tree.parents
        for joint in range(joints):
            up = tree.ancestors(joint)
            assert up[0] == joint
            assert up[-1] == 0
            assert tree.depth[joint] == len(up) - 1
            for above in up[1:]:
                assert joint in tree.descendants(above)
                path = tree.path(above, joint)
                assert (path[0], path[-1]) == (above, joint)
                assert all(tree.parent(b) == a for a, b in pairwise(path))
            assert joint not in tree.descendants(joint)
            assert tree.path(joint, joint) == [joint]
            assert all(tree.parent(c) == joint for c in tree.children[joint])
        a, b = rng.integers(0, joints, 2)
        shared = tree.common_ancestor([int(a), int(b)])
        assert {shared} <= set(tree.ancestors(a)) & set(tree.ancestors(b))
        deeper = [c for c in tree.children[shared] if c in tree.ancestors(a) and c in tree.ancestors(b)]
        assert deeper == []

    def test_no_path_between_sides(self) -> None:
        assert PERSON.tree.path(PERSON.index("LeftThigh"), PERSON.index("RightFoot")) == []


class TestRefusals:
    @pytest.mark.parametrize(
        ("parents", "message"),
        [
            ([], "at least one joint"),
            ([0, 0, 1], "first joint must be the root"),
            ([-1, -1, 0], "only the root's parent is -1"),
            ([-1, 1, 0], "parents must come before children"),
            ([-1, 2, 0], "parents must come before children"),
            ([-1, 0, 5], "parents must come before children"),
            ([-1, 0], "at least one joint"),
        ],
    )
    def test_trees(self, parents: list[int], message: str) -> None:
        names = ["a", "b", "c"] if parents else []
        with pytest.raises(RequestError, match=message):
            Skeleton.build(names, parents, np.zeros((len(names), 3)))

    @pytest.mark.parametrize("end", [-1, 3])
    def test_end_sites_on_nothing(self, end: int) -> None:
        with pytest.raises(RequestError, match="end site must hang on a joint"):
            Skeleton.build(
                ["a", "b", "c"], [-1, 0, 1], np.zeros((3, 3)), end_parents=[end], end_offsets=[[0, 0, 0]]
            )

    @pytest.mark.parametrize(
        "change",
        [
            {"offsets": np.zeros((24, 3))},
            {"offsets": np.full((25, 3), np.nan)},
            {"rest": np.zeros((25, 3))},
            {"rest": np.full((25, 4), np.inf)},
            {"end_offsets": np.zeros((6, 3))},
            {"roles": {"hips": 25}},
            {"roles": {"hips": -1}},
            {"roles": {"tail": 0}},
        ],
    )
    def test_arrays_and_roles(self, change: dict) -> None:
        with pytest.raises(RequestError):
            replace(PERSON, **change)

    def test_nothing_can_be_changed(self) -> None:
        with pytest.raises(FrozenInstanceError):
            PERSON.names = ()  # type: ignore[misc]
        parents = np.array(PERSON.parents)
        skeleton = Skeleton.build(PERSON.names, parents, np.array(PERSON.offsets))
        parents[1] = 99
        assert skeleton.parents[1] == 0

    @pytest.mark.parametrize(
        "ask",
        [
            lambda s: s.index("x"),
            lambda s: s.joint("x"),
            lambda s: s.leg_length("x"),
            lambda s: s.foot_points("x"),
            lambda s: s.with_roles(hips="x"),
        ],
    )
    def test_questions_without_an_answer_are_footfalls_own_errors(self, ask: object) -> None:
        with pytest.raises(FootfallError):
            ask(PERSON)  # type: ignore[operator]


class TestMeasures:
    @pytest.mark.parametrize("seed", [None, 1])
    def test_lengths(self, seed: int | None) -> None:
        skeleton = PERSON if seed is None else framed(PERSON, seed)
        leg = np.hypot(0.42, 0.005) + np.hypot(0.4, 0.025)
        assert skeleton.leg_length() == pytest.approx(leg, abs=1e-12)
        assert skeleton.leg_length("left") == pytest.approx(leg, abs=1e-12)
        lowest, highest = -0.05 - 0.82 - 0.075, 0.27 + 0.2 + 0.1 + 0.18
        assert skeleton.height == pytest.approx(highest - lowest, abs=1e-12)
        assert skeleton.bone_lengths[skeleton.index("LeftForearm")] == pytest.approx(0.28, abs=1e-12)
        assert skeleton.sides == ("left", "right")

    def test_one_leg(self) -> None:
        one = replace(PERSON, roles={r: j for r, j in PERSON.roles.items() if r != "right_shank"})
        assert one.sides == ("left",)
        assert one.leg_length() == PERSON.leg_length("left")
        none = replace(PERSON, roles={})
        assert none.sides == ()
        with pytest.raises(SkeletonError, match="left_foot"):
            none.leg_length()

    def test_scaled(self) -> None:
        double = framed(PERSON, 2).scaled(2.0)
        assert_allclose(double.rest_positions, 2.0 * PERSON.rest_positions, **CLOSE)
        assert_allclose(double.rest_ends, 2.0 * PERSON.rest_ends, **CLOSE)
        assert double.roles == PERSON.roles
        assert double.height == pytest.approx(2.0 * PERSON.height, abs=1e-12)

    def test_same_bones(self) -> None:
        assert PERSON.same_bones(humanoid())
        assert PERSON.same_bones(replace(PERSON, offsets=PERSON.offsets + 5e-7))
        assert not PERSON.same_bones(PERSON.scaled(1.001))
        assert not PERSON.same_bones(random_skeleton(0, 25))
        assert not PERSON.same_bones(framed(PERSON, 1))

    def test_repr(self) -> None:
        assert repr(PERSON) == "Skeleton(25 joints, 7 end sites, 25 roles)"


class TestFacing:
    @pytest.mark.parametrize("degrees", [0, 20, 90, 110, 180, 200, -90, -60])
    def test_the_rest_pose_is_turned_by_quarters(self, degrees: float) -> None:
        """A figure modelled facing elsewhere ends within an eighth of a turn of +Z."""
        turn = ground.turn(np.deg2rad(degrees))
        ends = quat.rotate(turn, PERSON.end_offsets)
        turned = Skeleton.build(
            PERSON.names,
            PERSON.parents,
            quat.rotate(turn, PERSON.offsets),
            end_parents=PERSON.end_parents,
            end_offsets=ends,
        )
        left_over = (degrees + 45) % 90 - 45
        expected = quat.rotate(ground.turn(np.deg2rad(left_over)), PERSON.rest_positions)
        assert_allclose(turned.rest_positions, expected, **CLOSE)
        # only the rest pose turns: bones and joint frames are as given
        assert_array_equal(turned.offsets, quat.rotate(turn, PERSON.offsets))

    def test_a_given_rest_pose_is_not_turned(self) -> None:
        rest = np.array(PERSON.rest)
        rest[0] = ground.turn(0.5 * np.pi)
        given = Skeleton.build(PERSON.names, PERSON.parents, PERSON.offsets, rest=rest)
        assert_array_equal(given.rest, rest)

    def test_without_legs_nothing_turns(self) -> None:
        offsets = np.array([[0.0, 0, 0], [1, 0, 0], [1, 0, 0]])
        assert_array_equal(Skeleton.build(["q", "w", "e"], [-1, 0, 1], offsets).rest, quat.identity(3))
