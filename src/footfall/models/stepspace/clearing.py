"""Swings that clear the ground between their prints, and its edges.

Where the ground is known the swing foot's sole is held against it. Where it is not, every print lies on a
block of its own (`print_blocks`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from jaxtyping import Float, Int

from footfall.adapt.swing_clearance import BUMPS, Places, along_sole, held_between, least_lifts, moments
from footfall.figure.contacts import SIDES
from footfall.figure.sole import Sole
from footfall.models.stepspace.feet import swinging
from footfall.models.stepspace.joined import JoinedSteps
from footfall.models.stepspace.planned import PlannedSteps
from footfall.models.stepspace.print_blocks import PrintBlocks, uneven_steps
from footfall.models.stepspace.stage import Stage
from footfall.world.terrain import Ground

LOOK_DOWN = 0.8  # m over the higher of a swing's prints, from where its ground is looked for
LEAPS = (12.0, 400.0)  # bending (m^2) of a leap, over blocks that are assumed and over ground that is known
HIGH = (0.18, 0.6)  # m, the same: by how much a swing is raised
ENDS = (0.0, 0.08, 0.14, 0.2, 0.27, 0.35)  # of a swing, that are not looked at where it would leap otherwise
FAR_DOWN = 1.0  # m: ground that is farther down, or none, does not matter


def cleared(stage: Stage, planned: PlannedSteps, steps: JoinedSteps, terrain: Ground | None) -> JoinedSteps:
    """Steps whose swings are raised over what lies in their way; on blocks only those that are not level."""
    if terrain is None:
        return steps
    rows = uneven_steps(planned) if isinstance(terrain, PrintBlocks) else np.arange(len(planned))
    if not len(rows):
        return steps
    share = moments()[0]
    lifts = np.full((len(planned), BUMPS), np.nan)
    lifts[rows] = 0.0
    points = _soles_at(stage, planned, replace(steps, lifts=lifts), rows, share)
    beneath = _known(planned, rows, terrain)
    x, y, z = np.moveaxis(points, -1, 0)
    under = np.maximum(beneath(x, z), y - FAR_DOWN)
    over = (y - under)[..., :4].min(axis=-1)
    sure = held_between(points, under, beneath, ours=False)
    kind = 0 if isinstance(terrain, PrintBlocks) else 1
    for row, plain, edge in zip(rows, over, sure, strict=True):
        lifts[row] = _without_leaps(share, plain, edge, LEAPS[kind], HIGH[kind])
    return replace(steps, lifts=lifts)


def _without_leaps(
    share: Float[np.ndarray, "moments"],
    over: Float[np.ndarray, "moments"],
    sure: Float[np.ndarray, "moments"],
    leaps: float,
    high: float,
) -> Float[np.ndarray, "bumps"]:
    """The lifts of one swing; an edge so near to a print that only a leap would clear it is not looked at.

    Near its ends a swing is where its prints have it: what must be raised there in no time leaps before.
    """
    best, least = np.zeros(BUMPS), np.inf
    for near in ENDS:
        inner = (share > near) & (share < 1.0 - near)
        held, edges = np.where(inner, over, FAR_DOWN), np.where(inner, sure, FAR_DOWN)
        lifts, _, bending = least_lifts(np.append(held, held[len(held) // 2]), edges, np.nan, 0.5)
        if bending < least:
            best, least = lifts, bending
        if bending <= leaps and (moments()[1] @ lifts).max() <= high:
            break
    return best


def _soles_at(
    stage: Stage,
    planned: PlannedSteps,
    steps: JoinedSteps,
    rows: Int[np.ndarray, "rows"],
    share: Float[np.ndarray, "moments"],
) -> Float[np.ndarray, "rows moments 8 3"]:
    """Places along the swing foot's sole at shares of its swing."""
    off, strike = (steps.swing_times[rows, steps.events.swing[rows, k]][:, None] for k in range(2))
    since = off + share * (strike - off)
    step = np.repeat(rows, len(share))
    way = swinging(stage.soles, planned, steps, step, since.ravel())
    out = np.empty((len(rows), len(share), 8, 3))
    for k, side in enumerate(SIDES):
        own = planned.feet[rows] == k
        points = along_sole(Sole.of(stage.skeleton, side).points(way.ankle, way.turn, way.toe))
        out[own] = points.reshape(*since.shape, 8, 3)[own]
    return out


def _known(
    planned: PlannedSteps, rows: Int[np.ndarray, "rows"], terrain: Ground
) -> Callable[[Places, Places], Places]:
    """The ground under places of swings, not what is overhead."""
    start = (planned.places[planned.prints[rows], 1].max(axis=1) + LOOK_DOWN)[:, None, None]
    return lambda x, z: terrain.height(x, z, np.broadcast_to(start, x.shape))
