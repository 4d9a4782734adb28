"""From footprints in time to a score: when each foot strikes, lies flat, rolls off and leaves, how it swings.

A footprint says where and how long after the last one; what people do with their feet on such a way (pitch at
the strike, length of the double support, shape of the swing) follows from the pace between the footprints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from jaxtyping import Float

from footfall.actor.curves import curves, features_of
from footfall.actor.gait.carriage import blended_families
from footfall.actor.gait.performance import Score
from footfall.actor.gait.stance import Stance
from footfall.actor.gait.swing import Ground, SwingShape
from footfall.actor.style import Style
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import first_greatest
from footfall.geometry.ground import UP

UNHURRIED = 0.75  # s: a step that takes longer waits before it swings
LONGEST_SWING = 0.80  # s
SETTLING_DOWN = (0.09, 0.045)  # s that a foot takes at least from its strike to flat, walking and running
RUNNERS = 0.035  # of a cycle: captured feet that run skid and roll, and so much of their stance is not seen
LEAST_FLAT = 0.03  # s that a sole lies flat
FITTED_LEG = 0.859  # m, of the figure on which the curves were fitted
PASSING = 0.10  # m between a swinging ankle and the foot it passes,
CROSSING = 0.385  # m where it passes before the other: heel before toes
STANDING_PITCH = 0.5  # of the usual pitch: how far a foot rolls that leaves or reaches a stand


@dataclass(frozen=True, eq=False)
class Footprint:
    """Where one foot comes to stand, `seconds` after the footprint before."""

    foot: str
    place: Float[np.ndarray, "3"]  # of the subtalar
    heading: float  # of the foot
    seconds: float
    normal: Float[np.ndarray, "3"] = field(default_factory=lambda: UP)


@dataclass(frozen=True)
class StepPace:
    """How the body moves while one footprint is reached."""

    forward: float
    side: float
    turn: float
    slope: float
    running: float
    seconds: float

    @property
    def speed(self) -> float:
        return float(np.hypot(self.forward, self.side))


def other(foot: str) -> str:
    return "right" if foot == "left" else "left"


def compose(
    prints: Sequence[Footprint],
    style: Style,
    leg: float,
    height: Ground,
    *,
    running: bool = False,
    stands_first: bool = True,
    stands_last: bool = True,
    start: float | None = None,
    end: float | None = None,
    rest: float = 0.8,
) -> Score:
    """The score of a way. The first two footprints are where the feet are at the beginning.

    A way that begins or ends in a stand has both feet down there for `rest` seconds; one that does not is
    meant to be seen between `start` and `end` only.
    """
    strikes = np.concatenate([[0.0], np.cumsum([p.seconds for p in prints[1:]])])
    paces = [pace_of(prints, k, running) for k in range(len(prints))]
    made = {pace: _Manner.of(pace, style, leg) for pace in set(paces)}  # steady ways have few
    manners = [made[pace] for pace in paces]
    last_of = _last_of(prints)
    stances, shapes = [], {}
    for k, printed in enumerate(prints):
        following = next((j for j in range(k + 1, len(prints)) if prints[j].foot == printed.foot), None)
        arriving = manners[k]
        stance = Stance(
            foot=printed.foot,
            place=np.asarray(printed.place, dtype=float),
            heading=printed.heading,
            strike=float(strikes[k]),
            flat=float(strikes[k]) + arriving.rolling_in,
            lift=np.inf,
            off=np.inf,
            strike_pitch=arriving.strike_pitch,
            strike_rate=arriving.strike_rate,
            normal=printed.normal,
            gait="run" if running else "walk",
        )
        if stands_first and k < 2:
            stance = replace(stance, strike=-np.inf, flat=-np.inf, strike_pitch=0.0, strike_rate=0.0)
        if following is not None:
            stance = _leaving(stance, float(strikes[following]), manners[following])
        stances.append(stance)
        shapes[k] = arriving.shape
    if stands_last:
        for k in last_of.values():
            stances[k] = replace(stances[k], off=np.inf, lift=np.inf)
    for k in range(len(prints)):
        shapes[k] = _passing(stances, k, shapes[k], leg / FITTED_LEG)
    begin = min(s.off for s in stances) - rest if stands_first else float(strikes[0])
    finish = float(strikes[-1]) + rest if stands_last else float(strikes[-1])
    return Score(
        tuple(stances),
        begin if start is None else start,
        finish if end is None else end,
        shapes,
        height,
    )


def _last_of(prints: Sequence[Footprint]) -> dict[str, int]:
    return {p.foot: k for k, p in enumerate(prints)}


def pace_of(prints: Sequence[Footprint], k: int, running: bool) -> StepPace:
    """From where this foot comes and how long the step takes."""
    before = next((j for j in range(k - 1, -1, -1) if prints[j].foot == prints[k].foot), None)
    if before is None:  # as the next step of this foot
        after = next((j for j in range(k + 1, len(prints)) if prints[j].foot == prints[k].foot), None)
        return pace_of(prints, after, running) if after is not None else StepPace(0, 0, 0, 0, 0, UNHURRIED)
    one, other_ = prints[before], prints[k]
    seconds = min(other_.seconds, UNHURRIED)
    turned = float(ground.wrap(other_.heading - one.heading))
    moved = quat.rotate(ground.turn(-(one.heading + 0.5 * turned)), other_.place - one.place)
    halves = 2.0 * seconds
    level = float(np.hypot(moved[0], moved[2]))
    return StepPace(
        forward=round(float(moved[2]) / halves, 9),
        side=round(float(moved[0]) / halves, 9),
        turn=round(turned / halves, 9),
        slope=round(float(np.arctan2(moved[1], max(level, 0.25))), 9),
        running=1.0 if running else 0.0,
        seconds=seconds,
    )


@dataclass(frozen=True, eq=False)
class _Manner:
    """What a foot does on its way to one footprint."""

    swing: float  # s
    rolling_in: float  # s from the strike to flat
    rolling_off: float  # s, of the stance that it left
    strike_pitch: float
    strike_rate: float
    off_pitch: float
    off_rate: float
    roll: Float[np.ndarray, "terms"]
    shape: SwingShape

    @classmethod
    def of(cls, pace: StepPace, style: Style, leg: float) -> _Manner:
        mixed = _mixed(pace)
        cycle = 2.0 * pace.seconds
        # somebody who walks has both feet down for a moment; runners' feet are read too short
        shortest, longer = (0.2, RUNNERS) if pace.running > 0.5 else (0.525, 0.0)
        stance = float(np.clip(mixed["stance"][0] + longer, shortest, 0.8))
        # slow small steps are made with flatter feet than the slowest captured walk
        vigour = float(np.clip(0.35 + 0.65 * pace.speed / 0.7, 0.0, 1.0)) if pace.running < 0.5 else 1.0
        strike, off = float(mixed["strike_pitch"][0]), float(mixed["off_pitch"][0])
        rolling_in = max(float(mixed["flat"][0]) * cycle, SETTLING_DOWN[int(pace.running > 0.5)])
        rolling_off = max(float(mixed["stance"][0] - mixed["lift"][0]) * cycle, 0.06)
        return cls(
            swing=min((1.0 - stance) * cycle, LONGEST_SWING),
            rolling_in=rolling_in,
            rolling_off=rolling_off,
            strike_pitch=vigour * strike,
            strike_rate=vigour * _towards_flat(strike, float(mixed["strike_rate"][0]), rolling_in),
            off_pitch=vigour * off,
            off_rate=vigour * -_towards_flat(off, -float(mixed["off_rate"][0]), rolling_off),
            # a heel that leaves last does so at once
            roll=vigour * mixed["roll"] * (off < -0.2),
            shape=SwingShape(
                along=mixed["along"] + _forwards_first(pace),
                up=vigour * style.lift * leg * mixed["up"],
                out=leg * mixed["out"],
                pitch=vigour * mixed["pitch"],
            ),
        )


def _mixed(pace: StepPace) -> dict[str, Float[np.ndarray, "values"]]:
    """The families' figures, weighed as the pace mixes them."""
    weights = blended_families(pace.forward, pace.side, pace.slope, pace.running)
    features = features_of(pace.forward, pace.side, pace.turn, pace.slope)
    known = curves().families
    rows = {f: float(w) * known[f].design(features) for f, w in weights.items() if w > 1e-9}
    return {
        name: sum(row @ known[f].scalars[name] for f, row in rows.items()) for name in known["walk"].scalars
    }


