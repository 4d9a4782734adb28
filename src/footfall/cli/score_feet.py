"""Foot points from a file: where a motion's soles are, as the command that made it printed them.

A BVH file holds joints and no soles, so what it shows of a footprint is a guess from the skeleton. The JSON
that `step`, `play` and `edit` print has the true ones under `foot_points`.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np

from footfall.analysis.resting import resting_contacts
from footfall.errors import LoadError
from footfall.figure.feet import FootPoints
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.world.small_file import read_small

KEY = "foot_points"
MOST_BYTES = 8 << 20  # of a file: a long plan's certificate may say much

Place = tuple[float, float, float]


class _Sole(msgspec.Struct):
    """One foot, metres in its foot joint's frame."""

    heel: Place
    subtalar: Place
    ball: Place
    toe: Place


class _Document(msgspec.Struct):
    """What a command printed, of which only this is looked at."""

    foot_points: dict[str, _Sole]


def on_soles_of(motion: Motion, path: Path) -> Motion:
    """The motion on the soles that a file tells, with its contacts; a LoadError names the field."""
    try:
        told = _soles(read_small(path, MOST_BYTES, "a file with foot points"))
        measured = replace(motion, skeleton=_measured(motion.skeleton, told))
    except LoadError as error:
        raise error.at(path) from None
    if measured.contacts is not None:
        return measured
    return replace(measured, contacts=resting_contacts(measured))


def _soles(content: bytes) -> dict[str, _Sole]:
    try:
        # JSON has no NaN, but programs write it: this parser lets it pass, so that its place can be told
        printed = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise LoadError(f"is no JSON: {error}") from None
    try:
        return msgspec.convert(printed, type=_Document).foot_points
    except (msgspec.ValidationError, OverflowError) as error:
        problem, _, where = str(error).rpartition(" - at `$.")
        named = f"{where.rstrip('`')}: {problem}" if problem else str(error)
        raise LoadError(f"has no {KEY} as `footfall step --json` prints them: {named}") from None


def _measured(skeleton: Skeleton, soles: dict[str, _Sole]) -> Skeleton:
    for side in skeleton.sides:
        if side not in soles:
            told = ", ".join(sorted(s[:20] for s in list(soles)[:4])) or "none"
            raise LoadError(f"{KEY}: the {side} foot is missing, there is {told}")
    return skeleton.with_feet(**{side: _points(skeleton, side, soles[side]) for side in skeleton.sides})


def _points(skeleton: Skeleton, side: str, sole: _Sole) -> FootPoints:
    leg = skeleton.leg_length(side)
    for name in _Sole.__struct_fields__:
        place = getattr(sole, name)
        # what is not a number is no distance, and fails here too
        if not math.hypot(*place) <= leg:
            raise LoadError(
                f"{KEY}.{side}.{name}: must be metres from the foot joint and within a leg's length "
                f"({leg:.2f} m), not {list(place)}"
            )
    return FootPoints(*(np.array(getattr(sole, name)) for name in _Sole.__struct_fields__))
