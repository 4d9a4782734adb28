"""Joined steps as frames, compiled: everything before the ground is asked for, and everything after.

What the body, the feet, the heels and the legs do at one frame lies in files of their own.
"""

from __future__ import annotations

import numpy as np

from footfall.adapt.legroom import IN_TIME
from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import put_quaternion, quaternion_at, slerp, vector_at
from footfall.models.stepspace.bells_kernel import over_peaks
from footfall.models.stepspace.body_kernel import put_channels, put_hip, put_turns, step_at
from footfall.models.stepspace.feet_kernel import flying_in, put_support, put_swing
from footfall.models.stepspace.frame_tables import BOUND, KNEE_AND_TOE, NO_JOINT, START, SWINGS, TOE
from footfall.models.stepspace.heels_kernel import raise_heels
from footfall.models.stepspace.legs_kernel import draw_in, solve_leg, too_high
from footfall.models.stepspace.table_types import FIGURE, NUMBER, STEPS, read_only

_FRAMES = (NUMBER[:, ::1], NUMBER[:, :, ::1], NUMBER[:, :, ::1], NUMBER[::1])


@kernel()
def _put_feet(soles, own, feet, marks, whole, prints, step, since, left, right):  # type: ignore[no-untyped-def]
    """Both feet of a frame, their ways beside each other."""
    foot = whole[step, SWINGS]
    way, other = (right, left) if foot else (left, right)
    put_swing(soles[foot], own[step, 0], feet[step], marks[step], whole[step], prints, since, way)
    air, when = flying_in(own[step, 1], marks, whole, step, since)
    sole = soles[1 - foot]
    if air == step:
        put_support(sole, own[step, 1], feet[step], marks[step], whole[step], prints, since, other)
    else:
        put_swing(sole, own[air, 0], feet[air], marks[air], whole[air], prints, when, other)


@kernel()
def _come_down(soles, ways, fps, down):  # type: ignore[no-untyped-def]
    """How far the body comes down: never less than any leg needs, smoothly, and no longer than it must."""
    needed = np.zeros(down.size)
    for side in range(2):
        for f in range(down.size):
            needed[f] = max(needed[f], too_high(soles[side], ways[side, f]))
    over_peaks(needed, IN_TIME * fps, down)


@kernel((*FIGURE, *STEPS, read_only(NUMBER, 1), NUMBER, *_FRAMES))
def lay_frames(  # type: ignore[no-untyped-def]
    bones,
    soles,
    chains,
    times,
    body,
    slopes,
    feet_times,
    feet,
    marks,
    whole,
    prints,
    moments,
    fps,
    root,
    rotations,
    ways,
    down,
):
    """The body as the steps have it, how far it comes down, and feet with toes as the legs reach them."""
    channels = np.empty(body.shape[2])
    step = 0
    for f in range(moments.size):
        step = step_at(times, marks, moments[f], step if f > 0 and moments[f] >= moments[f - 1] else 0)
        since = moments[f] - marks[step, START]
        put_channels(times[step], body[step], slopes[step], since, channels)
        root[f, 0], root[f, 1], root[f, 2] = channels[0], channels[1], channels[2]
        put_turns(bones, channels, rotations[f])
        for side in range(2):
            put_hip(bones, soles[side], chains[side], vector_at(root[f], 0), rotations[f], ways[side, f])
        _put_feet(soles, feet_times, feet, marks, whole, prints, step, since, ways[0, f], ways[1, f])
    for side in range(2):
        raise_heels(soles[side], ways[side], fps)
    _come_down(soles, ways, fps, down)
    for side in range(2):
        toe = chains[side, KNEE_AND_TOE, 1]
        for f in range(moments.size):
            way = ways[side, f]
            draw_in(soles[side], way, down[f])
            if toe != NO_JOINT:
                put_quaternion(
                    way, TOE, slerp(quaternion_at(rotations[f, toe], 0), quaternion_at(way, TOE), way[BOUND])
                )


@kernel()
def _continue_turns(rotations):  # type: ignore[no-untyped-def]
    """Signs chosen so that successive frames lie on one hemisphere."""
    signs = np.ones(rotations.shape[1])
    for f in range(1, rotations.shape[0]):
        for joint in range(rotations.shape[1]):
            a, b = quaternion_at(rotations[f - 1, joint], 0), quaternion_at(rotations[f, joint], 0)
            # the frame before has its sign already
            if signs[joint] * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]) < 0.0:
                signs[joint] = -signs[joint]
            if signs[joint] < 0.0:
                put_quaternion(rotations[f, joint], 0, (-b[0], -b[1], -b[2], -b[3]))


@kernel((*FIGURE, *_FRAMES))
def solve_legs(bones, soles, chains, root, rotations, ways, down):  # type: ignore[no-untyped-def]
    """Legs solved to end in their feet, toes over the levels of the ground."""
    for f in range(down.size):
        for side in range(2):
            solve_leg(bones, soles[side], chains[side], ways[side, f], down[f], rotations[f])
        root[f, 1] -= down[f]
    _continue_turns(rotations)
