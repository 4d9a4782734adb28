"""A figure of a ring, compiled: its joints blended, its root put where the support foot wants it."""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import multiply, put_quaternion, quaternion_at, smoothstep, yaw
from footfall.geometry.stack_room import doubles
from footfall.models.ring import layout
from footfall.models.ring.easing_kernel import tilt_at
from footfall.models.ring.foot_kernel import (
    TWIST,
    along_foot,
    bend_toe,
    heading_of,
    kept_back,
    lift_heel,
    normal_of,
    of_foot,
    tilt_foot,
    twist_leg,
)
from footfall.models.ring.layout import AT_PATHS, FRAMES, LOOPS, MOVING
from footfall.models.ring.pose_kernel import NUMBERS, ROWS, SIZES, blend_joints, go_down

# what places a figure: its support foot's toe joint, its root's heading; seconds a frame, four contacts
ANCHOR, FACING, LASTS = 0, 3, 4
TOLD = 9
STICKS = 0.1  # of a blended contact: so far from a half it must be to change, or it would flicker
THERE = 0.01  # m: so near to its place a foot that comes down may stand
CREEPS = 0.01  # m: a toe joint that is farther from where it stood has left
SHORT = 0.1  # m: on a shorter step down the ground does not fall
LEFT, LEAVES = 0.3, 0.5  # of a half cycle: so long a toe that swings is, and may be, near the ground it left
NEARS, ARE_NEAR = 0.75, 0.9  # of a half cycle: from, and surely then, a foot that swings is near its ground
LAID_BY = 0.3  # of a half cycle: by then a foot that was laid flat at its strike lies so by itself


@kernel(
    f"void({ROWS}, {SIZES}, {NUMBERS}, int64, float64, float64[::1], float64[::1], float64, float64[::1], "
    "float64[::1])",
)
def put_figure(rows, sizes, numbers, half, share, weights, origin, heading, told, pose):  # type: ignore[no-untyped-def]
    """A figure without a place: joints into the pose, the root's as its tilt alone; and what places it.

    The half's frame lies at `origin` and faces along `heading`.
    """
    loops, length, moving = sizes[LOOPS], sizes[FRAMES] // 2, sizes[MOVING]
    total = np.empty(rows.shape[2], dtype=np.float32)
    blend_joints(rows, sizes, numbers, length * (half + share), weights, total, pose)
    at = min(max(share, 0.0), 1.0) * length  # a rest may be told beside the foot of its other half
    k = min(int(at), length - 1)
    v = at - k
    u = 1.0 - v
    begin = sizes[AT_PATHS] + 4 * loops * (length + 1) * half
    at = begin + 4 * loops * k
    ax = ay = az = turned = stood_x = floor = stood_z = 0.0
    stood, here, there = numbers[begin:], numbers[at:], numbers[at + 4 * loops :]
    for s in range(loops):
        i, w = 4 * s, weights[s]
        stood_x += w * stood[i]
        floor += w * stood[i + 1]
        stood_z += w * stood[i + 2]
        ax += w * (u * here[i] + v * there[i])
        ay += w * (u * here[i + 1] + v * there[i + 1])
        az += w * (u * here[i + 2] + v * there[i + 2])
        turned += w * (u * here[i + 3] + v * there[i + 3])
    ay = max(ay, floor)  # weights may be negative: what lifts its toe in a loop must not sink it here
    cosine, sine = np.cos(heading), np.sin(heading)
    told[ANCHOR] = origin[0] + cosine * ax + sine * az
    told[ANCHOR + 1] = origin[1] + ay
    told[ANCHOR + 2] = origin[2] + cosine * az - sine * ax
    told[FACING] = heading + turned
    for c in range(5):
        told[LASTS + c] = float(total[3 * moving + c])
    if (ax - stood_x) ** 2 + (az - stood_z) ** 2 > CREEPS * CREEPS:
        told[LASTS + 1 + half] = told[LASTS + 3 + half] = 0.0
    bounds = sizes[layout.AT_RADIUS] + 2
    told[LASTS] = min(max(told[LASTS], numbers[bounds]), numbers[bounds + 1])


@kernel("UniTuple(float64, 3)(float64[::1], float64)")
def support_tilt(state, share):  # type: ignore[no-untyped-def]
    """By what the support foot is turned, but for its heading: laid flat at its strike, then as its ground is
    inclined.
    """
    fade = 1.0 - smoothstep(share / LAID_BY)
    x, z = state[layout.SUPPORT_PLANE], state[layout.SUPPORT_PLANE + 1]
    at = layout.SUPPORT_TILT
    return x + fade * (state[at] - x), fade * state[at + 1], z + fade * (state[at + 2] - z)


@kernel()
def fallen(share, x, z, told, state):  # type: ignore[no-untyped-def]
    """By what the ground under a foot that left is lower than where it stood, if the other stands lower.

    It has gone by x and z. Else its toes would be bent up as it sinks past the height of what it left.
    """
    deep = state[layout.LEFT_LEVEL] - state[layout.SUPPORT_LEVEL]
    if deep <= 0.0:
        return 0.0
    u, v = told[ANCHOR] - state[layout.LEFT_PLACE], told[ANCHOR + 2] - state[layout.LEFT_PLACE + 1]
    gone = min(max((x * u + z * v) / max(u * u + v * v, SHORT * SHORT), 0.0), 1.0)
    return deep * gone * min(max(share / LEFT, 0.0), 1.0)  # at the strike it still stands where it did


@kernel()
def put_contacts(told, state):  # type: ignore[no-untyped-def]
    for c in range(4):
        stood, now = state[layout.CONTACTS + c] > 0.5, told[LASTS + 1 + c]
        state[layout.CONTACTS + c] = 1.0 if now > (0.5 - STICKS if stood else 0.5 + STICKS) else 0.0


