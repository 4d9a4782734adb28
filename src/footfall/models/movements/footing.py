"""How a movement's feet behave: which stand throughout, which swing between two keytimes, and where they
stand.

A footprint is where the subtalar rests on the ground and where the foot points. A foot that rolls over its
toe or lands on its heel still has one: the print it would leave if it lay down about the point that stands.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.adapt.footprints import mean_turn
from footfall.analysis.plants import Plant, plants_of
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.figure.resample import at_times
from footfall.figure.sole import Sole
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.easing import smooth

ALL_BUT_FLAT = np.radians(6.0)
SIDES = ("left", "right")
Swing = tuple[int, int] | None  # the keytimes at which a foot leaves and lands; None stands throughout
Vector = Float[np.ndarray, "3"]
Turn = Float[np.ndarray, "4"]


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


FootPrints = tuple[tuple[Footprint, Footprint], tuple[Footprint, Footprint]]  # left, right: at start, at end


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


def prints_of(
    motion: Motion, contacts: Contacts, keytimes: Float[np.ndarray, "keys"], swings: tuple[Swing, Swing]
) -> FootPrints:
    """Of each foot the print at the first keytime and the one at the last; the same where it stands."""
    left, right = (
        _prints(motion, contacts, (float(keytimes[0]), float(keytimes[-1])), side, swing)
        for side, swing in zip(SIDES, swings, strict=True)
    )
    return left, right


def _prints(
    motion: Motion, contacts: Contacts, ends: tuple[float, float], side: str, swing: Swing
) -> tuple[Footprint, Footprint]:
    plants = plants_of(motion, contacts, side)
    start = _print(motion, contacts, plants, side, ends[0])
    return (start, start) if swing is None else (start, _print(motion, contacts, plants, side, ends[1]))


def _print(motion: Motion, contacts: Contacts, plants: list[Plant], side: str, time: float) -> Footprint:
    """From the flat frames of the plant of that moment; else from the foot's posture then."""
    sole = Sole.of(motion.skeleton, side)
    frame = time * motion.fps
    plant = min(plants, key=lambda p: max(p.start - frame, frame - (p.end - 1), 0.0), default=None)
    foot = motion.skeleton.joint(f"{side}_foot")
    if plant is None or plant.flat is None:
        moment = at_times(motion, np.array([time]))
        place, heading = print_under(moment.positions[0, foot], moment.orientations[0, foot], sole)
        return Footprint(place, float(heading), sole.lying)
    flat = np.arange(plant.start, plant.end)[contacts.flat(side)[plant.start : plant.end]]
    lying = quat.multiply(ground.turn(-plant.heading), mean_turn(motion.orientations[flat, foot]))
    return Footprint(plant.position, plant.heading, lying if lying[0] >= 0.0 else -lying)
