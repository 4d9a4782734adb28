"""Joined steps as frames, compiled: everything before the ground is asked for, and everything after.

What the body, the feet, the heels and the legs do at one frame lies in kernels of their own.
"""

from __future__ import annotations

import numba as nb
import numpy as np
from numba import types

from footfall.adapt.legroom import IN_TIME
from footfall.models.stepspace.bells_kernel import over_peaks
from footfall.models.stepspace.body_kernel import channels_at, piece_at, put_body, put_hips
from footfall.models.stepspace.feet_kernel import put_feet
from footfall.models.stepspace.frame_tables import BOUND, NO_JOINT, TOE
from footfall.models.stepspace.heels_kernel import raise_heels
from footfall.models.stepspace.legs_kernel import draw_in, solve_leg, too_high
from footfall.models.stepspace.tables_kernel import FIGURE, FRAMES, NUMBER, STEPS, put_turn, turn_in
from footfall.models.stepspace.turns_kernel import slerp

_TIMES = types.Array(types.float64, 1, "C", readonly=True)


@nb.njit(nogil=True, error_model="numpy")
def _lay(figure, steps, times, frames):  # type: ignore[no-untyped-def]
    """Body, hips and feet at all frames, each by itself."""
    channels = np.empty(steps.body.shape[2])
    step = 0
    for f in range(times.size):
        if f > 0 and times[f] < times[f - 1]:
            step = 0
        step, sample = piece_at(steps, times[f], step)
        channels_at(steps, step, sample, times[f], channels)
        put_body(figure, channels, frames, f)
        put_hips(figure, frames, f)
        put_feet(figure, steps, step, times[f] - steps.starts[step], frames, f)


@nb.njit(nogil=True, error_model="numpy")
def _come_down(figure, frames, fps):  # type: ignore[no-untyped-def]
    """How far the body comes down: never less than any leg needs, smoothly, and no longer than it must."""
    needed = np.zeros(frames.down.size)
    for f in range(needed.size):
        for side in range(2):
            needed[f] = max(needed[f], too_high(figure, frames, side, f))
    over_peaks(needed, IN_TIME * fps, frames.down)


@nb.njit(types.void(FIGURE, STEPS, _TIMES, NUMBER, FRAMES), cache=True, nogil=True)
def lay_frames(figure, steps, times, fps, frames):  # type: ignore[no-untyped-def]
    """The body as the steps have it, how far it comes down, and feet with toes as the legs reach them."""
    _lay(figure, steps, times, frames)
    raise_heels(figure, frames, fps)
    _come_down(figure, frames, fps)
    for side in range(2):
        joint = figure.joints[side, 1]
        for f in range(times.size):
            draw_in(figure, frames, side, f)
            if joint != NO_JOINT:
                lies, own = turn_in(frames.ways, side, f, TOE), turn_in(frames.rotations, f, joint, 0)
                put_turn(frames.ways, side, f, TOE, slerp(own, lies, frames.ways[side, f, BOUND]))


@nb.njit(nogil=True, error_model="numpy")
def _continue_turns(frames):  # type: ignore[no-untyped-def]
    """Signs chosen so that successive frames lie on one hemisphere."""
    rotations = frames.rotations
    signs = np.ones(rotations.shape[1])
    for f in range(1, rotations.shape[0]):
        for joint in range(rotations.shape[1]):
            a, b = turn_in(rotations, f - 1, joint, 0), turn_in(rotations, f, joint, 0)
            # the frame before has its sign already
            if signs[joint] * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]) < 0.0:
                signs[joint] = -signs[joint]
            if signs[joint] < 0.0:
                put_turn(rotations, f, joint, 0, (-b[0], -b[1], -b[2], -b[3]))


@nb.njit(types.void(FIGURE, FRAMES), cache=True, nogil=True)
def solve_legs(figure, frames):  # type: ignore[no-untyped-def]
    """Legs solved to end in their feet, toes over the levels of the ground."""
    for f in range(frames.down.size):
        for side in range(2):
            solve_leg(figure, frames, side, f)
        frames.root[f, 1] -= frames.down[f]
    _continue_turns(frames)
