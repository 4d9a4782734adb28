"""What is left of a difference posture, compiled: springs of bounded pull, and turns added to a pose."""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import exp, multiply, quaternion_at, vector_at
from footfall.ik.effectors_kernel import NUMBERS, ROWS

_N = nb.float64


@kernel(nb.float64(nb.float64[:, ::1], nb.float64[:, ::1], _N, NUMBERS, _N, _N))
def spring_back(away, speed, rate, fastest, share, dt):  # type: ignore[no-untyped-def]
    """Vectors that go to nothing, critically damped, and their rates, in place; from far away at a `share` of
    `fastest` at most. The largest number that is left of either, rates counted by how far they lead.
    """
    fades, largest = np.exp(-rate * dt), 0.0
    for j in range(away.shape[0]):
        x, y, z = away[j]
        # a spring that is always `far` from its rest goes at its rate's half of that
        far, length = 2.0 * share * fastest[j] / rate, np.sqrt(x * x + y * y + z * z)
        pulls = far / length if length > far else 1.0
        for k in range(3):
            pulled = pulls * away[j, k]
            push = speed[j, k] + rate * pulled
            away[j, k] += (pulled + push * dt) * fades - pulled
            speed[j, k] = (speed[j, k] - push * rate * dt) * fades
            largest = max(largest, abs(away[j, k]), abs(speed[j, k]) / rate)
    return largest


@kernel(nb.void(ROWS, ROWS, nb.float64[:, ::1]))
def turn_by(rotations, vectors, out):  # type: ignore[no-untyped-def]
    """Rotations turned on by rotation vectors in their own frames."""
    for j in range(out.shape[0]):
        p, v = rotations[j], vectors[j]
        turn = exp(vector_at(v, 0))
        w, x, y, z = multiply(quaternion_at(p, 0), turn)
        size = 1.0 / np.sqrt(w * w + x * x + y * y + z * z)
        out[j, 0], out[j, 1], out[j, 2], out[j, 3] = size * w, size * x, size * y, size * z
