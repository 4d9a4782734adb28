"""From one ring to another, compiled: both are played, and one fades into the other.

The ring that is left goes on with the weights it has, in the frame it has. The ring that is entered is the
one that walks: it has searched for its strike, and when that comes its legs are alone. Both stand on the same
foot. What is above the legs takes its time: it fades over a while of its own, past the strike.
"""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import smoothstep
from footfall.models.ring import layout
from footfall.models.ring.easing_kernel import change_pace, extra_at, settle, weights_at
from footfall.models.ring.figure_kernel import LASTS, TOLD, place_figure, put_figure
from footfall.models.ring.handover_kernel import put_origin, respond, strike_now
from footfall.models.ring.layout import FRAMES, LOOPS
from footfall.models.ring.pose_kernel import NUMBERS, ROWS, SIZES, blend_joints
from footfall.models.ring.step_kernel import draw_up
from footfall.world.tree_walk import TREE

# what is known of the ring that is left
SHARE, BEGAN = 0, 1  # of its half cycle; of the other ring's, at which the fading began
ORIGIN, HEADING = 2, 5
LASTED = 6  # s that its frames last
ELAPSED = 7  # s since the fading began
HALF = 8
PROGRESS = 9  # of the half cycle at whose end the legs of the other ring are alone
WEIGHTS = 10
FADED = 0.95  # of the other ring's half cycle: the legs of what is left are gone
FADED_INTO_REST = 0.7  # the same of a rest: later, its foot would swing past its place
SETS_OUT, HAS_COME = 0.1, 0.97  # of the fading, from and to a rest
UPPER_FADED = 0.7  # s: all of it is gone
STEP = 0.55  # s that a step from one rest to another takes;
STEP_UP = 0.4  # rad by which its thigh goes up: the foot by an eighth of that, of the leg's length
LATEST = 1.4  # half cycles after which a frame ends, however long it is
UPPER = "Array(int64, 1, 'C', readonly=True)"  # joints that are neither the root's nor the legs'


@kernel()
def put_stills(sizes, numbers, pose):  # type: ignore[no-untyped-def]
    """The joints that a ring does not move, into a pose that had others."""
    at = sizes[layout.AT_STILLS]
    for _ in range(sizes[layout.JOINTS] - sizes[layout.MOVING]):
        joint = int(numbers[at])
        for c in range(4):
            pose[3 + 4 * joint + c] = numbers[at + 1 + c]
        at += 5


@kernel()
def mix_turn(first, pose, i, share):  # type: ignore[no-untyped-def]
    """A joint's rotation between those of two poses, into the second."""
    dot = 0.0
    for c in range(4):
        dot += first[i + c] * pose[i + c]
    a, b = (1.0 - share) * (1.0 if dot >= 0.0 else -1.0), share
    size = 0.0
    for c in range(4):
        pose[i + c] = a * first[i + c] + b * pose[i + c]
        size += pose[i + c] * pose[i + c]
    size = 1.0 / np.sqrt(size)
    for c in range(4):
        pose[i + c] *= size


@kernel(
    f"boolean({ROWS}, {SIZES}, {NUMBERS}, {UPPER}, {SIZES}, {NUMBERS}, float64, float64[::1], float64[::1], "
    "float64[::1])",
)
def fade_upper(  # type: ignore[no-untyped-def]
    left_rows, left_sizes, left_numbers, upper, sizes, numbers, seconds, left, other, pose
):
    """What is above the legs still fades though the strike is over; whether it is gone."""
    put_stills(sizes, numbers, pose)
    left[ELAPSED] += seconds
    length = left_sizes[FRAMES] // 2
    left[SHARE] += seconds / (left[LASTED] * length)
    share = smoothstep(left[ELAPSED] / UPPER_FADED)
    if share >= 1.0:
        return True
    frames = left_sizes[FRAMES]
    total = np.empty(left_rows.shape[2], dtype=np.float32)
    frame = (length * (left[HALF] + left[SHARE])) % frames
    weights = left[WEIGHTS : WEIGHTS + left_sizes[LOOPS]]
    put_stills(left_sizes, left_numbers, other)
    blend_joints(left_rows, left_sizes, left_numbers, frame, weights, total, other)
    for k in range(upper.size):
        mix_turn(other, pose, 3 + 4 * upper[k], share)
    return False


