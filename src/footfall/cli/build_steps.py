"""`footfall build steps`: a step space with what is said of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from footfall.cli.ranges import ranges
from footfall.cli.takes import Take, Told

if TYPE_CHECKING:
    from footfall.models.stepspace.model import StepSpace
    from footfall.weights.space import Space

LEFT_OUT = re.compile(r"clip (\d+): (.+ is left out.*)")  # what the builder tells of a step with a fault


@dataclass(frozen=True, eq=False)
class BuiltSteps:
    """A built step space and what is said of it."""

    model: StepSpace
    told: Mapping[str, Any]

    @property
    def spaces(self) -> Mapping[str, Space]:
        return self.model.space

    @property
    def examples(self) -> dict[str, int]:
        return {foot: len(space.points) for foot, space in self.model.space.items()}

    @property
    def counted(self) -> str:
        return f"{self.examples['left']} steps a side"

    def lines(self) -> Iterator[str]:
        yield "  left, and right in a mirror:"
        yield from (f"    {told}" for told in ranges(self.model.space["left"]))
        if self.told["left_out"]:
            yield f"  {len(self.told['left_out'])} steps with faults were left out"


def build_steps(takes: Sequence[Take], progress: Told) -> BuiltSteps:
    from footfall.models.stepspace.build import build_step_space

    left_out: list[str] = []

    def told(what: str, share: float) -> None:
        if found := LEFT_OUT.fullmatch(what):
            left_out.append(f"{takes[int(found[1]) - 1].name}: {found[2]}")
        progress(what, share)

    space = build_step_space([take.motion for take in takes], progress=told)
    return BuiltSteps(space, {"left_out": left_out})
