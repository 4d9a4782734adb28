"""Steady gaits: walking and running at any speed, step length, turn and slope, and over stairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from footfall.actor.asked import least, number
from footfall.actor.curves import curves, features_of
from footfall.actor.gait.footing import FITTED_LEG, compose
from footfall.actor.gait.performance import Score
from footfall.actor.gait.stance import Sole
from footfall.actor.gait.swing import Ground
from footfall.actor.gait.ways import (
    Advance,
    Track,
    flat_ground,
    lay,
    sloping_ground,
    under_prints,
)
from footfall.actor.style import Style
from footfall.errors import RequestError
from footfall.figure.skeleton import Skeleton
from footfall.world.stairs import SpiralStairs, StraightStairs

LEAD_IN = 4  # steps before and after what is seen: none of it knows of the way's ends
SIDE_GAP = 0.13  # m that side-stepping feet keep between them
EDGE = 0.006  # m between a toe and the edge it stands before
LIMITS = {
    "speed": (-1.3, 2.3),
    "running speed": (1.6, 5.0),
    "side_speed": (-0.8, 0.8),
    "turn_rate": (-1.6, 1.6),
    "slope": (-0.25, 0.25),
    "step_length": (0.0, 1.9),
    "riser": (-0.25, 0.25),
    "tread": (0.20, 1.2),
    "turn": (-0.53, 0.53),
    "advance": (-0.30, 0.30),
    "seconds": (0.35, 1.5),
}
LONGEST_STEP = {"walk": 1.05, "run": 1.45}  # m, for legs of usual length
LONGEST_TREAD = {"up": 0.90, "down": 0.66}  # m that a person of usual size walks
# Tighter bows take ankles, or thighs that pass each other, beyond what people's allow
WALKED_BOW = 1.1  # m/s^2 towards the bow's centre
RUN_BOW, FAST = (2.0, 1.0), (4.0, 4.5)  # m/s^2, and m/s between which it falls
SHARPEST = 1.0  # rad a step


@dataclass(frozen=True)
class Pace:
    """What is asked of a steady gait: metres, seconds, radians."""

    speed: float = 1.3  # along the ground plan, negative backwards
    step_length: float | None = None  # along the way, foot to other foot
    turn_rate: float = 0.0
    slope: float = 0.0
    side_speed: float = 0.0  # to the left
    running: bool = False

    def __post_init__(self) -> None:
        within("running speed" if self.running else "speed", self.speed)
        for name in ("side_speed", "turn_rate", "slope"):
            within(name, getattr(self, name))
        if self.step_length is not None:
            within("step_length", self.step_length)
            if self.step_length < 0.05:
                raise RequestError("a step_length of less than 0.05 m is no step; stand or turn in place")


def within(name: str, value: float) -> float:
    """A parameter that a person can perform, or a refusal."""
    return number(name, value, *LIMITS[name])


def natural_step(pace: Pace, leg: float, style: Style) -> float:
    """The step length that people take at a speed."""
    size = leg / FITTED_LEG
    if abs(pace.side_speed) > abs(pace.speed):
        return size * (0.12 + 0.30 * abs(pace.side_speed)) / style.tempo
    name = "run" if pace.running else ("back" if pace.speed < 0.0 else "walk")
    family = curves().families[name]
    slowest = min(family.bounds["speed"], key=abs)
    known = max(abs(pace.speed), abs(slowest)) * np.sign(slowest)
    stride = family.scalar("stride", features_of(known, 0.0, pace.turn_rate))
    # below the slowest captured walk both step and tempo shrink with the speed
    share = np.sqrt(min(abs(pace.speed) / abs(slowest), 1.0))
    return float(0.5 * size * stride * share / style.tempo)


def steady(
    skeleton: Skeleton, style: Style, pace: Pace, steps: int, first: str = "left"
) -> tuple[Score, dict[str, float]]:
    """A piece of a gait that goes on, `steps` steps long, and its parameters."""
    leg = skeleton.leg_length()
    speed = float(np.hypot(pace.speed, pace.side_speed))
    if speed < 0.05:
        raise RequestError("a gait needs a speed of at least 0.05 m/s; stand or turn in place instead")
    length = pace.step_length or natural_step(pace, leg, style)
    refuse_long(length, pace.running, leg)
    seconds = length / speed
    if not 0.16 <= seconds <= 2.0:
        raise RequestError(
            f"steps of {length:.2f} m at {speed:.2f} m/s would take {seconds:.2f} s each; "
            "0.16 to 2 s are possible"
        )
    refuse_tight(pace, speed, seconds)
    advance = Advance(
        forward=pace.speed * seconds,
        side=pace.side_speed * seconds,
        turn=pace.turn_rate * seconds,
        rise=length * np.tan(pace.slope),
        seconds=seconds,
    )
    width = _width(pace, leg, style, abs(advance.side))
    track = Track(width, style.toe_out)
    prints = lay([advance] * (steps + 2 * LEAD_IN), track, first, inclined=pace.slope != 0.0, origin=LEAD_IN)
    height: Ground = flat_ground
    if pace.slope != 0.0:
        straight = pace.turn_rate == 0.0 and pace.side_speed == 0.0 and pace.speed > 0.0
        height = sloping_ground(pace.slope) if straight else under_prints(prints)
    score = _middle(prints, style, leg, height, seconds, steps, pace.running)
    return score, {
        "speed": pace.speed,
        "side_speed": pace.side_speed,
        "turn_rate": pace.turn_rate,
        "slope": pace.slope,
        "step_length": length,
        "step_seconds": seconds,
        "step_width": width,
    }


def refuse_long(length: float, running: bool, leg: float) -> None:
    """Steps that no leg takes."""
    longest = least(LONGEST_STEP["run" if running else "walk"] * leg / FITTED_LEG)
    if length > longest:
        raise RequestError(f"a step_length of {length:.2f} m is too long; {longest:.2f} m are possible")


def refuse_tight(pace: Pace, speed: float, seconds: float) -> None:
    pull = float(np.interp(speed, FAST, RUN_BOW)) if pace.running else WALKED_BOW
    most = min(pull / speed, SHARPEST / seconds)
    if abs(pace.turn_rate) > most:
        raise RequestError(
            f"a turn_rate of {pace.turn_rate:.2f} rad/s is too tight at {speed:.2f} m/s; "
            f"{most:.2f} rad/s to either side are possible"
        )


def _width(pace: Pace, leg: float, style: Style, aside: float) -> float:
    name = "run" if pace.running else "walk"
    own = curves().families[name].scalar("width", features_of(abs(pace.speed), 0.0, 0.0))
    size = leg / FITTED_LEG * style.width
    return float(max(size * max(own, 0.055), aside + SIDE_GAP if aside > 0.02 else 0.0))


def stairs(
    skeleton: Skeleton,
    style: Style,
    *,
    riser: float,
    tread: float,
    turn: float = 0.0,
    seconds: float | None = None,
    steps: int = 8,
    running: bool = False,
    first: str = "left",
) -> tuple[Score, StraightStairs | SpiralStairs, dict[str, float]]:
    """Up (negative riser: down) stairs, a foot a tread; `turn` is the angle of a spiral's wedge."""
    for name, value in (("riser", riser), ("tread", tread), ("turn", turn)):
        within(name, value)
    leg = skeleton.leg_length()
    longest = least(LONGEST_TREAD["down" if riser < 0.0 else "up"] * leg / FITTED_LEG)
    if tread > longest and not running:
        raise RequestError(f"a tread of {tread:.2f} m is too long to walk; {longest:.2f} m are possible")
    shortest = _shortest_tread(skeleton, style, turn)
    if tread < shortest and riser != 0.0:
        raise RequestError(
            f"a tread of {tread:.3f} m is too short for the foot; {shortest:.3f} m are possible"
        )
    wait = seconds or stair_seconds(riser, tread, running, style)
    advance = Advance(forward=tread, turn=turn, rise=riser, seconds=wait)
    track = Track(0.14 * style.width * leg / FITTED_LEG, style.toe_out, _on_tread(skeleton, riser, tread))
    prints = lay([advance] * (steps + 2 * LEAD_IN), track, first, origin=LEAD_IN)
    ground_: StraightStairs | SpiralStairs = (
        StraightStairs(riser, tread) if turn == 0.0 else SpiralStairs(riser, turn, tread / turn)
    )
    score = _middle(prints, style, leg, ground_.under, wait, steps, running)
    return (
        score,
        ground_,
        {
            "riser": riser,
            "tread": tread,
            "turn": turn,
            "step_length": tread,
            "step_seconds": wait,
            "speed": tread / wait,
            "turn_rate": turn / wait,
            "rise": riser,
            "step_width": track.width,
        },
    )


