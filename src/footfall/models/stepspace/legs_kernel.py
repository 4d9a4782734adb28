"""Legs that reach their feet, compiled: the body comes down, feet are drawn in, knees and toes are solved.

See `adapt.legroom`, `adapt.toes` and `adapt.legs_to_feet`, which do the same for all frames at once.
"""

from __future__ import annotations

import numba as nb
import numpy as np
from numba import types

from footfall.adapt.legroom import AIRY, EASY, EASY_MORE, ENDS, SOFT, STRAIGHTEST
from footfall.models.stepspace.frame_tables import (
    ANKLE,
    CAPTURED,
    HIP,
    LEVEL,
    NO_JOINT,
    PELVIS,
    SHARE,
    TOE,
    TURN,
)
from footfall.models.stepspace.rolls_kernel import ACROSS, TIP, TOE_JOINT, point_of
from footfall.models.stepspace.tables_kernel import (
    FIGURE,
    FRAMES,
    INT,
    NUMBER,
    Q,
    V,
    put_turn,
    put_vector,
    turn_in,
    vector_in,
    vector_of,
)
from footfall.models.stepspace.turns_kernel import (
    between,
    conjugate,
    cross,
    dot,
    exp,
    multiply,
    rotate,
    smooth,
    smoother,
)

WELL_WITHIN = 0.002  # of a leg's length: drawn in so much before it is as straight as it may be


@nb.njit(nogil=True, error_model="numpy", forceinline=True)
def too_high(figure, frames, side, f):  # type: ignore[no-untyped-def]
    """How far a hip must come down so that its leg is no longer than it may be, m."""
    legs, ways = frames.legs, frames.ways
    share = ways[side, f, SHARE]
    slack = min(smooth(share / ENDS), smooth((1.0 - share) / ENDS)) if share > 0.0 else 0.0
    easy = min(max(legs[side, f, CAPTURED], EASY), STRAIGHTEST) + AIRY * slack
    longest = figure.reach[side] * min(easy, STRAIGHTEST)
    x = legs[side, f, HIP] - ways[side, f, ANKLE]
    y = legs[side, f, HIP + 1] - ways[side, f, ANKLE + 1]
    z = legs[side, f, HIP + 2] - ways[side, f, ANKLE + 2]
    return y - np.sqrt(max(longest * longest - x * x - z * z, 0.0))


@nb.njit(nogil=True, error_model="numpy", forceinline=True)
def _soft(x):  # type: ignore[no-untyped-def]
    """log(1 + exp(x))"""
    return max(x, 0.0) + np.log1p(np.exp(-abs(x)))


@nb.njit(nogil=True, error_model="numpy")
def draw_in(figure, frames, side, f):  # type: ignore[no-untyped-def]
    """A foot in the air drawn towards its hip where its leg would be longer than captured, or too long."""
    legs, ways, reach = frames.legs, frames.ways, figure.reach[side]
    share = ways[side, f, SHARE]
    if not share > 0.0:
        return
    hip, ankle = vector_in(legs, side, f, HIP), vector_in(ways, side, f, ANKLE)
    down = frames.down[f]
    x, y, z = ankle[0] - hip[0], ankle[1] - hip[1] + down, ankle[2] - hip[2]
    late = smoother(4.0 * (share - 0.5)) * smoother((1.0 - share) / ENDS)
    up = 0.0
    if late > 0.0:
        captured, soft = legs[side, f, CAPTURED], SOFT * reach
        length = np.sqrt(x * x + y * y + z * z)
        easy = reach * min(captured + EASY_MORE, STRAIGHTEST - WELL_WITHIN)
        over = soft * (_soft((length - easy) / soft) - _soft((reach * captured - easy) / soft))
        wanted = length - late * max(over, 0.0)
        # upwards, away from whatever the foot has just cleared
        up = max(-y - np.sqrt(max(wanted * wanted - (x * x + z * z), 0.0)), 0.0)
    y += up
    length = np.sqrt(x * x + y * y + z * z)
    back = max(length - STRAIGHTEST * reach, 0.0) / max(length, 1e-9)
    put_vector(ways, side, f, ANKLE, (ankle[0] - back * x, ankle[1] + up - back * y, ankle[2] - back * z))


@nb.njit(nogil=True, error_model="numpy", forceinline=True)
def _wrap(angle):  # type: ignore[no-untyped-def]
    return (angle + np.pi) % (2.0 * np.pi) - np.pi


