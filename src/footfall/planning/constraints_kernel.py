"""The half-planes of one character: how it can turn, the walls near it, the discs it meets, compiled."""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.planning.half_planes_kernel import (
    WALL,
    clear_of_disc,
    clear_of_wall,
    nearest_on_wall,
    out_of_disc,
)
from footfall.planning.linear_program_kernel import PLANES, SLACK

RADIUS, SPEED, ACCELERATION, TURNING, VEER, RANK = range(6)  # columns of traits
X, Z, VX, VZ, WIDE = range(5)  # columns of bodies
SLOWEST = 0.1  # m/s: what is slower turns freely

ROW = WALL
ROWS = "Array(float64, 2, 'C', readonly=True)"
INDICES = "Array(int64, 1, 'C', readonly=True)"
JOINTS = "Array(float64, 4, 'C', readonly=True)"
WALLS = f"Tuple(({ROWS}, {JOINTS}, {INDICES}, {INDICES}, {ROW}))"  # as `WallSegments.arrays`


@kernel(f"UniTuple(float64, 4)({ROW}, {ROW}, float64)")
def reach_of(me, mine, dt):  # type: ignore[no-untyped-def]
    """What a character can reach within a step; one that is too fast brakes as it can."""
    speed, change = np.sqrt(me[VX] ** 2 + me[VZ] ** 2), mine[ACCELERATION] * dt
    return max(mine[SPEED], speed - change), me[VX], me[VZ], change


@kernel(f"int64({PLANES}, {ROW}, float64)")
def put_turning(planes, me, angle):  # type: ignore[no-untyped-def]
    """Planes of the headings within an angle of the present one; standing still is allowed."""
    speed = np.sqrt(me[VX] ** 2 + me[VZ] ** 2)
    if not angle < 0.5 * np.pi or speed < SLOWEST:
        return 0
    x, z, c, s = me[VX] / speed, me[VZ] / speed, np.cos(angle), np.sin(angle)
    planes[0, 0], planes[0, 1], planes[0, 2] = x * s - z * c, z * s + x * c, 0.0
    planes[1, 0], planes[1, 1], planes[1, 2] = x * s + z * c, z * s - x * c, 0.0
    return 2


@kernel(f"int64({WALLS}, float64, float64, float64, float64[::1], int64[::1])")
def walls_near(walls, x, z, within, squares, found):  # type: ignore[no-untyped-def]
    """The walls within a distance, nearest first, and their squared distances."""
    lines, _, starts, members, grid = walls
    i, j = np.floor((x - grid[0]) / grid[2]), np.floor((z - grid[1]) / grid[2])
    if not (0.0 <= i < grid[3] and 0.0 <= j < grid[4]):
        return 0
    cell, count = int(i) * int(grid[4]) + int(j), 0
    for k in range(starts[cell], starts[cell + 1]):
        qx, qz = nearest_on_wall(lines[members[k]], x, z)
        square = (qx - x) ** 2 + (qz - z) ** 2
        if square > within * within:
            continue
        at = count
        while at > 0 and squares[at - 1] > square:
            squares[at], found[at] = squares[at - 1], found[at - 1]
            at -= 1
        squares[at], found[at] = square, members[k]
        count += 1
    return count


@kernel(f"UniTuple(float64, 2)({ROW}, float64, float64, float64)")
def away_from_wall(wall, x, z, side):  # type: ignore[no-untyped-def]
    """The direction straight away from a wall; for a place on it, to one of its sides."""
    qx, qz = nearest_on_wall(wall, x, z)
    dx, dz = x - qx, z - qz
    length = np.sqrt(dx * dx + dz * dz)
    if length == 0.0:
        dx, dz = side * (wall[1] - wall[3]), side * (wall[2] - wall[0])
        length = np.sqrt(dx * dx + dz * dz)
    return (dx / length, dz / length) if length > 0.0 else (side, 0.0)


@kernel(f"boolean({PLANES}, int64, int64, {ROW}, float64, float64, float64, float64)")
def _covered(planes, first, rows, wall, x, z, radius, horizon):  # type: ignore[no-untyped-def]
    """Whether a wall lies wholly behind a plane that is kept anyway.

    So the next piece of a straight wall is no obstacle of its own.
    """
    for i in range(first, rows):
        nx, nz, c = planes[i, 0], planes[i, 1], planes[i, 2]
        if c > 0.0:  # a nearer time would reach behind it
            continue
        a = nx * (wall[0] - x) + nz * (wall[1] - z)
        b = nx * (wall[2] - x) + nz * (wall[3] - z)
        if max(a, b) + radius <= horizon * c + SLACK:
            return True
    return False


@kernel(
    f"int64({PLANES}, int64, {WALLS}, int64[::1], float64[::1], {ROW}, {ROW}, UniTuple(float64, 3))",
)
def put_walls(planes, rows, walls, near, squares, me, mine, times):  # type: ignore[no-untyped-def]
    """Planes that keep clear of walls, after `rows` others; `times` are horizon, dt and side."""
    horizon, dt, side = times
    x, z, radius, first = me[X], me[Z], mine[RADIUS], rows
    for k in range(len(near)):
        wall, away = walls[0][near[k]], np.sqrt(squares[k])
        if away > radius:
            if _covered(planes, first, rows, wall, x, z, radius, horizon):
                continue
            nx, nz, c = clear_of_wall(wall, walls[1][near[k]], x, z, me[VX], me[VZ], radius, horizon, side)
        else:  # out of it, but not faster than one can go
            nx, nz = away_from_wall(wall, x, z, side)
            c = min((radius - away) / dt, 0.5 * mine[SPEED])
        planes[rows, 0], planes[rows, 1], planes[rows, 2] = nx, nz, c
        rows += 1
    return rows


@kernel(f"boolean({WALLS}, int64[::1], {ROW}, {ROW})")
def hidden(walls, near, me, you):  # type: ignore[no-untyped-def]
    """Whether one of the walls near a character stands between it and another."""
    dx, dz = you[X] - me[X], you[Z] - me[Z]
    for k in range(len(near)):
        wall = walls[0][near[k]]
        ux, uz = wall[2] - wall[0], wall[3] - wall[1]
        mine = ux * (me[Z] - wall[1]) - uz * (me[X] - wall[0])
        yours = ux * (you[Z] - wall[1]) - uz * (you[X] - wall[0])
        one = dx * (wall[1] - me[Z]) - dz * (wall[0] - me[X])
        other = dx * (wall[3] - me[Z]) - dz * (wall[2] - me[X])
        if mine * yours < 0.0 and one * other < 0.0:
            return True
    return False


@kernel(f"void({PLANES}, int64, {ROW}, {ROW}, UniTuple(float64, 3), UniTuple(float64, 3))")
def put_disc(planes, row, me, you, kind, times):  # type: ignore[no-untyped-def]
    """The plane that keeps clear of another disc.

    `kind` are both radii together, the share of the effort that is one's own, and the angle at which to leave
    one that is at the same place; `times` are horizon, dt and side.
    """
    radius, share, lost = kind
    horizon, dt, side = times
    px, pz, vx, vz = you[X] - me[X], you[Z] - me[Z], me[VX] - you[VX], me[VZ] - you[VZ]
    if px * px + pz * pz > radius * radius:
        nx, nz, depth = clear_of_disc(px, pz, vx, vz, radius, horizon, side)
    else:
        nx, nz, depth = out_of_disc(px, pz, vx, vz, radius, dt, lost)
    planes[row, 0], planes[row, 1] = nx, nz
    planes[row, 2] = nx * me[VX] + nz * me[VZ] + share * depth
