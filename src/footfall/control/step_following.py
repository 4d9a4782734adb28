"""The locomotion layer of a planned walk: foot plans walked one after another, a stand between them."""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float

from footfall.blend.posture_arithmetic import Rate
from footfall.control.playing import Playing
from footfall.control.tick import Tick
from footfall.control.transition import PacedTransition
from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton
from footfall.ik.full_body import FullBodyIK, Goal

JOINS = 0.5  # s in which the pose a walk begins from is eased into its own; more where it is elsewhere
SAME, SETTLES = 0.02, 0.1  # m, s: feet that are so near are where the walk has them, soon


class StepFollowing:
    """Plays walks where they are in the world; after each it stands as that one ended.

    >>> walks = StepFollowing(walk.motion)
    >>> figure = Character(walk.motion.skeleton, [walks, gaze])
    >>> walks.follow(next_walk.motion)

    Feet are always those of the walk: what is eased at a join is the body over them. Feet that a walk begins
    with elsewhere go there with the body.
    """

    name = "locomotion"

    def __init__(self, standing: Motion) -> None:
        """It begins in the first frame of a motion, and stands there."""
        self.skeleton: Skeleton = standing.skeleton
        self._playing = Playing(standing[0:2])
        self._pose = self._playing.pose
        self._transition = PacedTransition(self.skeleton)
        self._starts = False  # a walk, in the next frame
        self._earlier: Pose | None = None  # as it was before that
        self._dt = 0.0
        # by feet that a walk begins with where they are: what is missing to that, m
        self._kept: dict[int, Float[np.ndarray, "3"]] = {}
        self._ik = FullBodyIK(self.skeleton)
        self._feet = [self.skeleton.joint(f"{side}_foot") for side in self.skeleton.sides]

    def __repr__(self) -> str:
        return f"StepFollowing({'stands' if self.standing else f'{self._playing.left:.1f} s to go'})"

    @property
    def pose(self) -> Pose:
        """As it was last."""
        return self._pose

    @property
    def standing(self) -> bool:
        return self._playing.ended

    @property
    def left(self) -> float:
        """s until it stands."""
        return self._playing.left

    @property
    def contacts(self) -> Bool[np.ndarray, "4"]:
        return self._playing.contacts

    def follow(self, motion: Motion) -> None:
        """Begins a walk. Its first frame should be about where the figure stands."""
        if not isinstance(motion, Motion) or not self.skeleton.same_bones(motion.skeleton):
            raise RequestError("a walk to follow is a Motion of the same figure")
        self._playing = Playing(motion)
        first, self._starts = self._playing.pose, True
        places, _ = self._ik.placed(self._pose)
        there, _ = self._ik.placed(first)
        away = {joint: places[joint] - there[joint] for joint in self._feet}
        self._kept = {joint: by for joint, by in away.items() if np.linalg.norm(by) < SAME}

    def update(self, tick: Tick) -> Pose:
        """The walk's pose at this time. Never raises."""
        first = self._playing.pose
        self._playing.advance(tick.dt)
        own = self._playing.pose
        if self._starts:
            rates = None
            if self._earlier is not None and self._dt > 0.0 and tick.dt > 0.0:
                rates = Rate.between(self._earlier, self._pose, self._dt), Rate.between(first, own, tick.dt)
            self._transition.begin(self._pose, first, JOINS, rates)
            self._starts = False
        pose = self._transition.smoothed(own, tick.dt)
        if self._transition.active and self._kept:
            places, turns = self._ik.placed(own)
            for by in self._kept.values():
                by *= np.exp(-tick.dt / SETTLES)
            pose, _ = self._ik.planted(
                pose, [Goal(j, places[j] + by, turns[j]) for j, by in self._kept.items()]
            )
        if tick.dt > 0.0:
            self._earlier, self._dt = self._pose, tick.dt
        self._pose = pose
        return pose
