"""One frame of a walk through a ring, compiled: time, strikes, searches, weights, pose ([rings] 4)."""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.models.ring import layout
from footfall.models.ring.layout import (
    AT_PATHS,
    FRAMES,
    LOOPS,
    MOVING,
    SCALARS,
    SPHERES,
)
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
    wrapped,
)
from footfall.models.ring.search_kernel import keep_standing, search, test_spheres, turned_origin
from footfall.world.tree_walk import TREE

# what places a figure: its support foot's toe joint, its root's heading; seconds a frame, four contacts
ANCHOR, FACING, LASTS = 0, 3, 4
TOLD = 9
STICKS = 0.1  # of a blended contact: so far from a half it must be to change, or it would flicker
THERE = 0.02  # m: so near to its place a foot that comes down may stand
LEAVES = 0.5  # of a half cycle: so long the toe of the foot that swings may still be near its ground
LEFT_GROUND = 0.5  # of a half cycle: by then the swinging foot has left
QUARTER = 0.5  # of a half cycle: after it inputs wait for the strike, and the next half's spheres are tested
TESTED_BY = 0.9  # share of the half at which all are tested
AWAY_STEP = np.radians(20.0)  # by what a figure that finds no ground is turned, again and again,
AWAY_WALKING, AWAY_STANDING = 3, 9  # so often: what walks turns less than what stands
AT_FULL_PACE = np.radians(40.0)  # in a half cycle: larger turns take longer
PACE_UP, PACE_DOWN = 1.2, 10.0  # of the pace, a second
MOST_TURNED = 0.5  # rad in a half cycle, directly, in the combined method
HARDEST_TURN = 12.0  # rad/s^2
HELD = 0.3  # of a half cycle: a figure that finds no ground is held there at the latest


@nb.njit(inline="always")
def change_pace(state, seconds):  # type: ignore[no-untyped-def]
    change = state[layout.PACE_TO] - state[layout.PACE]
    state[layout.PACE] += min(max(change, -PACE_DOWN * seconds), PACE_UP * seconds)


@nb.njit(inline="always")
def eased(t):  # type: ignore[no-untyped-def]
    """Hermite's weights of start, start's rate and end for a cubic that ends at rest."""
    t2, t3 = t * t, t * t * t
    rise = 3.0 * t2 - 2.0 * t3
    return 1.0 - rise, t3 - 2.0 * t2 + t, rise


@nb.njit(inline="always")
def eased_rates(t):  # type: ignore[no-untyped-def]
    rise = 6.0 * t - 6.0 * t * t
    return -rise, 3.0 * t * t - 4.0 * t + 1.0, rise


@nb.njit(
    "void(int64, float64[::1], float64, float64[::1], float64[::1])",
    cache=True,
    nogil=True,
    error_model="numpy",
)
def weights_at(loops, state, share, weights, rates):  # type: ignore[no-untyped-def]
    """Weights and their rates (per half cycle) at a share of the half cycle."""
    start = state[layout.EASED_FROM]
    span = max(layout.ARRIVED - start, 1e-9)
    t = min(max((share - start) / span, 0.0), 1.0)
    a, b, c = eased(t)
    d, e, f = eased_rates(t)
    for s in range(loops):
        first, rate = state[SCALARS + s], state[SCALARS + loops + s]
        last = state[SCALARS + 2 * loops + s]
        weights[s] = a * first + b * span * rate + c * last
        rates[s] = (d * first + e * span * rate + f * last) / span


@nb.njit("UniTuple(float64, 2)(float64[::1], float64, int64)", cache=True, nogil=True, error_model="numpy")
def tilt_at(state, share, c):  # type: ignore[no-untyped-def]
    """The swinging foot's tilt (about x, y or z) and its rate at a share of the half cycle."""
    start = state[layout.EASED_FROM]
    span = max(layout.ARRIVED - start, 1e-9)
    t = min(max((share - start) / span, 0.0), 1.0)
    p, q, r = eased(t)
    d, e, f = eased_rates(t)
    first, rate = state[layout.TILT_FROM + c], state[layout.TILT_RATE + c]
    last = state[layout.TILT_TO + c]
    return p * first + q * span * rate + r * last, (d * first + e * span * rate + f * last) / span


@nb.njit(inline="always")
def extra_at(state, share):  # type: ignore[no-untyped-def]
    """What is turned directly, and its rate, at a share of the half cycle."""
    start = state[layout.EASED_FROM]
    span = max(layout.ARRIVED - start, 1e-9)
    t = min(max((share - start) / span, 0.0), 1.0)
    a, b, c = eased(t)
    d, e, f = eased_rates(t)
    first, rate, last = state[layout.EXTRA_FROM], state[layout.EXTRA_RATE], state[layout.EXTRA_TO]
    return a * first + b * span * rate + c * last, (d * first + e * span * rate + f * last) / span


