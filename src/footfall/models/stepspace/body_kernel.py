"""The body at one frame, compiled: its channels from the steps' samples, its turns, where its legs begin."""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernels import (
    add,
    dot,
    exp,
    multiply,
    put_quaternion,
    put_vector,
    quaternion_at,
    rotate,
    vector_at,
    yaw,
)
from footfall.models.stepspace.body_channels import TILT, YAW
from footfall.models.stepspace.frame_tables import (
    ABOVE,
    CAPTURED,
    CHAIN,
    HIP,
    NO_JOINT,
    OFFSET,
    PELVIS,
    REACH,
    REFERENCE,
    START,
)

_TILT = TILT.start


@kernel()
def step_at(times, marks, time, guess):  # type: ignore[no-untyped-def]
    """The step that a frame is in, held at both ends; `guess` is that or one before."""
    step = guess
    while step + 1 < times.shape[0] and marks[step + 1, START] + times[step + 1, 0] <= time:
        step += 1
    return step


@kernel()
def put_channels(own, body, slopes, since, out):  # type: ignore[no-untyped-def]
    """The body's channels at a moment of a step: cubics through samples with their slopes."""
    sample = own.size - 2
    while sample > 0 and own[sample] > since:
        sample -= 1
    h = own[sample + 1] - own[sample]
    t = min(max((since - own[sample]) / h, 0.0), 1.0)
    t2 = t * t
    t3 = t2 * t
    blend, rising, falling = 3.0 * t2 - 2.0 * t3, h * (t3 - 2.0 * t2 + t), h * (t3 - t2)
    a, b, slope_a, slope_b = body[sample], body[sample + 1], slopes[sample], slopes[sample + 1]
    for k in range(out.size):
        out[k] = a[k] + blend * (b[k] - a[k]) + (rising * slope_a[k] + falling * slope_b[k])


@kernel()
def put_turns(bones, channels, pose):  # type: ignore[no-untyped-def]
    """All joints' rotations from channels."""
    for joint in range(pose.shape[0]):
        turn = exp(vector_at(channels, _TILT + 3 * joint))
        put_quaternion(pose[joint], 0, multiply(quaternion_at(bones[joint], REFERENCE), turn))
    put_quaternion(pose[0], 0, multiply(yaw(channels[YAW]), quaternion_at(pose[0], 0)))


@kernel()
def put_hip(bones, sole, chains, root, pose, way):  # type: ignore[no-untyped-def]
    """Where a leg begins, how the bone it hangs from is turned, and how long it was captured."""
    place, turn = root, quaternion_at(pose[0], 0)
    for joint in chains[ABOVE]:
        if joint == NO_JOINT:
            break
        place = add(place, rotate(turn, vector_at(bones[joint], OFFSET)))
        turn = multiply(turn, quaternion_at(pose[joint], 0))
    thigh = chains[CHAIN, 0]
    put_vector(way, HIP, add(place, rotate(turn, vector_at(bones[thigh], OFFSET))))
    put_quaternion(way, PELVIS, turn)
    place, turn = (0.0, 0.0, 0.0), quaternion_at(pose[thigh], 0)
    for joint in chains[CHAIN, 1:]:
        if joint == NO_JOINT:
            break
        place = add(place, rotate(turn, vector_at(bones[joint], OFFSET)))
        turn = multiply(turn, quaternion_at(pose[joint], 0))
    way[CAPTURED] = np.sqrt(dot(place, place)) / sole[REACH]
