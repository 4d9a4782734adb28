"""Blends of a kind's examples at generic times, compiled ([movements] 3, steps 3 to 5).

Of each example the place among its rows and the shares of the four rows about it are told once; then whole
rows are summed, channel after channel. Nothing is reordered between machines or calls: one pose of many is
the same, to the last digit, as that pose alone.
"""

from __future__ import annotations

import numpy as np

from footfall.blend.quaternion_sum import ALMOST_NO_LENGTH
from footfall.geometry.kernel_cache import kernel

_TABLES = (
    "Array(float64, 2, 'C', readonly=True), "  # rows of all examples: the root, then quaternions
    "Array(int64, 2, 'C', readonly=True), "  # first row and last of each
    "Array(float64, 3, 'C', readonly=True)"  # place among its rows: example, stretch, coefficients
)
_NUMBERS = "Array(float64, 1, 'C', readonly=True)"


@kernel(f"void({_TABLES}, {_NUMBERS}, float64, float64[::1])")
def _add_rows(rows, spans, places, weights, generic, total):  # type: ignore[no-untyped-def]
    """The weighted sum of all examples' rows at one generic time, held at both ends."""
    stretches = places.shape[1]
    g = min(generic, float(stretches)) if generic > 0.0 else 0.0  # no number is the start
    stretch = min(int(g), stretches - 1)
    u = g - stretch
    total[:] = 0.0
    for example in range(weights.size):
        weight = weights[example]
        if weight == 0.0:
            continue
        clock = places[example, stretch]
        place = clock[0] + u * (clock[1] + u * (clock[2] + u * clock[3]))
        first, last = spans[example, 0], spans[example, 1]
        place = min(place, float(last - first)) if place > 0.0 else 0.0
        i = min(int(place), max(last - first - 1, 0))
        # Catmull-Rom: Hermite's cubic with half the differences of neighbours as slopes
        t = place - i
        t2, t3 = t * t, t * t * t
        rising, falling = 0.5 * (t3 - 2.0 * t2 + t), 0.5 * (t3 - t2)
        a, b = -rising, (2.0 * t3 - 3.0 * t2 + 1.0) - falling
        c, d = (3.0 * t2 - 2.0 * t3) + rising, falling
        row = first + i
        following = min(row + 1, last)
        before, after = row - 1, row + 2
        if before < first:  # straight on: 2 b - c
            a, b, c, before = 0.0, b + 2.0 * a, c - a, row
        if after > last:  # 2 c - b
            b, c, d, after = b - d, c + 2.0 * d, 0.0, following
        a, b, c, d = weight * a, weight * b, weight * c, weight * d
        ra, rb, rc, rd = rows[before], rows[row], rows[following], rows[after]
        for k in range(total.size):
            total[k] += a * ra[k] + b * rb[k] + c * rc[k] + d * rd[k]


@kernel("boolean(float64[::1], int64, float64[:, ::1])")
def _put_unit(total, joint, rotations):  # type: ignore[no-untyped-def]
    """A joint's quaternion at unit length; False where it has none."""
    k = 3 + 4 * joint
    w, x, y, z = total[k], total[k + 1], total[k + 2], total[k + 3]
    length = np.sqrt(w * w + x * x + y * y + z * z)
    if not length > ALMOST_NO_LENGTH:
        return False
    rotations[joint, 0], rotations[joint, 1] = w / length, x / length
    rotations[joint, 2], rotations[joint, 3] = y / length, z / length
    return True


@kernel(f"void({_TABLES}, {_NUMBERS}, float64, float64[::1], float64[:, ::1], float64[::1])")
def _put_pose(rows, spans, places, weights, generic, root, rotations, total):  # type: ignore[no-untyped-def]
    _add_rows(rows, spans, places, weights, generic, total)
    root[0], root[1], root[2] = total[0], total[1], total[2]
    lost = 0
    for joint in range(rotations.shape[0]):
        if not _put_unit(total, joint, rotations):
            rotations[joint, 0] = np.nan
            lost += 1
    if lost == 0:
        return
    # where examples cancel out, the first is as good as any: its hemisphere is everyone's
    alone = np.zeros(weights.size)
    alone[0] = 1.0
    _add_rows(rows, spans, places, alone, generic, total)
    for joint in range(rotations.shape[0]):
        if np.isnan(rotations[joint, 0]) and not _put_unit(total, joint, rotations):
            rotations[joint] = 0.0
            rotations[joint, 0] = 1.0


@kernel(f"void({_TABLES}, {_NUMBERS}, float64, float64[::1], float64[:, ::1])")
def blend_pose(rows, spans, places, weights, generic, root, rotations):  # type: ignore[no-untyped-def]
    """Root and rotations at one generic time."""
    total = np.empty(rows.shape[1])
    _put_pose(rows, spans, places, weights, generic, root, rotations, total)


@kernel(f"void({_TABLES}, {_NUMBERS}, {_NUMBERS}, float64[:, ::1], float64[:, :, ::1])")
def blend_poses(rows, spans, places, weights, generic, root, rotations):  # type: ignore[no-untyped-def]
    """The same at many."""
    total = np.empty(rows.shape[1])
    for k in range(generic.size):
        _put_pose(rows, spans, places, weights, generic[k], root[k], rotations[k], total)
