"""How a movement's feet behave: which stand throughout, which swing between two keytimes, and where they
stand.

A footprint is where the subtalar rests on the ground and where the foot points. A foot that rolls over its
toe or lands on its heel still has one: the print it would leave if it lay down about the point that stands.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.adapt.foot_roll import Footprint, print_under
from footfall.adapt.footprints import mean_turn
from footfall.analysis.plants import Plant, plants_of
from footfall.figure.contacts import SIDES, Contacts
from footfall.figure.motion import Motion
from footfall.figure.resample import at_times
from footfall.figure.sole import Sole
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import first_least

Swing = tuple[int, int] | None  # the keytimes at which a foot leaves and lands; None stands throughout


FootPrints = tuple[tuple[Footprint, Footprint], tuple[Footprint, Footprint]]  # left, right: at start, at end


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
    away = np.array([max(p.start - frame, frame - (p.end - 1), 0.0) for p in plants])
    plant = plants[int(first_least(away))] if plants else None
    foot = motion.skeleton.joint(f"{side}_foot")
    if plant is None or plant.flat is None:
        moment = at_times(motion, np.array([time]))
        place, heading = print_under(moment.positions[0, foot], moment.orientations[0, foot], sole)
        return Footprint(place, float(heading), sole.lying)
    flat = np.arange(plant.start, plant.end)[contacts.flat(side)[plant.start : plant.end]]
    lying = quat.multiply(ground.turn(-plant.heading), mean_turn(motion.orientations[flat, foot]))
    return Footprint(plant.position, plant.heading, lying if lying[0] >= 0.0 else -lying)
