"""Spiral stairs: a quarter or half a circle in eight steps, or turn over turn of open treads."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.geometry.ground import wrap
from footfall.world.foot_plan import FootPlan
from footfall.world.generators.footprints import alternating
from footfall.world.generators.generated import Made
from footfall.world.generators.limits import StepLimits
from footfall.world.generators.slabs import build_slabs
from footfall.world.generators.spiral_walk import Spiral, fit_spiral, refuse, walk_spiral
from footfall.world.generators.tiles import Tile, build_tiles, level
from footfall.world.mesh import join
from footfall.world.terrain import GROUND

STEPS = 8
SWEEPS = (0.5 * np.pi, np.pi)  # rad: a quarter, half a circle
BEFORE, HALF = 1.1, 1.1  # m of landing behind the origin and to either side
EDGE, END = 1.1, 1.2  # m from the origin to the first step, and the landing at the end
INSIDE, OUTSIDE = 0.12, 0.25  # m of tread beside the feet, towards the axis and away from it
LOWEST = 0.5  # of the largest rise: the lowest riser
HEADROOM = 2.0  # m under a flight
THICK = 0.04  # m, of an open tread
LABEL = "stairs"


def spiral(rng: np.random.Generator, limits: StepLimits, *, turns: float | None = None) -> Made:
    """Eight steps up and on to a landing. With `turns` that many turns, of open treads over a floor."""
    hand = rng.choice([-1.0, 1.0])
    share, low = rng.uniform(0.0, 1.0, 2)
    sweeps = rng.permutation(SWEEPS)
    if turns is None:
        found = _fitted(limits, sweeps, share)
        riser = limits.rise * (LOWEST + (1.0 - LOWEST) * low)
        return _solid(found, limits, riser, hand)
    if not isinstance(turns, (int, float)) or not 0.25 <= turns <= 20.0:
        raise RequestError(f"turns must be a number from 0.25 to 20, not {turns!r}")
    return _open(limits, sweeps, share, float(turns), low, hand)


def _fitted(limits: StepLimits, sweeps: Float[np.ndarray, "2"], share: float) -> Spiral:
    """The first sweep that can be had; half a circle needs an eye as wide as its landings."""
    for sweep in sweeps:
        found = fit_spiral(limits, sweep / STEPS, EDGE, share)
        if found and (sweep < 3.0 or found.axis + found.inner - _inside(found, limits) > HALF + 0.05):
            return found
    raise refuse(limits, SWEEPS[0] / STEPS)


def _inside(found: Spiral, limits: StepLimits) -> float:
    """From the inner foot's middle to the inner end of the treads; there is an eye, however small."""
    return min(0.5 * limits.foot_width + INSIDE, 0.9 * found.inner)


def _ring(found: Spiral, limits: StepLimits) -> tuple[float, float]:
    """Where treads begin and end, m from the axis."""
    outer = found.inner + found.apart + 0.5 * limits.foot_width + OUTSIDE
    return found.inner - _inside(found, limits), outer / np.cos(0.5 * found.wedge)


def _solid(found: Spiral, limits: StepLimits, riser: float, hand: float) -> Made:
    inner, outer = _ring(found, limits)
    angle = found.wedge * np.arange(STEPS + 1)
    plan = np.concatenate([found.around(inner, angle), found.around(outer, angle)])
    last = STEPS, 2 * STEPS + 1  # the inner and the outer end of the last edge
    ahead = END * np.array([np.sin(angle[-1]), np.cos(angle[-1])])
    corners = [[-HALF, -BEFORE], [HALF, -BEFORE], [HALF, EDGE], [-HALF, EDGE]]
    n = len(plan)
    plan = np.concatenate([plan, corners, plan[list(last)] + ahead])
    tiles = [
        Tile((n, n + 1, n + 2, 0, STEPS + 1, n + 3), level(0.0), GROUND),
        Tile((last[0], last[1], n + 5, n + 4), level((STEPS + 1) * riser), GROUND),
        *(
            Tile((k, k + 1, STEPS + k + 2, STEPS + k + 1), level((k + 1) * riser), LABEL)
            for k in range(STEPS)
        ),
    ]
    terrain, region = build_tiles(plan * np.array([hand, 1.0]), tiles)
    return Made(terrain, _crossing(found, limits, STEPS, riser, hand), region)


def _crossing(found: Spiral, limits: StepLimits, wedges: int, riser: float, hand: float) -> FootPlan:
    places, heading, risen = walk_spiral(found, limits, wedges, before=BEFORE, after=END, inner=hand)
    return alternating(places * np.array([hand, 1.0]), riser * risen, wrap(hand * heading))


def _open(
    limits: StepLimits, sweeps: Float[np.ndarray, "2"], share: float, turns: float, low: float, hand: float
) -> Made:
    reasons: list[RequestError] = []
    for sweep in sweeps:
        found = fit_spiral(limits, sweep / STEPS, EDGE, share)
        if not found:
            reasons.append(refuse(limits, sweep / STEPS))
            continue
        least = _least_riser(found, limits, turns)
        if least <= limits.rise:
            riser = max(least, limits.rise * (LOWEST + (1.0 - LOWEST) * low))
            return _flights(found, limits, turns, riser, hand)
        reasons.append(
            RequestError(
                f"{turns:g} turns with {HEADROOM} m of headroom need a rise of {least:.3f} m at least: "
                f"rise is {limits.rise} m"
            )
        )
    raise reasons[-1]


def _least_riser(found: Spiral, limits: StepLimits, turns: float) -> float:
    """That leaves headroom: a storey, less what lies under the last landing or over the first one."""
    if turns <= 0.5:
        return 0.0
    inner, _ = _ring(found, limits)
    straight = max(END, EDGE + limits.foot_length)  # m along which somebody walks there
    under = int(np.ceil(np.arctan2(straight, inner) / found.wedge))  # wedges
    storey = round(min(turns, 1.0) * 2.0 * np.pi / found.wedge) - under
    return float((HEADROOM + THICK) / max(storey, 1))


def _flights(found: Spiral, limits: StepLimits, turns: float, riser: float, hand: float) -> Made:
    inner, outer = _ring(found, limits)
    a_turn = round(2.0 * np.pi / found.wedge)
    count = round(turns * a_turn)
    angle = found.wedge * (np.arange(count + 1) % a_turn)  # the same edges again, turn over turn
    ends = np.stack([found.around(inner, angle), found.around(outer, angle)], axis=1)
    treads = np.concatenate([ends[:-1], ends[1:, ::-1]], axis=1)
    ahead = END * np.array([np.sin(angle[-1]), np.cos(angle[-1])])
    landing = np.concatenate([ends[-1], ends[-1, ::-1] + ahead])
    mirrored = np.array([hand, 1.0])
    stair = build_slabs(
        np.concatenate([treads, landing[None]]) * mirrored,
        riser * (1.0 + np.arange(count + 1)),
        min(THICK, 0.5 * riser),
        LABEL,
    )
    corners = np.concatenate([treads.reshape(-1, 2), landing, [[-HALF, -BEFORE], [HALF, EDGE]]])
    low, high = corners.min(axis=0) - 0.1, corners.max(axis=0) + 0.1
    plan = np.array([low, [low[0], high[1]], high, [high[0], low[1]]]) * mirrored
    floor, region = build_tiles(plan, [Tile((0, 1, 2, 3), level(0.0), GROUND)])
    return Made(join([floor, stair]), _crossing(found, limits, count, riser, hand), region)
