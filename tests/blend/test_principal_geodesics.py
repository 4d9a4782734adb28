"""Principal geodesics: means and axes against scipy and a decomposition by hand, round trips, long turns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from footfall import VirtualActor
from footfall.blend.principal_geodesics import Geodesics, karcher_mean
from footfall.errors import RequestError
from footfall.figure.kinematics import forward
from footfall.geometry import quaternion as quat


def turned(vectors: np.ndarray) -> np.ndarray:
    return (
        Rotation.from_rotvec(vectors.reshape(-1, 3))
        .as_quat(scalar_first=True)
        .reshape(*vectors.shape[:-1], 4)
    )


def some(seed: int, poses: int = 40, joints: int = 5, spread: float = 0.5) -> np.ndarray:
    """Rotations of joints about means of their own, with signs at random."""
    rng = np.random.default_rng(seed)
    means = turned(rng.normal(size=(joints, 3)))
    away = turned(spread * rng.normal(size=(poses, joints, 3)) * rng.uniform(0.1, 1.0, (joints, 1)))
    return quat.multiply(means, away) * rng.choice([-1.0, 1.0], (poses, joints, 1))


def apart(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Radians between rotations, told by scipy."""
    one, other = (Rotation.from_quat(q.reshape(-1, 4), scalar_first=True) for q in (a, b))
    return np.asarray((one.inv() * other).magnitude())


def tenths(power: float) -> float:
    return float(10.0**power)


@pytest.mark.cpu
@given(st.integers(0, 10_000), st.integers(1, 30), st.floats(0.0, 0.5) | st.floats(-17, -1).map(tenths))
@settings(max_examples=50, deadline=None)
@example(0, 2, 1e-10)
@example(1, 30, 9e-10)
def test_rotation_vectors_about_the_mean_sum_to_zero(seed: int, poses: int, spread: float) -> None:
    rotations = some(seed, poses, spread=spread)
    for mean, of in zip(karcher_mean(rotations), np.moveaxis(rotations, 1, 0), strict=True):
        away = Rotation.from_quat(mean, scalar_first=True).inv() * Rotation.from_quat(of, scalar_first=True)
        assert np.abs(away.as_rotvec().mean(axis=0)).max() < 1e-15


def test_mean_is_scipys_where_both_are_one() -> None:
    """The mean of quaternions is another, but the same for two rotations, and all but so for near ones."""
    two = some(1, poses=2)
    near = some(2, spread=0.01)
    for rotations, within in ((two, 1e-7), (near, 2e-6)):
        theirs = [
            Rotation.from_quat(q, scalar_first=True).mean().as_quat(scalar_first=True)
            for q in np.moveaxis(rotations, 1, 0)
        ]
        assert apart(karcher_mean(rotations), np.array(theirs)).max() < within


@pytest.mark.parametrize("weighed", [False, True])
def test_axes_are_those_of_a_decomposition_by_hand(weighed: bool) -> None:
    rotations = some(3)
    importance = np.array([4.0, 1.0, 0.25, 9.0, 0.01]) if weighed else np.ones(5)
    found, scores = Geodesics.of(rotations, 1.0, importance=importance)
    vectors = np.stack(
        [
            (
                Rotation.from_quat(m, scalar_first=True).inv() * Rotation.from_quat(q, scalar_first=True)
            ).as_rotvec()
            for m, q in zip(found.mean, np.moveaxis(rotations, 1, 0), strict=True)
        ],
        axis=1,
    )
    flat = (vectors * np.sqrt(importance)[:, None]).reshape(len(rotations), -1)
    variation, axes = np.linalg.eigh(flat.T @ flat)
    assert_allclose((scores**2).sum(axis=0), variation[::-1], rtol=1e-9)
    mine = (found.axes * np.sqrt(importance)[:, None]).reshape(15, 15)
    assert_allclose(np.abs(mine @ axes[:, ::-1]), np.eye(15), atol=1e-7)
    assert_allclose(mine @ mine.T, np.eye(15), atol=1e-12)
    assert_allclose(scores, flat @ mine.T, atol=1e-12)


