"""The whole body moved so that points of it get where they should, compiled ([body] 5.2).

Each round solves dTheta = J+ dx + (I - J+ J) dz: tasks of one level after another, each in what those before
it leave open, then the pose that one would rather have in what all of them leave open. Unknowns are small
turns of joints about the world's axes, and the root's place; each is scaled by how loose it is.

Damping grows with the error (Levenberg and Marquardt; Sugihara 2011): a goal within reach is met as fast,
while a goal out of reach is approached in ever smaller steps. In live poses it grows with all of the error,
not only with what is asked for in one round. Where a step would turn joints beyond their
limits, it is solved again with these directions closed, so that other joints take their part. They are closed
by a share that grows with what lies beyond the limit: the pose is then a continuous function of what was
asked, and does not depend on rounding. Poses that are solved frame after frame, each begun with the last
result, would still pass differences on and on: in these, joints are only kept within their limits.
"""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import NO_SINE, conjugate, exp, log, multiply, quaternion_at, rotate
from footfall.ik.effectors_kernel import (
    FLAGS,
    INDICES,
    NUMBERS,
    ROWS,
    place_joints,
    put_rows,
    put_wanted,
    reached,
)
from footfall.ik.levels_kernel import take_level
from footfall.ik.limits_kernel import LIMITS, clamp_joint, close_directions

_N, _I = nb.float64, nb.int64
# settings
DAMPING = 0  # m: what is harder to move than this is moved less
FARTHEST = 1  # m (and rad, scaled) that a point is asked to go in one round
SHARPEST = 2  # rad that a joint is turned towards the pose it would rather have, in one round
MOST_TURN = 3  # rad that any joint is turned in one round
CLOSE = 4  # m: near enough
ERROR_DAMPING = 5  # squared damping per squared error
LIVE = 6  # 1 for poses that are solved frame after frame
SETTINGS = 7
HALF_CLOSED = 0.005  # rad beyond a limit at which half of a direction is closed
AT_LAST_CLOSED = 5e-5  # rad, the same in the last rounds: the first level alone can be met, and exactly
PATIENCE = 0.03  # m (and rad): with so much missing in levels before it, a level waits
AT_LAST, MANY = 0.85, 10  # of the rounds, where they are many: in the last ones the first level alone counts
UNTIL = 0.7  # of the rounds: in the others goals alone count, so that they are met closely


@kernel()
def _add_rather(  # type: ignore[no-untyped-def]
    parents,
    joints,
    loose,
    root_loose,
    turns,
    rather,
    rather_root,
    root,
    rotations,
    sharpest,
    basis,
    taken,
    step,
    change,
    stops,
):
    """Adds the way to the pose that one would rather have, as far as the tasks leave it open."""
    count = joints.size
    for k in range(count):
        j = joints[k]
        r, q = rather[j], rotations[j]
        w, x, y, z = multiply(quaternion_at(r, 0), conjugate(quaternion_at(q, 0)))
        x, y, z = log((w, x, y, z))  # in the parent's frame
        if j > 0:
            p = turns[parents[j]]
            x, y, z = rotate(quaternion_at(p, 0), (x, y, z))
        angle = np.sqrt(x * x + y * y + z * z)
        scale = (1.0 if angle <= sharpest else sharpest / angle) / max(loose[k], 1e-9)
        step[3 * k], step[3 * k + 1], step[3 * k + 2] = scale * x, scale * y, scale * z
    for c in range(3):
        away = min(max(rather_root[c] - root[c], -sharpest), sharpest)
        step[3 * count + c] = away / root_loose if root_loose > 0.0 else 0.0
    close_directions(step.reshape((1, step.size)), count, stops)
    for b in range(taken):
        along = 0.0
        for c in range(step.size):
            along += step[c] * basis[b, c]
        for c in range(step.size):
            step[c] -= along * basis[b, c]
    for c in range(step.size):
        change[c] += step[c]


@kernel()
def _turn_joints(parents, joints, loose, turns, most, limits, half, change, rotations, turned_to, stops):  # type: ignore[no-untyped-def]
    """Joints turned by a change, all of it less where one joint would turn too far, and kept within limits.

    Fills in `turned_to` and `stops`: what was taken back of a joint's turn is the direction that is closed.
    `half` is how far beyond a limit half of a direction is closed, rad.
    Returns the share of the change that was taken, and whether any joint came to its limits.
    """
    count, largest, stopped = joints.size, 0.0, False
    for k in range(count):
        x, y, z = change[3 * k], change[3 * k + 1], change[3 * k + 2]
        largest = max(largest, loose[k] * np.sqrt(x * x + y * y + z * z))
    share = 1.0 if largest <= most else most / largest
    for k in range(count):
        j, scale = joints[k], share * loose[k]
        x, y, z = scale * change[3 * k], scale * change[3 * k + 1], scale * change[3 * k + 2]
        if j > 0:  # into the parent's frame
            p = turns[parents[j]]
            x, y, z = rotate(conjugate(quaternion_at(p, 0)), (x, y, z))
        a, b, c, d = exp((x, y, z))
        q, t = rotations[j], turned_to[j]
        a, b, c, d = multiply((a, b, c, d), quaternion_at(q, 0))
        size = 1.0 / np.sqrt(a * a + b * b + c * c + d * d)
        a, b, c, d = size * a, size * b, size * c, size * d
        t[0], t[1], t[2], t[3] = a, b, c, d
        stops[k, 3] = 0.0
        if clamp_joint(limits, j, turned_to):
            w, x, y, z = multiply(quaternion_at(t, 0), conjugate((a, b, c, d)))  # what was taken back
            x, y, z = log((w, x, y, z))
            if j > 0:  # about the world's axes
                p = turns[parents[j]]
                x, y, z = rotate(quaternion_at(p, 0), (x, y, z))
            beyond = np.sqrt(x * x + y * y + z * z)
            if beyond > NO_SINE:
                stops[k, 0], stops[k, 1], stops[k, 2] = x / beyond, y / beyond, z / beyond
                stops[k, 3] = beyond / (beyond + half)
                stopped = True
    return share, stopped


