"""Which loops, and how much of each, compiled: what is asked, where it is in the space, and the shares.

Shares are led to what is asked by a critically damped filter. Its answer to a blow is never negative, so
shares stay convex; and their rates have no jumps, though those of barycentric ones jump at every face of a
tetrahedron.
"""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.models.locomotion.layout import (
    AT_LOOPS,
    AT_SIMPLICES,
    CHANGE,
    LOOP,
    LOOPS,
    NOW,
    SECONDS,
    SIMPLICES,
    WEIGHTS,
    WISH,
)
from footfall.models.locomotion.response import QUICK

NUMBERS = "Array(float64, 1, 'C', readonly=True)"
SIZES = "Array(int64, 1, 'C', readonly=True)"
NOTHING = 1e-7  # a share so small, that does not grow, is none


@kernel(f"void({SIZES}, {NUMBERS}, float64[::1])")
def aim_weights(sizes, numbers, state):  # type: ignore[no-untyped-def]
    """The shares for where it is now in the space, into what the weights go to ([body] 4.1)."""
    a, b, c = state[NOW], state[NOW + 1], state[NOW + 2]
    loops, to = sizes[LOOPS], WEIGHTS + 2 * sizes[LOOPS]
    best, least, row = -1, -np.inf, sizes[AT_SIMPLICES]
    for k in range(sizes[SIMPLICES]):
        at = row + 20 * k + 4
        low = np.inf
        for corner in range(4):
            i = at + 4 * corner
            low = min(low, numbers[i] * a + numbers[i + 1] * b + numbers[i + 2] * c + numbers[i + 3])
        if low > least:
            best, least = k, low
    for s in range(loops):
        state[to + s] = 0.0
    at, total = row + 20 * best, 0.0
    for corner in range(4):
        i = at + 4 + 4 * corner
        share = max(numbers[i] * a + numbers[i + 1] * b + numbers[i + 2] * c + numbers[i + 3], 0.0)
        loop = int(numbers[at + corner])
        # b / T: then displacements and durations, added up, give exactly this velocity
        share /= numbers[sizes[AT_LOOPS] + LOOP * loop + SECONDS]
        state[to + loop] += share
        total += share
    for s in range(loops):
        state[to + s] /= total


@kernel(f"void({SIZES}, {NUMBERS}, float64[::1], float64)")
def lead_weights(sizes, numbers, state, dt):  # type: ignore[no-untyped-def]
    """Straight towards what is asked, no faster than may be; then the shares after it."""
    far = 0.0
    for k in range(3):
        part = (state[WISH + k] - state[NOW + k]) / state[CHANGE + k]
        far += part * part
    far = np.sqrt(far)
    if far > 0.0:
        share = min(dt / far, 1.0)
        for k in range(3):
            state[NOW + k] += share * (state[WISH + k] - state[NOW + k])
        aim_weights(sizes, numbers, state)
    loops = sizes[LOOPS]
    fades, total = np.exp(-QUICK * dt), 0.0
    for s in range(loops):
        i = WEIGHTS + s
        off = state[i] - state[i + 2 * loops]
        push = state[i + loops] + QUICK * off
        state[i] = state[i + 2 * loops] + (off + push * dt) * fades
        state[i + loops] = (state[i + loops] - push * QUICK * dt) * fades
        if state[i] < NOTHING and abs(state[i + loops]) < NOTHING:
            state[i] = state[i + loops] = 0.0
        total += state[i]
    for s in range(loops):
        state[WEIGHTS + s] /= total
