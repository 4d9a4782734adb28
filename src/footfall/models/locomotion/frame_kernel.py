"""One frame of locomotion, compiled: what is asked, the clock, the way, the body, the feet, the legs."""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import multiply, put_quaternion, quaternion_at, yaw
from footfall.geometry.stack_room import doubles
from footfall.models.locomotion.body_kernel import FOOT_ROWS, IDLE_ROWS, ROWS, sum_channels, turn_joints
from footfall.models.locomotion.feet_kernel import bend_toe, move_foot
from footfall.models.locomotion.foot_kernel import lift
from footfall.models.locomotion.layout import (
    ALLOWED,
    AT_LEGS,
    AT_SCALARS,
    CONTACTS,
    DROP,
    FEET,
    FOOT,
    FRESH,
    HEADING,
    LAST_DT,
    LEG,
    LEVEL,
    LOCKS,
    MOVING,
    PLACE,
    REACH,
    STANDS_NOW,
    STANDS_TO,
    STRAIGHTEST,
    UNDER,
    WAS,
)
from footfall.models.locomotion.leg_kernel import GONE_DOWN, POSE, go_down, needed_drop, solve_leg
from footfall.models.locomotion.way_kernel import go_on, set_out_or_stop
from footfall.models.locomotion.weights_kernel import NUMBERS, SIZES, lead_weights

SOFT = 0.006  # m over which the pelvis begins to come down
LEAVES = 0.035  # of a leg: where it would have to come down more for a foot that stands, that foot leaves
MOST_DOWN = 0.12  # of a leg for a foot that stands,
IN_THE_AIR = 0.015  # of a leg, and for one in the air: beyond it a foot is drawn in instead
ALLOWS = 10.0  # 1/s: how fast it goes over from the one to the other


@kernel()
def draw_in(sizes, numbers, side, state, hip, foot):  # type: ignore[no-untyped-def]
    """A foot that is still out of reach is brought as near as its leg is long."""
    x, y, z = foot[0] - hip[0], foot[1] - hip[1], foot[2] - hip[2]
    longest = numbers[sizes[AT_SCALARS] + STRAIGHTEST] * numbers[sizes[AT_LEGS] + LEG * side + REACH]
    length = np.sqrt(x * x + y * y + z * z)
    if length > longest + 1e-9:
        share = longest / length
        foot[0], foot[1], foot[2] = hip[0] + share * x, hip[1] + share * y, hip[2] + share * z
        was = FEET + FOOT * side + WAS
        state[was], state[was + 1], state[was + 2] = foot[0], foot[1], foot[2]
        state[CONTACTS + side] = state[CONTACTS + 2 + side] = 0.0


@kernel(
    f"void({SIZES}, {NUMBERS}, float64, float64[::1], float64[::1], float64[::1], float64[::1])",
)
def set_legs(sizes, numbers, dt, state, left, right, pose):  # type: ignore[no-untyped-def]
    """The pelvis comes down to what both legs reach, softly; then the legs end in their feet."""
    down, other = doubles(GONE_DOWN), doubles(GONE_DOWN)
    go_down(sizes, numbers, 0, pose, down)
    go_down(sizes, numbers, 1, pose, other)
    total = 1.0
    for side in range(2):
        leg, foot = sizes[AT_LEGS] + LEG * side, FEET + FOOT * side
        longest = numbers[sizes[AT_SCALARS] + STRAIGHTEST] * numbers[leg + REACH]
        place, hip = (left, down) if side == 0 else (right, other)
        needed = needed_drop(hip, place[0], place[1], place[2], longest)
        most = numbers[leg + REACH] * (MOST_DOWN if state[foot + STANDS_NOW] > 0.5 else IN_THE_AIR)
        if state[FRESH] > 0.5:
            state[foot + ALLOWED] = most
        state[foot + ALLOWED] += (most - state[foot + ALLOWED]) * (1.0 - np.exp(-ALLOWS * dt))
        if (
            needed > LEAVES * numbers[leg + REACH]
            and state[foot + STANDS_NOW] > 0.5
            and state[STANDS_TO] < 0.5
        ):
            lift(state, foot)
            state[CONTACTS + side] = state[CONTACTS + 2 + side] = 0.0
        total += np.exp(min(needed, state[foot + ALLOWED]) / SOFT)
    drop = SOFT * np.log(total)
    state[DROP] = drop
    pose[1] -= drop
    for k in range(3):
        down[3 * k + 1] -= drop
        other[3 * k + 1] -= drop
    draw_in(sizes, numbers, 0, state, down, left)
    draw_in(sizes, numbers, 1, state, other, right)
    solve_leg(sizes, numbers, 0, down, left, pose)
    solve_leg(sizes, numbers, 1, other, right, pose)
    bend_toe(sizes, numbers, 0, left, state[FEET + UNDER], pose)
    bend_toe(sizes, numbers, 1, right, state[FEET + FOOT + UNDER], pose)


@kernel(
    f"void({SIZES}, {NUMBERS}, {ROWS}, {FOOT_ROWS}, {IDLE_ROWS}, float64, "
    "float64[::1], float32[::1], float64[::1])",
)
def advance(sizes, numbers, rows, feet, idle, dt, state, total, pose):  # type: ignore[no-untyped-def]
    """So many seconds on: the state changed in place, the pose written over (root, then rotations)."""
    if dt > 0.0:
        set_out_or_stop(sizes, numbers, state)
        lead_weights(sizes, numbers, state, dt)
        go_on(sizes, numbers, state, dt)
    elif state[FRESH] < 0.5:
        return
    sum_channels(sizes, rows, idle, numbers, state, total)
    turn_joints(sizes, numbers, total, pose)
    # the root: against the way, turned with it
    put_quaternion(pose, POSE, multiply(yaw(state[HEADING]), quaternion_at(pose, POSE)))
    c, s = np.cos(state[HEADING]), np.sin(state[HEADING])
    i = 3 * sizes[MOVING]
    x, y, z = np.float64(total[i]), np.float64(total[i + 1]), np.float64(total[i + 2])
    pose[0], pose[1], pose[2] = (
        state[PLACE] + c * x + s * z,
        state[LEVEL] + y,
        state[PLACE + 1] + c * z - s * x,
    )
    left, right = doubles(7), doubles(7)
    move_foot(sizes, numbers, feet, idle, 0, dt, state, pose, left)
    move_foot(sizes, numbers, feet, idle, 1, dt, state, pose, right)
    if dt > 0.0:  # from here on: a foot that is lifted below takes its rates from this frame
        state[LAST_DT] = dt
    if state[LOCKS] > 0.5:
        set_legs(sizes, numbers, dt, state, left, right, pose)
    state[FRESH] = 0.0
