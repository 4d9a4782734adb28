"""A frame's feet on their prints, compiled: what `feet` does for all frames at once, written for one."""

from __future__ import annotations

from footfall.adapt.foot_roll import NEARLY
from footfall.adapt.swing_clearance import BUMPS
from footfall.geometry.decisions_kernel import clearly_less
from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import (
    add,
    put_quaternion,
    put_vector,
    scale,
    slerp,
    smootherstep,
    smoothstep,
    subtract,
    vector_at,
)
from footfall.models.stepspace.feet import FREE as LET_GO
from footfall.models.stepspace.feet import LANDING, LANDS, LEAVES, ON_TOES, ROLLS, SHORT
from footfall.models.stepspace.feet import LIES as LYING_FOR
from footfall.models.stepspace.foot_channels import COMING, LEAVING, REST_COMING, REST_LEAVING, SUPPORTING
from footfall.models.stepspace.frame_tables import (
    ANKLE,
    ASIDE,
    BOUND,
    CAME,
    FREE,
    GIVE,
    HEEL_DOWN,
    LEVEL,
    LIES,
    LIES_FIRST,
    LIES_LAST,
    LIFTED,
    LIFTS,
    MEETS,
    MOVED,
    PLACE,
    PRINTS,
    SECONDS,
    SHARE,
    SUPPORT,
    SWING,
    SWINGS,
    TOE,
    TOE_DOWN,
    TURN,
)
from footfall.models.stepspace.rolls_kernel import (
    beside,
    buried,
    lying_toe,
    over,
    piece_at,
    roll_at,
    shaped,
    three_at,
    unrocked,
)

_LEAVING, _COMING, _SUPPORTING = LEAVING.start, COMING.start, SUPPORTING.start
_REST_LEAVING, _REST_COMING = REST_LEAVING.start, REST_COMING.start
_UP = PLACE + 1
_DEGREE = BUMPS + 3


@kernel()
def _lift(marks, share):  # type: ignore[no-untyped-def]
    """By how much a swing is raised over the ground: Bernstein polynomials, see `swing_clearance.bumps`."""
    total, ways = 0.0, float(_DEGREE)  # to choose one of so many
    for k in range(2, BUMPS + 2):
        ways = ways * (_DEGREE - k + 1) / k
        total += ways * share**k * (1.0 - share) ** (_DEGREE - k) * marks[LIFTS + k - 2]
    return total


@kernel()
def _aside(marks, share):  # type: ignore[no-untyped-def]
    """By how much a swing leaves its way, in the same polynomials."""
    total, ways = (0.0, 0.0, 0.0), float(_DEGREE)
    for k in range(2, BUMPS + 2):
        ways = ways * (_DEGREE - k + 1) / k
        bump = ways * share**k * (1.0 - share) ** (_DEGREE - k)
        total = add(total, scale(bump, vector_at(marks, ASIDE + 3 * (k - 2))))
    return total


@kernel()
def _out_of_stands(marks, whole, since):  # type: ignore[no-untyped-def]
    """A swing foot lies in the stand it leaves, in that it comes to, and between two steps of its own."""
    free = 1.0
    if whole[LIES_FIRST]:
        free *= smoothstep((since - LYING_FOR) / ROLLS)
    if whole[LIES_LAST]:
        free *= smoothstep((marks[SECONDS] - since - LYING_FOR) / ROLLS)
    return free


@kernel()
def _put_foot(sole, ankle, turn, roll, air, way):  # type: ignore[no-untyped-def]
    """A foot, with toes and contacts as its roll has them."""
    put_vector(way, ANKLE, ankle)
    put_quaternion(way, TURN, turn)
    put_quaternion(way, TOE, lying_toe(sole, roll))
    flat = abs(roll[0]) < NEARLY
    way[HEEL_DOWN] = not air and (flat or roll[0] < 0.0)
    way[TOE_DOWN] = not air and (flat or roll[0] > 0.0)


@kernel()
def _let_go(roll, edge, fade):  # type: ignore[no-untyped-def]
    """A roll in the air, where what shaped it at the edge is eased out."""
    return add(roll, scale(fade, subtract(shaped(edge), edge)))


