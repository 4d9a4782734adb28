"""Fingers closed on a held thing until they touch it, compiled ([body] 5.3).

All fingers go from open to closed. A segment that touches is locked together with its parents; the segments
beyond it go on. Conservative advancement finds when: a share of the way is gone that brings no point nearer
than it is far, again and again. So nothing ever enters, and what touches is between CLEAR and TOUCH of the
surface. The thumb comes last and stops at fingers too. Everything happens in the held thing's own frame.
"""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import exp, multiply, put_vector, rotate, vector_at
from footfall.ik.held import TOUCH
from footfall.ik.segment_distance_kernel import between_segments, from_box

CLEAR = 1e-4  # m: nothing gets nearer
MOST_ROUNDS = 600  # of advancing, for a finger: then it stays where it is, which is always outside
ROWS = nb.types.Array(nb.float64, 2, "C", readonly=True)
NUMBERS = nb.types.Array(nb.float64, 1, "C", readonly=True)
PALM = nb.types.Array(nb.float64, 3, "C", readonly=True)
INDICES = nb.types.Array(nb.int64, 1, "C", readonly=True)
# knuckles, bones, radii, open turns, what is added to them up to closed, where fingers begin
HAND = nb.types.Tuple((ROWS, ROWS, NUMBERS, ROWS, ROWS, INDICES))
_OUT, _LIST = nb.float64[:, ::1], nb.float64[::1]


@kernel(nb.void(HAND, NUMBERS, NUMBERS, nb.int64, nb.int64, _LIST, _OUT, _OUT, _OUT))
def place_finger(hand, place, turn, first, last, shares, starts, axes, turns):  # type: ignore[no-untyped-def]
    """Where one finger's capsules are, for a hand at `place` turned by `turn`."""
    knuckles, bones, _, opened, added, _ = hand
    q0, q1, q2, q3 = turn[0], turn[1], turn[2], turn[3]
    px, py, pz = place[0], place[1], place[2]
    for s in range(first, last):
        sx, sy, sz = knuckles[s, 0], knuckles[s, 1], knuckles[s, 2]
        if s > first:
            sx, sy, sz = sx - knuckles[s - 1, 0], sy - knuckles[s - 1, 1], sz - knuckles[s - 1, 2]
        x, y, z = rotate((q0, q1, q2, q3), (sx, sy, sz))
        px, py, pz = px + x, py + y, pz + z
        t = shares[s]
        r = exp(
            (opened[s, 0] + t * added[s, 0], opened[s, 1] + t * added[s, 1], opened[s, 2] + t * added[s, 2])
        )
        q0, q1, q2, q3 = multiply((q0, q1, q2, q3), r)
        starts[s, 0], starts[s, 1], starts[s, 2] = px, py, pz
        turns[s, 0], turns[s, 1], turns[s, 2], turns[s, 3] = q0, q1, q2, q3
        put_vector(axes[s], 0, rotate((q0, q1, q2, q3), vector_at(bones[s], 0)))


@kernel()
def _gap(start, axis, radius, half, skin):  # type: ignore[no-untyped-def]
    d, u = from_box(start[0], start[1], start[2], axis[0], axis[1], axis[2], half[0], half[1], half[2])
    return d - skin - radius, u


@kernel()
def _speed(knuckles, bones, added, k, s):  # type: ignore[no-untyped-def]
    """At most so far does a point of segment s go, a share: each free joint turns all that is beyond it."""
    reach = np.sqrt(bones[s, 0] ** 2 + bones[s, 1] ** 2 + bones[s, 2] ** 2)
    speed = 0.0
    for a in range(s, k - 1, -1):
        speed += reach * np.sqrt(added[a, 0] ** 2 + added[a, 1] ** 2 + added[a, 2] ** 2)
        if a > k:
            x, y, z = (
                knuckles[a, 0] - knuckles[a - 1, 0],
                knuckles[a, 1] - knuckles[a - 1, 1],
                knuckles[a, 2] - knuckles[a - 1, 2],
            )
            reach += np.sqrt(x * x + y * y + z * z)
    return speed


