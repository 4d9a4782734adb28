"""What happens at strikes and inputs, compiled: frames handed over, searches, turns away ([rings] 4)."""

from __future__ import annotations

import numpy as np

from footfall.geometry.decisions_kernel import clearly_less, shortest_turn
from footfall.geometry.kernel_cache import kernel
from footfall.geometry.stack_room import doubles
from footfall.models.ring import layout
from footfall.models.ring.choice_kernel import UNTESTED
from footfall.models.ring.easing_kernel import ease_from, weights_at
from footfall.models.ring.layout import FRAMES, LOOPS, SCALARS, SPHERES
from footfall.models.ring.pose_kernel import NUMBERS, SIZES
from footfall.models.ring.search_kernel import keep_standing, search, test_spheres, turned_origin
from footfall.world.tree_walk import TREE

QUARTER = 0.5  # of a half cycle: after it inputs wait for the strike, and the next half's spheres are tested
AWAY_STEP = np.radians(20.0)  # by what a figure that finds no ground is turned, again and again,
AWAY_WALKING, AWAY_STANDING = 3, 9  # so often: what walks turns less than what stands
AT_FULL_PACE = np.radians(30.0)  # in a half cycle: larger turns take longer
MOST_TURNED = 0.5  # rad in a half cycle, directly, in the combined method
HARDEST_TURN = 12.0  # rad/s^2


@kernel()
def put_origin(state, extra, origin):  # type: ignore[no-untyped-def]
    """Of this half's frame, when it is turned directly."""
    origin[0], origin[1], origin[2] = turned_origin(
        state, layout.ORIGIN, state[layout.HEADING], extra, layout.PIVOT
    )


@kernel("float64[::1](float64[::1], float64)")
def origin_now(state, extra):  # type: ignore[no-untyped-def]
    """The same, for whoever is not compiled."""
    origin = np.empty(3)
    put_origin(state, extra, origin)
    return origin


