"""One arm's reach laid over a pose, compiled ([body] 5.1).

The blend's difference from its own rest is added to whatever pose comes in: each joint turns on in its own
frame. The arm that reaches is drawn to the blend itself as it goes out, so that what it did before (swinging,
lying on a thigh) fades.
"""

from __future__ import annotations

import numba as nb
import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import conjugate, multiply, put_quaternion, quaternion_at, smootherstep
from footfall.models.movements.blend_kernel import blend_pose
from footfall.models.reach.effector_kernel import CLOCKS, INDICES, NUMBERS, ROWS, SPANS, effector
from footfall.weights.nearest_kernel import nearest_weights

LEAVE, END = 2.0, 3.0  # generic times
STIFF = 14.0  # 1/s: half of a change of weights is followed in an eighth of a second
NOW, ANCHOR = 0, 1  # rows of what is told of the hand: where it is, and where at the apex
_N = nb.float64


@kernel()
def _put_mixed(a, b, share, out):  # type: ignore[no-untyped-def]
    """A rotation between two, the short way; b's own where the share is 1."""
    sign = 1.0 if a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] >= 0.0 else -1.0
    u, v = 1.0 - share, share * sign
    w, x, y, z = u * a[0] + v * b[0], u * a[1] + v * b[1], u * a[2] + v * b[2], u * a[3] + v * b[3]
    length = np.sqrt(w * w + x * x + y * y + z * z)
    if length > 1e-9:
        out[0], out[1], out[2], out[3] = w / length, x / length, y / length, z / length
    else:
        out[0], out[1], out[2], out[3] = b[0], b[1], b[2], b[3]


@kernel(nb.void(
        nb.float64[::1], nb.float64[:, ::1], nb.float64[::1], nb.float64[:, ::1], NUMBERS, _N,
        nb.float64[::1], nb.float64[:, ::1],
    ))  # fmt: skip
def mix_poses(root_a, a, root_b, b, shares, root_share, root, rotations):  # type: ignore[no-untyped-def]
    """Joint by joint between two poses: a's where a share is 0, b's where it is 1. `rotations` may be a."""
    for c in range(3):
        root[c] = (1.0 - root_share) * root_a[c] + root_share * root_b[c]
    for j in range(rotations.shape[0]):
        _put_mixed(a[j], b[j], shares[j], rotations[j])


@kernel()
def _laid(rest_root, rest, root, turns, heading, pose_root, pose, arm, share, out_root, out):  # type: ignore[no-untyped-def]
    """A blend's difference from its rest, on top of a pose."""
    x, z = root[0] - rest_root[0], root[2] - rest_root[2]
    cosine, sine = np.cos(heading), np.sin(heading)
    out_root[0] = pose_root[0] + cosine * x + sine * z
    out_root[1] = pose_root[1] + root[1] - rest_root[1]
    out_root[2] = pose_root[2] - sine * x + cosine * z
    for j in range(out.shape[0]):
        r, q, p = rest[j], turns[j], pose[j]
        w, x, y, z = multiply(conjugate(quaternion_at(r, 0)), quaternion_at(q, 0))
        o = out[j]
        put_quaternion(o, 0, multiply(quaternion_at(p, 0), (w, x, y, z)))
        if arm[j] > 0.0:
            _put_mixed(o, q, share * arm[j], o)


@kernel()
def _follow(wanted, weights, rates, seconds):  # type: ignore[no-untyped-def]
    """Weights on their way to those wanted, critically damped: where neighbours change, the body does not
    start. All of them sum to one as before.
    """
    if seconds < 0.0:
        weights[:] = wanted
        rates[:] = 0.0
        return
    left = np.exp(-STIFF * seconds)
    for k in range(weights.size):
        away = weights[k] - wanted[k]
        push = rates[k] + STIFF * away
        weights[k] = wanted[k] + left * (away + push * seconds)
        rates[k] = left * (rates[k] - STIFF * push * seconds)


@kernel(nb.void(
        nb.types.Tuple((ROWS, INDICES, INDICES, ROWS, nb.int64)), nb.types.Tuple((ROWS, SPANS, CLOCKS)),
        INDICES, ROWS, NUMBERS, nb.int64, NUMBERS, NUMBERS, NUMBERS, NUMBERS, ROWS,
        nb.float64[:, ::1], nb.float64[::1], nb.float64[:, ::1], nb.float64[:, ::1],
    ))  # fmt: skip
def lay_reach(  # type: ignore[no-untyped-def]
    nearest, tables, parents, offsets, arm, hand, point, query, moment, pose_root, pose,
    follow, out_root, out, told,
):  # fmt: skip
    """The pose with one arm's reach on it. `moment`: generic time, the anchor's, the share, the heading, and
    the seconds since the last frame, under 0 for the first. `follow` are weights and their rates.

    `query`, in the figure's frame, is where the hand goes; `told` gets where the palm is, and at the anchor.
    """
    rows, spans, clocks = tables
    generic, anchor, share, heading = moment[0], moment[1], moment[2], moment[3]
    points, order, axes, known, kept = nearest
    wanted, weights = np.empty(follow.shape[1]), follow[0]
    nearest_weights(points, order, axes, known, kept, query, wanted)
    _follow(wanted, weights, follow[1], moment[4])
    joints = parents.size
    rest_root, rest = np.empty(3), np.empty((joints, 4))
    root, turns = np.empty(3), np.empty((joints, 4))
    blend_pose(rows, spans, clocks, weights, 0.0, rest_root, rest)
    if anchor != generic:
        blend_pose(rows, spans, clocks, weights, anchor, root, turns)
        _laid(rest_root, rest, root, turns, heading, pose_root, pose, arm, 1.0, out_root, out)
        x, y, z = effector(parents, offsets, out_root, out, hand, point)
        told[ANCHOR, 0], told[ANCHOR, 1], told[ANCHOR, 2] = x, y, z
    if generic > LEAVE:  # a reach ends otherwise than it began: what is left of that fades on the way back
        s = smootherstep(generic - LEAVE)
        blend_pose(rows, spans, clocks, weights, END, root, turns)
        for c in range(3):
            rest_root[c] += s * (root[c] - rest_root[c])
        for j in range(joints):
            _put_mixed(rest[j], turns[j], s, rest[j])
    blend_pose(rows, spans, clocks, weights, generic, root, turns)
    _laid(rest_root, rest, root, turns, heading, pose_root, pose, arm, share, out_root, out)
    x, y, z = effector(parents, offsets, out_root, out, hand, point)
    told[NOW, 0], told[NOW, 1], told[NOW, 2] = x, y, z
    if anchor == generic:
        told[ANCHOR, 0], told[ANCHOR, 1], told[ANCHOR, 2] = x, y, z