@nb.njit("float64(float64[::1], float64)", cache=True, nogil=True, error_model="numpy")
def extra_now(state, share):  # type: ignore[no-untyped-def]
    return extra_at(state, share)[0]


@nb.njit(inline="always")
def ease_from(loops, state, share, weights, rates):  # type: ignore[no-untyped-def]
    """From now on the weights go from what they are, at the rate they have, to those of the next strike."""
    extra, extra_rate = extra_at(state, share)
    for c in range(3):
        tilt, rate = tilt_at(state, share, c)
        state[layout.TILT_FROM + c], state[layout.TILT_RATE + c] = tilt, rate
    state[layout.EXTRA_FROM], state[layout.EXTRA_RATE] = extra, extra_rate
    state[layout.EASED_FROM] = share
    for s in range(loops):
        state[SCALARS + s] = weights[s]
        state[SCALARS + loops + s] = rates[s]


@nb.njit(inline="always")
def put_origin(state, extra, origin):  # type: ignore[no-untyped-def]
    """Of this half's frame, when it is turned directly."""
    origin[0], origin[1], origin[2] = turned_origin(
        state, layout.ORIGIN, state[layout.HEADING], extra, layout.PIVOT
    )


@nb.njit("float64[::1](float64[::1], float64)", cache=True, nogil=True, error_model="numpy")
def origin_now(state, extra):  # type: ignore[no-untyped-def]
    """The same, for whoever is not compiled."""
    origin = np.empty(3)
    put_origin(state, extra, origin)
    return origin


