"""Half-planes against what they mean: which velocities touch within the horizon."""

from __future__ import annotations

import numpy as np
import pytest

from footfall.planning.half_planes_kernel import clear_of_disc, clear_of_wall, out_of_disc

NONE = np.full((2, 0, 2), np.nan)


def between_segments(a: np.ndarray, b: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Distances of the segments from 0 to each end from the segment a b."""

    def from_segment(p: np.ndarray, s: np.ndarray, e: np.ndarray) -> np.ndarray:
        along = e - s
        share = np.sum((p - s) * along, -1) / np.maximum(np.sum(along * along, -1), 1e-300)
        return np.linalg.norm(p - s - np.clip(share, 0, 1)[..., None] * along, axis=-1)

    def cross(u: np.ndarray, w: np.ndarray) -> np.ndarray:
        return u[..., 0] * w[..., 1] - u[..., 1] * w[..., 0]

    zero = np.zeros_like(ends)
    least = np.minimum.reduce(
        [
            from_segment(zero, a, b),
            from_segment(ends, a, b),
            from_segment(np.broadcast_to(a, ends.shape), zero, ends),
            from_segment(np.broadcast_to(b, ends.shape), zero, ends),
        ]
    )
    crosses = (cross(ends, a) * cross(ends, b) < 0) & (cross(b - a, -a) * cross(b - a, ends - a) < 0)
    return np.where(crosses, 0.0, least)


def touches(v: np.ndarray, a: np.ndarray, b: np.ndarray, radius: float, horizon: float) -> np.ndarray:
    return between_segments(a, b, v * horizon) < radius


def check_nearest(v, n, c, a, b, radius, horizon, rng) -> None:  # type: ignore[no-untyped-def]
    """The plane allows nothing that touches, and its foot is the rim's nearest point."""
    others = v + rng.normal(0.0, 2.0, (3000, 2))
    assert not (touches(others, a, b, radius, horizon) & (others @ n > c + 1e-9)).any()
    out = n @ v - c
    foot = v - out * n
    assert touches((foot - 1e-6 * n)[None], a, b, radius, horizon)[0]
    inside = touches(v[None], a, b, radius, horizon)[0]
    assert inside == (out < 0.0)
    angles = rng.uniform(-np.pi, np.pi, 1000)
    round_it = v + 0.999 * abs(out) * np.stack([np.cos(angles), np.sin(angles)], -1)
    assert (touches(round_it, a, b, radius, horizon) == inside).all()


def test_disc_planes_are_where_touching_begins() -> None:
    for seed in range(60):
        rng = np.random.default_rng(seed)
        radius, horizon = rng.uniform(0.2, 1.0), rng.uniform(0.3, 4.0)
        angle = rng.uniform(-np.pi, np.pi)
        p = (radius + rng.exponential(2.0) + 1e-3) * np.array([np.cos(angle), np.sin(angle)])
        v = (
            rng.normal(0.0, 1.5, 2)
            if seed % 2
            else p / horizon * rng.uniform(0.2, 3.0) + rng.normal(0, 0.2, 2)
        )
        nx, nz, depth = clear_of_disc(*p, *v, radius, horizon, 1.0)
        n = np.array([nx, nz])
        assert np.hypot(nx, nz) == pytest.approx(1.0, abs=1e-12)
        check_nearest(v, n, n @ v + depth, p, p, radius, horizon, rng)


def test_wall_planes_are_where_touching_begins() -> None:
    for seed in range(120):
        rng = np.random.default_rng(1000 + seed)
        radius, horizon = rng.uniform(0.2, 0.6), rng.uniform(0.3, 3.0)
        while True:
            a, b = rng.normal(0.0, 3.0, (2, 2))
            if seed % 4 == 0:  # seen from its end
                b = a * rng.uniform(1.2, 3.0) + rng.normal(0.0, 0.1, 2)
            if between_segments(a, b, np.zeros((1, 2)))[0] > radius + 1e-3:
                break
        middle = (a + rng.uniform() * (b - a)) / horizon
        v = rng.normal(0.0, 1.5, 2) if seed % 2 else middle * rng.uniform(0.5, 2.0) + rng.normal(0.0, 0.2, 2)
        here = rng.normal(0.0, 5.0, 2)
        wall = np.concatenate([a + here, b + here])
        nx, nz, c = clear_of_wall(wall, NONE, *here, *v, radius, horizon, 1.0)
        assert c <= 0.0  # standing still is always allowed
        assert np.hypot(nx, nz) == pytest.approx(1.0, abs=1e-12)
        check_nearest(v, np.array([nx, nz]), c, a, b, radius, horizon, rng)


def test_a_joined_wall_is_no_way_past() -> None:
    """Before the joint of a straight wall each half's nearest way out is across the other."""
    left, right = np.array([-5.0, 1.0, 0.0, 1.0]), np.array([0.0, 1.0, 5.0, 1.0])
    alone = clear_of_wall(left, NONE, 0.0, 0.0, 0.0, 3.0, 0.3, 1.0, 1.0)
    assert abs(alone[0]) > 0.5  # past its end
    joints = np.full((2, 1, 2), np.nan)
    joints[1, 0] = right[2:]
    _, nz, c = clear_of_wall(left, joints, 0.0, 0.0, 0.0, 3.0, 0.3, 1.0, 1.0)
    # a plane towards the wall, which holds for all of the left half and lets slide along it
    assert nz < -0.9
    assert c == pytest.approx(-0.7, abs=0.1)


@pytest.mark.parametrize("seed", range(20))
def test_out_of_disc_is_clear_after_the_time(seed: int) -> None:
    rng = np.random.default_rng(seed)
    radius, seconds = rng.uniform(0.3, 1.0), rng.uniform(0.02, 0.3)
    p, v = rng.normal(0.0, 0.2, 2), rng.normal(0.0, 1.0, 2)
    nx, nz, depth = out_of_disc(*p, *v, radius, seconds, 0.0)
    n = np.array([nx, nz])
    others = v + rng.normal(0.0, radius / seconds, (2000, 2))
    clear = others @ n >= n @ v + depth
    assert clear.any()
    assert (np.linalg.norm(others[clear] * seconds - p, axis=1) >= radius - 1e-9).all()


def test_those_at_one_place_part_by_a_given_angle() -> None:
    assert out_of_disc(0.0, 0.0, 0.5, 0.5, 0.6, 0.1, 0.3)[:2] != (0.0, 0.0)
    nx, nz, depth = out_of_disc(0.0, 0.0, 0.0, 0.0, 0.6, 0.1, 0.3)
    assert (nx, nz, depth) == pytest.approx((np.cos(0.3), np.sin(0.3), 6.0))


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_what_is_dead_ahead_is_passed_on_the_kept_side(side: float) -> None:
    """Ahead is +Z, so the right is -X."""
    nx, _, _ = clear_of_disc(0.0, 2.0, 0.0, 2.0, 0.6, 2.0, side)
    assert -side * nx > 0.9
    nx, _, _ = clear_of_wall(np.array([-0.1, 2.0, 0.1, 2.0]), NONE, 0.0, 0.0, 0.0, 9.0, 0.3, 2.0, side)
    assert -side * nx > 0.9
