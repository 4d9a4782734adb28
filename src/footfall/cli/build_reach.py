"""`footfall build reach`: a reach library with what is said of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from footfall.cli.ranges import ranges
from footfall.cli.takes import Take, Told, source_of

if TYPE_CHECKING:
    from footfall.models.reach.model import ReachLibrary
    from footfall.weights.space import Space


@dataclass(frozen=True, eq=False)
class BuiltReach:
    """A built reach library and what is said of it."""

    model: ReachLibrary
    told: Mapping[str, Any]

    @property
    def spaces(self) -> Mapping[str, Space]:
        return self.model.space

    @property
    def examples(self) -> dict[str, int]:
        return {one.name: len(one.examples) for one in self.model.sets}

    @property
    def counted(self) -> str:
        return f"{sum(self.examples.values())} reaches in {len(self.examples)} sets"

    def lines(self) -> Iterator[str]:
        for one in self.model.sets:
            points = self.told["pseudo_examples"][one.name]
            yield f"  {one.hand} {one.posture}: {len(one.examples)} reaches, {points} pseudo-examples"
            yield from (f"    {told}" for told in ranges(one.space))


def build_reach(takes: Sequence[Take], progress: Told) -> BuiltReach:
    from footfall.models.reach.build import build_reach as build

    library = build(**source_of(takes, "body"), progress=progress)
    return BuiltReach(
        library, {"pseudo_examples": {one.name: len(one.pseudo_points) for one in library.sets}}
    )
