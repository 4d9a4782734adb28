"""Where a sole can lie: the ground under it and round it, and the nearest place that bears it, compiled."""

from __future__ import annotations

import numpy as np

from footfall.geometry.decisions_kernel import clearly_less
from footfall.geometry.kernel_cache import kernel
from footfall.geometry.stack_room import doubles, longs
from footfall.world.tree_rays_kernel import meet_rays
from footfall.world.tree_walk import TREE

LOOK_DOWN = 0.30  # m over the sole, from where its ground is looked for
DEEPEST = 0.30  # m under the sole: what is deeper is none
DEEP = 0.02  # m: so deep any part of a sole may be in the ground
# m that a sole keeps from what is higher: its ends where there is room (down stairs, feet come from behind),
FAR = 0.09
NEAR = 0.025  # and at least
WIDE = 0.065  # m to either side of its middle
BALL, HEEL = 0.45, 0.7  # of the half length: what should be borne
HANGING = (0.65, 0.9)  # of the half length: looked at too, of an end that has no ground under it
HANGS = 0.05  # m: ground that is deeper under them does not bear
# places where it is tried, m along and across the foot: the nearest first, told by whole numbers
SHIFTS = np.array([0.035, 0.045]) * np.array(
    sorted(
        ((i, k) for i in range(-5, 6) for k in range(-3, 4)), key=lambda p: (7 * p[0]) ** 2 + (9 * p[1]) ** 2
    )
)
ROOMY = 35  # so many of these are tried for a place with room to spare

# what is told of a foothold
PLACE, TILT, FACE, SHIFTED = 0, 3, 5, 6
EFFORT = 7  # soles that were looked at
FOOTHOLD = 8


@kernel()
def put_found(found, x, y, z, nx, ny, nz, inclined, face, shifted):  # type: ignore[no-untyped-def]
    found[PLACE], found[PLACE + 1], found[PLACE + 2] = x, y, z
    found[FACE], found[SHIFTED] = face, shifted
    found[TILT] = found[TILT + 1] = 0.0
    flat = np.sqrt(nx * nx + nz * nz)
    if inclined and flat > 1e-9:
        angle = np.arctan2(flat, ny)  # from up to the normal, about up x normal
        found[TILT], found[TILT + 1] = angle * nz / flat, -angle * nx / flat


@kernel(f"boolean({TREE}, float64[::1], float64, float64[::1])")
def under(rows, blocks, frame, foot, steepest, found):  # type: ignore[no-untyped-def]
    """The ground straight under a sole's middle, be there room for the sole or not; whether there is any."""
    room, away, faces = doubles(12), doubles(1), longs(1)
    origins, points = room[:3].reshape((1, 3)), room[3:6].reshape((1, 3))
    normals, down = room[6:9].reshape((1, 3)), room[9:].reshape((1, 3))
    down[0, 0], down[0, 1], down[0, 2] = 0.0, -1.0, 0.0
    origins[0, 0], origins[0, 1], origins[0, 2] = foot[0], foot[1] + LOOK_DOWN, foot[2]
    meet_rays(rows, blocks, frame, origins, down, away, points, normals, faces)
    if faces[0] < 0 or points[0, 1] < foot[1] - DEEPEST:
        return False
    x, y, z = normals[0, 0], normals[0, 1], normals[0, 2]
    put_found(found, foot[0], points[0, 1], foot[2], x, y, z, y > np.cos(steepest), faces[0], 0.0)
    return True


