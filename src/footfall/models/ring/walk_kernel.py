"""One frame of a walk through a ring, compiled: time, strikes, inputs, spheres, pose ([rings] 4)."""

from __future__ import annotations

import numpy as np

from footfall.geometry.decisions_kernel import clearly_less
from footfall.geometry.kernel_cache import kernel
from footfall.geometry.stack_room import doubles
from footfall.models.ring import layout
from footfall.models.ring.easing_kernel import change_pace, extra_at, go_home, settle, weights_at
from footfall.models.ring.figure_kernel import TOLD, place_figure, put_figure
from footfall.models.ring.handover_kernel import QUARTER, aimed, put_origin, respond, strike_now
from footfall.models.ring.layout import FRAMES, LOOPS, SCALARS, SPHERES
from footfall.models.ring.pose_kernel import NUMBERS, ROWS, SIZES
from footfall.models.ring.search_kernel import test_spheres, turned_origin
from footfall.world.tree_walk import TREE

TESTED_BY = 0.9  # share of the half at which all are tested
HELD = 0.3  # of a half cycle: a figure that finds no ground is held there at the latest


@kernel(f"boolean({ROWS}, {SIZES}, {NUMBERS}, {TREE}, float64, float64[::1], float64[::1])")
def walk_on(rows, sizes, numbers, tree_rows, blocks, frame, seconds, state, pose):  # type: ignore[no-untyped-def]
    """So many seconds further: the state is changed, the pose is written; whether it stands for want of
    ground.
    """
    loops, spheres, length = sizes[LOOPS], sizes[SPHERES], float(sizes[FRAMES] // 2)
    weights, rates = np.empty(loops), np.empty(loops)
    begin = length * state[layout.HALF]
    share = (state[layout.FRAME] - begin) / length
    if state[layout.PENDING] > 0.5:
        respond(tree_rows, blocks, frame, sizes, numbers, share, seconds, state)
    change_pace(state, seconds)
    left = seconds * state[layout.PACE]
    if state[layout.STATUS] == layout.STANDING:  # whatever comes, no foot comes down where there is no ground
        left = min(left, max(begin + HELD * length - state[layout.FRAME], 0.0) * state[layout.SECONDS])
    for _ in range(8):  # a frame longer than four cycles is cut short
        ahead = left / state[layout.SECONDS]
        # frames of a motion may end with just the half cycle: then it strikes, however they were added up
        if clearly_less(state[layout.FRAME] + ahead - begin - length, 0.0):
            state[layout.FRAME] += ahead
            break
        left = max(left - (begin + length - state[layout.FRAME]) * state[layout.SECONDS], 0.0)
        strike_now(tree_rows, blocks, frame, sizes, numbers, state)
        begin = length * state[layout.HALF]
        state[layout.FRAME] = begin
        if state[layout.STATUS] == layout.STANDING:
            left = min(left, HELD * length * state[layout.SECONDS])
    share = (state[layout.FRAME] - begin) / length
    settle(state, share)
    if sizes[layout.KIND] == layout.RESTING:
        go_home(state, seconds)
    elif share >= QUARTER:
        half = 1 - int(state[layout.HALF])
        upto = int(np.ceil(spheres * min((share - QUARTER) / (TESTED_BY - QUARTER), 1.0)))
        tested = int(state[layout.TESTED])
        if upto > tested:
            other = state[SCALARS + 3 * loops + spheres : SCALARS + 3 * loops + 2 * spheres]
            heading, origin = state[layout.NEXT_HEADING], doubles(3)
            ahead = aimed(sizes, state, heading, 0.0, 0.0)
            origin[0], origin[1], origin[2] = turned_origin(
                state, layout.NEXT_ORIGIN, heading, ahead, layout.NEXT_PIVOT
            )
            heading += ahead
            if heading != state[layout.TESTED_HEADING]:
                tested, state[layout.TESTED_HEADING] = 0, heading
            test_spheres(tree_rows, blocks, frame, sizes, numbers, half, origin, heading, tested, upto, other)
            state[layout.TESTED] = upto
    weights_at(loops, state, share, weights, rates)
    extra, _ = extra_at(state, share)
    told, origin = doubles(TOLD), doubles(3)
    put_origin(state, extra, origin)
    half, heading = int(state[layout.HALF]), state[layout.HEADING] + extra
    put_figure(rows, sizes, numbers, half, share, weights, origin, heading, told, pose)
    place_figure(sizes, numbers, share, told, state, pose)
    return state[layout.STATUS] == layout.STANDING
