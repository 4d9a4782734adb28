"""Steps that are no steady gait: from standing to anywhere, aside, across, round on the spot, into a walk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from footfall.actor.asked import number
from footfall.actor.gait.footing import FITTED_LEG, Footprint, compose, other
from footfall.actor.gait.gaits import SIDE_GAP, Pace, natural_step, refuse_long, refuse_tight, within
from footfall.actor.gait.performance import Score
from footfall.actor.gait.stance import Sole
from footfall.actor.gait.ways import Advance, Track, flat_ground, lay, own_ground
from footfall.actor.style import Style
from footfall.errors import RequestError
from footfall.figure.skeleton import Skeleton
from footfall.geometry.decisions import nearest_cell

STAND_WIDTH = 0.17  # m between the feet of somebody who stands
TURNING_WIDTH = 0.175  # m at least, where they turn on the spot
LEAST_ASIDE = 0.05  # m
SLOWEST = 0.05  # m/s
STEP_SECONDS = 0.75
FARTHEST, BACKWARD, ASIDE, ACROSS, HIGHEST = 0.82, 0.40, 0.46, 0.04, 0.15001  # m: of a single step
UNCLOSED = 0.68  # of these where the other foot does not follow: its ankle has to bear the whole step
DOWNWARD, BACK_UP = 0.72, 0.40  # of these where a step leads down, and backwards where it leads up
MOST_TURNED = 0.4  # rad, of a single step
CROSS_AHEAD = 0.36  # m by which a crossing foot passes and stands before the other
CROSSED, OPEN = 0.12, 0.26  # m: how far feet stand beyond each other when crossed, and apart when not
START_SHARE = (0.55, 0.85)  # of the step length: the first and second step of a start, the last of a stop
STEP_TIMES = (0.33, 1.1)  # s
SLOWER = (1.35, 1.12)  # times the step's duration there


def stand_track(style: Style, leg: float) -> Track:
    return Track(STAND_WIDTH * style.width * leg / FITTED_LEG, style.toe_out)


def step_to(
    skeleton: Skeleton,
    style: Style,
    *,
    foot: str,
    place: Float[np.ndarray, "3"],
    turn: float = 0.0,
    close: bool = True,
) -> tuple[Score, dict[str, float]]:
    """One step of `foot` from standing; with `close` the other foot follows.

    `place` is where the stepping foot's subtalar goes, from where it stands: left, up, forward.
    """
    moved = np.array([number(name, x) for name, x in zip(("side", "rise", "forward"), place, strict=True)])
    turn = number("a step's turn", turn, -MOST_TURNED, MOST_TURNED)
    _refuse_large(moved, foot, skeleton.leg_length() / FITTED_LEG * (1.0 if close else UNCLOSED))
    leg = skeleton.leg_length()
    track = stand_track(style, leg)
    prints = []
    for name, wait in ((other(foot), 0.0), (foot, 0.4)):
        at, pointing = track.place(name, np.zeros(3), 0.0)
        prints.append(Footprint(name, at, pointing, wait))
    landing = Footprint(
        foot, prints[1].place + moved, prints[1].heading + turn, STEP_SECONDS + 0.12 * abs(moved[1]) / 0.15
    )
    prints.append(landing)
    if close:
        at, pointing = track.place(other(foot), np.zeros(3), turn)
        mine, _ = track.place(foot, np.zeros(3), turn)
        prints.append(Footprint(other(foot), landing.place + at - mine, pointing, STEP_SECONDS + 0.1))
    score = compose(prints, style, leg, own_ground(prints, Sole.of(skeleton, foot)))
    return score, {
        "foot": 1.0 if foot == "left" else -1.0,
        "side": float(moved[0]),
        "rise": float(moved[1]),
        "forward": float(moved[2]),
        "turn": turn,
    }


def _refuse_large(moved: Float[np.ndarray, "3"], foot: str, size: float) -> None:
    """A single step that no ankle allows is refused, with what is possible."""
    outward = moved[0] if foot == "left" else -moved[0]
    high = float(np.clip(moved[1] / HIGHEST, -1.0, 1.0)) if np.isfinite(moved[1]) else 0.0
    share = size * (1.0 + (1.0 - DOWNWARD) * min(high, 0.0))
    back = BACKWARD * share * (1.0 - (1.0 - BACK_UP) * max(high, 0.0))
    ahead, aside = FARTHEST * share, ASIDE * share
    along = moved[2] / (ahead if moved[2] > 0.0 else back)
    across = outward / (aside if outward > 0.0 else ACROSS * share)
    if not (np.isfinite(moved).all() and np.hypot(along, across) <= 1.0 + 1e-9 and abs(moved[1]) <= HIGHEST):
        raise RequestError(
            f"a step of {moved[2]:.2f} m forward, {outward:.2f} outwards and {moved[1]:.2f} up is too "
            f"large; at this height {-back:.2f} to {ahead:.2f} m forward or {aside:.2f} outwards are "
            f"possible (less of both together), and {HIGHEST:.2f} m up or down"
        )


def turn_in_place(
    skeleton: Skeleton, style: Style, *, angle: float, seconds: float | None = None
) -> tuple[Score, dict[str, float]]:
    """Round on the spot by `angle` (to the left), a few steps, the foot on that side first."""
    angle = number("an angle", angle)
    if not 0.05 < abs(angle) < 6.3:
        raise RequestError(f"an angle of {angle} rad cannot be turned; 0.05 to 6.3 are possible")
    leg = skeleton.leg_length()
    steps = 2 * max(1, int(nearest_cell(abs(angle), np.radians(62.0))))
    each = (seconds or steps * 0.55 / style.tempo) / steps
    first = "left" if angle > 0 else "right"
    advances = [
        Advance(),
        *[Advance(turn=angle / (steps - 1), seconds=each)] * (steps - 1),
        Advance(seconds=each),
    ]
    usual = stand_track(style, leg)
    # feet that turn one after the other point at each other: they need room, whoever's they are
    track = replace(usual, width=max(usual.width, TURNING_WIDTH * leg / FITTED_LEG))
    prints = lay(advances, track, other(first), together=True)
    score = compose(prints, style, leg, flat_ground)
    return score, {"angle": angle, "steps": float(steps), "seconds": steps * each}


def walk_from_stand_to_stand(
    skeleton: Skeleton,
    style: Style,
    steps: Sequence[Advance],
    *,
    first: str = "left",
    width: float | None = None,
) -> Score:
    """Any row of steps that begins and ends with the feet together."""
    leg = skeleton.leg_length()
    track = stand_track(style, leg)
    if width is not None:
        track = replace(track, width=width)
    last = steps[-1]
    closing = Advance(seconds=max(last.seconds, 0.6))
    prints = lay([Advance(), *steps, closing], track, other(first), together=True)
    return compose(prints, style, leg, flat_ground)


def start_and_stop(
    skeleton: Skeleton, style: Style, pace: Pace, steps: int, first: str = "left"
) -> tuple[Score, dict[str, float]]:
    """From standing into a walk and to a stand again; `steps` counts all but the closing one."""
    if steps < 3:
        raise RequestError(f"a walk from stand to stand needs 3 steps, not {steps}")
    if abs(pace.speed) < SLOWEST:
        raise RequestError(f"a walk needs a speed of at least {SLOWEST} m/s, forwards or backwards")
    leg = skeleton.leg_length()
    length = pace.step_length or natural_step(pace, leg, style)
    refuse_long(length, False, leg)
    seconds = length / abs(pace.speed)
    low, high = STEP_TIMES
    if not low <= seconds <= high:
        raise RequestError(
            f"steps of {length:.2f} m at {abs(pace.speed):.2f} m/s would take {seconds:.2f} s each; "
            f"{low} to {high} s are possible from stand to stand"
        )
    refuse_tight(pace, abs(pace.speed), SLOWER[0] * seconds)
    shares = [*START_SHARE, *[1.0] * (steps - 3), START_SHARE[1]]
    slower = [*SLOWER, *[1.0] * (steps - 3), SLOWER[1]]
    sign = np.sign(pace.speed)
    advances = [
        Advance(
            forward=sign * share * length,
            turn=pace.turn_rate * slow * seconds,
            seconds=slow * seconds,
        )
        for share, slow in zip(shares, slower, strict=True)
    ]
    score = walk_from_stand_to_stand(skeleton, style, advances, first=first, width=0.13 * style.width)
    return score, {
        "speed": pace.speed,
        "step_length": length,
        "step_seconds": seconds,
        "turn_rate": pace.turn_rate,
        "steps": float(steps),
    }


def sidestep(skeleton: Skeleton, style: Style, *, advance: float, steps: int, seconds: float) -> Score:
    """Aside, to the left where `advance` is positive: the leading foot out, the other one after it."""
    if abs(within("advance", advance)) < LEAST_ASIDE:
        raise RequestError(
            f"an advance of less than {LEAST_ASIDE} m is no step; {LEAST_ASIDE} m are possible"
        )
    within("seconds", seconds)
    width = max(abs(advance) + SIDE_GAP, STAND_WIDTH)
    first = "left" if advance > 0 else "right"
    row = [Advance(side=advance, seconds=seconds)] * steps
    return walk_from_stand_to_stand(skeleton, style, row, first=first, width=width)


def cross_step(skeleton: Skeleton, style: Style, *, side: str, pairs: int, seconds: float = 0.68) -> Score:
    """Aside with crossing feet: the trailing foot passes and stands before the leading one."""
    within("seconds", seconds)
    leg = skeleton.leg_length()
    track = stand_track(style, leg)
    sign = 1.0 if side == "left" else -1.0
    trailing = other(side)
    prints = []
    for name, wait in ((side, 0.0), (trailing, 0.4)):
        at, pointing = track.place(name, np.zeros(3), 0.0)
        prints.append(Footprint(name, at, pointing, wait))
    leads, trails = prints[0].place.copy(), prints[1].place.copy()
    out = sign * np.array([1.0, 0.0, 0.0])
    ahead = CROSS_AHEAD * leg / FITTED_LEG
    for _ in range(pairs):
        trails = leads + CROSSED * out + np.array([0.0, 0.0, ahead])
        prints.append(Footprint(trailing, trails, prints[1].heading, seconds))
        leads = trails + OPEN * out - np.array([0.0, 0.0, ahead])
        prints.append(Footprint(side, leads, prints[0].heading, seconds))
    beside = leads - out * track.width
    prints.append(Footprint(trailing, beside, prints[1].heading, seconds))
    return compose(prints, style, leg, flat_ground)