@kernel(f"boolean({TREE}, float64[::1], float64, float64, float64, float64, float64[::1])")
def foothold(rows, blocks, frame, foot, ahead_x, ahead_z, half_length, steepest, found):  # type: ignore[no-untyped-def]
    """The ground where a sole of that direction can lie with its middle nearest to `foot`; whether any is.

    A sole lies as the ground is inclined, up to `steepest`, or else level. Better than a nearer place is one
    that bears ball and heel, and better than that one with room round the sole.
    """
    near, far = half_length + NEAR, half_length + FAR
    ends = (0.0, near, -near, 0.0, 0.0, BALL * half_length, -HEEL * half_length, far, -far)
    sides = (0.0, 0.0, 0.0, WIDE, -WIDE, 0.0, 0.0, 0.0, 0.0)
    room, away, faces = doubles(84), doubles(9), longs(9)
    origins, points = room[:27].reshape((9, 3)), room[27:54].reshape((9, 3))
    normals, down = room[54:81].reshape((9, 3)), room[81:].reshape((1, 3))
    down[0, 0], down[0, 1], down[0, 2] = 0.0, -1.0, 0.0
    found[EFFORT], known = 0.0, 0  # 1: somewhere it can lie; 2: somewhere it is borne
    for attempt in range(SHIFTS.shape[0]):
        if known == 2 and attempt >= ROOMY:
            break
        along, across = SHIFTS[attempt, 0], SHIFTS[attempt, 1]
        x = foot[0] + along * ahead_x + across * ahead_z
        z = foot[2] + along * ahead_z - across * ahead_x
        for k in range(9):
            origins[k, 0] = x + ends[k] * ahead_x + sides[k] * ahead_z
            origins[k, 1] = foot[1] + LOOK_DOWN
            origins[k, 2] = z + ends[k] * ahead_z - sides[k] * ahead_x
        # the first place is likely to do; of the others the middle is looked at before the rest
        first = 9 if attempt == 0 else 1
        meet_rays(
            rows,
            blocks,
            frame,
            origins[:first],
            down,
            away[:first],
            points[:first],
            normals[:first],
            faces[:first],
        )
        found[EFFORT] += 1.0 if attempt == 0 else 0.2
        level = points[0, 1]
        if faces[0] < 0 or level < foot[1] - DEEPEST:
            continue
        if attempt > 0:
            meet_rays(rows, blocks, frame, origins[1:], down, away[1:], points[1:], normals[1:], faces[1:])
            found[EFFORT] += 1.0
        nx, ny, nz = normals[0, 0], normals[0, 1], normals[0, 2]
        uphill, upside = -(nx * ahead_x + nz * ahead_z), -(nx * ahead_z - nz * ahead_x)
        inclined, even, borne, roomy = ny > np.cos(steepest), True, True, True
        for k in range(1, 9):
            rise = (ends[k] * uphill + sides[k] * upside) / max(ny, 1e-6)
            over = points[k, 1] - level if faces[k] >= 0 else -np.inf
            if k < 7:
                inclined &= not clearly_less(rise + DEEP, over)
                even &= not clearly_less(DEEP, over)
            else:
                roomy &= not clearly_less(max(rise, 0.0) + DEEP, over)
            if k == 5 or k == 6:
                borne &= not clearly_less(over, min(rise, 0.0) - HANGS)
        if (inclined or even) and (faces[1] < 0 or faces[2] < 0):
            # an end that hangs over nothing tells nothing of what is higher before it
            for k in range(4):
                end = HANGING[k % 2] * half_length * (1.0 if k < 2 else -1.0)
                if faces[1 + k // 2] >= 0:
                    continue
                origins[8, 0], origins[8, 2] = x + end * ahead_x, z + end * ahead_z
                meet_rays(
                    rows, blocks, frame, origins[8:], down, away[8:], points[8:], normals[8:], faces[8:]
                )
                over = points[8, 1] - level if faces[8] >= 0 else -np.inf
                inclined &= not clearly_less(end * uphill / max(ny, 1e-6) + DEEP, over)
                even &= not clearly_less(DEEP, over)
        if not (inclined or even):
            continue
        shifted = np.sqrt(along * along + across * across)
        if borne and roomy:
            put_found(found, x, level, z, nx, ny, nz, inclined, faces[0], shifted)
            return True
        worth = 2 if borne else 1
        if worth > known:
            known = worth
            put_found(found, x, level, z, nx, ny, nz, inclined, faces[0], shifted)
    return known > 0
