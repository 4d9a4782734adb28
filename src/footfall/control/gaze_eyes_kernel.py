"""The eyes of a gaze, compiled: where they should be, how they leap there, and how they are aimed.

An eye's place is a swing in the frame of the bone that bears it. A leap is what is left of the way to where
it should be: while the head turns or the target moves, a leap goes on, and an eye that has landed stays on
its target exactly. A head is aimed likewise where there are no eyes, only slower.
"""

from __future__ import annotations

import numpy as np

from footfall.control import gaze_layout as at
from footfall.control.gaze_frames_kernel import angle_between, arc, orient, place_slot, swing_to, swung
from footfall.control.gaze_motion_kernel import leap_time, least_jerk
from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import conjugate, multiply, quaternion_at, rotate, vector_at

INSIDE = 0.9999  # of a limit


@kernel()
def _bearing(slots, s, turns, aim):  # type: ignore[no-untyped-def]
    """The frame of the bone that bears an eye; at rest its axes are the world's."""
    p = turns[slots[s, 1]]
    return multiply(quaternion_at(p, 0), quaternion_at(aim, 0))


@kernel()
def _ray(turns, s, aim):  # type: ignore[no-untyped-def]
    q, f = turns[s], at.FORWARD
    return rotate(quaternion_at(q, 0), vector_at(aim, f))


@kernel()
def _swing_in(c, x, y, z, side):  # type: ignore[no-untyped-def]
    x, y, z = rotate(conjugate(quaternion_at(c, 0)), (x, y, z))
    return swing_to(x, y, z, side)


@kernel()
def _on_target(aim, c, place, wish, side):  # type: ignore[no-untyped-def]
    """The swing that is on the target, of an eye borne by a frame c; and whether it is at its limit."""
    x, y, z = wish[0] - place[0], wish[1] - place[1], wish[2] - place[2]
    nod, aside = _swing_in(c, x, y, z, side)
    nod, aside = nod + wish[6], aside + wish[7]
    down, left = at.SPANS + (nod > 0.0), at.SPANS + 2 + (aside > 0.0)
    wide = np.sqrt((nod / aim[down]) ** 2 + (aside / aim[left]) ** 2)
    share = min(1.0, INSIDE / wide) if wide > 0.0 else 1.0
    return nod * share, aside * share, share < 1.0


@kernel()
def _keep(state, e, c, place):  # type: ignore[no-untyped-def]
    """Keeps for the next frame what bears an eye and where it is."""
    for k in range(4):
        state[e + 10 + k] = c[k]
    for k in range(3):
        state[e + 14 + k] = place[k]


@kernel()
def eyes_wanted(figure, places, turns, wish, looks, side, state, wanted):  # type: ignore[no-untyped-def]
    """Where each eye should be: on its target as far as its limits let it, or as it came in. Then the same
    for the frame before, as if what is looked at now had been then."""
    slots, _, marked, aims, _ = figure
    state[at.HELD] = 0.0
    for i in range(marked.size - 2):
        s, aim, e = marked[2 + i], aims[i], at.EYES + at.EYE * i
        c = _bearing(slots, s, turns, aim)
        x, y, z = _ray(turns, s, aim)
        nod, aside = _swing_in(c, x, y, z, 0.0)
        if state[at.MODE] < 0.0:  # the first frame: it is there already
            state[e + 6], state[e + 7] = nod, aside
            state[e + 17], state[e + 18] = nod, aside
            _keep(state, e, c, places[s])
        wanted[i, 2], wanted[i, 3] = state[e + 17], state[e + 18]
        state[e + 17], state[e + 18] = nod, aside
        if looks:
            nod, aside, held = _on_target(aim, c, places[s], wish, side)
            state[at.HELD] = max(state[at.HELD], 1.0 if held else 0.0)
        wanted[i, 0], wanted[i, 1] = nod, aside
        before = state[e + 10 : e + 17]
        if looks:
            wanted[i, 2], wanted[i, 3], _ = _on_target(aim, before, before[4:], wish, side)
        _keep(state, e, c, places[s])


@kernel()
def eyes_leap(eyes, has_eyes, dt, state, wanted):  # type: ignore[no-untyped-def]
    """Begins a leap from where the eyes were to where they should have been; both take the same time."""
    span = 0.0
    for i in range(eyes):
        e = at.EYES + at.EYE * i
        for axis in range(2):
            k = e + axis
            _, rate, push = least_jerk(state[k], state[k + 2], state[k + 4], state[at.CLOCK], state[at.SPAN])
            state[k] = state[k + 6] - wanted[i, 2 + axis]
            state[k + 4] = push
            if has_eyes:
                state[k + 2] = rate
            elif dt > 0.0:  # a head goes on as fast as it was
                state[k + 2] = state[k + 8] - (wanted[i, axis] - wanted[i, 2 + axis]) / dt
        span = max(span, leap_time(np.sqrt(state[e] ** 2 + state[e + 1] ** 2), has_eyes))
    state[at.CLOCK], state[at.SPAN] = 0.0, span


@kernel()
def eyes_aimed(figure, limits, offsets, root, out, wish, looks, state, wanted, places, turns):  # type: ignore[no-untyped-def]
    """Aims the eyes, a frame farther on their way, and measures what they miss."""
    slots, _, marked, aims, _ = figure
    dt, missed = wish[8], 0.0
    state[at.CLOCK] += dt
    for i in range(marked.size - 2):
        s, aim, e = marked[2 + i], aims[i], at.EYES + at.EYE * i
        for axis in range(2):
            k = e + axis
            left, _, _ = least_jerk(state[k], state[k + 2], state[k + 4], state[at.CLOCK], state[at.SPAN])
            now = wanted[i, axis] + left
            if dt > 0.0:
                state[k + 8] = (now - state[k + 6]) / dt
            state[k + 6] = now
        if not looks and state[at.CLOCK] >= state[at.SPAN]:
            continue
        c, q = _bearing(slots, s, turns, aim), turns[s]
        x, y, z = swung(state[e + 6], state[e + 7])
        x, y, z = rotate(quaternion_at(c, 0), (x, y, z))
        fx, fy, fz = _ray(turns, s, aim)
        a = arc(fx, fy, fz, x, y, z)
        a = multiply(a, quaternion_at(q, 0))
        orient(limits, slots, s, turns, out, a)
        place_slot(slots, offsets, out, root, s, places, turns)
        if looks:
            fx, fy, fz = _ray(turns, s, aim)
            x, y, z = wish[0] - places[s, 0], wish[1] - places[s, 1], wish[2] - places[s, 2]
            missed = max(missed, angle_between(fx, fy, fz, x, y, z))
    state[at.MISSED] = missed
