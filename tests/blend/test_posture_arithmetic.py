"""Posture arithmetic by its axioms; joins by finite differences of SciPy's rotations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import expm
from scipy.spatial.transform import Rotation, Slerp

from footfall.blend.posture_arithmetic import Join, Rate, add, difference_rate, scale, subtract, vector_rate
from footfall.errors import RequestError
from footfall.figure.pose import Pose
from footfall.geometry import quaternion as quat

JOINTS = 9
T = 0.3  # s
patient = settings(deadline=None, max_examples=100)
seeds = st.integers(0, 2**32 - 1)


def posture(*batch: int, seed: int = 0, translations: bool = False) -> Pose:
    rng = np.random.default_rng(seed)
    q = rng.normal(size=(*batch, JOINTS, 4))
    q /= np.linalg.norm(q, axis=-1, keepdims=True)
    moved = rng.normal(size=(*batch, JOINTS, 3)) if translations else None
    return Pose(rng.normal(size=(*batch, 3)), q, moved)


def judge(q: np.ndarray) -> Rotation:
    return Rotation.from_quat(np.asarray(q).reshape(-1, 4)[:, [1, 2, 3, 0]])


def turned(q: np.ndarray, by: np.ndarray) -> np.ndarray:
    """q exp(by), computed by SciPy, with q's batch."""
    product = judge(np.broadcast_to(q, (*by.shape[:-1], 4))) * Rotation.from_rotvec(by.reshape(-1, 3))
    return product.as_quat()[:, [3, 0, 1, 2]].reshape(*by.shape[:-1], 4)


def assert_same_pose(a: Pose, b: Pose, atol: float = 1e-14) -> None:
    assert_allclose(a.root, b.root, rtol=0, atol=atol)
    assert_array_equal(a.rotations.shape, b.rotations.shape)
    assert_allclose(quat.angle_between(a.rotations, b.rotations), 0.0, rtol=0, atol=4 * atol)
    assert (a.translations is None) == (b.translations is None)
    if a.translations is not None:
        assert_allclose(a.translations, b.translations, rtol=0, atol=atol)


class Moving:
    """A smooth movement with known rates: turns about one axis per joint, on from a posture of its own."""

    def __init__(self, seed: int, translations: bool = True) -> None:
        rng = np.random.default_rng(seed)
        self.start = posture(seed=seed, translations=translations)
        self.speed, self.bend = rng.normal(size=(2, 3))
        self.turning = 3.0 * rng.normal(size=(JOINTS, 3))
        self.shifting = rng.normal(size=(JOINTS, 3))

    def at(self, times: np.ndarray | float) -> Pose:
        t = np.asarray(times, dtype=float)[..., None]
        root = self.start.root + t * self.speed + t * t * self.bend
        moved = (
            None
            if self.start.translations is None
            else self.start.translations + t[..., None] * self.shifting
        )
        return Pose(root, turned(self.start.rotations, t[..., None] * self.turning), moved)

    def rate(self, time: float) -> Rate:
        shifting = None if self.start.translations is None else self.shifting
        return Rate(self.speed + 2.0 * time * self.bend, self.turning, shifting)


def joined(before: Moving, end: float, after: Moving, seconds: float = T) -> Join:
    return Join.between(
        before.at(end), after.at(0.0), seconds, last_rate=before.rate(end), first_rate=after.rate(0.0)
    )


def rate_at(join: Join, movement: Moving, time: float) -> Rate:
    """Finite differences of the joined movement; forward of second order, for it begins at 0."""
    h = 1e-4
    now, soon, later = (join.adjusted(movement.at(time + k * h), time + k * h) for k in range(3))
    one, two = Rate.between(now, soon, h), Rate.between(now, later, 2.0 * h)
    ahead = [2.0 * np.asarray(a) - b for a, b in zip(parts(one), parts(two), strict=True)]
    return Rate(*ahead)


def parts(rate: Rate) -> list[np.ndarray]:
    return [rate.root, rate.turning] + ([] if rate.translations is None else [rate.translations])


