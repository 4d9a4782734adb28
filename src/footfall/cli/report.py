"""The demo's report: one page of HTML without scripts or outside files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from footfall.analysis.certificate import Certificate
from footfall.formats.save import written_whole
from footfall.version import __version__

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem }
img { max-width: 100%; border: 1px solid #ddd; border-radius: 4px } h2 { margin-top: 2.5rem }
td, th { padding: .2rem .8rem .2rem 0; text-align: left } .pictures { display: grid; gap: 1rem }
"""


@dataclass(frozen=True, eq=False)
class Entry:
    """One motion of the demo and the files that hold it, named relative to the report."""

    name: str
    about: str
    frames: int
    fps: float
    joints: int
    files: tuple[str, ...]
    certificate: Certificate


@dataclass(frozen=True)
class GroundEntry:
    """A terrain of the demo: `says` tells how it can be crossed."""

    name: str
    says: str
    triangles: int
    files: tuple[str, ...]


def write_report(path: Path, entries: Sequence[Entry], grounds: Sequence[GroundEntry] = ()) -> None:
    parts = [
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>footfall demo</title>",
        f"<style>{STYLE}</style><h1>footfall {escape(__version__)}</h1>",
        "<p>Open a .glb in any glTF viewer or in Blender, a .bvh in any animation tool.</p>",
        *(_section(entry) for entry in entries),
        *(_ground_section(ground) for ground in grounds),
        "</html>",
    ]
    with written_whole(path) as file:
        file.write("\n".join(parts).encode())


def _section(entry: Entry) -> str:
    links, images = _shown(entry.name, entry.files)
    return (
        f"<h2>{escape(entry.name)}</h2><p>{escape(entry.about)}</p>"
        f"<table><tr><th>frames<td>{entry.frames} at {entry.fps:g} Hz, {(entry.frames - 1) / entry.fps:.1f} s"
        f"<tr><th>joints<td>{entry.joints}<tr><th>files<td>{links}"
        f"<tr><th>certificate<td>{escape(str(entry.certificate))}</table>"
        f"<div class='pictures'>{images}</div>"
    )


def _ground_section(ground: GroundEntry) -> str:
    links, images = _shown(ground.name, ground.files)
    return (
        f"<h2>{escape(ground.name)}</h2><p>Generated ground, {escape(ground.says)}; the walk is drawn.</p>"
        f"<table><tr><th>triangles<td>{ground.triangles}<tr><th>files<td>{links}</table>"
        f"<div class='pictures'>{images}</div>"
    )


def _shown(name: str, files: Sequence[str]) -> tuple[str, str]:
    """Links to files, and the pictures among them."""
    pictures = [f for f in files if f.endswith((".png", ".gif"))]
    links = ", ".join(f"<a href='{escape(f)}'>{escape(f)}</a>" for f in files if f not in pictures)
    return links, "".join(f"<img src='{escape(f)}' alt='{escape(name)}'>" for f in pictures)
