"""One foot beside one print, compiled: its channels at a moment, its roll, and where that puts its ankle."""

from __future__ import annotations

import numba as nb
from numba import types

from footfall.adapt.foot_roll import FLAT, SURELY
from footfall.models.stepspace.tables_kernel import FIGURE, FLAG, INT, NUMBER, STEPS, Q, V, turn_of, vector_of
from footfall.models.stepspace.turns_kernel import conjugate, exp, multiply, rotate, smooth

HEEL, SUBTALAR, BALL, TOE_JOINT, TIP, ACROSS = range(6)  # points of `FigureTable.sole`
MEETS = 2  # of `StepsTable.events`
PIECE = types.Tuple((INT, NUMBER, NUMBER))  # a sample, the share of the way to the next, s that it takes
PLACED = types.Tuple((V, Q))  # an ankle and a foot's turn
_TABLE = types.Array(types.float64, 3, "C", readonly=True)


@nb.njit(nogil=True, error_model="numpy", forceinline=True)
def point_of(figure, foot, point):  # type: ignore[no-untyped-def]
    sole = figure.sole
    return sole[foot, point, 0], sole[foot, point, 1], sole[foot, point, 2]


@nb.njit(nogil=True, error_model="numpy", forceinline=True)
def shaped(roll):  # type: ignore[no-untyped-def]
    """The roll of a foot that stands: nearly flat is flat."""
    share = smooth((abs(roll[0]) - FLAT) / (SURELY - FLAT))
    return share * roll[0], share * roll[1], share * roll[2]


@nb.njit(nogil=True, error_model="numpy", forceinline=True)
def foot_piece(steps, step, since, stands):  # type: ignore[no-untyped-def]
    """Where a moment lies among the samples of a step's swing foot (0) or support foot (1)."""
    first = min(steps.events[stands, step, 0], steps.events[MEETS, step, 0])
    last = max(steps.events[stands, step, 1], steps.events[MEETS, step, 1])
    times = steps.feet_times
    sample = first
    while sample < last - 1 and times[stands, step, sample + 1] <= since:
        sample += 1
    begin = times[stands, step, sample]
    seconds = times[stands, step, sample + 1] - begin
    return sample, min(max((since - begin) / seconds, 0.0), 1.0), seconds


@nb.njit(nogil=True, error_model="numpy", forceinline=True)
def three_at(values, slopes, step, piece, first):  # type: ignore[no-untyped-def]
    """Three channels from the first on: cubics through samples with their slopes."""
    sample, t, h = piece
    t2 = t * t
    t3 = t2 * t
    blend, rising, falling = 3.0 * t2 - 2.0 * t3, t3 - 2.0 * t2 + t, t3 - t2
    x, y, z = 0.0, 0.0, 0.0
    for k in range(first, first + 3):
        a, b = values[step, sample, k], values[step, sample + 1, k]
        slope = rising * slopes[step, sample, k] + falling * slopes[step, sample + 1, k]
        x, y, z = y, z, a + blend * (b - a) + h * slope
    return x, y, z


@nb.njit(nogil=True, error_model="numpy", forceinline=True)
def roll_at(steps, step, piece, first, came):  # type: ignore[no-untyped-def]
    """A roll with what joins it; where neither heel nor toes are up or were, joining lifts neither."""
    own = three_at(steps.feet, steps.feet_slopes, step, piece, first)
    more = three_at(steps.give, steps.give_slopes, step, piece, first)
    roll = own[0] + more[0]
    if own[0] <= FLAT and came <= FLAT:
        roll = min(roll, FLAT)
    if -own[0] <= FLAT and -came <= FLAT:
        roll = -min(-roll, FLAT)
    return roll, own[1] + more[1], own[2] + more[2]


@nb.njit(nogil=True, error_model="numpy", forceinline=True)
def edge_of(steps, step, sample, first):  # type: ignore[no-untyped-def]
    """The roll with which a foot leaves or lands."""
    a, b = steps.feet, steps.give
    return (
        a[step, sample, first] + b[step, sample, first],
        a[step, sample, first + 1] + b[step, sample, first + 1],
        a[step, sample, first + 2] + b[step, sample, first + 2],
    )


@nb.njit(nogil=True, error_model="numpy", forceinline=True)
def rolled(figure, foot, roll):  # type: ignore[no-untyped-def]
    """A foot's turn beside its print."""
    return multiply(exp(roll[0], roll[1], roll[2]), turn_of(figure.lying, foot))


@nb.njit(nogil=True, error_model="numpy", forceinline=True)
def about(figure, foot, on_toes, turn):  # type: ignore[no-untyped-def]
    """The ankle beside its print when the foot turns about its toe joint or its heel."""
    pivot, subtalar = point_of(figure, foot, TOE_JOINT if on_toes else HEEL), point_of(figure, foot, SUBTALAR)
    arm = (pivot[0] - subtalar[0], pivot[1] - subtalar[1], pivot[2] - subtalar[2])
    a, b = rotate(turn_of(figure.lying, foot), arm), rotate(turn, pivot)
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@nb.njit(nogil=True, error_model="numpy", forceinline=True)
def buried(figure, foot, height, turn):  # type: ignore[no-untyped-def]
    """How deep heel, subtalar or ball are under the level 0 when the ankle is at a height."""
    lowest = 0.0
    for point in (HEEL, SUBTALAR, BALL):
        lowest = min(lowest, height + rotate(turn, point_of(figure, foot, point))[1])
    return -lowest


@nb.njit(nogil=True, error_model="numpy", forceinline=True)
def in_world(steps, where, ankle, turn, rest):  # type: ignore[no-untyped-def]
    """Ankle and turn beside a print, in the world."""
    facing, place = turn_of(steps.turns, where), vector_of(steps.places, where)
    away = rotate(facing, (ankle[0] + rest[0], ankle[1] + rest[1], ankle[2] + rest[2]))
    return (place[0] + away[0], place[1] + away[1], place[2] + away[2]), multiply(facing, turn)


@nb.njit(nogil=True, error_model="numpy", forceinline=True)
def beside(figure, steps, foot, where, roll):  # type: ignore[no-untyped-def]
    """A foot that stands in a print, in the world."""
    turn = rolled(figure, foot, roll)
    ankle = about(figure, foot, roll[0] > 0.0, turn)
    raised = buried(figure, foot, ankle[1], turn)
    return in_world(steps, where, ankle, turn, (0.0, raised, 0.0))


@nb.njit(nogil=True, error_model="numpy", forceinline=True)
def over(figure, steps, foot, where, roll, rest, edge, fade):  # type: ignore[no-untyped-def]
    """A foot in the air as seen from a print, in the world.

    The point goes on to count that stood last, or will first; what raised it there is let go.
    """
    on_toes = edge[0] > 0.0
    turn, edge_turn = rolled(figure, foot, roll), rolled(figure, foot, edge)
    raised = buried(figure, foot, about(figure, foot, on_toes, edge_turn)[1], edge_turn)
    ankle = about(figure, foot, on_toes, turn)
    return in_world(steps, where, ankle, turn, (rest[0], rest[1] + fade * raised, rest[2]))


@nb.njit(nogil=True, error_model="numpy", forceinline=True)
def lying_toe(figure, foot, roll):  # type: ignore[no-untyped-def]
    """The toe's turn against the foot: it lies while the heel is up, and is straight otherwise."""
    rest = turn_of(figure.toe_rest, foot)
    if roll[0] > 0.0:
        turn = rolled(figure, foot, roll)
        return multiply(conjugate(turn), multiply(turn_of(figure.lying, foot), rest))
    return rest
