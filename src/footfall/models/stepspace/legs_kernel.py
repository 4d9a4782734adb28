"""Legs that reach their feet, compiled: the body comes down, feet are drawn in, knees and toes are solved.

See `adapt.legroom`, `adapt.toes` and `adapt.legs_to_feet`, which do the same for all frames at once.
"""

from __future__ import annotations

import numpy as np

from footfall.adapt.legroom import AIRY, EASY_MORE, ENDS, FLIES, GIVES, NEARLY_STRAIGHT, SOFT, STRAIGHTEST
from footfall.adapt.toes import EXACTLY, STEEP
from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import (
    add,
    between,
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
    smootherstep,
    smoothstep,
    subtract,
    vector_at,
)
from footfall.models.stepspace.frame_tables import (
    ACROSS,
    ANKLE,
    CAPTURED,
    CHAIN,
    HINGE,
    HIP,
    KNEE_AND_TOE,
    LEVEL,
    NO_JOINT,
    OFFSET,
    PELVIS,
    REACH,
    SHARE,
    TIP,
    TOE,
    TOE_JOINT,
    TURN,
)

EASY = 0.98  # of a leg's length: the pelvis comes down for no leg that is shorter
FLYING = 0.1  # of a leg's length: nor for a foot in the air that is so much farther away, which is drawn in
WELL_WITHIN = 0.002  # of a leg's length: drawn in so much before it is as straight as it may be


@kernel()
def _slack(share, ends):  # type: ignore[no-untyped-def]
    """0 while a foot stands, 1 in its swing but for its ends."""
    return min(smoothstep(share / ends), smoothstep((1.0 - share) / ends)) if share > 0.0 else 0.0


@kernel()
def _above(sole, way, length):  # type: ignore[no-untyped-def]
    """How far a hip is above where its leg is of a length, of its reach; m."""
    longest = sole[REACH] * length
    x, y, z = subtract(vector_at(way, HIP), vector_at(way, ANKLE))
    return y - np.sqrt(max(longest * longest - x * x - z * z, 0.0))


@kernel()
def too_high(sole, way):  # type: ignore[no-untyped-def]
    """How far a hip must come down so that its leg is no longer than it may be, m."""
    share = way[SHARE]
    easy = min(max(way[CAPTURED], EASY), STRAIGHTEST) + AIRY * _slack(share, ENDS)
    more = FLYING * _slack(share, FLIES)
    needed = _above(sole, way, min(easy, STRAIGHTEST) + more)
    # before the body comes down far, legs are straighter than they like to be
    gives = smoothstep((needed - GIVES[0]) / (GIVES[1] - GIVES[0]))
    return needed - gives * (needed - _above(sole, way, STRAIGHTEST + more)) if gives > 0.0 else needed


@kernel()
def _soft(x):  # type: ignore[no-untyped-def]
    """log(1 + exp(x))"""
    return max(x, 0.0) + np.log1p(np.exp(-abs(x)))


@kernel()
def draw_in(sole, way, down):  # type: ignore[no-untyped-def]
    """A foot in the air drawn towards its hip where its leg would be longer than captured, or too long."""
    share, reach = way[SHARE], sole[REACH]
    if not share > 0.0:
        return
    ankle = vector_at(way, ANKLE)
    x, y, z = add(subtract(ankle, vector_at(way, HIP)), (0.0, down, 0.0))
    late = smootherstep(4.0 * (share - 0.5)) * smootherstep((1.0 - share) / ENDS)
    up = 0.0
    if late > 0.0:
        captured, soft = way[CAPTURED], SOFT * reach
        length = np.sqrt(x * x + y * y + z * z)
        easy = reach * min(captured + EASY_MORE, STRAIGHTEST - WELL_WITHIN)
        over = soft * (_soft((length - easy) / soft) - _soft((reach * captured - easy) / soft))
        wanted = length - late * max(over, 0.0)
        # upwards, away from whatever the foot has just cleared
        up = max(-y - np.sqrt(max(wanted * wanted - (x * x + z * z), 0.0)), 0.0)
    y += up
    length = max(np.sqrt(x * x + y * y + z * z), 1e-9)
    soft = NEARLY_STRAIGHT * reach
    over = max(length - (STRAIGHTEST * reach - soft), 0.0)
    short = _slack(share, FLIES) * (over + soft * np.expm1(-over / soft))
    short = max(short, length - STRAIGHTEST * reach)
    put_vector(way, ANKLE, subtract(add(ankle, (0.0, up, 0.0)), scale(short / length, (x, y, z))))


