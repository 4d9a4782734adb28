"""`footfall build`: a model from captured clips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

from cyclopts import Parameter, Token

from footfall.cli.build_locomotion import BuiltLocomotion, build_locomotion
from footfall.cli.build_movements import AS_FOUND, BuiltLibrary, Choice, build_movements
from footfall.cli.build_reach import BuiltReach, build_reach
from footfall.cli.build_rings import BuiltRings, build_rings
from footfall.cli.build_steps import BuiltSteps, build_steps
from footfall.cli.checked import LONGEST, check_target
from footfall.cli.output import emit, remark
from footfall.cli.progress import progress_bar
from footfall.cli.ranges import rows
from footfall.cli.reading import DEFAULT, Reading
from footfall.cli.takes import Take, Told, read_takes
from footfall.errors import RequestError
from footfall.models.model_file import ENDING

SYSTEMS = ("movements", "steps", "ring", "reach", "locomotion")
AS_CAPTURED = {  # systems that leave nothing to choose, and why
    "steps": "a step space takes every step as it was captured",
    "ring": "a ring takes the loops whose strikes are apart",
    "reach": "a reach library takes every reach as it was captured",
    "locomotion": "a locomotion space takes a cycle of every clip",
}


def _system(_: object, tokens: Sequence[Token]) -> str:
    word = tokens[0].value
    if word not in SYSTEMS:
        raise ValueError(f"{word[:LONGEST]} is no system: what can be built is {', '.join(SYSTEMS)}")
    return word


def build(
    system: Annotated[
        str,
        Parameter(
            converter=_system,
            help="movements: steps, jumps and the like, by parameters; steps: a step space, by footprints; "
            "ring: gaits that obey a stick on any ground; reach: hands to any place, a reach a clip; "
            "locomotion: going ahead, back, aside and round at any speed.",
        ),
    ],
    clips: Annotated[
        list[Path],
        Parameter(
            help="Captured clips of any format, of several people too: the first gives the figure; "
            "actor:walk and the like, actor:stepping, actor:movements or actor:rings (whole sessions) are "
            "performed without a file."
        ),
    ],
    /,
    *,
    output: Annotated[Path, Parameter(name=["-o", "--output"], help="The model to write: .ffmodel.")],
    choice: Choice = AS_FOUND,
    combined: Annotated[
        bool,
        Parameter(
            negative="",
            help="A ring of what walks straight ahead only: it turns by turning the figure, and is faster.",
        ),
    ] = False,
    json: Annotated[bool, Parameter(negative="", help="One JSON object.")] = False,
    reading: Reading = DEFAULT,
) -> int:
    """Builds a model. Steps and jumps are cut from the clips and mirrored: movements keep those that span
    them as examples, a step space keeps every step. Rings close every three steps to a loop, and keep the
    loops that differ: one ring for each gait that is found, and a rest where somebody stands for two seconds.

    Example: footfall build movements captures/*.bvh -o movements.ffmodel

    Example: footfall build steps captures/*.bvh -o steps.ffmodel

    Example: footfall build ring captures/*.bvh -o gaits.ffmodel

    Example: footfall build reach captures/*.skm -o reach.ffmodel

    Example: footfall build locomotion captures/*.skm -o locomotion.ffmodel
    """
    started = perf_counter()
    check_target(output, (ENDING,))
    wishes = choice.wishes()
    _check_choice(system, wishes, combined=combined)
    with progress_bar(f"reading {len(clips)} clips") as progress:
        takes = read_takes(clips, reading, progress)
    with progress_bar(f"building {system}") as progress:
        made = _made(system, takes, wishes, progress, combined=combined)
    made.model.save(output)
    for sentence in made.told.get("left_out", ()):
        remark(sentence)
    values: dict[str, Any] = {
        "examples": made.examples,
        "bytes": output.stat().st_size,
        "seconds": perf_counter() - started,
        "space": {kind: rows(space) for kind, space in made.spaces.items()},
        **made.told,
    }
    size, seconds = values["bytes"] / 1000, values["seconds"]
    first = f"{output}: {made.counted}, {size:.0f} kB, built in {seconds:.1f} s"
    emit(values, json=json, text=lambda: [first, *made.lines()])
    return 0


def _made(
    system: str, takes: Sequence[Take], wishes: Mapping[str, Any], progress: Told, *, combined: bool
) -> BuiltLibrary | BuiltSteps | BuiltRings | BuiltReach | BuiltLocomotion:
    if system == "steps":
        return build_steps(takes, progress)
    if system == "locomotion":
        return build_locomotion(takes, progress)
    if system == "reach":
        return build_reach(takes, progress)
    if system == "ring":
        return build_rings(takes, progress, combined=combined)
    return build_movements(takes, wishes, progress)


def _check_choice(system: str, wishes: Mapping[str, Any], *, combined: bool) -> None:
    """An option that says nothing of a system is refused, not passed over."""
    options = [f"--{'rate' if name == 'fps' else name.replace('_', '-')}" for name in wishes]
    if options and system in AS_CAPTURED:
        raise RequestError(f"{options[0]} is for movements: {AS_CAPTURED[system]}")
    if combined and system != "ring":
        raise RequestError(f"--combined is for rings: {system} take every way that was captured")
