"""From parameters to footprints on their ground: step length, slope, stairs and curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import MARGIN
from footfall.geometry.ground import LEFT, UP
from footfall.models.walkedit.cycle import SIDES, WalkCycle, other_side
from footfall.models.walkedit.ribbon import Ribbon
from footfall.models.walkedit.steps import Footprints
from footfall.models.walkedit.way import Way

CLEAR = 0.01  # m: a subtalar stands at least so far from an edge
ROOM, LEAST = 0.03, 0.008  # m that toes have before a riser, or a heel behind one, if they can, and at least


@dataclass(frozen=True)
class Stride:
    """One step of a course."""

    advance: float  # m along the way, on the ground plan
    rise: float  # m
    slope: float  # rad, of the ground under the foot that arrives
    seconds: float
    lift: float  # m; nan: as captured


def captured_strides(cycle: WalkCycle, first: str, count: int) -> list[Stride]:
    """Steps as they were captured, to be laid from foot `first` on."""
    from footfall.models.walkedit.phase import step_share

    feet = [(SIDES.index(first) + k) % 2 for k in range(count)]
    return [
        Stride(cycle.step_lengths[f], 0.0, 0.0, cycle.seconds * step_share(f, cycle.right_strike), np.nan)
        for f in feet
    ]


@dataclass(frozen=True, eq=False)
class Course:
    """Footprints, and the ground they are on."""

    prints: Footprints
    ground: Ribbon


def lay(cycle: WalkCycle, strides: Sequence[Stride], way: Way, first: str) -> Course:
    """Footprints along a way, the second, of foot `first`, where the way begins."""
    before = other_side(first)
    offset = SIDES.index(before)
    stations = np.concatenate([[0.0], np.cumsum([s.advance for s in strides])]) - strides[0].advance
    levels = np.concatenate([[0.0], np.cumsum([s.rise for s in strides])]) - strides[0].rise
    slopes = np.array([strides[0].slope, *(s.slope for s in strides)])
    feet = (np.arange(len(stations)) + offset) % 2
    plan, ways = way.at(stations)
    across = np.stack([np.cos(ways), np.zeros(len(ways)), -np.sin(ways)], axis=-1)
    places = np.stack([plan[:, 0], levels, plan[:, 1]], axis=-1)
    beside = np.array(cycle.beside)[feet]
    places = places + beside[:, None] * across
    # inside a bend the same rise is made on a shorter way
    steeper = np.arctan(np.tan(slopes) / (1.0 - way.bend(stations) * beside))
    normals = quat.rotate(ground.turn(ways), quat.rotate(quat.exp(-steeper[:, None] * LEFT), UP))
    prints = Footprints(
        first=before,
        places=places,
        headings=ways + np.array(cycle.headings)[feet],
        normals=normals,
        ways=ways,
        strikes=np.concatenate([[0.0], np.cumsum([s.seconds for s in strides])]),
        lifts=np.array([np.nan, *(s.lift for s in strides)]),
    )
    edges = _edges(cycle, stations, levels, slopes)
    return Course(prints, Ribbon(way, stations, edges, levels, np.tan(slopes)))


def _edges(
    cycle: WalkCycle,
    stations: Float[np.ndarray, "prints"],
    levels: Float[np.ndarray, "prints"],
    slopes: Float[np.ndarray, "prints"],
) -> Float[np.ndarray, "prints-1"]:
    """Where one print's ground ends and the next one's begins: between the feet, clear of both.

    Up a riser the toes below need room before it, down one the heel below; on short treads the other foot's
    heel, or toes, then stand over the edge.
    """
    lengths = [cycle.feet[side].sole.lengths for side in SIDES]
    behind, ahead = (max(part) for part in zip(*lengths, strict=True))
    spare = np.diff(stations) - behind - ahead
    room = np.maximum(0.5 * spare, ROOM)
    climb = np.diff(levels) - 0.5 * np.diff(stations) * (np.tan(slopes[1:]) + np.tan(slopes[:-1]))
    up = np.minimum(stations[:-1] + ahead + room, stations[1:] - behind)
    up = np.minimum(np.maximum(up, stations[:-1] + ahead + LEAST), stations[1:] - CLEAR)
    down = np.maximum(stations[1:] - behind - room, stations[:-1] + 0.5 * ahead)
    middle = stations[:-1] + ahead + 0.5 * spare
    return np.where(climb > MARGIN, up, np.where(climb < -MARGIN, down, middle))
