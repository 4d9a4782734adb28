"""Unit quaternions as arrays (..., 4) in the order w, x, y, z; every function takes any leading axes.

A rotation vector is axis times angle in radians; `log` and `exp` map between the two, with the short
way round (angle at most pi). Euler orders are intrinsic and read like a BVH channel line: "ZYX" turns
first about z, then about the new y, then about the new x.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from jaxtyping import Bool, Float

Quaternions: TypeAlias = "Float[np.ndarray, '*batch 4']"
Vectors: TypeAlias = "Float[np.ndarray, '*batch 3']"
Scalars: TypeAlias = "Float[np.ndarray, '*batch']"

NO_LENGTH = 1e-100  # below it squares underflow and directions are lost
EULER_ORDERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")


def identity(*shape: int) -> Quaternions:
    out = np.zeros((*shape, 4))
    out[..., 0] = 1.0
    return out


def normalize(q: Quaternions) -> Quaternions:
    """Unit length; a quaternion of no length becomes the identity."""
    length = _length(q)
    unit = q / np.where(length > NO_LENGTH, length, 1.0)
    return np.where(length > NO_LENGTH, unit, np.array([1.0, 0.0, 0.0, 0.0]))


def _length(v: Float[np.ndarray, "*batch n"]) -> Float[np.ndarray, "*batch 1"]:
    """np.linalg.norm over the last axis, which stays, with less overhead."""
    v = np.asarray(v)
    return np.sqrt(np.add.reduce(v * v, axis=-1, keepdims=True))


def conjugate(q: Quaternions) -> Quaternions:
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def multiply(a: Quaternions, b: Quaternions) -> Quaternions:
    """Hamilton product: rotate by b, then by a."""
    a, b = np.asarray(a), np.asarray(b)
    aw, ax, ay, az = a[..., 0], a[..., 1], a[..., 2], a[..., 3]
    bw, bx, by, bz = b[..., 0], b[..., 1], b[..., 2], b[..., 3]
    w = aw * bw - ax * bx - ay * by - az * bz
    product = np.empty((*w.shape, 4), dtype=w.dtype)  # filled by parts: half the time of np.stack
    product[..., 0] = w
    product[..., 1] = aw * bx + ax * bw + ay * bz - az * by
    product[..., 2] = aw * by - ax * bz + ay * bw + az * bx
    product[..., 3] = aw * bz + ax * by - ay * bx + az * bw
    return product


def rotate(q: Quaternions, v: Vectors) -> Vectors:
    """Vectors v turned by q, as v + 2 w (u x v) + 2 u x (u x v)."""
    q, v = np.asarray(q), np.asarray(v)
    w, x, y, z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    vx, vy, vz = v[..., 0], v[..., 1], v[..., 2]
    tx, ty, tz = 2.0 * (y * vz - z * vy), 2.0 * (z * vx - x * vz), 2.0 * (x * vy - y * vx)
    x_turned = vx + w * tx + (y * tz - z * ty)
    turned = np.empty((*x_turned.shape, 3), dtype=x_turned.dtype)
    turned[..., 0] = x_turned
    turned[..., 1] = vy + w * ty + (z * tx - x * tz)
    turned[..., 2] = vz + w * tz + (x * ty - y * tx)
    return turned


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
    half = 0.5 * _length(v)
    # sin(h)/h through np.sinc, which is exact at 0
    return np.concatenate([np.cos(half), 0.5 * np.sinc(half / np.pi) * v], axis=-1)


def log(q: Quaternions) -> Vectors:
    """Quaternion to rotation vector, the short way round."""
    q = np.where(q[..., :1] < 0, -q, q)
    sine = _length(q[..., 1:])
    angle = 2.0 * np.arctan2(sine, q[..., :1])
    small = sine < 1e-12
    return np.where(small, 2.0, angle / np.where(small, 1.0, sine)) * q[..., 1:]


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
    t = np.asarray(t, dtype=float)[..., None]
    return multiply(a, exp(t * log(multiply(conjugate(a), b))))


def between(a: Vectors, b: Vectors) -> Quaternions:
    """The smallest rotation that turns direction a into direction b."""
    a = a / np.linalg.norm(a, axis=-1, keepdims=True)
    b = b / np.linalg.norm(b, axis=-1, keepdims=True)
    # |a + b| and |b - a| are twice cosine and sine of the half angle; a x b would lose digits where b is -a
    total, difference = a + b, b - a
    axis = cross(total, difference)
    # opposite directions: any half turn about an axis across a will do
    other = np.where(np.abs(a[..., :1]) < 0.9, np.array([1.0, 0, 0]), np.array([0, 1.0, 0]))
    one_line = np.linalg.norm(axis, axis=-1, keepdims=True) < NO_LENGTH
    axis = np.where(one_line, cross(a, other), axis)
    axis = axis / np.linalg.norm(axis, axis=-1, keepdims=True)
    cosine, sine = (np.linalg.norm(v, axis=-1, keepdims=True) for v in (total, difference))
    return normalize(np.concatenate([cosine, sine * axis], axis=-1))


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
