"""Distances from one body to many, piece by piece, compiled."""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.world.shapes.core import TOUCH
from footfall.world.shapes.gjk_kernel import POINTS, separate, turn_matrix

BODIES = (
    f"{POINTS}, Array(int64, 1, 'C', readonly=True), {POINTS}, Array(int64, 1, 'C', readonly=True), {POINTS}"
)


@kernel()
def turned(m, x, y, z):  # type: ignore[no-untyped-def]
    return m[0] * x + m[1] * y + m[2] * z, m[3] * x + m[4] * y + m[5] * z, m[6] * x + m[7] * y + m[8] * z


@kernel("void(float64[::1], float64, float64, float64)")
def _out_to_balls(near, apart, ball_a, ball_b):  # type: ignore[no-untyped-def]
    """From the nearest points without the balls to those with them; one point where they overlap."""
    x, y, z = near[3] - near[0], near[4] - near[1], near[5] - near[2]
    length = np.sqrt(x * x + y * y + z * z)
    ball = ball_a + ball_b
    if apart > 0.0:
        a, b = ball_a / length, ball_b / length
    elif ball > 0.0:
        a, b = ball_a / ball, ball_b / ball
    else:
        a, b = 0.5, 0.5
    near[0], near[1], near[2] = near[0] + a * x, near[1] + a * y, near[2] + a * z
    near[3], near[4], near[5] = near[3] - b * x, near[4] - b * y, near[5] - b * z


@kernel(
    f"float64({BODIES}, float64[::1], {BODIES}, int64, float64[::1], UniTuple(float64, 2), "
    "float64[:, ::1], float64[::1], float64[::1])",
)
def _from_body(  # type: ignore[no-untyped-def]
    points_a, starts_a, spheres_a, firsts_a, places_a, turn_a,
    points_b, starts_b, spheres_b, firsts_b, places_b, b, turn_b, bar, simplex, found, near,
):  # fmt: skip
    """The distance of body b; `near` receives the nearest points relative to a's middle."""
    gap = (
        places_b[b, 0] - places_a[0, 0],
        places_b[b, 1] - places_a[0, 1],
        places_b[b, 2] - places_a[0, 2],
    )
    size = places_a[0, 9] + places_b[b, 9]
    radii = (places_a[0, 7], places_a[0, 8], places_b[b, 7], places_b[b, 8])
    best = np.sqrt(gap[0] ** 2 + gap[1] ** 2 + gap[2] ** 2) - size
    if best > bar[1] + TOUCH * size:
        return best
    best = np.inf
    for i in range(firsts_a[0], firsts_a[1]):
        ax, ay, az = turned(turn_a, spheres_a[i, 0], spheres_a[i, 1], spheres_a[i, 2])
        for j in range(firsts_b[b], firsts_b[b + 1]):
            bx, by, bz = turned(turn_b, spheres_b[j, 0], spheres_b[j, 1], spheres_b[j, 2])
            between = np.sqrt((gap[0] + bx - ax) ** 2 + (gap[1] + by - ay) ** 2 + (gap[2] + bz - az) ** 2)
            if between - spheres_a[i, 3] - spheres_b[j, 3] > best:
                continue
            apart = separate(
                points_a, starts_a[i], starts_a[i + 1], turn_a,
                points_b, starts_b[j], starts_b[j + 1], turn_b,
                radii, gap, size, (bar[0], min(best, bar[1])), simplex, found,
            )  # fmt: skip
            if apart < best:
                best = apart
                near[:] = found
                if best <= bar[0]:
                    return best
    return best


@kernel(f"void({BODIES}, {BODIES}, float64, float64, float64[:, ::1])")
def separate_many(  # type: ignore[no-untyped-def]
    points_a, starts_a, spheres_a, firsts_a, places_a,
    points_b, starts_b, spheres_b, firsts_b, places_b, enough, most, answers,
):  # fmt: skip
    """Of one body a to all bodies b: the distance, the nearest point of a, the nearest point of b.

    Answers under `enough` or over `most` are only on the right side; their points mean nothing.
    """
    simplex, found, near = np.empty((5, 9)), np.empty(6), np.empty(6)
    turn_a, turn_b = np.empty(9), np.empty(9)
    turn_matrix(places_a[0, 3:7], turn_a)
    for b in range(places_b.shape[0]):
        turn_matrix(places_b[b, 3:7], turn_b)
        near[:] = 0.0
        apart = _from_body(
            points_a, starts_a, spheres_a, firsts_a, places_a, turn_a,
            points_b, starts_b, spheres_b, firsts_b, places_b, b, turn_b, (enough, most),
            simplex, found, near,
        )  # fmt: skip
        _out_to_balls(near, apart, places_a[0, 8], places_b[b, 8])
        answers[b, 0] = apart
        for k in range(6):
            answers[b, 1 + k] = places_a[0, k % 3] + near[k]