@kernel()
def put_swing(sole, own, samples, marks, whole, prints, since, way):  # type: ignore[no-untyped-def]
    """The swing foot of a step, at a moment since it began."""
    leaves, lands = whole[SWING], whole[SWING + 1]
    share = min(max((since - own[leaves]) / (own[lands] - own[leaves]), 0.0), 1.0)
    air = 0.0 < share < 1.0
    piece = piece_at(own, since, min(leaves, whole[MEETS]), max(lands, whole[MEETS + 1]))
    leaving = roll_at(samples, piece, _LEAVING, marks[CAME])
    coming = roll_at(samples, piece, _COMING, marks[CAME + 2])
    row = samples[leaves]
    off = unrocked(vector_at(row, _LEAVING), vector_at(row, GIVE + _LEAVING), marks[CAME])
    row = samples[lands]
    strike = unrocked(vector_at(row, _COMING), vector_at(row, GIVE + _COMING), marks[CAME + 2])
    came_on = smoothstep(coming[0] / ON_TOES)
    early, late = 1.0 - smootherstep(2.0 * share), smootherstep(2.0 * share - 1.0)
    leaving = shaped(leaving) if share <= 0.0 else _let_go(leaving, off, early)
    coming = shaped(coming) if share >= 1.0 else _let_go(coming, strike, late)
    origin, target = prints[whole[PRINTS]], prints[whole[PRINTS + 1]]
    if air:
        rest = three_at(samples, piece, _REST_LEAVING)
        start, turn = over(sole, origin, leaving, rest, shaped(off), early)
        rest = three_at(samples, piece, _REST_COMING)
        end, next_turn = over(sole, target, coming, rest, shaped(strike), late)
    else:
        start, turn = beside(sole, origin, leaving)
        end, next_turn = beside(sole, target, coming)
    mix = smootherstep(share)
    ankle, turn = add(scale(1.0 - mix, start), scale(mix, end)), slerp(turn, next_turn, mix)
    if whole[MOVED]:
        ankle = add(ankle, _aside(marks, share))
    lower = min(origin[_UP], target[_UP])
    if whole[LIFTED]:
        ankle = add(ankle, (0.0, _lift(marks, share), 0.0))
    elif air:
        ankle = add(ankle, (0.0, buried(sole, ankle[1] - lower, turn), 0.0))
    _put_foot(sole, ankle, turn, coming if clearly_less(0.5, mix) else leaving, air, way)
    way[BOUND] = max(1.0 - smoothstep(share / LET_GO), smoothstep(4.0 * share - 3.0)) if air else 1.0
    way[SHARE] = share if air else 0.0
    way[LEVEL] = origin[_UP] if mix < LEAVES else (target[_UP] if mix > LANDS else lower)
    # a foot that has come down raises its heel no more, unless it came on its toes
    counts = smoothstep((share - LANDING[0]) / (LANDING[1] - LANDING[0]))
    way[FREE] = _out_of_stands(marks, whole, since) * (1.0 + counts * (came_on - 1.0))


@kernel()
def put_support(sole, own, samples, marks, whole, prints, since, way):  # type: ignore[no-untyped-def]
    """The support foot of a step."""
    first, last = whole[SUPPORT], whole[SUPPORT + 1]
    late = since - marks[LIES]
    room = own[last] - marks[LIES] if late > 0.0 else marks[LIES] - own[first]
    lies = smoothstep((abs(late) - LYING_FOR) / min(max(room - LYING_FOR, SHORT), ROLLS))
    came = marks[CAME + 3] if late > 0.0 else marks[CAME + 1]
    roll = scale(lies, roll_at(samples, piece_at(own, since, first, last), _SUPPORTING, came))
    # before a foot has lain its heel rises no more, unless it came on its toes
    way[FREE] = lies if late > 0.0 else lies * smoothstep(roll[0] / ON_TOES)
    roll = shaped(roll)
    ground = prints[whole[PRINTS + 2]]
    ankle, turn = beside(sole, ground, roll)
    _put_foot(sole, ankle, turn, roll, False, way)
    way[BOUND], way[SHARE], way[LEVEL] = 1.0, 0.0, ground[_UP]


@kernel()
def flying_in(own, marks, whole, step, since):  # type: ignore[no-untyped-def]
    """The step whose swing foot a step's support foot is already or still, and s since that began.

    A foot that is run on is in the air before it lands and after it has left, there it belongs to the step
    before or to the next; beside a step that is walked it stands: then it is the step itself.
    """
    if since < own[whole[step, SUPPORT]]:
        other, when = step - 1, since + marks[max(step - 1, 0), SECONDS]
    elif since > own[whole[step, SUPPORT + 1]]:
        other, when = step + 1, since - marks[step, SECONDS]
    else:
        return step, since
    if not 0 <= other < whole.shape[0] or whole[other, SWING] != 0:
        return step, since
    return (other, when) if whole[other, SWINGS] != whole[step, SWINGS] else (step, since)
