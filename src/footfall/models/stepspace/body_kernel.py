"""The body at every frame, compiled: its channels from the steps' samples, its turns, where its legs begin."""

from __future__ import annotations

import numba as nb
import numpy as np
from numba import types

from footfall.models.stepspace.body_channels import TILT, YAW
from footfall.models.stepspace.frame_tables import CAPTURED, HIP, NO_JOINT, PELVIS
from footfall.models.stepspace.tables_kernel import (
    FIGURE,
    FRAMES,
    INT,
    NUMBER,
    ROW,
    STEPS,
    put_turn,
    put_vector,
    turn_in,
    turn_of,
    vector_of,
)
from footfall.models.stepspace.turns_kernel import dot, exp, multiply, rotate

_TILT = TILT.start


@nb.njit(nogil=True, error_model="numpy")
def piece_at(steps, time, guess):  # type: ignore[no-untyped-def]
    """The step and the sample at whose piece a frame lies, held at both ends; `guess` is not after it."""
    starts, times = steps.starts, steps.times
    samples, last = times.shape[1], times.shape[0] - 1
    step = guess
    while step < last and not starts[step + 1] + times[step + 1, 0] > time:
        step += 1
    since, sample = time, samples - 2
    while sample > 0 and starts[step] + times[step, sample] > since:
        sample -= 1
    return step, sample


@nb.njit(nogil=True, error_model="numpy")
def channels_at(steps, step, sample, time, out):  # type: ignore[no-untyped-def]
    """The body's channels: cubics through samples with their slopes."""
    begin = steps.starts[step] + steps.times[step, sample]
    h = steps.times[step, sample + 1] - steps.times[step, sample]
    t = min(max((time - begin) / h, 0.0), 1.0)
    t2 = t * t
    t3 = t2 * t
    blend, rising, falling = 3.0 * t2 - 2.0 * t3, t3 - 2.0 * t2 + t, t3 - t2
    a, b = steps.body[step, sample], steps.body[step, sample + 1]
    slope_a, slope_b = steps.body_slopes[step, sample], steps.body_slopes[step, sample + 1]
    for k in range(out.size):
        out[k] = a[k] + blend * (b[k] - a[k]) + h * (rising * slope_a[k] + falling * slope_b[k])


@nb.njit(nogil=True, error_model="numpy")
def put_body(figure, channels, frames, f):  # type: ignore[no-untyped-def]
    """Root and rotations from channels."""
    for k in range(3):
        frames.root[f, k] = channels[k]
    rotations = frames.rotations
    for joint in range(rotations.shape[1]):
        k = _TILT + 3 * joint
        turn = multiply(turn_of(figure.reference, joint), exp(channels[k], channels[k + 1], channels[k + 2]))
        if joint == 0:
            half = 0.5 * channels[YAW]
            turn = multiply((np.cos(half), 0.0, np.sin(half), 0.0), turn)
        put_turn(rotations, f, joint, 0, turn)


@nb.njit(nogil=True, error_model="numpy")
def put_hips(figure, frames, f):  # type: ignore[no-untyped-def]
    """Where legs begin, how the bone they hang from is turned, and how long they were captured."""
    rotations = frames.rotations
    for side in range(2):
        place = (frames.root[f, 0], frames.root[f, 1], frames.root[f, 2])
        turn = turn_in(rotations, f, 0, 0)
        for k in range(figure.above.shape[1]):
            joint = figure.above[side, k]
            if joint == NO_JOINT:
                break
            away = rotate(turn, vector_of(figure.offsets, joint))
            place = (place[0] + away[0], place[1] + away[1], place[2] + away[2])
            turn = multiply(turn, turn_in(rotations, f, joint, 0))
        away = rotate(turn, vector_of(figure.offsets, figure.chain[side, 0]))
        put_vector(frames.legs, side, f, HIP, (place[0] + away[0], place[1] + away[1], place[2] + away[2]))
        put_turn(frames.legs, side, f, PELVIS, turn)
        place, turn = (0.0, 0.0, 0.0), turn_in(rotations, f, figure.chain[side, 0], 0)
        for k in range(1, figure.chain.shape[1]):
            joint = figure.chain[side, k]
            if joint == NO_JOINT:
                break
            away = rotate(turn, vector_of(figure.offsets, joint))
            place = (place[0] + away[0], place[1] + away[1], place[2] + away[2])
            turn = multiply(turn, turn_in(rotations, f, joint, 0))
        frames.legs[side, f, CAPTURED] = np.sqrt(dot(place, place)) / figure.reach[side]
