"""One frame of steering along a line, compiled: where one is on it, how far off, and where to go."""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.geometry.decisions_kernel import clearly_less
from footfall.geometry.kernel_cache import kernel

ROWS = nb.types.Array(nb.float64, 2, "C", readonly=True)
NUMBERS = nb.types.Array(nb.float64, 1, "C", readonly=True)
_N = nb.float64


@kernel()
def _leg(along, s):  # type: ignore[no-untyped-def]
    """The leg that a length lies on."""
    k = np.searchsorted(along, s, side="right") - 1
    return min(max(k, 0), along.size - 2)


@kernel()
def _between(along, values, s):  # type: ignore[no-untyped-def]
    s = min(max(s, along[0]), along[-1])
    k = _leg(along, s)
    share = (s - along[k]) / max(along[k + 1] - along[k], 1e-300)
    return values[k] + share * (values[k + 1] - values[k])


@kernel(_N(ROWS, NUMBERS, NUMBERS, _N, _N))
def nearest_along(points, along, place, low, high):  # type: ignore[no-untyped-def]
    """The length along a line, from one to another, at which it is nearest to a place."""
    best, found = np.inf, low
    for k in range(_leg(along, low), points.shape[0] - 1):
        if along[k] > high:
            break
        a, b = points[k], points[k + 1]
        u, v, w = b[0] - a[0], b[1] - a[1], b[2] - a[2]
        square = u * u + v * v + w * w
        share = ((place[0] - a[0]) * u + (place[1] - a[1]) * v + (place[2] - a[2]) * w) / square
        length = np.sqrt(square)
        s = min(max(along[k] + min(max(share, 0.0), 1.0) * length, low), high)
        share = min(max((s - along[k]) / length, 0.0), 1.0)
        x, y, z = a[0] + share * u - place[0], a[1] + share * v - place[1], a[2] + share * w - place[2]
        away = np.sqrt(x * x + y * y + z * z)
        if clearly_less(away, best):
            best, found = away, s
    return found


@kernel(nb.types.UniTuple(_N, 4)(ROWS, NUMBERS, NUMBERS, NUMBERS, NUMBERS, _N, _N, _N))
def steered(points, along, headings, speeds, place, low, high, ahead):  # type: ignore[no-untyped-def]
    """Where a place is along a line, how far to the left of it, and heading and speed `ahead` of there."""
    s = nearest_along(points, along, place, low, high)
    k = _leg(along, s)
    share = (s - along[k]) / max(along[k + 1] - along[k], 1e-300)
    a, b = points[k], points[k + 1]
    x = place[0] - a[0] - share * (b[0] - a[0])
    z = place[2] - a[2] - share * (b[2] - a[2])
    way = _between(along, headings, s)
    aside = x * np.cos(way) - z * np.sin(way)
    return s, aside, _between(along, headings, s + ahead), _between(along, speeds, s + ahead)
