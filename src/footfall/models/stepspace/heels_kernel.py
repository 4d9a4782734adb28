"""Heels that rise a little more where a trailing leg would be too long, before the pelvis has to come down.

People who take a long step rise on the ball of the foot they leave. A foot that lies or rolls over its toe
joint, or has just left, is turned further about it, by no more than it takes and smoothly.
"""

from __future__ import annotations

import numpy as np

from footfall.adapt.foot_roll import NEARLY
from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import (
    add,
    conjugate,
    cross,
    dot,
    exp,
    multiply,
    put_quaternion,
    put_vector,
    quaternion_at,
    rotate,
    scale,
    smoothstep,
    subtract,
    vector_at,
)
from footfall.models.stepspace.bells_kernel import over_peaks
from footfall.models.stepspace.frame_tables import (
    ANKLE,
    BALL,
    FREE,
    HEEL,
    HEEL_DOWN,
    HIP,
    REACH,
    SHARE,
    TOE,
    TOE_DOWN,
    TOE_JOINT,
    TURN,
)

MOST = np.radians(24.0)
SLIGHT = np.radians(0.6)  # for which no heel rises: legs bend a little instead, and heels do not flicker
IN_TIME = 0.06  # s: the width of the bell in which a heel rises more and comes down again
GONE = 0.45  # of a swing, after which nothing is left of it
EASED = 0.25  # of a swing, before which all of it is
TRAILING = np.radians(8.0)  # the leg must lean forward by so much over its foot
LONGEST = 0.9935  # of a leg's length: a little more than in a stand
AROUND_HEEL = 0.1  # s before and after a foot stands on its heel alone, until its heel may rise


@kernel()
def _turn_for(hip, ankle, axis, length):  # type: ignore[no-untyped-def]
    """The turn of an ankle about the toe joint after which it is `length` from the hip; 0 where it is anyway.

    hip . R(a) ankle = along + across cos(a) + swing sin(a); both are told from the toe joint.
    """
    wanted = 0.5 * (dot(hip, hip) + dot(ankle, ankle) - length * length)
    along = dot(hip, axis) * dot(ankle, axis)
    across = dot(hip, ankle) - along
    if across >= wanted - along:
        return 0.0
    swing = dot(hip, cross(axis, ankle))
    radius = max(np.hypot(across, swing), 1e-9)
    ratio = min(max((wanted - along) / radius, -1.0), 1.0)
    return max(np.arctan2(swing, across) - np.arccos(ratio), 0.0)


@kernel()
def _along(sole, way):  # type: ignore[no-untyped-def]
    """Where a foot points, level."""
    ahead = rotate(quaternion_at(way, TURN), subtract(vector_at(sole, BALL), vector_at(sole, HEEL)))
    length = max(np.sqrt(ahead[0] * ahead[0] + ahead[2] * ahead[2]), 1e-9)
    return ahead[0] / length, 0.0, ahead[2] / length


@kernel()
def _asked(sole, way):  # type: ignore[no-untyped-def]
    """By how much a heel should rise at one frame."""
    share, free = way[SHARE], way[FREE]
    if free == 0.0 or not (way[TOE_DOWN] > 0.0 or share > 0.0):
        return 0.0
    if share > 0.0:
        free *= 1.0 - smoothstep((share - EASED) / (GONE - EASED))
    along, hip = _along(sole, way), subtract(vector_at(way, HIP), vector_at(way, ANKLE))
    free *= smoothstep(np.arctan2(dot(hip, along), hip[1]) / TRAILING)
    if free == 0.0:
        return 0.0
    arm = rotate(quaternion_at(way, TURN), vector_at(sole, TOE_JOINT))
    across = (along[2], 0.0, -along[0])
    needed = _turn_for(subtract(hip, arm), scale(-1.0, arm), across, LONGEST * sole[REACH])
    return min(needed, MOST) * free


@kernel()
def _raise_heel(sole, way, more):  # type: ignore[no-untyped-def]
    """One heel raised about its toe joint; the toe stays as it is in the world."""
    along, foot = _along(sole, way), quaternion_at(way, TURN)
    turn = exp((along[2] * more, 0.0, -along[0] * more))
    arm = rotate(foot, vector_at(sole, TOE_JOINT))
    put_vector(way, ANKLE, subtract(add(vector_at(way, ANKLE), arm), rotate(turn, arm)))
    put_quaternion(way, TURN, multiply(turn, foot))
    untwisted = multiply(conjugate(foot), multiply(conjugate(turn), foot))
    put_quaternion(way, TOE, multiply(untwisted, quaternion_at(way, TOE)))
    if more >= NEARLY:
        way[HEEL_DOWN] = 0.0


@kernel()
def _keep_off_heels(ways, frames, more):  # type: ignore[no-untyped-def]
    """Less of what a heel rises, in place: not while a foot stands on its heel alone, nor around that."""
    n = more.size
    away = np.empty(n)
    last = -np.inf
    for f in range(n):
        if ways[f, HEEL_DOWN] > 0.0 and not ways[f, TOE_DOWN] > 0.0:
            last = float(f)
        away[f] = f - last
    first = np.inf
    for f in range(n - 1, -1, -1):
        if away[f] == 0.0:
            first = float(f)
        more[f] = min(more[f], MOST) * smoothstep(min(away[f], first - f) / frames)


@kernel()
def raise_heels(sole, ways, fps):  # type: ignore[no-untyped-def]
    """One foot's heel at all frames, smoothly."""
    n = ways.shape[0]
    asked, more = np.empty(n), np.empty(n)
    highest = 0.0
    for f in range(n):
        asked[f] = _asked(sole, ways[f])
        highest = max(highest, asked[f])
    if highest < NEARLY:
        return
    over_peaks(asked, IN_TIME * fps, more)
    _keep_off_heels(ways, AROUND_HEEL * fps, more)
    for f in range(n):
        angle = more[f] * ways[f, FREE]
        if angle > SLIGHT:
            _raise_heel(sole, ways[f], angle * smoothstep((angle - SLIGHT) / (2.0 * SLIGHT)))
