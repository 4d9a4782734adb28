"""What is asked of a walk, checked, and turned into steps that legs can make.

What makes no sense (a negative length, a slope of 80 degrees) is refused. What a leg cannot reach is given as
far as it can be, and said.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from footfall.errors import NO_NUMBER, RequestError
from footfall.geometry.decisions import MARGIN
from footfall.models.walkedit.course import Stride
from footfall.models.walkedit.cycle import SIDES, WalkCycle
from footfall.models.walkedit.phase import step_share
from footfall.models.walkedit.reach import highest_lift, longest_step, shortest_tread
from footfall.models.walkedit.timing import QUICKEST, SLOWEST, natural_length, natural_seconds
from footfall.models.walkedit.varying import OverTime, Varying
from footfall.validation import one_of
from footfall.world.terrain import is_number

MOST_STEPS = 10_000
STEEPEST = float(np.radians(35.0))
LIMITS = {  # name: smallest, largest, unit
    "step_length": (0.05, 100.0, "m"),
    "lift": (0.0, 10.0, "m"),
    "slope": (-STEEPEST, STEEPEST, "rad (35 degrees)"),
    "curve": (-2.0, 2.0, "rad a metre"),
    "speed": (0.05, 5.0, "m/s"),
}
STAIRS = "(riser, tread) in metres, or several of these"
RISER, TREAD = 0.5, (0.10, 3.0)  # m

Value = float | Callable[[float], float] | OverTime | Sequence[tuple[float, float]]
Stairs = tuple[float, float] | Sequence[tuple[float, float]]


def varying(name: str, value: object) -> Varying | None:
    """A parameter that may change, within its limits; None where nothing is asked."""
    return None if value is None else Varying(name, value, *LIMITS[name])


def checked_steps(steps: object) -> None:
    """Refuses what is no number of steps."""
    if not isinstance(steps, (int, np.integer)) or isinstance(steps, bool):
        raise RequestError(f"steps must be a whole number, not {steps!r}")
    if not 1 <= steps <= MOST_STEPS:
        raise RequestError(f"steps must be between 1 and {MOST_STEPS}, not {steps}")


@dataclass(frozen=True)
class Wishes:
    """The parameters of a walk; None is as captured."""

    steps: int = 8
    step_length: Value | None = None
    lift: Value | None = None
    slope: Value | None = None
    stairs: Stairs | None = None
    curve: Value | None = None
    speed: Value | None = None
    first: str = "left"

    def __post_init__(self) -> None:
        checked_steps(self.steps)
        one_of(self.first, SIDES, "first")
        if self.stairs is not None:
            for name in ("slope", "step_length"):
                if getattr(self, name) is not None:
                    raise RequestError(f"stairs set the steps themselves: {name} cannot be given with them")

    def varying(self, name: str) -> Varying | None:
        return varying(name, getattr(self, name))

    @property
    def flight(self) -> list[tuple[float, float]] | None:
        """Risers and treads, one after the other."""
        if self.stairs is None:
            return None
        try:
            pairs: list[Any] = list(self.stairs)
        except TypeError:
            pairs = []
        if len(pairs) == 2 and all(is_number(part) for part in pairs):
            pairs = [self.stairs]
        if not pairs or any(is_number(part) for part in pairs):
            raise RequestError(f"stairs must be {STAIRS}, not {self.stairs!r}")
        return [_step_of_stairs(pair) for pair in pairs]


def _step_of_stairs(pair: tuple[float, float]) -> tuple[float, float]:
    try:
        riser, tread = (float(v) for v in pair)
    except NO_NUMBER:
        raise RequestError(f"stairs must be {STAIRS}, not {pair!r}") from None
    if not abs(riser) <= RISER:
        raise RequestError(f"a riser must be between -{RISER} and {RISER} m, not {riser}")
    if not TREAD[0] <= tread <= TREAD[1]:
        raise RequestError(f"a tread must be between {TREAD[0]} and {TREAD[1]} m, not {tread}")
    return riser, tread


@dataclass(frozen=True, eq=False)
class Granted:
    """The steps that are made, and what of the wishes they are not."""

    strides: list[Stride]
    clamped: tuple[str, ...]


def granted(cycle: WalkCycle, wishes: Wishes) -> Granted:
    """Steps for the wishes, with one before them and those after them that `Footprints` needs.

    The walk begins where the first of these ends, with the next one under way; both feet are then placed, and
    the steps that were asked for follow.
    """
    asked = {name: wishes.varying(name) for name in LIMITS}
    flight = wishes.flight
    for riser, tread in flight or ():
        least = shortest_tread(cycle, riser)
        if riser and tread < least:
            raise RequestError(
                f"a tread must be {np.ceil(1e3 * least) / 1e3:.3f} m or more for this figure's feet, "
                f"not {tread}"
            )
    said: dict[str, str] = {}
    strides: list[Stride] = []
    distance = seconds = 0.0
    for k in range(-1, wishes.steps + 3):
        foot = (SIDES.index(wishes.first) + 1 + k) % 2
        now = {name: v.at(distance, seconds) for name, v in asked.items() if v is not None}
        stride = _stride(cycle, foot, now, None if flight is None else flight[k % len(flight)], said)
        strides.append(stride)
        if k >= 0:
            distance, seconds = distance + stride.advance, seconds + stride.seconds
    return Granted(strides, tuple(said.values()))


def _stride(
    cycle: WalkCycle,
    foot: int,
    now: dict[str, float],
    stair: tuple[float, float] | None,
    said: dict[str, str],
) -> Stride:
    slope, speed = now.get("slope", 0.0), now.get("speed")
    if stair is not None:
        rise, advance = stair
    else:
        length = cycle.step_lengths[foot]
        if "step_length" in now:
            length = now["step_length"]
        elif speed is not None:
            length = natural_length(cycle, speed)
        # [walk] eq. 8: a step is as long as is asked along the ground
        advance, rise = length * np.cos(slope), length * np.sin(slope)
    advance, rise = _within_reach(cycle, advance, rise, stair is not None, now, said)
    return Stride(
        advance=advance,
        rise=rise,
        slope=slope,
        seconds=_seconds(cycle, foot, advance, rise, stair is not None, now, said),
        lift=granted_lift(cycle, now.get("lift"), said),
    )


def _within_reach(
    cycle: WalkCycle, advance: float, rise: float, stair: bool, now: dict[str, float], said: dict[str, str]
) -> tuple[float, float]:
    longest = longest_step(cycle, rise if stair else 0.0, 0.0 if stair else float(np.arctan2(rise, advance)))
    as_captured = not stair and float(np.hypot(advance, rise)) <= max(cycle.step_lengths) + MARGIN
    if advance <= longest + MARGIN or as_captured:
        return advance, rise
    share = longest / advance
    if stair:
        said["stairs"] = f"tread {advance:.3f} m: {longest:.3f} m is as far as a leg reaches with this riser"
        return longest, rise
    length = float(np.hypot(advance, rise))
    asked = "step_length" if "step_length" in now or "speed" not in now else "speed"
    wanted = f"{length:.3f} m" if asked == "step_length" else f"{now['speed']:.3f} m/s"
    said[asked] = f"{asked} {wanted}: {share * length:.3f} m is as far as a leg reaches"
    return longest, share * rise


def _seconds(
    cycle: WalkCycle,
    foot: int,
    advance: float,
    rise: float,
    stair: bool,
    now: dict[str, float],
    said: dict[str, str],
) -> float:
    along, speed = advance if stair else float(np.hypot(advance, rise)), now.get("speed")
    usual = None if stair or "step_length" in now else cycle.step_lengths[foot]
    whole = natural_seconds(cycle, along, rise if stair else 0.0, usual) if speed is None else along / speed
    kept = granted_seconds(whole, along, speed, said)
    return kept * 2.0 * step_share(foot, cycle.right_strike)


def granted_seconds(whole: float, along: float, speed: float | None, said: dict[str, str]) -> float:
    """How long a step takes, within what is possible."""
    kept = float(np.clip(whole, QUICKEST, SLOWEST))
    if kept != whole and speed is not None:
        said["speed"] = f"speed {speed:.3f} m/s: {along / kept:.3f} m/s with steps of {along:.3f} m"
    return kept


def granted_lift(cycle: WalkCycle, lift: float | None, said: dict[str, str]) -> float:
    """The lift that is asked for, within what is possible; nan is as captured."""
    if lift is None:
        return np.nan
    highest = highest_lift(cycle)
    if lift > highest:
        said["lift"] = f"lift {lift:.3f} m: {highest:.3f} m is as high as a leg folds"
    return min(lift, highest)
