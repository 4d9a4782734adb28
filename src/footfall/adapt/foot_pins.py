"""Where each foot must be so that its contacts do not move: pinned heels, flat soles, pinned toes.

While only the heel touches, the foot turns about its footprint's heel; while only the toe touches, about its
toe. Between contacts the correction is bridged.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from footfall.adapt.bridging import bridged
from footfall.adapt.footprints import CapturedFoot, Phase, footprints_of, phases_of
from footfall.adapt.toes import raised_toes, toe_turns
from footfall.analysis.floor import Floor
from footfall.analysis.plants import Plant
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.geometry import quaternion as quat

ELSEWHERE = 0.08  # m: a foot this far under its neighbouring plant stands on other ground, or will
SETTLE = 0.20  # s in which a foot's residual speed at touch-down and lift-off is smoothed away


@dataclass(frozen=True, eq=False)
class PinnedFoot:
    """A foot's wanted path: ankle places, foot and toe turns (world), and where these are binding."""

    ankle: Float[np.ndarray, "frames 3"]
    turn: Float[np.ndarray, "frames 4"]
    toe_turn: Float[np.ndarray, "frames 4"] | None  # relative to the foot
    pinned: Bool[np.ndarray, "frames"]


def pin_foot(
    motion: Motion, contacts: Contacts, plants: list[Plant], side: str, floor: Floor | None = None
) -> PinnedFoot:
    """The pinned path of one foot, given its plants; on a floor, where one is given, with flat soles."""
    skeleton = motion.skeleton
    foot = skeleton.joint(f"{side}_foot")
    points = skeleton.foot_points(side)
    places, turns = motion.positions[:, foot], motion.orientations[:, foot]
    toe = skeleton.offsets[skeleton.joint(f"{side}_toe")] if skeleton.has(f"{side}_toe") else points.ball
    phases = [phases_of(contacts, side, plant) for plant in plants]
    feet = CapturedFoot(
        places, turns, {"flat": points.subtalar, "heel": points.heel, "toe": toe}, points, floor
    )
    prints = [footprints_of(plant, feet) for plant in phases]

    flat = np.zeros(len(motion), dtype=bool)
    bend = np.zeros((len(motion), 3))
    for plant, footprint in zip(phases, prints, strict=True):
        for phase, (turn, _, _) in zip(plant, footprint, strict=True):
            if phase.kind == "flat":
                flat[phase.frames] = True
                bend[phase.frames] = quat.log(quat.multiply(turn, quat.conjugate(turns[phase.frames])))
    wanted = quat.multiply(quat.exp(bridged(bend, flat, motion.fps, SETTLE)), turns)

    pinned = np.zeros(len(motion), dtype=bool)
    shift = np.zeros((len(motion), 3))
    for plant, footprint in zip(phases, prints, strict=True):
        for phase, (_, pin, arm) in zip(plant, footprint, strict=True):
            held = pin - quat.rotate(wanted[phase.frames], arm)
            shift[phase.frames] = held - places[phase.frames]
            pinned[phase.frames] = True
    ankle = places + bridged(shift, pinned, motion.fps, SETTLE)
    levels = _levels(phases, ankle, wanted, np.stack([points.heel, points.ball]))
    toes = toe_turns(motion, phases, prints, wanted, side, SETTLE)
    if toes is not None:
        lying = np.zeros(len(motion), dtype=bool)
        for phase in (p for plant in phases for p in plant if p.kind != "heel"):
            lying[phase.frames] = True
        toes = raised_toes(skeleton, side, ankle, wanted, toes, levels, ~lying)
    return PinnedFoot(ankle, wanted, toes, pinned)


def _levels(
    plants: list[list[Phase]],
    ankle: Float[np.ndarray, "frames 3"],
    turn: Float[np.ndarray, "frames 4"],
    sole: Float[np.ndarray, "points 3"],
) -> Float[np.ndarray, "frames"]:
    """The ground under a foot: the level of its plant, between plants the lower of the two."""
    height = (ankle[:, None] + quat.rotate(turn[:, None], sole))[..., 1].min(axis=-1)
    rests = [min(float(np.median(height[p.frames])) for p in phases) for phases in plants]
    levels = np.full(len(ankle), -np.inf)
    for i, phases in enumerate(plants):
        levels[phases[0].first : phases[-1].last] = rests[i]
        if i:
            levels[plants[i - 1][-1].last : phases[0].first] = min(rests[i - 1], rests[i])
    if plants:
        _continue_level(levels, height, slice(0, plants[0][0].first), rests[0])
        _continue_level(levels, height, slice(plants[-1][-1].last, len(levels)), rests[-1])
    return levels


def _continue_level(
    levels: Float[np.ndarray, "frames"], height: Float[np.ndarray, "frames"], edge: slice, level: float
) -> None:
    """Before the first and after the last plant its ground goes on, unless the foot is plainly elsewhere."""
    if height[edge].min(initial=np.inf) > level - ELSEWHERE:
        levels[edge] = level
