"""An example ready for its library: in its base frame, with keytimes from its start and its footprints.

The base frame ([movements] 5, 6) lies on the ground under the hips at the first keytime and faces where the
trunk does. The paper takes the pelvis's heading; in a straight walk that turns by eight degrees to and fro
with every step, while hip line and shoulder line together stay within one degree of the way
(docs/decisions.md).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from jaxtyping import Float

from footfall.adapt.foot_roll import Footprint
from footfall.adapt.normalize import placed
from footfall.adapt.rigid import rigid
from footfall.adapt.still_joints import mirrored_with_still_joints
from footfall.analysis.contacts import detect_contacts
from footfall.analysis.facing import trunk_headings
from footfall.errors import RequestError
from footfall.figure.example import Example
from footfall.figure.motion import Motion
from footfall.figure.resample import at_times, resample
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import cell_of, cells_up_to
from footfall.models.movements.footing import FootPrints, Swing, prints_of

MARGIN = 2  # frames kept before the first keytime and after the last: cubics need a neighbour
LEVEL = np.array([1.0, 0.0, 1.0])
AROUND = 1.0  # s around a movement in which its feet may be seen to lie


@dataclass(frozen=True, eq=False)
class Prepared:
    """One example in its base frame."""

    motion: Motion
    lead: float  # s from the motion's first frame to the first keytime
    keytimes: Float[np.ndarray, "keys"]  # s from the first, which is 0
    prints: FootPrints
    swings: tuple[Swing, Swing]
    name: str

    @cached_property
    def turn(self) -> float:
        """Of the trunk, from the first keytime to the last."""
        headings = np.interp(
            self.lead + self.keytimes[[0, -1]], self.motion.times, trunk_headings(self.motion)
        )
        return float(headings[1] - headings[0])

    def mirrored(self) -> Prepared:
        """The example's mirror image: its footprints are the mirrored ones, whatever soles the feet have.

        Captured feet differ: told anew from the other foot's sole, prints would be a centimetre off.
        """
        motion = mirrored_with_still_joints(self.motion)
        (a, b), (c, d) = self.prints

        def reflected(p: Footprint, side: str) -> Footprint:
            return p.reflected(motion.skeleton, side)

        prints = (
            (reflected(c, "right"), reflected(d, "right")),
            (reflected(a, "left"), reflected(b, "left")),
        )
        swings = (self.swings[1], self.swings[0])
        return replace(self, motion=motion, prints=prints, swings=swings, name=f"{self.name}, mirrored")


def prepare(example: Example, swings: tuple[Swing, Swing], fps: float) -> Prepared:
    """Cuts an example to its keytimes and brings it into its base frame."""
    motion = example.motion
    keytimes = np.array(example.keytimes, dtype=float)
    if keytimes[0] < -1e-9 or keytimes[-1] > motion.seconds + 1e-6:
        raise RequestError(
            f"the example {example.name!r} has keytimes from {keytimes[0]:.3f} to {keytimes[-1]:.3f} s, but "
            f"its motion lasts {motion.seconds:.3f} s"
        )
    contacts = motion.contacts if motion.contacts is not None else detect_contacts(motion)
    # of a long clip only what is around the movement is looked at
    early = max(int(cell_of((keytimes[0] - AROUND) * motion.fps, 1.0)), 0)
    late = int(cells_up_to((keytimes[-1] + AROUND) * motion.fps, 1.0)) + 1
    keytimes = keytimes - early / motion.fps
    motion = rigid(replace(motion, contacts=contacts)[early:late])
    contacts = contacts.frames(slice(early, late))
    prints = prints_of(motion, contacts, keytimes, swings)
    coarse = resample(motion, fps)
    first = max(int(cell_of(keytimes[0] * fps, 1.0)) - MARGIN, 0)
    last = min(int(cells_up_to(keytimes[-1] * fps, 1.0)) + MARGIN, len(coarse) - 1)
    cut = coarse[first : last + 1]
    heading = float(np.interp(keytimes[0], motion.times, trunk_headings(motion)))
    hips = at_times(motion, keytimes[:1]).of("hips")[0]
    level = _standing_level(prints, swings)
    origin = hips * LEVEL + level * ground.UP
    shift = -quat.rotate(ground.turn(-heading), origin)
    return Prepared(
        motion=placed(cut, -heading, shift),
        lead=float(keytimes[0]) - first / fps,
        keytimes=keytimes - keytimes[0],
        prints=_moved(prints, heading, origin),
        swings=swings,
        name=example.name or example.kind,
    )


def _standing_level(prints: FootPrints, swings: tuple[Swing, Swing]) -> float:
    """Height of the ground at the start, under the foot that stands throughout, else under both."""
    standing = [p[0] for p, swing in zip(prints, swings, strict=True) if swing is None]
    return float(np.mean([p.place[1] for p in standing or [p[0] for p in prints]]))


def _moved(prints: FootPrints, heading: float, origin: Float[np.ndarray, "3"]) -> FootPrints:
    def one(p: Footprint) -> Footprint:
        place = quat.rotate(ground.turn(-heading), p.place - origin)
        return replace(p, place=place, heading=float(ground.wrap(p.heading - heading)))

    (a, b), (c, d) = prints
    return (one(a), one(b)), (one(c), one(d))
