"""How a swing is raised over what is in its way: frame by frame, by the gentlest lift that does it.

Of all lifts that are as high as needed in every frame that one is taken whose accelerations, and a little of
its height, are least: a least-distance problem (Lawson and Hanson 1974, ch. 23). A lift begins and ends at
nothing; that it does so suddenly is an acceleration like any other. So there is always one, and its hardest
acceleration tells what it is worth.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from jaxtyping import Float

from footfall.adapt.swing_clearance import least_bending

BRIEF = 0.08  # s: over so long a lift is gentle; one that would take longer is rather low
ROOM = 0.03  # m over the ground: a foot that has more need not mind what the lift does there
APART = 1.0 / 60.0  # s between places by which accelerations are told
SHAPES = 60  # frames of a swing that are lifted each by itself; longer swings have so many shapes


def gentlest_lift(need: Float[np.ndarray, "frames"], fps: float) -> Float[np.ndarray, "frames"]:
    """The lift in each frame of a swing, given how high it must be at least, m."""
    if need.max(initial=0.0) <= 0.0:
        return np.zeros(len(need))
    easy = _easy(len(need), BRIEF * fps)
    near = need > -ROOM
    found = least_bending(easy[near], need[near])
    return np.maximum(need, 0.0) if found is None else easy @ found


def hardness(moved: Float[np.ndarray, "frames dims"], fps: float) -> tuple[float, float]:
    """The greatest accelerations of what is added to a swing, in its first half and in its second, m/s^2.

    It begins and ends at nothing. Looked at over equal times, a kink is as hard at any frame rate.
    """
    few = max(round(APART * fps), 1)
    padded = np.pad(moved, ((2 * few, 2 * few), (0, 0)))
    second = padded[2 * few :] - 2.0 * padded[few:-few] + padded[: -2 * few]
    found = np.linalg.norm(second, axis=1) * (fps / few) ** 2
    half = len(found) // 2
    return float(found[:half].max(initial=0.0)), float(found[half:].max(initial=0.0))


@lru_cache(maxsize=256)
def _easy(frames: int, brief: float) -> Float[np.ndarray, "frames shapes"]:
    """What turns numbers, whose squares are what a lift costs, into that lift; `brief` in frames."""
    shapes = _shapes(frames)
    second = brief**2 * np.diff(np.pad(shapes, ((2, 2), (0, 0))), n=2, axis=0)
    costs = np.linalg.cholesky(second.T @ second + shapes.T @ shapes)
    easy: np.ndarray = np.linalg.solve(costs, shapes.T).T
    easy.flags.writeable = False
    return easy


def _shapes(frames: int) -> Float[np.ndarray, "frames shapes"]:
    """What lifts are made of: single frames, or in long swings splines that are nothing at both ends."""
    from scipy.interpolate import BSpline

    if frames <= SHAPES:
        return np.eye(frames)
    share = np.arange(1, frames + 1) / (frames + 1)
    knots = np.concatenate([np.zeros(3), np.linspace(0.0, 1.0, SHAPES), np.ones(3)])
    return BSpline.design_matrix(share, knots, k=3).toarray()[:, 1:-1]
