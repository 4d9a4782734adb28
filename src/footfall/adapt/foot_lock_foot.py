"""A foot as it was recorded, before it is locked: its way, and the points and directions of its sole."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.adapt.foot_lock_bends import ToeJoint
from footfall.figure.feet import FootPoints
from footfall.figure.motion import Motion
from footfall.figure.sole import Sole
from footfall.geometry import quaternion as quat

Vector = Float[np.ndarray, "3"]
Turn = Float[np.ndarray, "4"]


@dataclass(frozen=True, eq=False)
class RecordedFoot:
    """A foot as it was recorded: its ankle's places, its turns, and its sole."""

    side: str
    sole: Sole
    points: FootPoints
    places: Float[np.ndarray, "frames 3"]
    turns: Float[np.ndarray, "frames 4"]
    toes: ToeJoint

    @classmethod
    def of(cls, motion: Motion, side: str) -> RecordedFoot:
        foot, points = motion.skeleton.joint(f"{side}_foot"), motion.skeleton.foot_points(side)
        sole = Sole.of(motion.skeleton, side)
        toes = ToeJoint.of(motion.skeleton, side)
        return cls(side, sole, points, motion.positions[:, foot], motion.orientations[:, foot], toes)

    @property
    def lying(self) -> Float[np.ndarray, "4 3"]:
        """Heel, subtalar, ball and tip of the sole with a straight toe, in the foot's frame."""
        return np.stack([self.points.heel, self.points.subtalar, self.points.ball, self.points.toe])

    @property
    def arms(self) -> dict[str, Vector]:
        """What stands in each kind of phase, in the foot's frame."""
        return {"flat": self.sole.subtalar, "heel": self.sole.heel, "toe": self.sole.toe_joint}

    def along(self, turn: Turn) -> Vector:
        """From heel to ball."""
        return quat.rotate(turn, self.sole.ball - self.sole.heel)

    @property
    def left(self) -> Vector:
        """Across the sole, in the foot's frame, unit."""
        across = quat.cross(-self.sole.subtalar, self.sole.ball - self.sole.heel)
        return across / np.linalg.norm(across)

    @property
    def up(self) -> Vector:
        """The sole's normal, in the foot's frame, unit."""
        normal = quat.cross(self.sole.ball - self.sole.heel, self.left)
        return normal / np.linalg.norm(normal)
