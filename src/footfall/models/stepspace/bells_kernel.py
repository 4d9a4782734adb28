"""Smooth curves over peaks, compiled: `adapt.legroom.over_peaks` without its many small arrays.

Curves lie in arrays that are continued at both ends, and go through every filter tap by tap: all frames at
once is what processors do fastest, and the sums are the same for every frame.
"""

from __future__ import annotations

import numpy as np
from numba import types

from footfall.adapt.legroom import BELLS, BOLD
from footfall.geometry.kernel_cache import kernel

TAILS = 3.0  # widths after which a bell is cut off
LEAST = 1e-12  # of a bell, where it divides


@kernel()
def _bell(width):  # type: ignore[no-untyped-def]
    """Half a bell, the middle first; all of it is in sum 1."""
    reach = int(TAILS * width + 0.5)
    bell = np.empty(reach + 1)
    total = -1.0
    for k in range(reach + 1):
        bell[k] = np.exp(-0.5 / (width * width) * k * k)
        total += 2.0 * bell[k]
    for k in range(reach + 1):
        bell[k] /= total
    return bell


@kernel()
def _continue(curve, pad):  # type: ignore[no-untyped-def]
    """The ends held over `pad` frames before and after."""
    curve[:pad] = curve[pad]
    curve[curve.size - pad :] = curve[curve.size - pad - 1]


@kernel()
def _smooth_by(curve, pad, bell, out):  # type: ignore[no-untyped-def]
    """A curve smoothed by a bell."""
    _continue(curve, pad)
    n = curve.size - 2 * pad
    inner, middle = out[pad : pad + n], curve[pad : pad + n]
    for i in range(n):
        inner[i] = middle[i] * bell[0]
    for k in range(1, bell.size):
        before, after = curve[pad - k : pad - k + n], curve[pad + k : pad + k + n]
        share = bell[k]
        for i in range(n):
            inner[i] += (before[i] + after[i]) * share


@kernel()
def _widen(curve, pad, reach, out):  # type: ignore[no-untyped-def]
    """The highest of the frames around each."""
    _continue(curve, pad)
    n = curve.size - 2 * pad
    inner, middle = out[pad : pad + n], curve[pad : pad + n]
    for i in range(n):
        inner[i] = middle[i]
    for k in range(-reach, reach + 1):
        other = curve[pad + k : pad + k + n]
        for i in range(n):
            inner[i] = other[i] if other[i] > inner[i] else inner[i]


@kernel()
def _box(curve, pad, width, out):  # type: ignore[no-untyped-def]
    """The mean over a width that is odd."""
    _continue(curve, pad)
    n, half = curve.size - 2 * pad, width // 2
    inner = out[pad : pad + n]
    inner[:] = 0.0
    for k in range(-half, half + 1):
        other = curve[pad + k : pad + k + n]
        for i in range(n):
            inner[i] += other[i]
    for i in range(n):
        inner[i] /= width


@kernel()
def _fall_short(needed, out, pad, short):  # type: ignore[no-untyped-def]
    """What is missing, and whether anything is."""
    missing = False
    for i in range(needed.size):
        short[pad + i] = max(needed[i] - out[i], 0.0)
        missing |= short[pad + i] > 0.0
    return missing


@kernel((types.float64[::1], types.float64, types.float64[::1]))
def over_peaks(needed, width, out):  # type: ignore[no-untyped-def]
    """A smooth curve over values, made of bells of a width (frames) wherever it would be too low."""
    shape = _bell(width)
    few = max(int(np.rint(width)), 1)
    pad = max(shape.size - 1, few)
    n = needed.size
    size = n + 2 * pad
    short, bell, bold, top = np.empty(size), np.empty(size), np.empty(size), np.empty(size)
    out[:] = 0.0
    for _ in range(BELLS):
        if not _fall_short(needed, out, pad, short):
            return
        _smooth_by(short, pad, shape, bell)
        # a bell over a peak falls short of it, over a plateau it does not
        _widen(bell, pad, few, top)
        _widen(short, pad, few, bold)
        for i in range(pad, pad + n):
            bold[i] = min(max(bold[i] / max(top[i], LEAST), 1.0), BOLD)
        _smooth_by(bold, pad, shape, top)
        for i in range(n):
            out[i] += top[pad + i] * bell[pad + i]
    if _fall_short(needed, out, pad, short):
        # the last of it: widened first, or smoothing would break the limit again
        _widen(short, pad, few, bell)
        if n > 1:
            _box(bell, pad, few | 1, short)
            _box(short, pad, few | 1, bell)
        for i in range(n):
            out[i] += bell[pad + i]
