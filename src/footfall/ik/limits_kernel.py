"""Joints at their limits, compiled: rotations brought within them, and directions that are closed there.

`figure.joint_limits` tells what the limits are.
"""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import angle_near, conjugate, multiply, quaternion_at

NEWTON_STEPS = 8  # to the nearest point of an ellipse
READ = nb.types.Array(nb.float64, 2, "C", readonly=True)
LIMITS = (
    READ,
    READ,
    READ,
    nb.types.Array(nb.float64, 3, "C", readonly=True),
    nb.types.Array(nb.float64, 1, "C", readonly=True),
)  # before, after, twist, swing, sign


@kernel()
def _on_ellipse(y, z, a, b):  # type: ignore[no-untyped-def]
    """The nearest point of an ellipse of radii a, b to one outside of it; all positive."""
    aa, bb = a * a, b * b
    t = max(a * y - aa, b * z - bb)
    for _ in range(NEWTON_STEPS):
        first, second = (a * y / (t + aa)) ** 2, (b * z / (t + bb)) ** 2
        slope = -2.0 * (first / (t + aa) + second / (t + bb))
        t -= (first + second - 1.0) / slope
    return aa * y / (t + aa), bb * z / (t + bb)


@kernel(nb.boolean(nb.types.Tuple(LIMITS), nb.int64, nb.float64[:, ::1]))
def clamp_joint(limits, j, rotations):  # type: ignore[no-untyped-def]
    """Brings one joint's rotation within its limits, in place; whether it was not."""
    before, after, twist_span, swing_span, sign = limits
    a, b, q = before[j], after[j], rotations[j]
    w, x, y, z = multiply(quaternion_at(a, 0), quaternion_at(q, 0))
    w, x, y, z = multiply((w, x, y, z), quaternion_at(b, 0))
    half = np.arctan2(x, w)
    cosine, sine = np.cos(half), sign[j] * np.sin(half)
    u, v = y * cosine - z * sine, z * cosine + y * sine
    length = np.sqrt(u * u + v * v)
    share = 2.0 * np.arctan2(length, np.sqrt(w * w + x * x)) / (length if length > 0.0 else 1.0)
    u, v = share * u, share * v
    low, high = twist_span[j, 0], twist_span[j, 1]
    middle = 0.5 * (low + high)
    twist = angle_near(2.0 * half, middle)
    held = min(max(twist, low), high)
    ru = -swing_span[j, 0, 0] if u < 0.0 else swing_span[j, 0, 1]
    rv = -swing_span[j, 1, 0] if v < 0.0 else swing_span[j, 1, 1]
    wide = (u / ru) ** 2 + (v / rv) ** 2 > 1.0
    if not wide and held == twist:
        return False
    if wide:
        p, r = _on_ellipse(abs(u), abs(v), ru, rv)
        u, v = np.copysign(p, u), np.copysign(r, v)
    angle = 0.5 * np.sqrt(u * u + v * v)
    share = 0.5 * (np.sin(angle) / angle if angle > 1e-12 else 1.0)
    y, z, flat = share * u, share * v, np.cos(angle)
    cosine, sine = np.cos(0.5 * held), np.sin(0.5 * held)
    along = sign[j] * sine
    w, x, y, z = flat * cosine, flat * sine, y * cosine + z * along, z * cosine - y * along
    w, x, y, z = multiply(conjugate(quaternion_at(a, 0)), (w, x, y, z))
    w, x, y, z = multiply((w, x, y, z), conjugate(quaternion_at(b, 0)))
    side = -1.0 if w * q[0] + x * q[1] + y * q[2] + z * q[3] < 0.0 else 1.0
    q[0], q[1], q[2], q[3] = side * w, side * x, side * y, side * z
    return True


@kernel()
def close_directions(rows, joints, stops):  # type: ignore[no-untyped-def]
    """Takes out of rows what turns joints beyond their limits: a share of it for each joint.

    Args:
        rows: (n, 3 * joints + 3), how much each unknown moves something.
        joints: how many there are.
        stops: (joints, 4), the direction that is closed (about the world's axes) and the share, 0 to 1.
    """
    for k in range(joints):
        share = stops[k, 3]
        if share == 0.0:
            continue
        x, y, z, c = stops[k, 0], stops[k, 1], stops[k, 2], 3 * k
        for r in range(rows.shape[0]):
            along = share * (rows[r, c] * x + rows[r, c + 1] * y + rows[r, c + 2] * z)
            rows[r, c] -= along * x
            rows[r, c + 1] -= along * y
            rows[r, c + 2] -= along * z
