"""How hard joints accelerate: the measure behind `acceleration_ratio`, the same at every frame rate.

Local rotations are taken to 60 Hz, differentiated twice, and smoothed by [1 2 1] / 4. That kernel makes a
motion sampled at 30 Hz and slerped to 60 give what the 60 Hz motion gives; a jump by an angle in one frame
reads angle x 900 / s^2 at any rate, and a frame that is off by an angle twice that. Faster motions are looked
at from each of their frames in turn, or a frame that is off could fall between those that are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np
from jaxtyping import Float

from footfall.figure.motion import Motion
from footfall.figure.naming import FINGERS
from footfall.figure.resample import resample
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat

RATE = 60.0  # Hz
PERCENTILE = 99.9
QUIETEST = 2.0  # rad/s^2: joints that barely move in the reference are compared with this


def measured_roles(skeleton: Skeleton) -> list[str]:
    """Role joints but fingers, toes and eyes, whose markers tremble."""
    left_out = (*FINGERS, "toe", "eye")
    return [role for role in skeleton.roles if not any(word in role.split("_") for word in left_out)]


def angular_accelerations(motion: Motion) -> Float[np.ndarray, "frames joints"]:
    """Length of each joint's angular acceleration relative to its parent, rad/s^2, at 60 Hz."""
    return _accelerations(motion, lambda at_rate: at_rate.rotations)


def role_accelerations(motion: Motion) -> dict[str, Float[np.ndarray, "frames"]]:
    """The same for each measured role, relative to the next role above it.

    So figures with more or fewer joints between two roles can be compared.
    """
    roles = measured_roles(motion.skeleton)
    bearers = {motion.skeleton.joint(role) for role in roles}
    joints = [motion.skeleton.joint(role) for role in roles]
    above = [next((a for a in motion.skeleton.tree.ancestors(j)[1:] if a in bearers), -1) for j in joints]

    def between_roles(at_rate: Motion) -> Float[np.ndarray, "frames roles 4"]:
        world = at_rate.orientations
        still = np.concatenate([world, np.broadcast_to(quat.identity(), (len(world), 1, 4))], axis=1)
        return quat.multiply(quat.conjugate(still[:, above]), world[:, joints])

    lengths = _accelerations(motion, between_roles)
    return {role: lengths[:, i] for i, role in enumerate(roles)}


def _accelerations(
    motion: Motion, turns: Callable[[Motion], Float[np.ndarray, "frames n 4"]]
) -> Float[np.ndarray, "frames n"]:
    within = max(int(np.ceil(motion.fps / RATE - 1e-6)), 1)  # frames in one of ours
    rotations = turns(resample(motion, within * RATE))
    starts = [_lengths(rotations[first::within]) for first in range(within)]
    out = starts[0]
    for other in starts[1:]:
        out[: len(other)] = np.maximum(out[: len(other)], other)
    return out


def _lengths(rotations: Float[np.ndarray, "frames joints 4"]) -> Float[np.ndarray, "inner joints"]:
    """Smoothed lengths of acceleration of rotations at 60 Hz, at all frames but the first and the last."""
    if len(rotations) < 3:
        return np.zeros((0, rotations.shape[1]))
    velocity = quat.log(quat.multiply(quat.conjugate(rotations[:-1]), rotations[1:])) * RATE
    acceleration = np.diff(velocity, axis=0) * RATE
    padded = np.concatenate([np.zeros_like(acceleration[:1]), acceleration, np.zeros_like(acceleration[:1])])
    return np.linalg.norm(0.25 * padded[:-2] + 0.5 * padded[1:-1] + 0.25 * padded[2:], axis=-1)


def peak_accelerations(motions: Iterable[Motion]) -> dict[str, float]:
    """For each role the 99.9th percentile over all frames of all motions."""
    values: dict[str, list[np.ndarray]] = {}
    for motion in motions:
        for role, lengths in role_accelerations(motion).items():
            values.setdefault(role, []).append(lengths)
    joined = {role: np.concatenate(parts) for role, parts in values.items()}
    return {role: float(np.percentile(v, PERCENTILE)) for role, v in joined.items() if len(v)}


def acceleration_ratio(motion: Motion, reference: Iterable[Motion] | Mapping[str, float]) -> float | None:
    """The largest over joints of peak acceleration over the reference's; None where nothing compares.

    The reference are motions, or their peaks where these are known.
    """
    own = peak_accelerations([motion])
    theirs = reference if isinstance(reference, Mapping) else peak_accelerations(reference)
    ratios = [own[role] / max(theirs[role], QUIETEST) for role in own if role in theirs]
    return max(ratios, default=None)
