"""One foot, compiled: held in its print while it stands, on its blended way while it swings.

A foot that stands is held at its heel while the toes are up, at its toe joint while the heel is, and lies
flat between: where it came down, with its heading. What is missing when it changes from the one to the other,
and how fast that grows, is taken over and faded out: so nothing jumps, and what stands stands still soon.
"""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import exp, multiply, quaternion_at, rotate, vector_at, yaw
from footfall.geometry.stack_room import doubles
from footfall.models.locomotion.layout import (
    HEEL,
    LANDS,
    LAST_DT,
    LYING,
    MEANT,
    MEANT_BEFORE,
    OFF,
    OFF_RATE,
    PRINT,
    STANDS_NOW,
    SUBTALAR,
    TOE_JOINT,
    TOE_OVER,
    UNDER,
    UNDER_RATE,
    WAS,
    WAS_BEFORE,
)
from footfall.models.locomotion.weights_kernel import NUMBERS

LANDING = 60.0  # 1/s: how fast a foot that comes down comes to rest,
DROPS = 1.2  # m/s: and how fast it comes down, or up, to ground that is not where it expected it
LEAVING = 13.0  # 1/s: how fast a foot in the air goes over to the blended way


@kernel()
def foot_turn(numbers, leg, heading, pitch, roll):  # type: ignore[no-untyped-def]
    """The orientation of a foot by the angles of its sole."""
    tilted = multiply(yaw(heading), exp((pitch, 0.0, roll)))
    return multiply(tilted, quaternion_at(numbers, leg + LYING))


@kernel()
def foot_point(numbers, leg, point, q0, q1, q2, q3):  # type: ignore[no-untyped-def]
    """A point of the sole seen from the ankle."""
    i = leg + point
    return rotate((q0, q1, q2, q3), vector_at(numbers, i))


@kernel(f"void({NUMBERS}, int64, float64[::1], int64, float64, float64[::1])")
def stand_at(numbers, leg, state, foot, pitch, out):  # type: ignore[no-untyped-def]
    """Where the ankle of a foot is that stands in its print, pitched about its heel or its toe joint."""
    i = foot + PRINT
    heading = state[i + 3]
    q0, q1, q2, q3 = foot_turn(numbers, leg, heading, 0.0, 0.0)
    p0, p1, p2, p3 = foot_turn(numbers, leg, heading, pitch, 0.0)
    point = HEEL if pitch < 0.0 else TOE_JOINT
    ax, ay, az = foot_point(numbers, leg, SUBTALAR, q0, q1, q2, q3)
    bx, by, bz = foot_point(numbers, leg, point, q0, q1, q2, q3)
    cx, cy, cz = foot_point(numbers, leg, point, p0, p1, p2, p3)
    out[0], out[1], out[2] = state[i] - ax + bx - cx, state[i + 1] - ay + by - cy, state[i + 2] - az + bz - cz