class TestArithmetic:
    @pytest.mark.parametrize("translations", [False, True])
    @pytest.mark.parametrize("batch", [(), (4,), (2, 3), (0,)])
    def test_a_difference_added_first_leads_back(self, batch: tuple[int, ...], translations: bool) -> None:
        a = posture(*batch, seed=1, translations=translations)
        b = posture(*batch, seed=2, translations=translations)
        assert_same_pose(add(subtract(a, b), b), a)

    def test_added_last_it_does_not(self) -> None:
        a, b = posture(seed=1), posture(seed=2)
        wrong = add(b, subtract(a, b))
        assert (quat.angle_between(wrong.rotations, a.rotations) > 0.1).any()

    def test_the_printed_products(self) -> None:
        a, b = posture(20, seed=1), posture(20, seed=2)
        ra, rb = judge(a.rotations), judge(b.rotations)
        assert_allclose((judge(add(a, b).rotations).inv() * rb * ra).magnitude(), 0.0, atol=1e-14)
        assert_allclose((judge(subtract(a, b).rotations).inv() * rb.inv() * ra).magnitude(), 0.0, atol=1e-14)
        assert_array_equal(add(a, b).root, a.root + b.root)
        assert_array_equal(subtract(a, b).root, a.root - b.root)

    def test_scaling_is_slerp_from_the_identity(self) -> None:
        pose, shares = posture(seed=3, translations=True), np.linspace(0.0, 1.0, 11)
        scaled = scale(pose, shares)
        assert scaled.rotations.shape == (11, JOINTS, 4)
        for j in range(JOINTS):
            ends = Rotation.concatenate([Rotation.identity(), judge(pose.rotations[j])])
            apart = Slerp([0.0, 1.0], ends)(shares).inv() * judge(scaled.rotations[:, j])
            assert_allclose(apart.magnitude(), 0.0, atol=1e-14)
        assert_array_equal(scaled.root, shares[:, None] * pose.root)
        assert_array_equal(scaled.translations, shares[:, None, None] * pose.translations)

    def test_scaling_by_1_0_and_minus_1(self) -> None:
        pose, none = posture(seed=3), Pose(np.zeros(3), quat.identity(JOINTS))
        assert_same_pose(scale(pose, 1.0), pose)
        assert_array_equal(scale(pose, 0.0).rotations, none.rotations)
        assert_same_pose(add(scale(pose, -1.0), pose), none)
        assert_same_pose(subtract(none, pose), scale(pose, -1.0))

    @given(seeds, st.floats(0.0, 0.5), st.floats(0.0, 0.5))
    @patient
    def test_shares_of_one_posture_add_up(self, seed: int, a: float, b: float) -> None:
        pose = posture(seed=seed)
        assert_same_pose(add(scale(pose, a), scale(pose, b)), scale(pose, a + b))

    def test_unlike_postures_are_refused(self) -> None:
        few = Pose(np.zeros(3), quat.identity(4))
        for operation in (add, subtract):
            with pytest.raises(RequestError, match="9 and 4 joints"):
                operation(posture(), few)
            with pytest.raises(RequestError, match="translations"):
                operation(posture(), posture(translations=True))


