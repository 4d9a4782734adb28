"""`footfall build ring`: gaits connected, or one combined ring, with what is said of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from footfall.cli.ranges import ranges
from footfall.cli.takes import Take, Told, source_of
from footfall.errors import RequestError

if TYPE_CHECKING:
    from footfall.models.ring.graph import RingGraph
    from footfall.models.ring.model import MotionRing
    from footfall.weights.space import Space

SESSION = "rings"  # whose takes are examples
LEFT_OUT = " is left out: "  # in what the builder tells of a clip or a sample


@dataclass(frozen=True, eq=False)
class BuiltRings:
    """Built rings and what is said of them."""

    model: RingGraph | MotionRing
    rings: Mapping[str, MotionRing]  # by gait
    told: Mapping[str, Any]

    @property
    def spaces(self) -> Mapping[str, Space]:
        return {gait: ring.space for gait, ring in self.rings.items()}

    @property
    def examples(self) -> dict[str, int]:
        return {gait: len(ring) for gait, ring in self.rings.items()}

    @property
    def counted(self) -> str:
        return ", ".join(f"{gait} of {count} loops" for gait, count in self.examples.items())

    def lines(self) -> Iterator[str]:
        for gait, space in self.spaces.items():
            yield f"  {gait}: {self.examples[gait]} loops, alone {self.told['rings'][gait] / 1000:.0f} kB"
            yield from (f"    {told}" for told in ranges(space))
        if self.told["left_out"]:
            yield f"  {len(self.told['left_out'])} samples were left out"


def build_rings(takes: Sequence[Take], progress: Told, *, combined: bool) -> BuiltRings:
    """A ring for each gait; a combined one of walks straight ahead only."""
    from footfall.models.ring.gaits import build_gaits
    from footfall.models.ring.graph import RingGraph
    from footfall.models.ring.store import ring_sizes

    left_out: list[str] = []

    def told(what: str, share: float) -> None:
        if LEFT_OUT in what:
            left_out.append(what)
        progress(what, share)

    source = source_of(takes, SESSION) | {"names": [take.name for take in takes]}
    model = _combined(source, told) if combined else build_gaits(**source, progress=told)
    graph = RingGraph.of(model)
    return BuiltRings(model, graph.rings, {"rings": ring_sizes(graph), "left_out": left_out})


def _combined(source: Mapping[str, Any], told: Told) -> MotionRing:
    """Of what walks straight ahead: runs and steps aside are no part of one gait ([rings] 4.4)."""
    from footfall.analysis.reference import Reference
    from footfall.models.ring.build import FEWEST, STRAIGHT, looped, ring_of
    from footfall.models.ring.gaits import WALK, gait_of

    found = looped(**source, progress=told)
    loops = [loop for loop in found.loops if gait_of(loop) == WALK and abs(loop.turn) < STRAIGHT]
    if len(loops) < FEWEST:
        raise RequestError(
            f"{len(loops)} of {found.samples} samples could be closed to a loop and walk straight ahead; a "
            f"combined ring needs at least {FEWEST}, with different step lengths or rises"
        )
    return ring_of(loops, WALK, Reference.of(found.clips), combined=True)
