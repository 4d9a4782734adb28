"""A pose brought to its goals frame after frame, each begun with what the last ones added ([body] 5.2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from footfall.figure.pose import Pose
from footfall.geometry import quaternion as quat
from footfall.geometry.easing import smooth
from footfall.ik.full_body import FullBodyIK, Goal, Solved
from footfall.models.reach.bring import AN_UPDATE, SUM_OF_ROUNDS

ROUNDS = 6
FADES = 0.25  # s in which what was added is let go of once the reach is over

Added = tuple[Float[np.ndarray, "3"], Float[np.ndarray, "joints 4"]]  # to the root, to the joints


class Bringing:
    """Inverse kinematics that remembers what it added to the poses it was given."""

    def __init__(self) -> None:
        from footfall.ik.added_turns_kernel import turn_on, turns_between

        self._turn_on, self._turns_between = turn_on, turns_between
        self._last: Added | None = None
        self._left = 0.0  # of what was added

    @property
    def at_rest(self) -> bool:
        """Whether nothing is added."""
        return self._last is None

    def bring(self, ik: FullBodyIK, rather: Pose, goals: Sequence[Goal]) -> Solved:
        """The pose nearest to `rather` that meets its goals."""
        start = rather
        if self._last is not None:
            moved, turned = self._last
            rotations = np.empty_like(turned)
            self._turn_on(rather.rotations, turned, rotations)
            start = Pose.sound(rather.root + moved, rotations)
        sharpest = AN_UPDATE / SUM_OF_ROUNDS
        solved = ik.solve(start, goals, rather=rather, rounds=ROUNDS, sharpest=sharpest, live=True)
        turned = np.empty_like(rather.rotations)
        self._turns_between(rather.rotations, solved.pose.rotations, turned)
        self._last = solved.pose.root - rather.root, turned
        self._left = 1.0
        return solved

    def let_go(self, pose: Pose, seconds: float) -> Pose:
        """Without goals: what was added last is little by now, and fades."""
        self._left = max(self._left - seconds / FADES, 0.0)
        if self._last is None or self._left <= 0.0:
            self._last = None
            return pose
        (moved, turned), share = self._last, float(smooth(self._left))
        turned = quat.exp(share * quat.log(turned))
        return Pose.sound(pose.root + share * moved, quat.multiply(pose.rotations, turned))
