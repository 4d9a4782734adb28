"""`footfall score`: the certificate of a motion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from footfall.analysis.certificate import Certificate, certificate
from footfall.cli.output import emit, remark_notes
from footfall.cli.reading import DEFAULT, Reading
from footfall.cli.score_feet import on_soles_of
from footfall.formats.terrain_source import open_terrain
from footfall.world.foot_plan import FootPlan


def score(
    motion: Annotated[
        Path, Parameter(help="The motion file to measure; or actor:walk, performed without a file.")
    ],
    /,
    *,
    plan: Annotated[Path | None, Parameter(help="The foot plan it was to follow.")] = None,
    terrain: Annotated[
        str | None,
        Parameter(help="The ground: a mesh file, flat[:LEVEL], or bumps:7 and the like; else as feet rest."),
    ] = None,
    reference: Annotated[
        list[Path],
        Parameter(
            consume_multiple=True, negative="", help="Clips it was made from, or others of its kind; several."
        ),
    ] = (),  # type: ignore[assignment]
    foot_points: Annotated[
        Path | None,
        Parameter(help="Its soles: a file with what step, play or edit --json printed. A BVH has none."),
    ] = None,
    json: Annotated[bool, Parameter(negative="", help="One JSON object.")] = False,
    reading: Reading = DEFAULT,
) -> int:
    """Measures what a motion keeps: footprints hit, feet that stand still, soles on the ground, no pops.

    Example: footfall score walk.bvh --terrain flat --reference capture.bvh
    """
    ground = None if terrain is None else open_terrain(terrain)
    wanted = None if plan is None else FootPlan.load(plan)
    capture = reading.load(motion)
    remark_notes(capture.file, capture.notes)
    # a true rate or a role said of the motion says nothing of other files; a skeleton file may serve them all
    others = replace(DEFAULT, skeleton=reading.skeleton)
    references = [others.load(path).motion for path in reference or ()]
    if foot_points is None:
        found = certificate(capture.motion, plan=wanted, terrain=ground, reference=references)
    else:
        measured = on_soles_of(capture.motion, foot_points)
        found = certificate(measured, plan=wanted, terrain=ground, reference=references)
        found = replace(found, contacts="detected" if capture.motion.contacts is None else "given")
    emit(found.as_dict(), json=json, text=lambda: [str(motion), *_lines(found, planned=wanted is not None)])
    return 0


def _lines(found: Certificate, *, planned: bool) -> Iterator[str]:
    yield f"  plants            {found.plants} ({found.contacts})"
    lost = ": a planned foot never stands" if planned and found.placement_max_m is None else ""
    yield f"  placement         {_length(found.placement_max_m)}{lost}"
    yield f"  slide             {_length(found.slide_max_m)}, mean {_length(found.slide_mean_m)}"
    yield f"  penetration       {_length(found.penetration_max_m)}"
    yield f"  float             {_length(found.float_max_m)}"
    examples = _ratio(found.leg_extension_examples)
    yield f"  leg extension     {_ratio(found.leg_extension_max)} (examples {examples})"
    yield f"  acceleration      {_ratio(found.acceleration_ratio)} (1 is the reference's)"
    yield f"  bone stretch      {_ratio(found.bone_stretch_max)}"
    for sentence in found.clamped:
        yield f"  clamped           {sentence}"


def _length(metres: float | None) -> str:
    return "unknown" if metres is None else f"{1000 * metres:.3f} mm"


def _ratio(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.3f}"
