"""Both legs of a step at moments of its swing, compiled: where they are, and how deep in each other."""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import (
    exp,
    multiply,
    put_quaternion,
    quaternion_at,
    slerp,
    subtract,
    vector_at,
    yaw,
)
from footfall.models.stepspace.apart_limbs_kernel import deepest, put_rods
from footfall.models.stepspace.body_channels import TILT, YAW
from footfall.models.stepspace.body_kernel import put_channels, put_hip
from footfall.models.stepspace.feet_kernel import put_support, put_swing
from footfall.models.stepspace.frame_tables import (
    ABOVE,
    ANKLE,
    BOUND,
    CHAIN,
    KNEE_AND_TOE,
    NO_JOINT,
    REACH,
    REFERENCE,
    SUPPORT,
    SWING,
    SWINGS,
    TOE,
)
from footfall.models.stepspace.legs_kernel import draw_in, solve_leg

NEAR = 0.45  # of a leg's length: feet farther apart are not looked at
CLOSE = -0.015  # m: as deep as legs are that must be looked at more closely
NOT_SEEN = -10.0  # m: as deep as legs are that are far apart

_TILT = TILT.start


@kernel()
def _put_joint(bones, channels, joint, pose):  # type: ignore[no-untyped-def]
    if joint != NO_JOINT:
        turn = exp(vector_at(channels, _TILT + 3 * joint))
        put_quaternion(pose[joint], 0, multiply(quaternion_at(bones[joint], REFERENCE), turn))


@kernel()
def _put_turns(bones, chains, channels, pose):  # type: ignore[no-untyped-def]
    """Rotations of the root and of both legs from channels; see `body_kernel.put_turns`."""
    root = multiply(quaternion_at(bones[0], REFERENCE), exp(vector_at(channels, _TILT)))
    put_quaternion(pose[0], 0, multiply(yaw(channels[YAW]), root))
    for side in range(2):
        for which in (ABOVE, CHAIN):
            for joint in chains[side, which]:
                _put_joint(bones, channels, joint, pose)
        _put_joint(bones, channels, chains[side, KNEE_AND_TOE, 1], pose)


@kernel()
def put_leg(bones, sole, chains, thick, way, pose, rods):  # type: ignore[no-untyped-def]
    """A leg solved to end in its foot, and its rods."""
    solve_leg(bones, sole, chains, way, 0.0, pose)
    put_rods(bones, sole, chains, thick, way, pose, rods)


@kernel()
def _let_go(chains, pose, way):  # type: ignore[no-untyped-def]
    """The toe of a foot in the air is bound by half, or not at all."""
    toe = chains[KNEE_AND_TOE, 1]
    if toe != NO_JOINT:
        put_quaternion(way, TOE, slerp(quaternion_at(pose[toe], 0), quaternion_at(way, TOE), way[BOUND]))


@kernel()
def _put_body(bones, soles, chains, tables, step, since, channels, pose, ways):  # type: ignore[no-untyped-def]
    """The turns of both legs at a moment, and their hips: the swing leg's first."""
    steps_times, body, slopes = tables[0], tables[1], tables[2]
    put_channels(steps_times[step], body[step], slopes[step], since, channels)
    _put_turns(bones, chains, channels, pose)
    foot = tables[6][step, SWINGS]
    for k in range(2):
        side = foot if k == 0 else 1 - foot
        put_hip(bones, soles[side], chains[side], vector_at(channels, 0), pose, ways[k])


@kernel()
def _since(tables, step, share):  # type: ignore[no-untyped-def]
    """s since a step began, at a share of its swing."""
    own, whole = tables[3], tables[6]
    first, last = own[step, 0, whole[step, SWING]], own[step, 0, whole[step, SWING + 1]]
    return first + share * (last - first)


@kernel()
def _looked(bones, soles, chains, thick, tables, step, shares, found, m):  # type: ignore[no-untyped-def]
    """How deep legs are in each other at a moment; both are kept, solved."""
    own, feet, marks, whole, prints = tables[3:]
    ways, poses, rods, _, channels = found
    foot, since = whole[step, SWINGS], _since(tables, step, shares[m])
    if not own[step, 1, whole[step, SUPPORT]] <= since <= own[step, 1, whole[step, SUPPORT + 1]]:
        return NOT_SEEN
    args = feet[step], marks[step], whole[step], prints, since
    put_swing(soles[foot], own[step, 0], *args, ways[m, 0])
    put_support(soles[1 - foot], own[step, 1], *args, ways[m, 1])
    away = subtract(vector_at(ways[m, 0], ANKLE), vector_at(ways[m, 1], ANKLE))
    if np.hypot(away[0], away[2]) > NEAR * soles[foot, REACH]:
        return NOT_SEEN
    _put_body(bones, soles, chains, tables, step, since, channels, poses[m], ways[m])
    draw_in(soles[foot], ways[m, 0], 0.0)
    _let_go(chains[foot], poses[m], ways[m, 0])
    for k in range(2):
        side = foot if k == 0 else 1 - foot
        put_leg(bones, soles[side], chains[side], thick, ways[m, k], poses[m], rods[m, k])
    return deepest(rods[m, 0], rods[m, 1], thick)


@kernel()
def look_at(bones, soles, chains, thick, tables, step, shares, found):  # type: ignore[no-untyped-def]
    """Both legs of a step at moments of its swing: at every other, and at all where they are close."""
    depth, last = found[3], shares.size - 1
    depth[:] = NOT_SEEN
    for m in range(2, last, 2):
        depth[m] = _looked(bones, soles, chains, thick, tables, step, shares, found, m)
    for m in range(1, last, 2):
        if max(depth[m - 1], depth[m + 1]) > CLOSE:
            depth[m] = _looked(bones, soles, chains, thick, tables, step, shares, found, m)
    for m, beside in ((0, 1), (last, last - 1)):
        if depth[beside] > CLOSE:
            depth[m] = _looked(bones, soles, chains, thick, tables, step, shares, found, m)


@kernel()
def look_at_rest(bones, soles, chains, tables, step, shares, found):  # type: ignore[no-untyped-def]
    """The swing leg's foot and hip at the moments that were passed over."""
    own, feet, marks, whole, prints = tables[3:]
    ways, poses, _, depth, channels = found
    foot = whole[step, SWINGS]
    for m in range(shares.size):
        if depth[m] == NOT_SEEN:
            since = _since(tables, step, shares[m])
            args = feet[step], marks[step], whole[step], prints, since
            put_swing(soles[foot], own[step, 0], *args, ways[m, 0])
            _put_body(bones, soles, chains, tables, step, since, channels, poses[m], ways[m])
