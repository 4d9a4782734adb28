"""`footfall build movements`: its options, and a library with what is said of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from footfall.cli.checked import LONGEST, between, whole
from footfall.cli.ranges import ranges
from footfall.cli.takes import Take, Told, source_of
from footfall.errors import RequestError

if TYPE_CHECKING:
    from footfall.models.movements.model import MovementLibrary
    from footfall.weights.space import Space

SESSION = "movements"  # whose takes are examples


@Parameter(name="*")
@dataclass(frozen=True)
class Choice:
    """Which examples and parameters of movements; what is not given is found from the clips."""

    parameters: Annotated[
        list[str],
        Parameter(
            consume_multiple=True,
            negative="",
            help="KIND=NAME,NAME: a kind's parameters, e.g. left_step=start_length,end_length,turn; several.",
        ),
    ] = ()  # type: ignore[assignment]
    most: Annotated[int | None, Parameter(converter=whole, help="Examples a kind, at most.")] = None
    spacing: Annotated[
        float | None, Parameter(help="Metres: of movements nearer to each other one is enough.")
    ] = None
    mirror: Annotated[
        bool | None,
        Parameter(help="Whether a left step is a right step in the mirror: in clips yes, in examples no."),
    ] = None
    pseudo_examples: Annotated[
        int | None, Parameter(converter=whole, help="How many a kind; else until parameters are met.")
    ] = None
    rate: Annotated[float | None, Parameter(help="Frames a second that the model keeps; 30 by default.")] = (
        None
    )

    def wishes(self) -> dict[str, Any]:
        """What `build_movements` is asked for."""
        asked: dict[str, Any] = {
            "parameters": dict(_named(text) for text in self.parameters or ()) or None,
            "most": between("--most", self.most, 3, 300),
            "spacing": between("--spacing", self.spacing, 0.0, 1.0, "m"),
            "mirror": self.mirror,
            "pseudo_examples": between("--pseudo-examples", self.pseudo_examples, 0, 200),
            "fps": between("--rate", self.rate, 10.0, 240.0, "Hz"),
        }
        return {name: value for name, value in asked.items() if value is not None}


AS_FOUND = Choice()


@dataclass(frozen=True, eq=False)
class BuiltLibrary:
    """Built movements and what is said of them."""

    model: MovementLibrary
    told: Mapping[str, Any]

    @property
    def spaces(self) -> Mapping[str, Space]:
        return self.model.space

    @property
    def examples(self) -> dict[str, int]:
        return {kind.name: len(kind.examples) for kind in self.model.members}

    @property
    def counted(self) -> str:
        return f"{sum(self.examples.values())} examples"

    def lines(self) -> Iterator[str]:
        for kind in self.model.members:
            yield f"  {kind.name}: {len(kind.examples)} examples, {len(kind.pseudo_points)} pseudo-examples"
            yield from (f"    {told}" for told in ranges(kind.space))


def build_movements(takes: Sequence[Take], wishes: Mapping[str, Any], progress: Told) -> BuiltLibrary:
    from footfall.models.movements.build import build_movements as built

    return BuiltLibrary(built(**source_of(takes, SESSION), **wishes, progress=progress), {})


def _named(text: str) -> tuple[str, tuple[str, ...]]:
    kind, _, names = text.partition("=")
    split = tuple(name.strip() for name in names.split(","))
    if not kind or not all(split) or len(set(split)) < len(split):
        raise RequestError(
            "--parameters takes KIND=NAME,NAME such as jump=length,height, each name once, "
            f"not {text[:LONGEST]!r}"
        )
    return kind.strip(), split
