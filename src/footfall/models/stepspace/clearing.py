"""Swings that clear the ground between their prints, and its edges.

Where the ground is known the swing foot's sole is held against it. Where it is not, every print lies on a
block of its own (`print_blocks`).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.adapt.swing_clearance import (
    BUMPS,
    Places,
    along_sole,
    held_between,
    least_lifts,
    moments,
)
from footfall.figure.contacts import SIDES
from footfall.figure.sole import Sole
from footfall.geometry.decisions import clearly_less
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
HARD = 6.0  # bending (m^2): swings that cost more may go level first, or up
UNSEEN = 2000.0  # what it costs not to look at a swing's ends
FAR = (0.05, 0.1, 0.15, 0.2, 0.25)  # m by which they may be ahead of their way, or behind it
LATE = np.repeat([0.0, 1.0], [5, BUMPS - 5])  # when they are ahead, in bumps
SHORT = 0.1  # m
FEWER, PARTS = (3, 15), (3, 47)  # places between two moments; blocks are no thin walls
FAR_DOWN = 1.0  # m: ground that is farther down, or none, does not matter


def cleared(
    stage: Stage,
    planned: PlannedSteps,
    steps: JoinedSteps,
    terrain: Ground | None,
    only: Bool[np.ndarray, "steps"] | None = None,
) -> JoinedSteps:
    """Steps whose swings are raised over what lies in their way; on blocks only those that are not level.

    An edge close behind a print is cleared more easily by a foot that comes to it from above, one close
    before it by a foot that leaves it upwards: where it is hard, swings may be ahead of their way at its end,
    or behind it at its beginning.
    """
    if terrain is None:
        return steps
    rows = uneven_steps(planned) if isinstance(terrain, PrintBlocks) else np.arange(len(planned))
    rows = rows if only is None else rows[only[rows]]
    if not len(rows):
        return steps
    lifts = np.full((len(planned), BUMPS), np.nan)
    lifts[rows] = 0.0
    steps = replace(steps, lifts=lifts.copy())
    lifts[rows], cost = _raised(stage, planned, steps, rows, terrain)
    hard = rows[cost > HARD]
    if len(hard):
        aside, lifts[hard] = _gone_ahead(stage, planned, steps, terrain, hard, lifts[hard], cost[cost > HARD])
        steps = replace(steps, aside=aside)
    return replace(steps, lifts=lifts)


def _gone_ahead(
    stage: Stage,
    planned: PlannedSteps,
    steps: JoinedSteps,
    terrain: Ground,
    rows: Int[np.ndarray, "rows"],
    lifts: Float[np.ndarray, "rows bumps"],
    plain: Float[np.ndarray, "rows"],
) -> tuple[Float[np.ndarray, "steps bumps 3"], Float[np.ndarray, "rows bumps"]]:
    """How hard swings go aside and up when they are ahead of their way or behind it, if that is easier.

    `lifts` and `plain` are how they are raised without, and what that costs.
    """
    before = np.zeros((len(planned), BUMPS, 3)) if steps.aside is None else steps.aside
    way = _ways(planned, rows)[:, None]
    cost, effort = plain.copy(), np.zeros(len(rows))
    aside = before.copy()
    for shape, far in itertools.product((LATE, -LATE[::-1]), FAR):
        still = np.flatnonzero(cost > HARD)
        if not len(still):
            break
        tried = before.copy()
        tried[rows[still]] += far * shape[:, None] * way[still]
        more = _raised(stage, planned, replace(steps, aside=tried), rows[still], terrain)[1]
        more += _bending(far * shape)
        better = still[more < cost[still]]
        aside[rows[better]], effort[better] = tried[rows[better]], _bending(far * shape)
        cost[still] = np.minimum(cost[still], more)
    # of many tries one may seem easy because a thin wall lies between two places: those taken are seen finely
    taken = np.flatnonzero(effort > 0.0)
    if len(taken):
        seen = replace(steps, aside=aside)
        found, more = _raised(stage, planned, seen, rows[taken], terrain, finely=True)
        true = more + effort[taken] < plain[taken]
        lifts[taken[true]] = found[true]
        aside[rows[taken[~true]]] = before[rows[taken[~true]]]
    return aside, lifts


def _ways(planned: PlannedSteps, rows: Int[np.ndarray, "rows"]) -> Float[np.ndarray, "rows 3"]:
    """Where swings go, level."""
    places = planned.places[planned.prints[rows]]
    way = (places[:, 1] - places[:, 0]) * np.array([1.0, 0.0, 1.0])
    return way / np.maximum(np.linalg.norm(way, axis=-1, keepdims=True), SHORT)


def _bending(coefficients: Float[np.ndarray, "bumps"]) -> float:
    return float(np.square(np.linalg.solve(moments()[2], coefficients)).sum())


def _raised(
    stage: Stage,
    planned: PlannedSteps,
    steps: JoinedSteps,
    rows: Int[np.ndarray, "rows"],
    terrain: Ground,
    *,
    finely: bool = False,
) -> tuple[Float[np.ndarray, "rows bumps"], Float[np.ndarray, "rows"]]:
    """The lifts of swings, and what they cost: bending, and most of all not to look at an edge."""
    share = moments()[0]
    points = _soles_at(stage, planned, steps, rows, share)
    beneath = _known(planned, rows, terrain)
    x, y, z = np.moveaxis(points, -1, 0)
    under = np.maximum(beneath(x, z), y - FAR_DOWN)
    over = (y - under)[..., :4].min(axis=-1)
    kind = 0 if isinstance(terrain, PrintBlocks) else 1
    sure = held_between(points, under, beneath, ours=False, parts=(PARTS if finely else FEWER)[kind])
    found = [_without_leaps(share, *each, LEAPS[kind], HIGH[kind]) for each in zip(over, sure, strict=True)]
    return np.array([lifts for lifts, _ in found]), np.array([cost for _, cost in found])


def _without_leaps(
    share: Float[np.ndarray, "moments"],
    over: Float[np.ndarray, "moments"],
    sure: Float[np.ndarray, "moments"],
    leaps: float,
    high: float,
) -> tuple[Float[np.ndarray, "bumps"], float]:
    """The lifts of one swing; an edge so near to a print that only a leap would clear it is not looked at.

    Near its ends a swing is where its prints have it: what must be raised there in no time leaps before.
    """
    best, least = np.zeros(BUMPS), np.inf
    for near in ENDS:
        inner = (share > near) & (share < 1.0 - near)
        held, edges = np.where(inner, over, FAR_DOWN), np.where(inner, sure, FAR_DOWN)
        lifts, _, bending = least_lifts(np.append(held, held[len(held) // 2]), edges, np.nan, 0.5)
        if clearly_less(bending, least):
            best, least = lifts, bending
        if bending <= leaps and (moments()[1] @ lifts).max() <= high:
            break
    return best, least + UNSEEN * near


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
