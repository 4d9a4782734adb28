"""Turns as quaternions, one at a time, compiled: for kernels that change joints one by one."""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel

SMALL = 1e-12  # rad


@kernel(inline="always")
def product(a0, a1, a2, a3, b0, b1, b2, b3):  # type: ignore[no-untyped-def]
    """a after b."""
    return (
        a0 * b0 - a1 * b1 - a2 * b2 - a3 * b3,
        a0 * b1 + a1 * b0 + a2 * b3 - a3 * b2,
        a0 * b2 - a1 * b3 + a2 * b0 + a3 * b1,
        a0 * b3 + a1 * b2 - a2 * b1 + a3 * b0,
    )


@kernel(inline="always")
def turned(q0, q1, q2, q3, x, y, z):  # type: ignore[no-untyped-def]
    """A vector turned by a unit quaternion."""
    u, v, w = 2.0 * (q2 * z - q3 * y), 2.0 * (q3 * x - q1 * z), 2.0 * (q1 * y - q2 * x)
    return (
        x + q0 * u + q2 * w - q3 * v,
        y + q0 * v + q3 * u - q1 * w,
        z + q0 * w + q1 * v - q2 * u,
    )


@kernel(inline="always")
def turn_of(x, y, z):  # type: ignore[no-untyped-def]
    """The quaternion of a rotation vector."""
    angle = np.sqrt(x * x + y * y + z * z)
    share = 0.5 if angle < SMALL else np.sin(0.5 * angle) / angle
    return np.cos(0.5 * angle), share * x, share * y, share * z


@kernel(inline="always")
def vector_of(q0, q1, q2, q3):  # type: ignore[no-untyped-def]
    """The rotation vector of a unit quaternion, of the shorter way."""
    if q0 < 0.0:
        q0, q1, q2, q3 = -q0, -q1, -q2, -q3
    length = np.sqrt(q1 * q1 + q2 * q2 + q3 * q3)
    share = 2.0 if length < SMALL else 2.0 * np.arctan2(length, q0) / length
    return share * q1, share * q2, share * q3
