"""What a layer adds to a pose, and whether that jumps, compiled."""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import conjugate, multiply, put_quaternion, quaternion_at
from footfall.ik.effectors_kernel import INDICES, NUMBERS, ROWS, place_joints

LEAST = 0.1  # of the most that a joint goes, which a layer may always count on
ALWAYS = 0.01  # of the most that hips go, which a layer may always move them by: layers add up
TRIALS = 24  # of a share, each to half of what was left
SAME = 1e-9  # m
FAR, ROUND = 0.25, 0.3  # m, rad: who is farther away from one frame to the next, and went there faster
JUMPS, SPINS = 5.0, 25.0  # than so many m/s and rad/s, was put there
_N = nb.float64


@kernel(nb.boolean(
        nb.types.Array(_N, 1, "C", readonly=True), ROWS, nb.types.Array(_N, 1, "C", readonly=True), ROWS,
        nb.float64[::1], nb.float64[::1], nb.float64[:, ::1], nb.float64[::1], nb.float64[:, ::1],
    ))  # fmt: skip
def take_added(root, rotations, made_root, made, most, last_moved, last, moved, turned):  # type: ignore[no-untyped-def]
    """Puts what was added to a pose into `moved` and `turned`; whether it is too far from what it was last.

    `most` tells how far is too far: by joint, rad, and last for the root, m.
    """
    jumps, away = False, 0.0
    for k in range(3):
        by = made_root[k] - root[k]
        away += (by - last_moved[k]) ** 2
        moved[k] = by
    count = rotations.shape[0]
    if away > most[count] * most[count]:
        jumps = True
    for j in range(count):
        p, q, t = rotations[j], made[j], last[j]
        w, x, y, z = multiply(conjugate(quaternion_at(p, 0)), quaternion_at(q, 0))
        near = abs(w * t[0] + x * t[1] + y * t[2] + z * t[3])
        if near < 1.0 and near < np.cos(min(0.5 * most[j], 0.5 * np.pi)):
            jumps = True
        turned[j, 0], turned[j, 1], turned[j, 2], turned[j, 3] = w, x, y, z
    return jumps


@kernel()
def _between(a, b, share, out):  # type: ignore[no-untyped-def]
    """A rotation a share of the way from one to another, the short way."""
    sign = 1.0 if a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] >= 0.0 else -1.0
    u, v = 1.0 - share, share * sign
    w, x, y, z = u * a[0] + v * b[0], u * a[1] + v * b[1], u * a[2] + v * b[2], u * a[3] + v * b[3]
    size = 1.0 / np.sqrt(max(w * w + x * x + y * y + z * z, 1e-18))
    out[0], out[1], out[2], out[3] = size * w, size * x, size * y, size * z


@kernel()
def _added(rotations, last, wanted, share, out):  # type: ignore[no-untyped-def]
    """Rotations with a share of the way from what was added to what is to be added now."""
    for j in range(out.shape[0]):
        _between(last[j], wanted[j], share, out[j])
        p, q = rotations[j], out[j]
        put_quaternion(out[j], 0, multiply(quaternion_at(p, 0), quaternion_at(q, 0)))


@kernel()
def _kept(before, own, first, share, out):  # type: ignore[no-untyped-def]
    """Rotations a share of the way from a pose to another, from the `first` joint on; before it the other."""
    out[0] = own[0]
    for j in range(first, out.shape[0]):
        _between(before[j], own[j], share, out[j])


@kernel()
def _gone(places, before, hips, j):  # type: ignore[no-untyped-def]
    """m that a joint has gone beside the hips; hips, in the world."""
    x, y, z = places[j, 0] - before[j, 0], places[j, 1] - before[j, 1], places[j, 2] - before[j, 2]
    if j != hips:
        x -= places[hips, 0] - before[hips, 0]
        y -= places[hips, 1] - before[hips, 1]
        z -= places[hips, 2] - before[hips, 2]
    return np.sqrt(x * x + y * y + z * z)


@kernel()
def _too_fast(places, before, hips, most):  # type: ignore[no-untyped-def]
    fast = False
    for j in range(most.size):
        fast |= j != hips and _gone(places, before, hips, j) > most[j]
    return fast


@kernel()
def _haste(places, before, given, given_before, hips, most, calm):  # type: ignore[no-untyped-def]
    """How many times as fast as it should what a layer adds moves a joint, of what the pose given leaves."""
    worst = 0.0
    for j in range(most.size):
        if not most[j] < np.inf:
            continue
        added = 0.0
        for k in range(3):
            by = places[j, k] - before[j, k] - given[j, k] + given_before[j, k]
            if j != hips:
                by -= places[hips, k] - before[hips, k] - given[hips, k] + given_before[hips, k]
            added += by * by
        left = max(calm * most[j] - _gone(given, given_before, hips, j), LEAST * most[j])
        worst = max(worst, np.sqrt(added) / left)
    return worst


@kernel(nb.types.UniTuple(_N, 2)(
        INDICES, ROWS, nb.int64, NUMBERS, _N, NUMBERS, ROWS, NUMBERS, ROWS, NUMBERS, ROWS,
        nb.float64[::1], nb.float64[:, ::1], nb.float64[::1], nb.float64[:, ::1], nb.boolean,
    ))  # fmt: skip
