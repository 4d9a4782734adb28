"""What a toe can do: how far it bends down and up, and how far it is turned otherwise.

Captured toes tremble and blended ones may be folded under their foot: such are brought back to what toes can
do, all others stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from footfall.adapt.toes import lateral_axis
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat

BENT = (-0.6, 2.3)  # rad, down and up
EASY = 1.2  # rad up, to which toes are bent before the foot is rather raised
ASKEW = 0.6  # rad, in any other way
SAME = 1e-9  # rad

Toes = Float[np.ndarray, "frames 4"]


@dataclass(frozen=True, eq=False)
class ToeJoint:
    """How a toe bends: about an axis of its foot, from where it is straight."""

    axis: Float[np.ndarray, "3"]  # upwards about it
    rest: Float[np.ndarray, "4"]  # relative to the foot

    @classmethod
    def of(cls, skeleton: Skeleton, side: str) -> ToeJoint:
        axis = lateral_axis(quat.identity()[None], skeleton.foot_points(side))[0]
        has = skeleton.has(f"{side}_toe")
        return cls(axis, skeleton.rest[skeleton.joint(f"{side}_toe")] if has else quat.identity())

    def bent(self, toes: Toes, up: Float[np.ndarray, "frames"]) -> Toes:
        """Toes bent up by so much more, rad."""
        return quat.multiply(quat.exp(up[:, None] * self.axis), toes)

    def room(self, toes: Toes) -> Float[np.ndarray, "frames"]:
        """How much farther up they are bent easily, rad."""
        return np.maximum(EASY - self._turned(toes) @ self.axis, 0.0)

    def possible(self, toes: Toes) -> Toes:
        """Toes as near to these as toes can be."""
        turned = self._turned(toes)
        bend = turned @ self.axis
        askew = turned - bend[:, None] * self.axis
        most = ASKEW / np.maximum(np.linalg.norm(askew, axis=1), ASKEW)
        can = np.clip(bend, *BENT)[:, None] * self.axis + most[:, None] * askew
        cannot = np.abs(can - turned).max(axis=1, initial=0.0) > SAME
        return np.where(cannot[:, None], quat.multiply(quat.exp(can), self.rest), toes)

    def _turned(self, toes: Toes) -> Float[np.ndarray, "frames 3"]:
        return quat.log(quat.multiply(toes, quat.conjugate(self.rest)))


def possible_toes(motion: Motion) -> Motion:
    """The motion with toes that do what toes can."""
    skeleton, rotations = motion.skeleton, np.array(motion.rotations)
    for side in skeleton.sides:
        if skeleton.has(f"{side}_toe"):
            toe = skeleton.joint(f"{side}_toe")
            rotations[:, toe] = ToeJoint.of(skeleton, side).possible(motion.rotations[:, toe])
    return motion if np.array_equal(rotations, motion.rotations) else replace(motion, rotations=rotations)
