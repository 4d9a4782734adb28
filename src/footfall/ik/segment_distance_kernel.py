"""Distances of straight segments from a box about the origin and from each other, compiled.

A segment with a radius is a finger; a box with a skin is a sphere, a box or a capsule.
"""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel

SMALL = 1e-15
HALVINGS = 40  # of the golden section, for the rare segment that passes through the box


@kernel()
def _slope(u, x, y, z, dx, dy, dz, hx, hy, hz):  # type: ignore[no-untyped-def]
    """Half the rate at which the squared distance from the box grows along the segment."""
    px, py, pz = x + u * dx, y + u * dy, z + u * dz
    ex = px - min(max(px, -hx), hx)
    ey = py - min(max(py, -hy), hy)
    ez = pz - min(max(pz, -hz), hz)
    return ex * dx + ey * dy + ez * dz


@kernel()
def _narrowed(low, high, start, step, side, x, y, z, dx, dy, dz, hx, hy, hz):  # type: ignore[no-untyped-def]
    """The part of the segment that holds the least distance, cut where one coordinate passes a side."""
    if abs(step) > SMALL:
        u = (side - start) / step
        if low < u < high:
            if _slope(u, x, y, z, dx, dy, dz, hx, hy, hz) < 0.0:
                low = u
            else:
                high = u
    return low, high


@kernel()
def signed_from_box(px, py, pz, hx, hy, hz):  # type: ignore[no-untyped-def]
    """Of a point; negative inside."""
    bx, by, bz = abs(px) - hx, abs(py) - hy, abs(pz) - hz
    ox, oy, oz = max(bx, 0.0), max(by, 0.0), max(bz, 0.0)
    return np.sqrt(ox * ox + oy * oy + oz * oz) + min(max(bx, by, bz), 0.0)


@kernel()
def from_box(x, y, z, dx, dy, dz, hx, hy, hz):  # type: ignore[no-untyped-def]
    """The least signed distance of a segment's points from a box, and where along it (0 to 1).

    The squared distance is convex along the segment and its slope is made of straight pieces: cut at the six
    places where a coordinate passes a side, what is left is one piece, solved exactly.
    """
    low, high = 0.0, 1.0
    low, high = _narrowed(low, high, x, dx, -hx, x, y, z, dx, dy, dz, hx, hy, hz)
    low, high = _narrowed(low, high, x, dx, hx, x, y, z, dx, dy, dz, hx, hy, hz)
    low, high = _narrowed(low, high, y, dy, -hy, x, y, z, dx, dy, dz, hx, hy, hz)
    low, high = _narrowed(low, high, y, dy, hy, x, y, z, dx, dy, dz, hx, hy, hz)
    low, high = _narrowed(low, high, z, dz, -hz, x, y, z, dx, dy, dz, hx, hy, hz)
    low, high = _narrowed(low, high, z, dz, hz, x, y, z, dx, dy, dz, hx, hy, hz)
    before = _slope(low, x, y, z, dx, dy, dz, hx, hy, hz)
    after = _slope(high, x, y, z, dx, dy, dz, hx, hy, hz)
    if before >= 0.0:
        u = low
    elif after <= 0.0:
        u = high
    else:
        u = low + (high - low) * before / (before - after)
    found = signed_from_box(x + u * dx, y + u * dy, z + u * dz, hx, hy, hz)
    if found > 0.0 or hx + hy + hz <= 0.0:
        return found, u
    # through the box: how deep is convex too, but not smooth
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        a, b = low + 0.381966 * (high - low), low + 0.618034 * (high - low)
        at_a = signed_from_box(x + a * dx, y + a * dy, z + a * dz, hx, hy, hz)
        at_b = signed_from_box(x + b * dx, y + b * dy, z + b * dz, hx, hy, hz)
        if at_a < at_b:
            high = b
        else:
            low = a
    u = 0.5 * (low + high)
    return signed_from_box(x + u * dx, y + u * dy, z + u * dz, hx, hy, hz), u


@kernel()
def between_segments(a, d, b, e):  # type: ignore[no-untyped-def]
    """The distance of the segments a + s d and b + t e (Ericson, Real-Time Collision Detection, 5.1.9)."""
    rx, ry, rz = a[0] - b[0], a[1] - b[1], a[2] - b[2]
    dd = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
    ee = e[0] * e[0] + e[1] * e[1] + e[2] * e[2]
    de = d[0] * e[0] + d[1] * e[1] + d[2] * e[2]
    dr = d[0] * rx + d[1] * ry + d[2] * rz
    er = e[0] * rx + e[1] * ry + e[2] * rz
    width = dd * ee - de * de
    s = min(max((de * er - dr * ee) / width, 0.0), 1.0) if width > 1e-12 * dd * ee + 1e-30 else 0.0
    t = (de * s + er) / ee if ee > 1e-30 else 0.0
    if t < 0.0 or t > 1.0 or ee <= 1e-30:
        t = min(max(t, 0.0), 1.0)
        s = min(max((de * t - dr) / dd, 0.0), 1.0) if dd > 1e-30 else 0.0
    x = rx + s * d[0] - t * e[0]
    y = ry + s * d[1] - t * e[1]
    z = rz + s * d[2] - t * e[2]
    return np.sqrt(x * x + y * y + z * z)
