"""Unit quaternions as arrays (..., 4) in the order w, x, y, z; every function takes any leading axes.

A rotation vector is axis times angle in radians; `log` and `exp` map between the two, with the short
way round (angle at most pi). Euler orders are intrinsic and read like a BVH channel line: "ZYX" turns
first about z, then about the new y, then about the new x.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from jaxtyping import Bool, Float

Quaternions: TypeAlias = "Float[np.ndarray, '*batch 4']"
Vectors: TypeAlias = "Float[np.ndarray, '*batch 3']"
Scalars: TypeAlias = "Float[np.ndarray, '*batch']"

NO_LENGTH = 1e-100  # below it squares underflow and directions are lost
EULER_ORDERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")


@functools.cache
def _compiled() -> ModuleType:
    """The compiled functions, imported at their first use: importing them loads numba."""
    from footfall.geometry import quaternion_kernel

    return quaternion_kernel


def _of_width(width: int, array: Float[np.ndarray, "*batch width"]) -> Float[np.ndarray, "*batch width"]:
    array = np.asarray(array, dtype=float)
    if array.shape[-1:] != (width,):
        raise ValueError(f"the last axis must have {width} components; the shape is {array.shape}")
    return array


def _each(
    width: int, compiled: Callable[..., None], *given: Float[np.ndarray, "*batch _"]
) -> Float[np.ndarray, "*batch width"]:
    """Apply a compiled function to each row; an array without leading axes is used for all rows."""
    batch = given[0].shape[:-1]
    for array in given[1:]:
        if array.shape[:-1] != batch:
            batch = np.broadcast_shapes(*(array.shape[:-1] for array in given))
            break
    out = np.empty((*batch, width))
    rows = []
    for array in given:
        if array.shape[:-1] not in (batch, ()):
            array = np.broadcast_to(array, (*batch, array.shape[-1]))
        rows.append(np.ascontiguousarray(array).reshape(-1, array.shape[-1]))
    compiled(*rows, out.reshape(-1, width))
    return out


def identity(*shape: int) -> Quaternions:
    out = np.zeros((*shape, 4))
    out[..., 0] = 1.0
    return out


def normalize(q: Quaternions) -> Quaternions:
    """Unit length; a quaternion of no length becomes the identity."""
    q = np.asarray(q)
    length = np.sqrt(np.add.reduce(q * q, axis=-1, keepdims=True))
    unit = q / np.where(length > NO_LENGTH, length, 1.0)
    return np.where(length > NO_LENGTH, unit, np.array([1.0, 0.0, 0.0, 0.0]))


def conjugate(q: Quaternions) -> Quaternions:
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def multiply(a: Quaternions, b: Quaternions) -> Quaternions:
    """Hamilton product: rotate by b, then by a."""
    return _each(4, _compiled().multiply, _of_width(4, a), _of_width(4, b))


def rotate(q: Quaternions, v: Vectors) -> Vectors:
    """Vectors v turned by q."""
    return _each(3, _compiled().rotate, _of_width(4, q), _of_width(3, v))


def cross(a: Vectors, b: Vectors) -> Vectors:
    """np.cross for last axes of three, without its overhead on small arrays."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    x = ay * bz - az * by
    product = np.empty((*x.shape, 3), dtype=x.dtype)
    product[..., 0] = x
    product[..., 1] = az * bx - ax * bz
    product[..., 2] = ax * by - ay * bx
    return product


def exp(v: Vectors) -> Quaternions:
    """Rotation vector to quaternion; smooth at zero."""
    return _each(4, _compiled().exp, _of_width(3, v))


def log(q: Quaternions) -> Vectors:
    """Quaternion to rotation vector, the short way round."""
    return _each(3, _compiled().log, _of_width(4, q))


def angle(q: Quaternions) -> Scalars:
    """Angle of rotation in [0, pi]."""
    return 2.0 * np.arctan2(np.linalg.norm(q[..., 1:], axis=-1), np.abs(q[..., 0]))


def angle_between(a: Quaternions, b: Quaternions) -> Scalars:
    return angle(multiply(conjugate(a), b))


def from_axis_angle(axis: Vectors, theta: Scalars | float) -> Quaternions:
    axis = np.asarray(axis, dtype=float)
    axis = axis / np.linalg.norm(axis, axis=-1, keepdims=True)
    return exp(axis * np.asarray(theta, dtype=float)[..., None])


def slerp(a: Quaternions, b: Quaternions, t: Scalars | float) -> Quaternions:
    """From a to b the short way round, at constant angular speed."""
    share = np.asarray(t, dtype=float)[..., None]
    return _each(4, _compiled().slerp, _of_width(4, a), _of_width(4, b), share)


def between(a: Vectors, b: Vectors) -> Quaternions:
    """The smallest rotation that turns direction a into direction b."""
    return _each(4, _compiled().between, _of_width(3, a), _of_width(3, b))


