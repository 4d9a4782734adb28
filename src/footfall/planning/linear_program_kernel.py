"""The best velocity under half-planes, compiled: small programs in the plane, one constraint after another.

A row (nx, nz, c) of `planes` allows the velocities v with n . v >= c; n has length 1. What a character can
reach at all is `reach` = (s, ax, az, ar): speeds up to s, and changes up to ar from its velocity (ax, az).
Both are discs, so a line through them is a piece of a line, which is all that the programs below need.
Seidel's incremental scheme: as long as the best so far is allowed by the next plane it stays; else the new
best lies on that plane's line. Rows are met in their order, so answers never depend on luck.
"""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel

SLACK = 1e-9  # m/s that count as nothing
REACH = "UniTuple(float64, 4)"
PLANES = "float64[:, ::1]"


@kernel()
def _within(reach, x, z):  # type: ignore[no-untyped-def]
    """The share by which a velocity must be drawn to each disc's middle to lie in it."""
    s, ax, az, ar = reach
    speed, change = np.sqrt(x * x + z * z), np.sqrt((x - ax) ** 2 + (z - az) ** 2)
    return (s / speed if speed > s else 1.0), (ar / change if change > ar else 1.0)


@kernel(f"UniTuple(float64, 2)({REACH}, float64, float64)")
def _rims_meet(reach, x, z):  # type: ignore[no-untyped-def]
    """Where the two circles meet, on the side of a wish."""
    s, ax, az, ar = reach
    square = ax * ax + az * az
    along = 0.5 * (1.0 + (s * s - ar * ar) / square)
    across = np.sqrt(max(s * s / square - along * along, 0.0))
    if x * -az + z * ax < 0.0:
        across = -across
    return along * ax - across * az, along * az + across * ax


@kernel(f"UniTuple(float64, 2)({REACH}, float64, float64)")
def nearest_reachable(reach, x, z):  # type: ignore[no-untyped-def]
    """The reachable velocity nearest to a wish."""
    ax, az = reach[1], reach[2]
    slower, softer = _within(reach, x, z)
    if slower == 1.0 and softer == 1.0:
        return x, z
    first = (slower * x, slower * z)
    if _within(reach, first[0], first[1])[1] > 1.0 - SLACK:
        return first
    second = (ax + softer * (x - ax), az + softer * (z - az))
    if _within(reach, second[0], second[1])[0] > 1.0 - SLACK:
        return second
    return _rims_meet(reach, x, z)


@kernel(f"UniTuple(float64, 2)({REACH}, float64, float64)")
def farthest_reachable(reach, nx, nz):  # type: ignore[no-untyped-def]
    """The reachable velocity that goes farthest along a direction."""
    s, ax, az, ar = reach
    if _within(reach, s * nx, s * nz)[1] > 1.0 - SLACK:
        return s * nx, s * nz
    x, z = ax + ar * nx, az + ar * nz
    if _within(reach, x, z)[0] > 1.0 - SLACK:
        return x, z
    return _rims_meet(reach, x, z)


@kernel()
def _piece_in_disc(low, high, nx, nz, c, mx, mz, radius):  # type: ignore[no-untyped-def]
    """The piece of the line n . v = c that lies in a disc, as lengths along (-nz, nx)."""
    if radius == np.inf:
        return low, high
    away = c - nx * mx - nz * mz
    square = radius * radius - away * away
    if square < -SLACK * (radius + SLACK):
        return np.inf, -np.inf
    half, middle = np.sqrt(max(square, 0.0)), nx * mz - nz * mx
    return max(low, middle - half), min(high, middle + half)


@kernel(f"UniTuple(float64, 2)({PLANES}, int64, {REACH})")
def _piece_of_line(planes, row, reach):  # type: ignore[no-untyped-def]
    """What the reach and all rows before leave of a row's line; nothing where the first is the larger."""
    s, ax, az, ar = reach
    nx, nz, c = planes[row, 0], planes[row, 1], planes[row, 2]
    low, high = _piece_in_disc(-np.inf, np.inf, nx, nz, c, 0.0, 0.0, s)
    low, high = _piece_in_disc(low, high, nx, nz, c, ax, az, ar)
    for j in range(row):
        mx, mz = planes[j, 0], planes[j, 1]
        slope, room = mz * nx - mx * nz, planes[j, 2] - c * (mx * nx + mz * nz)
        if abs(slope) < SLACK:
            if room > SLACK:
                return np.inf, -np.inf
        elif slope > 0.0:
            low = max(low, room / slope)
        else:
            high = min(high, room / slope)
    if low > high + SLACK:
        return np.inf, -np.inf
    return low, max(low, high)


