"""Heels that rise a little more where a trailing leg would be too long, compiled: see `heels`."""

from __future__ import annotations

import numba as nb
import numpy as np
from numba import types

from footfall.adapt.foot_roll import NEARLY
from footfall.models.stepspace.bells_kernel import over_peaks
from footfall.models.stepspace.frame_tables import ANKLE, FREE, HIP, SHARE, TOE, TURN
from footfall.models.stepspace.heels import EASED, GONE, IN_TIME, LONGEST, MOST, TRAILING
from footfall.models.stepspace.rolls_kernel import BALL, HEEL, TOE_JOINT, point_of
from footfall.models.stepspace.tables_kernel import (
    FIGURE,
    FRAMES,
    INT,
    NUMBER,
    V,
    put_turn,
    put_vector,
    turn_in,
    vector_in,
)
from footfall.models.stepspace.turns_kernel import conjugate, cross, dot, exp, multiply, rotate, smooth

AFTER_HEEL = 0.1  # s after a foot has stood on its heel alone, until its heel may rise


@nb.njit(nogil=True, error_model="numpy", forceinline=True)
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


@nb.njit(nogil=True, error_model="numpy", forceinline=True)
def _along(figure, frames, side, f):  # type: ignore[no-untyped-def]
    """Where a foot points, level."""
    ball, heel = point_of(figure, side, BALL), point_of(figure, side, HEEL)
    arm = (ball[0] - heel[0], ball[1] - heel[1], ball[2] - heel[2])
    ahead = rotate(turn_in(frames.ways, side, f, TURN), arm)
    length = max(np.sqrt(ahead[0] * ahead[0] + ahead[2] * ahead[2]), 1e-9)
    return ahead[0] / length, 0.0, ahead[2] / length


@nb.njit(nogil=True, error_model="numpy")
def _asked(figure, frames, side, f):  # type: ignore[no-untyped-def]
    """By how much a heel should rise at one frame."""
    ways = frames.ways
    share, free = ways[side, f, SHARE], ways[side, f, FREE]
    if free == 0.0 or not (frames.toes[f, side] or share > 0.0):
        return 0.0
    if share > 0.0:
        free *= 1.0 - smooth((share - EASED) / (GONE - EASED))
    along, hip, ankle = _along(figure, frames, side, f), vector_in(frames.legs, side, f, HIP), vector_in(
        ways, side, f, ANKLE
    )
    over = (hip[0] - ankle[0], hip[1] - ankle[1], hip[2] - ankle[2])
    free *= smooth(np.arctan2(dot(over, along), over[1]) / TRAILING)
    if free == 0.0:
        return 0.0
    arm = rotate(turn_in(ways, side, f, TURN), point_of(figure, side, TOE_JOINT))
    above = (over[0] - arm[0], over[1] - arm[1], over[2] - arm[2])
    across = (along[2], 0.0, -along[0])
    needed = _turn_for(above, (-arm[0], -arm[1], -arm[2]), across, LONGEST * figure.reach[side])
    return min(needed, MOST) * free


@nb.njit(nogil=True, error_model="numpy")
def _raise_heel(figure, frames, side, f, more):  # type: ignore[no-untyped-def]
    """One heel raised about its toe joint; the toe stays as it is in the world."""
    ways = frames.ways
    along = _along(figure, frames, side, f)
    turn = exp(along[2] * more, 0.0, -along[0] * more)
    foot, ankle = turn_in(ways, side, f, TURN), vector_in(ways, side, f, ANKLE)
    arm = rotate(foot, point_of(figure, side, TOE_JOINT))
    back = rotate(turn, (-arm[0], -arm[1], -arm[2]))
    place = (ankle[0] + arm[0] + back[0], ankle[1] + arm[1] + back[1], ankle[2] + arm[2] + back[2])
    put_vector(ways, side, f, ANKLE, place)
    put_turn(ways, side, f, TURN, multiply(turn, foot))
    untwisted = multiply(conjugate(foot), multiply(conjugate(turn), foot))
    put_turn(ways, side, f, TOE, multiply(untwisted, turn_in(ways, side, f, TOE)))
    frames.heels[f, side] = frames.heels[f, side] and more < NEARLY


@nb.njit(nogil=True, error_model="numpy")
def raise_heels(figure, frames, fps):  # type: ignore[no-untyped-def]
    """All heels, smoothly."""
    n = frames.down.size
    asked, more = np.empty(n), np.empty(n)
    for side in range(2):
        highest = 0.0
        for f in range(n):
            asked[f] = _asked(figure, frames, side, f)
            highest = max(highest, asked[f])
        if highest < NEARLY:
            continue
        over_peaks(asked, IN_TIME * fps, more)
        last = -np.inf  # frame that stood on its heel alone: such a foot cannot, nor does it at once
        for f in range(n):
            if frames.heels[f, side] and not frames.toes[f, side]:
                last = float(f)
            free = frames.ways[side, f, FREE] * smooth((f - last) / (AFTER_HEEL * fps))
            angle = min(more[f], MOST) * free
            if angle > 0.0:
                _raise_heel(figure, frames, side, f, angle)
