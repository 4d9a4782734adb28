"""One foot put down, compiled: where its move leads, or as near as its sole can lie and the body passes."""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.geometry.decisions_kernel import clearly_less
from footfall.geometry.kernel_cache import kernel
from footfall.planning.footsteps.body_layout import EDGE, HALF, RADIUS, SLOPE, STEP, TOE_OUT, TRUNK_AHEAD
from footfall.planning.footsteps.check_kernel import body_passes, sole_has_room
from footfall.planning.footsteps.footing_kernel import FOOTING, NOWHERE, lie
from footfall.planning.footsteps.room_kernel import ROOM, body_room
from footfall.planning.kernel_types import NUMBERS, ROWS

NEAREST = 0.11  # m beside the foot that stands
NEARLY = 0.07  # m of room that may be missing where a foot is shifted to find it
LONGEST, SHORTER = 0.72, 1.5  # m ahead on the level; by so much less for each metre up or down
_N = nb.float64


@kernel(_N(_N))
def longest(rise):  # type: ignore[no-untyped-def]
    """m ahead of the other foot that one can be put so much higher or lower, at ease."""
    return LONGEST - SHORTER * abs(rise)


@kernel(
    _N(
        nb.types.Tuple(FOOTING),
        nb.types.Tuple(ROOM),
        nb.float64[::1],
        NUMBERS,
        ROWS,
        nb.float64[::1],
        *(_N,) * 9,
        nb.float64[::1],
    ),
)
def put_down(  # type: ignore[no-untyped-def]
    footing, room, body, discs, shifts, stand, ox, oz, level, side, facing, turned, beside, tx, tz, target
):
    """Puts a foot down where a move leads, or as near as the sole can lie and the body passes.

    m between the two; negative where there is no such place. Into `target` the place, and m farther ahead.
    """
    sine, cosine = np.sin(turned), np.cos(turned)
    toes = turned + side * body[TOE_OUT]
    for k in range(shifts.shape[0]):
        u, v = shifts[k, 0], shifts[k, 1]
        if k > 0 and beside + v < NEAREST:
            continue
        x, z = tx + u * sine + side * v * cosine, tz + u * cosine - side * v * sine
        found = lie(footing, discs, x, z, toes, level, body[EDGE], body[SLOPE], body[STEP])
        if found == NOWHERE or not sole_has_room(room, body, x, z, toes, found):
            continue
        if body_passes(room, body, stand, ox, oz, x, z, facing, turned, min(level, found)):
            target[0], target[1], target[2], target[3] = x, found, z, u
            return np.sqrt(u * u + v * v)
        if k == 0:  # where things are that near, a little to the side will not help
            mx, mz = (
                0.5 * (stand[0] + x) + body[TRUNK_AHEAD] * sine,
                0.5 * (stand[1] + z) + body[TRUNK_AHEAD] * cosine,
            )
            spare = body_room(room, mx, mz, turned, body[HALF], level, body[RADIUS])
            if clearly_less(spare, body[RADIUS] - NEARLY):
                return -1.0
    return -1.0
