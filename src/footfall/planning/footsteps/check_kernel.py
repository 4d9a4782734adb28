"""Whether feet and body have room in a step, compiled.

The trunk goes from between the feet to between the feet, ahead of the ankles, and sways over the foot that
stands. Its stadium is looked at a few times on the way.
"""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.geometry.decisions import SLACK
from footfall.geometry.decisions_kernel import clearly_less
from footfall.geometry.kernel_cache import kernel
from footfall.planning.footsteps.body_layout import BACK, FRONT, HALF, RADIUS, SOLE, TRUNK_AHEAD
from footfall.planning.footsteps.room_kernel import ROOM, body_room, line_room

SWAYS = 0.6  # of the way over the foot that stands, in the middle of a step
EVERY = 0.12  # m of the trunk's way between looks
_N = nb.float64


@kernel(nb.boolean(nb.types.Tuple(ROOM), nb.float64[::1], _N, _N, _N, _N))
def sole_has_room(room, body, x, z, heading, level):  # type: ignore[no-untyped-def]
    """Whether nothing stands where a foot is put, whose own heading is told."""
    sine, cosine, need = np.sin(heading), np.cos(heading), body[SOLE]
    back, front = body[BACK] - need, body[FRONT] - need
    free = line_room(
        room, x - back * sine, z - back * cosine, x + front * sine, z + front * cosine, level, need
    )
    return not clearly_less(free, need)


@kernel(
    nb.boolean(nb.types.Tuple(ROOM), nb.float64[::1], nb.float64[::1], _N, _N, _N, _N, _N, _N, _N),
)
def body_passes(room, body, stand, ox, oz, tx, tz, heading, turned, level):  # type: ignore[no-untyped-def]
    """Whether the trunk has room while a foot goes from o to t beside the foot that stands.

    It faces `heading` at first and `turned` at last; the way is looked at but for its beginning.
    """
    ahead, half, need = body[TRUNK_AHEAD], body[HALF], body[RADIUS]
    ax, az = 0.5 * (stand[0] + ox), 0.5 * (stand[1] + oz)
    bx, bz = 0.5 * (stand[0] + tx), 0.5 * (stand[1] + tz)
    turn = turned - heading
    way = np.sqrt((bx - ax) ** 2 + (bz - az) ** 2) + 0.25 * abs(turn)
    looks = max(int(np.ceil(way / EVERY - SLACK)), 2)
    for k in range(looks, 0, -1):
        share = k / looks
        sway = 4.0 * share * (1.0 - share) * SWAYS
        x = (1.0 - sway) * (ax + share * (bx - ax)) + sway * stand[0]
        z = (1.0 - sway) * (az + share * (bz - az)) + sway * stand[1]
        facing = heading + share * turn
        x, z = x + ahead * np.sin(facing), z + ahead * np.cos(facing)
        if clearly_less(body_room(room, x, z, facing, half, level, need), need):
            return False
    return True
