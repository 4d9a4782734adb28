"""The foot plan of a capture: where its feet stood, in the order in which they came there.

The first two footprints are where the feet stand first, and of these the first is the one that leaves first:
so the plan of an alternating walk alternates from its first line on. Then comes a footprint for each strike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from footfall.analysis.contacts import detect_contacts
from footfall.analysis.plants import Plant, detect_plants
from footfall.analysis.stances import stances_of
from footfall.analysis.steps import detect_steps
from footfall.errors import RequestError
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.geometry import ground
from footfall.world.foot_plan import FEET, LONGEST, FootPlacement, FootPlan


def extract_plan(
    motion: Motion,
    *,
    start: float | None = None,
    end: float | None = None,
    contacts: Contacts | None = None,
) -> FootPlan:
    """The plan that a motion walks, or its part from `start` to `end` seconds.

    Footprints lie where the subtalar rested, with the foot's heading, the swing that arrived and the stance;
    what the clip or the part cuts off is left open. A foot that turns or slips while it stands has one print.

    `contacts` say when the feet stood; else the motion's own do where it carries them, else they are found.
    Cleaned clips (`clean_contacts`) have steadier footprints, but carry when a foot was pinned, which is
    shorter than it stood: for the times give `detect_contacts` of the clip before it was cleaned.
    """
    _check_feet(motion)
    stood = _contacts(motion, contacts)
    # found in the whole clip, so that a part stands where the whole does
    known = contacts is not None or motion.contacts is not None
    plants = _lying(stances_of(motion, detect_plants(motion, stood), known=known))
    if start is not None or end is not None:
        plants = _seen(plants, motion, start, end)
    if not detect_steps(motion, plants):
        raise RequestError(f"no step to plan: {_found(plants)}")
    return FootPlan(tuple(_placements(_in_turn(plants), motion.fps)))


def _contacts(motion: Motion, given: Contacts | None) -> Contacts:
    if given is not None and len(given) != len(motion):
        raise RequestError(f"contacts of {len(given)} frames do not fit a motion of {len(motion)}")
    if given is None:
        given = motion.contacts
    return given if given is not None else detect_contacts(motion)


def _lying(plants: Sequence[Plant]) -> tuple[Plant, ...]:
    """Plants of which a clip shows only heel or toes, with the footprint that the flat foot would leave."""
    feet = {foot: [p for p in plants if p.foot == foot and p.flat is not None] for foot in FEET}
    return tuple(p if p.flat is not None else _laid(p, feet[p.foot]) for p in plants)


def _laid(plant: Plant, flat: Sequence[Plant]) -> Plant:
    """The toe joint stays where it is; the subtalar lies as far behind it as in the foot's other plants."""
    if not flat:
        return plant
    long = np.median([np.hypot(*(p.toe - p.position)[[0, 2]]) for p in flat])
    place = plant.toe - long * ground.direction_of(plant.heading)
    return replace(plant, position=np.array([place[0], plant.level, place[2]]))


def _seen(
    plants: Sequence[Plant], motion: Motion, start: float | None, end: float | None
) -> tuple[Plant, ...]:
    """The plants of a part of a clip, cut off where it begins and ends."""
    frames = len(motion.between(start, end))
    first = 0 if start is None else int(np.ceil(start * motion.fps - 1e-6))
    last = first + frames
    return tuple(
        replace(
            p,
            start=max(p.start, first),
            end=min(p.end, last),
            whole=p.whole and p.start > first and p.end < last,
        )
        for p in plants
        if p.start < last and p.end > first
    )


def _check_feet(motion: Motion) -> None:
    missing = [side for side in FEET if side not in motion.skeleton.sides]
    if missing:
        raise RequestError(
            f"a foot plan needs both feet; no {' and no '.join(missing)} leg was found in the skeleton"
        )


def _found(plants: Sequence[Plant]) -> str:
    stands = [sum(p.foot == foot for p in plants) for foot in FEET]
    return (
        f"the left foot stands in {stands[0]} places and the right in {stands[1]}; "
        "a step needs a foot that stands, swings and stands again while the other supports"
    )


def _in_turn(plants: Sequence[Plant]) -> list[Plant]:
    """First where each foot stands when both have stood, the one that leaves first; then as they strike."""
    both = max(min(p.start for p in plants if p.foot == foot) for foot in FEET)
    standing = [[p for p in plants if p.foot == foot and p.start <= both][-1] for foot in FEET]
    later = [p for p in plants if p.start > both]
    return sorted(standing, key=lambda p: (p.end, p.start, p.foot)) + later


def _placements(plants: Sequence[Plant], fps: float) -> list[FootPlacement]:
    before: dict[str, Plant] = {}
    placements = []
    for plant in plants:
        swing = (plant.start - before[plant.foot].end) / fps if plant.foot in before else None
        stance = min((plant.end - plant.start) / fps, LONGEST) if plant.whole else None
        placements.append(FootPlacement(plant.foot, plant.position, plant.heading, swing, stance))
        before[plant.foot] = plant
    return placements
