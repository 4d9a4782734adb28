"""A frame's feet on their prints, compiled: what `feet` does for all frames at once, written for one."""

from __future__ import annotations

import numba as nb
from numba import types

from footfall.adapt.foot_roll import NEARLY
from footfall.adapt.swing_clearance import BUMPS
from footfall.models.stepspace.feet import FREE as LET_GO
from footfall.models.stepspace.feet import LANDS, LEAVES, LIES, ON_TOES, ROLLS
from footfall.models.stepspace.foot_channels import COMING, LEAVING, REST_COMING, REST_LEAVING, SUPPORTING
from footfall.models.stepspace.frame_tables import ANKLE, BOUND, FREE, LEVEL, SHARE, TOE, TURN
from footfall.models.stepspace.rolls_kernel import (
    beside,
    buried,
    edge_of,
    foot_piece,
    lying_toe,
    over,
    roll_at,
    shaped,
    three_at,
)
from footfall.models.stepspace.tables_kernel import (
    FIGURE,
    FLAG,
    FRAMES,
    INT,
    NUMBER,
    STEPS,
    V,
    put_turn,
    put_vector,
)
from footfall.models.stepspace.turns_kernel import slerp, smooth, smoother

_LEAVING, _COMING, _SUPPORTING = LEAVING.start, COMING.start, SUPPORTING.start
_REST_LEAVING, _REST_COMING = REST_LEAVING.start, REST_COMING.start
SWING, SUPPORT = 0, 1  # of `StepsTable.events` and `feet_times`
ORIGIN, TARGET, STOOD_ON = 0, 1, 2  # of `StepsTable.prints`
_DEGREE = BUMPS + 3


@nb.njit(nogil=True, error_model="numpy", forceinline=True)
def _lifted(steps, step, share):  # type: ignore[no-untyped-def]
    """By how much a swing is raised over the ground: Bernstein polynomials, see `swing_clearance.bumps`."""
    total, count = 0.0, float(_DEGREE)  # of ways to choose 1
    for k in range(2, BUMPS + 2):
        count = count * (_DEGREE - k + 1) / k
        total += count * share**k * (1.0 - share) ** (_DEGREE - k) * steps.lifts[step, k - 2]
    return total


@nb.njit(nogil=True, error_model="numpy", forceinline=True)
def _out_of_stands(steps, step, since):  # type: ignore[no-untyped-def]
    """A swing foot lies in the stand it leaves, in that it comes to, and between two steps of its own."""
    swings, final = steps.swings, steps.swings.size - 1
    first = steps.stands[0] != 0 if step == 0 else swings[step] == swings[step - 1]
    last = steps.stands[1] != 0 if step == final else swings[step] == swings[step + 1]
    free = 1.0
    if first:
        free *= smooth(since / ROLLS)
    if last:
        free *= smooth((steps.times[step, steps.times.shape[1] - 1] - since) / ROLLS)
    return free


@nb.njit(nogil=True, error_model="numpy", forceinline=True)
def _put_contacts(figure, frames, side, f, roll, air):  # type: ignore[no-untyped-def]
    """Heel and toes, as a foot's roll has them."""
    flat = abs(roll[0]) < NEARLY
    frames.heels[f, side] = not air and (flat or roll[0] < 0.0)
    frames.toes[f, side] = not air and (flat or roll[0] > 0.0)
    put_turn(frames.ways, side, f, TOE, lying_toe(figure, side, roll))


@nb.njit(nogil=True, error_model="numpy", forceinline=True)
def _let_go(roll, edge, fade):  # type: ignore[no-untyped-def]
    """A roll in the air, where what shaped it at the edge is eased out."""
    other = shaped(edge)
    return (
        roll[0] + fade * (other[0] - edge[0]),
        roll[1] + fade * (other[1] - edge[1]),
        roll[2] + fade * (other[2] - edge[2]),
    )


