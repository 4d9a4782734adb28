"""The small programs against all corners there are, and against SciPy."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import minimize

from footfall.planning.linear_program_kernel import least_breach, nearest_allowed

NEAR = 1e-7  # m/s


def circles(reach: tuple[float, ...]) -> list[tuple[np.ndarray, float]]:
    s, ax, az, ar = reach
    return [(np.zeros(2), s)] + ([(np.array([ax, az]), ar)] if np.isfinite(ar) else [])


def corners(planes: np.ndarray, reach: tuple[float, ...], wish: np.ndarray) -> np.ndarray:
    """All velocities that could be the nearest: the wish, its feet on lines and rims, where those meet."""
    found = [wish]
    rims = circles(reach)
    for middle, radius in rims:
        away = wish - middle
        found.append(middle + radius * away / max(float(np.hypot(*away)), 1e-300))
    for n, c in zip(planes[:, :2], planes[:, 2], strict=True):
        along = np.array([-n[1], n[0]])
        found.append(wish + (c - n @ wish) * n)
        for middle, radius in rims:
            off = c - n @ middle
            if abs(off) <= radius:
                half = np.sqrt(radius**2 - off**2)
                found += [middle + off * n + half * along, middle + off * n - half * along]
    for a, b in combinations(planes, 2):
        if abs(a[0] * b[1] - a[1] * b[0]) > 1e-9:
            found.append(np.linalg.solve(np.stack([a[:2], b[:2]]), np.array([a[2], b[2]])))
    if len(rims) == 2:
        (_, s), (middle, ar) = rims
        square = float(middle @ middle)
        along = 0.5 * (1.0 + (s * s - ar * ar) / square) if square > 0.0 else np.inf
        if s * s / max(square, 1e-300) >= along**2:
            across = np.sqrt(s * s / square - along**2) * np.array([-middle[1], middle[0]])
            found += [along * middle + across, along * middle - across]
    return np.array(found)


def allowed(v: np.ndarray, planes: np.ndarray, reach: tuple[float, ...], slack: float = NEAR) -> np.ndarray:
    fits = (v @ planes[:, :2].T >= planes[:, 2] - slack).all(axis=-1)
    for middle, radius in circles(reach):
        fits &= np.linalg.norm(v - middle, axis=-1) <= radius + slack
    return fits


def question(seed: int) -> tuple[np.ndarray, tuple[float, float, float, float], np.ndarray]:
    rng = np.random.default_rng(seed)
    angles = rng.uniform(-np.pi, np.pi, rng.integers(1, 12))
    planes = np.stack([np.cos(angles), np.sin(angles), rng.normal(-0.4, 0.6, len(angles))], axis=-1)
    if seed % 5 == 0:  # face to face, and the same again
        planes = np.concatenate([planes, -planes[:1], planes[:1]])
    now = rng.normal(size=2)
    now *= min(1.0, 1.5 / np.hypot(*now))
    reach = (1.5, *now, rng.uniform(0.1, 2.0) if seed % 2 else np.inf)
    return np.ascontiguousarray(planes), reach, 1.5 * rng.normal(size=2)


@pytest.mark.parametrize("block", range(4))
def test_nearest_allowed_is_the_best_of_all_corners(block: int) -> None:
    possible = 0
    for seed in range(250 * block, 250 * (block + 1)):
        planes, reach, wish = question(seed)
        kept, *v = nearest_allowed(planes, len(planes), reach, *wish)
        choices = corners(planes, reach, wish)
        choices = choices[allowed(choices, planes, reach)]
        if kept < len(planes):
            # what was kept is kept, and with the next row there is nothing
            assert allowed(np.array(v), planes[:kept], reach)
            most = planes[: kept + 1]
            strict = corners(most, reach, wish)
            assert not allowed(strict, most, reach, -1e-6).any()
            continue
        possible += 1
        assert allowed(np.array(v), planes, reach)
        best = np.linalg.norm(choices - wish, axis=-1).min()
        assert np.hypot(*(v - wish)) == pytest.approx(best, abs=1e-6)
    assert 50 < possible < 240


@pytest.mark.parametrize("seed", range(0, 60))
def test_nearest_allowed_agrees_with_slsqp(seed: int) -> None:
    planes, reach, wish = question(seed)
    kept, *v = nearest_allowed(planes, len(planes), reach, *wish)
    if kept < len(planes):
        planes = np.ascontiguousarray(planes[:kept])
    judged = minimize(
        lambda x: np.sum((x - wish) ** 2),
        np.array(v) * 0.9,
        jac=lambda x: 2.0 * (x - wish),
        method="SLSQP",
        constraints=_constraints(planes, reach),
        options={"ftol": 1e-13, "maxiter": 300},
    )
    assert np.hypot(*(v - wish)) <= np.hypot(*(judged.x - wish)) + 1e-5
    if judged.success and allowed(judged.x, planes, reach, 1e-6):
        assert np.allclose(v, judged.x, atol=1e-4)


def _constraints(planes: np.ndarray, reach: tuple[float, ...]) -> list[dict]:
    rows = [{"type": "ineq", "fun": lambda x: planes[:, :2] @ x[:2] - planes[:, 2]}] if len(planes) else []
    for middle, radius in circles(reach):
        rows.append({"type": "ineq", "fun": lambda x, m=middle, r=radius: r * r - np.sum((x[:2] - m) ** 2)})
    return rows


def breach_of(v: np.ndarray, planes: np.ndarray, hard: int) -> float:
    return max(0.0, float((planes[hard:, 2] - planes[hard:, :2] @ v).max(initial=0.0)))


def test_least_breach_agrees_with_slsqp() -> None:
    judged_cases = 0
    for seed in range(400):
        planes, reach, wish = question(seed)
        planes[:, 2] += 0.8
        hard = min(2, len(planes)) if seed % 3 == 0 else 0
        planes[:hard, 2] = -np.abs(planes[:hard, 2])  # standing still keeps them
        if np.isfinite(reach[3]):
            reach = (*reach[:3], reach[3] + np.hypot(*reach[1:3]))  # and can be reached
        breach, *v = least_breach(planes, hard, len(planes), reach, *wish, np.empty_like(planes))
        v = np.array(v)
        assert allowed(v, planes[:hard], reach)
        assert breach_of(v, planes, hard) == pytest.approx(breach, abs=1e-6)
        if breach == 0.0:
            continue
        soft = planes[hard:]
        rows = [
            *_constraints(planes[:hard], reach),
            {"type": "ineq", "fun": lambda x, s=soft: s[:, :2] @ x[:2] + x[2] - s[:, 2]},
        ]
        start = np.array([0.0, 0.0, 3.0])
        judged = minimize(lambda x: x[2], start, method="SLSQP", constraints=rows, options={"ftol": 1e-12})
        if judged.success:
            judged_cases += 1
            assert breach <= judged.x[2] + 1e-5
            assert breach >= judged.x[2] - 1e-4
        # no other velocity with no more breach is nearer to the wish
        eased = planes.copy()
        eased[hard:, 2] -= breach
        others = corners(eased, reach, wish)
        others = others[allowed(others, eased, reach, 1e-9)]
        if len(others):
            assert np.hypot(*(v - wish)) <= np.linalg.norm(others - wish, axis=1).min() + 1e-5
    assert judged_cases > 150


def test_between_two_faces_the_wish_decides() -> None:
    """Two planes face to face are broken alike all along; the rest of the wish is kept."""
    planes = np.array([[1.0, 0.0, 0.4], [-1.0, 0.0, 0.2]])
    breach, x, z = least_breach(planes, 0, 2, (1.5, 0.0, 0.0, np.inf), 0.0, 0.7, np.empty((2, 3)))
    assert (breach, x, z) == pytest.approx((0.3, 0.1, 0.7), abs=1e-7)
