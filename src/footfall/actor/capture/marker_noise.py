"""Noise as an optical capture has it: on the places of joints, smooth in time, on bones of fixed length.

Every joint and end site is given a place of its own beside the true one. From the root outwards each bone is
turned towards where its noisy end should be, by the turn that serves all its ends best; what lies along the
bone is lost, for bones do not stretch, so noise does not grow from joint to joint. Legs are solved last: an
ankle has its own noise, whatever the hip's is; a knee bends as it must, and in a straight leg that is more
than the noise itself. A bone's twist about itself moves no joint and has none.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Float

from footfall.actor.capture.moved_feet import feet_at
from footfall.figure import kinematics
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat

SMOOTHING = 0.025  # s, three frames of 120 Hz: the filter's Gaussian halves the power at 5.3 Hz
SHORT_BONE = 0.01  # m: bones shorter than this would spin to follow their ends; they follow less


def with_noise(motion: Motion, size: float, rng: np.random.Generator) -> Motion:
    """The motion with noise of `size` metres, the standard deviation along each axis, on its joints."""
    skeleton = motion.skeleton
    points = len(skeleton) + len(skeleton.end_parents)
    noise = size * smooth_noise(len(motion), points, motion.fps, rng)
    turned = _aimed(motion, noise)
    feet = {side: skeleton.joint(f"{side}_foot") for side in skeleton.sides}
    return feet_at(turned, {side: motion.positions[:, foot] + noise[:, foot] for side, foot in feet.items()})


def smooth_noise(
    frames: int, points: int, fps: float, rng: np.random.Generator
) -> Float[np.ndarray, "frames points 3"]:
    """Band-limited noise; over the frames each point's own deviates from zero by 1, root mean square."""
    # the filter works on a circle of frames: a piece of its length keeps the end from meeting the start
    spare = min(frames, int(np.ceil(8 * SMOOTHING * fps)))
    white = rng.standard_normal((frames + spare, points, 3))
    hertz = np.fft.rfftfreq(frames + spare, 1.0 / fps)
    gain = np.exp(-2.0 * (np.pi * SMOOTHING * hertz) ** 2)
    spectrum = np.fft.rfft(white, axis=0) * gain[:, None, None]
    noise = np.fft.irfft(spectrum, n=frames + spare, axis=0)[:frames]
    return noise / np.sqrt(np.mean(noise**2, axis=(0, 2), keepdims=True))


def _aimed(motion: Motion, noise: Float[np.ndarray, "frames points 3"]) -> Motion:
    """The root moved and every bone turned towards its noisy ends, but for thighs and shanks."""
    skeleton = motion.skeleton
    places = np.concatenate([motion.positions, motion.ends], axis=1)
    carried = _carried(skeleton)
    feet, legs = _legs(skeleton)
    shift = np.zeros_like(places)  # of each joint from its clean place
    shift[:, 0] = noise[:, 0]
    turns = np.array(motion.orientations)
    for joint, ends in enumerate(carried):
        if joint in feet:  # the leg will bring it there
            shift[:, joint] = noise[:, joint]
        if not ends:
            continue
        bones = places[:, ends] - places[:, [joint]]
        turn = quat.identity(len(motion))
        if joint not in legs:
            turn = _turn_towards(bones, noise[:, ends] - shift[:, [joint]])
            turns[:, joint] = quat.multiply(turn, turns[:, joint])
        shift[:, ends] = shift[:, [joint]] + quat.rotate(turn[:, None], bones) - bones
    local = kinematics.to_local(skeleton.tree, turns)
    return replace(motion, root=motion.root + noise[:, 0], rotations=local)


def _carried(skeleton: Skeleton) -> list[list[int]]:
    """For each joint its children and its end sites, which are counted after the joints."""
    out = [list(below) for below in skeleton.tree.children]
    for i, joint in enumerate(skeleton.end_parents):
        out[joint].append(len(skeleton) + i)
    return out


def _legs(skeleton: Skeleton) -> tuple[set[int], set[int]]:
    """The feet; and the joints from each thigh down to, but without, its foot."""
    feet = {side: skeleton.joint(f"{side}_foot") for side in skeleton.sides}
    chains = [skeleton.tree.path(skeleton.joint(f"{s}_thigh"), foot)[:-1] for s, foot in feet.items()]
    return set(feet.values()), {joint for chain in chains for joint in chain}


def _turn_towards(
    bones: Float[np.ndarray, "frames ends 3"], wanted: Float[np.ndarray, "frames ends 3"]
) -> Float[np.ndarray, "frames 4"]:
    """The turn w that moves the bones' ends best by `wanted`: least squares of w x bone, damped."""
    squares = np.einsum("fei,fei->f", bones, bones) + SHORT_BONE**2
    normal = squares[:, None, None] * np.eye(3) - np.einsum("fei,fej->fij", bones, bones)
    moment = quat.cross(bones, wanted).sum(axis=1)
    return quat.exp(np.linalg.solve(normal, moment[..., None])[..., 0])
