"""Depth of two tapered rods, judged by a dense search and by closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from footfall.models.stepspace.apart_limbs_kernel import rod_depth

KINDS = ("any", "parallel", "alike", "point", "points", "nested", "nearly parallel", "thick", "crossing")
SHARES = np.linspace(0.0, 1.0, 301)


def rods(
    kind: str, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Starts and directions of two rods, and radii of their ends."""
    a, b, u, v = 0.3 * rng.normal(size=(4, 3))
    thick = rng.uniform(0.0, 0.1, 4)
    if kind == "parallel":
        v = u * rng.choice([-1.0, 1.0]) * rng.uniform(0.2, 2.0)
    elif kind == "alike":
        b, v = a, u
    elif kind == "point":
        u = np.zeros(3)
    elif kind == "points":
        u = v = np.zeros(3)
    elif kind == "nested":
        b, v = a + 0.3 * u, 0.4 * u
    elif kind == "nearly parallel":
        v = u + 10.0 ** rng.uniform(-14, -3) * rng.normal(size=3)
    elif kind == "thick":
        thick = rng.uniform(0.0, 2.0, 4)
    elif kind == "crossing":
        b = a + rng.uniform() * u - rng.uniform() * v
    return a, u, b, v, thick


def depth(a: np.ndarray, u: np.ndarray, b: np.ndarray, v: np.ndarray, thick: np.ndarray) -> float:
    return float(rod_depth(*(tuple(map(float, part)) for part in (a, u, b, v, thick))))


@pytest.mark.parametrize("kind", KINDS)
def test_no_pair_of_balls_is_deeper_and_one_is_as_deep(kind: str) -> None:
    rng = np.random.default_rng(KINDS.index(kind))
    for _ in range(60):
        a, u, b, v, thick = rods(kind, rng)
        middles, others = a + SHARES[:, None] * u, b + SHARES[:, None] * v
        radii = thick[0] + SHARES * (thick[1] - thick[0])
        other_radii = thick[2] + SHARES * (thick[3] - thick[2])
        away = np.linalg.norm(middles[:, None] - others, axis=-1)
        dense = float((radii[:, None] + other_radii - away).max())
        # the depth changes along a rod by no more than it is long and its radius changes
        slack = (
            0.5
            * (SHARES[1] - SHARES[0])
            * sum(np.linalg.norm(w) + abs(r - s) for w, r, s in ((u, *thick[:2]), (v, *thick[2:])))
        )
        found = depth(a, u, b, v, thick)
        assert dense - 1e-12 <= found <= dense + slack + 1e-12
        assert_allclose(depth(b, v, a, u, thick[[2, 3, 0, 1]]), found, rtol=0.0, atol=1e-12)
        assert_allclose(depth(a + u, -u, b, v, thick[[1, 0, 2, 3]]), found, rtol=0.0, atol=1e-12)


def test_closed_forms() -> None:
    zero, x, y = np.zeros(3), np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
    even, taper = np.full(4, 0.1), np.array([0.1, 0.3, 0.1, 0.3])
    assert depth(zero, x, zero, x, taper) == pytest.approx(0.6)  # the wide ends
    assert depth(zero, x, x, -x, taper) == pytest.approx(0.4)  # everywhere alike
    assert depth(zero, x, y, x, taper) == pytest.approx(0.6 - 1.0)
    assert depth(zero, x, 2.0 * x, x, even) == pytest.approx(-0.8)  # one behind the other
    assert depth(zero, zero, y, zero, taper) == pytest.approx(0.6 - 1.0)
    # a ball beside a cone: the distance from its side, whose slope is the sine of half its angle
    cone = np.array([0.0, 0.6, 0.0, 0.0])
    assert depth(zero, x, 0.2 * y, zero, cone) == pytest.approx(0.2 * -0.8)
    # two cones that cross at right angles over each other, from their middles outwards
    cross = depth(
        -x, 2.0 * x, y - np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, 2.0]), np.array([0.1, 0.5, 0.2, 0.2])
    )
    assert cross == pytest.approx(0.5 - np.sqrt(1.0 - 0.2**2))
