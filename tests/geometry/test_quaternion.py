"""Quaternions against SciPy's rotations and against the axioms of a group, on every batch shape."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation, Slerp

from footfall.geometry import quaternion as quat
from tests.geometry.plain_quaternion import plain_multiply, plain_rotate

SHAPES = [(), (7,), (3, 5), (0,), (2, 0)]
patient = settings(deadline=None, max_examples=200)
EXACT = {"rtol": 0.0, "atol": 1e-14}


def turns(shape: tuple[int, ...], seed: int = 0) -> np.ndarray:
    """Unit quaternions spread evenly over all rotations, with both signs."""
    q = np.random.default_rng(seed).normal(size=(*shape, 4))
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def vectors(shape: tuple[int, ...], seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(*shape, 3))


def judge(q: np.ndarray) -> Rotation:
    """The same rotations in SciPy, which writes the real part last; always a flat batch."""
    return Rotation.from_quat(np.asarray(q).reshape(-1, 4)[:, [1, 2, 3, 0]])


def assert_same_turn(a: np.ndarray, b: np.ndarray, atol: float = 1e-14) -> None:
    """Equal as rotations: q and -q turn alike."""
    a, b = np.broadcast_arrays(a, b)
    sign = np.where(np.sum(a * b, axis=-1, keepdims=True) < 0, -1.0, 1.0)
    assert_allclose(a, sign * b, rtol=0.0, atol=atol)


LEADING = [
    ((), (5,)),
    ((5,), ()),
    ((3, 1), (4,)),
    ((2, 3), (2, 3)),
    ((1,), (4,)),
    ((0,), ()),
    ((2, 1, 3), (5, 1)),
]


@pytest.mark.parametrize("shapes", LEADING)
def test_leading_axes_broadcast_and_no_bit_differs_from_numpy(shapes: tuple[tuple[int, ...], ...]) -> None:
    a, b, v = turns(shapes[0], 1), turns(shapes[1], 2), vectors(shapes[1])
    assert_array_equal(quat.multiply(a, b), plain_multiply(a, b))
    assert_array_equal(quat.rotate(a, v), plain_rotate(a, v))
    one = quat.slerp(a, b, 0.3)
    assert one.shape == (*np.broadcast_shapes(*shapes), 4)
    assert_array_equal(one, quat.slerp(*np.broadcast_arrays(a, b), np.full(one.shape[:-1], 0.3)))
    w = vectors(shapes[0], 5)
    assert_array_equal(quat.between(w, v), quat.between(*np.broadcast_arrays(w, v)))


def test_what_is_no_quaternion_or_vector_is_refused() -> None:
    with pytest.raises(ValueError, match="4 components"):
        quat.multiply(turns((3,)), vectors((4,)))
    with pytest.raises(ValueError, match="3 components"):
        quat.rotate(turns((3,)), turns((3,)))
    with pytest.raises(ValueError, match="3 components"):
        quat.exp(np.array(1.0))
    with pytest.raises(ValueError, match="broadcast"):
        quat.multiply(turns((3,)), turns((2,)))


def test_arrays_of_any_layout_and_type() -> None:
    a, b = turns((6, 4), 1), turns((4, 6), 2)
    assert_array_equal(
        quat.multiply(a[::2], b.swapaxes(0, 1)[::2]), plain_multiply(a[::2], b.swapaxes(0, 1)[::2])
    )
    assert_array_equal(quat.rotate([1, 0, 0, 0], [1, 2, 3]), [1.0, 2.0, 3.0])


component = st.floats(-1.0, 1.0, allow_subnormal=False)
any_turn = (
    st.tuples(component, component, component, component)
    .map(np.array)
    .filter(lambda q: np.linalg.norm(q) > 0.1)
    .map(lambda q: q / np.linalg.norm(q))
)
any_vector = st.tuples(*[st.floats(-10.0, 10.0, allow_subnormal=False)] * 3).map(np.array)
any_axis = any_vector.filter(lambda v: np.linalg.norm(v) > 0.1).map(lambda v: v / np.linalg.norm(v))


@pytest.mark.parametrize("shape", SHAPES)
class TestAgainstScipy:
    def test_multiply(self, shape: tuple[int, ...]) -> None:
        a, b = turns(shape, 1), turns(shape, 2)
        product = quat.multiply(a, b)
        assert product.shape == (*shape, 4)
        if product.size:
            assert_allclose(
                quat.to_matrix(product).reshape(-1, 3, 3), (judge(a) * judge(b)).as_matrix(), **EXACT
            )

    def test_rotate(self, shape: tuple[int, ...]) -> None:
        q, v = turns(shape), vectors(shape)
        turned = quat.rotate(q, v)
        assert turned.shape == (*shape, 3)
        if turned.size:
            assert_allclose(turned.reshape(-1, 3), judge(q).apply(v.reshape(-1, 3)), **EXACT)

    def test_exp(self, shape: tuple[int, ...]) -> None:
        v = 3.0 * vectors(shape)  # many angles beyond pi, which exp must take as they are
        q = quat.exp(v)
        assert q.shape == (*shape, 4)
        if q.size:
            expected = Rotation.from_rotvec(v.reshape(-1, 3)).as_matrix()
            assert_allclose(quat.to_matrix(q).reshape(-1, 3, 3), expected, rtol=0.0, atol=1e-13)

    def test_log(self, shape: tuple[int, ...]) -> None:
        q = turns(shape)
        v = quat.log(q)
        assert v.shape == (*shape, 3)
        if v.size:
            assert_allclose(v.reshape(-1, 3), judge(q).as_rotvec(), rtol=0.0, atol=1e-13)

    def test_angle(self, shape: tuple[int, ...]) -> None:
        a, b = turns(shape, 1), turns(shape, 2)
        assert quat.angle(a).shape == shape
        if quat.angle(a).size:
            assert_allclose(quat.angle(a).ravel(), judge(a).magnitude(), rtol=0.0, atol=1e-13)
            between = (judge(a).inv() * judge(b)).magnitude()
            assert_allclose(quat.angle_between(a, b).ravel(), between, rtol=0.0, atol=1e-13)

    def test_to_and_from_matrix(self, shape: tuple[int, ...]) -> None:
        q = turns(shape)
        m = quat.to_matrix(q)
        assert m.shape == (*shape, 3, 3)
        back = quat.from_matrix(m)
        assert back.shape == (*shape, 4)
        if m.size:
            assert_allclose(m.reshape(-1, 3, 3), judge(q).as_matrix(), **EXACT)
            assert_same_turn(back, q)

    def test_swing_twist_keeps_the_shape(self, shape: tuple[int, ...]) -> None:
        swing, twist = quat.swing_twist(turns(shape), np.array([0.0, 1.0, 0.0]))
        assert swing.shape == twist.shape == (*shape, 4)

    @pytest.mark.parametrize("order", quat.EULER_ORDERS)
    def test_euler(self, shape: tuple[int, ...], order: str) -> None:
        angles = np.pi * vectors(shape)  # beyond one turn too
        q = quat.from_euler(angles, order)
        assert q.shape == (*shape, 4)
        back = quat.to_euler(q, order)
        assert back.shape == (*shape, 3)
        if q.size:
            reference = Rotation.from_euler(order, angles.reshape(-1, 3))
            assert_allclose(quat.to_matrix(q).reshape(-1, 3, 3), reference.as_matrix(), rtol=0.0, atol=1e-13)
            assert_allclose(back.reshape(-1, 3), reference.as_euler(order), rtol=0.0, atol=1e-9)
            assert_same_turn(quat.from_euler(back, order), q, atol=1e-14)


def test_there_are_six_euler_orders() -> None:
    assert sorted(quat.EULER_ORDERS) == sorted("".join(p) for p in itertools.permutations("XYZ"))


@pytest.mark.parametrize("order", ["".join(p) for n in (1, 2) for p in itertools.permutations("XYZ", n)])
@pytest.mark.parametrize("shape", SHAPES)
def test_one_and_two_letter_orders(order: str, shape: tuple[int, ...]) -> None:
    angles = np.random.default_rng(3).uniform(-7, 7, (*shape, len(order)))
    q = quat.from_euler(angles, order)
    assert q.shape == (*shape, 4)
    if q.size:
        expected = Rotation.from_euler(order, angles.reshape(-1, len(order))).as_matrix()
        assert_allclose(quat.to_matrix(q).reshape(-1, 3, 3), expected, rtol=0.0, atol=1e-13)


def test_no_letters_is_no_turn() -> None:
    assert_array_equal(quat.from_euler(np.zeros((5, 0)), ""), quat.identity(5))


@pytest.mark.parametrize("order", ["ZXZ", "XYX", "XXY", "XYZX", "ZZYX", "XYZXYZ"])
def test_orders_that_repeat_a_letter_multiply_out(order: str) -> None:
    angles = np.random.default_rng(3).uniform(-3, 3, (20, len(order)))
    expected = Rotation.identity(20)
    for i, letter in enumerate(order):
        expected = expected * Rotation.from_euler(letter, angles[:, i : i + 1])
    assert_allclose(quat.to_matrix(quat.from_euler(angles, order)), expected.as_matrix(), **EXACT)


@pytest.mark.parametrize("order", quat.EULER_ORDERS)
@pytest.mark.parametrize("middle", [0.5 * np.pi, -0.5 * np.pi])
def test_gimbal_lock_is_exact(order: str, middle: float) -> None:
    outer = np.random.default_rng(4).uniform(-np.pi, np.pi, (200, 2))
    angles = np.stack([outer[:, 0], np.full(200, middle), outer[:, 1]], axis=-1)
    q = quat.from_euler(angles, order)
    back = quat.to_euler(q, order)
    assert_allclose(np.abs(back[:, 1]), 0.5 * np.pi, rtol=0.0, atol=1e-7)
    assert_same_turn(quat.from_euler(back, order), q, atol=1e-14)


@pytest.mark.parametrize("order", quat.EULER_ORDERS)
def test_near_gimbal_lock_no_digit_is_lost(order: str) -> None:
    distances = 10.0 ** np.arange(-16, 0)
    ends = ([1.1, 0.5 * np.pi - distance, -2.3] for distance in distances)
    starts = ([-0.4, -0.5 * np.pi + distance, 3.0] for distance in distances)
    angles = np.array([*ends, *starts])
    q = quat.from_euler(angles, order)
    assert_same_turn(quat.from_euler(quat.to_euler(q, order), order), q, atol=1e-14)


@patient
@given(any_turn, st.sampled_from(quat.EULER_ORDERS))
def test_euler_round_trip_anywhere(q: np.ndarray, order: str) -> None:
    angles = quat.to_euler(q, order)
    assert (np.abs(angles) <= [np.pi, 0.5 * np.pi, np.pi]).all()
    assert_same_turn(quat.from_euler(angles, order), q, atol=1e-14)


@patient
@given(any_turn, any_turn, any_turn, any_vector)
def test_group_axioms(a: np.ndarray, b: np.ndarray, c: np.ndarray, v: np.ndarray) -> None:
    one = quat.identity()
    assert_array_equal(quat.multiply(one, a), a)
    assert_array_equal(quat.multiply(a, one), a)
    assert_allclose(quat.multiply(a, quat.conjugate(a)), one, **EXACT)
    assert_allclose(quat.multiply(quat.conjugate(a), a), one, **EXACT)
    assert_allclose(quat.multiply(quat.multiply(a, b), c), quat.multiply(a, quat.multiply(b, c)), **EXACT)
    assert_allclose(
        quat.rotate(quat.multiply(a, b), v), quat.rotate(a, quat.rotate(b, v)), rtol=0, atol=1e-13
    )
    assert_allclose(
        quat.conjugate(quat.multiply(a, b)), quat.multiply(quat.conjugate(b), quat.conjugate(a)), **EXACT
    )


@patient
@given(any_turn, any_vector, any_vector)
def test_rotation_keeps_lengths_angles_and_handedness(q: np.ndarray, v: np.ndarray, w: np.ndarray) -> None:
    turned_v, turned_w = quat.rotate(q, v), quat.rotate(q, w)
    assert_allclose(turned_v @ turned_w, v @ w, rtol=0.0, atol=1e-12)
    assert_allclose(quat.cross(turned_v, turned_w), quat.rotate(q, quat.cross(v, w)), rtol=0.0, atol=1e-12)
    assert_array_equal(quat.rotate(-q, v), turned_v)


@patient
@given(any_vector, any_vector)
def test_cross_is_numpys(v: np.ndarray, w: np.ndarray) -> None:
    assert_array_equal(quat.cross(v, w), np.cross(v, w))


def test_axes_turn_into_each_other() -> None:
    quarter_about_y = quat.from_axis_angle(np.array([0.0, 2.0, 0.0]), 0.5 * np.pi)
    assert_allclose(quat.rotate(quarter_about_y, np.array([0.0, 0.0, 1.0])), [1.0, 0.0, 0.0], **EXACT)
    assert_allclose(quat.rotate(quarter_about_y, np.array([1.0, 0.0, 0.0])), [0.0, 0.0, -1.0], **EXACT)


def test_the_last_factor_turns_first() -> None:
    x, y = (quat.from_euler(np.array([0.5 * np.pi]), letter) for letter in "XY")
    assert_allclose(quat.rotate(quat.multiply(y, x), np.array([0.0, 1.0, 0.0])), [1.0, 0.0, 0.0], **EXACT)


@patient
@given(any_turn)
def test_log_is_the_short_way_and_exp_undoes_it(q: np.ndarray) -> None:
    v = quat.log(q)
    assert np.linalg.norm(v) <= np.pi + 1e-15
    assert_allclose(np.linalg.norm(v), quat.angle(q), rtol=0.0, atol=1e-14)
    assert_same_turn(quat.exp(v), q)
    if q[0] != 0:  # of a half turn's two vectors either will do
        assert_allclose(quat.log(-q), v, **EXACT)


@pytest.mark.parametrize(
    "size", [0.0, 1e-300, 1e-160, 1e-20, 1e-12, 1e-9, 1e-6, 1e-3, 1.0, 3.14, np.pi - 1e-9]
)
def test_exp_then_log_is_the_identity_to_full_relative_precision(size: float) -> None:
    v = size * np.array([0.36, -0.48, 0.8])
    q = quat.exp(v)
    assert_allclose(np.linalg.norm(q), 1.0, **EXACT)
    assert_allclose(quat.log(q), v, rtol=1e-9 if size > 3 else 1e-14, atol=0.0)


@patient
@given(any_axis, st.floats(-20.0, 20.0))
def test_from_axis_angle(axis: np.ndarray, theta: float) -> None:
    q = quat.from_axis_angle(3.0 * axis, theta)  # any length of axis
    assert_allclose(quat.rotate(q, axis), axis, **EXACT)
    assert_allclose(quat.to_matrix(q), Rotation.from_rotvec(axis * theta).as_matrix(), rtol=0.0, atol=1e-14)


def test_from_axis_angle_batches_axis_and_angle() -> None:
    axes, angles = vectors((4, 1)), np.linspace(-3, 3, 5)
    q = quat.from_axis_angle(axes, angles)
    assert q.shape == (4, 5, 4)
    for i, k in itertools.product(range(4), range(5)):
        assert_allclose(q[i, k], quat.from_axis_angle(axes[i, 0], angles[k]), **EXACT)


@pytest.mark.parametrize("shape", [(), (7,), (3, 5)])
def test_slerp_is_scipys(shape: tuple[int, ...]) -> None:
    a, b = turns(shape, 1), turns(shape, 2)
    t = np.random.default_rng(5).uniform(size=shape)
    at = quat.slerp(a, b, t)
    assert at.shape == (*shape, 4)
    flat = zip(a.reshape(-1, 4), b.reshape(-1, 4), np.ravel(t), at.reshape(-1, 4), strict=True)
    for p, q, s, found in flat:
        expected = Slerp([0.0, 1.0], judge(np.stack([p, q])))(s).as_matrix()
        assert_allclose(quat.to_matrix(found), expected, rtol=0.0, atol=1e-13)


@patient
@given(any_turn, any_turn)
def test_slerp_has_constant_speed_and_right_ends(a: np.ndarray, b: np.ndarray) -> None:
    t = np.linspace(0.0, 1.0, 9)
    path = quat.slerp(a, b, t)
    assert_allclose(path[0], a, **EXACT)
    assert_same_turn(path[-1], b, atol=1e-14)
    assert_allclose(
        quat.angle_between(path[:-1], path[1:]), quat.angle_between(a, b) / 8, rtol=0.0, atol=1e-14
    )


def test_slerp_starts_exactly_at_the_start() -> None:
    a, b = turns((50,), 1), turns((50,), 2)
    assert_array_equal(quat.slerp(a, b, 0.0), a)


@patient
@given(any_axis, any_axis)
def test_between_is_the_smallest_turn(a: np.ndarray, b: np.ndarray) -> None:
    q = quat.between(2.0 * a, 0.5 * b)
    assert_allclose(np.linalg.norm(q), 1.0, **EXACT)
    assert_allclose(quat.rotate(q, a), b, **EXACT)
    angle = np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b)
    assert_allclose(quat.angle(q), angle, **EXACT)


@patient
@given(any_axis)
def test_between_opposite_directions_is_a_half_turn_across(a: np.ndarray) -> None:
    q = quat.between(a, -a)
    assert_allclose(quat.angle(q), np.pi, rtol=0.0, atol=1e-14)
    assert_allclose(q[1:] @ a, 0.0, **EXACT)
    assert_allclose(quat.rotate(q, a), -a, **EXACT)


@pytest.mark.parametrize("axis", np.concatenate([np.eye(3), -np.eye(3)]))
def test_between_opposite_coordinate_axes(axis: np.ndarray) -> None:
    assert_allclose(quat.rotate(quat.between(axis, -axis), axis), -axis, **EXACT)


@pytest.mark.parametrize("short", 10.0 ** np.arange(-16.0, 0.0))
def test_between_nearly_opposite_directions(short: float) -> None:
    across = np.array([0.6, 0.0, 0.8])
    a = np.array([0.0, 1.0, 0.0])
    b = quat.rotate(quat.from_axis_angle(across, np.pi - short), a)
    q = quat.between(a, b)
    assert_allclose(quat.rotate(q, a), b, **EXACT)


def test_between_batches_and_equal_directions() -> None:
    a = vectors((3, 5))
    assert_allclose(quat.between(a, a), quat.identity(3, 5), **EXACT)
    b = vectors((5,), 9)
    turned = quat.rotate(quat.between(a, b), a)
    unit = b / np.linalg.norm(b, axis=-1, keepdims=True) * np.linalg.norm(a, axis=-1, keepdims=True)
    assert_allclose(turned, unit, rtol=0.0, atol=1e-13)


@patient
@given(any_turn, any_axis)
def test_swing_twist_recomposes_and_each_part_is_pure(q: np.ndarray, axis: np.ndarray) -> None:
    swing, twist = quat.swing_twist(q, axis)
    assert_allclose(quat.multiply(swing, twist), q, **EXACT)
    assert_allclose(np.linalg.norm(swing), 1.0, **EXACT)
    assert_allclose(np.linalg.norm(twist), 1.0, **EXACT)
    assert_allclose(np.cross(twist[1:], axis), 0.0, **EXACT)
    # a half turn about an axis across has no twist to speak of
    assume(np.hypot(q[0], q[1:] @ axis) > 1e-3)
    assert_allclose(swing[1:] @ axis, 0.0, rtol=0.0, atol=1e-12)


def test_swing_twist_takes_an_axis_of_any_length() -> None:
    q, axis = turns((20,)), np.array([1.0, -2.0, 0.5])
    for found, expected in zip(
        quat.swing_twist(q, 7.0 * axis), quat.swing_twist(q, axis / np.linalg.norm(axis)), strict=True
    ):
        assert_allclose(found, expected, **EXACT)


@pytest.mark.parametrize("size", 10.0 ** np.arange(-320.0, 0.0, 20.0))
def test_swing_twist_of_almost_no_twist(size: float) -> None:
    q, axis = np.array([0.0, 0.0, 1.0, size]), np.array([0.0, 0.0, 1.0])
    swing, twist = quat.swing_twist(q, axis)
    assert_allclose(quat.multiply(swing, twist), q, **EXACT)
    assert_allclose(np.linalg.norm(twist), 1.0, **EXACT)


def test_swing_twist_of_a_half_turn_across_the_axis_is_all_swing() -> None:
    q = np.array([0.0, 1.0, 0.0, 0.0])
    swing, twist = quat.swing_twist(q, np.array([0.0, 1.0, 0.0]))
    assert_array_equal(twist, quat.identity())
    assert_array_equal(swing, q)


@pytest.mark.parametrize("shape", [(40,), (40, 3), (40, 2, 3)])
def test_continuous_is_continuous_and_turns_alike(shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(6)
    start = turns(shape[1:], 7)
    smooth = quat.multiply(start, quat.exp(0.1 * rng.normal(size=(*shape, 3)).cumsum(axis=0)))
    flipped = smooth * rng.choice([-1.0, 1.0], size=(*shape, 1))
    before = flipped.copy()
    out = quat.continuous(flipped)
    assert_array_equal(flipped, before)
    assert (np.sum(out[1:] * out[:-1], axis=-1) > 0).all()
    assert_array_equal(np.abs(out), np.abs(flipped))
    assert_array_equal(out[0], flipped[0])
    assert_array_equal(quat.to_matrix(out), quat.to_matrix(flipped))


@pytest.mark.parametrize("frames", [0, 1])
def test_continuous_with_nothing_to_do(frames: int) -> None:
    q = turns((frames, 3))
    assert_array_equal(quat.continuous(q), q)


def test_normalize() -> None:
    q = turns((3, 5))
    assert_allclose(quat.normalize(np.linspace(0.1, 9, 5)[:, None] * q), q, **EXACT)
    assert_array_equal(quat.normalize(np.zeros((2, 4))), quat.identity(2))
    for size in 10.0 ** np.arange(-320.0, 150.0, 10.0):
        assert_allclose(np.linalg.norm(quat.normalize(size * q), axis=-1), 1.0, **EXACT)
    assert_array_equal(quat.identity(), [1.0, 0.0, 0.0, 0.0])


@patient
@given(any_turn)
def test_from_matrix_everywhere(q: np.ndarray) -> None:
    assert_same_turn(quat.from_matrix(quat.to_matrix(q)), q, atol=1e-14)


@pytest.mark.parametrize("axis", np.eye(3))
def test_from_matrix_of_half_turns(axis: np.ndarray) -> None:
    m = 2.0 * np.outer(axis, axis) - np.eye(3)
    assert_allclose(np.abs(quat.from_matrix(m)), [0.0, *axis], **EXACT)
