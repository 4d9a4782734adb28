"""One limb of a pose solved in closed form, compiled; `two_link` does the same for all frames of a motion."""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import (
    conjugate,
    exp,
    multiply,
    put_quaternion,
    quaternion_at,
    rotate,
    vector_at,
)
from footfall.ik.effectors_kernel import INDICES, NUMBERS, ROWS

SHORT = 1e-9  # m


@kernel()
def _turn_after(parents, turns, rotations, joint, x, y, z):  # type: ignore[no-untyped-def]
    """Turns a joint by a rotation vector of the world; its own rotation is what is changed."""
    turn = exp((x, y, z))
    q = turns[joint]
    put_quaternion(q, 0, multiply(turn, quaternion_at(q, 0)))
    _keep(parents, turns, rotations, joint)


@kernel()
def _keep(parents, turns, rotations, joint):  # type: ignore[no-untyped-def]
    """A joint's own rotation from its orientation in the world."""
    q = turns[joint]
    if parents[joint] < 0:
        rotations[joint] = q
        return
    p = turns[parents[joint]]
    a, b, c, d = multiply(conjugate(quaternion_at(p, 0)), quaternion_at(q, 0))
    size = 1.0 / np.sqrt(a * a + b * b + c * c + d * d)
    r = rotations[joint]
    r[0], r[1], r[2], r[3] = size * a, size * b, size * c, size * d


@kernel()
def _follow(parents, offsets, rotations, places, turns, above, below):  # type: ignore[no-untyped-def]
    """Places and orientations on the way from a joint down to another, that one included."""
    j = below
    # joints come after their parents: at most a few lie between two joints of a limb
    while j != above:
        k, child = j, j
        while k != above:
            child, k = k, parents[k]
        # `child` is the first joint below `above` that is on the way
        p, q, o = turns[above], rotations[child], offsets[child]
        x, y, z = rotate(quaternion_at(p, 0), vector_at(o, 0))
        places[child, 0] = places[above, 0] + x
        places[child, 1] = places[above, 1] + y
        places[child, 2] = places[above, 2] + z
        t = turns[child]
        put_quaternion(t, 0, multiply(quaternion_at(p, 0), quaternion_at(q, 0)))
        above = child


@kernel(
    nb.float64(
        INDICES,
        ROWS,
        INDICES,
        NUMBERS,
        NUMBERS,
        NUMBERS,
        nb.float64[:, ::1],
        nb.float64[:, ::1],
        nb.float64[:, ::1],
    ),
)
def put_limb(parents, offsets, limb, axis, goal, goal_turn, rotations, places, turns):  # type: ignore[no-untyped-def]
    """Brings the end of a limb (three joints) to a place and a turn; by what it misses the place, m.

    The middle joint bends about an axis of the upper bone. `places` and `turns` are of all joints, and are
    kept right for those of the limb.
    """
    upper, middle, end = limb[0], limb[1], limb[2]
    first, second = places[middle] - places[upper], places[end] - places[middle]
    q = turns[upper]
    ax, ay, az = rotate(quaternion_at(q, 0), vector_at(axis, 0))
    wx, wy, wz = goal[0] - places[upper, 0], goal[1] - places[upper, 1], goal[2] - places[upper, 2]
    wanted = np.sqrt(wx * wx + wy * wy + wz * wz)
    along = second[0] * ax + second[1] * ay + second[2] * az
    a = (first[0] * ax + first[1] * ay + first[2] * az) * along
    b = first @ second - a
    c = (
        first[0] * (ay * second[2] - az * second[1])
        + first[1] * (az * second[0] - ax * second[2])
        + first[2] * (ax * second[1] - ay * second[0])
    )
    cosine = (0.5 * (wanted * wanted - first @ first - second @ second) - a) / max(np.hypot(b, c), 1e-12)
    angle = np.arctan2(c, b) + np.arccos(min(max(cosine, -1.0), 1.0))
    _turn_after(parents, turns, rotations, middle, angle * ax, angle * ay, angle * az)
    _follow(parents, offsets, rotations, places, turns, middle, end)
    # the smallest turn that brings it there
    hx, hy, hz = (
        places[end, 0] - places[upper, 0],
        places[end, 1] - places[upper, 1],
        places[end, 2] - places[upper, 2],
    )
    if wanted > SHORT and hx * hx + hy * hy + hz * hz > SHORT * SHORT:
        x, y, z = hy * wz - hz * wy, hz * wx - hx * wz, hx * wy - hy * wx
        size = np.sqrt(x * x + y * y + z * z)
        if size > 1e-15:
            turn = np.arctan2(size, hx * wx + hy * wy + hz * wz) / size
            _turn_after(parents, turns, rotations, upper, turn * x, turn * y, turn * z)
            _follow(parents, offsets, rotations, places, turns, upper, end)
    t = turns[end]
    t[0], t[1], t[2], t[3] = goal_turn[0], goal_turn[1], goal_turn[2], goal_turn[3]
    _keep(parents, turns, rotations, end)
    away = places[end] - goal
    return np.sqrt(away @ away)
