"""Ramps up and down with landings between them, on which the way turns a little."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from footfall.world.foot_plan import FootPlan
from footfall.world.generators.footprints import alternating, left_of, side_of, towards
from footfall.world.generators.generated import Made
from footfall.world.generators.limits import StepLimits, stance_for
from footfall.world.generators.request import Size, checked_size
from footfall.world.generators.strip import AFTER, BEFORE, END
from footfall.world.generators.tiles import build_tiles
from footfall.world.generators.walk import closed, places_between
from footfall.world.generators.way import Piece, Way
from footfall.world.terrain import GROUND

SIZE = (2.4, 18.0)  # m
LEAST = (2.2, 8.0)
RAMP, LANDING = (1.7, 3.7), (2.1, 3.0)  # longest steps long, from and to
SHORT = 1.5  # m: no landing is shorter
GENTLEST = 0.3  # of the steepest ramp
TURN, AWAY = 0.4, 1.0  # rad, the largest turn on a landing, and how far the way turns from +Z in all
INNER = 0.3  # m, the shorter side of a landing at least
LABEL = "ramp"


def ramps(rng: np.random.Generator, limits: StepLimits, *, size: Size | None = None) -> Made:
    """A way as long as the size says, about, with as many ramps as fit; one at least."""
    width, length = checked_size("ramps", size, SIZE, LEAST)
    # so that a step that takes a foot clear over an edge keeps the rise
    steepest = min(np.tan(limits.slope), 0.98 * limits.rise / limits.room)
    pieces = _pieces(rng, length, width, steepest, limits)
    for share in (1.0, 0.5, 0.25, 0.0):  # feet come farther apart in a turn: less of it where that is too far
        way = Way.of([replace(piece, turn=share * piece.turn) for piece in pieces], -BEFORE)
        crossing = _walk(way, limits)
        if _longest(crossing) <= limits.length:
            break
    terrain, region = build_tiles(*way.tiles(width))
    return Made(terrain, crossing, region)


def _pieces(
    rng: np.random.Generator, length: float, width: float, steepest: float, limits: StepLimits
) -> list[Piece]:
    pieces, heading, free = [Piece(BEFORE + AFTER, GROUND)], 0.0, length - BEFORE - AFTER - END
    while True:
        count = rng.integers(1, 3)
        lengths = np.maximum(limits.length * rng.uniform(*RAMP, count), limits.room)
        slopes = steepest * rng.uniform(GENTLEST, 1.0, count) * rng.choice([-1.0, 1.0], count)
        run = [Piece(float(m), LABEL, float(slope)) for m, slope in zip(lengths, slopes, strict=True)]
        landing = max(limits.length * rng.uniform(*LANDING), SHORT, 3.0 * limits.foot_length)
        turn = min(TURN, 2.0 * np.arctan((landing - INNER) / width)) * rng.uniform(-1.0, 1.0)
        turn = -turn if abs(heading + turn) > AWAY else turn
        free -= lengths.sum()
        if free < 0.0 and len(pieces) > 1:
            return [*pieces[:-1], Piece(END, GROUND)]
        pieces += [*run, Piece(landing, GROUND, turn=turn)]
        heading, free = heading + turn, free - landing


def _walk(way: Way, limits: StepLimits) -> FootPlan:
    stance = stance_for(limits, "ramps", limits.room)
    cruise = min(stance.cruise, 0.99 * limits.rise / max(abs(piece.slope) for piece in way.pieces))
    goal = 0.5 * (way.along[-2] + way.along[-1])
    along, piece = places_between(way.along, limits, cruise, start=0.0, goal=goal)
    along, piece = closed(along), closed(piece)
    length, turn = (np.array([getattr(p, name) for p in way.pieces])[piece] for name in ("length", "turn"))
    done, half = along - way.along[piece], 0.5 * length
    places = way.middle[piece] + np.minimum(done, half)[:, None] * towards(way.heading[piece])
    places += np.maximum(done - half, 0.0)[:, None] * towards(way.heading[piece + 1])
    # where a piece begins and ends a foot is headed straight at its edges
    share = np.clip((done - limits.foot_length) / (length - 2.0 * limits.foot_length), 0.0, 1.0)
    heading = way.heading[piece] + turn * share
    places += (0.5 * stance.apart * side_of(len(places)))[:, None] * left_of(heading)
    a, b, c = np.array(way.planes())[piece].T
    return alternating(places, a + b * places[:, 0] + c * places[:, 1], heading)


def _longest(crossing: FootPlan) -> float:
    places = np.stack([p.position for p in crossing.placements])
    return float(np.linalg.norm(np.diff(places[:, ::2], axis=0), axis=-1).max())
