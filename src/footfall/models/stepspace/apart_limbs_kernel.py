"""A leg as three tapered rods, compiled: foot, toes and shank, and how deep two legs are in each other."""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import (
    add,
    cross,
    dot,
    multiply,
    put_vector,
    quaternion_at,
    rotate,
    scale,
    subtract,
    vector_at,
)
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

POINTS = 5  # heel, ball and tip of the toes; ankle and knee
RODS = ((0, 1), (1, 2), (3, 4))  # foot, toes, shank
PARALLEL = 1e-20  # squared sine of the angle under which rods are parallel


@kernel()
def _along(v):  # type: ignore[no-untyped-def]
    """A direction; none where there is no way."""
    return scale(1.0 / max(np.sqrt(dot(v, v)), 1e-9), v)


@kernel()
def put_rods(bones, sole, chains, thick, way, pose, out):  # type: ignore[no-untyped-def]
    """The points of a solved leg; those of the foot are as far over its sole as it is thick."""
    ankle, turn = vector_at(way, ANKLE), quaternion_at(way, TURN)
    tip = vector_at(sole, TIP)
    if chains[KNEE_AND_TOE, 1] != NO_JOINT:
        tip = rotate(quaternion_at(way, TOE), tip)
    tip = rotate(turn, add(vector_at(sole, TOE_JOINT), tip))
    heel, ball = rotate(turn, vector_at(sole, HEEL)), rotate(turn, vector_at(sole, BALL))
    rise = _along(scale(-1.0, rotate(turn, vector_at(sole, SUBTALAR))))
    heel = add(heel, scale(thick[0], add(rise, _along(subtract(ball, heel)))))
    tip = add(tip, scale(thick[2], subtract(rise, _along(subtract(tip, ball)))))
    put_vector(out[0], 0, add(ankle, heel))
    put_vector(out[1], 0, add(ankle, add(ball, scale(thick[1], rise))))
    put_vector(out[2], 0, add(ankle, tip))
    put_vector(out[3], 0, ankle)
    chain, place = chains[CHAIN], vector_at(way, HIP)
    turn = multiply(quaternion_at(way, PELVIS), quaternion_at(pose[chain[0]], 0))
    for k in range(1, chains[KNEE_AND_TOE, 0] + 1):
        place = add(place, rotate(turn, vector_at(bones[chain[k]], OFFSET)))
        turn = multiply(turn, quaternion_at(pose[chain[k]], 0))
    put_vector(out[4], 0, place)


@kernel()
def _deepest_along(away, along, taper):  # type: ignore[no-untyped-def]
    """Where along a rod (0 to 1) a ball is deepest in it; `away` leads from the rod's start to the ball.

    With the ball's foot on the line at f and its distance h from the line, the depth but for a constant,
    taper s - sqrt(h^2 + L^2 (s - f)^2), is concave, and largest at f + taper h / (L sqrt(L^2 - taper^2)).
    """
    square = dot(along, along)
    slope = square - taper * taper
    if slope <= 0.0:  # one end's ball holds the rod
        return 1.0 if taper > 0.0 else 0.0
    foot = dot(away, along) / square
    beside = subtract(away, scale(foot, along))
    return min(max(foot + taper * np.sqrt(dot(beside, beside) / (square * slope)), 0.0), 1.0)


@kernel()
def _deepest_between(gap, u, v, one, other):  # type: ignore[no-untyped-def]
    """Where two rods that cross are deepest in each other, where that is not at an end of either.

    There the direction w between the two places has w.u = one and w.v = -other, the tapers: its part in the
    plane of u and v is known, the rest is across it, and `gap` says how far apart the lines are there.
    """
    across = cross(u, v)
    square = dot(across, across)
    if square <= PARALLEL * dot(u, u) * dot(v, v):
        return -1.0, -1.0
    to_s, to_t = scale(1.0 / square, cross(v, across)), scale(1.0 / square, cross(u, across))
    flat = add(scale(one, to_s), scale(other, to_t))
    rest = 1.0 - dot(flat, flat)
    if rest <= 0.0:
        return -1.0, -1.0
    apart = np.sqrt(dot(gap, across) ** 2 / (square * rest))
    in_plane = subtract(scale(apart, flat), gap)
    return dot(in_plane, to_s), dot(in_plane, to_t)


@kernel()
def rod_depth(a, along, b, across, thick):  # type: ignore[no-untyped-def]
    """How deep two tapered rods are in each other, less than 0 where they are apart, m.

    Rods are balls whose middles and radii go evenly from one end to the other; `thick` has the radii of the
    first rod's ends, then of the second's. How deep two balls are is concave in both places along the rods,
    so the most is at an end of one of them or where both slopes vanish; of parallel rods always at an end.
    """
    gap, one, other = subtract(a, b), thick[1] - thick[0], thick[3] - thick[2]
    places = (
        (0.0, _deepest_along(gap, across, other)),
        (1.0, _deepest_along(add(gap, along), across, other)),
        (_deepest_along(scale(-1.0, gap), along, one), 0.0),
        (_deepest_along(subtract(across, gap), along, one), 1.0),
        _deepest_between(gap, along, across, one, other),
    )
    most = -np.inf
    for s, t in places:
        if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
            away = subtract(add(gap, scale(s, along)), scale(t, across))
            most = max(most, thick[0] + s * one + thick[2] + t * other - np.sqrt(dot(away, away)))
    return most


@kernel()
def deepest(one, other, thick):  # type: ignore[no-untyped-def]
    """How deep two legs are in each other, less than 0 where they are apart, m."""
    most = -np.inf
    for i, j in RODS:
        a = vector_at(one[i], 0)
        along = subtract(vector_at(one[j], 0), a)
        for k, n in RODS:
            b = vector_at(other[k], 0)
            radii = thick[i], thick[j], thick[k], thick[n]
            most = max(most, rod_depth(a, along, b, subtract(vector_at(other[n], 0), b), radii))
    return most
