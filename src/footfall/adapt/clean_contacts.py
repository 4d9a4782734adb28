"""Clean contacts: every plant pinned exactly, by changes as small and as smooth as can be.

Feet get their pinned paths (see `foot_pins`). The pelvis follows the feet's mean correction, so that the
stance leg keeps the bend it was captured with; it is lowered a little where a leg would be stretched. The
legs are solved last, so that no filter can undo a pin.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from footfall.adapt.foot_pins import PinnedFoot, pin_foot
from footfall.adapt.pelvis import LegCorrection, lowering, pelvis_shift
from footfall.analysis.contacts import detect_contacts
from footfall.analysis.firmness import firm_contacts
from footfall.analysis.floor import Floor, fit_floor
from footfall.analysis.plants import Plant, plants_of
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.geometry import quaternion as quat
from footfall.ik.two_link import Limb, leg_of, solve_two_link

LONGEST = 0.992  # of the leg's length: a pinned leg is not stretched beyond this
LIMIT = 0.9975  # of the leg's length: what a free leg may come near


def clean_contacts(
    motion: Motion, contacts: Contacts | None = None, *, on_floor: bool | None = None
) -> Motion:
    """The motion with its plants pinned, carrying its contacts. Nothing else is changed by intent.

    With `on_floor` every sole is also laid flat on the one floor that is nearest to all plants; by default
    that is done where the feet are calibrated and there is one floor.
    """
    if contacts is None:
        contacts = motion.contacts if motion.contacts is not None else detect_contacts(motion)
    contacts = firm_contacts(motion, contacts)
    sides = motion.skeleton.sides
    plants = {side: plants_of(motion, contacts, side) for side in sides}
    floor = _floor(motion, [p for own in plants.values() for p in own], on_floor)
    pins = {side: pin_foot(motion, contacts, plants[side], side, floor) for side in sides}
    if not sides or not any(pin.pinned.any() for pin in pins.values()):
        return replace(motion, contacts=contacts)
    legs = {side: leg_of(motion.skeleton, side, motion) for side in sides}
    shift = _pelvis_shift(motion, legs, pins)
    return replace(solve_feet(motion, legs, pins, shift), contacts=contacts)


def _floor(motion: Motion, plants: list[Plant], on_floor: bool | None) -> Floor | None:
    if on_floor is None:
        on_floor = motion.skeleton.feet is not None
    floor = fit_floor(plants) if on_floor else None
    return floor if floor is not None and floor.one else None


def _pelvis_shift(
    motion: Motion, legs: dict[str, Limb], pins: dict[str, PinnedFoot]
) -> Float[np.ndarray, "frames 3"]:
    """How the root moves: as the knees like it best, and down where a leg is still too short."""
    corrections = [LegCorrection(legs[s], pins[s].ankle, LONGEST * legs[s].reach) for s in legs]
    shift = pelvis_shift(motion, corrections)
    binding = [pins[s].pinned for s in legs]
    return shift - lowering(motion, corrections, binding, shift)[:, None] * np.array([0.0, 1.0, 0.0])


def solve_feet(
    motion: Motion, legs: dict[str, Limb], pins: dict[str, PinnedFoot], shift: Float[np.ndarray, "frames 3"]
) -> Motion:
    """The motion with its root shifted and its legs solved to the pinned feet."""
    skeleton = motion.skeleton
    places = motion.positions + shift[:, None]
    turns = np.array(motion.orientations)
    local = np.array(motion.rotations)
    for side, limb in legs.items():
        pin = pins[side]
        joints = [limb.upper, limb.middle, limb.end]
        target = _within_reach(places[:, limb.upper], pin, limb)
        upper, lower, _ = solve_two_link(limb, places[:, joints], turns[:, limb.upper], target)
        turns[:, limb.upper] = quat.multiply(upper, turns[:, limb.upper])
        turns[:, limb.middle] = quat.multiply(lower, turns[:, limb.middle])
        turns[:, limb.end] = pin.turn
        chain = skeleton.tree.path(limb.upper, limb.end)
        if len(chain) > 3:
            turns = _carry_between(motion, turns, limb)
        for joint in chain:
            parent = turns[:, skeleton.parents[joint]]
            local[:, joint] = quat.multiply(quat.conjugate(parent), turns[:, joint])
        if pin.toe_turn is not None:
            local[:, skeleton.joint(f"{side}_toe")] = pin.toe_turn
    return replace(motion, root=motion.root + shift, rotations=quat.continuous(local))


def _within_reach(
    hip: Float[np.ndarray, "frames 3"], pin: PinnedFoot, limb: Limb
) -> Float[np.ndarray, "frames 3"]:
    """Targets no farther than a leg is long: a free foot nears that softly, a pinned one is within it."""
    away = pin.ankle - hip
    length = np.linalg.norm(away, axis=-1)
    soft = (LIMIT - LONGEST) * limb.reach
    over = np.maximum(length - LONGEST * limb.reach, 0.0)
    kept = np.minimum(length, LONGEST * limb.reach) + soft * (1.0 - np.exp(-over / soft))
    return hip + away * (kept / np.maximum(length, 1e-9))[:, None]


def _carry_between(
    motion: Motion, turns: Float[np.ndarray, "frames joints 4"], limb: Limb
) -> Float[np.ndarray, "frames joints 4"]:
    """Joints between the limb's three (twist bones) keep their turn relative to the one above."""
    skeleton = motion.skeleton
    own = {limb.upper, limb.middle, limb.end}
    for joint in skeleton.tree.path(limb.upper, limb.end):
        if joint not in own:
            turns[:, joint] = quat.multiply(turns[:, skeleton.parents[joint]], motion.rotations[:, joint])
    return turns


@dataclass(frozen=True)
class Change:
    """How much a motion was changed: mean and largest distance of its joints from where they were."""

    mean: float
    largest: float


def change_between(before: Motion, after: Motion) -> Change:
    away = np.linalg.norm(after.positions - before.positions, axis=-1)
    return Change(float(away.mean()), float(away.max()))
