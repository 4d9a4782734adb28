"""How far two convex bodies are from each other, compiled (Gilbert, Johnson, Keerthi 1988).

A body is the sum of points, a disc across its own y axis and a ball: a cylinder is two points and a disc, a
capsule two points and a ball, whatever has flat faces points alone. The ball is left out of the search and
subtracted at its end.
"""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.world.shapes.core import TOUCH
from footfall.world.shapes.simplex_kernel import reduce_simplex

ROUNDS = 200  # at most; flat faces take 5 to 10, rims 10 to 30
ENOUGH = 1e-13  # of the bodies' sizes: a better bound is not sought
GRAIN = 4e-16  # of a distance: what a double tells
SLIP = 1e-14  # of a squared distance: a loss that is no more than rounding
STALLS = (
    8  # rounds without a gain: a corner that is far along a face may bring less than a grain before the next
)
FLAT = 1e-12  # squared sine of a triangle's angle under which its normal is not trusted

POINTS = "Array(float64, 2, 'C', readonly=True)"


@kernel("void(Array(float64, 1, 'C', readonly=True), float64[::1])")
def turn_matrix(q, m):  # type: ignore[no-untyped-def]
    """The rows of a unit quaternion's matrix."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    m[0], m[1], m[2] = 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)
    m[3], m[4], m[5] = 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)
    m[6], m[7], m[8] = 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)


@kernel(
    f"UniTuple(float64, 3)({POINTS}, int64, int64, float64[::1], float64, float64, float64, float64)",
)
def farthest(points, first, last, m, disc, dx, dy, dz):  # type: ignore[no-untyped-def]
    """The point of a turned body, without its ball, that is farthest along a direction."""
    x = m[0] * dx + m[3] * dy + m[6] * dz
    y = m[1] * dx + m[4] * dy + m[7] * dz
    z = m[2] * dx + m[5] * dy + m[8] * dz
    best, found = -np.inf, first
    for i in range(first, last):
        along = points[i, 0] * x + points[i, 1] * y + points[i, 2] * z
        if along > best:
            best, found = along, i
    px, py, pz = points[found, 0], points[found, 1], points[found, 2]
    if disc > 0.0:
        across = np.sqrt(x * x + z * z)
        if across > 0.0:
            px += disc * x / across
            pz += disc * z / across
    return (
        m[0] * px + m[1] * py + m[2] * pz,
        m[3] * px + m[4] * py + m[5] * pz,
        m[6] * px + m[7] * py + m[8] * pz,
    )


@kernel("UniTuple(float64, 3)(float64[:, ::1], int64, float64[::1])")
def _across(s, count, shares):  # type: ignore[no-untyped-def]
    """From the origin towards the simplex, across it.

    Where bodies all but touch, the nearest point itself has lost its direction to rounding: of a triangle it
    is the normal, of an edge what of the point is square to it. Else a corner of the edge would come again.
    """
    x = y = z = 0.0
    for i in range(count):
        x += shares[i] * s[i, 0]
        y += shares[i] * s[i, 1]
        z += shares[i] * s[i, 2]
    if count == 2:
        ax, ay, az = s[0, 0] - s[1, 0], s[0, 1] - s[1, 1], s[0, 2] - s[1, 2]
        share = (x * ax + y * ay + z * az) / (ax * ax + ay * ay + az * az)
        x, y, z = x - share * ax, y - share * ay, z - share * az
    elif count == 3:
        ax, ay, az = s[0, 0] - s[2, 0], s[0, 1] - s[2, 1], s[0, 2] - s[2, 2]
        bx, by, bz = s[1, 0] - s[2, 0], s[1, 1] - s[2, 1], s[1, 2] - s[2, 2]
        nx, ny, nz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
        square = nx * nx + ny * ny + nz * nz
        if square > FLAT * (ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz):
            side = (nx * x + ny * y + nz * z) / square
            if side != 0.0:
                return side * nx, side * ny, side * nz
    return x, y, z


@kernel(
    f"float64({POINTS}, int64, int64, float64[::1], {POINTS}, int64, int64, float64[::1], "
    "UniTuple(float64, 4), UniTuple(float64, 3), float64, UniTuple(float64, 2), "
    "float64[:, ::1], float64[::1])",
)
def separate(  # type: ignore[no-untyped-def]
    points_a, first_a, last_a, turn_a, points_b, first_b, last_b, turn_b, radii, gap, size, bar, s, found
):
    """The distance of two convex bodies; `found` receives their nearest points, relative to a's middle.

    `radii` are a's disc and ball, then b's; `gap` is from a's middle to b's, `size` how far both reach from
    there together, `s` room for a simplex. The answer need not be exact under bar[0] or over bar[1], only on
    the right side.
    """
    disc_a, ball_a, disc_b, ball_b = radii
    ball = ball_a + ball_b
    gx, gy, gz = gap
    shares = s[4]
    ux, uy, uz = -gx, -gy, -gz  # where the origin is not: towards the simplex, of any length
    if ux == 0.0 and uy == 0.0 and uz == 0.0:
        ux = 1.0
    count, square, length, least = 0, np.inf, np.inf, 0.0
    touch, stalls = TOUCH * size, 0
    for _ in range(ROUNDS):
        ax, ay, az = farthest(points_a, first_a, last_a, turn_a, disc_a, -ux, -uy, -uz)
        bx, by, bz = farthest(points_b, first_b, last_b, turn_b, disc_b, ux, uy, uz)
        bx, by, bz = bx + gx, by + gy, bz + gz
        wx, wy, wz = ax - bx, ay - by, az - bz
        # no point of the difference is nearer to the origin than the plane through w across u
        least = max(least, (ux * wx + uy * wy + uz * wz) / np.sqrt(ux * ux + uy * uy + uz * uz))
        if least - ball > bar[1] + touch:
            return least - ball
        if count > 0 and length - least <= ENOUGH * size + GRAIN * length:
            break
        s[count, 0], s[count, 1], s[count, 2] = wx, wy, wz
        s[count, 3], s[count, 4], s[count, 5] = ax, ay, az
        s[count, 6], s[count, 7], s[count, 8] = bx, by, bz
        kept, nearer = reduce_simplex(s, count + 1, shares, square * (1.0 + SLIP))
        if kept == 0:
            if count != 2:
                break
            # the new corner is off the edge by less than rounding tells: what is across all three leads on
            kept, nearer, shares[2] = 3, square, 0.0
        stalls += not nearer < square
        count, square, length = kept, nearer, np.sqrt(nearer)
        if length - ball <= bar[0] or length <= touch or count == 4 or stalls > STALLS:
            break
        ux, uy, uz = _across(s, count, shares)
    for k in range(6):
        found[k] = 0.0
        for i in range(count):
            found[k] += shares[i] * s[i, 3 + k]
    apart = length - ball
    return apart if apart > touch else 0.0
