"""The points of one sole, wherever its foot is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.figure.skeleton import Skeleton
from footfall.figure.soles import toe_point_on_toe
from footfall.geometry import ground
from footfall.geometry import quaternion as quat


@dataclass(frozen=True, eq=False)
class Sole:
    """Heel, subtalar, ball, toe joint in the foot's frame; the toe's tip in the toe's, where there is one."""

    heel: Float[np.ndarray, "3"]
    subtalar: Float[np.ndarray, "3"]
    ball: Float[np.ndarray, "3"]
    toe_joint: Float[np.ndarray, "3"]  # about which the foot rolls off; the ball where there is none
    tip: Float[np.ndarray, "3"]  # from the toe joint
    has_toe: bool

    @classmethod
    def of(cls, skeleton: Skeleton, side: str) -> Sole:
        points = skeleton.foot_points(side)
        foot = skeleton.joint(f"{side}_foot")
        if skeleton.has(f"{side}_toe") and skeleton.parents[skeleton.joint(f"{side}_toe")] == foot:
            joint = skeleton.offsets[skeleton.joint(f"{side}_toe")]
            tip = toe_point_on_toe(skeleton, side, points)
            return cls(points.heel, points.subtalar, points.ball, joint, tip, True)
        return cls(points.heel, points.subtalar, points.ball, points.ball, points.toe - points.ball, False)

    @property
    def lengths(self) -> tuple[float, float]:
        """From the subtalar back to the heel, and on to the tip of the toes, m."""
        ahead = np.linalg.norm(self.toe_joint - self.subtalar) + np.linalg.norm(self.tip)
        return float(np.linalg.norm(self.heel - self.subtalar)), float(ahead)

    @property
    def lying(self) -> Float[np.ndarray, "4"]:
        """The turn of the foot that lies flat and points along +Z."""
        along = self.ball - self.heel
        across = quat.cross(along, -self.subtalar)
        up = quat.cross(across, along)
        level = quat.between(up, np.array([0.0, 1.0, 0.0]))
        return quat.multiply(ground.turn(-float(ground.heading_of(quat.rotate(level, along)))), level)

    def ankle_about(
        self,
        pivot: Float[np.ndarray, "*n 3"],
        lying: Float[np.ndarray, "4"],
        turn: Float[np.ndarray, "*n 4"],
    ) -> Float[np.ndarray, "*n 3"]:
        """Where the ankle is, beside its print, when the foot turns about a point that stands."""
        return quat.rotate(lying, pivot - self.subtalar) - quat.rotate(turn, pivot)

    def points(
        self,
        ankle: Float[np.ndarray, "*n 3"],
        turn: Float[np.ndarray, "*n 4"],
        toe: Float[np.ndarray, "*n 4"] | None,
    ) -> Float[np.ndarray, "*n 4 3"]:
        """Heel, subtalar, ball and toe tip in the frame in which ankle and turn are told."""
        tip = self.tip if toe is None or not self.has_toe else quat.rotate(toe, self.tip)
        fixed = np.stack([self.heel, self.subtalar, self.ball])
        local = np.concatenate(
            [
                np.broadcast_to(fixed, (*turn.shape[:-1], 3, 3)),
                np.broadcast_to(self.toe_joint + tip, (*turn.shape[:-1], 3))[..., None, :],
            ],
            axis=-2,
        )
        return ankle[..., None, :] + quat.rotate(turn[..., None, :], local)
