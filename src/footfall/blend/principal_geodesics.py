"""Principal geodesics of joint rotations: few numbers a pose, as a ring is stored ([rings] 3.4).

As in Tournier et al. (2009), near the mean: each joint's rotations are rotation vectors about their Karcher
mean (the point from which squared angles are least), and the modes are the principal axes of those vectors
of all joints together. Where it differs: a joint's variation can be weighed by what hangs on it, so that the
share that is kept is of what is seen. An angle at the hip moves a foot by a metre, one at the wrist a hand's
breadth.

A rotation and its quaternion's opposite have the same rotation vector; it is the short one, up to pi. Joints
that never move are in the mean alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.errors import RequestError
from footfall.figure.frozen import frozen_array
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import MARGIN, signed_by_largest

Rotations = Float[np.ndarray, "*poses joints 4"]
Tangents = Float[np.ndarray, "*poses joints 3"]
Scores = Float[np.ndarray, "*poses modes"]

KEPT = 0.99  # of the variation, [rings] 3.4
STILL = 1e-7  # rad; a joint that never turns more from its mean does not move
ROUNDS = 100  # of the search for a mean at most; three or four are usual
CLOSE = 1e-15  # rad, at which the search for a mean ends
NOTHING = 1e-13  # of the largest mode: smaller ones are rounding


@dataclass(frozen=True, eq=False)
class Geodesics:
    """Poses as a mean and scores along modes."""

    mean: Float[np.ndarray, "joints 4"]
    axes: Float[np.ndarray, "modes joints 3"]  # rad to 1 of a score; sum importance axis_i . axis_k is 1 or 0
    importance: Float[np.ndarray, "joints"]  # of a squared angle at the joint

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "mean", frozen_array(self.mean, "mean", shape=(None, 4)))
        joints = len(self.mean)
        put(self, "axes", frozen_array(self.axes, "axes", shape=(None, joints, 3)))
        put(self, "importance", frozen_array(self.importance, "importance", shape=(joints,)))
        if self.mean.ndim != 2 or self.axes.ndim != 3 or self.importance.ndim != 1:
            raise RequestError("principal geodesics have one mean, one row of axes and one of importance")
        if not (self.importance > 0.0).all():
            raise RequestError("the importance of a joint must be over 0; leave out joints that do not count")

    @classmethod
    def of(
        cls,
        rotations: Float[np.ndarray, "poses joints 4"],
        share: float = KEPT,
        *,
        importance: Float[np.ndarray, "joints"] | None = None,
        most: int | None = None,
    ) -> tuple[Geodesics, Float[np.ndarray, "poses modes"]]:
        """Modes, largest first, that keep a share of the variation (1: all, exactly), and the poses' scores.

        `importance` weighs each joint's squared angles; `most` is the largest number of modes.
        """
        poses = frozen_array(rotations, "rotations", shape=(None, None, 4))
        if poses.ndim != 3 or len(poses) == 0:
            raise RequestError(f"rotations must be poses of joints (poses, joints, 4), not {poses.shape}")
        if not 0.0 < share <= 1.0 or (most is not None and most < 1):
            raise RequestError("a share is over 0 and at most 1, and the most modes that are kept at least 1")
        poses = quat.normalize(poses)
        weights = np.ones(poses.shape[1]) if importance is None else importance
        still = cls(karcher_mean(poses), np.zeros((0, poses.shape[1], 3)), weights)
        tangents, root = still.tangents(poses), np.sqrt(still.importance)[:, None]
        moving = (np.linalg.norm(tangents, axis=-1) > STILL).any(axis=0)
        weighed = (tangents * root)[:, moving]
        found = _principal_axes(weighed.reshape(len(poses), -1), share, most)
        axes = np.zeros((len(found), *tangents.shape[1:]))
        axes[:, moving] = found.reshape(len(found), moving.sum(), 3) / root[moving]
        modes = cls(still.mean, axes, still.importance)
        return modes, modes.scores(poses)

    @property
    def moving(self) -> Int[np.ndarray, "moving"]:
        """Joints that any mode turns; the others have their mean."""
        return np.flatnonzero(self.axes.any(axis=(0, 2)))

    def tangents(self, rotations: Rotations) -> Tangents:
        """Rotation vectors about the mean, in each joint's own frame."""
        away = quat.multiply(quat.conjugate(self.mean), rotations)
        return quat.log(np.where(_backwards(away)[..., None], -away, away))

    def rotations(self, tangents: Tangents) -> Rotations:
        return quat.multiply(self.mean, quat.exp(tangents))

    def scores(self, rotations: Rotations) -> Scores:
        """How far poses lie along each mode."""
        along = self.axes * self.importance[:, None]
        return np.tensordot(self.tangents(rotations), along, axes=((-2, -1), (1, 2)))

    def tangents_of(self, scores: Scores) -> Tangents:
        """Rotation vectors of the poses with these scores: what blends, and goes into `rotations`."""
        scores = np.asarray(scores, dtype=float)
        if scores.shape[-1:] != (len(self.axes),):
            raise RequestError(f"scores of {len(self.axes)} modes are needed, not {scores.shape}")
        return np.tensordot(scores, self.axes, axes=1)

    def kept(self, rotations: Rotations) -> float:
        """The share of these poses' variation about the mean, by importance, that their scores keep."""
        squares = (self.tangents(rotations) ** 2).sum(axis=-1)
        total = float((self.importance * np.where(squares > STILL**2, squares, 0.0)).sum())
        return float((self.scores(rotations) ** 2).sum()) / total if total > 0.0 else 1.0


def karcher_mean(rotations: Float[np.ndarray, "poses joints 4"]) -> Float[np.ndarray, "joints 4"]:
    """Of each joint the rotation from which the rotation vectors of all poses sum to zero."""
    # where to begin: the mean of quaternions without regard to their signs (Markley et al. 2007)
    mean = np.linalg.eigh(np.einsum("njc,njd->jcd", rotations, rotations))[1][..., -1]
    for _ in range(ROUNDS):
        step = quat.log(quat.multiply(quat.conjugate(mean), rotations)).mean(axis=0)
        mean = quat.normalize(quat.multiply(mean, quat.exp(step)))
        if np.abs(step).max(initial=0.0) <= CLOSE:
            break
    same = np.all(quat.angle_between(rotations, rotations[0]) <= STILL, axis=0)
    mean = np.where(np.expand_dims(same, -1), rotations[0], mean)
    return np.where(_backwards(mean)[..., None], -mean, mean)


def _backwards(q: Float[np.ndarray, "*batch 4"]) -> Bool[np.ndarray, "*batch"]:
    """Which of the two quaternions of a rotation this is: the first component that is not 0 is negative."""
    first = np.take_along_axis(q, (np.abs(q) > MARGIN).argmax(axis=-1)[..., None], axis=-1)
    return cast(np.ndarray, first[..., 0] < 0.0)


def _principal_axes(
    weighed: Float[np.ndarray, "poses coordinates"], share: float, most: int | None
) -> Float[np.ndarray, "modes coordinates"]:
    """Orthonormal rows, the one with the largest variation first, each with its sign fixed."""
    _, sizes, axes = np.linalg.svd(weighed, full_matrices=False)
    sizes = sizes[sizes > NOTHING * sizes.max(initial=0.0)]
    total = np.cumsum(sizes**2)
    count = len(sizes)
    if share < 1.0 and count:
        count = int(np.searchsorted(total, share * total[-1])) + 1
    return signed_by_largest(axes[: count if most is None else min(count, most)])
