"""What one frame adds to the turns of joints, and the next one begins with, compiled."""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.ik.effectors_kernel import ROWS
from footfall.ik.turns_kernel import product, turn_of, vector_of

_N = nb.float64


@kernel(nb.void(ROWS, nb.float64[:, ::1], nb.float64[:, ::1], _N, nb.float64[:, ::1]), error_model="numpy")
def turn_on(rotations, last, before, ahead, out):  # type: ignore[no-untyped-def]
    """Rotations with what was added in the last frame, and a share of how that has just changed."""
    for j in range(out.shape[0]):
        r, q, b = rotations[j], last[j], before[j]
        w, x, y, z = product(b[0], -b[1], -b[2], -b[3], q[0], q[1], q[2], q[3])
        x, y, z = vector_of(w, x, y, z)
        a0, a1, a2, a3 = turn_of(ahead * x, ahead * y, ahead * z)
        w, x, y, z = product(q[0], q[1], q[2], q[3], a0, a1, a2, a3)
        w, x, y, z = product(r[0], r[1], r[2], r[3], w, x, y, z)
        size = 1.0 / np.sqrt(w * w + x * x + y * y + z * z)
        out[j, 0], out[j, 1], out[j, 2], out[j, 3] = size * w, size * x, size * y, size * z


@kernel(nb.void(ROWS, ROWS, nb.float64[:, ::1]), error_model="numpy")
def turns_between(a, b, out):  # type: ignore[no-untyped-def]
    """What turns a's joints into b's."""
    for j in range(out.shape[0]):
        p, q = a[j], b[j]
        out[j, 0], out[j, 1], out[j, 2], out[j, 3] = product(
            p[0], -p[1], -p[2], -p[3], q[0], q[1], q[2], q[3]
        )
