"""Products of quaternions in NumPy, component by component: what the compiled ones are judged by."""

from __future__ import annotations

import numpy as np


def plain_multiply(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    (aw, ax, ay, az), (bw, bx, by, bz) = np.moveaxis(a, -1, 0), np.moveaxis(b, -1, 0)
    product = (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )
    return np.stack(product, axis=-1)


def plain_rotate(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Vectors turned, as v + 2 w (u x v) + 2 u x (u x v)."""
    twice = 2.0 * np.cross(q[..., 1:], v)
    return v + q[..., :1] * twice + np.cross(q[..., 1:], twice)
