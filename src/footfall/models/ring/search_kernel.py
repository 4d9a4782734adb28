"""The search for the next strike: which spheres touch, which suits the wish, which weights land, compiled."""

from __future__ import annotations

import numpy as np

from footfall.geometry.decisions_kernel import first_least
from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import compose
from footfall.geometry.stack_room import doubles, truths
from footfall.models.ring import foothold_kernel, layout, strike_kernel
from footfall.models.ring.choice_kernel import UNTESTED, put_costs
from footfall.models.ring.foothold_kernel import FOOTHOLD, foothold, under
from footfall.models.ring.pose_kernel import NUMBERS, SIZES
from footfall.models.ring.strike_kernel import STRIKE, correct, strike_of
from footfall.world.tree_spheres_kernel import touch_together
from footfall.world.tree_walk import TREE

TOGETHER = 128  # spheres that are tested at once
PLACES = 3 * TOGETHER
BETA = 0.85  # [rings] eq. 5
CLOSE = 0.01  # m: no correction is needed within it
SUNK = 0.015  # m that a sole may be over or in the ground
NEAR = 0.03  # m: what a strike may be off the ground ([rings] 4.3)
MOST = 12  # corrections of one sphere's weights
TRIES = 60  # spheres
SHARPEST = 1.2  # rad of a step's turn: with a sharper one the foot that stands would swivel
FARTHEST = 1.0  # of negative weights: a blend that goes farther beyond the loops is second best
EFFORT = 400.0  # strikes and soles on the ground that are looked at in one search


@kernel(f"void({TREE}, {SIZES}, {NUMBERS}, int64, float64[::1], float64, int64, int64, float64[::1])")
def test_spheres(rows, blocks, frame, sizes, numbers, half, origin, heading, first, last, flags):  # type: ignore[no-untyped-def]
    """Which of a half's spheres, from one to another, touch the ground when its frame lies so."""
    count = last - first
    if count <= 0:
        return
    room, radii, touching = doubles(PLACES), doubles(TOGETHER), truths(TOGETHER)
    if count > TOGETHER:  # few enough to have room for
        middle = (first + last) // 2
        test_spheres(rows, blocks, frame, sizes, numbers, half, origin, heading, first, middle, flags)
        test_spheres(rows, blocks, frame, sizes, numbers, half, origin, heading, middle, last, flags)
        return
    centres = room[: 3 * count].reshape((count, 3))
    for i in range(count):
        radii[i] = numbers[sizes[layout.AT_RADIUS]]
    cosine, sine = np.cos(heading), np.sin(heading)
    at = sizes[layout.AT_CENTRES] + 3 * (sizes[layout.SPHERES] * half + first)
    for i in range(count):
        x, y, z = numbers[at], numbers[at + 1], numbers[at + 2]
        centres[i, 0] = origin[0] + cosine * x + sine * z
        centres[i, 1] = origin[1] + y
        centres[i, 2] = origin[2] + cosine * z - sine * x
        at += 3
    touch_together(rows, blocks, frame, centres, radii[:count], touching[:count])
    for i in range(count):
        flags[first + i] = 1.0 if touching[i] else 0.0


@kernel()
def turned_origin(state, at, heading, extra, pivot):  # type: ignore[no-untyped-def]
    """A frame's origin when the frame is turned directly: the toe joint that stands on it stays."""
    x, y, z = state[at], state[at + 1], state[at + 2]
    if extra == 0.0:
        return x, y, z
    a, b = state[pivot], state[pivot + 1]
    cosine, sine = np.cos(heading) - np.cos(heading + extra), np.sin(heading) - np.sin(heading + extra)
    return x + cosine * a + sine * b, y, z + cosine * b - sine * a


@kernel()
def laid(strike, plane):  # type: ignore[no-untyped-def]
    """The turn of a foot that comes down pitched: laid flat, then on its ground, however that is inclined."""
    x, z = strike[strike_kernel.FLAT], strike[strike_kernel.FLAT + 1]
    return compose((x, 0.0, z), (plane[0], 0.0, plane[1]))


@kernel("void(float64[::1], float64, float64[::1], float64[::1])")
def put_next(strike, heading, origin, state):  # type: ignore[no-untyped-def]
    """The frame that follows a strike into the state, and how the feet are turned there."""
    cosine, sine = np.cos(heading), np.sin(heading)
    x, z = strike[strike_kernel.ORIGIN], strike[strike_kernel.ORIGIN + 2]
    state[layout.NEXT_ORIGIN] = origin[0] + cosine * x + sine * z
    state[layout.NEXT_ORIGIN + 1] = origin[1] + strike[strike_kernel.ORIGIN + 1]
    state[layout.NEXT_ORIGIN + 2] = origin[2] + cosine * z - sine * x
    state[layout.NEXT_PIVOT], state[layout.NEXT_PIVOT + 1] = (
        strike[strike_kernel.BEGUN],
        strike[strike_kernel.BEGUN + 1],
    )
    state[layout.NEXT_HEADING] = heading + strike[strike_kernel.TURN]
    state[layout.NEXT_SUPPORT_HEADING] = heading + strike[strike_kernel.LAID]
    x, z = strike[strike_kernel.TILT], strike[strike_kernel.TILT + 2]
    state[layout.LAST_TILT] = cosine * x + sine * z
    state[layout.LAST_TILT + 1] = strike[strike_kernel.TILT + 1]
    state[layout.LAST_TILT + 2] = cosine * z - sine * x
    x, z = strike[strike_kernel.POINT], strike[strike_kernel.POINT + 2]
    state[layout.LANDING] = origin[0] + cosine * x + sine * z
    state[layout.LANDING + 1] = origin[1] + strike[strike_kernel.POINT + 1]
    state[layout.LANDING + 2] = origin[2] + cosine * z - sine * x


