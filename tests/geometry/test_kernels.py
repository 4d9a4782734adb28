"""Compiled quaternions and vectors: judged by SciPy's rotations, and by the NumPy ones bit for bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from footfall.geometry import kernels
from footfall.geometry import quaternion as quat
from tests.geometry.plain_quaternion import plain_multiply, plain_rotate

TINY = st.floats(-2.5, 2.5).map(lambda x: 0.0 if abs(x) < 1e-8 else x)
VECTORS = st.tuples(TINY, TINY, TINY)


@settings(max_examples=100, deadline=None)
@given(VECTORS, VECTORS, VECTORS)
def test_products_are_those_of_numpy_to_the_last_bit(
    a: tuple[float, float, float], b: tuple[float, float, float], v: tuple[float, float, float]
) -> None:
    one, other = quat.exp(np.array(a)), quat.exp(np.array(b))
    assert_array_equal(kernels.multiply(tuple(one), tuple(other)), plain_multiply(one, other))
    assert_array_equal(kernels.rotate(tuple(one), v), plain_rotate(one, np.array(v)))
    assert_array_equal(kernels.cross(a, b), np.cross(a, b))


def rotation(turn: tuple[float, ...]) -> Rotation:
    assert np.linalg.norm(turn) == pytest.approx(1.0, abs=1e-14)
    return Rotation.from_quat(turn, scalar_first=True)


@settings(max_examples=100, deadline=None)
@given(VECTORS, VECTORS, VECTORS)
def test_rotations_are_scipys(
    a: tuple[float, float, float], b: tuple[float, float, float], v: tuple[float, float, float]
) -> None:
    one, other = kernels.exp(a), kernels.exp(b)
    assert_allclose(rotation(one).as_matrix(), Rotation.from_rotvec(a).as_matrix(), atol=1e-14)
    both_ways = rotation(kernels.multiply(one, other))
    assert_allclose(both_ways.as_matrix(), (rotation(one) * rotation(other)).as_matrix(), atol=1e-14)
    assert_allclose(kernels.rotate(one, v), rotation(one).apply(v), atol=1e-13)
    logarithm = Rotation.from_rotvec(kernels.log(one))
    assert (logarithm * rotation(one).inv()).magnitude() < 1e-13
    middle = rotation(kernels.slerp(one, other, 0.3))
    whole, part = (rotation(one).inv() * r for r in (rotation(other), middle))
    assert part.magnitude() == pytest.approx(0.3 * whole.magnitude(), abs=1e-7)


@settings(max_examples=100, deadline=None)
@given(VECTORS, VECTORS)
@example((0.0, 0.0, 2.0), (0.0, 0.0, -1.0))
@example((1.0, 0.0, 0.0), (-3.0, 0.0, 0.0))
@example((1.0, 2.0, 3.0), (1.0, 2.0, 3.0))
def test_between_is_the_smallest_rotation(
    a: tuple[float, float, float], b: tuple[float, float, float]
) -> None:
    lengths = [float(np.linalg.norm(v)) for v in (a, b)]
    if min(lengths) < 1e-3:
        return
    turn = rotation(kernels.between(a, b))
    assert_allclose(turn.apply(a) / lengths[0], np.array(b) / lengths[1], atol=1e-12)
    cosine = np.dot(a, b) / (lengths[0] * lengths[1])
    assert np.cos(turn.magnitude()) == pytest.approx(cosine, abs=1e-12)  # no turn is smaller


@settings(max_examples=100, deadline=None)
@given(VECTORS, VECTORS)
def test_one_rotation_vector_after_another_is_scipys(
    a: tuple[float, float, float], b: tuple[float, float, float]
) -> None:
    composed = Rotation.from_rotvec(kernels.compose(a, b))
    assert (composed * (Rotation.from_rotvec(b) * Rotation.from_rotvec(a)).inv()).magnitude() < 1e-13
    assert kernels.compose(a, (0.0, 0.0, 0.0)) == a
