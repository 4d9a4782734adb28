"""One frame of a gaze, compiled ([body] 6): trunk, neck and head turn towards a target, the eyes do the rest.

Head and trunk have turns of their own over the pose that comes in; they follow goals, so that beginning,
switching and letting go are all alike. The eyes are aimed last, from where the head is by then.
"""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.control import gaze_layout as at
from footfall.control.gaze_eyes_kernel import eyes_aimed, eyes_leap, eyes_wanted
from footfall.control.gaze_frames_kernel import (
    angle_between,
    nod_and_turn,
    orient,
    place_slot,
    upright_turn,
)
from footfall.control.gaze_motion_kernel import (
    FRESH,
    HEAD_FASTEST,
    HEAD_MOST,
    HEAD_PACE,
    PURSUIT,
    SETTLING,
    TREMOR,
    TRUNK_FASTEST,
    TRUNK_PACE,
    follow,
    head_goal,
    trunk_goal,
)
from footfall.geometry.decisions_kernel import shortest_turn
from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import (
    angle_near,
    conjugate,
    exp,
    log,
    multiply,
    quaternion_at,
    rotate,
    vector_at,
)
from footfall.ik.limits_kernel import LIMITS

ROWS = nb.types.Array(nb.float64, 2, "C", readonly=True)
NUMBERS = nb.types.Array(nb.float64, 1, "C", readonly=True)
INDICES = nb.types.Array(nb.int64, 2, "C", readonly=True)
SLOTS = nb.types.Array(nb.int64, 1, "C", readonly=True)
FIGURE = nb.types.Tuple((INDICES, ROWS, SLOTS, ROWS, NUMBERS))  # see `gaze_figure`
LEVEL = 0.35  # of a direction: what is steeper has ever less of a side to turn to
OVER = 0.7  # rad beyond half a turn before what is behind is looked at over the other shoulder


@kernel()
def _see(b, x, y, z, dt, state):  # type: ignore[no-untyped-def]
    """Takes note of the way to the target; its nod and turn in the body's frame, and whether it leapt."""
    before = state[at.MODE] == 1.0
    leap = angle_between(state[at.SEEN], state[at.SEEN + 1], state[at.SEEN + 2], x, y, z) if before else 0.0
    state[at.SEEN], state[at.SEEN + 1], state[at.SEEN + 2] = x, y, z
    x, y, z = rotate(conjugate(b), (x, y, z))
    nod, aside = nod_and_turn(x, y, z)
    aside = shortest_turn(aside)  # what is straight behind is on the left
    side = angle_near(aside, state[at.SIDE])
    leapt = leap > PURSUIT * dt + TREMOR or (before and abs(side) > np.pi + OVER)
    if not before:
        state[at.SETTLED] = 0.0
    elif leapt:
        state[at.SETTLED] *= np.exp(-leap / FRESH)
    # the way round stays the same as what is behind passes by; what is new is looked at the shorter way
    state[at.SIDE] = side if before and not leapt else aside
    state[at.SETTLED] = 1.0 - (1.0 - state[at.SETTLED]) * np.exp(-dt / SETTLING)
    steep = min(np.sqrt(x * x + z * z) / (LEVEL * np.sqrt(x * x + y * y + z * z)), 1.0)
    return nod, state[at.SIDE] * steep * (2.0 - steep), leapt


@kernel()
def _follow_goals(goals, dt, state):  # type: ignore[no-untyped-def]
    """Head and trunk go on towards their goals; the head no farther over the trunk than a neck lets it."""
    to_go = 0.0
    for axis in range(2):
        h, t = at.HEAD + 3 * axis, at.TRUNK + 3 * axis
        follow(state, t, goals[2 + axis], TRUNK_PACE, TRUNK_FASTEST, dt)
        goal = min(max(goals[axis], state[t] - HEAD_MOST[axis]), state[t] + HEAD_MOST[axis])
        follow(state, h, goal, HEAD_PACE, HEAD_FASTEST, dt)
        to_go = max(to_go, abs(goal - state[h]), abs(goals[2 + axis] - state[t]))
    state[at.TO_GO] = to_go


@kernel()
def _turn_body(figure, limits, offsets, root, out, t, g, places, turns):  # type: ignore[no-untyped-def]
    """Turns the trunk by t and the head by g in the world, each joint on the way by its share."""
    slots, shares, _, _, _ = figure
    n = multiply(g, conjugate(t))
    tx, ty, tz = log(t)
    nx, ny, nz = log(n)
    for s in range(slots.shape[0]):
        low, high = shares[s, 0], shares[s, 1]
        if shares[s, 2] > 0.0:
            a, q = exp((high * nx, high * ny, high * nz)), turns[s]
            d = exp((low * tx, low * ty, low * tz))
            a = multiply(a, d)
            a = multiply(a, quaternion_at(q, 0))
            orient(limits, slots, s, turns, out, a)
        place_slot(slots, offsets, out, root, s, places, turns)


