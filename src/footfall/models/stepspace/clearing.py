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
    for row, plain, edge in zip(rows, over, sure, strict=True):
        middle = plain[len(plain) // 2]
        lifts[row] = least_lifts(np.append(plain, middle), edge, np.nan, 0.5)[0]
    return replace(steps, lifts=lifts)


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
