"""Swings that go round the leg that stands, where blended steps would go through it.

A blend of captured steps knows where feet come down, not where the other leg is meanwhile. Legs are taken for
rods, and a swing that is in the other leg goes aside in one direction by a sum of bumps: by as much as it
takes, bent as little as can be, and no farther than its leg reaches. Prints stay where they are.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
from jaxtyping import Bool, Float

from footfall.adapt.swing_clearance import BUMPS, bumps, least_bending, moments
from footfall.models.stepspace.clearing import cleared
from footfall.models.stepspace.frame_tables import figure_of, steps_table
from footfall.models.stepspace.joined import JoinedSteps
from footfall.models.stepspace.planned import PlannedSteps
from footfall.models.stepspace.stage import Stage
from footfall.world.terrain import Ground

# half as thick as a leg, in leg lengths: heel, ball and tip of the toes; ankle and knee
THICK = (0.036, 0.046, 0.034, 0.044, 0.066)
LOOKS = 21  # at a swing, with both its ends; at every other only where legs are close
FINE = 100  # parts of a swing
# s^-4: the cost of a square metre by which a swing is not out of the way, beside (m/s^2)^2; less if quick
MISSING = (2e5, 5e4, 1.2e4, 3e3)
QUICKEST = 50.0  # m/s^2 at which a foot goes aside: so much it has in any swing
SLIGHT = 1e-3  # m


def unhindered(
    stage: Stage, planned: PlannedSteps, steps: JoinedSteps, terrain: Ground | None = None
) -> JoinedSteps:
    """Steps whose swings clear the ground and go round the other leg; what is clear of both is left alone."""
    raised = cleared(stage, planned, steps, terrain)
    needed, room, way = _looked_at(stage, planned, raised)
    moved = needed.max(axis=1) > SLIGHT
    if not moved.any():
        return raised
    aside = np.zeros((len(planned), BUMPS, 3))
    seconds = np.ptp(np.take_along_axis(steps.swing_times, steps.events.swing, axis=1), axis=1)
    for row in np.flatnonzero(moved):
        aside[row] = _gone_aside(needed[row], room[row], seconds[row])[:, None] * way[row]
    # over other ground than before
    again = cleared(stage, planned, replace(steps, aside=aside), terrain, moved)
    return _with_rows(raised, again, moved)


@cache
def _looks() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Shares of a swing at which it is looked at, the bumps there, and how they are bent all along."""
    share, fine = np.linspace(0.0, 1.0, LOOKS), np.linspace(0.0, 1.0, FINE + 1)
    return share, bumps(share), np.diff(bumps(fine), n=2, axis=0) * FINE**2


def _looked_at(
    stage: Stage, planned: PlannedSteps, steps: JoinedSteps
) -> tuple[Float[np.ndarray, "steps looks"], Float[np.ndarray, "steps looks"], Float[np.ndarray, "steps 3"]]:
    """How far each swing must go aside at its moments, how far it may, and in which direction."""
    from footfall.models.stepspace.apart_kernel import look_apart

    thick = stage.skeleton.leg_length() * np.array(THICK)
    needed, room, way = (np.zeros((len(planned), size)) for size in (LOOKS, LOOKS, 3))
    look_apart(*figure_of(stage), *steps_table(planned, steps), thick, _looks()[0], needed, room, way)
    return needed, room, way


def _with_rows(steps: JoinedSteps, others: JoinedSteps, rows: Bool[np.ndarray, "steps"]) -> JoinedSteps:
    """Steps, some of which are raised and go aside as others do."""
    assert others.aside is not None
    aside, lifts = np.array(others.aside), steps.lifts
    if steps.aside is not None:
        aside[~rows] = steps.aside[~rows]
    if others.lifts is not None and lifts is not None:
        lifts = np.where(rows[:, None], others.lifts, lifts)
    return replace(steps, lifts=lifts, aside=aside)


def _gone_aside(
    needed: Float[np.ndarray, "looks"], room: Float[np.ndarray, "looks"], seconds: float
) -> Float[np.ndarray, "bumps"]:
    """How a swing of so many seconds goes aside: out of the way, or nearly where only a jerk would bring it.

    What is missing costs as bending does, so there is always an answer; no leg is made too long.
    """
    asked = needed > 0.0
    if not asked.any():
        return np.zeros(BUMPS)
    (share, shapes, bends), easy = _looks(), moments()[2]
    tight = (room < room.max()) & (share > 0.0) & (share < 1.0)
    rows = np.concatenate([shapes[asked], -shapes[tight]]) @ easy
    least = np.append(needed[asked], -room[tight])
    short = np.zeros((len(rows), int(asked.sum())))
    aside, quick = np.zeros(BUMPS), np.inf
    for missing in MISSING:
        np.fill_diagonal(short, 1.0 / np.sqrt(missing * seconds**4))
        found = least_bending(np.concatenate([rows, short], axis=1), least)
        if found is not None:
            aside = easy @ found[:BUMPS]
            quick = float(np.abs(bends @ aside).max()) / seconds**2
        if quick <= QUICKEST:
            return aside
    return aside * (QUICKEST / quick)
