"""What a layer adds to a pose, and whether that jumps, compiled."""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.ik.effectors_kernel import ROWS
from footfall.ik.turns_kernel import product

_N = nb.float64


@nb.njit(
    nb.boolean(
        nb.types.Array(_N, 1, "C", readonly=True), ROWS, nb.types.Array(_N, 1, "C", readonly=True), ROWS,
        nb.float64[::1], nb.float64[::1], nb.float64[:, ::1], nb.float64[::1], nb.float64[:, ::1],
    ),
    cache=True,
    nogil=True,
    error_model="numpy",
)  # fmt: skip
def take_added(root, rotations, made_root, made, most, last_moved, last, moved, turned):  # type: ignore[no-untyped-def]
    """Puts what was added to a pose into `moved` and `turned`; whether it is too far from what it was last.

    `most` tells how far is too far: by joint, rad, and last for the root, m.
    """
    jumps, away = False, 0.0
    for k in range(3):
        by = made_root[k] - root[k]
        away += (by - last_moved[k]) ** 2
        moved[k] = by
    count = rotations.shape[0]
    if away > most[count] * most[count]:
        jumps = True
    for j in range(count):
        p, q, t = rotations[j], made[j], last[j]
        w, x, y, z = product(p[0], -p[1], -p[2], -p[3], q[0], q[1], q[2], q[3])
        near = abs(w * t[0] + x * t[1] + y * t[2] + z * t[3])
        if near < 1.0 and near < np.cos(min(0.5 * most[j], 0.5 * np.pi)):
            jumps = True
        turned[j, 0], turned[j, 1], turned[j, 2], turned[j, 3] = w, x, y, z
    return jumps


@nb.njit(
    nb.void(ROWS, nb.float64[:, ::1], nb.float64[:, ::1]), cache=True, nogil=True, error_model="numpy"
)
def turn_each(rotations, turned, out):  # type: ignore[no-untyped-def]
    """Rotations with what is added to them."""
    for j in range(out.shape[0]):
        p, q = rotations[j], turned[j]
        w, x, y, z = product(p[0], p[1], p[2], p[3], q[0], q[1], q[2], q[3])
        size = 1.0 / np.sqrt(w * w + x * x + y * y + z * z)
        out[j, 0], out[j, 1], out[j, 2], out[j, 3] = size * w, size * x, size * y, size * z