@kernel(f"void({SIZES}, {NUMBERS}, float64[::1])")
def keep_standing(sizes, numbers, state):  # type: ignore[no-untyped-def]
    """The next half of a rest: the same weights, and both feet stay as they are."""
    loops, half = sizes[layout.LOOPS], int(state[layout.HALF])
    heading = state[layout.HEADING]
    cosine, sine = np.cos(heading), np.sin(heading)
    tilts, strike, room = doubles(6), doubles(STRIKE), np.empty(7 * sizes[layout.LINKS])
    for c in range(3):
        state[layout.TILT_TO + c] = state[layout.TILT_FROM + c]  # the other foot keeps its tilt
    state[layout.NEXT_PLANE], state[layout.NEXT_PLANE + 1] = (
        state[layout.TILT_TO],
        state[layout.TILT_TO + 2],
    )
    for k in range(2):
        at = layout.SUPPORT_TILT if k == 0 else layout.TILT_TO
        x, z = state[at], state[at + 2]
        tilts[3 * k], tilts[3 * k + 2] = cosine * x - sine * z, cosine * z + sine * x
    tilts[1], tilts[4] = state[layout.SUPPORT_HEADING] - heading, state[layout.TILT_TO + 1]
    weights = state[layout.SCALARS + 2 * loops : layout.SCALARS + 3 * loops]
    strike_of(sizes, numbers, half, 0, weights, tilts, strike, room)
    put_next(strike, heading, state[layout.ORIGIN : layout.ORIGIN + 3], state)


