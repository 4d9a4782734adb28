"""`footfall convert`: any format to any format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from footfall.adapt.retarget import retarget
from footfall.cli.checked import check_target
from footfall.cli.output import emit, remark_notes
from footfall.cli.reading import DEFAULT, Reading
from footfall.figure.resample import resample as at_rate
from footfall.formats.load import load_skeleton
from footfall.formats.save import ENDINGS, save_motion


def convert(
    source: Annotated[Path, Parameter(help="The motion file to read; or actor:walk.")],
    target: Annotated[Path, Parameter(help="The file to write: .bvh, .glb, .amass.npz or .ffm.")],
    /,
    *,
    onto: Annotated[
        Path | None, Parameter(help="Retarget onto the skeleton of this file; planted feet stay planted.")
    ] = None,
    start: Annotated[float | None, Parameter(help="First second to keep.")] = None,
    end: Annotated[float | None, Parameter(help="Last second to keep.")] = None,
    resample: Annotated[
        float | None, Parameter(help="Frame rate of the result; as the clip's by default.")
    ] = None,
    unit: Annotated[
        str | None, Parameter(help="Unit of a written BVH: m, cm, in, ... ; metres by default.")
    ] = None,
    up: Annotated[str, Parameter(help="Up axis of a written BVH, y or z.")] = "y",
    json: Annotated[bool, Parameter(negative="", help="One JSON object.")] = False,
    reading: Reading = DEFAULT,
) -> int:
    """Reads a motion in any format and writes it in another.

    Example: footfall convert walk.bvh walk.glb
    """
    check_target(target, ENDINGS)
    capture = reading.load(source)
    remark_notes(capture.file, capture.notes)
    motion = capture.motion
    if start is not None or end is not None:
        motion = motion.between(start, end)
    if onto is not None:
        motion = retarget(motion, load_skeleton(onto))
    if resample is not None:
        motion = at_rate(motion, resample)
    save_motion(motion, target, unit=unit, up=up)
    values: dict[str, object] = {
        "file": str(target),
        "frames": len(motion),
        "fps": motion.fps,
        "joints": len(motion.skeleton),
    }
    line = f"{target}: {len(motion)} frames at {motion.fps:g} Hz, {len(motion.skeleton)} joints"
    emit(values, json=json, text=lambda: [line])
    return 0
