"""Both feet, compiled: by their clocks they strike and leave; the body comes down to what legs can reach."""

from __future__ import annotations

import numpy as np

from footfall.geometry.decisions import MARGIN
from footfall.geometry.decisions_kernel import clearly_less
from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import conjugate, exp, multiply, put_quaternion, quaternion_at, rotate
from footfall.geometry.stack_room import doubles
from footfall.models.locomotion import foot_clock
from footfall.models.locomotion.body_kernel import FOOT_ROWS, IDLE_ROWS, sum_foot, turn_toe
from footfall.models.locomotion.foot_kernel import (
    LEAVING,
    fade,
    foot_point,
    foot_turn,
    lift,
    over_ground,
    put_down,
    stand_at,
)
from footfall.models.locomotion.layout import (
    AT_LEGS,
    CONTACTS,
    FEET,
    FOOT,
    FRESH,
    GROUND,
    HEADING,
    LANDS,
    LEAVING_AT,
    LEG,
    MEANT,
    MEANT_BEFORE,
    OFF,
    PHASE,
    PLACE,
    PRINT,
    SINCE,
    STANDING,
    STANDS_NOW,
    STANDS_TO,
    STRUCK,
    TIP,
    TOE,
    TOE_JOINT,
    UNDER,
    UNDER_RATE,
    WAS,
    WAS_BEFORE,
)
from footfall.models.locomotion.leg_kernel import POSE
from footfall.models.locomotion.way_kernel import event, follow_level
from footfall.models.locomotion.weights_kernel import NUMBERS, SIZES

FLAT, HEEL_OFF, LEAVES = foot_clock.FLAT, foot_clock.HEEL_OFF, foot_clock.OFF
FOLLOWS, RISES = 22.0, 1.2  # 1/s, and at most m/s: how fast a foot in the air follows the ground under it
STILL, STILL_UP, STILL_TURN = 2e-4, 1e-3, 2e-3  # m, m, rad: nearer to its print a foot stands still
LYING = 4e-3  # rad: a sole pitched less lies flat


@kernel()
def read_clock(phase, flat, heel_off, off):  # type: ignore[no-untyped-def]
    """See `foot_clock.clock_at`."""
    if phase < flat:
        return FLAT * phase / max(flat, 1e-9)
    if phase < heel_off:
        return FLAT + (HEEL_OFF - FLAT) * (phase - flat) / max(heel_off - flat, 1e-9)
    if phase < off:
        return HEEL_OFF + (LEAVES - HEEL_OFF) * (phase - heel_off) / max(off - heel_off, 1e-9)
    return LEAVES + (1.0 - LEAVES) * (phase - off) / max(1.0 - off, 1e-9)