@kernel(
    _I(
        INDICES,
        ROWS,
        nb.types.Tuple(LIMITS),
        INDICES,
        NUMBERS,
        _N,
        FLAGS,
        INDICES,
        ROWS,
        ROWS,
        ROWS,
        ROWS,
        INDICES,
        ROWS,
        NUMBERS,
        NUMBERS,
        _I,
        nb.float64[::1],
        nb.float64[:, ::1],
        nb.float64[::1],
    ),
)
def move_body(  # type: ignore[no-untyped-def]
    parents,
    offsets,
    limits,
    joints,
    loose,
    root_loose,
    moves,
    carriers,
    points,
    goals,
    goal_turns,
    wants,
    levels,
    rather,
    rather_root,
    settings,
    rounds,
    root,
    rotations,
    missed,
):
    """Moves root and rotations, in place, towards what effectors want; how many rounds it took.

    Effectors come sorted by `levels`. `missed` is what each still misses, m or rad, whichever is more.
    """
    bones, count, effectors = parents.size, joints.size, carriers.size
    width = 3 * count + 3
    places, turns = np.empty((bones, 3)), np.empty((bones, 4))
    rows, basis = np.empty((6 * effectors, width)), np.empty((6 * effectors, width))
    wanted, change, step = np.empty(6 * effectors), np.empty(width), np.empty(width)
    open_rows, open_wanted = np.empty_like(rows), np.empty_like(wanted)  # before levels take what they leave
    here, stops, turned_to = np.empty(3), np.zeros((count, 4)), np.empty((bones, 4))
    squares, live = np.empty(effectors), settings[LIVE] > 0.0
    done = 0
    for turn in range(rounds + 1):
        place_joints(parents, offsets, root, rotations, places, turns)
        worst, asked = 0.0, 0
        for e in range(effectors):
            here[0], here[1], here[2] = reached(places, turns, carriers[e], points[e])
            position, turning = wants[e, 0], wants[e, 1]
            missed[e], squares[e] = put_wanted(
                here,
                turns[carriers[e]],
                position,
                turning,
                goals[e],
                goal_turns[e],
                settings[FARTHEST],
                open_wanted[asked:],
            )
            put_rows(joints, loose, root_loose, moves[e], places, here, position, turning, open_rows[asked:])
            asked += (3 if position > 0.0 else 0) + (3 if turning > 0.0 else 0)
            worst = max(worst, missed[e])
        if turn == rounds or (worst <= settings[CLOSE] and turn > 0):
            break
        done = turn + 1
        stops[:, 3] = 0.0
        taken_share = 1.0
        last = rounds >= MANY and turn >= AT_LAST * rounds
        for _ in range(1 if live else 2):  # once more where joints come to their limits
            rows[:asked], wanted[:asked], change[:] = open_rows[:asked], open_wanted[:asked], 0.0
            taken, e, at, behind = 0, 0, 0, 0.0
            while e < effectors:  # one level after another
                first, level, own, square = at, levels[e], 0.0, 0.0
                while e < effectors and levels[e] == level:
                    own = max(own, missed[e])
                    square += squares[e]
                    at += (3 if wants[e, 0] > 0.0 else 0) + (3 if wants[e, 1] > 0.0 else 0)
                    e += 1
                share = max(1.0 - behind / PATIENCE, 0.0)
                if taken > 0 and last:
                    share = 0.0
                wanted[first:at] *= share
                behind = max(behind, own)
                close_directions(rows[first:at], count, stops)
                if not live:
                    square = 0.0
                    for r in range(first, at):
                        square += wanted[r] ** 2
                damping = np.sqrt(settings[DAMPING] ** 2 + settings[ERROR_DAMPING] * square)
                taken = take_level(rows[first:at], wanted[first:at], basis, taken, damping, change)
            _add_rather(
                parents,
                joints,
                loose,
                root_loose,
                turns,
                rather,
                rather_root,
                root,
                rotations,
                settings[SHARPEST] * min(max((UNTIL - turn / rounds) / UNTIL, 0.0), 1.0),
                basis,
                taken,
                step,
                change,
                stops,
            )
            taken_share, stopped = _turn_joints(
                parents,
                joints,
                loose,
                turns,
                settings[MOST_TURN],
                limits,
                AT_LAST_CLOSED if last else HALF_CLOSED,
                change,
                rotations,
                turned_to,
                stops,
            )
            if not stopped:
                break
        for k in range(count):
            rotations[joints[k]] = turned_to[joints[k]]
        for c in range(3):
            root[c] += taken_share * root_loose * change[3 * count + c]
    return done