def continuous(q: Float[np.ndarray, "frames *batch 4"]) -> Float[np.ndarray, "frames *batch 4"]:
    """Signs chosen so that successive frames lie on one hemisphere (q and -q turn alike)."""
    if len(q) < 2:
        return q
    flips: Bool[np.ndarray, "frames *batch"] = np.sum(q[1:] * q[:-1], axis=-1) < 0
    sign = np.where(np.cumsum(flips, axis=0) % 2 == 1, -1.0, 1.0)
    return np.concatenate([q[:1], q[1:] * sign[..., None]])


def swing_twist(q: Quaternions, axis: Vectors) -> tuple[Quaternions, Quaternions]:
    """q = swing * twist, where twist turns about `axis` and swing about something across it."""
    axis = np.asarray(axis, dtype=float)
    axis = axis / np.linalg.norm(axis, axis=-1, keepdims=True)
    along = np.sum(q[..., 1:] * axis, axis=-1, keepdims=True)
    twist = normalize(np.concatenate([q[..., :1], along * axis], axis=-1))
    return multiply(q, conjugate(twist)), twist


def to_matrix(q: Quaternions) -> Float[np.ndarray, "*batch 3 3"]:
    w, x, y, z = np.moveaxis(q, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def from_matrix(m: Float[np.ndarray, "*batch 3 3"]) -> Quaternions:
    """Rotation matrix to quaternion by its largest component (Shepperd), stable everywhere."""
    m = np.asarray(m, dtype=float)
    d = np.diagonal(m, axis1=-2, axis2=-1)
    trace = d.sum(axis=-1)
    # four times the squares of w, x, y, z
    squares = np.stack([1 + trace, *(1 + 2 * d[..., i] - trace for i in range(3))], axis=-1)
    largest = squares.argmax(axis=-1)
    a = m[..., 2, 1], m[..., 0, 2], m[..., 1, 0]
    b = m[..., 1, 2], m[..., 2, 0], m[..., 0, 1]
    minus = [p - q for p, q in zip(a, b, strict=True)]
    plus = [p + q for p, q in zip(a, b, strict=True)]
    candidates = np.stack(
        [
            np.stack([squares[..., 0], minus[0], minus[1], minus[2]], axis=-1),
            np.stack([minus[0], squares[..., 1], plus[2], plus[1]], axis=-1),
            np.stack([minus[1], plus[2], squares[..., 2], plus[0]], axis=-1),
            np.stack([minus[2], plus[1], plus[0], squares[..., 3]], axis=-1),
        ],
        axis=-2,
    )
    return normalize(np.take_along_axis(candidates, largest[..., None, None], axis=-2)[..., 0, :])


def from_euler(angles: Float[np.ndarray, "*batch turns"], order: str) -> Quaternions:
    """Radians about the axes named in `order`, intrinsic; any number of letters."""
    half = 0.5 * np.asarray(angles, dtype=float)
    if len(order) == len(set(order)) == 3:
        return _from_three_turns(np.cos(half), np.sin(half), order)
    q = identity(*half.shape[:-1])
    for i, letter in enumerate(order):
        turn = np.zeros(q.shape)
        turn[..., 0] = np.cos(half[..., i])
        turn[..., 1 + "XYZ".index(letter)] = np.sin(half[..., i])
        q = multiply(q, turn)
    return q


def _from_three_turns(cosine: Vectors, sine: Vectors, order: str) -> Quaternions:
    """The product of three turns about different axes, written out: a third of the work of two products."""
    i, j, k = ("XYZ".index(letter) for letter in order)
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    ca, cb, cc = cosine[..., 0], cosine[..., 1], cosine[..., 2]
    sa, sb, sc = sine[..., 0], sine[..., 1], sine[..., 2]
    cbc, sbs, cbs, sbc = cb * cc, sign * sb * sc, cb * sc, sb * cc
    out = np.empty((*ca.shape, 4))
    out[..., 0] = ca * cbc - sa * sbs
    out[..., 1 + i] = sa * cbc + ca * sbs
    out[..., 1 + j] = ca * sbc - sign * sa * cbs
    out[..., 1 + k] = ca * cbs + sign * sa * sbc
    return out


def to_euler(q: Quaternions, order: str) -> Vectors:
    """Radians about the three different axes of `order`, exact in gimbal lock too.

    With R = Ri(a) Rj(b) Rk(c): b and c come from the first row, then a from what remains, so that an
    ill-conditioned c is made good by a.
    """
    i, j, k = ("XYZ".index(letter) for letter in order)
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    m = to_matrix(q)
    c = np.arctan2(-sign * m[..., i, j], m[..., i, i])
    b = np.arctan2(sign * m[..., i, k], np.hypot(m[..., i, i], m[..., i, j]))
    remaining = np.cos(c)[..., None] * m[..., :, j] + sign * np.sin(c)[..., None] * m[..., :, i]
    a = np.arctan2(sign * remaining[..., k], remaining[..., j])
    return np.stack([a, b, c], axis=-1)
