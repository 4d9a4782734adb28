"""Blends compiled: weighted sums of rows of a table without a copy of them, and blends laid on prints."""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import smootherstep
from footfall.models.stepspace.body_channels import YAW

HALF = 0.5  # of what a print misses, for the body: it goes along with the middle between both feet
_TABLE = "Array(float64, 3, 'C', readonly=True)"
_ROW = "Array(float64, 1, 'C', readonly=True)"
_ROWS = "Array(int64, 1, 'C', readonly=True)"
_TIMES = "Array(float64, 2, 'C', readonly=True)"


@kernel(f"void({_TABLE}, {_ROWS}, {_ROW}, float64[:, ::1])")
def add_rows(table, rows, weights, out):  # type: ignore[no-untyped-def]
    """The weighted sum of steps' samples; rows must be those of the table."""
    out[:] = 0.0
    for row, weight in zip(rows, weights):  # noqa: B905
        for i in range(out.shape[0]):
            source, target = table[row, i], out[i]
            for k in range(target.size):
                target[k] += weight * source[k]


@kernel()
def _put_gone(velocity, own, times, gone):  # type: ignore[no-untyped-def]
    """How far the root has gone at each sample: what takes longer than in the blend goes slower."""
    final, last = times.size - 1, np.zeros(3)
    for i in range(times.size):
        before, after = max(i - 1, 0), min(i + 1, final)
        gap = times[after] - times[before]
        pace = own[i] / (gap if after - before == 2 else 2.0 * gap)
        for k in range(3):
            rate = pace * velocity[i, k]
            if i > 0:
                gone[i, k] = gone[i - 1, k] + 0.5 * (times[i] - times[i - 1]) * (rate + last[k])
            last[k] = rate


@kernel(
    f"void({_TABLE}, {_TIMES}, {_TIMES}, {_ROW}, {_TABLE}, {_TIMES}, {_TIMES}, {_ROW}, float64[:, :, ::1])",
)
def lay(velocity, own, times, swung, missed, turned, places, facing, body):  # type: ignore[no-untyped-def]
    """Bodies laid on their prints, in place.

    The root's way is that of how fast the steps go, and what it then misses at the end is eased in: at equal
    generic times steps run through a double stance of a thirtieth of a second in one and a quarter in
    another, and a sum of places would give the body a blow at every strike. `own` are s between a sample's
    neighbours as captured.
    """
    samples = times.shape[1]
    gone, place = np.zeros((samples, 3)), np.empty(3)
    for step in range(body.shape[0]):
        _put_gone(velocity[step], own[step], times[step], gone)
        first, last = body[step, 0, :3].copy(), body[step, samples - 1, :3].copy()
        sin, cos = np.sin(facing[step]), np.cos(facing[step])
        for i in range(samples):
            share, rest = swung[i], smootherstep(times[step, i] / times[step, samples - 1])
            for k in range(3):
                aside = HALF * ((1.0 - share) * missed[step, 0, k] + share * missed[step, 1, k])
                missing = last[k] - first[k] - gone[samples - 1, k]
                place[k] = first[k] + gone[i, k] + rest * missing + aside
            body[step, i, 0] = places[step, 0] + cos * place[0] + sin * place[2]
            body[step, i, 1] = places[step, 1] + place[1]
            body[step, i, 2] = places[step, 2] + cos * place[2] - sin * place[0]
            turn = (1.0 - share) * turned[step, 0] + share * turned[step, 1] + turned[step, 2]
            body[step, i, YAW] += facing[step] + HALF * turn
