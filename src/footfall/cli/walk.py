"""`footfall walk`: a gait that obeys commands, on any ground."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
from cyclopts import Parameter

from footfall.cli.checked import LONGEST, between, check_target
from footfall.cli.opened_model import BUILT_IN
from footfall.cli.output import emit, remark
from footfall.cli.progress import progress_bar
from footfall.errors import LoadError, RequestError
from footfall.formats.commands_file import load_commands
from footfall.formats.save import ENDINGS, save_motion
from footfall.formats.terrain_source import open_terrain
from footfall.world.mesh import LARGEST

if TYPE_CHECKING:
    from footfall.control.walked import WalkedGait
    from footfall.models.ring.graph import RingGraph
    from footfall.models.ring.model import MotionRing

MOST_TURNED = 36_000.0  # degrees: a hundred times round


def walk(
    model: Annotated[
        Path,
        Parameter(help="Gaits or a motion ring (.ffmodel); or default, built from the virtual actor."),
    ],
    /,
    *,
    commands: Annotated[Path, Parameter(help="What is asked, and when (.json).")],
    seconds: Annotated[float, Parameter(help="How long it walks.")],
    output: Annotated[
        Path, Parameter(name=["-o", "--output"], help="The file to write: .bvh, .glb, .amass.npz or .ffm.")
    ],
    terrain: Annotated[
        str | None,
        Parameter(help="The ground: a mesh file, flat[:LEVEL], or bumps:7 and the like; else flat."),
    ] = None,
    fps: Annotated[float | None, Parameter(help="Frame rate of the result; 60 by default.")] = None,
    foot_lock: Annotated[
        bool, Parameter(name="--foot-lock", help="Whether feet that stand are made to stand exactly.")
    ] = True,
    gait: Annotated[
        str | None,
        Parameter(help="The gait it begins with; else it stands where it can, until the first command."),
    ] = None,
    start: Annotated[
        str | None,
        Parameter(allow_leading_hyphen=True, help="X,Z in metres: where it begins; 0,0 by default."),
    ] = None,
    heading_deg: Annotated[
        float | None, Parameter(help="Where it faces as it begins, from +Z to the left; 0 by default.")
    ] = None,
    json: Annotated[bool, Parameter(negative="", help="One JSON object.")] = False,
) -> int:
    """Walks, runs and rests as commands say, feet finding their places on any ground.

    Example: footfall walk default --terrain bumps:7 --commands stick.json --seconds 12 -o walk.glb

    where stick.json says, in seconds, degrees and metres:

    {"version": 1, "commands": [
    {"time": 0.5, "heading_deg": 0, "step_length": 0.7, "gait": "walk"},
    {"time": 4, "turn_deg": 60},
    {"time": 7, "gait": "run"},
    {"time": 10, "gait": "rest"}]}

    A heading is one in the world, a turn is from where the figure goes at that moment, to the left. All but
    the time may be left out. What gaits there are depends on the model: default has walk, run, back, left,
    right and rest. --json counts commands from 0.
    """
    from footfall.control.walked import FPS, RATES
    from footfall.control.walked import LONGEST as LONGEST_WALK
    from footfall.control.walked import walk as walked

    check_target(output, ENDINGS)
    rate = between("--fps", fps, *RATES, "Hz") or FPS
    _ = between("--seconds", seconds, 1.0 / rate, LONGEST_WALK)
    turned = between("--heading-deg", heading_deg, -MOST_TURNED, MOST_TURNED)
    place = _place(start)
    ground = None if terrain is None else open_terrain(terrain)
    asked = load_commands(commands)
    rings = opened_rings(model)
    try:
        made = walked(
            rings,
            asked,
            seconds,
            terrain=ground,
            fps=rate,
            foot_lock=foot_lock,
            place=place,
            heading=float(np.radians(turned or 0.0)),
            gait=gait,
        )
    except RequestError as error:
        named = f"{commands}: " if str(error).startswith("commands[") else ""
        raise RequestError(f"{named}{error}") from None
    found = made.certificate()
    save_motion(made, output)
    for sentence in made.remarks:
        remark(f"{output}: {sentence}")
    bones = made.skeleton
    values: dict[str, object] = found.as_dict() | {
        "file": str(output),
        "frames_per_second": made.frames_per_second,
        "response_s": made.response_s,
        "strikes": made.strikes,
        "foot_points": {side: bones.foot_points(side).as_lists() for side in bones.sides},
        "remarks": list(made.remarks),
    }
    emit(values, json=json, text=lambda: [*_lines(made, output), *str(found).splitlines()])
    return 0


def opened_rings(model: Path) -> RingGraph | MotionRing:
    """Gaits of a file, or one ring of them; `default` is the virtual actor's."""
    if str(model) == BUILT_IN:
        return built_in_gaits()
    from footfall.models.load import SYSTEMS, load_model
    from footfall.models.ring.graph import RingGraph
    from footfall.models.ring.model import MotionRing

    made = load_model(model)
    if not isinstance(made, RingGraph | MotionRing):
        kind = type(made).__name__
        words = next(system.words for system in SYSTEMS.values() if system.made == kind)
        raise LoadError(f"this is a {words} ({kind}), not a ring graph or a motion ring", file=model)
    return made


def built_in_gaits() -> RingGraph:
    """The gaits of the virtual actor, which are built where they never were."""
    from footfall.models.ring.default import default_gaits

    with progress_bar("building the default gaits, once") as progress:
        return default_gaits(progress=progress)


def _place(text: str | None) -> tuple[float, float]:
    """X,Z as numbers."""
    if text is None:
        return 0.0, 0.0
    try:
        x, z = (float(part) for part in text.split(","))
    except ValueError:
        x = z = np.nan
    if not max(abs(x), abs(z)) <= LARGEST:
        raise RequestError(f"--start takes X,Z in metres such as 1.5,-2, not {text[:LONGEST]!r}")
    return x, z


def _lines(made: WalkedGait, output: Path) -> Iterator[str]:
    frames = f"{len(made)} frames at {made.fps:g} Hz, {made.seconds:.1f} s"
    yield f"{output}: {made.strikes} strikes, {frames}; {made.frames_per_second:.0f} frames stepped a second"
    for time, gait in made.gaits:
        yield f"  {time:6.2f} s  {gait}"
    if (response := made.response_s) is not None:
        told = f"{1000 * response['mean']:.0f} ms in the mean, {1000 * response['worst']:.0f} ms at worst"
        yield f"inputs entered the search after {told}"
