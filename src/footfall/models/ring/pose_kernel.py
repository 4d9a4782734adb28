"""A pose of a ring, compiled: weighted sums of the loops' tangents, and a leg's way down from the root."""

from __future__ import annotations

from math import factorial

import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.models.ring.layout import (
    AT_CHAINS,
    AT_MEANS,
    AT_MOVED,
    CHAIN,
    FRAMES,
    LOOPS,
    MOVING,
)

ROWS = "Array(float32, 3, 'C', readonly=True)"  # frames, loops, channels
NUMBERS = "Array(float64, 1, 'C', readonly=True)"
SIZES = "Array(int64, 1, 'C', readonly=True)"
# of cos(sqrt q) and sin(sqrt q) / (2 sqrt q), the smallest first; enough for the last digit up to LARGE, and
# without the first FEWER up to SMALL
TERMS, FEWER = 11, 4
COSINE = tuple((-1.0) ** k / factorial(2 * k) for k in reversed(range(TERMS)))
SINE = tuple(0.5 * (-1.0) ** k / factorial(2 * k + 1) for k in reversed(range(TERMS)))
SMALL = 0.15  # of a quarter of an angle's square, and so
LARGE = 2.3  # beyond it the series is left for sine and cosine
QUICKER = np.float32(0.85)  # than loops with positive weights are: no more do those with negative ones hurry


@kernel()
def put_product(out, i, aw, ax, ay, az, bw, bx, by, bz):  # type: ignore[no-untyped-def]
    out[i] = aw * bw - ax * bx - ay * by - az * bz
    out[i + 1] = aw * bx + ax * bw + ay * bz - az * by
    out[i + 2] = aw * by - ax * bz + ay * bw + az * bx
    out[i + 3] = aw * bz + ax * by - ay * bx + az * bw


@kernel("UniTuple(float64, 2)(float64)")
def half_turn(square):  # type: ignore[no-untyped-def]
    """cos(a / 2) and sin(a / 2) / a of an angle's square."""
    q = 0.25 * square
    if q > LARGE:
        half = np.sqrt(q)
        return np.cos(half), 0.5 * np.sin(half) / half
    # Horner's rule, from the smallest term
    if q < SMALL:
        c, s = COSINE[FEWER], SINE[FEWER]
        for k in range(FEWER + 1, TERMS):
            c = c * q + COSINE[k]
            s = s * q + SINE[k]
        return c, s
    c, s = COSINE[0], SINE[0]
    for k in range(1, TERMS):
        c = c * q + COSINE[k]
        s = s * q + SINE[k]
    return c, s


@kernel(fastmath={"reassoc", "contract"})
def usual_seconds(here, there, share, weights):  # type: ignore[no-untyped-def]
    """Of a frame, in the mean of the loops with positive weights; of weights that sum to 1 some are."""
    lasts = left = whole = np.float32(0.0)
    for s in range(here.size):
        w = max(np.float32(weights[s]), np.float32(0.0))
        whole += w
        lasts += w * here[s]
        left += w * there[s]
    return (lasts + share * (left - lasts)) / whole


@kernel(
    f"void({ROWS}, {SIZES}, {NUMBERS}, float64, float64[::1], float32[::1], float64[::1])",
)
def blend_joints(rows, sizes, numbers, frame, weights, total, pose):  # type: ignore[no-untyped-def]
    """y(t, w) = sum_s w_s l_s(t) ([rings] 3): joints into the pose, from its fourth number on.

    `total` is left with all channels: tangents, then seconds a frame, then contacts. Seconds are kept near
    those of the loops that have positive weights: what a slow loop takes off with a negative one would leave
    next to none, and a knee that bends as it should would jerk.
    """
    frames, loops, moving = sizes[FRAMES], sizes[LOOPS], sizes[MOVING]
    i = int(frame) % frames
    j = (i + 1) % frames
    share = np.float32(frame - np.floor(frame))
    channels = total.size
    for c in range(channels):
        total[c] = np.float32(0.0)
    for s in range(loops):
        w = np.float32(weights[s])
        v = w * share
        u = w - v
        a, b = rows[i, s], rows[j, s]
        for c in range(channels):
            total[c] += u * a[c] + v * b[c]
    c = 3 * moving
    usual = usual_seconds(rows[i, :, c], rows[j, :, c], share, weights)
    total[c] = min(max(total[c], QUICKER * usual), usual / QUICKER)
    at, joint = sizes[AT_MEANS], sizes[AT_MOVED]
    for m in range(moving):
        x, y, z = float(total[m]), float(total[moving + m]), float(total[2 * moving + m])
        c, s = half_turn(x * x + y * y + z * z)
        put_product(
            pose,
            3 + 4 * int(numbers[joint + m]),
            numbers[at],
            numbers[at + 1],
            numbers[at + 2],
            numbers[at + 3],
            c,
            s * x,
            s * y,
            s * z,
        )
        at += 4


@kernel()
def turned(w, x, y, z, a, b, c):  # type: ignore[no-untyped-def]
    """A vector turned by a quaternion."""
    u, v, t = 2.0 * (y * c - z * b), 2.0 * (z * a - x * c), 2.0 * (x * b - y * a)
    return a + w * u + y * t - z * v, b + w * v + z * u - x * t, c + w * t + x * v - y * u


@kernel(f"void({SIZES}, {NUMBERS}, int64, int64, float64[::1], float64[::1])")
def go_down(sizes, numbers, side, links, turns, foot):  # type: ignore[no-untyped-def]
    """From the root to a foot: the ankle's place beside the root, then the foot's orientation.

    Joints' rotations are read from `turns`: the root's first and all others after it, in the order of the
    skeleton, or (`links`) of the links.
    """
    chain = sizes[CHAIN]
    at = sizes[AT_CHAINS] + 5 * chain * side
    px = py = pz = 0.0
    w, x, y, z = turns[0], turns[1], turns[2], turns[3]
    for _ in range(chain):
        joint = int(numbers[at + links])
        if joint < 0:
            break
        a, b, c = turned(w, x, y, z, numbers[at + 2], numbers[at + 3], numbers[at + 4])
        px, py, pz = px + a, py + b, pz + c
        i = 4 * joint
        bw, bx, by, bz = turns[i], turns[i + 1], turns[i + 2], turns[i + 3]
        w, x, y, z = (
            w * bw - x * bx - y * by - z * bz,
            w * bx + x * bw + y * bz - z * by,
            w * by - x * bz + y * bw + z * bx,
            w * bz + x * by - y * bx + z * bw,
        )
        at += 5
    foot[0], foot[1], foot[2], foot[3], foot[4], foot[5], foot[6] = px, py, pz, w, x, y, z


@kernel()
def one_after_other(ax, ay, az, bx, by, bz):  # type: ignore[no-untyped-def]
    """The rotation vector of turning by `a`, then by `b`."""
    if bx == 0.0 and by == 0.0 and bz == 0.0:
        return ax, ay, az
    aw, a = half_turn(ax * ax + ay * ay + az * az)
    bw, b = half_turn(bx * bx + by * by + bz * bz)
    ax, ay, az, bx, by, bz = a * ax, a * ay, a * az, b * bx, b * by, b * bz
    w = bw * aw - bx * ax - by * ay - bz * az
    x = bw * ax + bx * aw + by * az - bz * ay
    y = bw * ay - bx * az + by * aw + bz * ax
    z = bw * az + bx * ay - by * ax + bz * aw
    sine = np.sqrt(x * x + y * y + z * z)
    scale = 2.0 * np.arctan2(sine, w) / sine if sine > 1e-12 else 2.0
    return scale * x, scale * y, scale * z