@kernel(
    nb.int64(HAND, NUMBERS, NUMBERS, NUMBERS, nb.float64, nb.boolean, _LIST, _LIST, _LIST, _OUT, _OUT),
)
def close_fingers(hand, place, turn, half, skin, thumb, shares, gaps, along, starts, axes):  # type: ignore[no-untyped-def]
    """Writes each segment's share, gap, nearest place along it and capsule; tells the rounds taken."""
    knuckles, bones, radii, _, added, firsts = hand
    turns = np.empty((radii.size, 4))
    fingers = firsts.size - 1
    rounds = 0
    for i in range(fingers):
        # the thumb is the first, and closes last
        f = (i + 1) % fingers if thumb else i
        first, last = firsts[f], firsts[f + 1]
        is_thumb = thumb and f == 0
        k, t = first, 0.0
        for _ in range(MOST_ROUNDS):
            rounds += 1
            for s in range(k, last):
                shares[s] = t
            place_finger(hand, place, turn, first, last, shares, starts, axes, turns)
            stopped, step = -1, 1.0 - t
            for s in range(k, last):
                gaps[s], along[s] = _gap(starts[s], axes[s], radii[s], half, skin)
                free = gaps[s]
                if is_thumb:
                    for o in range(last, radii.size):
                        apart = between_segments(starts[s], axes[s], starts[o], axes[o])
                        free = min(free, apart - radii[s] - radii[o])
                if free <= TOUCH:
                    stopped = s
                else:
                    step = min(step, (free - CLEAR) / max(_speed(knuckles, bones, added, k, s), 1e-12))
            if stopped >= 0:
                k = stopped + 1
            elif t >= 1.0:
                k = last
            else:
                t = min(t + step, 1.0)
            if k >= last:
                break
        for s in range(first, last):
            gaps[s], along[s] = _gap(starts[s], axes[s], radii[s], half, skin)
    return rounds


@kernel(nb.void(PALM, NUMBERS, NUMBERS, _OUT, _OUT))
def place_palm(palm, place, turn, starts, axes):  # type: ignore[no-untyped-def]
    """Where the palm's capsules are."""
    q0, q1, q2, q3 = turn[0], turn[1], turn[2], turn[3]
    for p in range(palm.shape[0]):
        x, y, z = rotate((q0, q1, q2, q3), vector_at(palm[p, 0], 0))
        u, v, w = rotate((q0, q1, q2, q3), vector_at(palm[p, 1], 0))
        starts[p, 0], starts[p, 1], starts[p, 2] = place[0] + x, place[1] + y, place[2] + z
        axes[p, 0], axes[p, 1], axes[p, 2] = u - x, v - y, w - z


@kernel(nb.float64(HAND, PALM, NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS, nb.float64, nb.float64))
def approach(hand, palm, palm_radii, place, turn, direction, half, skin, farthest):  # type: ignore[no-untyped-def]
    """How far the open hand goes in a direction until palm or fingers touch; `farthest` if they never do."""
    radii, firsts = hand[2], hand[5]
    count, pieces = radii.size, palm_radii.size
    starts, axes = np.empty((count + pieces, 3)), np.empty((count + pieces, 3))
    shares, turns = np.zeros(count), np.empty((count, 4))
    for f in range(firsts.size - 1):
        place_finger(hand, place, turn, firsts[f], firsts[f + 1], shares, starts, axes, turns)
    place_palm(palm, place, turn, starts[count:], axes[count:])
    gone, moved = 0.0, np.empty(3)
    while gone < farthest:
        nearest = farthest
        for s in range(count + pieces):
            for c in range(3):
                moved[c] = starts[s, c] + gone * direction[c]
            radius = radii[s] if s < count else palm_radii[s - count]
            nearest = min(nearest, _gap(moved, axes[s], radius, half, skin)[0])
        if nearest <= TOUCH:
            return gone
        gone += nearest - CLEAR
    return farthest


@kernel(nb.float64(PALM, NUMBERS, NUMBERS, NUMBERS, NUMBERS, nb.float64))
def gap_of_palm(palm, palm_radii, place, turn, half, skin):  # type: ignore[no-untyped-def]
    """How far the palm is from the thing; negative inside."""
    starts, axes = np.empty((palm_radii.size, 3)), np.empty((palm_radii.size, 3))
    place_palm(palm, place, turn, starts, axes)
    nearest = np.inf
    for p in range(palm_radii.size):
        nearest = min(nearest, _gap(starts[p], axes[p], palm_radii[p], half, skin)[0])
    return nearest
