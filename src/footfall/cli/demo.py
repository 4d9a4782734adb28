"""`footfall demo`: one motion per system that exists, as GLB, BVH and pictures, with a report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from footfall.analysis.certificate import certificate
from footfall.cli.output import emit, remark
from footfall.cli.report import Entry, write_report
from footfall.errors import MissingExtra, SaveError
from footfall.figure.motion import Motion
from footfall.formats.save import save_motion
from footfall.world.terrain import FlatTerrain


def demo(
    *,
    out: Annotated[Path, Parameter(help="Folder for the results; made if it is not there.")] = Path(
        "footfall-demo"
    ),
    json: Annotated[bool, Parameter(negative="", help="One JSON object.")] = False,
) -> int:
    """Makes what footfall can make without any file of yours, and a report to look at.

    Example: footfall demo --out demo
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SaveError(f"{out}: cannot be made ({error.strerror or error})") from None
    entries = [_entry(out, *piece) for piece in _programme()]
    report = out / "index.html"
    write_report(report, entries)
    values: dict[str, object] = {
        "motions": [
            {"name": e.name, "file": e.files[0], "certificate": e.certificate.as_dict()} for e in entries
        ],
        "report": str(report),
    }
    emit(
        values,
        json=json,
        text=lambda: [*(f"{e.name}: {', '.join(e.files)}" for e in entries), f"open {report}"],
    )
    return 0


def _programme() -> list[tuple[str, str, Motion]]:
    """Name, what it shows, and the motion."""
    from footfall.actor.humanoid import humanoid
    from footfall.actor.range_of_motion import range_of_motion

    return [
        (
            "range_of_motion",
            "The embedded figure moves every part of its body in turn, as a capture session begins. Made by "
            "formula: it shows the figure, its skin and the file formats, no captured motion yet.",
            range_of_motion(humanoid()),
        )
    ]


def _entry(out: Path, name: str, about: str, motion: Motion) -> Entry:
    files = [f"{name}.glb", f"{name}.bvh"]
    for file in files:
        remark(f"writing {out / file}")
        save_motion(motion, out / file)
    try:
        from footfall.picture.clip import save_clip
        from footfall.picture.strip import save_strip

        remark(f"drawing {out / name}.png and .gif")
        save_strip(motion, out / f"{name}.png", figures=12, views=("three-quarter", "side"), title=name)
        save_clip(motion, out / f"{name}.gif")
        files += [f"{name}.png", f"{name}.gif"]
    except MissingExtra as error:
        remark(f"no pictures: {error}")
    return Entry(name, about, motion, tuple(files), certificate(motion, terrain=FlatTerrain()))
