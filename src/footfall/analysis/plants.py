"""Plants: each stretch in which a foot stands, with its events, its place, and the ground under it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.analysis.contacts import SAME_PLACE, SAME_TIME
from footfall.figure.contacts import Contacts, runs_of
from footfall.figure.motion import Motion
from footfall.figure.soles import sole_places, toe_places
from footfall.geometry import ground
from footfall.geometry import quaternion as quat


@dataclass(frozen=True, eq=False)
class Plant:
    """One stance of one foot. Frames run from `start` (first touch) up to, not including, `end`."""

    foot: str
    start: int
    end: int
    flat: tuple[int, int] | None  # frames in which heel and toe both touch: [first, one past the last)
    heel_first: bool  # False: toe first (backward, running, down stairs)
    position: Float[np.ndarray, "3"]  # where the subtalar rested, median over the flat frames
    toe: Float[np.ndarray, "3"]  # where the toe joint rested, median over its contact
    heading: float  # of heel to toe
    level: float  # height of the sole's resting level
    pitch: float  # of the sole, from heel to ball, up positive, as the skeleton's foot points show it
    whole: bool  # neither cut off by the clip's first frame nor by its last

    @property
    def heel_strike(self) -> int | None:
        return self.start if self.heel_first else None

    @property
    def foot_flat(self) -> int | None:
        return None if self.flat is None else self.flat[0]

    @property
    def heel_off(self) -> int | None:
        return None if self.flat is None else self.flat[1]

    @property
    def toe_off(self) -> int:
        return self.end


def detect_plants(motion: Motion, contacts: Contacts) -> tuple[Plant, ...]:
    """All plants of both feet in the order in which they begin."""
    found = [plant for side in motion.skeleton.sides for plant in plants_of(motion, contacts, side)]
    return tuple(sorted(found, key=lambda p: (p.start, p.foot)))


def plants_of(motion: Motion, contacts: Contacts, side: str) -> list[Plant]:
    """The plants of one foot. Heel and toe contacts that all but meet at one place are one plant."""
    soles, toe = sole_places(motion, side), toe_places(motion, side)
    stretches: list[tuple[int, int]] = []
    for a, b in runs_of(contacts.stands(side)):
        if stretches:
            first, last = stretches[-1]
            apart = np.linalg.norm(np.median(toe[a:b], axis=0) - np.median(toe[first:last], axis=0))
            if a - last < SAME_TIME * motion.fps and apart < SAME_PLACE:
                stretches[-1] = (first, b)
                continue
        stretches.append((a, b))
    return [_plant(side, a, b, contacts, soles, toe) for a, b in stretches]


def _plant(
    side: str,
    start: int,
    end: int,
    contacts: Contacts,
    soles: Float[np.ndarray, "frames 4 3"],
    toe: Float[np.ndarray, "frames 3"],
) -> Plant:
    heel_on, toe_on = contacts.heel_of(side)[start:end], contacts.toe_of(side)[start:end]
    both = np.flatnonzero(heel_on & toe_on)
    flat = (start + int(both[0]), start + int(both[-1]) + 1) if len(both) else None
    frames = start + (both if len(both) else np.flatnonzero(toe_on if toe_on.any() else heel_on))
    facing = ground.turn(ground.heading_of((soles[frames, 2] - soles[frames, 0]).mean(axis=0)))
    resting = _median(soles[frames], facing)
    touching_toe = start + np.flatnonzero(toe_on) if toe_on.any() else frames
    along = resting[2] - resting[0]
    return Plant(
        foot=side,
        start=start,
        end=end,
        flat=flat,
        heel_first=bool(heel_on[0]),
        position=resting[1],
        toe=_median(toe[touching_toe], facing),
        heading=float(ground.heading_of(along)),
        level=float(resting[1, 1] if flat else resting[:, 1].min()),
        pitch=float(np.arctan2(along[1], np.hypot(along[0], along[2]))),
        whole=start > 0 and end < len(contacts),
    )


def _median(
    places: Float[np.ndarray, "frames *points 3"], facing: Float[np.ndarray, "4"]
) -> Float[np.ndarray, "*points 3"]:
    """Along a foot and across it: along the world's axes it would depend on where one walks."""
    return quat.rotate(facing, np.median(quat.rotate(quat.conjugate(facing), places), axis=0))
