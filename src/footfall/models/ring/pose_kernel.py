"""A pose of a ring, compiled: weighted sums of the loops' tangents, and a leg's way down from the root."""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import (
    exp,
    multiply,
    put_quaternion,
    put_vector,
    quaternion_at,
    rotate,
    vector_at,
)
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
QUICKER = np.float32(0.85)  # than loops with positive weights are: no more do those with negative ones hurry


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
        turn = multiply(quaternion_at(numbers, at), exp((x, y, z)))
        put_quaternion(pose, 3 + 4 * int(numbers[joint + m]), turn)
        at += 4


@kernel(f"void({SIZES}, {NUMBERS}, int64, int64, float64[::1], float64[::1])")
def go_down(sizes, numbers, side, links, turns, foot):  # type: ignore[no-untyped-def]
    """From the root to a foot: the ankle's place beside the root, then the foot's orientation.

    Joints' rotations are read from `turns`: the root's first and all others after it, in the order of the
    skeleton, or (`links`) of the links.
    """
    chain = sizes[CHAIN]
    at = sizes[AT_CHAINS] + 5 * chain * side
    px = py = pz = 0.0
    q = quaternion_at(turns, 0)
    for _ in range(chain):
        joint = int(numbers[at + links])
        if joint < 0:
            break
        a, b, c = rotate(q, vector_at(numbers, at + 2))
        px, py, pz = px + a, py + b, pz + c
        q = multiply(q, quaternion_at(turns, 4 * joint))
        at += 5
    put_vector(foot, 0, (px, py, pz))
    put_quaternion(foot, 3, q)
