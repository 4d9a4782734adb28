"""The foot lock: a walk whose feet nearly stand comes back with feet that stand exactly.

Each stance gets one print on the ground (`foot_lock_prints`); the foot lies in it, rolls about the heel or
the toe joint that it holds, and between prints swings as it did (`foot_lock_way`); where it would cut the
ground its toes are bent, and it is raised and timed anew (`foot_lock_swings`). The pelvis follows the feet so
that knees keep their bend, and comes down where legs are too short; the legs are solved last, so that nothing
can undo a print.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from footfall.adapt.foot_lock_bends import possible_toes
from footfall.adapt.foot_lock_contacts import steady_contacts
from footfall.adapt.foot_lock_foot import RecordedFoot
from footfall.adapt.foot_lock_ground import FootGround
from footfall.adapt.foot_lock_prints import ASIDE, LockedPrint, locked_print
from footfall.adapt.foot_lock_swings import over_ground
from footfall.adapt.foot_lock_toes import toes_over
from footfall.adapt.foot_lock_way import LockedWay, locked_way
from footfall.adapt.footprints import phases_of
from footfall.adapt.legroom import Leg, coming_down
from footfall.adapt.legs_to_feet import hips_of, leg_lengths, legs_to_feet
from footfall.adapt.pelvis import LegCorrection, pelvis_shift
from footfall.adapt.rigid import rigid
from footfall.analysis.contacts import detect_contacts
from footfall.analysis.firmness import firm_contacts
from footfall.analysis.plants import plants_of
from footfall.analysis.stances import stances_of
from footfall.errors import RequestError
from footfall.figure.contacts import SIDE_INDEX, Contacts
from footfall.figure.motion import Motion
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import UP
from footfall.ik.two_link import Limb, leg_of
from footfall.world.terrain import Ground, is_number

FARTHEST = 0.3  # m: a print that is moved more is no longer that step's
HARD = 40.0  # m/s^2: swings that can be brought over the ground only so hard need other prints
EASY = 0.992  # of a leg's length: the pelvis follows feet so that legs stay under this


def lock_feet(
    motion: Motion,
    terrain: Ground | None = None,
    *,
    contacts: Contacts | None = None,
    aside: float = ASIDE,
) -> Motion:
    """The motion with its feet locked to the ground while they stand, carrying its contacts.

    Contacts are those given, else those that it carries, else detected. Without terrain the ground is where
    each foot stands; on terrain a print that hangs in the air or in a wall is moved `aside` by as much at
    most. Only the root's place and the rotations of legs, feet and toes are changed.
    """
    _check(motion, contacts, aside)
    motion = possible_toes(rigid(motion))
    if contacts is None:
        contacts = motion.contacts
    if contacts is None:
        contacts = firm_contacts(motion, detect_contacts(motion))
    contacts = steady_contacts(contacts, motion.fps)
    if not any(contacts.stands(side).any() for side in motion.skeleton.sides):
        return replace(motion, contacts=contacts)
    feet = {side: _lock(motion, contacts, side, terrain, aside) for side in motion.skeleton.sides}
    legs = {side: leg_of(motion.skeleton, side, motion) for side in feet}
    # the pelvis follows prints, not swings that are raised
    follow = [LegCorrection(legs[s], feet[s].way.ankle, EASY * legs[s].reach) for s in legs]
    shift = pelvis_shift(motion, follow)
    down, ways = _within_reach(motion, legs, {side: foot.cleared for side, foot in feet.items()}, shift)
    ways = {s: toes_over(ways[s], feet[s].recorded, feet[s].ground, motion.fps) for s in feet}
    return replace(_solved(motion, legs, ways, shift, down), contacts=_of_prints(feet, len(motion)))


@dataclass(frozen=True, eq=False)
class _Locked:
    """One foot: as recorded, its prints, the ground it finds, its way, and that brought over the ground."""

    recorded: RecordedFoot
    prints: list[LockedPrint]
    ground: FootGround
    way: LockedWay
    cleared: LockedWay
    hard: set[int]  # frames at which swings begin and end that were hard to bring over it

    @classmethod
    def on(
        cls, motion: Motion, recorded: RecordedFoot, prints: list[LockedPrint], terrain: Ground | None
    ) -> _Locked:
        ground = FootGround.of(terrain, recorded, prints)
        way = locked_way(motion, recorded, prints)
        over, changed = over_ground(way, recorded, ground, motion.fps)
        hard = {end for swing, much in zip(way.swings, changed, strict=True) if much > HARD for end in swing}
        return cls(recorded, prints, ground, way, over, hard)


def _lock(motion: Motion, contacts: Contacts, side: str, terrain: Ground | None, aside: float) -> _Locked:
    """A foot on its prints; those beside swings that are hard to bring over the ground are off its edges."""
    recorded = RecordedFoot.of(motion, side)
    plants = stances_of(motion, plants_of(motion, contacts, side), known=True)
    phases = [phases_of(contacts, side, plant) for plant in plants]
    prints = [locked_print(own, recorded, terrain, aside) for own in phases]
    locked = _Locked.on(motion, recorded, prints, terrain)
    beside = [i for i, p in enumerate(prints) if not locked.hard.isdisjoint((p.first, p.last - 1))]
    if terrain is None or not beside:
        return locked
    roomy = {i: locked_print(phases[i], recorded, terrain, aside, room=True) for i in beside}
    moved = {i: p for i, p in roomy.items() if not np.array_equal(p.held["flat"], prints[i].held["flat"])}
    if not moved:
        return locked
    return _Locked.on(motion, recorded, [moved.get(i, p) for i, p in enumerate(prints)], terrain)


def _check(motion: Motion, contacts: Contacts | None, aside: float) -> None:
    if contacts is not None and len(contacts) != len(motion):
        raise RequestError(f"contacts of {len(contacts)} frames do not fit a motion of {len(motion)} frames")
    if not is_number(aside) or not 0.0 <= aside <= FARTHEST:
        raise RequestError(f"aside must be a length from 0 to {FARTHEST} m, not {aside!r}")


def _of_prints(feet: dict[str, _Locked], frames: int) -> Contacts:
    """When heels and toes stand, as the prints have it."""
    heel, toe = np.zeros((frames, 2), dtype=bool), np.zeros((frames, 2), dtype=bool)
    for side, foot in feet.items():
        for phase in (phase for stance in foot.prints for phase in stance.phases):
            heel[phase.frames, SIDE_INDEX[side]] = phase.kind != "toe"
            toe[phase.frames, SIDE_INDEX[side]] = phase.kind != "heel"
    return Contacts(heel, toe)


def _within_reach(
    motion: Motion, legs: dict[str, Limb], ways: dict[str, LockedWay], shift: Float[np.ndarray, "frames 3"]
) -> tuple[Float[np.ndarray, "frames"], dict[str, LockedWay]]:
    """How far the pelvis comes down, and the feet, drawn in where a leg in the air is still too short."""
    hips = hips_of(motion.skeleton, legs, motion.root + shift, motion.rotations)
    recorded = leg_lengths(motion.skeleton, legs, motion.rotations)
    reaching = {
        side: Leg(limb.reach, hips[side][0], ways[side], recorded[side], easy=EASY)
        for side, limb in legs.items()
    }
    down = coming_down(list(reaching.values()), motion.fps)
    return down, {side: leg.drawn_in(down) for side, leg in reaching.items()}


def _solved(
    motion: Motion,
    legs: dict[str, Limb],
    ways: dict[str, LockedWay],
    shift: Float[np.ndarray, "frames 3"],
    down: Float[np.ndarray, "frames"],
) -> Motion:
    """The motion with its root moved and its legs ending in their feet."""
    hips = hips_of(motion.skeleton, legs, motion.root + shift, motion.rotations)
    rotations = legs_to_feet(motion.skeleton, legs, np.array(motion.rotations), hips, down, ways)
    changed = np.any(rotations != motion.rotations, axis=(0, 2))
    rotations[:, changed] = quat.continuous(rotations[:, changed])
    return replace(motion, root=motion.root + shift - down[:, None] * UP, rotations=rotations)
