"""Quaternions, vectors and easing as tuples, compiled: what `quaternion` and `easing` do for arrays.

A vector is (x, y, z), a unit quaternion (w, x, y, z), an angle is in radians. Products are equal to those of
`quaternion` to the last bit. These functions have no signature of their own: each is compiled for the types
it is called with, and becomes a part of the kernels that call it.
"""

from __future__ import annotations

from math import factorial

import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.quaternion import NO_LENGTH

SHORT = 1.0  # rad^2: square of half an angle up to which series of ten terms are exact
SERIES = tuple((1.0 / factorial(2 * k), 1.0 / factorial(2 * k + 1)) for k in range(9, -1, -1))
NO_SINE = 1e-12  # sine of half an angle below which the rotation vector is twice the vector part


@kernel()
def smoothstep(t):  # type: ignore[no-untyped-def]
    """Ease from 0 to 1 with rate 0 at both ends; t is clamped to [0, 1]."""
    t = min(max(t, 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


@kernel()
def smootherstep(t):  # type: ignore[no-untyped-def]
    """Ease from 0 to 1 with rate and acceleration 0 at both ends; t is clamped to [0, 1]."""
    t = min(max(t, 0.0), 1.0)
    return t * t * t * (t * (6.0 * t - 15.0) + 10.0)


@kernel()
def angle_near(angle, middle):  # type: ignore[no-untyped-def]
    """The same angle within half a turn of another, rad."""
    return middle + ((angle - middle + np.pi) % (2.0 * np.pi) - np.pi)


@kernel()
def vector_at(row, k):  # type: ignore[no-untyped-def]
    """Read a vector that begins at index k."""
    return row[k], row[k + 1], row[k + 2]


@kernel()
def quaternion_at(row, k):  # type: ignore[no-untyped-def]
    """Read a quaternion that begins at index k."""
    return row[k], row[k + 1], row[k + 2], row[k + 3]


@kernel()
def put_vector(row, k, v):  # type: ignore[no-untyped-def]
    """Write a vector from index k on."""
    row[k], row[k + 1], row[k + 2] = v[0], v[1], v[2]


@kernel()
def put_quaternion(row, k, q):  # type: ignore[no-untyped-def]
    """Write a quaternion from index k on."""
    row[k], row[k + 1], row[k + 2], row[k + 3] = q[0], q[1], q[2], q[3]


@kernel()
def add(a, b):  # type: ignore[no-untyped-def]
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel()
def subtract(a, b):  # type: ignore[no-untyped-def]
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel()
def scale(share, v):  # type: ignore[no-untyped-def]
    return share * v[0], share * v[1], share * v[2]


@kernel()
def cross(a, b):  # type: ignore[no-untyped-def]
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel()
def dot(a, b):  # type: ignore[no-untyped-def]
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel()
def conjugate(q):  # type: ignore[no-untyped-def]
    """Invert a unit quaternion."""
    return q[0], -q[1], -q[2], -q[3]


@kernel()
def multiply(a, b):  # type: ignore[no-untyped-def]
    """Hamilton product: rotate by b, then by a."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@kernel()
def rotate(q, v):  # type: ignore[no-untyped-def]
    """Rotate a vector, as v + 2 w (u x v) + 2 u x (u x v)."""
    u = (q[1], q[2], q[3])
    t = scale(2.0, cross(u, v))
    return add(add(v, scale(q[0], t)), cross(u, t))


@kernel()
def yaw(heading):  # type: ignore[no-untyped-def]
    """Quaternion of a turn about the upward axis, rad."""
    return np.cos(0.5 * heading), 0.0, np.sin(0.5 * heading), 0.0


@kernel()
def exp(v):  # type: ignore[no-untyped-def]
    """Rotation vector to quaternion; up to half an angle of 1 rad by series, exact to the last digit."""
    h = 0.25 * dot(v, v)  # half the angle, squared
    if h <= SHORT:
        cosine, sine = 0.0, 0.0
        for even, odd in SERIES:
            cosine, sine = even - h * cosine, odd - h * sine
    else:
        half = np.sqrt(h)
        cosine, sine = np.cos(half), np.sin(half) / half
    sine *= 0.5
    return cosine, sine * v[0], sine * v[1], sine * v[2]


@kernel()
def log(q):  # type: ignore[no-untyped-def]
    """Quaternion to rotation vector, the short way round."""
    sign = -1.0 if q[0] < 0.0 else 1.0
    sine = np.sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    size = 2.0
    if sine >= NO_SINE:
        size = 2.0 * np.arctan2(sine, sign * q[0]) / sine
    return scale(sign * size, (q[1], q[2], q[3]))


@kernel()
def compose(first, second):  # type: ignore[no-untyped-def]
    """Rotation vector of turning by one, then by another; exactly the first where the second is zero."""
    if second[0] == 0.0 and second[1] == 0.0 and second[2] == 0.0:
        return first
    return log(multiply(exp(second), exp(first)))


@kernel()
def slerp(a, b, t):  # type: ignore[no-untyped-def]
    """From a to b the short way round, at constant angular speed."""
    v = log(multiply(conjugate(a), b))
    return multiply(a, exp(scale(t, v)))


@kernel()
def normalize(v):  # type: ignore[no-untyped-def]
    """Unit vector in a direction; the vector must have a length."""
    length = np.sqrt(dot(v, v))
    return v[0] / length, v[1] / length, v[2] / length


@kernel()
def between(a, b):  # type: ignore[no-untyped-def]
    """Smallest rotation from direction a to direction b, as `quaternion.between`."""
    a, b = normalize(a), normalize(b)
    total, apart = add(a, b), subtract(b, a)
    axis = cross(total, apart)
    if not np.sqrt(dot(axis, axis)) >= NO_LENGTH:  # one line: any axis across it will do
        axis = cross(a, (1.0, 0.0, 0.0) if abs(a[0]) < 0.9 else (0.0, 1.0, 0.0))
    axis = normalize(axis)
    cosine, sine = np.sqrt(dot(total, total)), np.sqrt(dot(apart, apart))
    length = np.sqrt(cosine * cosine + sine * sine * dot(axis, axis))
    return cosine / length, sine * axis[0] / length, sine * axis[1] / length, sine * axis[2] / length