def hold_back(  # type: ignore[no-untyped-def]
    parents, offsets, hips, most, calm, before_root, before_turns, given_root, given_turns, root, rotations,
    last_moved, last, made_root, made, elsewhere,
):  # fmt: skip
    """Hold back the pose `made`, in place, so that no joint goes farther than `most` (m, by joint) from
    the last pose shown; return the share of the way to it, and the haste of what was to be added.

    What is added to the pose of the layers before (`root`, `rotations`) goes a share of the way from what was
    added `last`. Where that pose goes too fast even so, with what was added last, the pose is held back
    itself; but for its root where the layers before have put the figure `elsewhere`. Haste over 1 would use
    more than `calm` of what people do, and of what the layers before leave of it.
    """
    count = parents.size
    before, places, turns = np.empty((count, 3)), np.empty((count, 3)), np.empty((count, 4))
    given, given_before = np.empty((count, 3)), np.empty((count, 3))
    place_joints(parents, offsets, root, rotations, given, turns)
    place_joints(parents, offsets, given_root, given_turns, given_before, turns)
    place_joints(parents, offsets, before_root, before_turns, before, turns)
    place_joints(parents, offsets, made_root, made, places, turns)
    haste = 0.0 if elsewhere else _haste(places, before, given, given_before, hips, most, calm)
    moved, gone, moves = np.empty(3), 0.0, 0.0
    for k in range(3):
        moved[k] = made_root[k] - root[k]
        gone += (root[k] + last_moved[k] - before_root[k]) ** 2
        moves += (moved[k] - last_moved[k]) ** 2
    gone, moves = np.sqrt(gone), np.sqrt(moves)
    # m that hips may be moved beside the way they go by themselves
    left = max(most[hips] - gone, ALWAYS * most[hips])
    most_share = 1.0 if moves <= left else left / moves
    if most_share >= 1.0 and not _too_fast(places, before, hips, most):
        return 1.0, haste
    turned = np.empty((count, 4))
    for j in range(count):
        p, q = rotations[j], made[j]
        put_quaternion(turned[j], 0, multiply(conjugate(quaternion_at(p, 0)), quaternion_at(q, 0)))
    low, high = 0.0, most_share
    for trial in range(TRIALS):
        share = high if trial == 0 else 0.5 * (low + high)
        _added(rotations, last, turned, share, made)
        place_joints(parents, offsets, made_root, made, places, turns)
        if _too_fast(places, before, hips, most):
            high = share
        else:
            low = share
            if trial == 0:
                break
    for k in range(3):
        made_root[k] = root[k] + last_moved[k] + low * (moved[k] - last_moved[k])
    _added(rotations, last, turned, low, made)
    if low > 0.0:
        return low, haste
    place_joints(parents, offsets, made_root, made, places, turns)
    if not _too_fast(places, before, hips, most):
        return low, haste
    own, bound, begin = made.copy(), most.copy(), 1 if elsewhere else 0
    if elsewhere:
        # joints that go so fast because the root turns are not held back by this
        _kept(before_turns, own, begin, 0.0, made)
        place_joints(parents, offsets, made_root, made, places, turns)
        for j in range(most.size):
            bound[j] = max(most[j], _gone(places, before, hips, j) + SAME)
    first, second = 0.0, 1.0
    for _ in range(TRIALS):
        share = 0.5 * (first + second)
        _kept(before_turns, own, begin, share, made)
        place_joints(parents, offsets, made_root, made, places, turns)
        if _too_fast(places, before, hips, bound):
            second = share
        else:
            first = share
    _kept(before_turns, own, begin, first, made)
    return low, haste


@kernel(nb.boolean(INDICES, ROWS, nb.int64, NUMBERS, NUMBERS, ROWS, NUMBERS, ROWS))
def hurries(parents, offsets, hips, most, before_root, before_turns, root, rotations):  # type: ignore[no-untyped-def]
    """Whether a joint goes farther than `most` (m, by joint) from one pose to another."""
    count = parents.size
    before, places, turns = np.empty((count, 3)), np.empty((count, 3)), np.empty((count, 4))
    place_joints(parents, offsets, before_root, before_turns, before, turns)
    place_joints(parents, offsets, root, rotations, places, turns)
    return _too_fast(places, before, hips, most)


@kernel(nb.void(INDICES, ROWS, nb.int64, NUMBERS, ROWS, NUMBERS, ROWS, nb.float64[::1]))
def raise_to_own(parents, offsets, hips, before_root, before_turns, root, rotations, most):  # type: ignore[no-untyped-def]
    """Raises `most` (m, by joint) to what each joint goes by itself from one pose to another."""
    count = parents.size
    before, places, turns = np.empty((count, 3)), np.empty((count, 3)), np.empty((count, 4))
    place_joints(parents, offsets, before_root, before_turns, before, turns)
    place_joints(parents, offsets, root, rotations, places, turns)
    for j in range(count):
        most[j] = max(most[j], _gone(places, before, hips, j) + SAME)


@kernel(nb.boolean(NUMBERS, ROWS, NUMBERS, ROWS, _N))
def put_elsewhere(before_root, before, root, rotations, dt):  # type: ignore[no-untyped-def]
    """Whether a figure is somewhere else at once, as by a command to be there."""
    away = 0.0
    for k in range(3):
        away += (root[k] - before_root[k]) ** 2
    away = np.sqrt(away)
    a, b = before[0], rotations[0]
    near = abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3])
    angle = 2.0 * np.arccos(min(near, 1.0))
    return (away > FAR and away > JUMPS * dt) or (angle > ROUND and angle > SPINS * dt)