def _forwards_first(pace: StepPace) -> Float[np.ndarray, "terms"]:
    """Down a stair a foot goes forwards, over the edge, before it goes down."""
    steep = float(np.clip(-pace.slope / 0.45, 0.0, 1.0))
    return np.array([0.08, 0.06, 0.0, 0.0]) * steep


def _towards_flat(pitch: float, rate: float, seconds: float) -> float:
    """A foot that has struck rolls on to flat, never away from it nor beyond it."""
    fastest = 2.9 * abs(pitch) / seconds
    return float(np.clip(rate, -fastest, 0.0) if pitch > 0.0 else np.clip(rate, 0.0, fastest))


def _leaving(stance: Stance, next_strike: float, manner: _Manner) -> Stance:
    """The stance with its end: it leaves so that its swing arrives in time."""
    off = next_strike - manner.swing
    flat = min(stance.flat, max(off - LEAST_FLAT, stance.strike)) if np.isfinite(stance.strike) else -np.inf
    lift = max(off - manner.rolling_off, flat + 0.5 * LEAST_FLAT if np.isfinite(flat) else -np.inf)
    return replace(
        stance,
        flat=flat,
        lift=lift,
        off=off,
        off_pitch=manner.off_pitch,
        off_rate=manner.off_rate,
        roll=manner.roll,
    )


