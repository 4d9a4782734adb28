"""How a gaze moves in time, compiled: how much head and trunk take of a turn, how they follow, how eyes leap.

Angles come in pairs: nods about the left axis (positive is down), then turns about the upward axis (positive
is to the left), rad.
"""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel

DEGREE = np.pi / 180.0
BEND = 6.0 * DEGREE  # over which a share sets in
# A gaze shift of up to 15 to 20 degrees is made by the eyes alone; the head makes about four fifths of what
# is beyond (Stahl 1999, Exp Brain Res 126; Freedman 2008, Exp Brain Res 190).
HEAD_FROM = (10.0 * DEGREE, 15.0 * DEGREE)
HEAD_SHARE = 0.8
EYES_KEEP = (20.0 * DEGREE, 28.0 * DEGREE)  # more than this is uncomfortable for long: the head goes farther
HEAD_MOST = (48.0 * DEGREE, 72.0 * DEGREE)  # over the trunk
SETTLES, SETTLING = 0.5, 1.5  # the share of what the eyes keep that the head takes over in time, and s
FRESH = 10.0 * DEGREE  # a leap of the target after which a gaze settles anew
# Eyes, head and trunk set out in this order, the trunk for large turns (Hollands, Ziavra and Bronstein 2004,
# Exp Brain Res 154).
TRUNK_FROM = (40.0 * DEGREE, 45.0 * DEGREE)
TRUNK_SHARE = (0.35, 0.5)
TRUNK_MOST = (22.0 * DEGREE, 52.0 * DEGREE)
# Three equal poles: the start is as soft as that of a movement of least jerk. A head that has 8 in a second
# is at 5 % of its way after 0.1 s, and its top speed is 2.2 times its way in a second; people's top speed
# grows with the way likewise, and the eyes lead by as much (Guitton and Volle 1987, J Neurophysiol 58).
HEAD_PACE, TRUNK_PACE = 8.0, 5.0  # 1/s
HEAD_FASTEST, TRUNK_FASTEST = 240.0 * DEGREE, 120.0 * DEGREE  # rad/s
# The main sequence: so long takes a saccade (Lee, Badler, Badler 2002; Robinson 1964).
LEAP_LEAST, LEAP_MORE = 0.025, 0.0024 / DEGREE  # s, s/rad
NOD_LEAST, NOD_MORE = 0.30, 0.008 / DEGREE  # the same for a head that has no eyes
# Eyes pursue up to about 100 degrees a second; what is faster is leapt after (Meyer, Lasker, Robinson 1985).
PURSUIT, TREMOR = 100.0 * DEGREE, 0.3 * DEGREE  # rad/s, rad
AT_REST = 1e-9  # rad, and 1/s, 1/s^2 of it


@kernel()
def beyond(size, start):  # type: ignore[no-untyped-def]
    """How far a size is beyond a start, rounded off at the corner; none at none."""
    d, base = size - start, -start
    return 0.5 * (d + np.sqrt(d * d + BEND * BEND)) - 0.5 * (base + np.sqrt(base * base + BEND * BEND))


@kernel()
def head_goal(wanted, axis, settled, has_eyes):  # type: ignore[no-untyped-def]
    """How far the head turns for a turn of the gaze that is wanted."""
    if not has_eyes:
        return wanted
    size = abs(wanted)
    turn = max(HEAD_SHARE * beyond(size, HEAD_FROM[axis]), size - EYES_KEEP[axis])
    return np.copysign(turn + SETTLES * settled * (size - turn), wanted)


@kernel()
def trunk_goal(wanted, axis):  # type: ignore[no-untyped-def]
    size = TRUNK_SHARE[axis] * beyond(abs(wanted), TRUNK_FROM[axis])
    return np.copysign(min(size, TRUNK_MOST[axis]), wanted)


@kernel()
def follow(state, at, goal, pace, fastest, dt):  # type: ignore[no-untyped-def]
    """A place, its rate and acceleration on the way to a goal: exact for a goal that stays, at any dt.

    A goal that is farther than 3 fastest / pace counts as that far: no rate is larger than `fastest` then.
    """
    x, v, a = state[at], state[at + 1], state[at + 2]
    if goal == 0.0 and abs(x) + abs(v) + abs(a) < AT_REST:
        x = v = a = 0.0  # so that a pose is passed on as it came, in the end
    reach = 3.0 * fastest / pace
    y = -min(max(goal - x, -reach), reach)
    goal = x - y
    c1 = v + pace * y
    c2 = a + 2.0 * pace * v + pace * pace * y
    fade = np.exp(-pace * dt)
    poly, slope = y + c1 * dt + 0.5 * c2 * dt * dt, c1 + c2 * dt
    state[at] = goal + fade * poly
    state[at + 1] = fade * (slope - pace * poly)
    state[at + 2] = fade * (c2 - 2.0 * pace * slope + pace * pace * poly)


@kernel()
def least_jerk(e, v, a, t, span):  # type: ignore[no-untyped-def]
    """What is left of a way at a time: the quintic that begins so and is at rest at 0 after `span`."""
    if t >= span:
        return 0.0, 0.0, 0.0
    s = t / span
    v, a = v * span, a * span * span
    c3 = -10.0 * e - 6.0 * v - 1.5 * a
    c4 = 15.0 * e + 8.0 * v + 1.5 * a
    c5 = -6.0 * e - 3.0 * v - 0.5 * a
    left = e + s * (v + s * (0.5 * a + s * (c3 + s * (c4 + s * c5))))
    rate = v + s * (a + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))
    push = a + s * (6.0 * c3 + s * (12.0 * c4 + s * 20.0 * c5))
    return left, rate / span, push / (span * span)


@kernel()
def leap_time(way, has_eyes):  # type: ignore[no-untyped-def]
    return LEAP_LEAST + LEAP_MORE * way if has_eyes else NOD_LEAST + NOD_MORE * way