@kernel(f"boolean({TREE}, {SIZES}, {NUMBERS}, float64[::1], float64[::1])")
def search(rows, blocks, frame, sizes, numbers, flags, state):  # type: ignore[no-untyped-def]
    """Weights for the next strike into the state, and the frame that follows it; False where nothing fits.

    A foot that would come up through the ground is second best.

    `flags` tell which spheres touch; those of which it is not known are tested when their turn comes.
    """
    spheres, loops = sizes[layout.SPHERES], sizes[layout.LOOPS]
    half, heading = int(state[layout.HALF]), state[layout.HEADING] + state[layout.EXTRA_TO]
    costs = np.empty(spheres)
    left, seconds = (
        layout.ARRIVED - state[layout.EASED_FROM],
        state[layout.SECONDS] * (sizes[layout.FRAMES] // 2),
    )
    planned = state[layout.SCALARS + 2 * loops : layout.SCALARS + 3 * loops]
    put_costs(
        sizes,
        numbers,
        half,
        state,
        heading,
        left,
        seconds,
        planned,
        flags,
        costs,
    )
    weights, chosen, room = np.empty(loops), np.empty(loops), np.empty(7 * sizes[layout.LINKS])
    strike, early, tilts = doubles(STRIKE), doubles(STRIKE), doubles(6)
    plane, foot, place, found = doubles(2), doubles(3), doubles(3), doubles(FOOTHOLD)
    effort, known = 0.0, False
    cosine, sine = np.cos(heading), np.sin(heading)
    ox, oy, oz = turned_origin(
        state, layout.ORIGIN, state[layout.HEADING], state[layout.EXTRA_TO], layout.PIVOT
    )
    origin, under_frame = doubles(3), doubles(3)
    under_frame[0], under_frame[1], under_frame[2] = ox, oy, oz
    oy += state[layout.SETTLES] - state[layout.SETTLED]  # where it will be by then
    origin[0], origin[1], origin[2] = ox, oy, oz
    half_length = numbers[sizes[layout.AT_SOLES] + layout.SOLE * (1 - half) + 9]
    steepest = numbers[sizes[layout.AT_RADIUS] + 1]
    state[layout.REJECTED] = 0.0
    x, z = state[layout.SUPPORT_PLANE], state[layout.SUPPORT_PLANE + 1]
    tilts[0], tilts[2] = cosine * x - sine * z, cosine * z + sine * x
    tilts[1] = state[layout.SUPPORT_HEADING] - heading
    tries = 0
    while tries < TRIES:
        best = first_least(costs)
        if costs[best] == np.inf:
            break
        costs[best] = np.inf
        if flags[best] == UNTESTED:
            test_spheres(
                rows, blocks, frame, sizes, numbers, half, under_frame, heading, best, best + 1, flags
            )
            if flags[best] == 0.0:
                continue
        tries += 1
        at = sizes[layout.AT_SPHERE_WEIGHTS] + loops * (spheres * half + best)
        for s in range(loops):
            weights[s] = numbers[at + s]
        error, iterations, fits, closely = np.inf, 0, False, False
        tilts[3] = tilts[4] = tilts[5] = 0.0
        for iteration in range(MOST + 1):
            effort += 0.4
            strike_of(sizes, numbers, half, 0, weights, tilts, strike, room)
            if (
                closely and iteration < MOST
            ):  # on the way to a place that was found it is not looked for again
                x, y, z = place[0] - strike[0], place[1] - strike[1], place[2] - strike[2]
                if x * x + y * y + z * z >= CLOSE * CLOSE:
                    foot[0], foot[1], foot[2] = strike[0], strike[1], strike[2]
                    correct(sizes, numbers, half, BETA, foot, place, weights)
                    continue
            x, y, z = strike[0], strike[1], strike[2]
            foot[0], foot[1], foot[2] = ox + cosine * x + sine * z, oy + y, oz + cosine * z - sine * x
            x, z = strike[strike_kernel.ALONG], strike[strike_kernel.ALONG + 2]
            length = np.sqrt(x * x + z * z) + 1e-12
            ahead_x, ahead_z = (cosine * x + sine * z) / length, (cosine * z - sine * x) / length
            # nearly there it is looked whether the sole can lie; until then the ground under it will do
            whole = closely or iteration == MOST
            fits = False
            if not whole:
                fits = under(rows, blocks, frame, foot, steepest, found)
                whole = not fits or abs(found[1] - foot[1]) < CLOSE
                closely = whole
            if whole:
                fits = foothold(rows, blocks, frame, foot, ahead_x, ahead_z, half_length, steepest, found)
                effort += found[foothold_kernel.EFFORT]
            if not fits:
                break
            x, y, z = found[0] - foot[0], found[1] - foot[1], found[2] - foot[2]
            error, iterations = np.sqrt(x * x + y * y + z * z), iteration
            place[0], place[1], place[2] = (
                strike[0] + cosine * x - sine * z,
                strike[1] + y,
                strike[2] + cosine * z + sine * x,
            )
            u, v = found[foothold_kernel.TILT], found[foothold_kernel.TILT + 1]
            plane[0], plane[1] = cosine * u - sine * v, cosine * v + sine * u
            tilts[3], tilts[4], tilts[5] = laid(strike, plane)
            if whole and (error < CLOSE or iteration == MOST):
                # it is laid on its ground, and lands where it does then
                strike_of(sizes, numbers, half, 0, weights, tilts, strike, room)
                x, y, z = strike[0] - place[0], strike[1] - place[1], strike[2] - place[2]
                error = np.sqrt(x * x + y * y + z * z)
                if error < CLOSE or iteration == MOST:
                    break
            foot[0], foot[1], foot[2] = strike[0], strike[1], strike[2]
            correct(sizes, numbers, half, BETA, foot, place, weights)
        # what is not close must at least lie well where it is
        shifted = found[foothold_kernel.SHIFTED] > 0.0
        sharp = abs(strike[strike_kernel.TURN]) > SHARPEST
        if not fits or sharp or error > NEAR or (error > CLOSE and (shifted or abs(y) > SUNK)):
            state[layout.REJECTED] += 1.0
            if effort > EFFORT:
                break
            continue
        strike_of(sizes, numbers, half, 1, weights, tilts, early, room)
        sinks = early[strike_kernel.POINT + 1] < strike[strike_kernel.POINT + 1] - SUNK
        beyond = 0.0
        for s in range(loops):
            beyond -= min(weights[s], 0.0)
        sinks = sinks or beyond > FARTHEST
        if sinks and known:
            continue
        known = True
        for s in range(loops):
            chosen[s] = weights[s]
        put_next(strike, heading, origin, state)
        state[layout.ERROR], state[layout.ITERATIONS] = error, iterations
        state[layout.TILT_TO] = cosine * tilts[3] + sine * tilts[5]
        state[layout.TILT_TO + 1] = tilts[4]
        state[layout.TILT_TO + 2] = cosine * tilts[5] - sine * tilts[3]
        u, v = (tilts[3], tilts[5]) if sizes[layout.KIND] == layout.RESTING else (plane[0], plane[1])
        state[layout.NEXT_PLANE], state[layout.NEXT_PLANE + 1] = cosine * u + sine * v, cosine * v - sine * u
        resting = sizes[layout.KIND] == layout.RESTING
        state[layout.NEXT_SETTLES] = 0.0 if resting else place[1] - strike[strike_kernel.POINT + 1]
        state[layout.CHOSEN], state[layout.FACE] = best, found[foothold_kernel.FACE]
        if not sinks:
            break
    if known:
        for s in range(loops):
            planned[s] = chosen[s]
    return known