@kernel(
    f"boolean({ROWS}, {SIZES}, {NUMBERS}, {UPPER}, {ROWS}, {SIZES}, {NUMBERS}, {TREE}, float64, "
    "float64[::1], float64[::1], float64[::1], float64[::1])",
)
def cross_on(  # type: ignore[no-untyped-def]
    left_rows,
    left_sizes,
    left_numbers,
    upper,
    rows,
    sizes,
    numbers,
    tree_rows,
    blocks,
    frame,
    seconds,
    left,
    other,
    state,
    pose,
):
    """So many seconds further from one ring into the other; whether the strike is over.

    `other` is room for the pose of the ring that is left.
    """
    loops, length = sizes[LOOPS], sizes[FRAMES] // 2
    half = int(state[layout.HALF])
    change_pace(state, seconds)
    if state[layout.PENDING] > 0.5:
        respond(tree_rows, blocks, frame, sizes, numbers, left[PROGRESS], seconds, state)
    share = state[layout.FRAME] / length - half
    from_rest, to_rest = left_sizes[layout.KIND] == layout.RESTING, sizes[layout.KIND] == layout.RESTING
    faded = FADED_INTO_REST if to_rest else FADED
    fade = smoothstep((left[PROGRESS] - left[BEGAN]) / (faded - left[BEGAN]))
    # half cycles a second, from the one's pace to the other's; a rest has none
    old, new = 1.0 / (left[LASTED] * (left_sizes[FRAMES] // 2)), 1.0 / (state[layout.SECONDS] * length)
    pace = state[layout.PACE]
    ahead = new * pace if from_rest else old * min(pace, 1.0)  # who brakes goes quicker through the new one
    if not (from_rest or to_rest):
        ahead = (1.0 - fade) * ahead + fade * new * pace
    ahead *= seconds
    steps = from_rest and to_rest
    if steps:
        ahead = seconds * (faded - left[BEGAN]) / STEP
    left[SHARE] = left[SHARE] + seconds * old if from_rest else min(left[SHARE] + ahead, 1.0)
    left[PROGRESS] += ahead
    left[PROGRESS] = min(left[PROGRESS], LATEST)  # a long frame is cut short
    over = left[PROGRESS] >= (faded if to_rest else 1.0)
    if to_rest:
        share = min(share + seconds * new, 1.0)
        if over:  # no foot moves any more: none strikes
            for c in range(3):
                state[layout.TILT_FROM + c], state[layout.TILT_RATE + c] = state[layout.TILT_TO + c], 0.0
    elif over:
        strike_now(tree_rows, blocks, frame, sizes, numbers, state)
        half = int(state[layout.HALF])
        share = left[PROGRESS] - 1.0
    else:
        share = left[PROGRESS]
    state[layout.FRAME] = length * (half + share)
    weights, rates, told = np.empty(loops), np.empty(loops), np.empty(TOLD)
    weights_at(loops, state, share, weights, rates)
    settle(state, share)
    origin, (extra, _) = np.empty(3), extra_at(state, share)
    put_origin(state, extra, origin)
    put_stills(sizes, numbers, pose)
    put_figure(rows, sizes, numbers, half, share, weights, origin, state[layout.HEADING] + extra, told, pose)
    lasts = told[LASTS]
    if over:
        place_figure(sizes, numbers, share, told, state, pose)
        fade_upper(left_rows, left_sizes, left_numbers, upper, sizes, numbers, seconds, left, other, pose)
        return True
    left[ELAPSED] += seconds * (UPPER_FADED / STEP if steps else 1.0)
    fade = smoothstep((left[PROGRESS] - left[BEGAN]) / (faded - left[BEGAN]))
    slowly = smoothstep(left[ELAPSED] / UPPER_FADED)
    before = np.empty(TOLD)
    put_stills(left_sizes, left_numbers, other)
    put_figure(
        left_rows,
        left_sizes,
        left_numbers,
        half,
        left[SHARE],
        left[WEIGHTS : WEIGHTS + left_sizes[LOOPS]],
        left[ORIGIN : ORIGIN + 3],
        left[HEADING],
        before,
        other,
    )
    left[LASTED] = before[LASTS]
    landed = told[LASTS + 1 + (1 - half)], told[LASTS + 3 + (1 - half)]  # the swinging foot's heel and toe
    for c in range(TOLD):
        told[c] = (1.0 - fade) * before[c] + fade * told[c]
    # a foot that sets out from a rest stands until it leaves, one that comes to it until it is there does not
    if from_rest or to_rest:
        for k in range(2):
            place = LASTS + 1 + 2 * k + (1 - half)
            told[place] = 1.0 if fade > HAS_COME else 0.0
            if steps:
                told[place] = 0.0
            elif from_rest:
                told[place] = 1.0 if fade < SETS_OUT else landed[k]
    above = 0
    for joint in range((pose.size - 3) // 4):
        is_upper = above < upper.size and upper[above] == joint
        above += is_upper
        mix_turn(other, pose, 3 + 4 * joint, slowly if is_upper else fade)
    if steps:
        draw_up(sizes, numbers, 1 - half, STEP_UP * np.sin(np.pi * fade), pose[3:])
    place_figure(sizes, numbers, left[PROGRESS], told, state, pose)
    state[layout.SECONDS] = lasts
    return False
