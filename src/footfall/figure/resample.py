"""Another frame rate, or frames at any times: slerp for rotations, straight lines for positions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.figure.motion import Motion, checked_rate
from footfall.geometry import quaternion as quat


def resample(motion: Motion, fps: float) -> Motion:
    """The same motion over the same time at another rate."""
    fps = checked_rate(fps)
    if abs(fps - motion.fps) < 1e-9 * fps or len(motion) < 2:
        return replace(motion, fps=fps)
    count = int(np.floor(motion.seconds * fps + 1e-6)) + 1
    return replace(at_times(motion, np.arange(count) / fps), fps=fps)


def at_times(motion: Motion, times: Float[np.ndarray, "samples"]) -> Motion:
    """Frames at given seconds, held at the ends; the frame rate is kept as it was."""
    if len(motion) == 0:
        raise RequestError("a motion without frames cannot be sampled")
    place = np.clip(np.asarray(times, dtype=float) * motion.fps, 0.0, len(motion) - 1)
    # a time that misses a frame by rounding alone is that frame's
    place = np.where(np.isclose(place, np.round(place), rtol=1e-14, atol=0.0), np.round(place), place)
    first = place.astype(int)
    second = np.minimum(first + 1, len(motion) - 1)
    share = place - first

    def straight(values: Float[np.ndarray, "*frames"], extra: int) -> Float[np.ndarray, "*frames"]:
        axis = values.ndim - 1 - extra
        s = share.reshape(-1, *([1] * extra))
        return np.take(values, first, axis) * (1 - s) + np.take(values, second, axis) * s

    axis = motion.rotations.ndim - 3
    turned = quat.slerp(
        np.take(motion.rotations, first, axis), np.take(motion.rotations, second, axis), share[:, None]
    )
    moved = None if motion.translations is None else straight(motion.translations, 2)
    # a contact is known at frames only: the nearer one decides
    nearest = np.where(share < 0.5, first, second)
    contacts = None if motion.contacts is None else motion.contacts.frames(nearest)
    return replace(
        motion, root=straight(motion.root, 1), rotations=turned, translations=moved, contacts=contacts
    )