@kernel()
def _centre(body, p, q):  # type: ignore[no-untyped-def]
    """The point between the eyes of a head at p, turned by q."""
    x, y, z = rotate(quaternion_at(q, 0), vector_at(body, at.CENTRE))
    return p[0] + x, p[1] + y, p[2] + z


@kernel()
def _all_finite(slots, out, places, state):  # type: ignore[no-untyped-def]
    total = state.sum() + places.sum()
    for s in range(slots.shape[0]):
        total += out[slots[s, 0]].sum()
    return np.isfinite(total)


@kernel(
    nb.boolean(
        FIGURE,
        nb.types.Tuple(LIMITS),
        ROWS,
        NUMBERS,
        nb.float64[:, ::1],
        NUMBERS,
        nb.float64[::1],
        nb.float64[:, ::1],
    ),
)
def gaze_on(figure, limits, offsets, root, out, wish, state, room):  # type: ignore[no-untyped-def]
    """Changes the rotations `out` of a pose; False where numbers came in that are none.

    wish: target (3), whether there is one, whether head and trunk join in, the glance (2), seconds;
    room: where places (3) and turns (4) of the joints on the way are worked out.
    """
    slots, _, marked, _, body = figure
    places, turns, dt = room[:, :3], room[:, 3:], wish[8]
    hips, head = marked[0], marked[1]
    has_eyes = marked[2] != head
    for s in range(slots.shape[0]):
        place_slot(slots, offsets, out, root, s, places, turns)
    h, r, q, p = turns[hips], body, turns[head], places[head]
    b = multiply(quaternion_at(h, 0), quaternion_at(r, 0))  # the body's frame: its axes at rest
    k = at.HEAD_FORWARD
    x, y, z = rotate(quaternion_at(q, 0), vector_at(r, k))
    x, y, z = rotate(conjugate(b), (x, y, z))
    nod_in, turn_in = nod_and_turn(x, y, z)
    cx, cy, cz = _centre(body, p, q)
    x, y, z = wish[0] - cx, wish[1] - cy, wish[2] - cz
    near = x * x + y * y + z * z < body[at.NEAREST] ** 2
    looks = wish[3] > 0.0 and not near
    state[at.NEAR] = 1.0 if wish[3] > 0.0 and near else 0.0

    leaps = (state[at.MODE] == 1.0) != looks or wish[6] != state[at.GLANCE] or wish[7] != state[at.GLANCE + 1]
    state[at.GLANCE], state[at.GLANCE + 1] = wish[6], wish[7]
    goals = np.zeros(4)  # nod and turn of the head, of the trunk
    if looks:
        # what is near is seen from where the eyes have been brought, not from where they came in
        x, y, z = x - state[at.MOVED], y - state[at.MOVED + 1], z - state[at.MOVED + 2]
        nod, aside, leapt = _see(b, x, y, z, dt, state)
        leaps = leaps or leapt
        if wish[4] > 0.0:
            goals[0] = head_goal(nod - nod_in, 0, state[at.SETTLED], has_eyes)
            goals[1] = head_goal(aside - turn_in, 1, state[at.SETTLED], has_eyes)
        if wish[5] > 0.0:
            goals[2], goals[3] = trunk_goal(nod, 0), trunk_goal(aside, 1)
    _follow_goals(goals, dt, state)
    moved = abs(state[at.TRUNK]) + abs(state[at.TRUNK + 3]) + abs(state[at.HEAD]) + abs(state[at.HEAD + 3])
    if moved > 0.0:
        t = upright_turn(b, state[at.TRUNK], state[at.TRUNK + 3], 0.0)
        g = upright_turn(b, state[at.HEAD], state[at.HEAD + 3], turn_in)
        _turn_body(figure, limits, offsets, root, out, t, g, places, turns)

    x, y, z = _centre(body, p, q)
    state[at.MOVED], state[at.MOVED + 1], state[at.MOVED + 2] = x - cx, y - cy, z - cz
    wanted, side = np.zeros((2, 4)), state[at.SIDE] - turn_in - state[at.HEAD + 3]
    eyes_wanted(figure, places, turns, wish, looks, side, state, wanted)
    if leaps:
        eyes_leap(marked.size - 2, has_eyes, dt, state, wanted)
    eyes_aimed(figure, limits, offsets, root, out, wish, looks, state, wanted, places, turns)
    state[at.MODE] = 1.0 if looks else 0.0
    return _all_finite(slots, out, places, state)
