"""What a layer adds to the poses it is given, without jumps.

A reach that is told another turn, a hand that joins or leaves, a new place to hold, a solver that finds
another way: each shows as a jump of what a layer adds. Where it changes faster than people move, what was
shown is eased out, whatever the cause.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.control.pace import SHORTEST, Pace, nothing_added
from footfall.control.transition import NEAREST, Transition, carried_by, placing
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton
from footfall.ik.full_body import Goal

FASTEST = 2.5  # m/s: what is added moves the hips, or the end of what a joint carries, no faster by itself
LIMBS = 2.2  # limbs may go so many times as fast: they turn about their length too
STANDS = 0.1  # m/s: a foot that is to move no faster than this from where it was shown stands
SECONDS = 0.3  # s in which a jump is eased out; more where it is large


class Correction:
    """Keeps what one layer adds from jumping. Feet stay where the layer has put them.

    >>> correction = Correction(skeleton)
    >>> pose = correction.eased(tick.pose, made, tick.dt)
    """

    def __init__(self, skeleton: Skeleton, *, spare: float = 1.0) -> None:
        from footfall.control.correction_kernel import take_added
        from footfall.ik.added_turns_kernel import turn_on

        self.skeleton = skeleton
        self._take, self._turn_on = take_added, turn_on
        self._transition = Transition(skeleton)
        count = len(skeleton)
        swings = LIMBS * FASTEST / np.maximum(carried_by(skeleton), NEAREST)
        trunk = [joint for joint in range(count) if skeleton.has("head") and joint in _above_head(skeleton)]
        swings[trunk] /= LIMBS
        self._most = np.append(swings, FASTEST)
        self._feet = [skeleton.joint(f"{side}_foot") for side in skeleton.sides]
        self._ik = placing(skeleton)
        # what the layer added last, room for what it adds now, and what was shown of it
        self._last, self._now, self._shown = (nothing_added(count) for _ in range(3))
        self._pace = Pace(skeleton, spare)
        self._adds = False
        self._before: Pose | None = None  # shown last

    @property
    def haste(self) -> float:
        """How many times as fast as people do parts of the body would have moved in the last frame."""
        return self._pace.haste

    @property
    def active(self) -> bool:
        """Whether a jump is being eased out."""
        return self._transition.active

    def eased(self, given: Pose, made: Pose, dt: float) -> Pose:
        """What a layer made of the pose it was given `dt` after the last one, without a jump.

        Args:
            given: The pose of the layers before.
            made: What this layer makes of it; the same where it adds nothing.
            dt: s since the last frame.

        Returns:
            The pose to show.
        """
        if given is made and not self._adds:
            self._pace.saw(made)
            self._before = made
            return made
        root, rotations = np.ascontiguousarray(given.root), np.ascontiguousarray(given.rotations)
        made_root, made_turns = np.ascontiguousarray(made.root), np.ascontiguousarray(made.rotations)
        most = self._most * max(dt, SHORTEST)
        if self._take(root, rotations, made_root, made_turns, most, *self._last, *self._now):
            self._transition.begin(self._with(given, *self._shown), made, SECONDS)
        self._last, self._now = self._now, self._last
        pose = self._transition.smoothed(made, dt)
        if self._transition.active and self._feet:
            places, turns = self._ik.placed(made)
            pose, _ = self._ik.planted(pose, [Goal(j, places[j], turns[j]) for j in self._feet])
        pose = self._pace.limited(given, pose, dt)
        if self._pace.lags and self._pace.allows(stands := self._standing(pose, made, dt), dt):
            pose = stands
        self._pace.showed(given, pose)
        self._adds, self._before = given is not made or pose is not made, pose
        self._take(root, rotations, pose.root, pose.rotations, most, *self._last, *self._shown)
        return pose

    def _standing(self, pose: Pose, made: Pose, dt: float) -> Pose:
        """A pose that was held back, with feet that are where the layer has them still there."""
        if self._before is None or not self._feet:
            return pose
        last, _ = self._ik.placed(self._before)
        places, turns = self._ik.placed(made)
        near = STANDS * max(dt, SHORTEST)
        goals = [
            Goal(j, places[j], turns[j]) for j in self._feet if np.linalg.norm(places[j] - last[j]) < near
        ]
        return self._ik.planted(pose, goals)[0] if goals else pose

    def _with(self, pose: Pose, moved: Float[np.ndarray, "3"], turned: Float[np.ndarray, "joints 4"]) -> Pose:
        rotations = np.empty(turned.shape)
        self._turn_on(np.ascontiguousarray(pose.rotations), turned, rotations)
        return Pose.sound(pose.root + moved, rotations)


def _above_head(skeleton: Skeleton) -> frozenset[int]:
    return frozenset((skeleton.joint("head"), *skeleton.tree.ancestors(skeleton.joint("head"))))