@kernel(f"void({NUMBERS}, int64, float64[::1], int64, float64)")
def put_down(numbers, leg, state, foot, level):  # type: ignore[no-untyped-def]
    """A foot comes down: its print is where it would come to rest by itself."""
    dt = max(state[LAST_DT], 1e-9)
    was, before = foot + WAS, foot + WAS_BEFORE
    pitch, first = state[was + 4], state[before + 4]
    point = HEEL if pitch < 0.0 else TOE_JOINT
    q0, q1, q2, q3 = foot_turn(numbers, leg, state[was + 3], pitch, state[was + 5])
    ax, _, az = foot_point(numbers, leg, point, q0, q1, q2, q3)
    q0, q1, q2, q3 = foot_turn(numbers, leg, state[before + 3], first, state[before + 5])
    bx, _, bz = foot_point(numbers, leg, point, q0, q1, q2, q3)
    reach = 1.0 / (LANDING * dt)
    x = state[was] + ax + reach * (state[was] + ax - state[before] - bx)
    z = state[was + 2] + az + reach * (state[was + 2] + az - state[before + 2] - bz)
    heading = state[was + 3] + reach * (state[was + 3] - state[before + 3])
    # the print that has this point there when the foot lies flat in it
    q0, q1, q2, q3 = foot_turn(numbers, leg, heading, 0.0, 0.0)
    cx, _, cz = foot_point(numbers, leg, point, q0, q1, q2, q3)
    dx, _, dz = foot_point(numbers, leg, SUBTALAR, q0, q1, q2, q3)
    i = foot + PRINT
    state[i], state[i + 1], state[i + 2], state[i + 3] = x - cx + dx, level, z - cz + dz, heading
    now, then = doubles(3), doubles(3)
    stand_at(numbers, leg, state, foot, pitch, now)
    stand_at(numbers, leg, state, foot, first, then)
    for k in range(3):
        state[foot + OFF + k] = state[was + k] - now[k]
        state[foot + OFF_RATE + k] = (state[was + k] - now[k] - state[before + k] + then[k]) / dt
    state[foot + OFF + 3] = state[was + 3] - heading
    state[foot + OFF_RATE + 3] = (state[was + 3] - state[before + 3]) / dt
    state[foot + OFF + 4] = state[was + 4] - state[foot + MEANT + 4]
    state[foot + OFF_RATE + 4] = (
        state[foot + OFF + 4] - state[before + 4] + state[foot + MEANT_BEFORE + 4]
    ) / dt
    state[foot + OFF + 5] = state[was + 5]
    state[foot + OFF_RATE + 5] = (state[was + 5] - state[before + 5]) / dt
    # a critically damped spring of rate r goes off r / e at most
    state[foot + LANDS] = min(LANDING, np.e * DROPS / max(abs(state[foot + OFF + 1]), 1e-9))
    state[foot + STANDS_NOW] = 1.0


@kernel("void(float64[::1], int64)")
def lift(state, foot):  # type: ignore[no-untyped-def]
    """A foot leaves: what it is away from its blended way is faded out.

    The ground under it is where it stood, as far as it had come down there: the blended way is raised to it.
    """
    dt = max(state[LAST_DT], 1e-9)
    level = state[foot + PRINT + 1] + state[foot + OFF + 1]
    state[foot + MEANT + 1] += level - state[foot + UNDER]
    state[foot + MEANT_BEFORE + 1] += level - state[foot + UNDER]
    state[foot + UNDER], state[foot + UNDER_RATE] = level, state[foot + OFF_RATE + 1]
    for k in range(6):
        away = state[foot + WAS + k] - state[foot + MEANT + k]
        then = state[foot + WAS_BEFORE + k] - state[foot + MEANT_BEFORE + k]
        state[foot + OFF + k] = away
        state[foot + OFF_RATE + k] = (away - then) / dt
    state[foot + STANDS_NOW] = 0.0


@kernel("void(float64[::1], int64, float64, float64)")
def fade(state, foot, rate, dt):  # type: ignore[no-untyped-def]
    """What is missing becomes less, as a critically damped spring has it."""
    fades = np.exp(-rate * dt)
    for k in range(6):
        i, j = foot + OFF + k, foot + OFF_RATE + k
        push = state[j] + rate * state[i]
        state[i] = (state[i] + push * dt) * fades
        state[j] = (state[j] - push * rate * dt) * fades


@kernel()
def over_ground(numbers, leg, ankle, level, heading, pitch, roll):  # type: ignore[no-untyped-def]
    """The height of an ankle whose heel and toe joint are not under the ground."""
    q0, q1, q2, q3 = foot_turn(numbers, leg, heading, pitch, roll)
    _, heel, _ = foot_point(numbers, leg, HEEL, q0, q1, q2, q3)
    _, toe, _ = foot_point(numbers, leg, TOE_JOINT, q0, q1, q2, q3)
    return max(ankle, level - min(heel, toe - numbers[leg + TOE_OVER]))
