"""Where a clip holds one cycle of steps ([body] 4.1): from a foot's strike to its next, or a step of each
foot between two stands.

The paper cuts at foot placements by hand; here contacts tell them. A clip with several cycles gives the one
that comes back best to where it began: a mean of two would dull both, and two of the same speed add nothing
to the space.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from footfall.analysis.plants import Plant, plants_of
from footfall.errors import RequestError
from footfall.figure.contacts import SIDES
from footfall.figure.motion import Motion
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import first_least, nearest_cell

STANDS = 0.15  # s that both feet stand together where a step of each foot is made a cycle
MOST_RISE = 0.03  # m a cycle: what climbs more is no locomotion on level ground
WORST_SEAM = 0.22  # rad in the mean of the joints that move: what ends so far from its beginning is no cycle
WORST_STAND = 0.3  # rad: a step of each foot may end so, for standing hides it
SHORTEST, LONGEST = 0.3, 4.0  # s


@dataclass(frozen=True)
class FootTimes:
    """When a foot strikes, lies flat, stops lying flat and leaves, in seconds of the clip."""

    strike: float
    flat: float
    heel_off: float
    off: float


@dataclass(frozen=True, eq=False)
class Cycle:
    """A stretch of a clip that comes again: from frame `first` up to `last`, which is the first once more."""

    motion: Motion
    first: int
    last: int
    feet: tuple[FootTimes, FootTimes]  # left and right; times may lie beyond the stretch by a cycle
    worst: float = WORST_SEAM  # rad that its seam may be

    @property
    def seconds(self) -> float:
        return (self.last - self.first) / self.motion.fps

    @property
    def seam(self) -> float:
        """rad by which joints differ at the two ends, in the mean of those that move."""
        turns = self.motion.rotations
        apart = quat.angle_between(turns[self.first, 1:], turns[self.last, 1:])
        moves = np.ptp(quat.continuous(turns[:, 1:]), axis=0).max(axis=-1) > 1e-3
        return float(apart[moves].mean()) if moves.any() else 0.0


def best_cycle(motion: Motion) -> Cycle:
    """The cycle of a clip that carries contacts which closes best; refused where there is none."""
    plants = _plants(motion)
    found = [*_strike_to_strike(motion, plants), *_between_stands(motion, plants)]
    if not found:
        raise RequestError("no cycle: it takes two strikes of one foot and one of the other between them")
    sound = [c for c in found if SHORTEST <= c.seconds <= LONGEST]
    if not sound:
        raise RequestError(f"its cycles do not take {SHORTEST:g} to {LONGEST:g} s")
    # a steady gait comes back as well from left strike to left strike as from right to right
    best = sound[int(first_least(np.array([c.seam for c in sound])))]
    if best.seam > best.worst:
        raise RequestError(f"it does not come back to where it began: joints differ by {best.seam:.2f} rad")
    rise = float(motion.root[best.last, 1] - motion.root[best.first, 1])
    if abs(rise) > MOST_RISE:
        raise RequestError(f"it rises {100 * rise:.0f} cm in a cycle")
    return best


def stands_throughout(motion: Motion) -> bool:
    """Whether no foot ever leaves the ground."""
    contacts = motion.contacts
    return contacts is not None and all(contacts.stands(side).all() for side in SIDES)


def floor_level(motion: Motion) -> float:
    """m: of the ground that feet of a clip stand on."""
    levels = [plant.level for plants in _plants(motion).values() for plant in plants]
    return float(np.median(levels)) if levels else 0.0


def _plants(motion: Motion) -> dict[str, list[Plant]]:
    if motion.contacts is None:
        raise RequestError("contacts are needed to tell steps by")
    return {side: plants_of(motion, motion.contacts, side) for side in SIDES}


def _strike_to_strike(motion: Motion, plants: dict[str, list[Plant]]) -> list[Cycle]:
    found = []
    for side, other in (SIDES, SIDES[::-1]):
        for here, there in pairwise(plants[side]):
            between = [p for p in plants[other] if here.start < p.start < there.start]
            if here.start > 0 and len(between) == 1 and here.end < there.start:
                first, last = here.start, there.start
                own = {side: here, other: between[0]}
                feet = [_times(motion, own[s], last - first, plants[s]) for s in SIDES]
                found.append(Cycle(motion, first, last, (feet[0], feet[1])))
    return found


def _between_stands(motion: Motion, plants: dict[str, list[Plant]]) -> list[Cycle]:
    """A step of each foot, the one after the other, from a stand to a stand."""
    if any(len(own) != 2 or own[0].start > 0 or own[1].end < len(motion) for own in plants.values()):
        return []
    lead, trail = sorted(plants.values(), key=lambda own: own[0].end)
    if trail[0].end < lead[1].start:
        return []
    stand = int(nearest_cell(STANDS * motion.fps, 1.0))
    first = max(lead[0].end - stand // 2, 0)
    last = min(first + (trail[1].start - lead[0].end) + stand, len(motion) - 1)
    feet = []
    for side in SIDES:
        left, came = plants[side]
        strike = came.start / motion.fps
        period = (last - first) / motion.fps
        off = left.end / motion.fps + period
        flat, heel_off = _flat(came, motion.fps), _flat(left, motion.fps, last=True) + period
        feet.append(FootTimes(strike, min(flat, heel_off), max(flat, heel_off), off))
    return [Cycle(motion, first, last, (feet[0], feet[1]), WORST_STAND)]


def _times(motion: Motion, plant: Plant, period: int, own: list[Plant]) -> FootTimes:
    """Of a plant; one that the clip's end cuts off leaves as the plant before it does."""
    end, heel_off = plant.end, _flat(plant, motion.fps, last=True)
    if not plant.end < len(motion):
        before = max((p for p in own if p.start < plant.start), key=lambda p: p.start, default=None)
        if before is None:
            raise RequestError("a foot's stance is cut off by the clip's end")
        end, heel_off = before.end + period, _flat(before, motion.fps, last=True) + period / motion.fps
    strike = plant.start / motion.fps
    flat = min(_flat(plant, motion.fps), heel_off)
    return FootTimes(strike, max(flat, strike), max(heel_off, flat, strike), end / motion.fps)


def _flat(plant: Plant, fps: float, *, last: bool = False) -> float:
    """s at which a foot begins or ends to lie flat; the middle of a stance that never does."""
    if plant.flat is None:
        return 0.5 * (plant.start + plant.end) / fps
    return (plant.flat[1] - 1 if last else plant.flat[0]) / fps