@kernel()
def _pitch_over(height):  # type: ignore[no-untyped-def]
    """See `adapt.toes.pitch_over`."""
    if height < -EXACTLY:
        return (height + EXACTLY) / np.sqrt(1.0 - EXACTLY**2) - np.arcsin(EXACTLY)
    return np.arcsin(min(height, 1.0))


@kernel()
def _raised_toe(sole, way):  # type: ignore[no-untyped-def]
    """The toe of a foot in the air, bent up over the ground, but not steeply: see `adapt.toes.turns_up`.

    After a turn a the height of the tip is along + radius sin(pitch + a).
    """
    toe, turn = quaternion_at(way, TOE), quaternion_at(way, TURN)
    if not way[SHARE] > 0.0:
        return toe
    joint = way[ANKLE + 1] + rotate(turn, vector_at(sole, TOE_JOINT))[1]
    world = multiply(turn, toe)
    arm = rotate(world, vector_at(sole, TIP))
    # a foot whose toe joint is under the level stands on lower ground than was thought
    height = min(way[LEVEL] - joint, STEEP * np.sqrt(dot(arm, arm)))
    axis = rotate(turn, vector_at(sole, ACROSS))
    along = dot(arm, axis) * axis[1]
    across, swing = arm[1] - along, cross(axis, arm)[1]
    wanted = _pitch_over((height - along) / max(np.hypot(across, swing), 1e-9))
    lift = wanted - np.arctan2(across, swing)
    if not lift > 0.0:
        return toe
    return multiply(conjugate(turn), multiply(exp(scale(lift, axis)), world))


@kernel()
def _nonzero(v):  # type: ignore[no-untyped-def]
    """A limb folded onto its own start has no direction: take any."""
    return (0.0, -1.0, 0.0) if np.sqrt(dot(v, v)) < 1e-9 else v


@kernel()
def _two_link(first, second, axis, target):  # type: ignore[no-untyped-def]
    """World turns to put before the upper bone's and the lower bone's: see `ik.two_link`."""
    along = dot(first, axis) * dot(second, axis)
    b, c = dot(first, second) - along, dot(first, cross(axis, second))
    needed = 0.5 * (dot(target, target) - (dot(first, first) + dot(second, second))) - along
    cosine = min(max(needed / max(np.hypot(b, c), 1e-12), -1.0), 1.0)
    fold = exp(scale(np.arctan2(c, b) + np.arccos(cosine), axis))
    turn = between(_nonzero(add(first, rotate(fold, second))), _nonzero(target))
    return turn, multiply(turn, fold)


@kernel()
def solve_leg(bones, sole, chains, way, down, pose):  # type: ignore[no-untyped-def]
    """One leg solved to end in its foot, the hips having come down."""
    chain, knee, toe = chains[CHAIN], chains[KNEE_AND_TOE, 0], chains[KNEE_AND_TOE, 1]
    pelvis = quaternion_at(way, PELVIS)
    turn = multiply(pelvis, quaternion_at(pose[chain[0]], 0))
    axis = rotate(turn, vector_at(sole, HINGE))
    bend, place, count = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1
    while count < chain.size and chain[count] != NO_JOINT:
        place = add(place, rotate(turn, vector_at(bones[chain[count]], OFFSET)))
        turn = multiply(turn, quaternion_at(pose[chain[count]], 0))
        if count == knee:
            bend = place
        count += 1
    target = add(subtract(vector_at(way, ANKLE), vector_at(way, HIP)), (0.0, down, 0.0))
    upper, lower = _two_link(bend, subtract(place, bend), axis, target)
    old, before = pelvis, pelvis
    for k in range(count):
        joint = pose[chain[k]]
        old = multiply(old, quaternion_at(joint, 0))
        new = multiply(upper if k < knee else lower, old) if k < count - 1 else quaternion_at(way, TURN)
        put_quaternion(joint, 0, multiply(conjugate(before), new))
        before = new
    if toe != NO_JOINT:
        put_quaternion(pose[toe], 0, _raised_toe(sole, way))