@nb.njit(inline="always")
def aimed(sizes, state, heading, planned, begun):  # type: ignore[no-untyped-def]
    """By what a frame of that heading is turned directly: in the combined method, towards the wish.

    From what was `planned` it differs by no more than the hips can be turned in what is left of the half
    cycle, of which a share has `begun`.
    """
    if sizes[layout.KIND] != layout.COMBINED:
        return 0.0
    left = (layout.ARRIVED - begun) * state[layout.SECONDS] * (sizes[FRAMES] // 2)
    most = HARDEST_TURN * left * left / 6.0  # an eased turn accelerates by 6 / t^2 of it
    wish = min(max(wrapped(state[layout.WISH_HEADING] - heading), -MOST_TURNED), MOST_TURNED)
    return planned + min(max(wish - planned, -most), most)


@nb.njit(
    f"void({TREE}, {SIZES}, {NUMBERS}, float64[::1])",
    cache=True,
    nogil=True,
    error_model="numpy",
)
def turn_away(tree_rows, blocks, frame, sizes, numbers, state):  # type: ignore[no-untyped-def]
    """No sphere lies on ground: the figure is turned about its support foot until one does, or it stands.

    Of either side the one towards the wish is tried first, by ever larger angles.
    """
    loops, spheres = sizes[LOOPS], sizes[SPHERES]
    half = int(state[layout.HALF])
    flags = state[SCALARS + 3 * loops : SCALARS + 3 * loops + spheres]
    origin = np.empty(3)
    side = 1.0 if wrapped(state[layout.WISH_HEADING] - state[layout.HEADING]) >= 0.0 else -1.0
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


@nb.njit(
    f"void({TREE}, {SIZES}, {NUMBERS}, float64[::1], float64[::1])",
    cache=True,
    nogil=True,
    error_model="numpy",
)
def aim_anew(tree_rows, blocks, frame, sizes, numbers, flags, state):  # type: ignore[no-untyped-def]
    """The combined method: the frame is turned towards the wish, and its spheres are tested again."""
    planned, begun = state[layout.EXTRA_TO], state[layout.EASED_FROM]
    state[layout.EXTRA_TO] = aimed(sizes, state, state[layout.HEADING], planned, begun)
    heading, origin = state[layout.HEADING] + state[layout.EXTRA_TO], np.empty(3)
    put_origin(state, state[layout.EXTRA_TO], origin)
    half, spheres = int(state[layout.HALF]), sizes[SPHERES]
    test_spheres(tree_rows, blocks, frame, sizes, numbers, half, origin, heading, 0, spheres, flags)


@nb.njit(
    f"void({TREE}, {SIZES}, {NUMBERS}, float64[::1])",
    cache=True,
    nogil=True,
    error_model="numpy",
)
def strike_now(tree_rows, blocks, frame, sizes, numbers, state):  # type: ignore[no-untyped-def]
    """The foot has come down: its half's frame is taken over, and the next strike is searched for."""
    loops, spheres = sizes[LOOPS], sizes[SPHERES]
    half = 1 - int(state[layout.HALF])
    state[layout.HALF] = half
    for c in range(3):
        state[layout.ORIGIN + c] = state[layout.NEXT_ORIGIN + c]
    state[layout.HEADING] = state[layout.NEXT_HEADING]
    state[layout.PIVOT], state[layout.PIVOT + 1] = state[layout.NEXT_PIVOT], state[layout.NEXT_PIVOT + 1]
    state[layout.SUPPORT_TILT + 1] = state[layout.LAST_TWIST]
    state[layout.SUPPORT_HEADING] = state[layout.NEXT_SUPPORT_HEADING]
    state[layout.EXTRA_FROM] = state[layout.EXTRA_RATE] = state[layout.EXTRA_TO] = 0.0
    state[layout.EASED_FROM] = 0.0
    state[layout.LEAVING_LEVEL] = state[layout.SUPPORT_LEVEL]
    state[layout.LEAVING_TILT] = state[layout.SUPPORT_TILT]
    state[layout.LEAVING_TILT + 1] = state[layout.SUPPORT_TILT + 2]
    for c in range(3):
        state[layout.TILT_FROM + c], state[layout.TILT_RATE + c] = state[layout.SUPPORT_TILT + c], 0.0
        state[layout.SUPPORT_TILT + c] = state[layout.TILT_TO + c]
        state[layout.TILT_TO + c] = 0.0
    flags = state[SCALARS + 3 * loops : SCALARS + 3 * loops + spheres]
    other = state[SCALARS + 3 * loops + spheres : SCALARS + 3 * loops + 2 * spheres]
    state[layout.EXTRA_TO] = aimed(sizes, state, state[layout.HEADING], 0.0, 0.0)
    heading, origin = state[layout.HEADING] + state[layout.EXTRA_TO], np.empty(3)
    put_origin(state, state[layout.EXTRA_TO], origin)
    tested = int(state[layout.TESTED]) if heading == state[layout.TESTED_HEADING] else 0
    if sizes[layout.KIND] == layout.RESTING:
        tested = spheres
    test_spheres(tree_rows, blocks, frame, sizes, numbers, half, origin, heading, tested, spheres, other)
    for i in range(spheres):
        flags[i] = other[i]
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


@nb.njit(
    f"void({TREE}, {SIZES}, {NUMBERS}, float64, float64, float64[::1])",
    cache=True,
    nogil=True,
    error_model="numpy",
)
def respond(tree_rows, blocks, frame, sizes, numbers, share, seconds, state):  # type: ignore[no-untyped-def]
    """[rings] 4.4: an input is searched for at once among the spheres that touch, or waits for the strike."""
    loops, spheres = sizes[LOOPS], sizes[SPHERES]
    state[layout.WAITED] += seconds
    if share >= QUARTER or sizes[layout.KIND] == layout.RESTING:
        return
    weights, rates = np.empty(loops), np.empty(loops)
    weights_at(loops, state, share, weights, rates)
    flags = state[SCALARS + 3 * loops : SCALARS + 3 * loops + spheres]
    ease_from(loops, state, share, weights, rates)
    if state[layout.STATUS] != layout.STANDING:
        planned = state[layout.EXTRA_TO]
        if sizes[layout.KIND] == layout.COMBINED:
            aim_anew(tree_rows, blocks, frame, sizes, numbers, flags, state)
        if not search(tree_rows, blocks, frame, sizes, numbers, flags, state):
            state[layout.EXTRA_TO] = planned  # what was found before still holds
    else:
        turn_away(tree_rows, blocks, frame, sizes, numbers, state)
    state[layout.PENDING], state[layout.RESPONSE] = 0.0, state[layout.WAITED]


@nb.njit(
    f"void({ROWS}, {SIZES}, {NUMBERS}, {TREE}, float64, float64[::1], float64[::1])",
    cache=True,
    nogil=True,
    error_model="numpy",
)
def walk_on(rows, sizes, numbers, tree_rows, blocks, frame, seconds, state, pose):  # type: ignore[no-untyped-def]
    """So many seconds further: the state is changed, the pose is written."""
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
        if state[layout.FRAME] + ahead < begin + length:
            state[layout.FRAME] += ahead
            break
        left -= (begin + length - state[layout.FRAME]) * state[layout.SECONDS]
        strike_now(tree_rows, blocks, frame, sizes, numbers, state)
        begin = length * state[layout.HALF]
        state[layout.FRAME] = begin
        if state[layout.STATUS] == layout.STANDING:
            left = min(left, HELD * length * state[layout.SECONDS])
    share = (state[layout.FRAME] - begin) / length
    if share >= QUARTER and sizes[layout.KIND] != layout.RESTING:
        half = 1 - int(state[layout.HALF])
        upto = int(np.ceil(spheres * min((share - QUARTER) / (TESTED_BY - QUARTER), 1.0)))
        tested = int(state[layout.TESTED])
        if upto > tested:
            other = state[SCALARS + 3 * loops + spheres : SCALARS + 3 * loops + 2 * spheres]
            heading, origin = state[layout.NEXT_HEADING], np.empty(3)
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
    told, origin = np.empty(TOLD), np.empty(3)
    put_origin(state, extra, origin)
    half, heading = int(state[layout.HALF]), state[layout.HEADING] + extra
    put_figure(rows, sizes, numbers, half, share, weights, origin, heading, told, pose)
    place_figure(sizes, numbers, share, told, state, pose)
