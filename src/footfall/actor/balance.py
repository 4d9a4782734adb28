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

from footfall.actor.guide import DENSE, calm
from footfall.actor.stance import Sole, Stance, Times
from footfall.figure.contacts import runs_of
from footfall.geometry import easing, ground
from footfall.geometry import quaternion as quat

GRAVITY = 9.81  # m/s^2
HANDOVER = 0.30  # s: the longest time in which a foot takes over, or gives up, the load
SETTLING = 0.45  # s: the longest time in which the pressure runs from heel to ball
TAKE_UP = 0.55  # s: a rest before or after a flight bends the legs for this long
TAKE_UP_MOST = 0.80
MASS_OVER_HIPS = 0.06  # m: a person's centre of mass lies over the hips,
HIPS_AHEAD = 0.05  # m, and the hips a little ahead of it, as measured on captures
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
        grounded |= stance.touches(times)
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
        along += (end(stance.strike_pitch) - centre) * (
            1.0 - easing.smooth((times - stance.strike) / span)
        )
    if np.isfinite(stance.off):
        along += (end(stance.off_pitch) - centre) * easing.smooth((times - stance.off + span) / span)
    # a short stance is passed over: the body falls inwards from a pressure at the foot's outer edge
    side = 1.0 if stance.foot == "left" else -1.0
    outer = side * outwards * float(easing.smooth((1.5 - lasts) / 0.6))
    local = np.stack([np.full(len(times), outer), np.zeros(len(times)), along], axis=-1)
    return stance.place + quat.rotate(ground.turn(stance.heading), local)


def heights(
    times: Times, base: Times, grounded: Bool[np.ndarray, "n"], leaving: Times, landing: Times
) -> Times:
    """The hips' height: `base` on the ground, ballistic in the air, one smooth curve.

    `leaving` and `landing` are the heights at which a flight begins and ends, read at those moments.
    """
    out = np.array(base)
    flights = [(a, b) for a, b in runs_of(~grounded) if a > 0 and b < len(times)]
    ends: list[tuple[int, float, float]] = []  # frame, height over base, rate over base
    base_rate = np.gradient(base, 1.0 / DENSE)
    for a, b in flights:
        first, last = a - 1, b  # the last and first grounded frames
        seconds = (last - first) / DENSE
        y0, y1 = leaving[first], landing[last]
        v0 = (y1 - y0) / seconds + 0.5 * GRAVITY * seconds
        t = (np.arange(first, last + 1) - first) / DENSE
        out[first : last + 1] = y0 + v0 * t - 0.5 * GRAVITY * t * t
        ends.append((first, y0 - base[first], v0 - base_rate[first]))
        ends.append((last, y1 - base[last], v0 - GRAVITY * seconds - base_rate[last]))
    if not ends:
        return out
    edges = [0, *(frame for frame, _, _ in ends), len(times) - 1]
    over = [(0.0, 0.0), *((v, r) for _, v, r in ends), (0.0, 0.0)]
    for k in range(0, len(edges), 2):
        a, b = edges[k], edges[k + 1]
        out[a : b + 1] = base[a : b + 1] + _eased(a, b, over[k], over[k + 1])
    return out


def _eased(a: int, b: int, start: tuple[float, float], end: tuple[float, float]) -> Times:
    """What is added to the base between two flights: one cubic, or two with a rest between."""
    frames = np.arange(a, b + 1)
    seconds = (b - a) / DENSE
    if seconds < 2.0 * TAKE_UP and start != (0.0, 0.0) and end != (0.0, 0.0):
        u = (frames - a) / max(b - a, 1)
        return easing.hermite(u, start[0], end[0], start[1] * seconds, end[1] * seconds)
    out = np.zeros(len(frames))
    for value, rate, at, sign in ((*start, a, 1.0), (*end, b, -1.0)):
        if (value, rate) != (0.0, 0.0):
            # a faster flight takes a longer bend
            span = min(max(TAKE_UP, 0.24 * abs(rate)), TAKE_UP_MOST, seconds)
            u = np.clip(sign * (frames - at) / (span * DENSE), 0.0, 1.0)
            out += easing.hermite(u, value, 0.0, sign * rate * span, 0.0)
    return out


def carried(
    times: Times,
    pressed: Support,
    height: Times,
    way: Float[np.ndarray, "n 3"],
    heading: Times,
) -> Float[np.ndarray, "n 3"]:
    """The hips' way in x and z; y is the given height."""
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
    return mass + HIPS_AHEAD * ground.direction_of(heading)