@kernel()
def aimed(sizes, state, heading, planned, begun):  # type: ignore[no-untyped-def]
    """By what a frame of that heading is turned directly: in the combined method, towards the wish.

    From what was `planned` it differs by no more than the hips can be turned in what is left of the half
    cycle, of which a share has `begun`.
    """
    if sizes[layout.KIND] != layout.COMBINED:
        return 0.0
    left = (layout.ARRIVED - begun) * state[layout.SECONDS] * (sizes[FRAMES] // 2)
    most = HARDEST_TURN * left * left / 6.0  # an eased turn accelerates by 6 / t^2 of it
    wish = min(max(shortest_turn(state[layout.WISH_HEADING] - heading), -MOST_TURNED), MOST_TURNED)
    return planned + min(max(wish - planned, -most), most)


@kernel(f"void({TREE}, {SIZES}, {NUMBERS}, float64[::1])")
def turn_away(tree_rows, blocks, frame, sizes, numbers, state):  # type: ignore[no-untyped-def]
    """No sphere lies on ground: the figure is turned about its support foot until one does, or it stands.

    Of either side the one towards the wish is tried first, by ever larger angles.
    """
    loops, spheres = sizes[LOOPS], sizes[SPHERES]
    half = int(state[layout.HALF])
    flags = state[SCALARS + 3 * loops : SCALARS + 3 * loops + spheres]
    origin = doubles(3)
    # who goes where it is wished has no side: then it is the left one
    wish = shortest_turn(state[layout.WISH_HEADING] - state[layout.HEADING])
    side = -1.0 if clearly_less(wish, 0.0) else 1.0
    steps = AWAY_STANDING if state[layout.STATUS] == layout.STANDING else AWAY_WALKING
    for attempt in range(2 * steps):
        angle = side * AWAY_STEP * (attempt // 2 + 1) * (1.0 if attempt % 2 == 0 else -1.0)
        heading = state[layout.HEADING] + angle
        put_origin(state, angle, origin)
        test_spheres(tree_rows, blocks, frame, sizes, numbers, half, origin, heading, 0, spheres, flags)
        state[layout.EXTRA_TO] = angle
        if search(tree_rows, blocks, frame, sizes, numbers, flags, state):
            state[layout.STATUS] = layout.TURNING_AWAY
            state[layout.PACE_TO] = min(1.0, AT_FULL_PACE / abs(angle))
            return
    state[layout.EXTRA_TO] = 0.0
    state[layout.STATUS], state[layout.PACE_TO] = layout.STANDING, 0.0


@kernel()
def aim_anew(sizes, flags, state):  # type: ignore[no-untyped-def]
    """The combined method: the frame is turned towards the wish, and what touched before is not known now."""
    planned, begun = state[layout.EXTRA_TO], state[layout.EASED_FROM]
    state[layout.EXTRA_TO] = aimed(sizes, state, state[layout.HEADING], planned, begun)
    flags[:] = UNTESTED


@kernel(f"void({TREE}, {SIZES}, {NUMBERS}, float64[::1])")
def strike_now(tree_rows, blocks, frame, sizes, numbers, state):  # type: ignore[no-untyped-def]
    """The foot has come down: its half's frame is taken over, and the next strike is searched for."""
    loops, spheres = sizes[LOOPS], sizes[SPHERES]
    half = 1 - int(state[layout.HALF])
    state[layout.HALF] = half
    cosine, sine = np.cos(state[layout.HEADING]), np.sin(state[layout.HEADING])
    x, z = state[layout.PIVOT], state[layout.PIVOT + 1]
    state[layout.LEFT_PLACE] = state[layout.ORIGIN] + cosine * x + sine * z
    state[layout.LEFT_PLACE + 1] = state[layout.ORIGIN + 2] + cosine * z - sine * x
    for c in range(3):
        state[layout.ORIGIN + c] = state[layout.NEXT_ORIGIN + c]
    state[layout.SETTLES], state[layout.SETTLED] = state[layout.NEXT_SETTLES], 0.0
    state[layout.HEADING] = state[layout.NEXT_HEADING]
    state[layout.PIVOT], state[layout.PIVOT + 1] = state[layout.NEXT_PIVOT], state[layout.NEXT_PIVOT + 1]
    state[layout.SUPPORT_HEADING] = state[layout.NEXT_SUPPORT_HEADING]
    state[layout.EXTRA_FROM] = state[layout.EXTRA_RATE] = state[layout.EXTRA_TO] = 0.0
    state[layout.EASED_FROM] = 0.0
    state[layout.LEFT_LEVEL] = state[layout.SUPPORT_LEVEL]
    for c in range(2):
        state[layout.LEFT_PLANE + c] = state[layout.SUPPORT_PLANE + c]
        state[layout.SUPPORT_PLANE + c] = state[layout.NEXT_PLANE + c]
    for c in range(3):
        state[layout.TILT_FROM + c], state[layout.TILT_RATE + c] = state[layout.LAST_TILT + c], 0.0
        state[layout.SUPPORT_TILT + c] = state[layout.TILT_TO + c]
        state[layout.TILT_TO + c] = 0.0
    flags = state[SCALARS + 3 * loops : SCALARS + 3 * loops + spheres]
    other = state[SCALARS + 3 * loops + spheres : SCALARS + 3 * loops + 2 * spheres]
    state[layout.EXTRA_TO] = aimed(sizes, state, state[layout.HEADING], 0.0, 0.0)
    heading = state[layout.HEADING] + state[layout.EXTRA_TO]
    tested = int(state[layout.TESTED]) if heading == state[layout.TESTED_HEADING] else 0
    for i in range(spheres):
        flags[i] = other[i] if i < tested else UNTESTED
    state[layout.TESTED] = 0.0
    for s in range(loops):
        state[SCALARS + s] = state[SCALARS + 2 * loops + s]
        state[SCALARS + loops + s] = 0.0
    if sizes[layout.KIND] == layout.RESTING:
        keep_standing(sizes, numbers, state)
    elif search(tree_rows, blocks, frame, sizes, numbers, flags, state):
        state[layout.STATUS], state[layout.PACE_TO] = layout.WALKING, 1.0
    else:
        turn_away(tree_rows, blocks, frame, sizes, numbers, state)
    state[layout.STRIKES] += 1.0
    if state[layout.PENDING] > 0.5:
        state[layout.PENDING], state[layout.RESPONSE] = 0.0, state[layout.WAITED]


@kernel(f"void({TREE}, {SIZES}, {NUMBERS}, float64, float64, float64[::1])")
def respond(tree_rows, blocks, frame, sizes, numbers, share, seconds, state):  # type: ignore[no-untyped-def]
    """[rings] 4.4: an input is searched for at once among the spheres that touch, or waits for the strike."""
    loops, spheres = sizes[LOOPS], sizes[SPHERES]
    state[layout.WAITED] += seconds
    if sizes[layout.KIND] == layout.RESTING:  # there is nothing to search for: it is heard
        state[layout.PENDING], state[layout.RESPONSE] = 0.0, state[layout.WAITED]
        return
    if not clearly_less(share, QUARTER):
        return
    weights, rates = np.empty(loops), np.empty(loops)
    weights_at(loops, state, share, weights, rates)
    flags = state[SCALARS + 3 * loops : SCALARS + 3 * loops + spheres]
    ease_from(loops, state, share, weights, rates)
    if state[layout.STATUS] != layout.STANDING:
        planned = state[layout.EXTRA_TO]
        if sizes[layout.KIND] == layout.COMBINED:
            aim_anew(sizes, flags, state)
        if not search(tree_rows, blocks, frame, sizes, numbers, flags, state):
            state[layout.EXTRA_TO] = planned  # what was found before still holds
    else:
        turn_away(tree_rows, blocks, frame, sizes, numbers, state)
    state[layout.PENDING], state[layout.RESPONSE] = 0.0, state[layout.WAITED]
