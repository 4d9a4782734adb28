"""Foot plans: the footprints a character is to hit. The first two are where its feet start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.figure.frozen import frozen_array


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
        from footfall.world.foot_plan_file import read_plan

        return cls(read_plan(Path(path)))

    def encode(self) -> bytes:
        """The file's content."""
        from footfall.world.foot_plan_file import write_plan

        return write_plan(self.placements)
