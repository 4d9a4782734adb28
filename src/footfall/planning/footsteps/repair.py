"""Footprints moved a little, so that the trunk that walks over them keeps clear.

How a trunk sways is only known once a plan is walked. Where it comes too near to something, the prints it
sways over are moved away from that, by what is missing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Int

from footfall.geometry.decisions import MARGIN, clearly_less, first_least
from footfall.models.stepspace.model import FollowedPlan
from footfall.planning.footsteps.evening import Evening
from footfall.planning.footsteps.route_search import Footprints
from footfall.planning.footsteps.walked import TrunkRoom, room_gradient

CLEAR = 0.004  # m that the trunk should keep
MORE = 0.002  # m: a little more than that is asked for
A_RADIAN = 0.2  # m: what moving by so much is like turning by
FARTHEST = 0.05  # m that a print may be moved at once
BESIDE = 1  # steps before and after, of which prints are moved along


def moved_clear(
    legs: Sequence[Footprints],
    motion: FollowedPlan,
    room: TrunkRoom,
    evening: Evening,
    gain: float = 1.0,
) -> list[Footprints] | None:
    """Legs of one walk with prints moved where the trunk has no room; None where none can be moved.

    The first two prints of each leg and its last two stay. A trunk follows its prints in part only: `gain` is
    by how much farther they are moved.
    """
    starts = np.array(motion.begins)
    frames = np.flatnonzero(clearly_less(room.room, CLEAR))
    times = frames / motion.fps + MARGIN  # a frame at the very start of a step belongs to it
    steps = np.clip(np.searchsorted(starts, times, side="right") - 1, 0, len(starts) - 1)
    first, moved, changed = 0, list(legs), False
    for k, prints in enumerate(legs):
        count = len(prints) - 2
        own = (steps >= first) & (steps < first + count)
        found = _leg_moved(prints, frames[own], steps[own] - first, room, evening, gain)
        if found is not None:
            moved[k], changed = found, True
        first += count
    return moved if changed else None


def _leg_moved(
    prints: Footprints,
    frames: Int[np.ndarray, "n"],
    steps: Int[np.ndarray, "n"],
    room: TrunkRoom,
    evening: Evening,
    gain: float,
) -> Footprints | None:
    """One leg with prints moved; `frames` are those without room, each in one of its `steps`."""
    away = np.zeros((len(prints), 3))
    for step in np.unique(steps).tolist():
        own = frames[steps == step]
        worst = int(own[first_least(room.room[own])])
        move = _push(room, worst, evening, gain)
        # the foot that stands, the one that is put down, and their neighbours
        for number in range(step + 1 - BESIDE, step + 3 + BESIDE):
            if 2 <= number < len(prints) - 2 and clearly_less(*np.linalg.norm([away[number], move], axis=1)):
                away[number] = move
    changed = None
    for number in np.flatnonzero(away.any(axis=1)).tolist():
        base = prints if changed is None else changed
        new = _moved(base, number, away[number], evening)
        changed = changed if new is None else new
    return changed


def _push(room: TrunkRoom, frame: int, evening: Evening, gain: float) -> Float[np.ndarray, "3"]:
    """Where to the trunk of a frame should be moved, along x and z and about: the least that will do."""
    scale = np.array([1.0, 1.0, 1.0 / A_RADIAN])
    slope = scale * room_gradient(room, frame, evening.ground, evening.walker.size)
    steep = float(np.linalg.norm(slope))
    if steep < 1e-6:
        return np.zeros(3)
    far = min(gain * (CLEAR + MORE - float(room.room[frame])) / steep, FARTHEST)
    return scale * slope / steep * far


def _moved(
    prints: Footprints, number: int, away: Float[np.ndarray, "3"], evening: Evening
) -> Footprints | None:
    """With one print moved, where its sole can lie there and legs still reach it."""
    for share in (1.0, 0.5):
        place = prints.places[number] + share * np.array([away[0], 0.0, away[1]])
        new = prints.with_print(number, place, float(prints.facings[number] + share * away[2]))
        level = evening.level(new, number)
        if level is None:
            continue
        new.places[number, 1] = level
        if evening.soles_hold(new, (number, number + 1)):
            return new
    return None
