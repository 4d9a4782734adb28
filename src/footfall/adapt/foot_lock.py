"""The foot lock: a walk whose feet nearly stand comes back with feet that stand exactly.

Each stance gets one print on the ground (`foot_lock_prints`); the foot lies in it, rolls about the heel or
the toe joint that it holds, and between prints swings as it did (`foot_lock_way`), raised where it would cut
the ground (`foot_lock_swings`). The pelvis follows the feet so that knees keep their bend, and comes down
where legs are too short; the legs are solved last, so that nothing can undo a print.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Float

from footfall.adapt.foot_lock_contacts import steady_contacts
from footfall.adapt.foot_lock_foot import RecordedFoot
from footfall.adapt.foot_lock_ground import FootGround
from footfall.adapt.foot_lock_prints import ASIDE, LockedPrint, locked_print
from footfall.adapt.foot_lock_swings import cleared
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
    motion = rigid(motion)
    if contacts is None:
        contacts = motion.contacts
    if contacts is None:
        contacts = firm_contacts(motion, detect_contacts(motion))
    contacts = steady_contacts(contacts, motion.fps)
    if not any(contacts.stands(side).any() for side in motion.skeleton.sides):
        return replace(motion, contacts=contacts)
    feet = {side: RecordedFoot.of(motion, side) for side in motion.skeleton.sides}
    prints = {side: _prints(motion, contacts, feet[side], terrain, aside) for side in feet}
    grounds = {side: FootGround.of(terrain, feet[side], prints[side]) for side in feet}
    ways = {side: locked_way(motion, feet[side], prints[side]) for side in feet}
    legs = {side: leg_of(motion.skeleton, side, motion) for side in feet}
    shift = pelvis_shift(motion, [LegCorrection(legs[s], ways[s].ankle, EASY * legs[s].reach) for s in legs])
    contacts = _of_prints(prints, len(motion))
    ways = {side: cleared(ways[side], feet[side], grounds[side]) for side in feet}
    down, ways = _within_reach(motion, legs, ways, shift)
    ways = {side: toes_over(ways[side], feet[side], grounds[side], motion.skeleton) for side in feet}
    return replace(_solved(motion, legs, ways, shift, down), contacts=contacts)


def _check(motion: Motion, contacts: Contacts | None, aside: float) -> None:
    if contacts is not None and len(contacts) != len(motion):
        raise RequestError(f"contacts of {len(contacts)} frames do not fit a motion of {len(motion)} frames")
    if not is_number(aside) or not 0.0 <= aside <= FARTHEST:
        raise RequestError(f"aside must be a length from 0 to {FARTHEST} m, not {aside!r}")


def _prints(
    motion: Motion, contacts: Contacts, foot: RecordedFoot, terrain: Ground | None, aside: float
) -> list[LockedPrint]:
    plants = stances_of(motion, plants_of(motion, contacts, foot.side), known=True)
    return [locked_print(phases_of(contacts, foot.side, plant), foot, terrain, aside) for plant in plants]


def _of_prints(prints: dict[str, list[LockedPrint]], frames: int) -> Contacts:
    """When heels and toes stand, as the prints have it."""
    heel, toe = np.zeros((frames, 2), dtype=bool), np.zeros((frames, 2), dtype=bool)
    for side, own in prints.items():
        for phase in (phase for stance in own for phase in stance.phases):
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
