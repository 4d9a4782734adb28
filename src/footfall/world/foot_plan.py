"""Foot plans: the footprints a character is to hit. The first two are where its feet start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.figure.frozen import frozen_array
from footfall.file_access import as_path
from footfall.validation import one_of
from footfall.world.shapes.fields import number

FEET = ("left", "right")
FARTHEST = 1e6  # m from the origin: footprints are told to a micrometre
LONGEST = 3600.0  # s of one swing or stance


@dataclass(frozen=True, eq=False)
class FootPlacement:
    """One footprint: where the subtalar rests on the ground, and, if it matters, how and how long."""

    foot: str
    position: Float[np.ndarray, "3"]
    heading: float | None = None  # radians
    swing: float | None = None  # s, of the swing that arrives here
    stance: float | None = None  # s, of the rest here

    def __post_init__(self) -> None:
        one_of(self.foot, FEET, "foot")
        position = frozen_array(self.position, "position", shape=(3,))
        if position.ndim != 1:
            raise RequestError(f"position must be three numbers, not an array of shape {position.shape}")
        if not (np.abs(position) <= FARTHEST).all():
            raise RequestError(f"position must be within {FARTHEST:g} m of the origin")
        object.__setattr__(self, "position", position)
        for name in ("heading", "swing", "stance"):
            value = getattr(self, name)
            if value is not None:
                value = number(value, name)
                if name != "heading" and not 0.0 < value <= LONGEST:
                    raise RequestError(f"{name} must be positive and at most {LONGEST:g} s, not {value:g}")
                object.__setattr__(self, name, value)


@dataclass(frozen=True)
class PlannedStep:
    """One step of a plan. All but the foot are numbers of placements, counted from 0 as in a file."""

    number: int  # of the step itself: 0 is the first
    foot: str  # the swing foot
    origin: int  # where it stands before
    support: int  # where the other foot stands meanwhile
    target: int  # where it comes to stand


@dataclass(frozen=True)
class FootPlan:
    """Footprints in the order in which they are taken."""

    placements: tuple[FootPlacement, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "placements", tuple(self.placements))
        for k, one in enumerate(self.placements):
            if not isinstance(one, FootPlacement):
                raise RequestError(f"steps[{k}]: must be a FootPlacement, not {one!r:.40}")

    def __len__(self) -> int:
        return len(self.placements)

    def of(self, foot: str) -> list[FootPlacement]:
        return [p for p in self.placements if p.foot == foot]

    def steps(self) -> tuple[PlannedStep, ...]:
        """The steps, with what each needs to know; refused where the plan has none or no two feet."""
        self._check_steps()
        stand = {p.foot: k for k, p in enumerate(self.placements[:2])}
        found = []
        for target in range(2, len(self)):
            foot = self.placements[target].foot
            other = FEET[1 - FEET.index(foot)]
            found.append(PlannedStep(target - 2, foot, stand[foot], stand[other], target))
            stand[foot] = target
        return tuple(found)

    def _check_steps(self) -> None:
        needed = "a plan needs where both feet start, then at least one step"
        if not self.placements:
            raise RequestError(f"steps[0]: is missing, the plan has no steps: {needed}")
        feet = [p.foot for p in self.placements[:2]]
        if feet[1:] == feet[:1]:
            other = FEET[1 - FEET.index(feet[0])]
            raise RequestError(
                f"steps[1]: must be where the {other} foot starts, steps[0] is the {feet[0]} one: {needed}"
            )
        if len(self) < 3:
            raise RequestError(f"steps[{len(self)}]: is missing, there are {len(self)}: {needed}")

    @classmethod
    def of_steps(cls, placements: Sequence[FootPlacement]) -> FootPlan:
        return cls(tuple(placements))

    @classmethod
    def load(cls, path: str | PathLike[str]) -> FootPlan:
        """Reads a plan; an error names the field."""
        from footfall.world.foot_plan_file import read_plan

        return cls(read_plan(as_path(path)))

    def encode(self) -> bytes:
        """The file's content."""
        from footfall.world.foot_plan_file import write_plan

        return write_plan(self.placements)
