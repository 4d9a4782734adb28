"""One foot beside one print, compiled: its channels at a moment, its roll, and where that puts its ankle."""

from __future__ import annotations

from footfall.adapt.foot_roll import FLAT, SURELY
from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import (
    add,
    conjugate,
    exp,
    multiply,
    quaternion_at,
    rotate,
    scale,
    smoothstep,
    subtract,
    vector_at,
)
from footfall.models.stepspace.frame_tables import (
    BALL,
    FACING,
    GIVE,
    HEEL,
    LYING,
    PLACE,
    SLOPES,
    SUBTALAR,
    TOE_JOINT,
    TOE_REST,
)


@kernel()
def shaped(roll):  # type: ignore[no-untyped-def]
    """The roll of a foot that stands: nearly flat is flat."""
    return scale(smoothstep((abs(roll[0]) - FLAT) / (SURELY - FLAT)), roll)


@kernel()
def piece_at(own, since, first, last):  # type: ignore[no-untyped-def]
    """The sample a moment follows, how far on it is to the next, and s between; held at first and last."""
    sample = first
    while sample < last - 1 and own[sample + 1] <= since:
        sample += 1
    seconds = own[sample + 1] - own[sample]
    return sample, min(max((since - own[sample]) / seconds, 0.0), 1.0), seconds


@kernel()
def three_at(samples, piece, first):  # type: ignore[no-untyped-def]
    """Three channels from the first on: cubics through samples with their slopes."""
    a, b, t, h = samples[piece[0]], samples[piece[0] + 1], piece[1], piece[2]
    t2 = t * t
    t3 = t2 * t
    blend, rising, falling = 3.0 * t2 - 2.0 * t3, h * (t3 - 2.0 * t2 + t), h * (t3 - t2)
    x, y, z = 0.0, 0.0, 0.0
    for k in range(first, first + 3):
        slope = rising * a[k + SLOPES] + falling * b[k + SLOPES]
        x, y, z = y, z, a[k] + blend * (b[k] - a[k]) + slope
    return x, y, z


@kernel()
def unrocked(own, more, came):  # type: ignore[no-untyped-def]
    """A roll with what joins it; where neither heel nor toes are up or were, joining lifts neither."""
    out = add(own, more)
    roll = out[0]
    for sign in (1.0, -1.0):
        lifted = smoothstep((sign * own[0] - FLAT) / SURELY)
        over = max(sign * roll - max(sign * came, FLAT), 0.0)
        roll -= sign * (1.0 - lifted) * over * over / (over + FLAT)  # without a corner
    return roll, out[1], out[2]


@kernel()
def roll_at(samples, piece, first, came):  # type: ignore[no-untyped-def]
    """A roll at a moment."""
    return unrocked(three_at(samples, piece, first), three_at(samples, piece, first + GIVE), came)


@kernel()
def rolled(sole, roll):  # type: ignore[no-untyped-def]
    """A foot's turn beside its print."""
    return multiply(exp(roll), quaternion_at(sole, LYING))


@kernel()
def about(sole, on_toes, turn):  # type: ignore[no-untyped-def]
    """The ankle beside its print when the foot turns about its toe joint or its heel."""
    pivot = vector_at(sole, TOE_JOINT if on_toes else HEEL)
    stands = rotate(quaternion_at(sole, LYING), subtract(pivot, vector_at(sole, SUBTALAR)))
    return subtract(stands, rotate(turn, pivot))


@kernel()
def buried(sole, height, turn):  # type: ignore[no-untyped-def]
    """How deep heel, subtalar or ball are under the level 0 when the ankle is at a height."""
    lowest = 0.0
    for point in (HEEL, SUBTALAR, BALL):
        lowest = min(lowest, height + rotate(turn, vector_at(sole, point))[1])
    return -lowest


@kernel()
def in_world(ground, ankle, turn):  # type: ignore[no-untyped-def]
    """Ankle and turn beside a print, in the world."""
    facing = quaternion_at(ground, FACING)
    return add(vector_at(ground, PLACE), rotate(facing, ankle)), multiply(facing, turn)


@kernel()
def beside(sole, ground, roll):  # type: ignore[no-untyped-def]
    """A foot that stands in a print, in the world."""
    turn = rolled(sole, roll)
    ankle = about(sole, roll[0] > 0.0, turn)
    return in_world(ground, add(ankle, (0.0, buried(sole, ankle[1], turn), 0.0)), turn)


@kernel()
def over(sole, ground, roll, rest, edge, fade):  # type: ignore[no-untyped-def]
    """A foot in the air as seen from a print, in the world.

    The point goes on to count that stood last, or will first; what raised it there is let go.
    """
    on_toes = edge[0] > 0.0
    turn, edge_turn = rolled(sole, roll), rolled(sole, edge)
    raised = fade * buried(sole, about(sole, on_toes, edge_turn)[1], edge_turn)
    return in_world(ground, add(add(about(sole, on_toes, turn), rest), (0.0, raised, 0.0)), turn)


@kernel()
def lying_toe(sole, roll):  # type: ignore[no-untyped-def]
    """The toe's turn against the foot: it lies while the heel is up, and is straight otherwise."""
    rest = quaternion_at(sole, TOE_REST)
    if roll[0] > 0.0:
        return multiply(conjugate(rolled(sole, roll)), multiply(quaternion_at(sole, LYING), rest))
    return rest
