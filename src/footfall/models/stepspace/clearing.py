"""Swings that clear the ground between their prints, and its edges.

Where the ground is known the swing foot's sole is held against it. Where it is not, every print lies on a
block of its own: as long as the foot, broad as a stair, and nothing is known between them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from jaxtyping import Float, Int

from footfall.adapt.swing_clearance import BUMPS, Places, along_sole, held_between, least_lifts, moments
from footfall.figure.contacts import SIDES
from footfall.figure.sole import Sole
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.models.stepspace.feet import swinging
from footfall.models.stepspace.joined import JoinedSteps
from footfall.models.stepspace.planned import PlannedSteps
from footfall.models.stepspace.stage import Stage
from footfall.world.terrain import Ground

LEVEL = 0.01  # m: prints that differ by less lie on one floor
LOOK_DOWN = 0.8  # m over the higher of a swing's prints, from where its ground is looked for
FAR_DOWN = 1.0  # m: ground that is farther down, or none, does not matter
BEFORE, BESIDE = 0.025, 0.4  # m by which a print's block is longer than the foot and broader to each side


def cleared(stage: Stage, planned: PlannedSteps, steps: JoinedSteps, terrain: Ground | None) -> JoinedSteps:
    """Steps whose swings are raised over what lies in their way."""
    rows = np.arange(len(planned)) if terrain is not None else _uneven(planned)
    if not len(rows):
        return steps
    share = moments()[0]
    points = _soles_at(stage, planned, steps, rows, share)
    beneath = _known(planned, rows, terrain) if terrain is not None else _blocks(stage, planned, rows)
    x, y, z = np.moveaxis(points, -1, 0)
    under = np.maximum(beneath(x, z), y - FAR_DOWN)
    over = (y - under)[..., :4].min(axis=-1)
    sure = held_between(points, under, beneath, ours=False)
    lifts = np.zeros((len(planned), BUMPS))
    for row, plain, edge in zip(rows, over, sure, strict=True):
        middle = plain[len(plain) // 2]
        lifts[row] = least_lifts(np.append(plain, middle), edge, np.nan, 0.5)[0]
    return replace(steps, lifts=lifts)


def _uneven(planned: PlannedSteps) -> Int[np.ndarray, "rows"]:
    return np.flatnonzero(np.ptp(planned.places[planned.prints, 1], axis=1) > LEVEL)


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


def _blocks(
    stage: Stage, planned: PlannedSteps, rows: Int[np.ndarray, "rows"]
) -> Callable[[Places, Places], Places]:
    """The tops of the blocks on which a swing's three prints lie; no ground elsewhere."""
    back, ahead = np.array([Sole.of(stage.skeleton, side).lengths for side in SIDES]).max(axis=0) + BEFORE
    prints = planned.prints[rows]
    heights = planned.places[prints, 1]

    def beneath(x: Places, z: Places) -> Places:
        top = np.full(x.shape, -np.inf)
        for k in range(prints.shape[1]):
            place = planned.places[prints[:, k]][:, None, None]
            away = np.stack([x - place[..., 0], np.zeros(x.shape), z - place[..., 2]], axis=-1)
            turn = ground.turn(-planned.headings[prints[:, k]])[:, None, None]
            local = quat.rotate(np.broadcast_to(turn, (*x.shape, 4)), away)
            on = (np.abs(local[..., 0]) < BESIDE) & (local[..., 2] > -back) & (local[..., 2] < ahead)
            top = np.where(on, np.maximum(top, heights[:, k, None, None]), top)
        return top

    return beneath
