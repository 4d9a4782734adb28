"""A leg as three tapered rods, compiled: foot, toes and shank, and how deep two legs are in each other."""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.models.stepspace.frame_tables import (
    ANKLE,
    BALL,
    CHAIN,
    HEEL,
    HIP,
    KNEE_AND_TOE,
    NO_JOINT,
    OFFSET,
    PELVIS,
    SUBTALAR,
    TIP,
    TOE,
    TOE_JOINT,
    TURN,
)
from footfall.models.stepspace.turns_kernel import (
    dot,
    minus,
    multiply,
    plus,
    put_vector,
    rotate,
    times,
    turn_at,
    vector_at,
)

POINTS = 5  # heel, ball and tip of the toes; ankle and knee
RODS = ((0, 1), (1, 2), (3, 4))  # foot, toes, shank


@kernel(error_model="numpy")
def _along(v):  # type: ignore[no-untyped-def]
    """A direction; none where there is no way."""
    return times(1.0 / max(np.sqrt(dot(v, v)), 1e-9), v)


@kernel()
def put_rods(bones, sole, chains, thick, way, pose, out):  # type: ignore[no-untyped-def]
    """The points of a solved leg; those of the foot are as far over its sole as it is thick."""
    ankle, turn = vector_at(way, ANKLE), turn_at(way, TURN)
    tip = vector_at(sole, TIP)
    if chains[KNEE_AND_TOE, 1] != NO_JOINT:
        tip = rotate(turn_at(way, TOE), tip)
    tip = rotate(turn, plus(vector_at(sole, TOE_JOINT), tip))
    heel, ball = rotate(turn, vector_at(sole, HEEL)), rotate(turn, vector_at(sole, BALL))
    rise = _along(times(-1.0, rotate(turn, vector_at(sole, SUBTALAR))))
    heel = plus(heel, times(thick[0], plus(rise, _along(minus(ball, heel)))))
    tip = plus(tip, times(thick[2], minus(rise, _along(minus(tip, ball)))))
    put_vector(out[0], 0, plus(ankle, heel))
    put_vector(out[1], 0, plus(ankle, plus(ball, times(thick[1], rise))))
    put_vector(out[2], 0, plus(ankle, tip))
    put_vector(out[3], 0, ankle)
    chain, place = chains[CHAIN], vector_at(way, HIP)
    turn = multiply(turn_at(way, PELVIS), turn_at(pose[chain[0]], 0))
    for k in range(1, chains[KNEE_AND_TOE, 0] + 1):
        place = plus(place, rotate(turn, vector_at(bones[chain[k]], OFFSET)))
        turn = multiply(turn, turn_at(pose[chain[k]], 0))
    put_vector(out[4], 0, place)


@kernel(error_model="numpy")
def _nearest(a, along, b, other):  # type: ignore[no-untyped-def]
    """How far along two lines, from a and from b, the places lie that are nearest to each other."""
    away = minus(a, b)
    aa, bb, ab = max(dot(along, along), 1e-12), max(dot(other, other), 1e-12), dot(along, other)
    ca, cb = dot(along, away), dot(other, away)
    square = aa * bb - ab * ab
    s = min(max((ab * cb - ca * bb) / square, 0.0), 1.0) if square > 1e-12 else 0.0
    t = (ab * s + cb) / bb
    if t < 0.0:
        t, s = 0.0, min(max(-ca / aa, 0.0), 1.0)
    elif t > 1.0:
        t, s = 1.0, min(max((ab - ca) / aa, 0.0), 1.0)
    return s, t


@kernel()
def deepest(one, other, thick):  # type: ignore[no-untyped-def]
    """How deep two legs are in each other, less than 0 where they are apart, m."""
    most = -np.inf
    for i, j in RODS:
        a = vector_at(one[i], 0)
        along = minus(vector_at(one[j], 0), a)
        for k, n in RODS:
            b = vector_at(other[k], 0)
            across = minus(vector_at(other[n], 0), b)
            s, t = _nearest(a, along, b, across)
            away = minus(plus(a, times(s, along)), plus(b, times(t, across)))
            room = thick[i] + s * (thick[j] - thick[i]) + thick[k] + t * (thick[n] - thick[k])
            most = max(most, room - np.sqrt(dot(away, away)))
    return most
