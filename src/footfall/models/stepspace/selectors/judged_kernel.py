"""Tetrahedra judged by what their blend would be in S_high, compiled.

Traits of a step: x1, z1, x2, z2 in S_low's frame, the turn of that frame, theta1, theta2, and four times.
"""

from __future__ import annotations

import numpy as np

from footfall.geometry.decisions_kernel import clearly_less
from footfall.geometry.kernel_cache import kernel
from footfall.models.stepspace.candidates_kernel import mixes, side_of

_TABLE = "Array(float64, 2, 'C', readonly=True)"
_ROW = "Array(float64, 1, 'C', readonly=True)"
_SMALL = "Array(int8, 1, 'C', readonly=True)"
_STEPS = "Array(int32, 1, 'C', readonly=True)"
_QUADS = "Array(int32, 2, 'C', readonly=True)"
_TURN = 2.0 * np.pi


@kernel("float64(float64)")
def _wrap(angle):  # type: ignore[no-untyped-def]
    return angle - _TURN * np.floor(angle / _TURN + 0.5)


@kernel(f"float64({_TABLE}, int32[::1], float64[::1], int64, int64)")
def _angle(traits, quad, weights, heaviest, column):  # type: ignore[no-untyped-def]
    """A blended angle, relative to the heaviest step's."""
    base = traits[quad[heaviest], column]
    total = base
    for i in range(4):
        total += weights[i] * _wrap(traits[quad[i], column] - base)
    return total


@kernel(f"float64({_TABLE}, {_ROW}, float64, int32[::1], float64[::1], {_ROW}, {_ROW})")
def _cost(traits, away, spread, quad, weights, wanted, scale):  # type: ignore[no-untyped-def]
    """Squared distance in S_high from the query to the blend, and a share of the blended steps' own.

    `away` are the steps' own squared distances; what is not asked has no scale.
    """
    heaviest = 0
    total = 0.0
    for i in range(4):
        if weights[i] > weights[heaviest]:
            heaviest = i
        total += spread * weights[i] * away[quad[i]]
    axis = _angle(traits, quad, weights, heaviest, 4)
    cos, sin = np.cos(axis), np.sin(axis)
    for foot in range(2):
        x = z = 0.0
        for i in range(4):
            x += weights[i] * traits[quad[i], 2 * foot]
            z += weights[i] * traits[quad[i], 2 * foot + 1]
        total += scale[2 * foot] * (cos * x + sin * z - wanted[2 * foot]) ** 2
        total += scale[2 * foot + 1] * (cos * z - sin * x - wanted[2 * foot + 1]) ** 2
    for column in range(4, 6):
        if scale[column] > 0.0:
            off = _wrap(_angle(traits, quad, weights, heaviest, column + 1) - wanted[column])
            total += scale[column] * off * off
    for column in range(6, 10):
        off = -wanted[column]
        for i in range(4):
            off += weights[i] * traits[quad[i], column + 1]
        total += scale[column] * off * off
    return total


@kernel(f"int64({_TABLE}, {_TABLE}, {_QUADS}, {_ROW}, {_ROW}, float64, {_ROW}, {_ROW}, float64[::1])")
def best_listed(low, traits, quads, place, away, spread, wanted, scale, shares):  # type: ignore[no-untyped-def]
    """Of listed tetrahedra that contain a place the one with the least cost; writes its weights."""
    quad, weights = np.empty(4, dtype=np.int32), np.empty(4)
    least, best = np.inf, 0
    x, y, z = place[0], place[1], place[2]
    for t in range(quads.shape[0]):
        quad[:] = quads[t]
        a, b, c, d = quad[0], quad[1], quad[2], quad[3]
        weights[3] = abs(side_of(low, a, b, c, x, y, z))
        weights[2] = abs(side_of(low, a, b, d, x, y, z))
        weights[1] = abs(side_of(low, a, c, d, x, y, z))
        weights[0] = abs(side_of(low, b, c, d, x, y, z))
        total = weights.sum()
        if total == 0.0:
            continue
        weights /= total
        cost = _cost(traits, away, spread, quad, weights, wanted, scale)
        if clearly_less(cost, least):
            least, best = cost, t
            shares[:] = weights
    return best


@kernel(
    f"float64({_TABLE}, {_TABLE}, {_SMALL}, {_STEPS}, {_ROW}, {_ROW}, float64, {_ROW}, {_ROW}, "
    "int32[::1], float64[::1])"
)
def best_around(low, traits, way, near, place, away, spread, wanted, scale, chosen, shares):  # type: ignore[no-untyped-def]
    """Of all tetrahedra of the near steps that contain a place the one with the least cost.

    Writes its steps and weights and gives its cost; infinity where there is none.
    """
    k = near.size
    sides = np.zeros((k, k, k))
    for a in range(k):
        for b in range(a + 1, k):
            for c in range(b + 1, k):
                sides[a, b, c] = side_of(low, near[a], near[b], near[c], place[0], place[1], place[2])
    quad, weights = np.empty(4, dtype=np.int32), np.empty(4)
    least = np.inf
    for a in range(k - 3):
        for b in range(a + 1, k - 2):
            for c in range(b + 1, k - 1):
                wd = sides[a, b, c]
                for d in range(c + 1, k):
                    wc, wb, wa = -sides[a, b, d], sides[a, c, d], -sides[b, c, d]
                    total = wa + wb + wc + wd
                    if wd * total < 0.0 or wc * total < 0.0 or wb * total < 0.0 or wa * total < 0.0:
                        continue
                    if total == 0.0:
                        continue
                    quad[0], quad[1], quad[2], quad[3] = near[a], near[b], near[c], near[d]
                    weights[0], weights[1], weights[2], weights[3] = (
                        wa / total,
                        wb / total,
                        wc / total,
                        wd / total,
                    )
                    own = 0.0
                    for i in range(4):
                        own += spread * weights[i] * away[quad[i]]
                    if own >= least or mixes(way, quad[0], quad[1], quad[2], quad[3]):
                        continue
                    cost = _cost(traits, away, spread, quad, weights, wanted, scale)
                    if clearly_less(cost, least):
                        least = cost
                        chosen[:] = quad
                        shares[:] = weights
    return least
