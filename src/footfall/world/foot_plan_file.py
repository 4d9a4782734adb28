"""Foot plans as files.

    {"version": 1, "steps": [{"foot": "left", "position": [x, y, z], "heading_deg": 0,
                              "swing": 0.4, "stance": 0.7}, ...]}

Heading, swing and stance are soft and may be left out. The first two entries are where the feet start.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np

from footfall.errors import LoadError, RequestError
from footfall.world.foot_plan import FootPlacement

VERSION = 1


def read_plan(path: Path) -> tuple[FootPlacement, ...]:
    """The footprints of a file; every problem is a LoadError that names the field."""
    try:
        document = msgspec.json.decode(path.read_bytes(), type=_Document)
    except OSError as error:
        raise LoadError(f"cannot be opened ({error.strerror or error})", file=path) from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise LoadError(f"is no foot plan: {error}", file=path) from None
    if document.version != VERSION:
        raise LoadError(f"expected version {VERSION}, found {document.version}", file=path)
    if not document.steps:
        raise LoadError("the plan has no steps", file=path)
    return tuple(_placement(step, i, path) for i, step in enumerate(document.steps))


def _placement(step: _Step, index: int, path: Path) -> FootPlacement:
    try:
        return step.placement()
    except RequestError as error:
        raise LoadError(f"steps[{index}]: {error}", file=path) from None


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
