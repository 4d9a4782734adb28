"""`footfall play`: a sequence of movements from a movement library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from footfall.cli.checked import between, check_target, save_both
from footfall.cli.opened_model import opened_model
from footfall.cli.output import emit, remark
from footfall.cli.progress import progress_bar
from footfall.cli.ranges import ranges
from footfall.errors import RequestError
from footfall.formats.save import ENDINGS
from footfall.formats.sequence_file import WORDS, read_sequence

if TYPE_CHECKING:
    from footfall.models.movements.model import MovementLibrary
    from footfall.weights.space import Space


def play(
    model: Annotated[
        Path, Parameter(help="A movement library (.ffmodel); or default, built from the virtual actor.")
    ],
    sequence: Annotated[Path, Parameter(help="The movements to play (.json).")],
    /,
    *,
    output: Annotated[
        Path, Parameter(name=["-o", "--output"], help="The file to write: .bvh, .glb, .amass.npz or .ffm.")
    ],
    fps: Annotated[float | None, Parameter(help="Frame rate of the result; 60 by default.")] = None,
    constraints: Annotated[
        bool,
        Parameter(negative="--no-constraints", help="Standing feet stand, prints are where they should be."),
    ] = True,
    transitions: Annotated[
        bool,
        Parameter(
            negative="--no-transitions", help="A step is put in where feet stand otherwise than is needed."
        ),
    ] = True,
    plan: Annotated[Path | None, Parameter(help="Also write the footprints, as a foot plan (.json).")] = None,
    json: Annotated[bool, Parameter(negative="", help="One JSON object.")] = False,
) -> int:
    """Plays movements one after the other, joined smoothly, each with its own parameters.

    Example: footfall play default sequence.json -o steps.glb

    where sequence.json says, in metres:

    {"version": 1, "movements": [
    {"kind": "left_step", "end_length": 0.6},
    {"kind": "right_step", "end_length": 0.5},
    {"kind": "jump", "length": 1.2, "height": 0.3}]}

    What is left out follows from how the figure stands. Angles are in degrees:
    "turn_deg", where a library's steps turn. Two more fields:
    "upper": {"kind": ...}, a movement whose upper body is put on these legs;
    "hold": {"right_hand": [x, y, z]}, where a hand stays (null: where it is).
    """
    from footfall.models.movements.model import FPS, RATES

    if plan is not None and not constraints:
        raise RequestError("--plan tells where feet stand: without constraints they do not keep to places")
    check_target(output, ENDINGS)
    check_target(plan, (".json",))
    rate = between("--fps", fps, *RATES, "Hz")
    movements = read_sequence(sequence)
    library = _library(model)
    _check_names(library, movements, sequence)
    try:
        played = library.play(movements, fps=rate or FPS, constraints=constraints, transitions=transitions)
    except RequestError as error:
        raise RequestError(f"{sequence}: {error}") from None
    found = played.certificate()
    save_both(played, output, played.plan, plan)
    for sentence in found.clamped:
        remark(f"{output}: {sentence}")
    skeleton = played.skeleton
    values: dict[str, object] = found.as_dict() | {
        "file": str(output),
        "plan": None if plan is None else str(plan),
        "movements": [
            {"kind": kind, "begin_s": begin} for kind, begin in zip(played.kinds, played.begins, strict=True)
        ],
        "foot_points": {side: skeleton.foot_points(side).as_lists() for side in skeleton.sides},
    }
    line = f"{output}: {len(played.kinds)} movements, {len(played)} frames at {played.fps:g} Hz, "
    emit(values, json=json, text=lambda: [f"{line}{played.seconds:.1f} s", *str(found).splitlines()])
    return 0


def _library(model: Path) -> MovementLibrary:
    from footfall.models.movements.model import MovementLibrary

    return opened_model(model, MovementLibrary, built_in)


def built_in() -> MovementLibrary:
    """The library of the virtual actor, which is built where it never was."""
    from footfall.models.movements.default import default_movements

    with progress_bar("building the default movements, once") as progress:
        return default_movements(progress)


def _check_names(library: MovementLibrary, movements: Sequence[Mapping[str, Any]], file: Path) -> None:
    """A library tells which kind is wrong; a long file needs to be told where."""
    for k, movement in enumerate(movements):
        places = {f"{file}: movements[{k}]": movement, f"{file}: movements[{k}].upper": movement.get("upper")}
        for where, stated in places.items():
            if stated is not None:
                _check_name(library.space, stated, where)


def _check_name(spaces: Mapping[str, Space], stated: Mapping[str, Any], where: str) -> None:
    kind = stated["kind"]
    if kind not in spaces:
        raise RequestError(
            f"{where}.kind: no kind of movement is called {kind!r:.60}; there are {', '.join(spaces)}"
        )
    space = spaces[kind]
    for name in stated:
        if name not in (*space.names, *WORDS):
            raise RequestError(
                f"{where}: {kind} has no parameter {name!r:.60}; it has {', '.join(ranges(space))}"
            )