class TestVectorRate:
    @pytest.mark.parametrize(
        "angle", [0.0, 1e-12, 1e-5, 0.99e-3, 1.01e-3, 0.1, 1.0, 2.0, 3.0, np.pi - 1e-9, np.pi, 5.0]
    )
    def test_finite_differences_of_exp(self, angle: float) -> None:
        rng = np.random.default_rng(0)
        v = rng.normal(size=(30, 3))
        v *= angle / np.linalg.norm(v, axis=-1, keepdims=True)
        w, h = rng.normal(size=(30, 3)), 1e-4
        # moving v at the rate sought must turn exp(v), in its own frame, at w
        rate = vector_rate(v, w)
        ahead, behind = Rotation.from_rotvec(v + h * rate), Rotation.from_rotvec(v - h * rate)
        assert_allclose((behind.inv() * ahead).as_rotvec() / (2.0 * h), w, rtol=0, atol=2e-6)

    @given(seeds, st.floats(0.0, 3.0))
    @patient
    def test_inverts_the_right_jacobian(self, seed: int, angle: float) -> None:
        # J is the mean of exp(-s [v]) over s in [0, 1], which the exponential of a block matrix holds
        v, w = np.random.default_rng(seed).normal(size=(2, 3))
        v *= angle / np.linalg.norm(v)
        skew = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
        block = np.zeros((6, 6))
        block[:3, :3], block[:3, 3:] = -skew, np.eye(3)
        assert_allclose(expm(block)[:3, 3:] @ vector_rate(v, w), w, rtol=0, atol=1e-13)

    def test_along_the_axis_and_at_zero_it_is_the_turning(self) -> None:
        w = np.random.default_rng(0).normal(size=(5, 3))
        assert_array_equal(vector_rate(np.zeros(3), w), w)
        assert_allclose(vector_rate(0.7 * w, w), w, rtol=0, atol=1e-14)

    def test_no_seam_where_limit_and_closed_form_meet(self) -> None:
        axis, w = np.array([0.6, 0.0, 0.8]), np.array([0.3, -1.0, 0.5])
        below, above = vector_rate(0.99999999e-3 * axis, w), vector_rate(1.00000001e-3 * axis, w)
        assert_allclose(below, above, rtol=0, atol=2e-11)
        assert_allclose(below - above, -0.5 * 2e-11 * np.cross(axis, w), rtol=0, atol=1e-14)


class TestRates:
    def test_between_postures_is_the_turning_in_the_own_frame(self) -> None:
        movement = Moving(5)
        rate = Rate.between(movement.at(0.1), movement.at(0.14), 0.04)
        for measured, true in zip(parts(rate), parts(movement.rate(0.12)), strict=True):
            assert_allclose(measured, true, rtol=0, atol=1e-12)

    @pytest.mark.parametrize("seconds", [0.0, -1.0, np.nan, np.inf])
    def test_needs_time(self, seconds: float) -> None:
        with pytest.raises(RequestError, match="over 0"):
            Rate.between(posture(), posture(seed=1), seconds)
        with pytest.raises(RequestError, match="over 0"):
            Join.between(posture(), posture(seed=1), seconds)


