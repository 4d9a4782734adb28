"""What a layer adds to the poses it is given, without jumps.

A reach that is told another turn, a hand that joins or leaves, a place to hold that is new, a solver that finds
another way: all of them show as a jump of what a layer adds. Where it changes faster than people move, what was
shown is eased out, whatever the cause.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.control.transition import NEAREST, Transition, carried_by
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton
from footfall.ik.full_body import FullBodyIK, Goal

FASTEST = 2.5  # m/s: what is added moves the hips, or the end of what a joint carries, no faster by itself
LIMBS = 2.2  # limbs may go so many times as fast: they turn about their length too
SHORTEST = 1e-3  # s: frames are taken to last so long at least
SECONDS = 0.3  # s in which a jump is eased out; more where it is large
# m/s by role, hips in the world and the others beside them: the 99.99th percentile over the virtual actor's
# locomotion and reaches ([body] 4.1, 5.1), a person whose legs are 0.858 m long
SPEEDS = {
    **{"hips": 2.9, "spine": 0.095, "chest": 0.45, "neck": 0.98, "head": 1.17, "clavicle": 0.91},
    **{"upper_arm": 1.32, "forearm": 2.04, "hand": 2.75, "thigh": 0.148, "shank": 2.6, "foot": 4.0},
}
LEG = 0.858  # m
SPARE = 1.12  # times as fast is not fast yet


class Correction:
    """Keeps what one layer adds from jumping. Feet stay where the layer has put them.

    >>> correction = Correction(skeleton)
    >>> pose = correction.eased(tick.pose, made, tick.dt)
    """

    def __init__(self, skeleton: Skeleton) -> None:
        from footfall.control.correction_kernel import hold_back, take_added, turn_each

        self.skeleton = skeleton
        self._take, self._turn_each, self._hold_back = take_added, turn_each, hold_back
        self._transition = Transition(skeleton)
        count = len(skeleton)
        swings = LIMBS * FASTEST / np.maximum(carried_by(skeleton), NEAREST)
        trunk = [joint for joint in range(count) if skeleton.has("head") and joint in _above_head(skeleton)]
        swings[trunk] /= LIMBS
        self._most = np.append(swings, FASTEST)
        self._feet = [skeleton.joint(f"{side}_foot") for side in skeleton.sides]
        self._ik = FullBodyIK(skeleton)
        # what the layer added last, room for what it adds now, and what was shown of it
        self._last, self._now, self._shown = (_nothing(count) for _ in range(3))
        self._wanted = _nothing(count)
        self._adds = False
        self._before: Pose | None = None  # that was shown
        self._hips = skeleton.joint("hips") if skeleton.has("hips") else 0
        self._speeds = fastest_parts(skeleton)
        self._parents = np.array(skeleton.parents, dtype=np.int64)
        self._offsets = np.ascontiguousarray(skeleton.offsets, dtype=float)

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
            self._before = given
            return made
        root, rotations = np.ascontiguousarray(given.root), np.ascontiguousarray(given.rotations)
        made_root, made_turns = np.ascontiguousarray(made.root), np.ascontiguousarray(made.rotations)
        seconds = max(dt, SHORTEST)
        most = self._most * seconds
        if self._take(root, rotations, made_root, made_turns, most, *self._last, *self._now):
            self._transition.begin(self._with(given, *self._shown), made, SECONDS)
        self._last, self._now = self._now, self._last
        pose = self._transition.smoothed(made, dt)
        if self._transition.active and self._feet:
            places, turns = self._ik.placed(made)
            pose, _ = self._ik.planted(pose, [Goal(j, places[j], turns[j]) for j in self._feet])
        if self._before is not None:
            pose = self._held_back(given, pose, seconds)
        adds = given is not made or pose is not made
        if adds:
            self._take(root, rotations, pose.root, pose.rotations, most, *self._last, *self._shown)
        elif self._adds:
            self._shown = _nothing(len(self.skeleton))
        self._adds, self._before = adds, pose
        return pose

    def _held_back(self, given: Pose, made: Pose, seconds: float) -> Pose:
        """What is made, so far as no part of the body goes faster than people do because of it."""
        assert self._before is not None
        root, rotations = np.ascontiguousarray(given.root), np.ascontiguousarray(given.rotations)
        made_root, made_turns = np.array(made.root), np.array(made.rotations)
        self._take(root, rotations, made_root, made_turns, self._most, *self._shown, *self._wanted)
        share = self._hold_back(
            self._parents,
            self._offsets,
            self._hips,
            self._speeds * seconds,
            np.ascontiguousarray(self._before.root),
            np.ascontiguousarray(self._before.rotations),
            root,
            rotations,
            *self._shown,
            *self._wanted,
            made_root,
            made_turns,
        )
        return made if share >= 1.0 else Pose.sound(made_root, made_turns)

    def _with(self, pose: Pose, moved: Float[np.ndarray, "3"], turned: Float[np.ndarray, "joints 4"]) -> Pose:
        rotations = np.empty(turned.shape)
        self._turn_each(np.ascontiguousarray(pose.rotations), turned, rotations)
        return Pose.sound(pose.root + moved, rotations)


def fastest_parts(skeleton: Skeleton) -> Float[np.ndarray, "joints"]:
    """m/s by joint that people hardly ever exceed: hips in the world, others beside the hips.

    Joints without a role of theirs, fingers, toes and eyes may go as they like.
    """
    legs = [skeleton.leg_length(side) for side in skeleton.sides if skeleton.has(f"{side}_thigh", f"{side}_foot")]
    scale = SPARE * (float(np.mean(legs)) / LEG if legs else 1.0)
    found = np.full(len(skeleton), np.inf)
    for role, joint in skeleton.roles.items():
        part = role.removeprefix("left_").removeprefix("right_")
        if part in SPEEDS:
            found[joint] = scale * SPEEDS[part]
    return found


def _above_head(skeleton: Skeleton) -> frozenset[int]:
    return frozenset((skeleton.joint("head"), *skeleton.tree.ancestors(skeleton.joint("head"))))


def _nothing(count: int) -> tuple[Float[np.ndarray, "3"], Float[np.ndarray, "joints 4"]]:
    return np.zeros(3), np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))
