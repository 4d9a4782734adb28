"""Hands that reach are kept there by the constraint layer, whatever the layers in between do ([body] 7)."""

from __future__ import annotations

from footfall.control.constraint import ConstraintController
from footfall.control.reach import ReachController
from footfall.control.tick import Tick
from footfall.figure.pose import Pose
from footfall.ik.full_body import FullBodyIK


class HandKeeping:
    """Stands after the reach layer: where it sees hands, the constraint layer is to have them.

    >>> keep = ConstraintController(skeleton)
    >>> figure = Character(skeleton, [walks, reaching, HandKeeping(reaching, keep), gaze, keep])
    """

    name = "hand keeping"

    def __init__(self, reaching: ReachController, keep: ConstraintController) -> None:
        self.reaching, self.keep, self.skeleton = reaching, keep, reaching.skeleton
        self._ik = FullBodyIK(self.skeleton)
        self._kept: set[str] = set()

    def __repr__(self) -> str:
        return f"HandKeeping({' and '.join(sorted(self._kept)) or 'none'})"

    def update(self, tick: Tick) -> Pose:
        """Tells the constraint layer, and passes the pose on. Never raises."""
        active = self.reaching.active
        for side in self._kept.difference(active):
            self.keep.release(f"{side}_hand")
        self._kept = set(active)
        if active:
            places, turns = self._ik.placed(tick.pose)
            for side in active:
                joint = self.skeleton.joint(f"{side}_hand")
                self.keep.follow(f"{side}_hand", places[joint], turns[joint])
        return tick.pose
