"""One step of reciprocal avoidance for all characters, compiled (see `avoidance`)."""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.planning.constraints_kernel import (
    RADIUS,
    RANK,
    ROW,
    ROWS,
    SPEED,
    TURNING,
    VEER,
    VX,
    VZ,
    WALLS,
    WIDE,
    X,
    Z,
    hidden,
    put_disc,
    put_turning,
    put_walls,
    reach_of,
    walls_near,
)
from footfall.planning.contact_kernel import FEW, SAME, meet_body, meet_wall, part
from footfall.planning.linear_program_kernel import (
    PLANES,
    REACH,
    SLACK,
    least_breach,
    nearest_allowed,
)
from footfall.planning.neighbours_kernel import nearest_few, sort_into_cells

GOLDEN = 2.399963229728653  # rad: of which no two multiples are alike
HALF, WHOLE = 0.5, 1.0  # shares of the effort
TOUCH = 0.05  # m: nearer than this, others hold one fast
STUCK = 0.1  # of the wished progress, and twice of the speed: who makes less is held
BACK = 0.5  # of the wished speed at which one steps back
HINDERED = 0.1  # of the wished speed: who loses more veers all the way

COUNTS = "UniTuple(int64, 3)"  # rows of planes: turning, then walls, then all


@kernel(f"UniTuple(float64, 2)({PLANES}, {COUNTS}, {REACH}, float64, float64, {PLANES})")
def _best(planes, counts, reach, wish_x, wish_z, room):  # type: ignore[no-untyped-def]
    """The allowed velocity nearest to a wish; else that which breaks least, and walls only where it must."""
    turning, hard, rows = counts
    kept, x, z = nearest_allowed(planes, rows, reach, wish_x, wish_z)
    if kept < rows:
        unbroken = hard if kept >= hard else turning
        _, x, z = least_breach(planes, unbroken, rows, reach, wish_x, wish_z, room)
    return x, z


@kernel(f"UniTuple(float64, 2)({PLANES}, {COUNTS}, {REACH}, {ROW}, float64, {PLANES})")
def _choose(planes, counts, reach, wish, veer, room):  # type: ignore[no-untyped-def]
    """As wished where others leave the way free, else the wish turned aside: nobody meets a mirror image."""
    hard, rows = counts[1], counts[2]
    kept, x, z = nearest_allowed(planes, rows, reach, wish[0], wish[1])
    angle = veer
    if kept < hard:  # walls alone are too many
        angle = 0.0
    elif kept == rows:
        _, free_x, free_z = nearest_allowed(planes, hard, reach, wish[0], wish[1])
        lost, speed = np.hypot(x - free_x, z - free_z), np.hypot(wish[0], wish[1])
        if lost <= SLACK or speed <= SLACK:
            return x, z
        angle = veer * min(lost / (HINDERED * speed), 1.0)
    c, s = np.cos(angle), np.sin(angle)
    return _best(planes, counts, reach, c * wish[0] - s * wish[1], c * wish[1] + s * wish[0], room)


@kernel(f"boolean({ROWS}, {ROWS}, {ROW}, int64, int64[::1], float64, float64)")
def _gives_way(bodies, traits, wish, i, near, x, z):  # type: ignore[no-untyped-def]
    """Whether a character is held fast by others, all of whom rank higher: then it steps back.

    People shoulder to shoulder who all want through one place form an arch, in which nobody can move.
    """
    square = wish[0] * wish[0] + wish[1] * wish[1]
    speed = bodies[i, VX] ** 2 + bodies[i, VZ] ** 2
    if x * wish[0] + z * wish[1] >= STUCK * square or speed >= 4.0 * STUCK * STUCK * square:
        return False
    touched = False
    for k in range(len(near)):
        j = near[k]
        away = np.hypot(bodies[j, X] - bodies[i, X], bodies[j, Z] - bodies[i, Z])
        if away < traits[i, RADIUS] + traits[j, RADIUS] + TOUCH:
            if traits[j, RANK] < traits[i, RANK]:
                return False
            touched = True
    return touched


@kernel("float64(int64, int64, float64)")
def _apart(i, j, side):  # type: ignore[no-untyped-def]
    """The angle at which one leaves another at the same place: as if all there lay like sunflower seeds."""
    x = np.sqrt(i) * np.cos(GOLDEN * i) - np.sqrt(j) * np.cos(GOLDEN * j)
    z = np.sqrt(i) * np.sin(GOLDEN * i) - np.sqrt(j) * np.sin(GOLDEN * j)
    return np.arctan2(z, side * x)


