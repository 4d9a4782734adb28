"""A foot beside its print: where it rests, how it rolls, and about which point.

A footprint is where the subtalar rests on the ground and where the foot points. A foot that rolls over its
toe or lands on its heel still has one: the print it would leave if it lay down about the point that stands.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.figure.mirror import REFLECT_POINT, REFLECT_TURN, mirror_frame
from footfall.figure.skeleton import Skeleton
from footfall.figure.sole import Sole
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.easing import smooth

FLAT = np.radians(1.5)  # rolls under this lie flat,
SURELY = np.radians(4.0)  # and over this are as they are
NEARLY = 1e-9  # rad
ALL_BUT_FLAT = np.radians(6.0)
Vector = Float[np.ndarray, "3"]
Turn = Float[np.ndarray, "4"]
Rolls = Float[np.ndarray, "moments 3"]


@dataclass(frozen=True, eq=False)
class Footprint:
    """A place on the ground and a heading; `lying` is how the flat foot is turned there, its heading taken
    out.
    """

    place: Vector
    heading: float
    lying: Turn

    def local(self, places: Float[np.ndarray, "*n 3"]) -> Float[np.ndarray, "*n 3"]:
        return quat.rotate(ground.turn(-self.heading), places - self.place)

    def turned(self, turns: Float[np.ndarray, "*n 4"]) -> Float[np.ndarray, "*n 4"]:
        """Turns of the foot as seen from the print."""
        return quat.multiply(ground.turn(-self.heading), turns)

    def reflected(self, skeleton: Skeleton, side: str) -> Footprint:
        """A print of one foot as one of the other: place, heading, and how the foot lies in it."""
        pairs, rest = mirror_frame(skeleton)
        foot = skeleton.joint(f"{side}_foot")
        lies = quat.multiply(ground.turn(self.heading), self.lying)
        away = quat.multiply(lies, quat.conjugate(rest[foot])) * REFLECT_TURN
        lying = quat.multiply(ground.turn(self.heading), quat.multiply(away, rest[pairs[foot]]))
        return Footprint(self.place * REFLECT_POINT, -self.heading, lying)


def roll_of(turn: Float[np.ndarray, "*n 4"], lying: Turn) -> Float[np.ndarray, "*n 3"]:
    """How a foot is turned away from lying flat, as a rotation vector in its print's frame.

    Its x is the roll over the foot: positive with the heel up, negative with the toes up.
    """
    return quat.log(quat.multiply(turn, quat.conjugate(lying)))


def pivot_of(sole: Sole, roll: Float[np.ndarray, "*n 3"]) -> Float[np.ndarray, "*n 3"]:
    """The point of the sole that stands: the toe joint while the heel is up, else the heel."""
    return np.where(roll[..., :1] > 0.0, sole.toe_joint, sole.heel)


def print_under(
    ankle: Float[np.ndarray, "*n 3"], turn: Float[np.ndarray, "*n 4"], sole: Sole
) -> tuple[Float[np.ndarray, "*n 3"], Float[np.ndarray, "*n"]]:
    """The print of a foot in any posture: where its subtalar would rest if it lay down about what stands."""
    heading = ground.heading_of(quat.rotate(turn, sole.ball - sole.heel))
    facing = ground.turn(heading)
    roll = roll_of(quat.multiply(quat.conjugate(facing), turn), sole.lying)
    # from the heel to the toe joint without a jump: a foot that is all but flat may still be tilted aside
    share = smooth(0.5 + 0.5 * roll[..., :1] / ALL_BUT_FLAT)
    pivot = sole.heel + share * (sole.toe_joint - sole.heel)
    stands = ankle + quat.rotate(turn, pivot)
    lain = quat.multiply(facing, sole.lying)
    return stands - quat.rotate(lain, pivot - sole.subtalar), heading


def shaped(roll: Rolls) -> Rolls:
    """Rolls of a foot that stands: nearly flat is flat, and a flat foot is turned in no other way either."""
    return smooth((np.abs(roll[:, :1]) - FLAT) / (SURELY - FLAT)) * roll
