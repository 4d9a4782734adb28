"""`footfall build`: a model from captured clips."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from cyclopts import Parameter, Token

from footfall.cli.checked import LONGEST, between, check_target, whole
from footfall.cli.compiling import MOVEMENTS, make_ready
from footfall.cli.output import emit, remark_notes
from footfall.cli.progress import progress_bar
from footfall.cli.reading import ACTOR, DEFAULT, Reading
from footfall.errors import RequestError
from footfall.figure.example import Example
from footfall.figure.motion import Motion
from footfall.formats.sequence_file import DEGREES
from footfall.models.model_file import ENDING

if TYPE_CHECKING:
    from footfall.models.movements.model import MovementLibrary
    from footfall.weights.space import Space

SYSTEMS = ("movements",)
LATER = ("ring", "steps", "locomotion", "reach")
SESSIONS = ("movements", "stepping")  # of the virtual actor, as clips
ANNOTATED = "movements"  # the session whose takes are examples: with kind, keytimes and parameters

Told = Callable[[str, float], None]


def _system(_: object, tokens: Sequence[Token]) -> str:
    word = tokens[0].value
    if word not in SYSTEMS:
        why = "comes later" if word in LATER else "is no system"
        raise ValueError(f"{word[:LONGEST]} {why}: what can be built now is {', '.join(SYSTEMS)}")
    return word


@Parameter(name="*")
@dataclass(frozen=True)
class Choice:
    """Which examples and parameters; what is not given is found from the clips."""

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
    system: Annotated[str, Parameter(converter=_system, help="movements: steps, jumps and the like.")],
    clips: Annotated[
        list[Path],
        Parameter(
            help="Captured clips of any format; actor:walk and the like, actor:stepping or actor:movements "
            "(whole sessions) are performed without a file."
        ),
    ],
    /,
    *,
    output: Annotated[Path, Parameter(name=["-o", "--output"], help="The model to write: .ffmodel.")],
    choice: Choice = AS_FOUND,
    json: Annotated[bool, Parameter(negative="", help="One JSON object.")] = False,
    reading: Reading = DEFAULT,
) -> int:
    """Builds a model: steps and jumps are cut from the clips, those that span them chosen as examples.

    Example: footfall build movements captures/*.bvh -o movements.ffmodel
    """
    from footfall.models.movements.build import build_movements

    started = perf_counter()
    check_target(output, (ENDING,), clips)
    wishes = choice.wishes()
    make_ready(MOVEMENTS)
    with progress_bar(f"reading {len(clips)} clips") as progress:
        takes = _takes(clips, reading, progress)
    with progress_bar(f"building {system}") as progress:
        library = build_movements(**_source(takes), **wishes, progress=progress)
    library.save(output)
    values: dict[str, object] = {
        "examples": {kind.name: len(kind.examples) for kind in library.members},
        "bytes": output.stat().st_size,
        "seconds": perf_counter() - started,
        "space": {kind: _rows(library, kind) for kind in library.space},
    }
    emit(values, json=json, text=lambda: _lines(library, output, values))
    return 0


def _named(text: str) -> tuple[str, tuple[str, ...]]:
    kind, _, names = text.partition("=")
    split = tuple(name.strip() for name in names.split(","))
    if not kind or not all(split) or len(set(split)) < len(split):
        raise RequestError(
            "--parameters takes KIND=NAME,NAME such as jump=length,height, each name once, "
            f"not {text[:LONGEST]!r}"
        )
    return kind.strip(), split


@dataclass(frozen=True, eq=False)
class _Take:
    """A clip, or a take of a session with what is known about it."""

    name: str
    motion: Motion
    known: Example | None = None


def _takes(clips: Sequence[Path], reading: Reading, progress: Told) -> list[_Take]:
    takes: list[_Take] = []
    for k, clip in enumerate(clips):
        progress(f"reading {clip}", k / len(clips))
        session = _session(clip)
        if session is not None:
            takes += _performed(clip, *session, reading, progress)
        else:
            capture = reading.load(clip)
            remark_notes(capture.file, capture.notes)
            takes.append(_Take(capture.file, capture.motion))
    return takes


def _session(clip: Path) -> tuple[str, str] | None:
    """A session of the actor and its person, where one is meant and no file is called so."""
    if not str(clip).startswith(ACTOR) or clip.exists():
        return None
    name, _, person = str(clip).removeprefix(ACTOR).partition("@")
    return (name, person) if name in SESSIONS else None


def _performed(clip: Path, session: str, person: str, reading: Reading, progress: Told) -> Iterator[_Take]:
    from footfall.actor.virtual_actor import VirtualActor

    if reading != DEFAULT:
        raise RequestError(f"{clip} is a session, no file: nothing can be said of how to read it")
    if "@" in str(clip) and not (person.isascii() and person.isdigit() and len(person) < 10):
        raise RequestError(f"a person is a whole number, as in {session}@3, not {person[:40]!r}")
    for example in VirtualActor(int(person or 0)).perform(session, progress=progress):
        known = example if session == ANNOTATED else None
        yield _Take(f"{clip} {example.name}", example.motion, known)


def _source(takes: Sequence[_Take]) -> dict[str, Any]:
    """Examples as they are, where all are; else everything is a clip to be cut."""
    examples = [take.known for take in takes if take.known is not None]
    if len(examples) == len(takes):
        return {"source": examples}
    return {"source": [take.motion for take in takes], "names": [take.name for take in takes]}


def _rows(library: MovementLibrary, kind: str) -> list[dict[str, object]]:
    space = library.space[kind]
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


def _lines(library: MovementLibrary, output: Path, values: dict[str, Any]) -> Iterator[str]:
    size, seconds = values["bytes"] / 1000, values["seconds"]
    yield f"{output}: {sum(values['examples'].values())} examples, {size:.0f} kB, built in {seconds:.1f} s"
    for kind in library.members:
        yield f"  {kind.name}: {len(kind.examples)} examples, {len(kind.pseudo_points)} pseudo-examples"
        yield from (f"    {told}" for told in ranges(kind.space))
