"""Which velocities keep a character clear of another, of a moving disc, of a wall, compiled.

After van den Berg, Guy, Lin and Manocha, "Reciprocal n-Body Collision Avoidance" (2011). Velocities that
touch within a horizon tau are a cone with a rounded tip: a body, scaled by 1/t for all t up to tau. It is
convex, so the half-plane outside it at the rim point nearest to a velocity allows none of it. Answers are
(nx, nz, depth): n points out of the cone, and depth is how far the velocity lies inside (negative: outside).

Places are (x, z). With +Z ahead +X is to the left, so (x, z) turned to the right by a quarter is (-z, x): a
`hand` or `side` of 1 is the right, -1 the left.
"""

from __future__ import annotations

import numpy as np

from footfall.geometry.decisions_kernel import clearly_less
from footfall.geometry.kernel_cache import kernel

TINY = 1e-12
WALL = "Array(float64, 1, 'C', readonly=True)"
JOINED = "Array(float64, 3, 'C', readonly=True)"


@kernel("UniTuple(float64, 3)(float64, float64, float64, float64, float64, float64, float64)")
def clear_of_disc(px, pz, vx, vz, radius, horizon, side):  # type: ignore[no-untyped-def]
    """For a disc at p, farther away than its radius, and the velocity v relative to it.

    `side` is where to go past what is dead ahead.
    """
    wx, wz = vx - px / horizon, vz - pz / horizon  # from the middle of the tip
    square, along = px * px + pz * pz, wx * px + wz * pz
    off = wx * wx + wz * wz
    if along < 0.0 and along * along > radius * radius * off:  # nearest to the tip
        length = np.sqrt(off)
        return wx / length, wz / length, radius / horizon - length
    # nearest to a leg
    across = px * vz - pz * vx
    hand = side if not (clearly_less(across, 0.0) or clearly_less(0.0, across)) else np.sign(across)
    leg = np.sqrt(max(square - radius * radius, 0.0))
    ex, ez = (px * leg - hand * pz * radius) / square, (hand * px * radius + pz * leg) / square
    nx, nz = -hand * ez, hand * ex
    return nx, nz, -(nx * vx + nz * vz)


@kernel("UniTuple(float64, 3)(float64, float64, float64, float64, float64, float64, float64)")
def out_of_disc(px, pz, vx, vz, radius, seconds, lost):  # type: ignore[no-untyped-def]
    """For a disc that is touched already: velocities that are clear of it after some seconds.

    Where middles and velocities are the same no way out is better than another: it is the angle `lost`.
    """
    wx, wz = vx - px / seconds, vz - pz / seconds
    length, away = np.sqrt(wx * wx + wz * wz), np.sqrt(px * px + pz * pz)
    if clearly_less(0.0, length):
        return wx / length, wz / length, radius / seconds - length
    if clearly_less(0.0, away):
        return -px / away, -pz / away, radius / seconds
    return np.cos(lost), np.sin(lost), radius / seconds


@kernel(f"UniTuple(float64, 2)({WALL}, float64, float64)")
def nearest_on_wall(wall, x, z):  # type: ignore[no-untyped-def]
    """The point of a wall that is nearest to a place."""
    ax, az = wall[0], wall[1]
    ux, uz = wall[2] - ax, wall[3] - az
    square = ux * ux + uz * uz
    share = ((x - ax) * ux + (z - az) * uz) / square if square > 0.0 else 0.0
    share = min(max(share, 0.0), 1.0)
    return ax + share * ux, az + share * uz


@kernel()
def _tangent(x, z, radius, hand):  # type: ignore[no-untyped-def]
    """The direction that grazes a disc at (x, z) on one hand."""
    square = x * x + z * z
    leg = np.sqrt(max(square - radius * radius, 0.0))
    scale = 1.0 / square
    return (x * leg - hand * z * radius) * scale, (z * leg + hand * x * radius) * scale


@kernel()
def _rises(others, wall, end, nx, nz):  # type: ignore[no-untyped-def]
    """Whether a wall that is joined to this end rises over a plane that grazes it."""
    over = False
    for k in range(others.shape[1]):
        rise = (others[end, k, 0] - wall[2 * end]) * nx + (others[end, k, 1] - wall[2 * end + 1]) * nz
        if clearly_less(0.0, rise):
            over = True
    return over


@kernel(
    f"UniTuple(float64, 3)({WALL}, {JOINED}, float64, float64, float64, float64, float64, float64, float64)",
)
def clear_of_wall(wall, others, x, z, vx, vz, radius, horizon, side):  # type: ignore[no-untyped-def]
    """For a wall (from a to b: ax, az, bx, bz) farther away than the radius from (x, z). Answers (nx, nz, c).

    The cone's rim is made of two legs, the wall's flat side and the caps round its ends; the nearest is the
    one whose plane the velocity is deepest outside of, or least inside. All of them allow standing still, so
    walls alone never leave nothing. `others` are the far ends of walls joined to a and to b: a leg or cap
    that such a wall goes on beyond is no way past, and is left out.
    """
    ax, az, bx, bz = wall[0] - x, wall[1] - z, wall[2] - x, wall[3] - z
    qx, qz = nearest_on_wall(wall, x, z)
    qx, qz = qx - x, qz - z
    away = np.sqrt(qx * qx + qz * qz)
    # straight at the nearest point: always one of the planes
    best_x, best_z, best_c = -qx / away, -qz / away, (radius - away) / horizon
    best = best_x * vx + best_z * vz - best_c
    for turn in range(2):
        hand = side if turn == 0 else -side
        ex, ez = _tangent(ax, az, radius, hand)
        fx, fz = _tangent(bx, bz, radius, hand)
        end = 0
        if clearly_less(0.0, hand * (ex * fz - ez * fx)):  # b's reaches over a's
            ex, ez, end = fx, fz, 1
        nx, nz = -hand * ez, hand * ex
        out = nx * vx + nz * vz
        if clearly_less(best, out) and not _rises(others, wall, end, nx, nz):
            best_x, best_z, best_c, best = nx, nz, 0.0, out
    ux, uz = bx - ax, bz - az
    length = np.sqrt(ux * ux + uz * uz)
    if length > TINY:
        nx, nz = -uz / length, ux / length
        line = nx * ax + nz * az
        if line > 0.0:
            nx, nz, line = -nx, -nz, -line
        if line + radius < 0.0:
            c = (line + radius) / horizon
            out = nx * vx + nz * vz - c
            if clearly_less(best, out):
                best_x, best_z, best_c, best = nx, nz, c, out
    for end in range(2):
        mx, mz, sign = (ax, az, -1.0) if end == 0 else (bx, bz, 1.0)
        wx, wz = vx - mx / horizon, vz - mz / horizon
        off = np.sqrt(wx * wx + wz * wz)
        if off < TINY or sign * (wx * ux + wz * uz) < 0.0:
            continue
        nx, nz = wx / off, wz / off
        c = (nx * mx + nz * mz + radius) / horizon
        out = off - radius / horizon
        if c < 0.0 and clearly_less(best, out) and not _rises(others, wall, end, nx, nz):
            best_x, best_z, best_c, best = nx, nz, c, out
    return best_x, best_z, best_c
