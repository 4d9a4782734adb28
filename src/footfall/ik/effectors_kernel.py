"""Where points of a body are, how joints move them, and what they miss, compiled."""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import (
    conjugate,
    log,
    multiply,
    put_quaternion,
    quaternion_at,
    rotate,
    vector_at,
)

_N, _I = nb.float64, nb.int64
ROWS = nb.types.Array(nb.float64, 2, "C", readonly=True)
NUMBERS = nb.types.Array(nb.float64, 1, "C", readonly=True)
INDICES = nb.types.Array(nb.int64, 1, "C", readonly=True)
FLAGS = nb.types.Array(nb.boolean, 2, "C", readonly=True)
MOVED = nb.types.Array(nb.boolean, 1, "C", readonly=True)


@kernel(nb.void(INDICES, ROWS, NUMBERS, ROWS, nb.float64[:, ::1], nb.float64[:, ::1]))
def place_joints(parents, offsets, root, rotations, places, turns):  # type: ignore[no-untyped-def]
    """World places and orientations of all joints."""
    places[0, 0], places[0, 1], places[0, 2] = root[0], root[1], root[2]
    turns[0] = rotations[0]
    for j in range(1, parents.size):
        p, q, o = turns[parents[j]], rotations[j], offsets[j]
        x, y, z = rotate(quaternion_at(p, 0), vector_at(o, 0))
        above = places[parents[j]]
        places[j, 0], places[j, 1], places[j, 2] = above[0] + x, above[1] + y, above[2] + z
        put_quaternion(turns[j], 0, multiply(quaternion_at(p, 0), quaternion_at(q, 0)))


@kernel()
def reached(places, turns, joint, point):  # type: ignore[no-untyped-def]
    """Where a point of a joint is."""
    q = turns[joint]
    x, y, z = rotate(quaternion_at(q, 0), vector_at(point, 0))
    return places[joint, 0] + x, places[joint, 1] + y, places[joint, 2] + z


@kernel(
    nb.void(INDICES, NUMBERS, _N, MOVED, nb.float64[:, ::1], nb.float64[::1], _N, _N, nb.float64[:, ::1]),
)
def put_rows(joints, loose, root_loose, moved, places, here, position, turning, rows):  # type: ignore[no-untyped-def]
    """How an effector that is `here` moves (three rows, if `position`) and turns (three, if `turning`)."""
    count, at = joints.size, 0
    for kind in range(2):
        weight = position if kind == 0 else turning
        if weight <= 0.0:
            continue
        for r in range(3):
            rows[at + r, :] = 0.0
        for k in range(count):
            if not moved[k]:
                continue
            c, scale = 3 * k, weight * loose[k]
            if kind == 0:
                joint = places[joints[k]]
                u, v, w = (
                    scale * (here[0] - joint[0]),
                    scale * (here[1] - joint[1]),
                    scale * (here[2] - joint[2]),
                )
                rows[at, c + 1], rows[at, c + 2] = w, -v
                rows[at + 1, c], rows[at + 1, c + 2] = -w, u
                rows[at + 2, c], rows[at + 2, c + 1] = v, -u
            else:
                rows[at, c] = rows[at + 1, c + 1] = rows[at + 2, c + 2] = scale
        if kind == 0:
            for r in range(3):
                rows[at + r, 3 * count + r] = weight * root_loose
        at += 3


@kernel(
    nb.types.UniTuple(_N, 2)(nb.float64[::1], nb.float64[::1], _N, _N, NUMBERS, NUMBERS, _N, nb.float64[::1]),
)
def put_wanted(here, turned_so, position, turning, goal, goal_turn, farthest, wanted):  # type: ignore[no-untyped-def]
    """Fills in what an effector that is `here` and `turned_so` misses, no more than `farthest` at once.

    Returns the largest of it, m or rad, and the square of all of it, weighted.
    """
    worst, square, at = 0.0, 0.0, 0
    if position > 0.0:
        x, y, z = goal[0] - here[0], goal[1] - here[1], goal[2] - here[2]
        away = np.sqrt(x * x + y * y + z * z)
        scale = position * (1.0 if away <= farthest else farthest / away)
        wanted[0], wanted[1], wanted[2] = scale * x, scale * y, scale * z
        worst, square, at = away, (position * away) ** 2, 3
    if turning > 0.0:
        q, g = turned_so, goal_turn
        w, x, y, z = multiply(quaternion_at(g, 0), conjugate(quaternion_at(q, 0)))
        x, y, z = log((w, x, y, z))
        away = np.sqrt(x * x + y * y + z * z)
        scale = turning * (1.0 if turning * away <= farthest else farthest / (turning * away))
        wanted[at], wanted[at + 1], wanted[at + 2] = scale * x, scale * y, scale * z
        worst, square = max(worst, away), square + (turning * away) ** 2
    return worst, square
