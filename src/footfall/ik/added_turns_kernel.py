"""What one frame adds to the turns of joints, and the next one begins with, compiled."""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import conjugate, multiply, put_quaternion, quaternion_at
from footfall.ik.effectors_kernel import ROWS


@kernel(nb.void(ROWS, ROWS, nb.float64[:, ::1]))
def turn_on(rotations, added, out):  # type: ignore[no-untyped-def]
    """Rotations with what is added to them."""
    for j in range(out.shape[0]):
        p, q = rotations[j], added[j]
        w, x, y, z = multiply(quaternion_at(p, 0), quaternion_at(q, 0))
        size = 1.0 / np.sqrt(w * w + x * x + y * y + z * z)
        out[j, 0], out[j, 1], out[j, 2], out[j, 3] = size * w, size * x, size * y, size * z


@kernel(nb.void(ROWS, ROWS, nb.float64[:, ::1]))
def turns_between(a, b, out):  # type: ignore[no-untyped-def]
    """What turns a's joints into b's."""
    for j in range(out.shape[0]):
        p, q = a[j], b[j]
        put_quaternion(out[j], 0, multiply(conjugate(quaternion_at(p, 0)), quaternion_at(q, 0)))