@kernel(f"void({SIZES}, {NUMBERS}, float64, float64[::1], float64[::1], float64[::1])")
def place_figure(sizes, numbers, share, told, state, pose):  # type: ignore[no-untyped-def]
    """The root is put where the support foot wants it; soles lie as their ground does."""
    half = int(state[layout.HALF])
    put_quaternion(pose, 3, multiply(yaw(told[FACING]), quaternion_at(pose, 3)))
    foot = doubles(7)
    turns = pose[3:]
    joints = (
        4 * int(numbers[sizes[layout.AT_SOLES] + layout.FOOT]),
        4 * int(numbers[sizes[layout.AT_SOLES] + layout.SOLE + layout.FOOT]),
    )
    go_down(sizes, numbers, half, 0, turns, foot)
    plane_x, plane_z = state[layout.SUPPORT_PLANE], state[layout.SUPPORT_PLANE + 1]
    tilt_x, tilt_y, tilt_z = support_tilt(state, share)
    twist = kept_back(state[layout.SUPPORT_HEADING], heading_of(sizes, numbers, half, foot))
    if abs(twist) >= TWIST:  # it swivels on its toe
        told[LASTS + 1 + half] = 0.0
    tilt_foot(foot, tilt_x, twist + tilt_y, tilt_z, turns, joints[half])
    lift_heel(sizes, numbers, half, foot, plane_x, plane_z, turns, joints[half])
    twist_leg(sizes, numbers, half, twist, foot, turns, joints[half])
    # the toe's joint may have left its place by now; its ground has not
    stands = state[layout.ORIGIN + 1] + numbers[sizes[layout.AT_SOLES] + layout.SOLE * half + layout.HIGH]
    bend_toe(sizes, numbers, half, foot, plane_x, plane_z, told[ANCHOR + 1] - stands, 1.0, turns)
    tx, ty, tz = of_foot(sizes, numbers, half, 0, foot)
    pose[0], pose[1], pose[2] = told[ANCHOR] - tx, told[ANCHOR + 1] - ty, told[ANCHOR + 2] - tz
    state[layout.SUPPORT_LEVEL] = stands
    state[layout.SECONDS] = told[LASTS]
    swing, resting = 1 - half, sizes[layout.KIND] == layout.RESTING
    tilt_x, _ = tilt_at(state, share, 0)
    tilt_y, _ = tilt_at(state, share, 1)
    tilt_z, _ = tilt_at(state, share, 2)
    go_down(sizes, numbers, swing, 0, turns, foot)
    tilt_foot(foot, tilt_x, tilt_y, tilt_z, turns, joints[swing])
    twist_leg(sizes, numbers, swing, tilt_y, foot, turns, joints[swing])
    if share < LEAVES:
        tx, ty, tz = of_foot(sizes, numbers, swing, 0, foot)
        x, z = pose[0] + tx - state[layout.LEFT_PLACE], pose[2] + tz - state[layout.LEFT_PLACE + 1]
        risen = pose[1] + ty - state[layout.LEFT_LEVEL] + fallen(share, x, z, told, state)
        amount = min((LEAVES - share) / (LEAVES - LEFT), 1.0)
        bend_toe(
            sizes,
            numbers,
            swing,
            foot,
            state[layout.LEFT_PLANE],
            state[layout.LEFT_PLANE + 1],
            risen,
            amount,
            turns,
        )
        if x * x + z * z > CREEPS * CREEPS and not resting:
            told[LASTS + 1 + swing] = told[LASTS + 3 + swing] = 0.0
        put_contacts(told, state)
        return
    put_contacts(told, state)
    if resting:
        return
    if share > NEARS:
        # what comes down toe first bends its toe on the ground it comes to, once it is over it
        x, z = state[layout.NEXT_PLANE], state[layout.NEXT_PLANE + 1]
        nx, ny, nz = normal_of(x, z)
        tx, ty, tz = of_foot(sizes, numbers, swing, 0, foot)
        over = (
            nx * (tx + pose[0] - state[layout.LANDING])
            + ny * (ty + pose[1] - state[layout.LANDING + 1])
            + nz * (tz + pose[2] - state[layout.LANDING + 2])
        )
        high = numbers[sizes[layout.AT_SOLES] + layout.SOLE * swing + layout.HIGH]
        amount = min(max(2.0 * over / max(high, 1e-3), 0.0), 1.0) * min(
            (share - NEARS) / (ARE_NEAR - NEARS), 1.0
        )
        bend_toe(sizes, numbers, swing, foot, x, z, over - high, amount, turns)
    if share < 1.0 and (state[layout.CONTACTS + swing] > 0.5 or state[layout.CONTACTS + 2 + swing] > 0.5):
        # a foot that is not yet where it will stand does not stand, nor does the end of it that is not
        x, y, z = of_foot(sizes, numbers, swing, 3, foot)
        x += pose[0] - state[layout.LANDING]
        y += pose[1] - state[layout.LANDING + 1]
        z += pose[2] - state[layout.LANDING + 2]
        nx, ny, nz = normal_of(state[layout.NEXT_PLANE], state[layout.NEXT_PLANE + 1])
        ax, ay, az = along_foot(sizes, numbers, swing, foot)
        over, more = nx * x + ny * y + nz * z, 0.5 * (nx * ax + ny * ay + nz * az)
        apart = x * x + y * y + z * z > THERE * THERE
        if apart or abs(over - more) > THERE:
            state[layout.CONTACTS + swing] = 0.0
        if apart or abs(over + more) > THERE:
            state[layout.CONTACTS + 2 + swing] = 0.0