@given(st.integers(0, 10_000), st.integers(1, 20), st.integers(1, 6), st.floats(0.0, 3.0))
@settings(max_examples=60, deadline=None)
def test_all_modes_give_rotations_back(seed: int, poses: int, joints: int, spread: float) -> None:
    rotations = some(seed, poses, joints, spread)
    importance = np.random.default_rng(seed).uniform(0.01, 10.0, joints)
    found, scores = Geodesics.of(rotations, 1.0, importance=importance)
    assert apart(found.rotations(found.tangents_of(scores)), rotations).max() < 1e-9
    assert found.kept(rotations) == pytest.approx(1.0)
    assert len(found.axes) <= min(poses, 3 * joints)


def test_modes_are_the_fewest_that_keep_the_share() -> None:
    rotations = some(5)
    for share in (0.5, 0.9, 0.99):
        found, scores = Geodesics.of(rotations, share)
        fewer, _ = Geodesics.of(rotations, share, most=len(found.axes) - 1)
        assert len(fewer.axes) == len(found.axes) - 1
        assert fewer.kept(rotations) < share <= found.kept(rotations)
        assert_allclose(found.scores(rotations), scores, atol=1e-14)
        assert_array_equal(fewer.axes, found.axes[:-1])


def test_importance_moves_the_error_to_what_counts_less() -> None:
    rotations = some(6, joints=2)
    errors = []
    for first in (1e-3, 1.0, 1e3):
        found, scores = Geodesics.of(rotations, 1.0, importance=np.array([first, 1.0]), most=3)
        left = apart(found.rotations(found.tangents_of(scores)), rotations).reshape(-1, 2)
        errors.append((left**2).mean(axis=0))
    light, even, heavy = errors
    assert light[0] > even[0] > heavy[0]
    assert light[1] < even[1] < heavy[1]
    assert heavy[0] < 1e-4 * heavy[1]


def test_still_joints_cost_nothing_and_stay_as_they_are() -> None:
    rotations = some(7)
    still = quat.normalize(np.array([0.3, -0.5, 0.1, 0.7]))
    signs = np.where(np.arange(40) % 3 == 0, -1.0, 1.0)[:, None]
    wider = np.insert(rotations, [0, 2, 5], (still * signs)[:, None], axis=1)
    found, scores = Geodesics.of(wider)
    alone, expected = Geodesics.of(rotations)
    assert_array_equal(scores, expected)
    assert_array_equal(found.moving, [1, 2, 4, 5, 6])
    assert_array_equal(found.axes[:, found.moving], alone.axes)
    assert_array_equal(found.axes[:, [0, 3, 7]], 0.0)
    assert_array_equal(found.rotations(found.tangents_of(scores))[:, 3], np.tile(still, (40, 1)))


def test_nothing_moves() -> None:
    found, scores = Geodesics.of(np.tile(some(8)[:1], (6, 1, 1)))
    assert scores.shape == (6, 0)
    assert found.axes.shape == (0, 5, 3)
    assert apart(found.rotations(found.tangents_of(scores)), np.tile(some(8)[:1], (6, 1, 1))).max() < 1e-9


def test_signs_of_quaternions_do_not_matter() -> None:
    """Not even at half a turn from the mean, where neither quaternion is the nearer."""
    base = some(9, joints=1)
    angles = np.array([np.pi, np.pi - 1e-12, np.pi - 1e-3, 3.0, 0.0])
    found = Geodesics(np.array([[1.0, 0, 0, 0]]), np.eye(3)[:, None], np.ones(1))
    for axis in (np.array([1.0, 0, 0]), np.array([0, -1.0, 0]), np.array([0.0, 0.6, -0.8])):
        far = turned(angles[:, None, None] * axis)
        far[0] = np.append(0.0, axis)
        assert_array_equal(found.tangents(far), found.tangents(-far))
        assert apart(found.rotations(found.tangents(far)), far).max() < 1e-12
    together = np.concatenate([base, quat.multiply(base[:5], far)])
    flipped = together * np.where(np.arange(len(together)) % 2, -1.0, 1.0)[:, None, None]
    (one, scores), (other, same) = Geodesics.of(together, 1.0), Geodesics.of(flipped, 1.0)
    assert_allclose(one.axes, other.axes, atol=1e-12)
    assert_allclose(scores, same, atol=1e-12)


