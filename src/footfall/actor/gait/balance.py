"""Where the body must be so that it does not fall: the way of the hips over feet that are already placed.

Heights come first: ballistic while no foot stands, eased in between. Then the ground's force must pass
through the body (a point mass): x'' = (g + y'') / h * (x - z), where z is the point of support, h the height
over it. With both ends known that is a tridiagonal system, and sway, lean into a start, and the way a jump
throws itself forward all come out of it; in flight the right side is zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from footfall.actor.gait.guide import DENSE, calm
from footfall.actor.gait.stance import Sole, Stance, Times
from footfall.geometry import easing, ground
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import MARGIN

GRAVITY = 9.81  # m/s^2
HANDOVER = 0.30  # s: the longest time in which a foot takes over, or gives up, the load
SETTLING = 0.45  # s: the longest time in which the pressure runs from heel to ball
TAKE_UP, TAKE_UP_MOST = 0.50, 0.70  # s: the legs bend and stretch for so long before a flight
TAKE_IN = 0.30  # s: and give way for so long after it
MASS_OVER_HIPS = 0.06  # m: a person's centre of mass lies over the hips,
HIPS_AHEAD = (0.015, 0.03)  # m, and the hips a little ahead of it: standing, and stepping (from captures);
TRUNK_SHARE = 0.20  # m: a trunk that bends forwards takes the mass with it, and the hips go back
EDGE = 0.03  # s: loads are smoothed by this


@dataclass(frozen=True, eq=False)
class Support:
    """Where the ground presses, and how much of it there is."""

    point: Float[np.ndarray, "n 3"]
    grounded: Bool[np.ndarray, "n"]


def support(
    stances: Sequence[Stance], soles: dict[str, Sole], times: Times, *, outwards: float = 0.0
) -> Support:
    """The pressure point: each foot's own runs along its sole, both are weighed by their loads."""
    total = np.zeros(len(times))
    point = np.zeros((len(times), 3))
    grounded = np.zeros(len(times), dtype=bool)
    nearest = np.full(len(times), np.inf)
    away = np.zeros((len(times), 3))
    for stance in stances:
        load = _load(stance, stances, times)
        pressed = _pressure(stance, soles[stance.foot], times, outwards)
        total += load
        point += load[:, None] * pressed
        grounded |= stance.touches(times + MARGIN)  # what falls on an event comes after it
        # in flight nothing presses; a value is still needed, and the nearest stance's serves
        apart = np.maximum(np.maximum(stance.strike - times, times - stance.off), 0.0)
        near = apart < nearest
        nearest[near], away[near] = apart[near], pressed[near]
    loaded = total > 1e-6
    point[loaded] /= total[loaded, None]
    point[~loaded] = away[~loaded]
    return Support(point, grounded)


def _load(stance: Stance, stances: Sequence[Stance], times: Times) -> Times:
    """0 in the air, 1 in the middle; it rises while the other foot gives up, and the other way round."""
    others = [s for s in stances if s.foot != stance.foot]
    overlaps_in = [s.off - stance.strike for s in others if s.strike < stance.strike < s.off]
    overlaps_out = [stance.off - s.strike for s in others if s.strike < stance.off < s.off]
    rise = min([HANDOVER, *overlaps_in]) if overlaps_in else 0.02
    fall = min([HANDOVER, *overlaps_out]) if overlaps_out else 0.02
    onto = easing.smooth((times - stance.strike) / rise) if np.isfinite(stance.strike) else 1.0
    away = 1.0 - easing.smooth((times - stance.off + fall) / fall) if np.isfinite(stance.off) else 1.0
    return np.where(stance.touches(times), onto * away, 0.0)


def _pressure(stance: Stance, sole: Sole, times: Times, outwards: float) -> Float[np.ndarray, "n 3"]:
    """Along the sole: from where the foot strikes, over its middle, to where it leaves."""
    centre = 0.35 * sole.ball[2]

    def end(pitch: float) -> float:
        if pitch == 0.0:
            return centre
        return float(0.6 * sole.heel[2] if pitch > 0.0 else 0.9 * sole.ball[2])

    lasts = stance.off - stance.strike
    span = min(0.5 * lasts, SETTLING)
    along = np.full(len(times), centre)
    if np.isfinite(stance.strike):
        along += (end(stance.strike_pitch) - centre) * (1.0 - easing.smooth((times - stance.strike) / span))
    if np.isfinite(stance.off):
        along += (end(stance.off_pitch) - centre) * easing.smooth((times - stance.off + span) / span)
    # a short stance is passed over: the body falls inwards from a pressure at the foot's outer edge
    side = 1.0 if stance.foot == "left" else -1.0
    outer = side * outwards * float(easing.smooth((1.5 - lasts) / 0.6)) * (stance.gait != "run")
    local = np.stack([np.full(len(times), outer), np.zeros(len(times)), along], axis=-1)
    return stance.place + quat.rotate(ground.turn(stance.heading), local)


