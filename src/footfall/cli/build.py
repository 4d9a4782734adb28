"""`footfall build`: a model from captured clips."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from cyclopts import Parameter, Token

from footfall.cli.checked import LONGEST, between, check_target, whole
from footfall.cli.compiling import MOVEMENTS, STEPS, make_ready
from footfall.cli.output import emit, remark
from footfall.cli.progress import progress_bar
from footfall.cli.reading import DEFAULT, Reading
from footfall.cli.takes import Take, Told, read_takes
from footfall.errors import RequestError
from footfall.formats.sequence_file import DEGREES
from footfall.models.model_file import ENDING

if TYPE_CHECKING:
    from footfall.models.movements.model import MovementLibrary
    from footfall.models.stepspace.model import StepSpace
    from footfall.weights.space import Space

SYSTEMS = ("movements", "steps")
LATER = ("ring", "locomotion", "reach")
LEFT_OUT = re.compile(r"clip (\d+): (.+ is left out.*)")  # what the builder tells of a step with a fault


def _system(_: object, tokens: Sequence[Token]) -> str:
    word = tokens[0].value
    if word not in SYSTEMS:
        why = "comes later" if word in LATER else "is no system"
        raise ValueError(f"{word[:LONGEST]} {why}: what can be built now is {', '.join(SYSTEMS)}")
    return word


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


def build(
    system: Annotated[
        str,
        Parameter(
            converter=_system,
            help="movements: steps, jumps and the like, by parameters; steps: a step space, by footprints.",
        ),
    ],
    clips: Annotated[
        list[Path],
        Parameter(
            help="Captured clips of any format, of several people too: the first gives the figure; "
            "actor:walk and the like, actor:stepping or actor:movements (whole sessions) are performed "
            "without a file."
        ),
    ],
    /,
    *,
    output: Annotated[Path, Parameter(name=["-o", "--output"], help="The model to write: .ffmodel.")],
    choice: Choice = AS_FOUND,
    json: Annotated[bool, Parameter(negative="", help="One JSON object.")] = False,
    reading: Reading = DEFAULT,
) -> int:
    """Builds a model: steps and jumps are cut from the clips and mirrored. Movements keep those that span
    them as examples; a step space keeps every step.

    Example: footfall build movements captures/*.bvh -o movements.ffmodel

    Example: footfall build steps captures/*.bvh -o steps.ffmodel
    """
    started = perf_counter()
    check_target(output, (ENDING,), clips)
    wishes = choice.wishes()
    if system == "steps":
        _check_no_choice(wishes)
    make_ready(STEPS if system == "steps" else MOVEMENTS)
    with progress_bar(f"reading {len(clips)} clips") as progress:
        takes = read_takes(clips, reading, progress)
    with progress_bar(f"building {system}") as progress:
        made = _steps(takes, progress) if system == "steps" else _movements(takes, wishes, progress)
    made.model.save(output)
    for sentence in made.told.get("left_out", ()):
        remark(sentence)
    values: dict[str, Any] = {
        "examples": made.examples,
        "bytes": output.stat().st_size,
        "seconds": perf_counter() - started,
        "space": {kind: _rows(space) for kind, space in made.model.space.items()},
        **made.told,
    }
    size, seconds = values["bytes"] / 1000, values["seconds"]
    first = f"{output}: {made.counted}, {size:.0f} kB, built in {seconds:.1f} s"
    emit(values, json=json, text=lambda: [first, *made.lines()])
    return 0


@dataclass(frozen=True, eq=False)
class _Library:
    """Built movements and what is said of them."""

    model: MovementLibrary
    told: Mapping[str, Any]

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


@dataclass(frozen=True, eq=False)
class _Steps:
    """A built step space and what is said of it."""

    model: StepSpace
    told: Mapping[str, Any]

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


def _movements(takes: Sequence[Take], wishes: Mapping[str, Any], progress: Told) -> _Library:
    from footfall.models.movements.build import build_movements

    return _Library(build_movements(**_source(takes), **wishes, progress=progress), {})


def _steps(takes: Sequence[Take], progress: Told) -> _Steps:
    from footfall.models.stepspace.build import build_step_space

    left_out: list[str] = []

    def told(what: str, share: float) -> None:
        if found := LEFT_OUT.fullmatch(what):
            left_out.append(f"{takes[int(found[1]) - 1].name}: {found[2]}")
        progress(what, share)

    space = build_step_space([take.motion for take in takes], progress=told)
    return _Steps(space, {"left_out": left_out})


def _check_no_choice(wishes: Mapping[str, Any]) -> None:
    options = [f"--{'rate' if name == 'fps' else name.replace('_', '-')}" for name in wishes]
    if options:
        raise RequestError(f"{options[0]} is for movements: a step space takes every step as it was captured")


def _named(text: str) -> tuple[str, tuple[str, ...]]:
    kind, _, names = text.partition("=")
    split = tuple(name.strip() for name in names.split(","))
    if not kind or not all(split) or len(set(split)) < len(split):
        raise RequestError(
            "--parameters takes KIND=NAME,NAME such as jump=length,height, each name once, "
            f"not {text[:LONGEST]!r}"
        )
    return kind.strip(), split


def _source(takes: Sequence[Take]) -> dict[str, Any]:
    """Examples as they are, where all are; else everything is a clip to be cut."""
    examples = [take.known for take in takes if take.known is not None]
    if len(examples) == len(takes):
        return {"source": examples}
    return {"source": [take.motion for take in takes], "names": [take.name for take in takes]}


def _rows(space: Space) -> list[dict[str, object]]:
    low, high = (bound.tolist() for bound in space.bounds)
    return [
        {"name": name, "unit": unit, "low": a, "high": b}
        for name, unit, a, b in zip(space.names, space.units, low, high, strict=True)
    ]


def ranges(space: Space) -> Iterator[str]:
    """Parameters and their bounds, as a sequence's file tells them."""
    for name, unit, low, high in zip(space.names, space.units, *space.bounds, strict=True):
        if unit == "rad":
            yield f"{name}{DEGREES} {np.degrees(low):z.0f} to {np.degrees(high):z.0f}"
        else:
            yield f"{name} {low:z.2f} to {high:z.2f} {unit}"