def stair_seconds(riser: float, tread: float, running: bool, style: Style) -> float:
    """How long people take for a stair."""
    if running:
        return (0.30 + 0.10 * abs(riser) / 0.18 + 0.04 * tread) / style.tempo
    return (0.50 + (0.65 if riser > 0 else 0.35) * abs(riser) + 0.12 * tread) / style.tempo


def _shortest_tread(skeleton: Skeleton, style: Style, turn: float) -> float:
    """The sole, a little room, and what a wedge is narrower under the inner foot than on the line."""
    sole = Sole.of(skeleton, "left")
    length = float((sole.toe_joint + sole.tip)[2] - sole.heel[2])
    inner = abs(turn) * (
        0.5 * 0.14 * style.width * skeleton.leg_length() / FITTED_LEG + 0.5 * length * abs(turn)
    )
    return length + 3.0 * EDGE + inner


def _on_tread(skeleton: Skeleton, riser: float, tread: float) -> float:
    """Where the subtalar stands on its tread: upwards in the middle, downwards with the toes at the edge."""
    sole = Sole.of(skeleton, "left")
    tip, heel = float((sole.toe_joint + sole.tip)[2]), float(sole.heel[2])
    centred = -0.5 * (tip + heel)
    forward = 0.5 * tread - tip - EDGE
    return max(centred, forward) if riser < 0.0 and tread < 0.5 else centred


def _middle(
    prints: list, style: Style, leg: float, height: Ground, seconds: float, steps: int, running: bool
) -> Score:
    """The piece between the lead-in and the lead-out, cut where no foot is about to leave or to land."""
    start = (LEAD_IN - (0.2 if running else 0.4)) * seconds
    return compose(
        prints,
        style,
        leg,
        height,
        running=running,
        stands_first=False,
        stands_last=False,
        start=start,
        end=start + steps * seconds,
    )