class TestJoin:
    @given(seeds)
    @patient
    def test_posture_and_rate_are_continuous(self, seed: int) -> None:
        before, after = Moving(seed), Moving(seed + 1)
        join = joined(before, 0.8, after)
        assert_same_pose(join.adjusted(after.at(0.0), 0.0), before.at(0.8))
        for now, then in zip(parts(rate_at(join, after, 0.0)), parts(before.rate(0.8)), strict=True):
            assert_allclose(now, then, rtol=0, atol=1e-3)

    def test_the_rate_meets_to_second_order(self) -> None:
        # what finite differences leave must shrink with the square of the step: no kink hides below it
        before, after = Moving(11), Moving(12)
        join, wanted = joined(before, 0.8, after), before.rate(0.8)
        left = []
        for h in (2e-3, 1e-3, 5e-4):
            now, soon, later = (join.adjusted(after.at(k * h), k * h) for k in range(3))
            ahead = 2.0 * Rate.between(now, soon, h).turning - Rate.between(now, later, 2.0 * h).turning
            left.append(np.abs(ahead - wanted.turning).max())
        assert_allclose(np.divide(left[:-1], left[1:]), 4.0, rtol=0.1)

    def test_at_the_end_the_rate_is_the_movements_own(self) -> None:
        before, after = Moving(3), Moving(4)
        join, h = joined(before, 0.8, after), 1e-5
        rate = Rate.between(join.adjusted(after.at(T - h), T - h), after.at(T), h)
        for now, own in zip(parts(rate), parts(after.rate(T - 0.5 * h)), strict=True):
            assert_allclose(now, own, rtol=0, atol=5e-3)

    def test_without_rates_it_is_equation_5(self) -> None:
        before, after = Moving(3), Moving(4)
        times = np.linspace(0.0, T, 13)
        s = times / T
        f = 3.0 * (1.0 - s) ** 2 - 2.0 * (1.0 - s) ** 3
        last, poses = before.at(1.0), after.at(times)
        paper = add(scale(subtract(last, after.at(0.0)), f), poses)
        assert_same_pose(Join.between(last, after.at(0.0), T).adjusted(poses, times), paper)

    def test_without_rates_the_rate_jumps(self) -> None:
        before, after = Moving(3), Moving(4)
        join = Join.between(before.at(0.8), after.at(0.0), T)
        assert_same_pose(join.adjusted(after.at(0.0), 0.0), before.at(0.8))
        assert np.abs(rate_at(join, after, 0.0).root - before.rate(0.8).root).max() > 0.1
        assert_allclose(rate_at(join, after, 0.0).root, after.rate(0.0).root, rtol=0, atol=1e-3)

    def test_afterwards_postures_are_returned_as_they_are(self) -> None:
        before, after = Moving(3), Moving(4)
        times = np.array([0.1, T - 1e-12, T, T + 1e-12, 1.0, 1e9])
        poses, join = after.at(times), joined(before, 0.8, after)
        out = join.adjusted(poses, times)
        for name in ("root", "rotations", "translations"):
            assert getattr(out, name)[2:].tobytes() == getattr(poses, name)[2:].tobytes()
            assert (getattr(out, name)[0] != getattr(poses, name)[0]).any()
        alone = after.at(T)
        assert join.adjusted(alone, T) is alone

    def test_a_movement_that_goes_on_by_itself_is_left_alone(self) -> None:
        movement = Moving(7)
        later = Moving(7)
        later.start, later.speed = movement.at(0.5), movement.rate(0.5).root
        times = np.linspace(0.0, T, 10)
        join = joined(movement, 0.5, later)
        assert_same_pose(join.adjusted(later.at(times), times), later.at(times), atol=1e-13)

    def test_the_difference_takes_the_short_way(self) -> None:
        # opposite signs of one rotation are no difference, and no joint turns by more than half a turn
        first = posture(seed=1)
        opposite = Pose(first.root, -first.rotations)
        assert_allclose(Join.between(opposite, first, T).turns, 0.0, rtol=0, atol=1e-15)
        last = posture(seed=2)
        turns = Join.between(last, first, T).turns
        assert (np.linalg.norm(turns, axis=-1) <= np.pi + 1e-12).all()
        assert_same_pose(Pose(last.root, turned(first.rotations, turns.copy())), last)

    @pytest.mark.parametrize("batch", [(), (5,), (2, 3), (0,)])
    def test_every_batch_is_the_loop_over_it(self, batch: tuple[int, ...]) -> None:
        before, after = Moving(3), Moving(4)
        times = np.random.default_rng(0).uniform(-0.1, 1.5 * T, batch)
        join = joined(before, 0.8, after)
        out = join.adjusted(after.at(times), times)
        assert out.rotations.shape == (*batch, JOINTS, 4)
        for i in np.ndindex(*batch):
            one = join.adjusted(after.at(times[i]), times[i])
            assert_same_pose(Pose(out.root[i], out.rotations[i], out.translations[i]), one)  # type: ignore[index]

    def test_unlike_postures_are_refused(self) -> None:
        before, after = Moving(3), Moving(4)
        join = joined(before, 0.8, after)
        with pytest.raises(RequestError, match="both movements"):
            Join.between(before.at(0.8), after.at(0.0), T, last_rate=before.rate(0.8))
        with pytest.raises(RequestError, match="as many times"):
            join.adjusted(after.at(np.zeros(4)), np.zeros(5))
        with pytest.raises(RequestError, match="translations"):
            join.adjusted(Moving(4, translations=False).at(0.0), 0.0)
        with pytest.raises(RequestError, match="9 and 4 joints"):
            join.adjusted(Pose(np.zeros(3), quat.identity(4), np.zeros((4, 3))), 0.0)
        with pytest.raises(RequestError, match="9 and 4 joints"):
            difference_rate(join.turns, before.rate(0.8), Rate(np.zeros(3), np.zeros((4, 3))))
        with pytest.raises(RequestError, match="finite"):
            Rate(np.array([0.0, np.nan, 0.0]), np.zeros((JOINTS, 3)))
