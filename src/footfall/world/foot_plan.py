"""Foot plans: the footprints a character is to hit, as a file and as a value.

    {"version": 1, "steps": [{"foot": "left", "position": [x, y, z], "heading_deg": 0,
                              "swing": 0.4, "stance": 0.7}, ...]}

Heading, swing and stance are soft and may be left out. The first two entries are where the feet start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import msgspec
import numpy as np
from jaxtyping import Float

from footfall.errors import LoadError, RequestError
from footfall.figure.frozen import frozen_array

VERSION = 1


@dataclass(frozen=True, eq=False)
class FootPlacement:
    """One footprint: where the subtalar rests on the ground, and, if it matters, how and how long."""

    foot: str
    position: Float[np.ndarray, "3"]
    heading: float | None = None  # radians
    swing: float | None = None  # s, of the swing that arrives here
    stance: float | None = None  # s, of the rest here

    def __post_init__(self) -> None:
        if self.foot not in ("left", "right"):
            raise RequestError(f"foot must be 'left' or 'right', not {self.foot!r}")
        object.__setattr__(self, "position", frozen_array(self.position, "position", shape=(3,)))
        for name in ("heading", "swing", "stance"):
            value = getattr(self, name)
            if value is not None and not np.isfinite(value):
                raise RequestError(f"{name} must be a finite number, not {value}")
        for name in ("swing", "stance"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise RequestError(f"{name} must be positive, not {value}")


@dataclass(frozen=True)
class FootPlan:
    """Footprints in the order in which they are taken."""

    placements: tuple[FootPlacement, ...]

    def __len__(self) -> int:
        return len(self.placements)

    def of(self, foot: str) -> list[FootPlacement]:
        return [p for p in self.placements if p.foot == foot]

    @classmethod
    def of_steps(cls, placements: Sequence[FootPlacement]) -> FootPlan:
        return cls(tuple(placements))

    @classmethod
    def load(cls, path: str | PathLike[str]) -> FootPlan:
        """Reads a plan; an error names the field."""
        try:
            document = msgspec.json.decode(Path(path).read_bytes(), type=_Document)
        except OSError as error:
            raise LoadError(f"cannot be opened ({error.strerror or error})", file=path) from None
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise LoadError(f"is no foot plan: {error}", file=path) from None
        if document.version != VERSION:
            raise LoadError(f"expected version {VERSION}, found {document.version}", file=path)
        if not document.steps:
            raise LoadError("the plan has no steps", file=path)
        placements = []
        for i, step in enumerate(document.steps):
            try:
                placements.append(step.placement())
            except RequestError as error:
                raise LoadError(f"steps[{i}]: {error}", file=path) from None
        return cls(tuple(placements))

    def encode(self) -> bytes:
        """The file's content."""
        steps = [_Step.of(p) for p in self.placements]
        return msgspec.json.format(msgspec.json.encode(_Document(VERSION, steps)), indent=1) + b"\n"


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