@nb.njit(nogil=True, error_model="numpy")
def put_swing(figure, steps, step, since, frames, f):  # type: ignore[no-untyped-def]
    """The swing foot of a step, at a moment since it began."""
    foot, ways = steps.swings[step], frames.ways
    leaves, lands = steps.events[SWING, step, 0], steps.events[SWING, step, 1]
    off, strike = steps.feet_times[SWING, step, leaves], steps.feet_times[SWING, step, lands]
    share = min(max((since - off) / (strike - off), 0.0), 1.0)
    air = 0.0 < share < 1.0
    piece = foot_piece(steps, step, since, SWING)
    leaving = roll_at(steps, step, piece, _LEAVING, steps.came[step, 0, 0])
    coming = roll_at(steps, step, piece, _COMING, steps.came[step, 1, 0])
    edges = edge_of(steps, step, leaves, _LEAVING), edge_of(steps, step, lands, _COMING)
    early, late = 1.0 - smoother(2.0 * share), smoother(2.0 * share - 1.0)
    leaving = shaped(leaving) if share <= 0.0 else _let_go(leaving, edges[0], early)
    coming = shaped(coming) if share >= 1.0 else _let_go(coming, edges[1], late)
    origin, target = steps.prints[step, ORIGIN], steps.prints[step, TARGET]
    if air:
        rest = three_at(steps.feet, steps.feet_slopes, step, piece, _REST_LEAVING)
        a = over(figure, steps, foot, origin, leaving, rest, shaped(edges[0]), early)
        rest = three_at(steps.feet, steps.feet_slopes, step, piece, _REST_COMING)
        b = over(figure, steps, foot, target, coming, rest, shaped(edges[1]), late)
    else:
        a = beside(figure, steps, foot, origin, leaving)
        b = beside(figure, steps, foot, target, coming)
    mix = smoother(share)
    x, y, z = (
        (1.0 - mix) * a[0][0] + mix * b[0][0],
        (1.0 - mix) * a[0][1] + mix * b[0][1],
        (1.0 - mix) * a[0][2] + mix * b[0][2],
    )
    turn = slerp(a[1], b[1], mix)
    left, next_ = steps.places[origin, 1], steps.places[target, 1]
    lower = min(left, next_)
    if steps.lifts.shape[0] > 0:
        y += _lifted(steps, step, share)
    elif air:
        y += buried(figure, foot, y - lower, turn)
    put_vector(ways, foot, f, ANKLE, (x, y, z))
    put_turn(ways, foot, f, TURN, turn)
    _put_contacts(figure, frames, foot, f, coming if mix > 0.5 else leaving, air)
    bound = max(1.0 - smooth(share / LET_GO), smooth(4.0 * share - 3.0))
    ways[foot, f, BOUND] = bound if air else 1.0
    ways[foot, f, SHARE] = share if air else 0.0
    ways[foot, f, LEVEL] = left if mix < LEAVES else (next_ if mix > LANDS else lower)
    ways[foot, f, FREE] = _out_of_stands(steps, step, since)


@nb.njit(nogil=True, error_model="numpy")
def put_support(figure, steps, step, since, frames, f):  # type: ignore[no-untyped-def]
    """The support foot of a step."""
    foot, where, ways = 1 - steps.swings[step], steps.prints[step, STOOD_ON], frames.ways
    late = since - steps.lies[step]
    lies = smooth((abs(late) - LIES) / ROLLS)
    piece = foot_piece(steps, step, since, SUPPORT)
    roll = roll_at(steps, step, piece, _SUPPORTING, steps.came[step, 1 if late > 0.0 else 0, 1])
    roll = (lies * roll[0], lies * roll[1], lies * roll[2])
    # before a foot has lain its heel rises no more, unless it came on its toes
    free = lies if late > 0.0 else lies * smooth(roll[0] / ON_TOES)
    roll = shaped(roll)
    ankle, turn = beside(figure, steps, foot, where, roll)
    put_vector(ways, foot, f, ANKLE, ankle)
    put_turn(ways, foot, f, TURN, turn)
    _put_contacts(figure, frames, foot, f, roll, False)
    ways[foot, f, BOUND], ways[foot, f, SHARE] = 1.0, 0.0
    ways[foot, f, LEVEL], ways[foot, f, FREE] = steps.places[where, 1], free


@nb.njit(nogil=True, error_model="numpy")
def put_feet(figure, steps, step, since, frames, f):  # type: ignore[no-untyped-def]
    """Both feet. A support foot that is run on is in the air before it lands and after it has left.

    There it is the swing foot of the step before, or of the next; beside a step that is walked it stands.
    """
    put_swing(figure, steps, step, since, frames, f)
    down = steps.feet_times[SUPPORT, step, steps.events[SUPPORT, step, 0]]
    up = steps.feet_times[SUPPORT, step, steps.events[SUPPORT, step, 1]]
    final = steps.times.shape[1] - 1
    for other, flies in ((step - 1, since < down), (step + 1, since > up)):
        if (
            flies
            and 0 <= other < steps.swings.size
            and steps.events[SWING, other, 0] == 0
            and steps.swings[other] != steps.swings[step]
        ):
            away = steps.times[other, final] if other < step else -steps.times[step, final]
            put_swing(figure, steps, other, since + away, frames, f)
            return
    put_support(figure, steps, step, since, frames, f)
