"""Gaits by name, made from stances: walking every way, running, jumping, standing, each with known truth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from footfall.figure.skeleton import Skeleton
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.ground import LEFT
from tests.stances import SIDES, Made, Stance, make

RATES = (30.0, 60.0, 120.0)
REST = 0.6  # s of standing before the first and after the last step
EVER = 1.0  # s by which the first and last stances reach beyond the clip


@dataclass(frozen=True)
class Pace:
    """How a gait steps: metres, seconds, radians. A negative length walks backward."""

    length: float = 0.65
    aside: float = 0.0  # a step, to the left
    rise: float = 0.0
    slope: float = 0.0
    turn: float = 0.0  # a step, to the left
    width: float = 0.18
    step_time: float = 0.5
    stance: float = 0.62
    roll_on: float = 0.08
    roll_off: float = 0.2
    first: str = "heel"
    last: str = "toe"
    clearance: float = 0.08


PACES = {
    "walk": Pace(),
    "slow walk": Pace(length=0.45, step_time=0.7, stance=0.9, roll_on=0.12, roll_off=0.25),
    "turn": Pace(length=0.5, turn=0.3),
    "backward": Pace(length=-0.42, first="toe", last="heel", roll_on=0.16, roll_off=0.08),
    "sideways": Pace(0.0, aside=0.2, width=0.45, first="toe", roll_off=0.1, clearance=0.06),
    "cross": Pace(0.0, aside=0.25, width=0.18, first="toe", roll_off=0.1, clearance=0.06),
    "stairs": Pace(0.32, rise=0.16, step_time=0.6, stance=0.84, first="toe", roll_on=0.1, clearance=0.12),
    "downstairs": Pace(
        0.32, rise=-0.16, step_time=0.6, stance=0.84, first="toe", roll_on=0.1, clearance=0.12
    ),
    "ramp": Pace(length=0.55, slope=float(np.radians(10.0)), step_time=0.55, stance=0.68),
    "run": Pace(1.25, step_time=0.36, stance=0.25, roll_on=0.04, roll_off=0.12, width=0.1),
}


@cache
def made(name: str, fps: float, *, steps: int = 6, skeleton: Skeleton | None = None) -> Made:
    """A gait from standing to standing, the left foot first; made once."""
    if name == "stand":
        return standing(3.0, fps)
    if name == "jump":
        return jump(1.0, 0.25, 0.45, fps)
    stances, seconds = stances_of(PACES[name], steps)
    return make(stances, seconds, fps, skeleton=skeleton)


def stances_of(pace: Pace, steps: int) -> tuple[list[Stance], float]:
    """The two starting stances, then one for each step; and how long all that takes."""
    feet = [SIDES[k % 2] for k in range(steps)]
    strikes = [REST + pace.step_time * (k + 1) for k in range(steps)]
    seconds = strikes[-1] + pace.stance + REST
    swing = 2 * pace.step_time - pace.stance
    starts = [*(_stance(pace, side, 0, -EVER) for side in SIDES)]
    out = starts + [_stance(pace, feet[k], k + 1, strikes[k]) for k in range(steps)]
    for i, stance in enumerate(out):
        following = [later.strike for later in out[i + 1 :] if later.foot == stance.foot]
        out[i] = _until(stance, pace, following[0] - swing if following else seconds + EVER)
    return out, seconds


def _stance(pace: Pace, side: str, number: int, strike: float) -> Stance:
    """The stance of the `number`th step; both feet start as number 0."""
    heading = pace.turn * number
    outward = (0.5 if side == "left" else -0.5) * pace.width * quat.rotate(ground.turn(heading), LEFT)
    x, y, z = sum((_travel(pace, k) for k in range(number)), outward)
    return Stance(
        foot=side,
        place=(float(x), float(y), float(z)),
        strike=strike,
        flat=strike + pace.roll_on,
        lift=np.inf,
        off=np.inf,
        first=pace.first,
        last=pace.last,
        heading=heading,
        slope=pace.slope,
        clearance=pace.clearance,
    )


def _travel(pace: Pace, number: int) -> np.ndarray:
    rise = pace.rise + pace.length * np.tan(pace.slope)
    return quat.rotate(ground.turn(pace.turn * number), np.array([pace.aside, rise, pace.length]))


def _until(stance: Stance, pace: Pace, off: float) -> Stance:
    return replace(stance, lift=off - pace.roll_off, off=off)


def standing(seconds: float, fps: float) -> Made:
    times = (-EVER, -0.5 * EVER, seconds + EVER, seconds + 2 * EVER)
    return make(
        [Stance(s, (x, 0.0, 0.0), *times) for s, x in zip(SIDES, (0.1, -0.1), strict=True)], seconds, fps
    )


def jump(length: float, height: float, flight: float, fps: float) -> Made:
    """Both feet leave after one second and land together; the toes leave last and land first."""
    land, end = 1.0 + flight, 2.0 + flight
    out = []
    for side, x in zip(SIDES, (0.1, -0.1), strict=True):
        out.append(Stance(side, (x, 0.0, 0.0), -EVER, -0.5, 0.85, 1.0, clearance=height))
        out.append(Stance(side, (x, 0.0, length), land, land + 0.06, end + EVER, end + 2 * EVER, first="toe"))
    return make(out, end, fps)
