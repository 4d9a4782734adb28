"""Sums of rotations: what must hold whatever the examples, and SciPy's mean as the judge of close ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from footfall.blend.quaternion_sum import on_one_hemisphere, quaternion_sum, vector_sum
from footfall.geometry import quaternion as quat

patient = settings(deadline=None, max_examples=150)
seeds = st.integers(0, 2**32 - 1)


def turns(*shape: int, seed: int = 0) -> np.ndarray:
    """Unit quaternions spread evenly over all rotations, with both signs."""
    q = np.random.default_rng(seed).normal(size=(*shape, 4))
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def near(*shape: int, spread: float, seed: int = 0) -> np.ndarray:
    """Rotations within `spread` radians of one of them, with both signs."""
    rng = np.random.default_rng(seed)
    v = rng.normal(size=(*shape, 3))
    v *= spread * rng.uniform(size=(*shape, 1)) / np.linalg.norm(v, axis=-1, keepdims=True)
    sign = rng.choice([-1.0, 1.0], (*shape, 1))
    return sign * quat.multiply(turns(seed=seed + 1), quat.exp(v))


def convex(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet(np.ones(shape[-1]), shape[:-1])


def assert_same_turn(a: np.ndarray, b: np.ndarray, atol: float = 1e-14) -> None:
    a, b = np.broadcast_arrays(a, b)
    sign = np.where(np.sum(a * b, axis=-1, keepdims=True) < 0, -1.0, 1.0)
    assert_allclose(a, sign * b, rtol=0.0, atol=atol)


def distance_to_scipy(spread: float, seed: int) -> float:
    weights, rotations = convex(7, seed=seed), near(7, spread=spread, seed=seed)
    judge = Rotation.from_quat(rotations[:, [1, 2, 3, 0]]).mean(weights)
    return float(quat.angle_between(quaternion_sum(weights, rotations), judge.as_quat()[[3, 0, 1, 2]]))


class TestOneExample:
    def test_a_weight_of_one_gives_it_back_bit_for_bit(self) -> None:
        rotations = turns(9, 500)
        assert_array_equal(quaternion_sum(np.eye(9), rotations[None]), rotations)

    def test_so_does_a_single_example(self) -> None:
        assert_array_equal(quaternion_sum(np.ones(1), turns(1, 7)), turns(1, 7)[0])

    def test_and_examples_that_are_all_alike(self) -> None:
        same = np.repeat(turns(1, 50), 4, axis=0)
        assert_allclose(quaternion_sum(np.array([-0.5, 0.9, 0.4, 0.2]), same), same[0], rtol=0, atol=4e-16)

    def test_rounded_weights_move_it_no_further_than_they_are_off(self) -> None:
        rotations = turns(3, 200)
        weights = np.array([1.0 - 1e-13, 2e-13, -1e-13])
        assert_same_turn(quaternion_sum(weights, rotations), rotations[0], atol=5e-13)

    def test_a_stored_table_of_few_digits_comes_back_as_unit_quaternions(self) -> None:
        stored = turns(5, 100).astype(np.float32)
        total = quaternion_sum(np.eye(5), stored[None])
        assert total.dtype == np.float64
        assert_allclose(np.linalg.norm(total, axis=-1), 1.0, rtol=0, atol=1e-15)
        assert_allclose(total, stored, rtol=0, atol=2e-7)


class TestAxioms:
    @given(seeds)
    @patient
    def test_signs_of_examples_do_not_matter(self, seed: int) -> None:
        rotations, weights = turns(6, 20, seed=seed), convex(6, seed=seed)
        sign = np.random.default_rng(seed + 1).choice([-1.0, 1.0], (6, 20, 1))
        assert_same_turn(quaternion_sum(weights, sign * rotations), quaternion_sum(weights, rotations))

    @given(seeds)
    @patient
    def test_order_of_examples_does_not_matter(self, seed: int) -> None:
        rotations, weights = turns(6, 20, seed=seed), convex(6, seed=seed)
        order = np.random.default_rng(seed).permutation(6)
        assert_same_turn(quaternion_sum(weights[order], rotations[order]), quaternion_sum(weights, rotations))

    @given(seeds)
    @patient
    def test_turning_all_turns_the_sum(self, seed: int) -> None:
        rotations, weights, further = turns(5, 20, seed=seed), convex(5, seed=seed), turns(20, seed=seed + 1)
        total = quaternion_sum(weights, rotations)
        left = quaternion_sum(weights, quat.multiply(further, rotations))
        right = quaternion_sum(weights, quat.multiply(rotations, further))
        assert_same_turn(left, quat.multiply(further, total), atol=1e-13)
        assert_same_turn(right, quat.multiply(total, further), atol=1e-13)

    @given(seeds)
    @patient
    def test_two_equal_weights_are_half_way(self, seed: int) -> None:
        a, b = turns(2, 50, seed=seed)
        assert_same_turn(quaternion_sum(np.array([0.5, 0.5]), np.stack([a, b])), quat.slerp(a, b, 0.5), 1e-12)

    def test_close_ones_are_as_scipy_has_them_but_for_the_cube_of_their_spread(self) -> None:
        worst = [
            max(distance_to_scipy(spread, seed) for seed in range(20)) for spread in (0.8, 0.4, 0.2, 0.1)
        ]
        assert worst[0] < 0.02
        assert (np.divide(worst[:-1], worst[1:]) > 7.0).all()

    def test_the_length_is_one(self) -> None:
        weights = np.random.default_rng(0).normal(size=(300, 4))
        weights /= weights.sum(axis=1, keepdims=True)
        total = quaternion_sum(weights, turns(1, 4, 30))
        assert_allclose(np.linalg.norm(total, axis=-1), 1.0, rtol=0, atol=1e-15)


class TestTies:
    @given(seeds)
    @patient
    def test_no_jump_where_another_becomes_the_heaviest(self, seed: int) -> None:
        # within 60 degrees of one of them is within 120 degrees of each other
        rotations = near(4, 30, spread=np.pi / 3, seed=seed)
        weights = np.array([0.35, 0.35, 0.2, 0.1])
        step = np.array([1e-9, -1e-9, 0.0, 0.0])
        before, at, after = (quaternion_sum(weights + k * step, rotations) for k in (-1, 0, 1))
        assert_same_turn(before, at, atol=1e-8)
        assert_same_turn(after, at, atol=1e-8)

    def test_nor_with_negative_weights(self) -> None:
        rotations = near(3, 200, spread=np.pi / 3)
        weights, step = np.array([0.8, -0.6, 0.8]), np.array([1e-9, 0.0, -1e-9])
        before, after = quaternion_sum(weights - step, rotations), quaternion_sum(weights + step, rotations)
        assert_same_turn(before, after, atol=1e-7)

    def test_of_equals_the_first_is_the_reference(self) -> None:
        # opposite weights cancel out, and the reference is left
        a = turns(6)
        rotations = np.stack([a, a, turns(6, seed=1)])
        assert_array_equal(quaternion_sum(np.array([0.5, -0.5, 0.0]), rotations), a)
        flipped = np.stack([-a, a, turns(6, seed=1)])
        assert_array_equal(quaternion_sum(np.array([0.5, -0.5, 0.0]), flipped), -a)

    def test_the_largest_size_counts_not_the_largest_weight(self) -> None:
        # all opposite signs, so that the result's own sign tells whose hemisphere it lies on
        a = turns(5)
        total = quaternion_sum(np.array([0.9, 1.0, -0.9]), np.stack([a, -a, a]))
        assert (np.sum(total * -a, axis=-1) > 0).all()
        total = quaternion_sum(np.array([-1.1, 1.0, 1.1 - 1e-6]), np.stack([-a, a, a]))
        assert (np.sum(total * -a, axis=-1) > 0).all()

    @given(st.lists(st.floats(-3.0, 3.0), min_size=3, max_size=3), seeds)
    @patient
    def test_never_nan(self, weights: list[float], seed: int) -> None:
        rotations = turns(3, 10, seed=seed)
        rotations[1] = rotations[0]
        total = quaternion_sum(np.array(weights), rotations)
        assert_allclose(np.linalg.norm(total, axis=-1), 1.0, rtol=0, atol=2e-15)

    def test_no_weights_at_all(self) -> None:
        assert_array_equal(quaternion_sum(np.zeros(3), turns(3, 5)), turns(3, 5)[0])


class TestShapes:
    @pytest.mark.parametrize("queries", [(), (4,), (2, 3), (0,)])
    @pytest.mark.parametrize("joints", [(), (5,), (3, 5), (0,)])
    def test_every_batch_is_the_loop_over_it(self, queries: tuple[int, ...], joints: tuple[int, ...]) -> None:
        rng = np.random.default_rng(0)
        weights = rng.dirichlet(np.ones(6), queries)
        shared, own = turns(*[1] * len(queries), 6, *joints), turns(*queries, 6, *joints)
        for rotations in (shared, own):
            total = quaternion_sum(weights, rotations)
            assert total.shape == (*queries, *joints, 4)
            mine = np.broadcast_to(rotations, own.shape)
            for i in np.ndindex(*queries):
                for j in np.ndindex(*joints):
                    one = quaternion_sum(weights[i], mine[(*i, slice(None), *j)])
                    assert_allclose(total[(*i, *j)], one, rtol=0, atol=1e-15)

    def test_one_of_several_query_axes_may_be_shared(self) -> None:
        weights, rotations = convex(2, 3, 6), turns(2, 1, 6, 5)
        whole = quaternion_sum(weights, np.broadcast_to(rotations, (2, 3, 6, 5, 4)))
        assert_array_equal(quaternion_sum(weights, rotations), whole)

    def test_inputs_are_left_alone(self) -> None:
        weights, rotations = convex(6), turns(6, 5)
        weights.flags.writeable = rotations.flags.writeable = False
        quaternion_sum(weights, rotations)
        assert_array_equal(rotations, turns(6, 5))


class TestParts:
    def test_one_hemisphere(self) -> None:
        rotations, reference = turns(8, 40), turns(40, seed=1)
        out = on_one_hemisphere(rotations, reference)
        assert (np.sum(out * reference, axis=-1) >= 0.0).all()
        flipped = np.any(out != rotations, axis=-1)
        assert_array_equal(out[flipped], -rotations[flipped])
        assert flipped.any()
        assert not flipped.all()
        assert_array_equal(on_one_hemisphere(out, reference), out)

    def test_vector_sum(self) -> None:
        weights = np.random.default_rng(0).normal(size=(2, 3, 6))
        vectors = np.random.default_rng(1).normal(size=(6, 4, 3))
        expected = np.tensordot(weights, vectors, axes=1)
        assert_allclose(vector_sum(weights, vectors[None, None]), expected, rtol=0, atol=1e-14)
        assert_array_equal(vector_sum(np.eye(6), vectors[None]), vectors)
        roots = vectors[:, 0]
        assert_allclose(vector_sum(weights[0, 0], roots), weights[0, 0] @ roots, rtol=0, atol=1e-15)