def flights(stances: Sequence[Stance]) -> list[tuple[float, float]]:
    """When no foot stands, between the first stance and the last."""
    found, until = [], -np.inf
    for stance in sorted(stances, key=lambda s: s.strike):
        if np.isfinite(until) and stance.strike > until + 1e-6:
            found.append((until, stance.strike))
        until = max(until, stance.off)
    return found


@dataclass(frozen=True)
class _Edge:
    """Where a flight begins or ends: when, how high over the base, how fast over the base's rate."""

    time: float
    over: float
    rate: float


def heights(
    times: Times, base: Times, aloft: Sequence[tuple[float, float]], leaving: float, landing: float
) -> Times:
    """The hips' height: `base` on the ground, ballistic in the air, one smooth curve.

    `leaving` and `landing` are how high over the base the hips are where a flight begins and ends.
    """
    out = np.array(base)
    slope = np.gradient(base, 1.0 / DENSE)
    edges: list[_Edge] = []
    for off, strike in aloft:
        seconds = strike - off
        y0, y1 = np.interp(off, times, base) + leaving, np.interp(strike, times, base) + landing
        v0 = (y1 - y0) / seconds + 0.5 * GRAVITY * seconds
        inside = (times > off) & (times < strike)
        t = times[inside] - off
        out[inside] = y0 + v0 * t - 0.5 * GRAVITY * t * t
        edges.append(_Edge(off, leaving, v0 - float(np.interp(off, times, slope))))
        v1 = v0 - GRAVITY * seconds
        edges.append(_Edge(strike, landing, v1 - float(np.interp(strike, times, slope))))
    if edges:
        for before, after in zip([None, *edges[1::2]], [*edges[0::2], None], strict=True):
            start = times[0] if before is None else before.time
            end = times[-1] if after is None else after.time
            grounded = (times >= start) & (times <= end)
            out[grounded] += _taken(times[grounded], before, after)
    return out


def _taken(times: Times, before: _Edge | None, after: _Edge | None) -> Times:
    """What is added to the base between two flights: one cubic, or two with a rest between."""
    if before is not None and after is not None:
        seconds = after.time - before.time
        if seconds < TAKE_UP + TAKE_IN:
            u = (times - before.time) / seconds
            return easing.hermite(u, before.over, after.over, before.rate * seconds, after.rate * seconds)
    out = np.zeros(len(times))
    if before is not None:
        out += easing.hermite((times - before.time) / TAKE_IN, before.over, 0.0, before.rate * TAKE_IN, 0.0)
    if after is not None:
        # a faster flight takes a longer bend
        span = min(max(TAKE_UP, 0.215 * abs(after.rate)), TAKE_UP_MOST)
        out += easing.hermite((after.time - times) / span, after.over, 0.0, -after.rate * span, 0.0)
    return out


def carried(
    times: Times,
    pressed: Support,
    height: Times,
    way: Float[np.ndarray, "n 3"],
    heading: Times,
    lean: Times,
    stepping: Times,
) -> Float[np.ndarray, "n 3"]:
    """The hips' way in x and z; y is the given height. `lean` is how far the trunk bends forwards."""
    from scipy.linalg import solve_banded

    over = np.maximum(height - pressed.point[:, 1] + MASS_OVER_HIPS, 0.3)
    lift = np.gradient(np.gradient(height, 1.0 / DENSE), 1.0 / DENSE)
    pull = np.where(pressed.grounded, np.maximum(GRAVITY + lift, 0.5) / over, 0.0)
    pull = np.where(pressed.grounded, calm(pull, EDGE / 3), 0.0)
    n, dt2 = len(times), DENSE**-2
    bands = np.zeros((3, n))
    bands[0, 2:] = 1.0
    bands[1, 1:-1] = -2.0 - dt2 * pull[1:-1]
    bands[2, :-2] = 1.0
    bands[1, [0, -1]] = 1.0
    target = np.empty((n, 2))
    target[1:-1] = -dt2 * pull[1:-1, None] * pressed.point[1:-1][:, [0, 2]]
    target[[0, -1]] = way[[0, -1]][:, [0, 2]]
    found = solve_banded((1, 1), bands, target)
    mass = np.stack([found[:, 0], height, found[:, 1]], axis=-1)
    ahead = HIPS_AHEAD[0] + (HIPS_AHEAD[1] - HIPS_AHEAD[0]) * stepping - TRUNK_SHARE * np.sin(lean)
    return mass + ahead[:, None] * ground.direction_of(heading)
