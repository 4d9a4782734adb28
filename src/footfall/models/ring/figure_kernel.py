"""A figure of a ring, compiled: its joints blended, its root put where the support foot wants it."""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.models.ring import layout
from footfall.models.ring.easing_kernel import tilt_at
from footfall.models.ring.layout import AT_PATHS, FRAMES, LOOPS, MOVING
from footfall.models.ring.pose_kernel import (
    NUMBERS,
    ROWS,
    SIZES,
    along_foot,
    bend_toe,
    blend_joints,
    go_down,
    kept_back,
    of_foot,
    put_product,
    tilt_foot,
)

# what places a figure: its support foot's toe joint, its root's heading; seconds a frame, four contacts
ANCHOR, FACING, LASTS = 0, 3, 4
TOLD = 9
STICKS = 0.1  # of a blended contact: so far from a half it must be to change, or it would flicker
THERE = 0.02  # m: so near to its place a foot that comes down may stand
LEAVES = 0.5  # of a half cycle: so long the toe of the foot that swings may still be near its ground
LEFT_GROUND = 0.5  # of a half cycle: by then the swinging foot has left


@nb.njit(
    f"void({ROWS}, {SIZES}, {NUMBERS}, int64, float64, float64[::1], float64[::1], float64, float64[::1], "
    "float64[::1])",
    cache=True,
    nogil=True,
    error_model="numpy",
)
def put_figure(rows, sizes, numbers, half, share, weights, origin, heading, told, pose):  # type: ignore[no-untyped-def]
    """A figure without a place: joints into the pose, the root's as its tilt alone; and what places it.

    The half's frame lies at `origin` and faces along `heading`.
    """
    loops, length, moving = sizes[LOOPS], sizes[FRAMES] // 2, sizes[MOVING]
    total = np.empty(rows.shape[2], dtype=np.float32)
    blend_joints(rows, sizes, numbers, length * (half + share), weights, total, pose)
    k = min(int(share * length), length - 1)
    v = share * length - k
    u = 1.0 - v
    begin = sizes[AT_PATHS] + 4 * loops * (length + 1) * half
    at = begin + 4 * loops * k
    ax = ay = az = turned = floor = 0.0
    for s in range(loops):
        i, j, w = at + 4 * s, at + 4 * (s + loops), weights[s]
        floor += w * numbers[begin + 4 * s + 1]
        ax += w * (u * numbers[i] + v * numbers[j])
        ay += w * (u * numbers[i + 1] + v * numbers[j + 1])
        az += w * (u * numbers[i + 2] + v * numbers[j + 2])
        turned += w * (u * numbers[i + 3] + v * numbers[j + 3])
    ay = max(ay, floor)  # weights may be negative: what lifts its toe in a loop must not sink it here
    cosine, sine = np.cos(heading), np.sin(heading)
    told[ANCHOR] = origin[0] + cosine * ax + sine * az
    told[ANCHOR + 1] = origin[1] + ay
    told[ANCHOR + 2] = origin[2] + cosine * az - sine * ax
    told[FACING] = heading + turned
    for c in range(5):
        told[LASTS + c] = float(total[3 * moving + c])
    bounds = sizes[layout.AT_RADIUS] + 2
    told[LASTS] = min(max(told[LASTS], numbers[bounds]), numbers[bounds + 1])


@nb.njit(inline="always")
def lands(state, half):  # type: ignore[no-untyped-def]
    return state[layout.CONTACTS + 1 - half] > 0.5 or state[layout.CONTACTS + 3 - half] > 0.5


@nb.njit(
    f"void({SIZES}, {NUMBERS}, float64, float64[::1], float64[::1], float64[::1])",
    cache=True,
    nogil=True,
    error_model="numpy",
)
def place_figure(sizes, numbers, share, told, state, pose):  # type: ignore[no-untyped-def]
    """The root is put where the support foot wants it; soles lie as their ground does."""
    half = int(state[layout.HALF])
    angle = 0.5 * told[FACING]
    w, x, y, z = pose[3], pose[4], pose[5], pose[6]
    put_product(pose, 3, np.cos(angle), 0.0, np.sin(angle), 0.0, w, x, y, z)
    foot = np.empty(7)
    turns = pose[3:]
    ends = sizes[layout.AT_SOLES]
    tilt_x, _ = tilt_at(state, share, 0)
    tilt_y, _ = tilt_at(state, share, 1)
    tilt_z, _ = tilt_at(state, share, 2)
    go_down(sizes, numbers, half, 0, turns, foot)
    tx, ty, tz = along_foot(sizes, numbers, half, foot)
    tilt_foot(
        foot,
        state[layout.SUPPORT_TILT],
        kept_back(state[layout.SUPPORT_HEADING], tx, tz),
        state[layout.SUPPORT_TILT + 2],
        turns,
        4 * int(numbers[ends + 11 * half + 10]),
    )
    bend_toe(
        sizes, numbers, half, foot, state[layout.SUPPORT_TILT], state[layout.SUPPORT_TILT + 2], 0.0, turns
    )
    tx, ty, tz = of_foot(sizes, numbers, half, 0, foot)
    pose[0], pose[1], pose[2] = told[ANCHOR] - tx, told[ANCHOR + 1] - ty, told[ANCHOR + 2] - tz
    state[layout.SUPPORT_LEVEL] = told[ANCHOR + 1]
    leaves = share < LEAVES and sizes[layout.KIND] != layout.RESTING
    if leaves or tilt_x != 0.0 or tilt_y != 0.0 or tilt_z != 0.0:
        go_down(sizes, numbers, 1 - half, 0, turns, foot)
        tilt_foot(foot, tilt_x, tilt_y, tilt_z, turns, 4 * int(numbers[ends + 11 * (1 - half) + 10]))
    if leaves:
        tx, ty, tz = of_foot(sizes, numbers, 1 - half, 0, foot)
        risen = pose[1] + ty - state[layout.LEAVING_LEVEL]
        x, z = state[layout.LEAVING_TILT], state[layout.LEAVING_TILT + 1]
        bend_toe(sizes, numbers, 1 - half, foot, x, z, risen, turns)
    state[layout.SECONDS] = told[LASTS]
    for c in range(4):
        stood, now = state[layout.CONTACTS + c] > 0.5, told[LASTS + 1 + c]
        state[layout.CONTACTS + c] = 1.0 if now > (0.5 - STICKS if stood else 0.5 + STICKS) else 0.0
    if sizes[layout.KIND] != layout.RESTING and LEFT_GROUND < share < 1.0 and lands(state, half):
        # a foot that is not yet where it will stand does not stand
        go_down(sizes, numbers, 1 - half, 0, turns, foot)
        x, y, z = of_foot(sizes, numbers, 1 - half, 3, foot)
        x += pose[0] - state[layout.LANDING]
        y += pose[1] - state[layout.LANDING + 1]
        z += pose[2] - state[layout.LANDING + 2]
        if x * x + y * y + z * z > THERE * THERE:
            state[layout.CONTACTS + 1 - half] = state[layout.CONTACTS + 3 - half] = 0.0
