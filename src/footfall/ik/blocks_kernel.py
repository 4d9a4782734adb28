"""Joints at their limits: ways that are shut, until a joint is wanted back, compiled.

A block is the way back from a joint's limit (three numbers), whether there is one, and how much is wanted
that way.
"""

from __future__ import annotations

import numba as nb

from footfall.geometry.kernel_cache import kernel

_I = nb.int64


@kernel(nb.void(nb.float64[:, ::1], _I, nb.float64[:, ::1]))
def shut(rows, joints, block):  # type: ignore[no-untyped-def]
    """Takes out of rows the turns of joints that are at their limits, the way that is shut."""
    for k in range(joints):
        if block[k, 3] == 0.0:
            continue
        x, y, z, c = block[k, 0], block[k, 1], block[k, 2], 3 * k
        for r in range(rows.shape[0]):
            along = rows[r, c] * x + rows[r, c + 1] * y + rows[r, c + 2] * z
            rows[r, c] -= along * x
            rows[r, c + 1] -= along * y
            rows[r, c + 2] -= along * z


@kernel(nb.void(nb.float64[:, ::1], nb.float64[::1], _I, nb.float64[:, ::1]))
def want_back(rows, wanted, joints, block):  # type: ignore[no-untyped-def]
    """Adds up how much joints at their limits are wanted back from there."""
    for k in range(joints):
        if block[k, 3] == 0.0:
            continue
        x, y, z, c = block[k, 0], block[k, 1], block[k, 2], 3 * k
        for r in range(rows.shape[0]):
            block[k, 4] += wanted[r] * (rows[r, c] * x + rows[r, c + 1] * y + rows[r, c + 2] * z)
