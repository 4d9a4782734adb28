"""When the samples of steps are, compiled: smooth time over three stretches, see `align.smooth_time`."""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel

_TABLE = "Array(float64, 2, 'C', readonly=True)"
_COUNTS = "Array(int64, 1, 'C', readonly=True)"


@kernel(f"void({_TABLE}, {_COUNTS}, float64[:, ::1])")
def put_times(durations, counts, out):  # type: ignore[no-untyped-def]
    """Times from a step's start at `counts` pieces of each of its stretches, and at its end."""
    stretches = counts.size
    rate = np.empty(stretches + 1)
    for step in range(durations.shape[0]):
        length = durations[step]
        rate[0], rate[stretches] = length[0], length[stretches - 1]
        for k in range(1, stretches):
            # the harmonic mean: never more than twice the smaller, so that time always goes forwards
            rate[k] = 2.0 * length[k - 1] * length[k] / (length[k - 1] + length[k])
        begin, sample = 0.0, 0
        for k in range(stretches):
            start, end = rate[k], rate[k + 1]
            second, third = 3.0 * length[k] - 2.0 * start - end, start + end - 2.0 * length[k]
            for i in range(counts[k]):
                u = i / counts[k]
                out[step, sample] = begin + u * (start + u * (second + u * third))
                sample += 1
            begin += length[k]
        out[step, sample] = begin
