"""Goals of one level met in what those before it leave open, compiled."""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.geometry.kernel_cache import kernel

_N, _I = nb.float64, nb.int64
INDEPENDENT = 1e-9  # of a row that others leave: less is none


@kernel(_I(nb.float64[:, ::1], nb.float64[::1], nb.float64[:, ::1], _I, _N, nb.float64[::1]))
def take_level(rows, wanted, basis, taken, damping, change):  # type: ignore[no-untyped-def]
    """Adds to a change what brings one level's rows nearest to what is wanted, without undoing those before.

    `basis` holds orthonormal rows of the levels before; this level's are added. How many there are then.
    """
    width, count = change.size, rows.shape[0]
    for r in range(count):
        moved = 0.0
        for c in range(width):
            moved += rows[r, c] * change[c]
        wanted[r] -= moved
    for b in range(taken):  # what the levels before leave open
        for r in range(count):
            along = 0.0
            for c in range(width):
                along += rows[r, c] * basis[b, c]
            for c in range(width):
                rows[r, c] -= along * basis[b, c]
    square, solved = np.empty((count, count)), np.empty(count)
    for r in range(count):
        for s in range(r + 1):
            total = 0.0
            for c in range(width):
                total += rows[r, c] * rows[s, c]
            square[r, s] = total
        square[r, r] += damping * damping
    for r in range(count):  # Cholesky, then forwards and backwards
        for s in range(r + 1):
            total = square[r, s]
            for k in range(s):
                total -= square[r, k] * square[s, k]
            square[r, s] = np.sqrt(max(total, 1e-300)) if r == s else total / square[s, s]
    for r in range(count):
        total = wanted[r]
        for k in range(r):
            total -= square[r, k] * solved[k]
        solved[r] = total / square[r, r]
    for r in range(count - 1, -1, -1):
        total = solved[r]
        for k in range(r + 1, count):
            total -= square[k, r] * solved[k]
        solved[r] = total / square[r, r]
    for r in range(count):
        for c in range(width):
            change[c] += rows[r, c] * solved[r]
    for r in range(count):  # Gram and Schmidt
        size = 0.0
        for c in range(width):
            size += rows[r, c] * rows[r, c]
        for _ in range(2):
            for b in range(taken):
                along = 0.0
                for c in range(width):
                    along += rows[r, c] * basis[b, c]
                for c in range(width):
                    rows[r, c] -= along * basis[b, c]
        left = 0.0
        for c in range(width):
            left += rows[r, c] * rows[r, c]
        if left > INDEPENDENT * max(size, 1e-12) and taken < basis.shape[0]:
            scale = 1.0 / np.sqrt(left)
            for c in range(width):
                basis[taken, c] = scale * rows[r, c]
            taken += 1
    return taken