def _passing(stances: Sequence[Stance], k: int, shape: SwingShape, size: float) -> SwingShape:
    """The swing that ends in stance k, bent round the foot it passes, on its own side of it.

    Feet that cross pass before the other.
    """
    after = stances[k]
    before = [s for s in stances if s.foot == after.foot and s.off <= after.strike]
    if not before or not np.isfinite(after.strike):
        return shape
    air = (before[-1].off, after.strike)
    standing = [s for s in stances if s.foot != after.foot and s.strike < air[1] and s.off > air[0]]
    if not standing:
        return shape
    shared = [min(s.off, air[1]) - max(s.strike, air[0]) for s in standing]
    passed = standing[int(first_greatest(np.array(shared)))]
    start, end = before[-1].place, after.place
    way = (end - start)[[0, 2]]
    length = float(np.linalg.norm(way))
    share = float((passed.place - start)[[0, 2]] @ way / max(length, 1e-3) ** 2)
    if length < 1e-3 or not 0.05 < share < 0.95:
        return shape
    heading = before[-1].heading + 0.5 * float(ground.wrap(after.heading - before[-1].heading))
    sign = 1.0 if after.foot == "left" else -1.0
    outward = sign * ground.direction_of(heading + 0.5 * np.pi)[[0, 2]]
    ahead = ground.direction_of(heading)[[0, 2]]
    apart = (start + share * (end - start) - passed.place)[[0, 2]]
    crossing = abs(way @ outward) > 0.7 * length
    beside = float(apart @ (ahead if crossing else outward))
    before_it = -1.0 if crossing and beside < -0.05 else 1.0  # a foot that comes from behind stays there
    missing = size * (CROSSING if crossing else PASSING) - before_it * beside
    if missing <= 0.0:
        return shape
    bow = (
        before_it * missing / max(16.0 * share**2 * (1.0 - share) ** 2, 0.35) * np.array([1.0, 0.0, 0.0, 0.0])
    )
    if crossing:
        # first forwards beside the other foot, then across
        aside = size * min(missing / 0.2, 1.0) * np.array([0.05, -0.08, 0.0, 0.0])
        return replace(shape, ahead=shape.ahead + bow, out=shape.out + aside)
    return replace(shape, out=shape.out + bow)
