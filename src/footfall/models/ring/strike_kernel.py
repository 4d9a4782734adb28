"""Where a swinging foot comes down for given weights, and the weights for a place on the ground, compiled."""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import compose, exp, multiply, put_quaternion, put_vector, quaternion_at, yaw
from footfall.geometry.stack_room import doubles
from footfall.models.ring.foot_kernel import along_foot, heading_of, kept_back, lift_heel, of_foot, tilt_foot
from footfall.models.ring.layout import (
    APPROACH,
    AT_INVERSE,
    AT_LINK_MEANS,
    AT_PATHS,
    AT_POINTS,
    AT_STRIKES,
    FRAMES,
    LINKS,
    LOOPS,
)
from footfall.models.ring.pose_kernel import NUMBERS, SIZES, go_down

# what is told of a strike, in its half's frame
POINT, TOE, ALONG = 0, 3, 6  # middle of the sole, toe joint, from heel to toe
TURN, ORIGIN = 9, 10  # of the next half's frame against this one's: heading, origin
TILT = 13  # three: by what the support foot is turned to lie on its ground and keep its heading
BEGUN = 16  # x, z of the next half's toe joint in its own frame
LAID = 18  # heading of the foot that comes down, before it is laid on its ground;
FLAT = 19  # and the turn about x and z that lays it flat then
STRIKE = 21
MOST_PITCHED = 0.6  # rad by which a sole is laid flat


@kernel(
    f"void({SIZES}, {NUMBERS}, int64, int64, float64[::1], float64[::1], float64[::1], float64[::1])",
)
def strike_of(sizes, numbers, half, early, weights, tilts, strike, room):  # type: ignore[no-untyped-def]
    """The strike that ends a half cycle with these weights ([rings] 4.1), and the frame that follows it.

    With `early` (1, else 0) not at the strike but shortly before it, as the foot comes down. `tilts` lay the
    soles on inclined ground: rotation vectors of the support foot, then of the foot that comes down, in the
    half's frame; about y it is the heading that the support foot keeps, if it is one. `room` is for seven
    numbers a link.
    """
    loops, links, length = sizes[LOOPS], sizes[LINKS], sizes[FRAMES] // 2
    turns, tangents = room[: 4 * links], room[4 * links : 7 * links]
    for c in range(3 * links):
        tangents[c] = 0.0
    at = sizes[AT_STRIKES] + 3 * links * loops * (2 * early + half)
    for s in range(loops):
        w, row = weights[s], numbers[at : at + 3 * links]
        for c in range(3 * links):
            tangents[c] += w * row[c]
        at += 3 * links
    mean = sizes[AT_LINK_MEANS]
    for k in range(links):
        x, y, z = tangents[3 * k], tangents[3 * k + 1], tangents[3 * k + 2]
        turn = multiply(quaternion_at(numbers, mean), exp((x, y, z)))
        put_quaternion(turns, 4 * k, turn)
        mean += 4
    ax = ay = az = heading = bx = by = bz = begun = floor = 0.0
    end = length - early * (length // APPROACH)
    last = sizes[AT_PATHS] + 4 * loops * ((length + 1) * half + end)
    first = sizes[AT_PATHS] + 4 * loops * (length + 1) * (1 - half)
    own = sizes[AT_PATHS] + 4 * loops * (length + 1) * half
    ends, starts, owns = numbers[last:], numbers[first:], numbers[own:]
    for s in range(loops):
        w, i = weights[s], 4 * s
        floor += w * owns[i + 1]
        ax, ay, az = ax + w * ends[i], ay + w * ends[i + 1], az + w * ends[i + 2]
        heading += w * ends[i + 3]
        bx, by, bz = bx + w * starts[i], by + w * starts[i + 1], bz + w * starts[i + 2]
        begun += w * starts[i + 3]
    ay = max(ay, floor)  # a toe never sinks
    put_quaternion(turns, 0, multiply(yaw(heading), quaternion_at(turns, 0)))
    foot, idle = doubles(7), doubles(4)
    idle[0] = 1.0
    idle[1] = idle[2] = idle[3] = 0.0
    go_down(sizes, numbers, half, 1, turns, foot)
    twist = kept_back(tilts[1], heading_of(sizes, numbers, half, foot))
    tilt_foot(foot, tilts[0], twist, tilts[2], idle, 0)
    x, y, z = lift_heel(sizes, numbers, half, foot, tilts[0], tilts[2], idle, 0)
    put_vector(strike, TILT, compose((tilts[0], twist, tilts[2]), (x, y, z)))
    tx, ty, tz = of_foot(sizes, numbers, half, 0, foot)
    ax, ay, az = ax - tx, ay - ty, az - tz  # the root
    go_down(sizes, numbers, 1 - half, 1, turns, foot)
    x, y, z = along_foot(sizes, numbers, 1 - half, foot)
    strike[LAID] = heading_of(sizes, numbers, 1 - half, foot)
    length = np.sqrt(x * x + z * z)
    flat = min(max(np.arctan2(y, length), -MOST_PITCHED), MOST_PITCHED) / max(length, 1e-12)
    strike[FLAT], strike[FLAT + 1] = flat * z, -flat * x
    tilt_foot(foot, tilts[3], tilts[4], tilts[5], idle, 0)
    tx, ty, tz = of_foot(sizes, numbers, 1 - half, 3, foot)
    strike[POINT], strike[POINT + 1], strike[POINT + 2] = ax + tx, ay + ty, az + tz
    tx, ty, tz = of_foot(sizes, numbers, 1 - half, 0, foot)
    tx, ty, tz = ax + tx, ay + ty, az + tz
    strike[TOE], strike[TOE + 1], strike[TOE + 2] = tx, ty, tz
    strike[ALONG], strike[ALONG + 1], strike[ALONG + 2] = along_foot(sizes, numbers, 1 - half, foot)
    turn = heading - begun
    cosine, sine = np.cos(turn), np.sin(turn)
    strike[TURN], strike[BEGUN], strike[BEGUN + 1] = turn, bx, bz
    strike[ORIGIN] = tx - (cosine * bx + sine * bz)
    strike[ORIGIN + 1] = ty - by
    strike[ORIGIN + 2] = tz - (cosine * bz - sine * bx)


@kernel(f"void({SIZES}, {NUMBERS}, int64, float64, float64[::1], float64[::1], float64[::1])")
def correct(sizes, numbers, half, scale, foot, ground, weights):  # type: ignore[no-untyped-def]
    """[rings] eq. 5: weights changed so that the foot goes towards a place on the ground."""
    loops = sizes[LOOPS]
    points = sizes[AT_POINTS] + 3 * loops * half
    inverse = sizes[AT_INVERSE] + (loops + 1) * (loops + 1) * half
    for t in range(loops):
        i = points + 3 * t
        x, y, z = numbers[i], numbers[i + 1], numbers[i + 2]
        away = np.sqrt((ground[0] - x) ** 2 + (ground[1] - y) ** 2 + (ground[2] - z) ** 2)
        away -= np.sqrt((foot[0] - x) ** 2 + (foot[1] - y) ** 2 + (foot[2] - z) ** 2)
        away *= scale
        row = numbers[inverse + t * (loops + 1) :]  # the matrix is symmetric
        for s in range(loops):
            weights[s] += away * row[s]