def test_hinge_with_a_wide_range_is_one_mode() -> None:
    angles = np.linspace(-2.7, 2.7, 41)
    rotations = turned(angles[:, None, None] * np.array([0.0, 0.6, 0.8]))
    _, scores = Geodesics.of(rotations, 1.0 - 1e-9)
    assert scores.shape == (41, 1)
    assert_allclose(scores[:, 0], angles, atol=1e-9)


def test_axes_have_one_sign_for_ever() -> None:
    """The first of their largest components is positive, whatever order the poses come in."""
    rotations = some(10)
    found, _ = Geodesics.of(rotations, 1.0)
    turned_round, _ = Geodesics.of(rotations[::-1], 1.0)
    assert_allclose(found.axes, turned_round.axes, atol=1e-9)
    for axis in found.axes.reshape(len(found.axes), -1):
        assert axis[np.abs(axis) >= 0.99 * np.abs(axis).max()][0] > 0.0
    assert_array_equal(found.axes, Geodesics.of(rotations, 1.0)[0].axes)


def test_batches_of_any_shape() -> None:
    rotations = some(11)
    found, scores = Geodesics.of(rotations)
    loops = rotations.reshape(4, 10, 5, 4)
    assert_allclose(found.scores(loops), scores.reshape(4, 10, -1), atol=1e-14)
    assert_allclose(found.tangents_of(scores[0]), found.tangents_of(scores)[0], atol=1e-14)
    assert not found.axes.flags.writeable


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"share": 0.0}, "share"),
        ({"share": 1.5}, "share"),
        ({"share": np.nan}, "share"),
        ({"most": 0}, "most"),
        ({"rotations": some(0)[0]}, "rotations"),
        ({"rotations": some(0)[:0]}, "poses"),
        ({"rotations": np.full((3, 2, 4), np.nan)}, "finite"),
        ({"importance": np.array([1.0, 0, 1, 1, 1])}, "over 0"),
        ({"importance": np.ones(4)}, "importance"),
    ],
)
def test_refusals(change: dict[str, object], words: str) -> None:
    with pytest.raises(RequestError, match=words):
        Geodesics.of(**{"rotations": some(0), **change})


def test_scores_of_other_modes_are_refused() -> None:
    found, scores = Geodesics.of(some(0))
    with pytest.raises(RequestError, match="modes"):
        found.tangents_of(scores[:, :-1])


@pytest.mark.slow
def test_walks_of_a_ring_session() -> None:
    """43 walks: fewer modes than the paper's 42, fingers for nothing, and feet that importance keeps."""
    clips = VirtualActor().perform("rings")[:43]
    skeleton = clips[0].motion.skeleton
    cycles = []
    for clip in clips:
        start, end = (round(clip.keytimes[k] * clip.motion.fps) for k in (2, 4))
        cycles.append(clip.motion.rotations[start:end])
    poses = np.concatenate(cycles)

    def placed(rotations: np.ndarray) -> np.ndarray:
        return forward(skeleton.tree, skeleton.offsets, np.zeros((len(poses), 3)), rotations)[0]

    true = placed(poses)
    reach = np.full(len(skeleton.names), 0.02)
    for joint in range(len(skeleton.names)):
        above = skeleton.tree.parents[joint]
        while above >= 0:
            away = np.sqrt(((true[:, joint] - true[:, above]) ** 2).sum(axis=-1).mean())
            reach[above] = max(reach[above], away)
            above = skeleton.tree.parents[above]
    feet = [skeleton.joint(f"{side}_foot") for side in ("left", "right")]
    worst = {}
    for named, importance in (("plain", None), ("by reach", reach[1:] ** 2)):
        found, scores = Geodesics.of(poses[:, 1:], 0.999, importance=importance)
        told = np.concatenate([poses[:, :1], found.rotations(found.tangents_of(scores))], axis=1)
        worst[named] = np.linalg.norm(placed(told) - true, axis=-1)[:, feet].max()
        assert len(found.axes) <= 25  # of 63
        assert not any("index" in skeleton.names[1 + j] for j in found.moving)
    assert worst["by reach"] < worst["plain"] < 0.025