@kernel(f"Tuple((int64, float64, float64))({PLANES}, int64, {REACH}, float64, float64)")
def nearest_allowed(planes, count, reach, wish_x, wish_z):  # type: ignore[no-untyped-def]
    """The reachable, allowed velocity nearest to a wish.

    The first answer is how many rows could be kept: all, or the index of the first that could not, and then
    the velocity is the best without it.
    """
    x, z = nearest_reachable(reach, wish_x, wish_z)
    for i in range(count):
        nx, nz, c = planes[i, 0], planes[i, 1], planes[i, 2]
        if nx * x + nz * z >= c - SLACK:
            continue
        low, high = _piece_of_line(planes, i, reach)
        if low > high:
            return i, x, z
        along = min(max(nx * wish_z - nz * wish_x, low), high)
        x, z = c * nx - along * nz, c * nz + along * nx
    return count, x, z


@kernel(f"Tuple((boolean, float64, float64))({PLANES}, int64, {REACH}, float64, float64)")
def farthest_allowed(planes, count, reach, way_x, way_z):  # type: ignore[no-untyped-def]
    """The reachable, allowed velocity that goes farthest along a direction, and whether there is any."""
    x, z = farthest_reachable(reach, way_x, way_z)
    for i in range(count):
        nx, nz, c = planes[i, 0], planes[i, 1], planes[i, 2]
        if nx * x + nz * z >= c - SLACK:
            continue
        low, high = _piece_of_line(planes, i, reach)
        if low > high:
            return False, x, z
        along = high if nx * way_z - nz * way_x > 0.0 else low
        x, z = c * nx - along * nz, c * nz + along * nx
    return True, x, z


@kernel(f"UniTuple(float64, 3)({PLANES}, int64, int64, {REACH}, float64, float64, {PLANES})")
def least_breach(planes, hard, count, reach, wish_x, wish_z, room):  # type: ignore[no-untyped-def]
    """The velocity that breaks the worst-broken plane the least, by how much, and then nearest to a wish.

    The first `hard` rows are never broken; they must leave something. With the breach p as a third unknown
    this is the program in three dimensions: on the face where row i is broken by exactly p, row j is broken
    by no more than p where (n_j - n_i) . v >= c_j - c_i. `room` is for as many rows as `planes`.
    """
    kept, x, z = nearest_allowed(planes, count, reach, wish_x, wish_z)
    breach = 0.0
    for i in range(kept, count):
        nx, nz, c = planes[i, 0], planes[i, 1], planes[i, 2]
        if c - nx * x - nz * z <= breach + SLACK:
            continue
        rows = hard
        room[:hard] = planes[:hard]
        for j in range(hard, i):
            mx, mz = planes[j, 0] - nx, planes[j, 1] - nz
            length = np.sqrt(mx * mx + mz * mz)
            if length < SLACK:  # the same direction: the row with the larger c is broken more
                continue
            room[rows, 0], room[rows, 1], room[rows, 2] = (
                mx / length,
                mz / length,
                (planes[j, 2] - c) / length,
            )
            rows += 1
        found, to_x, to_z = farthest_allowed(room, rows, reach, nx, nz)
        if found:
            x, z = to_x, to_z
        breach = max(breach, c - nx * x - nz * z)
    # the least breach may leave a choice: of two planes face to face, all that lies along them
    room[:count] = planes[:count]
    for j in range(hard, count):
        room[j, 2] -= breach + 2.0 * SLACK
    kept, to_x, to_z = nearest_allowed(room, count, reach, wish_x, wish_z)
    if kept == count:
        x, z = to_x, to_z
    return breach, x, z
