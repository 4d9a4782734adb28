"""Slopes of samples, and steps that give way where they meet, compiled: what `curves` and `joined` do.

A plan's bodies are a million numbers; every array of them less is time.
"""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel

_VALUES = "Array(float64, 3, 'C', readonly=True)"
_TABLE = "Array(float64, 2, 'C', readonly=True)"
_ROW = "Array(float64, 1, 'C', readonly=True)"
_MADE = "float64[:, :, ::1], float64[:, :, ::1]"  # values and slopes


@kernel(f"void({_VALUES}, {_TABLE}, float64[:, :, ::1])")
def put_slopes(values, times, out):  # type: ignore[no-untyped-def]
    """Rates of the parabola through three neighbours; at the ends that through the last three."""
    steps, samples, channels = values.shape
    for step in range(steps):
        own = times[step]
        for i in range(1, samples - 1):
            before, after = own[i] - own[i - 1], own[i + 1] - own[i]
            whole = before + after
            a, b, c, rate = values[step, i - 1], values[step, i], values[step, i + 1], out[step, i]
            for k in range(channels):
                rate[k] = (after * ((b[k] - a[k]) / before) + before * ((c[k] - b[k]) / after)) / whole
        for end, inner in ((0, 1), (samples - 1, samples - 2)):
            gap = own[inner] - own[end]
            a, b, near, rate = values[step, end], values[step, inner], out[step, inner], out[step, end]
            for k in range(channels):
                rate[k] = 2.0 * ((b[k] - a[k]) / gap) - near[k]


@kernel()
def _eased(since, seconds):  # type: ignore[no-untyped-def]
    """What is left of an offset and of its rate after a while, and the rates of both: see `curves.eased`."""
    u = min(max(since / seconds, 0.0), 1.0)
    u2 = u * u
    u3 = u2 * u
    fade = 1.0 - u3 * (10.0 - 15.0 * u + 6.0 * u2)
    fading = -30.0 * u2 * (1.0 - u) * (1.0 - u) / seconds
    carry = (u - 6.0 * u3 + 8.0 * u2 * u2 - 3.0 * u3 * u2) * seconds
    carrying = 1.0 - 18.0 * u2 + 32.0 * u3 - 15.0 * u2 * u2 if u < 1.0 else 0.0
    return fade, carry, fading, carrying


@kernel(f"void({_TABLE}, {_ROW}, {_TABLE}, {_TABLE}, {_TABLE}, {_TABLE}, {_MADE})")
def give_way(times, seconds, start, start_rate, end, end_rate, values, slopes):  # type: ignore[no-untyped-def]
    """Values and slopes, in place, that start and end as they are wanted to: eased in over `seconds`."""
    steps, samples, channels = values.shape
    final = samples - 1
    early, early_rate = np.empty(channels), np.empty(channels)
    late, late_rate = np.empty(channels), np.empty(channels)
    for step in range(steps):
        for k in range(channels):
            early[k] = start[step, k] - values[step, 0, k]
            early_rate[k] = start_rate[step, k] - slopes[step, 0, k]
            late[k] = end[step, k] - values[step, final, k]
            late_rate[k] = end_rate[step, k] - slopes[step, final, k]
        for i in range(samples):
            a, b, c, d = _eased(times[step, i], seconds[step])
            # the end's is the same seen backwards: rates change their sign, and so do the offset's
            e, f, g, h = _eased(times[step, final] - times[step, i], seconds[step])
            value, slope = values[step, i], slopes[step, i]
            for k in range(channels):
                value[k] += a * early[k] + b * early_rate[k] + e * late[k] - f * late_rate[k]
                slope[k] += c * early[k] + d * early_rate[k] - g * late[k] + h * late_rate[k]


@kernel(f"void({_TABLE}, {_ROW}, float64, {_ROW}, {_TABLE}, {_TABLE}, int64, {_MADE})")
def add_eased(times, start, way, seconds, value, rate, first, values, slopes):  # type: ignore[no-untyped-def]
    """Adds an offset that is `value` at `start`, of that `rate`, and eased out over `seconds`, in place.

    After the start where `way` is 1, before it where it is -1; to channels from `first` on.
    """
    for step in range(values.shape[0]):
        for i in range(values.shape[1]):
            since = way * (times[step, i] - start[step])
            if since < 0.0:
                continue
            fade, carry, fading, carrying = _eased(since, seconds[step])
            for k in range(value.shape[1]):
                values[step, i, first + k] += fade * value[step, k] + way * carry * rate[step, k]
                slopes[step, i, first + k] += way * fading * value[step, k] + carrying * rate[step, k]
