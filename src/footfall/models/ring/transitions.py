"""Where one ring is left and where another is entered: found by pose and velocity, by no hand.

Both rings must stand on the same foot, and what is left of the half cycle must be long enough to go over.
Poses are compared as they stand beside that foot, with the weights of a usual step.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.figure.kinematics import forward
from footfall.geometry.decisions import clearly_less, first_least
from footfall.models.ring.model import MotionRing
from footfall.models.ring.playing import played
from footfall.models.ring.pose_curve import seen_joints

Moments = Float[np.ndarray, "shares places"]
SHARES = np.arange(0.0, 0.401, 0.05)  # of a half cycle, at which rings are left and entered
EARLY = 0.1  # a gait is left for a rest before its swing is fast,
LATE = 0.25  # and entered from one when its swinging foot is about to leave
MOMENT = 0.15  # s: a difference of velocities counts as the way it makes in this time
SHORT = 0.12  # m that a transition of no time would cost


@dataclass(frozen=True)
class Transition:
    """Shares of the half cycle, of each foot, at which one ring is left and the other entered."""

    leave: tuple[float, float]
    enter: tuple[float, float]
    cost: tuple[float, float]  # m


def find_transition(
    first: MotionRing, second: MotionRing, here: tuple[Moments, Moments], there: tuple[Moments, Moments]
) -> Transition:
    """The best of all moments of two rings; a rest can be left and entered at any."""
    found = [_best(first, second, here[half], there[half]) for half in (0, 1)]
    leave, enter, cost = (tuple(one[k] for one in found) for k in range(3))
    return Transition(leave, enter, cost)  # type: ignore[arg-type]


def _best(first: MotionRing, second: MotionRing, here: Moments, there: Moments) -> tuple[float, float, float]:
    apart = np.linalg.norm(here[:, None] - there[None], axis=-1)
    apart = apart + SHORT * (SHARES / (1.0 - SHARES))[None]
    if second.resting:
        apart[clearly_less(EARLY, SHARES)] = np.inf
    if first.resting:
        apart[:, clearly_less(SHARES, LATE)] = np.inf
    i, k = np.unravel_index(int(first_least(apart)), apart.shape)
    return float(SHARES[i]), float(SHARES[k]), float(apart[i, k])


def moments_of(ring: MotionRing) -> tuple[Moments, Moments]:
    """What is compared of a ring, on either foot."""
    return _moments(ring, 0), _moments(ring, 1)


def _moments(ring: MotionRing, half: int) -> Moments:
    """Where joints are and go, beside the support foot, at each share of a half cycle."""
    tables, weights = ring.tables, ring.usual_weights
    step = 1e-3
    frames = tables.half * (half + np.stack([SHARES, SHARES + step]))
    places = []
    for row in frames:
        root, rotations, _ = played(tables, weights, row, still=True)
        joints, _ = forward(tables.skeleton.tree, tables.skeleton.offsets, root, rotations)
        places.append(joints[:, seen_joints(tables.skeleton)])
    seconds = float((weights @ tables.seconds).sum()) / 2.0 * step
    told = np.concatenate([places[0], MOMENT * (places[1] - places[0]) / seconds], axis=1)
    return told.reshape(len(SHARES), -1) / np.sqrt(told.shape[1] / 2)
