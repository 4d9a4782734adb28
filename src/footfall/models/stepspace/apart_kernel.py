"""How far a swing must go aside to be out of the leg that stands, compiled.

It goes aside in one direction, across its way at the deepest moment: that which leads out of the other leg
with the least. Along its way it would only be late, and go through the other leg all the same.
"""

from __future__ import annotations

import numpy as np

from footfall.adapt.legroom import STRAIGHTEST
from footfall.geometry.decisions_kernel import clearly_less, first_least
from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import (
    add,
    dot,
    put_vector,
    scale,
    smoothstep,
    subtract,
    vector_at,
)
from footfall.models.stepspace.apart_limbs_kernel import POINTS, deepest
from footfall.models.stepspace.apart_look_kernel import look_at, look_at_rest, put_leg
from footfall.models.stepspace.frame_tables import (
    ANKLE,
    CAPTURED,
    HIP,
    REACH,
    SWINGS,
    WAY,
)
from footfall.models.stepspace.legs_kernel import EASY
from footfall.models.stepspace.table_types import FIGURE, NUMBER, STEPS, read_only

ALLOWED = 0.008  # m that legs may be in each other: so much captured ones are, and flesh gives way
AT_ENDS = 0.3  # of a swing, over which feet part whose prints are nearer than feet are wide
FARTHEST = 0.18  # m that a swing goes aside
MARCHES = 12  # tries to find how far aside is out
NEARLY = 5e-4  # m
REMAINS = 10.0  # m of going aside that a metre still in the other leg counts
WAYS = 4  # directions that are tried
UPWARDS = 0.7  # sine of how steeply a swing may go aside, where level is not enough


@kernel()
def _room(sole, way, aside):  # type: ignore[no-untyped-def]
    """How far a foot may go aside until its leg would be longer than it easily is."""
    leg = subtract(vector_at(way, ANKLE), vector_at(way, HIP))
    longest = sole[REACH] * min(max(way[CAPTURED], EASY), STRAIGHTEST)
    along, square = dot(leg, aside), dot(leg, leg)
    free = max(longest * longest - square, 0.0)
    return min(max(np.sqrt(along * along + free) - along, 0.0), FARTHEST)


@kernel()
def _level(v):  # type: ignore[no-untyped-def]
    """A direction without its height; forward where it has no other."""
    length = np.hypot(v[0], v[2])
    return (v[0] / length, 0.0, v[2] / length) if length > 1e-6 else (0.0, 0.0, 1.0)


@kernel()
def _way_out(bones, sole, chains, thick, way, pose, standing, aside, allowed, most):  # type: ignore[no-untyped-def]
    """How far aside a leg is out of the other, and how deep it still is where that is too far.

    Going aside by so much a leg hardly comes out of the other by more: the first way out is found.
    """
    tried, turns, rods = way.copy(), np.empty(pose.shape), np.empty((POINTS, 3))
    ankle, far, over = vector_at(way, ANKLE), 0.0, 0.0
    for _ in range(MARCHES):
        turns[:] = pose
        put_vector(tried, ANKLE, add(ankle, scale(far, aside)))
        put_leg(bones, sole, chains, thick, tried, turns, rods)
        over = deepest(rods, standing, thick) - allowed
        if over < NEARLY or far >= most:
            break
        far = min(far + over, most)
    return far, max(over, 0.0)


@kernel()
def _allowed_at(shares, depth, out):  # type: ignore[no-untyped-def]
    """How deep legs may be in each other: near a print what they are there."""
    start, end = max(depth[0] - ALLOWED, 0.0), max(depth[-1] - ALLOWED, 0.0)
    for m in range(shares.size):
        share = shares[m]
        early, late = 1.0 - smoothstep(share / AT_ENDS), 1.0 - smoothstep((1.0 - share) / AT_ENDS)
        out[m] = ALLOWED + start * early + end * late


@kernel()
def _tried_way(which, ways, worst):  # type: ignore[no-untyped-def]
    """A direction across the way of a swing at its worst moment: to either side, level or upwards."""
    before, after = ways[max(worst - 1, 0), 0], ways[min(worst + 1, ways.shape[0] - 1), 0]
    along = _level(subtract(vector_at(after, ANKLE), vector_at(before, ANKLE)))
    up = 0.0 if which < 2 else UPWARDS
    flat = np.sqrt(1.0 - up * up) * (1.0 if which % 2 else -1.0)
    return flat * along[2], up, -flat * along[0]


@kernel()
def _try_way(bones, sole, chains, thick, found, allowed, way, least, far, free):  # type: ignore[no-untyped-def]
    """How far a swing must go in a direction at all moments, and may; and the cost, up to the least."""
    ways, poses, rods, depth, _ = found
    cost = 0.0
    for m in range(far.size):
        far[m], free[m] = 0.0, _room(sole, ways[m, 0], way)
        if depth[m] > allowed[m] + NEARLY:
            far[m], over = _way_out(
                bones, sole, chains, thick, ways[m, 0], poses[m], rods[m, 1], way, allowed[m], free[m]
            )
            cost += far[m] + REMAINS * over
            if cost >= least:
                break
    return cost


_OUT = (NUMBER[:, ::1], NUMBER[:, ::1], NUMBER[:, ::1])


@kernel((*FIGURE, *STEPS, read_only(NUMBER, 1), read_only(NUMBER, 1), *_OUT))
def look_apart(  # type: ignore[no-untyped-def]
    bones,
    soles,
    chains,
    scale,
    body,
    slopes,
    own,
    feet,
    marks,
    whole,
    prints,
    thick,
    shares,
    needed,
    room,
    aside,
):
    """How far each swing must go aside at moments, how far it may, and in which direction."""
    count = shares.size
    depth, allowed, far, free = np.empty(count), np.empty(count), np.empty(count), np.empty(count)
    ways, poses = np.zeros((count, 2, WAY)), np.empty((count, bones.shape[0], 4))
    found = ways, poses, np.empty((count, 2, POINTS, 3)), depth, np.empty(body.shape[2])
    tables = scale, body, slopes, own, feet, marks, whole, prints
    needed[:] = 0.0
    for step in range(scale.shape[0]):
        look_at(bones, soles, chains, thick, tables, step, shares, found)
        _allowed_at(shares, depth, allowed)
        worst = first_least(allowed - depth)
        if depth[worst] <= allowed[worst] + NEARLY:
            continue
        look_at_rest(bones, soles, chains, tables, step, shares, found)
        foot, least = whole[step, SWINGS], np.inf
        for which in range(WAYS):
            way = _tried_way(which, ways, worst)
            cost = _try_way(bones, soles[foot], chains[foot], thick, found, allowed, way, least, far, free)
            if clearly_less(cost, least):
                least = cost
                needed[step], room[step] = far, free
                put_vector(aside[step], 0, way)
