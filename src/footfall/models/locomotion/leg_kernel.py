"""Legs, compiled: from the root to a foot, how far the pelvis must come down, the leg solved to its foot."""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import (
    conjugate,
    exp,
    multiply,
    put_quaternion,
    quaternion_at,
    rotate,
    vector_at,
)
from footfall.models.locomotion.layout import AT_CHAINS, AT_LEGS, CHAIN, KNEE, LEG, SHANK, THIGH
from footfall.models.locomotion.weights_kernel import NUMBERS, SIZES

POSE = 3  # where rotations begin in a pose
# joints of the leg as a chain is gone down: hip, knee and ankle, then how thigh, shank and what carries the
# thigh and the foot are turned
HIP, KNEE_AT, ANKLE_AT, PELVIS, THIGH_TURN, ABOVE_SHANK, SHANK_TURN, ABOVE_FOOT = 0, 3, 6, 9, 13, 17, 21, 25
GONE_DOWN = 29


@kernel()
def least_turn(ax, ay, az, bx, by, bz):  # type: ignore[no-untyped-def]
    """The smallest turn from one direction to another; legs never turn round."""
    a, b = np.sqrt(ax * ax + ay * ay + az * az), np.sqrt(bx * bx + by * by + bz * bz)
    scale = max(a * b, 1e-18)
    w = 1.0 + (ax * bx + ay * by + az * bz) / scale
    x, y, z = (ay * bz - az * by) / scale, (az * bx - ax * bz) / scale, (ax * by - ay * bx) / scale
    n = np.sqrt(w * w + x * x + y * y + z * z)
    if n < 1e-9:
        return 1.0, 0.0, 0.0, 0.0
    return w / n, x / n, y / n, z / n


@kernel(f"void({SIZES}, {NUMBERS}, int64, float64[::1], float64[::1])")
def go_down(sizes, numbers, side, pose, out):  # type: ignore[no-untyped-def]
    """From the root to a foot, in the world."""
    leg = sizes[AT_LEGS] + LEG * side
    thigh, shank = int(numbers[leg + THIGH]), int(numbers[leg + SHANK])
    at = sizes[AT_CHAINS] + 4 * sizes[CHAIN] * side
    px, py, pz = pose[0], pose[1], pose[2]
    w, x, y, z = pose[POSE], pose[POSE + 1], pose[POSE + 2], pose[POSE + 3]
    for k in range(sizes[CHAIN]):
        if numbers[at] < 0.0:
            break
        a, b, c = rotate((w, x, y, z), vector_at(numbers, at + 1))
        px, py, pz = px + a, py + b, pz + c
        i = POSE + 4 * int(numbers[at])
        if k == thigh:
            out[HIP], out[HIP + 1], out[HIP + 2] = px, py, pz
            out[PELVIS], out[PELVIS + 1], out[PELVIS + 2], out[PELVIS + 3] = w, x, y, z
        elif k == shank:
            out[KNEE_AT], out[KNEE_AT + 1], out[KNEE_AT + 2] = px, py, pz
            out[ABOVE_SHANK], out[ABOVE_SHANK + 1] = w, x
            out[ABOVE_SHANK + 2], out[ABOVE_SHANK + 3] = y, z
        out[ABOVE_FOOT], out[ABOVE_FOOT + 1], out[ABOVE_FOOT + 2], out[ABOVE_FOOT + 3] = w, x, y, z
        w, x, y, z = multiply((w, x, y, z), quaternion_at(pose, i))
        if k == thigh:
            out[THIGH_TURN], out[THIGH_TURN + 1], out[THIGH_TURN + 2], out[THIGH_TURN + 3] = w, x, y, z
        elif k == shank:
            out[SHANK_TURN], out[SHANK_TURN + 1], out[SHANK_TURN + 2], out[SHANK_TURN + 3] = w, x, y, z
        at += 4
    out[ANKLE_AT], out[ANKLE_AT + 1], out[ANKLE_AT + 2] = px, py, pz


@kernel()
def needed_drop(hip, x, y, z, longest):  # type: ignore[no-untyped-def]
    """m by which a hip must come down so that its leg is as long as it may be; inf where that is in vain."""
    dx, dz = hip[HIP] - x, hip[HIP + 2] - z
    left = longest * longest - dx * dx - dz * dz
    if left <= 0.0:
        return np.inf
    return hip[HIP + 1] - y - np.sqrt(left)


@kernel(f"void({SIZES}, {NUMBERS}, int64, float64[::1], float64[::1], float64[::1])")
def solve_leg(sizes, numbers, side, down, foot, pose):  # type: ignore[no-untyped-def]
    """Turns thigh, shank and foot so that the foot is where it should be: ankle, then orientation.

    The knee turns about its own axis in the thigh, then the whole leg by the smallest turn (see
    `ik.two_link`).
    """
    leg = sizes[AT_LEGS] + LEG * side
    fx, fy, fz = down[3] - down[0], down[4] - down[1], down[5] - down[2]
    sx, sy, sz = down[6] - down[3], down[7] - down[4], down[8] - down[5]
    gx, gy, gz = foot[0] - down[0], foot[1] - down[1], foot[2] - down[2]
    q = THIGH_TURN
    i = leg + KNEE
    ax, ay, az = rotate(quaternion_at(down, q), vector_at(numbers, i))
    along = sx * ax + sy * ay + sz * az
    a = (fx * ax + fy * ay + fz * az) * along
    b = fx * sx + fy * sy + fz * sz - a
    c = fx * (ay * sz - az * sy) + fy * (az * sx - ax * sz) + fz * (ax * sy - ay * sx)
    squares = fx * fx + fy * fy + fz * fz + sx * sx + sy * sy + sz * sz
    cosine = (0.5 * (gx * gx + gy * gy + gz * gz - squares) - a) / max(np.sqrt(b * b + c * c), 1e-12)
    angle = np.arctan2(c, b) + np.arccos(min(max(cosine, -1.0), 1.0))
    bend = exp((angle * ax, angle * ay, angle * az))
    tx, ty, tz = rotate(bend, (sx, sy, sz))
    tx, ty, tz = fx + tx, fy + ty, fz + tz
    swing = least_turn(tx, ty, tz, gx, gy, gz)
    # thigh
    h = multiply(swing, quaternion_at(down, q))
    chain = sizes[AT_CHAINS] + 4 * sizes[CHAIN] * side
    k = POSE + 4 * int(numbers[chain + 4 * int(numbers[leg + THIGH])])
    p = PELVIS
    put_quaternion(pose, k, multiply(conjugate(quaternion_at(down, p)), h))
    # shank: what is above it turned with the thigh
    p = ABOVE_SHANK
    h = multiply(swing, quaternion_at(down, p))
    lower = multiply(swing, bend)
    p = SHANK_TURN
    s = multiply(lower, quaternion_at(down, p))
    k = POSE + 4 * int(numbers[chain + 4 * int(numbers[leg + SHANK])])
    put_quaternion(pose, k, multiply(conjugate(h), s))
    # foot: what is above it turned with the shank
    p = ABOVE_FOOT
    s = multiply(lower, quaternion_at(down, p))
    last = chain
    for j in range(sizes[CHAIN]):
        if numbers[chain + 4 * j] >= 0.0:
            last = chain + 4 * j
    k = POSE + 4 * int(numbers[last])
    put_quaternion(pose, k, multiply(conjugate(s), quaternion_at(foot, 3)))