@nb.njit(nogil=True, error_model="numpy")
def _raised_toe(figure, frames, side, f):  # type: ignore[no-untyped-def]
    """The toe of a foot in the air, bent up by as much as its tip would be under the ground, until level.

    After a turn a the height of the tip is along + across cos(a) + swing sin(a).
    """
    ways = frames.ways
    toe, turn = turn_in(ways, side, f, TOE), turn_in(ways, side, f, TURN)
    if not ways[side, f, SHARE] > 0.0:
        return toe
    joint = ways[side, f, ANKLE + 1] + rotate(turn, point_of(figure, side, TOE_JOINT))[1]
    world = multiply(turn, toe)
    arm = rotate(world, point_of(figure, side, TIP))
    # a foot whose toe joint is under the level stands on lower ground than was thought
    height = min(ways[side, f, LEVEL] - joint, 0.0)
    if not arm[1] < height:
        return toe
    axis = rotate(turn, point_of(figure, side, ACROSS))
    along = dot(arm, axis) * axis[1]
    across, swing = arm[1] - along, cross(axis, arm)[1]
    ratio = min(max((height - along) / max(np.hypot(across, swing), 1e-9), -1.0), 1.0)
    base, away = np.arctan2(swing, across), np.arccos(ratio)
    one, other = _wrap(base - away), _wrap(base + away)
    angle = one if abs(one) <= abs(other) else other
    bent = multiply(exp(axis[0] * angle, axis[1] * angle, axis[2] * angle), world)
    return multiply(conjugate(turn), bent)


@nb.njit(nogil=True, error_model="numpy", forceinline=True)
def _nonzero(v):  # type: ignore[no-untyped-def]
    """A limb folded onto its own start has no direction: take any."""
    return (0.0, -1.0, 0.0) if np.sqrt(dot(v, v)) < 1e-9 else v


@nb.njit(nogil=True, error_model="numpy")
def _two_link(first, second, axis, target):  # type: ignore[no-untyped-def]
    """World turns to put before the upper bone's and the lower bone's: see `ik.two_link`."""
    along = dot(first, axis) * dot(second, axis)
    b, c = dot(first, second) - along, dot(first, cross(axis, second))
    squares = dot(first, first) + dot(second, second)
    needed = 0.5 * (dot(target, target) - squares) - along
    cosine = min(max(needed / max(np.hypot(b, c), 1e-12), -1.0), 1.0)
    angle = np.arctan2(c, b) + np.arccos(cosine)
    fold = exp(axis[0] * angle, axis[1] * angle, axis[2] * angle)
    lower = rotate(fold, second)
    folded = (first[0] + lower[0], first[1] + lower[1], first[2] + lower[2])
    turn = between(_nonzero(folded), _nonzero(target))
    return turn, multiply(turn, fold)


@nb.njit(nogil=True, error_model="numpy")
def solve_leg(figure, frames, side, f):  # type: ignore[no-untyped-def]
    """One leg solved to end in its foot, the hips having come down."""
    rotations, chain = frames.rotations, figure.chain
    knee, toe = figure.joints[side, 0], figure.joints[side, 1]
    hip, ankle = vector_in(frames.legs, side, f, HIP), vector_in(frames.ways, side, f, ANKLE)
    pelvis = turn_in(frames.legs, side, f, PELVIS)
    turn = multiply(pelvis, turn_in(rotations, f, chain[side, 0], 0))
    axis = rotate(turn, vector_of(figure.hinge, side))
    place, bend, count = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1
    while count < chain.shape[1] and chain[side, count] != NO_JOINT:
        away = rotate(turn, vector_of(figure.offsets, chain[side, count]))
        place = (place[0] + away[0], place[1] + away[1], place[2] + away[2])
        turn = multiply(turn, turn_in(rotations, f, chain[side, count], 0))
        if count == knee:
            bend = place
        count += 1
    second = (place[0] - bend[0], place[1] - bend[1], place[2] - bend[2])
    target = (ankle[0] - hip[0], ankle[1] - hip[1] + frames.down[f], ankle[2] - hip[2])
    upper, lower = _two_link(bend, second, axis, target)
    old, before = pelvis, pelvis
    for k in range(count):
        old = multiply(old, turn_in(rotations, f, chain[side, k], 0))
        new = multiply(upper if k < knee else lower, old)
        if k == count - 1:
            new = turn_in(frames.ways, side, f, TURN)
        put_turn(rotations, f, chain[side, k], 0, multiply(conjugate(before), new))
        before = new
    if toe != NO_JOINT:
        put_turn(rotations, f, toe, 0, _raised_toe(figure, frames, side, f))
