"""`footfall terrain`: ground made from a seed, or read from a file, as a mesh and as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

import numpy as np
from cyclopts import Parameter

from footfall.cli.checked import check_target
from footfall.cli.output import emit
from footfall.errors import RequestError
from footfall.formats.save import written_whole
from footfall.formats.terrain_file import ENDINGS, load_terrain, save_terrain
from footfall.formats.terrain_source import existing, generated
from footfall.world.foot_plan import FootPlan
from footfall.world.generators.generated import Generated
from footfall.world.generators.limits import RANGES, StepLimits
from footfall.world.mesh import MeshTerrain

PICTURES = (".png", ".svg", ".pdf", ".jpg")
USUAL = StepLimits()


def terrain(
    source: Annotated[
        str,
        Parameter(
            help="flat, bumps:7, ramps:7, stairs:7, spiral:7, blocks:7, stones:7, rubble:7; or a mesh file."
        ),
    ],
    /,
    *,
    output: Annotated[
        Path, Parameter(name=["-o", "--output"], help="A mesh (.obj, .glb) or a picture (.png, .svg, .pdf).")
    ],
    plan: Annotated[
        Path | None, Parameter(help="Also write the footprints that cross it, as a foot plan (.json).")
    ] = None,
    rise: Annotated[
        float | None, Parameter(help=f"The highest step it may ask for, m; {USUAL.rise} by default.")
    ] = None,
    length: Annotated[
        float | None, Parameter(help=f"The longest step, foot to other foot, m; {USUAL.length} by default.")
    ] = None,
    slope_deg: Annotated[
        float | None, Parameter(help="The steepest ground under a foot, degrees; 15 by default.")
    ] = None,
    size: Annotated[str | None, Parameter(help="WIDTHxLENGTH in metres, about, e.g. 6x20.")] = None,
    triangles: Annotated[int | None, Parameter(help="How finely bumps are cut; 10,000 by default.")] = None,
    turns: Annotated[float | None, Parameter(help="How often a spiral goes round, on open treads.")] = None,
    read_unit: Annotated[
        str | None, Parameter(help="The unit of a mesh file: m (else assumed), cm, mm, in, ft.")
    ] = None,
    read_up: Annotated[
        str | None, Parameter(help="The up axis of a mesh file, y (else assumed) or z.")
    ] = None,
    json: Annotated[bool, Parameter(negative="", help="One JSON object.")] = False,
) -> int:
    """Makes ground that can be crossed, by a kind and a seed, and writes it; or converts a mesh file.

    Example: footfall terrain stones:7 -o stones.glb --plan stones.json
    """
    check_target(output, ENDINGS + PICTURES)
    check_target(plan, (".json",))
    ending = output.suffix.lower()
    wishes = {
        "rise": rise,
        "length": length,
        "slope_deg": slope_deg,
        "size": size,
        "triangles": triangles,
        "turns": turns,
    }
    of_files = {"read_unit": read_unit, "read_up": read_up}
    limits = _limits(rise, length, slope_deg)
    made = generated(source, limits=limits, size=_size(size), triangles=triangles, turns=turns)
    if made is None:
        _refuse(wishes | {"plan": plan}, "say something of generated ground only, not of a file")
        ground = load_terrain(existing(source), unit=read_unit or "m", up=read_up or "y")
    else:
        _refuse(of_files, "say something of files only, not of generated ground")
        ground = made.terrain
    crossing = None if made is None else made.crossing
    if ending in ENDINGS:
        save_terrain(ground, output)
    else:
        from footfall.picture.terrain_picture import save_terrain_picture

        save_terrain_picture(ground, output, plan=crossing, title=_title(source, made))
    if plan is not None and crossing is not None:
        _save_plan(crossing, plan)
    emit(_values(ground, made, output, plan), json=json, text=lambda: _lines(ground, made, output, plan))
    return 0


def _limits(rise: float | None, length: float | None, slope_deg: float | None) -> StepLimits:
    given = {"rise": rise, "length": length}
    if slope_deg is not None:
        low, high = (np.degrees(bound) for bound in RANGES["slope"])
        if not low <= slope_deg <= high:
            raise RequestError(
                f"--slope-deg must be between {low:.1f} and {high:.0f} degrees, not {slope_deg}"
            )
        given["slope"] = float(np.radians(slope_deg))
    return StepLimits(**{name: value for name, value in given.items() if value is not None})


def _refuse(options: Mapping[str, object], why: str) -> None:
    for name, value in options.items():
        if value is not None:
            raise RequestError(f"--{name.replace('_', '-')} can {why}")


def _size(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    try:
        width, length = (float(part) for part in text.lower().split("x"))
    except ValueError:
        raise RequestError(f"--size takes WIDTHxLENGTH in metres such as 6x20, not {text!r}") from None
    return width, length


def _save_plan(plan: FootPlan, path: Path) -> None:
    with written_whole(path) as file:
        file.write(plan.encode())


def _title(source: str, made: Generated | None) -> str:
    return source if made is None else f"{made.kind}:{made.seed}, {made.says()}"


def _values(
    ground: MeshTerrain, made: Generated | None, output: Path, plan: Path | None
) -> dict[str, object]:
    low, high = ground.bounds
    values: dict[str, object] = {
        "file": str(output),
        "triangles": len(ground),
        "labels": list(ground.labels),
        "size_m": (high - low).tolist(),
    }
    if made is not None:
        found = made.extremes
        values |= {
            "kind": made.kind,
            "seed": made.seed,
            "crossable": found.within(made.limits),
            "steps": found.steps,
            "highest_m": found.highest,
            "longest_m": found.longest,
            "steepest_deg": float(np.degrees(found.steepest)),
            "plan": None if plan is None else str(plan),
        }
    return values


def _lines(ground: MeshTerrain, made: Generated | None, output: Path, plan: Path | None) -> Iterator[str]:
    low, high = ground.bounds
    across, tall, along = high - low
    yield f"{output}: {len(ground)} triangles, {across:.1f} x {along:.1f} m, {tall:.2f} m between its levels"
    if made is not None:
        yield made.says()
    if plan is not None:
        yield f"{plan}: the footprints that cross it"
