"""`footfall inspect`: what a clip is and what was found in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from footfall.cli.gait import Gait
from footfall.cli.output import emit, remark
from footfall.cli.reading import DEFAULT, Reading
from footfall.errors import FootfallError
from footfall.formats.assemble import Capture


def inspect(
    clips: Annotated[
        list[Path],
        Parameter(help="Motion or skeleton files of any format; or actor:walk, performed without a file."),
    ],
    /,
    *,
    json: Annotated[bool, Parameter(negative="", help="One JSON object.")] = False,
    reading: Reading = DEFAULT,
) -> int:
    """Skeleton, roles, frame rate, unit, plants, steps and warnings of clips.

    Example: footfall inspect walk.bvh
    """
    found: list[tuple[Capture, Gait]] = []
    refused = 0
    for clip in clips:
        try:
            capture = reading.load(clip)
            found.append((capture, Gait.of(capture.motion)))
        except FootfallError as error:
            remark(f"footfall: {error}")
            refused += 1
    if found or json:
        values: dict[str, object] = {"clips": [describe(*each) for each in found]}
        emit(values, json=json, text=lambda: (line for each in found for line in _lines(*each)))
    return 1 if refused else 0


def describe(capture: Capture, gait: Gait) -> dict[str, object]:
    """The contract's keys of one clip."""
    motion, skeleton = capture.motion, capture.motion.skeleton
    return {
        "file": capture.file,
        "format": capture.format,
        "frames": len(motion),
        "fps": motion.fps,
        "seconds": motion.seconds,
        "joints": len(skeleton),
        "end_sites": len(skeleton.end_parents),
        "unit": capture.unit_name,
        "unit_m": capture.unit,
        "up": capture.up,
        "dropped_frames": capture.dropped,
        "leg_length_m": skeleton.leg_length() if skeleton.sides else None,
        "roles": {role: skeleton.names[joint] for role, joint in skeleton.roles.items()},
        "foot_points": {side: skeleton.foot_points(side).as_lists() for side in skeleton.sides},
        "instants": dict(capture.instants),
        "plants": gait.plant_values(),
        "steps": gait.step_values(),
        "warnings": [*capture.notes, *gait.warnings],
    }


def _lines(capture: Capture, gait: Gait) -> Iterator[str]:
    motion, skeleton = capture.motion, capture.motion.skeleton
    yield f"{capture.file}  ({capture.format})"
    yield f"  {len(motion)} frames at {motion.fps:g} Hz, {motion.seconds:.2f} s"
    legs = f", legs {skeleton.leg_length():.2f} m" if skeleton.sides else ""
    yield f"  {len(skeleton)} joints, {len(skeleton.end_parents)} end sites, unit {capture.unit_name}{legs}"
    main = {r: skeleton.names[j] for r, j in skeleton.roles.items() if not r[-1].isdigit()}
    fingers = len(skeleton.roles) - len(main)
    yield "  roles: " + (", ".join(f"{r} {n}" for r, n in main.items()) or "none found")
    if fingers:
        yield f"         and {fingers} finger segments"
    for name, seconds in capture.instants.items():
        yield f"  instant {name} at {seconds:.2f} s"
    yield from gait.lines()
    for note in (*capture.notes, *gait.warnings):
        yield f"  ! {note}"
