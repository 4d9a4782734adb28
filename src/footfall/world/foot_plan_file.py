"""Foot plans as files.

    {"version": 1, "steps": [{"foot": "left", "position": [x, y, z], "heading_deg": 0,
                              "swing": 0.4, "stance": 0.7}, ...]}

Heading, swing and stance are soft and may be left out. The first two entries are where the feet start.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np

from footfall.errors import LoadError, RequestError
from footfall.world.foot_plan import FootPlacement
from footfall.world.small_file import read_small

VERSION = 1
MOST_BYTES = 8 << 20  # of a file
MOST = 20_000  # steps: three hours


def read_plan(path: Path) -> tuple[FootPlacement, ...]:
    """The footprints of a file; every problem is a LoadError that names the field."""
    try:
        document = _document(read_small(path, MOST_BYTES, "a foot plan"))
        if document.version != VERSION:
            raise LoadError(f"expected version {VERSION}, found {document.version}")
        if not document.steps:
            raise LoadError("the plan has no steps")
        if len(document.steps) > MOST:
            raise LoadError(f"steps: a plan has at most {MOST}, not {len(document.steps)}")
        return tuple(_placement(step, k) for k, step in enumerate(document.steps))
    except LoadError as error:
        raise error.at(path) from None


def write_plan(placements: Sequence[FootPlacement]) -> bytes:
    """The content of a plan's file."""
    document = _Document(VERSION, [_Step.of(p) for p in placements])
    return msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n"


class _Step(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    foot: str
    position: tuple[float, float, float]
    heading_deg: float | None = None
    swing: float | None = None
    stance: float | None = None

    def placement(self) -> FootPlacement:
        heading = None if self.heading_deg is None else float(np.radians(self.heading_deg))
        return FootPlacement(self.foot, np.array(self.position), heading, self.swing, self.stance)

    @classmethod
    def of(cls, placement: FootPlacement) -> _Step:
        x, y, z = (float(v) for v in placement.position)
        heading = None if placement.heading is None else float(np.degrees(placement.heading))
        return cls(placement.foot, (x, y, z), heading, placement.swing, placement.stance)


class _Document(msgspec.Struct, forbid_unknown_fields=True):
    version: int
    steps: list[_Step]


def _document(content: bytes) -> _Document:
    try:
        return msgspec.json.decode(content, type=_Document)
    except msgspec.ValidationError as error:
        raise LoadError(f"is no foot plan: {_placed(error)}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        _name_what_is_no_number(content)
        raise LoadError(f"is no foot plan: {error}") from None


def _placed(error: msgspec.ValidationError) -> str:
    """What is wrong after where it is: `steps[2].position: ...`."""
    problem, _, where = str(error).rpartition(" - at `$.")
    return f"{where.rstrip('`')}: {problem}" if problem else where


def _name_what_is_no_number(content: bytes) -> None:
    """Refuses NaN and Infinity by the place at which they stand.

    JSON has no such words, but programs write them all the same; a parser only tells the byte.
    """
    try:
        document = msgspec.convert(json.loads(content), type=_Document)
    except msgspec.ValidationError as error:
        raise LoadError(f"is no foot plan: {_placed(error)}") from None
    except (ValueError, RecursionError):
        return
    for k, step in enumerate(document.steps):
        try:
            _placement(step, k)
        except LoadError as error:
            raise LoadError(f"is no foot plan: {error.problem}") from None


def _placement(step: _Step, index: int) -> FootPlacement:
    try:
        return step.placement()
    except RequestError as error:
        raise LoadError(f"steps[{index}]: {error}") from None
