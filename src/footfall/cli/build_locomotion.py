"""`footfall build locomotion`: a locomotion space with what is said of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from footfall.cli.ranges import ranges
from footfall.cli.takes import Take, Told

if TYPE_CHECKING:
    from footfall.models.locomotion.model import Locomotion
    from footfall.weights.space import Space

LEFT_OUT = re.compile(r".+ is left out: .+")  # what the builder tells of a clip without a cycle


@dataclass(frozen=True, eq=False)
class BuiltLocomotion:
    """A built locomotion space and what is said of it."""

    model: Locomotion
    told: Mapping[str, Any]

    @property
    def spaces(self) -> Mapping[str, Space]:
        return {"locomotion": self.model.space}

    @property
    def examples(self) -> dict[str, int]:
        return {"locomotion": len(self.model)}

    @property
    def counted(self) -> str:
        return f"{len(self.model)} loops"

    def lines(self) -> Iterator[str]:
        yield from (f"  {told}" for told in ranges(self.model.space))
        if self.told["left_out"]:
            yield f"  {len(self.told['left_out'])} clips that hold no cycle of steps were left out"


def build_locomotion(takes: Sequence[Take], progress: Told) -> BuiltLocomotion:
    from footfall.models.locomotion.build import KINDS
    from footfall.models.locomotion.build import build_locomotion as build

    left_out: list[str] = []

    def told(what: str, share: float) -> None:
        if LEFT_OUT.fullmatch(what):
            left_out.append(what)
        progress(what, share)

    # of a whole session only its locomotion, as of examples
    kept = [take for take in takes if take.known is None or take.known.kind in KINDS]
    model = build([take.motion for take in kept], names=[take.name for take in kept], progress=told)
    return BuiltLocomotion(model, {"loops": list(model.names), "left_out": left_out})
