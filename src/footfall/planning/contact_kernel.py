"""A last look before characters go: nobody steps into another, compiled.

Half-planes that cannot all be kept are broken by each character on its own, and two that break the same one
walk into each other. This takes what all have chosen and removes, pair by pair and round by round, what would
be an overlap after the step. It goes back and forth between half-planes that all hold when everybody stands,
so the rounds come to rest.
"""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.planning.constraints_kernel import (
    RADIUS,
    ROW,
    ROWS,
    SPEED,
    TURNING,
    VX,
    VZ,
    X,
    Z,
    away_from_wall,
    put_turning,
    reach_of,
)
from footfall.planning.linear_program_kernel import PLANES, nearest_allowed

ROUNDS = 30
ENOUGH = 1e-3  # m/s of closing that are left: a tenth of a millimetre in a tenth of a second
PARTING = 0.5  # m/s at which those who overlap part, at least
FEW = 8  # walls and moving obstacles that a character can touch within a step
SAME = 1e-9  # m: at the same place

# Who meets whom, how, and how many do. Whom: a body, or -1 for a wall. How: the direction to it, the closing
# speed (m/s) that just makes them touch after the step, and how far away it is.
MEETINGS = "int64[:, ::1], float64[:, ::1], int64"


@kernel(f"int64({MEETINGS}, {ROWS}, {ROWS}, int64, int64, float64, float64)")
def meet_body(who, how, rows, bodies, traits, i, j, both, dt):  # type: ignore[no-untyped-def]
    """Adds another character or a moving obstacle, if a character can touch it within a step.

    Returns how many meetings there are then.
    """
    px, pz = bodies[j, X] - bodies[i, X], bodies[j, Z] - bodies[i, Z]
    away, moving = np.hypot(px, pz), j >= len(traits)
    fastest = np.hypot(bodies[j, VX], bodies[j, VZ]) if moving else traits[j, SPEED]
    if away < SAME or away - both > dt * (traits[i, SPEED] + fastest):
        return rows
    who[rows, 0], who[rows, 1] = i, j
    how[rows, 0], how[rows, 1] = px / away, pz / away
    how[rows, 2], how[rows, 3] = max((away - both) / dt, -PARTING), away
    return rows + 1


@kernel(f"boolean({MEETINGS}, {ROWS}, int64, {ROW})")
def _behind(who, how, rows, bodies, i, wall):  # type: ignore[no-untyped-def]
    """Whether a wall lies wholly behind one that is met anyway, like the next piece of a straight one."""
    row = rows - 1
    while row >= 0 and who[row, 0] == i:
        nx, nz, away = how[row, 0], how[row, 1], how[row, 3] - SAME
        a = nx * (wall[0] - bodies[i, X]) + nz * (wall[1] - bodies[i, Z])
        b = nx * (wall[2] - bodies[i, X]) + nz * (wall[3] - bodies[i, Z])
        if a >= away and b >= away:
            return True
        row -= 1
    return False


@kernel(f"int64({MEETINGS}, {ROWS}, {ROWS}, int64, {ROW}, float64, float64, float64)")
def meet_wall(who, how, rows, bodies, traits, i, wall, away, dt, side):  # type: ignore[no-untyped-def]
    """Adds a wall, if a character can touch it within a step; before bodies, and the nearest first."""
    gap = away - traits[i, RADIUS]
    if gap > dt * traits[i, SPEED] or _behind(who, how, rows, bodies, i, wall):
        return rows
    nx, nz = away_from_wall(wall, bodies[i, X], bodies[i, Z], side)
    who[rows, 0], who[rows, 1] = i, -1
    how[rows, 0], how[rows, 1], how[rows, 2], how[rows, 3] = -nx, -nz, max(gap / dt, -PARTING), away
    return rows + 1


@kernel(f"UniTuple(float64, 2)({ROW}, {ROW}, float64, float64, float64, {PLANES})")
def _reached(me, mine, dt, x, z, planes):  # type: ignore[no-untyped-def]
    """The nearest velocity that a character can have after a step."""
    rows = put_turning(planes, me, mine[TURNING] * dt)
    _, x, z = nearest_allowed(planes, rows, reach_of(me, mine, dt), x, z)
    return x, z


@kernel(f"void({MEETINGS}, {ROWS}, {ROWS}, float64, {PLANES}, float64[:, ::1])")
def part(who, how, rows, bodies, traits, dt, planes, out):  # type: ignore[no-untyped-def]
    """Changes velocities so that nobody who meets overlaps after the step; two that meet share the change."""
    for _ in range(ROUNDS):
        settled = True
        for row in range(rows):
            i, j, nx, nz = who[row, 0], who[row, 1], how[row, 0], how[row, 1]
            excess, both = nx * out[i, 0] + nz * out[i, 1] - how[row, 2], 0 <= j < len(traits)
            if both:
                excess -= nx * out[j, 0] + nz * out[j, 1]
            elif j >= 0:
                excess -= nx * bodies[j, VX] + nz * bodies[j, VZ]
            if excess <= ENOUGH:
                continue
            settled = False
            own = 0.5 * excess if both else excess
            x, z = out[i, 0] - own * nx, out[i, 1] - own * nz
            out[i, 0], out[i, 1] = _reached(bodies[i], traits[i], dt, x, z, planes)
            if both:
                x, z = out[j, 0] + own * nx, out[j, 1] + own * nz
                out[j, 0], out[j, 1] = _reached(bodies[j], traits[j], dt, x, z, planes)
        if settled:
            return