@kernel(
    f"void({SIZES}, {NUMBERS}, {FOOT_ROWS}, {IDLE_ROWS}, int64, float64, "
    "float64[::1], float64[::1], float64[::1])",
)
def move_foot(sizes, numbers, feet, idle, side, dt, state, pose, out):  # type: ignore[no-untyped-def]
    """One foot a frame further: ankle and orientation into `out`, its toe into the pose, its contacts."""
    foot, leg = FEET + FOOT * side, sizes[AT_LEGS] + LEG * side
    blended = event(sizes, numbers, state, side, 2)
    since = state[PHASE] - 0.5 * side
    since -= np.floor(since + MARGIN)  # frames may fall on strikes, and below on the moment when it leaves
    came = state[foot + SINCE] - since > 0.5
    state[foot + SINCE] = since
    if state[FRESH] < 0.5:
        if state[foot + STANDS_NOW] < 0.5:
            if came:
                put_down(numbers, leg, state, foot, state[GROUND + 1 + side])
                state[foot + LEAVING_AT] = blended
                state[STRUCK] += 1.0
        elif not clearly_less(since, min(state[foot + LEAVING_AT], blended)) and state[STANDS_TO] < 0.5:
            lift(state, foot)
    # a step that began as a run's is not made to last as a walk's: the body would leave its foot behind
    if state[STANDS_TO] > 0.5 or state[FRESH] > 0.5:
        state[foot + LEAVING_AT] = blended
    elif state[foot + STANDS_NOW] > 0.5:
        state[foot + LEAVING_AT] = min(state[foot + LEAVING_AT], blended)
    off = state[foot + LEAVING_AT]
    stands = state[foot + STANDS_NOW] > 0.5
    shorter = off / blended
    flat, heel_off = event(sizes, numbers, state, side, 0), event(sizes, numbers, state, side, 1)
    hand = read_clock(since, shorter * flat, shorter * heel_off, off)
    # A foot that had to leave early goes on in the air as its stance does: its clock does not jump.
    hand = min(hand, LEAVES) if stands else hand
    row = doubles(9)
    sum_foot(sizes, numbers, feet, state, side, hand, row)
    turn_toe(sizes, numbers, side, row, idle, state, pose)
    if not stands:
        follow_level(state, foot + UNDER, foot + UNDER_RATE, state[GROUND + 1 + side], FOLLOWS, RISES, dt)
    # the blended way in the world
    c, s = np.cos(state[HEADING]), np.sin(state[HEADING])
    meant, now = doubles(6), doubles(6)
    meant[0] = state[PLACE] + c * row[0] + s * row[2]
    meant[1] = state[foot + UNDER] + row[1]
    meant[2] = state[PLACE + 1] + c * row[2] - s * row[0]
    meant[3], meant[4], meant[5] = state[HEADING] + row[3], (1.0 - state[STANDING]) * row[4], row[5]
    fade(state, foot, state[foot + LANDS] if stands else LEAVING, dt)
    pitch = meant[4] + state[foot + OFF + 4]
    if stands:
        stand_at(numbers, leg, state, foot, pitch, now)
        now[3], now[5] = state[foot + PRINT + 3], 0.0
    else:
        now[0], now[1], now[2], now[3], now[5] = meant[0], meant[1], meant[2], meant[3], meant[5]
    now[4] = meant[4]
    for k in range(6):
        now[k] += state[foot + OFF + k]
    if not stands:
        now[1] = over_ground(numbers, leg, now[1], state[foot + UNDER], now[3], now[4], now[5])
    for k in range(6):
        fresh = state[FRESH] > 0.5
        state[foot + WAS_BEFORE + k] = now[k] if fresh else state[foot + WAS + k]
        state[foot + MEANT_BEFORE + k] = meant[k] if fresh else state[foot + MEANT + k]
        state[foot + WAS + k], state[foot + MEANT + k] = now[k], meant[k]
    q = foot_turn(numbers, leg, now[3], now[4], now[5])
    out[0], out[1], out[2] = now[0], now[1], now[2]
    out[3], out[4], out[5], out[6] = q
    i = foot + OFF
    rests = stands and state[i] * state[i] + state[i + 2] * state[i + 2] < STILL * STILL
    rests = rests and abs(state[i + 1]) < STILL_UP and abs(state[i + 3]) < STILL_TURN
    state[CONTACTS + side] = 1.0 if rests and pitch < LYING else 0.0
    state[CONTACTS + 2 + side] = 1.0 if rests and pitch > -LYING else 0.0


@kernel(f"void({SIZES}, {NUMBERS}, int64, float64[::1], float64, float64[::1])")
def bend_toe(sizes, numbers, side, foot, level, pose):  # type: ignore[no-untyped-def]
    """Toes whose tip would be in the ground are bent up until it lies on it."""
    leg = sizes[AT_LEGS] + LEG * side
    if numbers[leg + TOE] < 0.0:
        return
    q0, q1, q2, q3 = foot[3], foot[4], foot[5], foot[6]
    _, up, _ = foot_point(numbers, leg, TOE_JOINT, q0, q1, q2, q3)
    k = POSE + 4 * int(numbers[leg + TOE])
    t = multiply((q0, q1, q2, q3), quaternion_at(pose, k))
    x, y, z = rotate(t, (numbers[leg + TIP], numbers[leg + TIP + 1], numbers[leg + TIP + 2]))
    length, lowest = np.sqrt(x * x + y * y + z * z), level - foot[1] - up
    across = np.sqrt(x * x + z * z)
    if y >= lowest or length < 1e-6 or across < 1e-6:
        return
    more = np.arcsin(min(max(lowest / length, -1.0), 1.0)) - np.arcsin(max(y / length, -1.0))
    # about the level axis across the toe, up
    turn = exp((-more * z / across, 0.0, more * x / across))
    t = multiply(turn, t)
    put_quaternion(pose, k, multiply(conjugate((q0, q1, q2, q3)), t))
