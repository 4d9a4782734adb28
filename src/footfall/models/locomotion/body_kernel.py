"""The body of a blend, compiled: weighted sums of the rotation vectors of loops and stand, and the root."""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import exp, multiply, put_quaternion, quaternion_at
from footfall.models.locomotion.layout import (
    AT_LEGS,
    AT_MEANS,
    AT_SCALARS,
    FRAMES,
    IDLE,
    IDLE_FPS,
    IDLE_TIME,
    LEG,
    LOOPS,
    MOVING,
    PHASE,
    STANDING,
    TOE,
    TOE_MOVES,
    WEIGHTS,
)
from footfall.models.locomotion.leg_kernel import POSE
from footfall.models.locomotion.weights_kernel import NUMBERS, SIZES

ROWS = "Array(float32, 3, 'C', readonly=True)"
IDLE_ROWS = "Array(float32, 2, 'C', readonly=True)"
FOOT_ROWS = "Array(float32, 4, 'C', readonly=True)"


@kernel()
def idle_row(sizes, numbers, state):  # type: ignore[no-untyped-def]
    """The row of the stand that it is at, and how far it is towards the next."""
    at = state[IDLE_TIME] * numbers[sizes[AT_SCALARS] + IDLE_FPS]
    i = int(at)
    return i % sizes[IDLE], at - i


@kernel(f"void({SIZES}, {ROWS}, {IDLE_ROWS}, {NUMBERS}, float64[::1], float32[::1])")
def sum_channels(sizes, rows, idle, numbers, state, total):  # type: ignore[no-untyped-def]
    """All channels at a phase: what loops have by their weights, and of the stand its share."""
    frames, channels = sizes[FRAMES], total.size
    for c in range(channels):
        total[c] = np.float32(0.0)
    stands = state[STANDING]
    if stands < 1.0:
        at = state[PHASE] * frames
        i = int(at)
        share = at - i
        i %= frames
        j = (i + 1) % frames
        for s in range(sizes[LOOPS]):
            w = (1.0 - stands) * state[WEIGHTS + s]
            if w > 0.0:
                u, v = np.float32(w * (1.0 - share)), np.float32(w * share)
                a, b = rows[s, i], rows[s, j]
                for c in range(channels):
                    total[c] += u * a[c] + v * b[c]
    if stands > 0.0:
        i, share = idle_row(sizes, numbers, state)
        u, v = np.float32(stands * (1.0 - share)), np.float32(stands * share)
        a, b = idle[i], idle[(i + 1) % sizes[IDLE]]
        for c in range(channels):
            total[c] += u * a[c] + v * b[c]


@kernel(f"void({SIZES}, {NUMBERS}, float32[::1], float64[::1])")
def turn_joints(sizes, numbers, total, pose):  # type: ignore[no-untyped-def]
    """Rotation vectors to rotations."""
    moving, at = sizes[MOVING], sizes[AT_MEANS]
    for m in range(moving):
        x, y, z = total[m], total[moving + m], total[2 * moving + m]
        turn = exp((np.float64(x), np.float64(y), np.float64(z)))
        k = POSE + 4 * int(numbers[at])
        put_quaternion(pose, k, multiply(quaternion_at(numbers, at + 1), turn))
        at += 5


@kernel(f"void({SIZES}, {NUMBERS}, {FOOT_ROWS}, float64[::1], int64, float64, float64[::1])")
def sum_foot(sizes, numbers, feet, state, side, clock, out):  # type: ignore[no-untyped-def]
    """A foot's channels by its own clock."""
    frames = sizes[FRAMES]
    at = clock * frames
    i = int(at)
    share = at - i
    i %= frames
    j = (i + 1) % frames
    for c in range(9):
        out[c] = 0.0
    for s in range(sizes[LOOPS]):
        w = state[WEIGHTS + s]
        if w > 0.0:
            u, v = w * (1.0 - share), w * share
            a, b = feet[s, side, i], feet[s, side, j]
            for c in range(9):
                out[c] += u * a[c] + v * b[c]


@kernel()
def turn_toe(sizes, numbers, side, foot, idle, state, pose):  # type: ignore[no-untyped-def]
    """The toe by its foot's clock; as far as it stands, as the stand has it."""
    leg = sizes[AT_LEGS] + LEG * side
    if numbers[leg + TOE] < 0.0:
        return
    m, moving = int(numbers[leg + TOE_MOVES]), sizes[MOVING]
    stands = state[STANDING]
    i, share = idle_row(sizes, numbers, state)
    a, b = idle[i], idle[(i + 1) % sizes[IDLE]]
    x = (1.0 - stands) * foot[6] + stands * (a[m] + share * (b[m] - a[m]))
    m += moving
    y = (1.0 - stands) * foot[7] + stands * (a[m] + share * (b[m] - a[m]))
    m += moving
    z = (1.0 - stands) * foot[8] + stands * (a[m] + share * (b[m] - a[m]))
    m -= 2 * moving
    t = exp((x, y, z))
    at = sizes[AT_MEANS] + 5 * m
    k = POSE + 4 * int(numbers[leg + TOE])
    put_quaternion(pose, k, multiply(quaternion_at(numbers, at + 1), t))