@kernel("boolean(int64[::1], int64)")
def _has(numbers, number):  # type: ignore[no-untyped-def]
    found = False
    for k in range(len(numbers)):
        found = found or numbers[k] == number
    return found


@kernel("int64(Array(int64, 1, 'C', readonly=True))")
def _longest(starts):  # type: ignore[no-untyped-def]
    """Of lists that lie one after another."""
    most = 0
    for c in range(len(starts) - 1):
        most = max(most, starts[c + 1] - starts[c])
    return most


@kernel(f"void({ROWS}, {ROWS}, {ROWS}, {ROWS}, boolean[::1], {WALLS}, int64, {ROW}, float64[:, ::1])")
def steer(bodies, wishes, traits, places, present, walls, neighbours, settings, out):  # type: ignore[no-untyped-def]
    """New velocities of characters, the first bodies; the others move as they do.

    `places` are those of the characters; who is not `present` minds nobody. `settings` are horizon, wall
    horizon, dt and side (1 right, -1 left).
    """
    count, total = len(places), len(bodies)
    horizon, wall_horizon, dt, side = settings[0], settings[1], settings[2], settings[3]
    times, wall_times = (horizon, dt, side), (wall_horizon, dt, side)
    widest, fastest = traits[:, RADIUS].max(), traits[:, SPEED].max()
    grid, most_walls = sort_into_cells(places, present), _longest(walls[2])
    squares, found = np.empty(neighbours), np.empty((count, neighbours), np.int64)
    seen = np.zeros(count, np.int64)
    wall_squares, wall_found = np.empty(most_walls), np.empty(most_walls, np.int64)
    planes = np.empty((2 + most_walls + total - count + neighbours, 3))
    room = np.empty_like(planes)
    most = count * (neighbours + FEW)
    who, how, meetings = np.empty((most, 2), np.int64), np.empty((most, 4)), 0
    for i in range(count):
        me, mine, wish, reach = bodies[i], traits[i], wishes[i], reach_of(bodies[i], traits[i], dt)
        turning = put_turning(planes, me, mine[TURNING] * dt)
        if not present[i]:
            _, out[i, 0], out[i, 1] = nearest_allowed(planes, turning, reach, wish[0], wish[1])
            continue
        within = mine[RADIUS] + wall_horizon * mine[SPEED]
        walls_here = wall_found[: walls_near(walls, me[X], me[Z], within, wall_squares, wall_found)]
        hard = put_walls(planes, turning, walls, walls_here, wall_squares, me, mine, wall_times)
        rows, few = hard, meetings + FEW
        for k in range(len(walls_here)):
            if meetings < few:
                away = np.sqrt(wall_squares[k])
                wall = walls[0][walls_here[k]]
                meetings = meet_wall(who, how, meetings, bodies, traits, i, wall, away, dt, side)
        for k in range(count, total):
            you, both = bodies[k], mine[RADIUS] + bodies[k, WIDE]
            closing = mine[SPEED] + np.hypot(you[VX], you[VZ])
            if np.hypot(you[X] - me[X], you[Z] - me[Z]) < both + horizon * closing:
                put_disc(planes, rows, me, you, (both, WHOLE, _apart(i, k, side)), times)
                rows += 1
                if meetings < few:
                    meetings = meet_body(who, how, meetings, bodies, traits, i, k, both, dt)
        within = mine[RADIUS] + widest + horizon * (mine[SPEED] + fastest)
        seen[i] = nearest_few(places, grid, i, within, squares, found[i])
        for k in range(seen[i]):
            j = found[i, k]
            if hidden(walls, walls_here, me, bodies[j]):
                continue
            lost = _apart(i, j, side) if squares[k] < SAME * SAME else 0.0
            both = mine[RADIUS] + traits[j, RADIUS]
            put_disc(planes, rows, me, bodies[j], (both, HALF, lost), times)
            rows += 1
            if j > i or not _has(found[j, : seen[j]], i):
                meetings = meet_body(who, how, meetings, bodies, traits, i, j, both, dt)
        counts = (turning, hard, rows)
        x, z = _choose(planes, counts, reach, wish, mine[VEER], room)
        if _gives_way(bodies, traits, wish, i, found[i, : seen[i]], x, z):
            x, z = _best(planes, counts, reach, -BACK * wish[0], -BACK * wish[1], room)
        out[i, 0], out[i, 1] = x, z
    part(who, how, meetings, bodies, traits, dt, planes, out)
